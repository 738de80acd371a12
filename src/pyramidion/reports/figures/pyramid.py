"""Pyramids: a cell for each SCU, tier upon tier, and below them what the SCUs say."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.pyramids.diagnosis import Diagnosis, ScuStanding
from pyramidion.pyramids.view import PyramidView
from pyramidion.show.wording import counted

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
_FILL = vl.category("fill", scale=None)
_NAMED = 6
"""References that are named; more are counted."""


@draw.register
def _(view: PyramidView) -> Chart:
    return draw_pyramids(view.pyramids)


def draw_pyramids(diagnoses: Sequence[Diagnosis], *, labels: bool = True) -> Chart:
    """One pyramid with the labels of its SCUs (if wanted), or several small ones side by side."""
    drawn = [diagnosis for diagnosis in diagnoses if diagnosis.scus]
    if not drawn:
        raise InputError("there is nothing to draw: no pyramid has an SCU")
    most = max(tier.scus for diagnosis in drawn for tier in diagnosis.tiers)  # cells are as wide in all pyramids
    tiers = [_tiers(each, WIDTH if len(drawn) == 1 else _SMALL_WIDTH, most) for each in drawn]
    spec: vl.Spec = {"concat": tiers, "columns": _COLUMNS, "spacing": 24}
    if len(drawn) == 1:
        spec = {"vconcat": [*tiers, _labels(drawn[0])], "spacing": 18} if labels else tiers[0]
    title = f"Pyramid of {drawn[0].topic}" if len(drawn) == 1 else "Pyramids"
    headings = {"anchor": "start", "fontSize": 14, "color": vl.INK, "subtitleColor": _MUTED, "subtitleFontSize": 12}
    return vl.finished(title, spec, headings=headings)


def _tiers(diagnosis: Diagnosis, width: int, most: int) -> vl.Spec:
    """The pyramid itself: cells in rows, each row centred; filled as `_subtitle` explains."""
    cell = min(_CELL, (width - 2 * _MARGIN) / most)
    gap = min(_GAP, cell / 4)
    numbered = cell >= 9 * max(len(str(scu.uid)) for scu in diagnosis.scus)
    tall = _ROW if numbered else _LOW_ROW
    cells, margins = [], []
    for index, tier in enumerate(diagnosis.tiers):
        scus = [scu for scu in diagnosis.scus if scu.weight == tier.weight]
        middle = (index + 0.5) * tall
        for column, scu in enumerate(scus):
            across = width / 2 + (column - len(scus) / 2 + 0.5) * cell
            uid = str(scu.uid) if numbered else ""
            cells.append({"x": across, "y": middle, "uid": uid, "fill": _fill(scu)})
        has = f"{tier.present} of {tier.scus}" if tier.present is not None else f"{tier.scus}"
        margins.append({"y": middle, "weight": f"weight {tier.weight}", "has": has})
    style = {"cornerRadius": 3 if numbered else 1, "stroke": vl.ACCENT, "strokeWidth": 1.2}
    rect = vl.layer("rect", {"fill": _FILL}, width=cell - gap, height=tall - _GAP, **style)
    uids = {"text": vl.category("uid"), "color": vl.either(f"datum.fill == '{vl.ACCENT}'", "white", vl.ACCENT)}
    sides = [_text("weight", 0, align="left", color=_MUTED), _text("has", width, align="right", color=vl.INK)]
    return vl.panel(
        cells,
        rect,
        vl.layer("text", uids, fontSize=11, baseline="middle"),
        size=(width, tall * len(diagnosis.tiers)),
        title={"text": vl.label(_title(diagnosis)), "subtitle": vl.label(_subtitle(diagnosis))},
        under=[{"data": {"values": margins}, "layer": sides}],
        x=_pixels("x"),
        y=_pixels("y"),
    )


def _labels(diagnosis: Diagnosis) -> vl.Spec:
    """What the SCUs say, heaviest first, in the pyramid's order."""
    shown = diagnosis.scus[:_LABELLED]
    texts = [scu.label if len(scu.label) <= _LONGEST else scu.label[: _LONGEST - 1] + "…" for scu in shown]
    weights = [scu.weight for scu in shown]
    rows = [
        {
            "y": (index + 0.5) * _LINE,
            "text": vl.label(text),
            "uid": str(scu.uid),
            "fill": _fill(scu),
            "first": index > 0 and weights[index - 1] != scu.weight,
        }
        for index, (scu, text) in enumerate(zip(shown, texts, strict=True))
    ]
    if more := len(diagnosis.scus) - len(shown):
        rows.append({"y": (len(shown) + 0.5) * _LINE, "text": f"… and {more} more"})
    square = {"x": {"value": 7}, "y": _pixels("y"), "fill": _FILL}
    numbered = [
        vl.layer("square", square, size=90, stroke=vl.ACCENT, strokeWidth=1.2, opacity=1),
        _text("uid", 40, align="right", color=_MUTED),
    ]
    line = vl.layer("rule", {"y": _pixels("y")}, color=_PALE, strokeWidth=1, yOffset=-_LINE / 2)
    return vl.panel(
        rows,
        {"transform": [{"filter": "datum.first"}], **line},
        {"transform": [{"filter": "datum.uid != null"}], "layer": numbered},
        _text("text", 52, align="left", color=vl.INK),
        size=(WIDTH, len(rows) * _LINE),
    )


def _fill(scu: ScuStanding) -> str:
    if scu.present is False or scu.optimal == "none":
        return "white"
    return _PALE if scu.optimal == "some" else vl.ACCENT


def _pixels(field: str) -> vl.Spec:
    """A place counted in pixels from the upper left corner."""
    return vl.quantity(field, scale=None, axis=None)


def _text(field: str, x: float, **style: str) -> vl.Spec:
    channels = {"x": {"value": x}, "y": _pixels("y"), "text": vl.category(field)}
    return vl.layer("text", channels, fontSize=12, baseline="middle", **style)


def _title(diagnosis: Diagnosis) -> str:
    return diagnosis.topic if diagnosis.peer is None else f"{diagnosis.topic}: SCUs that {diagnosis.peer} expresses"


def _subtitle(diagnosis: Diagnosis) -> str:
    names = f" ({', '.join(diagnosis.models)})" if len(diagnosis.models) <= _NAMED else ""
    size = f"{counted(len(diagnosis.scus), 'SCU')} from {counted(len(diagnosis.models), 'reference')}{names}"
    if any(scu.optimal for scu in diagnosis.scus):
        return f"{size}; filled: in every optimal summary, pale: in some, hollow: in none"
    if diagnosis.peer is None:
        return size
    return f"{size}; filled: expressed ({sum(bool(scu.present) for scu in diagnosis.scus)}), hollow: missing"
