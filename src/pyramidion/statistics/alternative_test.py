"""The alternative annotator test: may a judge take a person's place? (Calderon, Reichart and Dror, ACL 2025).

Each person is left out in turn. The judge and the person are compared by how well their answers agree with those of the
remaining people; a discount ε favours the judge, because it costs less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.multiple import adjusted_if_dependent
from pyramidion.statistics.values import check_choice, check_finite, t_critical

Alignment = Literal["rmse", "accuracy"]
"""How an answer is compared with others: by its distance (scales), or by the share of equal answers (categories)."""
FEWEST_SHARED = 30
"""Answers of a person that the test needs: those that the judge and at least one other person gave, too."""
PASSING_SHARE = 0.5
"""The judge passes if it wins against at least this share of the people."""
_SAME = 1e-9
"""Two distances that differ by less are equal: means of runs are rounded."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AlternativeTest:
    """The judge against each person; arrays have an entry per person who was compared."""

    people: Integers
    """Columns of the codings; people with too few shared answers are not among them."""
    n: Integers
    """Answers compared."""
    advantage: Floats
    """Share of answers on which the judge agrees with the remaining people at least as well as the person."""
    difference: Floats
    """Mean of W_h − W_f: below ε, the judge does at least as well, given its discount."""
    p: Floats
    """One-sided, of a difference of ε or more."""
    p_adjusted: Floats
    """By Benjamini and Yekutieli: the people share items, so that their tests depend on each other."""
    is_won: Bools
    winning_rate: float
    """ω: the share of people against whom the judge wins; NaN if nobody could be compared."""
    advantage_probability: float
    """ρ: the mean over people of the judge's advantage."""
    lower: float
    """Limits of ρ; NaN where there are none."""
    upper: float

    @property
    def is_passed(self) -> bool:
        """Whether the judge wins against at least half of the people."""
        return bool(self.winning_rate >= PASSING_SHARE)


def alternative_annotator_test(
    codings: Floats,
    judge: Floats,
    *,
    epsilon: float,
    alignment: Alignment = "rmse",
    level: float = 0.05,
    clusters: Integers | None = None,
    confidence: float = 95.0,
    fewest: int = FEWEST_SHARED,
) -> AlternativeTest:
    """Test the judge against each person, left out in turn.

    S(answer) is −RMSE from the remaining people's answers about the item, or the share of them that are equal. On item
    i, W_f = [S(judge) ≥ S(person)], W_h = [S(person) ≥ S(judge)], d = W_h − W_f. A one-sided t test of mean d < ε for
    each person, Benjamini and Yekutieli's correction over people; ω is the share of rejections, ρ the mean of W_f.

    With `clusters`, items of one cluster may depend on each other, which the authors' test does not allow for: the
    variance of the mean is G/(G − 1)·Σ_g(Σ_{i in g}(d_i − mean))²/n² over G clusters, with G − 1 degrees of freedom.

    Args:
        codings: items × people; NaN where there is no answer.
        judge: the judge's answer about each item; NaN where there is none.
        epsilon: the discount, .2 where people are experts, .15 if they are skilled, .1 for a crowd.
        alignment: how answers are compared.
        level: of the false discovery rate.
        clusters: the number of each item's cluster; None if items are independent.
        confidence: of the limits of ρ, in per cent.
        fewest: answers that a person needs.
    """
    check_choice("alignment", alignment, Alignment)
    check_finite(codings, judge[:, None], what="answer")
    is_given = ~np.isnan(codings)
    is_shared = (is_given.sum(axis=1) >= 2) & ~np.isnan(judge)
    people: list[int] = []
    differences: list[Floats] = []
    advantages: list[Floats] = []
    places: list[Integers] = []
    for person in range(codings.shape[1]):
        items = np.nonzero(is_shared & is_given[:, person])[0]
        if len(items) < fewest:
            continue
        others = np.delete(codings[items], person, axis=1)
        person_loss = _losses(codings[items, person], others, alignment)
        judge_loss = _losses(judge[items], others, alignment)
        is_judge_as_good = judge_loss <= person_loss + _SAME
        is_person_as_good = person_loss <= judge_loss + _SAME
        people.append(person)
        places.append(items)
        advantages.append(is_judge_as_good.astype(np.float64))
        differences.append(is_person_as_good.astype(np.float64) - is_judge_as_good)
    p = np.array(
        [
            _p_below(values, epsilon, None if clusters is None else clusters[items])
            for values, items in zip(differences, places, strict=True)
        ],
        dtype=np.float64,
    )
    p_adjusted = adjusted_if_dependent(p)
    is_won = p_adjusted <= level * (1 + 1e-12)
    shares = np.array([values.mean() for values in advantages], dtype=np.float64)
    lower, upper = _limits_of_mean_share(advantages, places, clusters, confidence)
    return AlternativeTest(
        people=np.array(people, dtype=np.int64),
        n=np.array([len(items) for items in places], dtype=np.int64),
        advantage=shares,
        difference=np.array([values.mean() for values in differences], dtype=np.float64),
        p=p,
        p_adjusted=p_adjusted,
        is_won=is_won,
        winning_rate=float(is_won.mean()) if len(p) else np.nan,
        advantage_probability=float(shares.mean()) if len(p) else np.nan,
        lower=lower,
        upper=upper,
    )


