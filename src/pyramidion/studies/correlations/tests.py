"""Does one measure agree better than another with a third: permutation tests and Williams' test.

From the tests follow clusters of measures that do not differ, and mean ranks over several human scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.options import AccuracyTies, Coefficient, CorrelateOptions, Level, Resampled
from pyramidion.scores.cube import ScoreCube
from pyramidion.show.tables import ExplainedRow, headed
from pyramidion.show.wording import carried_decimals, defined, note_on
from pyramidion.statistics import correlate_levels, williams_test
from pyramidion.statistics.correlation.accuracy_tests import TestedAccuracy, accuracy_test
from pyramidion.statistics.correlation.all_pairs import permutation_tests
from pyramidion.statistics.correlation.tests import PermutationTest
from pyramidion.statistics.multiple import adjusted, least_adjusted
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.statistics.sign_flips import least_p
from pyramidion.statistics.values import mid_ranks, snap_ties
from pyramidion.studies.correlations.pairs import AtLevel, Correlation

TESTED_ACCURACIES: tuple[tuple[Level, TestedAccuracy], ...] = (
    ("system", "plain"),
    ("topic", "ties"),
    ("topic", "cross-calibrated"),
    ("system", "soft"),
)
"""The accuracies of two measures that are compared; ε of the tie-calibrated one is fitted to the same topics."""


class CorrelationTest(ExplainedRow, record="correlation-test"):
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

    def can_be_significant(self, significance: float) -> bool:
        """Whether corrected p could have been below this level."""
        return self.least_p is None or self.least_p < significance

    def better(self, significance: float) -> str:
        """The measure that correlates significantly better; "" if neither does."""
        if self.p_adjusted is None or self.p_adjusted >= significance or not self.difference:
            return ""
        return self.first if self.difference > 0 else self.second


class AccuracyTest(ExplainedRow, record="accuracy-test"):
    """Whether two measures order pairs as a third does equally often; those for which lower is better are reversed."""

    first: str
    second: str
    with_: str
    level: Level
    kind: TestedAccuracy
    difference: float | None
    """Accuracy of the first minus that of the second, on the summaries that have all three scores."""
    p: float | None
    p_adjusted: float | None = None
    """Corrected (Holm) over all tests of this kind with the same third measure."""
    least_p: float | None = None
    """The smallest corrected p that the test could have had, with these summarizers and permutations."""
    ties: AccuracyTies
    seed: int
    n: int
    """Summaries that have all three scores."""
    resampled: Resampled
    resamples: int
    part: str = ""
    """With --by: the group of topics."""

    @property
    def decimals(self) -> int:
        """Decimals of p that the permutations carry."""
        return carried_decimals(self.resamples)

    def better(self, significance: float) -> str:
        """The measure that is significantly more accurate; "" if neither is."""
        if self.p_adjusted is None or self.p_adjusted >= significance or not self.difference:
            return ""
        return self.first if self.difference > 0 else self.second


def compare_accuracies(
    cube: ScoreCube,
    measures: Sequence[str],
    with_: str,
    options: CorrelateOptions,
    *,
    seed: int,
    notes: Mapping[str, str],
    progress: ResamplingProgress | None,
) -> Iterator[AccuracyTest]:
    """The accuracies of every two measures against the same third; higher must be better on all."""
    pairs = list(combinations(measures, 2))
    swapped = _swapped_units(options)
    target = cube[with_]
    for level, kind in TESTED_ACCURACIES:
        results = [
            accuracy_test(
                cube[first],
                cube[second],
                target,
                kind=kind,
                ties=options.ties,
                resampled=swapped,
                resamples=options.permutations,
                seed=seed,
                progress=progress,
            )
            for first, second in pairs
        ]
        p = np.array([result.p for result in results])
        family = int((~np.isnan(p)).sum())
        for (first, second), result, corrected in zip(pairs, results, adjusted(p), strict=True):
            least = None
            if not np.isnan(result.p):
                common = ~np.isnan(cube[first] + cube[second] + target)
                least = least_p(_coins(common, swapped), permutations=options.permutations)
                least = least_adjusted(least, tests=family, correction="holm")
            yield AccuracyTest(
                first=first,
                second=second,
                with_=with_,
                level=level,
                kind=kind,
                difference=defined(result.difference),
                p=defined(result.p),
                p_adjusted=defined(corrected),
                least_p=least,
                ties=options.ties,
                seed=seed,
                n=result.n,
                resampled=swapped,
                resamples=options.permutations,
                note=note_on(notes, first, second, with_),
            )


def _coins(common: Bools, swapped: Resampled) -> int:
    """How many coins decide about an exchange, of summarizers and topics with a score by all three."""
    units = {"systems": common.any(axis=1).sum(), "topics": common.any(axis=0).sum()}
    # With both, one coin fewer: turning every coin of systems and of topics exchanges the same cells.
    return int(units.get(swapped, sum(units.values()) - 1))


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
            permutations: Sequence[PermutationTest | None] = [None] * len(pairs)
            if options.test == "permutation":
                permutations = permutation_tests(
                    np.stack([cube[name] for name in measures]),
                    cube[with_],
                    level=level,
                    coefficient=coefficient,
                    resampled=_swapped_units(options),
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
                    **_test_fields(cube[first], cube[second], cube[with_], level, coefficient, options, permuted),
                )
                for (first, second), permuted in zip(pairs, permutations, strict=True)
            ]
            p = np.array([np.nan if test.p is None else test.p for test in tests])
            family = int((~np.isnan(p)).sum())
            for test, corrected in zip(tests, adjusted(p), strict=True):
                least = None
                if test.least_p is not None:
                    least = least_adjusted(test.least_p, tests=family, correction="holm")
                yield replace(test, p_adjusted=defined(corrected), least_p=least)


def _test_fields(
    x: Floats,
    y: Floats,
    z: Floats,
    level: Level,
    coefficient: Coefficient,
    options: CorrelateOptions,
    permuted: PermutationTest | None,
) -> dict[str, Any]:
    """The fields of a test that its numbers make: of a permutation test, or else of Williams' test."""
    common = ~np.isnan(x + y + z)
    n = int({"system": common.any(axis=1), "topic": common.any(axis=0), "global": common}[level].sum())
    fields: dict[str, Any] = {"method": options.test, "n": n}
    if permuted is None:
        x, y, z = (np.where(common, values, np.nan) for values in (x, y, z))
        first = correlate_levels(x, z, level=level, coefficient=coefficient)
        second = correlate_levels(y, z, level=level, coefficient=coefficient)
        between = correlate_levels(x, y, level=level, coefficient=coefficient)
        difference, p = first.value - second.value, np.nan
        fields |= {"resampled": "none", "resamples": 0, "undefined_resamples": 0}
        if level == "system" and coefficient == "pearson":
            p = williams_test(first.value, second.value, between.value, first.n).p
    else:
        swapped = _swapped_units(options)
        difference, p = permuted.difference, permuted.p
        fields |= {"resampled": swapped, "resamples": options.permutations, "undefined_resamples": permuted.undefined}
        if not np.isnan(p):
            fields["least_p"] = least_p(_coins(common, swapped), permutations=options.permutations)
    return {**fields, "difference": defined(difference), "p": defined(p)}


