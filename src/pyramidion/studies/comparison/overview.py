"""A comparison on several measures at a glance: who is best on each, all means, and how much is decided."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.measures.names import parse
from pyramidion.studies.comparison.comparison import FEW_TOPICS, Comparison
from pyramidion.tables import Cell, Column, Table
from pyramidion.wording import counted, listed, number


def answer(comparison: Comparison, measure: str) -> str:
    """Who is best on a measure, and who does not differ significantly from it."""
    standings = comparison.leaderboard(measure)
    first = [one for one in standings if one.rank == 1]
    best, digits = first[0], comparison.digits(measure)
    interval = ""
    if best.lower is not None and best.upper is not None and len(first) == 1:
        limits = f"{number(best.lower, digits)} to {number(best.upper, digits)}"
        interval = f"; {comparison.confidence:g} % confidence interval {limits}"
    names = listed([comparison.label(one.summarizer) for one in first])
    mean = f"mean {number(best.value, digits)}{interval}"
    if comparison.analysis(measure).random and best.adjusted is not None and best.adjusted != best.value:
        mean = f"adjusted mean {number(best.adjusted, digits)}{interval}"  # what the interval is about
    by = _by(comparison, measure)
    if len(standings) == 1:
        return f"{by}: {names} has the only score ({mean})."
    alone = len(first) == 1
    extreme = "lowest (best)" if measure in comparison.lower_is_better else "highest"
    ahead = f"{by}: {names} {'has' if alone else 'have'} the {extreme} score ({mean})"
    undecided = comparison.undecided(measure)
    if undecided is None:
        return f"{ahead}. There is too little data for a test."
    others = [comparison.label(who) for who in undecided if who not in {one.summarizer for one in first}]
    if not others:
        return f"{ahead}, significantly better than every other system." if alone else f"{ahead}."
    if len(others) == len(standings) - len(first):
        differ = "does not differ" if alone else "do not differ"
        return f"{ahead}, but {differ} significantly from any other of the {len(standings)} systems."
    return f"{ahead}; not significantly different: {listed(others)}."


def decided(comparison: Comparison, measures: Sequence[str]) -> list[str]:
    """How many pairs differ significantly on these measures, and a warning where topics are few."""
    found = [
        f"{analysis.tukey.pairs} of {analysis.pairs} by {in_short(analysis.measure)}"
        for analysis in map(comparison.analysis, measures)
        if analysis.tukey is not None
    ]
    sentences = [f"Pairs that differ significantly (Tukey's test): {listed(found, most=9)}."] if found else []
    topics = max((one.n for one in comparison.standings), default=0)
    if topics < FEW_TOPICS:
        sentences.append(f"With only {counted(topics, 'topic')}, treat this as a first look.")
    return sentences


def leaders_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """A line for each measure: who is best, and how much is decided."""
    rows: list[list[Cell]] = []
    for measure in measures:
        standings, analysis = comparison.leaderboard(measure), comparison.analysis(measure)
        undecided = comparison.undecided(measure)
        rows.append(
            [
                _starred(comparison, measure),
                listed([comparison.label(one.summarizer) for one in standings if one.rank == 1], most=2),
                number(standings[0].value, comparison.digits(measure)),
                None if undecided is None else len(undecided),
                analysis.tukey.pairs if analysis.tukey else None,
                analysis.pairs,
                standings[0].n,
            ]
        )
    return Table(
        record="mean",
        title="The best on each measure",
        columns=(
            Column("measure"),
            Column("summarizer", "best"),
            Column("value", "mean"),
            Column("undecided", "number not significantly different"),
            Column("pairs", "significant pairs"),
            Column("total", "all pairs"),
            Column("n", "topics"),
        ),
        rows=rows,
        notes=_stars(comparison, measures),
        about="best",
    )


def means_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """Summarizers × measures, in the order of the first measure."""
    cells = {(one.summarizer, one.measure): one for one in comparison.standings}
    order = list(dict.fromkeys(one.summarizer for name in measures for one in comparison.leaderboard(name)))
    found = [[cells.get((who, measure)) for measure in measures] for who in order]
    return Table(
        record="mean",
        title="Means on all measures; bold: the best of each",
        columns=(
            Column("summarizer", comparison.kind),
            *(Column(name, _starred(comparison, name), digits=comparison.digits(name)) for name in measures),
        ),
        rows=[
            [comparison.label(who), *(one.value if one else None for one in row)]
            for who, row in zip(order, found, strict=True)
        ],
        marked=frozenset(
            (place, column)
            for place, row in enumerate(found)
            for column, one in enumerate(row, start=1)
            if one and one.rank == 1
        ),
        notes=(f"Rows are in the order of {measures[0]}.", *_stars(comparison, measures)),
        about="all measures",
    )


def pairs_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """How many pairs each measure decides."""
    rows: list[list[Cell]] = []
    for analysis in map(comparison.analysis, measures):
        tukey, friedman = analysis.tukey, analysis.friedman
        rows.append(
            [
                _starred(comparison, analysis.measure),
                analysis.pairs,
                tukey.pairs if tukey else None,
                tukey.critical_difference if tukey else None,
                friedman.pairs if friedman else None,
            ]
        )
    return Table(
        record="tukey",
        title="Significant pairs on each measure",
        columns=(
            Column("measure"),
            Column("total", "pairs"),
            Column("tukey", "significant by Tukey's test"),
            Column("critical_difference", digits=4),
            Column("nemenyi", "significant by Nemenyi's test"),
        ),
        rows=rows,
        notes=(
            "The critical difference varies from pair to pair where scores are missing, and is then left out.",
            *_stars(comparison, measures),
        ),
        about="pairs",
    )


def in_short(measure: str) -> str:
    """A question in words; other measures by their name."""
    name = parse(measure)
    return name.statistic.replace("-", " ") if name.base == "question" and name.statistic else measure


def _by(comparison: Comparison, measure: str) -> str:
    note = comparison.notes.get(measure)
    base = parse(measure).base
    if base == "question":
        return f"By {in_short(measure)} ({note or 'judged by people'})"
    if base == "pyramid":
        return f"By content ({measure}{f', {note}' if note else ''})"
    return f"By {measure}{f' ({note})' if note else ''}"


def _starred(comparison: Comparison, measure: str) -> str:
    """A measure's name with a star if one must know something about it; `_stars` explains."""
    return f"{measure}\u00a0*" if comparison.notes.get(measure) else measure


def _stars(comparison: Comparison, measures: Sequence[str]) -> tuple[str, ...]:
    notes = dict.fromkeys(note for name in measures if (note := comparison.notes.get(name)))
    return (f"* {', '.join(notes)}.",) if notes else ()
