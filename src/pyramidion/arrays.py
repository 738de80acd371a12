"""Types of arrays, named once for all rooms, and their quotients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


def quotients(parts: Floats | Integers, wholes: Floats | Integers, *, where: Bools | None = None) -> Floats:
    """Parts by wholes, cell by cell; NaN where the whole is 0 or less, or where they are not asked for."""
    parts, wholes = np.broadcast_arrays(parts, wholes)
    defined = wholes > 0 if where is None else where
    found: Floats = np.divide(parts, wholes, out=np.full(parts.shape, np.nan), where=defined)
    return found
