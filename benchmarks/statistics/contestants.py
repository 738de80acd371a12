"""The programs that resample correlations: ours, and nlpstats (Deutsch, Dror & Roth 2021), which loops over scipy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from pyramidion.options import Coefficient, Level
from pyramidion.statistics.correlation.intervals import bootstrap_correlations, percentile_interval
from pyramidion.statistics.correlation.tests import permutation_test

Floats = NDArray[np.float64]

LEVELS: Final[dict[Level, str]] = {"system": "system", "topic": "input", "global": "global"}
"""Ours, and what nlpstats calls them."""


@dataclass(frozen=True)
class Scores:
    """Three measures on the same summarizers and topics."""

    x: Floats
    y: Floats
    z: Floats


def our_bootstrap(scores: Scores, level: Level, resamples: int) -> Callable[[], object]:
    """All coefficients, as a user calls it."""
    return lambda: bootstrap_correlations(
        scores.x, scores.z, level=level, coefficients=get_args(Coefficient), resamples=resamples, seed=1
    )


def our_permutations(scores: Scores, level: Level, resamples: int) -> Callable[[], object]:
    """All coefficients, one test each."""
    return lambda: [
        permutation_test(
            scores.x,
            scores.y,
            scores.z,
            level=level,
            coefficient=coefficient,
            resampled="both",
            resamples=resamples,
            seed=1,
        )
        for coefficient in get_args(Coefficient)
    ]


def their_bootstrap(scores: Scores, level: Level, resamples: int) -> Callable[[], object]:
    """nlpstats, all coefficients."""
    module = nlpstats()
    return lambda: [
        module.bootstrap(scores.x, scores.z, LEVELS[level], coefficient, "both", n_resamples=resamples)
        for coefficient in get_args(Coefficient)
    ]


def their_permutations(scores: Scores, level: Level, resamples: int) -> Callable[[], object]:
    """nlpstats, all coefficients."""
    module = nlpstats()
    return lambda: [
        module.permutation_test(scores.x, scores.y, scores.z, LEVELS[level], coefficient, "both", n_resamples=resamples)
        for coefficient in get_args(Coefficient)
    ]


def disagreement(scores: Scores, level: Level, coefficient: Coefficient, *, resamples: int) -> float:
    """The largest difference between ours and nlpstats when both are given the same draws.

    Compared are both limits of the bootstrap, and the count of the permutation test (each one off counts as 1).
    """
    module = nlpstats()
    rows, columns = scores.z.shape
    generator = np.random.default_rng(1)

    def draw(matrices: list[Floats], **_: Any) -> list[Floats]:
        drawn = generator.integers(0, rows, size=rows), generator.integers(0, columns, size=columns)
        return [matrix[drawn[0]][:, drawn[1]] for matrix in matrices]

    theirs = module.bootstrap(scores.x, scores.z, LEVELS[level], coefficient, draw, n_resamples=resamples)
    samples = bootstrap_correlations(
        scores.x, scores.z, level=level, coefficients=[coefficient], resamples=resamples, seed=1
    )[coefficient]
    lower, upper = percentile_interval(samples)
    generator = np.random.default_rng(1)

    def exchange(x: Floats, y: Floats) -> tuple[Floats, Floats]:
        coins = [np.asarray(generator.random(size) > 0.5) for size in (rows, columns)]
        swap = coins[0][:, None] ^ coins[1][None, :]
        return np.where(swap, y, x), np.where(swap, x, y)

    tested = module.permutation_test(
        scores.x, scores.y, scores.z, LEVELS[level], coefficient, exchange, n_resamples=resamples
    )
    ours = permutation_test(
        scores.x,
        scores.y,
        scores.z,
        level=level,
        coefficient=coefficient,
        resampled="both",
        resamples=resamples,
        seed=1,
    )
    # It compares without slack, so that equal differences of ranks may count or not: its own count is not the measure.
    extreme = np.abs(tested.samples) >= abs(ours.difference) - 1e-9
    counts = abs(ours.count - int(extreme.sum()))
    return float(max(abs(lower - theirs.lower), abs(upper - theirs.upper), counts))


def nlpstats() -> Any:
    """The other program, or why it can't run here."""
    try:
        return import_module("nlpstats.correlations")
    except ImportError:
        raise SystemExit("nlpstats is not installed: pip install -r benchmarks/requirements.txt") from None
