"""What a chart becomes: files by their ending, something that notebooks show, and nothing that runs."""

import html
import json
import subprocess
import sys
from pathlib import Path

import pytest

import pyramidion
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.present.chart import Chart, write_chart
from pyramidion.present.comparison.leaderboards import draw_leaderboards
from pyramidion.present.correlation.figures import draw_matrix, draw_scatter
from pyramidion.scores import ScoreTable

HOSTILE = "</svg><script>alert(1)</script>\x1b[31m'\"\\"


@pytest.fixture(scope="module")
def table() -> ScoreTable:
    return ScoreTable.from_columns(
        measure=[HOSTILE, HOSTILE, "b", "b"],
        topic=["t"] * 4,
        summarizer=[HOSTILE, "y"] * 2,
        value=[1.0, 2.0, 1.0, 3.0],
    )


@pytest.fixture(scope="module", params=["leaderboards", "matrix", "scatter"])
def chart(request: pytest.FixtureRequest, table: ScoreTable) -> Chart:
    if request.param == "leaderboards":
        return draw_leaderboards(pyramidion.compare(table))
    found = pyramidion.correlate(table, matrix=True, coefficient="kendall")
    return draw_matrix(found) if request.param == "matrix" else draw_scatter(found)


@pytest.mark.parametrize(
    ("ending", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF"), (".html", b"<!doctype html>")]
)
def test_the_ending_decides_the_format(chart: Chart, tmp_path: Path, ending: str, start: bytes) -> None:
    write_chart(chart, tmp_path / f"figure{ending}")
    assert (tmp_path / f"figure{ending}").read_bytes().startswith(start)


def test_other_endings_are_refused_and_nothing_is_written(chart: Chart, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.svg, \.png, \.pdf or \.html"):
        write_chart(chart, tmp_path / "figure.jpg")
    assert not list(tmp_path.iterdir())


def test_hostile_names_stay_text(chart: Chart) -> None:
    page = chart.to_html()
    assert "<script" not in page
    assert "alert(1)" in html.unescape(page)
    assert "\x1b" not in page


def test_a_page_is_called_what_the_chart_is_called(chart: Chart) -> None:
    assert f"<title>{html.escape(chart.title)}</title>" in chart.to_html()
    assert chart.spec["description"] == chart.title


def test_a_notebook_gets_vega_lite_and_a_drawing(chart: Chart) -> None:
    shown = chart._repr_mimebundle_(include=None, exclude=None)
    assert json.loads(json.dumps(shown["application/vnd.vegalite.v5+json"], allow_nan=False)) == chart.spec
    assert shown["image/svg+xml"].startswith("<svg")
    assert repr(chart) == f"Chart(title={chart.title!r})"


def test_drawing_works_without_the_extra_and_rendering_names_it(
    table: ScoreTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    chart = draw_leaderboards(pyramidion.compare(table))
    with pytest.raises(MissingExtraError, match=r"pip install 'pyramidion-eval\[report\]'"):
        chart.to_svg()


def test_a_renderer_that_can_not_be_loaded_is_not_called_missing(
    table: ScoreTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vl_convert.py").write_text("raise ImportError('failed to map segment')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "vl_convert", raising=False)
    with pytest.raises(UsageError, match=r"ulimit -v.*failed to map segment"):
        draw_leaderboards(pyramidion.compare(table)).to_svg()


def test_a_limit_on_memory_leaves_out_the_figure_and_not_the_report(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    limit = 3 * 2**30  # V8 reserves more than that, and would end the process

    def set_limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    command = [sys.executable, "-m", "pyramidion", "compare", "demo", "-m", "rouge-1.f", "--figure", "f.png"]
    refused = subprocess.run(command, cwd=tmp_path, preexec_fn=set_limit, capture_output=True, text=True, check=False)
    assert (refused.returncode, "ulimit -v" in refused.stderr) == (2, True)
    command = [sys.executable, "-m", "pyramidion", "report", "demo", "-m", "rouge-1.f", "-o", "r.html"]
    subprocess.run(command, cwd=tmp_path, preexec_fn=set_limit, capture_output=True, check=True)
    assert "No figure can be drawn" in (tmp_path / "r.html").read_text(encoding="utf-8")
