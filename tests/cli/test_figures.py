"""Every figure of a command and of the report is valid Vega-Lite: nothing else checks the dictionaries."""

import importlib.util
import json
import pkgutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import pyramidion
from cli.running import Run
from pyramidion import present
from pyramidion.present.chart import Chart
from pyramidion.present.registry import draw

DEMO = ("demo", "-m", "rouge-2.recall", "-m", "js")
WITH = ("--with", "question.focus")
FEW_DESIGNS = ("--most-assessors", "6", "--most-topics", "90")
FIGURES = {
    "draw_leaderboards": ("compare", *DEMO, "-m", "question.focus"),
    "draw_scatter": ("correlate", *DEMO, *WITH, "--peers", "all"),
    "draw_correlations": ("correlate", *DEMO, *WITH, "--draw", "intervals", "--level", "system", "--level", "topic"),
    "draw_tests": ("correlate", *DEMO, *WITH, "--test", "williams", "--coefficient", "pearson"),
    "draw_matrix": ("correlate", *DEMO, "--matrix"),
    "draw_power": ("power", "demo", "-m", "rouge-2.recall"),
    "draw_designs": ("design", "demo", "-m", "question.focus", "--difference", "0.8", *FEW_DESIGNS),
    "draw_frequencies": ("judgments", "frequencies", "demo"),
    "draw_coefficients": ("judgments", "regression", "demo"),
    "draw_alphas": ("judgments", "agreement", "demo", "--resamples", "100"),
    "draw_severities": ("judgments", "describe", "demo"),
    "draw_pyramids": ("pyramid", "show", "demo", "--topic", "D02", "--summarizer", "16"),
    "draw_sample_sizes": ("study", "topics", *DEMO, *WITH, "--resamples", "20", "--by", "part"),
    "draw_heterogeneity": ("study", "heterogeneity", "demo", "-m", "rouge-1", *WITH),
    "draw_model_free": ("study", "model-free", "demo", *WITH, "--where", "part=B"),
    "draw_orders": ("study", "orders", "demo"),
    "draw_label_designs": (
        *("design", "demo", "-m", "question.focus", "--using", "rouge-2.recall", "--half-width", "0.5"),
    ),
    "draw_labels": (
        *("study", "labels", "demo", "-m", "pyramid.recall", "--using", "auto-pyramid"),
        *("--shares", "30,50", "--resamples", "20"),
    ),
    "draw_curve": ("study", "choices", "demo", "-m", "rouge-1", "--vary", "statistic", "--pair", "6", "16"),
}


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft7Validator:
    """Vega-Lite's own, as Altair ships it."""
    altair = importlib.util.find_spec("altair")
    assert altair is not None
    assert altair.origin is not None
    (path,) = Path(altair.origin).parent.rglob("vega-lite-schema.json")
    return jsonschema.Draft7Validator(json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Chart]:
    """Charts that would have been rendered."""
    charts: list[Chart] = []

    def to_svg(self: Chart) -> str:
        charts.append(self)
        return "<svg></svg>"

    monkeypatch.setattr(Chart, "to_svg", to_svg)
    return charts


def first_error(schema: jsonschema.Draft7Validator, spec: Any) -> str:
    """In JSON, where a notebook reads it."""
    read = json.loads(json.dumps(spec, allow_nan=False))
    error = next(iter(schema.iter_errors(read)), None)
    return "" if error is None else str(jsonschema.exceptions.best_match([error]).message)


def test_every_figure_is_checked() -> None:
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(present.__path__, f"{present.__name__}.")
    ]
    drawn = {name for module in modules for name in vars(module) if name.startswith("draw_")}
    assert set(FIGURES) == drawn


@pytest.mark.parametrize("arguments", FIGURES.values(), ids=FIGURES)
def test_a_figure_of_a_command_is_valid(
    run: Run, shown: list[Chart], schema: jsonschema.Draft7Validator, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    code, _, err = run(*arguments, "--figure", str(tmp_path / "figure.svg"))
    assert code == 0, err
    (chart,) = shown
    assert first_error(schema, chart.spec) == ""


def test_every_figure_of_the_report_is_valid(
    shown: list[Chart], schema: jsonschema.Draft7Validator, tmp_path: Path
) -> None:
    pyramidion.report("demo", tmp_path / "report.html")
    assert len(shown) > 10
    assert [first_error(schema, chart.spec) for chart in shown] == [""] * len(shown)


def test_a_misspelt_property_is_found(schema: jsonschema.Draft7Validator) -> None:
    comparison = pyramidion.compare("demo", "rouge-2.recall")
    spec = draw(comparison).spec
    assert first_error(schema, spec) == ""
    spec["vconcat"][0]["layer"][0]["mark"]["strokWidth"] = 1
    assert first_error(schema, spec) != ""
