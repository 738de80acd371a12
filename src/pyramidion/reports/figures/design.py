"""Designs: the power that a budget buys, a line for each number of judgments or references, with its uncertainty."""

from __future__ import annotations

from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.studies.design import Designs


@draw.register
def draw_designs(designs: Designs) -> Chart:
    """Power by budget."""
    what = "judgments of each summary" if designs.pilot.judged else "references"
    rows = [{**row, "count": f"{row['count']:g}"} for row in designs.power_by_budget()]
    title = f"{designs.pilot.measure}: power to detect {designs.options.difference:g} by budget"
    panel = vl.curves(
        rows,
        {"title": "power", "scale": {"domain": [0, 1]}},
        band=0.12,
        size=(460, 260),
        title=vl.label(title),
        x=vl.quantity("budget", title="cost"),
        color=vl.category("count", title=what),
    )
    return vl.finished("Power by budget", panel)
