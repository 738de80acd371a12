"""Google's package rouge-score 0.1.2, as a drop-in: change the import and get the same numbers, sooner.

    from pyramidion.compat.rouge_score import rouge_scorer, scoring

The public modules are here under their own names: `rouge_scorer`, `scoring`, `tokenizers` and `tokenize`.
"""

from pyramidion.compat.rouge_score import rouge_scorer, scoring, tokenize, tokenizers

__all__ = ["rouge_scorer", "scoring", "tokenize", "tokenizers"]
