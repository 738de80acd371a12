"""Agreement between coders: Krippendorff's α with a bootstrap interval, agreement of pairs, confusion.

Codings are units × coders, NaN where a coder gave none: units may have unequal numbers of codings, and for α it does
not matter which coder gave which.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.options import AlphaMetric
from pyramidion.statistics.intervals import percentile_limits
from pyramidion.statistics.resampling import drawn_items, multiplicities
from pyramidion.statistics.values import check_choice, check_finite, quotients, t_critical

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, kw_only=True)
class KrippendorffAlpha:
    """Krippendorff's α; NaN where it is undefined, and then `reason` says why."""

    metric: AlphaMetric
    value: float
    units: int
    """Units with at least two codings: the others say nothing about agreement."""
    codings: int
    """Codings of these units."""
    left_out: int
    """Units with a single coding."""
    lower: float = float("nan")
    upper: float = float("nan")
    undefined: int = 0
    """Resamples in which α is undefined; they are left out of the interval."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class PairAgreement:
    """How far two coders agree on the units that both coded; shares are NaN where there is none."""

    n: int
    exact: float
    """Share of units with the same value."""
    within_one: float
    """Share of units whose values are at most 1 apart."""
    difference: float
    """Mean of first − second."""
    pearson: float
    """NaN where a coder gave one value to all."""


def krippendorff_alpha(
    codings: Floats,
    *,
    metric: AlphaMetric,
    resamples: int = 0,
    confidence: float = 95.0,
    seed: int = 0,
    clusters: Integers | None = None,
) -> KrippendorffAlpha:
    """α = 1 − D_o/D_e from the coincidences of values within units (Krippendorff 2004, chapter 11).

    A unit u with m_u ≥ 2 codings, n_uv of them the value v, adds n_uv(n_uw − [v=w])/(m_u − 1) to the coincidence
    o_vw; n_v = Σ_w o_vw and n = Σ n_v. D_o = Σ o_vw δ²_vw / n, D_e = Σ n_v n_w δ²_vw / (n(n − 1)), with δ² = [v≠w]
    (nominal), (v − w)² (interval), or (r_v − r_w)², r_v = Σ_{g<v} n_g + n_v/2 (ordinal). Undefined when no unit has two
    codings, or when all values are the same: then no disagreement is to be expected.

    The interval is a percentile bootstrap over units: units that have two codings are drawn with replacement, as many
    as there are. A drawn unit comes with all its codings, and the ranks of the ordinal metric are those of the
    resample. With a single unit to draw there is no interval: its limits are NaN.

    Args:
        codings: units × coders; NaN where there is none.
        metric: "nominal", "ordinal" or "interval".
        resamples: of the bootstrap; 0 for no interval.
        confidence: in per cent.
        seed: of the draws `default_rng(seed).integers(0, units, size=(resamples, units))`.
        clusters: per unit, the number of the group it belongs to; then whole groups are drawn, in rising order of
            their numbers.
    """
    check_choice("metric", metric, AlphaMetric)
    patterns = _Patterns.of(codings, clusters)
    (value,) = patterns.alphas(patterns.frequencies[None], metric) if patterns.units else (np.nan,)
    reason = ""
    if not patterns.units:
        reason = "no unit has two codings"
    elif np.isnan(value):
        reason = "all codings have the same value, so no disagreement can be expected"
    alpha = KrippendorffAlpha(
        metric=metric,
        value=float(value),
        units=patterns.units,
        codings=patterns.codings,
        left_out=patterns.left_out,
        reason=reason,
    )
    if not resamples or patterns.drawn_from < 2 or reason:
        return alpha
    drawn = np.concatenate([patterns.alphas(block, metric) for block in patterns.resampled(resamples, seed)])
    lower, upper = (float(limits[0]) for limits in percentile_limits(drawn[:, None], confidence=confidence))
    return replace(alpha, lower=lower, upper=upper, undefined=int(np.isnan(drawn).sum()))


def jackknifed_alpha(
    codings: Floats, clusters: Integers, *, metric: AlphaMetric, confidence: float = 95.0
) -> KrippendorffAlpha:
    """α with limits from leaving out each group of units in turn (the jackknife), not above 1.

    The limits are t(groups − 1)·s below the lower and above the higher of α and α without bias, g·α − (g − 1)·ᾱ, with
    s² = (g − 1)/g · Σ(α_(j) − ᾱ)², where α_(j) is without group j of g (Efron & Stein 1981): few groups show less
    variety than all, so that α is too low on average, and how far is not known well enough to move the whole interval.
    Groups whose α without them is undefined are counted, and leave no limits; neither does a single group.

    Args:
        codings: units × coders; NaN where there is none.
        clusters: per unit, the number of the group it belongs to.
        metric: "nominal", "ordinal" or "interval".
        confidence: in per cent.
    """
    alpha = krippendorff_alpha(codings, metric=metric)
    patterns = _Patterns.of(codings, clusters)
    groups = patterns.drawn_from
    if alpha.reason or groups < 2:
        return alpha
    without = patterns.alphas(patterns.frequencies - patterns.clusters, metric)
    undefined = int(np.isnan(without).sum())
    if undefined or np.ptp(without) == 0:
        return replace(alpha, undefined=undefined)
    error = float(np.sqrt((groups - 1) / groups * ((without - without.mean()) ** 2).sum()))
    half = float(t_critical(confidence, groups - 1)) * error
    unbiased = float(groups * alpha.value - (groups - 1) * without.mean())
    lower, upper = min(alpha.value, unbiased) - half, max(alpha.value, unbiased) + half
    return replace(alpha, lower=lower, upper=min(1.0, upper))


def mean_pair_agreement(codings: Floats) -> float:
    """The mean over units of the share of pairs of codings with the same value; NaN if no unit has two codings."""
    patterns = _Patterns.of(codings)
    if not patterns.units:
        return float("nan")
    same = patterns.equal_pairs / (patterns.sizes * (patterns.sizes - 1))
    return float(same @ patterns.frequencies / patterns.units)


def pair_agreement(first: Floats, second: Floats) -> PairAgreement:
    """How far two coders agree; units that one of them did not code are left out."""
    a, b = _coded_by_both(first, second)
    if not len(a):
        return PairAgreement(n=0, exact=np.nan, within_one=np.nan, difference=np.nan, pearson=np.nan)
    distance = np.abs(a - b)
    constant = np.ptp(a) == 0 or np.ptp(b) == 0
    return PairAgreement(
        n=len(a),
        exact=float((distance == 0).mean()),
        # 2.2 - 1.2 is a little more than 1 in binary.
        within_one=float((distance <= 1 + 1e-12).mean()),
        difference=float((a - b).mean()),
        pearson=np.nan if constant else float(np.corrcoef(a, b)[0, 1]),
    )


def _coded_by_both(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    both = ~np.isnan(first) & ~np.isnan(second)
    return first[both], second[both]


def confusion_matrix(first: Floats, second: Floats, values: Floats) -> Integers:
    """Values × values: how many units got the row's value from the first coder and the column's from the second."""
    coders = _coded_by_both(first, second)
    ordered = np.sort(values)
    if not np.isin(np.concatenate(coders), ordered).all():
        raise UsageError("a coding is none of the given values; name every value that occurs")
    size = len(values)
    place = np.argsort(values)
    row, column = (place[np.searchsorted(ordered, coder)] for coder in coders)
    matrix: Integers = np.bincount(row * size + column, minlength=size * size).reshape(size, size)
    return matrix


@dataclass(frozen=True, eq=False)
class _Patterns:
    """The units that can be compared, grouped by their codings: few patterns stand for many units."""

    values: Floats
    """The values that occur, in order."""
    counts: csr_array
    """Patterns × values, sparse: how many codings of a unit have the value."""
    sizes: Floats
    """Per pattern, the number of codings of a unit."""
    clusters: Floats
    """Clusters × patterns: how many units of the cluster have the pattern."""
    which: Integers | None
    """Per unit its pattern, where every unit is its own cluster."""
    left_out: int

    @classmethod
    def of(cls, codings: Floats, clusters: Integers | None = None) -> _Patterns:
        from scipy.sparse import csr_array

        check_finite(codings, what="coding")
        coded = (~np.isnan(codings)).sum(axis=1)
        comparable = coded >= 2
        # Sorted, because α does not ask who gave which value: units with the same values in any order are one
        # pattern. Infinity moves the missing ones to the end; codings themselves are finite.
        ordered = np.sort(np.where(np.isnan(codings), np.inf, codings)[comparable], axis=1)
        ordered = ordered[:, : int(coded.max(initial=0))]  # of many coders, each unit may have few
        patterns, which = np.unique(ordered, axis=0, return_inverse=True)
        which = which.ravel().astype(np.int64)
        row, coder = np.nonzero(np.isfinite(patterns))
        values, column = np.unique(patterns[row, coder], return_inverse=True)
        counts = csr_array((np.ones(len(row)), (row, column.ravel())), shape=(len(patterns), len(values)))
        # Two codings with one value are two entries of one cell, and power(2) would square each by itself.
        counts.sum_duplicates()
        if clusters is None:
            table = np.bincount(which, minlength=len(patterns))[None]
        else:
            _, cluster = np.unique(clusters[comparable], return_inverse=True)
            number = int(cluster.max(initial=-1)) + 1
            cells = np.bincount(cluster * len(patterns) + which, minlength=number * len(patterns))
            table = cells.reshape(number, len(patterns))
        return cls(
            values=values,
            counts=counts,
            sizes=np.isfinite(patterns).sum(axis=1).astype(np.float64),
            clusters=table.astype(np.float64),
            which=which if clusters is None else None,
            left_out=int((coded == 1).sum()),
        )

    @property
    def frequencies(self) -> Floats:
        """Per pattern, the number of its units."""
        total: Floats = self.clusters.sum(axis=0)
        return total

    @property
    def units(self) -> int:
        return int(self.clusters.sum())

    @property
    def codings(self) -> int:
        return int(self.frequencies @ self.sizes)

    @property
    def drawn_from(self) -> int:
        """How many there are to draw from: units, or clusters of units."""
        return len(self.clusters) if self.which is None else len(self.which)

    @property
    def equal_pairs(self) -> Floats:
        """Per pattern Σ_v n_v(n_v − 1): its ordered pairs of codings with the same value."""
        squares: Floats = np.asarray(self.counts.power(2).sum(axis=1), dtype=np.float64)
        return squares - self.sizes

    def resampled(self, resamples: int, seed: int) -> Iterator[Floats]:
        """Blocks of resamples × patterns: how many units of each pattern were drawn."""
        cells = max(self.drawn_from, *self.counts.shape)
        for draws in drawn_items(self.drawn_from, resamples=resamples, seed=seed, cells=cells):
            if self.which is not None:
                yield multiplicities(self.which[draws], len(self.sizes))
            else:
                yield multiplicities(draws, self.drawn_from) @ self.clusters

    def alphas(self, frequencies: Floats, metric: AlphaMetric) -> Floats:
        """α for each row of frequencies (rows × patterns); NaN where all codings are the same value."""
        marginals: Floats = (self.counts.T @ frequencies.T).T
        n = marginals.sum(axis=1)
        if metric == "nominal":
            pairs = self.sizes * (self.sizes - 1)
            observed = frequencies @ ((pairs - self.equal_pairs) / (self.sizes - 1))
            expected = n**2 - (marginals**2).sum(axis=1)
        elif metric == "interval":
            scale = (self.values - self.values.mean())[None]  # α does not depend on the origin, rounding does
            observed = frequencies @ self._spread(scale)[:, 0]
            expected = _square_differences(marginals, scale)
        else:
            # Krippendorff's ordinal metric goes by how many codings lie between two values, so each resample has
            # ranks of its own.
            ranks = np.cumsum(marginals, axis=1) - marginals / 2
            observed = np.einsum("rp,pr->r", frequencies, self._spread(ranks))
            expected = _square_differences(marginals, ranks)
        # Asked of the counts: where all codings are equal, `expected` may be rounding rather than 0.
        several = (marginals > 0).sum(axis=1) > 1
        return 1 - quotients((n - 1) * observed, expected, where=several)

    def _spread(self, scales: Floats) -> Floats:
        """Patterns × scales: Σ_vw n_v n_w (x_v − x_w)² / (m − 1) of each pattern on each scale of the values."""
        sizes = self.sizes[:, None]
        squares, sums = self.counts @ (scales**2).T, self.counts @ scales.T
        spread: Floats = 2 * (sizes * squares - sums**2) / (sizes - 1)
        return spread


def _square_differences(marginals: Floats, scales: Floats) -> Floats:
    """Per row Σ_vw n_v n_w (x_v − x_w)²."""
    squares, sums = (marginals * scales**2).sum(axis=1), (marginals * scales).sum(axis=1)
    differences: Floats = 2 * (marginals.sum(axis=1) * squares - sums**2)
    return differences


_NOTHING = 1e-12
"""A denominator that is this small compared with its terms is what rounding left of 0."""


@dataclass(frozen=True, kw_only=True)
class IntraclassCorrelation:
    """How far single answers, or their mean, follow what the summaries deserve (Shrout and Fleiss 1979)."""

    single: float
    """ICC(2,1): of one assessor's answers."""
    lower: float | None
    """The limits are None where the interval is undefined: with very few answers."""
    upper: float | None
    mean: float | None
    """ICC(2,k): of the mean of all assessors' answers; None where it is undefined."""


