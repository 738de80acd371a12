"""How scores behave as pyramids grow, drawn: figures 1 and 3 of Nenkova & Passonneau 2004, tables 3 to 5."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.reports.figures.base import COLOURS, INK, altair, label, write_chart
from pyramidion.studies.orders import OrdersStudy

MOST_TOPICS = 6
"""Topics whose score ranges are drawn; more can't be read, and are in the rows."""
WIDTH, HEIGHT = 300, 200
_SHAPES = ("circle", "square", "triangle-up", "cross", "diamond", "triangle-down", "triangle-right")


def write_orders(study: OrdersStudy, path: Path) -> None:
    """All figures of the study as .svg, .png or self-contained .html."""
    write_chart(draw_orders(study), path, title="Orders of pyramids")


def draw_orders(study: OrdersStudy) -> Any:
    """All figures of the study below each other."""
    alt = altair()
    pairs = [_errors(study), _rankings(study), _scus(study), _separated(study)]
    charts = [chart for chart in pairs if chart is not None]
    rows = [
        alt.hconcat(*charts[start : start + 2]).resolve_scale(color="independent") for start in range(0, len(charts), 2)
    ]
    rows += [chart for chart in (_ranges(study), _humans(study)) if chart is not None]
    chart = alt.vconcat(*rows).resolve_scale(color="independent", shape="independent")
    return chart.configure_title(anchor="start", color=INK, fontSize=13)


def _lines(
    values: Sequence[dict[str, Any]],
    *,
    title: str,
    y: str,
    domain: Sequence[str],
    range: tuple[float, float] | None = None,
) -> Any:
    """Values by order: a line for each series."""
    alt = altair()
    scale = alt.Scale(domain=list(domain), range=list(COLOURS[: len(domain)]))
    return (
        alt.Chart(alt.InlineData(values=list(values)), title=title, width=WIDTH, height=HEIGHT)
        .mark_line(point=alt.OverlayMarkDef(size=45, filled=True), strokeWidth=2)
        .encode(
            x=_order_axis([row["order"] for row in values]),
            y=alt.Y("value:Q", title=y, scale=alt.Scale(domain=list(range)) if range else alt.Scale(zero=True)),
            color=alt.Color("series:N", scale=scale, title=None, legend=alt.Legend(orient="bottom", columns=2)),
        )
    )


def _order_axis(orders: Sequence[int]) -> Any:
    alt = altair()
    ticks = sorted(set(orders))
    return alt.X(
        "order:Q",
        title="models in the pyramid",
        axis=alt.Axis(values=ticks, format="d", grid=False),
        scale=alt.Scale(domain=[min(ticks) - 0.25, max(ticks) + 0.25], nice=False),
    )


def _errors(study: OrdersStudy) -> Any | None:
    largest = max((one.models for one in study.errors), default=0)
    names = {
        "p": "any of them",
        "p1": "E1: same, seems different",
        "p2": "E2: different, seems the same",
        "p3": "E3: reversed",
    }
    values: list[dict[str, Any]] = [
        {"order": one.order, "series": names[key], "value": getattr(one, key)}
        for one in study.errors
        if one.models == largest
        for key in names
        if getattr(one, key) == getattr(one, key)
    ]
    if not values:
        return None
    title = f"Errors of comparing two of {largest} summaries"
    return _lines(values, title=title, y="probability", domain=list(names.values()))


def _rankings(study: OrdersStudy) -> Any | None:
    alt = altair()
    largest = max((one.models for one in study.rankings), default=0)
    names = {"pyramid": "pyramids", "overlap": "unigram overlap"}
    rows = [one for one in study.rankings if one.models == largest]
    values: list[dict[str, Any]] = [
        {"order": one.order, "series": names[one.by], "value": one.mean} for one in rows if one.mean == one.mean
    ]
    if not values:
        return None
    chart = _lines(
        values,
        title=f"Ranking of {rows[0].ranked}, beside that by all others",
        y="mean Spearman correlation",
        domain=[name for name in names.values() if any(row["series"] == name for row in values)],
        range=(min(0.0, *(row["value"] for row in values)), 1),
    )
    critical = rows[0].critical.value
    if critical != critical:
        return chart
    limit = alt.Chart(alt.InlineData(values=[{"value": critical, "text": f"significant from {critical:.3g}"}]))
    rule = limit.mark_rule(strokeDash=[4, 3], color=INK).encode(y="value:Q")
    said = limit.mark_text(align="right", baseline="bottom", dy=-3, fontSize=11, color=INK)
    return chart + rule + said.encode(y="value:Q", x=alt.value(WIDTH), text="text:N")


