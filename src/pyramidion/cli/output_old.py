"""What commands print: records on stdout in the asked format; progress, notes and problems on stderr.

What people read is shown with everything escaped that a terminal would obey; what programs read is the data as it is.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pyramidion.cli.options_old import Format
from pyramidion.errors import InputError

if TYPE_CHECKING:
    from pyramidion.campaign import Problem, Problems
    from pyramidion.scores import ScoreTable

Record = Mapping[str, Any]

LONGEST_IN_ONE_LINE = 24
"""Cells up to this length are never folded, however narrow the terminal is."""
NARROWEST_TEXT = 14
"""Columns of longer texts are not folded more narrowly than this."""


def emit(records: Iterable[Record], format: Format, *, title: str = "", below: str = "") -> None:
    """Print records of one kind; JSON as they come, the others with all columns that occur.

    Tables for people have the title above and what must be said about them below.
    """
    if format is Format.json:
        _write_json(records, sys.stdout)
    elif format is Format.csv:
        _write_csv(records, sys.stdout)
    else:
        rows = _without_kind(records)
        # What is empty everywhere is not shown.
        columns = [
            name for name in _columns(rows) if name != "reason" and any(row.get(name) is not None for row in rows)
        ]
        if format is Format.table:
            _print_table(rows, columns, title)
            if below:
                print(f"  {safe(below)}\n")
        else:
            cells = [[safe(shown(row.get(column))) for column in columns] for row in rows]
            write = _latex if format is Format.latex else _markdown
            print(write([safe(column) for column in columns], cells, safe(title), safe(below)))


def write_records(records: Iterable[Record], path: Path) -> None:
    """Write records to a .csv or .jsonl file, whole or not at all."""
    from pyramidion.files import atomic_writer

    write = _write_csv if path.suffix == ".csv" else _write_json
    with writing(path), atomic_writer(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        write(records, text)
        text.detach()


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """What keeps a file from being written is said with the name that the user gave."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: can't be written ({error.strerror or error}); choose another place") from None


def safe(text: str) -> str:
    """The text with everything escaped that a terminal would obey; line breaks stay."""
    from pyramidion.files.problems import printable

    return "\n".join(map(printable, text.split("\n")))


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
        print(safe(message), file=sys.stderr)


def problem_record(problem: Problem) -> Record:
    """A problem as the record `check`."""
    return {
        "record": "check",
        "severity": problem.severity,
        "file": problem.file,
        "line": problem.line,
        "field": problem.field,
        "found": problem.found,
        "expected": problem.expected,
        "remedy": problem.remedy,
        **({} if problem.line and problem.field else {"reason": "a problem of the whole file, or of the whole line"}),
    }


def note_warnings(problems: Problems, data: str, *, said: int = 0, quiet: bool = False) -> None:
    """Say how many warnings the data gave, besides those that were said already."""
    if left := problems.warnings - said:
        word = "warning" if left == 1 else "warnings"
        note(f"{left} {word} in the data; `pyramidion check {data}` lists them", quiet=quiet)


_NEEDED = {
    "models": "models (reference summaries)",
    "documents": "documents",
    "pyramid": "a pyramid with annotated peers",
    "judgments": "judgments",
    "imported": "scores from elsewhere (--scores)",
}


def note_unscored(table: ScoreTable, *, asked: bool, quiet: bool = False) -> None:
    """Say how many summaries got no value, for measures that were asked for or that gave some."""
    for measure, count in table.unscored.items():
        if asked or measure in table.measures:
            summaries = "1 summary" if count == 1 else f"{count} summaries"
            why = "what it needs is not there" if measure in table.measures else _needs(measure)
            note(f"{measure}: no value for {summaries} ({why})", quiet=quiet)


def _needs(measure: str) -> str:
    """What a measure that gave no value at all needs of the data."""
    from pyramidion.errors import UsageError
    from pyramidion.measures.registry import select

    try:
        required = select(measure).measure.required
    except UsageError:  # a measure that no name leads to
        required = frozenset()
    needed = [said for need, said in _NEEDED.items() if need in required]
    return f"it needs {' and '.join(needed)}; the data has none" if needed else "what it needs is not there"


@contextlib.contextmanager
def progress(description: str, *, quiet: bool = False) -> Iterator[Callable[[int], None] | None]:
    """A counter of summaries on stderr, only where someone is looking."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console, RenderableType
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TaskID, TextColumn, TimeElapsedColumn
    from rich.progress_bar import ProgressBar

    from pyramidion.measures.surroundings import watched_by

    class Bar(ProgressColumn):
        """A bar where the end is known."""

        def render(self, task: Task) -> RenderableType:
            return ProgressBar(total=task.total, completed=task.completed, width=20) if task.total else ""

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,}"),
        Bar(),
        TimeElapsedColumn(),
    )
    steps: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=None)

        def watch(what: str, done: int, total: int) -> None:
            if what not in steps:
                steps[what] = bar.add_task(what)
            bar.update(steps[what], completed=done, total=total, description=f"{what}, of {total:,}:")

        with watched_by(watch):
            yield lambda count: bar.advance(task, count)


@contextlib.contextmanager
def plain_warnings(*, quiet: bool = False) -> Iterator[None]:
    """Python warnings as notes: the message alone, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        note(f"note: {message}", quiet=quiet)