def intraclass_correlation(codings: Floats, *, confidence: float) -> IntraclassCorrelation | None:
    """ICC(2,1) and ICC(2,k) of units × raters, two-way random effects, absolute agreement; complete units only.

    None with fewer than two units or raters, if no answer differs from another, or where it is undefined: two raters
    who contradict each other exactly about two units leave nothing to divide by.
    """
    complete = codings[~np.isnan(codings).any(axis=1)]
    units, raters = complete.shape
    if units < 2 or raters < 2:
        return None
    from scipy import special

    # The interval needs fourth powers; no ICC depends on the unit, and a power of two changes no digit.
    complete = np.ldexp(complete, -int(np.frexp(np.abs(complete).max())[1]))
    grand = complete.mean()
    rows, columns = complete.mean(axis=1), complete.mean(axis=0)
    between = raters * float(((rows - grand) ** 2).sum()) / (units - 1)
    judges = units * float(((columns - grand) ** 2).sum()) / (raters - 1)
    rest = complete - rows[:, None] - columns[None, :] + grand
    error = float((rest**2).sum()) / ((units - 1) * (raters - 1))
    if between == 0 and error == 0:
        return None
    total = between + (raters - 1) * error + raters * (judges - error) / units
    total_of_mean = between + (judges - error) / units
    if abs(total) < _NOTHING * (between + error):
        return None
    single = (between - error) / total
    mean = (between - error) / total_of_mean if abs(total_of_mean) >= _NOTHING * (between + error) else None
    ratio = judges / error if error > 0 else np.inf
    a = raters * single / (units * (1 - single)) if single < 1 else np.inf
    b = 1 + raters * single * (units - 1) / (units * (1 - single)) if single < 1 else np.inf
    lower = upper = single
    if np.isfinite(ratio) and np.isfinite(a):
        scale = (a * judges) ** 2 / (raters - 1) + (b * error) ** 2 / ((units - 1) * (raters - 1))
        freedom = (a * judges + b * error) ** 2 / scale if scale > 0 else np.nan
        tail = 1 - (1 - confidence / 100) / 2
        above = float(special.fdtri(units - 1, freedom, tail))
        below = float(special.fdtri(freedom, units - 1, tail))
        spread = raters * judges + (raters * units - raters - units) * error
        lower = units * (between - above * error) / (above * spread + units * between)
        upper = units * (below * between - error) / (spread + units * below * between)
    limits = [float(limit) if np.isfinite(limit) else None for limit in (lower, upper)]
    return IntraclassCorrelation(single=single, lower=limits[0], upper=limits[1], mean=mean)


