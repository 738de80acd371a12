"""`pyramidion describe`: what is in a campaign."""

from __future__ import annotations

from pyramidion.cli.run import Run, analysis
from pyramidion.tables import Finding


@analysis(without=("peers", "exclude", "scores", "seed"))
def describe(run: Run) -> Finding:
    """Describe a campaign: how many topics, documents, summaries and judgments, and of which kinds.

    Example: pyramidion describe demo
    """
    return run.evaluation.describe()
