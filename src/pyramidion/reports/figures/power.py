"""Power: the least difference that a number of topics tells, and how far the pilot leaves it open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import ACCENT, altair, check_ending, label, write_chart
from pyramidion.studies import PowerStatement


def write_power(statements: Sequence[PowerStatement], path: Path) -> None:
    """The panels as .svg, .png or self-contained .html."""
    check_ending(path)
    write_chart(draw_power(statements), path, title="Power")


def draw_power(statements: Sequence[PowerStatement]) -> Any:
    """One panel for each measure and pair, one below the other."""
    groups: dict[str, list[PowerStatement]] = {}
    for one in statements:
        if one.solved == "difference" and one.difference is not None:
            whose = f": {one.a} and {one.b}" if one.a and one.b else ""
            how = f"{100 * (one.power or 0):g} % power, level {one.alpha:g}{f', {one.note}' if one.note else ''}"
            groups.setdefault(f"{one.measure}{whose} ({how})", []).append(one)
    if not groups:
        raise InputError("there is no detectable difference to draw")
    panels = [_panel(title, points) for title, points in groups.items()]
    return altair().vconcat(*panels)


def _panel(title: str, points: Sequence[PowerStatement]) -> Any:
    alt = altair()
    rows = [
        {"topics": one.topics, "difference": one.difference, "lower": one.lower, "upper": one.upper} for one in points
    ]
    scale = alt.Scale(type="log", nice=False)
    base = alt.Chart(alt.InlineData(values=rows)).encode(x=alt.X("topics:Q", scale=scale, title="topics"))
    band = base.mark_area(color=ACCENT, opacity=0.15).encode(y=alt.Y("lower:Q", scale=scale), y2="upper:Q")
    line = base.mark_line(color=ACCENT, point={"color": ACCENT}).encode(
        y=alt.Y("difference:Q", scale=scale, title="least difference told")
    )
    return (band + line).properties(width=420, height=240, title=label(title))
