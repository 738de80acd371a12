"""Pairwise accuracy: the golden values, worked examples, and what must hold.

mt_metrics_eval.json has values by the program of WMT's metrics tasks, and says how they were computed.
"""

import json
from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from meta_golden import FOLDER, SETS, expected, matrices
from pyramidion.statistics.correlation import accuracy
from pyramidion.statistics.correlation.accuracy import (
    calibrated_accuracy,
    cross_calibrated_accuracy,
    soft_accuracy,
    system_accuracy,
    topic_accuracy,
)
from pyramidion.statistics.correlation.accuracy_tests import TestedAccuracy, accuracy_test

Floats = npt.NDArray[np.float64]
WMT = json.loads((FOLDER / "mt_metrics_eval.json").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("name", WMT["cases"])
def test_ties_as_in_wmt_give_the_values_of_wmt(name: str) -> None:
    case = WMT["cases"][name]
    x, z = np.array(case["measure"], dtype=np.float64), np.array(case["human"], dtype=np.float64)
    plain = system_accuracy(x, z, ties="wmt")
    assert plain.n == case["pairs"]
    assert plain.value == pytest.approx(case["agreements"] / case["pairs"])
    # Both draw signs at random: 20,000 and 200,000 times.
    assert soft_accuracy(x, z, ties="wmt", resamples=20_000).value == pytest.approx(case["soft"], abs=0.004)
    assert topic_accuracy(x, z).value == pytest.approx(case["ties"])
    calibrated = calibrated_accuracy(x, z)
    assert (calibrated.value, calibrated.epsilon) == pytest.approx((case["calibrated"], case["epsilon"]))


@pytest.mark.parametrize("question", WMT["summeval"])
def test_on_summeval_ties_as_in_wmt_give_the_values_of_wmt(question: str) -> None:
    scores, wmt = matrices("summeval"), WMT["summeval"][question]
    x, z = scores["ROUGE-2-F"], scores[question]
    assert system_accuracy(x, z, ties="wmt").value == pytest.approx(wmt["agreements"] / wmt["pairs"])
    assert soft_accuracy(x, z, ties="wmt", resamples=5_000).value == pytest.approx(wmt["soft"], abs=0.004)
    calibrated = calibrated_accuracy(x, z)
    assert (calibrated.value, calibrated.epsilon) == pytest.approx((wmt["calibrated"], wmt["epsilon"]), abs=1e-6)


def test_the_test_of_plain_accuracy_is_that_of_wmt() -> None:
    case = WMT["tests"]["nine systems"]
    z, x, y = (np.array(case[name], dtype=np.float64) for name in ("human", "first", "second"))
    found = accuracy_test(x, y, z, kind="plain", ties="wmt", resamples=9_999)
    assert found.difference == pytest.approx(-case["difference"])
    # WMT's p is that of one side; exchanging all summarizers turns the difference round.
    assert found.p == pytest.approx(2 * case["p_second_is_better"], abs=0.008)


def accuracy_value(kind: TestedAccuracy, x: Floats, z: Floats) -> float:
    of_kind = {"plain": system_accuracy, "ties": topic_accuracy, "soft": soft_accuracy}[kind]
    return of_kind(x, z).value  # type: ignore[operator, no-any-return]


@pytest.mark.parametrize("kind", ["plain", "ties", "soft"])
def test_the_test_counts_what_exchanged_summarizers_give(kind: TestedAccuracy) -> None:
    generator = np.random.default_rng(5)
    z = np.round(3 + generator.standard_normal((5, 7)))
    x, y = z + generator.standard_normal((5, 7)), z + 2 * generator.standard_normal((5, 7))
    first, second = ((scores - scores.mean()) / scores.std() for scores in (x, y))
    differences = []
    for exchanged in product([False, True], repeat=5):
        rows = np.array(exchanged)[:, None]
        of_first = accuracy_value(kind, np.where(rows, second, first), z)
        differences.append(of_first - accuracy_value(kind, np.where(rows, first, second), z))
    share = float(np.mean(np.abs(differences) >= abs(differences[0]) - 1e-9))
    found = accuracy_test(x, y, z, kind=kind, resamples=1_000)
    assert found.difference == pytest.approx(differences[0])
    assert found.p == pytest.approx(share, abs=0.05)
    by_topics = accuracy_test(x, y, z, kind=kind, resampled="both", resamples=20)
    assert by_topics.difference == pytest.approx(differences[0], abs=0.02 if kind == "soft" else 1e-9)
    assert 0 < by_topics.p <= 1


def test_an_epsilon_from_other_topics_gains_less_than_one_from_the_same() -> None:
    scores = matrices("summeval")
    x, z = scores["ROUGE-L-F"][:, :12], scores["consistency"][:, :12]
    held_out = cross_calibrated_accuracy(x, z)
    by_hand = []
    for topic in range(x.shape[1]):
        others = np.arange(x.shape[1]) != topic
        epsilon = calibrated_accuracy(x[:, others], z[:, others]).epsilon
        by_hand.append(with_epsilon(x[:, [topic]], z[:, [topic]], epsilon))
    assert held_out.value == pytest.approx(np.mean(by_hand))
    assert topic_accuracy(x, z).value < held_out.value <= calibrated_accuracy(x, z).value


def test_intervals_are_those_of_the_jackknife_over_systems() -> None:
    scores = matrices("summeval")
    x, z = scores["ROUGE-L-F"], scores["relevance"]
    full = system_accuracy(x, z)
    without = [system_accuracy(np.delete(x, row, 0), np.delete(z, row, 0)).value for row in range(len(x))]
    error = np.sqrt((len(x) - 1) * np.var(without))
    assert full.error == pytest.approx(error)
    lower, upper = full.limits(confidence=95)
    assert 0.5 < lower < full.value < upper < 1
    assert full.limits(sides="one")[0] > lower
    half = 2.131450 * error / (full.value * (1 - full.value))  # R: qt(.975, 15)
    assert np.log(upper / (1 - upper)) - np.log(full.value / (1 - full.value)) == pytest.approx(half, rel=1e-6)


def test_a_share_of_one_has_no_interval() -> None:
    x = matrices("realsumm")["litepyramid_recall"]
    assert np.isnan(system_accuracy(x, x).limits()).all()


@pytest.mark.parametrize(
    "accuracy", [system_accuracy, topic_accuracy, calibrated_accuracy, cross_calibrated_accuracy, soft_accuracy]
)
def test_without_a_pair_there_is_no_accuracy(accuracy: object) -> None:
    assert callable(accuracy)
    found = accuracy(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]]))
    assert np.isnan(found.value)
    assert found.n == 0
