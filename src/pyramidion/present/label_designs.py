"""Shares of answers to ask people for, in words: what a precision takes, with and without a predictor."""

from __future__ import annotations

import math

from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import counted, listed, number, percent
from pyramidion.studies.predictions.designs import CEILING_SHARE, LabelDesign, LabelDesigns

_DRAWN = {"topic": "topics", "scu": "SCUs"}
_COST_WORDS = {"topic": "topic", "summary": "summary read", "answer": "answer"}


def label_design_tables(designs: LabelDesigns) -> list[Table]:
    """The designs, the best first."""
    columns: list[Column | str] = [
        Column("by", "drawn are", of=lambda design: _DRAWN[design.by]),
        Column("predictors", "predicted by", of=lambda design: design.predictors or "nothing"),
        "share",
        "drawn",
        "summaries",
        "answers",
        "cost",
        "half_width",
        "lower",
        "upper",
        "least",
        "largest",
    ]
    if any(design.power is not None for design in designs.designs):
        columns.append("power")
    columns.append(Column("best", of=lambda design: "best" if design.best else None))
    table = table_of(
        designs.designs,
        columns,
        title=f"{designs.pilot.frame.measure}: answers to ask people for",
        sentences=label_design_sentences(designs),
        notes=label_design_notes(designs),
        about=designs.pilot.frame.measure,
    )
    return [table]


def label_design_sentences(designs: LabelDesigns) -> tuple[str, ...]:
    """The best design, what it takes without the predictor, and what the costs are."""
    best = designs.best
    sentences = [_aim_sentence(designs), f"It is expected to give {_precision(best)}."]
    sentences += filter(None, [_without_sentence(designs), _topics_sentence(designs)])
    costs = [f"{cost:g} for each {_COST_WORDS[name]}" for name, cost in designs.costs.items() if cost]
    if costs:
        sentences.append(f"Costs: {', '.join(costs)}.")
    return tuple(sentences)


def _aim_sentence(designs: LabelDesigns) -> str:
    best, options = designs.best, designs.options
    size = _size(best)
    if options.budget is not None:
        return (
            f"The most precise sample for a budget of {options.budget:g}: {size}, which costs {number(best.cost, 0)}."
        )
    if options.half_width is not None:
        aim = f"For an interval of ±{options.half_width:g} around a difference between two systems"
    elif options.margin is not None:
        aim = (
            f"To show with {options.power_in_percent:g} % power that one of two equal systems is not worse by more "
            f"than {options.margin:g}"
        )
    else:
        power = f"with {options.power_in_percent:g} % power"
        aim = f"To detect a difference of {options.detected:g} between two systems {power}"
    with_ = f", while {best.predictors} predicts the rest" if best.predictors else ", without a predictor"
    return f"{aim}, ask people for {size}{with_}. This costs {number(best.cost, 0)}."


def _size(design: LabelDesign) -> str:
    noun = "topics" if design.by == "topic" else "SCUs"
    return (
        f"{number(design.share, 0)} % of the answers ({number(design.drawn, 0)} of {number(design.total, 0)} {noun}, "
        f"{_how(design)}: {number(design.answers, 0)} answers about {number(design.summaries, 0)} summaries)"
    )


def _how(design: LabelDesign) -> str:
    if design.by == "topic":
        return "drawn as a whole"
    return "drawn at random within topics, each in all systems"


def _precision(design: LabelDesign) -> str:
    digits = _digits(design)
    power = "" if design.power is None else f" and {percent(design.power)} power"
    limits = ""
    if not math.isnan(design.lower):
        limits = f" ({number(design.lower, digits)} to {number(design.upper, digits)}, given this pilot)"
    pairs = f"; by pair ±{number(design.least, digits)} to ±{number(design.largest, digits)}"
    return f"±{number(design.half_width, digits)} for a typical pair{limits}{pairs}{power}"


def _digits(design: LabelDesign) -> int:
    return 3 if design.half_width < 0.1 else 2


