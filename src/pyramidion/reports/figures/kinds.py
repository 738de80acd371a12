"""`draw` with every kind of figure: each module that is imported here registers those of its findings."""

from pyramidion.present.chart import draw
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

__all__ = ["draw"]
