"""A comparison on several measures at a glance: who is best on each, all means, and how much is decided."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from pyramidion.measures.names import parse
from pyramidion.show.tables import Column, Table, grouped, table_of
from pyramidion.show.wording import confidence_interval, counted, in_words, listed, noted, number, ordinal, together
from pyramidion.studies.comparison.comparison import FEW_TOPICS, Comparison, Standing
from pyramidion.studies.comparison.pairs import Pair

ADJUSTED = "adjusted for assessors and topics"
"""What is done to a mean where assessors are treated as a random sample."""
SAME = 1e-9


def headline(comparison: Comparison, measure: str) -> str:
    """Who is best on a measure, and whether that is sure, in one line."""
    standings = comparison.leaderboard(measure)
    first = [one.summarizer for one in standings if one.rank == 1]
    names, others = listed([comparison.label(who) for who in first], most=2), len(standings) - len(first)
    by = f"on {in_short(measure)}"
    if measure in comparison.descriptive:
        return f"{names} {'has' if len(first) == 1 else 'have'} the highest mean {by}; no value of it is better"
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
    differ = f"{'is' if close == 1 else 'are'} not significantly worse"
    return f"{lead}; {close:,} of {counted(others, 'other')} {differ}"


def in_numbers(comparison: Comparison, measure: str) -> str:
    """The best mean with its interval, the next one, and who does not differ significantly."""
    standings, digits = comparison.leaderboard(measure), comparison.digits(measure)
    random = comparison.analysis(measure).random is not None

    def mean(one: Standing) -> str:
        return number(comparison.central(one), digits)

    best = standings[0]
    limits = confidence_interval(comparison.confidence, best.lower, best.upper, digits)
    first = {one.summarizer for one in standings if one.rank == 1}
    others = [one for one in standings if one.summarizer not in first]
    lowest = " (lower is better)" if measure in comparison.lower_is_better else ""
    what = f"{'Its' if len(first) == 1 else 'Their'} mean{f', {ADJUSTED},' if random else ''}"
    said = f"{what} is {noted(mean(best), limits)} over {counted(best.n, 'topic')}{lowest}"
    if not others:
        return f"{said}."
    following = [comparison.label(one.summarizer) for one in others if mean(one) == mean(others[0])]
    said += f"; next {_be(following)} {listed(following)} with {mean(others[0])}"
    undecided = [comparison.label(who) for who in comparison.undecided(measure) or [] if who not in first]
    if not undecided or len(undecided) == len(others):
        return f"{said}."
    worse = "lower" if measure in comparison.descriptive else "worse"
    if not set(following) <= set(undecided):
        return f"{said}. Not significantly {worse}: {listed(undecided)}."
    more = [who for who in undecided if who not in following]
    nor = f"; nor {_be(more)} {listed(more)}" if more else ""
    return f"{said}, which {_be(following)} not significantly {worse}{nor}."


def _be(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def pair_headline(pair: Pair, comparison: Comparison) -> str:
    """Which of two systems is better on a measure, in one line."""
    a, b, on = comparison.label(pair.a), comparison.label(pair.b), f"on {in_short(pair.measure)}"
    if pair.better:
        better, worse = (a, b) if pair.better == pair.a else (b, a)
        return f"{better} beats {worse} {on}"
    if pair.is_decided:  # on a measure that only describes
        higher, lower = (a, b) if (pair.difference or 0) > 0 else (b, a)
        return f"{higher} is higher than {lower} {on}"
    if not pair.n:
        return f"{a} and {b} can't be compared {on}"
    return f"Undecided: {a} and {b} do not differ significantly {on}"


def pair_in_numbers(pair: Pair, comparison: Comparison) -> str:
    """The means of two systems and what the test says of their difference."""
    means = {one.summarizer: one for one in comparison.leaderboard(pair.measure)}
    a, b = means.get(pair.a), means.get(pair.b)
    if a is None or b is None or pair.difference is None or not pair.possible or pair.tie == pair.n:
        return pair.sentence
    digits, first, second = comparison.digits(pair.measure), comparison.central(a), comparison.central(b)
    scores = f"{comparison.label(pair.a)} scores {number(first, digits)} on average and {comparison.label(pair.b)} "
    better, worse = ("higher", "lower") if pair.is_descriptive else ("better", "worse")
    apart = second - first if pair.measure in comparison.lower_is_better else first - second
    if abs(apart - pair.difference) > SAME:  # means over different topics, or of another model
        return pair.sentence
    return (
        f"{scores}{number(second, digits)}, over {counted(pair.n, 'topic')}: difference {pair.in_numbers(digits)}. "
        f"{comparison.label(pair.a)} is {better} on {pair.win} topics, equal on {pair.tie} and {worse} on {pair.loss}."
    )


def agreement_of_measures(comparison: Comparison, measures: Sequence[str]) -> str:
    """On how many of these measures the system is best that is best on the first; nothing for a single measure."""
    measures = [measure for measure in measures if measure not in comparison.descriptive]
    if len(measures) < 2:
        return ""
    first = comparison.leaderboard(measures[0])[0].summarizer
    ranks = {name: {one.summarizer: one.rank for one in comparison.leaderboard(name)} for name in measures}
    others = [name for name in measures if ranks[name].get(first) != 1]
    if not others:
        return f"{comparison.label(first)} has the best mean on all {len(measures)} measures."
    best = len(measures) - len(others)
    said = f"{comparison.label(first)} has the best mean on {best} of {len(measures)} measures"
    said = f"{said}; {_weakness(comparison, first, {name: ranks[name].get(first) for name in others})}."
    (rival, wins), *_ = Counter(
        who for found in ranks.values() for who, rank in found.items() if rank == 1
    ).most_common()
    if wins > best:
        said += f" {comparison.label(rival)} is best on {wins}."
    return said


def _weakness(comparison: Comparison, who: str, ranks: Mapping[str, int | None]) -> str:
    """Where a system does worst on these measures, none of which it leads: its significant losses, else its last rank.

    Args:
        comparison: of all systems.
        who: the system.
        ranks: its rank on each measure; None where it has no score.
    """
    known = sorted(((rank, name) for name, rank in ranks.items() if rank), key=lambda one: -one[0])
    if not known:
        return f"on {in_short(next(iter(ranks)))}, it has no score"
    close = {name: comparison.undecided(name) for _, name in known}
    lost = [name for name, undecided in close.items() if undecided is not None and who not in undecided]
    if lost:
        best = [one.summarizer for one in comparison.leaderboard(lost[0]) if one.rank == 1]
        rival = comparison.label(best[0]) if len(lost) == len(best) == 1 else "the best"
        return f"it is significantly worse than {rival} on {listed([in_short(name) for name in lost], most=3)}"
    rank, name = known[0]
    tested = " (not significantly worse than the best)" if close[name] is not None else ""
    return f"its lowest rank is {ordinal(rank)}, on {in_short(name)}{tested}"


def agreement_of_pairs(pairs: Sequence[Pair]) -> str:
    """Whether other measures say the same of two systems as the first does; nothing for a single measure."""
    pairs = [pair for pair in pairs if not pair.is_descriptive]
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
        better_by = "; ".join(f"{who} is better on {names}" for who, names in by.items())
        show = "shows" if len(better) == 1 else "show"
        return f"Of the {measures}, {len(better)} {show} a significant difference: {better_by}."
    opposed = [in_short(one.measure) for one in better if one.better != first.better]
    agreeing = len(better) - len(opposed)
    if agreeing == len(others):
        return f"{'Both' if agreeing == 2 else f'All {in_words(agreeing)}'} other measures agree."
    parts = [
        f"{agreeing} {'agrees' if agreeing == 1 else 'agree'}" if agreeing else "",
        f"{undecided} {'is' if undecided == 1 else 'are'} undecided" if undecided else "",
        f"{len(opposed)} {'says' if len(opposed) == 1 else 'say'} the opposite ({listed(opposed)})" if opposed else "",
    ]
    return f"Of the {measures}, {listed(list(filter(None, parts)))}."


def answer(comparison: Comparison, measure: str) -> str:
    """Who is best on a measure, and who does not differ significantly from it."""
    standings = comparison.leaderboard(measure)
    first = [one for one in standings if one.rank == 1]
    best, digits = first[0], comparison.digits(measure)
    names = listed([comparison.label(one.summarizer) for one in first])
    mean = f"mean {number(best.value, digits)}"
    if comparison.analysis(measure).random and best.adjusted is not None and best.adjusted != best.value:
        mean = f"adjusted mean {number(best.adjusted, digits)}"  # what the interval is about
    if len(first) == 1:
        mean = together(mean, confidence_interval(comparison.confidence, best.lower, best.upper, digits))
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
        better = "higher" if measure in comparison.descriptive else "better"
        return f"{ahead}, significantly {better} than every other system." if alone else f"{ahead}."
    if len(others) == len(standings) - len(first):
        if len(standings) == 2:
            return f"{ahead}, but the difference is not significant."
        differ = "does not differ" if alone else "do not differ"
        return f"{ahead}, but {differ} significantly from any other of the {len(standings)} systems."
    return f"{ahead}; not significantly different: {listed(others)}."


def decided(comparison: Comparison, measures: Sequence[str]) -> list[str]:
    """How many pairs differ significantly on these measures."""
    tested = [one for one in map(comparison.analysis, measures) if one.letters_test is not None]
    if not tested:
        return []
    names = {analysis.letters_test_name for analysis in tested}
    found = []
    for analysis in tested:
        test = analysis.letters_test
        by = f" by {analysis.letters_test_name}" if len(names) > 1 else ""
        found.append(f"{test.pairs if test else 0} of {analysis.pairs} on {in_short(analysis.measure)}{by}")
    test_of_all = f" ({names.pop()})" if len(names) == 1 else ""
    return [f"Pairs that differ significantly{test_of_all}: {listed(found, most=9)}."]


def letters_tests(comparison: Comparison) -> str:
    """What the tests behind the letters are called; of several, that each leaderboard says which it is."""
    names = {one.letters_test_name for one in comparison.analyses if one.letters}
    if len(names) > 1:
        return "Tukey's test, or paired t tests where a leaderboard says so"
    return next(iter(names), "Tukey's test")


def few_topics(comparison: Comparison, measure: str) -> list[str]:
    """A warning where a measure has few topics."""
    return warn_about_few_topics(max((one.n for one in comparison.leaderboard(measure)), default=0))


def warn_about_few_topics(topics: int) -> list[str]:
    """A warning where topics are few."""
    return [f"With only {counted(topics, 'topic')}, treat this as a first look."] if topics < FEW_TOPICS else []


def scope_of_intervals(comparison: Comparison, measure: str) -> str:
    """What the intervals of means are for, in a sentence; nothing where they are about other topics."""
    if comparison.options.mean_interval != "t" or comparison.undecided(measure) is None:
        return ""
    given = "topics and assessors" if comparison.analysis(measure).random else "topics"
    return f"Intervals are for comparing systems, with these {given} as given."


def verdict_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """A line for each measure: who is best, and how many do not differ significantly from it."""
    measures = [measure for measure in measures if measure not in comparison.descriptive] or measures

    def best(measure: str) -> str:
        first = [one.summarizer for one in comparison.leaderboard(measure) if one.rank == 1]
        return listed([comparison.label(who) for who in first], most=2)

    def mean(measure: str) -> str:
        return number(comparison.central(comparison.leaderboard(measure)[0]), comparison.digits(measure))

    def close(measure: str) -> str | None:
        undecided, standings = comparison.undecided(measure), comparison.leaderboard(measure)
        others = {one.summarizer for one in standings if one.rank > 1}
        return None if undecided is None else f"{len(others.intersection(undecided))} of {len(others)}"

    return table_of(
        measures,
        (
            Column("measure", of=lambda measure: _starred(comparison, measure, in_short(measure))),
            Column("summarizer", "best", of=best),
            Column("value", "mean", of=mean),
            Column("undecided", "not significantly worse", of=close),
        ),
        record="mean",
        title="The verdict of each measure",
        notes=(*_adjusted(comparison, measures), *_stars(comparison, measures)),
        about="best",
    )


def pair_verdict_table(comparison: Comparison, pairs: Sequence[Pair]) -> Table:
    """A line for each measure: the means of two systems, their difference and its interval.

    Who is better only if measures disagree.
    """
    a, b = (comparison.label(who) for who in (pairs[0].a, pairs[0].b))
    disagree = len({pair.better for pair in pairs if not pair.is_descriptive}) > 1
    means = {(one.measure, one.summarizer): comparison.central(one) for one in comparison.standings}

    def shown(pair: Pair, *values: float | None) -> str | None:
        known = [number(one, comparison.digits(pair.measure)) for one in values if one is not None]
        return " to ".join(known) if len(known) == len(values) else None

    def verdict(pair: Pair) -> str:
        if pair.is_descriptive:
            return "–"
        return comparison.label(pair.better) if pair.better else "undecided"

    better = Column("better", of=verdict)
    lower = [in_short(pair.measure) for pair in pairs if pair.measure in comparison.lower_is_better]
    return table_of(
        pairs,
        (
            Column("measure", of=lambda pair: _starred(comparison, pair.measure, in_short(pair.measure))),
            *([better] if disagree else []),
            Column("a", a, of=lambda pair: shown(pair, means.get((pair.measure, pair.a)))),
            Column("b", b, of=lambda pair: shown(pair, means.get((pair.measure, pair.b)))),
            Column("difference", of=lambda pair: shown(pair, pair.difference)),
            Column("interval", f"{pairs[0].confidence:g} % interval", of=lambda one: shown(one, one.lower, one.upper)),
            Column("topics", "topics won / tied / lost", of=lambda pair: f"{pair.win} / {pair.tie} / {pair.loss}"),
        ),
        title=f"Means of {a} and {b} on each measure, and their difference",
        notes=(
            f"Lower is better for {listed(lower)}: there, too, a difference above 0 favours {a}." if lower else "",
            *_adjusted(comparison, [pair.measure for pair in pairs]),
            *_stars(comparison, [pair.measure for pair in pairs]),
        ),
        heads=2 if disagree else 1,
        about="pair",
    )


def means_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """Summarizers × measures, in the order of the first measure."""
    cells = {(one.summarizer, one.measure): one for one in comparison.standings}
    order = list(dict.fromkeys(one.summarizer for name in measures for one in comparison.leaderboard(name)))

    def on(measure: str) -> Column:
        def mean(who: str) -> float | None:
            return one.value if (one := cells.get((who, measure))) else None

        return Column(measure, _starred(comparison, measure), digits=comparison.digits(measure), of=mean)

    first = [one for one in comparison.standings if one.rank == 1 and one.measure not in comparison.descriptive]
    best = {(one.summarizer, one.measure) for one in first}
    plain = "Plain means; where the first screen and the leaderboards show adjusted means, these may differ."
    return table_of(
        order,
        (Column("summarizer", comparison.kind, of=comparison.label), *map(on, measures)),
        record="mean",
        title="Means on all measures; bold: the best of each",
        marks={name: lambda who, name=name: (who, name) in best for name in measures},  # type: ignore[misc]
        notes=(
            f"Rows are in the order of {measures[0]}.",
            plain if _adjusted(comparison, measures) else "",
            *_stars(comparison, measures),
        ),
        about="all measures",
    )


def pairs_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """How many pairs each measure decides."""
    found = [comparison.analysis(name) for name in measures]
    varying = "No critical difference where it varies from pair to pair (missing scores or random assessors)."
    varies = any(one.tukey and math.isnan(one.tukey.critical_difference) for one in found)
    by_letters = Column("paired", "significant by paired t tests", of=lambda one: one.paired and one.paired.pairs)
    paired = [by_letters] if any(one.paired for one in found) else []
    used = (
        "Letters come from paired t tests with Holm's correction where their number is given, else from Tukey's test."
    )
    return table_of(
        found,
        (
            Column("measure", of=lambda one: _starred(comparison, one.measure)),
            Column("total", "pairs", of=lambda one: one.pairs),
            *paired,
            Column("tukey", "significant by Tukey's test", of=lambda one: one.tukey and one.tukey.pairs),
            Column("critical_difference", digits=4, of=lambda one: one.tukey and one.tukey.critical_difference),
            Column("nemenyi", "significant by Nemenyi's test", of=lambda one: one.friedman and one.friedman.pairs),
        ),
        record="tukey",
        title="Significant pairs on each measure",
        notes=(varying if varies else "", used if paired else "", *_stars(comparison, measures)),
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
    return question_in_words(name.statistic) if name.base == "question" and name.statistic else measure


def question_in_words(question: str) -> str:
    """`overall responsiveness`, `non-redundancy`."""
    return re.sub(r"(?<!\bnon)-", " ", question)


def _by(comparison: Comparison, measure: str) -> str:
    note = comparison.notes.get(measure)
    base = parse(measure).base
    if base == "question":
        return f"On {in_short(measure)} ({note or 'judged by people'})"
    if base == "pyramid":
        return f"On content ({measure}{f', {note}' if note else ''})"
    return f"On {measure}{f' ({note})' if note else ''}"


def _starred(comparison: Comparison, measure: str, name: str = "") -> str:
    """A measure's name with a star if one must know something about it; `_stars` explains."""
    note = comparison.notes.get(measure)
    return f"{name or measure}\u00a0{_marks(comparison)[note]}" if note else name or measure


def _stars(comparison: Comparison, measures: Sequence[str]) -> tuple[str, ...]:
    notes = {note for name in measures if (note := comparison.notes.get(name))}
    return tuple(f"{mark} {note}." for note, mark in _marks(comparison).items() if note in notes)


def _marks(comparison: Comparison) -> dict[str, str]:
    """A mark for each note on a measure: `*`, `**` and so on."""
    notes = dict.fromkeys(note for name in comparison.measures if (note := comparison.notes.get(name)))
    return {note: "*" * place for place, note in enumerate(notes, start=1)}


def _adjusted(comparison: Comparison, measures: Sequence[str]) -> list[str]:
    """A note where means are adjusted because assessors are a random sample."""
    if not any(comparison.analysis(name).random for name in measures):
        return []
    return [f"Means of human scores are {ADJUSTED}."]
