"""Krippendorff's α for codings whose values are sets: what a unit is coded with is a set of anything.

Distances between sets are not squared. Everything is a matrix product, so that thousands of units and their bootstrap
take moments. Which sets a word is coded with is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import SetDistance
from pyramidion.statistics.intervals import percentile_limits
from pyramidion.statistics.resampling import drawn_items, multiplicities
from pyramidion.statistics.values import check_choice, quotients

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, kw_only=True)
class SetAlpha:
    """α = 1 − observed / expected disagreement; NaN where all codings are alike, or no unit was coded twice."""

    alpha: float
    observed: float
    """Do: the mean distance between two codings of a unit."""
    expected: float
    """De: the mean distance between any two codings."""
    units: int
    """Units that were coded at least twice; others say nothing about agreement."""
    lower: float = float("nan")
    upper: float = float("nan")
    undefined: int = 0
    """Resamples in which all codings were alike; they are left out of the interval."""


@dataclass(frozen=True, eq=False)
class SetOverlaps:
    """How far sets overlap; all distances follow from it."""

    shared: Floats
    """Sets × sets: |A ∩ B|."""
    sizes: Floats
    """|A|."""

    @classmethod
    def of(cls, sets: Bools) -> SetOverlaps:
        """The overlaps of all rows (sets × elements)."""
        cells = sets.astype(np.float32)  # exact up to 2²⁴ elements, and twice as quick
        return cls(np.rint(cells @ cells.T).astype(np.float64), sets.sum(axis=1, dtype=np.float64))


def set_distances(sets: Bools | SetOverlaps, *, distance: SetDistance) -> Floats:
    """Distances between all rows (sets × elements): a symmetric matrix with zeros on its diagonal.

    With J = |A ∩ B| / |A ∪ B|:

    - nominal: 0 if A = B, else 1;
    - passonneau: 0 if A = B, 1/3 if one contains the other, 2/3 if they overlap, 1 if disjoint (Passonneau 2004);
    - jaccard: 1 − J;
    - masi: 1 − J·M, M = 1 (equal), 2/3 (one contains the other), 1/3 (overlap), 0 (disjoint) (Passonneau 2006).

    The empty set is at distance 0 from itself and 1 from every other set. For several distances of the same sets, give
    their `SetOverlaps`, which take the time.
    """
    check_choice("distance", distance, SetDistance)
    overlaps = sets if isinstance(sets, SetOverlaps) else SetOverlaps.of(sets)
    shared, sizes = overlaps.shared, overlaps.sizes
    union = sizes[:, None] + sizes[None, :] - shared
    # Sizes are whole numbers, so == is exact; two empty sets are equal, too.
    equal = union == shared
    if distance == "nominal":
        return np.where(equal, 0.0, 1.0)
    contained = (shared == np.minimum(sizes[:, None], sizes[None, :])) & (shared > 0)
    jaccard = np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
    likeness = np.select([equal, contained, shared > 0], [1.0, 2 / 3, 1 / 3], 0.0)  # MASI's M
    if distance == "passonneau":
        return 1 - likeness
    if distance == "jaccard":
        return np.where(equal, 0.0, 1 - jaccard)
    return np.where(equal, 0.0, 1 - jaccard * likeness)


def set_alpha(
    codes: Integers,
    distances: Floats,
    *,
    resamples: int = 0,
    confidence: float = 95.0,
    seed: int = 0,
    clusters: Integers | None = None,
) -> SetAlpha:
    """Krippendorff's α, and the percentile interval of a bootstrap over units if `resamples` are asked for.

    Do = Σ_u Σ_{i≠j} d(c_ui, c_uj) / (m_u − 1) / n and De = Σ_{c,k} n_c n_k d(c, k) / (n (n − 1)), over the units u that
    were coded m_u ≥ 2 times, n = Σ m_u. Numbers of codings may differ between units.

    Args:
        codes: units × coders: which set (row of `distances`) a coder gave to a unit; −1 where there is none.
        distances: between the sets, as `set_distances` gives them.
        resamples: of the bootstrap; 0 for no interval.
        confidence: in per cent.
        seed: of the bootstrap.
        clusters: per unit, the group that it is drawn with, numbered from 0: units that were coded together, such as
            the words of a sentence, are not independent. By default each unit is drawn by itself.
    """
    is_coded = codes >= 0
    coded_twice = is_coded.sum(axis=1) >= 2
    codes, is_coded = codes[coded_twice], is_coded[coded_twice]
    if not len(codes):
        undefined = float("nan")
        return SetAlpha(alpha=undefined, observed=undefined, expected=undefined, units=0)
    counts = _counts(codes, is_coded, len(distances))
    per_unit = _disagreements(codes, is_coded, distances)
    everything = np.ones((1, len(codes)))
    observed, expected = _disagreement(everything, counts, per_unit, distances)
    alpha = _ratio(observed, expected)[0]
    result = SetAlpha(alpha=float(alpha), observed=float(observed[0]), expected=float(expected[0]), units=len(codes))
    groups = np.arange(len(codes)) if clusters is None else clusters[coded_twice]
    if not resamples or len(np.unique(groups)) < 2:
        return result
    drawn = _resampled(groups, counts, per_unit, distances, resamples=resamples, seed=seed)
    lower, upper = (float(limits[0]) for limits in percentile_limits(drawn[:, None], confidence=confidence))
    return replace(result, lower=lower, upper=upper, undefined=int(np.isnan(drawn).sum()))


def distinct_sets(sets: Bools) -> tuple[Bools, Integers]:
    """The distinct rows, and for each row which of them it is."""
    if sets.shape[1] == 0:
        return sets[:1], np.zeros(len(sets), dtype=np.int64)
    packed = np.packbits(sets, axis=1)
    # Eight elements a byte, and each row one value to sort by.
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return sets[first], inverse.reshape(-1).astype(np.int64)


def _counts(codes: Integers, is_coded: Bools, values: int) -> csr_array:
    """Units × values, sparse: how often a unit was coded with a value."""
    from scipy.sparse import csr_array

    rows, _ = np.nonzero(is_coded)
    return csr_array((np.ones(len(rows)), (rows, codes[is_coded])), shape=(len(codes), values))


def _disagreements(codes: Integers, is_coded: Bools, distances: Floats) -> Floats:
    """Per unit Σ_{i≠j} d / (m − 1)."""
    total = np.zeros(len(codes))
    coders = codes.shape[1]
    for first in range(coders):
        for second in range(first + 1, coders):
            both = is_coded[:, first] & is_coded[:, second]
            total[both] += 2 * distances[codes[both, first], codes[both, second]]
    per_unit: Floats = total / (is_coded.sum(axis=1) - 1)
    return per_unit


def _disagreement(times: Floats, counts: csr_array, per_unit: Floats, distances: Floats) -> tuple[Floats, Floats]:
    """Do and De of samples, given how often each unit is in each of them (samples × units)."""
    frequencies: Floats = (counts.T @ times.T).T
    n = frequencies.sum(axis=1)
    observed = times @ per_unit / n
    expected = ((frequencies @ distances) * frequencies).sum(axis=1) / (n * (n - 1))
    return observed, expected


def _ratio(observed: Floats, expected: Floats) -> Floats:
    return 1 - quotients(observed, expected)


def _resampled(
    groups: Integers, counts: csr_array, per_unit: Floats, distances: Floats, *, resamples: int, seed: int
) -> Floats:
    """α of each resample: groups of units are drawn with replacement, as many as there are."""
    from scipy.sparse import csr_array

    _, members = np.unique(groups, return_inverse=True)
    size = int(members.max()) + 1
    # Sums over the units of a group are all that a draw needs.
    belongs = csr_array((np.ones(len(members)), (members, np.arange(len(members)))), shape=(size, len(members)))
    group_counts = belongs @ counts
    group_disagreement = np.bincount(members, weights=per_unit, minlength=size).astype(np.float64)
    blocks = drawn_items(size, resamples=resamples, seed=seed, cells=max(size, counts.shape[1]))
    return np.concatenate(
        [
            _ratio(*_disagreement(multiplicities(block, size), group_counts, group_disagreement, distances))
            for block in blocks
        ]
    )
