"""Does one measure correlate better than another with a third? Permutation tests and Williams' test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Coefficient, Level, Resampled
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.correlation.draws import Exchanges, cells_of, permutation_draws
from pyramidion.statistics.correlation.exchanges import ExchangedPairs
from pyramidion.statistics.correlation.topics import ExchangedTopics
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.statistics.values import SLACK, check_choice, check_matrices, snap_ties, t_p

_Exchanging = Callable[[Exchanges, Coefficient], tuple[Floats, Floats]]
"""The correlations of both measures with the third, after each exchange."""


@dataclass(frozen=True, kw_only=True)
class PermutationTest:
    """How a difference of correlations compares with those after exchanging scores at random."""

    difference: float
    """Correlation of the first measure less that of the second; NaN if one is not defined."""
    p: float
    """Two-sided, (count + 1) / (permutations + 1)."""
    count: int
    """Permutations whose difference is at least as large."""
    permutations: int
    """Those that have a difference."""
    undefined: int
    """Those that have none."""
    n: int
    """Summaries that have all three scores."""

    @classmethod
    def of(cls, difference: float, *, count: int, defined: int, resamples: int, n: int) -> PermutationTest:
        """From how many of the resamples have a difference, and how many one that is at least as large."""
        if np.isnan(difference):
            return cls(difference=difference, p=np.nan, count=0, permutations=0, undefined=0, n=n)
        return cls(
            difference=difference,
            p=(count + 1) / (defined + 1) if defined else np.nan,
            count=count,
            permutations=defined,
            undefined=resamples - defined,
            n=n,
        )


@dataclass(frozen=True, kw_only=True)
class WilliamsTest:
    """Williams' t for two dependent correlations; NaN where it is not defined."""

    difference: float
    t: float
    p: float
    degrees_of_freedom: int


