"""`pyramidion pyramid check`: what is wrong with pyramids and annotations, and what deserves a look."""

from __future__ import annotations

from typing import Any

from pyramidion.cli import options as o
from pyramidion.cli.check import print_problems
from pyramidion.options import Choice


@o.command()
@o.files
@o.options_of_choice("option")
@o.format
@o.strict
def check(data: Any, option: dict[str, str] | None, format: str, strict: bool) -> None:
    """Check pyramids: list every problem with its file, line, field and remedy.

    Besides errors in the files, it reports words in several SCUs or in none, SCUs with two contributors from one
    reference, empty SCUs, repeated labels and unmarked content. The exit code is 1 if there are errors.

    Example: pyramidion pyramid check demo
    """
    from pyramidion.run.evaluation import Evaluation

    print_problems(Evaluation(data, Choice(option=option)).check_pyramids(), format, strict=strict)
