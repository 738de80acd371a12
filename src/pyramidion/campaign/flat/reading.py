"""Reading the flat form as a stream of shards, each a small campaign.

A million rows need no more memory than the keys that tell whether a row is new. References become models ref1 …
refN; the rows of a topic must agree on them.
"""

from __future__ import annotations

import bisect
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.checks import note_answer_about_runs
from pyramidion.campaign.decoding import RowDecoder, note_empty_text
from pyramidion.campaign.flat.tables import (
    FlatRow,
    FlatTable,
    have_the_same,
    join_marks,
    note_missing_summaries,
    note_topics_without_references,
)
from pyramidion.campaign.nouns import Document, Judgment, Summary, Text, Topic
from pyramidion.files.opening import stem_of
from pyramidion.files.problems import Place, Problems
from pyramidion.intake.cells import as_json, is_missing
from pyramidion.intake.run_numbers import number_runs
from pyramidion.intake.summary_columns import SummaryColumns
from pyramidion.intake.summary_rows import convert_row
from pyramidion.scores.directions import add_directions
from pyramidion.scores.run_means import table_of_runs
from pyramidion.scores.table import Score, ScoreTable

SHARD_ROWS = 4096
SHARD_BYTES = 32 * 2**20
"""Most bytes of texts in a shard, unless one row has more: a few rows can hold more than memory does."""

NumberedRow = tuple[int, FlatRow]


def decode_rows(table: FlatTable, problems: Problems) -> Iterator[tuple[int, FlatRow | None]]:
    """Every row of a table with its line; None where it has errors, which are noted."""
    preparations = [_Preparation(columns, table.before) for columns in table.columns.split_systems()]
    decoder = RowDecoder(FlatRow, table.path, problems, called=table.columns.renamed_fields)
    is_plain = table.columns.is_plain
    if table.rows is None:
        numbered_rows: Iterable[tuple[int, Any]] = table.opened.rows(problems)
    else:
        numbered_rows = enumerate(table.rows, start=table.before + 1)
    for number, raw in numbered_rows:
        if not raw:  # in place of a blank line
            continue
        is_line = isinstance(raw, bytes)
        if is_line and is_plain:
            # Most lines are as we write them; only the others take the slower way, which can say what is wrong.
            row = decoder.decode_quickly(raw)
            if row is not None:
                yield number, row
                continue
        cells = decoder.parse_line(number, raw) if is_line else raw
        if cells is None:
            yield number, None
            continue
        for prepare in preparations:
            yield number, decoder.decode_object(number, prepare(cells, cells=not is_line))
    decoder.close()


class _Preparation:
    """Brings rows into our own form; rows without an id are numbered, those of each summarizer by themselves."""

    def __init__(self, columns: SummaryColumns, before: int = 0) -> None:
        self.columns = columns
        self.counts: Counter[str] = Counter({"": before})

    def __call__(self, raw: Mapping[str, Any], *, cells: bool = False) -> dict[str, Any]:
        """The row; with `cells`, of a table, where a null is an empty cell and no value of an unknown key."""
        number = 0
        if self.columns.topic is None:
            summarizer = ""
            if self.columns.summarizer:
                summarizer = str(raw.get(self.columns.summarizer))
            self.counts[summarizer] += 1
            number = self.counts[summarizer]
        if cells:
            raw = {str(key): as_json(value) for key, value in raw.items() if self._is_kept(key, value)}
        return convert_row(self.columns, raw, number)

    def _is_kept(self, key: str, value: Any) -> bool:
        """Whether a cell is a part of the row: an empty cell is none, so that no unknown key has it."""
        if not self.columns.is_own or key == "summary":
            return True
        return not is_missing(value)


def stream_tables(
    tables: Sequence[FlatTable], problems: Problems, *, shard_rows: int = SHARD_ROWS, seen: Seen | None = None
) -> Iterator[Campaign]:
    """Shards of several tables, one after the other, that are one campaign.

    Rows of a topic must agree on references and documents. If not every table has them, the rows are read whole, and
    those that lack them get those of their topic.

    Args:
        tables: files, or rows in memory.
        problems: where problems are noted as the stream is read, to its end.
        shard_rows: most rows of a shard.
        seen: gets the digests of all keys and topics.
    """
    starts = _LineMap(
        [problems.at(table.path) for table in tables],
        [table.repeats for table in tables],
        [table.columns.has_repeats for table in tables],
    )
    rows = _numbered(tables, starts, problems)
    has_runs = any(table.columns.has_runs for table in tables)
    if has_runs:
        # Whole, because the runs of a system may be anywhere, and their numbers follow from all labels.
        rows = iter(_number_outputs(list(rows), tables, starts))
        shard_rows = sys.maxsize
    if len(tables) > 1 and not have_the_same(tables):
        # All of them at once: what a row lacks may stand in the last file.
        rows = iter(_completed(list(rows)))
    if not all(table.columns.summary for table in tables):
        rows = _with_summaries(rows, tables, starts)
    registry = _RowRegistry(starts, seen or Seen())
    admitted: list[NumberedRow] = []
    size = 0
    for number, row in rows:
        if row is not None and registry.admits(number, row):
            admitted.append((number, row))
            size += _size(row)
        is_full = len(admitted) >= shard_rows or size >= SHARD_BYTES
        if is_full and not has_runs:
            yield _shard(admitted, registry)
            admitted, size = [], 0
    registry.close()
    if admitted:
        yield _shard(admitted, registry)


