"""The answer: who is best and who does not differ significantly, as the tests behind the leaderboards say."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot

from pyramidion import load
from pyramidion.options import ReportOptions
from pyramidion.reports.context import Context
from pyramidion.reports.section import Dots
from pyramidion.reports.sections import pairs
from pyramidion.reports.sections.answer import make
from pyramidion.scores import ScoreTable
from pyramidion.studies.comparison.overview import agreement_of_pairs
from pyramidion.studies.comparison.pairs import Pair
from pyramidion.tables import Table
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
"""Topics move all three alike, so that the residual variance is zero: every difference is significant."""


def said(values: dict[str, list[float]]) -> list[str]:
    section = make(context_with(scores_of(values)))
    return [section.finding, *section.sentences]


def test_a_clear_winner_is_better_than_every_other() -> None:
    assert said(CLEAR) == snapshot(
        [
            "good is significantly better than every other system by imported.judge",
            "Its mean is 0.8500 (95 % confidence interval 0.8500 to 0.8500) over 6 topics; next is fair with 0.4500.",
        ]
    )


def test_those_who_do_not_differ_significantly_from_the_first_are_named() -> None:
    assert said(CLEAR | {"also good": [0.8, 0.9, 0.8, 0.9, 0.8, 0.8]}) == snapshot(
        [
            "good leads by imported.judge; one of 3 others is not significantly different",
            "Its mean is 0.8500 (95 % confidence interval 0.8072 to 0.8928) over 6 topics; next is also good with 0.8333. Not significantly different: also good.",
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
            "a leads by imported.judge, but no difference from it is significant",
            "Its mean is 0.4833 (95 % confidence interval 0.1475 to 0.8192) over 6 topics; next is b with 0.4667.",
        ]
    )


def test_one_topic_gives_no_test_and_a_word_of_caution() -> None:
    assert said({"a": [0.1], "b": [0.2], "c": [0.3]}) == snapshot(
        [
            "c leads by imported.judge; there is too little data for a test",
            "Its mean is 0.3000 over 1 topic; next is b with 0.2000.",
            "With only 1 topic, treat this as a first look.",
        ]
    )


def test_equals_at_the_top_are_both_named() -> None:
    assert said({"a": [0.1, 0.3], "b": [0.3, 0.1], "c": [0, 0.1]}) == snapshot(
        [
            "a and b lead by imported.judge, but no difference from them is significant",
            "Their mean is 0.2000 (95 % confidence interval −0.2478 to 0.6478) over 2 topics; next is c with 0.0500.",
            "With only 2 topics, treat this as a first look.",
        ]
    )


def test_a_single_system_has_the_only_score() -> None:
    assert said({"a": [0.1, 0.3, 0.2]}) == snapshot(
        [
            "a has the only score by imported.judge",
            "Its mean is 0.2000 (95 % confidence interval −0.0484 to 0.4484) over 3 topics.",
            "With only 3 topics, treat this as a first look.",
        ]
    )


def test_where_low_is_good_the_lowest_score_is_the_best() -> None:
    section = make(context_of("demo", "js"))
    assert [section.finding, *section.sentences] == snapshot(
        [
            "15 new-words leads by js; six of 19 others are not significantly different",
            "Its mean is 0.5034 (95 % confidence interval 0.4856 to 0.5213) over 11 topics (lower is better); next is 17 telegraphic with 0.5083. Not significantly different: 17 telegraphic, 6 kl-greedy, 13 submodular, 5 sumbasic and two others.",
        ]
    )


def test_people_come_first_and_simulated_judgments_are_marked() -> None:
    context = context_of("demo", "rouge-1.recall", "rouge-2.recall", "pyramid", "question")
    section = make(context)
    assert context.main == ("question.overall-responsiveness", "pyramid.modified", "rouge-2.recall")
    assert [section.finding, *section.sentences] == snapshot(
        [
            "16 oracle is significantly better than every other system by overall responsiveness",
            "Its adjusted mean is 4.10 (95 % confidence interval 3.75 to 4.45) over 11 topics; next is 6 kl-greedy with 2.94.",
            "16 oracle has the best mean on 7 of 12 measures; by grammaticality, it ranks number 9.",
        ]
    )
    picture, verdicts = section.blocks
    assert isinstance(picture, Dots)
    assert picture.table.title == snapshot(
        "question.overall-responsiveness (simulated judgments): means with 95 % confidence intervals"
    )
    assert isinstance(verdicts, Table)
    assert [row[0] for row in verdicts.rows][:2] == ["overall responsiveness\u00a0*", "pyramid.modified"]
    assert len(verdicts.rows) == len(context.comparison.measures)
    assert "* simulated judgments." in verdicts.notes


def test_the_picture_has_the_means_and_intervals_of_the_deciding_measure() -> None:
    context = context_of("demo", "rouge-2.recall", "rouge-1.recall")
    picture = make(context).blocks[0]
    assert isinstance(picture, Dots)
    means = [one for one in records_of(make(context).commands[0]) if one["record"] == "mean"]
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
    section = make(context)
    assert [section.finding, *section.sentences] == snapshot(
        [
            "16 oracle is better than 6 kl-greedy by overall responsiveness",
            "16 is better than 6 on question.overall-responsiveness: by 1.1364 on average over 11 topics (95 % confidence interval: 0.7974 to 1.4753; p < 0.001); better on 11, equal on 0, worse on 0.",
            "None of the 3 other measures shows a significant difference.",
        ]
    )
    picture, verdicts = section.blocks
    assert isinstance(picture, Dots)
    assert isinstance(verdicts, Dots)
    assert picture.zero
    assert verdicts.own
    found = {pair.measure: pair for pair in context.comparison.pairs}
    assert [picture.points[0].value, picture.counts[0]] == [
        (first := found["question.overall-responsiveness"]).difference,
        (first.win, first.tie, first.loss),
    ]
    assert [row[:2] for row in verdicts.table.rows] == snapshot(
        [
            ["overall responsiveness\xa0*", "16 oracle is better"],
            ["rouge-2.recall", "undecided"],
            ["rouge-1.recall", "undecided"],
            ["grammaticality\xa0*", "undecided"],
        ]
    )
    (words,) = section.parts
    assert list(words.sentences) == [found[name].sentence for name in context.ordered]


def test_a_pair_that_was_asked_for_leads_the_report_on_many_systems() -> None:
    context = context_of("demo", "rouge-1.recall", "js", options=ReportOptions(pair=(("6", "16"),)))
    section = make(context)
    assert section.finding == snapshot(
        "Undecided: 6 kl-greedy and 16 oracle do not differ significantly by rouge-1.recall"
    )
    verdicts = section.blocks[1]
    assert isinstance(verdicts, Dots)
    found = {pair.measure: pair for pair in context.comparison.pairs}
    drawn = {name: point.value for name, point in zip(context.ordered, verdicts.points, strict=True)}
    assert drawn == {"rouge-1.recall": found["rouge-1.recall"].difference, "js": -(found["js"].difference or 0)}
    assert "--pair 6 16" in section.commands[0]


@pytest.mark.parametrize(
    ("better", "expected"),
    [
        (["a"], ""),
        (["a", "", ""], snapshot("None of the 2 other measures shows a significant difference.")),
        (["a", "a"], snapshot("The other measure, m1, agrees.")),
        (
            ["a", "a", "b", ""],
            snapshot("Of the 3 other measures, one agrees, one is undecided and one says the opposite (m2)."),
        ),
        (["", "b"], snapshot("The other measure, m1, finds b significantly better.")),
        (
            ["", "b", "a", "a"],
            snapshot(
                "Of the 3 other measures, three decide: b is significantly better by m1; a is significantly better by m2 and m3."
            ),
        ),
        (["", ""], snapshot("The other measure, m1, does not show a significant difference.")),
    ],
)
def test_measures_agree_or_not_about_a_pair(better: list[str], expected: str) -> None:
    (pair,) = make_pairs()
    pairs = [replace(pair, measure=f"m{place}", better=who) for place, who in enumerate(better)]
    assert agreement_of_pairs(pairs) == expected


def make_pairs() -> tuple[Pair, ...]:
    return context_with(scores_of({"a": [0.1, 0.3, 0.2], "b": [0.2, 0.1, 0.3]})).comparison.pairs


def test_undecided_systems_share_a_letter_with_the_first() -> None:
    context = context_of("demo", "rouge-2.recall")
    means = [one for one in records_of(make(context).commands[0]) if one["record"] == "mean"]
    shared = [one["summarizer"] for one in means[1:] if set(one["letters"]) & set(means[0]["letters"])]
    assert context.comparison.undecided("rouge-2.recall") == shared


@pytest.mark.parametrize("better", ["a", "z"])
def test_of_the_only_two_systems_the_better_one_comes_first(better: str) -> None:
    worse = "z" if better == "a" else "a"
    context = context_with(scores_of({better: [0.9, 0.7, 0.8, 0.9], worse: [0.2, 0.1, 0.3, 0.2]}))
    picture = make(context).blocks[0]
    assert isinstance(picture, Dots)
    assert context.pair == (better, worse)
    assert (picture.points[0].value or 0) > 0
    assert picture.counts[0] == (4, 0, 0)
    assert pairs.make(context) is None


def test_a_pair_that_was_asked_for_keeps_its_order() -> None:
    asked = ReportOptions(pair=(("6", "16"),))
    assert two_systems(asked).pair == ("6", "16")
    assert two_systems().pair == ("16", "6")
