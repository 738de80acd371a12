"""`draw` with every kind of figure: each module that is imported here registers those of its findings."""

from pyramidion.present import (  # noqa: F401
    correlation,
    orders,
    sample_size,
)
from pyramidion.present.chart import draw
from pyramidion.reports.figures import (  # noqa: F401
    design,
    judgments,
    leaderboard,
    power,
    pyramid,
)

__all__ = ["draw"]