def permutation_test(
    x: Floats,
    y: Floats,
    z: Floats,
    *,
    level: Level,
    coefficient: Coefficient,
    resampled: Resampled = "systems",
    resamples: int = 1000,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> PermutationTest:
    """Whether x and y correlate equally with z, on the summaries that all three have.

    All are standardised over their cells. In each permutation every summarizer tosses a coin (`resampled`: "systems"),
    or every topic ("topics"), or both do: then x and y change places where the two coins of a cell differ (rows XOR
    columns). Exchanging topics mixes what lasts in a summarizer's scores, and finds differences too easily where the
    measures differ in that.
    """
    check_matrices(x, y, z)
    check_choice("level", level, Level)
    check_choice("coefficient", coefficient, Coefficient)
    missing = np.isnan(x) | np.isnan(y) | np.isnan(z)
    x, y, z = (standardised(values, missing, level) for values in (x, y, z))
    n = int((~np.isnan(z)).sum())
    observed = np.nan
    if n:
        correlations = _at_level(x, y, z, level, resampled)
        untouched = Exchanges(rows=np.zeros((1, len(z)), np.bool_), columns=np.zeros((1, z.shape[1]), np.bool_))
        # By the same steps as after an exchange, so that one which changes nothing gives the same bits.
        first, second = correlations(untouched, coefficient)
        observed = float(first[0] - second[0])
    count = defined = 0
    if np.isnan(observed):
        return PermutationTest.of(observed, count=count, defined=defined, resamples=resamples, n=n)
    cells = cells_of(z.shape, level)
    for exchanges in permutation_draws(z.shape, resampled=resampled, resamples=resamples, seed=seed, cells=cells):
        first, second = correlations(exchanges, coefficient)
        differences = np.abs(first - second)
        count += int(np.count_nonzero(differences >= abs(observed) - SLACK))  # NaN is never greater
        defined += int(np.count_nonzero(~np.isnan(differences)))
        if progress:
            progress(len(exchanges))
    return PermutationTest.of(observed, count=count, defined=defined, resamples=resamples, n=n)


def williams_test(first: float, second: float, between: float, n: int) -> WilliamsTest:
    """Two-sided test of r12 = r13, given r23, over n items (Williams 1959; Steiger 1980).

    K = 1 − r12² − r13² − r23² + 2·r12·r13·r23, r̄ = (r12 + r13)/2,
    t = (r12 − r13)·√((n − 1)(1 + r23) / (2K(n − 1)/(n − 3) + r̄²(1 − r23)³)) with n − 3 degrees of freedom.
    """
    difference = first - second
    freedom = n - 3
    t = p = np.nan
    if freedom > 0 and not np.isnan(difference + between):
        determinant = max(0.0, 1 - first**2 - second**2 - between**2 + 2 * first * second * between)
        mean = (first + second) / 2
        variance = 2 * determinant * (n - 1) / freedom + mean**2 * (1 - between) ** 3
        if abs(difference) <= SLACK:
            t, p = 0.0, 1.0
        elif variance > SLACK:
            t = difference * float(np.sqrt((n - 1) * (1 + between) / variance))
            p = float(t_p(t, freedom))
    return WilliamsTest(difference=difference, t=t, p=p, degrees_of_freedom=max(freedom, 0))


def standardised(values: Floats, missing: Bools, level: Level) -> Floats:
    """A measure's scores of the cells that no measure lacks; rows and columns without any are dropped.

    Scores that are ranked are rounded by `snap_ties`; those that are averaged are not, because rounding would make
    equal means differ.
    """
    kept: Floats = np.where(missing, np.nan, values)[~missing.all(axis=1)][:, ~missing.all(axis=0)]
    if not kept.size:
        return kept
    spread = np.nanstd(kept)
    scaled: Floats = (kept - np.nanmean(kept)) / (spread if spread > 0 else 1.0)
    return scaled if level == "system" else snap_ties(scaled)


def _at_level(x: Floats, y: Floats, z: Floats, level: Level, resampled: Resampled) -> _Exchanging:
    if level == "global":
        has = ~np.isnan(z)
        cells = ExchangedPairs(*(scores[has] for scores in (x, y, z)))
        return lambda exchanges, coefficient: cells.correlations(exchanges.cells[:, has], coefficient=coefficient)
    if resampled != "systems":
        return partial(_system_level if level == "system" else _topic_level, x, y, z)
    whole = (
        ExchangedTopics(x, y, z)
        if level == "topic"
        else ExchangedPairs(*(snap_mean_ties(values, like=z) for values in (x, y, z)))
    )
    return lambda exchanges, coefficient: whole.correlations(exchanges.rows, coefficient=coefficient)


def snap_mean_ties(values: Floats, *, like: Floats) -> Floats:
    """Of each summarizer over its topics."""
    present = ~np.isnan(values)
    return snap_ties(np.where(present, values, 0.0).sum(axis=1) / present.sum(axis=1), like=like)


def _system_level(
    x: Floats, y: Floats, z: Floats, exchanges: Exchanges, coefficient: Coefficient
) -> tuple[Floats, Floats]:
    """Means after exchange: Σ_t x' = Σ x + r·Σ d + (1 − 2r)·Σ c_t·d, where d = y − x, and r, c are the coins."""
    present = ~np.isnan(z)
    counts = present.sum(axis=1)
    x_present, y_present = np.where(present, x, 0.0), np.where(present, y, 0.0)
    moved = y_present - x_present
    rows = exchanges.rows.astype(np.float64)
    gained = rows * moved.sum(axis=1) + (1 - 2 * rows) * (exchanges.columns.astype(np.float64) @ moved.T)
    target = snap_mean_ties(z, like=z)[None]
    sums = (x_present.sum(axis=1) + gained, y_present.sum(axis=1) - gained)
    first, second = (
        row_correlations(snap_ties(total / counts, like=z), target, coefficient=coefficient) for total in sums
    )
    return first, second


def _topic_level(
    x: Floats, y: Floats, z: Floats, exchanges: Exchanges, coefficient: Coefficient
) -> tuple[Floats, Floats]:
    """Within a topic whose coin is 1 the exchange of rows is turned round: the two coefficients change places."""
    totals, counts = np.zeros((2, len(exchanges))), np.zeros((2, len(exchanges)))
    for topic in range(z.shape[1]):
        has = ~np.isnan(z[:, topic])
        rows = exchanges.rows if has.all() else exchanges.rows[:, has]
        pairs = ExchangedPairs(*(scores[has, topic] for scores in (x, y, z)))
        pair_correlations = np.stack(pairs.correlations(rows, coefficient=coefficient))
        placed = np.where(exchanges.columns[:, topic], pair_correlations[::-1], pair_correlations)
        defined = ~np.isnan(placed)
        totals += np.where(defined, placed, 0.0)
        counts += defined
    first, second = np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0)
    return first, second
