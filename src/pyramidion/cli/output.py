"""What commands print: records on stdout in the asked format; progress, notes and problems on stderr.

What people read is shown with everything escaped that a terminal would obey; what programs read is the data as it is.
Tables are never cut: columns that do not fit into a line follow in a second table, next to those that name the rows.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import io
import json
import math
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pyramidion.errors import InputError, UsageError
from pyramidion.files.refusals import refusal_of
from pyramidion.options import TableOptions
from pyramidion.options.flags import EXPLANATIONS, MENTION_MARK, spell_flags, spell_record
from pyramidion.show.tables import flat_records
from pyramidion.show.wording import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    from pyramidion.options import Progress
    from pyramidion.run.evaluation import Evaluation
    from pyramidion.show.tables import Finding, Table

Record = Mapping[str, Any]

MARK = "*"
"""What follows a cell that stands out."""
FULL = (errno.ENOSPC, errno.EDQUOT)
"""What the system says when there is no room."""
SIGN = "•"
"""What follows it in the terminal in place of bold, where stars mean p."""
WIDEST = 160
"""Lines of this length where no terminal says how long they may be; numbers and names may make them longer."""
LONGEST_IN_ONE_LINE = 24
"""Cells up to this length are never folded, however narrow the terminal is."""
NARROWEST_TEXT = 14
"""Columns of longer texts are not folded more narrowly than this."""
LOOSE, TIGHT = 3, 1
"""Spaces between two columns."""


class NobodyReadsError(Exception):
    """The reader of our output has seen enough, as `head` does: nothing is wrong."""


def print_finding(
    finding: Finding,
    format: str,
    show: Sequence[str] = (),
    table: TableOptions = TableOptions(),  # noqa: B008  (frozen)
) -> None:
    """Print what was found: records for programs, tables for people; only those that were asked for."""
    finding = finding.only(*show)
    for kind in show:
        if not any(row.record == kind for row in finding.rows()):
            note(f"--show {kind}: nothing of this kind was found or asked for")
    if table.fields:
        _print_layout(finding, format, show, table)
    elif format == "json":
        write_json(finding.records(*show), sys.stdout)
    elif format == "csv":
        if len(set(show)) > 1:
            raise UsageError("CSV is one table: give --show once, or use --format json")
        kind = show[0] if show else finding.main_record()
        write_csv(finding.records(kind), sys.stdout)
    elif show:
        for shown_table in finding.tables():
            if shown_table.record in show:
                print_table(shown_table, format, table)
    else:
        _print_answer_and_tables(finding, format, table)


def _print_answer_and_tables(finding: Finding, format: str, options: TableOptions) -> None:
    """What a finding says first, and its main tables without the sentences that were said already."""
    tables = [table for table in finding.tables() if not table.detail]
    answer = list(dict.fromkeys(finding.answer()))
    if answer and format != "latex":
        sentences = map(spell_flags, answer)
        print("\n".join(map(_sentence_in(format), sentences)), end="\n\n")
        tables = [_without_sentences(table, answer) for table in tables]
    for table in tables:
        print_table(table, format, options)


def _sentence_in(format: str) -> Callable[[str], str]:
    """How sentences are made harmless in an output format."""
    if format != "markdown":
        return safe
    from pyramidion.show.table_formats import markdown_sentence

    return markdown_sentence


def _print_layout(finding: Finding, format: str, show: Sequence[str], options: TableOptions) -> None:
    """A table that the user has laid out."""
    from pyramidion.show.table_formats import laid_out

    if len(show) > 1 or format == "json":
        raise UsageError("--fields makes one table of one kind of record: give --show once, and no JSON")
    table = laid_out(finding, options, *show)
    if format == "csv":
        names = [column.name for column in table.columns]
        write_csv((dict(zip(names, row, strict=True)) for row in table.rows), sys.stdout)
    else:
        print_table(table, format, options)


def _without_sentences(table: Table, said: Sequence[str]) -> Table:
    return replace(table, sentences=tuple(line for line in table.sentences if line not in said))


def print_table(
    table: Table,
    format: str = "table",
    options: TableOptions = TableOptions(),  # noqa: B008  (frozen)
) -> None:
    """A table for people: in the terminal, as Markdown or as LaTeX."""
    from pyramidion.show.table_formats import latex, markdown, with_digits

    table = _in_flags(table.without_empty_columns())
    if options.digits is not None:
        table = with_digits(table, options.digits)
    is_laid_out = bool(options.fields)
    if format == "table" and is_laid_out:
        print_in_terminal(_with_signs(table), SIGN)
    elif format == "table":
        print_in_terminal(table, MARK)
    elif format == "latex":
        print(latex(table, caption=options.caption, label=options.label))
    else:
        bold = ("**", "**") if is_laid_out else ("", r"\*")
        print(markdown(table, caption=options.caption, bold=bold))


def _in_flags(table: Table) -> Table:
    """The table with the flags of options that its sentences, notes and explanations mention."""
    explanations = [place for place, column in enumerate(table.columns) if column.key in EXPLANATIONS]
    if not explanations and MENTION_MARK not in "".join((*table.sentences, *table.notes)):
        return table
    sentences = tuple(map(spell_flags, table.sentences))
    notes = tuple(map(spell_flags, table.notes))
    rows = [list(row) for row in table.rows]
    for row in rows:
        for place in explanations:
            cell = row[place]
            if isinstance(cell, str):
                row[place] = spell_flags(cell)
    return replace(table, rows=rows, sentences=sentences, notes=notes)


def safe(text: str) -> str:
    """The text with everything escaped that a terminal would obey; line breaks stay."""
    from pyramidion.show.wording import printable

    return "\n".join(map(printable, text.split("\n")))


def screen(widest: int) -> Console:
    """The terminal; where there is none, lines of at most this width."""
    from rich.console import Console

    class Screen(Console):
        """Rich's own would end the program with 1 if nobody reads its output."""

        def on_broken_pipe(self) -> None:
            raise NobodyReadsError from None

    return Screen(width=None if sys.stdout.isatty() else widest, highlight=False)


