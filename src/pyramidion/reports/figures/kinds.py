"""`draw` with every kind of figure: each module that is imported here registers those of its findings."""

from pyramidion.present import design, power  # noqa: F401
from pyramidion.present.chart import draw
from pyramidion.present.comparison import leaderboards  # noqa: F401
from pyramidion.reports.figures import (  # noqa: F401
    judgments,
    pyramid,
)

__all__ = ["draw"]
