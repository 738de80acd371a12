"""`pyramidion describe`: what is in a campaign."""

from __future__ import annotations

from pyramidion.cli.run import Run, analysis
from pyramidion.tables import Finding


@analysis(without=("peers", "exclude", "scores", "seed"))
def describe(run: Run) -> Finding:
    """Describe a campaign: the numbers of topics, documents, summaries and judgments, by kind.

    Example: pyramidion describe demo
    """
    return run.evaluation.describe()
