"""How scores behave as pyramids grow, drawn: figures 1 and 3 of Nenkova & Passonneau 2004, tables 3 to 5."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import UsageError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.studies.orders import OrdersStudy

MOST_TOPICS = 6
"""Topics whose score ranges are drawn; more can't be read, and are in the rows."""
WIDTH, HEIGHT = 300, 200
_ERRORS = {
    "error_rate": "any error",
    "p1": "E1: equal, appear different",
    "p2": "E2: different, appear equal",
    "p3": "E3: order reversed",
}
_SHAPES = ("circle", "square", "triangle-up", "cross", "diamond", "triangle-down", "triangle-right")


@draw.register
def draw_orders(study: OrdersStudy) -> Chart:
    """All figures of the study below each other."""
    lines = [panel for panel in (_errors(study), _rankings(study), _scus(study), _separated(study)) if panel]
    rows: list[vl.Spec] = [*_side_by_side(lines, 2), *(panel for panel in (_ranges(study), _humans(study)) if panel)]
    if not rows:
        raise UsageError("none of the chosen records is drawn: choose others, or draw the whole study")
    spec = {"vconcat": rows, "resolve": {"scale": {"color": "independent", "shape": "independent"}}}
    headings = {"anchor": "start", "color": vl.INK, "fontSize": 13}
    return vl.finished("Pyramids by number of references", spec, headings=headings)


def _side_by_side(panels: Sequence[vl.Spec], columns: int) -> list[vl.Spec]:
    return [{"hconcat": panels[start : start + columns], **vl.OWN_COLOURS} for start in range(0, len(panels), columns)]


def _lines(rows: vl.Rows, y: vl.Spec, title: str, *layers: vl.Spec, names: Sequence[str] = ()) -> vl.Spec | None:
    """Values by order: a line for each series, or for all of them; None where there are no values."""
    if not rows:
        return None
    legend = {"orient": "bottom", "columns": 2}
    colour = vl.category("series", scale=vl.colours(names), title=None, legend=legend)
    channels = {
        "x": _order(rows),
        "y": vl.quantity("value", **y),
        "color": colour if names else {"value": vl.COLOURS[0]},
    }
    lines = vl.layer("line", channels, point={"size": 45, "filled": True}, strokeWidth=2)
    return vl.panel(rows, lines, *layers, size=(WIDTH, HEIGHT), title=title)


def _order(rows: vl.Rows) -> vl.Spec:
    """The horizontal axis."""
    ticks = sorted(vl.in_order(rows, "order"))
    scale = {"domain": [ticks[0] - 0.25, ticks[-1] + 0.25], "nice": False}
    axis = {"values": ticks, "format": "d", "grid": False}
    return vl.quantity("order", title="references in the pyramid", axis=axis, scale=scale)


def _errors(study: OrdersStudy) -> vl.Spec | None:
    largest = max((one.models for one in study.errors), default=0)
    rows = [
        {"order": one.order, "series": name, "value": value}
        for one in study.errors
        if one.models == largest
        for field, name in _ERRORS.items()
        if (value := getattr(one, field)) == value
    ]
    y = {"title": "probability", "scale": {"zero": True}}
    return _lines(rows, y, f"Errors in comparing two of {largest} summaries", names=list(_ERRORS.values()))


def _rankings(study: OrdersStudy) -> vl.Spec | None:
    largest = max((one.models for one in study.rankings), default=0)
    found = [one for one in study.rankings if one.models == largest and one.mean == one.mean]
    names = {"pyramid": "pyramids", "overlap": "unigram overlap"}
    rows = [{"order": one.order, "series": names[one.by], "value": one.mean} for one in found]
    if not found:
        return None
    limits = []
    critical = found[0].critical
    if critical == critical:
        limit = vl.rules("y", [critical], strokeDash=[4, 3], color=vl.INK)
        text = {"value": f"significant at {critical:.3g} or more"}
        channels = {"y": vl.quantity("at"), "x": {"value": WIDTH}, "text": text}
        style = {"align": "right", "baseline": "bottom", "dy": -3, "fontSize": 11, "color": vl.INK}
        limits = [limit, {"data": limit["data"], **vl.layer("text", channels, **style)}]
    y = {"title": "mean Spearman correlation", "scale": {"domain": [min(0.0, *(one.mean for one in found)), 1]}}
    title = f"Ranking of {found[0].ranked} summaries, compared with the largest pyramid"
    shown = [name for by, name in names.items() if any(one.by == by for one in found)]
    return _lines(rows, y, title, *limits, names=shown)


