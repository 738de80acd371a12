"""A run in shards: flat Parquet or JSON lines in, shards of scores and a manifest out.

A run that is stopped or killed goes on where it was when it is started again: what is finished is not scored again,
and no shard is ever half there. The folder holds

- plan.json: the files with their fingerprints, the measures, and which rows make each shard,
- scores/000000.parquet, …: score tables, each with its entry manifest/000000.json, written after it,
- keys/000000.bin, …: digests by which rows of different shards are compared; useless once manifest.json is there,
- skipped.jsonl: the rows that were left out (`on_error="skip"`), with the reason,
- manifest.json: written last, when all shards are there and fit together.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Protocol

import msgspec

from pyramidion.engines.keys import HEAD, find_disagreeing, find_repeated, is_intact, open_digests
from pyramidion.engines.plan import Plan, Shard, columns_of_inputs, make_plan
from pyramidion.engines.processes import Failure, LocalEngine, Outcome
from pyramidion.engines.shard import (
    ENTRIES,
    KEYS,
    SCORES,
    SKIPPED,
    Job,
    ShardEntry,
    can_score_by_columns,
    checksum,
    read_entry,
)
from pyramidion.engines.storage import Folder, Storage, is_url, open_storage
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.opening import repair_text
from pyramidion.files.parquet import scan_parquet
from pyramidion.files.problems import Problems
from pyramidion.files.scratch import remove_leftovers
from pyramidion.intake.summary_columns import SummaryColumns
from pyramidion.measures.derived import Derived
from pyramidion.measures.registry import Selection
from pyramidion.options import EmptyTreatment, ShardOptions
from pyramidion.scores.reading import Facts
from pyramidion.scores.table import Kind
from pyramidion.show.tables import Finding, Row, Table, table_of
from pyramidion.show.wording import counted

PLAN, MANIFEST, LISTED = "plan.json", "manifest.json", "skipped.jsonl"
DASK = "dask"
Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much of it was done since the last call, and the total."""


class Engine(Protocol):
    """Where shards are scored."""

    def run(self, job: Job, shards: Sequence[Shard]) -> Iterator[Outcome]:
        """The entries of the shards, as they are finished, in any order."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a finished run has made: one score table in many files."""

    version: str
    measures: tuple[str, ...]
    rows: int
    summaries: int
    scores: int
    topics: int
    facts: Facts
    shards: tuple[ShardEntry, ...]


class RunFacts(Row, record="run"):
    """What a run in shards did."""

    output: str
    shards: int
    kept: int
    """Shards that an earlier run had finished."""
    rows: int
    summaries: int
    scores: int
    topics: int
    skipped: int
    seconds: float
    rate: float | None
    """Rows that this run scored, per second."""


class SkippedRows(Row, record="skipped"):
    """Rows that were left out for one reason."""

    why: str
    count: int


class ShardRun(Finding, repr=True, eq=True):
    """What a run in shards did, and which rows it left out."""

    facts: RunFacts
    skipped: tuple[SkippedRows, ...]
    warnings: tuple[str, ...] = ()
    unscored: Mapping[str, int] = field(default_factory=dict)
    """By measure, the summaries that got no value."""

    def rows(self) -> Iterator[Row]:
        """The run, then the reasons."""
        yield self.facts
        yield from self.skipped

    def sentences(self) -> list[str]:
        """How much was scored, where it is, and what was left out."""
        facts = self.facts
        summaries = counted(facts.summaries, "summary", "summaries")
        rate = f", {facts.rate:,.0f} rows per second" if facts.rate else ""
        shards = f"{counted(facts.shards, 'shard')}{rate}"
        sentences = [f"{counted(facts.scores, 'score')} of {summaries} are in {facts.output} ({shards})."]
        if facts.kept:
            verb = "was" if facts.kept == 1 else "were"
            sentences.append(f"{counted(facts.kept, 'shard')} {verb} already finished.")
        if facts.skipped:
            sentences.append(f"{counted(facts.skipped, 'problem')} in rows that were skipped: {LISTED} lists them.")
        return sentences

    def tables(self) -> list[Table]:
        """The reasons for which rows were left out."""
        shown = table_of(self.skipped, ("why", "count"), record="skipped", title="Skipped rows")
        return [shown] if self.skipped else []


