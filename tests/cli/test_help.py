"""Help has the options of a command in groups, and an unknown command is told what may have been meant."""

from __future__ import annotations

import re

import click
import pytest

from cli.running import Run
from pyramidion.cli import program
from pyramidion.cli.help import OWN_GROUP, SHARED_GROUPS


def test_options_come_in_groups_and_those_of_the_command_first(run: Run) -> None:
    code, out, _ = run("compare", "--help")
    assert code == 0
    headings = re.findall(r"^([A-Z].*):$", out, re.M)
    assert headings == ["Arguments", OWN_GROUP, *SHARED_GROUPS]
    before, after = out.split("\nWhich data:")
    assert "--pair A B" in before
    assert "--peers" in after
    assert out.count("--strict ") == 1


def test_a_group_without_options_is_not_shown(run: Run) -> None:
    _, out, _ = run("list", "measures", "--help")
    assert "Which data:" not in out


def test_every_option_of_a_group_is_one_that_some_command_has() -> None:
    commands: list[click.Command] = [program]
    names = set()
    while commands:
        command = commands.pop()
        names |= {parameter.name for parameter in command.params}
        if isinstance(command, click.Group):
            commands += command.commands.values()
    assert {name for group in SHARED_GROUPS.values() for name in group} <= names


@pytest.mark.parametrize(
    "words",
    [("simulate", "scores"), ("simulate", "campaign"), ("baseline", "lead", "demo"), ("judge", "plan", "demo")],
)
def test_an_output_that_is_required_is_asked_for(run: Run, words: tuple[str, ...]) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert "Missing option '--output' / '-o'." in err


@pytest.mark.parametrize("output", [".", ""])
def test_an_output_without_a_name_is_refused(run: Run, output: str) -> None:
    code, _, err = run("simulate", "scores", "--topics", "3", "--summarizers", "3", "-o", output)
    assert code == 2
    assert "expected the name of a file or folder" in err


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("comapre", "demo"), "did you mean compare?"),
        (("study", "modles"), "did you mean models?"),
        (("help", "compare"), "COMMAND --help explains one"),
        (("agreement", "demo"), "did you mean judgments agreement or pyramid agreement?"),
    ],
)
def test_an_unknown_command_is_told_what_may_have_been_meant(run: Run, words: tuple[str, ...], suggestion: str) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert suggestion in err


def test_a_command_that_is_like_no_other_is_only_unknown(run: Run) -> None:
    code, _, err = run("xyzzy")
    assert code == 2
    assert "No such command 'xyzzy'." in err
