"""Tables with one row per summary, for tests."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

WORDS = [
    "a",
    "ferry",
    "burned",
    "off",
    "the",
    "coast",
    "of",
    "small",
    "town",
    "and",
    "nobody",
    "was",
    "hurt",
    "said",
    "harbour",
    "office",
    "on",
    "Monday",
]


def flat_rows(topics: int, summarizers: int = 3) -> list[dict[str, Any]]:
    draw = np.random.default_rng(1)

    def text() -> str:
        return " ".join(draw.choice(WORDS, size=int(draw.integers(3, 12))))

    rows = []
    for topic in range(topics):
        references = [text(), text()][: 1 + topic % 2]
        rows += [
            {"topic": f"t{topic}", "summarizer": f"s{number}", "summary": text(), "references": references}
            for number in range(summarizers)
        ]
    return rows


def write(rows: Sequence[dict[str, Any] | str], path: Path) -> Path:
    if path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    else:
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