def quadratic_kappa(first: Floats, second: Floats) -> float:
    """Cohen's κ of two assessors with quadratic weights: 1 − Σ(a − b)²/Σ expected (a − b)²; NaN if that is 0."""
    if not len(first):
        return float("nan")
    observed = float(((first - second) ** 2).mean())
    # The expected squared difference of independent answers with these margins: no table of all pairs of values is
    # needed.
    expected = float(first.var() + second.var() + (first.mean() - second.mean()) ** 2)
    return 1 - observed / expected if expected > 0 else float("nan")


def gwet_ac2(codings: Floats, values: Floats) -> float:
    """Gwet's AC2 with quadratic weights: (p_a − p_e)/(1 − p_e), of units × coders (Gwet 2014, chapters 3 and 4).

    w_kl = 1 − ((v_k − v_l)/(v_max − v_min))². p_a is the mean over units with two codings or more of
    Σ_k r_k(Σ_l w_kl r_l − 1)/(r(r − 1)), with r_k of a unit's r codings in category k; p_e = Σ w_kl·Σ π_k(1 − π_k) /
    (q(q − 1)), with π_k the mean share of category k and q categories. Unlike κ and α, it does not fall towards 0 where
    one answer dominates. NaN if no unit has two codings, or with fewer than two categories.

    Args:
        codings: units × coders; NaN where there is none. Each is one of the values.
        values: the categories, in units of the scale; those that nobody used count, too.

    Raises:
        UsageError: if a coding is none of the values.
    """
    categories = np.sort(values)
    is_coded = ~np.isnan(codings)
    if not np.isin(codings[is_coded], categories).all():
        raise UsageError("a coding is none of the given values; name every value that occurs")
    counts = (codings[:, :, None] == categories).sum(axis=1).astype(np.float64)
    sizes = counts.sum(axis=1)
    is_compared = sizes >= 2
    count = len(categories)
    if count < 2 or not is_compared.any():
        return float("nan")
    weights = 1 - ((categories[:, None] - categories) / (categories[-1] - categories[0])) ** 2
    compared, compared_sizes = counts[is_compared], sizes[is_compared]
    pairs = (compared * (compared @ weights - 1)).sum(axis=1)
    observed = float((pairs / (compared_sizes * (compared_sizes - 1))).mean())
    shares = (counts[sizes > 0] / sizes[sizes > 0, None]).mean(axis=0)
    expected = float(weights.sum() * (shares * (1 - shares)).sum()) / (count * (count - 1))
    return (observed - expected) / (1 - expected)
