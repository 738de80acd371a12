"""`draw` with every kind of figure: each module that is imported here registers those of its findings."""

from pyramidion.present import correlation  # noqa: F401
from pyramidion.present.chart import draw

__all__ = ["draw"]