def _write_json(records: Iterable[Record], file: TextIO) -> None:
    for record in records:
        print(json.dumps(_without_nan(record), ensure_ascii=False), file=file)


def _without_nan(record: Record) -> dict[str, Any]:
    """JSON has no NaN and no infinity: null, with a reason if there is none yet."""
    undefined = [key for key, value in record.items() if isinstance(value, float) and not math.isfinite(value)]
    if not undefined:
        return dict(record)
    return {"reason": "not a finite number", **record, **dict.fromkeys(undefined)}


def _write_csv(records: Iterable[Record], file: TextIO) -> None:
    rows = _without_kind(records)
    writer = csv.DictWriter(file, _columns(rows), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def _without_kind(records: Iterable[Record]) -> list[dict[str, Any]]:
    return [{key: value for key, value in record.items() if key != "record"} for record in records]


def _columns(rows: Iterable[Record]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _print_table(rows: list[dict[str, Any]], columns: list[str], title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def cell(text: str) -> Text:  # never a str: rich would read markup in it
        return Text(safe(text))

    cells = [[cell(shown(row.get(column))) for column in columns] for row in rows]
    heading = cell(title) if title else None
    table = Table(title=heading, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        numeric = all(isinstance(row.get(column), int | float | None) for row in rows)
        longest = max((one[number].cell_len for one in cells), default=0)
        table.add_column(
            cell(column),
            justify="right" if numeric else "left",
            overflow="fold",
            no_wrap=longest <= LONGEST_IN_ONE_LINE,  # a number that is cut in two can't be read
            min_width=longest if longest <= LONGEST_IN_ONE_LINE else NARROWEST_TEXT,
        )
    for line in cells:
        table.add_row(*line)
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False)
    unbounded = console.options.update(width=10_000)
    if console.measure(table, options=unbounded).minimum > console.width:
        table.padding, table.pad_edge = (0, 0), False
    console.width = max(console.width, console.measure(table, options=unbounded).minimum)
    console.print(table)


def _markdown(columns: Sequence[str], cells: Sequence[Sequence[str]], title: str, below: str) -> str:
    def line(values: Iterable[str]) -> str:
        return "| " + " | ".join(value.replace("|", "\\|").replace("\n", " ") for value in values) + " |"

    table = "\n".join([line(columns), line("---" for _ in columns), *map(line, cells)])
    heading = " ".join(title.split())
    parts = [f"### {heading}" if heading else "", table, below]
    return "\n\n".join(part for part in parts if part) + ("\n" if heading else "")


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
        "<": "$<$",
        ">": "$>$",
        "|": r"\textbar{}",
        "–": "--",
        "−": "$-$",
        "’": "'",
        "…": r"\ldots{}",
        "×": r"$\times$",
        "±": r"$\pm$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "∞": r"$\infty$",
        "½": r"$\frac{1}{2}$",
        "²": "$^2$",
        "′": "$'$",
        "→": r"$\rightarrow$",
        "α": r"$\alpha$",
        "β": r"$\beta$",
        "δ": r"$\delta$",
        "ρ": r"$\rho$",
        "τ": r"$\tau$",
        "χ": r"$\chi$",
        "Δ": r"$\Delta$",
        "†": r"\dag{}",
        "‡": r"\ddag{}",
        "§": r"\S{}",
        "¶": r"\P{}",
        "‖": r"$\|$",
    }
)
"""What LaTeX takes for its own, and the signs of ours that plain LaTeX does not know."""


def _latex(columns: Sequence[str], cells: Sequence[Sequence[str]], title: str, below: str) -> str:
    def line(values: Iterable[str]) -> str:
        return " & ".join(value.translate(_LATEX) for value in values) + r" \\"

    body = "\n".join(map(line, cells))
    head = f"\\begin{{tabular}}{{{'l' * len(columns)}}}"
    tabular = f"{head}\n\\hline\n{line(columns)}\n\\hline\n{body}\n\\hline\n\\end{{tabular}}"
    caption = " ".join(f"{title}. {below}".split() if below else title.split()).translate(_LATEX)
    return f"\\begin{{table}}\n\\caption{{{caption}}}\n{tabular}\n\\end{{table}}\n" if title else tabular
