"""Letters and tests of a comparison, on golden matrices and on data that leaves something out."""

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.errors import UsageError
from pyramidion.options import LettersTest, MeanInterval
from pyramidion.present.comparison.analysis_notes import (
    note_on_tests,
    why_no_anova,
    why_no_friedman,
    why_no_letters,
    why_no_tukey,
)
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
    note = note_on_tests(comparison.analysis("m"))
    assert "5 of 30 scores are missing" in note
    assert "type II" in note
    assert "Tukey–Kramer" not in note
    kramer = compare(table(values, ["x", "y", "z"]), letters="tukey")
    assert "Tukey–Kramer" in note_on_tests(kramer.analysis("m"))
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
    for given in (why_no_anova(analysis), why_no_tukey(analysis), why_no_letters(analysis)):
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
    assert "2 groups of summarizers share no topic" in why_no_letters(analysis)
    assert analysis.friedman is None
    assert "no topic has scores of every summarizer" in why_no_friedman(analysis)


def test_equal_scores_share_one_letter() -> None:
    comparison = compare(table(np.full((3, 4), 0.3), ["x", "y", "z"]))
    assert [standing.letters for standing in comparison.standings] == ["A", "A", "A"]
    assert "the residual variance is zero" in note_on_tests(comparison.analysis("m"))


@pytest.mark.parametrize(("topics", "expected"), [(2, "A A"), (5, "A A"), (6, "A B")])
def test_a_constant_difference_is_significant_only_on_topics_enough(topics: int, expected: str) -> None:
    # 2/2ⁿ, as for a pair by itself: Tukey's test without residual variance called any difference significant.
    values = np.array([[1.0] * topics, [0.0] * topics])
    comparison = compare(table(values, ["x", "y"]), pair=("x", "y"))
    assert " ".join(standing.letters or "" for standing in comparison.standings) == expected
    assert comparison.pairs[0].is_decided == (expected == "A B")


def test_a_constant_difference_next_to_others_is_tested_by_its_signs() -> None:
    # The sums of all pairs leave 1e-17 of a variance of 0, which made p = 1e-40 of two topics.
    values = np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.3, 1.0, 0.1], [0.7, 0.2, 0.9]])
    comparison = compare(table(values, list("wxyz")), letters="paired", all_pairs=True)
    paired = comparison.analysis("m").paired
    assert paired is not None
    assert paired.p[0, 1] == pytest.approx(2 / 2**3)
    assert [paired.p[0, 2], paired.p[2, 3]] == pytest.approx([comparison.pairs[1].p, comparison.pairs[5].p])
    assert [standing.letters for standing in comparison.standings] == ["A"] * 4


@pytest.mark.parametrize(
    ("interval", "reason"), [("t", "the residual variance is zero"), ("own", "the scores do not vary")]
)
def test_scores_that_do_not_vary_have_no_interval(interval: MeanInterval, reason: str) -> None:
    # It went from 1.0000 to 1.0000, however few the topics.
    comparison = compare(table(np.array([[1.0] * 4, [0.0] * 4]), ["x", "y"]), interval=interval)
    assert {(standing.lower, standing.upper) for standing in comparison.standings} == {(None, None)}
    assert {standing.reason for standing in comparison.standings} == {f"no interval: {reason}"}


def test_letters_and_a_pair_agree_where_scores_vary_little_around_a_large_number() -> None:
    noise = np.random.default_rng(1).normal(size=(2, 12))
    comparison = compare(table(1e6 + 1e-7 * noise, ["x", "y"]), pair=("x", "y"))
    assert [standing.letters for standing in comparison.standings] == ["A", "A"]
    assert not comparison.pairs[0].is_decided


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
    assert "too many" in why_no_letters(comparison.analysis("m"))


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


def test_a_system_may_have_the_ranks_that_the_letters_leave_open() -> None:
    generator = np.random.default_rng(1)
    values = np.array([[5.0], [4.9], [3.0], [1.0]]) + generator.normal(size=(4, 12)) * 0.3
    board = compare(table(values, ["x", "y", "z", "w"])).leaderboard("m")
    assert [(standing.letters, standing.rank_lower, standing.rank_upper) for standing in board] == [
        ("A", 1, 2),
        ("A", 1, 2),
        ("B", 3, 3),
        ("C", 4, 4),
    ]


@pytest.mark.parametrize("letters", ["tukey", "paired"])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_ranks_are_those_of_the_test_behind_the_letters(letters: LettersTest, higher_is_better: bool) -> None:
    generator = np.random.default_rng(2)
    values = np.linspace(0, 2, 6)[:, None] + generator.normal(size=(6, 15))
    values[generator.random(values.shape) < 0.1] = np.nan
    scores = table(values, list("uvwxyz"), higher_is_better=higher_is_better)
    analysis = compare(scores, letters=letters).analysis("m")
    assert analysis.letters_by == letters
    for standing in analysis.standings:
        rivals = [other.summarizer for other in analysis.standings if other != standing]
        beaten = [
            rival
            for rival in rivals
            if standing.summarizer not in (analysis.undecided(rival, [standing.summarizer]) or [])
        ]
        lost = [rival for rival in rivals if rival not in (analysis.undecided(standing.summarizer, [rival]) or [])]
        assert standing.rank_lower == 1 + len(beaten)
        assert standing.rank_upper == 6 - len(lost)


def test_the_sentence_names_the_ranks_of_the_leader_and_is_silent_where_there_is_one() -> None:
    generator = np.random.default_rng(1)
    close = np.array([[5.0], [4.9], [3.0]]) + generator.normal(size=(3, 12)) * 0.3
    sentences = analysis_sentences(compare(table(close, ["x", "y", "z"])).analysis("m"))
    assert "x is between rank 1 and 2 (95 % confidence)." in sentences
    clear = np.array([[9.0], [4.9], [3.0]]) + generator.normal(size=(3, 12)) * 0.3
    assert not any(
        "between rank" in sentence
        for sentence in analysis_sentences(compare(table(clear, ["x", "y", "z"])).analysis("m"))
    )


def test_equal_leaders_are_both_in_the_sentence_on_ranks() -> None:
    generator = np.random.default_rng(1)
    values = np.array([[5.0], [5.0], [5.0], [0.0]]) + generator.normal(size=(4, 12)) * 0.3
    values[1] = values[0][::-1]
    values[2] -= values[2].mean() - values[0].mean() + 0.1
    sentences = analysis_sentences(compare(table(values, ["x", "y", "z", "w"])).analysis("m"))
    assert "x and y are between rank 1 and 3 (95 % confidence)." in sentences


def test_without_a_test_there_are_no_limits_of_ranks_and_a_reason() -> None:
    standing = compare(table(np.array([[1.0], [2.0]]), ["x", "y"])).leaderboard("m")[0]
    assert standing.rank_lower is None
    assert standing.rank_upper is None
    assert "no letters and no interval of ranks" in standing.reason
