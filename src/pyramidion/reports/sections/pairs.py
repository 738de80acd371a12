"""The matrix of pairs: which systems differ by the test behind the letters and by Nemenyi's, on the measure chosen."""

from __future__ import annotations

from typing import Any

from pyramidion.present.section import Block, Section
from pyramidion.reports.context import Context
from pyramidion.studies.comparison.overview import decided, in_short, letters_tests, pairs_table

MOST_SUMMARIZERS = 150
"""A matrix with more rows is nothing to look at: the letters of the leaderboard show the same."""


def make(context: Context) -> Section | None:
    """None for a single pair, or if none could be tested; the counts alone if there are too many for a matrix."""
    comparison = context.comparison
    if len(context.table.summarizers) < 3:
        return None
    tested = [one.measure for one in comparison.analyses if one.letters_test or one.friedman]
    tested = [name for name in context.ordered if name in tested]
    if not tested:
        return None
    many = len(context.table.summarizers) > MOST_SUMMARIZERS
    return Section(
        id="pairs",
        title="Which pairs differ",
        finding=_finding(context, tested[0]),
        mark=context.table.notes.get(tested[0], ""),
        sentences=(
            *decided(comparison, context.main),
            f"Whether two systems differ significantly: by {letters_tests(comparison)} on means, and by Nemenyi's test "
            "on ranks within topics. Over all pairs on one measure, the family-wise error rate of each test is at most "
            f"{100 - comparison.confidence:g} %; there is no correction across measures.",
        ),
        notes=(f"No matrix for more than {MOST_SUMMARIZERS} systems; the letters show the same.",) if many else (),
        blocks=(pairs_table(comparison, tested), *([] if many else [_matrix(context, tested)])),
        commands=(context.command("compare", options=context.comparison.options) + " --show difference",),
    )


def _finding(context: Context, measure: str) -> str:
    analysis = context.comparison.analysis(measure)
    if analysis.letters_test is None:
        return f"Which {context.comparison.kind}s beat which, by ranks within topics"
    found = analysis.letters_test.pairs
    differ = "differs" if found == 1 else "differ"
    return f"{found} of {analysis.pairs} pairs {differ} significantly on {in_short(measure)}"


def _matrix(context: Context, measures: list[str]) -> Block:
    names = {who: number for number, who in enumerate(context.table.summarizers)}
    return Block(
        id="pair-matrix",
        template="pairs.html",
        values={"choices": measures, "first": context.noted(measures[0])},
        data={
            "kind": context.comparison.kind,
            "names": [context.names[who] for who in names],
            "measures": [_found(context, measure, names) for measure in measures],
        },
    )


def _found(context: Context, measure: str, names: dict[str, int]) -> dict[str, Any]:
    """Rows best first; for each the rows below it: 0 no difference, 1 by the letters' test, 2 by Nemenyi, 3 by both."""
    analysis = context.comparison.analysis(measure)
    order = list(analysis.adjusted) or [one.summarizer for one in context.comparison.leaderboard(measure)]
    codes = {}
    for one in analysis.differences():
        by_means = one.paired if analysis.paired else one.tukey
        codes[one.a, one.b] = str((1 if by_means else 0) + (2 if one.nemenyi else 0))
    return {
        "name": measure,
        "test": "paired t tests" if analysis.paired else "Tukey’s test",
        "note": context.table.notes.get(measure, ""),
        "rows": [names[who] for who in order],
        "found": [
            "".join(codes.get((a, b), codes.get((b, a), "0")) for b in order[place + 1 :])
            for place, a in enumerate(order)
        ],
    }