def print_in_terminal(table: Table, mark: str) -> None:
    """A table with its title, its sentences and its notes; `mark` follows cells that stand out."""
    console = screen(WIDEST)
    heads = [_cell(column.name) for column in table.columns]
    rows = [[_cell(text) for text in row] for row in table.cells(mark)]
    longest = [max((row[place].cell_len for row in rows), default=0) for place in range(len(heads))]
    short = [length <= LONGEST_IN_ONE_LINE for length in longest]
    natural = [max(head.cell_len, length) for head, length in zip(heads, longest, strict=True)]
    least = [
        max(length if is_short else NARROWEST_TEXT, *(part.cell_len for part in head.split(" ")), 1)
        for head, length, is_short in zip(heads, longest, short, strict=True)
    ]
    if not sys.stdout.isatty():  # a line may be as long as it needs to be
        least = [full if is_short else few for full, few, is_short in zip(natural, least, short, strict=True)]
        console.width = max(console.width, _width(least, LOOSE))
    title = table.title
    for places in _blocks(least, table.heads, console.width):
        if title:
            console.print(_cell(title), style="bold")
        some = [least[place] for place in places]
        gap = LOOSE if _width(some, LOOSE) <= console.width else TIGHT
        console.width = max(console.width, _width(some, gap))
        shown = _drawn(gap)
        for place, width in zip(
            places, _widths([natural[place] for place in places], some, console.width, gap), strict=True
        ):
            justify = "right" if table.is_numeric(place) else "left"
            shown.add_column(heads[place], justify=justify, overflow="fold", width=width)  # type: ignore[arg-type]
        for row in rows:
            shown.add_row(*(row[place] for place in places))
        console.print(shown)
        title = f"{table.title or 'The same rows'} (more columns)"
    for line in (*table.sentences, *table.notes):
        print(f"  {safe(line)}")
    if table.sentences or table.notes:
        print()


