"""Intervals of correlations: the golden ones, and every bootstrap beside one that is written out with scipy."""

import warnings
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from meta_golden import SETS, expected, matrices
from pyramidion.errors import UsageError
from pyramidion.options import Coefficient, Level, Resampled, Sides
from pyramidion.statistics.correlation import draws, weights
from pyramidion.statistics.correlation.coefficients import correlation_p, row_correlations
from pyramidion.statistics.correlation.critical import critical_correlation
from pyramidion.statistics.correlation.intervals import (
    bootstrap_correlations,
    bootstrap_p,
    far_out,
    fisher_interval,
    fisher_p,
    inverted_test_interval,
    percentile_interval,
    studentized_interval,
)
from pyramidion.statistics.correlation.levels import correlate_levels

Floats = npt.NDArray[np.float64]
SCIPY: dict[str, Any] = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("name", SETS)
def test_every_golden_bootstrap_interval_comes_out(name: str) -> None:
    values, golden = matrices(name), expected(name, "boot_both")
    assert len(golden["values"]) == 24
    for key, wanted in golden["values"].items():
        measure, human, which = key.split("|")
        level, coefficient = which.split("_")
        samples = bootstrap_correlations(
            values[measure],
            values[human],
            level=level,
            coefficients=[coefficient],
            resamples=golden["B"],
            seed=golden["seed"],
        )[coefficient]
        assert percentile_interval(samples) == pytest.approx(wanted["ci95"], abs=wanted["tolerance_same_stream"]), key
        assert np.isnan(samples).sum() == wanted["n_undefined"]


@pytest.mark.parametrize("name", SETS)
def test_every_golden_fisher_interval_comes_out(name: str) -> None:
    values = matrices(name)
    for key, wanted in expected(name, "fisher_ci_system_pearson").items():
        measure, human = key.split("|")
        found = correlate_levels(values[measure], values[human], level="system", coefficient="pearson")
        assert fisher_interval(found.value, found.n, sides="two") == pytest.approx(wanted["two_sided95"], abs=1e-5)
        assert fisher_interval(found.value, found.n, sides="one") == pytest.approx(
            (wanted["one_sided95_lower"], 1), abs=1e-5
        )


def test_fisher_intervals_of_rank_coefficients_are_those_of_nlpstats() -> None:
    # nlpstats 0.0.1, fisher(X, Z, "system", …) on ROUGE-2-F and relevance of summeval
    values = matrices("summeval")
    limits = {"spearman": (0.207157, 0.888219), "kendall": (0.131020, 0.706331)}
    for coefficient in ("spearman", "kendall"):
        found = correlate_levels(values["ROUGE-2-F"], values["relevance"], level="system", coefficient=coefficient)
        two = fisher_interval(found.value, found.n, coefficient=coefficient, sides="two")
        assert two == pytest.approx(limits[coefficient], abs=1e-5)


def with_holes(seed: int = 3, rows: int = 7, columns: int = 6) -> tuple[Floats, Floats]:
    """Scores with ties, missing cells in different places, and a topic that does not vary."""
    generator = np.random.default_rng(seed)
    x, z = np.round(generator.random((2, rows, columns)), 1)
    z[:, 2] = 0.5
    x[generator.random(x.shape) < 0.15] = np.nan
    z[generator.random(z.shape) < 0.15] = np.nan
    return x, z


def written_out(
    x: Floats, z: Floats, level: Level, coefficient: Coefficient, resampled: Resampled, *, resamples: int, seed: int
) -> list[float]:
    """The definition: a loop over resamples, scipy's coefficients."""

    def one(first: Floats, second: Floats) -> float:
        both = ~(np.isnan(first) | np.isnan(second))
        first, second = first[both], second[both]
        if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
            return np.nan
        return float(SCIPY[coefficient](first, second).statistic)

    generator = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        rows, columns = np.arange(len(x)), np.arange(x.shape[1])
        if resampled != "topics":
            rows = generator.integers(0, len(rows), size=len(rows))
        if resampled != "systems":
            columns = generator.integers(0, len(columns), size=len(columns))
        first, second = x[rows][:, columns], z[rows][:, columns]
        if level == "system":
            means = [np.round(np.asarray(np.nanmean(values, axis=1)), 9) for values in (first, second)]
            found.append(one(*means))
        elif level == "topic":
            values = np.array([one(first[:, topic], second[:, topic]) for topic in range(first.shape[1])])
            found.append(float(np.nanmean(values)))
        else:
            found.append(one(first.ravel(), second.ravel()))
    return found


