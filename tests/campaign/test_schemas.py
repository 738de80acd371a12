"""The JSON Schemas that come with the package are current, and agree with what we read and print."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from campaign.test_documentation import EXAMPLES
from pyramidion import demo
from pyramidion.campaign import Problems
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.schemas import ENDING, FOLDER, read_schema
from pyramidion.campaign.sources import CampaignSource
from pyramidion.errors import UsageError
from tools import schemas

DEMO = Path(demo.__file__).with_name("campaign")


@cache
def validator(name: str) -> Any:
    return jsonschema.Draft202012Validator(read_schema(name))


def faults(name: str, value: Any) -> list[str]:
    return [error.message for error in validator(name).iter_errors(value)]


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return schemas.make_schemas()


@pytest.mark.parametrize("folder", [FOLDER, schemas.DOCS], ids=["package", "documentation"])
def test_the_files_follow_the_types(made: dict[str, str], folder: Path) -> None:
    files = {path.name.removesuffix(ENDING): path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert files == made, "run `python tools/schemas.py`"


@pytest.mark.parametrize("name", [*NOUNS, "campaign", "flat", "scores", "records"])
def test_each_is_a_json_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(read_schema(name))


def test_a_schema_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no schema 'judgment'"):
        read_schema("judgment")


@pytest.mark.parametrize("name", [name for name in NOUNS if (DEMO / f"{name}.jsonl").exists()])
def test_the_rows_of_the_demo_campaign_are_valid(name: str) -> None:
    path = DEMO / f"{name}.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines()[:20]:
        assert faults(name, json.loads(line)) == []


def test_the_settings_of_the_demo_campaign_are_valid() -> None:
    assert faults("campaign", tomllib.loads((DEMO / "campaign.toml").read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.endswith(".jsonl")])
def test_the_rows_of_the_reference_page_are_valid(name: str) -> None:
    for line in EXAMPLES[name].splitlines():
        assert faults(name.removesuffix(".jsonl"), json.loads(line)) == []


def test_the_settings_of_the_reference_page_are_valid() -> None:
    assert faults("campaign", tomllib.loads(EXAMPLES["campaign.toml"])) == []


SETTINGS = {
    'name = "x"\nword_limit = 250': True,
    "word_limit = 0": False,
    'word_limit = "250"': False,
    'mine = "kept with a warning"': True,
    '[questions]\nset = "duc2006"': True,
    '[questions]\nset = "duc1999"': False,
    "[questions.set]\nscale = [1, 3]": True,
    "[questions.focus]\nscale = [1, 2, 3]": False,
    '[[questions]]\nname = "focus"': True,
    '[[questions]]\ntext = "Is it?"': False,
    '[summarizers.27]\nkind = "robot"': False,
    '[summarizers.27]\nkind = "human"': True,
}


@pytest.mark.parametrize("text", SETTINGS)
def test_settings_are_valid_where_check_has_no_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    (tmp_path / "summaries.jsonl").write_text("", encoding="utf-8")
    problems = Problems()
    CampaignSource(tmp_path).read(problems)
    assert (problems.errors == 0) == SETTINGS[text]
    assert (faults("campaign", tomllib.loads(text)) == []) == SETTINGS[text]


FLAT_ROWS: list[tuple[dict[str, Any], bool]] = [
    ({"summary": "A storm."}, True),
    ({"summary": None}, True),
    ({"summary": ["A storm.", "It rained."]}, True),
    ({"summary": 3}, False),
    ({"summary": "A storm.", "references": "One."}, True),
    ({"summary": "A storm.", "references": ["One.", ["Two.", "Three."]]}, True),
    ({"summary": "A storm.", "documents": [{"id": "d1", "text": "All."}]}, True),
    ({"summary": "A storm.", "documents": [{"text": 3}]}, False),
    ({"summary": "A storm.", "judgments": {"focus": 3, "style": {"ann": 4, "bob": None}}}, True),
    ({"summary": "A storm.", "judgments": {"focus": None}}, True),
    ({"summary": "A storm.", "scores": {"judge": 0.5}}, True),
    ({"summary": "A storm.", "mine": [1, 2]}, True),
]


@pytest.mark.parametrize(("fields", "is_valid"), FLAT_ROWS)
def test_flat_rows_are_valid_where_check_has_no_error(fields: dict[str, Any], is_valid: bool, tmp_path: Path) -> None:
    row = {"topic": "q1", "summarizer": "a", **fields}
    (tmp_path / "flat.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    problems = Problems()
    CampaignSource(tmp_path / "flat.jsonl").read(problems)
    assert (problems.errors == 0) == is_valid, list(map(str, problems))
    assert (faults("flat", row) == []) == is_valid
