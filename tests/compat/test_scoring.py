"""The bootstrap of the drop-in by itself: what it gives, seeds, and errors."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from pyramidion.compat.rouge_score import scoring


class Pair(NamedTuple):
    """A score of another kind."""

    left: float
    right: float


def test_equal_scores_have_an_interval_without_width() -> None:
    aggregator = scoring.BootstrapAggregator(seed=0)
    for _ in range(5):
        aggregator.add_scores({"rouge1": scoring.Score(0.25, 0.5, 1 / 3)})
    limits = aggregator.aggregate()["rouge1"]
    assert isinstance(limits, scoring.AggregateScore)
    assert limits._fields == ("low", "mid", "high")
    for score in limits:
        assert isinstance(score, scoring.Score)
        assert tuple(score) == pytest.approx((0.25, 0.5, 1 / 3), abs=1e-15)


def test_a_seed_repeats_the_numbers_and_another_one_does_not() -> None:
    def aggregate(seed: int) -> scoring.AggregateScore:
        aggregator = scoring.BootstrapAggregator(seed=seed)
        for value in (0.1, 0.5, 0.2, 0.9):
            aggregator.add_scores({"rouge1": scoring.Score(value, value, value)})
        first = aggregator.aggregate()["rouge1"]
        assert aggregator.aggregate()["rouge1"] == first
        return first

    assert aggregate(1) == aggregate(1)
    assert aggregate(1) != aggregate(2)


def test_any_named_tuple_can_be_aggregated() -> None:
    aggregator = scoring.BootstrapAggregator(seed=3)
    for left in (0.0, 1.0):
        aggregator.add_scores({"measure": Pair(left, 2.0)})
    limits = aggregator.aggregate()["measure"]
    assert isinstance(limits.mid, Pair)
    assert limits.mid.right == 2.0
    # of two items, resampled means are 0, 1/2 and 1 with chances 1/4, 1/2 and 1/4
    assert (limits.low.left, limits.mid.left, limits.high.left) == (0.0, 0.5, 1.0)


def test_types_need_not_come_with_every_item() -> None:
    aggregator = scoring.BootstrapAggregator(seed=0)
    aggregator.add_scores({"rougeL": scoring.Score(1, 1, 1)})
    aggregator.add_scores({"rouge1": scoring.Score(0, 0, 0)})
    assert list(aggregator.aggregate()) == ["rougeL", "rouge1"]
    assert scoring.BootstrapAggregator().aggregate() == {}


def test_a_full_interval_goes_from_the_smallest_to_the_largest_mean() -> None:
    aggregator = scoring.BootstrapAggregator(1.0, 2000, seed=0)
    for value in (0.0, 1.0):
        aggregator.add_scores({"rouge1": scoring.Score(value, value, value)})
    limits = aggregator.aggregate()["rouge1"]
    assert (limits.low.recall, limits.high.recall) == (0.0, 1.0)


@pytest.mark.parametrize("confidence", [-0.1, 1.1, 95])
def test_a_confidence_outside_0_and_1_is_a_value_error(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence_interval"):
        scoring.BootstrapAggregator(confidence_interval=confidence)


@pytest.mark.parametrize("samples", [0, -1])
def test_no_resamples_are_a_value_error(samples: int) -> None:
    with pytest.raises(ValueError, match="n_samples"):
        scoring.BootstrapAggregator(n_samples=samples)


def test_the_f_measure_is_the_harmonic_mean() -> None:
    assert scoring.fmeasure(0.5, 0.25) == pytest.approx(1 / 3)
    assert scoring.fmeasure(0, 0) == 0.0
