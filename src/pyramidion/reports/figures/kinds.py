"""`draw` with every kind of figure."""

from pyramidion.present.registry import draw

__all__ = ["draw"]
