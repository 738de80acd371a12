"""Leaderboards: for each measure means with intervals, letters, and what the tests say."""

from __future__ import annotations

from collections import Counter

from pyramidion.present.section import Dots, Point, Section
from pyramidion.reports.context import Context
from pyramidion.reports.figures.components import WIDEST
from pyramidion.show.tables import Table
from pyramidion.show.wording import listed, number
from pyramidion.studies.comparison.overview import answer, letters_tests, means_table


def make(context: Context) -> Section:
    """One part for each measure, below an overview."""
    comparison = context.comparison
    several = len(context.ordered) > 1
    return Section(
        id="leaderboards",
        title="Leaderboards",
        finding=_finding(context),
        mark=context.table.notes.get(context.deciding, ""),
        printed=True,
        sentences=(
            *(answer(comparison, measure) for measure in context.main[1:]),
            f"Means over topics. Systems that share a letter do not differ significantly ({letters_tests(comparison)}; "
            f"{comparison.confidence:g} % confidence over all pairs).",
            "Compare systems by letters, not by whether their intervals overlap.",
        ),
        blocks=(means_table(comparison, context.ordered),) if several else (),
        parts=tuple(_part(context, number, measure) for number, measure in enumerate(context.ordered)),
        commands=(context.command("compare", options=context.comparison.options),),
    )


def _finding(context: Context) -> str:
    """Who is first on how many measures."""
    comparison = context.comparison
    evaluative = [name for name in context.ordered if name not in comparison.descriptive]
    compared = {name for name in evaluative if len(comparison.leaderboard(name)) > 1}
    first = Counter(one.summarizer for one in comparison.standings if one.rank == 1 and one.measure in compared)
    if len(compared) < 2 or not first:
        return f"All means on {context.deciding}, with intervals and letters"
    (who, count), *others = first.most_common(3)
    rest = listed([f"{context.names[one]} on {number}" for one, number in others]) if len(first) <= 3 else ""
    measures = f"all {count}" if count == len(compared) else f"{count} of {len(compared)}"
    said = f"{context.names[who]} has the best mean on {measures} measures"
    leads = [one.measure for one in comparison.standings if one.summarizer == who and one.rank == 1]
    sure = sum(comparison.undecided(name) == [] for name in leads if name in compared)
    alone = f" (significantly better on {sure})" if len(context.table.summarizers) == 2 and sure < count else ""
    return f"{said}{alone}, {rest}" if rest else f"{said}{alone}"


def _part(context: Context, place: int, measure: str) -> Section:
    table = context.comparison.leaderboard_table(measure)
    dots = mean_dots(context, measure, table, alt=_in_words(context, measure))
    return Section(
        id=f"leaderboard-{place}",
        title=measure,
        mark=context.table.notes.get(measure, ""),
        sentences=table.sentences,
        blocks=(dots, *_components(context, measure)),
        group="measure",
        about=measure,
    )


def mean_dots(context: Context, measure: str, table: Table, *, alt: str) -> Dots:
    """The means of a leaderboard with their intervals; the best, and those not significantly worse, stand out."""
    comparison = context.comparison
    standings = comparison.leaderboard(measure)
    best = {*(comparison.undecided(measure) or ()), *(one.summarizer for one in standings if one.rank == 1)}
    return Dots(
        table=table,
        alt=alt,
        points=[Point(comparison.central(one), one.lower, one.upper) for one in standings],
        strong=frozenset(row for row, one in enumerate(standings) if one.summarizer in best),
    )


def _components(context: Context, measure: str) -> list[Dots]:
    """Where the variance of judgments comes from, for measures that decide and whose assessors are a sample."""
    found = context.comparison.components_of(measure) if measure in context.main else []
    if not found:
        return []
    widest = WIDEST * max(one.value or 0.0 for one in found)
    shown = "; ".join(f"{one.term} {number(one.value, 3)}" for one in found if one.value is not None)
    return [
        Dots(
            table=context.comparison.component_table(measure),
            alt=f"Where the variance of a single judgment comes from: {shown}.",
            points=[
                Point(one.value, one.lower, None if one.upper is None else min(one.upper, widest)) for one in found
            ],
        )
    ]


def _in_words(context: Context, measure: str) -> str:
    standings, digits = context.comparison.leaderboard(measure), context.comparison.digits(measure)
    ends = [f"{context.names[one.summarizer]} ({number(one.value, digits)})" for one in (standings[0], standings[-1])]
    if len(standings) == 1:
        return f"The mean of {ends[0]} on {measure}."
    return (
        f"Means of {len(standings)} systems on {measure} with their confidence intervals, from {ends[0]} to {ends[1]}. "
        "The table has all numbers."
    )
