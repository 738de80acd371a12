"""What tests rest on: finite values, means of those that are defined, ties and ranks, and probabilities."""

from __future__ import annotations

import math
from typing import Any, get_args

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError, did_you_mean


def quotients(parts: Floats | Integers, wholes: Floats | Integers, *, where: Bools | None = None) -> Floats:
    """Parts by wholes, cell by cell; NaN where the whole is 0 or less, or where they are not asked for."""
    parts, wholes = np.broadcast_arrays(parts, wholes)
    # `where` keeps NumPy from dividing at all: a division by 0 that is masked afterwards would still warn.
    defined = wholes > 0 if where is None else where
    ratios: Floats = np.divide(parts, wholes, out=np.full(parts.shape, np.nan), where=defined)
    return ratios


def check_finite(*matrices: Floats, what: str = "score") -> None:
    """Refuse infinite values; NaN stands where there is none."""
    if any(np.isinf(matrix).any() for matrix in matrices):
        raise UsageError(f"found an infinite {what}; expected finite numbers, or NaN where there is none")


def check_matrices(*matrices: Floats) -> None:
    """Refuse matrices that do not have the same summarizers and topics, or that hold infinities."""
    shapes = {matrix.shape for matrix in matrices}
    if len(shapes) > 1 or any(len(shape) != 2 for shape in shapes):
        all_shapes = ", ".join(map(str, (matrix.shape for matrix in matrices)))
        raise UsageError(
            f"found matrices of shapes {all_shapes}; expected the same summarizers × topics for each measure"
        )
    check_finite(*matrices)


def check_choice(what: str, value: str, literal: Any) -> None:
    """Refuse a value that is none of a Literal's."""
    choices = get_args(literal)
    if value not in choices:
        raise UsageError(f"{what} {value!r}{did_you_mean(str(value), choices)} expected {', '.join(choices)}")


def mean_of_defined(values: Floats) -> Floats:
    """The mean along the last axis over what is not NaN; NaN if nothing is."""
    defined = ~np.isnan(values)
    count = defined.sum(axis=-1)
    # Not np.nanmean, which warns about rows without any value.
    total = np.where(defined, values, 0.0).sum(axis=-1)
    return quotients(total, count)


def system_means(values: Floats) -> Floats:
    """Each row's mean over the topics that it has, rounded so that equal means compare equal; NaN without any."""
    return snap_ties(mean_of_defined(values))


def spreads_of(values: Floats) -> Floats:
    """Each row's standard deviation (n − 1) over what is not NaN; NaN with fewer than two values."""
    present = ~np.isnan(values)
    counts = present.sum(axis=1)
    apart = np.where(present, values - mean_of_defined(values)[:, None], 0.0)
    squares = (apart**2).sum(axis=1)
    return np.sqrt(quotients(squares, counts - 1))


DECIMALS = 9
SLACK = 1e-12
"""What differs by less than this share of its size differs by rounding alone."""


def snap_ties(values: Floats, *, like: Floats | None = None) -> Floats:
    """The values rounded to nine decimals, so that equal values compare equal.

    Where even the largest is below 1, nine digits after its first are kept; where it is above a million, fifteen
    digits in all, which is what a float holds. The largest is sought in `like` if that is given, so that parts of
    some values are rounded like the whole.
    """
    reference = values if like is None else like
    finite = np.abs(reference[np.isfinite(reference)])
    return _round_to(values, _decimals(float(finite.max()) if finite.size else 0.0))


def snap_row_ties(values: Floats, largest: Floats) -> Floats:
    """Rows rounded like `snap_ties`, each on the scale of its largest absolute value, which is given."""
    decimals = [_decimals(float(size)) for size in largest]
    if len(set(decimals)) == 1:
        return _round_to(values, decimals[0])
    result = values.copy()
    for number in set(decimals):
        rows = [row for row, row_decimals in enumerate(decimals) if row_decimals == number]
        result[rows] = _round_to(values[rows], number)
    return result


