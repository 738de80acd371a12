"""What `compare` says over all measures, for whom it holds, and what to do next: one test for each sentence."""

from collections.abc import Mapping, Sequence

import pytest

import pyramidion
from pyramidion.options import PeerChoice
from pyramidion.scores import ScoreTable


def table_of(values: Mapping[str, Mapping[str, Sequence[float]]]) -> ScoreTable:
    """By measure and system, the scores on topics 0, 1, …"""
    rows = [
        (measure, str(topic), system, float(value))
        for measure, by_system in values.items()
        for system, scores in by_system.items()
        for topic, value in enumerate(scores)
    ]
    measures, topics, systems, scores = zip(*rows, strict=True)
    return ScoreTable.from_columns(measure=measures, topic=topics, summarizer=systems, value=scores)


WEAK: dict[str, list[float]] = {"a": [3, 5, 4, 6, 5, 7, 4, 6], "b": [2, 4.5, 4.2, 4, 4.8, 6, 4.1, 5]}
"""A paired t test of these has p = 0.034 (scipy.stats.ttest_rel)."""
NONE: dict[str, list[float]] = {"a": [3, 5, 4, 6, 5, 7, 4, 6], "b": [4, 4, 5, 5, 6, 6, 5, 5]}


def test_a_difference_on_one_of_several_measures_is_corrected_for_their_number() -> None:
    table = table_of({"imported.m1": WEAK, "imported.m2": NONE, "imported.m3": NONE})
    sentences = pyramidion.compare(table, pair=[("a", "b")]).sentences()
    assert "Significant on 1 of 3 measures; none after Holm's correction for 3." in sentences


def test_the_first_measure_asked_for_is_primary() -> None:
    table = table_of({"imported.m1": WEAK, "imported.m2": NONE})
    sentences = pyramidion.compare(table, ["imported.m2", "imported.m1"], pair=[("a", "b")]).sentences()
    assert sentences[0].startswith("Undecided: no significant difference between a and b on imported.m2")
    assert sentences[2].endswith("imported.m2 is primary; the other is secondary.")


def test_what_holds_on_all_measures_after_correction_is_said_to() -> None:
    clear = {"a": [3.1, 5, 4.2, 6, 5.3, 7, 4, 6.1], "b": [1, 3.1, 2, 4.1, 3, 5.2, 2, 4]}
    sentences = pyramidion.compare(table_of({"imported.m1": clear, "imported.m2": clear})).sentences()
    assert "Significant on all 2 measures, also after Holm's correction for 2." in sentences


@pytest.mark.parametrize(("measure", "rater"), [("imported.gpt-judge", "judge"), ("imported.bertscore", "")])
def test_the_scores_of_one_judge_hold_for_this_judge_only(measure: str, rater: str) -> None:
    sentences = pyramidion.compare(table_of({measure: WEAK})).sentences()
    said = [sentence for sentence in sentences if sentence.startswith("One ")]
    assert said == (
        [f"One {rater}: this holds for this {rater} only; another may rank the systems differently."] if rater else []
    )


def test_the_answers_of_one_assessor_hold_for_this_assessor_only() -> None:
    rows = [
        {
            "topic": str(topic),
            "summarizer": system,
            "summary": "A ferry burned.",
            "references": ["A ferry caught fire."],
            "judgments": {"overall": {"Ann": value}},
        }
        for system, scores in WEAK.items()
        for topic, value in enumerate(scores)
    ]
    sentences = pyramidion.compare(rows, "question.overall").sentences()
    assert "One assessor: this holds for this assessor only; another may rank the systems differently." in sentences


def test_an_undecided_pair_without_a_margin_comes_with_the_next_step() -> None:
    step = "Four times as many topics would halve the interval; pyramidion power plans for a difference that matters"
    undecided = pyramidion.compare(table_of({"imported.m": NONE})).sentences()
    assert any(sentence.startswith(step) for sentence in undecided)
    with_margin = pyramidion.compare(table_of({"imported.m": NONE}), pair=[("a", "b")], margin="0.5").sentences()
    assert not any(sentence.startswith(step) for sentence in with_margin)


def test_where_topics_are_clustered_the_next_step_is_more_clusters() -> None:
    rows = [
        {"topic": f"t{topic}", "system": system, "judge": score, "area": topic % 4}
        for system, scores in NONE.items()
        for topic, score in enumerate(scores)
    ]
    sentences = pyramidion.compare(rows, "judge", cluster="area").sentences()
    assert any(sentence.startswith("Four times as many clusters would halve the interval") for sentence in sentences)


