"""Figures, one file a kind; `base` has what they share."""

from pyramidion.reports.figures.base import write_chart
from pyramidion.reports.figures.judgments import write_alphas, write_coefficients, write_frequencies
from pyramidion.reports.figures.leaderboard import interval_plot, write_leaderboards
from pyramidion.reports.figures.power import write_power
from pyramidion.reports.figures.pyramid import write_pyramids
from pyramidion.reports.figures.scatter import write_matrix, write_scatter

__all__ = [
    "interval_plot",
    "write_alphas",
    "write_chart",
    "write_coefficients",
    "write_frequencies",
    "write_leaderboards",
    "write_matrix",
    "write_power",
    "write_pyramids",
    "write_scatter",
]
