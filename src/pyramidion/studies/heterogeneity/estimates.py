"""How diverse measures are, how far each agrees with quality, and how far HBR does (Amigó, Gonzalo & Verdejo 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.hbr import DECIMALS, Hbr, good_is_high
from pyramidion.measures.names import parse
from pyramidion.options import HeterogeneityOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import cube_of
from pyramidion.show.tables import grouped
from pyramidion.show.wording import defined, note_on
from pyramidion.statistics.auc import area_under_curve, consistent_topics, robustness
from pyramidion.statistics.heterogeneity import (
    Heterogeneity,
    corroboration,
    estimate_heterogeneity,
    heterogeneity_ranking,
)
from pyramidion.statistics.values import mean_of_defined, settled, t_p
from pyramidion.studies.heterogeneity.study import (
    Bin,
    HeterogeneityStudy,
    HeterogeneityTopics,
    InconsistentTopic,
    MeasureAuc,
    SetHeterogeneity,
)


def study_heterogeneity(
    table: ScoreTable,
    quality: str,
    measures: Sequence[str],
    options: HeterogeneityOptions | None = None,
    *,
    seed: int = 0,
) -> HeterogeneityStudy:
    """Tables and figures of the paper for any set of measures and any human score.

    Args:
        table: scores of the measures and of quality.
        quality: the column that counts as truth.
        measures: the columns to combine.
        options: how heterogeneity is estimated, and what robustness looks at.
        seed: of the sample of pairs.
    """
    options = options or HeterogeneityOptions()
    names = tuple(name for name in dict.fromkeys(measures) if name != quality)
    if not names:
        raise UsageError(f"heterogeneity needs at least one measure other than {quality}; give -m")
    cube = cube_of(table, [*names, quality]).sorted_by_name()
    turned = good_is_high(cube.values, cube.higher_is_better)
    values, judged = turned[:-1], settled(turned[-1])  # equal means of assessors may differ in their last bits
    if np.isnan(judged).all() or np.isnan(values).any(axis=0).all():
        raise InputError(f"no summary has a score on {quality} and on all of: {', '.join(names)}")
    heterogeneity = estimate_heterogeneity(values, scope=options.pairs, sample=options.sample, seed=seed)
    hbr = Hbr(measures=names, pairs=options.pairs, sample=options.sample, seed=seed if options.sample else 0).name()
    corroborated = corroboration(values, heterogeneity)
    ranking = np.round(heterogeneity_ranking(corroborated), DECIMALS)
    auc = area_under_curve(np.concatenate([values, ranking[None]]), judged)
    consistent = consistent_topics(auc.by_topic[:-1])
    bins = _bins(corroborated, judged, options.bins)
    notes = dict(zip(cube.measures, cube.notes, strict=True))
    shared = {name: {"with_": quality, "seed": seed, "note": note_on(notes, name, quality)} for name in names}
    shared[hbr] = {"with_": quality, "seed": seed, "note": note_on(notes, *cube.measures)}
    return HeterogeneityStudy(
        measures=names,
        quality=quality,
        hbr=hbr,
        aucs=_aucs(shared, auc.by_topic, auc.micro, consistent, options.worst / 100),
        sets=_sets(names, heterogeneity, seed),
        bins=bins,
        inconsistent=tuple(
            InconsistentTopic(
                topic=cube.topics[column],
                measures=tuple(
                    name for name, high in zip(names, auc.by_topic[:-1, column] > 0.5, strict=True) if not high
                ),
                lowest=min((float(one) for one in auc.by_topic[:-1, column] if not np.isnan(one)), default=None),
            )
            for column in np.nonzero(~consistent)[0]
        ),
        summary=HeterogeneityTopics(
            consistent=int(consistent.sum()),
            n=len(cube.topics),
            worst=options.worst,
            bin_correlation=_correlation(bins),
        ),
        options=options,
        seed=seed,
        notes=notes,
    )


def _aucs(
    shared: Mapping[str, Mapping[str, Any]], by_topic: Floats, pooled: Floats, consistent: Bools, worst: float
) -> tuple[MeasureAuc, ...]:
    """A row for each measure, best first; HBR is the last of those that come in."""
    mean_auc = mean_of_defined(by_topic)
    worst_auc = robustness(by_topic, share=worst)
    consistent_auc = mean_of_defined(by_topic[:, consistent])
    ranks, robust_ranks = _ranks(mean_auc), _ranks(worst_auc)
    rows = []
    for row, (name, facts) in enumerate(shared.items()):
        is_hbr = row == len(shared) - 1
        t, p = (None, None) if is_hbr else _paired_test(by_topic[-1], by_topic[row])
        reason = (
            "no topic has two summaries of different quality that both have a value"
            if ranks[row] is None
            else "HBR is not tested against itself"
            if is_hbr
            else "too few topics, or no difference from HBR, or no consistent topic"
        )
        rows.append(
            MeasureAuc(
                measure=name,
                auc=defined(mean_auc[row]),
                robustness=defined(worst_auc[row]),
                pooled=defined(pooled[row]),
                consistent=defined(consistent_auc[row]),
                rank=ranks[row],
                robustness_rank=robust_ranks[row],
                t=t,
                p=p,
                n=int((~np.isnan(by_topic[row])).sum()),
                undefined=int(np.isnan(by_topic[row]).sum()),
                reason=reason,
                **facts,
            )
        )
    return tuple(sorted(rows, key=lambda one: (one.rank is None, one.rank)))


def _ranks(values: Floats) -> list[int | None]:
    """1 is best; equal ones (to nine decimals) share the better rank."""
    goodness = np.round(values, 9)
    return [None if np.isnan(one) else int((goodness > one).sum()) + 1 for one in goodness]


def _paired_test(one: Floats, other: Floats) -> tuple[float | None, float | None]:
    difference = (one - other)[~np.isnan(one - other)]
    if len(difference) < 2 or np.ptp(difference) == 0:
        return None, None
    n = len(difference)
    variance = np.mean((difference - difference.mean()) ** 2) * (n / (n - 1))  # to the last digit as scipy's ttest_rel
    t = difference.mean() / np.sqrt(variance / n)
    return float(t), float(t_p(t, n - 1))


def _sets(names: tuple[str, ...], heterogeneity: Heterogeneity, seed: int) -> tuple[SetHeterogeneity, ...]:
    groups = grouped(names, lambda name: parse(name).statistic or "")
    of_a_statistic = [tuple(members) for members in groups.values() if len(members) > 1]
    chosen = list(dict.fromkeys([names, *of_a_statistic, *combinations(names, 2)]))
    flags = np.array([[name in members for name in names] for members in map(set, chosen)])
    return tuple(
        SetHeterogeneity(
            measures=members,
            value=defined(value),
            pairs=heterogeneity.pairs,
            left_out=heterogeneity.left_out,
            seed=seed,
        )
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