def _swapped_units(options: CorrelateOptions) -> Resampled:
    """What tosses coins: systems, by default, because that finds no more differences than it should."""
    return options.resample or "systems"


class Cluster(AtLevel, record="cluster"):
    """To which cluster a measure belongs, by the tests between measures; the first correlates most highly."""

    coefficient: Coefficient
    value: float | None = headed("correlation")
    rank: int | None = headed("cluster")
    n: int
    confidence: float
    part: str = ""


class MeanRank(ExplainedRow, record="mean-rank"):
    """The mean of a measure's ranks over several human scores."""

    measure: str
    level: Level
    coefficient: Coefficient
    value: float | None = headed("mean rank", digits=2)
    by: Literal["cluster", "correlation"]
    """Ranks are numbers of clusters if measures were tested, else ranks of correlations (1 is the highest)."""
    ranks: tuple[float, ...]
    """In the order of the human scores."""
    n: int = headed("human scores")
    """Human scores with which it has a correlation."""
    part: str = ""


def find_clusters(
    ranked: Sequence[Correlation], tests: Sequence[CorrelationTest], *, confidence: float
) -> Iterator[Cluster]:
    """Clusters as in the metrics tasks of WMT.

    Going down from the highest correlation, a measure that differs significantly from any measure of the cluster so far
    (p corrected with Holm's method) begins the next one. Two measures of one cluster never differ significantly; those
    of two clusters may not differ, either.
    """
    significance = 1 - confidence / 100
    # By the set of the two: a test has an order, and whether measures differ has none.
    differing = {
        frozenset((test.first, test.second))
        for test in tests
        if test.p_adjusted is not None and test.p_adjusted < significance
    }
    rank = 1
    members: list[str] = []
    for correlation in ranked:
        differs = any(frozenset((correlation.measure, member)) in differing for member in members)
        if correlation.value is not None and differs:
            rank += 1
            members = []
        members.append(correlation.measure)
        yield Cluster(
            measure=correlation.measure,
            with_=correlation.with_,
            level=correlation.level,
            coefficient=correlation.coefficient,
            value=correlation.value,
            rank=None if correlation.value is None else rank,
            n=correlation.n,
            confidence=confidence,
            part=correlation.part,
            note=correlation.note,
        )