def _decimals(largest: float) -> int | None:
    """The decimals to which values up to this size are rounded; None if they stay as they are."""
    if largest == 0:
        return None
    magnitude = math.floor(math.log10(largest))
    # A double holds 15 significant digits for certain: a number of magnitude 10^m has 14 - m of them after the point.
    decimals = DECIMALS - magnitude if magnitude < 0 else min(DECIMALS, 14 - magnitude)
    # np.round multiplies by 10**decimals, which overflows from 10**308 on: denormal numbers stay as they are.
    return decimals if decimals < 300 else None


def _round_to(values: Floats, decimals: int | None) -> Floats:
    rounded: Floats = values if decimals is None else np.round(values, decimals)
    return rounded


def snap_measure_ties(values: Floats, *, like: Floats | None = None) -> Floats:
    """Measures × …: each measure rounded like `snap_ties` on its own scale."""
    scales = values if like is None else like
    result = values.copy()
    for number, scale in enumerate(scales):
        result[number] = snap_ties(values[number], like=scale)
    return result


def mid_ranks(values: Floats, *, axis: int = -1) -> Floats:
    """Ranks from 1 (the lowest) along an axis; equal values share the middle rank, and NaN has none."""
    moved = np.moveaxis(values, axis, -1)
    # Not scipy.stats.rankdata, which gives a row with one NaN no ranks at all. NaN sorts last here, and no two of
    # them are equal, so that each has a rank of its own until it is taken away below.
    order = np.argsort(moved, axis=-1, kind="stable")
    ordered = np.take_along_axis(moved, order, axis=-1)
    size = moved.shape[-1]
    places = np.arange(size)
    changes = np.ones(ordered.shape, dtype=np.bool_)  # where a new value begins
    changes[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    first = np.maximum.accumulate(np.where(changes, places, 0), axis=-1)
    ends = np.ones(ordered.shape, dtype=np.bool_)
    ends[..., :-1] = changes[..., 1:]
    last = np.minimum.accumulate(np.where(ends, places, size)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(moved.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    ranks[np.isnan(moved)] = np.nan
    return np.moveaxis(ranks, -1, axis)


# No p is 0: where the tail of a distribution underflows, the smallest normal number stands for it.
SMALLEST = float(np.finfo(np.float64).tiny)


def t_critical(confidence: float, degrees_of_freedom: Any) -> Any:
    """What |t| exceeds with a probability of 1 − confidence (in per cent); a number, or an array of them."""
    from scipy import special

    return special.stdtrit(degrees_of_freedom, 0.5 + confidence / 200)


def t_p(t: Any, degrees_of_freedom: Any) -> Any:
    """Two-sided p of a number, or of an array of them."""
    from scipy import special

    return np.maximum(2 * special.stdtr(degrees_of_freedom, -np.abs(t)), SMALLEST)


def f_p(f: float, numerator: float, denominator: float) -> float:
    """The probability that F with these degrees of freedom exceeds f."""
    from scipy import special

    return max(float(special.fdtrc(numerator, denominator, f)), SMALLEST)


def chi2_p(chi2: float, degrees_of_freedom: float) -> float:
    """The probability that χ² exceeds this value."""
    from scipy import special

    return max(float(special.chdtrc(degrees_of_freedom, chi2)), SMALLEST)


def normal_p(z: float) -> float:
    """Two-sided p of a standard normal value."""
    from scipy import special

    return max(float(2 * special.ndtr(-abs(z))), SMALLEST)


def sign_test_p(wins: int, losses: int) -> float:
    """The two-sided exact p of the sign test: 2·P(X ≤ min(wins, losses)) for X binomial with p = 1/2, at most 1.

    >>> round(sign_test_p(9, 1), 4)
    0.0215
    """
    from scipy import special

    return min(1.0, 2 * float(special.bdtr(min(wins, losses), wins + losses, 0.5)))
