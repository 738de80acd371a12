"""Figures, one module a kind; `vegalite` has what they share.

`draw` gives the chart of a finding, which a notebook shows; `write_chart` writes it to a file. Each module registers
the figures of its findings with `draw`.
"""

from pyramidion.reports.figures import (  # noqa: F401
    correlations,
    design,
    growth,
    heterogeneity,
    judgments,
    leaderboard,
    model_free,
    orders,
    power,
    pyramid,
)
from pyramidion.reports.figures.chart import Chart, draw, write_chart

__all__ = ["Chart", "draw", "write_chart"]
