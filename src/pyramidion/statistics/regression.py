"""Multiple linear regression by ordinary least squares, with intervals, also where columns are collinear."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.statistics.values import t_critical, t_p

_ALIASED = 1e-7
"""A column counts as a combination of others if less than this share of its length is left without them."""
_LARGEST_CLUSTERED = 10_000_000
"""Numbers in the matrices of clustered errors (clusters × columns²) up to which groups have columns of their own."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearFit:
    """y = β₀ + Σ βⱼxⱼ + ε. Arrays start with the intercept; NaN where a coefficient can't be determined."""

    coefficients: Floats
    standard_errors: Floats
    lower: Floats
    upper: Floats
    t: Floats
    p: Floats
    """Two-sided, of the hypothesis that the coefficient is 0."""
    r_squared: float
    """Share of the variance of y (with groups: within them) that the features account for; NaN if there is none."""
    adjusted_r_squared: float
    n: int
    degrees_of_freedom: int
    """Of the residuals."""
    coefficient_freedom: Floats
    """Of the t test of each coefficient: the same, unless errors are clustered."""
    reasons: tuple[str, ...]
    """Per coefficient, why it can't be determined, or ""."""


def fit_linear(
    features: Floats,
    target: Floats,
    *,
    confidence: float = 95.0,
    clusters: Integers | None = None,
    groups: Integers | None = None,
) -> LinearFit:
    """Least squares of the target on an intercept and the features (rows × columns).

    β = (XᵀX)⁻¹Xᵀy, s² = SSR/(n − rank), limits β ± t(n − rank)·√(s²(XᵀX)⁻¹ⱼⱼ), R² = 1 − SSR/SST. A column that is
    constant, or a combination of the columns before it, is left out: its coefficient is NaN with a reason, and the
    others are those of the fit without it. With `clusters` (a number for each row), rows of one cluster may depend on
    each other: see `clustered_errors`.

    With `groups` (a number for each row), each group has a level of its own, as with an indicator of each group among
    the features: βⱼ is the change within groups, the intercept is the level of the average row, and R² is the share of
    the variance within groups.

    Raises:
        UsageError: if a value is missing or infinite, or if there are not more rows than coefficients.
    """
    if not (np.isfinite(features).all() and np.isfinite(target).all()):
        raise UsageError("a value is missing or infinite; fit the rows that are complete")
    n, count = features.shape
    levels = 1 if groups is None else len(np.unique(groups))
    within_features = centre_within(features, groups)
    within_target = centre_within(target[:, None], groups)[:, 0]
    reasons = _aliased(features, within_features)
    kept = [0, *(column + 1 for column in range(count) if not reasons[column])]
    freedom = n - len(kept) - (levels - 1)
    if freedom < 1:
        needed = len(kept) + levels - 1
        raise UsageError(f"{n} rows are too few for {needed} coefficients; at least {needed + 1} are needed")
    if levels > 1:
        # differences within groups around the means of all rows: the intercept is the level of the average row
        features, target = within_features + features.mean(axis=0), within_target + target.mean()
    design = np.column_stack([np.ones(n), features])[:, kept]
    # Not the normal equations, whose condition is the square of the design's: judgments correlate highly.
    q, r = np.linalg.qr(design)
    solved = np.linalg.solve(r, q.T @ target)
    residuals = target - design @ solved
    ssr = float(residuals @ residuals)
    sst = float((within_target**2).sum())
    inverse = np.linalg.solve(r, np.eye(len(kept)))
    # (XᵀX)⁻¹ = R⁻¹R⁻ᵀ: its diagonal is the squared lengths of the rows of R⁻¹.
    errors = np.sqrt(ssr / freedom * (inverse**2).sum(axis=1))
    own_freedom = np.full(len(kept), float(freedom))
    if clusters is not None:
        whole_design = np.column_stack([design, _group_columns(groups, len(kept), clusters)])
        whole_root = np.linalg.solve(np.linalg.qr(whole_design)[1], np.eye(whole_design.shape[1]))
        errors, own_freedom = clustered_errors(whole_design, whole_root @ whole_root.T, residuals, clusters)
        errors, own_freedom = errors[: len(kept)], own_freedom[: len(kept)]
    t = np.divide(solved, errors, out=np.copysign(np.full(len(kept), np.inf), solved), where=errors > 0)
    half = t_critical(confidence, own_freedom) * errors
    # sst of a constant target may be rounding rather than 0.
    r_squared = np.nan if np.ptp(within_target) == 0 else 1 - ssr / sst

    def all_terms(values: Floats) -> Floats:
        spread = np.full(count + 1, np.nan)
        spread[kept] = values
        return spread

    return LinearFit(
        coefficients=all_terms(solved),
        standard_errors=all_terms(errors),
        lower=all_terms(solved - half),
        upper=all_terms(solved + half),
        t=all_terms(t),
        p=all_terms(t_p(t, own_freedom)),
        r_squared=float(r_squared),
        adjusted_r_squared=float(1 - (1 - r_squared) * (n - levels) / freedom),
        n=n,
        degrees_of_freedom=freedom,
        coefficient_freedom=all_terms(own_freedom),
        reasons=("", *reasons),
    )


