"""How diverse measures are, what their heterogeneity says of quality, and how far HBR can be trusted (paper 001)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.hbr import DECIMALS, Hbr, good_is_high
from pyramidion.measures.names import parse
from pyramidion.scores import ScoreTable, cube_of
from pyramidion.statistics.auc import area_under_curve, consistent_topics, robustness
from pyramidion.statistics.heterogeneity import (
    Heterogeneity,
    Scope,
    corroboration,
    estimate_heterogeneity,
    heterogeneity_ranking,
)
from pyramidion.statistics.means import mean_of_defined
from pyramidion.statistics.ties import settled
from pyramidion.wording import defined


@dataclass(frozen=True, kw_only=True)
class MeasureAuc:
    """How often one measure agrees with quality, and how badly it fails in its worst topics. None: undefined."""

    measure: str
    auc: float | None
    """Mean over topics."""
    pooled: float | None
    """Over the pairs of all topics together."""
    rank: int | None
    robustness: float | None
    robustness_rank: int | None
    on_consistent_topics: float | None
    t: float | None
    """Of the paired test HBR − measure over topics."""
    p: float | None
    n: int
    """Topics where it is defined."""
    undefined: int


@dataclass(frozen=True, kw_only=True)
class SetHeterogeneity:
    """H of a set of measures."""

    measures: tuple[str, ...]
    value: float | None
    pairs: int


@dataclass(frozen=True, kw_only=True)
class Bin:
    """Pairs of about the same heterogeneity, and how often the first of them is at least as good as the second."""

    h: float
    probability: float
    n: int


@dataclass(frozen=True, kw_only=True)
class HeterogeneityStudy:
    """What a set of measures and a human score say about each other."""

    measures: tuple[str, ...]
    quality: str
    hbr: str
    """The canonical name of the combined measure."""
    aucs: tuple[MeasureAuc, ...]
    """Best first; HBR is among them."""
    sets: tuple[SetHeterogeneity, ...]
    """All measures together, those of each statistic, every two."""
    bins: tuple[Bin, ...]
    bin_correlation: float | None
    """Pearson over the bins."""
    topics: int
    consistent: int
    """Topics in which every measure has AUC > ½."""
    pairs: int
    left_out: int
    worst: float
    """Share of topics that robustness looks at."""
    sample: int | None
    seed: int
    notes: Mapping[str, str] = field(default_factory=dict)
    """By measure, what must be said with its values."""


def study_heterogeneity(
    table: ScoreTable,
    quality: str,
    *,
    measures: Sequence[str] | None = None,
    scope: Scope = "topic",
    sample: int | None = None,
    seed: int = 0,
    worst: float = 0.1,
    bins: int = 100,
) -> HeterogeneityStudy:
    """Tables and figures of paper 001 for any set of measures and any human score.

    Args:
        table: scores of the measures and of quality.
        quality: the column that counts as truth.
        measures: the columns to combine (default: all others).
        scope: pairs of which heterogeneity is estimated: of one topic, or any.
        sample: number of pairs to draw for it; None enumerates all.
        seed: of the draw.
        worst: share of topics that robustness looks at.
        bins: of pairs sorted by heterogeneity.
    """
    _check(worst, bins, sample)
    names = tuple(name for name in (table.measures if measures is None else dict.fromkeys(measures)) if name != quality)
    if not names:
        raise UsageError("heterogeneity needs at least one measure besides the quality that it is set against")
    cube = cube_of(table, [*names, quality]).sorted_by_name()
    turned = good_is_high(cube.values, cube.higher_is_better)
    values, judged = turned[:-1], settled(turned[-1])  # equal means of assessors may differ in their last bits
    if np.isnan(judged).all() or np.isnan(values).any(axis=0).all():
        raise InputError(f"no summary has a value on {quality} and on all of: {', '.join(names)}")
    heterogeneity = estimate_heterogeneity(values, scope=scope, sample=sample, seed=seed)
    hbr = Hbr(measures=names, pairs=scope, sample=sample, seed=seed if sample else 0)
    corroborated = corroboration(values, heterogeneity)
    ranking = np.round(heterogeneity_ranking(corroborated), DECIMALS)
    auc = area_under_curve(np.concatenate([values, ranking[None]]), judged)
    consistent = consistent_topics(auc.by_topic[:-1])
    found = _bins(corroborated, judged, bins)
    return HeterogeneityStudy(
        measures=names,
        quality=quality,
        hbr=hbr.name(),
        aucs=_aucs([*names, hbr.name()], auc.by_topic, auc.micro, consistent, worst),
        sets=_sets(names, heterogeneity),
        bins=found,
        bin_correlation=_correlation(found),
        topics=len(cube.topics),
        consistent=int(consistent.sum()),
        pairs=heterogeneity.pairs,
        left_out=heterogeneity.left_out,
        worst=worst,
        sample=sample,
        seed=seed,
        notes={name: note for name, note in zip(cube.measures, cube.notes, strict=True) if note},
    )


def _check(worst: float, bins: int, sample: int | None) -> None:
    if not 0 < worst <= 1:
        raise UsageError(f"the worst share of topics is {worst:g}; expected more than 0 and at most 1")
    if bins < 2:
        raise UsageError(f"{bins} bins; expected at least 2")
    if sample is not None and sample < 1:
        raise UsageError(f"a sample of {sample} pairs; expected at least 1")


def _aucs(
    names: Sequence[str], by_topic: Floats, pooled: Floats, consistent: Bools, worst: float
) -> tuple[MeasureAuc, ...]:
    macro = mean_of_defined(by_topic)
    lowest = robustness(by_topic, share=worst)
    where_consistent = mean_of_defined(by_topic[:, consistent])
    ranks, robust_ranks = _ranks(macro), _ranks(lowest)
    rows = [
        MeasureAuc(
            measure=name,
            auc=defined(macro[row]),
            pooled=defined(pooled[row]),
            rank=ranks[row],
            robustness=defined(lowest[row]),
            robustness_rank=robust_ranks[row],
            on_consistent_topics=defined(where_consistent[row]),
            **_paired_test(by_topic[-1], by_topic[row]) if row < len(names) - 1 else {"t": None, "p": None},
            n=int((~np.isnan(by_topic[row])).sum()),
            undefined=int(np.isnan(by_topic[row]).sum()),
        )
        for row, name in enumerate(names)
    ]
    return tuple(sorted(rows, key=lambda one: (one.rank is None, one.rank)))


def _ranks(values: Floats) -> list[int | None]:
    """1 is best; equal ones (to nine decimals) share the better rank."""
    from scipy import stats

    defined = ~np.isnan(values)
    ranks = np.zeros(len(values), dtype=np.int64)
    ranks[defined] = stats.rankdata(-np.round(values[defined], 9), method="min").astype(np.int64)
    return [int(rank) if there else None for rank, there in zip(ranks, defined, strict=True)]


def _paired_test(one: Floats, other: Floats) -> dict[str, float | None]:
    from scipy import stats

    both = ~np.isnan(one) & ~np.isnan(other)
    difference = one[both] - other[both]
    if len(difference) < 2 or np.ptp(difference) == 0:
        return {"t": None, "p": None}
    test = stats.ttest_rel(one[both], other[both])
    return {"t": float(test.statistic), "p": float(test.pvalue)}


def _sets(names: tuple[str, ...], heterogeneity: Heterogeneity) -> tuple[SetHeterogeneity, ...]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(parse(name).statistic or "", []).append(name)
    chosen: dict[tuple[str, ...], None] = {names: None}
    for members in groups.values():
        if len(members) > 1:
            chosen.setdefault(tuple(members))
    for two in combinations(names, 2):
        chosen.setdefault(two)
    flags = np.array([[name in members for name in names] for members in map(set, chosen)])
    return tuple(
        SetHeterogeneity(measures=members, value=defined(value), pairs=heterogeneity.pairs)
        for members, value in zip(chosen, heterogeneity.of(flags), strict=True)
    )


def _bins(pairs: Floats, judged: Floats, count: int) -> tuple[Bin, ...]:
    """All ordered pairs of a topic sorted by H, in nearly equal bins (Figure 1)."""
    quality = judged.T
    defined = ~np.isnan(pairs) & ~np.isnan(quality)[:, :, None] & ~np.isnan(quality)[:, None, :]
    heterogeneity = pairs[defined]
    better = (quality[:, :, None] >= quality[:, None, :])[defined]
    order = np.argsort(heterogeneity, kind="stable")
    return tuple(
        Bin(h=float(heterogeneity[part].mean()), probability=float(better[part].mean()), n=len(part))
        for part in np.array_split(order, min(count, max(1, len(order))))
        if len(part)
    )


def _correlation(bins: Sequence[Bin]) -> float | None:
    points = np.array([(one.h, one.probability) for one in bins]).reshape(-1, 2)
    if len(points) < 3 or not np.ptp(points, axis=0).all():
        return None
    return float(np.corrcoef(points.T)[0, 1])
