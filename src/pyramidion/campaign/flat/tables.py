"""Tables of summaries as columns: topics, summarizers, texts and references go from the file to the kernels as Arrow.

Checks run on the columns: repeated keys, missing cells, references that disagree within a topic. A table with an error
in it, or with cells that mean more than they say (a list written out as text), needs its rows one by one, where every
error gets its words: then `NeedsRowsError` is raised, and `campaign.flat.reading` reads the table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, zip_longest
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.decoding import has_repeated_key, note_empty_text, note_unknown_key
from pyramidion.campaign.nouns import UNKNOWN_KEY, Document, Id, Noun, Summary, Text, Topic
from pyramidion.files.parquet import exactly
from pyramidion.files.problems import Place, Problems
from pyramidion.intake.cells import LONGEST_ID, is_missing, keys_of, lacks_number, note_alike_systems, number_of
from pyramidion.intake.column_questions import ColumnQuestion
from pyramidion.intake.opened import MemoryTable, OpenedTable
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.repeats import REMOVE, remedy_of_repeats
from pyramidion.intake.summary_columns import FLAT_FIELDS, SummaryColumns, recognise_summaries
from pyramidion.scores.directions import add_directions
from pyramidion.scores.table import Kind, Score, ScoreTable
from pyramidion.show.wording import counted

TEXT = pl.String
TEXTS = pl.List(pl.String)
"""Several texts, or the sentences of one."""
SENTENCES = pl.List(TEXTS)
"""Several texts, each a list of its sentences."""
WIDE = 16
"""References of a row up to which a column for each is quicker than a list."""
_NESTED_KEYS = ("judgments", "scores")
"""Columns of our own form that hold an object in each row."""
_REFERENCE_NAME = re.compile(r"ref[1-9][0-9]*")
_PLAIN_CHARACTER = "[!-~]"
"""What makes a text one that is not empty; a text without any is looked at by Python's rules."""


class NeedsRowsError(Exception):
    """Columns do not tell what the table means, or what is wrong with it."""


Values = dict[str, int | float]


class FlatRow(Noun, frozen=True, kw_only=True):
    """One row: a summary (None: a hole), and what its topic, its assessors and other programs add."""

    topic: Id
    summarizer: Id
    summary: Text | None
    run: int | Id | None = None
    """Which of several outputs of the summarizer it is, as the table calls it: its number or its name."""
    references: tuple[Text, ...] = ()
    documents: tuple[Text | Document, ...] = ()
    judgments: dict[Id, int | float | Values] = msgspec.field(default_factory=dict)
    scores: dict[Id, int | float] = msgspec.field(default_factory=dict)
    simulated: str = ""
    """What in the row a program made up, as in campaign.toml."""


@dataclass(frozen=True)
class FlatTable:
    """A table of flat rows: a file, or rows in memory, and what its columns are."""

    path: Path
    columns: SummaryColumns
    rows: Iterable[Mapping[str, Any] | bytes] | None = None
    """None: they are in the table that was opened."""
    opened: OpenedTable = field(default_factory=lambda: MemoryTable([]))
    before: int = 0
    """Rows of the file before these."""
    repeats: Callable[[], str] = lambda: f"{REMOVE}."
    """Says what to do about a topic and summarizer that come again."""


