"""Letters and tests of a comparison, on golden matrices and on data that leaves something out."""

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.errors import UsageError
from pyramidion.present.comparison.leaderboards import analysis_sentences, leaderboard_notes
from pyramidion.scores import ScoreTable
from studies.meta_golden import CASES, expected, matrix


def table(values: np.ndarray, summarizers: list[str], *, higher_is_better: bool = True) -> ScoreTable:
    rows, columns = np.nonzero(~np.isnan(values))
    return ScoreTable.from_columns(
        measure=["m"] * len(rows),
        topic=[f"t{column}" for column in columns],
        summarizer=[summarizers[row] for row in rows],
        value=list(values[rows, columns]),
        higher_is_better={"m": higher_is_better},
    )


@pytest.mark.parametrize(("name", "measure"), CASES)
def test_golden_leaderboards_have_their_order_means_and_letters(name: str, measure: str) -> None:
    summarizers, values = matrix(name, measure)
    golden = expected(name, measure)
    comparison = compare(table(values, summarizers), letters="tukey")
    board = comparison.leaderboard("m")
    assert {standing.summarizer: standing.letters for standing in board} == golden["letters"]
    assert list(comparison.analysis("m").letters) == golden["order"]
    for standing in board:
        assert standing.value == pytest.approx(golden["means"][standing.summarizer], rel=1e-5)
        assert standing.adjusted == pytest.approx(standing.value)
    differences = comparison.analysis("m").differences
    assert sum(bool(one.tukey) for one in differences) == golden["n_significant_pairs"]
    assert sum(bool(one.nemenyi) for one in differences) == golden["nemenyi"]["n_significant_pairs"]


def test_where_low_is_good_the_lowest_has_the_letter_a() -> None:
    values = np.random.default_rng(0).normal(size=(3, 12)) * 0.1 + np.array([[3.0], [1.0], [2.0]])
    board = compare(table(values, ["x", "y", "z"], higher_is_better=False)).leaderboard("m")
    assert [(standing.summarizer, standing.letters) for standing in board] == [("y", "A"), ("z", "B"), ("x", "C")]


def test_missing_topics_are_made_up_for_by_least_squares_and_said() -> None:
    generator = np.random.default_rng(4)
    difficulty = np.linspace(0, 5, 10)
    values = np.array([[1.0], [1.0], [0.0]]) + difficulty + generator.normal(size=(3, 10)) * 0.1
    values[0, 5:] = np.nan  # x has the poor topics only
    comparison = compare(table(values, ["x", "y", "z"]))
    board = {standing.summarizer: standing for standing in comparison.leaderboard("m")}
    assert board["x"].value < board["z"].value
    assert board["x"].adjusted == pytest.approx(board["y"].adjusted, abs=0.2)
    assert (board["x"].letters, board["y"].letters, board["z"].letters) == ("A", "A", "B")
    note = comparison.analysis("m").note
    assert "5 of 30 scores are missing" in note
    assert "type II" in note
    assert "Tukey–Kramer" not in note
    kramer = compare(table(values, ["x", "y", "z"]), letters="tukey")
    assert "Tukey–Kramer" in kramer.analysis("m").note
    assert [standing.letters for standing in kramer.leaderboard("m")] == ["A", "A", "B"]
    friedman = comparison.analysis("m").friedman
    assert friedman is not None
    assert friedman.columns == 5


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.array([[1.0, 2.0, 4.0]]), "only one summarizer"),
        (np.array([[1.0], [2.0]]), "no degree of freedom is left for error (1 topic, 2 scores)"),
        (np.array([[1.0, 2.0, np.nan, np.nan], [np.nan, np.nan, 1.0, 3.0]]), "no degree of freedom"),
    ],
)
def test_what_can_t_be_tested_has_a_reason(values: np.ndarray, reason: str) -> None:
    comparison = compare(table(values, ["x", "y"]))
    analysis = comparison.analysis("m")
    assert analysis.anova is None
    for given in (analysis.no_anova, analysis.no_tukey, analysis.no_letters):
        assert reason in given
    assert all(standing.letters is None for standing in comparison.standings)
    assert analysis_sentences(analysis)


def test_groups_that_share_no_topic_have_no_letters() -> None:
    values = np.full((4, 6), np.nan)
    values[:2, :3] = np.random.default_rng(0).normal(size=(2, 3))
    values[2:, 3:] = np.random.default_rng(1).normal(size=(2, 3))
    analysis = compare(table(values, list("wxyz"))).analysis("m")
    assert analysis.anova is not None
    assert analysis.tukey is None
    assert "2 groups of summarizers share no topic" in analysis.no_letters
    assert analysis.friedman is None
    assert "no topic has scores of every summarizer" in analysis.no_friedman


def test_equal_scores_share_one_letter() -> None:
    comparison = compare(table(np.full((3, 4), 0.3), ["x", "y", "z"]))
    assert [standing.letters for standing in comparison.standings] == ["A", "A", "A"]
    assert "the residual variance is zero" in comparison.analysis("m").note


def test_a_lower_level_of_confidence_tells_more_apart() -> None:
    summarizers, values = matrix("summeval", "coherence")
    pairs = []
    for confidence in (50, 90, 95, 99):
        tukey = compare(table(values, summarizers), confidence=confidence).analysis("m").tukey
        assert tukey is not None
        pairs.append(tukey.pairs)
    assert pairs == sorted(pairs, reverse=True)
    assert pairs[0] > pairs[-1]


def test_a_thousand_summarizers_and_more_are_ranked_without_letters() -> None:
    values = np.random.default_rng(0).normal(size=(1001, 2))
    comparison = compare(table(values, [f"s{number}" for number in range(1001)]))
    assert len(comparison.standings) == 1001
    assert comparison.analysis("m").anova is not None
    assert "too many" in comparison.analysis("m").no_letters


def test_humans_scored_with_fewer_models_than_systems_are_remarked_unless_jackknifed() -> None:
    import pyramidion

    plain = pyramidion.compare("demo", "rouge-2.recall", peers="all")
    assert any("fewer models" in note for note in leaderboard_notes(plain.analyses[0]))
    jackknifed = pyramidion.compare("demo", "rouge-2(jackknife=yes).recall", peers="all")
    assert not any("fewer models" in note for note in leaderboard_notes(jackknifed.analyses[0]))
    assert len(jackknifed.standings) == 24
    assert {"A", "B", "C", "D"} <= set(jackknifed.analysis(jackknifed.measures[0]).letters)
    assert len(pyramidion.compare("demo", "rouge-2(jackknife=yes).recall", peers="humans").standings) == 4


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(UsageError, match="expected t, own, percentile, studentized"):
        compare(table(np.zeros((2, 2)), ["x", "y"]), interval="bca")  # type: ignore[arg-type]
