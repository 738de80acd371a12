"""Krippendorff's α over set-valued codings."""

from typing import get_args

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from pyramidion.errors import UsageError
from pyramidion.options import SetDistance
from pyramidion.statistics.sets import SetAlpha, distinct_sets, set_alpha, set_distances

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]

SETS = np.array(
    [[0, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=np.bool_
)  # ∅, {ab}, {abc}, {bc}, {d}


def coded(first: Bools, second: Bools, distance: SetDistance) -> SetAlpha:
    """α of two coders who gave a set to each unit."""
    sets, which = distinct_sets(np.concatenate([first, second]))
    return set_alpha(which.reshape(2, -1).T, set_distances(sets, distance=distance))


@pytest.mark.parametrize(
    ("distance", "expected"),
    [  # worked out by hand from the definitions: {ab} against ∅, {ab}, {abc}, {bc}, {d}
        ("nominal", [1, 0, 1, 1, 1]),
        ("passonneau", [1, 0, 1 / 3, 2 / 3, 1]),
        ("jaccard", [1, 0, 1 - 2 / 3, 1 - 1 / 3, 1]),
        ("masi", [1, 0, 1 - 2 / 3 * 2 / 3, 1 - 1 / 3 * 1 / 3, 1]),
    ],
)
def test_distances_are_those_of_the_definitions(distance: SetDistance, expected: list[float]) -> None:
    found = set_distances(SETS, distance=distance)
    assert found[1] == pytest.approx(expected)
    assert found[0].tolist() == [0, 1, 1, 1, 1]  # the empty set: 0 to itself, 1 to any other


def test_an_unknown_distance_is_refused() -> None:
    with pytest.raises(UsageError, match="masi"):
        set_distances(SETS, distance="dice")  # type: ignore[arg-type]  # a user's slip


def test_nominal_alpha_is_that_of_the_package_krippendorff() -> None:
    generator = np.random.default_rng(5)
    codes = generator.integers(-1, 4, size=(40, 3))
    found = set_alpha(codes, set_distances(np.eye(4, dtype=np.bool_), distance="nominal"))
    ratings = np.where(codes < 0, np.nan, codes).T
    assert found.alpha == pytest.approx(krippendorff.alpha(ratings, level_of_measurement="nominal"), abs=1e-12)


def test_units_that_were_coded_once_do_not_count() -> None:
    distances = set_distances(SETS, distance="masi")
    codes = np.array([[1, 2], [3, 3], [4, -1], [-1, -1], [0, 4]])
    found, without = set_alpha(codes, distances), set_alpha(codes[[0, 1, 4]], distances)
    assert (found.alpha, found.units) == (without.alpha, 3)


def test_all_codings_alike_leave_alpha_undefined() -> None:
    found = set_alpha(np.ones((4, 2), dtype=np.int64), set_distances(SETS, distance="jaccard"), resamples=10)
    assert np.isnan(found.alpha)
    assert (found.observed, found.expected, found.undefined) == (0, 0, 10)
    assert np.isnan(found.lower)


def test_nothing_coded_twice_leaves_everything_undefined() -> None:
    found = set_alpha(np.array([[1, -1], [-1, 2]]), set_distances(SETS, distance="masi"), resamples=10)
    assert found.units == 0
    assert np.isnan([found.alpha, found.observed, found.expected, found.lower]).all()


def test_the_bootstrap_is_that_of_drawing_units_one_by_one() -> None:
    codes = np.random.default_rng(1).integers(0, 5, size=(30, 2))
    distances = set_distances(SETS, distance="masi")
    found = set_alpha(codes, distances, resamples=200, confidence=90, seed=7)
    draws = np.random.default_rng(7).integers(0, 30, size=(200, 30))
    alphas = [set_alpha(codes[draw], distances).alpha for draw in draws]
    assert (found.lower, found.upper) == pytest.approx(tuple(np.percentile(alphas, [5, 95])))


def test_units_of_a_cluster_are_drawn_together() -> None:
    codes = np.random.default_rng(1).integers(0, 5, size=(20, 2))
    clusters = np.repeat([3, 8, 11, 12], 5)
    distances = set_distances(SETS, distance="jaccard")
    found = set_alpha(codes, distances, resamples=100, seed=2, clusters=clusters)
    draws = np.random.default_rng(2).integers(0, 4, size=(100, 4))
    alphas = [set_alpha(np.concatenate([codes[5 * one : 5 * one + 5] for one in draw]), distances).alpha
              for draw in draws]  # fmt: skip
    assert (found.lower, found.upper) == pytest.approx(tuple(np.nanpercentile(alphas, [2.5, 97.5])))
    single = set_alpha(codes, distances, resamples=100, clusters=np.zeros(20, dtype=np.int64))
    assert np.isnan(single.lower)  # one cluster: nothing to draw from


matrices = arrays.arrays(np.bool_, st.tuples(st.integers(2, 12), st.integers(1, 6)))


@settings(max_examples=60, deadline=None)
@given(matrices, st.sampled_from(get_args(SetDistance)))
def test_identical_codings_agree_perfectly_or_say_nothing(sets: Bools, distance: SetDistance) -> None:
    found = coded(sets, sets, distance)
    assert found.observed == 0
    assert found.alpha == 1 or (np.isnan(found.alpha) and len(distinct_sets(sets)[0]) == 1)


@settings(max_examples=60, deadline=None)
@given(matrices, st.randoms(use_true_random=False), st.sampled_from(get_args(SetDistance)))
def test_alpha_depends_neither_on_the_order_of_coders_and_units_nor_on_the_names_of_elements(
    sets: Bools, random: object, distance: SetDistance
) -> None:
    generator = np.random.default_rng(len(sets))
    other = sets ^ (generator.random(sets.shape) < 0.3)
    units, elements = generator.permutation(len(sets)), generator.permutation(sets.shape[1])
    expected = coded(sets, other, distance)
    for found in (
        coded(other, sets, distance),
        coded(sets[units], other[units], distance),
        coded(sets[:, elements], other[:, elements], distance),
    ):
        assert found.alpha == pytest.approx(expected.alpha, nan_ok=True)
    assert np.isnan(expected.alpha) or expected.alpha <= 1


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_distances_are_metrics_in_all_but_name(sets: Bools) -> None:
    for distance in get_args(SetDistance):
        found = set_distances(sets, distance=distance)
        assert (found >= 0).all()
        assert (found <= 1).all()
        assert (found == found.T).all()
        same = (sets[:, None] == sets[None]).all(axis=2)
        assert ((found == 0) == same).all()


def test_distinct_sets_lead_back_to_all_of_them() -> None:
    sets = np.random.default_rng(0).random((50, 3)) < 0.5
    distinct, which = distinct_sets(sets)
    assert (distinct[which] == sets).all()
    assert len(distinct) == len({tuple(row) for row in sets.tolist()})
    assert distinct_sets(np.zeros((4, 0), dtype=np.bool_))[1].tolist() == [0, 0, 0, 0]
