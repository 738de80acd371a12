"""Studies: what score tables say about summarizers, about measures, and about the evaluation itself."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
