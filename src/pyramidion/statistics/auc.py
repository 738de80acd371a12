"""AUC of a measure: how often it agrees that a better summary is better (Amigó, Gonzalo & Verdejo 2012, §4.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.values import mean_of_defined, mid_ranks, quotients, snap_measure_ties


@dataclass(frozen=True, eq=False)
class Auc:
    """By measure and topic."""

    by_topic: Floats
    """Measures × topics; NaN where no pair of summaries differs in quality."""
    pairs: Integers
    """Measures × topics: pairs that differ in quality and have a value."""

    @property
    def macro(self) -> Floats:
        """Per measure, the mean over topics where it is defined."""
        return mean_of_defined(self.by_topic)

    @property
    def micro(self) -> Floats:
        """Per measure, over the pairs of all topics together."""
        total = self.pairs.sum(axis=1)
        agreeing = np.where(self.pairs > 0, self.by_topic, 0.0) * self.pairs
        return quotients(agreeing.sum(axis=1), total)

    @property
    def undefined(self) -> Integers:
        """Per measure, the number of topics without a value."""
        undefined: Integers = np.isnan(self.by_topic).sum(axis=1)
        return undefined


def area_under_curve(values: Floats, quality: Floats) -> Auc:
    """P(x(s) > x(s′) | Q(s) > Q(s′)) within each topic; a tie of the measure counts one half.

    Args:
        values: measures × summarizers × topics, high is good.
        quality: summarizers × topics.
    """
    # Means that differ in the sixteenth digit are ties: without this a tie counts as 0 or 1 by chance.
    values = snap_measure_ties(values)
    measures, _, topics = values.shape
    by_topic = np.full((measures, topics), np.nan)
    pairs = np.zeros((measures, topics), dtype=np.int64)
    for topic in range(topics):
        judged = quality[:, topic]
        better, worse = np.nonzero(judged[:, None] > judged[None, :])  # NaN is never greater
        difference = values[:, better, topic] - values[:, worse, topic]
        defined = ~np.isnan(difference)
        agreeing = np.where(defined, (np.sign(difference) + 1) / 2, 0.0).sum(axis=1)
        pairs[:, topic] = defined.sum(axis=1)
        np.divide(agreeing, pairs[:, topic], out=by_topic[:, topic], where=pairs[:, topic] > 0)
    return Auc(by_topic, pairs)


def robustness(auc: Floats, *, share: float = 0.1) -> Floats:
    """Per measure, its mean rank over the worst share of topics (§5.3).

    In each topic the measures are ranked by AUC (mid-ranks, scaled so that 0 is last and 1 first); of each measure
    the ⌈share · topics⌉ lowest ranks are averaged. NaN for a measure without a rank.

    Args:
        auc: measures × topics.
        share: of the topics where the measure has a rank.
    """
    other_measures = (~np.isnan(auc)).sum(axis=0) - 1
    ranks = quotients(mid_ranks(auc, axis=0) - 1, other_measures)
    lowest = np.full(len(ranks), np.nan)
    for measure, row in enumerate(ranks):
        defined = np.sort(row[~np.isnan(row)])
        if len(defined):
            # 0.1 · 30 is 3.0000000000000004 in binary, and its ceiling would be 4.
            lowest[measure] = defined[: int(np.ceil(round(share * len(defined), 9)))].mean()
    return lowest


def consistent_topics(auc: Floats) -> Bools:
    """Topics in which every measure is evidence of quality: AUC > ½ in all of them (§5.4)."""
    return np.asarray((auc > 0.5).all(axis=0))
