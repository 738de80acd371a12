"""`draw` with every kind of figure: the presenter of a result draws it."""

from pyramidion.present.chart import draw

__all__ = ["draw"]
