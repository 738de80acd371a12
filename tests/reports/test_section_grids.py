"""What the page's script draws: scores by topic, and pairs; their data is compact and complete."""

import json

import numpy as np
import pytest

from pyramidion.present.section import Block, Section
from pyramidion.reports.sections import make_heat_map, make_pairs
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from reports.sections_under_test import context_of, context_with, records_of


def drawn(section: Section | None) -> Block:
    assert section is not None
    found = section.blocks[-1]
    assert isinstance(found, Block)
    json.dumps(found.data, allow_nan=False)
    return found


def test_the_heat_map_holds_every_score_best_summarizer_first_easiest_topic_first() -> None:
    context = context_of("demo", "rouge-1.recall", "question.focus")
    data = drawn(make_heat_map(context)).data
    assert [one["name"] for one in data["measures"]] == ["question.focus", "rouge-1.recall"]
    for one in data["measures"]:
        values = np.array(one["values"], dtype=float)
        assert (np.diff(values.mean(axis=1)) < 1e-3).all()
        assert (np.diff(values.mean(axis=0)) < 1e-3).all()
        matrix = context.table.matrix(one["name"])
        who, topic = one["rows"][0], one["topics"][0]
        place = matrix.summarizers.index(context.table.summarizers[who]), matrix.topics.index(data["topics"][topic])
        assert values[0, 0] == pytest.approx(matrix.values[place], abs=5e-3)


def test_a_score_that_is_missing_is_null_and_low_may_be_good() -> None:
    table = ScoreTable.from_columns(
        measure=["m"] * 3,
        topic=["1", "2", "1"],
        summarizer=["a", "a", "b"],
        value=[0.5, 0.7, 0.2],
        higher_is_better={"m": False},
    )
    one = drawn(make_heat_map(context_with(table))).data["measures"][0]
    assert one == {
        "name": "m",
        "note": "",
        "digits": 4,
        "higher": False,
        "rows": [1, 0],
        "topics": [0, 1],
        "values": [[0.2, None], [0.5, 0.7]],
    }


def test_the_matrix_of_pairs_says_what_compare_says() -> None:
    context = context_of("demo", "rouge-2.recall")
    section = make_pairs(context)
    one = drawn(section).data["measures"][0]
    names = [context.table.summarizers[row] for row in one["rows"]]
    told = {
        (names[row], names[row + 1 + place]): code
        for row, codes in enumerate(one["found"])
        for place, code in enumerate(codes)
        if code != "0"
    }
    assert section is not None
    records = records_of(section.commands[0])
    expected = {(one["a"], one["b"]): str(one["paired"] + 2 * one["nemenyi"]) for one in records}
    expected = {pair: code for pair, code in expected.items() if code != "0"}  # Tukey's test alone
    assert told == expected
    counts = section.blocks[0]
    assert isinstance(counts, Table)
    assert counts.rows[0][2] == sum(one["paired"] for one in records)
    assert counts.rows[0][3] == sum(one["tukey"] for one in records)
    assert one["test"] == "paired t tests"


def test_one_topic_or_one_summarizer_has_no_grid() -> None:
    single = ScoreTable.from_columns(measure=["m", "m"], topic=["1", "1"], summarizer=["a", "b"], value=[0.5, 0.7])
    assert make_heat_map(context_with(single)) is None
    alone = ScoreTable.from_columns(measure=["m", "m"], topic=["1", "2"], summarizer=["a", "a"], value=[0.5, 0.7])
    assert make_pairs(context_with(alone)) is None
