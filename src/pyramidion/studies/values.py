"""Numbers as studies give and say them: what is undefined is None, and no p is said to be 0."""

from __future__ import annotations

import math


def defined(value: float) -> float | None:
    """The number, or None where it is undefined (NaN)."""
    return None if math.isnan(value) else float(value)


def p_in_words(p: float) -> str:
    """A p value inside of a sentence."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
