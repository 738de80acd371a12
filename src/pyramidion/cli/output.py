"""What commands print: records on stdout in the asked format; progress, notes and problems on stderr."""

from __future__ import annotations

import contextlib
import csv
import json
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pyramidion.cli.options import Format

if TYPE_CHECKING:
    from pyramidion.campaign import Problem, Problems
    from pyramidion.scores import ScoreTable

Record = Mapping[str, Any]


def emit(records: Iterable[Record], format: Format, *, title: str = "") -> None:
    """Print records of one kind; JSON as they come, the others with columns from the first."""
    if format is Format.json:
        for record in records:
            print(json.dumps(_without_nan(record), ensure_ascii=False))
        return
    rows = [{key: value for key, value in record.items() if key != "record"} for record in records]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    if format is not Format.csv:  # for people: what is empty everywhere is not shown
        columns = [name for name in columns if name != "reason" and any(row.get(name) is not None for row in rows)]
    if format is Format.csv:
        writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    elif format is Format.table:
        _print_table(rows, columns, title)
    else:
        cells = [[shown(row.get(column)) for column in columns] for row in rows]
        print(_latex(columns, cells) if format is Format.latex else _markdown(columns, cells))


def shown(value: Any) -> str:
    """A value for human eyes."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.5f}" if abs(value) < 1000 else f"{value:.6g}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def note(message: str, *, quiet: bool = False) -> None:
    """Say something on stderr."""
    if not quiet:
        print(message, file=sys.stderr)


def problem_record(problem: Problem) -> Record:
    """A problem as DESIGN's `check` record."""
    return {
        "record": "check",
        "severity": problem.severity,
        "file": problem.file,
        "line": problem.line,
        "field": problem.field,
        "found": problem.found,
        "expected": problem.expected,
        "remedy": problem.remedy,
    }


def note_warnings(problems: Problems, data: str, *, quiet: bool = False) -> None:
    """Say how many warnings the data gave."""
    if problems.warnings:
        word = "warning" if problems.warnings == 1 else "warnings"
        note(f"{problems.warnings} {word} in the data; `pyramidion check {data}` lists them", quiet=quiet)


def note_unscored(table: ScoreTable, *, asked: bool, quiet: bool = False) -> None:
    """Say how many summaries got no value, for measures that were asked for or that gave some."""
    for measure, count in table.unscored.items():
        if asked or measure in table.measures:
            note(f"{measure}: no value for {count} summaries (what it needs is not there)", quiet=quiet)


@contextlib.contextmanager
def progress(description: str, *, quiet: bool = False) -> Iterator[Callable[[int], None] | None]:
    """A counter of summaries on stderr, only where someone is looking."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.completed:,}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=None)
        yield lambda count: bar.advance(task, count)


@contextlib.contextmanager
def plain_warnings(*, quiet: bool = False) -> Iterator[None]:
    """Python warnings as notes: the message alone, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        note(f"note: {message}", quiet=quiet)


def _without_nan(record: Record) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in record.items()
    }


def _print_table(rows: list[dict[str, Any]], columns: list[str], title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for column in columns:
        numeric = all(isinstance(row.get(column), int | float | None) for row in rows)
        table.add_column(Text(column), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(shown(row.get(column))) for column in columns))
    width = None if sys.stdout.isatty() else 160
    Console(width=width, highlight=False, soft_wrap=False).print(table)


def _markdown(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    def line(values: Iterable[str]) -> str:
        return "| " + " | ".join(value.replace("|", "\\|").replace("\n", " ") for value in values) + " |"

    return "\n".join([line(columns), line("---" for _ in columns), *map(line, cells)])


_LATEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
        "–": "--",
    }
)


def _latex(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    def line(values: Iterable[str]) -> str:
        return " & ".join(value.translate(_LATEX) for value in values) + r" \\"

    body = "\n".join(map(line, cells))
    head = f"\\begin{{tabular}}{{{'l' * len(columns)}}}"
    return f"{head}\n\\hline\n{line(columns)}\n\\hline\n{body}\n\\hline\n\\end{{tabular}}"
