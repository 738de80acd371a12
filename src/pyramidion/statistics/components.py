"""Variance components of judgments: summarizers fixed; topics, assessors and their interactions random.

y = summarizer + topic + assessor + summarizer:assessor + summarizer:topic + topic:assessor + error, one row a
judgment. Components are estimated by restricted maximum likelihood (REML), not below 0, with Fisher scoring; degrees
of freedom are Satterthwaite's with the expected information, which are Kenward and Roger's of one contrast.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.likelihoods import MixedModel, crossed, design_of, level_counts
from pyramidion.statistics.values import f_p

Term: TypeAlias = Literal["topic", "assessor", "summarizer:assessor", "summarizer:topic", "topic:assessor"]

TERMS: tuple[Term, ...] = ("topic", "assessor", "summarizer:assessor", "summarizer:topic", "topic:assessor")
ERROR = "error"
CONTAINING: Mapping[str, tuple[Term, ...]] = {
    "topic": ("summarizer:topic", "topic:assessor"),
    "assessor": ("summarizer:assessor", "topic:assessor"),
}
"""The terms whose levels lie within those of a term."""
DRAWN = (ERROR, "summarizer:assessor", "summarizer:topic", "topic:assessor", "topic", "assessor")
"""The order of the draws behind the limits of components."""
DRAWS = 4_000
LEAST_FREEDOM = 0.5
"""Degrees of freedom below which a mean square has no limits."""
SEPARABLE = 1e-8
"""The smallest eigenvalue of the scaled Gram matrix of terms that can be told apart."""
MOST_ROUNDS = 200
MOST_COLUMNS = 5_000
MOST_CELLS = MOST_COLUMNS * MOST_COLUMNS // 4
"""Of a table of two terms' levels that is made only to see whether they can be separated."""
NO_ERROR = 1e-10
"""The share of the variance below which there is no error left to compare with."""
EXTREME = 1e30
"""Judgments above this, or below its inverse, are fitted in another unit: information has fourth powers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FitFailure:
    """Why no components could be estimated."""

    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Contrasts:
    """Linear combinations of the summarizers' means, with their squared errors and degrees of freedom."""

    estimates: Floats
    variances: Floats
    degrees_of_freedom: Floats


