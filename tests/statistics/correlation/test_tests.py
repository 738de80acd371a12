"""Tests between two measures: the golden ones, and every permutation test beside one that is written out with scipy."""

import warnings
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from meta_golden import SETS, expected, matrices
from pyramidion.options import Coefficient, Level, Resampled
from pyramidion.statistics.correlation import draws, signed, topics, weights
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.correlation.levels import correlate_levels
from pyramidion.statistics.correlation.tests import permutation_test, williams_test
from pyramidion.statistics.values import mean_of_defined

Floats = npt.NDArray[np.float64]
SCIPY: dict[str, Any] = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("name", SETS)
def test_every_golden_permutation_test_comes_out_to_the_last_count(name: str) -> None:
    values, golden = matrices(name), expected(name, "perm_both")
    assert len(golden["values"]) == 8
    for key, wanted in golden["values"].items():
        measures, human, which = key.split("|")
        first, second = measures.split(" vs ")
        level, coefficient = which.split("_")
        found = permutation_test(
            values[first],
            values[second],
            values[human],
            level=level,
            coefficient=coefficient,
            resampled="both",
            resamples=wanted["B"],
            seed=golden["seed"],
        )
        assert found.difference == pytest.approx(wanted["difference"], abs=1e-5), key
        assert found.count == wanted["count"], key
        assert found.p == pytest.approx(wanted["p"], abs=5e-5)


@pytest.mark.parametrize("name", SETS)
def test_every_golden_williams_test_comes_out(name: str) -> None:
    values = matrices(name)

    def r(one: str, other: str) -> float:
        return correlate_levels(values[one], values[other], level="system", coefficient="pearson").value

    for key, wanted in expected(name, "williams_system").items():
        measures, human = key.split("|")
        first, second = measures.split(" vs ")
        found = williams_test(r(first, human), r(second, human), r(first, second), len(values[human]))
        assert found.t == pytest.approx(wanted["t"], abs=1e-4)
        assert found.p == pytest.approx(wanted["p_two_sided"], abs=1e-4)


def three(seed: int = 5, *, holes: float = 0.1) -> tuple[Floats, Floats, Floats]:
    generator = np.random.default_rng(seed)
    x, y, z = np.round(generator.random((3, 6, 5)), 1)
    z[:, 1] = 0.5  # no topic must be left that is defined by chance
    y[:, 3] = 0.2
    for values in (x, y, z):
        values[generator.random(values.shape) < holes] = np.nan
    return x, y, z


def written_out(
    x: Floats, y: Floats, z: Floats, level: Level, coefficient: Coefficient, resampled: Resampled, seed: int
) -> tuple[float, int, int]:
    """The definition: cells that all have, standardised; a loop over 80 permutations, scipy's coefficients."""

    def one(first: Floats, second: Floats) -> float:
        both = ~(np.isnan(first) | np.isnan(second))
        first, second = np.round(first[both], 9), np.round(second[both], 9)
        if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
            return np.nan
        return float(SCIPY[coefficient](first, second).statistic)

    def correlation(first: Floats, second: Floats) -> float:
        if level == "system":
            return one(np.nanmean(first, axis=1), np.nanmean(second, axis=1))
        if level == "global":
            return one(first.ravel(), second.ravel())
        return float(np.nanmean([one(first[:, topic], second[:, topic]) for topic in range(first.shape[1])]))

    missing = np.isnan(x + y + z)
    x, y, z = (np.where(missing, np.nan, values) for values in (x, y, z))
    x, y, z = ((values - np.nanmean(values)) / np.nanstd(values) for values in (x, y, z))
    observed = correlation(x, z) - correlation(y, z)
    generator = np.random.default_rng(seed)
    count = defined = 0
    for _ in range(80):
        rows, columns = np.zeros(len(x), dtype=np.bool_), np.zeros(x.shape[1], dtype=np.bool_)
        if resampled != "topics":
            rows = np.asarray(generator.random(len(x)) > 0.5)
        if resampled != "systems":
            columns = np.asarray(generator.random(x.shape[1]) > 0.5)
        swap = rows[:, None] ^ columns[None, :]
        difference = correlation(np.where(swap, y, x), z) - correlation(np.where(swap, x, y), z)
        defined += not np.isnan(difference)
        count += abs(difference) >= abs(observed) - 1e-9
    return observed, count, defined


@pytest.mark.parametrize("resampled", get_args(Resampled))
@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_the_permutation_test_is_the_loop_that_defines_it(
    level: Level, coefficient: Coefficient, resampled: Resampled
) -> None:
    x, y, z = three()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # topics without a value
        observed, count, defined = written_out(x, y, z, level, coefficient, resampled, seed=4)
    found = permutation_test(x, y, z, level=level, coefficient=coefficient, resampled=resampled, resamples=80, seed=4)
    assert found.difference == pytest.approx(observed, abs=1e-8)
    assert (found.count, found.permutations, found.undefined) == (count, defined, 80 - defined)
    assert found.p == (count + 1) / (defined + 1)
    assert found.n == int((~np.isnan(x + y + z)).sum())


