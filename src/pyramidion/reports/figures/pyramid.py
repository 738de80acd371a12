"""Pyramids: a cell for each SCU, tier upon tier, and below them what the SCUs say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.pyramids import Diagnosis
from pyramidion.reports.figures.base import ACCENT, INK, altair, check_ending, label, write_chart

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


def draw_pyramids(diagnoses: Sequence[Diagnosis], *, labels: bool = True) -> Any:
    """One pyramid with the labels of its SCUs (if wanted), or several small ones side by side."""
    drawn = [diagnosis for diagnosis in diagnoses if diagnosis.scus]
    if not drawn:
        raise InputError("there is no pyramid with an SCU to draw")
    if len(drawn) == 1:
        (one,) = drawn
        tiers = _tiers(one, WIDTH, _most(drawn))
        return _plain(altair().vconcat(tiers, _labels(one), spacing=18) if labels else tiers)
    charts = [_tiers(one, _SMALL_WIDTH, _most(drawn)) for one in drawn]
    return _plain(altair().concat(*charts, columns=_COLUMNS, spacing=24))


def write_pyramids(diagnoses: Sequence[Diagnosis], path: Path) -> None:
    """The drawing as .svg, .png or .html."""
    check_ending(path)
    drawn = [diagnosis for diagnosis in diagnoses if diagnosis.scus]
    title = f"Pyramid of {drawn[0].topic}" if len(drawn) == 1 else "Pyramids"
    write_chart(draw_pyramids(drawn), path, title=title)


def _plain(chart: Any) -> Any:
    return chart.configure_title(anchor="start", fontSize=14, color=INK, subtitleColor=_MUTED, subtitleFontSize=12)


def _most(diagnoses: Sequence[Diagnosis]) -> int:
    """The size of the largest tier: cells are as wide in all pyramids of a figure."""
    return max(tier.scus for diagnosis in diagnoses for tier in diagnosis.tiers)


def _tiers(diagnosis: Diagnosis, width: int, most: int) -> Any:
    """The pyramid itself: cells in rows, each row centred; what a peer misses is hollow."""
    alt = altair()
    cell = min(_CELL, (width - 2 * _MARGIN) / most)
    numbered = cell >= 9 * max(len(str(scu.uid)) for scu in diagnosis.scus)
    tall = _ROW if numbered else _LOW_ROW
    rows: list[dict[str, Any]] = []
    margins: list[dict[str, Any]] = []
    for index, tier in enumerate(diagnosis.tiers):
        scus = [scu for scu in diagnosis.scus if scu.weight == tier.weight]
        left = (width - cell * len(scus)) / 2
        top = index * tall
        for column, scu in enumerate(scus):
            start = left + column * cell
            gap = min(_GAP, cell / 4)
            rows.append(
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
    across = alt.Scale(domain=[0, width], nice=False)
    down = alt.Scale(domain=[0, height], reverse=True, nice=False)
    base = alt.Chart(alt.InlineData(values=rows))
    cells = base.mark_rect(cornerRadius=3 if numbered else 1, stroke=ACCENT, strokeWidth=1.2).encode(
        x=alt.X("x:Q", scale=across, axis=None),
        x2="x2:Q",
        y=alt.Y("y:Q", scale=down, axis=None),
        y2="y2:Q",
        fill=alt.condition("datum.full", alt.value(ACCENT), alt.value("white")),
    )
    uids = base.mark_text(fontSize=11, baseline="middle").encode(
        x=alt.X("middle:Q", scale=across),
        y=alt.Y("centre:Q", scale=down),
        text="uid:N",
        color=alt.condition("datum.full", alt.value("white"), alt.value(ACCENT)),
    )
    sides = alt.Chart(alt.InlineData(values=margins))
    weights = sides.mark_text(align="left", fontSize=12, color=_MUTED, baseline="middle").encode(
        x=alt.value(0), y=alt.Y("y:Q", scale=down), text="weight:N"
    )
    counts = sides.mark_text(align="right", fontSize=12, color=INK, baseline="middle").encode(
        x=alt.value(width), y=alt.Y("y:Q", scale=down), text="has:N"
    )
    title = alt.TitleParams(label(_title(diagnosis)), subtitle=label(_subtitle(diagnosis)))
    return (cells + uids + weights + counts).properties(width=width, height=height, title=title)


def _labels(diagnosis: Diagnosis) -> Any:
    """What the SCUs say, heaviest first, in the pyramid's order."""
    alt = altair()
    rows: list[dict[str, Any]] = []
    for index, scu in enumerate(diagnosis.scus[:_LABELLED]):
        text = scu.label if len(scu.label) <= _LONGEST else scu.label[: _LONGEST - 1] + "…"
        rows.append(
            {
                "y": index * _LINE + _LINE / 2,
                "weight": str(scu.weight),
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
    down = alt.Scale(domain=[0, height], reverse=True, nice=False)
    base = alt.Chart(alt.InlineData(values=rows))
    y = alt.Y("y:Q", scale=down, axis=None)
    numbered = base.transform_filter("datum.uid != null")
    marks = numbered.mark_square(size=90, stroke=ACCENT, strokeWidth=1.2, opacity=1).encode(
        x=alt.value(7), y=y, fill=alt.condition("datum.full", alt.value(ACCENT), alt.value("white"))
    )
    uids = numbered.mark_text(align="right", fontSize=12, color=_MUTED).encode(x=alt.value(40), y=y, text="uid:N")
    texts = base.mark_text(align="left", fontSize=12, color=INK).encode(x=alt.value(52), y=y, text="text:N")
    lines = (
        base.transform_filter("datum.new")
        .mark_rule(color=_PALE, strokeWidth=1)
        .encode(x=alt.value(0), x2=alt.value(WIDTH), y=alt.Y("line:Q", scale=down, axis=None))
    )
    return (lines + marks + uids + texts).properties(width=WIDTH, height=height)


def _title(diagnosis: Diagnosis) -> str:
    return diagnosis.topic if diagnosis.peer is None else f"{diagnosis.topic}: what {diagnosis.peer} has"


def _subtitle(diagnosis: Diagnosis) -> str:
    models = "1 model" if len(diagnosis.models) == 1 else f"{len(diagnosis.models)} models"
    size = f"{len(diagnosis.scus)} SCUs of {models}"
    if diagnosis.peer is None:
        return size
    return f"{size}; full: has {sum(bool(scu.present) for scu in diagnosis.scus)}, hollow: misses"
