"""The answer: who is best and who does not differ significantly, as the tests behind the leaderboards say."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

import pyramidion
from pyramidion import load
from pyramidion.options import ReportOptions
from pyramidion.present.comparison.overview import agreement_of_pairs
from pyramidion.present.section import Dots
from pyramidion.reports import sections
from pyramidion.reports.context import Context
from pyramidion.reports.sections import make_answer
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from pyramidion.studies.comparison.pairs import Pair
from pyramidion.studies.deciding import MeasureRoles
from reports.sections_under_test import context_of, context_with, records_of


def scores_of(values: dict[str, list[float]], measure: str = "imported.judge") -> ScoreTable:
    rows = [(who, str(topic), value) for who, given in values.items() for topic, value in enumerate(given)]
    return ScoreTable.from_columns(
        measure=[measure] * len(rows),
        topic=[topic for _, topic, _ in rows],
        summarizer=[who for who, _, _ in rows],
        value=[value for _, _, value in rows],
    )


CLEAR = {
    "good": [0.9, 0.8, 0.9, 0.8, 0.9, 0.8],
    "fair": [0.5, 0.4, 0.5, 0.4, 0.5, 0.4],
    "poor": [0.1, 0, 0.1, 0, 0.1, 0],
}
"""Topics move all three alike, so that the residual variance is zero."""


def said(values: dict[str, list[float]]) -> list[str]:
    section = make_answer(context_with(scores_of(values)))
    return [section.finding, *section.sentences]


def test_a_clear_winner_is_better_than_every_other() -> None:
    # Six equal differences have p = .031 by their signs, .094 with Holm's correction for three pairs.
    assert said(CLEAR)[0] == "good leads on imported.judge, but no difference from it is significant"
    assert said({name: [*values, sum(values) / 6] for name, values in CLEAR.items()}) == snapshot(
        [
            "good is significantly better than every other system on imported.judge",
            "Its mean is 0.8500 over 7 topics; next is fair with 0.4500.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
        ]
    )


@pytest.mark.parametrize(
    ("margin", "finding", "sentence"),
    [
        (1.0, "a and b are equivalent within ±1 on imported.judge", "The two are equivalent: the interval lies within"),
        (0.1, "a is not worse than b by more than 0.1 on imported.judge", "a is not worse than b by more than the mar"),
        (
            0.01,
            "Undecided: a and b do not differ significantly on imported.judge",
            "With 8 topics nothing smaller than",
        ),
    ],
)
def test_what_a_margin_shows_is_on_the_first_screen(margin: float, finding: str, sentence: str) -> None:
    values = {"a": [0.6, 0.4, 0.9, 0.1, 0.7, 0.5, 0.8, 0.2], "b": [0.5, 0.1, 0.9, 0.2, 0.5, 0.5, 0.9, 0.2]}
    context = context_of(scores_of(values), options=ReportOptions(margin=(margin,)))
    section = make_answer(context)
    assert section.finding == finding
    assert any(text.startswith(sentence) for text in section.sentences)


def test_those_who_do_not_differ_significantly_from_the_first_are_named() -> None:
    rows = {
        "good": [0.9, 0.8, 0.9, 0.8, 0.9, 0.8],
        "fair": [0.5, 0.4, 0.4, 0.5, 0.5, 0.4],
        "poor": [0.1, 0, 0, 0.1, 0, 0.1],
        "also good": [0.8, 0.9, 0.8, 0.9, 0.8, 0.8],
    }
    assert said(rows) == snapshot(
        [
            "good leads on imported.judge; the best is among 2 of 4",
            "Its mean is 0.8500 (95 % confidence interval 0.8017 to 0.8983) over 6 topics; next is also good with 0.8333, which is not significantly worse.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
        ]
    )


def test_each_of_those_who_do_not_differ_significantly_is_named_once() -> None:
    close = {
        "second": [0.8, 0.9, 0.8, 0.9, 0.8, 0.8],
        "equal": [0.9, 0.8, 0.8, 0.8, 0.9, 0.8],
        "fourth": [0.8, 0.8, 0.9, 0.8, 0.8, 0.8],
    }
    assert said(CLEAR | close) == snapshot(
        [
            "good leads on imported.judge; the best is among 4 of 6",
            "Its mean is 0.8500 (95 % confidence interval 0.8120 to 0.8880) over 6 topics; next are equal and second with 0.8333, which are not significantly worse; nor is fourth.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
        ]
    )
    assert said(CLEAR | {name: close[name] for name in ("second", "fourth")}) == snapshot(
        [
            "good leads on imported.judge; the best is among 3 of 5",
            "Its mean is 0.8500 (95 % confidence interval 0.8107 to 0.8893) over 6 topics; next is second with 0.8333, which is not significantly worse; nor is fourth.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
        ]
    )


def test_when_nobody_differs_from_the_first_it_says_so() -> None:
    values = {
        "a": [0.1, 0.9, 0.2, 0.8, 0.3, 0.6],
        "b": [0.9, 0.1, 0.8, 0.2, 0.3, 0.5],
        "c": [0.5, 0.4, 0.1, 0.9, 0.6, 0.2],
    }
    assert said(values) == snapshot(
        [
            "a leads on imported.judge, but no difference from it is significant",
            "Its mean is 0.4833 (95 % confidence interval 0.1475 to 0.8192) over 6 topics; next is b with 0.4667.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
        ]
    )


def test_one_topic_gives_no_test_and_a_word_of_caution() -> None:
    assert said({"a": [0.1], "b": [0.2], "c": [0.3]}) == snapshot(
        [
            "c leads on imported.judge; there is too little data for a test",
            "Its mean is 0.3000 over 1 topic; next is b with 0.2000.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
            "With only 1 topic, treat this as a first look.",
        ]
    )


def test_equals_at_the_top_are_both_named() -> None:
    assert said({"a": [0.1, 0.3], "b": [0.3, 0.1], "c": [0, 0.1]}) == snapshot(
        [
            "a and b lead on imported.judge, but no difference from them is significant",
            "Their mean is 0.2000 (95 % confidence interval −0.2478 to 0.6478) over 2 topics; next is c with 0.0500.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
            "With only 2 topics, treat this as a first look.",
        ]
    )


def test_a_single_system_has_the_only_score() -> None:
    assert said({"a": [0.1, 0.3, 0.2]}) == snapshot(
        [
            "a has the only score on imported.judge",
            "Its mean is 0.2000 (95 % confidence interval −0.0484 to 0.4484) over 3 topics.",
            "Going by its name, imported.judge is a judge's score. The answer holds for this judge only.",
            "With only 3 topics, treat this as a first look.",
        ]
    )


def test_where_low_is_good_the_lowest_score_is_the_best() -> None:
    section = make_answer(context_of("demo", "js"))
    assert [section.finding, *section.sentences] == snapshot(
        [
            "new-words (15) leads on js; the best is among 7 of 20",
            "Its mean is 0.5022 (95 % confidence interval 0.4846 to 0.5198) over 11 topics (lower is better); next is telegraphic (17) with 0.5040, which is not significantly worse; nor are kl-greedy (6), submodular (13), sumbasic (5) and two others.",
            "Lengths differ: means range from 90 to 102 words. Within topics, the score's correlation with length is r = −0.20 (220 summaries).",
        ]
    )


def test_people_come_first_and_simulated_judgments_are_marked() -> None:
    context = context_of("demo", "rouge-1.recall", "rouge-2.recall", "pyramid", "question")
    section = make_answer(context)
    assert context.roles.main == ("question.overall-responsiveness", "pyramid.modified", "rouge-2.recall")
    assert [section.finding, *section.sentences] == snapshot(
        [
            "oracle (16) is significantly better than every other system on overall responsiveness",
            "Its mean, adjusted for assessors and topics, is 4.10 (95 % confidence interval 3.75 to 4.45) over 11 topics; next is kl-greedy (6) with 2.94.",
            "Overall responsiveness decides: human scores come first, and it is the most general of 7 questions. oracle (16) has the best mean on 7 of 12 measures; it is significantly worse than lead-most-recent (1) on coherence.",
            "Lengths differ: means range from 90 to 102 words. Within topics, the score's correlation with length is r = 0.06 (220 summaries).",
        ]
    )
    picture, verdicts = section.blocks
    assert isinstance(picture, Dots)
    assert picture.table.title == snapshot("Overall responsiveness (simulated judgments): adjusted means")
    assert isinstance(verdicts, Table)
    assert [row[0] for row in verdicts.rows][:2] == ["overall responsiveness\u00a0*", "pyramid.modified"]
    assert len(verdicts.rows) == len(context.comparison.measures)
    assert "* simulated judgments." in verdicts.notes


def test_the_picture_has_the_means_and_intervals_of_the_deciding_measure() -> None:
    context = context_of("demo", "rouge-2.recall", "rouge-1.recall")
    picture = make_answer(context).blocks[0]
    assert isinstance(picture, Dots)
    means = [one for one in records_of(make_answer(context).commands[0]) if one["record"] == "mean"]
    wanted = [(one["value"], one["lower"], one["upper"]) for one in means if one["measure"] == "rouge-2.recall"]
    assert [(one.value, one.lower, one.upper) for one in picture.points] == wanted
    undecided = context.comparison.undecided("rouge-2.recall") or []
    assert len(picture.strong) == 1 + len(undecided)


def two_systems(options: ReportOptions | None = None) -> Context:
    """The demo's oracle and a system that does worse, on measures that do not all agree."""
    demo = load("demo")
    kept = [one for one in demo.summaries if one.kind == "model" or one.summarizer in ("16", "6")]
    judged = [one for one in demo.judgments if one.summarizer in ("16", "6")]
    campaign = replace(demo, summaries=tuple(kept), judgments=tuple(judged), annotations=(), pyramids=())
    measures = ("rouge-1.recall", "rouge-2.recall", "question.overall-responsiveness", "question.grammaticality")
    return context_of(campaign, *measures, options=options)


