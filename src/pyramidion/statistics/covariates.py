"""Whether a judge's score depends on something besides quality, such as length, at the same human score.

People's scores are noisy, and a noisy score does not hold quality constant: where long summaries are better, a judge
without any length bias would seem to have one. Where several people answered, their disagreement shows how large the
noise is, and the estimate allows for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.statistics.power import detectable_difference
from pyramidion.statistics.values import t_critical, t_p

LEAST_RELIABLE = 0.2
"""Where less than this share of the variance of people's scores is more than noise, nothing can be held constant."""
FEWEST_CLUSTERS = 5
"""Topics, and systems, that an estimate needs."""


@dataclass(frozen=True, kw_only=True)
class CovariateEffect:
    """The change of a judge's score with a covariate, at the same human score; None where it is undefined."""

    slope: float | None = None
    """Per unit of the covariate, in units of the judge's score."""
    lower: float | None = None
    upper: float | None = None
    p: float | None = None
    detectable: float | None = None
    """The slope, above or below 0, that would be found with 80 % power."""
    correlation: float | None = None
    """Partial correlation of judge and covariate, given people's score."""
    correlation_lower: float | None = None
    correlation_upper: float | None = None
    detectable_correlation: float | None = None
    people_slope: float | None = None
    """Of the judge's score on people's."""
    reliability: float | None = None
    """Share of the variance of people's scores within topics that is not noise; None where it is unknown."""
    n: int = 0
    topics: int = 0
    systems: int = 0
    freedom: float | None = None
    reason: str = ""
    """Why nothing is estimated."""


def covariate_effect(
    judge: Floats,
    people: Floats,
    covariate: Floats,
    *,
    topics: Integers,
    systems: Integers,
    noise: Floats | None = None,
    confidence: float = 95.0,
    power: float = 0.8,
    tests: int = 1,
) -> CovariateEffect:
    """Regress a judge's scores on people's and a covariate, within topics.

    All are differences from the mean of the topic. The slopes β solve Σ[w(y − w′β) + v·β_z·e_z] = 0, w = (z, x): y the
    judge, z people's mean with a variance of noise v, x the covariate (Fuller 1987, section 2.2, with an estimate of v
    for each row). Without `noise`, it is least squares. Answers of one topic may depend on each other, and so may those
    about one system, which a judge may like for other reasons: the variance is that of Cameron, Gelbach and Miller
    (2011), topics + systems − rows, at least that by topics alone; degrees of freedom are the smaller number of
    clusters less 1.

    Args:
        judge: a score per summary; NaN where there is none, as in all the others.
        people: the human score.
        covariate: what the judge's score should not depend on.
        topics: the number of each summary's topic.
        systems: the number of its system.
        noise: the variance of each human score, s²/k of k answers.
        confidence: of the limits, in per cent.
        power: with which `detectable` would be found.
        tests: how many effects are tested at once, among which `detectable` would be found.
    """
    is_complete = ~np.isnan(judge) & ~np.isnan(people) & ~np.isnan(covariate)
    if noise is not None:
        is_complete &= ~np.isnan(noise)
    is_complete &= _has_company(topics, is_complete)
    y, z, x = judge[is_complete], people[is_complete], covariate[is_complete]
    topic_codes = np.unique(topics[is_complete], return_inverse=True)[1]
    system_codes = np.unique(systems[is_complete], return_inverse=True)[1]
    topic_count = int(topic_codes.max(initial=-1)) + 1
    system_count = int(system_codes.max(initial=-1)) + 1
    empty = CovariateEffect(n=len(y), topics=topic_count, systems=system_count)
    if topic_count < FEWEST_CLUSTERS:
        return _undefined(empty, f"{FEWEST_CLUSTERS} topics or more are needed")
    sizes = np.bincount(topic_codes)
    y, z, x = (_centre(values, topic_codes, sizes) for values in (y, z, x))
    scale = float(np.abs(covariate[is_complete]).max(initial=1.0))
    if float(np.abs(x).max(initial=0.0)) <= 1e-12 * scale:
        return _undefined(empty, "it is the same for all summaries of a topic")
    if float(np.abs(y).max(initial=0.0)) == 0.0:
        return _undefined(empty, "the judge gives all summaries of a topic the same score")
    variances = np.zeros(len(y))
    if noise is not None:
        # A topic's mean takes its share of each row's noise away.
        variances = noise[is_complete] * (1 - 1 / sizes[topic_codes])
    raw_spread = float((z**2).sum())
    reliability = None
    if noise is not None and raw_spread > 0:
        reliability = 1 - float(variances.sum()) / raw_spread
    if raw_spread == 0 or (reliability is not None and reliability < LEAST_RELIABLE):
        return _undefined(empty, "people's answers do not differ by more than their noise")
    design = np.column_stack([z, x])
    moments = design.T @ design
    moments[0, 0] -= float(variances.sum())
    determinant = float(np.linalg.det(moments))
    if determinant <= 1e-10 * moments[0, 0] * moments[1, 1]:
        return _undefined(empty, "it can't be separated from people's score")
    inverse = np.linalg.inv(moments)
    slopes = inverse @ (design.T @ y)
    residuals = y - design @ slopes
    equations = design * residuals[:, None]
    equations[:, 0] += variances * slopes[0]
    influence = equations @ inverse[1]
    error, freedom = _two_way_error(influence, topic_codes, system_codes)
    slope = float(slopes[1])
    if not error > 0:
        return _undefined(empty, "the fit is exact")
    half = float(t_critical(confidence, freedom)) * error
    alpha = (1 - confidence / 100) / tests
    detectable = detectable_effect(error, freedom, alpha=alpha, power=power)
    # What is left of judge and covariate at the same human score, free of people's noise.
    left_of_x = moments[1, 1] - moments[0, 1] ** 2 / moments[0, 0]
    cross = float(z @ y)
    left_of_y = float(y @ y) - cross**2 / moments[0, 0]
    ratio = float(np.sqrt(left_of_x / left_of_y)) if left_of_y > 0 else float("nan")
    correlation = slope * ratio
    limits: tuple[float | None, float | None] = (None, None)
    detectable_correlation = None
    if np.isfinite(correlation) and abs(correlation) < 1:
        centre, width = np.arctanh(correlation), half * ratio / (1 - correlation**2)
        limits = (float(np.tanh(centre - width)), float(np.tanh(centre + width)))
        detectable_correlation = float(np.tanh(detectable * ratio))
    return CovariateEffect(
        slope=slope,
        lower=slope - half,
        upper=slope + half,
        p=float(t_p(slope / error, freedom)),
        detectable=detectable,
        correlation=float(np.clip(correlation, -1, 1)) if np.isfinite(correlation) else None,
        correlation_lower=limits[0],
        correlation_upper=limits[1],
        detectable_correlation=detectable_correlation,
        people_slope=float(slopes[0]),
        reliability=reliability,
        n=len(y),
        topics=topic_count,
        systems=system_count,
        freedom=freedom,
    )


