"""Figures, one module a kind; `vegalite` has what they share.

`draw` gives the chart of a finding, which a notebook shows; `write_chart` writes it to a file. A report has some of
the kinds only: it imports their modules, and not those of all studies.
"""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
