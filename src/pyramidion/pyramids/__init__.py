"""What one does with pyramids: scores, sub-pyramids, optimal summaries, diagnosis, checks, reliability."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