@pytest.mark.parametrize("resampled", get_args(Resampled))
@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_the_bootstrap_is_the_loop_that_defines_it(
    level: Level, coefficient: Coefficient, resampled: Resampled
) -> None:
    x, z = with_holes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # means of nothing
        wanted = written_out(x, z, level, coefficient, resampled, resamples=60, seed=8)
    samples = bootstrap_correlations(
        x, z, level=level, coefficients=[coefficient], resampled=resampled, resamples=60, seed=8
    )
    assert samples[coefficient] == pytest.approx(wanted, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("level", get_args(Level))
def test_the_size_of_blocks_changes_nothing(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    x, z = with_holes()
    whole = bootstrap_correlations(x, z, level=level, coefficients=get_args(Coefficient), resamples=50, seed=1)
    monkeypatch.setattr(draws, "BLOCK_CELLS", 30)
    monkeypatch.setattr(weights, "_SIGN_CELLS", 30)
    done: list[int] = []
    parts = bootstrap_correlations(
        x, z, level=level, coefficients=get_args(Coefficient), resamples=50, seed=1, progress=done.append
    )
    assert sum(done) == 50
    assert len(done) > 5
    for coefficient in get_args(Coefficient):
        assert parts[coefficient] == pytest.approx(whole[coefficient], abs=1e-12, nan_ok=True)


def test_many_summaries_take_another_way_to_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    x, z = with_holes()
    few = bootstrap_correlations(x, z, level="global", coefficients=get_args(Coefficient), resamples=30, seed=1)
    monkeypatch.setattr(weights, "MANY_ITEMS", 10)
    many = bootstrap_correlations(x, z, level="global", coefficients=get_args(Coefficient), resamples=30, seed=1)
    for coefficient in get_args(Coefficient):
        assert many[coefficient] == pytest.approx(few[coefficient], abs=1e-12)


def test_scores_that_nearly_agree_lose_no_digits() -> None:
    # One summarizer far off, the others apart by a millionth: sums of squares alone would be noise.
    x = np.array([1e6, 1.000001, 1.000002, 1.000003, 1.000004])[:, None] * np.ones((1, 2))
    z = np.array([5.0, 1.0, 3.0, 2.0, 4.0])[:, None] * np.ones((1, 2))
    samples = bootstrap_correlations(x, z, level="topic", coefficients=["pearson"], resamples=200, seed=0)["pearson"]
    wanted = written_out(x, z, "topic", "pearson", "both", resamples=200, seed=0)
    assert samples == pytest.approx(wanted, abs=1e-9, nan_ok=True)


def test_measures_that_never_meet_have_no_interval() -> None:
    x, z = np.full((3, 2), np.nan), np.full((3, 2), np.nan)
    x[:, 0], z[:, 1] = [1, 2, 3], [1, 2, 3]
    for level in ("topic", "global"):
        samples = bootstrap_correlations(x, z, level=level, coefficients=["kendall"], resamples=5)["kendall"]
        assert np.isnan(samples).all()
        assert np.isnan(percentile_interval(samples)).all()


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("sides", ["one", "two"])
@pytest.mark.parametrize("value", [1.0, -1.0, 0.9999999999999998])
def test_a_perfect_correlation_has_no_interval(value: float, sides: Sides, coefficient: Coefficient) -> None:
    assert np.isnan(fisher_interval(value, 10, sides=sides, coefficient=coefficient)).all()


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
@pytest.mark.parametrize("level", ["system", "topic", "global"])
def test_a_bootstrap_of_a_perfect_correlation_has_no_interval(level: Level, coefficient: Coefficient) -> None:
    x = np.random.default_rng(0).normal(size=(6, 5))
    samples = bootstrap_correlations(x, 2 * x, level=level, coefficients=[coefficient], resamples=50)[coefficient]
    assert np.nanmin(samples) == pytest.approx(1)
    assert np.isnan(percentile_interval(samples)).all()
    assert np.isnan(percentile_interval(samples, sides="one")).all()


def test_samples_that_are_all_the_same_give_no_interval() -> None:
    assert np.isnan(percentile_interval(np.full(100, 0.7))).all()  # as when one topic is drawn again and again
    assert np.isnan(percentile_interval(np.full(100, 0.7), sides="one")).all()


@pytest.mark.parametrize(("coefficient", "least"), [("pearson", 4), ("spearman", 4), ("kendall", 5)])
def test_too_few_summarizers_leave_no_fisher_interval(coefficient: Coefficient, least: int) -> None:
    assert np.isnan(fisher_interval(0.5, least - 1, coefficient=coefficient)).all()
    assert not np.isnan(fisher_interval(0.5, least, coefficient=coefficient)).any()


def test_one_side_has_the_whole_error() -> None:
    samples = np.linspace(0, 1, 1001)
    assert percentile_interval(samples, confidence=90, sides="one") == pytest.approx((0.1, 1.0))
    assert percentile_interval(samples, confidence=90) == pytest.approx((0.05, 0.95))
    with pytest.raises(UsageError, match="sides"):
        percentile_interval(samples, sides="three")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="resampled"):
        bootstrap_correlations(*with_holes(), level="topic", coefficients=["pearson"], resampled="all")  # type: ignore[arg-type]


def _by_jackknife(x: Floats, z: Floats) -> tuple[float, float]:
    """Fisher's ζ by scipy, and its error from tiny changes of each item's weight."""

    def transformed(weights: Floats) -> float:
        covariance = np.cov(x, z, aweights=weights, bias=True)
        return float(np.arctanh(covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])))

    n, step = len(x), 1e-5
    even = np.full(n, 1 / n)
    slopes = []
    for item in range(n):
        more, less = (even * (1 - sign * step) + sign * step * (np.arange(n) == item) for sign in (1, -1))
        slopes.append((transformed(more) - transformed(less)) / (2 * step))
    return float(np.arctanh(stats.pearsonr(x, z).statistic)), float(np.sqrt(np.mean(np.square(slopes)) / n))


