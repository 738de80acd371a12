"""Correlations drawn: a matrix of every two measures, dots with intervals, tests, and summarizers as points."""

from dataclasses import replace
from typing import Any

import pytest

import pyramidion
from pyramidion.errors import InputError
from pyramidion.options import CorrelateOptions
from pyramidion.present.chart import Chart
from pyramidion.present.correlation.figures import draw_correlations, draw_matrix, draw_scatter, draw_tests
from pyramidion.present.registry import draw
from pyramidion.scores import ScoreTable
from pyramidion.studies.correlations.correlations import Correlations


def test_the_matrix_shows_every_value_on_both_sides_and_a_dash_for_none() -> None:
    rows = [("same", 1.0, 1.0, 1.0), ("a", 1.0, 2.0, 4.0), ("b", 2.0, 3.0, 3.5)]
    table = ScoreTable.from_columns(
        measure=[name for name, *_ in rows for _ in range(3)],
        topic=["t"] * 9,
        summarizer=["x", "y", "z"] * 3,
        value=[value for _, *values in rows for value in values],
    )
    (panel,) = draw_matrix(pyramidion.correlate(table, matrix=True, coefficient="kendall")).spec["concat"]
    drawn = panel["data"]["values"]
    shown = {(row["row"], row["column"]): row["text"] for row in drawn}
    assert shown["a", "b"] == shown["b", "a"] == "1.00"
    assert shown["same", "a"] == "–"
    assert len(shown) == 9


def test_dots_have_the_values_and_limits_of_the_correlations() -> None:
    found = pyramidion.correlate(
        "demo", ["rouge-2.recall", "js"], with_="question.focus", coefficient="pearson", level=["system", "topic"]
    )
    zero, dots = draw_correlations(found).spec["layer"]
    assert zero["mark"]["type"] == "rule"
    drawn = {(row["name"], row["group"]): row for row in dots["data"]["values"]}
    assert len(drawn) == len(found.correlations) == 4
    for one in found.correlations:
        row = drawn[one.measure, f"{one.level} level"]
        assert (row["value"], row["lower"], row["upper"]) == (one.value, one.lower, one.upper)


def test_who_beats_whom_is_drawn_both_ways_with_the_corrected_p() -> None:
    found = pyramidion.correlate(
        "demo",
        ["rouge-1.recall", "rouge-2.recall", "js"],
        with_="question.focus",
        coefficient="pearson",
        test="williams",
    )
    (panel,) = draw_tests(found).spec["concat"]
    drawn = {(row["row"], row["column"]): row for row in panel["data"]["values"]}
    assert len(drawn) == 6
    turned = {"better": "worse", "worse": "better", "not significant": "not significant"}
    for test in found.tests:
        row, back = drawn[test.first, test.second], drawn[test.second, test.first]
        assert test.p_adjusted is not None
        assert row["text"] == back["text"] == f"{test.p_adjusted:.3f}"
        assert (row["verdict"] == "not significant") == (test.p_adjusted >= 0.05)
        assert back["verdict"] == turned[row["verdict"]]
    assert panel["encoding"]["y"]["sort"] == [one.measure for one in found.ranked("question.focus")]
    assert draw(found) == draw_tests(found)
    with pytest.raises(InputError, match="no tests to draw"):
        draw_tests(Correlations(correlations=(), options=CorrelateOptions()))


def test_without_correlations_nothing_is_drawn() -> None:
    for drawing in (draw_correlations, draw_matrix):
        with pytest.raises(InputError, match="no correlations to draw"):
            drawing(Correlations(correlations=(), options=CorrelateOptions()))


@pytest.fixture(scope="module")
def found() -> Correlations:
    found = pyramidion.correlate("demo", ["rouge-2.recall", "js"], with_="question.overall-responsiveness", peers="all")
    campaign = pyramidion.load("demo")
    return replace(found, kinds={point.summarizer: campaign.kind_of(point.summarizer) for point in found.points})


def rows_of(chart: Chart) -> dict[str, list[dict[str, Any]]]:
    """By the title of the vertical axis."""
    return {panel["encoding"]["y"]["title"]: panel["data"]["values"] for panel in chart.spec["concat"]}


def test_it_has_a_point_for_each_summarizer_with_humans_apart(found: Correlations) -> None:
    chart = draw_scatter(found)
    drawing = chart.to_svg()
    assert all(f">{word}<" in drawing for word in ("human", "baseline", "participant", "rouge-2.recall", "js"))
    drawn = rows_of(chart)["js"]
    assert len(drawn) == 24
    assert sum(row["kind"] == "human" for row in drawn) == 4


def test_names_stand_where_there_is_room_and_nowhere_else(found: Correlations) -> None:
    drawn = rows_of(draw_scatter(found, named=True))["js"]
    sides = {row["side"] for row in drawn}
    assert {"right", "left"} <= sides <= {"right", "left", ""}
    assert "side" not in rows_of(draw_scatter(found))["js"][0]


def test_without_points_nothing_is_drawn() -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        draw_scatter(Correlations(correlations=(), options=CorrelateOptions()))