@dataclass
class _LineMap:
    """The rows of several files, numbered throughout, and where each of them is."""

    files: Sequence[Place]
    repeats: Sequence[Callable[[], str]]
    """Of each file, what says what to do about a topic and summarizer that come again."""
    may_repeat: Sequence[bool]
    """Of each file, whether the same summary may come again."""
    starts: list[int] = field(default_factory=list)

    def file(self, number: int) -> int:
        """The file of a row, by its place among them."""
        return bisect.bisect_left(self.starts, number) - 1

    def at(self, number: int) -> Place:
        """The place of a row."""
        file = self.file(number)
        return self.files[file].at(number - self.starts[file])

    def named(self, number: int) -> str:
        """The place of a row, in words."""
        place = self.at(number)
        line = f"on line {place.line}"
        if len(self.files) == 1:
            return line
        return f"in {place.file} {line}"


def _numbered(
    tables: Sequence[FlatTable], starts: _LineMap, problems: Problems
) -> Iterator[tuple[int, FlatRow | None]]:
    last = 0
    for table in tables:
        starts.starts.append(last)
        start = last
        for line, row in decode_rows(table, problems):
            last = start + line
            yield last, row


def _number_outputs(
    rows: list[tuple[int, FlatRow | None]], tables: Sequence[FlatTable], starts: _LineMap
) -> Iterator[tuple[int, FlatRow | None]]:
    """The rows with the numbers of their runs, from 1: by the labels that the tables have, or by their order."""
    numbers = number_runs(row.run for _, row in rows if row is not None)
    totals = Counter((row.topic, row.summarizer) for _, row in rows if row is not None and row.summary is not None)
    counts: Counter[tuple[str, str]] = Counter()
    for number, row in rows:
        if row is None:
            yield number, row
            continue
        counts[row.topic, row.summarizer] += 1
        if row.judgments and totals[row.topic, row.summarizer] > 1:
            count = totals[row.topic, row.summarizer]
            note_answer_about_runs(starts.at(number), row.topic, row.summarizer, count, field="judgments")
            continue
        run: int | None = row.run if row.run is None else numbers.get(str(row.run))
        if row.run is not None and run is None:
            remedy = "Number all runs, from 0 or 1, or name all of them."
            starts.at(number).error(repr(row.run), "the number of a run", remedy, field="run")
            continue
        if tables[starts.file(number)].columns.repeats_are_runs:
            run = counts[row.topic, row.summarizer]
        yield number, msgspec.structs.replace(row, run=run or 1)


def _completed(rows: list[tuple[int, FlatRow | None]]) -> Iterator[tuple[int, FlatRow | None]]:
    """The rows; where one has no references or no documents, with those of its topic."""
    texts_of_topics: dict[str, dict[str, Any]] = defaultdict(dict)
    for _, row in rows:
        if row is None:
            continue
        for role in ("references", "documents"):
            texts = getattr(row, role)
            if texts:
                texts_of_topics[row.topic].setdefault(role, texts)
    for number, row in rows:
        if row is None:
            yield number, row
            continue
        lacking = {role: texts for role, texts in texts_of_topics[row.topic].items() if not getattr(row, role)}
        yield number, msgspec.structs.replace(row, **lacking)


def _with_summaries(
    rows: Iterable[tuple[int, FlatRow | None]], tables: Sequence[FlatTable], starts: _LineMap
) -> Iterator[tuple[int, FlatRow | None]]:
    """The rows of tables that have summaries; in the others, a topic that comes again is an error."""
    seen: dict[str, int] = {}
    for number, row in rows:
        if tables[starts.file(number)].columns.summary:
            yield number, row
        elif row is not None and seen.setdefault(row.topic, number) != number:
            starts.at(number).error(
                f"the topic {row.topic!r} again (first {starts.named(seen[row.topic])})",
                "each topic once in a table without summaries",
                "Put all references and documents of a topic into one row: in lists, or in columns ref1, ref2, …",
                field="topic",
            )


