"""What must hold for every pyramid, whatever its SCUs, models and peers."""

from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pyramidion.arrays import Bools, Floats
from pyramidion.errors import UsageError
from pyramidion.pyramids.incidence import Incidence, max_weights, subsets
from pyramidion.pyramids.optimal import optimal, optimal_summaries
from pyramidion.pyramids.scores import score_order, score_subsets
from pyramids.golden import all_subsets

SCORES = ("original", "modified", "comprehensive")


@st.composite
def incidences(draw: st.DrawFn) -> Incidence:
    """Up to five models and twelve SCUs, up to three peers with some repeats and non-matching units."""
    scus, models, peers = draw(st.integers(0, 12)), draw(st.integers(1, 5)), draw(st.integers(1, 3))
    contributes = draw(hnp.arrays(np.bool_, (scus, models)))
    expresses = draw(hnp.arrays(np.bool_, (scus, peers)))
    more = draw(hnp.arrays(np.int64, peers, elements=st.integers(0, 4)))
    return Incidence(
        models=tuple(f"M{index}" for index in range(models)),
        peers=tuple(f"p{index}" for index in range(peers)),
        contributes=contributes,
        expresses=expresses,
        sizes=(expresses.sum(axis=0) + more).astype(np.float64),
        uids=tuple(range(1, scus + 1)),
        labels=("",) * scus,
    )


def formula_1(tiers: dict[int, int], size: int) -> int:
    """Max as the paper writes it: Σ_{i>j} i·|T_i| + j·(X − Σ_{i>j} |T_i|), j the lowest tier that is drawn from."""
    for lowest in sorted(tiers, reverse=True):
        if sum(count for weight, count in tiers.items() if weight >= lowest) >= size:
            above = {weight: count for weight, count in tiers.items() if weight > lowest}
            taken = size - sum(above.values())
            return sum(weight * count for weight, count in above.items()) + lowest * taken
    return sum(weight * count for weight, count in tiers.items())


@settings(deadline=None)
@given(weights=st.lists(st.integers(1, 6), max_size=15), size=st.integers(0, 20))
def test_max_is_formula_1_of_the_paper(weights: list[int], size: int) -> None:
    tiers = {weight: weights.count(weight) for weight in set(weights)}
    found = max_weights(np.array([weights], dtype=np.float64), np.array([[float(size)]]))
    assert found[0, 0] == formula_1(tiers, size)


@settings(deadline=None)
@given(
    weights=hnp.arrays(np.float64, (2, 7), elements=st.integers(0, 9).map(float)),
    sizes=st.lists(st.floats(0, 10), min_size=3, max_size=3),
)
def test_max_is_concave_and_never_falls(weights: Floats, sizes: list[float]) -> None:
    low, high = min(sizes), max(sizes)
    at = max_weights(weights, np.array([[low, (low + high) / 2, high]]))
    assert (at[:, 0] <= at[:, 2] + 1e-12).all()
    assert (at[:, 1] >= (at[:, 0] + at[:, 2]) / 2 - 1e-9).all()


def test_an_unknown_size_gives_no_max() -> None:
    assert np.isnan(max_weights(np.array([[2.0, 1.0]]), np.array([[np.nan]]))).all()


@settings(deadline=None)
@given(incidence=incidences())
def test_scores_stay_within_their_bounds(incidence: Incidence) -> None:
    scores = score_subsets(incidence, all_subsets(len(incidence.models)))
    assert (scores.original >= 0).all()
    assert (scores.original <= 1 + 1e-12).all()
    assert (scores.modified >= 0).all()
    both = np.stack([scores.original, scores.modified])
    assert (scores.comprehensive >= both.min(axis=0) - 1e-12).all()
    assert (scores.comprehensive <= both.max(axis=0) + 1e-12).all()


@settings(deadline=None)
@given(incidence=incidences(), data=st.data())
def test_neither_the_order_of_models_nor_of_scus_matters(incidence: Incidence, data: st.DataObject) -> None:
    models = data.draw(st.permutations(range(len(incidence.models))))
    scus = data.draw(st.permutations(range(len(incidence.uids))))
    shuffled = Incidence(
        models=tuple(incidence.models[index] for index in models),
        peers=incidence.peers,
        contributes=incidence.contributes[scus][:, models],
        expresses=incidence.expresses[scus],
        sizes=incidence.sizes,
        uids=tuple(incidence.uids[index] for index in scus),
        labels=incidence.labels,
    )
    for order in range(1, len(models) + 1):
        one, other = score_order(incidence, order), score_order(shuffled, order)
        for name in SCORES:
            np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12)


@settings(deadline=None)
@given(incidence=incidences())
def test_d_and_the_total_weight_are_additive_over_models(incidence: Incidence) -> None:
    masks = all_subsets(len(incidence.models))
    single = np.eye(len(incidence.models), dtype=np.bool_)
    apart = incidence.matched_weights(incidence.weights(single))
    together = incidence.matched_weights(incidence.weights(masks))
    np.testing.assert_array_equal(together, masks.astype(float) @ apart)
    totals = incidence.weights(single).sum(axis=1)
    np.testing.assert_array_equal(incidence.weights(masks).sum(axis=1), masks.astype(float) @ totals)


@settings(deadline=None)
@given(incidence=incidences())
def test_the_sub_pyramid_of_all_models_is_the_pyramid(incidence: Incidence) -> None:
    whole = score_subsets(incidence, incidence.everyone)
    over = score_order(incidence, len(incidence.models))
    for name in SCORES:
        np.testing.assert_array_equal(getattr(whole, name), getattr(over, name))


