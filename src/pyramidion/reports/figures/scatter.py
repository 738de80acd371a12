"""Two measures beside each other: a point for each summarizer (Dang 2006, Figure 2), and matrices of correlations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import COLOURS, INK, altair, check_ending, label, write_chart
from pyramidion.studies import Correlation, Correlations, SystemPoint

KINDS = ("human", "baseline", "participant")
_PANELS_IN_A_ROW = 2


def write_scatter(correlations: Correlations, path: Path, *, kinds: Mapping[str, str] | None = None) -> None:
    """Means of summarizers, one panel for each pair of measures, as .svg, .png or self-contained .html.

    Args:
        correlations: of what `correlate` gave.
        path: where to; the ending says how.
        kinds: by summarizer: "human", "baseline" or "participant", which are told apart.
    """
    check_ending(path)
    pairs = dict.fromkeys((point.measure, point.with_) for point in correlations.points)
    if not pairs:
        raise InputError("there is not a single summarizer with both scores to draw")
    panels = [
        _panel([point for point in correlations.points if (point.measure, point.with_) == pair], kinds or {})
        for pair in pairs
    ]
    chart = altair().concat(*panels, columns=_PANELS_IN_A_ROW)
    write_chart(chart, path, title="Measures beside each other")


def write_matrix(correlations: Correlations, path: Path) -> None:
    """Correlations of every two measures as coloured squares, one panel for each level and coefficient."""
    check_ending(path)
    if not correlations.correlations:
        raise InputError("there is not a single correlation to draw")
    groups = dict.fromkeys((one.level, one.coefficient) for one in correlations.correlations)
    panels = [
        _squares([one for one in correlations.correlations if (one.level, one.coefficient) == group])
        for group in groups
    ]
    write_chart(altair().concat(*panels, columns=_PANELS_IN_A_ROW), path, title="Correlations of measures")


def _panel(points: list[SystemPoint], kinds: Mapping[str, str]) -> Any:
    alt = altair()
    rows = [
        {"x": point.with_value, "y": point.value, "kind": kinds.get(point.summarizer, "participant")}
        for point in points
    ]
    shown = [kind for kind in KINDS if any(row["kind"] == kind for row in rows)]
    colours = dict(zip(KINDS, (COLOURS[1], COLOURS[2], COLOURS[0]), strict=True))
    scale = alt.Scale(zero=False, nice=True)
    legend = alt.Legend(title=None) if len(shown) > 1 else None
    kind = alt.Color("kind:N", scale=alt.Scale(domain=shown, range=[colours[one] for one in shown]), legend=legend)
    shapes = {"human": "triangle-up", "baseline": "square", "participant": "circle"}
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=shown, range=[shapes[one] for one in shown]), legend=legend)
    return (
        alt.Chart(alt.InlineData(values=rows))
        .mark_point(filled=True, size=64, opacity=0.85)
        .encode(
            x=alt.X("x:Q", title=label(points[0].with_), scale=scale),
            y=alt.Y("y:Q", title=label(points[0].measure), scale=scale),
            color=kind,
            shape=shape,
        )
        .properties(width=300, height=240)
    )


def _squares(correlations: list[Correlation]) -> Any:
    alt = altair()
    names = [label(name) for one in correlations for name in (one.measure, one.with_)]
    order = list(dict.fromkeys(names))
    rows: list[dict[str, Any]] = [{"row": name, "column": name, "value": 1.0, "text": "1"} for name in order]
    for one in correlations:
        for row, column in ((one.measure, one.with_), (one.with_, one.measure)):
            text = "–" if one.value is None else f"{one.value:.2f}"
            rows.append({"row": label(row), "column": label(column), "value": one.value, "text": text})
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("column:N", sort=order, title=None, axis=alt.Axis(labelAngle=-40)),
        y=alt.Y("row:N", sort=order, title=None),
    )
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(domain=[-1, 0, 1], range=[COLOURS[1], "#ffffff", COLOURS[0]], interpolate="rgb"),
        legend=None,
    )
    squares = base.mark_rect(stroke="#ffffff").encode(color=colour)
    strong = alt.condition("abs(datum.value) > 0.7", alt.value("#ffffff"), alt.value(INK))
    texts = base.mark_text(fontSize=11).encode(text="text:N", color=strong)
    title = f"{correlations[0].coefficient}, {correlations[0].level} level"
    return (squares + texts).properties(width=alt.Step(44), height=alt.Step(26), title=title)
