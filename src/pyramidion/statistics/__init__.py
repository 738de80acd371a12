"""Statistics: arrays in, arrays out. Nothing here knows campaigns, measures or tables.

The names here are those that a user of the library needs; every module has more.
"""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
