"""Parts of Vega-Lite that several figures are made of, and the look of all: plain dictionaries over rows."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Required, TypedDict, Unpack

from pyramidion.present.chart import Chart
from pyramidion.show.wording import defined, printable

Spec = dict[str, Any]
"""A part of a figure in the words of Vega-Lite."""
Rows = Sequence[Mapping[str, Any]]
Size = tuple[int | Spec, int | Spec]
"""Width and height of a panel: pixels, or `step` pixels for each name on the axis."""


class ChannelSettings(TypedDict, total=False):
    """How a channel shows a field, in the words of Vega-Lite."""

    title: str | Sequence[str] | None
    scale: Mapping[str, Any] | None
    axis: Mapping[str, Any] | None
    legend: Mapping[str, Any] | None
    sort: Sequence[str] | None
    stack: str


class MarkStyle(TypedDict, total=False):
    """How marks look, in the words of Vega-Lite."""

    align: str
    baseline: str
    color: str
    cornerRadius: float
    dx: float
    dy: float
    filled: bool
    fontSize: float
    fontWeight: str
    height: float
    opacity: float
    point: bool | Mapping[str, Any]
    size: float
    stroke: str
    strokeDash: Sequence[float]
    strokeWidth: float
    thickness: float
    width: float
    yOffset: float


class Channels(TypedDict, total=False):
    """Channels that the layers of a panel have in common."""

    x: Spec
    y: Spec
    xOffset: Spec
    yOffset: Spec
    color: Spec
    order: Spec


class IntervalsSettings(TypedDict, total=False):
    """A panel of intervals, whose channels follow from its rows."""

    size: Required[Size]
    title: str | Spec
    under: Sequence[Spec]


class CurvesSettings(IntervalsSettings, total=False):
    """A panel of curves, whose vertical channel follows from its rows."""

    x: Spec
    color: Spec


class SquaresSettings(TypedDict, total=False):
    """A panel of squares, whose size and channels follow from its rows."""

    title: str | Spec
    under: Sequence[Spec]


class IntervalFacts(TypedDict, total=False):
    """What a row of `intervals` has besides its numbers."""

    group: str
    letters: str
    share: str
    significant: bool | None


INK = "#1f2933"
ACCENT = "#0b6e99"
COLOURS = ("#0b6e99", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b6770", "#a08c00")
"""For categories: the colour-blind can distinguish them (after Okabe & Ito)."""
OWN_COLOURS = {"resolve": {"scale": {"color": "independent"}}}
"""Of several panels: each has its own colours and legend."""
_ON_DARK, _ON_PALE = "#fefefe", "#1f2934"
"""Texts in squares. Not white and ink themselves, which a dark page exchanges while squares stay as they are."""
_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_PADDING = {"left": 44, "right": 36, "top": 5, "bottom": 5}
"""Room for names in the reader's font, which may be wider than the one that the drawing is laid out with."""
_INKED = {"labelColor": INK, "titleColor": INK}
_LEGEND = {**_INKED, "labelFontSize": 12, "titleFontSize": 12}
_AXIS = {**_INKED, "labelFontSize": 12, "titleFontSize": 12, "labelLimit": 260, "labelFlush": False}
_TITLE_LETTERS = 44
"""Letters in a line of a title; a drawing of one panel is not wider."""


def finished(title: str, spec: Spec, *, headings: Spec | None = None) -> Chart:
    """A chart with the look that all figures share.

    Args:
        title: of a page, and what screen readers call the figure in a notebook; the drawing does not show it.
        spec: the figure.
        headings: look of the titles that the drawing shows.
    """
    config = {"axis": _AXIS, "legend": _LEGEND, "view": {"stroke": None}, "title": headings or {}, "padding": _PADDING}
    return Chart(label(title), {"$schema": _SCHEMA, "description": label(title), "config": config, **spec})


def titled(title: str, note: str, spec: Spec) -> Chart:
    """A finished chart that shows its title, with a note about the values, in lines that fit above one panel."""
    lines = textwrap.wrap(noted(title, note), _TITLE_LETTERS)
    return finished(title, {**spec, "title": lines})


_QUOTES = str.maketrans({'"': "”", "'": "’", "\\": "⧵"})
_TAKEN = frozenset(
    ("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf")
)
"""Names that every object of JavaScript has: Vega looks names up in objects, and finds these in any of them."""
_UNSEEN = "\u2060"
"""A word joiner: nothing to see, but another name."""


def label(text: str) -> str:
    """A name as Vega-Lite can show it: control characters make it fail, quotes and backslashes have a meaning there."""
    shown = printable(text).translate(_QUOTES)
    return shown + _UNSEEN if shown in _TAKEN or shown.startswith("__") else shown


def noted(title: str, note: str | None) -> str:
    """A title as a label, with a note about the values in parentheses."""
    return label(f"{title} ({note})" if note else title)


def quantity(field: str, **settings: Unpack[ChannelSettings]) -> Spec:
    """A channel that shows a number."""
    return {"field": field, "type": "quantitative", **settings}


def category(field: str, **settings: Unpack[ChannelSettings]) -> Spec:
    """A channel that shows a name."""
    return {"field": field, "type": "nominal", **settings}


def either(test: str, yes: str, no: str) -> Spec:
    """A channel with one value where the test of a row holds, and another where it doesn't."""
    return {"condition": {"test": test, "value": yes}, "value": no}


