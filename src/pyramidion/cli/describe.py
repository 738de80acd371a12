"""`pyramidion describe`: what is in a campaign."""

from __future__ import annotations

from typing import Any

from pyramidion.cli.run import Run, analysis
from pyramidion.options import DescribeOptions
from pyramidion.tables import Finding


@analysis(DescribeOptions, without=("peers", "exclude", "scores", "seed"))
def describe(run: Run, **options: Any) -> Finding:
    """Describe a campaign: the numbers of topics, documents, summaries and judgments, by kind.

    Example: pyramidion describe demo
    """
    return run.evaluation.describe(**options)
