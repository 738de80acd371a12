"""Pairwise accuracy: the golden values, worked examples, and what must hold."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from meta_golden import SETS, expected, matrices
from pyramidion.statistics.correlation import accuracy
from pyramidion.statistics.correlation.accuracy import (
    calibrated_accuracy,
    soft_accuracy,
    system_accuracy,
    topic_accuracy,
)

Floats = npt.NDArray[np.float64]


@pytest.mark.parametrize("name", SETS)
def test_every_golden_accuracy_comes_out(name: str) -> None:
    values = matrices(name)
    for human, measures in expected(name, "pairwise_accuracy").items():
        for measure, wanted in measures.items():
            system = system_accuracy(values[measure], values[human])
            assert system.value == pytest.approx(wanted["system"], abs=1e-6)
            assert system.n == wanted["n_system_pairs"]
            topic = topic_accuracy(values[measure], values[human])
            assert topic.value == pytest.approx(wanted["topic_accuracy_with_ties"], abs=1e-6)


CELLS = st.one_of(st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.0]), st.just(np.nan))
PAIRS = st.tuples(st.integers(1, 5), st.integers(1, 4)).flatmap(
    lambda shape: st.tuples(arrays(np.float64, shape, elements=CELLS), arrays(np.float64, shape, elements=CELLS))
)


def with_epsilon(x: Floats, z: Floats, epsilon: float) -> float:
    """The definition, pair by pair (Deutsch, Foster & Freitag 2023, acc-eq grouped by item)."""
    shares = []
    for topic in range(x.shape[1]):
        has = [row for row in range(len(x)) if not np.isnan(x[row, topic] + z[row, topic])]
        pairs = list(combinations(has, 2))
        if pairs:
            right = 0
            for one, other in pairs:
                by_x, by_z = x[one, topic] - x[other, topic], z[one, topic] - z[other, topic]
                order = 0 if abs(by_x) <= epsilon + 1e-9 else np.sign(by_x)
                right += order == np.sign(by_z)
            shares.append(right / len(pairs))
    return float(np.mean(shares)) if shares else np.nan


@given(PAIRS)
def test_the_calibrated_threshold_is_the_best_of_all(pair: tuple[Floats, Floats]) -> None:
    x, z = pair
    found = calibrated_accuracy(x, z)
    candidates = [0.0, *(abs(one - other) for one, other in combinations(x[~np.isnan(x)], 2))]
    wanted = [with_epsilon(x, z, epsilon) for epsilon in candidates]
    assert found.value == pytest.approx(max(wanted), nan_ok=True)
    assert topic_accuracy(x, z, epsilon=found.epsilon).value == pytest.approx(found.value, nan_ok=True)
    assert topic_accuracy(x, z).value == pytest.approx(wanted[0], nan_ok=True)


def test_a_measure_finer_than_the_judgments_gains_by_calibration() -> None:
    z = np.array([[1.0], [1.0], [5.0], [5.0]])
    x = np.array([[0.10], [0.11], [0.90], [0.95]])
    assert topic_accuracy(x, z).value == pytest.approx(4 / 6)  # the two pairs that people tie are told apart
    found = calibrated_accuracy(x, z)
    assert found.value == 1.0
    assert found.epsilon == pytest.approx(0.05)


def test_a_tie_of_the_measure_alone_is_wrong_and_one_of_people_does_not_count() -> None:
    z = np.array([[1.0], [1.0], [2.0], [3.0]])
    x = np.array([[1.0], [2.0], [2.0], [3.0]])
    found = system_accuracy(x, z)
    assert (found.n, found.undefined) == (5, 1)
    assert found.value == pytest.approx(4 / 5)


def test_a_measure_agrees_with_itself_and_not_with_its_mirror() -> None:
    x = matrices("realsumm")["litepyramid_recall"]
    assert system_accuracy(x, x).value == soft_accuracy(x, x).value == topic_accuracy(x, x).value == 1.0
    assert system_accuracy(-x, x).value == 0.0
    assert soft_accuracy(-x, x).value < 0.4


def test_soft_accuracy_is_one_less_the_mean_difference_of_p() -> None:
    values = matrices("summeval")
    x, z = values["ROUGE-L-F"][:5], values["relevance"][:5]
    signs = np.where(np.random.default_rng(7).random((500, 50)) > 0.5, 1, -1)
    differences = []
    for one, other in combinations(range(5), 2):
        p = []
        for scores in (x, z):
            own = scores[one] - scores[other]
            null = signs @ own
            equal = np.abs(null - own.sum()) < 1e-9
            p.append(((null > own.sum()) & ~equal).mean() + equal.mean() / 2)
        differences.append(abs(p[0] - p[1]))
    found = soft_accuracy(x, z, resamples=500, seed=7)
    assert found.value == pytest.approx(1 - np.mean(differences), abs=1e-12)
    assert found.n == 10


def test_soft_accuracy_does_not_depend_on_order_blocks_or_equal_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    x, z = matrices("summeval")["ROUGE-L-F"][:4].copy(), matrices("summeval")["relevance"][:4].copy()
    x[3], z[3] = x[0], z[0]  # the same system twice
    x[1, 5] = np.nan
    plain = soft_accuracy(x, z, resamples=300, seed=1)
    turned = soft_accuracy(x[::-1], z[::-1], resamples=300, seed=1)
    assert turned.value == pytest.approx(plain.value, abs=1e-12)
    monkeypatch.setattr(accuracy, "BLOCK_CELLS", 700)
    assert soft_accuracy(x, z, resamples=300, seed=1) == plain


@pytest.mark.parametrize("accuracy", [system_accuracy, topic_accuracy, calibrated_accuracy, soft_accuracy])
def test_without_a_pair_there_is_no_accuracy(accuracy: object) -> None:
    assert callable(accuracy)
    found = accuracy(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]]))
    assert np.isnan(found.value)
    assert found.n == 0