def run_in_shards(
    data: Sequence[str],
    output: str | Path,
    selections: Sequence[Selection],
    options: ShardOptions,
    *,
    seed: int = 0,
    columns: Mapping[str, str] | None = None,
    exclude: Sequence[str] = (),
    empty: EmptyTreatment = "missing",
    strict: bool = False,
    progress: Progress | None = None,
    problems: Problems | None = None,
) -> ShardRun:
    """Score flat files shard by shard into a folder or a prefix of an object store; go on if a run was stopped.

    Args:
        data: files (.parquet, .jsonl), and folders or prefixes of them.
        output: the folder, or an address such as s3://bucket/run.
        selections: what is scored.
        options: the engine, the size of shards, and what becomes of rows with errors.
        seed: of measures that draw.
        columns: by role, the columns that the user names.
        exclude: summarizers to leave out.
        empty: whether empty summaries have the score 0 or none.
        strict: treat warnings as errors.
        progress: called as shards are finished.
        problems: where it is noted how the columns were understood.

    Raises:
        InputError: if rows have errors (unless they are skipped), or a shard could not be scored.
        UsageError: if the folder holds another run.
    """
    _require_direct_measures(selections)
    engine = engine_of(options)
    storage = open_storage(output)
    plan = make_plan(
        data,
        selections,
        partition=options.partition,
        on_error=options.on_error,
        seed=seed,
        exclude=exclude,
        empty=empty,
        columns=columns,
    )
    columns_of_files = columns_of_inputs(plan.inputs, plan.columns, Problems() if problems is None else problems)
    # The plan is written first: whoever starts the same run again finds it, and another run is refused.
    _claim_storage(plan, storage)
    done = _finished(plan, storage)
    if progress:
        progress("rows scored", sum(entry.rows for entry in done.values()), plan.rows)
    by_columns = not strict and _can_score_by_columns(plan, columns_of_files, selections)
    if by_columns:  # what is read by rows must compare the same texts as what is read by columns
        columns_of_files = [replace(file_columns, documents=()) for file_columns in columns_of_files]
    job = Job(
        by_columns=by_columns,
        output=storage.place,
        selections=tuple(selections),
        inputs=plan.inputs,
        columns=tuple(columns_of_files),
        skip=options.on_error == "skip",
        seed=seed,
        strict=strict,
        exclude=tuple(exclude),
        empty=empty,
    )
    started = time.monotonic()
    left = [shard for shard in plan.shards if shard.number not in done]
    kept = len(done)
    if left:
        _score_shards(engine, job, left, done, plan, progress)
    _require_shared_storage(plan, storage)
    seconds = time.monotonic() - started
    topics = _compare_shards(plan, storage)
    manifest = _manifest(plan, done, topics)
    skipped = _gather_skipped(plan, storage, done)
    # Last of all: its presence says that everything else is there and was compared.
    storage.write(MANIFEST, msgspec.json.encode(manifest))
    rows = sum(done[shard.number].rows for shard in left)
    shard_warnings = [message for entry in manifest.shards for message in entry.warnings]
    return ShardRun(
        facts=RunFacts(
            output=str(output),
            shards=len(plan.shards),
            kept=kept,
            rows=manifest.rows,
            summaries=manifest.summaries,
            scores=manifest.scores,
            topics=topics,
            skipped=sum(skipped.values()),
            seconds=round(seconds, 3),
            rate=round(rows / seconds, 1) if rows and seconds else None,
        ),
        skipped=tuple(SkippedRows(why=reason, count=count) for reason, count in skipped.most_common()),
        warnings=tuple(dict.fromkeys(shard_warnings)),
        unscored=manifest.facts.unscored,
    )


def _score_shards(
    engine: Engine,
    job: Job,
    shards: Sequence[Shard],
    done: dict[int, ShardEntry],
    plan: Plan,
    progress: Progress | None,
) -> None:
    """Score the shards that are left, and add their entries to those that are done.

    Raises:
        InputError: at the first shard that can't be scored; if rows with errors are skipped, after all others.
    """
    failures: list[Failure] = []
    for outcome in engine.run(job, shards):
        if isinstance(outcome, Failure):
            if not job.skip:
                raise outcome.error
            failures.append(outcome)
            continue
        shard, entry = outcome
        done[shard.number] = entry
        if progress:
            progress("rows scored", entry.rows, plan.rows)
    if failures:
        # A cause such as a full disk fails a thousand shards in the same words.
        reasons = Counter(str(failure.error) for failure in failures)
        lines = [f"{reason} ({counted(count, 'shard')})" for reason, count in reasons.most_common()]
        lines.append(f"{len(done)} of {len(plan.shards)} shards are finished; run again to resume")
        raise InputError("\n".join(lines))


