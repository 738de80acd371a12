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

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Protocol

import msgspec

from pyramidion.engines.keys import HEAD, disagreeing, is_whole, opened, repeated
from pyramidion.engines.plan import Plan, Shard, columns_of_inputs, make_plan
from pyramidion.engines.processes import Failure, LocalEngine, Outcome
from pyramidion.engines.shard import ENTRIES, KEYS, SCORES, SKIPPED, Entry, Job, checksum, read_entry
from pyramidion.engines.storage import Folder, Storage, is_url, open_storage
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.opening import repair_text
from pyramidion.files.parquet import scan_parquet
from pyramidion.files.problems import Problems
from pyramidion.files.scratch import remove_leftovers
from pyramidion.intake.columns import SummaryColumns
from pyramidion.measures.derived import Derived
from pyramidion.measures.registry import Selection
from pyramidion.options import ShardOptions
from pyramidion.scores.reading import Facts
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
    shards: tuple[Entry, ...]


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
        one = self.facts
        said = f"{counted(one.scores, 'score')} of {counted(one.summaries, 'summary', 'summaries')} are in {one.output}"
        rate = f", {one.rate:,.0f} rows per second" if one.rate else ""
        parts = [f"{said} ({counted(one.shards, 'shard')}{rate})."]
        if one.kept:
            parts.append(f"{counted(one.kept, 'shard')} {'was' if one.kept == 1 else 'were'} already finished.")
        if one.skipped:
            parts.append(f"{counted(one.skipped, 'problem')} in rows that were skipped: {LISTED} lists them.")
        return parts

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
        strict: treat warnings as errors.
        progress: called as shards are finished.
        problems: where it is noted how the columns were understood.

    Raises:
        InputError: if rows have errors (unless they are skipped), or a shard could not be scored.
        UsageError: if the folder holds another run.
    """
    _check_measures(selections)
    engine = engine_of(options)
    storage = open_storage(output)
    facts = {"partition": options.partition, "on_error": options.on_error, "seed": seed, "exclude": tuple(exclude)}
    plan = make_plan(data, selections, columns=dict(columns or {}), **facts)
    noted = Problems() if problems is None else problems
    found = columns_of_inputs(plan.inputs, plan.columns, noted)
    _accept(plan, storage)
    done = _finished(plan, storage)
    if progress:
        progress("rows scored", sum(entry.rows for entry in done.values()), plan.rows)
    columnar = _columnar(plan, found, selections) if not strict else ()
    if columnar:  # rows without a second look and with one must agree on what is compared
        found = [replace(one, documents=()) for one in found]
    job = Job(
        columnar=columnar,
        output=storage.place,
        selections=tuple(selections),
        inputs=plan.inputs,
        columns=tuple(found),
        skip=options.on_error == "skip",
        seed=seed,
        strict=strict,
        exclude=tuple(exclude),
    )
    started = time.monotonic()
    left = [shard for shard in plan.shards if shard.number not in done]
    kept, failures = len(done), list[Failure]()
    for outcome in engine.run(job, left) if left else ():
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
        reasons = Counter(str(one.error) for one in failures)
        lines = [f"{reason} ({counted(count, 'shard')})" for reason, count in reasons.most_common()]
        raise InputError(
            "\n".join([*lines, f"{len(done)} of {len(plan.shards)} shards are finished; run again to resume"])
        )
    _check_seen(plan, storage)
    seconds = time.monotonic() - started
    topics = _check_together(plan, storage)
    manifest = _manifest(plan, done, topics)
    skipped = _gather_skipped(plan, storage, done)
    storage.write(MANIFEST, msgspec.json.encode(manifest))
    rows = sum(done[shard.number].rows for shard in left)
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
        warnings=tuple(dict.fromkeys(said for entry in manifest.shards for said in entry.warnings)),
        unscored=manifest.facts.unscored,
    )


def engine_of(options: ShardOptions) -> Engine:
    """The engine of this name: `local`, `dask` (a cluster on this computer) or `dask://host:port`."""
    name, _, address = options.engine.partition("://")
    if name == "local" and not address:
        return LocalEngine(options.workers)
    if name != DASK:
        raise UsageError(f"{mention('engine', options.engine)}: expected local, dask or dask://HOST:PORT")
    if address and options.workers:
        raise UsageError("`workers=`: a running cluster has its own workers; leave the option out")
    from pyramidion.engines.dask import DaskEngine

    return DaskEngine(address, options.workers)


def _columnar(
    plan: Plan, columns: Sequence[SummaryColumns], selections: Sequence[Selection]
) -> tuple[tuple[str, ...], ...]:
    """The columns of every file, if the texts of all can stay where they lie."""
    import polars as pl

    from pyramidion.engines.local import fits

    names: list[tuple[str, ...]] = []
    for one, held in zip(plan.inputs, columns, strict=True):
        schema = scan_parquet(one.path).collect_schema() if one.format == "parquet" else pl.Schema()
        if not fits(schema, held, selections):
            return ()
        names.append(tuple(schema))
    return tuple(names)


def _check_measures(selections: Sequence[Selection]) -> None:
    for one in selections:
        if isinstance(one.measure, Derived):
            raise UsageError(
                f"{one.name} is derived from the scores of all summaries; score its parts in shards, then derive it "
                "from the result"
            )


def _accept(plan: Plan, storage: Storage) -> None:
    """Make the folder this plan's own; one that holds another run, or other files, is refused."""
    present, plan = storage.sizes(), _writable(plan)
    if PLAN in present:
        try:
            before = msgspec.json.decode(storage.read(PLAN), type=Plan)
        except msgspec.DecodeError as error:
            raise InputError(
                f"{storage.full_name(PLAN)}: can't be read ({error}); choose another folder, or remove this one"
            ) from None
        if different := before.difference(plan):
            raise UsageError(f"{storage.place} holds a run with {different}; choose another folder, or remove this one")
        return
    if present:
        raise UsageError(f"{storage.place} is not empty: {next(iter(present))}; choose a new folder")
    storage.write(PLAN, msgspec.json.encode(plan))


