"""Assessment: the web pages for people. One server, one campaign folder, one database of events."""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