def test_of_two_systems_the_paired_difference_is_the_answer_and_every_measure_has_its_sentence() -> None:
    context = two_systems()
    section = make_answer(context)
    assert [section.finding, *section.sentences] == snapshot(
        [
            "oracle (16) beats kl-greedy (6) on overall responsiveness",
            "oracle (16) scores 4.14 on average and kl-greedy (6) 3.00, over 11 topics: difference 1.14 (95 % confidence interval: 0.80 to 1.48; paired t test: p < 0.001). oracle (16) is better on 11 topics, equal on 0 and worse on 0.",
            "Overall responsiveness decides: human scores come first, and it is the most general of 2 questions. None of the 3 other measures shows a significant difference.",
        ]
    )
    (verdicts,) = section.blocks
    assert isinstance(verdicts, Dots)
    assert verdicts.zero
    assert verdicts.own
    found = {pair.measure: pair for pair in context.comparison.pairs}
    assert [verdicts.points[0].value, verdicts.counts[0]] == [
        (first := found["question.overall-responsiveness"]).difference,
        (first.win, first.tie, first.loss),
    ]
    assert [row[:2] for row in verdicts.table.rows] == snapshot(
        [
            ["overall responsiveness\xa0*", "oracle (16)"],
            ["rouge-2.recall", "undecided"],
            ["rouge-1.recall", "undecided"],
            ["grammaticality\xa0*", "undecided"],
        ]
    )
    (words,) = section.parts
    assert list(words.sentences) == [found[name].sentence for name in context.roles.ordered]


