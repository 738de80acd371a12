"""Reports: one self-contained HTML page with leaderboards, figures and signatures; figures alone."""

from pyramidion.reports.context import Context
from pyramidion.reports.figures import (
    write_alphas,
    write_chart,
    write_coefficients,
    write_frequencies,
    write_leaderboards,
    write_matrix,
    write_power,
    write_pyramids,
    write_scatter,
)
from pyramidion.reports.figures.growth import write_growth
from pyramidion.reports.figures.heterogeneity import write_heterogeneity
from pyramidion.reports.figures.model_free import write_model_free
from pyramidion.reports.figures.orders import write_orders
from pyramidion.reports.page import write_report
from pyramidion.reports.remarks import remarks_on

__all__ = [
    "Context",
    "remarks_on",
    "write_alphas",
    "write_chart",
    "write_coefficients",
    "write_frequencies",
    "write_growth",
    "write_heterogeneity",
    "write_leaderboards",
    "write_matrix",
    "write_model_free",
    "write_orders",
    "write_power",
    "write_pyramids",
    "write_report",
    "write_scatter",
]
