"""Permutation tests of every two of many measures: with the same exchanges, and so the same counts, as pair by pair.

Where summarizers exchange all their scores, Σ x' = Σ x − Σ v·x + Σ v·y: what takes long, the sums over summarizers, is
needed once for each measure. Without ties, the difference of Spearman's or Kendall's coefficients is linear in the
signs s (`signed`): one matrix product for all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Protocol

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.options import Coefficient, Level, Resampled
from pyramidion.statistics.correlation.draws import BLOCK_CELLS, cells_of, permutation_draws
from pyramidion.statistics.correlation.signed import SignedExchanges
from pyramidion.statistics.correlation.tests import PermutationTest, permutation_test, snap_mean_ties, standardised
from pyramidion.statistics.correlation.topics import ExchangedTopics, usable_topics
from pyramidion.statistics.correlation.weights import PRECISE
from pyramidion.statistics.resampling import ResamplingProgress
from pyramidion.statistics.values import SLACK, check_choice, check_matrices

Pair = tuple[int, int]

CACHED_CELLS = 11_000
"""Of arrays of pairs × topics × exchanges: what fits in a processor's cache, in memory that need not be asked for."""
MOST_COMPARED = 1_000_000
"""Topics × pairs of summarizers up to which the signs of all their differences are taken at once."""


def permutation_tests(
    scores: Floats,
    z: Floats,
    *,
    level: Level,
    coefficient: Coefficient,
    resampled: Resampled = "systems",
    resamples: int = 1000,
    seed: int = 0,
    progress: ResamplingProgress | None = None,
) -> list[PermutationTest]:
    """What `permutation_test` finds for every two of these measures, in the order of `itertools.combinations`.

    Args:
        scores: measures × summarizers × topics.
        z: summarizers × topics.
        level, coefficient, resampled, resamples, seed: as for one test.
        progress: called with the number of permutations since the last call, each counted for every pair.
    """
    check_matrices(*scores, z)
    check_choice("level", level, Level)
    check_choice("coefficient", coefficient, Coefficient)
    pair_tests: dict[Pair, PermutationTest] = {}
    if resampled == "systems" and level != "global":
        for alike in _group_by_summaries(scores, z):
            together = _together(scores[alike], z, level, coefficient)
            tests = _test_pairs(together, cells_of(z.shape, level), resamples, seed, progress)
            for (first, second), test in zip(together.pairs, tests, strict=True):
                pair_tests[alike[first], alike[second]] = test
    for pair in combinations(range(len(scores)), 2):
        if pair not in pair_tests:
            first, second = pair
            pair_tests[pair] = permutation_test(
                scores[first],
                scores[second],
                z,
                level=level,
                coefficient=coefficient,
                resampled=resampled,
                resamples=resamples,
                seed=seed,
                progress=progress,
            )
    return [pair_tests[pair] for pair in combinations(range(len(scores)), 2)]


def _group_by_summaries(scores: Floats, z: Floats) -> list[list[int]]:
    """Measures that have scores of the same summaries, so that each is standardised alike with all the others."""
    groups: dict[bytes, list[int]] = {}
    # A pair is standardised over the summaries that both have: only measures with the same holes can share sums.
    for place, missing in enumerate(np.isnan(scores) | np.isnan(z)):
        groups.setdefault(missing.tobytes(), []).append(place)
    return list(groups.values())


class _MeasureFamily(Protocol):
    """Measures that are tested together."""

    @property
    def pairs(self) -> list[Pair]: ...

    @property
    def scores(self) -> _StandardScores: ...

    def differences(self, exchanges: Bools) -> Floats:
        """Pairs × exchanges: the coefficient of the first measure less that of the second; NaN if undefined."""


@dataclass(frozen=True, eq=False)
class _StandardScores:
    """Standardised scores, of usable topics: measures × summarizers × topics, and of the third; means are one topic."""

    measures: Floats
    z: Floats
    n: int
    """Summaries that have all scores."""

    @cached_property
    def has(self) -> Bools:
        return ~np.isnan(self.z)


