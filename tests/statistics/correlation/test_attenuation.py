"""Where correlations lead beyond the data; truth comes from the model of the simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.statistics.correlation.attenuation import (
    attenuation,
    correlation_by_components,
    jackknife_variance,
    jackknifed_components,
    resampled_correlations,
)


@given(st.floats(0.1, 1), st.floats(0, 5), st.sampled_from([1.0, -1.0]))
def test_attenuation_finds_the_curve_that_it_assumes(limit: float, noise: float, sign: float) -> None:
    sizes = np.array([1.0, 2, 3, 4])
    found = sign * limit * np.sqrt(sizes / (sizes + noise))
    wanted = np.array([4.0, 8, np.inf])
    expected = sign * limit * np.sqrt(np.array([4 / (4 + noise), 8 / (8 + noise), 1.0]))
    np.testing.assert_allclose(attenuation(sizes, found[None], wanted)[0], expected, rtol=1e-6)


def test_attenuation_is_undefined_where_correlations_change_their_sign() -> None:
    assert np.isnan(attenuation(np.array([1.0, 2]), np.array([[0.1, -0.1]]), np.array([4.0]))).all()


def test_with_as_many_topics_as_there_are_the_correlation_is_the_one_found() -> None:
    random = np.random.default_rng(1)
    quality = random.normal(size=(12, 1))
    x, z = (quality + random.normal(size=(12, 9)) + random.normal(size=(1, 9)) for _ in range(2))
    expected = np.corrcoef(x.mean(axis=1), z.mean(axis=1))[0, 1]
    assert correlation_by_components(x, z, np.array([9.0]))[0, 0] == pytest.approx(expected, abs=1e-12)


def test_components_extrapolate_to_what_the_model_of_the_data_says() -> None:
    """Scores = quality + noise: r(t) = ρ·1/√((1 + σ²/t)(1 + τ²/t)) with quality of variance 1; 400 repetitions."""
    random = np.random.default_rng(2)
    wanted = np.array([10.0, 40.0, np.inf])
    found = []
    for _ in range(400):
        both = random.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], size=40)
        x = both[:, :1] + 2.0 * random.normal(size=(40, 10))
        z = both[:, 1:] + 1.0 * random.normal(size=(40, 10))
        found.append(correlation_by_components(x, z, wanted)[0])
    truth = 0.8 / np.sqrt((1 + 4 / wanted) * (1 + 1 / wanted))
    error = np.nanstd(found, axis=0) / np.sqrt(400)
    # a correlation of 40 summarizers is biased towards 0 by about r(1 − r²)/2n
    bias = truth * (1 - truth**2) / (2 * 40)
    assert (np.abs(np.nanmean(found, axis=0) + bias - truth) < 4 * error).all()


def test_weights_are_draws_of_summarizers_for_the_components_too() -> None:
    random = np.random.default_rng(3)
    x, z = random.normal(size=(2, 7, 5))
    drawn = np.array([0, 0, 2, 3, 3, 3, 6])
    wanted = np.array([3.0, 12.0])
    expected = correlation_by_components(x[drawn], z[drawn], wanted)
    weights = np.bincount(drawn, minlength=7).astype(float)[None]
    np.testing.assert_allclose(correlation_by_components(x, z, wanted, weights), expected, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_a_resampled_correlation_does_not_depend_on_the_scale(scale: float) -> None:
    random = np.random.default_rng(5)
    values, reference = random.random((2, 8)), random.random(8)
    drawn = np.array([0, 0, 3, 4, 5, 6, 6, 7])
    weights = np.bincount(drawn, minlength=8).astype(float)[None]
    found = resampled_correlations(values * scale, reference * scale, weights)[:, 0]
    expected = [np.corrcoef(row[drawn], reference[drawn])[0, 1] for row in values]
    np.testing.assert_allclose(found, expected, atol=1e-9)


@given(
    arrays(np.float64, (3, 6), elements=st.integers(-5, 5).map(float)),
    arrays(np.float64, 6, elements=st.integers(-5, 5).map(float)),
    st.lists(st.integers(0, 5), min_size=4, max_size=6),
)
@settings(deadline=None)
def test_weights_stand_for_drawing_a_summarizer_several_times(
    values: np.ndarray, reference: np.ndarray, drawn: list[int]
) -> None:
    weights = np.bincount(drawn, minlength=6).astype(float)[None]
    found = resampled_correlations(values, reference, weights)[:, 0]
    for row, correlation in zip(values, found, strict=True):
        x, z = row[drawn], reference[drawn]
        if np.ptp(x) and np.ptp(z):
            assert correlation == pytest.approx(np.corrcoef(x, z)[0, 1], abs=1e-9)
        else:
            assert np.isnan(correlation)


def test_jackknife_estimates_leave_out_one_summarizer_or_one_topic() -> None:
    random = np.random.default_rng(4)
    x, z = random.normal(size=(2, 6, 5))
    wanted = np.array([10.0])
    summarizers, topics = jackknifed_components(x, z, wanted)
    for left_out in range(6):
        kept = [one for one in range(6) if one != left_out]
        expected = correlation_by_components(x[kept], z[kept], wanted)[0]
        np.testing.assert_allclose(summarizers[left_out], expected, atol=1e-12)
    for left_out in range(5):
        kept = [one for one in range(5) if one != left_out]
        expected = correlation_by_components(x[:, kept], z[:, kept], wanted)[0]
        np.testing.assert_allclose(topics[left_out], expected, atol=1e-12)


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    """For the mean the jackknife gives s²/n exactly (Efron & Tibshirani 1993, §11.2)."""
    values = np.random.default_rng(5).normal(size=12)
    means = np.array([np.delete(values, one).mean() for one in range(12)])
    assert jackknife_variance(means[:, None])[0] == pytest.approx(values.var(ddof=1) / 12)


@pytest.mark.slow
def test_intervals_of_what_is_extrapolated_cover_the_truth_about_as_often_as_they_say() -> None:
    """200 simulated evaluations of 58 summarizers on 48 topics; twice the topics, and the limit."""
    random = np.random.default_rng(6)
    wanted = np.array([96.0, np.inf])
    truth = 0.9 / np.sqrt((1 + 9 / wanted) * (1 + 9 / wanted))
    covered = np.zeros(2)
    for _ in range(200):
        both = random.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], size=58)
        x, z = (both[:, [side]] + 3 * random.normal(size=(58, 48)) for side in (0, 1))
        (value,) = correlation_by_components(x, z, wanted)
        error = np.sqrt(sum(map(jackknife_variance, jackknifed_components(x, z, wanted))))
        covered += np.abs(value - truth) <= 1.96 * error
    assert (covered / 200 > 0.93).all()  # the two jackknives count one part twice: rather too wide
