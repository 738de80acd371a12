"""`pyramidion compare`: which system is better, and how certain that is."""

from __future__ import annotations

from typing import Any

from pyramidion.cli.run import Run, analysis
from pyramidion.options import CompareOptions
from pyramidion.tables import Finding


@analysis(
    CompareOptions,
    show=("mean", "anova", "tukey", "friedman", "difference", "pair", "component", "look"),
    measures=True,
    figure=True,
)
def compare(run: Run, measures: list[str] | None, **options: Any) -> Finding:
    """Compare systems on each measure: a leaderboard with confidence intervals and significance tests.

    Systems that share a letter do not differ significantly (Tukey's test).

    Example: pyramidion compare demo -m rouge-2.recall --pair 16 4
    """
    return run.evaluation.compare(measures, **options)
