"""Text: tokens, sentences, stems, stop words, length limits, and the counts that measures are made of.

The counting itself is native (native/); only `overlap` (peers compared with models), `arrow` (the same in Arrow
columns) and `inputs` (summaries compared with what they summarize) call it.
"""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
