"""Summaries one by one: table 2 and figures 1 and 3 of Nenkova & Passonneau 2004, SCUs by order, optimal summaries."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from pyramidion.errors import UsageError
from pyramidion.options import PyramidScoreName
from pyramidion.pyramids.optimal import Optimal, PyramidKey, optimal
from pyramidion.show.tables import ExplainedRow, Row, headed, hidden
from pyramidion.statistics.values import mean_of_defined
from pyramidion.studies.orders.sets import OrderScores, Subsets, SummarySet, pyramid_scores


class SummaryScores(ExplainedRow, record="orders-summary"):
    """A summary scored in four ways: a row of table 2."""

    topic: str
    summarizer: str
    models: int
    """Summaries in the set."""
    see: float = headed("SEE coverage")
    """SEE coverage; NaN if nobody judged it (it may have been the model)."""
    order: int
    """Models in the pyramid of the named subset, and in those that are averaged over."""
    subset: float
    """By the pyramid of the named subset, without the summary itself; NaN if none is named."""
    average: float
    """Mean over all pyramids of that order without the summary."""
    others: float
    """By the pyramid of all others."""
    is_judged: bool = hidden(default=False)
    """Whether somebody judged its SEE coverage."""
    is_named: bool = hidden(default=False)
    """Whether a subset of the models was named."""


class ScoreRange(Row, record="orders-range"):
    """Lowest, mean and highest score of a summary by the pyramids of an order (figure 3)."""

    topic: str
    summarizer: str
    order: int
    minimum: float
    mean: float
    maximum: float
    n: int
    """Pyramids that do not contain the summary."""
    exhaustive: bool


class ScuCount(Row, record="orders-scus"):
    """Mean number of distinct SCUs in the pyramids of an order."""

    topic: str
    order: int
    mean: float


class HumanScore(Row, record="orders-human"):
    """The score that a measure gives a human's summary (figure 1)."""

    topic: str
    summarizer: str
    measure: str
    value: float


def summary_scores(
    summaries: SummarySet,
    scores: Sequence[OrderScores],
    names: Sequence[str],
    *,
    order: int = 3,
    score: PyramidScoreName = "original",
) -> list[SummaryScores]:
    """A row for each summary; one of the named subset is scored by the rest of it.

    Without names, `order` is what is averaged over.
    """
    named = sorted({summaries.column_of(name) for name in names})
    if len(named) == 1:
        raise UsageError(f"topic {summaries.topic!r}: one named summary leaves no pyramid for it; name two or more")
    size = len(summaries)
    means = [mean_of_defined(at_order.values.T) for at_order in scores]
    rows: list[SummaryScores] = []
    for column, summarizer in enumerate(summaries.summarizers):
        rest = [index for index in named if index != column]
        averaged = min(order, size - 1)
        subset = float("nan")
        if named:
            # As many as the named pyramid has without the summary, so that both columns can be compared.
            averaged = min(len(rest), size - 1)
            mask = np.isin(np.arange(size), rest)[None]
            subset = float(pyramid_scores(summaries, Subsets(mask, exhaustive=True), score)[0, column])
        rows.append(
            SummaryScores(
                topic=summaries.topic,
                summarizer=summarizer,
                models=size,
                see=summaries.see.get(summarizer, float("nan")),
                order=averaged,
                subset=subset,
                average=float(means[averaged - 1][column]),
                others=float(means[-1][column]),
                is_judged=summarizer in summaries.see,
                is_named=bool(named),
            )
        )
    return rows


def score_ranges(summaries: SummarySet, scores: Sequence[OrderScores]) -> list[ScoreRange]:
    """A row for each summary and order."""
    rows: list[ScoreRange] = []
    for column, summarizer in enumerate(summaries.summarizers):
        for at_order in scores:
            values = at_order.values[:, column]
            values = values[~np.isnan(values)]
            if len(values):
                rows.append(
                    ScoreRange(
                        topic=summaries.topic,
                        summarizer=summarizer,
                        order=at_order.order,
                        minimum=float(values.min()),
                        mean=float(values.mean()),
                        maximum=float(values.max()),
                        n=len(values),
                        exhaustive=at_order.exhaustive,
                    )
                )
    return rows


def scu_counts(summaries: SummarySet) -> list[ScuCount]:
    """Mean number of distinct SCUs by order, over all pyramids.

    An SCU of c among N summaries is in C(N, n) − C(N − c, n) of the C(N, n) pyramids of order n: nothing need be drawn.
    """
    size = len(summaries)
    contributing = summaries.incidence.contributes.sum(axis=1)
    weights, counts = np.unique(contributing[contributing > 0], return_counts=True)
    scus_by_weight = dict(zip(weights.tolist(), counts.tolist(), strict=True))
    rows: list[ScuCount] = []
    for order in range(1, size + 1):
        pyramids = comb(size, order)
        occurrences = sum(count * (pyramids - comb(size - weight, order)) for weight, count in scus_by_weight.items())
        rows.append(ScuCount(topic=summaries.topic, order=order, mean=occurrences / pyramids))
    return rows


def optimal_count(summaries: SummarySet) -> Optimal:
    """Optimal summaries with as many SCUs as the mean model has (figure 2)."""
    incidence = summaries.incidence
    size = int(incidence.model_sizes(incidence.everyone)[0])
    weights = incidence.weights(incidence.everyone)[0]
    key: PyramidKey = {
        "topic": summaries.topic,
        "annotator": summaries.annotator,
        "models": summaries.summarizers,
    }
    return optimal(weights, size, order=len(summaries), key=key)
