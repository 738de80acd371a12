"""Numbers that can only be a slip, in options: a usage error, in no time."""

from __future__ import annotations

import click
import pytest

from cli.running import Run
from pyramidion.cli import program

SLIPS = ("100000000000000000000", f"1{'0' * 400}", "1e20", "1e300", "-1e20", "nan")
LEFT_OUT = ("assess", "demo", "report")
"""Which serve, or take long before they look at an option."""


def numeric(command: click.Command, *path: str) -> list[tuple[tuple[str, ...], str]]:
    """The options of all commands that take numbers."""
    if isinstance(command, click.Group):
        return [one for name, inner in command.commands.items() for one in numeric(inner, *path, name)]
    kinds = (click.types.IntParamType, click.types.FloatParamType)
    flags = [one.opts[0] for one in command.params if isinstance(one, click.Option) and isinstance(one.type, kinds)]
    return [(path, flag) for flag in flags if path[0] not in LEFT_OUT]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "flag"), numeric(program), ids=lambda one: one if isinstance(one, str) else " ".join(one)
)
def test_a_number_that_is_a_slip_is_a_usage_error(run: Run, path: tuple[str, ...], flag: str) -> None:
    for value in SLIPS:
        code, _, err = run(*path, "demo", f"{flag}={value}")
        assert code == 2, (value, err)
        assert len(err) < 700 + len(value)


@pytest.mark.slow
def test_infinity_stays_a_number_where_it_means_something(run: Run) -> None:
    words = ["study", "topics", "demo", "-m", "rouge-1.f", "--with", "question.overall-responsiveness"]
    code, _, err = run(*words, "--beyond", "inf", "--resamples", "2", "--sizes", "2,4")
    assert code == 0, err
