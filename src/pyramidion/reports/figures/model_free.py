"""Model-free measures beside manual scores: the strength of each correlation over systems, stemmed and unstemmed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import COLOURS, INK, altair, label, write_chart
from pyramidion.studies import ModelFreeRow, ModelFreeStudy

PANELS_IN_A_ROW = 3


def draw_model_free(studies: Mapping[str, ModelFreeStudy]) -> Any:
    """A panel for each part, manual score and input; a hollow point is not significant.

    Where low is good a correlation is turned round, so that a measure that misleads lies left of 0.

    ROUGE is drawn in every panel, as what the others are measured by.
    """
    panels = [
        _panel(part, study, target, compared)
        for part, study in studies.items()
        for compared in dict.fromkeys(row.column.compared for row in study.rows)
        if compared not in ("models", "both")
        for target in study.targets
    ]
    if not panels:
        raise InputError("there is not a single correlation to draw")
    columns = min(max(len(study.targets) for study in studies.values()), PANELS_IN_A_ROW)
    return altair().concat(*panels, columns=columns)


def write_model_free(studies: Mapping[str, ModelFreeStudy], path: Path) -> None:
    """The figure as .svg, .png or .html."""
    write_chart(draw_model_free(studies), path, title="Model-free measures beside manual scores")


def _panel(part: str, study: ModelFreeStudy, target: str, compared: str) -> Any:
    alt = altair()
    shown = [
        row for row in study.rows if row.macro.with_ == target and row.column.compared in (compared, "models", "both")
    ]
    if compared != "average":
        shown = [row for row in shown if row.column.compared != "both"]
    rows = [_point(row, study) for row in shown if row.macro.value is not None]
    rows.sort(key=lambda row: -row["strength"])
    lowest = min((row["strength"] for row in rows), default=0.0)
    scale = alt.Scale(domain=[min(0.0, math.floor(lowest * 5) / 5), 1])
    said = [f"{study.coefficient} of system means, high is good", f"hollow: p ≥ {1 - study.confidence / 100:.4g}"]
    title = [label(target), label(f"{compared}{', ' + part if part else ''}")]
    return (
        alt.Chart(alt.InlineData(values=rows))
        .mark_point(size=60, strokeWidth=2)
        .encode(
            x=alt.X("strength:Q", title=said, scale=scale),
            y=alt.Y("feature:N", sort=list(dict.fromkeys(row["feature"] for row in rows)), title=None),
            color=alt.Color(
                "words:N",
                title=None,
                scale=alt.Scale(domain=["stemmed", "unstemmed"], range=[COLOURS[0], COLOURS[1]]),
            ),
            fill=alt.condition(
                "datum.significant",
                alt.Color("words:N", scale=alt.Scale(range=[COLOURS[0], COLOURS[1]]), legend=None),
                alt.value("transparent"),
            ),
        )
        .properties(width=250, height=alt.Step(20), title=alt.TitleParams(title, fontSize=12, color=INK))
    )


def _point(row: ModelFreeRow, study: ModelFreeStudy) -> dict[str, Any]:
    p = row.macro.p
    return {
        "feature": label("regression over both" if row.column.compared == "both" else row.column.feature),
        "strength": (row.macro.value or 0.0) * (-1 if row.column.measure in study.lower_is_better else 1),
        "words": "stemmed" if row.column.stem else "unstemmed",
        "significant": p is not None and p < 1 - study.confidence / 100,
    }
