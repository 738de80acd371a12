"""Model-free measures and human scores: the strength of each correlation over systems, stemmed and unstemmed."""

from __future__ import annotations

import math
from typing import Any

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.studies.model_free.study import FeatureCorrelation, ModelFreeStudy

PANELS_IN_A_ROW = 3
_WORDS = vl.colours(("stemmed", "unstemmed"))


@draw.register
def draw_model_free(study: ModelFreeStudy) -> Chart:
    """A panel for each part, human score and input; a hollow point is not significant.

    Where lower is better the sign of a correlation is reversed, so that a measure that misleads lies left of 0.

    ROUGE is drawn in every panel, to compare the others with.
    """
    panels = [
        _panel(study, part, target, compared)
        for part, compared in dict.fromkeys((row.part, row.compared) for row in study.macro)
        if compared not in ("models", "both")
        for target in study.targets
    ]
    if not panels:
        raise InputError("there are no correlations to draw")
    columns = min(len(study.targets), PANELS_IN_A_ROW)
    return vl.finished("Model-free measures and human scores", {"concat": panels, "columns": columns})


def _panel(study: ModelFreeStudy, part: str, target: str, compared: str) -> vl.Spec:
    inputs = (compared, "models", "both") if compared == "average" else (compared, "models")
    shown = [row for row in study.macro if (row.part, row.with_) == (part, target) and row.compared in inputs]
    rows = [_point(row, study) for row in shown if row.value is not None]
    rows.sort(key=lambda row: -row["strength"])
    lowest = min((row["strength"] for row in rows), default=0.0)
    titles = [
        f"{study.options.coefficient.capitalize()} correlation of system means",
        f"higher is better; hollow: p ≥ {1 - study.options.confidence / 100:.4g}",
    ]
    heading = [vl.label(target), vl.label(f"{compared}, {part}" if part else compared)]
    return vl.panel(
        rows,
        vl.layer("point", {"fill": vl.category("fill", scale=None)}, size=60, strokeWidth=2),
        size=(250, {"step": 20}),
        title={"text": heading, "fontSize": 12, "color": vl.INK},
        x=vl.quantity("strength", title=titles, scale={"domain": [min(0.0, math.floor(lowest * 5) / 5), 1]}),
        y=vl.category("feature", sort=vl.in_order(rows, "feature"), title=None),
        color=vl.category("words", scale=_WORDS, legend={"title": None, "symbolFillColor": "transparent"}),
    )


def _point(row: FeatureCorrelation, study: ModelFreeStudy) -> dict[str, Any]:
    significant = row.p is not None and row.p < 1 - study.options.confidence / 100
    return {
        "feature": vl.label(row.label),
        "strength": (row.value or 0.0) * (-1 if row.measure in study.lower_is_better else 1),
        "words": "stemmed" if row.stem else "unstemmed",
        "fill": vl.COLOURS[0 if row.stem else 1] if significant else "transparent",
    }
