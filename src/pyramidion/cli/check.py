"""`pyramidion check`: everything that is wrong with the data, at once."""

from __future__ import annotations

import typer

from pyramidion.cli import options_old as o
from pyramidion.cli.output_old import emit, note, problem_record, safe


def check(data: o.Data, format: o.FormatOption = o.Format.table, strict: o.Strict = False) -> None:
    """Check a campaign: every problem with file, line, field and remedy. Exit code 1 if there are errors.

    Example: pyramidion check demo
    """
    import pyramidion

    problems = pyramidion.check(data)
    if format is o.Format.table:
        for problem in problems:
            print(safe(str(problem)))
    else:
        emit(map(problem_record, problems), format)
    more = f" ({problems.dropped} not shown)" if problems.dropped else ""
    note(f"{problems.errors} errors, {problems.warnings} warnings{more}")
    if problems.errors or (strict and problems.warnings):
        raise typer.Exit(1)
