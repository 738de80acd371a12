"""Figures, one file a kind; `base` has what they share.

`draw_…` gives an Altair chart, which a notebook shows; `write_…` puts it into a file.
"""

from pyramidion.reports.figures.base import write_chart
from pyramidion.reports.figures.correlations import draw_correlations, write_correlations
from pyramidion.reports.figures.growth import draw_growth, write_growth
from pyramidion.reports.figures.heterogeneity import draw_heterogeneity, write_heterogeneity
from pyramidion.reports.figures.judgments import (
    draw_alphas,
    draw_coefficients,
    draw_frequencies,
    write_alphas,
    write_coefficients,
    write_frequencies,
)
from pyramidion.reports.figures.leaderboard import draw_leaderboards, interval_plot, write_leaderboards
from pyramidion.reports.figures.model_free import draw_model_free, write_model_free
from pyramidion.reports.figures.orders import draw_orders, write_orders
from pyramidion.reports.figures.power import draw_power, write_power
from pyramidion.reports.figures.pyramid import draw_pyramids, write_pyramids
from pyramidion.reports.figures.scatter import draw_matrix, draw_scatter, write_matrix, write_scatter

__all__ = [
    "draw_alphas",
    "draw_coefficients",
    "draw_correlations",
    "draw_frequencies",
    "draw_growth",
    "draw_heterogeneity",
    "draw_leaderboards",
    "draw_matrix",
    "draw_model_free",
    "draw_orders",
    "draw_power",
    "draw_pyramids",
    "draw_scatter",
    "interval_plot",
    "write_alphas",
    "write_chart",
    "write_coefficients",
    "write_correlations",
    "write_frequencies",
    "write_growth",
    "write_heterogeneity",
    "write_leaderboards",
    "write_matrix",
    "write_model_free",
    "write_orders",
    "write_power",
    "write_pyramids",
    "write_scatter",
]