def open_flat(
    opened: OpenedTable,
    problems: Problems,
    columns: Mapping[str, str] | None = None,
    *,
    named: str = "",
    completes: bool = False,
    is_judged: bool = False,
    repeats_are_runs: bool = False,
) -> FlatTable:
    """A table of flat rows, after a look at its first rows; one error if they hold no summaries.

    Args:
        opened: the file, or rows in memory.
        problems: where the error is noted.
        columns: by role, the columns that the user names.
        named: the summarizer if no column has one; by default the name of the table.
        completes: whether it may have no summaries, but references or documents of those in other files.
        is_judged: whether a row is a summary and an assessor's answers, so that summaries come again.
        repeats_are_runs: whether rows with the same topic and summarizer are outputs of several runs.
    """
    path = opened.path
    problems.files.note_read(path)
    profile = TableProfile(keys_of(opened.sample), opened.sample)
    answer = recognise_summaries(
        profile,
        columns or {},
        file=path,
        format=opened.format,
        summarizer=named or opened.system_name,
        completes=completes,
        repeats_are_runs=repeats_are_runs,
    )
    if isinstance(answer, ColumnQuestion):
        answer.note(problems.at(path))
        return FlatTable(path, SummaryColumns(), rows=())
    if is_judged:
        answer = replace(answer, scores=(), judgments=(), unused=(), has_repeats=True, run=None)
    elif repeats_are_runs and answer.run is None:
        answer = replace(answer, repeats_are_runs=True)
    answer.note(problems.at(path))
    if answer.summarizer:
        systems = [row.get(answer.summarizer) for row in opened.sample]
        note_alike_systems(systems, problems.at(path), field=answer.summarizer)
    # Asked only if a key occurs twice, and then perhaps for a million rows: looked up once.
    repeats = cache(partial(_remedy_of_repeats, answer, opened.sample))
    return FlatTable(path, answer, opened=opened, repeats=repeats)


def _remedy_of_repeats(columns: SummaryColumns, sample: Sequence[Mapping[str, Any]]) -> str:
    used = [*columns.references, *columns.documents, *columns.scores, *columns.judgments, columns.summary]
    profile = TableProfile([name for name in keys_of(sample) if name not in used], sample)
    return remedy_of_repeats(profile, topic=columns.topic, summarizer=columns.summarizer, runs=False)


def have_the_same(tables: Sequence[FlatTable]) -> bool:
    """Whether all tables have references, or none has; and so with documents."""
    kinds_of_texts: set[tuple[bool, bool]] = set()
    for table in tables:
        has_references = bool(table.columns.references)
        has_documents = bool(table.columns.documents)
        kinds_of_texts.add((has_references, has_documents))
    return len(kinds_of_texts) == 1


def join_marks(marks: Iterable[str]) -> str:
    """What a program made up in any of the rows."""
    distinct = [mark for mark in dict.fromkeys(marks) if mark]
    if len(distinct) < 2:  # as it was written
        return "".join(distinct)
    parts = [part.strip() for part in ",".join(distinct).split(",")]
    return ", ".join(dict.fromkeys(filter(None, parts)))


def note_missing_summaries(place: Place, count: int) -> None:
    """Warn once of rows without a summary; the place is that of the first."""
    place.warning(
        f"{counted(count, 'row')} without a summary",
        "a summary in each row",
        "They are missing summaries, not empty ones: they get no score.",
        field="summary",
        count=count,
    )


def note_topics_without_references(place: Place, count: int, topics: int) -> None:
    """Warn once of topics without references; the place is that of the first."""
    place.warning(
        f"{count} of {topics} topics without references",
        "at least one reference",
        "Measures that need models give no score for them.",
        field="references",
        count=count,
    )


@dataclass(frozen=True, eq=False)
class SummaryBatch:
    """Some rows of a table: the columns topic, summarizer, summary, references, simulated, and one for each score."""

    frame: pl.DataFrame
    imported_columns: tuple[str, ...] = ()
    """Columns of scores that came with the summaries, such as a judge's."""
    kind: Kind = "participant"
    """Who wrote the summaries."""

    def __len__(self) -> int:
        return self.frame.height


def can_stay_columns(columns: SummaryColumns, table_columns: Collection[str]) -> bool:
    """Whether the summaries of a table can be read by columns, by what its columns mean and hold.

    This is decided here alone. What single cells hold may still need rows: then reading raises `NeedsRowsError`.

    Args:
        columns: what the columns mean.
        table_columns: the names of all columns; where their types are known, the schema.
    """
    if columns.judgments or columns.integral or columns.has_repeats or not columns.summary:
        return False
    if columns.has_runs:
        return False
    nested_keys = [name for name in _NESTED_KEYS if name not in columns.scores]
    if not {*nested_keys}.isdisjoint(table_columns):
        return False
    for system in columns.split_systems():
        if not {*system.score_measures}.isdisjoint(FLAT_FIELDS):
            return False  # `documents_A, documents_B`: the column has another meaning in our form
    # Lines of JSON have no types before they are read; then single batches may still need rows.
    if isinstance(table_columns, pl.Schema):
        return _have_our_types(columns, table_columns)
    return True


