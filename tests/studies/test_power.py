"""How many topics: from a pilot to needed topics and detectable differences; expected numbers from statsmodels."""

import math
from typing import Any

import numpy as np
import pytest
from inline_snapshot import snapshot

import pyramidion
from other_packages import power as others
from pyramidion.errors import UsageError
from pyramidion.options import PowerOptions
from pyramidion.scores import ScoreTable
from pyramidion.statistics.variance import two_way_anova
from pyramidion.studies import power
from pyramidion.studies.power import PowerStatement


def power_analysis(table: ScoreTable, **options: Any) -> tuple[PowerStatement, ...]:
    return power.power_analysis(table, PowerOptions.of(options)).statements


def pilot(values: np.ndarray) -> ScoreTable:
    rows, columns = np.nonzero(~np.isnan(values))
    return ScoreTable.from_columns(
        measure=["m"] * len(rows),
        topic=[f"t{column}" for column in columns],
        summarizer=["abcdef"[row] for row in rows],
        value=list(values[rows, columns]),
    )


VALUES = np.random.default_rng(0).normal(0.4, 0.05, size=(4, 12))


@pytest.mark.slow  # imports what it compares with
def test_needed_topics_follow_from_the_residual_variance() -> None:
    anova = two_way_anova(VALUES)
    assert anova is not None
    sd = math.sqrt(2 * anova.mean_square)
    needed, *_ = power_analysis(pilot(VALUES), difference=0.03, topics=[10])
    theirs = others.TTestPower().solve_power(effect_size=0.03 / sd, alpha=0.05, power=0.8)
    assert (needed.solved, needed.topics) == ("topics", math.ceil(theirs))
    assert needed.sd == pytest.approx(sd)
    assert needed.lower is not None
    assert needed.upper is not None
    assert needed.lower < math.ceil(theirs) < needed.upper
    assert needed.pilot_topics == 12


@pytest.mark.slow  # imports what it compares with
def test_a_named_pair_has_its_own_spread() -> None:
    sd = (VALUES[0] - VALUES[1]).std(ddof=1)
    (_, difference, reached) = power_analysis(pilot(VALUES), difference=0.03, topics=[20], pair=[("a", "b")])
    assert difference.sd == pytest.approx(sd)
    assert difference.difference is not None
    assert others.TTestPower().power(difference.difference / sd, 20, 0.05) == pytest.approx(0.8, abs=1e-9)
    assert reached.power == pytest.approx(others.TTestPower().power(0.03 / sd, 20, 0.05), abs=1e-9)
    assert (difference.a, difference.b) == ("a", "b")
    for one in (difference, reached):
        assert one.lower is not None
        assert one.upper is not None
        assert one.lower < one.upper


def test_levels_are_shared_by_several_comparisons() -> None:
    one, *_ = power_analysis(pilot(VALUES), difference=0.03, comparisons=5)
    assert one.alpha == pytest.approx(0.01)
    alone, *_ = power_analysis(pilot(VALUES), difference=0.03)
    assert (one.topics or 0) > (alone.topics or 0)


def test_without_a_difference_the_detectable_ones_are_given_for_the_pilot_too() -> None:
    found = power_analysis(pilot(VALUES))
    assert {one.solved for one in found} == {"difference"}
    assert 12 in [one.topics for one in found]
    sizes = [one.difference or 0 for one in found]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (VALUES[:1], "two summarizers"),
        (VALUES[:, :1], "two topics"),
        (np.full((3, 4), 0.2), "do not vary"),
    ],
)
def test_a_pilot_that_says_nothing_gives_a_reason(values: np.ndarray, reason: str) -> None:
    for one in power_analysis(pilot(values), difference=0.1):
        assert reason in one.reason
        assert (one.lower, one.upper) == (None, None)


def test_a_pair_without_shared_topics_gives_a_reason() -> None:
    values = VALUES.copy()
    values[0, :6], values[1, 6:] = np.nan, np.nan
    assert "fewer than two topics" in power_analysis(pilot(values), pair=[("a", "b")])[0].reason


@pytest.mark.parametrize(
    "wrong",
    [
        {"difference": 0.0},
        {"difference": math.nan},
        {"power": 0},
        {"power": 100},
        {"power": 3},
        {"confidence": 100},
        {"topics": [1]},
        {"comparisons": 0},
        {"pair": [("a", "z")]},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        power_analysis(pilot(VALUES), **wrong)


def test_the_verb_takes_what_score_takes() -> None:
    first, *_ = pyramidion.power("demo", "rouge-2.recall", difference=0.02).statements
    table = pyramidion.score("demo", ["rouge-2.recall", "rouge-1.recall"])
    again, *_ = pyramidion.power(table, "rouge-2.recall", difference=0.02).statements
    assert first == again
    assert first.topics is not None


def test_the_sentence_says_how_many_topics_are_lacking() -> None:
    found = pyramidion.power("demo", "rouge-2.recall", difference=0.01)
    assert found.sentences() == snapshot(
        [
            "Detecting a difference of 0.01 with 80 % power needs 85 topics: 74 more than your 11 (between 71 and 105, given this pilot)."
        ]
    )
    assert pyramidion.power("demo", "rouge-2.recall", difference=0.05).sentences() == snapshot(
        [
            "Detecting a difference of 0.05 with 80 % power needs 6 topics: you have 11 (between 5 and 7, given this pilot)."
        ]
    )


def test_power_is_a_percentage_or_a_share() -> None:
    assert power_analysis(pilot(VALUES), difference=0.03, power=0.9) == power_analysis(
        pilot(VALUES), difference=0.03, power=90
    )
