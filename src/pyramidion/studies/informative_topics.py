"""Which topics to look at first: those where the best summarizers differ most, and those where measures disagree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.scores import ScoreMatrix
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.means import system_means

BEST = 3
"""How many of the best systems are compared on each topic."""


@dataclass(frozen=True, kw_only=True)
class InformativeTopic:
    """A topic and why it is worth looking at."""

    topic: str
    why: str


def informative_topics(measure: ScoreMatrix, other: ScoreMatrix | None) -> list[InformativeTopic]:
    """All topics of a measure, the most informative first.

    A topic is informative if the systems that are best overall get very different scores on it, or if it ranks the
    systems differently from the second measure on the same topic (without one: from the means over all topics). Each
    of the two criteria ranks the topics; the better of its two ranks counts for a topic.
    """
    spread = _spread_of_best(measure)
    agreement = _agreement(measure, other)
    of_spread, of_agreement = _ranks(-spread), _ranks(agreement)
    order = np.lexsort((of_spread + of_agreement, np.minimum(of_spread, of_agreement)))
    unlike = f"{measure.measure} and {other.measure}" if other else f"{measure.measure} and its means over all topics"
    found = []
    for at in order:
        best_differ = of_spread[at] <= of_agreement[at]
        if best_differ and not np.isnan(spread[at]):
            why = f"the top {BEST} systems differ by {spread[at]:.3g} on {measure.measure}"
        elif not np.isnan(agreement[at]):
            tau = f"{agreement[at]:.2f}".replace("-", "−")
            why = f"{unlike} rank the systems differently (Kendall's τ {tau})"
        else:
            why = "no two systems can be compared here"
        found.append(InformativeTopic(topic=measure.topics[at], why=why))
    return found


def _spread_of_best(measure: ScoreMatrix) -> Floats:
    """By topic, highest minus lowest score of the summarizers that are best overall; NaN with fewer than two."""
    means = system_means(measure.values)
    good = means if measure.higher_is_better else -means
    best = measure.values[np.argsort(-good, kind="stable")[:BEST]]
    enough = (~np.isnan(best)).sum(axis=0) >= 2
    spread = np.full(best.shape[1], np.nan)
    if enough.any():
        spread[enough] = np.nanmax(best[:, enough], axis=0) - np.nanmin(best[:, enough], axis=0)
    return spread


def _agreement(measure: ScoreMatrix, other: ScoreMatrix | None) -> Floats:
    """By topic, Kendall's τ of the two orders of summarizers; both are turned so that high is good."""
    mine = measure.values if measure.higher_is_better else -measure.values
    if other is None:
        theirs = np.repeat(system_means(mine)[:, None], mine.shape[1], axis=1)
    else:
        theirs = np.full_like(mine, np.nan)
        rows = {who: at for at, who in enumerate(other.summarizers)}
        columns = {topic: at for at, topic in enumerate(other.topics)}
        whose = [(at, rows[who]) for at, who in enumerate(measure.summarizers) if who in rows]
        about = [(at, columns[topic]) for at, topic in enumerate(measure.topics) if topic in columns]
        if whose and about:
            (mine_rows, their_rows), (mine_columns, their_columns) = zip(*whose, strict=True), zip(*about, strict=True)
            found = other.values[np.ix_(their_rows, their_columns)]
            theirs[np.ix_(mine_rows, mine_columns)] = found if other.higher_is_better else -found
    return row_correlations(mine.T, theirs.T, coefficient="kendall")


def _ranks(values: Floats) -> Integers:
    """Places in rising order, from 0; NaN last."""
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
    return ranks
