"""`pyramidion check`: everything that is wrong with the data, at once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pyramidion.cli import options as o
from pyramidion.cli.output import note, print_finding, safe
from pyramidion.wording import counted

if TYPE_CHECKING:
    from pyramidion.campaign import Problems


@o.command()
@o.data
@o.format
@o.strict
def check(data: str, format: str, strict: bool) -> None:
    """Check a campaign and list every problem with its file, line, field and remedy.

    The exit code is 1 if there are errors.

    Example: pyramidion check demo
    """
    from pyramidion.evaluation import Evaluation

    print_problems(Evaluation(data).check(), format, strict=strict)


def print_problems(problems: Problems, format: str, *, strict: bool) -> None:
    """Print all problems; exit with code 1 if there are errors (with `strict`: or warnings)."""
    if format == "table":
        for problem in problems:
            print(safe(str(problem)))
    else:
        print_finding(problems, format)
    more = f" ({problems.dropped} not shown)" if problems.dropped else ""
    note(f"{counted(problems.errors, 'error')}, {counted(problems.warnings, 'warning')}{more}")
    if problems.errors or (strict and problems.warnings):
        sys.exit(1)
