"""Leaderboards: an overview of all measures, then for each its means, intervals and letters, with what tests say."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.reports.context import Context
from pyramidion.reports.figures.leaderboard import draw_leaderboard
from pyramidion.reports.remarks import remarks_on
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.studies import Standing

MOST_FIGURES = 40
"""Leaderboards beyond this have their table only."""


def make(context: Context) -> Section:
    """One part for each measure, below an overview."""
    comparison = context.comparison
    several = len(comparison.measures) > 1
    return Section(
        id="leaderboards",
        title="Leaderboards",
        sentences=(
            "Means over topics. Summarizers that share a letter are not told apart by Tukey's test "
            f"({comparison.confidence:g} % confidence over all pairs).",
        ),
        notes=(f"Figures of the first {MOST_FIGURES} measures only, to keep the page small.",)
        if len(context.ordered) > MOST_FIGURES
        else (),
        blocks=(overview(context),) if several else (),
        parts=tuple(_part(context, number, measure) for number, measure in enumerate(context.ordered)),
        commands=(context.command("compare"),),
    )


def overview(context: Context) -> Table:
    """Summarizers × measures, in the order of the first measure."""
    comparison = context.comparison
    cells = {(one.summarizer, one.measure): one for one in comparison.standings}
    order = list(dict.fromkeys(one.summarizer for name in context.ordered for one in comparison.leaderboard(name)))
    digits = {measure: decimals(comparison.leaderboard(measure)) for measure in context.ordered}
    found = [[cells.get((who, measure)) for measure in context.ordered] for who in order]
    return Table(
        id="overview",
        caption="Means of all measures; the best of each is marked",
        columns=(
            Column(name="summarizer", align="left"),
            *(Column(name=context.starred(measure), digits=digits[measure]) for measure in context.ordered),
        ),
        rows=[
            [context.names[who], *(one.value if one else None for one in row)]
            for who, row in zip(order, found, strict=True)
        ],
        marked=frozenset(
            (place, column + 1)
            for place, row in enumerate(found)
            for column, one in enumerate(row)
            if one and one.rank == 1
        ),
        below=f"Rows are in the order of {context.ordered[0]}. {context.stars}".strip(),
    )


def _part(context: Context, number: int, measure: str) -> Section:
    comparison, table = context.comparison, context.table
    standings = comparison.leaderboard(measure)
    id = f"leaderboard-{number}"
    shown = (
        Figure(
            id=f"{id}-figure",
            caption=f"{measure}: means with {comparison.confidence:g} % intervals",
            alt=_in_words(context, measure, standings),
            chart=draw_leaderboard(standings, context.names),
        )
        if number < MOST_FIGURES
        else None
    )
    return Section(
        id=id,
        title=measure,
        mark=table.notes.get(measure, ""),
        sentences=tuple(findings(context, measure)),
        blocks=(_table(context, id, measure, standings), *([shown] if shown else [])),
        group="measure",
        choice=measure,
    )


def findings(context: Context, measure: str) -> list[str]:
    """What the tests say about a measure, in plain words, and what must be known of its means."""
    analysis = context.comparison.analysis(measure)
    note = f"{analysis.note[0].upper()}{analysis.note[1:]}." if analysis.note else ""
    pairs = [pair.sentence for pair in context.comparison.pairs if pair.measure == measure]
    remarks = (remarks_on(context.table, measure), context.comparison.remarks.get(measure, ""))
    return [sentence for sentence in (*analysis.sentences(), note, *pairs, *remarks) if sentence]


def _table(context: Context, id: str, measure: str, standings: Sequence[Standing]) -> Table:
    digits = decimals(standings)
    adjusted = is_adjusted(context, measure)
    missing = any(one.missing for one in standings)
    level = f"{context.comparison.confidence:g}\u00a0%"
    return Table(
        id=f"{id}-table",
        caption=f"{measure}: leaderboard",
        columns=(
            Column(name="summarizer", align="left"),
            Column(name="rank"),
            Column(name="mean", digits=digits),
            Column(name=f"lower {level}", digits=digits),
            Column(name=f"upper {level}", digits=digits),
            *([Column(name="adjusted", digits=digits)] if adjusted else []),
            Column(name="letters", align="left"),
            Column(name="topics"),
            *([Column(name="missing")] if missing else []),
        ),
        rows=[
            [
                context.names[one.summarizer],
                one.rank,
                one.value,
                one.lower,
                one.upper,
                *([one.adjusted] if adjusted else []),
                one.letters,
                one.n,
                *([one.missing] if missing else []),
            ]
            for one in standings
        ],
        below="Adjusted: the least-squares mean, which the letters compare." if adjusted else "",
    )


def is_adjusted(context: Context, measure: str) -> bool:
    """Whether cells are missing, so that letters compare other means than the plain ones."""
    analysis = context.comparison.analysis(measure)
    return analysis.anova is not None and analysis.anova.missing > 0 and bool(analysis.adjusted)


def decimals(standings: Sequence[Standing]) -> int:
    """For all numbers of a measure alike: four decimals for shares, two for ratings and larger numbers."""
    return 4 if all(abs(one.value) <= 1 for one in standings) else 2


def _in_words(context: Context, measure: str, standings: Sequence[Standing]) -> str:
    best, worst = standings[0], standings[-1]
    digits = decimals(standings)
    if len(standings) == 1:
        return f"The mean of {context.names[best.summarizer]} on {measure}: {best.value:.{digits}f}."
    return (
        f"Means of {len(standings)} summarizers on {measure} with their intervals, from "
        f"{context.names[best.summarizer]} ({best.value:.{digits}f}) to "
        f"{context.names[worst.summarizer]} ({worst.value:.{digits}f}). The table beside it has all numbers."
    )
