"""Figures of correlations: dots with intervals, who beats whom, matrices, and summarizers as points."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from pyramidion.errors import InputError, UsageError, mention
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.show.tables import Column, grouped
from pyramidion.studies.correlations.correlations import Correlations, PartCorrelations, SystemPoint, family_of
from pyramidion.studies.correlations.pairs import Correlation
from pyramidion.studies.correlations.tests import CorrelationTest

_PANELS_IN_A_ROW = 2
MOST_LABELLED = 15
"""Up to this many measures, squares have p values in them."""


def figure(result: Correlations) -> Chart:
    """What the options ask for."""
    if result.options.matrix:
        return draw_matrix(result)
    drawings: dict[str, Callable[[Correlations], Chart]] = {
        "tests": draw_tests,
        "intervals": draw_correlations,
        "scatter": draw_scatter,
    }
    usual = "tests" if result.options.test else "scatter"
    return drawings[result.options.draw or usual](result)


def part_figure(result: PartCorrelations) -> Chart:
    """Groups of topics are drawn one by one."""
    part = next(iter(result.parts))
    chosen = mention("where", {result.by: part})
    raise UsageError(f"a figure shows one group of topics: choose it by {chosen}, without `by=`")


def draw_correlations(correlations: Correlations) -> Chart:
    """Dots with intervals: a panel for each measure correlated with and each coefficient, a colour for each level."""
    panels = [_dots(group, correlations.notes.get(group[0].with_)) for group in _groups(correlations, "with_")]
    return vl.finished("Correlations", {"vconcat": panels} if len(panels) > 1 else panels[0])


def draw_tests(correlations: Correlations) -> Chart:
    """Who beats whom: the row's measure against the column's, a panel for each target, level and coefficient."""
    made = [test for test in correlations.tests if test.p_adjusted is not None]
    groups = grouped(made, family_of)
    if not groups:
        raise InputError("there are no tests to draw")
    panels = [_verdicts(correlations, tests) for tests in groups.values()]
    return vl.finished("Tests between measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def draw_matrix(correlations: Correlations) -> Chart:
    """Correlations of every two measures as coloured squares, a panel for each level and coefficient."""
    panels = [_squares(group) for group in _groups(correlations, "level")]
    return vl.finished("Correlations between measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _groups(correlations: Correlations, field: str) -> list[list[Correlation]]:
    """Correlations in groups of one coefficient and one value of a field, such as the level."""
    groups = grouped(correlations.correlations, attrgetter(field, "coefficient"))
    if not groups:
        raise InputError("there are no correlations to draw")
    return list(groups.values())


def _dots(correlations: Sequence[Correlation], note: str | None) -> vl.Spec:
    """A dot with its interval for each measure and level."""
    rows = [
        vl.interval(row.measure, row.value, row.lower, row.upper, group=f"{row.level} level")
        for row in correlations
        if row.value is not None
    ]
    # 0 is always on the axis: a correlation is read as its distance from 0.
    domain = [min([0.0, *(row["lower"] for row in rows)]), max([0.0, *(row["upper"] for row in rows)])]
    title = vl.noted(f"{correlations[0].coefficient.capitalize()} correlation with {correlations[0].with_}", note)
    axis = {"title": title, "scale": {"domain": domain, "nice": True}}
    return vl.intervals(rows, axis, size=(460, {"step": 13}), under=[vl.zero_rule()])


_VERDICTS = {"better": vl.COLOURS[0], "worse": vl.COLOURS[1], "not significant": "#e4e7eb"}


def _verdicts(correlations: Correlations, tests: Sequence[CorrelationTest]) -> vl.Spec:
    """Squares: whether the row's measure correlates better than the column's."""
    first = tests[0]
    ranked = correlations.ranked(first.with_, level=first.level, coefficient=first.coefficient)
    order = [vl.label(correlation.measure) for correlation in ranked]
    rows = []
    for test in tests:
        better = test.better(correlations.significance)
        p = Column("p", digits=test.decimals).shown(test.p_adjusted)
        # Each test fills two squares, from the side of either measure.
        for row, column in ((test.first, test.second), (test.second, test.first)):
            verdict = "not significant"
            if better:
                verdict = "better" if better == row else "worse"
            rows.append({"row": vl.label(row), "column": vl.label(column), "verdict": verdict, "text": p})
    scale = {"domain": list(_VERDICTS), "range": list(_VERDICTS.values())}
    colour = vl.category("verdict", scale=scale, legend={"title": "row compared with column"})
    strong = "datum.verdict !== 'not significant'" if len(order) <= MOST_LABELLED else ""
    corrected = "Holm-corrected p" if len(tests) > 1 else "p"
    title = vl.label(f"{first.coefficient.capitalize()} with {first.with_}, {first.level} level ({corrected})")
    return vl.squares(rows, colour, order=order, step=52, angle=-90, strong=strong, title=title)


def _squares(correlations: Sequence[Correlation]) -> vl.Spec:
    """Squares: the correlation of every two measures."""
    order = list(dict.fromkeys(vl.label(name) for pair in correlations for name in (pair.measure, pair.with_)))
    rows: list[dict[str, str | float | None]]
    rows = [{"row": name, "column": name, "value": 1.0, "text": "1"} for name in order]
    for pair in correlations:
        text = "–" if pair.value is None else f"{pair.value:.2f}"
        for row, column in ((pair.measure, pair.with_), (pair.with_, pair.measure)):
            rows.append({"row": vl.label(row), "column": vl.label(column), "value": pair.value, "text": text})
    # By rgb: Vega-Lite's default goes through other hues between two colours.
    scale = {"domain": [-1, 0, 1], "range": [vl.COLOURS[1], "#ffffff", vl.COLOURS[0]], "interpolate": "rgb"}
    colour = vl.quantity("value", scale=scale, legend=None)
    title = f"{correlations[0].coefficient.capitalize()}, {correlations[0].level} level"
    return vl.squares(rows, colour, order=order, step=44, angle=-40, strong="abs(datum.value) > 0.7", title=title)


_LOOKS = {
    "human": (vl.COLOURS[1], "triangle-up"),
    "baseline": (vl.COLOURS[2], "square"),
    "participant": (vl.COLOURS[0], "circle"),
}
_WIDTH, _HEIGHT = 460, 340
_DOT, _GAP, _LETTER_WIDTH, _LETTER_HEIGHT = 4, 7, 5.5, 10
"""Of points with names, in pixels: half a point, from its middle to the name, and a letter."""


def draw_scatter(correlations: Correlations, *, named: bool = False) -> Chart:
    """Means of summarizers, one panel for each pair of measures.

    Args:
        correlations: of `correlate`; each kind of summarizer has its colour and shape.
        named: whether the points have the ids of summarizers, as far as there is room.
    """
    pairs = grouped(correlations.points, attrgetter("measure", "with_"))
    if not pairs:
        raise InputError("there is nothing to draw: no summarizer has a score by both measures")
    titles = {name: vl.noted(name, correlations.notes.get(name)) for pair in pairs for name in pair}
    panels = [_scatter_panel(points, titles, correlations.kinds, named=named) for points in pairs.values()]
    return vl.finished("Measures compared: means of summarizers", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _scatter_panel(
    points: Sequence[SystemPoint], titles: Mapping[str, str], kinds: Mapping[str, str], *, named: bool
) -> vl.Spec:
    """A point for each summarizer; names stand beside points, as far as there is room."""
    rows: list[dict[str, Any]] = [
        {
            "x": point.with_value,
            "y": point.value,
            "kind": kinds.get(point.summarizer, "participant"),
            "who": vl.label(point.summarizer),
        }
        for point in points
    ]
    shown = [kind for kind in _LOOKS if any(row["kind"] == kind for row in rows)]
    legend = {"title": None} if len(shown) > 1 else None
    colours = {"domain": shown, "range": [_LOOKS[kind][0] for kind in shown]}
    shapes = {"domain": shown, "range": [_LOOKS[kind][1] for kind in shown]}
    colour = vl.category("kind", scale=colours, legend=legend)
    shape = vl.category("kind", scale=shapes, legend=legend)
    layers = [vl.layer("point", {"shape": shape}, filled=True, size=64, opacity=0.85)]
    if named:
        for row, side in zip(rows, _place_names(rows), strict=True):
            row["side"] = side
        for side, align, dx in (("right", "left", _GAP), ("left", "right", -_GAP)):
            names = vl.layer("text", {"text": vl.category("who")}, align=align, dx=dx, fontSize=_LETTER_HEIGHT)
            layers.append({"transform": [{"filter": f"datum.side == '{side}'"}], **names})
    # Means of systems lie close together: with 0 on the axis all points would be one cloud.
    scale = {"zero": False, "nice": True}
    return vl.panel(
        rows,
        *layers,
        size=(_WIDTH, _HEIGHT) if named else (300, 240),
        x=vl.quantity("x", title=titles[points[0].with_], scale=scale),
        y=vl.quantity("y", title=titles[points[0].measure], scale=scale),
        color=colour,
    )


def _place_names(rows: vl.Rows) -> list[str]:
    """Where each name has room: "right" or "left" of its point, or "" where it would hide others.

    Those far from the middle come first: they are what a reader asks about.
    """
    xs, ys = ([float(row[axis]) for row in rows] for axis in ("x", "y"))
    places = list(zip(_pixels(xs, _WIDTH), _pixels(ys, _HEIGHT), strict=True))
    taken = [(x - _DOT, x + _DOT, y - _DOT, y + _DOT) for x, y in places]
    sides = [""] * len(rows)
    middle = (_WIDTH / 2, _HEIGHT / 2)
    for index in sorted(range(len(rows)), key=lambda index: -math.dist(places[index], middle)):
        x, y = places[index]
        length = _GAP + _LETTER_WIDTH * len(rows[index]["who"])
        for side, left, right in (("right", x + _DOT + 1, x + length), ("left", x - length, x - _DOT - 1)):
            box = (left, right, y - _LETTER_HEIGHT / 2, y + _LETTER_HEIGHT / 2)
            fits = side == "right" or left > 0
            if fits and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                sides[index] = side
                break
    return sides


def _pixels(values: list[float], size: int) -> list[float]:
    """About where the values are drawn: axes are a little longer than their values."""
    lowest, span = min(values), max(values) - min(values)
    return [size * (value - lowest) / span if span else size / 2 for value in values]


def _overlap(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    """Whether two boxes (left, right, top, bottom) overlap."""
    left, right, top, bottom = first
    return left < second[1] and second[0] < right and top < second[3] and second[2] < bottom
