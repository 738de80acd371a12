"""One shard of a run: its rows are read, scored and written, then its entry in the manifest. Any process can do it."""

from __future__ import annotations

import os
import re
import secrets
import socket
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from pyramidion.campaign import Campaign
from pyramidion.campaign.flat.reading import Seen, digest_of, stream_tables
from pyramidion.campaign.flat.tables import (
    FlatTable,
    NeedsRowsError,
    can_stay_columns,
    needed_columns,
    read_batches,
)
from pyramidion.engines.keys import packed_keys
from pyramidion.engines.local import score_batches, score_shards, why_not_columns
from pyramidion.engines.plan import Input, Shard, require_no_runs
from pyramidion.engines.storage import Storage, open_storage, split
from pyramidion.errors import InputError
from pyramidion.files.opening import BYTE_ORDER_MARK, NoFileError
from pyramidion.files.parquet import exactly, rows_in, scan_parquet
from pyramidion.files.problems import FIXED, Problem, Problems, shorten
from pyramidion.intake.column_questions import IN_MEMORY
from pyramidion.intake.opened import MemoryTable
from pyramidion.intake.summary_columns import SummaryColumns
from pyramidion.measures.registry import Selection
from pyramidion.options import EmptyTreatment
from pyramidion.scores import ScoreTable
from pyramidion.scores.reading import Facts
from pyramidion.scores.writing import facts_of, new_digest, parquet_of

Raw = Mapping[str, Any] | bytes
SCORES, ENTRIES, KEYS, SKIPPED = "scores/{}.parquet", "manifest/{}.json", "keys/{}.bin", "skipped/{}.jsonl"
"""The files of a shard."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """What all shards of a run have in common."""

    output: str
    selections: tuple[Selection, ...]
    inputs: tuple[Input, ...]
    columns: tuple[SummaryColumns, ...]
    skip: bool
    seed: int
    strict: bool = False
    exclude: tuple[str, ...] = ()
    empty: EmptyTreatment = "missing"
    by_columns: bool = False
    """Whether the texts of all files can stay columns; a shard with anything odd in it is still read by rows."""

    def alone(self, shard: Shard) -> tuple[Job, Shard]:
        """What a shard needs of the job, which may have thousands of files."""
        file = shard.file
        job = replace(self, inputs=(self.inputs[file],), columns=(self.columns[file],))
        return job, msgspec.structs.replace(shard, file=0)


class ShardEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What the manifest says of a finished shard."""

    shard: int
    fingerprint: str
    """Of the file that its rows are from."""
    rows: int
    summaries: int
    """Rows that were scored."""
    scores: int
    bytes: int
    checksum: str
    """Of the file of scores."""
    facts: Facts
    """Signatures, directions and notes of the measures."""
    skipped: dict[str, int] = {}
    """Rows that were left out, by reason."""
    warnings: tuple[str, ...] = ()
    """What was noticed."""
    seconds: float
    worker: str
    attempt: str
    """Different each time that a shard is scored."""


def score_shard(job: Job, shard: Shard) -> ShardEntry:
    """Score a shard and write it; if it is there already, nothing is done.

    The order makes it safe to stop at any moment: the scores are written first, then the entry that counts them.
    """
    storage = open_storage(job.output)
    finished = read_entry(storage, shard)
    if finished:
        return finished
    started = time.perf_counter()
    problems, seen = Problems(most=sys.maxsize), Seen()  # each row that is skipped is listed
    # What a worker prints nobody sees, so the entry keeps it for whoever puts the run together.
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame, facts, summaries = _score_by_columns(job, shard, seen) or _score_by_rows(job, shard, problems, seen)
    noted = dict.fromkeys(str(warning.message) for warning in caught)
    noted |= dict.fromkeys(problem.found for problem in problems if problem.severity == "warning")
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        lines = [msgspec.json.encode(_skipped_row(problem)) + b"\n" for problem in errors]
        storage.write(SKIPPED.format(shard.name), b"".join(lines))
    content = parquet_of(frame, facts)
    storage.write(SCORES.format(shard.name), content)
    storage.write(KEYS.format(shard.name), packed_keys(seen))
    entry = ShardEntry(
        shard=shard.number,
        fingerprint=job.inputs[shard.file].fingerprint,
        rows=shard.rows,
        summaries=summaries,
        scores=frame.height,
        bytes=len(content),
        checksum=checksum(content),
        facts=facts,
        skipped=dict(Counter(map(_reason, errors))),
        warnings=tuple(noted),
        seconds=round(time.perf_counter() - started, 3),
        worker=f"{socket.gethostname()}:{os.getpid()}",
        attempt=secrets.token_hex(8),
    )
    storage.write(ENTRIES.format(shard.name), msgspec.json.encode(entry))
    return entry


