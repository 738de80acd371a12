"""Types of arrays, named once for all rooms, and results that consist of arrays."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


def entry(result: object, place: int) -> SimpleNamespace:
    """One entry of a result whose fields are arrays, as plain numbers; what is no array holds for all entries."""
    fields = vars(result).items()
    return SimpleNamespace(**{name: one[place].item() if isinstance(one, np.ndarray) else one for name, one in fields})
