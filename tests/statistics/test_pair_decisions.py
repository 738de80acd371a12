"""Pairs of systems that people separate, and what a judge makes of them."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from pyramidion.statistics.pair_decisions import decide_pairs, size_bins


def scored(seed: int, *, abilities: list[float], topics: int = 30) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return np.array(abilities)[:, None] + generator.normal(0, 1, (len(abilities), topics))


def test_pairs_are_separated_by_the_paired_t_test_of_scipy_with_holms_correction() -> None:
    people, judge = scored(1, abilities=[0, 0.5, 1, 1.2]), scored(2, abilities=[0, 0.6, 0.2, 1])
    decisions = decide_pairs(people, judge)
    for scores, is_significant in ((people, decisions.is_separated), (judge, decisions.is_decided)):
        p = [stats.ttest_rel(scores[a], scores[b]).pvalue for a, b in decisions.pairs]
        assert is_significant.tolist() == multipletests(p, method="holm")[0].tolist()


def test_the_four_outcomes_of_separated_pairs_add_up() -> None:
    people, judge = scored(1, abilities=[0, 1, 2, 3]), scored(2, abilities=[0, 1, 3, 2])
    decisions = decide_pairs(people, judge)
    counts = [decisions.count(is_decided=a, is_agreed=b) for a in (True, False) for b in (True, False)]
    assert sum(counts) == decisions.is_separated.sum()
    assert decisions.count(is_decided=True, is_agreed=False) == 1  # the last two are exchanged
    assert decisions.ordered_alike == pytest.approx(1 - 1 / decisions.is_separated.sum())


def test_a_judge_that_is_people_orders_all_and_its_limits_are_near_one() -> None:
    people = scored(1, abilities=[0, 1, 2, 3])
    decisions = decide_pairs(people, people)
    assert decisions.ordered_alike == 1.0
    assert decisions.lower > 0.9
    assert decisions.upper == 1.0


def test_scores_that_one_of_both_lacks_do_not_count() -> None:
    people, judge = scored(1, abilities=[0, 1, 2]), scored(2, abilities=[0, 1, 2])
    judge[:, 20:] = np.nan
    assert decide_pairs(people, judge).people.n.tolist() == [20, 20, 20]


def test_people_who_separate_nothing_give_no_share() -> None:
    people = scored(1, abilities=[0, 0, 0], topics=5)
    decisions = decide_pairs(people, people)
    assert np.isnan(decisions.ordered_alike)
    assert np.isnan(decisions.lower)


def test_bins_by_size_leave_out_what_is_undefined() -> None:
    bins = size_bins(np.array([0.5, -0.1, np.nan, 2.0, 0.2]), most=2)
    assert [part.tolist() for part in bins] == [[1, 4], [0, 3]]
