"""Ordered answers, such as 1 to 5, in a proportional-odds model with random effects (a cumulative-link mixed model).

P(answer ≤ k) = 1/(1 + exp(−(θ_k − η))), η = summarizer + random effects, which are normal with a standard deviation for
each term. The standard deviations have the highest Laplace approximation of the likelihood, at the joint mode of all
effects; R's ordinal::clmm also moves the fixed effects to its highest value, usually by a tenth of a standard error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers

MOST_COLUMNS = 600
"""Thresholds, summarizers and levels of random effects: with more the fit takes too long for a check."""
MOST_STEPS = 40
SMALLEST_SPREAD = 1e-3
"""Standard deviations of random effects at which the search stops: below, they are 0."""
LARGEST_SPREAD = 20.0
PRECISION = 1e-8


@dataclass(frozen=True, kw_only=True, eq=False)
class OrdinalFit:
    """The fit of a proportional-odds model."""

    effects: Floats
    """Of the summarizers on the scale of log odds; the first is 0."""
    covariance: Floats
    """Summarizers × summarizers; 0 for the first."""
    thresholds: Floats
    spreads: Mapping[str, float]
    """By term, the standard deviation of its random effects."""
    log_likelihood: float

    def z_values(self) -> Floats:
        """Summarizers × summarizers: the difference of row and column by its standard error."""
        variances = np.diag(self.covariance)
        squared = variances[:, None] + variances[None, :] - 2 * self.covariance
        differences = self.effects[:, None] - self.effects[None, :]
        z: Floats = np.divide(
            differences, np.sqrt(np.maximum(squared, 0.0)), out=np.zeros_like(differences), where=squared > 0
        )
        return z


def fit_ordinal(summarizers: Integers, terms: Mapping[str, Integers], answers: Floats) -> OrdinalFit | None:
    """Fit a proportional-odds model; None if there are fewer than two different answers, or if the fit fails.

    Args:
        summarizers: the number of each answer's summarizer, from 0.
        terms: for each random effect the number of each answer's level, from 0.
        answers: the answers, of which only the order counts.
    """
    categories, codes = np.unique(answers, return_inverse=True)
    if len(categories) < 2:
        return None
    model = _OrdinalFit(summarizers, list(terms.values()), codes, len(categories))
    if model.size > MOST_COLUMNS:
        return None
    try:
        spreads = _find_spreads(model, len(terms))
        value = model.laplace(spreads)
        covariance = model.covariance_of_summarizers(spreads)
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(value):
        return None
    count = model.summarizer_count
    effects = np.zeros(count)
    effects[1:] = model.fixed[model.threshold_count :]
    full = np.zeros((count, count))
    full[1:, 1:] = covariance
    return OrdinalFit(
        effects=effects,
        covariance=full,
        thresholds=model.fixed[: model.threshold_count],
        spreads=dict(zip(terms, (float(spread) for spread in spreads), strict=True)),
        log_likelihood=value,
    )


def _find_spreads(model: _OrdinalFit, count: int) -> Floats:
    """The standard deviations with the highest likelihood, one term after the other until none moves."""
    from scipy import optimize

    if not count:
        return np.zeros(0)

    def badness(logs: Floats) -> float:
        return -model.laplace(np.exp(logs))

    bounds = [(float(np.log(SMALLEST_SPREAD)), float(np.log(LARGEST_SPREAD)))] * count
    best = optimize.minimize(
        badness, np.full(count, np.log(0.5)), method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-9, "eps": 1e-4}
    )
    spreads: Floats = np.exp(best.x)
    return np.where(spreads <= SMALLEST_SPREAD * 1.01, 0.0, spreads)


class _OrdinalFit:
    """The answers as indicators, and where the last fit ended, from which the next one starts."""

    def __init__(self, summarizers: Integers, terms: list[Integers], codes: Integers, categories: int) -> None:
        self.codes = codes
        self.categories = categories
        self.threshold_count = categories - 1
        self.summarizer_count = int(summarizers.max()) + 1
        self._summarizers = summarizers
        self._terms = terms
        self._levels = [int(term.max()) + 1 for term in terms]
        self.fixed_count = self.threshold_count + self.summarizer_count - 1
        self.size = self.fixed_count + sum(self._levels)
        starts = np.cumsum([self.fixed_count, *self._levels])
        self._starts = starts[:-1].tolist()
        # Each answer's columns among the effects: its summarizer (none for the first) and a level of each term.
        self._columns = [np.where(summarizers > 0, self.threshold_count + summarizers - 1, -1)]
        self._columns += [start + term for start, term in zip(self._starts, terms, strict=True)]
        shares = np.cumsum(np.bincount(codes, minlength=categories)) / len(codes)
        self._values = np.zeros(self.size)
        self._values[: self.threshold_count] = np.log(shares[:-1] / (1 - shares[:-1]))

    @property
    def fixed(self) -> Floats:
        """Thresholds, and the effects of the summarizers but the first."""
        return self._values[: self.fixed_count]

    def laplace(self, spreads: Floats) -> float:
        """The approximate log likelihood; random effects are in units of their spreads."""
        information = self._fit(spreads)
        random = slice(self.fixed_count, self.size)
        effects = self._values[random]
        likelihood = self._log_likelihood(self._values, spreads) - float(effects @ effects) / 2
        if len(effects):
            _, determinant = np.linalg.slogdet(information[random, random])
            likelihood -= float(determinant) / 2
        return likelihood

    def covariance_of_summarizers(self, spreads: Floats) -> Floats:
        """Of the effects of the summarizers but the first, at the modes."""
        inverse = np.linalg.inv(self._fit(spreads))
        place = slice(self.threshold_count, self.fixed_count)
        return np.asarray(inverse[place, place], dtype=np.float64)

    def _fit(self, spreads: Floats) -> Floats:
        """Newton's method for all effects at once, with random effects of variance 1; returns the information."""
        penalty = np.concatenate([np.zeros(self.fixed_count), np.ones(self.size - self.fixed_count)])
        value = self._penalised(self._values, spreads)
        if not np.isfinite(value):
            self._values[self.fixed_count :] = 0.0
            value = self._penalised(self._values, spreads)
        information = np.eye(self.size)
        for _ in range(MOST_STEPS):
            gradient, information = self._derivatives(spreads)
            gradient = gradient - penalty * self._values
            information = information + np.diag(penalty)
            step = np.linalg.solve(information, gradient)
            size = 1.0
            while size > 1e-4:
                moved = self._values + size * step
                moved_value = self._penalised(moved, spreads)
                if moved_value >= value - 1e-12 * abs(value):
                    break
                size /= 2
            else:
                break
            gain, self._values, value = moved_value - value, moved, moved_value
            if gain < PRECISION and float(np.abs(step).max()) < 1e-4:
                break
        return information

    def _penalised(self, values: Floats, spreads: Floats) -> float:
        effects = values[self.fixed_count :]
        return self._log_likelihood(values, spreads) - float(effects @ effects) / 2

    def _predictor(self, values: Floats, spreads: Floats) -> Floats:
        padded = np.append(values, 0.0)  # the first summarizer's column is −1: the effect 0
        predictor = padded[self._columns[0]]
        for columns, spread in zip(self._columns[1:], spreads, strict=True):
            predictor = predictor + spread * values[columns]
        return np.asarray(predictor, dtype=np.float64)

    def _bounds(self, values: Floats, spreads: Floats) -> tuple[Floats, Floats]:
        """For each answer, P(≤ answer) and P(< answer)."""
        predictor = self._predictor(values, spreads)
        thresholds = np.concatenate([[-np.inf], values[: self.threshold_count], [np.inf]])
        upper, lower = thresholds[self.codes + 1] - predictor, thresholds[self.codes] - predictor
        return _logistic(upper), _logistic(lower)

    def _log_likelihood(self, values: Floats, spreads: Floats) -> float:
        if (np.diff(values[: self.threshold_count]) <= 0).any():
            return -np.inf
        upper, lower = self._bounds(values, spreads)
        chance = upper - lower
        if (chance <= 0).any():
            return -np.inf
        return float(np.log(chance).sum())

    def _derivatives(self, spreads: Floats) -> tuple[Floats, Floats]:
        """Gradient and observed information of the log likelihood."""
        upper, lower = self._bounds(self._values, spreads)
        chance = upper - lower
        of_upper, of_lower = upper * (1 - upper), lower * (1 - lower)
        a, b = of_upper / chance, -of_lower / chance  # derivatives by the two thresholds
        # Second derivatives of log chance by upper and lower: f′ = f·(1 − 2F).
        aa = of_upper * (1 - 2 * upper) / chance - a * a
        bb = -of_lower * (1 - 2 * lower) / chance - b * b
        ab = -a * b
        scales = [np.ones(len(chance)), *(np.full(len(chance), spread) for spread in spreads)]
        gradient, information = np.zeros(self.size + 1), np.zeros((self.size + 1, self.size + 1))
        last = self.threshold_count
        # The outer bounds are not estimated: their derivatives are 0 and go into the spare last column.
        place_upper = np.where(self.codes < last, self.codes, self.size)
        place_lower = np.where(self.codes > 0, self.codes - 1, self.size)
        np.add.at(gradient, place_upper, a)
        np.add.at(gradient, place_lower, b)
        both_slopes = -(a + b)
        curve = aa + 2 * ab + bb
        for place, weights in ((place_upper, aa), (place_lower, bb)):
            np.add.at(information, (place, place), -weights)
        np.add.at(information, (place_upper, place_lower), -ab)
        np.add.at(information, (place_lower, place_upper), -ab)
        for columns, scale in zip(self._columns, scales, strict=True):
            np.add.at(gradient, columns, scale * both_slopes)
            for place, weights in ((place_upper, aa + ab), (place_lower, bb + ab)):
                np.add.at(information, (place, columns), scale * weights)
                np.add.at(information, (columns, place), scale * weights)
            for others, other_scale in zip(self._columns, scales, strict=True):
                np.add.at(information, (columns, others), -scale * other_scale * curve)
        return gradient[:-1], information[:-1, :-1]


def _logistic(values: Floats) -> Floats:
    with np.errstate(over="ignore"):
        shares: Floats = 1 / (1 + np.exp(-values))
    return shares


def answers_at_one_end(summarizers: Integers, answers: Floats) -> Bools:
    """Which summarizers have only the highest answer, or only the lowest: no finite effect fits them."""
    count = int(summarizers.max()) + 1
    lowest, highest = answers.min(), answers.max()
    is_low = np.bincount(summarizers, answers > lowest, count) == 0
    is_high = np.bincount(summarizers, answers < highest, count) == 0
    return np.asarray(is_low | is_high)