def _without_sentence(designs: LabelDesigns) -> str:
    """What the predictor saves, drawn the same way."""
    best = designs.best
    names = listed(designs.pilot.frame.predictors)
    if not names:
        return ""
    r_squared = f"R² of {names} within topics is {number(designs.pilot.r_squared)}"
    other = designs.design(best.by, is_predicted=not best.predictors)
    if other is None:
        if best.predictors:
            return f"Without the predictor, even all answers would not be enough ({r_squared})."
        return f"The predictor does not help ({r_squared})."
    if designs.options.budget is not None:
        word = "Without" if best.predictors else "With"
        digits = _digits(best)
        return f"{word} the predictor, the same budget gives ±{number(other.half_width, digits)} ({r_squared})."
    if not best.predictors:
        return f"The predictor saves nothing here: with it, {number(other.share, 0)} % are needed ({r_squared})."
    saved = 1 - best.answers / other.answers
    if saved <= 0:
        return f"Without the predictor, the same share is needed: it saves nothing here ({r_squared})."
    return (
        f"Without the predictor, {number(other.share, 0)} % would be needed: it saves {percent(saved)} of the answers "
        f"({r_squared})."
    )


def _topics_sentence(designs: LabelDesigns) -> str:
    """What the other way to draw costs."""
    best = designs.best
    if not designs.pilot.frame.asks_scus or designs.options.by is not None:
        return ""
    other = designs.design("topic" if best.by == "scu" else "scu", is_predicted=bool(best.predictors))
    if other is None:
        return ""
    what = "Whole topics" if other.by == "topic" else "SCUs drawn within topics"
    return (
        f"{what} instead: {number(other.share, 0)} % of the answers, {number(other.summaries, 0)} summaries read, at a "
        f"cost of {number(other.cost, 0)}."
    )


def label_design_notes(designs: LabelDesigns) -> tuple[str, ...]:
    """What the plan rests on."""
    pilot = designs.pilot
    notes = [
        f"The pilot has people's answers on {counted(pilot.judged_topics, 'topic')} of {len(pilot.frame.topics)}, "
        f"taken as typical of the {pilot.topics} that are planned for; limits allow for how much its topics differ."
    ]
    if pilot.people > 1:
        notes.append(f"Each summary is answered by {pilot.people} people, as in the pilot.")
    if pilot.designed.by == "scu" and designs.options.by is None:
        notes.append("The pilot drew SCUs, so that whole topics can't be planned from it.")
    if designs.options.population == "these":
        notes.append('Results are about these topics; `population="topics"` plans for other topics, too.')
    if not pilot.frame.asks_scus and pilot.commonest_share >= CEILING_SHARE:
        notes.append(
            f"{percent(pilot.commonest_share)} of the answers are the same: where nearly all answers are equal, a "
            "small sample misses the few that differ, and intervals are narrower than they should be. Plan for "
            "more topics, or for a question whose answers vary."
        )
    return tuple(notes)


def draw_label_designs(designs: LabelDesigns) -> Chart:
    """Half the width of an interval by share of answers: a line for each way to draw, with and without predictor."""
    rows = []
    for design in designs.curve():
        kind = f"{_DRAWN[design.by]}; {design.predictors or 'no predictor'}"
        width = design.half_width
        lower = width if math.isnan(design.lower) else design.lower
        upper = width if math.isnan(design.upper) else design.upper
        rows.append({"share": design.share, "value": width, "lower": lower, "upper": upper, "kind": kind})
    panel = vl.curves(
        rows,
        {"title": "half the width of a pair's interval", "scale": {"zero": True}},
        band=0.12,
        size=(460, 260),
        title=vl.label(f"{designs.pilot.frame.measure}: precision by share of answers"),
        x=vl.quantity("share", title="% of answers by people"),
        color=vl.category("kind", title="drawn, and predicted by"),
    )
    return vl.finished("Precision by share of answers", panel)


LABEL_DESIGNS = Presenter(tables=label_design_tables, answer=label_design_sentences, figure=draw_label_designs)
