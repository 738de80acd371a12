"""`pyramidion describe`, `compare`, `correlate`, `power` and `design`: analyses that print a finding and no more."""

from __future__ import annotations

from pyramidion.cli.run import Run, analysis
from pyramidion.options import (
    CompareOptions,
    CorrelateOptions,
    DescribeOptions,
    DesignOptions,
    PowerOptions,
)
from pyramidion.show.tables import Finding


@analysis(DescribeOptions)
def describe(run: Run, options: DescribeOptions) -> Finding:
    """Describe a campaign: the numbers of topics, documents, summaries and judgments, by kind.

    Example: pyramidion describe demo
    """
    return run.evaluation.describe(options)


@analysis(
    CompareOptions,
    shows="studies.comparison.comparison:Comparison",
    measures=True,
    figure=True,
)
def compare(run: Run, options: CompareOptions) -> Finding:
    """Compare systems on each measure: a leaderboard with confidence intervals and significance tests.

    Systems that share a letter do not differ significantly. A pair is tested with the scores of its two systems alone.

    Example: pyramidion compare demo -m rouge-2.recall --pair 16 4
    """
    if run.measures is None and run.evaluation.has_only_preferences:
        return run.evaluation.compare_preferences(options)
    return run.evaluation.compare(run.measures, options)


@analysis(
    CorrelateOptions,
    shows="studies.correlations.correlations:Correlations",
    measures=True,
    figure=True,
)
def correlate(run: Run, options: CorrelateOptions) -> Finding:
    """Correlate measures with a human score, or with any other measure, and compare how well they correlate.

    Prints coefficients with confidence intervals; on request tests between measures and pairwise accuracy.

    Example: pyramidion correlate demo -m rouge-2.recall --with question.overall-responsiveness
    """
    return run.evaluation.correlate(run.measures, options)


@analysis(PowerOptions, measures=True, figure=True)
def power(run: Run, options: PowerOptions) -> Finding:
    """Compute how many topics are needed to detect a difference, or the smallest detectable difference.

    Variances are estimated from DATA, your pilot. To plan assessors and costs as well, use `pyramidion design`.

    Example: pyramidion power demo -m rouge-2.recall --difference 0.02
    """
    return run.evaluation.power(run.measures, options)


@analysis(DesignOptions, figure=True)
def design(run: Run, options: DesignOptions) -> Finding:
    """Find the cheapest design that detects a difference, or the best design for a budget.

    Variances are estimated from DATA, your pilot: how much assessors differ in their ranking of systems, how much
    systems vary from topic to topic, and the rest. With --using, it plans which share of the answers people are asked
    for while a judge or a measure has values for all.

    Example: pyramidion design demo -m question.focus --difference 0.5 --cost topic=20,judgment=2
    """
    return run.evaluation.design(options)
