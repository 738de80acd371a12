"""Leaderboards: for each measure means with intervals, letters, and what the tests say."""

from __future__ import annotations

from pyramidion.reports.context import Context
from pyramidion.reports.figures.components import draw_components
from pyramidion.reports.figures.leaderboard import draw_leaderboard
from pyramidion.reports.section import Figure, Section
from pyramidion.studies.comparison.overview import means_table
from pyramidion.tables import Table
from pyramidion.wording import number

MOST_FIGURES = 40
"""Leaderboards beyond this have their table only."""


def make(context: Context) -> Section:
    """One part for each measure, below an overview."""
    comparison = context.comparison
    several = len(context.ordered) > 1
    return Section(
        id="leaderboards",
        title="Leaderboards",
        sentences=(
            "Means over topics. Systems that share a letter do not differ significantly (Tukey's test, "
            f"{comparison.confidence:g} % confidence over all pairs).",
            "Intervals may extend beyond the scale of a measure. Compare systems by letters, not by whether their "
            "intervals overlap.",
        ),
        notes=(f"Only the first {MOST_FIGURES} measures have a figure, to keep the page small.",)
        if len(context.ordered) > MOST_FIGURES
        else (),
        blocks=(means_table(comparison, context.ordered),) if several else (),
        parts=tuple(_part(context, number, measure) for number, measure in enumerate(context.ordered)),
        commands=(context.command("compare", options=context.comparison.options),),
    )


def _part(context: Context, place: int, measure: str) -> Section:
    comparison = context.comparison
    table = comparison.leaderboard_table(measure)
    id = f"leaderboard-{place}"
    figure = Figure(
        id=f"{id}-figure",
        caption=f"{measure}: means with {comparison.confidence:g} % confidence intervals",
        alt=_in_words(context, measure),
        draw=lambda: draw_leaderboard(comparison.leaderboard(measure), context.names),
    )
    return Section(
        id=id,
        title=measure,
        mark=context.table.notes.get(measure, ""),
        sentences=table.sentences,
        blocks=(table, *([figure] if place < MOST_FIGURES else []), *_components(context, place, measure)),
        group="measure",
        about=measure,
    )


def _components(context: Context, place: int, measure: str) -> list[Figure | Table]:
    """Where the variance of judgments comes from, where assessors are treated as a sample."""
    found = context.comparison.components_of(measure)
    if not found:
        return []
    shown = "; ".join(f"{one.term} {number(one.value, 3)}" for one in found if one.value is not None)
    figure = Figure(
        id=f"leaderboard-{place}-components",
        caption=f"{measure}: where the variance of a single judgment comes from, with its share",
        alt=f"Dots with intervals: {shown}.",
        draw=lambda: draw_components(found),
    )
    return [figure, context.comparison.component_table(measure)]


def _in_words(context: Context, measure: str) -> str:
    standings, digits = context.comparison.leaderboard(measure), context.comparison.digits(measure)
    ends = [f"{context.names[one.summarizer]} ({number(one.value, digits)})" for one in (standings[0], standings[-1])]
    if len(standings) == 1:
        return f"The mean of {ends[0]} on {measure}."
    return (
        f"Means of {len(standings)} systems on {measure} with their confidence intervals, from {ends[0]} to {ends[1]}. "
        "The table has all numbers."
    )
