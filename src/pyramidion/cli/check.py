"""`pyramidion check`: everything that is wrong with the data, at once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pyramidion.cli import options as o
from pyramidion.cli.output import note, print_finding, print_table, safe
from pyramidion.cli.run import take_options
from pyramidion.options import Choice
from pyramidion.options.flags import spell_flags
from pyramidion.show.wording import counted

if TYPE_CHECKING:
    from pyramidion.campaign import Problems


@o.command()
@o.data
@o.options_of_choice("columns", "option")
@o.format
@o.strict
def check(data: Any, format: str, strict: bool, **flags: object) -> None:
    """Check a campaign and list every problem with its file, line, field and remedy, and what is missing.

    Looks for outputs, judgments and annotations that are missing, texts over the word limit, texts that occur twice or
    belong to another topic, and assessors who always give the same answer. The exit code is 1 if there are errors.

    Example: pyramidion check demo
    """
    from pyramidion.run.evaluation import Evaluation

    problems = Evaluation(data, take_options(Choice, flags)).check()
    for remark in problems.remarks:
        note(remark)
    print_problems(problems, format, strict=strict)


def print_problems(problems: Problems, format: str, *, strict: bool) -> None:
    """Print all problems; exit with code 1 if there are errors (with `strict`: or warnings)."""
    if format == "table":
        for line in problems.folded():
            print(safe(spell_flags(line)))
        for table in problems.tables():
            if table.record != "problem":
                print_table(table)
    else:
        print_finding(problems, format)
    more = f" ({problems.dropped} not shown)" if problems.dropped else ""
    note(f"{counted(problems.errors, 'error')}, {counted(problems.warnings, 'warning')}{more}")
    if problems.errors or (strict and problems.warnings):
        sys.exit(1)
