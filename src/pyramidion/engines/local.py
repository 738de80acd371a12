"""The local engine: scores batch after batch on this machine, with the kernels' own threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from pyramidion.campaign import Campaign, PeerChoice, TopicData
from pyramidion.errors import UsageError
from pyramidion.measures import Measure, Rows, Selection
from pyramidion.scores import ScoreTable
from pyramidion.scores.table import COLUMNS, COUNT_COLUMNS

BATCH_PEERS = 4096

Progress = Callable[[int], None]
"""Called with the number of summaries done since the last call."""


def score_shards(
    shards: Iterable[Campaign],
    selections: Sequence[Selection],
    *,
    peers: PeerChoice = "systems",
    where: Mapping[str, str] | None = None,
    seed: int = 0,
    keep_counts: bool = False,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score every peer of every shard; of what was scored only the values are kept, and counts if asked for."""
    wanted = _wanted(selections)
    frames = [pl.DataFrame(schema=COLUMNS)]
    counts = [pl.DataFrame(schema=COUNT_COLUMNS)]
    higher_is_better: dict[str, bool] = {}
    unscored: Counter[str] = Counter()
    notes: dict[str, str] = {}
    names: dict[str, str] = {}
    fitting = False
    for shard in shards:
        names |= {id: who.name for id, who in shard.summarizers.items() if who.name}
        chosen = shard.where(where or {})
        fitting = fitting or bool(chosen.topic_ids)
        for topics in _batches(chosen.each_topic(peers=peers)):
            for measure, rows in _score_batch(list(wanted), topics, seed):
                frame = _frame(measure, rows, wanted[measure], topics, seed)
                frames.append(frame)
                if keep_counts and rows.counts is not None:
                    counts.append(_counts_frame(measure, rows, topics))
                for name in frame["measure"].unique().cast(pl.String):
                    higher_is_better[name] = measure.higher_is_better
                    if note := _simulated(measure, shard):
                        notes[name] = note
                unscored.update(_unscored(measure, wanted[measure], frame, topics))
            if progress:
                progress(sum(len(topic.peers) for topic in topics))
    if where and not fitting:
        asked = ", ".join(f"{key}={value}" for key, value in where.items())
        raise UsageError(f"no topic has {asked}; `pyramidion describe` lists the attributes of topics")
    return ScoreTable(
        frame=pl.concat(frames),
        counts=pl.concat(counts) if keep_counts else None,
        higher_is_better=higher_is_better,
        unscored=+unscored,
        notes=notes,
        names=names,
    )


def _simulated(measure: Measure, campaign: Campaign) -> str:
    """What to say of values that rest on something made up; texts bear on every measure."""
    needed = {"texts", *measure.needs}
    touched = [part for part in map(str.strip, campaign.simulated.split(",")) if part in needed]
    return f"simulated {' and '.join(touched)}" if touched else ""


def _wanted(selections: Sequence[Selection]) -> dict[Measure, set[str] | None]:
    """Each measure once, with the statistics that are wanted of it (None: all)."""
    wanted: dict[Measure, set[str] | None] = {}
    for selection in selections:
        before = wanted.get(selection.measure, set())
        if before is None or selection.statistic is None:
            wanted[selection.measure] = None
        else:
            wanted[selection.measure] = before | {selection.statistic}
    return wanted


def _batches(topics: Iterable[TopicData]) -> Iterator[list[TopicData]]:
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


def _score_batch(measures: list[Measure], topics: list[TopicData], seed: int) -> Iterator[tuple[Measure, Rows]]:
    """Rows of each measure, in the order asked for; measures of one family are gathered together."""
    families: dict[type[Measure], list[Measure]] = {}
    for measure in measures:
        families.setdefault(type(measure), []).append(measure)
    evidence = {
        measure: found
        for family, members in families.items()
        for measure, found in zip(members, family.gather(members, topics), strict=True)
    }
    for measure in measures:
        yield measure, measure.rows(evidence[measure], topics, seed=seed)


def _frame(
    measure: Measure, rows: Rows, statistics: set[str] | None, topics: list[TopicData], seed: int
) -> pl.DataFrame:
    """The rows as columns of a score table, a block for each statistic."""
    ids = np.array([topic.topic.topic for topic in topics], dtype=object)
    topic = pl.Series("topic", ids[rows.topics], dtype=pl.String).cast(pl.Categorical)
    summarizer = pl.Series("summarizer", rows.peers, dtype=pl.String).cast(pl.Categorical)
    counts, which = np.unique(rows.models, return_inverse=True)
    blocks = [pl.DataFrame(schema=COLUMNS)]
    for column, statistic in enumerate(rows.statistics):
        if statistics is not None and statistic not in statistics:
            continue
        signatures = [measure.signature(statistic, models=int(count), seed=seed) for count in counts]
        signature = pl.Series(np.array(signatures, dtype=object)[which], dtype=pl.String).cast(pl.Categorical)
        block = pl.DataFrame(
            {
                "measure": pl.repeat(measure.name(statistic), len(topic), dtype=pl.String, eager=True).cast(
                    pl.Categorical
                ),
                "topic": topic,
                "summarizer": summarizer,
                "value": rows.values[:, column],
                "signature": signature,
            }
        )
        blocks.append(block.filter(pl.col("value").is_not_nan()))
    return pl.concat(blocks)


def _counts_frame(measure: Measure, rows: Rows, topics: list[TopicData]) -> pl.DataFrame:
    ids = np.array([topic.topic.topic for topic in topics], dtype=object)
    hits, model_counts, peer_counts = rows.counts.T if rows.counts is not None else np.zeros((3, 0))
    columns = {
        "measure": [measure.name()] * len(rows.peers),
        "topic": ids[rows.topics].tolist(),
        "summarizer": list(rows.peers),
        "hits": hits,
        "model_count": model_counts,
        "peer_count": peer_counts,
    }
    return pl.DataFrame(columns, schema=COUNT_COLUMNS)


def _unscored(
    measure: Measure, statistics: set[str] | None, frame: pl.DataFrame, topics: list[TopicData]
) -> Counter[str]:
    """How many peers of the batch got no value, by measure name."""
    peers = sum(len(topic.peers) for topic in topics)
    found: Counter[str] = Counter({measure.name(statistic): 0 for statistic in statistics or measure.statistics or ()})
    for name, count in frame.group_by("measure").len().iter_rows():
        found[name] = count
    return Counter({name: max(peers - count, 0) for name, count in found.items()})
