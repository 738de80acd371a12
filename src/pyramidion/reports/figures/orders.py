"""How scores behave as pyramids grow, drawn: figures 1 and 3 of Nenkova & Passonneau 2004, tables 3 to 5."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.reports.figures.base import (
    COLOURS,
    INK,
    Chart,
    Rows,
    Spec,
    category,
    colours,
    curves,
    finished,
    in_order,
    label,
    layer,
    quantity,
    rules,
)
from pyramidion.studies.orders import OrdersStudy

MOST_TOPICS = 6
"""Topics whose score ranges are drawn; more can't be read, and are in the rows."""
WIDTH, HEIGHT = 300, 200
_SHAPES = ("circle", "square", "triangle-up", "cross", "diamond", "triangle-down", "triangle-right")


def draw_orders(study: OrdersStudy) -> Chart:
    """All figures of the study below each other."""
    drawn = [_errors(study), _rankings(study), _scus(study), _separated(study)]
    panels = [panel for panel in drawn if panel is not None]
    rows = [*_rows_of(panels, 2), *(panel for panel in (_ranges(study), _humans(study)) if panel is not None)]
    spec = {"vconcat": rows, "resolve": {"scale": {"color": "independent", "shape": "independent"}}}
    return finished("Orders of pyramids", spec, headings={"anchor": "start", "color": INK, "fontSize": 13})


def _rows_of(panels: Sequence[Spec], columns: int) -> list[Spec]:
    """Panels side by side, each with colours and legend of its own."""
    return [
        {"hconcat": panels[start : start + columns], "resolve": {"scale": {"color": "independent"}}}
        for start in range(0, len(panels), columns)
    ]


def _lines(rows: Rows, *, title: str, y: str, names: Sequence[str], domain: Sequence[float] | None = None) -> Spec:
    """Values by order: a line for each series."""
    colour = category("series", scale=colours(names), title=None, legend={"orient": "bottom", "columns": 2})
    encoding = {
        "x": _order_axis(rows),
        "y": quantity("value", title=y, scale={"domain": list(domain)} if domain else {"zero": True}),
        "color": colour if names else {"value": COLOURS[0]},
    }
    lines = layer("line", encoding, point={"size": 45, "filled": True}, strokeWidth=2)
    return {"data": {"values": rows}, **lines, "width": WIDTH, "height": HEIGHT, "title": title}


def _order_axis(rows: Rows) -> Spec:
    ticks = sorted(in_order(rows, "order"))
    scale = {"domain": [ticks[0] - 0.25, ticks[-1] + 0.25], "nice": False}
    return quantity(
        "order", title="models in the pyramid", axis={"values": ticks, "format": "d", "grid": False}, scale=scale
    )


def _errors(study: OrdersStudy) -> Spec | None:
    largest = max((one.models for one in study.errors), default=0)
    names = {
        "p": "any of them",
        "p1": "E1: same, seems different",
        "p2": "E2: different, seems the same",
        "p3": "E3: reversed",
    }
    rows: Rows = [
        {"order": one.order, "series": names[key], "value": value}
        for one in study.errors
        if one.models == largest
        for key in names
        if (value := getattr(one, key)) == value
    ]
    if not rows:
        return None
    title = f"Errors of comparing two of {largest} summaries"
    return _lines(rows, title=title, y="probability", names=list(names.values()))


def _rankings(study: OrdersStudy) -> Spec | None:
    largest = max((one.models for one in study.rankings), default=0)
    names = {"pyramid": "pyramids", "overlap": "unigram overlap"}
    found = [one for one in study.rankings if one.models == largest]
    rows: Rows = [
        {"order": one.order, "series": names[one.by], "value": one.mean} for one in found if one.mean == one.mean
    ]
    if not rows:
        return None
    lines = _lines(
        rows,
        title=f"Ranking of {found[0].ranked}, beside that by all others",
        y="mean Spearman correlation",
        names=[name for name in names.values() if any(row["series"] == name for row in rows)],
        domain=(min(0.0, *(row["value"] for row in rows)), 1),
    )
    critical = found[0].critical.value
    if critical != critical:
        return lines
    limit = rules("y", [critical], strokeDash=[4, 3], color=INK)
    text = {"value": f"significant from {critical:.3g}"}
    said = layer(
        "text",
        {"y": quantity("at"), "x": {"value": WIDTH}, "text": text},
        align="right",
        baseline="bottom",
        dy=-3,
        fontSize=11,
        color=INK,
    )
    return {"layer": [lines, limit, {"data": limit["data"], **said}]}


