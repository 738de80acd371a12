"""What every statistic refuses: scores that are not finite, and settings that make no sense."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError, did_you_mean


def check_finite(*matrices: Floats, what: str = "score") -> None:
    """Refuse infinite values; NaN stands where there is none."""
    if any(np.isinf(matrix).any() for matrix in matrices):
        raise UsageError(f"found an infinite {what}; expected finite numbers, or NaN where there is none")


def check_matrices(*matrices: Floats) -> None:
    """Refuse matrices that do not have the same summarizers and topics, or that hold infinities."""
    shapes = {matrix.shape for matrix in matrices}
    if len(shapes) > 1 or any(len(shape) != 2 for shape in shapes):
        found = ", ".join(map(str, (matrix.shape for matrix in matrices)))
        raise UsageError(f"found matrices of shapes {found}; expected the same summarizers × topics for each measure")
    check_finite(*matrices)


def check_choice(what: str, value: str, literal: Any) -> None:
    """Refuse a value that is none of a Literal's."""
    known = get_args(literal)
    if value not in known:
        raise UsageError(f"{what} {value!r}{did_you_mean(str(value), known)} expected {', '.join(known)}")
