"""Leaderboards: means as dots and their intervals as lines, best first, followed by the letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import INK, Chart, Spec, category, finished, interval, intervals, label, layer
from pyramidion.studies import Comparison, Standing

WIDTH = 360


def draw_leaderboards(comparison: Comparison) -> Chart:
    """All leaderboards, one below the other."""
    if not comparison.standings:
        raise InputError("there is not a single score to draw")
    names = {who: f"{who} {name}" for who, name in comparison.names.items()}
    panels = [_panel(comparison.leaderboard(one), names, comparison.title(one)) for one in comparison.measures]
    return finished("Leaderboards", {"vconcat": panels})


def draw_leaderboard(standings: Sequence[Standing], names: Mapping[str, str]) -> Chart:
    """One leaderboard."""
    measure = standings[0].measure
    return finished(f"Leaderboard of {measure}", _panel(standings, names, measure))


def _panel(standings: Sequence[Standing], names: Mapping[str, str], title: str) -> Spec:
    rows = [
        interval(names.get(one.summarizer, one.summarizer), one.value, one.lower, one.upper, letters=one.letters or "")
        for one in standings
    ]
    axis = {"title": label(title), "scale": {"zero": False, "nice": True}, "axis": {"tickCount": 7}}
    panel = intervals(rows, axis)
    if any(row["letters"] for row in rows):
        text = {"x": {"value": WIDTH + 8}, "text": category("letters"), "color": {"value": INK}}
        panel["layer"].append(layer("text", text, align="left", font="monospace", fontSize=11))
    return {**panel, "width": WIDTH, "height": {"step": 22}}