def test_studentized_limits_are_those_of_a_bootstrap_written_out() -> None:
    generator = np.random.default_rng(3)
    x = generator.exponential(1, 12)
    z = x + generator.standard_normal(12)
    value, error = _by_jackknife(x, z)
    t = []
    for drawn in np.random.default_rng(5).integers(0, 12, size=(200, 12)):
        drawn_value, drawn_error = _by_jackknife(x[drawn], z[drawn])
        t.append((drawn_value - value) / drawn_error)
    wanted = np.tanh(value - np.percentile(t, [97.5, 2.5]) * error)
    found = studentized_interval(x, z, resamples=200, seed=5)
    assert (found.lower, found.upper) == pytest.approx(wanted, rel=1e-6)
    assert found.undefined == 0
    # The level at which 0 is just a limit: 0 as a percentile of the drawn t, by scipy.
    limits = np.tanh(value - np.percentile(t, [100 - 50 * found.p, 50 * found.p]) * error)
    assert np.abs(limits).min() == pytest.approx(0, abs=1e-6)
    one_sided = np.tanh(value - np.percentile(t, 95) * error)
    assert studentized_interval(x, z, resamples=200, seed=5, sides="one")[:2] == pytest.approx((one_sided, 1), rel=1e-6)


def test_studentized_limits_need_eight_items_that_vary() -> None:
    x = np.arange(8.0)
    assert np.isnan(studentized_interval(x[:7], x[:7] ** 2)[0])
    assert np.isnan(studentized_interval(x, np.ones(8))[0])
    assert np.isnan(studentized_interval(x, -x)[:2]).all()  # a correlation of −1 does not show its error
    assert np.isfinite(studentized_interval(x, x**2)[:2]).all()


def test_samples_of_two_different_items_have_no_error_and_are_left_out() -> None:
    x = np.array([0.0, 0, 0, 0, 0, 0, 0, 1, 2])
    z = np.array([0.0, 0, 0, 0, 0, 0, 0, 2, 1])
    assert studentized_interval(x, z, resamples=300, seed=0).undefined > 100


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
@pytest.mark.parametrize("n", [5, 8, 9, 10, 14, 33, 40])
@pytest.mark.parametrize("ties", [False, True])
def test_intervals_of_rank_coefficients_exclude_0_where_scipys_p_is_significant(
    coefficient: Coefficient, n: int, ties: bool
) -> None:
    generator = np.random.default_rng(n)
    scipys = SCIPY[coefficient]
    for strength in np.linspace(-1.5, 1.5, 40):
        x = generator.standard_normal(n)
        z = strength * x + generator.standard_normal(n)
        if ties:
            x, z = np.round(x), np.round(z)
        value = float(row_correlations(x[None], z[None], coefficient=coefficient)[0])
        lower, upper = inverted_test_interval(x, z, value, coefficient=coefficient)
        if np.isnan(lower):
            continue
        p = correlation_p(x, z, value, coefficient=coefficient)
        assert (p < 0.05) == (not lower <= 0 <= upper)
        assert lower < value < upper
        if n > 9:  # with fewer, p is exact, which scipy's is only for Kendall without ties
            assert p == pytest.approx(scipys(x, z).pvalue)