def test_a_pair_that_was_asked_for_leads_the_report_on_many_systems() -> None:
    context = context_of("demo", "rouge-1.recall", "js", options=ReportOptions(pair=(("6", "16"),)))
    section = make_answer(context)
    assert section.finding == snapshot(
        "Undecided: kl-greedy (6) and oracle (16) do not differ significantly on rouge-1.recall"
    )
    (verdicts,) = section.blocks
    assert isinstance(verdicts, Dots)
    found = {pair.measure: pair for pair in context.comparison.pairs}
    drawn = {name: point.value for name, point in zip(context.roles.ordered, verdicts.points, strict=True)}
    assert drawn == {name: pair.difference for name, pair in found.items()}
    means = {one.summarizer: one.value for one in context.comparison.leaderboard("js")}
    assert found["js"].difference == pytest.approx(means["16"] - means["6"])  # lower is better: above 0 favours 6
    assert "--pair 6 16" in section.commands[0]


@pytest.mark.parametrize(
    ("better", "expected"),
    [
        (["a"], ""),
        (["a", "", ""], snapshot("None of the 2 other measures shows a significant difference.")),
        (["a", "a"], snapshot("The other measure, m1, agrees.")),
        (
            ["a", "a", "b", ""],
            snapshot("Of the 3 other measures, 1 agrees, 1 is undecided and 1 says the opposite (m2)."),
        ),
        (["", "b"], snapshot("The other measure, m1, finds b significantly better.")),
        (
            ["", "b", "a", "a"],
            snapshot(
                "Of the 3 other measures, 3 show a significant difference: b is better on m1; a is better on m2 and m3."
            ),
        ),
        (["", ""], snapshot("The other measure, m1, does not show a significant difference.")),
    ],
)
def test_measures_agree_or_not_about_a_pair(better: list[str], expected: str) -> None:
    (pair,) = make_pairs()
    differences = {"a": 0.1, "b": -0.1, "": 0.0}
    pairs = [
        replace(pair, measure=f"m{place}", difference=differences[winner], p_adjusted=0.01)
        for place, winner in enumerate(better)
    ]
    assert [pair.better for pair in pairs] == better
    assert agreement_of_pairs(pairs) == expected


