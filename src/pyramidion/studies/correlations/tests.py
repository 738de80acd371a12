"""Does one measure correlate better than another with a third: permutation tests and Williams' test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import Coefficient, CorrelateOptions, Level, Resampled
from pyramidion.scores.cube import ScoreCube
from pyramidion.statistics.correlation.levels import correlate_levels
from pyramidion.statistics.correlation.tests import permutation_test, williams_test
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.tables import NotedRow
from pyramidion.wording import defined, note_on

NOT_DEFINED = "a correlation is not defined on the summaries that have all three scores"
NOT_WILLIAMS = "Williams' test is for Pearson's coefficient at system level; --test permutation works for all"
TOO_FEW = "Williams' test needs at least four summarizers, and means that vary"


@dataclass(frozen=True, kw_only=True)
class CorrelationTest(NotedRow, record="correlation-test"):
    """Whether two measures correlate equally with a third; measures for which lower is better are reversed."""

    first: str
    second: str
    with_: str
    level: Level
    coefficient: Coefficient
    difference: float | None
    """Correlation of the first minus that of the second."""
    p: float | None
    p_adjusted: float | None = None
    """Corrected (Holm) over all tests with the same third measure, level and coefficient."""
    method: Literal["permutation", "williams"]
    seed: int
    n: int
    """Summarizers (system), topics (topic) or summaries (global) that have all three scores."""
    resampled: Resampled | Literal["none"]
    resamples: int
    undefined_resamples: int
    part: str = ""
    """With --by: the group of topics."""


def compare_correlations(
    cube: ScoreCube,
    measures: Sequence[str],
    with_: str,
    options: CorrelateOptions,
    *,
    seed: int,
    notes: Mapping[str, str],
    progress: ResamplingProgress | None,
) -> Iterator[CorrelationTest]:
    """Every two measures correlated with the same third, at every level; higher must be better on all."""
    for level in options.level:
        for coefficient in options.coefficient:
            tests = [
                CorrelationTest.of(
                    first=first,
                    second=second,
                    with_=with_,
                    level=level,
                    coefficient=coefficient,
                    seed=seed,
                    note=note_on(notes, first, second, with_),
                    **_tested(cube[first], cube[second], cube[with_], level, coefficient, options, seed, progress),
                )
                for first, second in combinations(measures, 2)
            ]
            p = np.array([np.nan if one.p is None else one.p for one in tests])
            for one, corrected in zip(tests, adjusted(p), strict=True):
                yield replace(one, p_adjusted=defined(corrected))


def _tested(
    x: Floats,
    y: Floats,
    z: Floats,
    level: Level,
    coefficient: Coefficient,
    options: CorrelateOptions,
    seed: int,
    progress: ResamplingProgress | None,
) -> dict[str, Any]:
    """The fields of a test that its numbers make."""
    common = ~np.isnan(x + y + z)
    n = int({"system": common.any(axis=1), "topic": common.any(axis=0), "global": common}[level].sum())
    facts: dict[str, Any] = {"method": options.test, "n": n, "reason": ""}
    if options.test == "williams":
        values = [
            correlate_levels(*(np.where(common, one, np.nan) for one in two), level=level, coefficient=coefficient)
            for two in ((x, z), (y, z), (x, y))
        ]
        difference, p = values[0].value - values[1].value, np.nan
        facts |= {"resampled": "none", "resamples": 0, "undefined_resamples": 0, "reason": NOT_WILLIAMS}
        if level == "system" and coefficient == "pearson":
            p = williams_test(values[0].value, values[1].value, values[2].value, values[0].n).p
            facts["reason"] = TOO_FEW
    else:
        swapped: Resampled = options.resample or "systems"  # finds no more differences than it should
        found = permutation_test(
            x,
            y,
            z,
            level=level,
            coefficient=coefficient,
            resampled=swapped,
            resamples=options.resamples,
            seed=seed,
            progress=progress,
        )
        difference, p = found.difference, found.p
        facts |= {"resampled": swapped, "resamples": options.resamples, "undefined_resamples": found.undefined}
    if np.isnan(difference):
        facts["reason"] = NOT_DEFINED
    return {**facts, "difference": float(difference), "p": float(p)}
