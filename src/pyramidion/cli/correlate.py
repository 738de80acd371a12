"""`pyramidion correlate`: how measures agree with human scores, and with each other."""

from __future__ import annotations

from typing import Any

from pyramidion.cli.run import Run, analysis
from pyramidion.options import CorrelateOptions
from pyramidion.tables import Finding


@analysis(CorrelateOptions, show=("correlation", "correlation-test", "micro", "accuracy"), measures=True, figure=True)
def correlate(run: Run, measures: list[str] | None, **options: Any) -> Finding:
    """Correlate measures with human scores, or with each other, and test which measure correlates better.

    Example: pyramidion correlate demo -m rouge-2.recall --with question.overall-responsiveness
    """
    return run.evaluation.correlate(measures, **options)