def _scus(study: OrdersStudy) -> Spec | None:
    if not study.scus:
        return None
    rows = [{"order": one.order, "topic": label(one.topic), "value": one.mean} for one in study.scus]
    encoding = {
        "x": _order_axis(rows),
        "y": quantity("value", title="SCUs", scale={"zero": True}),
        "detail": category("topic"),
    }
    lines = layer("line", encoding, color=COLOURS[0], strokeWidth=1.5, opacity=0.7)
    title = "Distinct SCUs, mean over pyramids"
    return {"data": {"values": rows}, **lines, "width": WIDTH, "height": HEIGHT, "title": title}


def _separated(study: OrdersStudy) -> Spec | None:
    largest = max((one.models for one in study.divergences if one.divergent), default=0)
    rows = [
        {"order": order, "value": count / one.divergent}
        for one in study.divergences
        if one.models == largest and one.divergent
        for order, count in one.separated.items()
    ]
    if not rows:
        return None
    title = "Divergent pairs told apart by every pyramid"
    return _lines(rows, title=title, y="share of pairs", names=(), domain=(0, 1))


def _ranges(study: OrdersStudy) -> Spec | None:
    """Least, mean and greatest scores of the best and the worst summary of some topics (figure 3)."""
    topics = list(dict.fromkeys(one.topic for one in study.summaries))
    if not topics:
        return None
    highest = max([1.0, *(one.maximum for one in study.ranges)])  # a modified score may pass 1
    panels = []
    for topic in topics[:MOST_TOPICS]:
        ranked = sorted((one for one in study.summaries if one.topic == topic), key=lambda one: -one.others)
        chosen = [ranked[0].summarizer, ranked[-1].summarizer]
        rows: Rows = [
            {
                "order": one.order,
                "who": label(one.summarizer),
                "lower": one.minimum,
                "value": one.mean,
                "upper": one.maximum,
            }
            for one in study.ranges
            if one.topic == topic and one.summarizer in chosen
        ]
        scale = colours([label(who) for who in chosen])
        colour = category("who", scale=scale, title=None, legend={"symbolOpacity": 1})
        y = {"title": "score", "scale": {"domain": [0, highest]}}
        panel = curves(rows, _order_axis(rows), y, colour=colour, band=0.18)
        panels.append({**panel, "width": 190, "height": 150, "title": label(topic)})
    more = "" if len(topics) <= MOST_TOPICS else f" (first {MOST_TOPICS} of {len(topics)} topics)"
    return {
        "vconcat": _rows_of(panels, 3),
        "title": f"Least, mean and greatest score of the best and the worst summary{more}",
        "resolve": {"scale": {"color": "independent"}},
    }


def _humans(study: OrdersStudy) -> Spec | None:
    """Humans' scores by topic, a mark for each (figure 1); SEE coverage where it was judged."""
    if not study.humans:
        return None
    measure = study.humans[0].measure
    rows = [
        {"topic": label(one.topic), "who": label(one.summarizer), "value": one.value}
        for one in study.humans
        if one.measure == measure
    ]
    names = in_order(rows, "who")
    # Eight colours and seven shapes: the pairs differ up to the 56th summarizer.
    shapes = {"domain": names, "range": [_SHAPES[place % len(_SHAPES)] for place in range(len(names))]}
    encoding = {
        "x": category("topic", title=None, sort=None, axis={"labelAngle": -40}),
        "y": quantity("value", title=label(measure), scale={"zero": False}),
        "color": category("who", scale=colours(names), title=None),
        "shape": category("who", scale=shapes, title=None),
    }
    return {
        "data": {"values": rows},
        **layer("point", encoding, filled=True, size=60, opacity=0.9),
        "width": {"step": max(14, min(40, 640 // len(in_order(rows, "topic"))))},
        "height": HEIGHT,
        "title": "Human summarizers by topic",
    }