@dataclass(frozen=True, kw_only=True)
class FTest:
    """All summarizers are equal: F, its degrees of freedom and p."""

    f: float
    numerator: int
    denominator: float
    p: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Components:
    """The fit of one set of judgments."""

    terms: tuple[Term, ...]
    """The terms that the design can separate, in the order of the model."""
    left_out: tuple[Term, ...]
    """Those that it can't separate from the others."""
    values: Floats
    """A variance for each term, and last that of the error."""
    means: Floats
    """Of the summarizers, over topics and assessors alike."""
    covariance: Floats
    """Summarizers × summarizers: (X′V⁻¹X)⁻¹."""
    unit: float
    """What the judgments were divided by for the fit: 1 unless they are extremely large or small."""
    information: Floats
    """Terms and error: the expected information about the variances, which are measured in squared units."""
    criterion: float
    """−2 log of the restricted likelihood."""
    converged: bool
    levels: tuple[int, ...]
    """How many levels each term has."""
    rows_per_level: Floats
    """Of each term and of the error (1): the harmonic mean of the judgments of a level."""
    spread: Floats
    """Terms × summarizers × summarizers: the Gram matrices of Z′V⁻¹XC, one for each term."""

    @property
    def names(self) -> tuple[str, ...]:
        """The terms and the error."""
        return (*self.terms, ERROR)

    @property
    def zero(self) -> tuple[str, ...]:
        """Terms whose estimate is 0: none found, which is not to say that there is none."""
        return tuple(term for term, value in zip(self.terms, self.values, strict=False) if value == 0)

    def value(self, term: str) -> float:
        """The variance of a term; 0 if the term is not in the model."""
        return float(self.values[self.names.index(term)]) if term in self.names else 0.0

    @cached_property
    def _inverse(self) -> Floats:
        """Of the information about the components above 0, with zeros for the others."""
        above = self.values > 0
        inverse = np.zeros_like(self.information)
        inverse[np.ix_(above, above)] = np.linalg.inv(self.information[np.ix_(above, above)])
        return inverse

    def contrasts(self, combinations: Floats) -> Contrasts:
        """Estimate l′β for each row l: v = l′Cl and df = 2v²/(g′Ag), g the derivatives of v by the components."""
        variances = np.einsum("ri,ij,rj->r", combinations, self.covariance, combinations)
        slopes = np.einsum("ri,kij,rj->rk", combinations, self.spread, combinations)
        # v is homogeneous of degree 1 in the components, so that v = Σ slope·component (Euler): the error's slope is
        # what is left.
        error = (variances - slopes @ self.values[:-1]) / self.values[-1]
        slopes = np.column_stack([slopes, error])
        spread = np.einsum("rk,kl,rl->r", slopes, self._inverse, slopes)
        return Contrasts(
            estimates=combinations @ self.means,
            variances=variances,
            degrees_of_freedom=2 * (variances / self.unit**2) ** 2 / spread,
        )

    def pairs(self) -> tuple[Floats, Floats, Floats]:
        """Summarizers × summarizers: differences of means, their variances and degrees of freedom (NaN: a mean)."""
        count = len(self.means)
        first, second = np.triu_indices(count, 1)
        contrasts = self.contrasts(np.eye(count)[first] - np.eye(count)[second])
        tables = []
        for values, sign, diagonal in (
            (contrasts.estimates, -1, 0.0),
            (contrasts.variances, 1, 0.0),
            (contrasts.degrees_of_freedom, 1, np.nan),
        ):
            table = np.full((count, count), diagonal)
            table[first, second], table[second, first] = values, sign * values
            tables.append(table)
        return tables[0], tables[1], tables[2]

    def f_test(self) -> FTest:
        """F = mean of t² over the independent contrasts; its denominator's df are those that fit their mean."""
        count = len(self.means)
        differences = np.eye(count)[1:] - np.eye(count)[0]
        # Eigenvectors make contrasts that are independent, each with degrees of freedom of its own.
        values, vectors = np.linalg.eigh(differences @ self.covariance @ differences.T)
        independent = self.contrasts(vectors.T @ differences)
        f = float(np.mean(independent.estimates**2 / values))
        freedom = independent.degrees_of_freedom
        if np.ptp(freedom) <= 1e-6 * freedom.max():
            denominator = float(freedom.mean())
        # t² has a mean only above two degrees of freedom: then 2 is the careful choice.
        elif freedom.min() <= 2:
            denominator = 2.0
        else:
            expected = float((freedom / (freedom - 2)).sum())
            # Fai and Cornelius 1996: F with ν degrees of freedom has a mean of ν/(ν - 2), which is matched to that of
            # the mean of the t².
            denominator = 2 * expected / (expected - count + 1)
        p = f_p(f, count - 1, denominator)
        return FTest(f=f, numerator=count - 1, denominator=denominator, p=p)

    def limits(self, *, confidence: float, seed: int) -> tuple[Floats, Floats]:
        """Lower and upper limits of every component, the error's last.

        The expected mean squares λ are drawn as λν/χ²_ν, and the components that they lead to are cut at 0.
        """
        drawn = self.draws(seed)
        tail = (1 - confidence / 100) / 2
        quantiles = np.quantile(np.array([drawn[name] for name in self.names]), [tail, 1 - tail], axis=1)
        return quantiles[0], quantiles[1]

    def draws(self, seed: int) -> dict[str, Floats]:
        """Components that the data allows, by name: 4,000 draws of each, not below 0; NaN if it says nothing."""
        generator = np.random.default_rng(seed)
        inverse = np.linalg.pinv(self.information, hermitian=True)
        per_level = dict(zip(self.names, self.rows_per_level, strict=True))
        free: dict[str, Floats] = {}
        for name in DRAWN:
            if name not in self.names:
                continue
            within = [term for term in CONTAINING.get(name, ()) if term in self.terms]
            coefficients = np.array(
                [per_level[component] if component in (name, ERROR, *within) else 0.0 for component in self.names]
            )
            mean_square = float(coefficients @ self.values)
            freedom = 2 * (mean_square / self.unit**2) ** 2 / float(coefficients @ inverse @ coefficients)
            draws = generator.chisquare(freedom, DRAWS)
            if freedom < LEAST_FREEDOM:  # the data says nothing: χ² is 0 in most draws
                draws = np.full(DRAWS, np.nan)
            drawn = mean_square * freedom / draws
            if name != ERROR:
                drawn = (
                    drawn - free[ERROR] - sum(per_level[component] * free[component] for component in within)
                ) / per_level[name]
            free[name] = drawn
        return {name: np.maximum(values, 0.0) for name, values in free.items()}


