"""Samples with known chances: sizes, chances by counting many draws, and samples that are extended."""

import numpy as np
import pytest

from pyramidion.statistics.sampling import Draw, allocate, chances_by_uncertainty, draw_independently, draw_within

STRATA = np.repeat(np.arange(5), [1, 4, 7, 10, 3])


def test_the_number_drawn_is_the_share_of_each_stratum_rounded_and_at_least_one() -> None:
    sizes = np.bincount(STRATA)
    for seed in range(50):
        counts = allocate(sizes, 0.3, np.random.default_rng(seed))
        assert (counts >= 1).all()
        assert (np.abs(counts - np.maximum(0.3 * sizes, 1)) < 1).all()


def test_sizes_that_divide_evenly_are_drawn_exactly() -> None:
    assert allocate(np.array([10, 20, 5]), 0.2, np.random.default_rng(0)).tolist() == [2, 4, 1]


def test_units_of_a_stratum_are_drawn_equally_often() -> None:
    generator = np.random.default_rng(1)
    times = np.zeros(10)
    for _ in range(4000):
        draw = draw_within(np.zeros(10, dtype=np.int64), 0.3, generator)
        assert draw.chances.tolist() == [0.3] * 10
        times += draw.is_drawn
    # Standard error √(.3·.7/4000) = .007; four of them.
    assert times / 4000 == pytest.approx(np.full(10, 0.3), abs=0.029)


def test_an_extended_sample_keeps_what_was_drawn_and_draws_units_equally_often() -> None:
    generator = np.random.default_rng(2)
    strata = np.zeros(10, dtype=np.int64)
    times = np.zeros(10)
    for _ in range(4000):
        first = draw_within(strata, 0.2, generator)
        second = draw_within(strata, 0.5, generator, earlier=first.is_drawn)
        assert (second.is_drawn >= first.is_drawn).all()
        assert second.chances.tolist() == [0.5] * 10
        times += second.is_drawn
    assert times / 4000 == pytest.approx(np.full(10, 0.5), abs=0.032)


def test_independent_draws_have_their_chances_also_when_they_are_extended() -> None:
    generator = np.random.default_rng(3)
    first_chances, wanted = np.array([0.1, 0.4, 0.9]), np.array([0.5, 0.4, 0.3])
    times = np.zeros(3)
    for _ in range(4000):
        first = draw_independently(first_chances, generator)
        second = draw_independently(wanted, generator, earlier=first)
        assert second.chances.tolist() == [0.5, 0.4, 0.9]
        times += second.is_drawn
    assert times / 4000 == pytest.approx([0.5, 0.4, 0.9], abs=0.032)


def test_a_certain_unit_can_not_become_more_certain() -> None:
    earlier = Draw(np.array([True, False]), np.array([1.0, 0.5]))
    draw = draw_independently(np.array([1.0, 1.0]), np.random.default_rng(4), earlier=earlier)
    assert draw.is_drawn.tolist() == [True, True]
    assert draw.chances.tolist() == [1.0, 1.0]


def test_chances_follow_uncertainty_have_the_wanted_mean_and_a_floor() -> None:
    uncertainties = np.array([0.0, 0.1, 0.3, 0.5])
    chances = chances_by_uncertainty(uncertainties, 0.25, floor=0.2)
    assert chances.mean() == pytest.approx(0.25)
    # Proportional to .1 (the floor), .1, .3 and .5.
    assert chances == pytest.approx(np.array([0.1, 0.1, 0.3, 0.5]))


def test_no_chance_passes_1_and_the_rest_is_shared() -> None:
    chances = chances_by_uncertainty(np.array([0.1, 0.1, 1.0]), 0.6, floor=0.05)
    assert chances == pytest.approx([0.4, 0.4, 1.0])


def test_a_predictor_that_is_always_sure_draws_all_alike() -> None:
    assert chances_by_uncertainty(np.zeros(4), 0.3).tolist() == [0.3] * 4
