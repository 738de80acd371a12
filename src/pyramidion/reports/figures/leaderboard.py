"""Leaderboards: means as dots and their intervals as lines, best first, with the letters beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import ACCENT, INK, altair, check_ending, label, to_svg, write_chart
from pyramidion.studies import Comparison, Standing

WIDTH = 360


def interval_plot(standings: Sequence[Standing], names: Mapping[str, str]) -> str:
    """One leaderboard as SVG."""
    return to_svg(_layers(standings, names, standings[0].measure))


def draw_leaderboards(comparison: Comparison) -> Any:
    """All leaderboards, one below the other."""
    if not comparison.standings:
        raise InputError("there is not a single score to draw")
    names = {who: f"{who} {name}" for who, name in comparison.names.items()}
    plots = [_layers(comparison.leaderboard(one), names, comparison.title(one)) for one in comparison.measures]
    return altair().vconcat(*plots)


def write_leaderboards(comparison: Comparison, path: Path) -> None:
    """All leaderboards as .svg, .png or self-contained .html."""
    check_ending(path)
    write_chart(draw_leaderboards(comparison), path, title="Leaderboards")


def _layers(standings: Sequence[Standing], names: Mapping[str, str], title: str) -> Any:
    alt = altair()
    rows = [
        {
            "summarizer": label(names.get(standing.summarizer, standing.summarizer)),
            "mean": standing.value,
            "lower": standing.value if standing.lower is None else standing.lower,
            "upper": standing.value if standing.upper is None else standing.upper,
            "letters": standing.letters or "",
        }
        for standing in standings
    ]
    order = [str(row["summarizer"]) for row in rows]
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=alt.Y("summarizer:N", sort=order, title=None))
    scale = alt.Scale(zero=False, nice=True)
    lines = base.mark_rule(color=ACCENT, strokeWidth=2).encode(
        x=alt.X("lower:Q", title=label(title), scale=scale, axis=alt.Axis(tickCount=7)), x2="upper:Q"
    )
    dots = base.mark_circle(color=ACCENT, size=64, opacity=1).encode(x=alt.X("mean:Q", scale=scale))
    figure = lines + dots
    if any(row["letters"] for row in rows):
        figure += base.mark_text(align="left", font="monospace", fontSize=11, color=INK).encode(
            x=alt.value(WIDTH + 8), text="letters:N"
        )
    return figure.properties(width=WIDTH, height=alt.Step(22))
