"""Leaderboards."""

from dataclasses import replace

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.errors import UsageError
from pyramidion.present.comparison.leaderboards import analysis_sentences, leaderboard_notes
from pyramidion.scores import ScoreTable


def table(values: dict[str, list[float]], *, higher_is_better: bool = True) -> ScoreTable:
    cells = [(who, f"t{topic}", value) for who, row in values.items() for topic, value in enumerate(row)]
    return ScoreTable.from_columns(
        measure=["m"] * len(cells),
        topic=[cell[1] for cell in cells],
        summarizer=[cell[0] for cell in cells],
        value=[cell[2] for cell in cells],
        higher_is_better={"m": higher_is_better},
    )


THREE = {"a": [1.0, 2.0, 3.5], "b": [4.0, 5.5, 6.0], "c": [4.0, 5.5, 6.0]}


def test_the_best_comes_first_and_equals_share_a_rank() -> None:
    board = compare(table(THREE)).leaderboard("m")
    assert [(standing.summarizer, standing.rank) for standing in board] == [("b", 1), ("c", 1), ("a", 3)]


def test_the_order_of_rows_in_a_table_changes_no_draw() -> None:
    rows = {who: list(np.random.default_rng(seed).normal(size=25)) for seed, who in enumerate("abc")}
    given = table(rows)
    turned = replace(given, frame=given.frame[::-1])
    first, second = (
        compare(one, interval="percentile", pair=[("a", "b")], permutations=999) for one in (given, turned)
    )
    assert first.pairs[0].p == second.pairs[0].p
    for ours, theirs in zip(first.standings, second.standings, strict=True):
        assert ours.summarizer == theirs.summarizer
        assert (ours.lower, ours.upper) == pytest.approx((theirs.lower, theirs.upper), rel=1e-12)


def test_where_low_is_good_the_lowest_comes_first() -> None:
    board = compare(table(THREE, higher_is_better=False)).leaderboard("m")
    assert board[0].summarizer == "a"


def test_a_missing_topic_is_counted() -> None:
    board = compare(table({"a": [1.0, 2.0, 3.5], "b": [4.0, 5.5]})).leaderboard("m")
    assert {standing.summarizer: (standing.n, standing.missing) for standing in board} == {"a": (3, 0), "b": (2, 1)}


def test_a_single_topic_leaves_no_interval() -> None:
    board = compare(table({"a": [1.0], "b": [2.0]})).leaderboard("m")
    assert all(standing.lower is None and standing.upper is None for standing in board)


def test_both_kinds_of_interval_contain_the_mean() -> None:
    for method in ("t", "percentile"):
        for standing in compare(table(THREE), interval=method).standings:
            assert standing.lower is not None
            assert standing.upper is not None
            assert standing.lower <= standing.value <= standing.upper


@pytest.mark.parametrize("options", [{"confidence": 0}, {"confidence": 100}, {"resamples": 0}])
def test_impossible_levels_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        compare(table(THREE), **options)  # type: ignore[arg-type]  # whichever option it is


def test_the_measures_of_a_table_are_chosen_by_name_by_family_or_as_objects() -> None:
    import pyramidion
    from pyramidion.measures.registry import select

    scored = pyramidion.score("demo", ["rouge-1", "rouge-2.recall"])
    assert pyramidion.compare(scored, "rouge-1").measures == ("rouge-1.recall", "rouge-1.precision", "rouge-1.f")
    assert pyramidion.compare(scored, select("rouge-2.recall")).measures == ("rouge-2.recall",)
    with pytest.raises(UsageError, match="no measure 'rouge-3'"):
        pyramidion.compare(scored, ["rouge-3"])


def test_with_missing_scores_ranks_and_letters_have_one_order_the_adjusted_one() -> None:
    # x is the best on the hard topics that it has; its plain mean is the lowest
    rows = {"x": [2.1, 1.1, 0.2], "y": [2.0, 1.0, 0.0, 5.0, 6.1, 7.0], "z": [1.0, 0.0, -0.9, 4.0, 5.0, 6.0]}
    comparison = compare(table(rows))
    board = comparison.leaderboard("m")
    assert min(board, key=lambda one: one.value).summarizer == "x"
    assert [one.summarizer for one in board] == list(comparison.analysis("m").letters) == ["x", "y", "z"]
    assert [one.rank for one in board] == [1, 2, 3]
    assert any("adjusted (least-squares) means" in note for note in leaderboard_notes(comparison.analysis("m")))


def test_a_studentized_interval_of_few_topics_says_what_it_needs() -> None:
    few = compare(table(THREE), interval="studentized").leaderboard("m")
    assert {(one.lower, one.reason) for one in few} == {
        (None, "a studentized interval needs at least 8 topics with scores that vary")
    }


def test_it_is_said_where_ranks_and_means_decide_differently() -> None:
    rows = {"a": [1.1] * 9 + [0.0], "b": [1.0] * 9 + [2.0]}  # a little better on nine topics, far worse on one
    sentences = analysis_sentences(compare(table(rows)).analysis("m"))
    assert sentences[-1] == (
        "Friedman's test over 10 topics: χ²(1) = 6.40, exact p = 0.021. The difference is significant by ranks within "
        "topics, but not by means; the verdicts here are about means."
    )
    same = compare(table({"a": [1.1, 1.2, 1.1, 1.3] * 2, "b": [1.0, 1.1, 1.0, 1.1] * 2}))
    assert "verdicts" not in analysis_sentences(same.analysis("m"))[-1]


def test_who_asks_for_components_does_not_wait_for_letters_and_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nobody asked for this test")

    for name in ("two_way_anova", "friedman_test", "tukey_test", "assign_letters", "check_variances"):
        monkeypatch.setattr(f"pyramidion.studies.comparison.analysis.{name}", refuse)
    comparison = compare("demo", "question.overall-responsiveness")
    components = comparison.only("component")
    assert {record["record"] for record in components.records()} == {"component"}
    assert [shown.record for shown in components.tables()] == ["component"]
    with pytest.raises(AssertionError, match="nobody asked"):
        comparison.tables()