def mean_ranks(
    ranked: Sequence[Sequence[tuple[Correlation, float]]], clusters: Sequence[Cluster]
) -> Iterator[MeanRank]:
    """Mean ranks of measures at one level, by one coefficient, the lowest first.

    Args:
        ranked: for each human score the correlations and how far they agree (the value, reversed if lower is better).
        clusters: of the same, if there are any.
    """
    ranks_by_measure = _ranks_of_clusters(clusters) if clusters else _ranks_of_correlations(ranked)
    first = ranked[0][0][0]
    rows = [
        MeanRank(
            measure=measure,
            level=first.level,
            coefficient=first.coefficient,
            value=float(np.mean(ranks)) if ranks else None,
            by="cluster" if clusters else "correlation",
            ranks=tuple(ranks),
            n=len(ranks),
            part=first.part,
        )
        for measure, ranks in ranks_by_measure.items()
    ]
    yield from sorted(rows, key=lambda row: (row.value is None, row.value))


def _ranks_of_clusters(clusters: Sequence[Cluster]) -> dict[str, list[float]]:
    """By measure, the numbers of its clusters."""
    ranks: dict[str, list[float]] = {cluster.measure: [] for cluster in clusters}
    for cluster in clusters:
        if cluster.rank is not None:
            ranks[cluster.measure].append(float(cluster.rank))
    return ranks


def _ranks_of_correlations(ranked: Sequence[Sequence[tuple[Correlation, float]]]) -> dict[str, list[float]]:
    """By measure, its ranks among the defined correlations with each human score."""
    ranks: dict[str, list[float]] = {}
    for correlations in ranked:
        for correlation, _ in correlations:
            ranks.setdefault(correlation.measure, [])
        defined_pairs = [pair for pair in correlations if pair[0].value is not None]
        agreements = np.array([agreement for _, agreement in defined_pairs], dtype=np.float64)
        places = mid_ranks(-snap_ties(agreements))
        for (correlation, _), place in zip(defined_pairs, places, strict=True):
            ranks[correlation.measure].append(float(place))
    return ranks
