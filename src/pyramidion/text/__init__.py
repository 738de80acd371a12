"""Text: tokens, sentences, stems, stop words, length limits, and the counts that measures are made of.

The counting itself is native (native/); `overlap` (peers beside models) and `inputs` (summaries beside what they
summarize) are the only doors to it.
"""

from pyramidion.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
