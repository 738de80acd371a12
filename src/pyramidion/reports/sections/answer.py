"""Main results: who is best and who does not differ significantly; human scores first, if there are any."""

from __future__ import annotations

from pyramidion.options import CorrelateOptions
from pyramidion.reports.context import Context
from pyramidion.reports.section import Section
from pyramidion.studies.comparison.overview import answer, decided, in_short, leaders_table
from pyramidion.wording import number

ENOUGH = 4
"""Fewer systems than this correlate with anything."""


def make(context: Context) -> Section:
    """Sentences on the main measures, and a line for each measure."""
    comparison = context.comparison
    sentences = [answer(comparison, measure) for measure in context.main]
    sentences += [*decided(comparison, context.main), *_agreement(context)]
    return Section(
        id="answer",
        title="Main results",
        sentences=tuple(sentences),
        blocks=(leaders_table(comparison, context.ordered),),
        commands=(context.command("compare", options=context.comparison.options),),
    )


def _agreement(context: Context) -> list[str]:
    """Which automatic measure correlates most highly with the human score."""
    reference = context.reference
    automatic = [name for name in context.automatic if name in context.comparison.measures]
    if reference is None or not automatic or len(context.comparison.leaderboard(reference)) < ENOUGH:
        return []
    options = CorrelateOptions(with_=(reference,), coefficient=("pearson",), confidence=context.options.confidence)
    found = context.evaluation.correlate(automatic, **vars(options))
    values = {one.measure: one.value for one in found.correlations if one.value is not None}
    if not values:
        return []
    best = max(values, key=lambda name: abs(values[name]))
    worst = min(values, key=lambda name: abs(values[name]))
    least = "" if len(values) == 1 else f", {worst} least ({number(values[worst])})"
    leader = context.comparison.leaderboard(reference)[0].summarizer
    rank = next((one.rank for one in context.comparison.leaderboard(best) if one.summarizer == leader), None)
    place = "first" if rank == 1 else f"number {rank}"
    seen = f" {best} ranks {context.names[leader]}, first by {in_short(reference)}, {place}." if rank else ""
    return [
        f"Of the automatic measures, {best} correlates most highly with {in_short(reference)} "
        f"(Pearson {number(values[best])}){least}.{seen}"
    ]
