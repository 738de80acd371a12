"""Measures: what gives a summary a number. One file per family; names parse back to measures."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
