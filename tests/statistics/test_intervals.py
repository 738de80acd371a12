"""Intervals and the two-way fit, against statsmodels and against theory."""

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from other_packages import formulas
from pyramidion.statistics import resampling
from pyramidion.statistics.intervals import bootstrap_intervals, resampled_sums, t_intervals
from pyramidion.statistics.variance import two_way_anova


def two_way(rows: int, columns: int, *, missing: float = 0.0, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    values = (
        generator.normal(size=(rows, 1)) + generator.normal(size=(1, columns)) + generator.normal(size=(rows, columns))
    )
    values[generator.random(values.shape) < missing] = np.nan
    return np.asarray(values)


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("missing", [0.0, 0.2, 0.5])
def test_the_residual_variance_is_that_of_statsmodels(missing: float) -> None:
    values = two_way(6, 9, missing=missing, seed=4)
    row, column = np.nonzero(~np.isnan(values))
    frame = pandas.DataFrame({"y": values[row, column], "row": row, "column": column})
    expected = formulas.ols("y ~ C(row) + C(column)", frame).fit()  # statsmodels' own least squares
    fit = two_way_anova(values)
    assert fit is not None
    assert fit.degrees_of_freedom == expected.df_resid
    assert fit.mean_square == pytest.approx(expected.mse_resid, rel=1e-9)


def test_two_separate_pieces_share_no_effect() -> None:
    values = np.full((4, 4), np.nan)
    values[:2, :2] = [[1.0, 2.0], [3.0, 5.0]]
    values[2:, 2:] = [[10.0, 20.0], [30.0, 41.0]]
    fit = two_way_anova(values)
    assert fit is not None
    assert fit.degrees_of_freedom == 2  # one in each 2 × 2 piece
    assert fit.mean_square == pytest.approx((0.25 + 0.25) / 2)  # interactions ½ and ½: residuals ±¼, four each


@pytest.mark.parametrize("values", [np.array([[1.0, 2.0]]), np.array([[1.0], [2.0]]), np.full((3, 3), np.nan)])
def test_without_a_degree_of_freedom_there_is_no_fit(values: np.ndarray) -> None:
    assert two_way_anova(values) is None


def test_a_single_summarizer_gets_the_ordinary_t_interval() -> None:
    values = np.array([[1.0, 4.0, 2.0, 8.0, np.nan]])
    lower, upper = t_intervals(values, two_way_anova(values), confidence=90)
    expected = stats.t.interval(0.9, 3, loc=3.75, scale=stats.sem([1.0, 4.0, 2.0, 8.0]))
    assert (lower[0], upper[0]) == pytest.approx(expected)


def test_t_intervals_cover_the_true_means_as_often_as_they_say() -> None:
    truth = np.array([0.0, 1.0, 2.0])
    covered = 0
    for seed in range(400):
        generator = np.random.default_rng(seed)
        values = truth[:, None] + generator.normal(size=(3, 8))
        lower, upper = t_intervals(values, two_way_anova(values), confidence=95)
        covered += int(((lower <= truth) & (truth <= upper)).sum())
    assert abs(covered / 1200 - 0.95) < 4 * (0.95 * 0.05 / 1200) ** 0.5


@given(st.integers(1, 20), st.integers(1, 30), st.integers(0, 5))
def test_a_resample_has_as_many_topics_as_the_sample(topics: int, resamples: int, seed: int) -> None:
    sums = resampled_sums(np.ones((topics, 2)), resamples=resamples, seed=seed)
    assert sums.shape == (resamples, 2)
    assert (sums == topics).all()


def test_bootstrap_means_of_two_topics_have_the_distribution_worked_out_by_hand() -> None:
    # of two topics 0 and 1, a resample holds (0,0), (0,1), (1,0) or (1,1): means 0, ½, ½, 1
    means = resampled_sums(np.array([[0.0], [1.0]]), resamples=40_000, seed=3)[:, 0] / 2
    for value, expected in ((0.0, 0.25), (0.5, 0.5), (1.0, 0.25)):
        assert abs((means == value).mean() - expected) < 4 * (expected * (1 - expected) / 40_000) ** 0.5


def test_the_percentile_interval_is_that_of_scipy() -> None:
    values = two_way(1, 40, seed=8)
    lower, upper = bootstrap_intervals(values, confidence=90, resamples=20_000, seed=0)
    theirs = stats.bootstrap(
        (values[0],), np.mean, confidence_level=0.9, n_resamples=20_000, method="percentile", random_state=1
    ).confidence_interval
    width = theirs.high - theirs.low
    assert lower[0] == pytest.approx(theirs.low, abs=0.02 * width)  # two streams of 20,000 resamples
    assert upper[0] == pytest.approx(theirs.high, abs=0.02 * width)


def test_missing_topics_leave_the_interval_of_the_others() -> None:
    full = two_way(1, 30, seed=2)
    holes = np.concatenate([full, np.full((1, 30), np.nan)], axis=1)
    with_holes = bootstrap_intervals(holes, confidence=90, resamples=20_000, seed=0)
    without = bootstrap_intervals(full, confidence=90, resamples=20_000, seed=0)
    width = without[1][0] - without[0][0]
    # a resample of 60 draws holds 30 of them on average, so the interval is nearly the same
    assert with_holes[0][0] == pytest.approx(without[0][0], abs=0.1 * width)
    assert with_holes[1][0] == pytest.approx(without[1][0], abs=0.1 * width)


def test_blocks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    items = two_way(50, 2)
    whole = resampled_sums(items, resamples=100, seed=5)
    monkeypatch.setattr(resampling, "LARGE_BLOCK", 333)
    assert np.allclose(resampled_sums(items, resamples=100, seed=5), whole, rtol=1e-12)


def test_a_sparse_table_is_fitted_as_least_squares_fits_it() -> None:
    size = 60
    values = np.full((size, size), np.nan)
    generator = np.random.default_rng(0)
    for shift in (0, 1, 2):  # three cells in each row and column
        values[np.arange(size), (np.arange(size) + shift) % size] = generator.normal(size=size)
    rows, columns = np.nonzero(~np.isnan(values))
    cells = values[rows, columns]
    design = np.concatenate([np.eye(size)[rows], np.eye(size)[columns]], axis=1)
    effects, _, rank, _ = np.linalg.lstsq(design, cells, rcond=None)
    fit = two_way_anova(values)
    assert fit is not None
    assert fit.degrees_of_freedom == len(cells) - int(rank)
    assert fit.mean_square == pytest.approx(((cells - design @ effects) ** 2).sum() / (len(cells) - int(rank)))


def test_the_bootstrap_is_seeded_and_contains_the_mean() -> None:
    values = two_way(4, 30)
    first = bootstrap_intervals(values, confidence=95, resamples=500, seed=1)
    again = bootstrap_intervals(values, confidence=95, resamples=500, seed=1)
    assert np.array_equal(first, again)
    assert (first[0] < values.mean(axis=1)).all()
    assert (values.mean(axis=1) < first[1]).all()


def test_a_single_row_has_the_interval_of_its_own_variance() -> None:
    values = np.array([[0.2, 0.4, np.nan, 0.9, 0.5]])
    lower, upper = t_intervals(values, two_way_anova(values), confidence=95)
    scores = values[0][~np.isnan(values[0])]
    expected = stats.t.interval(0.95, 3, loc=scores.mean(), scale=stats.sem(scores))
    assert (lower[0], upper[0]) == pytest.approx(expected)