def _cell(text: str) -> Text:
    """Never a str: rich would read markup in it."""
    from rich.text import Text

    return Text(safe(text))


def _drawn(gap: int) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    shown = RichTable(box=box.SIMPLE_HEAD)
    if gap == TIGHT:
        shown.padding, shown.pad_edge = (0, 0), False
    return shown


def _width(columns: Sequence[int], gap: int) -> int:
    """Of a line: the columns, the space between two of them and at the edges."""
    return sum(columns) + gap * len(columns) + 1


def _blocks(least: Sequence[int], heads: int, width: int) -> Iterator[list[int]]:
    """The places of columns that fit into one line; those that name the row begin each block."""
    named = list(range(heads))
    block = list(named)
    for place in range(heads, len(least)):
        if len(block) > heads and _width([least[one] for one in (*block, place)], TIGHT) > width:
            yield block
            block = list(named)
        block.append(place)
    yield block


def _widths(natural: Sequence[int], least: Sequence[int], width: int, gap: int) -> list[int]:
    """The widths of columns that share a line: the widest gives way first, none below what it needs."""
    widths = list(natural)
    while _width(widths, gap) > width:
        place = max(range(len(widths)), key=lambda one: (widths[one] > least[one], widths[one]))
        if widths[place] <= least[place]:
            break
        widths[place] -= 1
    return widths


def is_unicode(stream: object) -> bool:
    """Whether a stream can take every character."""
    return str(getattr(stream, "encoding", None) or "utf-8").lower().replace("_", "-").startswith("utf")


def write_json(records: Iterable[Record], file: TextIO) -> None:
    """One record a line; where the stream can't take every character, JSON's own escapes stand for them."""
    # Where a terminal's encoding lacks a character, JSON must still be JSON: \u escapes are, our replacement signs
    # aren't.
    escaped = not is_unicode(file)
    for record in map(spell_record, records):
        print(json.dumps(record, ensure_ascii=escaped), file=file)


def write_csv(records: Iterable[Record], file: TextIO) -> None:
    """One table; all records are of one kind."""
    rows = list(flat_records(map(spell_record, records)))
    writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


def write_records(records: Iterable[Record], path: Path) -> None:
    """Write records to a .csv or .jsonl file, whole or not at all."""
    from pyramidion.files import atomic_writer

    write = write_csv if path.suffix == ".csv" else write_json
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
        remedy = "free some space, or choose another place" if error.errno in FULL else "choose another place"
        raise InputError(f"{path}: can't be written ({refusal_of(error).reason}); {remedy}") from None


def note(message: str, *, quiet: bool = False) -> None:
    """Say something on stderr, with the flags of options that it mentions."""
    if not quiet:
        print(safe(spell_flags(message)), file=sys.stderr)


_NEEDED = {
    "models": "references",
    "documents": "documents",
    "pyramid": "a pyramid with annotated peers",
    "judgments": "judgments",
    "imported": "other scores (--scores)",
}


def note_unscored(evaluation: Evaluation, *, asked: bool, quiet: bool = False) -> None:
    """Say how many summaries got no value, for measures that were asked for or that gave some."""
    table = evaluation.scored
    if table is None:
        return
    for measure, count in table.unscored.items():
        if asked or measure in table.measures:
            note(no_values(measure, count, some=measure in table.measures), quiet=quiet)
    if not len(table):
        if not table.topic_total:
            raise InputError("nothing was scored: the data has no summaries; is it the right file?")
        if not asked and any("models" in _required(measure) for measure in table.unscored):
            raise InputError(
                "nothing was scored: the data has neither references nor scores. Add a column reference for ROUGE, or "
                "a table of scores with columns id, system and a number; -m js compares summaries with their sources"
            )
        raise InputError("nothing was scored: the data lacks what the measures need; `pyramidion describe` shows it")


