"""Random samples with known chances: a fixed number within each stratum, or every unit by itself; and larger ones.

A sample is drawn from a frame, which lists everything that could have been drawn. What is estimated from it is right
because the chance of each unit is known, not because the sample looks typical.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers


@dataclass(frozen=True, eq=False)
class Draw:
    """Which units of a frame were drawn, and the chance of each."""

    is_drawn: Bools
    chances: Floats


def allocate(sizes: Integers, share: float, generator: np.random.Generator) -> Integers:
    """How many units are drawn in each stratum: the share of its size, at least 1, and in all as near as it can be.

    Fractions are rounded by systematic sampling: with cumulated shares c and one random u, the number in a stratum is
    ⌊c_h + u⌋ − ⌊c_{h−1} + u⌋.
    """
    cumulated = np.concatenate([[0.0], np.cumsum(share * sizes)])
    steps = np.floor(cumulated + generator.random() - 1e-9)
    counts = np.diff(steps).astype(np.int64)
    return np.clip(counts, np.minimum(1, sizes), sizes)


def draw_within(
    strata: Integers, share: float, generator: np.random.Generator, *, earlier: Bools | None = None
) -> Draw:
    """A simple random sample of this share within each stratum.

    With an earlier sample of the same frame, what is lacking is drawn from the rest: a simple random sample and one
    from the rest of it are together a simple random sample, so the chance is again the number drawn over the size.
    """
    sizes = np.bincount(strata)
    counts = allocate(sizes, share, generator)
    is_drawn = np.zeros(len(strata), dtype=np.bool_) if earlier is None else earlier.copy()
    for stratum, count in enumerate(counts):
        members = np.flatnonzero(strata == stratum)
        rest = members[~is_drawn[members]]
        lacking = int(count) - (len(members) - len(rest))
        if lacking > 0:
            is_drawn[generator.choice(rest, size=lacking, replace=False)] = True
    drawn = np.bincount(strata[is_drawn], minlength=len(sizes))
    return Draw(is_drawn, (drawn / sizes)[strata])


def draw_independently(chances: Floats, generator: np.random.Generator, *, earlier: Draw | None = None) -> Draw:
    """Every unit with its own chance, independently of the others (Poisson sampling).

    With an earlier sample of chances p, a unit of the rest is drawn with the chance (π − p)/(1 − p), so that its chance
    in both together is π; a chance that is lower now stays as it was.
    """
    if earlier is None:
        return Draw(generator.random(len(chances)) < chances, chances)
    wanted = np.maximum(chances, earlier.chances)
    is_open = earlier.chances < 1
    more = np.zeros(len(chances))
    more[is_open] = (wanted[is_open] - earlier.chances[is_open]) / (1 - earlier.chances[is_open])
    return Draw(earlier.is_drawn | (generator.random(len(chances)) < more), wanted)


def chances_by_uncertainty(uncertainties: Floats, share: float, *, floor: float = 0.2) -> Floats:
    """Chances in proportion to how uncertain each unit is, with this mean; none below the floor.

    Args:
        uncertainties: standard deviations of answers, such as √(p(1 − p)).
        share: of the units that are drawn on average.
        floor: share of the largest uncertainty that every unit has at least.

    >>> chances_by_uncertainty(np.array([0.0, 0.5, 0.5]), 0.5, floor=0.2).round(3).tolist()
    [0.136, 0.682, 0.682]
    """
    largest = float(uncertainties.max(initial=0.0))
    if largest <= 0:
        return np.full(len(uncertainties), share)
    relative = np.maximum(uncertainties, floor * largest)
    chances = np.zeros(len(relative))
    is_open = np.ones(len(relative), dtype=np.bool_)
    # What would pass 1 is certain; the others share the rest, until none passes.
    for _ in range(len(relative)):
        left = share * len(relative) - (~is_open).sum()
        total = relative[is_open].sum()
        if total <= 0:
            break
        chances[is_open] = relative[is_open] * left / total
        passes = is_open & (chances >= 1)
        if not passes.any():
            break
        chances[passes] = 1.0
        is_open &= ~passes
    return chances
