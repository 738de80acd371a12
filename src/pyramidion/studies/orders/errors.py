"""Errors E1–E3 of comparing two summaries by small pyramids (Nenkova & Passonneau 2004, §3.3, table 3)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyramidion.show.tables import ExplainedRow
from pyramidion.studies.orders.sets import OrderScores, Pairs


class ErrorProbabilities(ExplainedRow, record="orders-error"):
    """Comparisons of all pairs by pyramids of an order, against the comparison by the pyramid of all others.

    Two summaries are the same if their scores differ by less than the threshold. E1: the same by all others, different
    by the smaller pyramid; E2: different, but the same by the smaller pyramid; E3: different, and reversed by it.
    """

    models: int
    """Summaries in a set."""
    topics: int
    order: int
    p1: float
    """P(E1 | same)."""
    p2: float
    """P(E2 | different)."""
    p3: float
    """P(E3 | different)."""
    error_rate: float
    """p1·q + (p2 + p3)(1 − q): the share of comparisons that are errors, whichever."""
    q: float
    """Share of comparisons of pairs that are the same."""
    data_points: int
    """Comparisons: pairs × pyramids that contain neither."""
    same: int
    """Comparisons of pairs that are the same by all others."""
    different: int
    e1: int
    e2: int
    e3: int
    at_threshold: int
    """Comparisons that differ by exactly the threshold; they count as different."""
    threshold: float
    exhaustive: bool


def error_probabilities(
    sets: Sequence[tuple[OrderScores, ...]], *, threshold: float = 0.06
) -> list[ErrorProbabilities]:
    """Errors at each order 1 … N − 2, counts added up over sets that have the same size N."""
    pairs = [Pairs.of(scores) for scores in sets]
    models = len(sets[0]) + 1
    rows = []
    for place in range(len(sets[0]) - 1):
        at_order = [scores[place] for scores in sets]
        rows.append(_count_errors(at_order, pairs, threshold, models=models))
    return rows


def _count_errors(
    scores: Sequence[OrderScores], pairs: Sequence[Pairs], threshold: float, *, models: int
) -> ErrorProbabilities:
    """The errors of all sets at one order."""
    counts = np.zeros(6, dtype=np.int64)
    for set_scores, set_pairs in zip(scores, pairs, strict=True):
        # Differences were rounded to nine decimals: .06 itself counts as different, as in the paper.
        same_by_all = np.abs(set_pairs.difference) < threshold
        for difference in set_pairs.differences(set_scores):
            compared = ~np.isnan(difference)
            size = np.abs(difference)
            same = compared & (size < threshold)
            different = compared & ~same
            # Only pairs that differ by all others are counted below, so that a sign of 0 does not occur there.
            is_reversed = different & (np.sign(difference) != np.sign(set_pairs.difference))
            counts += [
                (compared & same_by_all).sum(),
                (compared & ~same_by_all).sum(),
                (different & same_by_all).sum(),
                (same & ~same_by_all).sum(),
                (is_reversed & ~same_by_all).sum(),
                (compared & (size == threshold)).sum(),
            ]
    same_count, different_count, e1, e2, e3, at_threshold = map(int, counts)
    total = same_count + different_count
    return ErrorProbabilities(
        models=models,
        topics=len(scores),
        order=scores[0].order,
        p1=_share(e1, same_count),
        p2=_share(e2, different_count),
        p3=_share(e3, different_count),
        error_rate=_share(e1 + e2 + e3, total),
        q=_share(same_count, total),
        threshold=threshold,
        data_points=total,
        same=same_count,
        different=different_count,
        e1=e1,
        e2=e2,
        e3=e3,
        at_threshold=at_threshold,
        exhaustive=all(set_scores.exhaustive for set_scores in scores),
    )


def _share(part: int, whole: int) -> float:
    """The quotient; NaN if there is nothing to divide by."""
    return part / whole if whole else float("nan")
