"""The answer: who is ahead, who is tied with whom, and how sure that is; people's judgments first, if there are any."""

from __future__ import annotations

from pyramidion.measures.names import parse
from pyramidion.reports.context import Context
from pyramidion.reports.remarks import FEW_TOPICS
from pyramidion.reports.section import Cell, Column, Section, Table
from pyramidion.reports.sections.leaderboards import decimals
from pyramidion.studies import Comparison, Standing
from pyramidion.studies import correlate as correlate_table

NAMED = 4
"""So many summarizers are named in a sentence, the others counted."""
ENOUGH = 4
"""Fewer systems than this correlate with anything."""


def make(context: Context) -> Section:
    """Sentences on the main measures, and a line for each measure."""
    return Section(
        id="answer",
        title="The answer",
        sentences=tuple(_sentences(context)),
        blocks=(_table(context),),
        commands=(context.command("compare"),),
    )


def _sentences(context: Context) -> list[str]:
    said = [_leader(context, measure) for measure in context.main]
    said += [sentence for sentence in (_sure(context), _people_and_programs(context), _few(context)) if sentence]
    return said


def _leader(context: Context, measure: str) -> str:
    """Who is ahead on a measure, and who can't be told apart from it."""
    standings = context.comparison.leaderboard(measure)
    digits = decimals(standings)
    first = [one for one in standings if one.rank == 1]
    names = _listed([context.names[one.summarizer] for one in first])
    best = first[0]
    interval = ""
    if best.lower is not None and best.upper is not None and len(first) == 1:
        interval = (
            f", {context.comparison.confidence:g} % interval {_number(best.lower, digits)} to "
            f"{_number(best.upper, digits)}"
        )
    mean = f"mean {_number(best.value, digits)}{interval}"
    if len(standings) == 1:
        return f"{_by(context, measure)}, {names} has the only score ({mean})."
    ahead = f"{_by(context, measure)}, {names} {'is' if len(first) == 1 else 'are'} ahead ({mean})"
    tied = ties(context.comparison, measure)
    if tied is None:
        return f"{ahead}; no test can say how sure that is."
    others = [context.names[who] for who in tied if who not in {one.summarizer for one in first}]
    if not others:
        return f"{ahead}, and better than every other." if len(first) == 1 else f"{ahead}."
    if len(others) == len(standings) - len(first):
        return f"{ahead}, but not told apart from any other of the {len(standings)}."
    return f"{ahead}, not told apart from {_listed(others)}."


def ties(comparison: Comparison, measure: str) -> list[str] | None:
    """Who is not told apart from the best by Tukey's test, best first; None without a test."""
    analysis = comparison.analysis(measure)
    if analysis.tukey is None:
        return None
    standings = comparison.leaderboard(measure)
    place = {who: row for row, who in enumerate(analysis.summarizers)}
    best = place[standings[0].summarizer]
    return [one.summarizer for one in standings[1:] if not analysis.tukey.differs[best, place[one.summarizer]]]


def _sure(context: Context) -> str:
    """How much these topics tell."""
    told = []
    for measure in context.main:
        analysis = context.comparison.analysis(measure)
        if analysis.tukey is not None:
            count = len(analysis.summarizers)
            told.append(f"{analysis.tukey.pairs} of {count * (count - 1) // 2} pairs by {_short(measure)}")
    if not told:
        return ""
    topics = len(context.table.topics)
    return f"How sure: on {topics} topics, Tukey's test tells apart {_listed(told, most=9)}."


def _people_and_programs(context: Context) -> str:
    """Whether automatic measures agree with people."""
    reference = context.reference
    automatic = [name for name in context.automatic if name in context.comparison.measures]
    if reference is None or not automatic or len(context.comparison.leaderboard(reference)) < ENOUGH:
        return ""
    found = correlate_table(
        context.table,
        with_=reference,
        measures=automatic,
        coefficients=("pearson",),
        confidence=context.confidence,
        seed=context.seed,
    )
    values = {one.measure: one.value for one in found.correlations if one.value is not None}
    if not values:
        return ""
    best = max(values, key=lambda name: abs(values[name]))
    worst = min(values, key=lambda name: abs(values[name]))
    range_ = "" if len(values) == 1 else f" (the least: {worst}, {_number(values[worst], 2)})"
    leader = context.comparison.leaderboard(reference)[0]
    place = next((one for one in context.comparison.leaderboard(best) if one.summarizer == leader.summarizer), None)
    seen = (
        f", and has {context.names[leader.summarizer]}, the best by {_short(reference)}, at rank {place.rank}"
        if place
        else ""
    )
    return (
        f"Of the automatic measures, {best} agrees best with {_short(reference)}{_noted(context, reference)}: "
        f"Pearson {_number(values[best], 2)}{range_}{seen}."
    )


def _noted(context: Context, measure: str) -> str:
    note = context.table.notes.get(measure)
    return f" ({note})" if note else ""


def _few(context: Context) -> str:
    topics = len(context.table.topics)
    if topics >= FEW_TOPICS:
        return ""
    return f"There {'is one topic' if topics == 1 else f'are only {topics} topics'}: take all of this as a first look."


def _table(context: Context) -> Table:
    """A line for each measure, those that decide first."""
    return Table(
        id="answer-table",
        caption="Who is ahead on each measure",
        columns=(
            Column(name="measure", align="left"),
            Column(name="ahead", align="left"),
            Column(name="mean"),
            Column(name="tied with it"),
            Column(name="pairs told apart"),
            Column(name="of"),
            Column(name="topics"),
        ),
        rows=[_row(context, measure, context.comparison.leaderboard(measure)) for measure in context.ordered],
        below=f"Tied: not told apart from the first by Tukey's test. {context.stars}".strip(),
    )


def _row(context: Context, measure: str, standings: list[Standing]) -> list[Cell]:
    analysis = context.comparison.analysis(measure)
    tied = ties(context.comparison, measure)
    count = len(standings)
    return [
        context.starred(measure),
        _listed([context.names[one.summarizer] for one in standings if one.rank == 1], most=2),
        _number(standings[0].value, decimals(standings)),
        None if tied is None else len(tied),
        analysis.tukey.pairs if analysis.tukey else None,
        count * (count - 1) // 2,
        standings[0].n,
    ]


def _by(context: Context, measure: str) -> str:
    if measure in context.judged:
        return (
            f"By {_short(measure)}, as people judged it"
            if not context.table.notes.get(measure)
            else (f"By {_short(measure)} ({context.table.notes[measure]})")
        )
    if parse(measure).base == "pyramid":
        return f"By content ({measure})"
    return f"By {measure}"


def _short(measure: str) -> str:
    """A question in words; other measures by their name."""
    name = parse(measure)
    return name.statistic.replace("-", " ") if name.base == "question" and name.statistic else measure


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def _listed(names: list[str], *, most: int = NAMED) -> str:
    """`a, b and 3 more`."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