def fit_components(
    summarizers: Integers, topics: Integers, assessors: Integers, values: Floats
) -> Components | FitFailure:
    """Estimate the components of judgments: a row for each judgment, codes from 0 without gaps.

    Args:
        summarizers: who is judged, at least two different ones.
        topics: the topic of each judgment.
        assessors: who judged.
        values: the answers.
    """
    codes = {"summarizer": summarizers, "topic": topics, "assessor": assessors}
    levels = {term: _crossed([codes[name] for name in term.split(":")]) for term in TERMS}
    count = int(summarizers.max()) + 1
    if len(values) <= count:
        return FitFailure(reason="every system has a single judgment")
    unit = _unit_of(values)
    in_units = values / unit
    complete = crossed(summarizers, topics, assessors, in_units)
    kept = TERMS if complete else _separable(summarizers, levels, count)
    if not kept:
        return FitFailure(reason="the variances can't be separated")
    kept_levels = {term: levels[term] for term in kept}
    if sum(int(code.max()) + 1 for code in kept_levels.values()) > MOST_COLUMNS:
        return FitFailure(reason=f"the model would have more than {MOST_COLUMNS:,} columns")
    judged = complete or design_of(summarizers, list(kept_levels.values()), in_units, count)
    return _estimate(judged, kept_levels, unit=unit)


def _unit_of(values: Floats) -> float:
    """1, or for extreme judgments a power of two near their size: dividing by it loses no digit."""
    largest = float(np.abs(values).max())
    is_extreme = largest > EXTREME or largest < 1 / EXTREME
    if not is_extreme or largest == 0:
        return 1.0
    return math.ldexp(1.0, math.frexp(largest)[1])


def _crossed(codes: Sequence[Integers]) -> Integers:
    """The levels of an interaction: which combination each row has, counted from 0."""
    combined = codes[0]
    for code in codes[1:]:
        combined = combined * (int(code.max()) + 1) + code
    return np.unique(combined, return_inverse=True)[1].astype(np.int64)


def _separable(summarizers: Integers, levels: Mapping[Term, Integers], count: int) -> tuple[Term, ...]:
    """The terms, in order, whose variances the design can separate from those before them and from the error.

    G_kl = ‖Z_k′MZ_l‖² with M = I − X(X′X)⁻¹X′, scaled to a diagonal of 1: it is singular if two sets of terms
    explain the same.
    """
    sizes = np.bincount(summarizers, minlength=count).astype(np.float64)
    rows = len(summarizers)
    with_means = {term: level_counts(code, summarizers, count) for term, code in levels.items()}
    kept: list[Term] = []
    gram = np.array([[float(rows - count)]])
    for term, code in levels.items():
        # A term of a single level is the intercept, which the summarizers' means have already.
        if int(code.max()) < 1:
            continue
        shares = with_means[term] / sizes
        trace = rows - float((shares * with_means[term]).sum())
        column = [trace, *(_overlap(code, levels[other], shares, with_means[other]) for other in (*kept, term))]
        larger = np.zeros((len(gram) + 1,) * 2)
        larger[:-1, :-1] = gram
        larger[-1] = larger[:, -1] = column
        scale = np.sqrt(np.diag(larger))
        if scale.min() > 0 and np.linalg.eigvalsh(larger / np.outer(scale, scale))[0] > SEPARABLE:
            kept.append(term)
            gram = larger
    return tuple(kept)


