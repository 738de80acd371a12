"""What figures share: the chart, its look, and parts of Vega-Lite that several figures are made of.

A figure is a plain Vega-Lite dictionary over rows; vl-convert renders it without a browser, and only when asked to.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyramidion.campaign.problems import printable
from pyramidion.errors import MissingExtraError, UsageError
from pyramidion.files import atomic_writer
from pyramidion.wording import defined

Spec = dict[str, Any]
"""A part of a figure in the words of Vega-Lite."""
Rows = list[dict[str, Any]]

INK = "#1f2933"
ACCENT = "#0b6e99"
COLOURS = ("#0b6e99", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6770", "#a08c00")
"""For categories: the colour-blind can distinguish them (after Okabe & Ito)."""
ENDINGS = (".svg", ".png", ".pdf", ".html")
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
{svg}
</html>
"""
"""A figure as a page: the drawing and nothing that runs."""
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_CONFIG = {
    "axis": {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 260,
        "labelFlush": False,
    },
    "view": {"stroke": None},
}


@dataclass(frozen=True)
class Chart:
    """A figure. Notebooks show it; `write_chart` writes it to a file. Rendering needs the extra `report`."""

    title: str
    spec: Spec = field(repr=False)
    """The whole figure in Vega-Lite (version 5 or later), with its data."""

    def to_svg(self) -> str:
        """The drawing as text."""
        return str(_converter().vegalite_to_svg(self.spec))

    def to_png(self, *, scale: float = 2) -> bytes:
        """The drawing as pixels, `scale` of them for one of the screen."""
        return bytes(_converter().vegalite_to_png(self.spec, scale=scale))

    def to_pdf(self) -> bytes:
        """The drawing for print."""
        return bytes(_converter().vegalite_to_pdf(self.spec))

    def to_html(self) -> str:
        """A page with the drawing: self-contained, without scripts."""
        return _PAGE.format(title=html.escape(self.title), svg=self.to_svg())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {"application/vnd.vegalite.v5+json": self.spec, "image/svg+xml": self.to_svg()}


def write_chart(chart: Chart, path: Path) -> None:
    """Write a figure as .svg, .png, .pdf or self-contained .html, by the ending of the path."""
    check_ending(path)
    content = getattr(chart, f"to_{path.suffix[1:]}")()
    with atomic_writer(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check_ending(path: Path) -> None:
    """Refuse a file that no figure can be written to, before long work is done for it."""
    if path.suffix not in ENDINGS:
        raise UsageError(
            f"{path}: figures are written as {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}; choose one of these endings"
        )


def _converter() -> Any:
    """The renderer, or what to install."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("drawing figures", "report") from None
    return vl_convert


def finished(title: str, spec: Spec, *, headings: Spec | None = None) -> Chart:
    """A chart with the look that all figures share.

    Args:
        title: of the file; the drawing does not show it, screen readers do.
        spec: the figure.
        headings: look of the titles that the drawing shows.
    """
    named = {"$schema": _SCHEMA, "description": label(title), "config": {**_CONFIG, "title": headings or {}}}
    return Chart(label(title), {**named, **spec})


_QUOTES = str.maketrans({'"': "”", "'": "’", "\\": "⧵"})


def label(text: str) -> str:
    """A name as Vega-Lite can show it: control characters make it fail, quotes and backslashes have a meaning there."""
    return printable(text).translate(_QUOTES)


def noted(title: str, note: str | None) -> str:
    """A title as a label, with a note about the values in parentheses."""
    return label(f"{title} ({note})" if note else title)


def quantity(field: str, **settings: Any) -> Spec:
    """A channel that shows a number."""
    return {"field": field, "type": "quantitative", **settings}


def category(field: str, **settings: Any) -> Spec:
    """A channel that shows a name."""
    return {"field": field, "type": "nominal", **settings}


def either(test: str, yes: str, no: str) -> Spec:
    """A channel with one value where the test of a row holds, and another where it doesn't."""
    return {"condition": {"test": test, "value": yes}, "value": no}


def layer(mark: str, encoding: Mapping[str, Any], **style: Any) -> Spec:
    """Marks of one kind."""
    return {"mark": {"type": mark, **style}, "encoding": encoding}


def colours(names: Sequence[str]) -> Spec:
    """A scale with a colour for each name; they repeat after the eighth."""
    return {"domain": list(names), "range": [COLOURS[place % len(COLOURS)] for place in range(len(names))]}


def in_order(rows: Rows, field: str) -> list[Any]:
    """What the rows have in a field, each once, as they come."""
    return list(dict.fromkeys(row[field] for row in rows))


def rules(channel: str, at: Sequence[float], **style: Any) -> Spec:
    """Lines across a panel."""
    return {"data": {"values": [{"at": one} for one in at]}, **layer("rule", {channel: quantity("at")}, **style)}


def zero_rule() -> Spec:
    """The line at 0."""
    return rules("x", [0], color=INK, opacity=0.4)


def interval(name: str, value: float, lower: float | None, upper: float | None, **more: Any) -> dict[str, Any]:
    """A row of `intervals`; a limit that is undefined lies at the value."""
    low, high = (value if defined(limit) is None else limit for limit in (lower, upper))
    return {"name": label(name), "value": value, "lower": low, "upper": high, **more}


def intervals(
    rows: Rows, x: Spec, *, groups: Sequence[str] | None = None, legend: str | None = None, dots: Spec | None = None
) -> Spec:
    """For each row, below each other by name, a line from `lower` to `upper` and a dot at `value`.

    Args:
        rows: of `interval`.
        x: title and scale of the axis.
        groups: where rows have a `group`: all of them, each with its colour and its line within the name.
        legend: title of the colours.
        dots: mark and encoding of the dots, if they are not plain circles.
    """
    encoding: Spec = {"y": category("name", sort=in_order(rows, "name"), title=None)}
    if groups is None:
        encoding["color"] = {"value": ACCENT}
    else:
        encoding["yOffset"] = category("group", sort=list(groups))
        encoding["color"] = category("group", sort=list(groups), title=legend, scale=colours(groups))
    dots = dots or layer("circle", {}, size=64, opacity=1)
    return {
        "data": {"values": rows},
        "encoding": encoding,
        "layer": [
            layer("rule", {"x": quantity("lower", **x), "x2": {"field": "upper"}}, strokeWidth=2),
            {**dots, "encoding": {"x": quantity("value", **x), **dots["encoding"]}},
        ],
    }


def curves(rows: Rows, x: Spec, y: Spec, *, colour: Spec, band: float, point: bool = True) -> Spec:
    """Lines with points through `value`, over bands from `lower` to `upper`.

    Args:
        rows: with these three, and what `x` and `colour` show.
        x: channel of the horizontal axis.
        y: title and scale of the vertical axis.
        colour: channel.
        band: opacity of the bands.
        point: whether values have points.
    """
    return {
        "data": {"values": rows},
        "encoding": {"x": x, "color": colour},
        "layer": [
            layer("area", {"y": quantity("lower", **y), "y2": {"field": "upper"}}, opacity=band),
            layer("line", {"y": quantity("value", **y)}, point=point, strokeWidth=2),
        ],
    }
