"""The campaign: its nouns, its folder and its flat form. Reading checks everything and reports all problems at once."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