def _together(scores: Floats, z: Floats, level: Level, coefficient: Coefficient) -> _MeasureFamily:
    missing = np.isnan(scores[0]) | np.isnan(z)
    n = int((~missing).sum())
    target = standardised(z, missing, level)
    measures = [standardised(values, missing, level) for values in scores]
    if level == "system":
        measures = [snap_mean_ties(values, like=target)[:, None] for values in measures]
        target = snap_mean_ties(target, like=target)[:, None]
    usable = usable_topics(target) if n else np.zeros(0, dtype=np.intp)
    scored = _StandardScores(np.stack(measures)[:, :, usable], target[:, usable], n)
    pairs = list(combinations(range(len(scores)), 2)) if len(usable) else []
    if coefficient != "pearson" and len(usable) * len(target) ** 2 > MOST_COMPARED:
        pairs = []
    return _Pearson(scored, pairs) if coefficient == "pearson" else _signed(scored, pairs, coefficient)


def _test_pairs(
    together: _MeasureFamily, cells: int, resamples: int, seed: int, progress: ResamplingProgress | None
) -> list[PermutationTest]:
    pairs, z = together.pairs, together.scores.z
    if not pairs:
        return []
    observed = together.differences(np.zeros((1, len(z)), np.bool_))[:, 0]
    counts, defined = np.zeros(len(pairs), np.int64), np.zeros(len(pairs), np.int64)
    # A block holds pairs × exchanges, and for every measure topics × exchanges: tens of megabytes.
    cells = max(cells, len(pairs) // 10, z.shape[1] * (BLOCK_CELLS // CACHED_CELLS))
    draws = permutation_draws((len(z), 0), resampled="systems", resamples=resamples, seed=seed, cells=cells)
    for exchanges in draws:
        differences = np.abs(together.differences(exchanges.rows))
        # Undefined differences compare as False, so they count as not as large; how many there are is kept apart.
        counts += np.count_nonzero(differences >= np.abs(observed)[:, None] - SLACK, axis=1)
        defined += np.count_nonzero(~np.isnan(differences), axis=1)
        if progress:
            progress(len(exchanges) * len(pairs))
    return [
        PermutationTest.of(difference, count=count, defined=is_defined, resamples=resamples, n=together.scores.n)
        for difference, count, is_defined in zip(observed.tolist(), counts.tolist(), defined.tolist(), strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _Pearson:
    scores: _StandardScores
    pairs: list[Pair]

    def differences(self, exchanges: Bools) -> Floats:
        """From means, mean squares and mean products of each measure: what it keeps, and what it gives away."""
        blocks: list[Floats] = []
        whole, features = self._features
        received = features @ exchanges.T.astype(np.float64)  # features × measures × topics × exchanges
        kept = whole[..., None] - received
        count = received.shape[1]
        step = max(1, CACHED_CELLS // received[0, 0].size)
        for x in range(count):
            for start in range(x + 1, count, step):
                partners = slice(start, start + step)
                least = np.maximum(self._precise[x], self._precise[partners])
                first, lost = _coefficients(kept[:, None, x], received[:, partners], least)
                second, lost_as_well = _coefficients(kept[:, partners], received[:, None, x], least)
                first -= second
                differences = first.mean(axis=1)
                # Pairs that are nearly constant after an exchange are computed from deviations, one by one.
                for place in np.nonzero(lost | lost_as_well)[0]:
                    x_scores, y_scores = self.scores.measures[[x, start + int(place)]]
                    pair = ExchangedTopics(x_scores, y_scores, self.scores.z)
                    differences[place] = np.subtract(*pair.correlations(exchanges, coefficient="pearson"))
                blocks.append(differences)
        return np.concatenate(blocks)

    @cached_property
    def _centred(self) -> Floats:
        """Scores less a centre of each topic that all measures share; 0 where there is none."""
        values, has = self.scores.measures, self.scores.has
        centres = np.where(has, values, 0.0).sum(axis=(0, 1)) / (len(values) * has.sum(axis=0))
        return np.where(has, values - centres, 0.0)

    @cached_property
    def _precise(self) -> Floats:
        """Measures × topics: variances below lose too many digits."""
        precise: Floats = PRECISE * (self._centred**2).max(axis=1)
        return precise

    @cached_property
    def _features(self) -> tuple[Floats, Floats]:
        """Means, mean squares and mean products with z: as they are, and what each summarizer has in them (last)."""
        has, z = self.scores.has, self.scores.z
        n = has.sum(axis=0)
        other = np.where(has, z, 0.0)
        other = np.where(has, other - other.sum(axis=0) / n, 0.0)
        other /= np.sqrt((other * other).sum(axis=0) * n)
        centred = self._centred
        features = np.stack([centred / n, centred * centred / n, centred * other]).swapaxes(2, 3)
        return features.sum(axis=3), np.ascontiguousarray(features)


def _coefficients(kept: Floats, received: Floats, least: Floats) -> tuple[Floats, Bools]:
    """Pairs × topics × exchanges: mean product by standard deviation; and of which pairs a variance lost digits."""
    mean = kept[0] + received[0]
    variance = kept[1] + received[1]
    mean *= mean
    variance -= mean
    lost: Bools = (variance.min(axis=2) <= least).any(axis=1)
    if lost.any():
        variance[lost] = 1.0
    np.sqrt(variance, out=variance)
    product: Floats = np.add(kept[2], received[2], out=mean)
    product /= variance
    return product, lost


@dataclass(frozen=True, eq=False)
class _Signed:
    scores: _StandardScores
    pairs: list[Pair]
    """Those without ties in any topic."""
    weights: Floats
    """Pairs × summarizers: what a sign adds to the difference."""

    def differences(self, exchanges: Bools) -> Floats:
        """In which the parts that are not linear, the same for both measures, are gone."""
        differences_of_pairs: Floats = self.weights @ np.where(exchanges, -1.0, 1.0).T
        return differences_of_pairs


def _signed(scores: _StandardScores, pairs: list[Pair], coefficient: Coefficient) -> _Signed:
    """2·w of `signed`, by coefficient and topic in one: of each measure alone, and of both together."""
    z = scores.z.T
    third = SignedExchanges(z, z, z, coefficient)
    compared = _Compared(scores.has.T, third.target * (4 / (third.scales * len(z)))[:, None, None])
    measures = scores.measures.swapaxes(1, 2)
    alone = [compared.sums(first, first) for first in measures]
    untied, weights = [], []
    for x, y in pairs:
        first, second = alone[x], alone[y]
        if first is None or second is None:
            continue
        both = compared.sums(measures[x], measures[y])
        if both is not None:
            untied.append((x, y))
            weights.append(first.sum(axis=1) + both.sum(axis=1) - both.sum(axis=0) - second.sum(axis=1))
    return _Signed(scores, untied, np.array(weights).reshape(len(untied), len(scores.z)))


class _Compared:
    """Signs of differences between scores, Σ_t q_tij·sgn(x_ti − y_tj), where no two different summarizers tie."""

    def __init__(self, has: Bools, target: Floats) -> None:
        """Topics × summarizers: where there are scores; topics × summarizers × summarizers: q."""
        self._may_tie = has[:, :, None] & has[:, None, :] & ~np.eye(has.shape[1], dtype=np.bool_)
        self._target, self._turned = target, -target

    def sums(self, x: Floats, y: Floats) -> Floats | None:
        """Summarizers × summarizers; None if there are ties."""
        first, second = x[:, :, None], y[:, None, :]
        if ((first == second) & self._may_tie).any():
            return None
        sums: Floats = np.where(first > second, self._target, self._turned).sum(axis=0)
        return sums
