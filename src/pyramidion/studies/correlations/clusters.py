"""Clusters of measures that do not correlate significantly differently, and mean ranks over several human scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from pyramidion.options import Coefficient, Level
from pyramidion.show.tables import Column, NotedRow, Table, grouped, headed, table_of
from pyramidion.show.wording import listed
from pyramidion.statistics.values import mid_ranks, snap_ties
from pyramidion.studies.correlations.pairs import COUNTED, AtLevel, Correlation
from pyramidion.studies.correlations.tests import CorrelationTest

NOT_TESTED = "its correlation is undefined"


class Cluster(AtLevel, record="cluster"):
    """To which cluster a measure belongs, by the tests between measures; the first correlates most highly."""

    coefficient: Coefficient
    value: float | None = headed("correlation")
    rank: int | None = headed("cluster")
    n: int
    confidence: float
    part: str = ""


class MeanRank(NotedRow, record="mean-rank"):
    """The mean of a measure's ranks over several human scores."""

    measure: str
    level: Level
    coefficient: Coefficient
    value: float | None = headed("mean rank", digits=2)
    by: Literal["cluster", "correlation"]
    """Ranks are numbers of clusters if measures were tested, else ranks of correlations (1 is the highest)."""
    ranks: tuple[float, ...]
    """In the order of the human scores."""
    n: int = headed("human scores")
    """Human scores with which it has a correlation."""
    part: str = ""


def clusters_of(
    ranked: Sequence[Correlation], tests: Sequence[CorrelationTest], *, confidence: float
) -> Iterator[Cluster]:
    """Clusters as in the metrics tasks of WMT.

    Going down from the highest correlation, a measure that differs significantly from any measure of the cluster so far
    (p corrected with Holm's method) begins the next one. Two measures of one cluster never differ significantly; those
    of two clusters may not differ, either.
    """
    level = 1 - confidence / 100
    differ = {
        frozenset((one.first, one.second)) for one in tests if one.p_adjusted is not None and one.p_adjusted < level
    }
    number, members = 1, list[str]()
    for one in ranked:
        if one.value is not None and any(frozenset((one.measure, other)) in differ for other in members):
            number, members = number + 1, []
        members.append(one.measure)
        rank = None if one.value is None else number
        yield Cluster(
            measure=one.measure,
            with_=one.with_,
            level=one.level,
            coefficient=one.coefficient,
            value=one.value,
            rank=rank,
            n=one.n,
            confidence=confidence,
            part=one.part,
            note=one.note,
            reason=NOT_TESTED,
        )


def mean_ranks(
    ranked: Sequence[Sequence[tuple[Correlation, float]]], clusters: Sequence[Cluster]
) -> Iterator[MeanRank]:
    """Mean ranks of measures at one level, by one coefficient, the lowest first.

    Args:
        ranked: for each human score the correlations and how far they agree (the value, reversed if lower is better).
        clusters: of the same, if there are any.
    """
    ranks: dict[str, list[float]] = {}
    if clusters:
        for cluster in clusters:
            ranks.setdefault(cluster.measure, []).extend([] if cluster.rank is None else [float(cluster.rank)])
    else:
        for found in ranked:
            there = [(one, agreement) for one, agreement in found if one.value is not None]
            places = mid_ranks(-snap_ties(np.array([agreement for _, agreement in there], dtype=np.float64)))
            for one, _ in found:
                ranks.setdefault(one.measure, [])
            for (one, _), place in zip(there, places, strict=True):
                ranks[one.measure].append(float(place))
    first = ranked[0][0][0]
    rows = [
        MeanRank(
            measure=measure,
            level=first.level,
            coefficient=first.coefficient,
            value=float(np.mean(own)) if own else None,
            by="cluster" if clusters else "correlation",
            ranks=tuple(own),
            n=len(own),
            part=first.part,
            reason=NOT_TESTED,
        )
        for measure, own in ranks.items()
    ]
    yield from sorted(rows, key=lambda one: (one.value is None, one.value))


def _groups(clusters: Sequence[Cluster]) -> list[list[str]]:
    """The measures of each cluster, the first cluster first."""
    there = [one for one in clusters if one.rank is not None]
    return [[one.measure for one in members] for members in grouped(there, lambda one: one.rank).values()]


def cluster_table(rows: Sequence[Cluster]) -> Table:
    """Clusters of measures, and what they say."""
    first, *others = _groups(rows)
    row = rows[0]
    sentence = "All measures are in one cluster: no difference is significant." if not others else ""
    if others:
        who = f"{first[0]} alone is" if len(first) == 1 else f"{listed(first)} are"
        sentence = f"{who} in the first of {len(others) + 1} clusters by correlation with {row.with_}."
    return table_of(
        rows,
        ("rank", "measure", "coefficient", "value", Column("n", COUNTED[row.level])),
        title=f"Clusters by correlation with {row.with_}, {row.level} level ({row.coefficient})",
        heads=2,
        sentences=(sentence,),
        notes=(
            "Measures of one cluster do not differ significantly. A new cluster starts at the first measure that "
            "differs significantly from any measure in the cluster above.",
        ),
        detail=len(rows) < 3,
        about=f"{row.with_}, {row.level} level, {row.coefficient}",
    )


def mean_rank_table(targets: Sequence[str], rows: Sequence[MeanRank]) -> Table:
    """Mean ranks over human scores at one level."""
    by = "clusters" if rows[0].by == "cluster" else "correlations"
    return table_of(
        rows,
        ("measure", "coefficient", "value", "n"),
        title=f"Mean rank over {listed(targets)}, {rows[0].level} level (ranks of {by}; 1 is the highest)",
        heads=2,
        about=f"{rows[0].level} level",
    )