@settings(deadline=None)
@given(incidence=incidences())
def test_a_sub_pyramid_is_the_pyramid_of_its_models_alone(incidence: Incidence) -> None:
    for mask in all_subsets(len(incidence.models)):
        alone = Incidence(
            models=tuple(name for name, chosen in zip(incidence.models, mask, strict=True) if chosen),
            peers=incidence.peers,
            contributes=incidence.contributes[:, mask],
            expresses=incidence.expresses,
            sizes=incidence.sizes,
            uids=incidence.uids,
            labels=incidence.labels,
        )
        one, other = score_subsets(incidence, mask[None]), score_subsets(alone, alone.everyone)
        for name in SCORES:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


@settings(deadline=None)
@given(incidence=incidences())
def test_interpolated_scores_lie_between_those_of_floor_and_ceil(incidence: Incidence) -> None:
    masks = all_subsets(len(incidence.models))
    best = {
        name: score_subsets(incidence, masks, rounding=name).model_best for name in ("floor", "ceil", "interpolate")
    }
    assert (best["floor"] <= best["interpolate"] + 1e-12).all()
    assert (best["interpolate"] <= best["ceil"] + 1e-12).all()
    half_up = score_subsets(incidence, masks).model_size
    assert (
        (half_up == score_subsets(incidence, masks, rounding="floor").model_size) | (half_up == _ceil(masks, incidence))
    ).all()


def _ceil(masks: Bools, incidence: Incidence) -> Floats:
    return score_subsets(incidence, masks, rounding="ceil").model_size


@settings(deadline=None)
@given(weights=st.lists(st.integers(0, 4), max_size=9), size=st.integers(0, 10))
def test_optimal_summaries_are_as_many_as_the_formula_says_and_none_weighs_more(weights: list[int], size: int) -> None:
    there = [index for index, weight in enumerate(weights) if weight]
    every = list(combinations(there, min(size, len(there))))
    most = max(sum(weights[index] for index in one) for one in every)
    expected = {frozenset(one) for one in every if sum(weights[index] for index in one) == most}
    found = list(optimal_summaries(weights, range(len(weights)), size))
    assert {frozenset(one) for one in found} == expected
    assert len(found) == optimal(weights, size).count == len(expected)
    assert optimal(weights, size).max == most


def test_optimal_summaries_come_one_at_a_time() -> None:
    """C(60, 30) is more than 10¹⁷: a list of them would never end."""
    weights = [1] * 60
    assert optimal(weights, 30).count == comb(60, 30)
    assert len(list(optimal_summaries(weights, range(60), 30, limit=5))) == 5


@settings(deadline=None)
@given(models=st.integers(1, 7), data=st.data())
def test_there_are_as_many_subsets_as_binomials_say(models: int, data: st.DataObject) -> None:
    order = data.draw(st.integers(1, models))
    masks = subsets(models, order)
    assert masks.shape == (comb(models, order), models)
    assert (masks.sum(axis=1) == order).all()
    assert len(np.unique(masks, axis=0)) == len(masks)
    left_out = subsets(models, order, without=[0])
    assert len(left_out) == comb(models - 1, order)
    assert not left_out[:, 0].any()


def test_all_subsets_of_ten_models_are_1023() -> None:
    assert len(all_subsets(10)) == 1023


def test_an_order_beyond_the_models_is_refused() -> None:
    incidence = Incidence.among_models(np.ones((2, 3), dtype=np.bool_))
    with pytest.raises(UsageError, match="from 1 to 3"):
        score_order(incidence, 4)


def test_orders_with_too_many_subsets_are_refused_at_once() -> None:
    incidence = Incidence.among_models(np.ones((2, 40), dtype=np.bool_))
    with pytest.raises(UsageError, match="study orders"):
        score_order(incidence, 20)


def test_many_subsets_give_what_few_give() -> None:
    """More subsets than are worked on at a time."""
    rng = np.random.default_rng(7)
    incidence = Incidence.among_models(rng.random((12, 6)) < 0.5)
    masks = np.tile(all_subsets(6), (300, 1))
    few, many = score_subsets(incidence, masks[:63]), score_subsets(incidence, masks)
    for name in SCORES:
        np.testing.assert_array_equal(getattr(many, name), np.tile(getattr(few, name), (300, 1)))


def squared(contributes: Bools, masks: Bools) -> Any:
    return (masks.astype(float) @ contributes.T) ** 2


def test_weights_can_be_replaced() -> None:
    """Weights 4, 3, 1 squared; the peer has the second: D = 9, X = 1, Max = 16 (worked out by hand)."""
    contributes = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [0, 0, 0, 1]], dtype=np.bool_)
    incidence = Incidence(
        models=("A", "B", "C", "D"),
        peers=("p",),
        contributes=contributes,
        expresses=np.array([[False], [True], [False]]),
        sizes=np.array([1.0]),
        uids=(1, 2, 3),
        labels=("", "", ""),
        weight=squared,
    )
    scores = score_subsets(incidence, incidence.everyone)
    assert scores.original[0, 0] == 9 / 16
    assert scores.model_size[0, 0] == 2  # X′ counts SCUs, not weights: 8 / 4
    assert scores.modified[0, 0] == 9 / 25


def test_a_weight_function_of_the_wrong_shape_is_refused() -> None:
    incidence = replace(Incidence.among_models(np.ones((2, 3), dtype=np.bool_)), weight=lambda scus, masks: np.ones(5))
    with pytest.raises(UsageError, match="subsets × SCUs"):
        incidence.weights(incidence.everyone)
