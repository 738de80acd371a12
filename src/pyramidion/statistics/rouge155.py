"""The bootstrap of ROUGE-1.5.5, with its generator, its average and its interval.

What 1.5.5 prints as average is the mean of the bootstrap means, not the mean of the sample.
"""

from __future__ import annotations

import numpy as np

from pyramidion.arrays import Floats

_MULTIPLIER, _INCREMENT, _MASK = np.uint64(0x5DEECE66D), np.uint64(0xB), np.uint64(2**48 - 1)


def rouge155_sums(items: Floats, *, resamples: int) -> Floats:
    """Resamples × columns: sums of the items (items × columns) that each resample draws with replacement.

    Drawn by drand48 seeded with the resample's number: x₀ = (seed << 16) + 0x330E; x ← (x·0x5DEECE66D + 0xB) mod 2⁴⁸;
    the item is int(x / 2⁴⁸ · n). Added up in the order of the draws, as the original does: the fifth decimal of a mean
    can hang on it.
    """
    count, columns = items.shape
    sums = np.zeros((resamples, columns))
    # 0x330E is what srand48 puts into the low 16 bits of its state; all resamples step together.
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(0x330E)
    for _ in range(count):
        # uint64 wraps around at 2⁶⁴, which does no harm to the low 48 bits.
        state = (state * _MULTIPLIER + _INCREMENT) & _MASK
        sums += items[(state.astype(np.float64) / 2.0**48 * count).astype(np.int64)]
    return sums


def rouge155_interval(statistics: Floats, *, confidence: float) -> tuple[Floats, Floats, Floats]:
    """Mean, lower and upper limits of bootstrap statistics (resamples × columns).

    With z sorted and δ = r(100 − c)/200: upper index i = int(r − δ − 1), lower index j = int(δ), and the fraction
    g = (r − δ − 1) − i is used for both: z[i] + (z[i+1] − z[i])·g.
    """
    resamples = len(statistics)
    ordered = np.sort(statistics, axis=0)
    delta = resamples * (100 - confidence) / 200
    upper, lower = int(resamples - delta - 1), int(delta)
    fraction = (resamples - delta - 1) - upper

    def between(index: int) -> Floats:
        # Only where the limits are those of the whole range is there none to follow, and then the fraction is 0.
        following = ordered[min(index + 1, resamples - 1)]
        limit: Floats = ordered[index] + (following - ordered[index]) * fraction
        return limit

    mean: Floats = np.cumsum(ordered, axis=0)[-1] / resamples  # from the least up, as the original adds
    return mean, between(lower), between(max(upper, 0))
