"""Means of systems where people judged some units and a predictor has a value for all of them.

A unit is what people answer: the score of a system on a topic, or whether a peer expresses an SCU. The estimand of a
system is θ = Σ w·y over its units, w summing to 1. Units were drawn at random with known chances, so the estimate is
consistent whatever the predictor is; a predictor that follows the answers makes it more precise. It is the difference
estimator of survey sampling (Särndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, ch. 6), known in
machine learning as prediction-powered inference (Angelopoulos, Duchi and Zrnic, arXiv:2311.01453, 2023).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.statistics.studentized import studentized_range, studentized_range_p
from pyramidion.statistics.values import quotients, t_critical, t_p

Population: TypeAlias = Literal["these", "topics"]
"""Whether results are about these topics, or about all topics of which these are a sample."""

RIDGE = 1e-3
"""Share that is added to the diagonal of the normal equations: predictors that are nearly equal share a slope."""
FEWEST_CLUSTERS = 5
"""Below this many judged clusters there are means and no intervals."""
LARGEST_RATIO = 1.5
"""Of the largest standard error of a pair to the root mean square of all: above it, errors are not pooled."""
FEW_FREEDOM = 30
"""Below this number of degrees of freedom, errors that differ so much are no proof that the true ones do."""
_NEGLIGIBLE = 1e-10
"""A standard error below this share of the largest one is rounding."""
_CENTRINGS = 50


@dataclass(frozen=True, kw_only=True, eq=False)
class Units:
    """What people were or could have been asked: one entry a unit in every array."""

    systems: Integers
    """The system's number, from 0."""
    topics: Integers
    clusters: Integers
    """What was drawn together, numbered from 0: topics, SCUs, or single units."""
    weights: Floats
    """w; for means they sum to 1 within each system."""
    answers: Floats
    """y; NaN where nobody judged the unit."""
    chances: Floats
    """The chance of being drawn, above 0, of every unit."""
    features: Floats
    """Units × predictors, finite."""
    strata: Integers | None = None
    """Clusters of fixed number were drawn within each of these; None: each cluster was drawn independently."""
    groups: Integers | None = None
    """Larger clusters that topics belong to, such as documents."""

    @property
    def is_judged(self) -> Bools:
        """Whether somebody judged each unit."""
        return ~np.isnan(self.answers)

    @property
    def system_count(self) -> int:
        """Number of systems."""
        return int(self.systems.max(initial=-1)) + 1

    @property
    def are_topics_drawn(self) -> bool:
        """Whether a cluster never is a part of a topic: whole topics were drawn."""
        pairs = np.unique(np.stack([self.clusters, self.topics]), axis=1)
        return bool(pairs.shape[1] == len(np.unique(self.topics)))

    @property
    def are_systems_drawn_together(self) -> bool:
        """Whether some cluster has units of several systems, so that differences are judged on the same material."""
        pairs = np.unique(np.stack([self.clusters, self.systems]), axis=1)
        return bool(pairs.shape[1] > len(np.unique(self.clusters)))