def read_entry(storage: Storage, shard: Shard) -> ShardEntry | None:
    """The entry of a shard that is finished; None if there is none, or a damaged one."""
    try:
        return msgspec.json.decode(storage.read(ENTRIES.format(shard.name)), type=ShardEntry)
    except (FileNotFoundError, NoFileError, InputError, msgspec.DecodeError):
        return None


def checksum(content: bytes) -> str:
    """What tells a file from any other."""
    digest = new_digest()
    digest.update(content)
    return digest.hexdigest()


Scored = tuple[pl.DataFrame, Facts, int]
"""Scores in long form, what is to be known of them, and how many summaries were scored."""


def can_score_by_columns(
    columns: SummaryColumns, table_columns: Mapping[str, pl.DataType], selections: Sequence[Selection]
) -> bool:
    """Whether the rows of a file with typed columns can be scored by columns.

    Args:
        columns: what the columns mean.
        table_columns: their types.
        selections: what is scored.
    """
    if any(why_not_columns(selection.measure) for selection in selections):
        return False
    texts = only_texts(columns)
    needed = needed_columns(texts)
    return can_stay_columns(texts, pl.Schema({name: table_columns[name] for name in needed if name in table_columns}))


def only_texts(columns: SummaryColumns) -> SummaryColumns:
    """What ROUGE needs of the columns: documents, which can be long, and other programs' numbers are not read."""
    return replace(columns, documents=(), scores=(), judgments=())


def _score_by_columns(job: Job, shard: Shard, seen: Seen) -> Scored | None:
    """The scores by columns, if the run goes that way and no row needs a second look."""
    if not job.by_columns:
        return None
    columns = only_texts(job.columns[shard.file])
    frame = read_frame(job.inputs[shard.file], shard, needed_columns(columns))
    table = FlatTable(Path(IN_MEMORY), columns, opened=MemoryTable(frame), before=shard.before)
    return score_table(table, job.selections, seen, seed=job.seed, exclude=job.exclude, empty=job.empty)


def score_table(
    table: FlatTable,
    selections: Sequence[Selection],
    seen: Seen,
    *,
    seed: int,
    exclude: Sequence[str],
    empty: EmptyTreatment,
) -> Scored | None:
    """The scores of a table by columns; None if its rows are needed.

    Args:
        table: the rows of a shard.
        selections: what is scored, of ROUGE.
        seen: gets the digests by which the rows are compared with those of other shards.
        seed: is part of signatures.
        exclude: summarizers that are left out.
        empty: whether empty summaries have the score 0 or none.
    """
    try:
        batches = list(read_batches([table], Problems()))
        scores = score_batches(batches, selections, seed=seed, exclude=exclude, is_part=True, empty=empty)
    except NeedsRowsError:
        return None
    is_scored = pl.col("summary").is_not_null() & ~pl.col("summarizer").is_in(list(exclude))
    summaries = 0
    for batch in batches:
        _remember(batch.frame, seen)
        summaries += batch.frame.filter(is_scored).height
    return scores.to_polars(), facts_of(scores), summaries


def _remember(rows: pl.DataFrame, seen: Seen) -> None:
    """Note the digests of rows: the same that reading by rows notes."""
    for number, key in enumerate(rows.select("topic", "summarizer").rows()):
        seen.keys[digest_of(key)] = number
    first = rows.unique("topic", keep="first", maintain_order=True)
    for topic, references in first.select("topic", "references").iter_rows():
        seen.topics[topic] = (0, digest_of((references, ())))


