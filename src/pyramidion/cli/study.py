"""`pyramidion study …`: what an evaluation says about itself."""

from __future__ import annotations

from typing import Any

from pyramidion.cli.options import group
from pyramidion.cli.run import Run, analysis
from pyramidion.options import GrowthOptions, HeterogeneityOptions, ModelFreeOptions, OrdersOptions, TopicsOptions
from pyramidion.tables import Finding

study = group("study", "Studies of measures and of the evaluation itself.")
GROWTH = ("point", "point-test", "gain")
ORDERS = (
    *(
        f"orders-{what}"
        for what in ("divergence", "separation", "error", "ranking", "summary", "range", "scus", "human")
    ),
    "pyramid-optimal",
    *("annotation-score", "annotation-difference", "annotation-anova"),
)


@study.add
@analysis(GrowthOptions, show=GROWTH, measures=True, figure=True)
def models(run: Run, measures: list[str] | None, **options: Any) -> Finding:
    """Study how many references are needed: correlation with a human score, by number of references.

    Each topic samples its own k references, 1,000 times for each k. Without -m: ROUGE-1, -2, -L and -SU4 recall, and
    the modified pyramid score where there are pyramids.

    Example: pyramidion study models demo --with question.overall-responsiveness
    """
    return run.evaluation.study_models(measures, **options)


@study.add
@analysis(TopicsOptions, show=GROWTH, measures=True, figure=True)
def topics(run: Run, measures: list[str] | None, **options: Any) -> Finding:
    """Study how many topics are needed: correlation with a human score, by number of topics.

    Each of 1,000 samples takes k topics, the same for all systems. Without -m: ROUGE-1, -2, -L and -SU4 recall, and
    the modified pyramid score where there are pyramids.

    Example: pyramidion study topics demo --with question.overall-responsiveness --sizes 1,2,4,8
    """
    return run.evaluation.study_topics(measures, **options)


@study.add
@analysis(OrdersOptions, show=ORDERS, figure=True, without=("peers", "exclude", "scores"))
def orders(run: Run, **options: Any) -> Finding:
    """Study how pyramid scores behave as pyramids grow: divergence, errors, rankings.

    The tables and figures are those of Nenkova & Passonneau (2004). --figure draws what --show chooses.

    Example: pyramidion study orders demo --figure orders.svg
    """
    return run.evaluation.study_orders(**options)


@study.add
@analysis(
    HeterogeneityOptions,
    show=("auc", "heterogeneity", "bin", "inconsistent-topic", "heterogeneity-topics"),
    measures=True,
    figure=True,
)
def heterogeneity(run: Run, measures: list[str] | None, **options: Any) -> Finding:
    """Study heterogeneity: AUC of each measure and of their combination HBR, robustness on the worst topics.

    Without -m: ROUGE-1, -2, -L and -SU4 recall, precision and F.

    Example: pyramidion study heterogeneity demo --with question.overall-responsiveness
    """
    return run.evaluation.study_heterogeneity(measures, **options)


@study.add
@analysis(ModelFreeOptions, show=("feature-correlation", "feature-micro"), figure=True)
def model_free(run: Run, **options: Any) -> Finding:
    """Study how model-free measures, their regression and ROUGE correlate with human scores.

    Update topics, which have background documents, are compared with each of their inputs; --by part or --where part=A
    separates initial and update summaries.

    Example: pyramidion study model-free demo --with question.overall-responsiveness --stem yes --where part=A
    """
    return run.evaluation.study_model_free(**options)