def centre_within(values: Floats, groups: Integers | None) -> Floats:
    """Each row minus the mean of its group; without groups, of all rows."""
    if groups is None or not len(groups):
        return values - values.mean(axis=0) if len(values) else values
    _, codes = np.unique(groups, return_inverse=True)
    counts = np.bincount(codes)
    means = np.column_stack([np.bincount(codes, weights=column) / counts for column in values.T])
    return np.asarray(values - means[codes])


def _group_columns(groups: Integers | None, others: int, clusters: Integers) -> Floats:
    """Indicators of all groups but the first, centred; none where the matrices of clustered errors would be too large.

    Without them the errors do not allow for the levels having been estimated, which hardly matters with many groups.
    """
    if groups is None:
        return np.zeros((len(clusters), 0))
    levels = np.unique(groups)[1:]
    if len(np.unique(clusters)) * (others + len(levels)) ** 2 > _LARGEST_CLUSTERED:
        return np.zeros((len(clusters), 0))
    indicators = (groups[:, None] == levels).astype(np.float64)
    return np.asarray(indicators - indicators.mean(axis=0))


def clustered_errors(design: Floats, inverse: Floats, residuals: Floats, clusters: Integers) -> tuple[Floats, Floats]:
    """Standard errors that allow for dependence within clusters (CR2), and degrees of freedom of each coefficient.

    Bell and McCaffrey (2002): V = M·Σ X_g′A_g e_g e_g′A_g X_g·M with A_g = (I − H_gg)^(−1/2) and M = (X′X)⁻¹; the
    degrees of freedom are Satterthwaite's, (tr Q)²/‖Q‖², Q the covariance of the clusters' shares (equal variances).
    With M = CC′ and C′X_g′X_g C = UΛU′, A_g X_g M = X_g·CU(I − Λ)^(−1/2)U′C′, and for one coefficient Q = D − SMS′ with
    D diagonal: sums over each cluster are enough, and no matrix of rows or of clusters × clusters is made.
    """
    order = np.argsort(clusters, kind="stable")
    _, starts = np.unique(clusters[order], return_index=True)
    rows = design[order]
    squares = np.stack([np.add.reduceat(rows * column[:, None], starts) for column in rows.T], axis=1)
    products = np.add.reduceat(rows * residuals[order][:, None], starts)
    root = np.linalg.cholesky(inverse)
    values, vectors = np.linalg.eigh(root.T @ squares @ root)
    left = 1 - values
    # A cluster that alone determines a coefficient has leverage 1: its residuals are 0 there and carry nothing.
    scale = np.where(left > 1e-10, 1 / np.sqrt(np.maximum(left, 1e-10)), 0.0)
    turned = root @ vectors
    adjusted = (turned * scale[:, None, :]) @ turned.swapaxes(1, 2)
    shares = squares @ adjusted
    influence = (adjusted * shares).sum(axis=1)
    errors = np.sqrt(((adjusted @ products[:, :, None]) ** 2).sum(axis=0)[:, 0])
    common = np.einsum("gic,ij,gjc->gc", shares, inverse, shares, optimize=True)
    deviations = influence - common
    freedom = np.empty(design.shape[1])
    for column, share in enumerate(np.moveaxis(shares, 2, 0)):
        crossed = share.T @ share @ inverse
        between = (crossed * crossed.T).sum() - (common[:, column] ** 2).sum()
        freedom[column] = deviations[:, column].sum() ** 2 / ((deviations[:, column] ** 2).sum() + max(between, 0.0))
    return errors, freedom


def _aliased(features: Floats, centred_features: Floats) -> list[str]:
    """Per column why it is left out, or "": by Gram–Schmidt on the columns before it, twice because of rounding."""
    basis = np.zeros((len(features), 0))
    reasons: list[str] = []
    for column, centred in zip(features.T, centred_features.T, strict=True):
        length = np.linalg.norm(centred)
        if length <= 1e-12 * np.linalg.norm(column):
            reasons.append("constant")
            continue
        left = centred - basis @ (basis.T @ centred)
        left = left - basis @ (basis.T @ left)
        rest = np.linalg.norm(left)
        if rest <= _ALIASED * length:
            reasons.append("a combination of the terms before it")
            continue
        basis = np.column_stack([basis, left / rest])
        reasons.append("")
    return reasons
