"""Power: the smallest detectable difference by number of topics, with the uncertainty of the pilot."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import ACCENT, Chart, Spec, curves, finished, label, quantity
from pyramidion.studies import PowerStatement


def draw_power(statements: Sequence[PowerStatement]) -> Chart:
    """One panel for each measure and pair, one below the other."""
    groups: dict[str, list[PowerStatement]] = {}
    for one in statements:
        if one.solved == "difference" and one.difference is not None:
            whose = f": {one.a} and {one.b}" if one.a and one.b else ""
            how = f"{100 * (one.power or 0):g} % power, level {one.alpha:g}{f', {one.note}' if one.note else ''}"
            groups.setdefault(f"{one.measure}{whose} ({how})", []).append(one)
    if not groups:
        raise InputError("there is no detectable difference to draw")
    return finished("Power", {"vconcat": [_panel(title, points) for title, points in groups.items()]})


def _panel(title: str, points: Sequence[PowerStatement]) -> Spec:
    rows = [{"topics": one.topics, "value": one.difference, "lower": one.lower, "upper": one.upper} for one in points]
    scale = {"type": "log", "nice": False}
    topics = quantity("topics", title="topics", scale=scale)
    difference = {"title": "least difference told", "scale": scale}
    panel = curves(rows, topics, difference, colour={"value": ACCENT}, band=0.15)
    return {**panel, "width": 420, "height": 240, "title": label(title)}
