"""How far small pyramids, or unigram overlap, rank summaries as the pyramid of all others does.

Tables 4 and 5 of Nenkova & Passonneau 2004.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError
from pyramidion.options import OrdersOptions
from pyramidion.show.tables import ExplainedRow, headed
from pyramidion.statistics.correlation.exact import orders_by_sum
from pyramidion.statistics.values import mid_ranks, quotients, t_critical
from pyramidion.studies.orders.sets import (
    DECIMALS,
    Subsets,
    SummarySet,
    draw_subsets,
    generator_for,
    leave_one_out,
    pyramid_scores,
)

By = Literal["pyramid", "overlap"]
"""What ranks: the pyramid of some models, or unigram overlap with these models joined."""

LARGEST_EXACT = 12
"""Up to this many ranked summaries every permutation is counted; beyond, t with N − 2 degrees of freedom is used."""
DEFAULT_RANKED = 5
"""Summaries that are ranked unless something else is asked for, as in the paper."""
_BLOCK_CELLS = 4_000_000
"""Subsets × summaries × types that are compared at a time: memory stays bounded."""


class Ranking(ExplainedRow, record="orders-ranking"):
    """Spearman's r_s between rankings by `order` models and the ranking by the pyramid of all others."""

    by: By
    models: int
    """Summaries in a set."""
    topics: int
    order: int
    """Models in the pyramid, or joined into one."""
    ranked: int
    """Summaries that are ranked; pyramids are made of the others."""
    mean: float = headed("mean correlation")
    """Mean r_s over topics and pyramids, without undefined ones."""
    n: int
    """Pyramids, or combinations of models."""
    undefined: int
    """Those that give all summaries the same score."""
    critical: float
    """The one-sided critical value; NaN if no r_s of this many ranks is significant."""
    critical_p: float
    """The probability that independent rankings reach it."""
    share: float
    """Share of the defined ones whose r_s reaches the critical value."""
    method: Literal["exact", "t"]
    confidence: float
    exhaustive: bool
    seed: int


def ranking(
    sets: Sequence[SummarySet],
    ranked: Sequence[Sequence[int]],
    options: OrdersOptions = OrdersOptions(),  # noqa: B008
    *,
    by: By = "pyramid",
    seed: int = 0,
) -> list[Ranking]:
    """r_s at each order, over sets that have the same size.

    Args:
        sets: the summaries of each topic.
        ranked: for each set the columns of the summaries that are ranked.
        options: which pyramid score, the confidence of the one-sided test, how many subsets are enumerated.
        by: what ranks them.
        seed: of the sample.
    """
    size, count = len(sets[0]), len(ranked[0])
    if not 2 <= count < size:
        raise UsageError(
            f"{count} ranked of {size} summaries: expected at least 2, and at least one other to make a pyramid of"
        )
    references = [leave_one_out(summaries, options.score) for summaries in sets]
    critical = spearman_critical(count, confidence=options.confidence)
    rows: list[Ranking] = []
    for order in range(1, size - count + 1):
        correlations: list[Floats] = []
        exhaustive = True
        for summaries, columns, reference in zip(sets, ranked, references, strict=True):
            chosen = list(columns)
            models = [index for index in range(size) if index not in chosen]
            drawn = draw_subsets(models, order, width=size, limit=options.limit, topic=summaries.topic, seed=seed)
            exhaustive &= drawn.exhaustive
            if by == "pyramid":
                values = pyramid_scores(summaries, drawn, options.score)
            else:
                values = overlap_scores(summaries, drawn)
            correlations.append(spearman_rows(values[:, chosen], reference[chosen]))
        pooled = np.concatenate(correlations)
        defined = pooled[~np.isnan(pooled)]
        share = float("nan")
        if len(defined) and not np.isnan(critical.value):
            # r_s takes few values, of which the critical one is one: with five ranks .9, not the .85 that the paper
            # prints.
            share = float((defined >= critical.value - 1e-9).mean())
        rows.append(
            Ranking(
                by=by,
                models=size,
                topics=len(sets),
                order=order,
                ranked=count,
                mean=float(defined.mean()) if len(defined) else float("nan"),
                n=len(pooled),
                undefined=len(pooled) - len(defined),
                critical=critical.value,
                critical_p=critical.p,
                share=share,
                method=critical.method,
                confidence=options.confidence,
                exhaustive=exhaustive,
                seed=seed,
            )
        )
    return rows


