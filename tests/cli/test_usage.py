"""What a stranger meets first: help, and errors in the call. Both are quick, and lead on."""

import subprocess
import sys
from collections.abc import Iterator

import click
import pytest

from cli.running import Run
from pyramidion.cli import program
from pyramidion.cli.options import Argument


def commands(group: click.Group, *words: str) -> Iterator[tuple[str, ...]]:
    """The words of every group and command."""
    for name, inner in group.commands.items():
        yield (*words, name)
        if isinstance(inner, click.Group):
            yield from commands(inner, *words, name)


COMMANDS = [(), *commands(program)]


def find(words: tuple[str, ...]) -> click.Command:
    command: click.Command = program
    for word in words:
        assert isinstance(command, click.Group)
        command = command.commands[word]
    return command


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_explains_every_argument_and_option(run: Run, words: tuple[str, ...]) -> None:
    code, out, _ = run(*words, "--help")
    command = find(words)
    assert code == 0
    for parameter in command.params:
        assert isinstance(parameter, click.Option | Argument)
        if isinstance(parameter, Argument):
            metavar = parameter.make_metavar(click.Context(command))
            # What is too long for its column has its explanation on the next line.
            assert any(f"\n  {metavar}{end}" in out for end in ("  ", "\n"))
            assert parameter.about.endswith(".")
        else:
            assert (parameter.help or "").endswith((".", "`"))
    examples = [line for line in out.splitlines() if "pyramidion " in line and "xample" in line]
    assert all(line.partition(": ")[2] in (command.help or "") for line in examples)  # each on one line, to be copied


def test_help_needs_no_heavy_library() -> None:
    heavy = ("numpy", "polars", "scipy", "msgspec", "rich", "webbrowser", "xml")
    script = f"""
import contextlib, io, sys
from pyramidion.cli import program
for words in {COMMANDS!r}:
    with contextlib.redirect_stdout(io.StringIO()):
        program([*words, "--help"], standalone_mode=False)
print([name for name in {heavy!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_short_command_imports_only_what_it_needs() -> None:
    heavy = ("scipy.stats", "scipy.linalg", "pyramidion.formats", "pyramidion.reports", "re2", "spacy", "jinja2")
    script = f"""
import sys
from pyramidion.cli import program
program(["compare", "demo", "-m", "rouge-2.recall"], standalone_mode=False)
print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("compare demo --show means", "'predicted-fit'; did you mean mean or predicted-mean?"),
        ("compare demo --show differences", "did you mean difference?"),
        ("study orders demo --show error", "did you mean orders-error?"),
        ("study orders demo --show anova", "did you mean annotation-anova?"),
        ("study orders demo --show optimal", "did you mean pyramid-optimal?"),
        ("compare demo --interval percentiles", "did you mean percentile?"),
        ("compare demo --interval xyz", "'xyz' is not one of 't', 'own', 'percentile', 'studentized'."),
        ("compare demo --peer all", "--peers"),
        ("correlate demo --intervals fisher", "--interval"),
    ],
)
def test_a_usage_error_names_what_may_have_been_meant(run: Run, call: str, said: str) -> None:
    code, _, err = run(*call.split())
    assert code == 2
    assert said in err.splitlines()[-1]


def test_a_level_of_correlation_is_still_called_level(run: Run) -> None:
    assert run("correlate", "demo", "-m", "js", "--with", "question.focus", "--level", "topic", "-q")[0] == 0
