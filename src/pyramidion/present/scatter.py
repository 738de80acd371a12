"""Two measures against each other: a point for each summarizer (Dang 2006, Figure 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.show.tables import grouped
from pyramidion.studies.correlations.correlations import Correlations, SystemPoint

_LOOKS = {
    "human": (vl.COLOURS[1], "triangle-up"),
    "baseline": (vl.COLOURS[2], "square"),
    "participant": (vl.COLOURS[0], "circle"),
}
_PANELS_IN_A_ROW = 2
_WIDTH, _HEIGHT = 460, 340
_DOT, _GAP, _LETTER_WIDTH, _LETTER_HEIGHT = 4, 7, 5.5, 10
"""Of points with names, in pixels: half a point, from its middle to the name, and a letter."""


def draw_scatter(correlations: Correlations, *, named: bool = False) -> Chart:
    """Means of summarizers, one panel for each pair of measures.

    Args:
        correlations: of `correlate`; each kind of summarizer has its colour and shape.
        named: whether the points have the ids of summarizers, as far as there is room.
    """
    pairs = grouped(correlations.points, lambda point: (point.measure, point.with_))
    if not pairs:
        raise InputError("there is nothing to draw: no summarizer has a score by both measures")
    titles = {name: vl.noted(name, correlations.notes.get(name)) for pair in pairs for name in pair}
    panels = [_panel(points, titles, correlations.kinds, named=named) for points in pairs.values()]
    return vl.finished("Measures compared: means of summarizers", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _panel(
    points: Sequence[SystemPoint], titles: Mapping[str, str], kinds: Mapping[str, str], *, named: bool
) -> vl.Spec:
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
    colour, shape = (
        vl.category("kind", scale={"domain": shown, "range": [_LOOKS[kind][look] for kind in shown]}, legend=legend)
        for look in (0, 1)
    )
    layers = [vl.layer("point", {"shape": shape}, filled=True, size=64, opacity=0.85)]
    if named:
        for row, side in zip(rows, _sides(rows), strict=True):
            row["side"] = side
        for side, align, dx in (("right", "left", _GAP), ("left", "right", -_GAP)):
            names = vl.layer("text", {"text": vl.category("who")}, align=align, dx=dx, fontSize=_LETTER_HEIGHT)
            layers.append({"transform": [{"filter": f"datum.side == '{side}'"}], **names})
    scale = {"zero": False, "nice": True}
    return vl.panel(
        rows,
        *layers,
        size=(_WIDTH, _HEIGHT) if named else (300, 240),
        x=vl.quantity("x", title=titles[points[0].with_], scale=scale),
        y=vl.quantity("y", title=titles[points[0].measure], scale=scale),
        color=colour,
    )


def _sides(rows: vl.Rows) -> list[str]:
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
            fits = side == "right" or left > 0
            if fits and not any(_touch(box, other) for other in taken):
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