def _scus(study: OrdersStudy) -> vl.Spec | None:
    if not study.scus:
        return None
    rows = [{"order": one.order, "topic": vl.label(one.topic), "value": one.mean} for one in study.scus]
    return vl.panel(
        rows,
        vl.layer("line", {"detail": vl.category("topic")}, color=vl.COLOURS[0], strokeWidth=1.5, opacity=0.7),
        size=(WIDTH, HEIGHT),
        title="Distinct SCUs, mean over pyramids",
        x=_order(rows),
        y=vl.quantity("value", title="SCUs", scale={"zero": True}),
    )


def _separated(study: OrdersStudy) -> vl.Spec | None:
    largest = max((one.models for one in study.divergences if one.divergent), default=0)
    rows = [
        {"order": order, "value": count / one.divergent}
        for one in study.divergences
        if one.models == largest and one.divergent
        for order, count in one.separated.items()
    ]
    y = {"title": "share of pairs", "scale": {"domain": [0, 1]}}
    return _lines(rows, y, "Divergent pairs that every pyramid separates")


def _ranges(study: OrdersStudy) -> vl.Spec | None:
    """Lowest, mean and highest scores of the best and the worst summary of some topics (figure 3)."""
    topics = list(dict.fromkeys(one.topic for one in study.summaries))
    if not topics:
        return None
    highest = max([1.0, *(one.maximum for one in study.ranges)])  # a modified score may pass 1
    panels = [_range(study, topic, highest) for topic in topics[:MOST_TOPICS]]
    more = "" if len(topics) <= MOST_TOPICS else f" (first {MOST_TOPICS} of {len(topics)} topics)"
    title = f"Lowest, mean and highest score of the best and the worst summary{more}"
    return {"vconcat": _side_by_side(panels, 3), "title": title, **vl.OWN_COLOURS}


def _range(study: OrdersStudy, topic: str, highest: float) -> vl.Spec:
    ranked = sorted((one for one in study.summaries if one.topic == topic), key=lambda one: -one.others)
    chosen = [ranked[0].summarizer, ranked[-1].summarizer]
    rows = [
        {
            "order": one.order,
            "who": vl.label(one.summarizer),
            "lower": one.minimum,
            "value": one.mean,
            "upper": one.maximum,
        }
        for one in study.ranges
        if one.topic == topic and one.summarizer in chosen
    ]
    names = vl.colours([vl.label(who) for who in chosen])
    return vl.curves(
        rows,
        {"title": "score", "scale": {"domain": [0, highest]}},
        band=0.18,
        size=(190, 150),
        title=vl.label(topic),
        x=_order(rows),
        color=vl.category("who", scale=names, title=None, legend={"symbolOpacity": 1}),
    )


def _humans(study: OrdersStudy) -> vl.Spec | None:
    """Humans' scores by topic, a mark for each (figure 1); SEE coverage where it was judged."""
    if not study.humans:
        return None
    measure = study.humans[0].measure
    rows = [
        {"topic": vl.label(one.topic), "who": vl.label(one.summarizer), "value": one.value}
        for one in study.humans
        if one.measure == measure
    ]
    names = vl.in_order(rows, "who")
    # Eight colours and seven shapes: the pairs differ up to the 56th summarizer.
    shapes = {"domain": names, "range": [_SHAPES[place % len(_SHAPES)] for place in range(len(names))]}
    return vl.panel(
        rows,
        vl.layer("point", {"shape": vl.category("who", scale=shapes, title=None)}, filled=True, size=60, opacity=0.9),
        size=({"step": max(14, min(40, 640 // len(vl.in_order(rows, "topic"))))}, HEIGHT),
        title="Human summarizers by topic",
        x=vl.category("topic", title=None, sort=None, axis={"labelAngle": -40}),
        y=vl.quantity("value", title=vl.label(measure), scale={"zero": False}),
        color=vl.category("who", scale=vl.colours(names), title=None),
    )
