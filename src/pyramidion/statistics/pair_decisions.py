"""Whether a judge decides between systems as people do: which pairs both separate, in the same order or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.intervals import percentile_limits
from pyramidion.statistics.multiple import adjusted
from pyramidion.statistics.pairs import PairedTests, paired_differences, paired_tests
from pyramidion.statistics.resampling import drawn_items, multiplicities


@dataclass(frozen=True, kw_only=True, eq=False)
class PairDecisions:
    """All pairs of systems, on the topics that both have scores on; an entry per pair."""

    pairs: tuple[tuple[int, int], ...]
    people: PairedTests
    judge: PairedTests
    is_separated: Bools
    """Whether people's difference is significant, with Holm's correction over all pairs."""
    is_decided: Bools
    """Whether the judge's is."""
    is_agreed: Bools
    """Whether both differences have the same sign."""
    lower: float
    """Limits, over topics, of the share of the separated pairs that the judge's means order as people do."""
    upper: float

    @property
    def ordered_alike(self) -> float:
        """Of the pairs that people separate, the share that the judge's means order the same; NaN if there is none."""
        if not self.is_separated.any():
            return float("nan")
        return float(self.is_agreed[self.is_separated].mean())

    def count(self, *, is_decided: bool, is_agreed: bool) -> int:
        """Of the pairs that people separate, those that the judge separates, or not, in the same order, or not."""
        chosen = self.is_separated & (self.is_decided == is_decided) & (self.is_agreed == is_agreed)
        return int(chosen.sum())


def decide_pairs(
    people: Floats, judge: Floats, *, confidence: float = 95.0, resamples: int = 1000, seed: int = 0
) -> PairDecisions:
    """Test every pair of systems (systems × topics, both better when high) on people's scores and on the judge's.

    Paired t tests over the topics on which both have both scores, with Holm's correction over all pairs, separately for
    people and judge. The limits come from a bootstrap over topics of the judge's means; which pairs people separate,
    and in which order, stays as it is.
    """
    both = ~np.isnan(people) & ~np.isnan(judge)
    people, judge = np.where(both, people, np.nan), np.where(both, judge, np.nan)
    first, second = np.triu_indices(len(people), 1)
    pairs = list(zip(first.tolist(), second.tolist(), strict=True))
    level = (1 - confidence / 100) * (1 + 1e-12)
    tests = [
        paired_tests(paired_differences(values, pairs), confidence=confidence, permutations=None)
        for values in (people, judge)
    ]
    separated, decided = (adjusted(test.p) <= level for test in tests)
    signs = np.sign(tests[0].difference)
    is_agreed = (signs == np.sign(tests[1].difference)) & (signs != 0)
    lower, upper = _share_limits(judge, pairs, signs, separated, confidence, resamples, seed)
    return PairDecisions(
        pairs=tuple(pairs),
        people=tests[0],
        judge=tests[1],
        is_separated=separated,
        is_decided=decided,
        is_agreed=is_agreed,
        lower=lower,
        upper=upper,
    )


def _share_limits(
    judge: Floats,
    pairs: list[tuple[int, int]],
    signs: Floats,
    is_separated: Bools,
    confidence: float,
    resamples: int,
    seed: int,
) -> tuple[float, float]:
    """Percentile limits of the share of separated pairs whose means the judge orders as people do."""
    if not is_separated.any() or judge.shape[1] < 2:
        return float("nan"), float("nan")
    chosen = [pair for pair, is_used in zip(pairs, is_separated.tolist(), strict=True) if is_used]
    differences = paired_differences(judge, chosen)
    expected = signs[is_separated]
    is_shared = ~np.isnan(differences)
    cells = np.where(is_shared, differences, 0.0)
    shares: list[Floats] = []
    for drawn in drawn_items(judge.shape[1], resamples=resamples, seed=seed, cells=cells.size):
        sums = multiplicities(drawn, judge.shape[1]) @ cells.T
        shares.append((np.sign(sums) == expected).mean(axis=1))
    lower, upper = percentile_limits(np.concatenate(shares)[:, None], confidence=confidence)
    return float(lower[0]), float(upper[0])


def size_bins(differences: Floats, *, most: int = 4) -> list[Integers]:
    """The places of differences in groups of equal number by their size, the smallest first; no group is empty."""
    sizes = np.abs(differences)
    order = np.argsort(np.where(np.isnan(sizes), np.inf, sizes), kind="stable")[: int((~np.isnan(sizes)).sum())]
    return [part for part in np.array_split(order, most) if len(part)]