def _writable(plan: Plan) -> Plan:
    """The plan as JSON can hold it: a file's name that is not UTF-8 is read as another encoding."""
    replaced = msgspec.structs.replace
    return replaced(plan, inputs=tuple(replaced(one, path=repair_text(one.path)) for one in plan.inputs))


def _finished(plan: Plan, storage: Storage) -> dict[int, Entry]:
    """The shards that an earlier run finished; one whose file has been changed since counts as not finished."""
    if isinstance(storage, Folder):
        for name in (SCORES, ENTRIES, KEYS, SKIPPED):  # what was being written when an earlier run was killed
            remove_leftovers((storage.path / name).parent)
    sizes = storage.sizes()
    has_manifest = _read_manifest(storage, sizes) is not None
    found: dict[int, Entry] = {}
    for shard in plan.shards:
        if ENTRIES.format(shard.name) not in sizes:
            continue
        entry = read_entry(storage, shard)
        if entry is not None and _is_whole(entry, shard, plan, storage, sizes):
            found[shard.number] = entry
        else:
            storage.remove(ENTRIES.format(shard.name))
    if has_manifest and len(found) == len(plan.shards):
        return found
    if MANIFEST in sizes:
        storage.remove(MANIFEST)
    for shard in plan.shards:
        if shard.number in found and not _has_keys(shard, storage, sizes):
            del found[shard.number]
            storage.remove(ENTRIES.format(shard.name))
    return found


def _is_whole(entry: Entry, shard: Shard, plan: Plan, storage: Storage, sizes: Mapping[str, int]) -> bool:
    """Whether an entry is that of the shard, and everything that it speaks of is there as it was written."""
    name = SCORES.format(shard.name)
    own = (shard.number, shard.rows, plan.inputs[shard.file].fingerprint)
    if (entry.shard, entry.rows, entry.fingerprint) != own or sizes.get(name) != entry.bytes:
        return False
    if entry.skipped and SKIPPED.format(shard.name) not in sizes:
        return False
    return is_url(storage.place) or checksum(storage.read(name)) == entry.checksum