def _have_our_types(columns: SummaryColumns, schema: pl.Schema) -> bool:
    """Whether columns of these types can be brought into our form: tried on a table without rows."""
    needed = needed_columns(columns)
    empty = pl.DataFrame(schema={name: dtype for name, dtype in schema.items() if name in needed})
    try:
        _SummaryForm(columns).convert(empty)
    except NeedsRowsError:
        return False
    return True


def read_batches(tables: Sequence[FlatTable], problems: Problems) -> Iterator[SummaryBatch]:
    """The rows of tables that are one campaign, as columns.

    Args:
        tables: such that `can_stay_columns`.
        problems: where warnings are noted as the tables are read, to their end.

    Raises:
        NeedsRowsError: as soon as it is clear that the rows have to be read one by one; at the end at the latest.
    """
    checks = _Checks()
    for table in tables:
        place = problems.at(table.path)
        form = _SummaryForm(table.columns, table.before)
        for lines, frame in _raw_frames(table, problems):
            if problems.errors:
                raise NeedsRowsError
            rows = form.convert(frame)
            checks.admit(rows, form.repeat_lines(lines), place)
            yield SummaryBatch(rows, form.imported_columns)
    if problems.errors:
        raise NeedsRowsError
    checks.close()


def _raw_frames(table: FlatTable, problems: Problems) -> Iterator[tuple[Sequence[int], pl.DataFrame]]:
    """The columns that are used, under the names that they have, with the line of each row."""
    needed = needed_columns(table.columns)
    frames = table.opened.frames(problems, needed)
    if frames is None:
        yield from _frames_of_rows(table, needed, problems)
        return
    before = 0
    for frame in frames:
        yield range(before + 1, before + frame.height + 1), frame
        before += frame.height


def needed_columns(columns: SummaryColumns) -> list[str]:
    """The columns of a table that are read, if it has them."""
    ids = [name for name in (columns.topic, columns.summarizer) if name is not None]
    texts = [*(columns.systems or [columns.summary]), *columns.references, *columns.documents]
    return list(dict.fromkeys([*ids, *texts, *columns.scores, "simulated"]))


# What is chosen of the summaries


def references_as_peers(batch: SummaryBatch, earlier_topics: set[str]) -> SummaryBatch:
    """The references of a batch as summaries of humans, each with the other references of its topic as references.

    Args:
        batch: rows of a table.
        earlier_topics: topics whose references were returned before; those of the batch are added.
    """
    topics = batch.frame.unique("topic", keep="first", maintain_order=True)
    if earlier_topics:
        topics = topics.filter(~pl.col("topic").is_in(list(earlier_topics)))
    earlier_topics.update(topics["topic"])
    references = pl.col("references")
    count = references.list.len()
    most = int(str(topics.select(count.max()).item() or 0))
    texts = topics.schema["references"].inner  # type: ignore[attr-defined]  # always a list
    parts = [pl.DataFrame(schema={**_PEER_SCHEMA, "summary": texts, "references": pl.List(texts)})]
    for number in range(most):
        # A human is compared with the other references: its own one is left out of the list.
        rest = references.list.head(number).list.concat(references.list.slice(number + 1))
        part = topics.with_row_index("place").filter(count > number)
        parts.append(
            part.select(
                "place",
                "topic",
                pl.lit(f"ref{number + 1}").alias("summarizer"),
                references.list.get(number).alias("summary"),
                rest.alias("references"),
                "simulated",
            )
        )
    return SummaryBatch(pl.concat(parts).sort("place", maintain_order=True), kind="human")


_PEER_SCHEMA: Mapping[str, Any] = {
    "place": pl.UInt32,
    "topic": TEXT,
    "summarizer": TEXT,
    "summary": TEXT,
    "references": TEXTS,
    "simulated": TEXT,
}


