"""How far small pyramids, or unigram overlap, rank summaries as the pyramid of all others does.

Tables 4 and 5 of Nenkova & Passonneau 2004.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats, quotients
from pyramidion.errors import UsageError, check_known
from pyramidion.options import OrdersOptions
from pyramidion.show.tables import NotedRow, headed
from pyramidion.statistics.values import mid_ranks
from pyramidion.studies.orders.critical import spearman_critical
from pyramidion.studies.orders.scores import DECIMALS, leave_one_out, pyramid_scores
from pyramidion.studies.orders.sets import Drawn, SummarySet, draw_subsets, generator_for

By = Literal["pyramid", "overlap"]
"""What ranks: the pyramid of some models, or unigram overlap with these models joined."""

_BLOCK_CELLS = 4_000_000


class Ranking(NotedRow, record="orders-ranking"):
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
    reference = [leave_one_out(one, options.score)[list(chosen)] for one, chosen in zip(sets, ranked, strict=True)]
    critical = spearman_critical(count, confidence=options.confidence)
    rows: list[Ranking] = []
    for order in range(1, size - count + 1):
        found: list[Floats] = []
        exhaustive = True
        for one, chosen, wanted in zip(sets, ranked, reference, strict=True):
            others = [index for index in range(size) if index not in set(chosen)]
            drawn = draw_subsets(others, order, width=size, limit=options.limit, topic=one.topic, seed=seed)
            exhaustive &= drawn.exhaustive
            values = pyramid_scores(one, drawn, options.score) if by == "pyramid" else overlap_scores(one, drawn)
            found.append(spearman_rows(values[:, list(chosen)], wanted))
        together = np.concatenate(found)
        defined = together[~np.isnan(together)]
        reason = "all rankings are constant"
        if len(defined):
            reason = f"no correlation of {count} ranks is significant at {options.confidence:g} % confidence"
        tested = len(defined) and not np.isnan(critical.value)
        rows.append(
            Ranking(
                by=by,
                models=size,
                topics=len(sets),
                order=order,
                ranked=count,
                mean=float(defined.mean()) if len(defined) else float("nan"),
                n=len(together),
                undefined=len(together) - len(defined),
                critical=critical.value,
                critical_p=critical.p,
                share=float((defined >= critical.value - 1e-9).mean()) if tested else float("nan"),
                method=critical.method,
                confidence=options.confidence,
                exhaustive=exhaustive,
                seed=seed,
                reason=reason,
            )
        )
    return rows


def overlap_scores(summaries: SummarySet, drawn: Drawn) -> Floats:
    """Unigram recall of each summary against the joined models of each subset: subsets × summaries.

    `rouge-1(stop=yes).recall` with one model made by joining k models: Σ_w min(peer(w), Σ_m model_m(w)) / Σ_w Σ_m
    model_m(w). The peer "a" against the models "a" and "a" has .5.
    """
    if summaries.tokens is None:
        raise UsageError(f"topic {summaries.topic!r}: unigram overlap needs the texts of the summaries")
    counts = summaries.tokens
    joined = drawn.masks.astype(np.float64) @ counts
    scores = np.zeros((len(joined), len(counts)))
    block = max(1, _BLOCK_CELLS // max(counts.size, 1))
    for start in range(0, len(joined), block):
        rows = joined[start : start + block]
        scores[start : start + block] = np.minimum(rows[:, None, :], counts[None, :, :]).sum(axis=2)
    total = joined.sum(axis=1, keepdims=True)
    recall: Floats = np.divide(scores, total, out=np.zeros_like(scores), where=total > 0)
    return recall


def spearman_rows(values: Floats, reference: Floats) -> Floats:
    """r_s of each row with the reference, mid-ranks for ties; NaN where one of the two is constant."""
    ranks = mid_ranks(np.round(values, DECIMALS), axis=1)
    wanted = mid_ranks(np.round(reference, DECIMALS))
    ranks = ranks - ranks.mean(axis=1, keepdims=True)
    wanted = wanted - wanted.mean()
    norm = np.sqrt((ranks**2).sum(axis=1) * (wanted**2).sum())
    return quotients(ranks @ wanted, norm)


def choose_ranked(
    summaries: SummarySet, names: Sequence[str] = (), *, count: int | None = None, seed: int
) -> list[int]:
    """The columns of the summaries to rank: the named ones, or a sample.

    Without a number, five as in the paper, but never more than half of the summaries.
    """
    if names:
        return [column_of(summaries, name) for name in names]
    wanted = min(5, max(2, len(summaries) // 2)) if count is None else count
    if not 2 <= wanted < len(summaries):
        raise UsageError(
            f"topic {summaries.topic!r} has {len(summaries)} models: {wanted} of them can't be ranked with pyramids of "
            "the others; rank at least 2 and leave at least one"
        )
    drawn = generator_for(summaries.topic, seed=seed).permutation(len(summaries))[:wanted]
    return sorted(int(column) for column in drawn)


def column_of(summaries: SummarySet, name: str) -> int:
    """The column of a summarizer, or an error that lists those that exist."""
    check_known(name, summaries.summarizers, f"topic {summaries.topic!r} has no model by {name!r}")
    return summaries.summarizers.index(name)
