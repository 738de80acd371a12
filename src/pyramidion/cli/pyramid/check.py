"""`pyramidion pyramid check`: what is wrong with pyramids and annotations, and what deserves a look."""

from __future__ import annotations

from typing import Any

import click

from pyramidion.cli import options as o
from pyramidion.cli.check import print_problems
from pyramidion.options import PyramidOptions


@click.command(context_settings=o.SETTINGS)
@o.files
@o.options_of(PyramidOptions, without=("topic",))
@o.format
@o.strict
def check(data: tuple[str, ...], option: dict[str, str] | None, format: str, strict: bool) -> None:
    """Check pyramids: every problem with file, line, field and remedy. Exit code 1 if there are errors.

    Beyond errors in the files: words in several SCUs or in none, contributors twice in one model, empty SCUs, labels
    that are the same, content that was not marked.

    Example: pyramidion pyramid check demo
    """
    from pyramidion.evaluation import Evaluation

    several: Any = data[0] if len(data) == 1 else data
    print_problems(Evaluation(several).check_pyramids(option), format, strict=strict)