CLOSE = {"a": [3.0, 5, 4, 6, 5, 7, 4, 6], "b": [3.1, 4.9, 4.1, 5.9, 5.1, 6.9, 4.1, 5.9]}


def test_a_pair_that_a_margin_decides_is_not_called_undecided() -> None:
    equivalent = pyramidion.compare(table_of({"imported.m": CLOSE}), pair=[("a", "b")], margin="0.5").sentences()[0]
    assert equivalent.startswith("No significant difference between a and b on imported.m: ")
    assert equivalent.endswith("The two are equivalent: the interval lies within ±0.5000.")
    wide = pyramidion.compare(table_of({"imported.m": NONE}), pair=[("a", "b")], margin="0.5").sentences()[0]
    assert wide.startswith("With 8 topics nothing smaller than ±")
    assert "Undecided: no significant difference" in wide


def test_of_many_pairs_those_that_a_margin_decides_are_counted() -> None:
    systems = {name: [value + place / 100 for value in CLOSE["a"]] for place, name in enumerate("stuv")}
    systems["w"] = [1.0, 9, 2, 8, 3, 9, 1, 8]
    comparison = pyramidion.compare(table_of({"imported.m": systems}), all_pairs=True, margin="5")
    verdicts = [pair.verdict for pair in comparison.pairs]
    equivalent, undecided = verdicts.count("equivalent"), verdicts.count("undecided")
    assert (len(verdicts), equivalent > 1) == (10, True)
    sentences = comparison.sentences()
    assert f"{equivalent} pairs equivalent within the margin." in sentences
    assert any(sentence.startswith(f"{undecided} pair") for sentence in sentences) == bool(undecided)


def test_equal_leaders_are_all_named() -> None:
    equal = [3, 4, 3, 4, 3, 4]
    table = table_of(
        {"imported.m": {"a": equal, "b": equal, "c": equal, "d": [1, 2, 1, 1, 2, 2], "e": [3, 4, 3, 4, 3, 3]}}
    )
    assert "Not significantly different from the best systems, a, b and c: e." in pyramidion.compare(table).sentences()


def test_a_significant_test_of_all_systems_without_a_significant_pair_is_explained() -> None:
    # By scipy: F(3, 15) = 3.64, p = 0.037; studentized range of the largest difference: p = 0.065.
    scores = {
        "a": [2.9, 4.2, 2.9, 3.2, 3.4, 3.5],
        "b": [3.7, 3.3, 3.7, 2.7, 3.4, 3.3],
        "c": [2.6, 2.8, 2.3, 2.6, 3.0, 2.6],
        "d": [2.5, 2.3, 3.4, 3.4, 3.0, 2.9],
    }
    sentences = pyramidion.compare(table_of({"imported.m": scores})).sentences()
    assert "The systems differ, but no pair that differs can be named." in sentences


def test_lengths_are_compared_in_words_and_not_called_better() -> None:
    sentences = pyramidion.compare("demo", "length", pair=[("16", "1")]).sentences()
    assert sentences[0].startswith("Summaries of 16 are 9.0909 words longer than those of 1 on average over 11 topics")
    assert "better" not in sentences[0]


def test_equal_on_a_single_topic_is_said_in_plain_words() -> None:
    sentences = pyramidion.compare(table_of({"imported.m": {"a": [1], "b": [1]}})).sentences()
    assert sentences[0].endswith("; equal on the only topic.")


@pytest.mark.parametrize(
    ("peers", "kind", "other"), [("all", "summarizer", "system"), ("systems", "system", "summarizer")]
)
def test_the_compared_are_summarizers_where_humans_are_among_them_and_systems_otherwise(
    peers: PeerChoice, kind: str, other: str
) -> None:
    """The demonstration has four humans."""
    comparison = pyramidion.compare("demo", "question.overall-responsiveness", peers=peers, fragility=True)
    sentences = " ".join(comparison.sentences())
    assert f"effect of {kind}:" in sentences
    assert other not in sentences.lower()
    (leaderboard, *_) = comparison.tables()
    heads = [column.title for column in leaderboard.columns]
    assert kind in heads
    assert other not in heads
