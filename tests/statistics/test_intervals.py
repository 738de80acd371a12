"""Intervals and the two-way fit, against statsmodels and against theory."""

import numpy as np
import pandas
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.statistics import bootstrap_intervals, fit_two_way, resampled_topics, t_intervals


def two_way(rows: int, columns: int, *, missing: float = 0.0, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    values = (
        generator.normal(size=(rows, 1)) + generator.normal(size=(1, columns)) + generator.normal(size=(rows, columns))
    )
    values[generator.random(values.shape) < missing] = np.nan
    return np.asarray(values)


@pytest.mark.parametrize("missing", [0.0, 0.2, 0.5])
def test_the_residual_variance_is_that_of_statsmodels(missing: float) -> None:
    values = two_way(6, 9, missing=missing, seed=4)
    row, column = np.nonzero(~np.isnan(values))
    frame = pandas.DataFrame({"y": values[row, column], "row": row, "column": column})
    expected = smf.ols("y ~ C(row) + C(column)", frame).fit()  # statsmodels' own least squares
    fit = fit_two_way(values)
    assert fit is not None
    assert fit.degrees_of_freedom == expected.df_resid
    assert fit.mean_square == pytest.approx(expected.mse_resid, rel=1e-9)


def test_two_separate_pieces_share_no_effect() -> None:
    values = np.full((4, 4), np.nan)
    values[:2, :2] = [[1.0, 2.0], [3.0, 5.0]]
    values[2:, 2:] = [[10.0, 20.0], [30.0, 41.0]]
    fit = fit_two_way(values)
    assert fit is not None
    assert fit.degrees_of_freedom == 2  # one in each 2 × 2 piece
    assert fit.mean_square == pytest.approx((0.25 + 0.25) / 2)  # interactions ½ and ½: residuals ±¼, four each


@pytest.mark.parametrize("values", [np.array([[1.0, 2.0]]), np.array([[1.0], [2.0]]), np.full((3, 3), np.nan)])
def test_without_a_degree_of_freedom_there_is_no_fit(values: np.ndarray) -> None:
    assert fit_two_way(values) is None


def test_a_single_summarizer_gets_the_ordinary_t_interval() -> None:
    values = np.array([[1.0, 4.0, 2.0, 8.0, np.nan]])
    lower, upper = t_intervals(values, confidence=90)
    expected = stats.t.interval(0.9, 3, loc=3.75, scale=stats.sem([1.0, 4.0, 2.0, 8.0]))
    assert (lower[0], upper[0]) == pytest.approx(expected)


def test_t_intervals_cover_the_true_means_as_often_as_they_say() -> None:
    truth = np.array([0.0, 1.0, 2.0])
    covered = 0
    for seed in range(400):
        generator = np.random.default_rng(seed)
        values = truth[:, None] + generator.normal(size=(3, 8))
        lower, upper = t_intervals(values, confidence=95)
        covered += int(((lower <= truth) & (truth <= upper)).sum())
    assert abs(covered / 1200 - 0.95) < 4 * (0.95 * 0.05 / 1200) ** 0.5


@given(st.integers(1, 20), st.integers(1, 30), st.integers(0, 5))
def test_a_resample_has_as_many_topics_as_the_sample(topics: int, resamples: int, seed: int) -> None:
    weights = resampled_topics(topics, resamples=resamples, seed=seed)
    assert weights.shape == (resamples, topics)
    assert (weights.sum(axis=1) == topics).all()


def test_the_bootstrap_is_seeded_and_contains_the_mean() -> None:
    values = two_way(4, 30)
    first = bootstrap_intervals(values, confidence=95, resamples=500, seed=1)
    again = bootstrap_intervals(values, confidence=95, resamples=500, seed=1)
    assert np.array_equal(first, again)
    assert (first[0] < values.mean(axis=1)).all()
    assert (values.mean(axis=1) < first[1]).all()
