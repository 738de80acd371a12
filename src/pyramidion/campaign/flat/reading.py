"""Reading the flat form as a stream of shards, each a small campaign.

A million rows need no more memory than the keys that tell whether a row is new. References become models ref1 …
refN; the rows of a topic must agree on them.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.checks import note_empty_text
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Document, Id, Judgment, Noun, Summary, Text, Topic
from pyramidion.files.lines import read_lines
from pyramidion.files.parquet import PARQUET, read_pieces
from pyramidion.files.problems import Place, Problems

IN_MEMORY = Path("(rows in memory)")
"""What problems name instead of a file."""
SHARD_ROWS = 4096
ENDINGS = (".jsonl", ".ndjson", PARQUET)

Values = dict[str, int | float]


class FlatRow(Noun, frozen=True, kw_only=True):
    """One row: a summary, and what its topic and its assessors add."""

    topic: Id
    summarizer: Id
    summary: Text
    references: tuple[Text, ...] = ()
    documents: tuple[Text | Document, ...] = ()
    judgments: dict[Id, int | float | Values] = msgspec.field(default_factory=dict)
    simulated: str = ""
    """What in the row a program made up, as in campaign.toml."""


NumberedRow = tuple[int, FlatRow]


def stream_flat(path: Path, problems: Problems, *, shard_rows: int = SHARD_ROWS) -> Iterator[Campaign]:
    """Shards of the file in order; problems are noted as the stream is read, to its end."""
    decoder = RowDecoder(FlatRow, path, problems)
    if path.suffix.lower() == PARQUET:
        raws = chain.from_iterable(piece.iter_rows(named=True) for piece in read_pieces(path, problems))
        return _shards(_decoded(decoder, raws), decoder, shard_rows)
    rows = ((number, decoder.decode_line(number, line)) for number, line in read_lines(path, problems))
    return _shards(rows, decoder, shard_rows)


def stream_rows(rows: Iterable[Mapping[str, Any]], problems: Problems) -> Iterator[Campaign]:
    """Shards of rows that are dictionaries already: of a list, or of a data frame."""
    decoder = RowDecoder(FlatRow, IN_MEMORY, problems)
    return _shards(_decoded(decoder, rows), decoder, SHARD_ROWS)


def _decoded(decoder: RowDecoder[FlatRow], raws: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, FlatRow | None]]:
    for number, raw in enumerate(raws, start=1):
        yield number, decoder.decode_object(number, _as_row(raw))


def _shards(
    rows: Iterable[tuple[int, FlatRow | None]], decoder: RowDecoder[FlatRow], shard_rows: int
) -> Iterator[Campaign]:
    register = _Register(decoder.file)
    batch: list[NumberedRow] = []
    for number, row in rows:
        if row is not None and register.admits(number, row):
            batch.append((number, row))
        if len(batch) >= shard_rows:
            yield _shard(batch, register)
            batch = []
    decoder.close()
    register.close()
    if batch:
        yield _shard(batch, register)


def join_shards(shards: Iterable[Campaign], *, name: str) -> Campaign:
    """The shards of a stream as one campaign."""
    topics: list[Topic] = []
    summaries: list[Summary] = []
    judgments: list[Judgment] = []
    simulated: list[str] = []
    for shard in shards:
        topics += [topic for topic in shard.topics if topic.topic not in shard.continued]
        summaries += [
            summary for summary in shard.summaries if summary.kind == "peer" or summary.topic not in shard.continued
        ]
        judgments += shard.judgments
        simulated.append(shard.simulated)
    return Campaign(
        name=name,
        simulated=_all_of(simulated),
        topics=tuple(topics),
        summaries=tuple(summaries),
        judgments=tuple(judgments),
    )


@dataclass
class _Register:
    """What has been read of each topic and each key; the texts themselves are not kept, only their digests."""

    file: Place
    topics: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Of each topic: the line where it first came, and the digest of its references and documents."""
    keys: dict[int, int] = field(default_factory=dict)
    without_models: int = 0
    first_without: int = 0

    def admits(self, number: int, row: FlatRow) -> bool:
        """Whether the row fits those before it; all reasons against it are noted."""
        at = self.file.at(number)
        note_empty_text(at, row.summary, "summary")
        return all([self._is_new(at, number, row), self._agrees(at, number, row), _is_named_well(at, row)])

    def _is_new(self, at: Place, number: int, row: FlatRow) -> bool:
        return at.at(number, "topic, summarizer").is_first(
            self.keys,
            _digest((row.topic, row.summarizer)),
            f"the key ({row.topic!r}, {row.summarizer!r})",
            expected="each (topic, summarizer) once",
            remedy="Remove one of the two rows.",
        )

    def _agrees(self, at: Place, number: int, row: FlatRow) -> bool:
        digest = _digest((row.references, row.documents))
        known = self.topics.get(row.topic)
        if known is None:
            self.topics[row.topic] = (number, digest)
            return self._opens(at, number, row)
        first, expected = known
        if digest != expected:
            at.error(
                f"other references or documents for topic {row.topic!r} than on line {first}",
                "the same in all rows of a topic",
                "Give every row of the topic the same references and documents, in the same order.",
                field="references, documents",
            )
        return digest == expected

    def _opens(self, at: Place, number: int, row: FlatRow) -> bool:
        """Check the first row of a topic, which stands for all of them."""
        if not row.references:
            self.without_models += 1
            self.first_without = self.first_without or number
        for index, reference in enumerate(row.references):
            note_empty_text(at, reference, f"references[{index}]")
        return not row.documents or _has_good_documents(at, row)

    def close(self) -> None:
        """Note once how many topics have no references."""
        if self.without_models:
            self.file.at(self.first_without).warning(
                f"{self.without_models} of {len(self.topics)} topics without references",
                "at least one reference",
                "Measures that need models give no score for them.",
                field="references",
                count=self.without_models,
            )


