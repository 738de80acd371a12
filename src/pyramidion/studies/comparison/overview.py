"""A comparison on several measures at a glance: who is best on each, all means, and how much is decided."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.measures.names import parse
from pyramidion.studies.comparison.comparison import FEW_TOPICS, Comparison, Standing
from pyramidion.studies.comparison.pairs import Pair
from pyramidion.tables import Cell, Column, Table, grouped
from pyramidion.wording import counted, in_words, listed, number


def headline(comparison: Comparison, measure: str) -> str:
    """Who is best on a measure, and whether that is sure, in one line."""
    standings = comparison.leaderboard(measure)
    first = [one.summarizer for one in standings if one.rank == 1]
    names, others = listed([comparison.label(who) for who in first], most=2), len(standings) - len(first)
    by = f"by {in_short(measure)}"
    lead = f"{names} {'leads' if len(first) == 1 else 'lead'} {by}"
    if not others:
        return f"{names} {'has the only score' if len(first) == 1 else 'are equal'} {by}"
    undecided = comparison.undecided(measure)
    if undecided is None:
        return f"{lead}; there is too little data for a test"
    close = len([who for who in undecided if who not in first])
    if not close:
        return f"{names} {'is' if len(first) == 1 else 'are'} significantly better than every other system {by}"
    if close == others:
        return f"{lead}, but no difference from {'it' if len(first) == 1 else 'them'} is significant"
    differ = f"{'is' if close == 1 else 'are'} not significantly different"
    return f"{lead}; {in_words(close)} of {counted(others, 'other')} {differ}"


def in_numbers(comparison: Comparison, measure: str) -> str:
    """The best mean with its interval, the next one, and who does not differ significantly."""
    standings, digits = comparison.leaderboard(measure), comparison.digits(measure)
    random = comparison.analysis(measure).random is not None

    def mean(one: Standing) -> str:
        return number(comparison.central(one), digits)

    best = standings[0]
    limits = ""
    if best.lower is not None and best.upper is not None:
        interval = f"{number(best.lower, digits)} to {number(best.upper, digits)}"
        limits = f" ({comparison.confidence:g} % confidence interval {interval})"
    first = {one.summarizer for one in standings if one.rank == 1}
    following = next((one for one in standings if one.summarizer not in first), None)
    then = f"; next is {comparison.label(following.summarizer)} with {mean(following)}" if following else ""
    lowest = " (lower is better)" if measure in comparison.lower_is_better else ""
    what = f"{'Its' if len(first) == 1 else 'Their'} {'adjusted ' if random else ''}mean"
    said = f"{what} is {mean(best)}{limits} over {counted(best.n, 'topic')}{lowest}{then}."
    others = [comparison.label(who) for who in comparison.undecided(measure) or [] if who not in first]
    if others and len(others) < len(standings) - len(first):
        said += f" Not significantly different: {listed(others)}."
    return said


def pair_headline(pair: Pair, comparison: Comparison) -> str:
    """Which of two systems is better on a measure, in one line."""
    a, b, by = comparison.label(pair.a), comparison.label(pair.b), f"by {in_short(pair.measure)}"
    if pair.better:
        better, worse = (a, b) if pair.better == pair.a else (b, a)
        return f"{better} is better than {worse} {by}"
    return f"Undecided: {a} and {b} do not differ significantly {by}"


def agreement_of_measures(comparison: Comparison, measures: Sequence[str]) -> str:
    """On how many of these measures the system is best that is best on the first; nothing for a single measure."""
    if len(measures) < 2:
        return ""
    first = comparison.leaderboard(measures[0])[0].summarizer
    ranks = {name: {one.summarizer: one.rank for one in comparison.leaderboard(name)} for name in measures}
    others = [name for name in measures if ranks[name].get(first) != 1]
    if not others:
        return f"{comparison.label(first)} has the best mean on all {len(measures)} measures."
    said = f"{comparison.label(first)} has the best mean on {len(measures) - len(others)} of {len(measures)} measures"
    place = ranks[others[0]].get(first)
    where = f"ranks number {place}" if place else "has no score"
    return f"{said}; by {in_short(others[0])}, it {where}."


def agreement_of_pairs(pairs: Sequence[Pair]) -> str:
    """Whether other measures say the same of two systems as the first does; nothing for a single measure."""
    if len(pairs) < 2:
        return ""
    first, *others = pairs
    better = [one for one in others if one.better]
    undecided = len(others) - len(better)
    measures = counted(len(others), "other measure")
    if len(others) == 1:
        return _other_measure(first, others[0])
    if not better:
        return f"None of the {measures} shows a significant difference."
    if not first.better:
        found = grouped(better, lambda one: one.better)
        by = {who: listed([in_short(one.measure) for one in some]) for who, some in found.items()}
        better_by = "; ".join(f"{who} is significantly better by {names}" for who, names in by.items())
        decide = "decides" if len(better) == 1 else "decide"
        return f"Of the {measures}, {in_words(len(better))} {decide}: {better_by}."
    opposed = [in_short(one.measure) for one in better if one.better != first.better]
    agreeing = len(better) - len(opposed)
    parts = [
        f"{in_words(agreeing)} {'agrees' if agreeing == 1 else 'agree'}" if agreeing else "",
        f"{in_words(undecided)} {'is' if undecided == 1 else 'are'} undecided" if undecided else "",
        f"{in_words(len(opposed))} {'says' if len(opposed) == 1 else 'say'} the opposite ({listed(opposed)})"
        if opposed
        else "",
    ]
    return f"Of the {measures}, {listed(list(filter(None, parts)))}."


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
        if len(standings) == 2:
            return f"{ahead}, but the difference is not significant."
        differ = "does not differ" if alone else "do not differ"
        return f"{ahead}, but {differ} significantly from any other of the {len(standings)} systems."
    return f"{ahead}; not significantly different: {listed(others)}."


def decided(comparison: Comparison, measures: Sequence[str]) -> list[str]:
    """How many pairs differ significantly on these measures."""
    found = [
        f"{analysis.tukey.pairs} of {analysis.pairs} by {in_short(analysis.measure)}"
        for analysis in map(comparison.analysis, measures)
        if analysis.tukey is not None
    ]
    return [f"Pairs that differ significantly (Tukey's test): {listed(found, most=9)}."] if found else []


def few_topics(comparison: Comparison) -> list[str]:
    """A warning where topics are few."""
    topics = max((one.n for one in comparison.standings), default=0)
    return [f"With only {counted(topics, 'topic')}, treat this as a first look."] if topics < FEW_TOPICS else []


def verdict_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """A line for each measure: who is best, and how many do not differ significantly from it."""
    rows: list[list[Cell]] = []
    for measure in measures:
        standings = comparison.leaderboard(measure)
        undecided = comparison.undecided(measure)
        rows.append(
            [
                _starred(comparison, measure, in_short(measure)),
                listed([comparison.label(one.summarizer) for one in standings if one.rank == 1], most=2),
                number(comparison.central(standings[0]), comparison.digits(measure)),
                None if undecided is None else f"{len(undecided)} of {len(standings) - 1}",
            ]
        )
    return Table(
        record="mean",
        title="The verdict of each measure",
        columns=(
            Column("measure"),
            Column("summarizer", "best"),
            Column("value", "mean"),
            Column("undecided", "not significantly different"),
        ),
        rows=rows,
        notes=_stars(comparison, measures),
        about="best",
    )


def pair_verdict_table(comparison: Comparison, pairs: Sequence[Pair]) -> Table:
    """A line for each measure: the difference of two systems, its interval, and who is better."""
    a, b = (comparison.label(who) for who in (pairs[0].a, pairs[0].b))
    rows: list[list[Cell]] = []
    for pair in pairs:
        digits = comparison.digits(pair.measure)
        limits = (
            f"{number(pair.lower, digits)} to {number(pair.upper, digits)}"
            if pair.lower is not None and pair.upper is not None
            else None
        )
        rows.append(
            [
                _starred(comparison, pair.measure, in_short(pair.measure)),
                f"{comparison.label(pair.better)} is better" if pair.better else "undecided",
                None if pair.difference is None else number(pair.difference, digits),
                limits,
                f"{pair.win} / {pair.tie} / {pair.loss}",
            ]
        )
    lower = [in_short(pair.measure) for pair in pairs if pair.measure in comparison.lower_is_better]
    return Table(
        record="pair",
        title=f"The verdict of each measure: {a} minus {b}",
        columns=(
            Column("measure"),
            Column("better", "verdict"),
            Column("difference", "mean difference"),
            Column("interval", f"{pairs[0].confidence:g} % interval"),
            Column("topics", "wins / ties / losses"),
        ),
        rows=rows,
        notes=(
            f"Each line has its own scale, with 0 in the middle; right of it, {a} is better. Wins are the topics on "
            f"which {a} is better.",
            *([f"Lower is better for {listed(lower)}."] if lower else []),
            *_stars(comparison, [pair.measure for pair in pairs]),
        ),
        heads=2,
        about="pair",
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
            "Where scores are missing, the critical difference varies from pair to pair and is not shown.",
            *_stars(comparison, measures),
        ),
        about="pairs",
    )


def _other_measure(first: Pair, other: Pair) -> str:
    by = f"The other measure, {in_short(other.measure)},"
    if not other.better:
        return f"{by} does not show a significant difference."
    if not first.better:
        return f"{by} finds {other.better} significantly better."
    return f"{by} {'agrees' if other.better == first.better else 'says the opposite'}."


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


def _starred(comparison: Comparison, measure: str, name: str = "") -> str:
    """A measure's name with a star if one must know something about it; `_stars` explains."""
    return f"{name or measure}\u00a0*" if comparison.notes.get(measure) else name or measure


def _stars(comparison: Comparison, measures: Sequence[str]) -> tuple[str, ...]:
    notes = dict.fromkeys(note for name in measures if (note := comparison.notes.get(name)))
    return (f"* {', '.join(notes)}.",) if notes else ()
