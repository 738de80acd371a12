"""Scores: the evidence that measures collect, the table that everything after them reads, and its files."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
