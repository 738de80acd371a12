"""Power: the smallest detectable difference by number of topics, with the uncertainty of the pilot."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.studies.power import Power, PowerStatement


@draw.register
def draw_power(power: Power) -> Chart:
    """One panel for each measure and pair, one below the other."""
    groups: dict[str, list[PowerStatement]] = {}
    for one in power.statements:
        if one.solved == "difference" and one.difference is not None:
            whose = f": {one.a} and {one.b}" if one.a and one.b else ""
            how = f"{100 * (one.power or 0):g} % power, α {one.alpha:g}{f', {one.note}' if one.note else ''}"
            groups.setdefault(f"{one.measure}{whose} ({how})", []).append(one)
    if not groups:
        raise InputError("there is no detectable difference to draw")
    panels = [_panel(title, points) for title, points in groups.items()]
    return vl.finished("Smallest detectable difference by number of topics", {"vconcat": panels})


def _panel(title: str, points: Sequence[PowerStatement]) -> vl.Spec:
    rows = [{"topics": one.topics, "value": one.difference, "lower": one.lower, "upper": one.upper} for one in points]
    scale = {"type": "log", "nice": False}
    difference = {"title": "smallest detectable difference", "scale": scale}
    topics = vl.quantity("topics", title="number of topics", scale=scale)
    colour = {"value": vl.ACCENT}
    return vl.curves(rows, difference, band=0.15, size=(420, 240), title=vl.label(title), x=topics, color=colour)