def _has_keys(shard: Shard, storage: Storage, sizes: Mapping[str, int]) -> bool:
    name = KEYS.format(shard.name)
    return name in sizes and is_whole(storage.read_range(name, 0, min(HEAD, sizes[name])), sizes[name])


def _read_manifest(storage: Storage, sizes: Mapping[str, int]) -> Manifest | None:
    """What a finished run has written; None if there is nothing, or something damaged."""
    if MANIFEST not in sizes:
        return None
    try:
        return msgspec.json.decode(storage.read(MANIFEST), type=Manifest)
    except msgspec.DecodeError:
        return None


def _check_seen(plan: Plan, storage: Storage) -> None:
    """What workers wrote must be here, or they have a folder of their own."""
    present = storage.sizes()
    for shard in plan.shards:
        if ENTRIES.format(shard.name) not in present:
            raise InputError(
                f"{storage.place}: a worker wrote shard {shard.number}, but it is not here; the folder must be one "
                "that all workers share, or an address such as s3://bucket/run"
            )


def _check_together(plan: Plan, storage: Storage) -> int:
    """Refuse keys and topics that only all shards together show to be wrong; the number of topics."""
    if (manifest := _read_manifest(storage, storage.sizes())) is not None:
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
        held = [opened(path) for path in paths]
        if again := repeated([keys for keys, _ in held]):
            count, shards = again
            raise InputError(
                f"{counted(count, 'row')} with a (topic, summarizer) that occurs before, the first in "
                f"{_places(plan, shards)}; expected each once. Remove the repeated rows."
            )
        topics, wrong, shards_of_first = disagreeing([topics for _, topics in held])
        if shards_of_first:
            raise InputError(
                f"{counted(wrong, 'topic')} with other references or documents elsewhere, the first in "
                f"{_places(plan, shards_of_first)}; expected the same in all rows of a topic."
            )
    return topics


def _places(plan: Plan, numbers: Sequence[int]) -> str:
    shards = [plan.shards[number] for number in sorted(numbers)]
    return " and ".join(
        f"{plan.inputs[one.file].path} (rows {one.before + 1:,} to {one.before + one.rows:,})" for one in shards
    )


def _manifest(plan: Plan, done: dict[int, Entry], topics: int) -> Manifest:
    entries = tuple(done[shard.number] for shard in plan.shards)
    signatures: dict[str, dict[str, None]] = {}
    unscored: Counter[str] = Counter()
    notes: dict[str, dict[str, None]] = {}
    for entry in entries:
        unscored.update(entry.facts.unscored)
        for measure, given in entry.facts.signatures.items():
            signatures.setdefault(measure, {}).update(dict.fromkeys(given))
        for measure, note in entry.facts.notes.items():
            notes.setdefault(measure, {})[note] = None
    return Manifest(
        version=plan.version,
        measures=plan.measures,
        rows=sum(entry.rows for entry in entries),
        summaries=sum(entry.summaries for entry in entries),
        scores=sum(entry.scores for entry in entries),
        topics=topics,
        facts=Facts(
            signatures={measure: tuple(given) for measure, given in signatures.items()},
            higher_is_better={name: good for entry in entries for name, good in entry.facts.higher_is_better.items()},
            notes={measure: "; ".join(given) for measure, given in notes.items()},
            kinds={who: kind for entry in entries for who, kind in entry.facts.kinds.items()},
            names={who: name for entry in entries for who, name in entry.facts.names.items()},
            unscored=dict(unscored),
            topic_count=topics,
        ),
        shards=entries,
    )


def _gather_skipped(plan: Plan, storage: Storage, done: dict[int, Entry]) -> Counter[str]:
    """Write the list of skipped rows; how many there are, by reason."""
    reasons: Counter[str] = Counter()
    listed = []
    for shard in plan.shards:
        if skipped := done[shard.number].skipped:
            reasons.update(skipped)
            listed.append(storage.read(SKIPPED.format(shard.name)))
    if listed:
        storage.write(LISTED, b"".join(listed))
    return reasons
