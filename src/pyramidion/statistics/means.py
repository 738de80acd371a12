"""Means, and spreads around them, over the values that are there: NaN is left out."""

from __future__ import annotations

import numpy as np

from pyramidion.arrays import Floats, quotients
from pyramidion.statistics.ties import settled


def mean_of_defined(values: Floats) -> Floats:
    """The mean along the last axis over what is not NaN; NaN if nothing is."""
    defined = ~np.isnan(values)
    count = defined.sum(axis=-1)
    total = np.where(defined, values, 0.0).sum(axis=-1)
    return quotients(total, count)


def system_means(values: Floats) -> Floats:
    """Each row's mean over the topics that it has, settled so that equal means are equal; NaN without any."""
    return settled(mean_of_defined(values))


def spreads_of(values: Floats) -> Floats:
    """Each row's standard deviation (n − 1) over what is not NaN; NaN with fewer than two values."""
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    apart = np.where(present, values - mean_of_defined(values)[:, None], 0.0)
    squares = (apart**2).sum(axis=1)
    return np.sqrt(quotients(squares, counts - 1))