def overlap_scores(summaries: SummarySet, drawn: Subsets) -> Floats:
    """Unigram recall of each summary against the joined models of each subset: subsets × summaries.

    `rouge-1(stop=yes).recall` with one model made by joining k models: Σ_w min(peer(w), Σ_m model_m(w)) / Σ_w Σ_m
    model_m(w). The peer "a" against the models "a" and "a" has .5.
    """
    if summaries.tokens is None:
        raise UsageError(f"topic {summaries.topic!r}: unigram overlap needs the texts of the summaries")
    counts = summaries.tokens
    # The k models joined into one text, as in Table 5: a word counts as often as all of them have it.
    joined = drawn.masks.astype(np.float64) @ counts
    scores = np.zeros((len(joined), len(counts)))
    block = max(1, _BLOCK_CELLS // max(counts.size, 1))
    for start in range(0, len(joined), block):
        rows = joined[start : start + block]
        # In blocks: subsets × summaries × types would take gigabytes for long texts.
        scores[start : start + block] = np.minimum(rows[:, None, :], counts[None, :, :]).sum(axis=2)
    total = joined.sum(axis=1, keepdims=True)
    recall: Floats = np.divide(scores, total, out=np.zeros_like(scores), where=total > 0)
    return recall


def spearman_rows(values: Floats, reference: Floats) -> Floats:
    """r_s of each row with the reference, mid-ranks for ties; NaN where one of the two is constant."""
    ranks = mid_ranks(np.round(values, DECIMALS), axis=1)
    reference_ranks = mid_ranks(np.round(reference, DECIMALS))
    ranks = ranks - ranks.mean(axis=1, keepdims=True)
    reference_ranks = reference_ranks - reference_ranks.mean()
    norm = np.sqrt((ranks**2).sum(axis=1) * (reference_ranks**2).sum())
    return quotients(ranks @ reference_ranks, norm)


def choose_ranked(
    summaries: SummarySet, names: Sequence[str] = (), *, count: int | None = None, seed: int
) -> list[int]:
    """The columns of the summaries to rank: the named ones, or a sample.

    Without a number, five as in the paper, but never more than half of the summaries.
    """
    if names:
        return [summaries.column_of(name) for name in names]
    if count is None:
        count = min(DEFAULT_RANKED, max(2, len(summaries) // 2))
    if not 2 <= count < len(summaries):
        raise UsageError(
            f"topic {summaries.topic!r} has {len(summaries)} models: {count} of them can't be ranked with pyramids of "
            "the others; rank at least 2 and leave at least one"
        )
    drawn = generator_for(summaries.topic, seed=seed).permutation(len(summaries))[:count]
    return sorted(int(column) for column in drawn)


@dataclass(frozen=True, kw_only=True)
class CriticalValue:
    """The smallest r_s that independent rankings reach with a probability of at most 1 − confidence."""

    value: float
    """NaN if no r_s is that improbable: too few summaries are ranked."""
    p: float
    """The probability of reaching it."""
    method: Literal["exact", "t"]


def spearman_critical(n: int, *, confidence: float = 95.0) -> CriticalValue:
    """The critical value for rankings of n without ties, one-sided.

    r_s = 1 − 6 Σd² / (n (n² − 1)), and under independence all n! permutations are equally likely. For n = 5 and 95 %
    it is .9 (p = 5/120).
    """
    level = (100 - confidence) / 100
    if n > LARGEST_EXACT:
        return _critical_by_t(n, level)
    counts = orders_by_sum(tuple(range(n)), tuple(range(n)))[::-1]  # by Σd²/2 = Σi² − Σi·π(i); small: r_s large
    tail = np.cumsum(counts) / counts.sum()
    improbable = np.nonzero((tail <= level) & (counts > 0))[0]
    if n < 2 or not len(improbable):
        return CriticalValue(value=float("nan"), p=float("nan"), method="exact")
    half = int(improbable[-1])
    return CriticalValue(value=1 - 6 * (2 * half) / (n * (n * n - 1)), p=float(tail[half]), method="exact")


def _critical_by_t(n: int, level: float) -> CriticalValue:
    """For many ranks: r_s = t / √(n − 2 + t²), with n − 2 degrees of freedom."""
    critical = float(t_critical(100 - 200 * level, n - 2))
    return CriticalValue(value=critical / (n - 2 + critical**2) ** 0.5, p=level, method="t")
