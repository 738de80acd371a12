"""The answer: who is ahead and who is tied, as the tests behind the leaderboards say."""

import pytest

from pyramidion.reports.section import Table
from pyramidion.reports.sections.answer import make
from pyramidion.scores import ScoreTable
from reports.people import block, context_of, context_with, repeat


def table_of(values: dict[str, list[float]], measure: str = "imported.judge") -> ScoreTable:
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
"""Topics move all three alike, so that nothing is left over: every difference counts."""


def test_a_clear_winner_is_said_to_be_better_than_every_other() -> None:
    section = make(context_with(table_of(CLEAR)))
    assert section.sentences[0].startswith("By imported.judge, good is ahead (mean 0.8500")
    assert section.sentences[0].endswith(", and better than every other.")
    assert "tells apart 3 of 3 pairs by imported.judge" in section.sentences[1]


def test_those_who_are_not_told_apart_from_the_first_are_named() -> None:
    values = CLEAR | {"also good": [0.8, 0.9, 0.8, 0.9, 0.8, 0.8]}
    section = make(context_with(table_of(values)))
    assert section.sentences[0].endswith(", not told apart from also good.")


def test_when_nobody_is_told_apart_it_is_said() -> None:
    values = {
        "a": [0.1, 0.9, 0.2, 0.8, 0.3, 0.6],
        "b": [0.9, 0.1, 0.8, 0.2, 0.3, 0.5],
        "c": [0.5, 0.4, 0.1, 0.9, 0.6, 0.2],
    }
    section = make(context_with(table_of(values)))
    assert section.sentences[0].endswith(", but not told apart from any other of the 3.")


def test_one_topic_gives_no_test_and_a_word_of_caution() -> None:
    section = make(context_with(table_of({"a": [0.1], "b": [0.2]})))
    assert section.sentences[0] == "By imported.judge, b is ahead (mean 0.2000); no test can say how sure that is."
    assert section.sentences[-1] == "There is one topic: take all of this as a first look."


def test_equals_at_the_top_are_both_ahead() -> None:
    section = make(context_with(table_of({"a": [0.1, 0.3], "b": [0.3, 0.1], "c": [0, 0.1]})))
    assert section.sentences[0].startswith("By imported.judge, a and b are ahead (mean 0.2000)")


def test_people_come_first_and_simulated_judgments_are_said_to_be_such() -> None:
    context = context_of("demo", "rouge-1.recall", "rouge-2.recall", "pyramid", "question")
    section = make(context)
    assert context.main == ("question.overall-responsiveness", "pyramid.modified", "rouge-2.recall")
    assert section.sentences[0].startswith("By overall responsiveness (simulated judgments), 16 oracle is ahead (mean ")
    assert "agrees best with overall responsiveness (simulated judgments): Pearson " in section.sentences[-1]
    table = block(section, "answer-table", Table)
    assert [row[0] for row in table.rows][:2] == ["question.overall-responsiveness\u00a0*", "pyramid.modified"]
    assert "* simulated judgments." in table.below


def test_ties_and_letters_say_the_same(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    context = context_of("demo", "rouge-2.recall", asked=["rouge-2.recall"])
    means = [one for one in repeat(make(context).commands[0], monkeypatch, capsys) if one["record"] == "mean"]
    shared = [one["summarizer"] for one in means[1:] if set(one["letters"]) & set(means[0]["letters"])]
    assert context.comparison.undecided("rouge-2.recall") == shared