def join_shards(shards: Iterable[Campaign], *, name: str) -> Campaign:
    """The shards of a stream as one campaign."""
    parts = [_without_continued(shard) for shard in shards]
    score_tables = [part.imported for part in parts if len(part.imported)]
    return Campaign(
        name=name,
        simulated=join_marks(part.simulated for part in parts),
        topics=tuple(chain.from_iterable(part.topics for part in parts)),
        summaries=tuple(chain.from_iterable(part.summaries for part in parts)),
        judgments=tuple(chain.from_iterable(part.judgments for part in parts)),
        imported=ScoreTable().join(*score_tables),
    )


def _without_continued(shard: Campaign) -> Campaign:
    """The shard without the topics and models that an earlier one has given out."""
    topics = [topic for topic in shard.topics if topic.topic not in shard.continued]
    is_new = [summary.kind == "peer" or summary.topic not in shard.continued for summary in shard.summaries]
    return replace(shard, topics=tuple(topics), summaries=tuple(compress(shard.summaries, is_new)))


@dataclass
class Seen:
    """What has been read of each topic and each key; the texts themselves are not kept, only their digests."""

    topics: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of each topic: the row where it first came, and the digest of its references and documents."""
    keys: dict[int, int] = field(default_factory=dict)
    """The digest of each (topic, summarizer), and its row."""
    texts: dict[int, int] = field(default_factory=dict)
    """By the digest of a key, that of its summary, where the same summary may come again."""


@dataclass
class _RowRegistry:
    """What has been read so far, and what is wrong with it."""

    places: _LineMap
    seen: Seen
    without_models: int = 0
    first_without: int = 0
    holes: int = 0
    first_hole: int = 0

    def admits(self, number: int, row: FlatRow) -> bool:
        """Whether the row fits those before it; all reasons against it are noted."""
        at = self.places.at(number)
        if row.summary is None:
            self.holes += 1
            self.first_hole = self.first_hole or number
        else:
            note_empty_text(at, row.summary, "summary")
        # A list, so that every check is made: `and` would stop at the first reason.
        return all([self._is_new(at, number, row), self._agrees(at, number, row), _is_named_well(at, row)])

    def _is_new(self, at: Place, number: int, row: FlatRow) -> bool:
        run = _run_of(row)
        # Rows without runs have the same digests as rows that are read by columns.
        key = digest_of((row.topic, row.summarizer) if run == 1 else (row.topic, row.summarizer, run))
        if key in self.seen.keys:
            if self.places.may_repeat[self.places.file(number)]:
                self._compare_texts(at, number, key, row)
                return False
            names = "topic, summarizer" if row.run is None else "topic, summarizer, run"
            shown = f"{row.topic!r}, {row.summarizer!r}" + (f", {row.run!r}" if row.run is not None else "")
            at.error(
                f"the key ({shown}) again (first {self.places.named(self.seen.keys[key])})",
                f"each ({names}) once",
                self.places.repeats[self.places.file(number)](),
                field=names,
            )
            return False
        self.seen.keys[key] = number
        if self.places.may_repeat[self.places.file(number)]:
            self.seen.texts[key] = digest_of(row.summary)
        return True

    def _compare_texts(self, at: Place, number: int, key: int, row: FlatRow) -> None:
        """Note as an error that a summary came before with another text.

        Args:
            at: the row.
            number: its number among all rows.
            key: the digest of its topic and summarizer.
            row: what it holds.
        """
        if self.seen.texts.get(key) == digest_of(row.summary):
            return
        first = self.places.named(self.seen.keys[key])
        at.error(
            f"another summary of ({row.topic!r}, {row.summarizer!r}) than {first}",
            "the same summary in all rows of a topic and summarizer, one for each judge",
            self.places.repeats[self.places.file(number)](),
            field="summary",
        )

    def _agrees(self, at: Place, number: int, row: FlatRow) -> bool:
        digest = digest_of((row.references, row.documents))
        earlier = self.seen.topics.get(row.topic)
        if earlier is None:
            self.seen.topics[row.topic] = (number, digest)
            return self._opens(at, number, row)
        first, expected = earlier
        if digest == expected:
            return True
        at.error(
            f"other references or documents for topic {row.topic!r} than {self.places.named(first)}",
            "the same in all rows of a topic",
            "Give every row of the topic the same references and documents, in the same order.",
            field="references, documents",
        )
        return False

    def _opens(self, at: Place, number: int, row: FlatRow) -> bool:
        """Check the first row of a topic, which stands for all of them."""
        if not row.references:
            self.without_models += 1
            self.first_without = self.first_without or number
        for index, reference in enumerate(row.references):
            note_empty_text(at, reference, f"references[{index}]")
        return not row.documents or _has_good_documents(at, row)

    def close(self) -> None:
        """Note once how many topics have no references, and how many rows no summary."""
        if self.holes:
            note_missing_summaries(self.places.at(self.first_hole), self.holes)
        if self.without_models:
            place = self.places.at(self.first_without)
            note_topics_without_references(place, self.without_models, len(self.seen.topics))


def _has_good_documents(at: Place, row: FlatRow) -> bool:
    documents = list(_documents(row.documents))
    for index, document in enumerate(documents):
        note_empty_text(at, document.text, f"documents[{index}]")
    counts = Counter(document.id for document in documents)
    repeated = [id for id, count in counts.items() if count > 1]
    for id in repeated:
        remedy = "Rename one; a document without an id is called by its position: 1, 2, …"
        at.error(f"{id!r} more than once", "each document once", remedy, field="documents.id")
    return not repeated


def _is_named_well(at: Place, row: FlatRow) -> bool:
    if not row.summarizer.startswith("ref"):
        return True
    count = len(row.references)
    reference_names = {f"ref{number}" for number in range(1, count + 1)}
    if row.summarizer not in reference_names:
        return True
    expected = f"a name other than ref1 … ref{count}, which the references take"
    at.error(repr(row.summarizer), expected, "Rename the summarizer.", field="summarizer")
    return False


def _run_of(row: FlatRow) -> int:
    """The number of a row's run; a row that names none has the first one."""
    return row.run if isinstance(row.run, int) and row.run > 0 else 1