def _scus(study: OrdersStudy) -> Any | None:
    alt = altair()
    if not study.scus:
        return None
    values = [{"order": one.order, "topic": label(one.topic), "value": one.mean} for one in study.scus]
    return (
        alt.Chart(alt.InlineData(values=values), title="Distinct SCUs, mean over pyramids", width=WIDTH, height=HEIGHT)
        .mark_line(color=COLOURS[0], strokeWidth=1.5, opacity=0.7)
        .encode(
            x=_order_axis([one.order for one in study.scus]),
            y=alt.Y("value:Q", title="SCUs", scale=alt.Scale(zero=True)),
            detail="topic:N",
        )
    )


def _separated(study: OrdersStudy) -> Any | None:
    largest = max((one.models for one in study.divergences if one.divergent), default=0)
    values = [
        {"order": order, "series": "separated", "value": count / one.divergent}
        for one in study.divergences
        if one.models == largest and one.divergent
        for order, count in one.separated.items()
    ]
    if not values:
        return None
    title = "Divergent pairs told apart by every pyramid"
    chart = _lines(values, title=title, y="share of pairs", domain=["separated"], range=(0, 1))
    return chart.encode(color=altair().value(COLOURS[0]))


def _ranges(study: OrdersStudy) -> Any | None:
    """Least, mean and greatest scores of the best and the worst summary of some topics (figure 3)."""
    alt = altair()
    plots = []
    topics = list(dict.fromkeys(one.topic for one in study.summaries))
    highest = max([1.0, *(one.maximum for one in study.ranges)])  # a modified score may pass 1
    whole = alt.Scale(domain=[0, highest])
    for topic in topics[:MOST_TOPICS]:
        ranked = sorted((one for one in study.summaries if one.topic == topic), key=lambda one: -one.others)
        chosen = [ranked[0].summarizer, ranked[-1].summarizer]
        values: list[dict[str, Any]] = [
            {
                "order": one.order,
                "who": label(one.summarizer),
                "minimum": one.minimum,
                "mean": one.mean,
                "maximum": one.maximum,
            }
            for one in study.ranges
            if one.topic == topic and one.summarizer in chosen
        ]
        scale = alt.Scale(domain=[label(who) for who in chosen], range=list(COLOURS[:2]))
        base = alt.Chart(alt.InlineData(values=values), title=label(topic), width=190, height=150).encode(
            x=_order_axis([row["order"] for row in values]),
            color=alt.Color("who:N", scale=scale, title=None, legend=alt.Legend(symbolOpacity=1)),
        )
        band = base.mark_area(opacity=0.18).encode(y=alt.Y("minimum:Q", title="score", scale=whole), y2="maximum:Q")
        line = base.mark_line(point=True, strokeWidth=2).encode(y=alt.Y("mean:Q", title="score", scale=whole))
        plots.append((band + line).resolve_scale(color="shared"))
    if not plots:
        return None
    more = "" if len(topics) <= MOST_TOPICS else f" (first {MOST_TOPICS} of {len(topics)} topics)"
    rows = [alt.hconcat(*plots[start : start + 3]) for start in range(0, len(plots), 3)]
    rows = [row.resolve_scale(color="independent") for row in rows]
    title = f"Least, mean and greatest score of the best and the worst summary{more}"
    return alt.vconcat(*rows, title=title).resolve_scale(color="independent")


def _humans(study: OrdersStudy) -> Any | None:
    """Humans' scores by topic, a mark for each (figure 1); SEE coverage where it was judged."""
    alt = altair()
    measures = list(dict.fromkeys(one.measure for one in study.humans))
    if not measures:
        return None
    rows = [one for one in study.humans if one.measure == measures[0]]
    values = [{"topic": label(one.topic), "who": label(one.summarizer), "value": one.value} for one in rows]
    names = list(dict.fromkeys(row["who"] for row in values))
    # Eight colours and seven shapes: the pairs differ up to the 56th summarizer.
    colours = alt.Scale(domain=names, range=[COLOURS[index % len(COLOURS)] for index in range(len(names))])
    shapes = alt.Scale(domain=names, range=[_SHAPES[index % len(_SHAPES)] for index in range(len(names))])
    chart = alt.Chart(alt.InlineData(values=values), title="Human summarizers by topic", height=HEIGHT)
    return (
        chart.mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            x=alt.X("topic:N", title=None, sort=None, axis=alt.Axis(labelAngle=-40)),
            y=alt.Y("value:Q", title=label(measures[0]), scale=alt.Scale(zero=False)),
            color=alt.Color("who:N", scale=colours, title=None),
            shape=alt.Shape("who:N", scale=shapes, title=None),
        )
        .properties(width=alt.Step(max(14, min(40, 640 // max(1, len({row["topic"] for row in values}))))))
    )
