"""How every figure looks and is written: Altair draws, vl-convert renders without a browser (SVG, PNG, HTML)."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.files import atomic_writer
from pyramidion.files.problems import printable

INK = "#1f2933"
ACCENT = "#0b6e99"
COLOURS = ("#0b6e99", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6770", "#a08c00")
"""For categories: told apart by the colour-blind (after Okabe & Ito)."""
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
{svg}
</html>
"""
"""A figure as a page: the drawing and nothing that runs."""


def write_chart(chart: Any, path: Path, *, title: str = "Figure") -> None:
    """Write an Altair chart as .svg, .png or self-contained .html, by the ending of the path."""
    check_ending(path)
    if path.suffix == ".png":
        content: bytes = converter().vegalite_to_png(finished(chart), scale=2)
    elif path.suffix == ".svg":
        content = to_svg(chart).encode()
    else:
        content = PAGE.format(title=html.escape(title), svg=to_svg(chart)).encode()
    with atomic_writer(path) as file:
        file.write(content)


def check_ending(path: Path) -> None:
    """Refuse what can't be drawn to, before long work is done for it."""
    if path.suffix not in (".svg", ".png", ".html"):
        raise UsageError(f"{path}: figures are written as .svg, .png or .html; choose one of these endings")


def to_svg(chart: Any) -> str:
    """A chart as SVG."""
    return str(converter().vegalite_to_svg(finished(chart)))


def finished(chart: Any) -> dict[str, Any]:
    """A chart with the colours and sizes that all figures share, as Vega-Lite."""
    chart = chart.configure_axis(
        labelColor=INK, titleColor=INK, labelFontSize=12, titleFontSize=12, labelLimit=260, labelFlush=False
    ).configure_view(stroke=None)
    described: dict[str, Any] = chart.to_dict()
    return described


_QUOTES = str.maketrans({'"': "”", "'": "’", "\\": "⧵"})


def label(text: str) -> str:
    """A name as the drawing program can show it: it fails on control characters, and takes quotes for its own."""
    return printable(text).translate(_QUOTES)


def altair() -> Any:
    """The drawing library, or what to install."""
    try:
        import altair
    except ImportError:
        raise MissingExtraError("drawing figures", "report") from None
    return altair


def converter() -> Any:
    """The renderer, or what to install."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("drawing figures", "report") from None
    return vl_convert