@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_neither_blocks_nor_many_items_change_the_count(
    level: Level, coefficient: Coefficient, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y, z = three(9)
    whole = permutation_test(x, y, z, level=level, coefficient=coefficient, resampled="both", resamples=70, seed=2)
    monkeypatch.setattr(draws, "BLOCK_CELLS", 90)
    monkeypatch.setattr(weights, "_SIGN_CELLS", 20)
    done: list[int] = []
    parts = permutation_test(
        x, y, z, level=level, coefficient=coefficient, resampled="both", resamples=70, seed=2, progress=done.append
    )
    assert sum(done) == 70
    assert parts == whole
    monkeypatch.setattr(weights, "MANY_ITEMS", 3)
    assert (
        permutation_test(x, y, z, level=level, coefficient=coefficient, resampled="both", resamples=70, seed=2).count
        == whole.count
    )


@pytest.mark.parametrize("cells", [8, 100_000])
@pytest.mark.parametrize("coefficient", get_args(Coefficient))
@given(
    scores=arrays(np.float64, (3, 6, 5), elements=st.sampled_from([0.0, 0.25, 1.0, 1.5, 2.75, 7.0, np.nan])),
    exact=st.booleans(),
    seed=st.integers(0, 100),
)
def test_all_topics_at_once_are_the_mean_of_topic_after_topic(
    cells: int, coefficient: Coefficient, scores: Floats, exact: bool, seed: int
) -> None:
    generator = np.random.default_rng(seed)
    x, y, z = np.where(np.isnan(scores).any(axis=0), np.nan, scores)
    if not exact:  # no ties
        x, y = x + generator.random(x.shape) / 9, y + generator.random(y.shape) / 9
    exchanges = generator.random((20, 6)) > 0.5
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(topics, "BLOCK_CELLS", cells)
        patch.setattr(signed, "BLOCK_CELLS", cells)
        found = topics.ExchangedTopics(x, y, z).correlations(exchanges, coefficient=coefficient)
    by_topic = []
    for topic in range(z.shape[1]):
        one, two, third = (np.tile(values[:, topic], (20, 1)) for values in (x, y, z))
        exchanged = np.where(exchanges, two, one), np.where(exchanges, one, two)
        by_topic.append([row_correlations(values, third, coefficient=coefficient) for values in exchanged])
    np.testing.assert_allclose(np.array(found), mean_of_defined(np.moveaxis(np.array(by_topic), 0, -1)), atol=1e-10)


@pytest.mark.parametrize("level", get_args(Level))
@pytest.mark.parametrize("coefficient", get_args(Coefficient))
def test_exchanging_everything_or_nothing_is_as_extreme_as_what_was_observed(
    level: Level, coefficient: Coefficient
) -> None:
    x, y, z = (values[:, :1] for values in three(1, holes=0))
    found = permutation_test(x, y, z, level=level, coefficient=coefficient, resampled="topics", resamples=50, seed=0)
    assert found.count == 50  # one topic: all scores change places, or none


@pytest.mark.parametrize("level", get_args(Level))
def test_the_order_of_two_measures_turns_the_difference_and_leaves_p(level: Level) -> None:
    x, y, z = three(2)
    one = permutation_test(x, y, z, level=level, coefficient="kendall", resamples=99, seed=3)
    other = permutation_test(y, x, z, level=level, coefficient="kendall", resamples=99, seed=3)
    assert other.difference == pytest.approx(-one.difference, abs=1e-12)
    assert other.p == one.p


def test_under_the_null_p_is_small_no_oftener_than_it_says() -> None:
    generator = np.random.default_rng(0)
    small = 0
    for _ in range(200):
        z = generator.normal(size=(12, 1)) + generator.normal(size=(12, 8))
        x, y = z + 2 * generator.normal(size=(2, 12, 8))
        small += permutation_test(x, y, z, level="topic", coefficient="pearson", resamples=199, seed=1).p <= 0.05
    assert small <= 20  # 10 expected, standard deviation 3


@pytest.mark.parametrize("level", get_args(Level))
def test_a_constant_measure_can_not_be_tested(level: Level) -> None:
    x, y, z = three(3)
    found = permutation_test(x, np.ones_like(y), z, level=level, coefficient="spearman", resamples=20)
    assert np.isnan([found.difference, found.p]).all()
    nothing = permutation_test(x, y, np.full_like(z, np.nan), level=level, coefficient="spearman", resamples=20)
    assert np.isnan([nothing.difference, nothing.p]).all()
    assert nothing.n == 0


def test_williams_test_at_its_edges() -> None:
    assert (williams_test(0.5, 0.5, 1.0, 20).t, williams_test(0.5, 0.5, 1.0, 20).p) == (0.0, 1.0)
    assert np.isnan(williams_test(0.5, 0.4, 0.3, 3).p)
    assert np.isnan(williams_test(np.nan, 0.4, 0.3, 30).p)
    assert np.isnan(williams_test(1.0, 0.4, 0.4, 2).p)
    # by hand: K = .63, r̄ = .3, t = .2·√(99·1.5 / (1.26·99/97 + .09·.125)) = .2·√(148.5 / 1.297229)
    found = williams_test(0.4, 0.2, 0.5, 100)
    assert found.t == pytest.approx(0.2 * (148.5 / 1.297229) ** 0.5, rel=1e-6)
    assert williams_test(0.2, 0.4, 0.5, 100).t == -found.t


def test_equal_means_of_thirds_stay_tied_after_an_exchange() -> None:
    # Rounding each score before it is averaged would tell 1/3 + 1/3 + 1/3 from 0 + 0 + 1.
    x = np.array([[1 / 3, 1 / 3, 1 / 3], [0, 0, 1], [0.5, 1, 0.9]])
    z = np.array([[1.0, 1, 2], [2, 3, 2], [3, 3, 4]])
    found = permutation_test(x, x[::-1].copy(), z, level="system", coefficient="kendall", resamples=10)
    assert found.difference == pytest.approx(2 * 2 / np.sqrt(2 * 3))
