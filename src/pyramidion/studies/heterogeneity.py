"""How diverse measures are, how far each agrees with quality, and how far HBR does (Amigó, Gonzalo & Verdejo 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.hbr import DECIMALS, Hbr, reorient
from pyramidion.measures.names import parse
from pyramidion.options import HeterogeneityOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import cube_of
from pyramidion.show.tables import ExplainedRow, Finding, ReasonedRow, Row, grouped, headed, hidden
from pyramidion.show.wording import defined, note_on
from pyramidion.statistics.auc import area_under_curve, consistent_topics, robustness
from pyramidion.statistics.heterogeneity import (
    Heterogeneity,
    corroboration,
    estimate_heterogeneity,
    heterogeneity_ranking,
)
from pyramidion.statistics.values import mean_of_defined, snap_ties, t_p

RANK_DECIMALS = 9
"""AUCs that are equal to this many decimals share a rank."""


class MeasureAuc(ExplainedRow, record="auc", digits=3):
    """How often one measure agrees with quality, and how badly it fails in its worst topics. None: undefined."""

    measure: str
    auc: float | None = headed("AUC")
    """Mean over topics."""
    robustness: float | None
    rank: int | None
    robustness_rank: int | None
    pooled: float | None
    """Over the pairs of all topics together."""
    consistent: float | None = headed("AUC on consistent topics")
    """Mean over the topics in which every measure has AUC > ½."""
    t: float | None = headed(digits=2)
    """Of the paired test HBR − measure over topics."""
    p: float | None
    n: int = headed("topics")
    """Topics where it is defined."""
    undefined: int
    with_: str
    seed: int
    is_hbr: bool = hidden(default=False)
    """Whether it is HBR of the others, with which they are compared."""


class SetHeterogeneity(ReasonedRow, record="heterogeneity"):
    """H of a set of measures."""

    measures: tuple[str, ...]
    value: float | None
    pairs: int
    left_out: int
    """Pairs of summaries that lack a value."""
    seed: int


class Bin(Row, record="bin"):
    """Pairs of about the same heterogeneity, and how often the first of them is at least as good as the second."""

    h: float
    probability: float
    n: int


class InconsistentTopic(ReasonedRow, record="inconsistent-topic"):
    """A topic in which some measures are no evidence of quality: their AUC is ½ or less, or undefined."""

    topic: str
    measures: tuple[str, ...]
    lowest: float | None = headed("lowest AUC", digits=3)
    """The lowest AUC; None if none is defined."""


class HeterogeneityTopics(ReasonedRow, record="heterogeneity-topics"):
    """How many topics are consistent, and whether heterogeneity goes with quality."""

    consistent: int
    n: int = headed("topics")
    worst: float = headed("worst, in percent")
    """The per cent of topics that robustness looks at."""
    bin_correlation: float | None
    """Pearson over the bins."""


class HeterogeneityStudy(Finding, eq=True):
    """What a set of measures and a human score say about each other."""

    record_kinds: ClassVar[tuple[str, ...]] = (
        "auc",
        "heterogeneity",
        "bin",
        "inconsistent-topic",
        "heterogeneity-topics",
    )

    measures: tuple[str, ...]
    quality: str
    hbr: str
    """The canonical name of the combined measure."""
    aucs: tuple[MeasureAuc, ...]
    """Best first; HBR is among them."""
    sets: tuple[SetHeterogeneity, ...]
    """All measures together, those of each statistic, every two."""
    bins: tuple[Bin, ...]
    inconsistent: tuple[InconsistentTopic, ...]
    summary: HeterogeneityTopics
    options: HeterogeneityOptions
    seed: int
    notes: Mapping[str, str]
    """By measure, what one must know about its values."""

    def __repr__(self) -> str:
        return f"<HeterogeneityStudy of {', '.join(self.measures)} with {self.quality}>"

    @property
    def pairs(self) -> int:
        """Pairs of summaries on which heterogeneity is estimated."""
        return self.sets[0].pairs

    @property
    def hbr_auc(self) -> MeasureAuc:
        """The row of the combined measure."""
        return next(row for row in self.aucs if row.measure == self.hbr)

    @property
    def best_single(self) -> MeasureAuc:
        """The row of the best measure that is not the combination."""
        return next(row for row in self.aucs if row.measure != self.hbr)


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
    # Sorted, so that a seed draws the same pairs whatever the order of a file.
    cube = cube_of(table, [*names, quality]).sorted_by_name()
    # Measures of which low values are good are turned round first: heterogeneity asks who contradicts whom.
    oriented = reorient(cube.values, cube.higher_is_better)
    values = oriented[:-1]
    judged = snap_ties(oriented[-1])  # equal means of assessors may differ in their last bits
    if np.isnan(judged).all() or np.isnan(values).any(axis=0).all():
        raise InputError(f"no summary has a score on {quality} and on all of: {', '.join(names)}")
    heterogeneity = estimate_heterogeneity(values, scope=options.pairs, sample=options.sample, seed=seed)
    hbr_seed = seed if options.sample else 0  # without a sample, the seed is no part of the measure's identity
    hbr = Hbr(measures=names, pairs=options.pairs, sample=options.sample, seed=hbr_seed).name()
    corroborated = corroboration(values, heterogeneity)
    # Means of the same shares in another order differ in their last bits, and AUC would take that for a difference.
    # Rounded, so that what differs by rounding alone is a tie on every machine.
    ranking = np.round(heterogeneity_ranking(corroborated), DECIMALS)
    auc = area_under_curve(np.concatenate([values, ranking[None]]), judged)
    # The last row is HBR, which has no part in saying which topics are consistent.
    auc_of_measures = auc.by_topic[:-1]
    is_consistent = consistent_topics(auc_of_measures)
    bins = _make_bins(corroborated, judged, options.bins)
    notes = dict(zip(cube.measures, cube.notes, strict=True))
    shared_fields = {name: {"with_": quality, "seed": seed, "note": note_on(notes, name, quality)} for name in names}
    shared_fields[hbr] = {"with_": quality, "seed": seed, "note": note_on(notes, *cube.measures)}
    return HeterogeneityStudy(
        measures=names,
        quality=quality,
        hbr=hbr,
        aucs=_make_auc_rows(shared_fields, auc.by_topic, auc.micro, is_consistent, options.worst / 100),
        sets=_make_set_rows(names, heterogeneity, seed),
        bins=bins,
        inconsistent=tuple(
            _inconsistent_topic(cube.topics[column], names, auc_of_measures[:, column])
            for column in np.nonzero(~is_consistent)[0]
        ),
        summary=HeterogeneityTopics(
            consistent=int(is_consistent.sum()),
            n=len(cube.topics),
            worst=options.worst,
            bin_correlation=_correlate_bins(bins),
        ),
        options=options,
        seed=seed,
        notes=notes,
    )


def _inconsistent_topic(topic: str, names: Sequence[str], aucs: Floats) -> InconsistentTopic:
    """The measures whose AUC in a topic is ½ or less, or undefined."""
    defined_aucs = aucs[~np.isnan(aucs)]
    return InconsistentTopic(
        topic=topic,
        measures=tuple(name for name, auc in zip(names, aucs, strict=True) if not auc > 0.5),
        lowest=float(defined_aucs.min()) if len(defined_aucs) else None,
    )


def _make_auc_rows(
    shared_fields: Mapping[str, Mapping[str, Any]], by_topic: Floats, pooled: Floats, is_consistent: Bools, worst: float
) -> tuple[MeasureAuc, ...]:
    """A row for each measure, best first; in the arrays, HBR comes last."""
    mean_auc = mean_of_defined(by_topic)
    worst_auc = robustness(by_topic, share=worst)
    consistent_auc = mean_of_defined(by_topic[:, is_consistent])
    ranks = _rank_from_best(mean_auc)
    robustness_ranks = _rank_from_best(worst_auc)
    rows = []
    for place, (name, fields) in enumerate(shared_fields.items()):
        is_hbr = place == len(shared_fields) - 1
        t, p = (None, None) if is_hbr else _paired_test(by_topic[-1], by_topic[place])
        rows.append(
            MeasureAuc(
                measure=name,
                auc=defined(mean_auc[place]),
                robustness=defined(worst_auc[place]),
                pooled=defined(pooled[place]),
                consistent=defined(consistent_auc[place]),
                rank=ranks[place],
                robustness_rank=robustness_ranks[place],
                t=t,
                p=p,
                n=int((~np.isnan(by_topic[place])).sum()),
                undefined=int(np.isnan(by_topic[place]).sum()),
                is_hbr=is_hbr,
                **fields,
            )
        )
    return tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank)))


def _rank_from_best(values: Floats) -> list[int | None]:
    """Ranks, 1 for the highest value; equal values share the better rank, and NaN has none."""
    rounded = np.round(values, RANK_DECIMALS)
    return [None if np.isnan(value) else int((rounded > value).sum()) + 1 for value in rounded]


def _paired_test(first: Floats, second: Floats) -> tuple[float | None, float | None]:
    """T and p of the paired t-test over topics that have both values; None if there is nothing to test."""
    difference = (first - second)[~np.isnan(first - second)]
    if len(difference) < 2 or np.ptp(difference) == 0:
        return None, None
    n = len(difference)
    variance = np.mean((difference - difference.mean()) ** 2) * (n / (n - 1))  # to the last digit as scipy's ttest_rel
    t = difference.mean() / np.sqrt(variance / n)
    return float(t), float(t_p(t, n - 1))


def _make_set_rows(names: tuple[str, ...], heterogeneity: Heterogeneity, seed: int) -> tuple[SetHeterogeneity, ...]:
    """H of all measures, of those that share a statistic, and of every two."""
    groups = grouped(names, lambda name: parse(name).statistic or "")
    same_statistic = [tuple(members) for members in groups.values() if len(members) > 1]
    sets = list(dict.fromkeys([names, *same_statistic, *combinations(names, 2)]))
    is_member = np.array([[name in members for name in names] for members in map(set, sets)])
    return tuple(
        SetHeterogeneity(
            measures=members,
            value=defined(value),
            pairs=heterogeneity.pairs,
            left_out=heterogeneity.left_out,
            seed=seed,
        )
        for members, value in zip(sets, heterogeneity.of(is_member), strict=True)
    )


def _make_bins(pairs: Floats, judged: Floats, count: int) -> tuple[Bin, ...]:
    """All ordered pairs of a topic sorted by H, in nearly equal bins (Figure 1)."""
    quality = judged.T
    has_quality = ~np.isnan(quality)
    is_defined = ~np.isnan(pairs) & has_quality[:, :, None] & has_quality[:, None, :]
    heterogeneity = pairs[is_defined]
    is_as_good = (quality[:, :, None] >= quality[:, None, :])[is_defined]
    order = np.argsort(heterogeneity, kind="stable")
    return tuple(
        Bin(h=float(heterogeneity[part].mean()), probability=float(is_as_good[part].mean()), n=len(part))
        for part in np.array_split(order, min(count, max(1, len(order))))
        if len(part)
    )


def _correlate_bins(bins: Sequence[Bin]) -> float | None:
    """Pearson's correlation of heterogeneity with quality over bins; None if they are few or do not vary."""
    points = np.array([(bin_.h, bin_.probability) for bin_ in bins]).reshape(-1, 2)
    if len(points) < 3 or not np.ptp(points, axis=0).all():
        return None
    return float(np.corrcoef(points.T)[0, 1])
