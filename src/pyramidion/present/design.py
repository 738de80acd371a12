"""Designs in words: the cheapest design that detects a difference, or the best one for a budget."""

from __future__ import annotations

from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import counted, number, percent
from pyramidion.studies.design import Design, Designs

_ONE_EACH = "The pilot has one judgment of each summary, so only designs with one judgment of each are offered."


def design_tables(designs: Designs) -> list[Table]:
    """The designs, and which is the best one."""
    counts = ("assessors", "judgments") if designs.pilot.judged else ("models",)
    best = Column("best", of=lambda design: "best" if design.best else None)
    aim = f"designs that detect a difference of {designs.options.detected:g}"
    if designs.options.margin is not None:
        aim = f"designs that show a system not to be worse by more than {designs.options.margin:g}"
    if designs.options.budget is not None:
        aim = f"designs for a budget of {designs.options.budget:g}"
    table = table_of(
        designs.designs,
        (*counts, "topics", "cost", "power", "lower", "upper", "family_power", best),
        title=f"{designs.pilot.measure}: {aim}",
        sentences=design_sentences(designs),
        notes=() if designs.pilot.several else (_ONE_EACH,),
        about=designs.pilot.measure,
    )
    return [table]


def design_sentences(designs: Designs) -> tuple[str, ...]:
    """The best design, what it costs and detects, and what the costs are."""
    sentences = [_best_design_sentence(designs)]
    if designs.pilot.judged:
        sentences.append("Assessors are treated as a random sample.")
    costs = [f"{cost:g} for each {name}" for name, cost in designs.costs.items() if cost]
    sentences.append(f"Costs: {', '.join(costs)}.")
    return tuple(sentences)


def _best_design_sentence(designs: Designs) -> str:
    best, options = designs.best, designs.options
    cost = number(best.cost, 0)
    limits = f"{percent(best.lower)} to {percent(best.upper)}, given this pilot"
    aim = f"detects a difference of {best.difference:g} between two systems named beforehand"
    if options.margin is not None:
        aim = f"shows that one of two equal systems, named beforehand, is not worse by more than {options.margin:g},"
    among_all = ""
    if best.systems > 2:
        if best.pair_lower is not None and best.pair_upper is not None:
            range_of_pairs = f"{percent(best.pair_lower)} to {percent(best.pair_upper)}"
            among_all = f" With the variances of single pairs of the pilot the power is {range_of_pairs}."
        among_all += (
            f" For all pairs of {best.systems} systems (Tukey's test, simulated): {percent(best.family_power)}."
        )
    if options.budget is None:
        return (
            f"The cheapest design that {aim} with {options.power_in_percent:g} % power: "
            f"{size_of_design(best)}. It costs {cost} (power {percent(best.power)}; {limits}).{among_all}"
        )
    return (
        f"The best design for a budget of {options.budget:g}: {size_of_design(best)}. It {aim} with "
        f"{percent(best.power)} power ({limits}) and costs {cost}.{among_all}"
    )


def size_of_design(design: Design) -> str:
    """How many of everything a design takes: `20 topics, 4 assessors, 2 judgments of each summary`."""
    topics = counted(design.topics, "topic")
    if not design.judgments:
        return f"{topics}, {counted(design.models, 'reference')} for each topic"
    judgments = counted(design.judgments, "judgment")
    return f"{topics}, {counted(design.assessors, 'assessor')}, {judgments} of each summary"


def draw_designs(designs: Designs) -> Chart:
    """The power that a budget buys: a line for each number of judgments or references, with its uncertainty."""
    counted_things = "judgments of each summary" if designs.pilot.judged else "references"
    rows = []
    for point in designs.power_by_budget():
        design = point.design
        limits = {"lower": design.lower, "upper": design.upper}
        rows.append({"budget": point.budget, "count": f"{point.count:g}", "value": design.power, **limits})
    goal = f"power to detect {designs.options.detected:g}"
    if designs.options.margin is not None:
        goal = f"power to exclude a loss of {designs.options.margin:g}"
    title = f"{designs.pilot.measure}: {goal} by budget"
    panel = vl.curves(
        rows,
        {"title": "power", "scale": {"domain": [0, 1]}},
        band=0.12,
        size=(460, 260),
        title=vl.label(title),
        x=vl.quantity("budget", title="cost"),
        color=vl.category("count", title=counted_things),
    )
    return vl.finished("Power by budget", panel)


DESIGNS = Presenter(tables=design_tables, answer=design_sentences, figure=draw_designs)