@dataclass
class SummaryKeys:
    """Whose summaries and references batches hold, without the texts: what scores of other files are joined to."""

    models: list[Summary] = field(default_factory=list)
    peers: list[Summary] = field(default_factory=list)
    topics: dict[str, Topic] = field(default_factory=dict)
    scores: list[Score] = field(default_factory=list)

    def add(self, batch: SummaryBatch) -> None:
        """Remember the keys of a batch, and the scores that came with its summaries."""
        rows = batch.frame.select(
            "topic",
            "summarizer",
            pl.col("summary").is_not_null(),
            pl.col("references").list.len(),
            exactly(*batch.imported_columns),
        )
        for topic, summarizer, has_summary, references, *values in rows.iter_rows():
            if topic not in self.topics:
                self.topics[topic] = Topic(topic=topic)
                names = [f"ref{number}" for number in range(1, references + 1)]
                self.models += [Summary(topic=topic, summarizer=name, kind="model", text="") for name in names]
            if not has_summary:
                continue
            self.peers.append(Summary(topic=topic, summarizer=summarizer, kind="peer", text=""))
            for measure, value in zip(batch.imported_columns, values, strict=True):
                if value is not None:
                    self.scores.append(Score(measure, topic, summarizer, value))

    def campaign(self) -> Campaign:
        """The summaries, whose texts are empty, with the scores that came with them."""
        return Campaign(
            topics=tuple(self.topics.values()),
            summaries=(*self.models, *self.peers),
            imported=add_directions(ScoreTable.of(self.scores)),
        )


# Rows that become columns


def _frames_of_rows(
    table: FlatTable, needed: Sequence[str], problems: Problems
) -> Iterator[tuple[Sequence[int], pl.DataFrame]]:
    """Rows of lines of JSON, of CSV or of dictionaries as columns."""
    are_lines = table.opened.format == "jsonl"
    keeps_unknown_keys = table.columns.is_own
    unknown = _UnknownKeys({*FLAT_FIELDS, *table.columns.scores}, counts_null=are_lines)
    for lines, rows in table.opened.row_chunks(problems):
        dictionaries = _decode_lines(rows) if are_lines else rows
        if keeps_unknown_keys:
            unknown.add(dictionaries, lines)
        yield lines, _frame_of(dictionaries, table.columns, needed)
    unknown.note(problems.at(table.path))


_DECODER = msgspec.json.Decoder(dict[str, Any])


def _decode_lines(lines: Sequence[bytes]) -> Sequence[Mapping[str, Any]]:
    """The objects on lines of JSON.

    Raises:
        NeedsRowsError: if a line has none, or one with a key twice.
    """
    try:
        rows = list(map(_DECODER.decode, lines))
    except (ValueError, RecursionError):
        raise NeedsRowsError from None
    # A quote and a colon for each key: counted in C over all bytes, instead of decoding each line twice.
    key_count = sum(map(len, rows))
    if not _may_repeat_a_key(b"".join(lines), key_count):  # asked of all lines at once, because that is quick
        return rows
    for line, row in zip(lines, rows, strict=True):
        if _may_repeat_a_key(line, len(row)) and has_repeated_key(line):
            raise NeedsRowsError
    return rows


def _may_repeat_a_key(content: bytes, keys: int) -> bool:
    """Whether an object may have a key twice, of which the decoder keeps the last.

    Each key ends in a quote and a colon, which no text can hold without an escape before the quote. So there are as
    many of them as keys, unless a key is there twice, an object lies within another, or a text has them escaped.
    """
    if content.count(b'":') != keys:
        return True
    # Tabs and line feeds of Windows are rare, and a single byte is found ten times as fast as three.
    has_spaced_key = b'" :' in content
    has_tabbed_key = b"\t" in content and b'"\t:' in content
    has_returned_key = b"\r" in content and b'"\r:' in content
    return has_spaced_key or has_tabbed_key or has_returned_key


