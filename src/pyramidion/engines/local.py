"""The local engine: scores batch after batch on this machine, with the kernels' own threads."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from pyramidion.campaign import Campaign, TopicData
from pyramidion.campaign.campaign import PeerChoice
from pyramidion.engines.gathering import Gather, gather
from pyramidion.engines.wordless import Wordless, Zeros, find_wordless
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.measures.base import Measure, MeasureWarning, Rows, StatisticFacts
from pyramidion.measures.derived import Derived
from pyramidion.measures.deriving import resting_on, with_derived
from pyramidion.measures.overlap import OverlapMeasure
from pyramidion.measures.registry import NOTHING_KNOWN, Known, Selection, known_measures
from pyramidion.measures.rouge_score import RougeScore
from pyramidion.scores import ScoreTable
from pyramidion.scores.table import COLUMNS, COUNT_COLUMNS, Kind
from pyramidion.wording import counted, together

BATCH_PEERS = 4096

Progress = Callable[[int], None]
"""Called with the number of summaries done since the last call."""


def score_shards(
    shards: Iterable[Campaign],
    selections: Sequence[Selection],
    *,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    exclude: Sequence[str] = (),
    known: Known = NOTHING_KNOWN,
    seed: int = 0,
    keep_counts: bool = False,
    progress: Progress | None = None,
    when_read: Callable[[], None] | None = None,
    gather: Gather = gather,
    is_part: bool = False,
) -> ScoreTable:
    """Score every peer of every shard; of what was scored only the values are kept, and counts if asked for.

    `known` are measures that derived ones may name (see `select`). `when_read` is called when all shards have been
    read, before anything is concluded from them: there the data's own errors are raised. `gather` makes the
    evidence of every batch of topics; those who need it later give one that keeps it. `is_part` says that the shards
    are a part of a longer run: notes then have no counts, because those of all parts are put together.
    """
    known = {**known, **known_measures(selections)}
    derived = [selection.measure for selection in selections if isinstance(selection.measure, Derived)]
    direct = [selection for selection in selections if not isinstance(selection.measure, Derived)]
    inner, needed = resting_on(derived, known=known)
    found = Found(wanted_of([*direct, *needed]), seed, keep_counts, zeros=Zeros(are_counted=not is_part))
    for shard in shards:
        found.names |= {id: who.name for id, who in shard.summarizers.items() if who.name}
        found.kinds |= {id: shard.kind_of(id) for id in shard.summarizer_ids}
        chosen = shard.where(where or {})
        found.topics += len(set(chosen.topic_ids) - chosen.continued)
        for topics in batches(_left(chosen.each_topic(peers=peers), exclude, found.excluded)):
            ids = pl.Series([topic.topic.topic for topic in topics], dtype=pl.String)
            wordless = find_wordless(topics)
            for measure, evidence in gather(list(found.wanted), topics).items():
                rows = measure.rows(evidence, topics, seed=seed)
                keys = {"topic": ids.gather(rows.topics), "summarizer": pl.Series(rows.peers, dtype=pl.String)}
                found.add(measure, rows, pl.DataFrame(keys).cast(pl.Categorical), shard.simulated, wordless)
            count = sum(len(topic.peers) for topic in topics)
            found.peers += count
            if progress:
                progress(count)
    if when_read:
        when_read()
    refuse_absent(exclude, found)
    if where and not found.topics:
        asked = ", ".join(f"{key}={value}" for key, value in where.items())
        raise UsageError(f"no topic has {asked}; `pyramidion describe` lists the attributes of topics")
    table = found.table()
    if not derived:
        return table
    wanted = wanted_of(direct)
    aside = {selection.name for selection in needed if not _is_asked(selection, wanted)}
    aside |= {measure.name() for measure in inner if measure not in derived}
    table = with_derived(table, derived, known=known)
    kept = table.only(name for name in table.measures if name not in aside)
    return replace(kept, unscored={name: count for name, count in table.unscored.items() if name not in aside})


def refuse_absent(exclude: Sequence[str], found: Found) -> None:
    """Refuse to leave out a summarizer that has no summaries: the name is probably misspelt.

    Raises:
        UsageError: with a name that is like it.
    """
    absent = [name for name in exclude if name not in found.excluded]
    if absent:
        hint = did_you_mean(absent[0], found.frame["summarizer"].unique().cast(pl.String))
        raise UsageError(f"--exclude {absent[0]}: no summarizer of that name was to be scored{hint} check the spelling")


def _left(topics: Iterable[TopicData], exclude: Sequence[str], excluded: set[str]) -> Iterator[TopicData]:
    """The topics without the summaries of excluded summarizers; notes which of these there were."""
    for topic in topics:
        out = {peer.summarizer for peer in topic.peers} & set(exclude)
        excluded |= out
        yield replace(topic, peers=tuple(peer for peer in topic.peers if peer.summarizer not in out)) if out else topic


def _is_asked(selection: Selection, wanted: Mapping[Measure, set[str] | None]) -> bool:
    """Whether a column is wanted for itself, not only because a derived measure uses it."""
    statistics = wanted.get(selection.measure, set())
    return statistics is None or selection.statistic in statistics


def wanted_of(selections: Sequence[Selection]) -> dict[Measure, set[str] | None]:
    """Each measure once, with the statistics that are wanted of it (None: all)."""
    wanted: dict[Measure, set[str] | None] = {}
    for selection in selections:
        before = wanted.get(selection.measure, set())
        if before is None or selection.statistic is None:
            wanted[selection.measure] = None
        else:
            wanted[selection.measure] = before | {selection.statistic}
    return wanted


def batches(topics: Iterable[TopicData]) -> Iterator[list[TopicData]]:
    """Topics that are scored together."""
    batch: list[TopicData] = []
    size = 0
    for topic in topics:
        batch.append(topic)
        size += max(len(topic.peers), 1)
        if size >= BATCH_PEERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@dataclass
class Found:
    """What a run has found so far."""

    wanted: dict[Measure, set[str] | None]
    seed: int
    keep_counts: bool = False
    topics: int = 0
    peers: int = 0
    excluded: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    frames: list[pl.DataFrame] = field(default_factory=list)
    counts: list[pl.DataFrame] = field(default_factory=lambda: [pl.DataFrame(schema=COUNT_COLUMNS)])
    statistics: dict[Measure, dict[str, None]] = field(default_factory=dict)
    higher_is_better: dict[str, bool | None] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    zeros: Zeros = field(default_factory=Zeros)

    def add(self, measure: Measure, rows: Rows, keys: pl.DataFrame, simulated: str, wordless: Wordless) -> None:
        """Take the rows of one measure, with their topics and summarizers, and what of the data is simulated.

        `wordless` are the summaries without words, which are scored as 0.

        All names are kept as the keys are: as categories, or as strings, which go to a file sooner.
        """
        asked, dtype = self.wanted[measure], keys.schema["topic"]
        self.statistics.setdefault(measure, {}).update(dict.fromkeys(rows.statistics))
        for column, statistic in enumerate(rows.statistics):
            if asked is not None and statistic not in asked:
                continue
            name = measure.name(statistic)
            facts = rows.facts.get(statistic, StatisticFacts())
            self.higher_is_better[name] = measure.higher_is_better and facts.higher_is_better
            self.skipped[name] += facts.skipped
            if facts.lacking:
                message = f"{name} has no value for some summaries: {facts.lacking}"
                warnings.warn(message, MeasureWarning, stacklevel=2)
            if wordless:
                zeros = keys.filter(pl.Series(rows.values[:, column] == 0)).select("topic", "summarizer")
                self.zeros.add(measure, name, zeros.iter_rows(), wordless)
            if note := together(
                simulated_note(measure, simulated),
                facts.note,
                _skipped(self.skipped[name]),
                self.zeros.note(name),
            ):
                self.notes[name] = note
            block = keys.select(
                pl.lit(name, dtype).alias("measure"),
                pl.all(),
                pl.Series("value", rows.values[:, column]),
                self._signatures(measure, rows, column).cast(dtype),
            )
            self.frames.append(block.filter(pl.col("value").is_not_nan()))
        if self.keep_counts and rows.counts is not None:
            counts = pl.DataFrame(rows.counts, schema=list(COUNT_COLUMNS)[-3:])
            block = keys.select(pl.lit(measure.name(), dtype).alias("measure"), pl.all(), *counts)
            self.counts.append(block.filter(pl.col("hits").is_not_nan()))

    def _signatures(self, measure: Measure, rows: Rows, column: int) -> pl.Series:
        counts, which = np.unique(rows.models, return_inverse=True)
        distinct = [measure.signature(rows.statistics[column], models=int(one), seed=self.seed) for one in counts]
        own = pl.Series("signature", distinct, dtype=pl.String).gather(which)
        if rows.signatures is None:
            return own
        given = pl.Series("signature", [row[column] for row in rows.signatures], dtype=pl.String)
        return own.zip_with(given == "", given)

    @property
    def frame(self) -> pl.DataFrame:
        """All scores."""
        return pl.concat(self.frames) if self.frames else pl.DataFrame(schema=COLUMNS)

    def table(self) -> ScoreTable:
        """All of it as a score table."""
        frame = self.frame
        rows = {str(name): count for name, count in frame.group_by("measure").len().iter_rows()}
        self._refuse_unknown_statistics(rows)
        unscored = {
            name: self.peers - rows.get(name, 0)
            for measure, asked in self.wanted.items()
            for statistic in asked or measure.statistics or self.statistics.get(measure, {})
            if self.peers > rows.get(name := measure.name(statistic), 0)
        }
        overlap = [one for one in self.wanted if isinstance(one, OverlapMeasure | RougeScore)]
        return ScoreTable(
            frame=frame,
            higher_is_better={name: good for name, good in self.higher_is_better.items() if name in rows},
            unscored=unscored,
            notes={name: note for name, note in self.notes.items() if name in rows},
            names=self.names,
            kinds=self.kinds,
            topic_count=self.topics,
            counts=pl.concat(self.counts) if self.keep_counts else None,
            rules={one.name(): one.micro_rule for one in overlap} if self.keep_counts else {},
        )

    def _refuse_unknown_statistics(self, rows: Mapping[str, int]) -> None:
        """A question or column that occurs nowhere, while others do, is misspelt."""
        for measure, asked in self.wanted.items():
            there = self.statistics.get(measure, {})
            for statistic in asked or ():
                if there and statistic not in there and measure.name(statistic) not in rows:
                    hint = did_you_mean(statistic, there)
                    raise UsageError(f"{measure.base} has no {statistic!r} here{hint} it has: {', '.join(there)}")


def _skipped(words: int) -> str:
    """The note about words that no value counts."""
    return f"skipped {counted(words, 'word')} that the source documents do not have" if words else ""


def simulated_note(measure: Measure, simulated: str) -> str:
    """The note about values that come from simulated data; texts bear on every measure."""
    needed = {"texts", *measure.required}
    touched = [part for part in map(str.strip, simulated.split(",")) if part in needed]
    return f"simulated {' and '.join(touched)}" if touched else ""