@dataclass(frozen=True, kw_only=True, eq=False)
class WithinFit:
    """How well a predictor follows people's answers within topics and systems, which is what differences need."""

    slopes: Floats
    r_squared: float
    """Share of the variance of answers, within topics and systems, that the predictors explain; NaN without any."""
    ratio: float
    """1/(1 − R²) at best: how many times as many answers the prediction is worth where nearly all is predicted."""
    held_out_ratio: float
    """The same where the slopes of each topic come from the other topics: below 1 where a predictor is noise."""
    count: int
    """Number of units with an answer."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate:
    """Means of systems, and what they are made of."""

    means: Floats
    """θ of each system."""
    slopes: Floats
    """Topics × predictors."""
    predicted: Floats
    """m of each unit: what a unit's answer is expected to be."""
    residuals: Floats
    """ε of each unit: by how much its answer moves the mean of its system; 0 where nobody judged."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Prediction:
    """Means, differences and their limits; matrices are systems × systems, first minus second."""

    means: Floats
    errors: Floats
    """Standard errors of means."""
    lower: Floats
    upper: Floats
    """Limits of means, each for itself."""
    covariance: Floats
    degrees_of_freedom: float
    differences: Floats
    pair_errors: Floats
    pair_lower: Floats
    pair_upper: Floats
    """Limits of a difference, for itself; NaN where its own standard error is 0."""
    pair_p: Floats
    all_lower: Floats
    all_upper: Floats
    """Limits of all differences together."""
    all_p: Floats
    is_pooled: bool
    """Whether limits of all pairs together are Tukey's, with one standard error for all or the pair's own where that is
    wider; else Bonferroni's with the pair's own."""
    first_rank: Integers
    last_rank: Integers
    gains: Floats
    """Of each pair, the variance without the predictors over the variance with them; NaN where either is 0."""
    slopes: Floats
    """Topics × predictors: the slopes used on each topic, which come from the others."""
    fit: WithinFit
    clusters: int
    """Number of clusters in the frame."""
    judged_clusters: int
    single_strata: int
    """Number of strata with one judged cluster of several, whose share of the variance is overestimated."""
    has_interval: bool
    """Whether enough clusters were judged for intervals."""
    is_complete: bool
    """Whether all units were judged."""


def fit_within_topics(
    answers: Floats,
    features: Floats,
    *,
    systems: Integers,
    topics: Integers,
    weights: Floats | None = None,
    folds: Integers | None = None,
) -> WithinFit:
    """How well predictors follow answers, both centred within systems and within topics.

    R² is the share of the residual variance that least squares explains. Correlation between the means of systems is
    no guide to it. `ratio` is 1/(1 − R²), what predictions are worth for differences between systems if few units are
    judged; `held_out_ratio` is the same where each topic is predicted with the slopes of the others.

    Args:
        answers: of each unit; NaN where there is none.
        features: units × predictors, or one predictor; a unit with a NaN is left out.
        systems: the system's number of each unit.
        topics: the topic's number of each unit; give SCUs to centre within SCUs.
        weights: of the units; 1 each by default.
        folds: the number of what is left out for its own slopes; the topics by default.

    >>> systems, topics = np.array([0, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 2])
    >>> fit = fit_within_topics(
    ...     np.array([1.0, 2, 4, 4, 0, 3]), np.array([0.0, 1, 5, 5, 1, 3]), systems=systems, topics=topics
    ... )
    >>> round(fit.r_squared, 4)
    0.9643
    """
    table = features.reshape(len(answers), -1)
    is_used = ~np.isnan(answers) & ~np.isnan(table).any(axis=1)
    used_weights = np.ones(int(is_used.sum())) if weights is None else weights[is_used]
    used_folds = topics if folds is None else folds
    y, x = _centre(answers[is_used], table[is_used], used_weights, systems[is_used], topics[is_used])
    slopes, other_slopes = _solve(y, x, used_weights, used_folds[is_used])
    total = float(used_weights @ y**2)
    left = float(used_weights @ (y - x @ slopes) ** 2)
    numbers = used_folds[is_used]
    held_out = float(used_weights @ (y - (x * other_slopes[numbers]).sum(axis=1)) ** 2) if y.size else 0.0
    scale = float(np.abs(answers[is_used]).max(initial=0.0))
    if total <= (_NEGLIGIBLE * scale) ** 2 * max(y.size, 1):
        total = 0.0
    r_squared = 1 - left / total if total else math.nan
    return WithinFit(
        slopes=slopes,
        r_squared=r_squared,
        ratio=total / left if total and left else math.nan,
        held_out_ratio=total / held_out if total and held_out else math.nan,
        count=int(is_used.sum()),
    )


def fill_features(features: Floats, systems: Integers) -> tuple[Floats, int]:
    """Predictors without gaps, and how many were filled: each with the mean of its system, or else of all.

    What a value is replaced by costs precision only: the estimate stays consistent.
    """
    missing = np.isnan(features)
    if not missing.any():
        return features, 0
    count = int(systems.max(initial=-1)) + 1
    filled = features.copy()
    for number in range(features.shape[1]):
        is_present = ~missing[:, number]
        if not is_present.any():
            filled[:, number] = 0.0
            continue
        column = features[is_present, number]
        sums = np.bincount(systems[is_present], weights=column, minlength=count)
        counts = np.bincount(systems[is_present], minlength=count)
        means = quotients(sums, counts)
        means = np.where(np.isnan(means), column.mean(), means)
        filled[missing[:, number], number] = means[systems[missing[:, number]]]
    return filled, int(missing.sum())


def add_other_systems(units: Units, items: Integers) -> Units:
    """Units with one predictor more: the answers about the same item in other systems, for units drawn one by one.

    For a unit u it is Σ (y_v − ȳ of v's system)/(n + 2) over the n judged units v of the same item in other systems.
    Whether u was drawn does not change it, so that the estimate stays unbiased.

    Args:
        units: what was judged, drawn one by one.
        items: the number of what a unit asks about (topic and SCU), the same in all systems.
    """
    is_judged = units.is_judged
    inverse = np.where(is_judged, units.weights / units.chances, 0.0)
    answers = np.where(is_judged, units.answers, 0.0)
    size = units.system_count
    totals = np.bincount(units.systems, weights=inverse, minlength=size)
    means = quotients(np.bincount(units.systems, weights=inverse * answers, minlength=size), totals)
    apart = np.where(is_judged, answers - np.nan_to_num(means)[units.systems], 0.0)
    sums = np.bincount(items, weights=apart)[items] - apart
    counts = np.bincount(items, weights=is_judged.astype(np.float64))[items] - is_judged
    return replace(units, features=np.column_stack([units.features, sums / (counts + 2)]))


def fit_slopes(units: Units) -> Floats:
    """Topics × predictors: the slopes for each topic, from the judged units of all other topics.

    Least squares of y on x with weights w/π, both centred within systems and, where systems are drawn together, within
    topics: the slopes that are best for differences between systems. Topics of one group are left out together.
    """
    is_judged = units.is_judged
    weights = (units.weights / units.chances)[is_judged]
    levels = _centred_levels(units)[is_judged]
    y, x = _centre(units.answers[is_judged], units.features[is_judged], weights, units.systems[is_judged], levels)
    folds = units.topics if units.groups is None else units.groups
    count = int(folds.max(initial=-1)) + 1
    _, others = _solve(y, x, weights, folds[is_judged], count=count)
    fold_of_topic = np.zeros(int(units.topics.max(initial=-1)) + 1, dtype=np.int64)
    fold_of_topic[units.topics] = folds
    return others[fold_of_topic]


def estimate_means(units: Units, slopes: Floats) -> Estimate:
    """θ = Σ w·m + Σ ε of each system, for slopes of each topic (topics × predictors).

    With h = w/π on judged units, H = Σ h and W = Σ w of the system: a = Σ h(y − x·b)/H, m = a + x·b, ε = h(y − m)·W/H.
    """
    size = units.system_count
    is_judged = units.is_judged
    inverse = np.where(is_judged, units.weights / units.chances, 0.0)
    totals = np.bincount(units.systems, weights=inverse, minlength=size)
    if (totals <= 0).any():
        raise UsageError("no one judged a unit of a system: a prediction alone is no evidence")
    answers = np.where(is_judged, units.answers, 0.0)
    explained = (units.features * slopes[units.topics]).sum(axis=1)
    starts = np.bincount(units.systems, weights=inverse * (answers - explained), minlength=size) / totals
    predicted = starts[units.systems] + explained
    # Weights of modified pyramid scores do not sum to 1: Max(X′) is less than the weight of all SCUs.
    sums = np.bincount(units.systems, weights=units.weights, minlength=size)
    residuals = inverse * (answers - predicted) * (sums / totals)[units.systems]
    parts = units.weights * predicted + residuals
    means: Floats = np.bincount(units.systems, weights=parts, minlength=size).astype(np.float64)
    return Estimate(means=means, slopes=slopes, predicted=predicted, residuals=residuals)


def covariance_of(units: Units, estimate: Estimate, *, population: Population = "these") -> tuple[Floats, float, int]:
    """Covariance of the means of systems, its degrees of freedom, and the strata with one judged cluster of several.

    `these`: only the error of drawing counts. With z the sum of ε over a cluster, a vector over systems, and n of N
    clusters drawn in a stratum, Σ = Σ_strata (1 − n/N)·n/(n − 1)·Σ (z − z̄)(z − z̄)′, df = Σ (n − 1); a stratum with
    n = 1 < N adds zz′, which overestimates, and 1 df. Clusters drawn independently: Σ (1 − π)zz′·n/(n − 1).

    `topics`: whole topics drawn: in addition, the covariance of topics' answers over T; clusters within topics: the
    covariance over topics of U = T·Σ(w·m + ε), over T, df = T − 1. Topics in groups are summed within groups.
    """
    size = units.system_count
    drawing, freedom, single = _drawing_covariance(units, estimate, size)
    if population == "these":
        return drawing, freedom, single
    topics = _sum_cells(units.topics, units.systems, _topic_parts(units, estimate), size)
    is_judged_topic = _is_judged_cell(units, units.topics)
    if not units.are_topics_drawn:
        between, freedom = _between_topics(topics, units, np.ones(len(topics), dtype=np.bool_))
        return between / len(topics), freedom, 0
    between, topic_freedom = _between_topics(topics, units, is_judged_topic)
    return drawing + between / len(topics), min(freedom, topic_freedom), single


def predict_means(
    units: Units, *, population: Population = "these", confidence: float = 95.0, adjusts: bool = True
) -> Prediction:
    """Means of systems, all differences and their limits.

    A pair has t limits with its own standard error. All pairs together: Tukey's studentised range with one standard
    error, √((tr Σ − 1′Σ1/S)/(S − 1)), and df·(S − 1) degrees of freedom, or with the pair's own error over √2 and df
    degrees of freedom (Games and Howell 1976) where that is wider: one error alone is too small for the pairs that
    vary most. Where the largest standard error of a pair exceeds 1.5 times their root mean square, Bonferroni's t
    limits with each pair's own instead; with fewer than 30 degrees of freedom, when a pair's own error may be small by
    chance, these are at least as wide as Tukey's. Without `adjusts`, p values of all pairs together, which take longer
    than all the rest, are NaN.
    """
    estimate = estimate_means(units, fit_slopes(units))
    covariance, freedom, single = covariance_of(units, estimate, population=population)
    plain_units = replace(units, features=np.zeros((len(units.systems), 0)))
    plain_estimate = estimate_means(plain_units, np.zeros((len(estimate.slopes), 0)))
    plain_covariance, _, _ = covariance_of(plain_units, plain_estimate, population=population)
    fit = fit_within_topics(
        units.answers,
        units.features,
        systems=units.systems,
        topics=_centred_levels(units),
        weights=units.weights / units.chances,
        folds=units.topics if units.groups is None else units.groups,
    )
    judged = len(np.unique(units.clusters[units.is_judged]))
    is_complete = bool(units.is_judged.all())
    enough = judged >= FEWEST_CLUSTERS and judged > units.features.shape[1] + 2
    has_interval = enough and freedom >= 1 and not (is_complete and population == "these")
    limits = _limits(estimate.means, covariance, freedom, confidence, has_interval, adjusts)
    return Prediction(
        **limits,
        gains=_pair_gains(plain_covariance, covariance),
        slopes=estimate.slopes,
        fit=fit,
        clusters=len(np.unique(units.clusters)),
        judged_clusters=judged,
        single_strata=single,
        has_interval=has_interval,
        is_complete=is_complete,
    )


def pair_variances(covariance: Floats) -> Floats:
    """Systems × systems: the variance of each difference, never below 0."""
    variances = np.diagonal(covariance)
    pairs: Floats = variances[:, None] + variances[None, :] - covariance - covariance.T
    # Rounding alone makes a variance negative, or small where it is 0.
    largest = float(np.abs(variances).max(initial=0.0))
    return np.where(pairs > _NEGLIGIBLE**2 * largest, pairs, 0.0)


def _pair_gains(plain_covariance: Floats, covariance: Floats) -> Floats:
    """Of each pair, the variance without predictors over the variance with them; NaN where either is 0."""
    plain_variances, variances = pair_variances(plain_covariance), pair_variances(covariance)
    return quotients(plain_variances, variances, where=(plain_variances > 0) & (variances > 0))


def _limits(
    means: Floats, covariance: Floats, freedom: float, confidence: float, has_interval: bool, adjusts: bool
) -> dict[str, Any]:
    """The fields of a `Prediction` that follow from means and their covariance."""
    systems = len(means)
    differences = means[:, None] - means[None, :]
    variances = pair_variances(covariance)
    own_errors = np.sqrt(np.clip(np.diagonal(covariance), 0.0, None))
    empty = np.full((systems, systems), np.nan)
    fields: dict[str, Any] = {
        "means": means,
        "covariance": covariance,
        "degrees_of_freedom": freedom,
        "differences": differences,
        "errors": own_errors if has_interval else np.full(systems, np.nan),
        "pair_errors": np.sqrt(variances) if has_interval else empty,
    }
    if not has_interval:
        nothing = np.full(systems, np.nan)
        fields |= {"lower": nothing, "upper": nothing}
        fields |= dict.fromkeys(("pair_lower", "pair_upper", "pair_p", "all_lower", "all_upper", "all_p"), empty)
        ranks = {"first_rank": np.ones(systems, dtype=np.int64), "last_rank": np.full(systems, systems)}
        return fields | ranks | {"is_pooled": True}
    critical = float(t_critical(confidence, freedom))
    mean_errors = np.where(own_errors > 0, own_errors, np.nan)
    fields |= {"lower": means - critical * mean_errors, "upper": means + critical * mean_errors}
    errors = np.where(variances > 0, np.sqrt(variances), np.nan)
    fields |= {"pair_lower": differences - critical * errors, "pair_upper": differences + critical * errors}
    fields["pair_p"] = np.asarray(t_p(quotients(np.abs(differences), np.nan_to_num(errors)), freedom))
    fields |= _limits_of_all_pairs(differences, covariance, variances, freedom, confidence, adjusts)
    is_better = fields["all_lower"] > 0
    is_worse = fields["all_upper"] < 0
    fields["first_rank"] = 1 + is_worse.sum(axis=1)
    fields["last_rank"] = systems - is_better.sum(axis=1)
    return fields


def _limits_of_all_pairs(
    differences: Floats, covariance: Floats, variances: Floats, freedom: float, confidence: float, adjusts: bool
) -> dict[str, Any]:
    systems = len(differences)
    upper_triangle = np.triu_indices(systems, k=1)
    pairs = variances[upper_triangle]
    pooled = (float(np.trace(covariance)) - float(covariance.sum()) / systems) / max(systems - 1, 1)
    if systems < 2 or pooled <= 0:
        empty = np.full(differences.shape, np.nan)
        return {"all_lower": empty, "all_upper": empty, "all_p": empty, "is_pooled": True}
    is_pooled = bool(pairs.max() <= LARGEST_RATIO**2 * pairs.mean())
    pooled_freedom = freedom * (systems - 1)
    error, own_errors = math.sqrt(pooled), np.sqrt(variances)
    tukey_width = studentized_range(confidence, systems, pooled_freedom) * error
    if is_pooled:
        own_width = studentized_range(confidence, systems, freedom) / math.sqrt(2) * own_errors
    else:
        own_width = float(t_critical(100 - (100 - confidence) / len(pairs), freedom)) * own_errors
    # A pair whose own error is 0 still has the pooled one: 0 would be no error at all.
    is_tukey = is_pooled | (freedom < FEW_FREEDOM) | (variances == 0)
    width = np.where(is_tukey, np.maximum(tukey_width, own_width), own_width)
    all_p = np.full(differences.shape, np.nan)
    if adjusts:
        if is_pooled:
            own_p = _range_p(differences, own_errors / math.sqrt(2), systems, freedom)
        else:
            own_p = np.minimum(len(pairs) * t_p(quotients(np.abs(differences), own_errors), freedom), 1.0)
        tukey_p = _range_p(differences, np.where(is_tukey, error, 0.0), systems, pooled_freedom)
        all_p = np.fmax(own_p, tukey_p)
    np.fill_diagonal(width, 0.0)
    np.fill_diagonal(all_p, 1.0)
    return {"all_lower": differences - width, "all_upper": differences + width, "all_p": all_p, "is_pooled": is_pooled}


def _range_p(differences: Floats, errors: Floats, systems: int, freedom: float) -> Floats:
    """For each pair, p of the studentised range of the difference over the error of a mean; NaN where that is 0."""
    p = np.full(differences.shape, np.nan)
    for first, second in zip(*np.nonzero(np.triu(errors > 0, k=1)), strict=True):
        ratio = abs(float(differences[first, second])) / float(errors[first, second])
        p[first, second] = p[second, first] = studentized_range_p(ratio, systems, freedom)
    return p


def _drawing_covariance(units: Units, estimate: Estimate, size: int) -> tuple[Floats, float, int]:
    """Covariance of means by the drawing of clusters, its degrees of freedom, and the strata with one cluster drawn."""
    sums = _sum_cells(units.clusters, units.systems, estimate.residuals, size)
    is_drawn = _is_judged_cell(units, units.clusters)
    exists = np.bincount(units.clusters, minlength=len(sums)) > 0
    if units.strata is None:
        chances = np.ones(len(sums))
        chances[units.clusters] = units.chances
        count = int(is_drawn.sum())
        drawn = sums[is_drawn]
        correction = count / max(count - 1, 1)
        covariance: Floats = correction * (drawn * (1 - chances[is_drawn])[:, None]).T @ drawn
        return covariance, float(count - 1), 0
    strata = np.zeros(len(sums), dtype=np.int64)
    strata[units.clusters] = units.strata
    totals = np.bincount(strata[exists])
    counts = np.bincount(strata[is_drawn], minlength=len(totals))
    drawn, drawn_strata = sums[is_drawn], strata[is_drawn]
    means = np.zeros((len(totals), size))
    np.add.at(means, drawn_strata, drawn)
    means /= np.maximum(counts, 1)[:, None]
    is_single = (counts == 1) & (totals > 1)
    # One cluster says nothing about the spread around its stratum: its own size stands for it, which is more.
    means[is_single] = 0.0
    factors = (1 - quotients(counts, totals)) * counts / np.maximum(counts - 1, 1)
    factors[is_single] = 1.0
    apart = drawn - means[drawn_strata]
    covariance = (apart * np.nan_to_num(factors)[drawn_strata][:, None]).T @ apart
    freedom = float(np.maximum(counts - 1, 0).sum() + is_single.sum())
    return covariance, freedom, int(is_single.sum())


def _topic_parts(units: Units, estimate: Estimate) -> Floats:
    """What each unit adds to its topic: answers where whole topics were drawn, else predictions and corrections."""
    if units.are_topics_drawn:
        return units.weights * np.where(units.is_judged, units.answers, 0.0)
    return units.weights * estimate.predicted + estimate.residuals


def _between_topics(sums: Floats, units: Units, is_used: Bools) -> tuple[Floats, float]:
    """Covariance over topics of T times their sums, and its degrees of freedom; over groups of topics if there are."""
    count = int(is_used.sum())
    scaled = len(sums) * sums[is_used]
    apart = scaled - scaled.mean(axis=0)
    if units.groups is not None:
        group_of_topic = np.zeros(len(sums), dtype=np.int64)
        group_of_topic[units.topics] = units.groups
        _, numbers = np.unique(group_of_topic[is_used], return_inverse=True)
        grouped = np.zeros((int(numbers.max(initial=-1)) + 1, sums.shape[1]))
        np.add.at(grouped, numbers, apart)
        groups = len(grouped)
        return grouped.T @ grouped * groups / max(groups - 1, 1) / count, float(groups - 1)
    covariance: Floats = apart.T @ apart / max(count - 1, 1)
    return covariance, float(count - 1)


def _centred_levels(units: Units) -> Integers:
    """What answers are centred in, besides systems: topics, or nothing where units were drawn one by one."""
    # Units drawn one by one compare systems on different material: what topics have in common does not cancel.
    if units.are_systems_drawn_together:
        return units.topics
    return np.zeros_like(units.topics)


def _sum_cells(rows: Integers, systems: Integers, values: Floats, size: int) -> Floats:
    """Rows × systems: the sums of units' values."""
    count = int(rows.max(initial=-1)) + 1
    sums = np.bincount(rows * size + systems, weights=values, minlength=count * size)
    return sums.astype(np.float64).reshape(count, size)


def _is_judged_cell(units: Units, rows: Integers) -> Bools:
    """Of each cluster or topic, whether any of its units was judged."""
    judged = np.bincount(rows, weights=units.is_judged.astype(np.float64), minlength=int(rows.max(initial=-1)) + 1)
    return np.asarray(judged > 0)


def _centre(y: Floats, x: Floats, weights: Floats, systems: Integers, topics: Integers) -> tuple[Floats, Floats]:
    """Answers and predictors without the weighted means of systems and of topics."""
    table = np.column_stack([y, x])
    if not len(table):
        return table[:, 0], table[:, 1:]
    levels = [_Grouping.of(topics, weights), _Grouping.of(systems, weights)]
    largest = np.abs(table).max(initial=0.0)
    for _ in range(_CENTRINGS):
        before = table
        for level in levels:
            table = table - level.means(table)
        # Balanced data is centred after one round; with gaps, rounds repeat until nothing moves.
        if np.abs(table - before).max() <= 1e-13 * largest:
            break
    size = np.abs(np.column_stack([y, x])).max(axis=0, initial=0.0)
    # What is constant within systems and topics is 0 but for rounding, and must not get a slope.
    table[:, np.sqrt((table**2).mean(axis=0)) <= _NEGLIGIBLE * size] = 0.0
    return table[:, 0], table[:, 1:]


@dataclass(frozen=True, eq=False)
class _Grouping:
    """A grouping of units, and its weighted means."""

    numbers: Integers
    weights: Floats
    totals: Floats

    @classmethod
    def of(cls, numbers: Integers, weights: Floats) -> _Grouping:
        return cls(numbers, weights, np.bincount(numbers, weights=weights).astype(np.float64))

    def means(self, table: Floats) -> Floats:
        """For each unit, the weighted mean of its group, column by column."""
        columns = [
            quotients(np.bincount(self.numbers, weights=self.weights * column), self.totals) for column in table.T
        ]
        return np.column_stack(columns)[self.numbers]


def _solve(
    y: Floats, x: Floats, weights: Floats, folds: Integers, *, count: int | None = None
) -> tuple[Floats, Floats]:
    """Slopes of all units, and folds × predictors: those of all units but the fold's own.

    Normal equations are sums over folds, so leaving one out is a subtraction.
    """
    size = x.shape[1]
    folds_count = int(folds.max(initial=-1)) + 1 if count is None else count
    products = np.zeros((folds_count, size, size))
    targets = np.zeros((folds_count, size))
    for first in range(size):
        weighted = weights * x[:, first]
        targets[:, first] = np.bincount(folds, weights=weighted * y, minlength=folds_count)
        for second in range(size):
            products[:, first, second] = np.bincount(folds, weights=weighted * x[:, second], minlength=folds_count)
    all_products, all_targets = products.sum(axis=0), targets.sum(axis=0)
    slopes = _ridge(all_products[None], all_targets[None])[0]
    return slopes, _ridge(all_products - products, all_targets - targets, largest=np.diagonal(all_products))


def _ridge(products: Floats, targets: Floats, largest: Floats | None = None) -> Floats:
    """The solution of each system of normal equations; 0 for predictors that do not vary."""
    size = targets.shape[1]
    if not size:
        return targets
    scale = np.diagonal(products, axis1=1, axis2=2)
    least = _NEGLIGIBLE * (scale.max(axis=0) if largest is None else largest)
    varies = scale > np.maximum(least, np.finfo(np.float64).tiny)
    both = varies[:, :, None] & varies[:, None, :]
    matrices = np.where(both, products, 0.0)
    diagonal = np.where(varies, scale * (1 + RIDGE), 1.0)
    places = np.arange(size)
    matrices[:, places, places] = diagonal
    solutions: Floats = np.linalg.solve(matrices, np.where(varies, targets, 0.0)[:, :, None])[:, :, 0]
    return solutions
