"""Results in words, tables, figures and report sections: one module for each analysis; `registry` has them all.

`draw` gives the chart of a result, which a notebook shows; `write_chart` writes it to a file.
"""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