def _overlap(first: Integers, second: Integers, shares: Floats, with_means: Floats) -> float:
    """‖Z_k′MZ_l‖² = ‖N − OW′‖², N how often levels occur together; of many levels without a table of all of them."""
    if (int(first.max()) + 1) * (int(second.max()) + 1) <= MOST_CELLS:
        return float(((level_counts(first, second) - shares @ with_means.T) ** 2).sum())
    cells, counts = np.unique(first * (int(second.max()) + 1) + second, return_counts=True)
    rows, columns = np.divmod(cells, int(second.max()) + 1)
    products = np.einsum("ij,ij->i", shares[rows], with_means[columns])
    return float(
        (counts**2).sum() - 2 * (counts @ products) + ((shares.T @ shares) * (with_means.T @ with_means)).sum()
    )


def _estimate(judged: MixedModel, levels: Mapping[Term, Integers], *, unit: float) -> Components | FitFailure:
    """Components of judgments that were divided by `unit`, in the judgments' own size."""
    within = judged.within
    # Squares: 1e-20 of them is 1e-10 of the judgments themselves, which is rounding.
    if within <= 1e-20 * judged.largest:
        return FitFailure(reason="the residual variance is zero")
    # Equal shares to start from: from 0 a component moves only if its score says so.
    values = np.full(len(levels) + 1, within / (len(levels) + 1))
    fit = judged.at(values)
    score, information = fit.derivatives()
    converged = False
    for _ in range(MOST_ROUNDS):
        step = _step(values, score, information)
        if step is None:
            return FitFailure(reason="the variances can't be separated")
        # A full step may overshoot far from the maximum: it is halved until the likelihood does not fall.
        for _half in range(60):
            tried = np.where(np.abs(values + step) <= 1e-16 * within, 0.0, values + step)
            better = judged.at(tried)
            if better.criterion <= fit.criterion + 1e-9 * abs(fit.criterion):
                break
            step = step / 2
        fallen, moved = fit.criterion - better.criterion, np.abs(tried - values).max()
        values, fit = tried, better
        if values[-1] < NO_ERROR * within:
            return FitFailure(reason="the judgments leave no error: the residual variance is zero")
        score, information = fit.derivatives()
        if fallen < 1e-9 and moved <= 1e-7 * within:
            converged = True
            break
    return Components(
        terms=tuple(levels),
        left_out=tuple(term for term in TERMS if term not in levels),
        values=values * unit**2,
        means=(fit.means + judged.centre) * unit,
        covariance=fit.covariance * unit**2,
        unit=unit,
        information=information,
        criterion=fit.criterion,
        converged=converged,
        levels=tuple(int(code.max()) + 1 for code in levels.values()),
        rows_per_level=np.array([*(1 / np.mean(1 / np.bincount(code)) for code in levels.values()), 1.0]),
        spread=fit.spread,
    )


def _step(values: Floats, score: Floats, information: Floats) -> Floats | None:
    """Fisher's step, kept at or above 0: a component that would fall below goes to 0, and the others are solved again.

    The error stays above 0: it shrinks to a hundredth at most.
    """
    step = np.zeros_like(values)
    # A component at 0 comes back only if the likelihood rises with it: these are the conditions of Karush, Kuhn and
    # Tucker.
    free: Bools = ~((values == 0) & (score <= 0))
    floor = np.append(-values[:-1], -0.99 * values[-1])
    fixed = ~free
    while True:
        free = ~fixed
        if not free.any():
            return step
        reduced_score = score[free] - information[np.ix_(free, fixed)] @ step[fixed]
        try:
            step[free] = np.linalg.solve(information[np.ix_(free, free)], reduced_score)
        except np.linalg.LinAlgError:
            return None
        below = free & (values + step < values + floor)
        if not below.any():
            return step
        step[below] = floor[below]
        fixed = fixed | below
