"""Reports: one self-contained HTML page with the answer, the evidence and the detail; figures alone."""

from pyramidion.reports.context import Context
from pyramidion.reports.figures import (
    Chart,
    draw_alphas,
    draw_coefficients,
    draw_correlations,
    draw_frequencies,
    draw_growth,
    draw_heterogeneity,
    draw_leaderboards,
    draw_matrix,
    draw_model_free,
    draw_orders,
    draw_power,
    draw_pyramids,
    draw_scatter,
    write_chart,
)
from pyramidion.reports.page import write_report
from pyramidion.reports.remarks import remarks_on

__all__ = [
    "Chart",
    "Context",
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
    "remarks_on",
    "write_chart",
    "write_report",
]
