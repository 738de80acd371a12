"""The JSON Schemas that come with the package: of campaign.toml, of each kind of JSONL row, and of records.

The files are made from the types by tools/schemas.py. Editors and other programs check files with them; we ourselves
read files with the types, whose errors say more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pyramidion.errors import check_known

FOLDER = Path(__file__).with_name("schema_files")
ENDING = ".schema.json"


@cache
def schema_files() -> Mapping[str, Path]:
    """By the name of each schema, such as "judgments", its file in the installed package."""
    return {path.name.removesuffix(ENDING): path for path in sorted(FOLDER.glob(f"*{ENDING}"))}


def read_schema(name: str) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) as a dictionary.

    Args:
        name: "campaign" (of campaign.toml), "topics", "summaries", "judgments", "preferences", "pyramids",
            "annotations", "coverage" or "sample" (of a row of the file of that name), "flat" (of a row of a flat file),
            "scores" (of a row of a long table of scores) or "records" (of a row that `--format json` prints).

    Raises:
        UsageError: if there is no such schema.

    >>> read_schema("judgments")["required"]
    ['topic', 'summarizer', 'question', 'value']
    """
    files = schema_files()
    check_known(name, list(files), f"there is no schema {name!r}")
    schema: dict[str, Any] = json.loads(files[name].read_text(encoding="utf-8"))
    return schema