def no_values(measure: str, count: int, *, some: bool) -> str:
    """How many summaries got no value by a measure, and why; `some` others did."""
    return f"{measure}: no value for {counted(count, 'summary', 'summaries')} ({_needs(measure, some=some)})"


def _required(measure: str) -> frozenset[str]:
    """What a measure needs of the data; nothing for one that no name leads to."""
    from pyramidion.errors import UsageError
    from pyramidion.measures.registry import select

    try:
        return frozenset(select(measure).measure.required)
    except UsageError:
        return frozenset()


def _needs(measure: str, *, some: bool) -> str:
    """What a measure needs of the data that all summaries lack, or some of them."""
    required = _required(measure)
    needed = [said for need, said in _NEEDED.items() if need in required]
    if "imported" in required and some:
        return "score missing in the data"
    lacking = "missing for these" if some else "the data has none"
    return f"it needs {' and '.join(needed)}; {lacking}" if needed else "score missing in the data"


@contextlib.contextmanager
def progress(*, quiet: bool = False, lines: bool = False) -> Iterator[Progress | None]:
    """Counters of what is done on stderr, with rate and time left, in an interactive terminal.

    Elsewhere nothing, or with `lines` a line now and then, for the logs of long runs.
    """
    if quiet or not sys.stderr.isatty():
        yield ProgressLines() if lines and not quiet else None
        return
    from rich.console import Console, RenderableType
    from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TaskID, TextColumn, TimeElapsedColumn
    from rich.progress_bar import ProgressBar

    class Bar(ProgressColumn):
        """A bar where the end is known."""

        def render(self, task: Task) -> RenderableType:
            return ProgressBar(total=task.total, completed=task.completed, width=20) if task.total else ""

    class Pace(ProgressColumn):
        """How many are done a second, and how long the rest takes."""

        def render(self, task: Task) -> RenderableType:
            left = task.total - task.completed if task.total else None
            return pace(task.speed, left) if task.speed and not task.finished else ""

    count = TextColumn("{task.completed:,}")
    columns = (SpinnerColumn(), TextColumn("{task.description}"), count, Bar(), TimeElapsedColumn(), Pace())
    steps: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:

        def advance(what: str, done: int, total: int | None) -> None:
            if what not in steps:
                steps[what] = bar.add_task(what, total=total)
            bar.update(steps[what], advance=done, total=total)

        yield advance


def pace(speed: float, left: float | None) -> str:
    """How many a second, and how long those that are left take."""
    rate = f"{speed:,.0f} per second" if speed >= 10 else f"{speed:.2g} per second"
    if left is None:
        return rate
    minutes, seconds = divmod(math.ceil(left / speed), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{rate}, {hours}:{minutes:02}:{seconds:02} left"


class ProgressLines:
    """Progress as lines: what is done, of how much, how fast, and how long the rest takes."""

    def __init__(self, every: float = 30.0) -> None:
        self.every = every
        self.started: float = time.monotonic()
        self.last: float = self.started
        self.done: int = 0
        self.before: int = 0

    def __call__(self, what: str, done: int, total: int | None) -> None:
        """Count; say so if the last line is long ago."""
        self.done += done
        now = time.monotonic()
        if self.done == done:  # what an earlier run had done tells nothing about the pace
            self.before = done
        if now - self.last < self.every:
            return
        self.last = now
        speed = (self.done - self.before) / (now - self.started)
        of = f" of {total:,}" if total else ""
        tempo = f" ({pace(speed, total - self.done if total else None)})" if speed else ""
        note(f"{what}: {self.done:,}{of}{tempo}")


@contextlib.contextmanager
def plain_warnings(*, quiet: bool = False) -> Iterator[None]:
    """Python warnings as notes: the message alone, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for message in dict.fromkeys(str(warning.message) for warning in caught):
        note(f"note: {message}", quiet=quiet)


def _with_signs(table: Table) -> Table:
    """Many terminals have no bold, and what is printed into a file has none."""
    return replace(table, notes=tuple(note.replace("Bold:", f"{SIGN}") for note in table.notes))
