"""Leaderboards in the report have the numbers of `compare`, and say what is missing."""

from dataclasses import replace

import pytest

import pyramidion
from pyramidion.reports.section import Figure, Table
from pyramidion.reports.sections.leaderboards import make
from reports.people import block, context_of, repeat


def test_a_leaderboard_has_the_numbers_of_compare(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    section = make(context_of("demo", "rouge-2.recall", asked=["rouge-2.recall"]))
    means = [one for one in repeat(section.commands[0], monkeypatch, capsys) if one["record"] == "mean"]
    rows = block(section, "leaderboard-0-table", Table).rows
    assert len(rows) == len(means) == 20
    for row, one in zip(rows, means, strict=True):
        assert str(row[0]).startswith(one["summarizer"])
        assert list(row[1:]) == [one["rank"], one["value"], one["lower"], one["upper"], one["letters"], one["n"]]


def test_the_overview_marks_the_best_of_each_measure() -> None:
    table = block(make(context_of("demo", "rouge-1.recall", "question.coherence")), "overview", Table)
    for column in (1, 2):
        best = max(float(row[column]) for row in table.rows)  # type: ignore[arg-type]
        marked = [row for row, place in table.marked if place == column]
        assert marked == [place for place, row in enumerate(table.rows) if row[column] == best]


def test_where_scores_are_missing_the_adjusted_means_are_shown() -> None:
    demo = pyramidion.load("demo")
    uneven = replace(
        demo, summaries=tuple(one for one in demo.summaries if (one.topic, one.summarizer) != ("D04", "5"))
    )
    table = block(make(context_of(uneven, "rouge-1.recall")), "leaderboard-0-table", Table)
    names = [column.name for column in table.columns]
    assert names[-4:] == ["adjusted", "letters", "topics", "missing"]
    assert {row[-1] for row in table.rows} == {0, 1}


def test_a_figure_says_in_words_from_whom_to_whom_it_goes() -> None:
    section = make(context_of("demo", "rouge-1.recall"))
    words = block(section, "leaderboard-0-figure", Figure).alt
    assert words.startswith(
        "Means of 20 summarizers on rouge-1.recall with their intervals, from 16 oracle (0.4346) to "
    )