def colours(names: Sequence[str]) -> Spec:
    """A scale with a colour for each name; they repeat after the eighth."""
    return {"domain": list(names), "range": [COLOURS[place % len(COLOURS)] for place in range(len(names))]}


def in_order(rows: Rows, field: str) -> list[Any]:
    """What the rows have in a field, each once, as they come."""
    return list(dict.fromkeys(row[field] for row in rows))


def layer(mark: str, channels: Spec, **style: Unpack[MarkStyle]) -> Spec:
    """Marks of one kind."""
    return {"mark": {"type": mark, **style}, "encoding": channels}


def panel(
    rows: Rows,
    *layers: Spec,
    size: Size,
    title: str | Spec = "",
    under: Sequence[Spec] = (),
    **shared: Unpack[Channels],
) -> Spec:
    """Layers of marks over the same rows.

    Args:
        rows: the data.
        layers: the first is drawn first.
        size: width and height.
        title: above the panel.
        under: layers with data of their own, drawn before the others.
        shared: channels that the layers have in common.
    """
    marks = {"data": {"values": rows}, "encoding": shared, "layer": list(layers)}
    sized = {"width": size[0], "height": size[1], **({"title": title} if title else {})}
    return {**({"layer": [*under, marks]} if under else marks), **sized}


def rules(channel: str, at: Sequence[float], **style: Unpack[MarkStyle]) -> Spec:
    """Lines across a panel."""
    rows = [{"at": place} for place in at]
    return {"data": {"values": rows}, **layer("rule", {channel: quantity("at")}, **style)}


def zero_rule() -> Spec:
    """The line at 0."""
    return rules("x", [0], color=INK, opacity=0.4)


def interval(
    name: str, value: float, lower: float | None, upper: float | None, **facts: Unpack[IntervalFacts]
) -> dict[str, Any]:
    """A row of `intervals`; a limit that is undefined lies at the value."""
    low, high = (value if defined(limit) is None else limit for limit in (lower, upper))
    return {"name": label(name), "value": value, "lower": low, "upper": high, **facts}


def beside(field: str, width: int) -> Spec:
    """Texts at the right of a panel of this width."""
    channels = {"x": {"value": width + 8}, "text": category(field), "color": {"value": INK}}
    return layer("text", channels, align="left", fontSize=11)


def squares(
    rows: Rows,
    colour: Spec,
    *,
    order: Sequence[str],
    step: int,
    angle: int,
    strong: str = "",
    **settings: Unpack[SquaresSettings],
) -> Spec:
    """A panel of coloured squares, `row` by `column`, both in this order.

    Args:
        rows: with `row`, `column`, and `text` to write into the squares.
        colour: of the squares.
        order: of the names.
        step: the width of a square that has a text.
        angle: of the names above the columns.
        strong: the test of a row whose square is so dark that its text is light; without it, no texts are written.
        settings: of the panel.
    """
    texts = {"text": category("text"), "color": either(strong, _ON_DARK, _ON_PALE)}
    return panel(
        rows,
        layer("rect", {"color": colour}, stroke="#ffffff"),
        *([layer("text", texts, fontSize=11)] if strong else []),
        size=({"step": step}, {"step": 26}) if strong else ({"step": 18}, {"step": 18}),
        x=category("column", sort=order, title=None, axis={"labelAngle": angle}),
        y=category("row", sort=order, title=None),
        **settings,
    )


def intervals(
    rows: Rows,
    x: Spec,
    *layers: Spec,
    dots: Spec | None = None,
    legend: str | None = None,
    **settings: Unpack[IntervalsSettings],
) -> Spec:
    """A panel with, for each row, a line from `lower` to `upper` and a dot at `value`; names below each other.

    Args:
        rows: of `interval`; each `group` that they have gets a colour and a line within the name.
        x: title and scale of the axis.
        layers: further ones.
        dots: the layer of the dots, if they are not plain circles.
        legend: title of the groups.
        settings: of the panel.
    """
    shared: Channels = {"y": category("name", sort=None, title=None), "color": {"value": ACCENT}}  # as the rows come
    if any("group" in row for row in rows):
        groups = in_order(rows, "group")
        shared["yOffset"] = category("group", sort=groups)
        shared["color"] = category("group", title=legend, scale=colours(groups))
    lines = layer("rule", {"x": quantity("lower", **x), "x2": {"field": "upper"}}, strokeWidth=2)
    dots = dots or layer("circle", {}, size=64, opacity=1)
    dots["encoding"]["x"] = quantity("value", **x)
    return panel(rows, lines, dots, *layers, **shared, **settings)


def curves(
    rows: Rows, y: Spec, *layers: Spec, band: float, point: bool = True, **settings: Unpack[CurvesSettings]
) -> Spec:
    """A panel with lines through `value` over bands from `lower` to `upper`.

    Args:
        rows: with these three.
        y: title and scale of the axis.
        layers: further ones.
        band: opacity of the bands.
        point: whether values have points.
        settings: of the panel.
    """
    bands = layer("area", {"y": quantity("lower", **y), "y2": {"field": "upper"}}, opacity=band)
    lines = layer("line", {"y": quantity("value", **y)}, point=point, strokeWidth=2)
    return panel(rows, bands, lines, *layers, **settings)
