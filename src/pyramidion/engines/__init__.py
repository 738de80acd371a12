"""Engines: where measures run."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