def make_pairs() -> tuple[Pair, ...]:
    return context_with(scores_of({"a": [0.1, 0.3, 0.2], "b": [0.2, 0.1, 0.3]})).comparison.pairs


def test_undecided_systems_share_a_letter_with_the_first() -> None:
    context = context_of("demo", "rouge-2.recall")
    means = [one for one in records_of(make_answer(context).commands[0]) if one["record"] == "mean"]
    shared = [one["summarizer"] for one in means[1:] if set(one["letters"]) & set(means[0]["letters"])]
    assert context.comparison.undecided("rouge-2.recall") == shared


@pytest.mark.parametrize("better", ["a", "z"])
def test_of_the_only_two_systems_the_better_one_comes_first(better: str) -> None:
    worse = "z" if better == "a" else "a"
    context = context_with(scores_of({better: [0.9, 0.7, 0.8, 0.9], worse: [0.2, 0.1, 0.3, 0.2]}))
    picture = make_answer(context).blocks[0]
    assert isinstance(picture, Dots)
    assert context.sections.pair == (better, worse)
    assert (picture.points[0].value or 0) > 0
    assert picture.counts[0] == (4, 0, 0)
    assert sections.make_pairs(context) is None


def test_a_pair_that_was_asked_for_keeps_its_order() -> None:
    asked = ReportOptions(pair=(("6", "16"),))
    assert two_systems(asked).sections.pair == ("6", "16")
    assert two_systems().sections.pair == ("16", "6")


def test_a_question_that_was_hardly_answered_does_not_decide() -> None:
    table = scores_of({"a": [1, 2, 3], "b": [2, 3, 4]}, "question.focus").join(
        scores_of({"a": [5]}, "question.overall"), scores_of({"a": [2, 2], "b": [2, 3]}, "question.coherence")
    )
    assert context_with(table).roles.deciding == "question.focus"  # the first; none is about overall quality
    alone = scores_of({"a": [5]}, "question.overall").join(scores_of({"b": [5]}, "question.focus"))
    section = make_answer(context_with(alone.join(scores_of({"a": [1], "b": [2]}, "imported.judge"))))
    assert section.finding.endswith("on imported.judge")


