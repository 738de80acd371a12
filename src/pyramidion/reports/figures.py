"""Figures, drawn with Altair and rendered without a browser: SVG for pages, SVG, PNG or HTML for files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign.problems import printable
from pyramidion.errors import InputError, MissingExtraError, UsageError
from pyramidion.files import atomic_writer
from pyramidion.studies import Comparison, Standing

INK = "#1f2933"
ACCENT = "#0b6e99"
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Leaderboards</title>
{svg}
</html>
"""
"""A figure as a page: the drawing and nothing that runs."""


def interval_plot(standings: Sequence[Standing], names: Mapping[str, str]) -> str:
    """One leaderboard as SVG: means as dots and their intervals as lines, best first."""
    return str(_converter().vegalite_to_svg(_finished(_layers(standings, names))))


def write_figure(comparison: Comparison, path: Path) -> None:
    """All leaderboards, one below the other, as .svg, .png or self-contained .html."""
    if path.suffix not in (".svg", ".png", ".html"):
        raise UsageError(f"{path}: figures are written as .svg, .png or .html; choose one of these endings")
    if not comparison.standings:
        raise InputError("there is not a single score to draw")
    convert = _converter()
    names = {who: f"{who} {name}" for who, name in comparison.names.items()}
    plots = [_layers(comparison.leaderboard(measure), names) for measure in comparison.measures]
    figure = _finished(_altair().vconcat(*plots))
    if path.suffix == ".png":
        content: bytes = convert.vegalite_to_png(figure, scale=2)
    elif path.suffix == ".svg":
        content = convert.vegalite_to_svg(figure).encode()
    else:
        content = PAGE.format(svg=convert.vegalite_to_svg(figure)).encode()
    with atomic_writer(path) as file:
        file.write(content)


def _layers(standings: Sequence[Standing], names: Mapping[str, str]) -> Any:
    alt = _altair()
    rows = [
        {
            "summarizer": _label(names.get(standing.summarizer, standing.summarizer)),
            "mean": standing.value,
            "lower": standing.value if standing.lower is None else standing.lower,
            "upper": standing.value if standing.upper is None else standing.upper,
        }
        for standing in standings
    ]
    order = [str(row["summarizer"]) for row in rows]
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=alt.Y("summarizer:N", sort=order, title=None))
    scale = alt.Scale(zero=False, nice=True)
    lines = base.mark_rule(color=ACCENT, strokeWidth=2).encode(
        x=alt.X("lower:Q", title=_label(standings[0].measure), scale=scale), x2="upper:Q"
    )
    dots = base.mark_circle(color=ACCENT, size=64, opacity=1).encode(x=alt.X("mean:Q", scale=scale))
    return (lines + dots).properties(width=360, height=alt.Step(22))


_QUOTES = str.maketrans({'"': "”", "'": "’", "\\": "⧵"})


def _label(text: str) -> str:
    """A name as the drawing program can show it: it fails on control characters, and takes quotes for its own."""
    return printable(text).translate(_QUOTES)


def _finished(chart: Any) -> dict[str, Any]:
    chart = chart.configure_axis(
        labelColor=INK, titleColor=INK, labelFontSize=12, titleFontSize=12, labelLimit=260
    ).configure_view(stroke=None)
    finished: dict[str, Any] = chart.to_dict()
    return finished


def _altair() -> Any:
    try:
        import altair
    except ImportError:
        raise MissingExtraError("drawing figures", "report") from None
    return altair


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("drawing figures", "report") from None
    return vl_convert