class _UnknownKeys:
    """Keys of rows in our own form that nothing uses: each is a warning, with the number of times it was there.

    Args:
        used: the keys that are used: those of our form, and columns of numbers that are scores.
        counts_null: whether a null is a value; in tables other than JSON lines, it is an empty cell.
    """

    def __init__(self, used: Collection[str], *, counts_null: bool) -> None:
        self._used = used
        self._counts_null = counts_null
        self._counts: Counter[str] = Counter()
        self._lines: dict[str, int] = {}

    def add(self, rows: Sequence[Mapping[str, Any]], lines: Sequence[int]) -> None:
        """Count the keys of rows."""
        # One union of all keys is quick; keys are looked at one by one only if some are unknown.
        if set().union(*rows).issubset(self._used):
            return
        for row, line in zip(rows, lines, strict=True):
            for key, cell in row.items():
                if key in self._used:
                    continue
                if is_missing(cell) and not self._counts_null:
                    continue
                if key == UNKNOWN_KEY:  # msgspec would take it for our own field of that name
                    raise NeedsRowsError
                self._counts[key] += 1
                self._lines.setdefault(key, line)

    def note(self, place: Place) -> None:
        """Note the warnings."""
        for key, count in self._counts.items():
            note_unknown_key(place.at(self._lines[key]), FlatRow, key, count)


def _frame_of(rows: Sequence[Mapping[str, Any]], columns: SummaryColumns, needed: Sequence[str]) -> pl.DataFrame:
    """Rows as columns of strings, lists of strings and numbers.

    Raises:
        NeedsRowsError: if a cell is none of these where it should be.
    """
    ids = {columns.topic, columns.summarizer}
    texts = {*columns.references, *columns.documents}
    made = {}
    for name in needed:
        cells = _cells_of(rows, name)
        try:
            if name in ids:
                made[name] = _ids_of(cells)
            elif name in texts:
                made[name] = _texts_of(cells)
            elif name in columns.scores:
                made[name] = _numbers_of(cells)
            else:
                made[name] = _text_of(cells)
        except (TypeError, ValueError, OverflowError):  # of another type, or half a surrogate pair
            raise NeedsRowsError from None
    try:
        return pl.DataFrame(made)
    except UnicodeEncodeError:  # half a surrogate pair in the name of a column
        raise NeedsRowsError from None