def _score_by_rows(job: Job, shard: Shard, problems: Problems, seen: Seen) -> Scored:
    """The scores by rows; errors in rows are raised unless they are to be skipped."""
    # All at once only where single rows may have to be tried again.
    rows = _rows(job, shard) if not job.skip else list(_rows(job, shard))
    try:
        table, count = _score_topics(job, shard, rows, problems, seen)
    except Exception as error:
        # No row is to blame for memory that runs out.
        if not isinstance(rows, list) or isinstance(error, MemoryError):
            raise
        # The rows are read again from the first one: what was noted would be noted twice.
        problems.clear()
        at = problems.at(job.inputs[shard.file].path)
        for number, failure in _failing(job, shard, rows, 0, len(rows)):
            # As a blank line, so that those after it keep their numbers.
            rows[number] = {}
            cause = failure.__cause__ or failure
            found = f"{type(cause).__name__}: {str(cause)[:200]}"
            at.at(shard.before + number + 1).error(found, "a row that can be scored", "The row was skipped.")
        seen.keys.clear()
        seen.topics.clear()
        table, count = _score_topics(job, shard, rows, problems, seen)
    if not job.skip:
        problems.refuse(strict=job.strict)
    return table.to_polars(), facts_of(table), count


def _score_topics(
    job: Job, shard: Shard, rows: Iterable[Raw], problems: Problems, seen: Seen, before: int = 0
) -> tuple[ScoreTable, int]:
    path = Path(job.inputs[shard.file].path)
    counts: list[int] = []

    def campaigns() -> Iterator[Campaign]:
        table = FlatTable(path, job.columns[shard.file], rows=rows, before=shard.before + before)
        for campaign in stream_tables([table], problems, seen=seen):
            if problems.errors and not job.skip:
                continue  # nothing will be written: the rest is read for its errors
            require_no_runs(path, has_runs=any(summary.run > 1 for summary in campaign.summaries))
            yield _without(campaign, job.exclude) if job.exclude else campaign

    scores = score_shards(
        campaigns(), job.selections, seed=job.seed, progress=counts.append, is_part=True, empty=job.empty
    )
    return scores, sum(counts)


def _failing(job: Job, shard: Shard, rows: Sequence[Raw], start: int, end: int) -> Iterator[tuple[int, Exception]]:
    """The rows that a measure fails on, found by halves."""
    try:
        _score_topics(job, shard, rows[start:end], Problems(), Seen(), before=start)
    except Exception as error:
        if end - start == 1:
            yield start, error
            return
        middle = (start + end) // 2
        yield from _failing(job, shard, rows, start, middle)
        yield from _failing(job, shard, rows, middle, end)


def _without(campaign: Campaign, exclude: Sequence[str]) -> Campaign:
    kept = [summary for summary in campaign.summaries if summary.summarizer not in exclude]
    return replace(campaign, summaries=tuple(kept))


def _rows(job: Job, shard: Shard) -> Iterator[Raw]:
    """The rows of the shard as the file has them; {} in place of a blank line."""
    file = job.inputs[shard.file]
    if file.format == "parquet":
        yield from rows_in(read_frame(file, shard, columns=None))
        return
    storage, name = split(file.path)
    content = storage.read_range(name, shard.start, shard.end)
    if not shard.start:
        content = content.removeprefix(BYTE_ORDER_MARK)
    # Not `splitlines`, which also divides at a carriage return: shards were cut at line feeds alone.
    for line in content.removesuffix(b"\n").split(b"\n"):
        yield line.strip(b" \t\r") or {}


def read_frame(file: Input, shard: Shard, columns: Sequence[str] | None) -> pl.DataFrame:
    """The rows of a shard of a Parquet file: those of the columns that it has, or of all."""
    try:
        table = scan_parquet(file.path).slice(shard.before, shard.rows)
        if columns is not None:
            table = table.select(exactly(*columns, are_required=False))
        return table.collect()
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise InputError(
            f"{file.path}: {shorten(str(error), 200)}; write the file again, or check the network"
        ) from None


def _skipped_row(problem: Problem) -> dict[str, Any]:
    """What is said of a row that was skipped."""
    return {name: getattr(problem, name) for name in ("file", "line", "field", "found", "expected", "remedy")}


def _reason(problem: Problem) -> str:
    """What rows that were skipped for one reason have in common."""
    # Places in lists differ from row to row, and the reason does not.
    field = re.sub(r"\[\d+\]", "[…]", problem.field or "")
    is_shared = problem.found in FIXED or problem.expected == "a row that can be scored"
    reason = problem.found if is_shared else f"not {problem.expected}"
    return f"{field}: {reason}" if field else reason
