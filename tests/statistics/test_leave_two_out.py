"""Leaving two groups out, against gathering each training set and fitting it with numpy's least squares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.errors import UsageError
from pyramidion.statistics.leave_two_out import LeaveTwoOut, predict_leaving_two_out

FEATURES = 10


def naive(features: np.ndarray, target: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The same by its definition: one least-squares fit for each row."""
    usable = np.isfinite(features).all(axis=1)
    known = features[usable]
    spread = known.std(axis=0)
    spread[spread == 0] = 1
    design = np.full((len(features), features.shape[1] + 1), np.nan)
    design[usable] = np.column_stack([np.ones(len(known)), (known - known.mean(axis=0)) / spread])
    predictions = np.full(len(features), np.nan)
    for row in np.nonzero(usable)[0]:
        others = usable & np.isfinite(target) & (first != first[row]) & (second != second[row])
        if others.any():
            solved, *_ = np.linalg.lstsq(design[others], target[others], rcond=None)
            predictions[row] = design[row] @ solved
    return predictions


def grid(topics: int, systems: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    topic, system = (axis.ravel() for axis in np.indices((topics, systems)))
    features = generator.normal(size=(topics * systems, FEATURES)) + generator.normal(size=(systems, FEATURES))[system]
    features[:, 3] = features[:, 2] * 40 - 7000  # scales differ, as those of measures do
    features[:, 4] += features[:, 3] / 40
    features[:, 9] = features[:, 0]  # a duplicated feature
    target = features[:, 0] - features[:, 5] / 2 + generator.normal(size=len(features))
    return features, target, topic, system


def assert_equal(found: LeaveTwoOut, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found.predictions, expected, rtol=1e-9, atol=1e-9)


def test_a_complete_table_with_a_duplicated_feature() -> None:
    rows = grid(8, 11)
    found = predict_leaving_two_out(*rows)
    assert_equal(found, naive(*rows))
    assert (found.rank, found.refitted) == (9, 0)


def test_missing_cells_features_and_targets() -> None:
    features, target, topic, system = grid(9, 8, seed=1)
    there = np.random.default_rng(2).random(len(target)) < 0.8
    features, target, topic, system = features[there], target[there], topic[there], system[there]
    features[::7, 2] = np.nan
    target[::5] = np.nan
    found = predict_leaving_two_out(features, target, topic, system)
    assert_equal(found, naive(features, target, topic, system))
    assert np.isnan(found.predictions).tolist() == np.isnan(features).any(axis=1).tolist()


def test_a_feature_that_only_one_system_has_leaves_its_training_sets_singular() -> None:
    features, target, topic, system = grid(6, 9, seed=3)
    features[:, 6] = np.where(system == 4, features[:, 6], 0.0)
    found = predict_leaving_two_out(features, target, topic, system)
    assert_equal(found, naive(features, target, topic, system))
    assert found.refitted == 6


def test_a_feature_that_hardly_varies_elsewhere_loses_no_digits() -> None:
    features, target, topic, system = grid(6, 9, seed=4)
    features[:, 6] = np.where(system == 4, 1.0, 1e-5) * features[:, 6]
    assert_equal(predict_leaving_two_out(features, target, topic, system), naive(features, target, topic, system))


def test_several_rows_in_a_cell_and_any_numbers_for_groups() -> None:
    features, target, topic, system = grid(12, 12, seed=5)
    rows = features, target, topic % 5 * 1000 - 3, system % 6 + 10**12
    assert_equal(predict_leaving_two_out(*rows), naive(*rows))


@settings(deadline=None)
@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 10**6))
def test_fewer_rows_than_features_take_the_least_norm(topics: int, systems: int, seed: int) -> None:
    rows = grid(topics, systems, seed)
    assert_equal(predict_leaving_two_out(*rows), naive(*rows))


def test_a_constant_feature_changes_nothing() -> None:
    features, target, topic, system = grid(5, 6, seed=6)
    constant = np.full((len(target), 1), 0.1) + np.where(system == 2, 1e-17, 0)[:, None]
    more = np.column_stack([features, constant])
    expected = predict_leaving_two_out(features, target, topic, system).predictions
    np.testing.assert_allclose(predict_leaving_two_out(more, target, topic, system).predictions, expected, rtol=1e-9)


def test_the_row_that_is_predicted_has_no_influence_on_itself() -> None:
    features, target, topic, system = grid(5, 7, seed=7)
    before = predict_leaving_two_out(features, target, topic, system).predictions
    target[(topic == 2) | (system == 3)] += 100.0
    after = predict_leaving_two_out(features, target, topic, system).predictions
    cell = (topic == 2) & (system == 3)
    assert after[cell] == pytest.approx(before[cell], rel=1e-9)
    assert not np.allclose(after[~cell], before[~cell])


def test_one_topic_or_one_system_is_refused() -> None:
    features, target, topic, system = grid(3, 3)
    with pytest.raises(UsageError, match="one first group"):
        predict_leaving_two_out(features, target, np.zeros_like(topic), system)
    with pytest.raises(UsageError, match="one second group"):
        predict_leaving_two_out(features, np.where(system == 1, target, np.nan), topic, system)
    with pytest.raises(UsageError, match="one entry for each row"):
        predict_leaving_two_out(features, target[1:], topic, system)


def test_a_row_without_any_row_to_learn_from_has_no_prediction() -> None:
    # Topic 0 has systems 0 and 1, topic 1 has system 0 alone: nothing shares neither group with (0, 0).
    rows = np.array([[1.0], [2.0], [3.0]]), np.array([1.0, 2.0, 4.0]), np.array([0, 0, 1]), np.array([0, 1, 0])
    found = predict_leaving_two_out(*rows)
    assert np.isnan(found.predictions).tolist() == [True, False, False]
    assert_equal(found, naive(*rows))