def _cells_of(rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """The cells of a column; None in rows without the key."""
    try:
        return list(map(itemgetter(name), rows))  # twice as fast as asking each row
    except KeyError:
        return [row.get(name) for row in rows]


def _ids_of(cells: Sequence[Any]) -> pl.Series:
    """Ids as texts; whole numbers are ids, too."""
    types = set(map(type, cells))
    if types == {int}:
        return pl.Series(list(map(str, cells)), dtype=TEXT)
    return pl.Series(cells, dtype=TEXT, strict=True)


def _text_of(cells: Sequence[Any]) -> pl.Series:
    """Texts, or lists of sentences; null where a cell is missing."""
    types = set(map(type, cells))
    if float in types:  # NaN is a missing cell; any other number is refused below
        cells = [_null_if_missing(cell) for cell in cells]
    if list not in types:
        return pl.Series(cells, dtype=TEXT, strict=True)
    if str in types:  # Polars would take each letter of a string for a sentence
        raise NeedsRowsError
    return pl.Series(cells, dtype=TEXTS, strict=True)


def _texts_of(cells: Sequence[Any]) -> pl.Series:
    """Texts, or lists of them."""
    types = set(map(type, cells))
    if types.isdisjoint({list, tuple}):
        return _text_of(cells)
    lists = cells if types == {list} else [_as_list(cell) for cell in cells]
    item_types = set(map(type, chain.from_iterable(lists)))
    has_lists = not item_types.isdisjoint({list, tuple})
    has_lists_only = item_types <= {list, tuple}
    if has_lists and not has_lists_only:  # a string is a text with lines, not a list of one sentence
        raise NeedsRowsError
    if has_lists:
        return pl.Series(lists, dtype=SENTENCES, strict=True)
    widest = max(map(len, lists))
    if widest > WIDE:
        return pl.Series(lists, dtype=TEXTS, strict=True)
    if type(None) in item_types:
        raise NeedsRowsError
    # A column for the first texts, one for the second ones and so on, null where a list is shorter.
    columns: list[pl.Series] = []
    for place, texts in enumerate(zip_longest(*lists)):
        columns.append(pl.Series(str(place), texts, TEXT, strict=True))
    if not columns:
        return pl.repeat([], len(lists), dtype=TEXTS, eager=True)
    joined = pl.concat_list(columns)
    if min(map(len, lists)) < widest:
        joined = joined.list.drop_nulls()
    return pl.select(joined).to_series()


def _null_if_missing(cell: Any) -> Any:
    if is_missing(cell):
        return None
    return cell


def _as_list(cell: Any) -> Sequence[Any]:
    """The texts in a cell: one, several, or none where it is missing."""
    if isinstance(cell, list | tuple):
        return cell
    if is_missing(cell):
        return []
    return [cell]


def _numbers_of(cells: Sequence[Any]) -> pl.Series:
    """Numbers, also those that are written as texts; null where there is none."""
    types = set(map(type, cells))
    if str in types:  # as in CSV
        cells = [_written_number(cell) for cell in cells]
    elif not types <= {int, float, type(None)}:
        raise NeedsRowsError
    return pl.Series(cells, dtype=pl.Float64, strict=False)


def _written_number(cell: Any) -> float | None:
    """The number in a cell, None where there is none; what is no number is an error, which rows have words for."""
    if lacks_number(cell):
        return None
    number = number_of(cell)
    if number is None or isinstance(cell, bool):
        raise NeedsRowsError
    return number


# Columns in our own form


class _Numbering:
    """Numbers rows that have no ids: those of each summarizer by themselves.

    Args:
        before: rows of the file before these; all of them are of one summarizer.
    """

    def __init__(self, before: int = 0) -> None:
        self._before = before
        self._counts: Counter[str] = Counter()

    def topics(self, summarizers: pl.Series) -> pl.Series:
        """The number of each row among those of its summarizer, from 1."""
        if summarizers.is_empty():
            return pl.Series(dtype=TEXT)
        before = {name: self._before + self._counts[name] for name in summarizers.unique()}
        frame = pl.DataFrame({"summarizer": summarizers}).with_columns(
            number=pl.int_range(1, pl.len() + 1).over("summarizer"),
            before=pl.col("summarizer").replace_strict(before, return_dtype=pl.Int64),
        )
        self._counts.update(dict(summarizers.value_counts().iter_rows()))
        return frame.select((pl.col("number") + pl.col("before")).cast(TEXT)).to_series()


class _SummaryForm:
    """Brings the frames of a table into our own form: a row for each summary, columns under our names.

    Args:
        columns: what the columns of the table mean.
        before: rows of the file before these.
    """

    def __init__(self, columns: SummaryColumns, before: int = 0) -> None:
        self._systems: list[tuple[SummaryColumns, _Numbering]] = []
        measures: list[str] = []
        for system in columns.split_systems():
            self._systems.append((system, _Numbering(before)))
            measures += system.score_measures
        self.imported_columns = tuple(dict.fromkeys(measures))

    def convert(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The rows; if each system has a column of summaries, those that one row becomes stand together.

        Raises:
            NeedsRowsError: if a column is not of a type that it should have.
        """
        forms = [_in_our_form(frame, columns, numbering) for columns, numbering in self._systems]
        if len(forms) == 1:
            return forms[0]
        if len({form.schema["summary"] for form in forms}) > 1:
            raise NeedsRowsError
        # Systems × rows becomes rows × systems: the order in which reading by rows meets the summaries.
        places = np.arange(frame.height * len(forms)).reshape(len(forms), frame.height)
        return pl.concat(forms, how="diagonal")[places.T.ravel()]

    def repeat_lines(self, lines: Sequence[int]) -> Sequence[int]:
        """The line of each row that `convert` returns."""
        count = len(self._systems)
        if count == 1:
            return lines
        return list(chain.from_iterable([line] * count for line in lines))


def _in_our_form(frame: pl.DataFrame, columns: SummaryColumns, numbering: _Numbering) -> pl.DataFrame:
    """The summaries of one column under our own names.

    Raises:
        NeedsRowsError: if a column is not of a type that it should have.
    """
    if columns.summarizer:
        summarizer = _ids(frame, columns.summarizer)
    else:
        summarizer = pl.repeat(columns.named, frame.height, dtype=TEXT, eager=True)
    if summarizer.null_count():
        raise NeedsRowsError
    topic = _ids(frame, columns.topic) if columns.topic else numbering.topics(summarizer)
    if frame.schema.get(columns.summary) not in (TEXT, TEXTS):
        raise NeedsRowsError
    form = {
        "topic": topic,
        "summarizer": summarizer,
        "summary": frame[columns.summary],
        "references": _lists(frame, columns.references, columns),
        "documents": _lists(frame, columns.documents, columns),
        "simulated": _marks(frame),
    }
    for name, measure in zip(columns.scores, columns.score_measures, strict=True):
        form[measure] = _finite(frame[name])
    return pl.DataFrame(form)


def _ids(frame: pl.DataFrame, name: str) -> pl.Series:
    """A column of ids as texts."""
    if name not in frame.columns:
        raise NeedsRowsError
    ids = frame[name]
    if ids.dtype.is_integer() or isinstance(ids.dtype, pl.Categorical | pl.Enum):
        return ids.cast(TEXT)
    if ids.dtype != TEXT:
        raise NeedsRowsError
    return ids


def _lists(frame: pl.DataFrame, names: Iterable[str], columns: SummaryColumns) -> pl.Series:
    """The texts of a row: those of a column of lists, or of several columns; an empty list where there are none."""
    present = [frame[name] for name in names if name in frame.columns]
    filled = [column for column in present if column.dtype != pl.Null]
    if not filled:
        return pl.repeat([], frame.height, dtype=TEXTS, eager=True)
    is_one_column = len(filled) == 1
    if is_one_column and filled[0].dtype in (TEXTS, SENTENCES):
        return _fill_with_empty_lists(filled[0])
    for column in filled:
        if column.dtype != TEXT or _may_hold_a_list(column):
            raise NeedsRowsError
    if columns.cells_are_text:  # an empty cell of CSV is no reference
        filled = [_drop_empty(column) for column in filled]
    texts = pl.DataFrame(filled)
    return texts.select(pl.concat_list(pl.all()).list.drop_nulls()).to_series()


def _fill_with_empty_lists(lists: pl.Series) -> pl.Series:
    """The lists, an empty one in place of each null."""
    if not lists.null_count():
        return lists
    return lists.fill_null(pl.Series([[]], dtype=lists.dtype))


def _drop_empty(texts: pl.Series) -> pl.Series:
    """The texts, null where one has no characters but blanks."""
    empty_rows = _empty_texts(texts)
    if not empty_rows:
        return texts
    return texts.scatter(empty_rows, None)


def _may_hold_a_list(texts: pl.Series) -> bool:
    """Whether a cell may hold a list of texts, written out."""
    return bool(texts.str.contains(r"^\s*\[").any())


def _marks(frame: pl.DataFrame) -> pl.Series:
    """What of each row a program made up."""
    if "simulated" not in frame.columns or frame.schema["simulated"] == pl.Null:
        return pl.repeat("", frame.height, dtype=TEXT, eager=True)
    if frame.schema["simulated"] != TEXT:
        raise NeedsRowsError
    return frame["simulated"].fill_null("")


def _finite(numbers: pl.Series) -> pl.Series:
    """Scores, null where there is none."""
    if not numbers.dtype.is_numeric():
        raise NeedsRowsError
    values = numbers.cast(pl.Float64).fill_nan(None)
    if values.is_infinite().any():
        raise NeedsRowsError
    return values


# Checks


@dataclass
class _Checks:
    """What the rows of all batches have in common, kept as hashes; what deserves a warning is noted."""

    keys: list[pl.Series] = field(default_factory=list)
    """The hash of each (topic, summarizer)."""
    topics: list[pl.DataFrame] = field(default_factory=list)
    """Of each topic of a batch: the row where it first came, whether it has references, the hash of its texts."""
    places: list[tuple[int, Sequence[int], Place]] = field(default_factory=list)
    """Of each batch: the number of rows before it, the lines of its rows, and its file."""
    empty_texts: list[tuple[int, str, int]] = field(default_factory=list)
    """References and documents without words: row, field and number within it."""
    missing_summaries: list[int] = field(default_factory=list)
    rows: int = 0

    def admit(self, rows: pl.DataFrame, lines: Sequence[int], place: Place) -> None:
        """Check the rows of a batch, and remember what later rows are compared with.

        Raises:
            NeedsRowsError: if something is wrong with a row.
        """
        if _has_bad_ids(rows) or _holds_null(rows, ("summary", "references", "documents")):
            raise NeedsRowsError
        before, self.rows = self.rows, self.rows + rows.height
        self.places.append((before, lines, place))
        missing = rows["summary"].is_null().arg_true()
        self.missing_summaries += [before + row for row in missing]
        for row in _empty_texts(rows["summary"]):
            note_empty_text(place.at(lines[row]), "", "summary")
        for name in ("references", "documents"):
            self.empty_texts += [(before + row, name, number) for row, number in _empty_items(rows[name])]
        numbers = pl.int_range(before, before + rows.height, dtype=pl.UInt32, eager=True)
        hashed = rows.select(
            pl.col("topic"),
            key=pl.struct("topic", "summarizer").hash(),
            texts=pl.struct("references", "documents").hash(),
            has_references=pl.col("references").list.len() > 0,
            row=numbers,
        )
        # Hashes of 64 bits: two different rows may have the same one, which only costs a reading by rows.
        self.keys.append(hashed["key"])
        self.topics.append(hashed.drop("key").unique(["topic", "texts"], keep="first", maintain_order=True))

    def close(self) -> None:
        """Compare all rows with each other, and note the warnings about topics.

        Raises:
            NeedsRowsError: if a key is there twice, or texts of a topic differ.
        """
        if not self.keys:
            return
        if pl.concat(self.keys).is_duplicated().any():
            raise NeedsRowsError
        different = pl.concat(self.topics).unique(["topic", "texts"], keep="first", maintain_order=True)
        if different["topic"].is_duplicated().any():
            raise NeedsRowsError
        first_rows = {*different["row"]} if self.empty_texts else set()
        for row, name, number in self.empty_texts:
            if row in first_rows:  # later rows of the topic have the same texts
                note_empty_text(self._place(row), "", f"{name}[{number}]")
        if self.missing_summaries:
            note_missing_summaries(self._place(self.missing_summaries[0]), len(self.missing_summaries))
        without = different.filter(~pl.col("has_references"))
        if without.height:
            note_topics_without_references(self._place(without["row"][0]), without.height, different.height)

    def _place(self, row: int) -> Place:
        for before, lines, place in reversed(self.places):
            if row >= before:
                return place.at(lines[row - before])
        raise IndexError(row)


def _has_bad_ids(rows: pl.DataFrame) -> bool:
    """Whether an id is missing, empty or too long, or a summarizer has the name of a reference."""
    ids = rows.select("topic", "summarizer")
    if ids.null_count().sum_horizontal().item():
        return True
    if ids.is_empty():
        return False
    lengths = ids.select(pl.all().str.len_chars())
    shortest = min(lengths.min().row(0))
    longest = max(lengths.max().row(0))
    if shortest == 0 or longest > LONGEST_ID:
        return True
    return any(_REFERENCE_NAME.fullmatch(name) for name in rows["summarizer"].unique())


def _holds_null(rows: pl.DataFrame, names: Collection[str]) -> bool:
    """Whether a list of a column holds a null, or a list that holds one; whether it is null itself does not matter."""
    for name in names:
        column = rows[name]
        while isinstance(column.dtype, pl.List):
            column = column.drop_nulls().explode(empty_as_null=False)
            if column.null_count():
                return True
    return False


def _empty_texts(texts: pl.Series) -> list[int]:
    """The rows whose text has no characters but blanks."""
    if isinstance(texts.dtype, pl.List):
        texts = texts.list.join("\n")
    suspects = (~texts.str.contains(_PLAIN_CHARACTER)).fill_null(value=False).arg_true()
    return [row for row in suspects if not str(texts[row]).strip()]


def _empty_items(lists: pl.Series) -> list[tuple[int, int]]:
    """Rows and places in their lists of texts that have no characters but blanks."""
    items = lists.explode(empty_as_null=False, keep_nulls=False)
    empty = _empty_texts(items)
    if not empty:
        return []
    rows = np.repeat(np.arange(len(lists)), lists.list.len().fill_null(0).to_numpy())
    places = []
    for item in empty:
        row = int(rows[item])
        places.append((row, item - int(rows.searchsorted(row))))
    return places