def _has_good_documents(at: Place, row: FlatRow) -> bool:
    documents = list(_documents(row.documents))
    for index, document in enumerate(documents):
        note_empty_text(at, document.text, f"documents[{index}]")
    repeated = [id for id, count in Counter(document.id for document in documents).items() if count > 1]
    for id in repeated:
        remedy = "Rename one; a document without an id is called by its position: 1, 2, …"
        at.error(f"{id!r} more than once", "each document once", remedy, field="documents.id")
    return not repeated


def _is_named_well(at: Place, row: FlatRow) -> bool:
    count = len(row.references)
    taken = row.summarizer.startswith("ref") and row.summarizer in {f"ref{index + 1}" for index in range(count)}
    if taken:
        expected = f"a name other than ref1 … ref{count}, which the references take"
        at.error(repr(row.summarizer), expected, "Rename the summarizer.", field="summarizer")
    return not taken


def _shard(rows: Sequence[NumberedRow], register: _Register) -> Campaign:
    topics: dict[str, Topic] = {}
    models: list[Summary] = []
    peers: list[Summary] = []
    judgments: list[Judgment] = []
    continued: set[str] = set()
    for number, row in rows:
        if row.topic not in topics:
            topics[row.topic] = Topic(topic=row.topic, documents=tuple(_documents(row.documents)))
            models += [
                Summary(topic=row.topic, summarizer=f"ref{index}", kind="model", text=text)
                for index, text in enumerate(row.references, start=1)
            ]
            if register.topics[row.topic][0] < number:
                continued.add(row.topic)
        peers.append(
            Summary(topic=row.topic, summarizer=row.summarizer, kind="peer", text=row.summary, unknown=row.unknown)
        )
        judgments += _judgments(row)
    return Campaign(
        name=Path(register.file.file).stem,
        simulated=_all_of(row.simulated for _, row in rows),
        topics=tuple(topics.values()),
        summaries=(*models, *peers),
        judgments=tuple(judgments),
        continued=frozenset(continued),
    )


def _all_of(marks: Iterable[str]) -> str:
    """What a program made up in any of the rows."""
    distinct = [mark for mark in dict.fromkeys(marks) if mark]
    if len(distinct) < 2:
        return "".join(distinct)
    return ", ".join(dict.fromkeys(part.strip() for mark in distinct for part in mark.split(",") if part.strip()))


def _documents(documents: tuple[Text | Document, ...]) -> Iterator[Document]:
    for index, document in enumerate(documents, start=1):
        yield document if isinstance(document, Document) else Document(id=str(index), text=document)


def _judgments(row: FlatRow) -> Iterator[Judgment]:
    for question, answer in row.judgments.items():
        values = answer if isinstance(answer, dict) else {"": answer}
        for assessor, value in values.items():
            yield Judgment(
                topic=row.topic, summarizer=row.summarizer, question=question, assessor=assessor, value=value
            )


def _digest(value: Any) -> int:
    return int.from_bytes(hashlib.blake2b(msgspec.json.encode(value), digest_size=16).digest(), "little")


def _as_row(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a table as JSON would have it; an empty cell (None, NaN) is no key."""
    row = {str(key): _as_json(value) for key, value in raw.items() if not _is_empty(value)}
    if "judgments" in row:
        row["judgments"] = _as_object(row["judgments"])
    return row


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _as_json(value: Any) -> Any:
    """A value of a cell as JSON would have it: no key without a value, dates as strings, arrays as lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _as_object(judgments: Any) -> Any:
    """Judgments in a list of {question, assessor, value}, as `write_flat` writes them, by question.

    Anything else, including a repeated answer, stays as it is, and the decoder refuses it.
    """
    if not isinstance(judgments, list):
        return judgments
    nested: dict[str, dict[str, Any]] = {}
    for judgment in judgments:
        match judgment:
            case {"question": str(question), "value": value} if len(judgment) - 2 <= ("assessor" in judgment):
                assessor = judgment.get("assessor", "")
                answers = nested.setdefault(question, {})
                if not isinstance(assessor, str) or assessor in answers:
                    return judgments
                answers[assessor] = value
            case _:
                return judgments
    return nested
