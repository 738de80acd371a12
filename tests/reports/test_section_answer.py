"""The answer: who is best and who does not differ significantly, as the tests behind the leaderboards say."""

from inline_snapshot import snapshot

from pyramidion.reports.sections.answer import make
from pyramidion.scores import ScoreTable
from reports.sections_under_test import context_of, context_with, records_of, table_of


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


def test_a_clear_winner_is_better_than_every_other() -> None:
    section = make(context_with(scores_of(CLEAR)))
    assert list(section.sentences) == snapshot(
        [
            "By imported.judge: good has the highest score (mean 0.8500; 95 % confidence interval 0.8500 to 0.8500), significantly better than every other system.",
            "Pairs that differ significantly (Tukey's test): 3 of 3 by imported.judge.",
        ]
    )


def test_those_who_do_not_differ_significantly_from_the_first_are_named() -> None:
    section = make(context_with(scores_of(CLEAR | {"also good": [0.8, 0.9, 0.8, 0.9, 0.8, 0.8]})))
    assert section.sentences[0] == snapshot(
        "By imported.judge: good has the highest score (mean 0.8500; 95 % confidence interval 0.8072 to 0.8928); not significantly different: also good."
    )


def test_when_nobody_differs_from_the_first_it_says_so() -> None:
    values = {
        "a": [0.1, 0.9, 0.2, 0.8, 0.3, 0.6],
        "b": [0.9, 0.1, 0.8, 0.2, 0.3, 0.5],
        "c": [0.5, 0.4, 0.1, 0.9, 0.6, 0.2],
    }
    section = make(context_with(scores_of(values)))
    assert section.sentences[0] == snapshot(
        "By imported.judge: a has the highest score (mean 0.4833; 95 % confidence interval 0.1475 to 0.8192), but does not differ significantly from any other of the 3 systems."
    )


def test_one_topic_gives_no_test_and_a_word_of_caution() -> None:
    section = make(context_with(scores_of({"a": [0.1], "b": [0.2]})))
    assert list(section.sentences) == snapshot(
        [
            "By imported.judge: b has the highest score (mean 0.2000). There is too little data for a test.",
            "With only 1 topic, treat this as a first look.",
        ]
    )


def test_equals_at_the_top_are_both_named() -> None:
    section = make(context_with(scores_of({"a": [0.1, 0.3], "b": [0.3, 0.1], "c": [0, 0.1]})))
    assert section.sentences[0] == snapshot(
        "By imported.judge: a and b have the highest score (mean 0.2000), but do not differ significantly from any other of the 3 systems."
    )


def test_where_low_is_good_the_lowest_score_is_the_best() -> None:
    section = make(context_of("demo", "js"))
    assert section.sentences[0] == snapshot(
        "By js: 15 new-words has the lowest (best) score (mean 0.5034; 95 % confidence interval 0.4856 to 0.5213); not significantly different: 17 telegraphic, 6 kl-greedy, 13 submodular, 5 sumbasic and two others."
    )


def test_people_come_first_and_simulated_judgments_are_marked() -> None:
    context = context_of("demo", "rouge-1.recall", "rouge-2.recall", "pyramid", "question")
    section = make(context)
    assert context.main == ("question.overall-responsiveness", "pyramid.modified", "rouge-2.recall")
    assert list(section.sentences) == snapshot(
        [
            "By overall responsiveness (simulated judgments): 16 oracle has the highest score (adjusted mean 4.10; 95 % confidence interval 3.75 to 4.45), significantly better than every other system.",
            "By content (pyramid.modified): 16 oracle has the highest score (mean 0.7228; 95 % confidence interval 0.6710 to 0.7745), significantly better than every other system.",
            "By rouge-2.recall: 16 oracle has the highest score (mean 0.1277; 95 % confidence interval 0.1140 to 0.1413); not significantly different: 6 kl-greedy, 14 bigram-coverage, 15 new-words, 9 textrank and seven others.",
            "Pairs that differ significantly (Tukey's test): 45 of 190 by overall responsiveness, 71 of 190 by pyramid.modified and 51 of 190 by rouge-2.recall.",
            "Of the automatic measures, rouge-1.recall correlates most highly with overall responsiveness (Pearson 0.88), rouge-2.recall least (0.86). rouge-1.recall ranks 16 oracle, first by overall responsiveness, first.",
        ]
    )
    table = table_of(section, "mean")
    assert [row[0] for row in table.rows][:2] == ["question.overall-responsiveness\u00a0*", "pyramid.modified"]
    assert "* simulated judgments." in table.notes


def test_undecided_systems_share_a_letter_with_the_first() -> None:
    context = context_of("demo", "rouge-2.recall")
    means = [one for one in records_of(make(context).commands[0]) if one["record"] == "mean"]
    shared = [one["summarizer"] for one in means[1:] if set(one["letters"]) & set(means[0]["letters"])]
    assert context.comparison.undecided("rouge-2.recall") == shared
