"""`pyramidion design`: how many topics, assessors and judgments to pay for, from a pilot and costs."""

from __future__ import annotations

from typing import Any

from pyramidion.cli.run import Run, analysis
from pyramidion.options import DesignOptions
from pyramidion.tables import Finding


@analysis(DesignOptions, figure=True)
def design(run: Run, **options: Any) -> Finding:
    """Find the cheapest design that detects a difference, or the best design for a budget.

    The variances are those of DATA, the pilot: how much assessors differ in their ranking of systems, how much systems
    vary from topic to topic, and the rest.

    Example: pyramidion design demo --measure question.focus --difference 0.5 --cost topic=20,judgment=2
    """
    return run.evaluation.design(**options)