def test_all_who_come_next_are_named_and_a_rival_on_most_measures_too() -> None:
    table = scores_of({"a": [3, 4, 3], "b": [2, 3, 3], "c": [3, 3, 2]}, "question.focus")
    for measure in ("imported.x", "imported.y"):
        table = table.join(scores_of({"a": [0.1, 0.2, 0.3], "b": [0.5, 0.3, 0.4], "c": [0.1, 0.1, 0]}, measure))
    assert make_answer(context_with(table)).sentences[:3] == snapshot(
        (
            "Its mean is 3.33 (95 % confidence interval 2.49 to 4.18) over 3 topics; next are b and c with 2.67.",
            "Focus decides: human scores come first. a has the best mean on 1 of 3 measures; its lowest rank is second, on imported.x (not significantly worse than the best). b is best on 2.",
            "With only 3 topics, treat this as a first look.",
        )
    )


def test_of_equal_leaders_each_is_said_to_be_best_on_so_many_measures() -> None:
    table = scores_of({"a": [3, 4, 3], "b": [4, 3, 3], "c": [3, 3, 2]}, "question.focus")
    for measure in ("imported.x", "imported.y"):
        table = table.join(scores_of({"a": [0.1, 0.2, 0.3], "b": [0.5, 0.3, 0.4], "c": [0.1, 0.1, 0]}, measure))
    sentence = make_answer(context_with(table)).sentences[1]
    assert sentence.endswith("a has the best mean on 1 of 3 measures, b on 3.")


def test_a_significant_loss_is_named_and_who_shares_the_first_place_is_no_loser() -> None:
    board = {"a": [0.1, 0.2, 0.1, 0.2], "b": [0.9, 0.8, 0.9, 0.8], "c": [0.9, 0.8, 0.9, 0.8]}
    table = scores_of({"a": [4, 5, 4, 5], "b": [2, 3, 2, 2], "c": [2, 2, 2, 3]}, "question.focus").join(
        scores_of(board, "imported.x")
    )
    section = make_answer(context_with(table))
    assert section.sentences[1].endswith(
        "a has the best mean on 1 of 2 measures; it is significantly worse than the best on imported.x."
    )
    assert section.blocks[1].rows[1][-1] == "2 of 3"  # type: ignore[union-attr]


def test_two_that_share_no_topic_are_not_called_undecided() -> None:
    table = scores_of({"a": [1, 2]}, "imported.x").join(
        ScoreTable.from_columns(measure=["imported.x"], topic=["9"], summarizer=["b"], value=[3.0])
    )
    assert make_answer(context_with(table)).finding == snapshot("a and b can't be compared on imported.x")


def test_the_human_score_is_known_where_it_can_not_be_compared_as_asked() -> None:
    asked = ReportOptions(interval="percentile")  # which questions with random assessors refuse
    context = context_of("demo", "rouge-1.recall", "question.overall-responsiveness", options=asked)
    roles = MeasureRoles(table=context.table, campaign=context.campaign)
    assert roles.reference == "question.overall-responsiveness"


def test_topics_of_a_report_can_be_clustered() -> None:
    """The pair of the page is that of `compare --cluster`, and so is the command below it."""
    options = ReportOptions(pair=(("16", "2"),), cluster="parent")
    context = context_of("demo", "rouge-2.recall", options=options)
    (pair,) = context.comparison.pairs
    expected = pyramidion.compare("demo", "rouge-2.recall", pair=("16", "2"), cluster="parent").pairs[0]
    assert (pair.lower, pair.upper, pair.clusters) == (expected.lower, expected.upper, expected.clusters)
    assert pair.clusters is not None
    assert "--cluster parent" in context.sections.command("compare", ["rouge-2.recall"], context.comparison.options)
