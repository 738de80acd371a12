"""Does one measure correlate better than another with a third: permutation tests and Williams' test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import Coefficient, CorrelateOptions, Level, Resampled
from pyramidion.scores.cube import ScoreCube
from pyramidion.show.tables import NotedRow
from pyramidion.show.wording import carried_decimals, counted, defined, note_on, p_in_words
from pyramidion.statistics import correlate_levels, williams_test
from pyramidion.statistics.correlation.all_pairs import permutation_tests
from pyramidion.statistics.correlation.tests import PermutationTest
from pyramidion.statistics.multiple import adjusted, least_adjusted
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.statistics.sign_flips import least_p
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS

NOT_DEFINED = "a correlation is not defined on the summaries that have all three scores"
NOT_WILLIAMS = "Williams' test is for Pearson's coefficient at system level; `test=\"permutation\"` works for all"
FEW_TESTS = 6
"""Up to this many significant differences, a table has a sentence for each."""
METHODS = {"williams": "Williams' test", "permutation": "permutation test"}
NO_LEAST_P = "only permutation tests have a least p"
TOO_FEW = "Williams' test needs at least four summarizers, and means that vary"


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
    least_p: float | None = None
    """The smallest corrected p that a permutation test could have had, with these summarizers and permutations."""
    method: Literal["permutation", "williams"]
    seed: int
    n: int
    """Summarizers (system), topics (topic) or summaries (global) that have all three scores."""
    resampled: Resampled | Literal["none"]
    resamples: int
    undefined_resamples: int
    part: str = ""
    """With --by: the group of topics."""

    @property
    def decimals(self) -> int:
        """Decimals of p that the permutations carry."""
        return carried_decimals(self.resamples) if self.resamples else 3

    def possible(self, significance: float) -> bool:
        """Whether corrected p could have been below this level."""
        return self.least_p is None or self.least_p < significance

    def better(self, significance: float) -> str:
        """The measure that correlates significantly better; "" if neither does."""
        if self.p_adjusted is None or self.p_adjusted >= significance or not self.difference:
            return ""
        return self.first if self.difference > 0 else self.second


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
    pairs = list(combinations(measures, 2))
    for level in options.level:
        for coefficient in options.coefficient:
            permuted: Sequence[PermutationTest | None] = [None] * len(pairs)
            if options.test == "permutation":
                permuted = permutation_tests(
                    np.stack([cube[name] for name in measures]),
                    cube[with_],
                    level=level,
                    coefficient=coefficient,
                    resampled=_swapped(options),
                    resamples=options.permutations,
                    seed=seed,
                    progress=progress,
                )
            tests = [
                CorrelationTest(
                    first=first,
                    second=second,
                    with_=with_,
                    level=level,
                    coefficient=coefficient,
                    seed=seed,
                    note=note_on(notes, first, second, with_),
                    **_tested(cube[first], cube[second], cube[with_], level, coefficient, options, found),
                )
                for (first, second), found in zip(pairs, permuted, strict=True)
            ]
            p = np.array([np.nan if one.p is None else one.p for one in tests])
            family = int((~np.isnan(p)).sum())
            for one, corrected in zip(tests, adjusted(p), strict=True):
                least = None if one.least_p is None else least_adjusted(one.least_p, tests=family, correction="holm")
                yield replace(one, p_adjusted=defined(corrected), least_p=least)


def _tested(
    x: Floats,
    y: Floats,
    z: Floats,
    level: Level,
    coefficient: Coefficient,
    options: CorrelateOptions,
    found: PermutationTest | None,
) -> dict[str, Any]:
    """The fields of a test that its numbers make: of a permutation test, or else of Williams' test."""
    common = ~np.isnan(x + y + z)
    n = int({"system": common.any(axis=1), "topic": common.any(axis=0), "global": common}[level].sum())
    facts: dict[str, Any] = {"method": options.test, "n": n, "reason": ""}
    if found is None:
        values = [
            correlate_levels(*(np.where(common, one, np.nan) for one in two), level=level, coefficient=coefficient)
            for two in ((x, z), (y, z), (x, y))
        ]
        difference, p = values[0].value - values[1].value, np.nan
        facts |= {"resampled": "none", "resamples": 0, "undefined_resamples": 0, "reason": NOT_WILLIAMS}
        if level == "system" and coefficient == "pearson":
            p = williams_test(values[0].value, values[1].value, values[2].value, values[0].n).p
            facts["reason"] = TOO_FEW if np.isnan(p) else NO_LEAST_P
    else:
        swapped = _swapped(options)
        difference, p = found.difference, found.p
        facts |= {"resampled": swapped, "resamples": options.permutations, "undefined_resamples": found.undefined}
        if not np.isnan(p):
            units = {"systems": common.any(axis=1).sum(), "topics": common.any(axis=0).sum()}
            coins = int(units.get(swapped, sum(units.values()) - 1))
            facts["least_p"] = least_p(coins, permutations=options.permutations)
    if np.isnan(difference):
        facts["reason"] = NOT_DEFINED
    return {**facts, "difference": defined(difference), "p": defined(p)}


def _swapped(options: CorrelateOptions) -> Resampled:
    """What tosses coins: systems, by default, because that finds no more differences than it should."""
    return options.resample or "systems"


def tests_in_words(tests: Sequence[CorrelationTest], level: float) -> list[str]:
    """Which measures correlate significantly better than others; "undecided" where neither is shown better."""
    made = [one for one in tests if one.p_adjusted is not None]
    if not made:
        return []
    target = made[0].with_
    if made[0].level == "system" and made[0].n < FEWEST_SUMMARIZERS:
        return [f"No finding: only {counted(made[0].n, 'summarizer')} have all three scores."]
    better = [one for one in made if one.better(level)]
    corrected = ", Holm-corrected" if len(made) > 1 else ""
    if len(better) > FEW_TESTS:
        return [
            f"{len(better)} of {len(made)} differences are significant (p < {level:.4g}{corrected}).",
            *_hopeless(made, level),
        ]
    said = [
        f"{first} correlates significantly better with {target} than {second} "
        f"({one.coefficient.capitalize()}, {p_in_words(one.p_adjusted or 0.0, one.decimals)}{corrected})."
        for one in better
        for first, second in [(one.first, one.second) if (one.difference or 0) > 0 else (one.second, one.first)]
    ]
    pairs = {(one.first, one.second) for one in made} - {(one.first, one.second) for one in better}
    if len({(one.first, one.second) for one in made}) == 1 and pairs:
        ((first, second),) = pairs
        chance = ", ".join(
            f"{one.coefficient.capitalize()} {p_in_words(one.p_adjusted or 0.0, one.decimals)}" for one in made
        )
        said.append(f"Undecided: neither {first} nor {second} is shown to correlate better with {target} ({chance}).")
    elif pairs:
        none = "" if better else f": no difference between two correlations with {target} is significant"
        said.append(f"Undecided: {counted(len(pairs), 'pair')} of measures{none}.")
    return [*said, *_hopeless(made, level)]


def _hopeless(tests: Sequence[CorrelationTest], level: float) -> Iterator[str]:
    """That tests could not have been significant, whatever the scores."""
    least = [one.least_p for one in tests if one.least_p is not None and not one.possible(level)]
    if least:
        what = "No difference" if len(least) == len(tests) else f"{counted(len(least), 'difference')}"
        corrected = " after correction" if len(tests) > 1 else ""
        yield (
            f"{what} could have reached significance: p can't be below {min(least):.2g}{corrected}. Fewer measures, "
            "more summarizers or more permutations have more power."
        )
