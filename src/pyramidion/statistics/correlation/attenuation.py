"""How a correlation grows with the number of models or topics behind a score, and where it leads beyond the data.

A mean of k models (or topics) is the truth plus noise of variance σ²/k, so that its correlation with something else is
r(k) = r(∞)·√(k/(k + c)): what test theory calls attenuation (Spearman 1904; Cronbach and others 1972).
"""

from __future__ import annotations

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.correlation.weights import scaled
from pyramidion.statistics.values import mean_of_defined

LEAST_VARIANCE = 1e-12
"""Of values whose largest magnitude is 1; below it, a variance from sums of squares may be rounding alone."""
MOST_GROUPS = 50
"""Into which topics are divided for the jackknife."""


def attenuation(sizes: Floats, correlations: Floats, new_sizes: Floats) -> Floats:
    """The correlations expected at the new sizes: 1/r² = a + b/k, fitted by least squares to r at the sizes.

    Args:
        sizes: k.
        correlations: rows × sizes; each row is fitted by itself.
        new_sizes: sizes to expect r at; may be infinite.

    Returns:
        Rows × sizes. NaN where the correlations are not all of one sign and away from 0; ±1 where the fit goes beyond.
    """
    sign = np.sign(correlations[:, :1])
    usable = np.asarray(((correlations * sign) > 1e-6).all(axis=1))
    # Squared and inverted, r(k) = r(∞)·√(k/(k + c)) is a straight line in 1/k: one linear fit, no iteration.
    inverse = np.where(usable[:, None], 1 / np.square(np.where(usable[:, None], correlations, 1.0)), np.nan)
    design = np.stack([np.ones(len(sizes)), 1 / sizes], axis=1)
    coefficients = inverse @ np.linalg.pinv(design).T
    expected = coefficients @ np.stack([np.ones(len(new_sizes)), 1 / new_sizes])
    # Noise may take the line below 1, where no correlation is.
    curve: Floats = sign / np.sqrt(np.maximum(expected, 1.0))
    return curve


def correlation_by_components(x: Floats, z: Floats, topics: Floats, weights: Floats | None = None) -> Floats:
    """The Pearson correlation of system means expected with other numbers of topics for both measures.

    Two-way random model: a score is a summarizer's part plus a topic's part plus the rest. With the mean squares and
    mean products between summarizers (B) and of the rest (E), the components are S = (B − E)/T and E, and
    r(t) = (S_xz + E_xz/t) / √((S_xx + E_xx/t)(S_zz + E_zz/t)). At t = T it is the correlation found.

    Args:
        x: summarizers × topics, complete.
        z: the same summarizers and topics.
        topics: numbers of topics; may be infinite.
        weights: draws × summarizers: how often each was drawn; by default once.

    Returns:
        Draws × topics; NaN where a variance is estimated as 0 or less. An estimate may lie beyond ±1: what a
        correlation would be without noise is estimated from data with noise.
    """
    weights = np.ones((1, len(x))) if weights is None else weights
    own_xz, rest_xz = _components(x, z, weights)
    own_xx, rest_xx = _components(x, x, weights)
    own_zz, rest_zz = _components(z, z, weights)
    covariance, variance_x, variance_z = (
        shared[:, None] + rest[:, None] / topics
        for shared, rest in ((own_xz, rest_xz), (own_xx, rest_xx), (own_zz, rest_zz))
    )
    defined = (variance_x > 0) & (variance_z > 0)
    return np.where(defined, covariance / np.sqrt(np.where(defined, variance_x * variance_z, 1.0)), np.nan)


def jackknifed_components(x: Floats, z: Floats, topics: Floats) -> tuple[Floats, Floats]:
    """The estimates of `correlation_by_components` with summarizers, and with topics, left out in turn.

    Var = (n − 1)/n · Σ(r₍ᵢ₎ − r̄)² of each of the two (Tukey's jackknife); their sum counts what a summarizer on a topic
    adds twice, and errs on the safe side. Many topics are left out in groups.

    Args:
        x: summarizers × topics, complete.
        z: the same summarizers and topics.
        topics: numbers of topics; may be infinite.

    Returns:
        Summarizers × topics, and groups × topics.
    """
    summarizers, count = x.shape
    # To leave out is to draw 0 times: all of them are one product of matrices.
    without_summarizer = correlation_by_components(x, z, topics, 1 - np.eye(summarizers))
    without_topics = []
    for group in np.array_split(np.arange(count), min(count, MOST_GROUPS)):
        kept = np.delete(np.arange(count), group)
        without_topics.append(correlation_by_components(x[:, kept], z[:, kept], topics)[0])
    return without_summarizer, np.array(without_topics)


def jackknife_variance(estimates: Floats) -> Floats:
    """(n − 1)/n · Σ(rᵢ − r̄)² along the first axis, over what is defined; NaN if that is less than half."""
    defined = ~np.isnan(estimates)
    count = defined.sum(axis=0)
    deviations = np.where(defined, estimates - mean_of_defined(estimates.T), 0.0)
    enough = (2 * count >= len(estimates)) & (count > 1)
    variance = np.square(deviations).sum(axis=0) * (count - 1) / np.maximum(count, 1)
    return np.where(enough, variance, np.nan)


def _components(x: Floats, z: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """By draw: the (co)variance component of summarizers, and that of the rest."""
    count = x.shape[1]
    drawn = weights.sum(axis=1)
    mean_x, mean_z = x.mean(axis=1), z.mean(axis=1)
    inner_x, inner_z = x - mean_x[:, None], z - mean_z[:, None]
    # Of means over topics, so that divided by the degrees of freedom it is B/T, not B.
    products = weights @ (mean_x * mean_z) - (weights @ mean_x) * (weights @ mean_z) / drawn
    of_topics = (_product(weights, inner_x.T) * _product(weights, inner_z.T)).sum(axis=1) / drawn
    rest = (weights @ (inner_x * inner_z).sum(axis=1) - of_topics) / ((drawn - 1) * (count - 1))
    return products / (drawn - 1) - rest / count, rest


def resampled_correlations(values: Floats, reference: Floats, weights: Floats) -> Floats:
    """Pearson of each row of values with the reference under each row of weights: rows × weights, by products alone.

    Args:
        values: rows × summarizers, complete.
        reference: summarizers.
        weights: draws × summarizers, such as how often each was drawn.

    Returns:
        NaN where those drawn differ by less than about a millionth of what all do: from sums of squares that is noise.
    """
    values, reference = scaled(values), scaled(reference)
    total = weights.sum(axis=1)
    mean = _product(values, weights) / total
    squares = _product(np.square(values), weights) / total - mean**2
    reference_mean = weights @ reference / total
    reference_squares = weights @ reference**2 / total - reference_mean**2
    products = _product(values * reference, weights) / total - mean * reference_mean
    defined = (squares > LEAST_VARIANCE) & (reference_squares > LEAST_VARIANCE)
    spread = np.where(defined, squares * reference_squares, 1.0)
    return np.where(defined, products / np.sqrt(spread), np.nan)


def _product(x: Floats, y: Floats) -> Floats:
    """Rows × rows of the other. These are small: the threads of a matrix library would cost more than they save."""
    product: Floats = np.einsum("is,js->ij", x, y)
    return product