def _losses(answers: Floats, others: Floats, alignment: Alignment) -> Floats:
    """How far each answer is from those of the others: the mean squared distance, or the share of unequal ones."""
    distances = others - answers[:, None]
    if alignment == "accuracy":
        distances = np.where(np.isnan(distances), np.nan, np.abs(distances) > _SAME)
    # The root of the mean square orders answers as the mean square does.
    losses: Floats = np.nanmean(distances**2, axis=1)
    return losses


def _p_below(values: Floats, epsilon: float, clusters: Integers | None) -> float:
    """One-sided p of a mean of ε or more, by a t test; 0 or 1 where the values do not vary."""
    from scipy import special

    mean = float(values.mean())
    error, freedom = mean_error(values, clusters)
    if not error > 0:
        return 0.0 if mean < epsilon else 1.0
    return float(special.stdtr(freedom, (mean - epsilon) / error))


def mean_error(values: Floats, clusters: Integers | None) -> tuple[float, float]:
    """The standard error of a mean and its degrees of freedom; clusters are independent, items within them need not be.

    NaN with fewer than two items or clusters.
    """
    groups = np.arange(len(values)) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    sums = np.bincount(groups, values - values.mean())
    count = len(sums)
    if count < 2:
        return float("nan"), 0.0
    error = float(np.sqrt(count / (count - 1) * (sums**2).sum())) / len(values)
    return error, count - 1.0


def _limits_of_mean_share(
    advantages: list[Floats], places: list[Integers], clusters: Integers | None, confidence: float
) -> tuple[float, float]:
    """Limits of ρ over other items, for these people: each item's part in the mean over people, summed by cluster."""
    if not advantages:
        return float("nan"), float("nan")
    size = max(int(items.max()) for items in places) + 1
    parts = np.zeros(size)
    is_used = np.zeros(size, dtype=np.bool_)
    for values, items in zip(advantages, places, strict=True):
        parts[items] += (values - values.mean()) / (len(items) * len(advantages))
        is_used[items] = True
    numbers = np.arange(size) if clusters is None else clusters[:size]
    sums = np.bincount(np.unique(numbers[is_used], return_inverse=True)[1], parts[is_used])
    count = len(sums)
    if count < 2:
        return float("nan"), float("nan")
    error = float(np.sqrt(count / (count - 1) * (sums**2).sum()))
    mean = float(np.mean([values.mean() for values in advantages]))
    half = float(t_critical(confidence, count - 1)) * error
    return max(0.0, mean - half), min(1.0, mean + half)
