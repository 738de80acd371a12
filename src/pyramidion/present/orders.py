"""How scores behave as pyramids grow, for people: tables, sentences and figures of Nenkova & Passonneau 2004."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pyramidion.errors import UsageError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.present.pyramids import across_tables
from pyramidion.show.tables import Cell, Column, Row, Table, notes_of, pivot, table_of
from pyramidion.show.wording import capital, together
from pyramidion.studies.orders import OrdersStudy
from pyramidion.studies.orders.divergence import Divergence
from pyramidion.studies.orders.errors import ErrorProbabilities
from pyramidion.studies.orders.ranking import Ranking
from pyramidion.studies.orders.summaries import SummaryScores

_DIVERGENCE = (
    *("models", "topics", "pairs", "divergent", "lasting_mean", "lasting_never", "first_mean", "merging"),
    *(Column("last_size", digits=3), "shrinking", "never"),
)
_SEPARATION = ("models", "order", "separated", "divergent", Column("size", digits=3))
_ERROR = ("models", "order", "p1", "p2", "p3", "error_rate", "data_points")
_RANKING = ("by", "models", "order", "ranked", "mean", "n", "undefined", "critical", "share")
_SUMMARY = ("topic", "summarizer", "see", "order", "subset", "average", "others")
_RANGE = ("topic", "summarizer", "order", "minimum", "mean", "maximum", "n")
_OPTIMAL = ("topic", "order", "X", Column("max", "Max(X)"), Column("count", "summaries"))
_HUMAN = ("topic", "summarizer", "measure", "value")


def tables(study: OrdersStudy) -> list[Table]:
    """Tables and figures of the paper; what is long, or better drawn, on request."""
    divergences = table_of(
        study.divergences,
        _DIVERGENCE,
        record="orders-divergence",
        title="Divergence: the order from which every pyramid separates two summaries",
        sentences=[
            line for row in study.divergences for line in (divergence_sentence(row), size_sentence(row)) if line
        ],
    )
    plain_tables: list[tuple[str, Sequence[Row], Sequence[Column | str], dict[str, Any]]] = [
        ("Errors in comparing two summaries with smaller pyramids (table 3)", study.errors, _ERROR, {"heads": 2}),
        ("Rankings compared with that by all others (tables 4 and 5)", study.rankings, _RANKING, {"heads": 4}),
        ("Summaries (table 2)", study.summaries, _SUMMARY, {"heads": 2}),
        ("Optimal summaries with as many SCUs as the mean model (figure 2)", study.optimal, _OPTIMAL, {}),
        ("Divergent pairs that are separated, by order", study.separations, _SEPARATION, {"detail": True}),
        ("Lowest, mean and highest score by order (figure 3)", study.ranges, _RANGE, {"heads": 3, "detail": True}),
        ("Humans by topic (figure 1)", study.humans, _HUMAN, {"heads": 2, "detail": True}),
    ]
    shown = [divergences]
    for title, rows, columns, settings in plain_tables:
        if rows:
            shown.append(table_of(rows, columns, title=title, notes=notes_of(rows), **settings))
    if study.scus:
        shown.append(_scu_table(study))
    return [*shown, *across_tables(study.across)]


def _scu_table(study: OrdersStudy) -> Table:
    """Distinct SCUs: a row for each topic, a column for each order."""
    lowest_first = sorted(study.scus, key=lambda row: row.order)
    means: dict[tuple[str, str], Cell] = {(row.topic, f"order {row.order}"): row.mean for row in lowest_first}
    title = "Distinct SCUs by order, mean over pyramids"
    return pivot(means, "topic", digits=2, record="orders-scus", title=title)


def divergence_sentence(divergence: Divergence) -> str:
    """How many pairs of summaries diverge, and from which order pyramids separate them."""
    if not divergence.divergent:
        return f"No two of {divergence.models} models differ by more than {divergence.threshold:g}."
    clauses = [
        f"{divergence.divergent} of {divergence.pairs} pairs differ by more than {divergence.threshold:g} with the "
        f"pyramid of all others ({divergence.models} models)"
    ]
    if divergence.lasting_never < divergence.divergent:
        pyramids = "every pyramid" if divergence.exhaustive else "every sampled pyramid"
        clauses.append(f"on average, {pyramids} of order {divergence.lasting_mean:.2f} or higher separates them")
    if divergence.lasting_never:
        clauses.append(f"{divergence.lasting_never} are not separated below order {divergence.models - 1}")
    if divergence.merging:
        clauses.append(f"{divergence.merging} separate and merge again at a higher order")
    return f"{'; '.join(clauses)}."


def size_sentence(divergence: Divergence) -> str:
    """How far apart separated pairs are, whether that ever shrinks, and which pairs no order separates."""
    clauses = []
    if not math.isnan(divergence.first_size):
        gap = f"the lowest score of the better one is {divergence.first_size:.3f} above the highest of the worse one"
        last = (
            ""
            if math.isnan(divergence.last_size)
            else f" ({divergence.last_size:.3f} at order {divergence.models - 2})"
        )
        clauses.append(f"where divergent pairs first separate, {gap} on average{last}")
        clauses.append(f"this gap shrinks from an order to the next for {divergence.shrinking or 'none'} of them")
    if divergence.never:
        differ = f"they differ by up to {divergence.never_largest:.3f} with the pyramid of all others"
        clauses.append(f"{divergence.never} of {divergence.pairs} pairs are never separated: {differ}")
    if not clauses:
        return ""
    return f"{capital('; '.join(clauses))}."


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


def draw_orders(study: OrdersStudy) -> Chart:
    """All figures of the study below each other."""
    narrow_panels = (_error_panel(study), _ranking_panel(study), _scu_panel(study), _separation_panel(study))
    wide_panels = (_range_panels(study), _human_panel(study))
    rows: list[vl.Spec] = [
        *_side_by_side([panel for panel in narrow_panels if panel], 2),
        *(panel for panel in wide_panels if panel),
    ]
    if not rows:
        raise UsageError("none of the chosen records is drawn: choose others, or draw the whole study")
    spec = {"vconcat": rows, "resolve": {"scale": {"color": "independent", "shape": "independent"}}}
    headings = {"anchor": "start", "color": vl.INK, "fontSize": 13}
    return vl.finished("Pyramids by number of references", spec, headings=headings)


def _side_by_side(panels: Sequence[vl.Spec], columns: int) -> list[vl.Spec]:
    """Panels in rows of as many columns."""
    return [{"hconcat": panels[start : start + columns], **vl.OWN_COLOURS} for start in range(0, len(panels), columns)]


def _lines(rows: vl.Rows, y: vl.Spec, title: str, *layers: vl.Spec, names: Sequence[str] = ()) -> vl.Spec | None:
    """Values by order: a line for each series, or for all of them; None where there are no values."""
    if not rows:
        return None
    colour: vl.Spec = {"value": vl.COLOURS[0]}
    if names:
        legend = {"orient": "bottom", "columns": 2}
        colour = vl.category("series", scale=vl.colours(names), title=None, legend=legend)
    channels = {"x": _order_axis(rows), "y": vl.quantity("value", **y), "color": colour}
    lines = vl.layer("line", channels, point={"size": 45, "filled": True}, strokeWidth=2)
    return vl.panel(rows, lines, *layers, size=(WIDTH, HEIGHT), title=title)


def _order_axis(rows: vl.Rows) -> vl.Spec:
    """The horizontal axis."""
    ticks = sorted(vl.in_order(rows, "order"))
    # A little room, so that points at the ends are not cut in half.
    scale = {"domain": [ticks[0] - 0.25, ticks[-1] + 0.25], "nice": False}
    axis = {"values": ticks, "format": "d", "grid": False}
    return vl.quantity("order", title="references in the pyramid", axis=axis, scale=scale)


def _error_panel(study: OrdersStudy) -> vl.Spec | None:
    """Probabilities of errors by order, in the sets with the most models (table 3)."""
    # Sets of different sizes have different highest orders, and are never drawn together.
    largest = max((row.models for row in study.errors), default=0)
    rows = []
    for error in study.errors:
        if error.models == largest:
            values = {name: getattr(error, field) for field, name in _ERRORS.items()}
            rows += [
                {"order": error.order, "series": name, "value": value}
                for name, value in values.items()
                if not math.isnan(value)
            ]
    y = {"title": "probability", "scale": {"zero": True}}
    return _lines(rows, y, f"Errors in comparing two of {largest} summaries", names=list(_ERRORS.values()))


def _ranking_panel(study: OrdersStudy) -> vl.Spec | None:
    """Mean rank correlations by order, in the sets with the most models (tables 4 and 5)."""
    largest = max((row.models for row in study.rankings), default=0)
    rankings = [row for row in study.rankings if row.models == largest and not math.isnan(row.mean)]
    if not rankings:
        return None
    names = {"pyramid": "pyramids", "overlap": "unigram overlap"}
    rows = [{"order": row.order, "series": names[row.by], "value": row.mean} for row in rankings]
    limits = []
    critical = rankings[0].critical
    if not math.isnan(critical):
        limit = vl.rules("y", [critical], strokeDash=[4, 3], color=vl.INK)
        text = {"value": f"significant at {critical:.3g} or more"}
        channels = {"y": vl.quantity("at"), "x": {"value": WIDTH}, "text": text}
        style: vl.MarkStyle = {"align": "right", "baseline": "bottom", "dy": -3, "fontSize": 11, "color": vl.INK}
        limits = [limit, {"data": limit["data"], **vl.layer("text", channels, **style)}]
    lowest = min(0.0, *(row.mean for row in rankings))
    y = {"title": "mean Spearman correlation", "scale": {"domain": [lowest, 1]}}
    title = f"Ranking of {rankings[0].ranked} summaries, compared with the largest pyramid"
    drawn = {row.by for row in rankings}
    return _lines(rows, y, title, *limits, names=[name for by, name in names.items() if by in drawn])


def _scu_panel(study: OrdersStudy) -> vl.Spec | None:
    """Distinct SCUs by order, a line for each topic."""
    if not study.scus:
        return None
    rows = [{"order": row.order, "topic": vl.label(row.topic), "value": row.mean} for row in study.scus]
    return vl.panel(
        rows,
        vl.layer("line", {"detail": vl.category("topic")}, color=vl.COLOURS[0], strokeWidth=1.5, opacity=0.7),
        size=(WIDTH, HEIGHT),
        title="Distinct SCUs, mean over pyramids",
        x=_order_axis(rows),
        y=vl.quantity("value", title="SCUs", scale={"zero": True}),
    )


def _separation_panel(study: OrdersStudy) -> vl.Spec | None:
    """The share of divergent pairs that are separated, by order, in the sets with the most models."""
    with_pairs = [divergence for divergence in study.divergences if divergence.divergent]
    largest = max((divergence.models for divergence in with_pairs), default=0)
    rows = [
        {"order": order, "value": count / divergence.divergent}
        for divergence in with_pairs
        if divergence.models == largest
        for order, count in divergence.separated.items()
    ]
    y = {"title": "share of pairs", "scale": {"domain": [0, 1]}}
    return _lines(rows, y, "Divergent pairs that every pyramid separates")


def _range_panels(study: OrdersStudy) -> vl.Spec | None:
    """Lowest, mean and highest scores of the best and the worst summary of some topics (figure 3)."""
    topics = list(dict.fromkeys(row.topic for row in study.summaries))
    if not topics:
        return None
    highest = max([1.0, *(row.maximum for row in study.ranges)])  # a modified score may pass 1
    panels = [_range_panel(study, topic, highest) for topic in topics[:MOST_TOPICS]]
    more = "" if len(topics) <= MOST_TOPICS else f" (first {MOST_TOPICS} of {len(topics)} topics)"
    title = f"Lowest, mean and highest score of the best and the worst summary{more}"
    return {"vconcat": _side_by_side(panels, 3), "title": title, **vl.OWN_COLOURS}


def _range_panel(study: OrdersStudy, topic: str, highest: float) -> vl.Spec:
    """The ranges of one topic."""
    ranked = sorted((row for row in study.summaries if row.topic == topic), key=lambda row: -row.others)
    best_and_worst = [ranked[0].summarizer, ranked[-1].summarizer]
    rows = [
        {
            "order": row.order,
            "who": vl.label(row.summarizer),
            "lower": row.minimum,
            "value": row.mean,
            "upper": row.maximum,
        }
        for row in study.ranges
        if row.topic == topic and row.summarizer in best_and_worst
    ]
    names = vl.colours([vl.label(summarizer) for summarizer in best_and_worst])
    return vl.curves(
        rows,
        {"title": "score", "scale": {"domain": [0, highest]}},
        band=0.18,
        size=(190, 150),
        title=vl.label(topic),
        x=_order_axis(rows),
        color=vl.category("who", scale=names, title=None, legend={"symbolOpacity": 1}),
    )


def _human_panel(study: OrdersStudy) -> vl.Spec | None:
    """Humans' scores by topic, a mark for each (figure 1); SEE coverage where it was judged."""
    if not study.humans:
        return None
    measure = study.humans[0].measure
    rows = [
        {"topic": vl.label(row.topic), "who": vl.label(row.summarizer), "value": row.value}
        for row in study.humans
        if row.measure == measure
    ]
    names = vl.in_order(rows, "who")
    # Eight colours and seven shapes: the pairs differ up to the 56th summarizer.
    shapes = {"domain": names, "range": [_SHAPES[place % len(_SHAPES)] for place in range(len(names))]}
    topic_width = 640 // len(vl.in_order(rows, "topic"))
    return vl.panel(
        rows,
        vl.layer("point", {"shape": vl.category("who", scale=shapes, title=None)}, filled=True, size=60, opacity=0.9),
        size=({"step": max(14, min(40, topic_width))}, HEIGHT),
        title="Human summarizers by topic",
        x=vl.category("topic", title=None, sort=None, axis={"labelAngle": -40}),
        y=vl.quantity("value", title=vl.label(measure), scale={"zero": False}),
        color=vl.category("who", scale=vl.colours(names), title=None),
    )


ORDERS = Presenter(tables=tables, figure=draw_orders)


def why_no_error_rate(row: ErrorProbabilities) -> str:
    """Why a share of errors is undefined."""
    return "no pair is different" if row.same else "no pair is the same"


def why_no_ranking(row: Ranking) -> str:
    """Why there is no mean correlation, or no critical value."""
    if row.n == row.undefined:
        return "all rankings are constant"
    return f"no correlation of {row.ranked} ranks is significant at {row.confidence:g} % confidence"


def why_no_score(row: SummaryScores) -> str:
    """Why a summary lacks one of its four scores."""
    return together(
        "" if row.is_judged else "no SEE coverage",
        "" if row.is_named else "no subset was named (`subset=`)",
    )
