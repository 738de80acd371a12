"""Columns of a score table from a file: ours keep their names, others are imported."""

from __future__ import annotations

from dataclasses import replace

import pytest

import pyramidion
from pyramidion.errors import InputError
from pyramidion.measures.columns import named, with_directions
from pyramidion.measures.registry import select_all
from pyramidion.scores import Score, ScoreTable


def table_of(*names: str) -> ScoreTable:
    return ScoreTable.of(Score(name, "D1", "S1", 1) for name in names)


def test_measures_of_ours_keep_their_names_and_others_are_imported() -> None:
    names = ("rouge-2.recall", "rouge-1(stem=yes).f", "js", "judge", "gpt 4", "imported.bert", "question.focus")
    assert named(table_of(*names)).measures == (
        "rouge-2.recall",
        "rouge-1.f",
        "js",
        "imported.judge",
        'imported."gpt 4"',
        "imported.bert",
        "question.focus",
    )


def test_naming_twice_changes_nothing() -> None:
    once = named(table_of("js", "judge", "imported(better=low).ppl"))
    assert named(once) == once


def test_directions_come_from_the_file_or_the_measure() -> None:
    table = named(replace(table_of("js", "judge", "imported(better=low).ppl"), higher_is_better={"judge": False}))
    assert [table.is_higher_better(name) for name in table.measures] == [False, False, False]


def test_two_columns_of_one_name_are_an_error() -> None:
    with pytest.raises(InputError, match="more than once"):
        named(table_of("judge", "imported.judge"))


def test_a_direction_that_is_asked_for_gives_a_column_of_its_own() -> None:
    table = with_directions(named(table_of("ppl", "judge")), select_all(["imported(better=low).ppl"]))
    assert table.measures == ("imported.ppl", "imported.judge", "imported(better=low).ppl")
    assert [table.is_higher_better(name) for name in table.measures] == [True, True, False]


def test_scoring_tells_the_kind_of_every_summarizer() -> None:
    table = pyramidion.score("demo", "rouge-1.recall", peers="all")
    assert set(table.summarizers) <= table.kinds.keys()
    assert {table.kinds[who] for who in table.summarizers} == {"human", "baseline", "participant"}