def engine_of(options: ShardOptions) -> Engine:
    """The engine of this name: `local`, `dask` (a cluster on this computer) or `dask://host:port`."""
    name, _, address = options.engine.partition("://")
    if name == "local" and not address:
        return LocalEngine(options.workers)
    if name != DASK:
        raise UsageError(f"{mention('engine', options.engine)}: expected local, dask or dask://HOST:PORT")
    if address and not re.search(r":\d+/?$", address):
        raise UsageError(
            f"{mention('engine', options.engine)}: expected dask://HOST:PORT; a scheduler usually has the port 8786"
        )
    if address and options.workers:
        raise UsageError("`workers=`: a running cluster has its own workers; leave the option out")
    from pyramidion.engines.dask import DaskEngine

    return DaskEngine(address, options.workers)


def _can_score_by_columns(plan: Plan, columns: Sequence[SummaryColumns], selections: Sequence[Selection]) -> bool:
    """Whether the texts of all files can stay columns: only Parquet has columns that a shard can read alone."""
    for file, columns_of_file in zip(plan.inputs, columns, strict=True):
        if file.format != "parquet":
            return False
        schema = scan_parquet(file.path).collect_schema()
        if not can_score_by_columns(columns_of_file, schema, selections):
            return False
    return True


def _require_direct_measures(selections: Sequence[Selection]) -> None:
    for selection in selections:
        if isinstance(selection.measure, Derived):
            raise UsageError(
                f"{selection.name} is derived from the scores of all summaries; score its parts in shards, then derive "
                "it from the result"
            )


def _claim_storage(plan: Plan, storage: Storage) -> None:
    """Make the folder this plan's own; one that holds another run, or other files, is refused."""
    present = storage.sizes()
    plan = _writable(plan)
    if PLAN in present:
        try:
            before = msgspec.json.decode(storage.read(PLAN), type=Plan)
        except msgspec.DecodeError as error:
            raise InputError(
                f"{storage.full_name(PLAN)}: can't be read ({error}); choose another folder, or remove this one"
            ) from None
        different = before.difference(plan)
        if different:
            raise UsageError(f"{storage.place} holds a run with {different}; choose another folder, or remove this one")
        return
    if present:
        raise UsageError(f"{storage.place} is not empty: {next(iter(present))}; choose a new folder")
    storage.write(PLAN, msgspec.json.encode(plan))


def _writable(plan: Plan) -> Plan:
    """The plan as JSON can hold it: a file's name that is not UTF-8 is read as another encoding."""
    inputs = [msgspec.structs.replace(file, path=repair_text(file.path)) for file in plan.inputs]
    return msgspec.structs.replace(plan, inputs=tuple(inputs))


def _finished(plan: Plan, storage: Storage) -> dict[int, ShardEntry]:
    """The shards that an earlier run finished; one whose file has been changed since counts as not finished."""
    if isinstance(storage, Folder):
        for name in (SCORES, ENTRIES, KEYS, SKIPPED):  # what was being written when an earlier run was killed
            remove_leftovers((storage.path / name).parent)
    sizes = storage.sizes()
    has_manifest = _read_manifest(storage, sizes) is not None
    finished: dict[int, ShardEntry] = {}
    for shard in plan.shards:
        if ENTRIES.format(shard.name) not in sizes:
            continue
        entry = read_entry(storage, shard)
        if entry is not None and _is_intact(entry, shard, plan, storage, sizes):
            finished[shard.number] = entry
        else:
            storage.remove(ENTRIES.format(shard.name))
    if has_manifest and len(finished) == len(plan.shards):
        return finished
    if MANIFEST in sizes:
        storage.remove(MANIFEST)
    for shard in plan.shards:
        if shard.number in finished and not _has_keys(shard, storage, sizes):
            del finished[shard.number]
            storage.remove(ENTRIES.format(shard.name))
    return finished


def _is_intact(entry: ShardEntry, shard: Shard, plan: Plan, storage: Storage, sizes: Mapping[str, int]) -> bool:
    """Whether an entry is that of the shard, and everything that it speaks of is there as it was written."""
    name = SCORES.format(shard.name)
    expected = (shard.number, shard.rows, plan.inputs[shard.file].fingerprint)
    if (entry.shard, entry.rows, entry.fingerprint) != expected or sizes.get(name) != entry.bytes:
        return False
    if entry.skipped and SKIPPED.format(shard.name) not in sizes:
        return False
    # Reading all scores back from an object store would cost more than scoring them; there, the size has to do.
    return is_url(storage.place) or checksum(storage.read(name)) == entry.checksum


