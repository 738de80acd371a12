"""What the command line prints follows the schema of records; `list schemas` and `init` lead to the files."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.running import Run, records
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.schemas import read_schema, schema_files
from tools.freezing.groups import GROUPS
from tools.freezing.storage import read_answers

LEFT_OUT = {"problem": ("found", "expected", "remedy"), "run": ("seconds", "rate")}
COMMANDS = (
    "compare demo -m rouge-2.recall --all-pairs",
    "correlate demo -m rouge-2.recall --with question.content-responsiveness",
    "score demo -m rouge-2.recall --by summarizer",
    "check demo",
    "list measures",
    "list schemas",
    "pyramid score demo",
    "describe demo",
    "power demo -m rouge-2.recall --difference 0.02",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_printed_records_are_valid(run: Run, command: str) -> None:
    code, output, errors = run(*command.split(), "--format", "json")
    assert code == 0, errors
    definitions = read_schema("records")["$defs"]
    printed = records(output)
    assert printed
    for record in printed:
        schema = jsonschema.Draft202012Validator(definitions[record["record"]])
        assert [error.message for error in schema.iter_errors(record)] == [], record


def test_all_frozen_answers_are_valid() -> None:
    definitions = read_schema("records")["$defs"]
    kinds: dict[str, Any] = {}
    for group in GROUPS:
        for answer in read_answers(group).values():
            for record in answer.get("records") or ():
                kind = record["record"]
                if kind not in kinds:
                    schema = definitions[kind]
                    # Frozen answers are without wording and times.
                    schema["required"] = [field for field in schema["required"] if field not in LEFT_OUT.get(kind, ())]
                    kinds[kind] = jsonschema.Draft202012Validator(schema)
                assert kinds[kind].is_valid(record), (group, record)
    assert len(kinds) >= 70


def test_list_schemas_names_the_files(run: Run) -> None:
    _, output, _ = run("list", "schemas", "--format", "json")
    assert {record["name"]: Path(record["path"]) for record in records(output)} == schema_files()
    assert set(schema_files()) == {*NOUNS, "campaign", "flat", "scores", "records"}


def test_init_names_the_schema_for_editors_and_puts_it_next_to_the_file(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    assert run("init", str(folder), "--word-limit", "250", "--questions", "tac2008")[0] == 0
    text = (folder / "campaign.toml").read_text(encoding="utf-8")
    directive, _, path = text.splitlines()[0].partition(" ")
    assert directive == "#:schema"  # the comment that Taplo and Even Better TOML read
    schema = json.loads((folder / path).read_text(encoding="utf-8"))
    assert schema == read_schema("campaign")
    assert list(jsonschema.Draft202012Validator(schema).iter_errors(tomllib.loads(text))) == []
