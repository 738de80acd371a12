"""Correlations: with one measure as dots with intervals, of every two measures as a matrix of squares."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError, UsageError
from pyramidion.reports.figures import vegalite as vl
from pyramidion.reports.figures.chart import Chart, draw
from pyramidion.reports.figures.scatter import draw_scatter
from pyramidion.studies.correlations.correlations import Correlations
from pyramidion.studies.correlations.pairs import Correlation
from pyramidion.studies.correlations.parts import PartCorrelations

_PANELS_IN_A_ROW = 2
_ON_DARK, _ON_PALE = "#fefefe", "#1f2934"
"""Numbers in squares. Not white and ink themselves, which a dark page exchanges while squares stay as they are."""


@draw.register
def _(correlations: PartCorrelations) -> Chart:
    """Groups of topics are drawn one by one."""
    one = next(iter(correlations.parts))
    raise UsageError(f"a figure shows one group of topics: choose it by --where {correlations.by}={one}, without --by")


@draw.register
def _(correlations: Correlations) -> Chart:
    """What the options ask for."""
    if correlations.options.matrix:
        return draw_matrix(correlations)
    return draw_correlations(correlations) if correlations.options.draw == "intervals" else draw_scatter(correlations)


def draw_correlations(correlations: Correlations) -> Chart:
    """Dots with intervals: a panel for each measure correlated with and each coefficient, a colour for each level."""
    panels = [_dots(found, correlations.notes.get(found[0].with_)) for found in _groups(correlations, "with_")]
    return vl.finished("Correlations", {"vconcat": panels} if len(panels) > 1 else panels[0])


def draw_matrix(correlations: Correlations, *, numbers: bool = True) -> Chart:
    """Correlations of every two measures as coloured squares, a panel for each level and coefficient.

    Args:
        correlations: of every two measures.
        numbers: whether the values are written into the squares, which are smaller without.
    """
    panels = [_squares(found, numbers=numbers) for found in _groups(correlations, "level")]
    return vl.finished("Correlations between measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _groups(correlations: Correlations, field: str) -> list[list[Correlation]]:
    """Those of the same coefficient that have the same in a field."""
    groups: dict[tuple[str, str], list[Correlation]] = {}
    for one in correlations.correlations:
        groups.setdefault((getattr(one, field), one.coefficient), []).append(one)
    if not groups:
        raise InputError("there are no correlations to draw")
    return list(groups.values())


def _dots(correlations: Sequence[Correlation], note: str | None) -> vl.Spec:
    rows = [
        vl.interval(one.measure, one.value, one.lower, one.upper, group=f"{one.level} level")
        for one in correlations
        if one.value is not None
    ]
    domain = [min([0.0, *(row["lower"] for row in rows)]), max([0.0, *(row["upper"] for row in rows)])]
    title = vl.noted(f"{correlations[0].coefficient.capitalize()} correlation with {correlations[0].with_}", note)
    axis = {"title": title, "scale": {"domain": domain, "nice": True}}
    return vl.intervals(rows, axis, size=(460, {"step": 13}), under=[vl.zero_rule()])


def _squares(correlations: Sequence[Correlation], *, numbers: bool) -> vl.Spec:
    order = list(dict.fromkeys(vl.label(name) for one in correlations for name in (one.measure, one.with_)))
    rows: list[dict[str, str | float | None]]
    rows = [{"row": name, "column": name, "value": 1.0, "text": "1"} for name in order]
    for one in correlations:
        text = "–" if one.value is None else f"{one.value:.2f}"
        for row, column in ((one.measure, one.with_), (one.with_, one.measure)):
            rows.append({"row": vl.label(row), "column": vl.label(column), "value": one.value, "text": text})
    scale = {"domain": [-1, 0, 1], "range": [vl.COLOURS[1], "#ffffff", vl.COLOURS[0]], "interpolate": "rgb"}
    squares = vl.layer("rect", {"color": vl.quantity("value", scale=scale, legend=None)}, stroke="#ffffff")
    strong = vl.either("abs(datum.value) > 0.7", _ON_DARK, _ON_PALE)
    texts = vl.layer("text", {"text": vl.category("text"), "color": strong}, fontSize=11)
    return vl.panel(
        rows,
        *([squares, texts] if numbers else [squares]),
        size=({"step": 44}, {"step": 26}) if numbers else ({"step": 18}, {"step": 18}),
        title=f"{correlations[0].coefficient.capitalize()}, {correlations[0].level} level",
        x=vl.category("column", sort=order, title=None, axis={"labelAngle": -40 if numbers else -60}),
        y=vl.category("row", sort=order, title=None),
    )