def detectable_effect(error: float, freedom: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The effect that a two-sided t test with this standard error and these degrees of freedom finds with this power.

    >>> round(detectable_effect(1.0, 1000.0), 2)  # 1.96 + 0.84
    2.8
    """
    # The mean of two values whose standard deviation is √2 has a standard error of 1.
    return error * detectable_difference(topics=2, sd=2**0.5, power=power, alpha=alpha, freedom_share=freedom)


def _has_company(topics: Integers, is_complete: Bools) -> Bools:
    """Whether a row's topic has another complete row: one alone is its own mean."""
    codes = np.unique(topics, return_inverse=True)[1]
    counts = np.bincount(codes, is_complete.astype(np.float64))
    return np.asarray(counts[codes] >= 2)


def _centre(values: Floats, codes: Integers, sizes: Integers) -> Floats:
    means = np.bincount(codes, values) / sizes
    return np.asarray(values - means[codes])


def _two_way_error(influence: Floats, topics: Integers, systems: Integers) -> tuple[float, float]:
    """The standard error from what each row adds to the estimate, and its degrees of freedom."""
    by_topic = _variance_over(influence, topics)
    topic_count, system_count = int(topics.max()) + 1, int(systems.max()) + 1
    if system_count < FEWEST_CLUSTERS:
        return float(np.sqrt(by_topic)), topic_count - 1.0
    by_system = _variance_over(influence, systems)
    both_ways = by_topic + by_system - float((influence**2).sum())
    freedom = min(topic_count, system_count) - 1.0
    return float(np.sqrt(max(by_topic, both_ways))), freedom


def _variance_over(influence: Floats, codes: Integers) -> float:
    sums = np.bincount(codes, influence)
    return len(sums) / (len(sums) - 1) * float((sums**2).sum())


def _undefined(effect: CovariateEffect, reason: str) -> CovariateEffect:
    return CovariateEffect(n=effect.n, topics=effect.topics, systems=effect.systems, reason=reason)


FEWEST_OTHERS = 3
"""Other systems that the deviation of a group is compared with."""


@dataclass(frozen=True, kw_only=True)
class GroupEffect:
    """How much more a judge gives to a group of systems than to others, at the same human score; None if undefined."""

    value: float | None = None
    lower: float | None = None
    upper: float | None = None
    p: float | None = None
    detectable: float | None = None
    """The effect that would be found with 80 % power."""
    spread_of_others: float | None = None
    """Standard deviation of what the judge gives to each other system beyond its human score."""
    members: int = 0
    others: int = 0
    reason: str = ""


def group_effect(
    judge: Floats,
    people: Floats,
    is_member: Bools,
    *,
    noise: Floats | None = None,
    confidence: float = 95.0,
    power: float = 0.8,
    tests: int = 1,
) -> GroupEffect:
    """Compare what a judge gives to the systems of a group, beyond their human score, with what it gives to others.

    The deviation of a system is the mean over topics of y − b·z, y the judge and z people's mean, both less the
    topic's mean over the other systems, with the slope b within topics of these. A judge likes some systems more for
    any reason, so systems are the unit: the difference of means is tested with the spread s of the others' deviations,
    s·√(1/members + 1/others), and others − 1 degrees of freedom.

    Args:
        judge: systems × topics; NaN where there is no score.
        people: systems × topics.
        is_member: whether each system belongs to the group.
        noise: systems × topics, the variance of each human score.
        confidence: of the limits, in per cent.
        power: with which `detectable` would be found.
        tests: how many effects are tested at once, among which `detectable` would be found.
    """
    is_complete = ~np.isnan(judge) & ~np.isnan(people)
    has_scores = is_complete.any(axis=1)
    members, others = int((is_member & has_scores).sum()), int((~is_member & has_scores).sum())
    empty = GroupEffect(members=members, others=others)
    if not members:
        return empty
    if others < FEWEST_OTHERS:
        return GroupEffect(
            members=members, others=others, reason=f"it takes {FEWEST_OTHERS} systems or more outside the group"
        )
    is_reference = is_complete & ~is_member[:, None]
    counts = is_reference.sum(axis=0)
    # Without two other systems a topic has no level of its own.
    is_complete &= counts >= 2
    is_reference &= counts >= 2
    y, z = (_less_topic_mean(values, is_reference) for values in (judge, people))
    spread = float((z[is_reference] ** 2).sum())
    if noise is not None:
        shares = np.broadcast_to(1 - 1 / np.maximum(counts, 1), noise.shape)
        is_noisy = is_reference & ~np.isnan(noise)
        raw_spread, spread = spread, spread - float((noise * shares)[is_noisy].sum())
        if spread < LEAST_RELIABLE * raw_spread:
            spread = 0.0
    if spread <= 0:
        reason = "people's answers do not differ by more than their noise"
        return GroupEffect(members=members, others=others, reason=reason)
    if not np.abs(y[is_reference]).max(initial=0.0) > 0:
        reason = "the judge gives all other summaries of a topic the same score"
        return GroupEffect(members=members, others=others, reason=reason)
    slope = float((y * z)[is_reference].sum()) / spread
    deviations = np.where(is_complete, y - slope * z, np.nan)
    is_used = is_complete.any(axis=1)
    by_system = np.full(len(judge), np.nan)
    by_system[is_used] = np.nanmean(deviations[is_used], axis=1)
    inside, outside = by_system[is_member & is_used], by_system[~is_member & is_used]
    if not len(inside) or len(outside) < FEWEST_OTHERS:
        reason = "too few topics have scores of several systems"
        return GroupEffect(members=members, others=others, reason=reason)
    value = float(inside.mean() - outside.mean())
    spread_of_others = float(outside.std(ddof=1))
    if not spread_of_others > 0:
        reason = "the judge follows people's scores of the others exactly"
        return GroupEffect(value=value, members=members, others=others, reason=reason)
    error = spread_of_others * float(np.sqrt(1 / len(inside) + 1 / len(outside)))
    freedom = len(outside) - 1.0
    half = float(t_critical(confidence, freedom)) * error
    return GroupEffect(
        value=value,
        lower=value - half,
        upper=value + half,
        p=float(t_p(value / error, freedom)),
        detectable=detectable_effect(error, freedom, alpha=(1 - confidence / 100) / tests, power=power),
        spread_of_others=spread_of_others,
        members=len(inside),
        others=len(outside),
    )


def _less_topic_mean(values: Floats, is_reference: Bools) -> Floats:
    """Each value less the mean of its topic over the reference systems; NaN where there is none."""
    counts = is_reference.sum(axis=0)
    sums = np.where(is_reference, values, 0.0).sum(axis=0)
    means = np.divide(sums, counts, out=np.full(values.shape[1], np.nan), where=counts > 0)
    return np.asarray(values - means)
