"""The gate: verdicts, guards, margins, missing outputs and the self-test, against scipy and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import ScoreTable
from pyramidion.studies.gate import Gate
from pyramidion.studies.margins import Margin, parse_margins

Values = dict[str, list[float | None]]
"""By system, its scores on topics 0, 1, …; None where it has none."""


def table(higher_is_better: dict[str, bool | None] | None = None, **measures: Values) -> ScoreTable:
    cells = [
        (measure, f"t{topic}", system, value)
        for measure, by_system in measures.items()
        for system, values in by_system.items()
        for topic, value in enumerate(values)
        if value is not None
    ]
    columns: list[Any] = [list(column) for column in zip(*cells, strict=True)]
    return ScoreTable.from_columns(
        measure=columns[0],
        topic=columns[1],
        summarizer=columns[2],
        value=columns[3],
        higher_is_better=higher_is_better,
    )


def gate(scores: ScoreTable, measures: Any = "q", **keywords: Any) -> Gate:
    return pyramidion.gate(scores, measures, against="A", **keywords)


def draw(loss: float, topics: int = 30, seed: int = 1) -> Values:
    generator = np.random.default_rng(seed)
    baseline = generator.normal(3, 1, topics)
    return {"A": baseline.tolist(), "B": (baseline - loss + generator.normal(0, 0.5, topics)).tolist()}


def scipy_test(values: Values, margin: float = 0.0) -> tuple[float, float, float]:
    """The two-sided p of difference = −margin, and the limits of the difference."""
    differences = np.array(values["B"], float) - np.array(values["A"], float)
    result = stats.ttest_1samp(differences, -margin)
    interval = result.confidence_interval()
    return float(result.pvalue), float(interval.low), float(interval.high)


@pytest.mark.parametrize("loss", [0.0, 0.1, 0.5, -0.5])
def test_without_a_margin_a_significant_loss_fails_and_all_else_passes(loss: float) -> None:
    values = draw(loss)
    result = gate(table(q=values))
    p, lower, upper = scipy_test(values)
    assert (result.primary.lower, result.primary.upper) == pytest.approx((lower, upper))
    assert result.verdict == ("fail" if upper < 0 else "pass")
    assert result.exit_code == (3 if upper < 0 else 0)
    assert result.primary.p == pytest.approx(p if (lower + upper) < 0 else 1.0)


@pytest.mark.parametrize("loss", [-0.5, 0.0, 0.2, 0.3, 0.5, 1.0])
def test_with_a_margin_the_limits_decide(loss: float) -> None:
    values = draw(loss)
    result = gate(table(q=values), margin=0.3)
    p, lower, upper = scipy_test(values, margin=0.3)
    expected = "pass" if lower > -0.3 else "fail" if upper < -0.3 else "undecided"
    assert result.verdict == expected
    if expected == "fail":
        assert result.primary.p == pytest.approx(p)


def test_a_share_of_the_mean_counts_the_error_of_the_baseline() -> None:
    values = draw(0.0, topics=12)
    baseline, candidate = np.array(values["A"], float), np.array(values["B"], float)
    result = gate(table(q=values), margin="5%")
    interval = stats.ttest_1samp(candidate - 0.95 * baseline, 0).confidence_interval()
    expected = "pass" if interval.low > 0 else "fail" if interval.high < 0 else "undecided"
    assert result.verdict == expected
    assert result.primary.margin == pytest.approx(0.05 * baseline.mean())


def test_where_lower_is_better_a_rise_is_a_loss() -> None:
    values = draw(-0.5)
    result = gate(table({"q": False}, q=values))
    assert result.verdict == "fail"
    assert (result.primary.difference or 0) < 0


def test_the_hidden_loss_is_found_with_80_percent_power() -> None:
    values = draw(0.0, topics=20)
    result = gate(table(q=values))
    differences = np.array(values["B"], float) - np.array(values["A"], float)
    shift = (result.primary.detectable or 0) * np.sqrt(20) / differences.std(ddof=1)
    critical = stats.t.ppf(0.975, 19)
    power = stats.nct.sf(critical, 19, shift) + stats.nct.cdf(-critical, 19, shift)
    assert power == pytest.approx(0.8, abs=1e-6)


def test_a_guard_fails_the_gate_after_holms_correction() -> None:
    guards = {"g1": draw(0.25, seed=3), "g2": draw(0.0, seed=4), "g3": draw(0.0, seed=5)}
    result = gate(table(None, q=draw(0.0), **guards), ["q", *guards])
    by_name = {measure.measure: measure for measure in result.measures}
    p, _, upper = scipy_test(guards["g1"])
    assert upper < 0
    assert by_name["g1"].p_adjusted == pytest.approx(min(1.0, 3 * p))
    assert by_name["q"].p_adjusted == by_name["q"].p
    assert result.verdict == ("fail" if 3 * p <= 0.05 else "pass")
    assert [measure.role for measure in result.measures] == ["primary", "guard", "guard", "guard"]


def test_one_topic_decides_nothing() -> None:
    result = gate(table(q={"A": [5.0], "B": [1.0]}))
    assert (result.verdict, result.exit_code) == ("undecided", 4)
    assert "one topic can't show a loss" in result.sentences()[0]


def test_two_topics_are_tested() -> None:
    assert gate(table(q={"A": [5.0, 4.0], "B": [1.0, 1.0]})).verdict == "pass"


@pytest.mark.parametrize(("topics", "expected"), [(2, "undecided"), (5, "undecided"), (6, "fail")])
def test_the_same_loss_on_every_topic_is_undecided_until_its_signs_can_show_it(topics: int, expected: str) -> None:
    result = gate(table(q={"A": [1.0] * topics, "B": [0.0] * topics}))
    assert result.verdict == expected
    if expected == "undecided":
        assert (
            f"B is worse than A on q by 1.0000 on each of {topics} topics, which are too few" in result.sentences()[0]
        )


@pytest.mark.parametrize(("topics", "expected"), [(5, "undecided"), (6, "pass")])
def test_equal_scores_pass_a_margin_once_there_are_topics_enough(topics: int, expected: str) -> None:
    values: Values = {"A": [2.0] * topics, "B": [2.0] * topics}
    assert gate(table(q=values)).verdict == "pass"
    assert gate(table(q=values), margin=0.5).verdict == expected  # 2 / 2ⁿ ≤ 0.05 from six topics on


@pytest.mark.parametrize(("undecided", "code"), [("pass", 0), ("fail", 3), (None, 4)])
def test_how_an_undecided_gate_ends_can_be_chosen(undecided: Any, code: int) -> None:
    result = gate(table(q=draw(0.3)), margin=0.3, undecided=undecided)
    assert (result.verdict, result.exit_code) == ("undecided", code)


def test_a_missing_output_counts_as_the_lowest_value_for_both_systems() -> None:
    values: Values = {"A": [3.0, 4.0, 5.0, None, 4.0], "B": [3.0, None, 4.0, 2.0, 4.0]}
    result = gate(table(q=values), scale=(1, 5))
    assert (result.primary.missing_baseline, result.primary.missing_candidate) == (1, 1)
    assert result.primary.difference == pytest.approx(np.mean([0, -3, -1, 1, 0]))
    assert any("B has no output for 1 topic" in sentence for sentence in result.sentences())
    dropped = gate(table(q=values), missing="drop")
    assert dropped.primary.n == 3
    assert dropped.primary.difference == pytest.approx(-1 / 3)
    assert any("left out" in sentence for sentence in dropped.sentences())


def test_where_lower_is_better_a_missing_output_counts_as_the_highest_value() -> None:
    values: Values = {"A": [3.0, 4.0, 5.0], "B": [3.0, None, 5.0]}
    assert gate(table({"q": False}, q=values), scale=(1, 5)).primary.difference == pytest.approx(-1 / 3)


def test_percentages_of_a_measure_are_not_on_its_own_scale() -> None:
    """On 0 to 1, a missing output would count as 1 %: the best value of a measure that is better when low."""
    scores = table({"js": False}, js={"A": [30.0, 40.0, 50.0], "B": [30.0, None, 50.0]})
    with pytest.raises(UsageError, match="the scale of js is not known"):
        gate(scores, "js")
    assert gate(scores, "js", scale=(0, 100)).primary.difference == pytest.approx(-60 / 3)
    with pytest.raises(InputError, match="found values from 30 to 50; expected the scale 1 to 5"):
        gate(scores, "js", scale=(1, 5))


def test_without_a_scale_the_gate_asks_how_missing_outputs_count() -> None:
    with pytest.raises(UsageError, match=r"B has no output for 1 topic.*`scale=\(1, 5\)`.*`missing=\"drop\"`"):
        gate(table(q={"A": [3.0, 4.0], "B": [3.0, None]}))


def test_an_output_with_another_score_is_not_missing() -> None:
    scores = table(q=draw(0.0, topics=5), g={"A": [1.0, 2.0, 3.0, 4.0, 5.0], "B": [1.0, None, 3.0, 4.0, 5.0]})
    result = gate(scores, ["q", "g"])
    assert (result.measures[1].unscored, result.measures[1].missing_candidate, result.measures[1].n) == (1, 0, 4)


def test_a_guard_without_any_score_of_the_candidate_is_undecided() -> None:
    result = gate(table(q=draw(0.0, topics=3), g={"A": [1.0, 2.0, 3.0]}), ["q", "g"])
    assert (result.verdict, result.measures[1].n) == ("undecided", 0)


def test_a_candidate_without_an_output_on_any_topic_of_the_baseline_loses_or_is_undecided() -> None:
    values: Values = {"A": [4.0] * 8 + [None], "B": [None] * 8 + [3.0]}
    assert gate(table(q=values), missing="drop").verdict == "undecided"
    result = gate(table(q=values), scale=(1, 5))
    assert (result.verdict, result.primary.missing_candidate) == ("fail", 8)
    with pytest.raises(InputError, match="scores of A alone"):
        gate(table(q={"A": [4.0, 5.0]}))


def test_the_only_other_system_is_the_candidate_and_else_the_gate_asks() -> None:
    values = draw(0.0)
    assert gate(table(q=values)).decision.candidate == "B"
    three = table(q={**values, "C": values["A"]})
    with pytest.raises(UsageError, match="`candidate=` is missing: there are 2 other systems: B and C"):
        gate(three)
    assert gate(three, candidate="C").decision.candidate == "C"
    with pytest.raises(UsageError, match="no such system"):
        pyramidion.gate(three, "q", against="X")
    with pytest.raises(UsageError, match="`against=` is missing"):
        pyramidion.gate(three, "q")
    with pytest.raises(InputError, match="alone"):
        gate(table(q={"A": values["A"]}))


def test_a_measure_that_only_describes_is_refused() -> None:
    with pytest.raises(UsageError, match="only describes"):
        gate(table({"q": None}, q=draw(0.0)))


def test_the_worst_regressions_come_first() -> None:
    result = gate(table(q={"A": [5.0] * 8, "B": [5.0, 1.0, 4.0, 2.0, 6.0, 3.0, 4.5, 4.9]}))
    assert [regression.topic for regression in result.regressions] == ["t1", "t3", "t5", "t2", "t6"]


MARGINS: list[tuple[list[str | float], dict[str, Margin]]] = [
    ([], {}),
    ([0.1], {"a": Margin(units=0.1)}),
    (["5%"], {"a": Margin(share=0.05), "b": Margin(share=0.05)}),
    (["0.1", "b=5%"], {"a": Margin(units=0.1), "b": Margin(share=0.05)}),
    (["b=1", "2%"], {"a": Margin(share=0.02), "b": Margin(units=1.0)}),
]


@pytest.mark.parametrize(("margins", "expected"), MARGINS)
def test_a_margin_is_in_units_or_in_percent_of_one_measure_or_all(
    margins: list[str | float], expected: dict[str, Margin]
) -> None:
    assert parse_margins(margins, ["a", "b"]) == expected


@pytest.mark.parametrize("margins", [["x"], [0], [-1], ["inf"], ["100%"], ["c=1"], [1, 2], ["5%", "6%"], ["nan"]])
def test_a_margin_that_means_nothing_is_refused(margins: list[str | float]) -> None:
    with pytest.raises(UsageError, match="`margin="):
        parse_margins(margins, ["a", "b"])


def test_the_self_test_fails_no_more_often_than_chance_allows() -> None:
    values = draw(1.0, topics=20)
    alone = gate(table(q=values), self_test="labels").self_test
    assert alone is not None
    assert (alone.exchanges, alone.is_kept) == (1000, True)
    assert alone.limit == pytest.approx(0.025)
    guarded = gate(table(q=values, g=draw(0.2, topics=20, seed=8)), ["q", "g"], self_test="labels").self_test
    assert guarded is not None
    assert guarded.is_kept
    assert guarded.limit == pytest.approx(0.05)


def test_the_self_test_counts_what_the_gate_does_with_exchanged_labels() -> None:
    values = draw(0.4, topics=8)
    exchanged = np.random.default_rng(0).random((1000, 8)) < 0.5
    differences = np.array(values["B"], float) - np.array(values["A"], float)
    flipped = np.where(exchanged, -differences, differences)
    result = stats.ttest_1samp(flipped, 0, axis=1)
    expected = np.count_nonzero((result.pvalue <= 0.05) & (result.statistic < 0))
    self_test = gate(table(q=values), self_test="labels").self_test
    assert self_test is not None
    assert self_test.failed == expected


def test_two_runs_of_the_baseline_are_asked_for_by_name() -> None:
    with pytest.raises(UsageError, match="A-1 and A-2"):
        gate(table(q=draw(0.0)), self_test="runs")


def test_equal_systems_fail_as_seldom_as_chance_allows() -> None:
    """120 simulated gates of three measures: at most α of them fail, give or take three standard errors."""
    generator = np.random.default_rng(7)
    failed = 0
    for _ in range(120):
        values = generator.normal(0, 1, (3, 2, 15))
        scores = table(
            **{f"m{place}": {"A": one[0].tolist(), "B": one[1].tolist()} for place, one in enumerate(values)}
        )
        failed += gate(scores, ["m0", "m1", "m2"]).verdict == "fail"
    assert failed / 120 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 120)


def test_names_of_systems_are_written_as_they_are() -> None:
    guarded = table(q={"A": [2.0, 3.0, 4.0], "small": [2.0, 3.1, 4.2]}, aux={"A": [9.0] * 6, "small": [1.0] * 6})
    result = gate(guarded, ["q", "aux"], candidate="small")
    assert result.verdict == "fail"
    assert any(line.startswith("small is not significantly worse than A on q") for line in result.sentences())
