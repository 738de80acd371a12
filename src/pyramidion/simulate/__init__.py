"""Campaigns and score tables with known truth, for load tests, power analysis and checks of the statistics."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
