"""Two measures beside each other: a point for each summarizer (Dang 2006, Figure 2), and matrices of correlations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import COLOURS, altair, check_ending, label, write_chart
from pyramidion.studies import Correlation, Correlations, SystemPoint

KINDS = ("human", "baseline", "participant")
_PANELS_IN_A_ROW = 2
_ON_DARK, _ON_PALE = "#fefefe", "#1f2934"
"""Numbers in squares. Not white and ink themselves, which a dark page exchanges while squares stay as they are."""
_WIDTH, _HEIGHT = 460, 340
_DOT, _GAP, _LETTER_WIDTH, _LETTER_HEIGHT = 4, 7, 5.5, 10
"""Of points with names, in pixels: half a point, from its middle to the name, and a letter."""


def write_scatter(correlations: Correlations, path: Path, *, kinds: Mapping[str, str] | None = None) -> None:
    """Means of summarizers, one panel for each pair of measures, as .svg, .png or self-contained .html.

    Args:
        correlations: of what `correlate` gave.
        path: where to; the ending says how.
        kinds: by summarizer: "human", "baseline" or "participant", which are told apart.
    """
    check_ending(path)
    write_chart(draw_scatter(correlations, kinds=kinds), path, title="Measures beside each other")


def draw_scatter(correlations: Correlations, *, kinds: Mapping[str, str] | None = None, named: bool = False) -> Any:
    """Means of summarizers, one panel for each pair of measures.

    Args:
        correlations: of what `correlate` gave.
        kinds: as in `write_scatter`.
        named: whether ids of summarizers stand beside the points, as far as there is room.
    """
    pairs = dict.fromkeys((point.measure, point.with_) for point in correlations.points)
    if not pairs:
        raise InputError("there is not a single summarizer with both scores to draw")
    panels = [
        _panel(
            [point for point in correlations.points if (point.measure, point.with_) == pair],
            kinds or {},
            notes=correlations.notes,
            named=named,
        )
        for pair in pairs
    ]
    return altair().concat(*panels, columns=_PANELS_IN_A_ROW)


def write_matrix(correlations: Correlations, path: Path) -> None:
    """Correlations of every two measures as coloured squares, one panel for each level and coefficient."""
    check_ending(path)
    write_chart(draw_matrix(correlations), path, title="Correlations of measures")


def draw_matrix(correlations: Correlations, *, numbers: bool = True) -> Any:
    """Correlations of every two measures as coloured squares, with numbers or small, one panel a coefficient."""
    if not correlations.correlations:
        raise InputError("there is not a single correlation to draw")
    groups = dict.fromkeys((one.level, one.coefficient) for one in correlations.correlations)
    panels = [
        _squares([one for one in correlations.correlations if (one.level, one.coefficient) == group], numbers=numbers)
        for group in groups
    ]
    return altair().concat(*panels, columns=_PANELS_IN_A_ROW)


def _panel(
    points: list[SystemPoint],
    kinds: Mapping[str, str],
    *,
    notes: Mapping[str, str] | None = None,
    named: bool = False,
) -> Any:
    alt = altair()
    rows = [
        {
            "x": point.with_value,
            "y": point.value,
            "kind": kinds.get(point.summarizer, "participant"),
            "who": label(point.summarizer),
        }
        for point in points
    ]
    shown = [kind for kind in KINDS if any(row["kind"] == kind for row in rows)]
    colours = dict(zip(KINDS, (COLOURS[1], COLOURS[2], COLOURS[0]), strict=True))
    scale = alt.Scale(zero=False, nice=True)
    legend = alt.Legend(title=None) if len(shown) > 1 else None
    kind = alt.Color("kind:N", scale=alt.Scale(domain=shown, range=[colours[one] for one in shown]), legend=legend)
    shapes = {"human": "triangle-up", "baseline": "square", "participant": "circle"}
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=shown, range=[shapes[one] for one in shown]), legend=legend)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("x:Q", title=_noted(points[0].with_, notes), scale=scale),
        y=alt.Y("y:Q", title=_noted(points[0].measure, notes), scale=scale),
        color=kind,
    )
    dots = base.mark_point(filled=True, size=64, opacity=0.85).encode(shape=shape)
    if not named:
        return dots.properties(width=300, height=240)
    for row, side in zip(rows, _sides(rows), strict=True):
        row["side"] = side
    texts = [
        base.transform_filter(f"datum.side == '{side}'")
        .mark_text(align=align, dx=dx, fontSize=_LETTER_HEIGHT)
        .encode(text="who:N")
        for side, align, dx in (("right", "left", _GAP), ("left", "right", -_GAP))
    ]
    return alt.layer(dots, *texts).properties(width=_WIDTH, height=_HEIGHT)


def _sides(rows: list[dict[str, Any]]) -> list[str]:
    """Where each name has room: "right" or "left" of its point, or "" where it would hide others.

    Those far from the middle come first: they are what a reader asks about.
    """
    xs, ys = ([float(row[axis]) for row in rows] for axis in ("x", "y"))
    places = list(zip(_pixels(xs, _WIDTH), _pixels(ys, _HEIGHT), strict=True))
    taken = [(x - _DOT, x + _DOT, y - _DOT, y + _DOT) for x, y in places]
    sides = [""] * len(rows)
    for number in sorted(range(len(rows)), key=lambda one: -math.dist(places[one], (_WIDTH / 2, _HEIGHT / 2))):
        x, y = places[number]
        length = _GAP + _LETTER_WIDTH * len(rows[number]["who"])
        for side, left, right in (("right", x + _DOT + 1, x + length), ("left", x - length, x - _DOT - 1)):
            box = (left, right, y - _LETTER_HEIGHT / 2, y + _LETTER_HEIGHT / 2)
            inside = side == "right" or left > 0
            if inside and not any(_touch(box, other) for other in taken):
                taken.append(box)
                sides[number] = side
                break
    return sides


def _pixels(values: list[float], size: int) -> list[float]:
    """About where the values are drawn: axes are a little longer than their values."""
    lowest, span = min(values), max(values) - min(values)
    return [size * (value - lowest) / span if span else size / 2 for value in values]


def _touch(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _noted(measure: str, notes: Mapping[str, str] | None) -> str:
    """The measure as the title of an axis, with what must be said of its values."""
    note = (notes or {}).get(measure)
    return label(f"{measure} ({note})" if note else measure)


def _squares(correlations: list[Correlation], *, numbers: bool = True) -> Any:
    alt = altair()
    names = [label(name) for one in correlations for name in (one.measure, one.with_)]
    order = list(dict.fromkeys(names))
    rows: list[dict[str, Any]] = [{"row": name, "column": name, "value": 1.0, "text": "1"} for name in order]
    for one in correlations:
        for row, column in ((one.measure, one.with_), (one.with_, one.measure)):
            text = "–" if one.value is None else f"{one.value:.2f}"
            rows.append({"row": label(row), "column": label(column), "value": one.value, "text": text})
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("column:N", sort=order, title=None, axis=alt.Axis(labelAngle=-40 if numbers else -60)),
        y=alt.Y("row:N", sort=order, title=None),
    )
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(domain=[-1, 0, 1], range=[COLOURS[1], "#ffffff", COLOURS[0]], interpolate="rgb"),
        legend=None,
    )
    squares = base.mark_rect(stroke="#ffffff").encode(color=colour)
    title = f"{correlations[0].coefficient}, {correlations[0].level} level"
    if not numbers:
        return squares.properties(width=alt.Step(18), height=alt.Step(18), title=title)
    strong = alt.condition("abs(datum.value) > 0.7", alt.value(_ON_DARK), alt.value(_ON_PALE))
    texts = base.mark_text(fontSize=11).encode(text="text:N", color=strong)
    return (squares + texts).properties(width=alt.Step(44), height=alt.Step(26), title=title)
