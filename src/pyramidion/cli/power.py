"""`pyramidion power`: how many topics it takes to detect a difference, from the variances of a pilot."""

from __future__ import annotations

from typing import Any

from pyramidion.cli.run import Run, analysis
from pyramidion.options import PowerOptions
from pyramidion.tables import Finding


@analysis(PowerOptions, measures=True, figure=True)
def power(run: Run, measures: list[str] | None, **options: Any) -> Finding:
    """Compute how many topics are needed to detect a difference, or the smallest detectable difference.

    The variances are those of DATA, the pilot. To plan assessors and costs as well, use `pyramidion design`.

    Example: pyramidion power demo -m rouge-2.recall --difference 0.02
    """
    return run.evaluation.power(measures, **options)