def _size(row: FlatRow) -> int:
    """How many characters the texts of a row have: about as many bytes."""
    documents = [document.text for document in _documents(row.documents)]
    texts = [row.summary or "", *row.references, *documents]
    return sum(map(_text_size, texts))


def _text_size(text: Text) -> int:
    return len(text) if isinstance(text, str) else sum(map(len, text))


def _shard(rows: Sequence[NumberedRow], registry: _RowRegistry) -> Campaign:
    topics: dict[str, Topic] = {}
    models: list[Summary] = []
    peers: list[Summary] = []
    judgments: list[Judgment] = []
    scores: list[Score] = []
    runs: list[str] = []
    continued: set[str] = set()
    for number, row in rows:
        if row.topic not in topics:
            topics[row.topic] = Topic(topic=row.topic, documents=tuple(_documents(row.documents)))
            models += [
                Summary(topic=row.topic, summarizer=f"ref{index}", kind="model", text=text)
                for index, text in enumerate(row.references, start=1)
            ]
            # An earlier shard has given out the topic with its models, which must not be counted again.
            if registry.seen.topics[row.topic][0] < number:
                continued.add(row.topic)
        if row.summary is None:
            continue
        summary = Summary(
            topic=row.topic,
            summarizer=row.summarizer,
            kind="peer",
            text=row.summary,
            run=_run_of(row),
            unknown=row.unknown,
        )
        peers.append(summary)
        judgments += _judgments(row)
        for measure, value in row.scores.items():
            scores.append(Score(measure=measure, topic=row.topic, summarizer=row.summarizer, value=float(value)))
            runs.append(str(summary.run))
    return Campaign(
        name=stem_of(Path(registry.places.files[0].file)),
        simulated=join_marks(row.simulated for _, row in rows),
        topics=tuple(topics.values()),
        summaries=(*models, *peers),
        judgments=tuple(judgments),
        imported=add_directions(table_of_runs(scores, runs)) if scores else ScoreTable(),
        continued=frozenset(continued),
    )


def _documents(documents: tuple[Text | Document, ...]) -> Iterator[Document]:
    """The documents of a row; a mere text is a document with its number as its id."""
    for number, document in enumerate(documents, start=1):
        if isinstance(document, Document):
            yield document
        else:
            yield Document(id=str(number), text=document)


def _judgments(row: FlatRow) -> Iterator[Judgment]:
    """The judgments of a row; a mere number is the answer of an assessor without a name."""
    for question, answer in row.judgments.items():
        values = answer if isinstance(answer, dict) else {"": answer}
        for assessor, value in values.items():
            yield Judgment(
                topic=row.topic, summarizer=row.summarizer, question=question, assessor=assessor, value=value
            )


def digest_of(value: Any) -> int:
    """128 bits that stand for a value: equal for equal values, in every process."""
    return int.from_bytes(hashlib.blake2b(msgspec.json.encode(value), digest_size=16).digest(), "little")
