"""Figures, one module a kind; `vegalite` has what they share.

`draw_…` gives a chart, which a notebook shows; `write_chart` writes it to a file.
"""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
