"""Leaderboards: means as dots and their intervals as lines, best first, followed by the letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.reports.figures.components import components_panel
from pyramidion.studies.comparison.comparison import Comparison, Standing

WIDTH = 360


@draw.register
def draw_leaderboards(comparison: Comparison) -> Chart:
    """All leaderboards, one below the other, each with the components of variance if assessors are a sample."""
    if not comparison.standings:
        raise InputError("there are no scores to draw")
    names = {one.summarizer: comparison.label(one.summarizer) for one in comparison.standings}
    panels = []
    for measure in comparison.measures:
        panels.append(_panel(comparison.leaderboard(measure), names, comparison.leaderboard_table(measure).title))
        if components := comparison.components_of(measure):
            panels.append(components_panel(components))
    return vl.finished("Leaderboards", {"vconcat": panels})


def _panel(standings: Sequence[Standing], names: Mapping[str, str], title: str) -> vl.Spec:
    rows = [
        vl.interval(names.get(who := one.summarizer, who), one.value, one.lower, one.upper, letters=one.letters or "")
        for one in standings
    ]
    axis = {"title": vl.label(title), "scale": {"zero": False, "nice": True}, "axis": {"tickCount": 7}}
    further = [vl.beside("letters", WIDTH)] if any(row["letters"] for row in rows) else []
    return vl.intervals(rows, axis, *further, size=(WIDTH, {"step": 22}))
