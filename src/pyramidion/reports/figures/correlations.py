"""Correlations: with one measure as dots with intervals, of every two measures as a matrix of squares."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import (
    COLOURS,
    Chart,
    Rows,
    Spec,
    category,
    either,
    finished,
    in_order,
    interval,
    intervals,
    label,
    layer,
    noted,
    quantity,
    zero_rule,
)
from pyramidion.studies import Correlation, Correlations

_PANELS_IN_A_ROW = 2
_ON_DARK, _ON_PALE = "#fefefe", "#1f2934"
"""Numbers in squares. Not white and ink themselves, which a dark page exchanges while squares stay as they are."""


def draw_correlations(correlations: Correlations) -> Chart:
    """Dots with intervals: a panel for each measure correlated with and each coefficient, a colour for each level."""
    groups: dict[tuple[str, str], list[Correlation]] = {}
    for one in correlations.correlations:
        groups.setdefault((one.with_, one.coefficient), []).append(one)
    if not groups:
        raise InputError("there is no correlation to draw")
    panels = [_dots(found, correlations.notes.get(with_)) for (with_, _), found in groups.items()]
    return finished("Correlations", {"vconcat": panels} if len(panels) > 1 else panels[0])


def draw_matrix(correlations: Correlations, *, numbers: bool = True) -> Chart:
    """Correlations of every two measures as coloured squares, a panel for each level and coefficient.

    Args:
        correlations: of every two measures.
        numbers: whether the values are written into the squares, which are smaller without.
    """
    groups: dict[tuple[str, str], list[Correlation]] = {}
    for one in correlations.correlations:
        groups.setdefault((one.level, one.coefficient), []).append(one)
    if not groups:
        raise InputError("there is not a single correlation to draw")
    panels = [_squares(found, numbers=numbers) for found in groups.values()]
    return finished("Correlations of measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _dots(correlations: Sequence[Correlation], note: str | None) -> Spec:
    rows = [
        interval(one.measure, one.value, one.lower, one.upper, group=f"{one.level} level")
        for one in correlations
        if one.value is not None
    ]
    domain = [min([0.0, *(row["lower"] for row in rows)]), max([0.0, *(row["upper"] for row in rows)])]
    title = noted(f"{correlations[0].coefficient.capitalize()} correlation with {correlations[0].with_}", note)
    axis = {"title": title, "scale": {"domain": domain, "nice": True}}
    dots = intervals(rows, axis, groups=in_order(rows, "group"))
    return {"layer": [zero_rule(), dots], "width": 460, "height": {"step": 13}}


def _squares(correlations: Sequence[Correlation], *, numbers: bool) -> Spec:
    order = list(dict.fromkeys(label(name) for one in correlations for name in (one.measure, one.with_)))
    rows: Rows = [{"row": name, "column": name, "value": 1.0, "text": "1"} for name in order]
    for one in correlations:
        text = "–" if one.value is None else f"{one.value:.2f}"
        for row, column in ((one.measure, one.with_), (one.with_, one.measure)):
            rows.append({"row": label(row), "column": label(column), "value": one.value, "text": text})
    scale = {"domain": [-1, 0, 1], "range": [COLOURS[1], "#ffffff", COLOURS[0]], "interpolate": "rgb"}
    layers = [layer("rect", {"color": quantity("value", scale=scale, legend=None)}, stroke="#ffffff")]
    if numbers:
        strong = either("abs(datum.value) > 0.7", _ON_DARK, _ON_PALE)
        layers.append(layer("text", {"text": category("text"), "color": strong}, fontSize=11))
    return {
        "data": {"values": rows},
        "encoding": {
            "x": category("column", sort=order, title=None, axis={"labelAngle": -40 if numbers else -60}),
            "y": category("row", sort=order, title=None),
        },
        "layer": layers,
        "width": {"step": 44 if numbers else 18},
        "height": {"step": 26 if numbers else 18},
        "title": f"{correlations[0].coefficient}, {correlations[0].level} level",
    }
