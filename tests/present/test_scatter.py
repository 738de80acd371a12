"""The scatter of two measures: a point for each summarizer, by kind, with names where there is room."""

from dataclasses import replace
from typing import Any

import pytest

import pyramidion
from pyramidion.errors import InputError
from pyramidion.options import CorrelateOptions
from pyramidion.present.chart import Chart
from pyramidion.present.scatter import draw_scatter
from pyramidion.studies.correlations.correlations import Correlations


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


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to draw"):
        draw_scatter(Correlations(correlations=(), options=CorrelateOptions()))
