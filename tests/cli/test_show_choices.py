"""The kinds of records that --show chooses from are those of the class that a command returns."""

import importlib

import click
import pytest

from pyramidion.cli import program
from pyramidion.cli.options import RecordChoice
from pyramidion.show.tables import Finding, all_rows


def record_choices(command: click.Command, path: str = "") -> dict[str, RecordChoice]:
    """By command, the choices of its option --show."""
    if isinstance(command, click.Group):
        parts = [record_choices(child, f"{path} {name}".strip()) for name, child in command.commands.items()]
        return {name: choice for part in parts for name, choice in part.items()}
    choice = next((option.type for option in command.params if isinstance(option.type, RecordChoice)), None)
    return {} if choice is None else {path: choice}


CHOICES = record_choices(program)


def test_some_commands_show_several_kinds_of_records() -> None:
    assert {"compare", "correlate", "study orders", "pyramid show"} <= set(CHOICES)


@pytest.mark.parametrize("command", CHOICES)
def test_the_choices_are_the_kinds_of_records_of_the_result(command: str) -> None:
    module, name = CHOICES[command].result.split(":")
    result: type[Finding] = getattr(importlib.import_module(f"pyramidion.{module}"), name)
    assert CHOICES[command].choices == result.record_kinds
    assert set(result.record_kinds) <= {row.record for row in all_rows()}