def _has_keys(shard: Shard, storage: Storage, sizes: Mapping[str, int]) -> bool:
    name = KEYS.format(shard.name)
    if name not in sizes:
        return False
    head = storage.read_range(name, 0, min(HEAD, sizes[name]))
    return is_intact(head, sizes[name])


def _read_manifest(storage: Storage, sizes: Mapping[str, int]) -> Manifest | None:
    """What a finished run has written; None if there is nothing, or something damaged."""
    if MANIFEST not in sizes:
        return None
    try:
        return msgspec.json.decode(storage.read(MANIFEST), type=Manifest)
    except msgspec.DecodeError:
        return None


def _require_shared_storage(plan: Plan, storage: Storage) -> None:
    """What workers wrote must be here, or they have a folder of their own."""
    present = storage.sizes()
    for shard in plan.shards:
        if ENTRIES.format(shard.name) not in present:
            raise InputError(
                f"{storage.place}: a worker wrote shard {shard.number}, but it is not here; the folder must be one "
                "that all workers share, or an address such as s3://bucket/run"
            )


def _compare_shards(plan: Plan, storage: Storage) -> int:
    """Refuse keys and topics that only all shards together show to be wrong; the number of topics."""
    manifest = _read_manifest(storage, storage.sizes())
    if manifest is not None:  # an earlier run compared them
        return manifest.topics
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for shard in plan.shards:
            name = KEYS.format(shard.name)
            path = Path(storage.full_name(name))
            if is_url(storage.place):
                path = Path(folder) / shard.name
                path.write_bytes(storage.read(name))
            paths.append(path)
        digests = [open_digests(path) for path in paths]
        repeated = find_repeated([keys for keys, _ in digests])
        if repeated:
            count, shards = repeated
            raise InputError(
                f"{counted(count, 'row')} with a (topic, summarizer) that occurs before, the first in "
                f"{_places(plan, shards)}; expected each once. Remove the repeated rows."
            )
        # By digests: the texts of all shards together do not fit into memory.
        topics, wrong, shards_of_first = find_disagreeing([topics for _, topics in digests])
        if shards_of_first:
            raise InputError(
                f"{counted(wrong, 'topic')} with other references or documents elsewhere, the first in "
                f"{_places(plan, shards_of_first)}; expected the same in all rows of a topic."
            )
    return topics


def _places(plan: Plan, numbers: Sequence[int]) -> str:
    """Which rows of which files shards hold, in words."""
    places = []
    for number in sorted(numbers):
        shard = plan.shards[number]
        rows = f"rows {shard.before + 1:,} to {shard.before + shard.rows:,}"
        places.append(f"{plan.inputs[shard.file].path} ({rows})")
    return " and ".join(places)


def _manifest(plan: Plan, done: dict[int, ShardEntry], topics: int) -> Manifest:
    entries = tuple(done[shard.number] for shard in plan.shards)
    signatures: dict[str, dict[str, None]] = {}
    unscored: Counter[str] = Counter()
    notes: dict[str, dict[str, None]] = {}
    higher_is_better: dict[str, bool | None] = {}
    kinds: dict[str, Kind] = {}
    names: dict[str, str] = {}
    for entry in entries:
        facts = entry.facts
        unscored.update(facts.unscored)
        higher_is_better |= facts.higher_is_better
        kinds |= facts.kinds
        names |= facts.names
        for measure, distinct in facts.signatures.items():
            signatures.setdefault(measure, {}).update(dict.fromkeys(distinct))
        for measure, note in facts.notes.items():
            notes.setdefault(measure, {})[note] = None
    return Manifest(
        version=plan.version,
        measures=plan.measures,
        rows=sum(entry.rows for entry in entries),
        summaries=sum(entry.summaries for entry in entries),
        scores=sum(entry.scores for entry in entries),
        topics=topics,
        facts=Facts(
            signatures={measure: tuple(distinct) for measure, distinct in signatures.items()},
            higher_is_better=higher_is_better,
            notes={measure: "; ".join(distinct) for measure, distinct in notes.items()},
            kinds=kinds,
            names=names,
            unscored=dict(unscored),
            topic_count=topics,
        ),
        shards=entries,
    )


def _gather_skipped(plan: Plan, storage: Storage, done: dict[int, ShardEntry]) -> Counter[str]:
    """Write the list of skipped rows; how many there are, by reason."""
    reasons: Counter[str] = Counter()
    listed = []
    for shard in plan.shards:
        skipped = done[shard.number].skipped
        if skipped:
            reasons.update(skipped)
            listed.append(storage.read(SKIPPED.format(shard.name)))
    if listed:
        storage.write(LISTED, b"".join(listed))
    return reasons
