"""`pyramidion correlate`: how measures agree with human scores, and with each other."""

from __future__ import annotations

from typing import Any

from pyramidion.cli.run import Run, analysis
from pyramidion.options import CorrelateOptions
from pyramidion.tables import Finding


@analysis(
    CorrelateOptions,
    show=("correlation", "correlation-test", "cluster", "mean-rank", "micro", "accuracy"),
    measures=True,
    figure=True,
)
def correlate(run: Run, measures: list[str] | None, **options: Any) -> Finding:
    """Correlate measures with a human score, or with any other measure, and compare how well they correlate.

    Prints coefficients with confidence intervals; on request tests between measures and pairwise accuracy.

    Example: pyramidion correlate demo -m rouge-2.recall --with question.overall-responsiveness
    """
    return run.evaluation.correlate(measures, **options)
