"""The matrix of pairs: which summarizers differ by Tukey's test and by Nemenyi's, for the measure chosen."""

from __future__ import annotations

from typing import Any

from pyramidion.reports.context import Context
from pyramidion.reports.section import Block, Cell, Column, Section, Table

MOST_SUMMARIZERS = 150
"""A matrix with more rows is nothing to look at: the letters of the leaderboard say the same."""


def make(context: Context) -> Section | None:
    """None if no pair could be tested; the counts alone if there are too many summarizers for a matrix."""
    comparison = context.comparison
    tested = [name for name in context.ordered if comparison.analysis(name).tukey or comparison.analysis(name).friedman]
    if not tested:
        return None
    many = len(context.table.summarizers) > MOST_SUMMARIZERS
    return Section(
        id="pairs",
        title="Which pairs differ",
        sentences=(
            "For each pair, whether the tests tell the two apart: Tukey's on means and Nemenyi's on ranks inside "
            "topics. Each keeps the chance of one false alarm among all pairs of a measure at "
            f"{100 - comparison.confidence:g} %.",
        ),
        notes=(f"No matrix is drawn of more than {MOST_SUMMARIZERS} summarizers; letters say the same.",)
        if many
        else (),
        blocks=(_counts(context, tested), *([] if many else [_matrix(context, tested)])),
        commands=(context.command("compare", "--show differences"),),
    )


def _matrix(context: Context, measures: list[str]) -> Block:
    names = {who: number for number, who in enumerate(context.table.summarizers)}
    return Block(
        id="pair-matrix",
        template="pairs.html",
        values={"choices": measures, "first": context.noted(measures[0])},
        data={
            "names": [context.names[who] for who in names],
            "measures": [_found(context, measure, names) for measure in measures],
        },
    )


def _counts(context: Context, measures: list[str]) -> Table:
    rows: list[list[Cell]] = []
    for measure in measures:
        analysis = context.comparison.analysis(measure)
        total = len(analysis.summarizers) * (len(analysis.summarizers) - 1) // 2
        critical = analysis.tukey.critical_difference if analysis.tukey else None
        rows.append(
            [
                context.starred(measure),
                total,
                analysis.tukey.pairs if analysis.tukey else None,
                critical,
                analysis.friedman.pairs if analysis.friedman else None,
            ]
        )
    return Table(
        id="pair-counts",
        caption="How many pairs each measure tells apart",
        columns=(
            Column(name="measure", align="left"),
            Column(name="pairs"),
            Column(name="differ by Tukey"),
            Column(name="critical difference", digits=4),
            Column(name="differ by Nemenyi"),
        ),
        rows=rows,
        below=(
            "No critical difference is given where it varies from pair to pair, because scores are missing. "
            f"{context.stars}"
        ).strip(),
    )


def _found(context: Context, measure: str, names: dict[str, int]) -> dict[str, Any]:
    """Rows best first; for each the rows below it: 0 no difference, 1 by Tukey, 2 by Nemenyi, 3 by both."""
    analysis = context.comparison.analysis(measure)
    order = list(analysis.adjusted) or [one.summarizer for one in context.comparison.leaderboard(measure)]
    codes = {(one.a, one.b): str((1 if one.tukey else 0) + (2 if one.nemenyi else 0)) for one in analysis.differences()}
    return {
        "name": measure,
        "note": context.table.notes.get(measure, ""),
        "rows": [names[who] for who in order],
        "found": [
            "".join(codes.get((a, b), codes.get((b, a), "0")) for b in order[place + 1 :])
            for place, a in enumerate(order)
        ],
    }