@pytest.mark.parametrize("n", [4, 5, 8, 17, 60])
def test_the_interval_of_pearsons_coefficient_excludes_0_where_its_p_is_significant(n: int) -> None:
    generator = np.random.default_rng(n)
    for confidence in (90.0, 95.0, 99.0):
        edge = stats.t.ppf(0.5 + confidence / 200, n - 2)
        for r in (*np.linspace(-0.94, 0.94, 9), *(edge / np.sqrt(edge**2 + n - 2) * np.array([0.9999, 1.0001]))):
            x, noise = generator.standard_normal((2, n))
            x = (x - x.mean()) / x.std()
            noise = noise - noise.mean() - (noise @ x) / n * x
            z = r * x + np.sqrt(1 - r * r) * noise / noise.std()
            lower, upper = inverted_test_interval(x, z, float(r), coefficient="pearson", confidence=confidence)
            assert (stats.pearsonr(x, z).pvalue < 1 - confidence / 100) == (not lower <= 0 <= upper)
            assert lower < r < upper


def test_p_of_fishers_interval_is_that_of_its_distribution() -> None:
    for coefficient in ("pearson", "spearman", "kendall"):
        for value in (-0.6, 0.05, 0.4):
            p = fisher_p(value, 20, coefficient=coefficient)
            at_p: dict[str, Any] = {"coefficient": coefficient, "confidence": 100 * (1 - p), "sides": "two"}
            assert np.abs(fisher_interval(value, 20, **at_p)).min() == pytest.approx(0, abs=1e-9)
    assert np.isnan(fisher_p(1.0, 20))


@pytest.mark.parametrize("resamples", [40, 199, 2000])
def test_p_of_a_bootstrap_is_significant_where_the_percentiles_exclude_0(resamples: int) -> None:
    generator = np.random.default_rng(resamples)
    for shift in np.linspace(-3, 3, 61):
        samples = np.round(generator.standard_normal(resamples) + shift, int(generator.integers(1, 5)))
        for confidence in (90.0, 93.7):
            lower, upper = percentile_interval(samples, confidence=confidence)
            assert (bootstrap_p(samples) < 1 - confidence / 100) == (not lower <= 0 <= upper)


def test_a_level_that_so_few_samples_can_not_show_has_no_interval() -> None:
    samples = np.linspace(0.1, 0.9, 39)
    assert bootstrap_p(samples) == pytest.approx(0.05)
    assert np.isnan(percentile_interval(samples)).all()
    assert np.isfinite(percentile_interval(samples, confidence=90)).all()


def test_critical_values_are_those_of_printed_tables() -> None:
    """Spearman: Zar (1984), Table B.20, two-sided .05; Kendall: the exact tables of Kendall (1970)."""
    spearman = {5: 1.0, 6: 0.886, 7: 0.786, 8: 0.738, 9: 0.700}
    kendall = {5: 1.0, 6: 0.867, 7: 0.714, 8: 0.643, 9: 0.556, 10: 0.511, 20: 0.326}
    for coefficient, table in (("spearman", spearman), ("kendall", kendall)):
        for n, first_significant in table.items():
            items = np.arange(float(n))
            critical = critical_correlation(items, items, coefficient=coefficient, level=0.05)  # type: ignore[arg-type]
            assert critical < first_significant + 0.0005
            assert critical > first_significant - 4 / (n * (n - 1))  # the next lower τ that is possible
    four = np.arange(4.0)
    assert np.isnan(critical_correlation(four, four, coefficient="kendall", level=0.05))


def test_a_value_lies_far_out_by_the_median_of_the_distances() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 30.0])
    robust = 1.4826 * stats.median_abs_deviation(values)
    assert far_out(values).tolist() == (np.abs(values - np.median(values)) > 3.5 * robust).tolist()
    assert far_out(values).tolist() == [False] * 5 + [True]
    assert far_out(np.array([1.0] * 9 + [2.0])).tolist() == [False] * 9 + [True]
    assert not far_out(np.ones(4)).any()
    assert not far_out(np.zeros(0)).any()
