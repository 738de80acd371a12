"""Two measures against each other: a point for each summarizer (Dang 2006, Figure 2)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import (
    COLOURS,
    Chart,
    Rows,
    Spec,
    category,
    finished,
    label,
    layer,
    noted,
    quantity,
)
from pyramidion.studies import Correlations, SystemPoint

_LOOKS = {
    "human": (COLOURS[1], "triangle-up"),
    "baseline": (COLOURS[2], "square"),
    "participant": (COLOURS[0], "circle"),
}
_PANELS_IN_A_ROW = 2
_WIDTH, _HEIGHT = 460, 340
_DOT, _GAP, _LETTER_WIDTH, _LETTER_HEIGHT = 4, 7, 5.5, 10
"""Of points with names, in pixels: half a point, from its middle to the name, and a letter."""


def draw_scatter(correlations: Correlations, *, kinds: Mapping[str, str] | None = None, named: bool = False) -> Chart:
    """Means of summarizers, one panel for each pair of measures.

    Args:
        correlations: of `correlate`.
        kinds: by summarizer: "human", "baseline" or "participant"; each kind has its colour and shape.
        named: whether the points have the ids of summarizers, as far as there is room.
    """
    pairs: dict[tuple[str, str], list[SystemPoint]] = {}
    for point in correlations.points:
        pairs.setdefault((point.measure, point.with_), []).append(point)
    if not pairs:
        raise InputError("there is not a single summarizer with both scores to draw")
    panels = [_panel(points, kinds or {}, correlations.notes, named=named) for points in pairs.values()]
    return finished("Measures beside each other", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _panel(points: Sequence[SystemPoint], kinds: Mapping[str, str], notes: Mapping[str, str], *, named: bool) -> Spec:
    rows: Rows = [
        {
            "x": point.with_value,
            "y": point.value,
            "kind": kinds.get(point.summarizer, "participant"),
            "who": label(point.summarizer),
        }
        for point in points
    ]
    shown = [kind for kind in _LOOKS if any(row["kind"] == kind for row in rows)]
    legend = {"title": None} if len(shown) > 1 else None
    colour, shape = (
        category("kind", scale={"domain": shown, "range": [_LOOKS[kind][look] for kind in shown]}, legend=legend)
        for look in (0, 1)
    )
    measure, with_ = points[0].measure, points[0].with_
    scale = {"zero": False, "nice": True}
    layers = [layer("point", {"shape": shape}, filled=True, size=64, opacity=0.85)]
    if named:
        for row, side in zip(rows, _sides(rows), strict=True):
            row["side"] = side
        for side, align, dx in (("right", "left", _GAP), ("left", "right", -_GAP)):
            names = layer("text", {"text": category("who")}, align=align, dx=dx, fontSize=_LETTER_HEIGHT)
            layers.append({"transform": [{"filter": f"datum.side == '{side}'"}], **names})
    return {
        "data": {"values": rows},
        "encoding": {
            "x": quantity("x", title=noted(with_, notes.get(with_)), scale=scale),
            "y": quantity("y", title=noted(measure, notes.get(measure)), scale=scale),
            "color": colour,
        },
        "layer": layers,
        "width": _WIDTH if named else 300,
        "height": _HEIGHT if named else 240,
    }


def _sides(rows: Rows) -> list[str]:
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
