"""Pyramids: a cell for each SCU, tier upon tier, and below them what the SCUs say."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.pyramids import Diagnosis
from pyramidion.reports.figures.base import (
    ACCENT,
    INK,
    Chart,
    Rows,
    Spec,
    category,
    either,
    finished,
    label,
    layer,
    quantity,
)
from pyramidion.wording import counted

WIDTH = 720
_CELL = 30
_ROW = 26
_LOW_ROW = 16
"""Of small pyramids, so that narrow cells do not become towers."""
_LINE = 19
_GAP = 3
_MARGIN = 74
_LABELLED = 60
"""SCUs whose labels are written out, from the top; a figure is no book."""
_LONGEST = 104
_COLUMNS = 3
_SMALL_WIDTH = 250
_PALE = "#dbe9f0"
_MUTED = "#5b6770"
_FILL = either("datum.full", ACCENT, "white")


def draw_pyramids(diagnoses: Sequence[Diagnosis], *, labels: bool = True) -> Chart:
    """One pyramid with the labels of its SCUs (if wanted), or several small ones side by side."""
    drawn = [diagnosis for diagnosis in diagnoses if diagnosis.scus]
    if not drawn:
        raise InputError("there is no pyramid with an SCU to draw")
    one = drawn[0]
    if len(drawn) > 1:
        most = max(tier.scus for diagnosis in drawn for tier in diagnosis.tiers)  # cells are as wide in all pyramids
        title = "Pyramids"
        spec = {"concat": [_tiers(each, _SMALL_WIDTH, most) for each in drawn], "columns": _COLUMNS, "spacing": 24}
    else:
        title = f"Pyramid of {one.topic}"
        spec = _tiers(one, WIDTH, max(tier.scus for tier in one.tiers))
        if labels:
            spec = {"vconcat": [spec, _labels(one)], "spacing": 18}
    look = {"anchor": "start", "fontSize": 14, "color": INK, "subtitleColor": _MUTED, "subtitleFontSize": 12}
    return finished(title, spec, headings=look)


def _tiers(diagnosis: Diagnosis, width: int, most: int) -> Spec:
    """The pyramid itself: cells in rows, each row centred; what a peer misses is hollow."""
    cell = min(_CELL, (width - 2 * _MARGIN) / most)
    gap = min(_GAP, cell / 4)
    numbered = cell >= 9 * max(len(str(scu.uid)) for scu in diagnosis.scus)
    tall = _ROW if numbered else _LOW_ROW
    cells: Rows = []
    margins: Rows = []
    for index, tier in enumerate(diagnosis.tiers):
        scus = [scu for scu in diagnosis.scus if scu.weight == tier.weight]
        left = (width - cell * len(scus)) / 2
        top = index * tall
        for column, scu in enumerate(scus):
            start = left + column * cell
            cells.append(
                {
                    "x": start + gap / 2,
                    "x2": start + cell - gap / 2,
                    "y": top + _GAP / 2,
                    "y2": top + tall - _GAP / 2,
                    "middle": start + cell / 2,
                    "centre": top + tall / 2,
                    "uid": str(scu.uid) if numbered else "",
                    "full": scu.present is not False,
                }
            )
        has = f"{tier.present} of {tier.scus}" if tier.present is not None else f"{tier.scus}"
        margins.append({"y": top + tall / 2, "weight": f"weight {tier.weight}", "has": has})
    height = tall * len(diagnosis.tiers)
    across = {"scale": {"domain": [0, width], "nice": False}, "axis": None}
    down = _down(height)
    rect = {
        "x": quantity("x", **across),
        "x2": {"field": "x2"},
        "y": quantity("y", **down),
        "y2": {"field": "y2"},
        "fill": _FILL,
    }
    uid = {
        "x": quantity("middle", **across),
        "y": quantity("centre", **down),
        "text": category("uid"),
        "color": either("datum.full", "white", ACCENT),
    }
    y = quantity("y", **down)
    return {
        "layer": [
            {
                "data": {"values": cells},
                "layer": [
                    layer("rect", rect, cornerRadius=3 if numbered else 1, stroke=ACCENT, strokeWidth=1.2),
                    layer("text", uid, fontSize=11, baseline="middle"),
                ],
            },
            {
                "data": {"values": margins},
                "layer": [
                    _text("weight", 0, y, align="left", color=_MUTED, baseline="middle"),
                    _text("has", width, y, align="right", color=INK, baseline="middle"),
                ],
            },
        ],
        "width": width,
        "height": height,
        "title": {"text": label(_title(diagnosis)), "subtitle": label(_subtitle(diagnosis))},
    }


def _labels(diagnosis: Diagnosis) -> Spec:
    """What the SCUs say, heaviest first, in the pyramid's order."""
    rows: Rows = []
    for index, scu in enumerate(diagnosis.scus[:_LABELLED]):
        text = scu.label if len(scu.label) <= _LONGEST else scu.label[: _LONGEST - 1] + "…"
        rows.append(
            {
                "y": index * _LINE + _LINE / 2,
                "uid": str(scu.uid),
                "text": label(text),
                "full": scu.present is not False,
                "new": index > 0 and diagnosis.scus[index - 1].weight != scu.weight,
                "line": index * _LINE,
            }
        )
    if more := len(diagnosis.scus) - len(rows):
        rows.append({"y": len(rows) * _LINE + _LINE / 2, "text": f"… and {more} more", "full": True, "new": False})
    height = len(rows) * _LINE
    y = quantity("y", **_down(height))
    line = {"x": {"value": 0}, "x2": {"value": WIDTH}, "y": quantity("line", **_down(height))}
    square = {"x": {"value": 7}, "y": y, "fill": _FILL}
    return {
        "data": {"values": rows},
        "layer": [
            {"transform": [{"filter": "datum.new"}], **layer("rule", line, color=_PALE, strokeWidth=1)},
            {
                "transform": [{"filter": "datum.uid != null"}],
                "layer": [
                    layer("square", square, size=90, stroke=ACCENT, strokeWidth=1.2, opacity=1),
                    _text("uid", 40, y, align="right", color=_MUTED),
                ],
            },
            _text("text", 52, y, align="left", color=INK),
        ],
        "width": WIDTH,
        "height": height,
    }


def _down(height: float) -> Spec:
    """A vertical axis in pixels from the top, not drawn."""
    return {"scale": {"domain": [0, height], "reverse": True, "nice": False}, "axis": None}


def _text(field: str, x: float, y: Spec, **style: str) -> Spec:
    return layer("text", {"x": {"value": x}, "y": y, "text": category(field)}, fontSize=12, **style)


def _title(diagnosis: Diagnosis) -> str:
    return diagnosis.topic if diagnosis.peer is None else f"{diagnosis.topic}: what {diagnosis.peer} has"


def _subtitle(diagnosis: Diagnosis) -> str:
    size = f"{len(diagnosis.scus)} SCUs of {counted(len(diagnosis.models), 'model')}"
    if diagnosis.peer is None:
        return size
    return f"{size}; full: has {sum(bool(scu.present) for scu in diagnosis.scus)}, hollow: misses"
