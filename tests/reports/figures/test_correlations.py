"""Correlations drawn: every two measures as a matrix, and each with one measure as dots with intervals."""

import pytest

import pyramidion
from pyramidion.errors import InputError
from pyramidion.options import CorrelateOptions
from pyramidion.reports.figures.correlations import draw_correlations, draw_matrix
from pyramidion.scores import ScoreTable
from pyramidion.studies.correlations import Correlations


def test_the_matrix_shows_every_value_on_both_sides_and_a_dash_for_none() -> None:
    rows = [("same", 1.0, 1.0), ("a", 1.0, 2.0), ("b", 2.0, 3.0)]
    table = ScoreTable.from_columns(
        measure=[name for name, *_ in rows for _ in (0, 1)],
        topic=["t"] * 6,
        summarizer=["x", "y"] * 3,
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


def test_nothing_to_draw_is_refused() -> None:
    for draw in (draw_correlations, draw_matrix):
        with pytest.raises(InputError, match="no correlations to draw"):
            draw(Correlations(correlations=(), options=CorrelateOptions()))
