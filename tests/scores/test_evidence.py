"""Evidence: what masks do. Expected values are worked out by hand from the definitions in the docstrings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from pyramidion.scores import FixedEvidence
from pyramidion.scores.evidence import drawn_models, jackknifed, leave_one_out, with_all_models, with_drawn_models
from pyramidion.scores.overlap import OverlapEvidence, OverlapRule, round5


def evidence(rule: OverlapRule = OverlapRule(), *, own: bool = False) -> OverlapEvidence:  # noqa: B008
    """Two peers, three models; with `own`, the second peer wrote the second model."""
    hits = np.array([[2.0, 2.0, 5.0], [1.0, 8.0, 0.0]])
    model_counts = np.array([[4.0, 8.0, 10.0], [4.0, 8.0, 10.0]])
    peer_counts = np.array([[5.0, 5.0, 5.0], [8.0, 8.0, 8.0]])
    return OverlapEvidence(
        peers=("s", "B"),
        models=("A", "B", "C"),
        found=np.stack([hits, model_counts, peer_counts, model_counts], axis=-1),
        own=np.array([[False] * 3, [False, own, False]]),
        rule=rule,
    )


def test_pooled_scores_are_ratios_of_sums() -> None:
    reduced = with_all_models(evidence())
    recall, precision = 9 / 22, 9 / 15
    assert reduced.values[0] == pytest.approx([recall, precision, 2 * recall * precision / (recall + precision)])
    assert reduced.models.tolist() == [3, 3]


def test_nobody_is_compared_with_their_own_model() -> None:
    reduced = with_all_models(evidence(own=True))
    assert reduced.values[1, :2] == pytest.approx([1 / 14, 1 / 16])
    assert reduced.models.tolist() == [3, 2]


def test_best_takes_the_model_with_the_highest_recall_and_the_first_of_equals() -> None:
    # recalls of the first peer: 2/4, 2/8, 5/10: the first and the third are equal, the first wins (precision 2/5)
    assert with_all_models(evidence(OverlapRule(models="best"))).values[0, :2] == pytest.approx([0.5, 0.4])


def test_jackknife_is_the_mean_of_leaving_one_out_and_a_human_meets_the_others_once() -> None:
    reduced = jackknifed(evidence(own=True))
    assert reduced.values[0, 0] == pytest.approx((7 / 18 + 7 / 14 + 4 / 12) / 3)
    assert reduced.values[1, 0] == pytest.approx(1 / 14)
    assert reduced.models.tolist() == [2, 2]


def test_a_single_model_can_not_be_left_out() -> None:
    one = evidence()
    alone = OverlapEvidence(
        peers=one.peers,
        models=("A",),
        found=one.found[:, :1],
        own=one.own[:, :1],
        rule=one.rule,
    )
    assert np.isnan(jackknifed(alone).values).all()


def test_drawn_models_depend_on_seed_and_topic_only_and_pass_over_the_own_one() -> None:
    first = with_drawn_models(evidence(own=True), 1, topic="D1", seed=3)
    again = with_drawn_models(evidence(own=True), 1, topic="D1", seed=3)
    assert np.array_equal(first.values, again.values)
    recalls = {with_drawn_models(evidence(own=True), 1, topic=f"D{n}", seed=0).values[1, 0] for n in range(20)}
    assert recalls == {0.25, 0.0}  # against A or C, never 8/8 against B


def test_too_few_models_for_a_draw_give_no_value() -> None:
    drawn = with_drawn_models(evidence(own=True), 3, topic="D1", seed=0)
    assert not np.isnan(drawn.values[0]).any()
    assert np.isnan(drawn.values[1]).all()


def test_fixed_evidence_is_the_same_for_every_mask() -> None:
    fixed = FixedEvidence(peers=("s",), statistics=("x",), scores=np.array([[3.0]]))
    assert fixed.values(np.ones((4, 0), dtype=bool)).tolist() == [[[3.0]]] * 4


@given(st.integers(1, 5).flatmap(lambda m: hnp.arrays(bool, (3, m))))
def test_values_of_a_mask_are_those_of_a_campaign_with_only_these_models(masks: np.ndarray) -> None:
    generator = np.random.default_rng(masks.shape[1])
    shape = (2, masks.shape[1])
    hits = generator.integers(0, 5, shape).astype(float)
    model_counts = generator.integers(5, 9, shape).astype(float)
    counts = np.stack([hits, model_counts, np.full(shape, 7.0), model_counts], axis=-1)

    def of(columns: np.ndarray) -> OverlapEvidence:
        return OverlapEvidence(
            peers=("a", "b"),
            models=tuple("ABCDE")[: int(columns.sum())],
            found=counts[:, columns],
            own=np.zeros((2, int(columns.sum())), dtype=bool),
            rule=OverlapRule(),
        )

    values = of(np.ones(masks.shape[1], dtype=bool)).values(masks)
    for mask, found in zip(masks, values, strict=True):
        assert np.allclose(found, with_all_models(of(mask)).values, equal_nan=True)


def test_where_no_model_is_left_there_is_no_value() -> None:
    for models in ("average", "best"):
        rule = OverlapRule(models=models)
        values = evidence(rule, own=True).values(np.array([[False, True, False]]))
        assert not np.isnan(values[0, 0]).any()
        assert np.isnan(values[0, 1]).all()


def test_the_jackknife_is_the_mean_of_what_leaves_one_model_out() -> None:
    items = leave_one_out(evidence(own=True))
    assert items.left_out == ("A", "B", "C")
    assert np.isnan(items.values[[0, 2], 1]).all()  # B is met without its own model only
    assert items.values[:, 0, 0] == pytest.approx([7 / 18, 7 / 14, 4 / 12])
    reduced = jackknifed(evidence(own=True))
    assert np.nanmean(items.values, axis=0) == pytest.approx(reduced.values)


def test_of_drawn_models_each_is_left_out_in_turn() -> None:
    drawn = drawn_models(evidence(), 2, topic="t", seed=1)
    items = leave_one_out(evidence(), drawn)
    assert len(items.left_out) == 2
    assert items.values.mean(axis=0) == pytest.approx(jackknifed(evidence(), drawn).values)
    assert leave_one_out(evidence(), drawn_models(evidence(), 4, topic="t", seed=1)).left_out == ()


def test_jackknifed_counts_weigh_a_system_as_much_as_a_human() -> None:
    counts = jackknifed(evidence(own=True)).counts
    assert counts is not None
    assert counts[0] == pytest.approx([(7 + 7 + 4) / 3, (18 + 14 + 12) / 3, 10])
    assert counts[1] == pytest.approx([1, 14, 16])


@given(hnp.arrays(np.float64, 20, elements=st.floats(0, 1)))
def test_rounding_is_that_of_c_printf(values: np.ndarray) -> None:
    assert round5(values).tolist() == [float(f"{value:.5f}") for value in values]


@given(st.integers(0, 99_999))
def test_rounding_next_to_a_tie_is_that_of_c_printf(number: int) -> None:
    tie = (number + 0.5) / 1e5
    nearby = np.array([tie, np.nextafter(tie, 0), np.nextafter(tie, 1)])
    assert round5(nearby).tolist() == [float(f"{value:.5f}") for value in nearby]
