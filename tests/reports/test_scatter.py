"""The scatter of two measures and the matrix of correlations: drawn, complete, and safe with hostile names."""

from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.errors import InputError, UsageError
from pyramidion.reports import write_matrix, write_scatter
from pyramidion.reports.figures import scatter
from pyramidion.scores import ScoreTable
from pyramidion.studies import Correlations


@pytest.fixture(scope="module")
def found() -> Correlations:
    return pyramidion.correlate("demo", ["rouge-2.recall", "js"], with_="question.overall-responsiveness", peers="all")


def rows_of(chart: Any) -> list[dict[str, Any]]:
    (rows,) = chart.to_dict()["datasets"].values()
    return list(rows)


@pytest.mark.parametrize(("ending", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".html", b"<!doctype html>")])
def test_both_are_written_in_every_form(found: Correlations, tmp_path: Path, ending: str, start: bytes) -> None:
    write_scatter(found, tmp_path / f"scatter{ending}")
    write_matrix(found, tmp_path / f"matrix{ending}")
    assert (tmp_path / f"scatter{ending}").read_bytes().startswith(start)
    assert (tmp_path / f"matrix{ending}").read_bytes().startswith(start)


def test_the_scatter_has_a_point_for_each_summarizer_with_humans_apart(found: Correlations, tmp_path: Path) -> None:
    campaign = pyramidion.load("demo")
    kinds = {point.summarizer: campaign.kind_of(point.summarizer) for point in found.points}
    write_scatter(found, tmp_path / "scatter.svg", kinds=kinds)
    drawing = (tmp_path / "scatter.svg").read_text(encoding="utf-8")
    assert all(f">{word}<" in drawing for word in ("human", "baseline", "participant", "rouge-2.recall", "js"))
    drawn = rows_of(scatter._panel([point for point in found.points if point.measure == "js"], kinds))
    assert len(drawn) == 24
    assert sum(row["kind"] == "human" for row in drawn) == 4


def test_the_matrix_shows_every_value_on_both_sides_and_a_dash_for_none() -> None:
    rows = [("same", 1.0, 1.0), ("a", 1.0, 2.0), ("b", 2.0, 3.0)]
    table = ScoreTable.from_columns(
        measure=[name for name, *_ in rows for _ in (0, 1)],
        topic=["t"] * 6,
        summarizer=["x", "y"] * 3,
        value=[value for _, *values in rows for value in values],
    )
    matrix = pyramidion.correlate(table, coefficients=["kendall"])
    drawn = rows_of(scatter._squares(list(matrix.correlations)))
    shown = {(row["row"], row["column"]): row["text"] for row in drawn}
    assert shown["a", "b"] == shown["b", "a"] == "1.00"
    assert shown["same", "a"] == "–"
    assert len(shown) == 9


def test_hostile_names_do_no_harm(tmp_path: Path) -> None:
    name = "</svg><script>alert(1)</script>\x1b[31m'\"\\"
    table = ScoreTable.from_columns(
        measure=[name, name, "b", "b"], topic=["t"] * 4, summarizer=["x", "y"] * 2, value=[1.0, 2.0, 1.0, 3.0]
    )
    matrix = pyramidion.correlate(table, coefficients=["kendall"])
    for write in (write_scatter, write_matrix):
        write(matrix, tmp_path / "figure.html")
        assert "<script" not in (tmp_path / "figure.html").read_text(encoding="utf-8")


def test_nothing_to_draw_and_endings_that_can_not_be_written_are_refused(found: Correlations, tmp_path: Path) -> None:
    for write in (write_scatter, write_matrix):
        with pytest.raises(UsageError, match=r"\.svg"):
            write(found, tmp_path / "figure.pdf")
        with pytest.raises(InputError, match="not a single"):
            write(Correlations(correlations=()), tmp_path / "figure.svg")
    assert not list(tmp_path.iterdir())
