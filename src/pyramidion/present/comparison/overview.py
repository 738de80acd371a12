"""A comparison at a glance, as the first screen of a report has it: the headline, and the verdict of each measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pyramidion.measures.names import parse, short_name
from pyramidion.present.comparison.leaderboards import FEW_TOPICS, letters_test_name
from pyramidion.present.comparison.pairs import difference_numbers
from pyramidion.show.tables import Column, Table, grouped, table_of
from pyramidion.show.wording import confidence_interval, counted, in_words, listed, noted, number, ordinal, together
from pyramidion.studies.comparison.analysis import Analysis, Standing
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.comparison.pairs import Pair, correct_for_measures

ADJUSTED = "adjusted for assessors and topics"
"""What is done to a mean where assessors are treated as a random sample."""
SAME = 1e-9
MOST_NAMED_ON_TOP = 3
"""Systems that a sentence of the first screen names before it counts the others."""


# Who is best


def headline(comparison: Comparison, measure: str) -> str:
    """Who is best on a measure, and whether that is sure, in one line."""
    best = comparison.best(measure)
    total = len(comparison.leaderboard(measure))
    rest_count = total - len(best)
    names = listed([comparison.label(summarizer) for summarizer in best], most=2)
    on_measure = f"on {short_name(measure)}"
    if measure in comparison.descriptive:
        return f"{names} {agree(best, 'has', 'have')} the highest mean {on_measure}; no value of it is better"
    if not rest_count:
        return f"{names} {agree(best, 'has the only score', 'are equal')} {on_measure}"
    lead = f"{names} {agree(best, 'leads', 'lead')} {on_measure}"
    undecided = comparison.undecided(measure)
    if undecided is None:
        return f"{lead}; there is too little data for a test"
    close = [summarizer for summarizer in undecided if summarizer not in best]
    if not close:
        return f"{names} {plural_be(best)} significantly better than every other {comparison.kind} {on_measure}"
    if len(close) == rest_count:
        return f"{lead}, but no difference from {agree(best, 'it', 'them')} is significant"
    candidates = len(best) + len(close)
    return f"{lead}; the best is among {candidates:,} of {total:,}"


def headline_numbers(comparison: Comparison, measure: str) -> str:
    """The best mean with its interval, the next one, and who does not differ significantly."""
    standings, digits = comparison.leaderboard(measure), comparison.digits(measure)
    best = comparison.best(measure)
    rest = [standing for standing in standings if standing.summarizer not in best]
    sentence = _best_mean(comparison, measure, standings[0], is_alone=len(best) == 1)
    if not rest:
        return f"{sentence}."
    means = {standing.summarizer: number(comparison.central(standing), digits) for standing in rest}
    next_mean = means[rest[0].summarizer]
    following = [comparison.label(summarizer) for summarizer, mean in means.items() if mean == next_mean]
    sentence += f"; next {plural_be(following)} {listed(following)} with {next_mean}"
    close = [summarizer for summarizer in comparison.undecided(measure) or [] if summarizer not in best]
    undecided = [comparison.label(summarizer) for summarizer in close]
    if not undecided or len(undecided) == len(rest):
        return f"{sentence}."
    worse = "lower" if measure in comparison.descriptive else "worse"
    if not set(following) <= set(undecided):
        return f"{sentence}. Not significantly {worse}: {listed(undecided, most=MOST_NAMED_ON_TOP)}."
    more = [label for label in undecided if label not in following]
    # The picture below shows them all: the first screen has room for a few names.
    nor = f"; nor {plural_be(more)} {listed(more, most=MOST_NAMED_ON_TOP)}" if more else ""
    return f"{sentence}, which {plural_be(following)} not significantly {worse}{nor}."


def _best_mean(comparison: Comparison, measure: str, best: Standing, *, is_alone: bool) -> str:
    """`Its mean is 0.41 (95 % confidence interval …) over 20 topics`."""
    digits = comparison.digits(measure)
    limits = confidence_interval(comparison.confidence, best.lower, best.upper, digits)
    mean = noted(number(comparison.central(best), digits), limits)
    whose = "Its" if is_alone else "Their"
    adjusted = f", {ADJUSTED}," if comparison.analysis(measure).random else ""
    direction = " (lower is better)" if measure in comparison.lower_is_better else ""
    return f"{whose} mean{adjusted} is {mean} over {counted(best.n, 'topic')}{direction}"


def agree(subjects: Sequence[object], singular: str, plural: str) -> str:
    """The words that agree in number with what a sentence is about: `has` or `have`."""
    return singular if len(subjects) == 1 else plural


def plural_be(subjects: Sequence[object]) -> str:
    """`is` for one subject, `are` for several."""
    return agree(subjects, "is", "are")


def best_sentence(comparison: Comparison, measure: str) -> str:
    """Who is best on a measure, and who does not differ significantly from it."""
    standings, best = comparison.leaderboard(measure), comparison.best(measure)
    is_alone = len(best) == 1
    names = listed([comparison.label(summarizer) for summarizer in best])
    mean = _mean_with_limits(comparison, standings[0], with_limits=is_alone)
    on_measure = _introduction(comparison, measure)
    if len(standings) == 1:
        return f"{on_measure}: {names} has the only score ({mean})."
    extreme = "lowest (best)" if measure in comparison.lower_is_better else "highest"
    ahead = f"{on_measure}: {names} {agree(best, 'has', 'have')} the {extreme} score ({mean})"
    undecided = comparison.undecided(measure)
    if undecided is None:
        return f"{ahead}. There is too little data for a test."
    close = [comparison.label(summarizer) for summarizer in undecided if summarizer not in best]
    if not close:
        better = "higher" if measure in comparison.descriptive else "better"
        return f"{ahead}, significantly {better} than every other {comparison.kind}." if is_alone else f"{ahead}."
    if len(close) < len(standings) - len(best):
        return f"{ahead}; not significantly different: {listed(close)}."
    if len(standings) == 2:
        return f"{ahead}, but the difference is not significant."
    differ = agree(best, "does not differ", "do not differ")
    return f"{ahead}, but {differ} significantly from any other of the {len(standings)} {comparison.kind}s."


def _mean_with_limits(comparison: Comparison, standing: Standing, *, with_limits: bool) -> str:
    digits = comparison.digits(standing.measure)
    mean = f"mean {number(standing.value, digits)}"
    if comparison.central(standing) != standing.value:
        mean = f"adjusted mean {number(comparison.central(standing), digits)}"  # what the interval is about
    if not with_limits:
        return mean
    return together(mean, confidence_interval(comparison.confidence, standing.lower, standing.upper, digits))


def _introduction(comparison: Comparison, measure: str) -> str:
    """`On overall responsiveness (judged by people)`."""
    note = comparison.notes.get(measure)
    base = parse(measure).base
    if base == "question":
        return f"On {short_name(measure)} ({note or 'judged by people'})"
    if base == "pyramid":
        return f"On content ({measure}, {note})" if note else f"On content ({measure})"
    return noted(f"On {measure}", note or "")


# Two systems


def pair_headline(pair: Pair, comparison: Comparison) -> str:
    """Which of two systems is better on a measure, in one line."""
    a, b, on_measure = comparison.label(pair.a), comparison.label(pair.b), f"on {short_name(pair.measure)}"
    if pair.better:
        better, worse = (a, b) if pair.better == pair.a else (b, a)
        return f"{better} beats {worse} {on_measure}"
    if pair.is_decided:  # on a measure that only describes
        higher, lower = (a, b) if (pair.difference or 0) > 0 else (b, a)
        return f"{higher} is higher than {lower} {on_measure}"
    if not pair.n:
        return f"{a} and {b} can't be compared {on_measure}"
    if pair.verdict == "equivalent":
        return f"{a} and {b} are equivalent within ±{pair.margin:.4g} {on_measure}"
    if pair.verdict == "not-worse":
        return f"{a} is not worse than {b} by more than {pair.margin:.4g} {on_measure}"
    return f"Undecided: {a} and {b} do not differ significantly {on_measure}"


def pair_headline_numbers(pair: Pair, comparison: Comparison) -> str:
    """The means of two systems and what the test says of their difference."""
    standings = {standing.summarizer: standing for standing in comparison.leaderboard(pair.measure)}
    a, b = standings.get(pair.a), standings.get(pair.b)
    if a is None or b is None or pair.difference is None or not pair.is_possible or pair.tie == pair.n:
        return pair.sentence
    first, second = comparison.central(a), comparison.central(b)
    difference = second - first if pair.measure in comparison.lower_is_better else first - second
    if abs(difference - pair.difference) > SAME:  # means over different topics, or of another model
        return pair.sentence
    digits = comparison.digits(pair.measure)
    first_label, second_label = comparison.label(pair.a), comparison.label(pair.b)
    better, worse = ("higher", "lower") if pair.is_descriptive else ("better", "worse")
    return (
        f"{first_label} scores {number(first, digits)} on average and {second_label} {number(second, digits)}, over "
        f"{counted(pair.n, 'topic')}: difference {difference_numbers(pair, digits)}. {first_label} is {better} on "
        f"{counted(pair.win, 'topic')}, equal on {pair.tie} and {worse} on {pair.loss}."
    )


# Whether measures agree


def agreement_of_measures(comparison: Comparison, measures: Sequence[str]) -> str:
    """On how many of these measures the system is best that is best on the first; nothing for a single measure."""
    measures = [measure for measure in measures if measure not in comparison.descriptive]
    if len(measures) < 2:
        return ""
    leader, *equals = comparison.best(measures[0])
    wins_by_system = comparison.count_wins(measures)
    if equals:
        extent = f"{wins_by_system[leader]} of {len(measures)} measures"
        wins_of_equals = [f"{comparison.label(equal)} on {wins_by_system[equal]}" for equal in equals]
        return f"{comparison.label(leader)} has the best mean on {extent}, {listed(wins_of_equals, most=2)}."
    ranks = {measure: _rank_of(comparison, leader, measure) for measure in measures}
    lost_ranks = {measure: rank for measure, rank in ranks.items() if rank != 1}
    if not lost_ranks:
        return f"{comparison.label(leader)} has the best mean on all {len(measures)} measures."
    wins = len(measures) - len(lost_ranks)
    sentence = f"{comparison.label(leader)} has the best mean on {wins} of {len(measures)} measures"
    sentence = f"{sentence}; {_weakness(comparison, leader, lost_ranks)}."
    rival, rival_wins = wins_by_system.most_common(1)[0]
    if rival_wins > wins:
        sentence += f" {comparison.label(rival)} is best on {rival_wins}."
    return sentence


def _rank_of(comparison: Comparison, summarizer: str, measure: str) -> int | None:
    """A system's rank on a measure; None if it has no score."""
    ranks = {standing.summarizer: standing.rank for standing in comparison.leaderboard(measure)}
    return ranks.get(summarizer)


def _weakness(comparison: Comparison, system: str, ranks: Mapping[str, int | None]) -> str:
    """Where a system does worst on these measures, none of which it leads: its significant losses, else its last rank.

    Args:
        comparison: of all systems.
        system: its id.
        ranks: its rank on each measure; None where it has no score.
    """
    ranked = [(rank, measure) for measure, rank in ranks.items() if rank]
    ranked.sort(key=lambda item: -item[0])
    if not ranked:
        return f"on {short_name(next(iter(ranks)))}, it has no score"
    undecided_on = {measure: comparison.undecided(measure) for _, measure in ranked}
    lost = [measure for measure, undecided in undecided_on.items() if undecided is not None and system not in undecided]
    if lost:
        best = comparison.best(lost[0])
        rival = comparison.label(best[0]) if len(lost) == len(best) == 1 else "the best"
        return f"it is significantly worse than {rival} on {listed([short_name(name) for name in lost], most=3)}"
    rank, measure = ranked[0]
    tested = " (not significantly worse than the best)" if undecided_on[measure] is not None else ""
    return f"its lowest rank is {ordinal(rank)}, on {short_name(measure)}{tested}"


def agreement_of_pairs(pairs: Sequence[Pair]) -> str:
    """Whether other measures say the same of two systems as the first does; nothing for a single measure."""
    pairs = [pair for pair in pairs if not pair.is_descriptive]
    if len(pairs) < 2:
        return ""
    first, *rest = pairs
    if len(rest) == 1:
        return _other_measure(first, rest[0])
    decided = [pair for pair in rest if pair.better]
    measures = counted(len(rest), "other measure")
    if not decided:
        return f"None of the {measures} shows a significant difference."
    if not first.better:
        show = "shows" if len(decided) == 1 else "show"
        return f"Of the {measures}, {len(decided)} {show} a significant difference: {_winners(decided)}."
    agreeing = [pair for pair in decided if pair.better == first.better]
    opposed = [short_name(pair.measure) for pair in decided if pair.better != first.better]
    undecided = [pair for pair in rest if not pair.better]
    if len(agreeing) == len(rest):
        extent = "Both" if len(rest) == 2 else f"All {in_words(len(rest))}"
        return f"{extent} other measures agree."
    parts = []
    if agreeing:
        parts.append(f"{len(agreeing)} {agree(agreeing, 'agrees', 'agree')}")
    if undecided:
        parts.append(f"{len(undecided)} {plural_be(undecided)} undecided")
    if opposed:
        parts.append(f"{len(opposed)} {agree(opposed, 'says', 'say')} the opposite ({listed(opposed)})")
    return f"Of the {measures}, {listed(parts)}."


def correction_of_measures(pairs: Sequence[Pair]) -> str:
    """What is left of the significant differences after correction for all measures; nothing if all are."""
    significant = [pair for pair in pairs if pair.better]
    kept = correct_for_measures(pairs)
    if len(pairs) < 2 or len(kept) == len(significant):
        return ""
    left = listed([short_name(pair.measure) for pair in kept]) if kept else "none"
    return f"After Holm's correction for {len(pairs)} measures, these are still significant: {left}."


def _winners(decided: Sequence[Pair]) -> str:
    """Who is better on which measures."""
    by_winner = grouped(decided, lambda pair: pair.better)
    parts = []
    for winner, pairs in by_winner.items():
        parts.append(f"{winner} is better on {listed([short_name(pair.measure) for pair in pairs])}")
    return "; ".join(parts)


def _other_measure(first: Pair, other: Pair) -> str:
    name = f"The other measure, {short_name(other.measure)},"
    if not other.better:
        return f"{name} does not show a significant difference."
    if not first.better:
        return f"{name} finds {other.better} significantly better."
    verdict = "agrees" if other.better == first.better else "says the opposite"
    return f"{name} {verdict}."


# How sure it is


def decided_pairs_sentence(comparison: Comparison, measures: Sequence[str]) -> list[str]:
    """How many pairs differ significantly on these measures."""
    tested = [analysis for analysis in map(comparison.analysis, measures) if analysis.letters_test is not None]
    if not tested:
        return []
    names = {letters_test_name(analysis) for analysis in tested}
    counts = []
    for analysis in tested:
        pairs = analysis.letters_test.pairs if analysis.letters_test else 0
        by_test = f" by {letters_test_name(analysis)}" if len(names) > 1 else ""
        counts.append(f"{pairs} of {analysis.pair_count} on {short_name(analysis.measure)}{by_test}")
    test_of_all = f" ({names.pop()})" if len(names) == 1 else ""
    return [f"Pairs that differ significantly{test_of_all}: {listed(counts, most=9)}."]


def letters_tests(comparison: Comparison) -> str:
    """What the tests behind the letters are called; of several, that each leaderboard says which it is."""
    names = {letters_test_name(analysis) for analysis in comparison.analyses if analysis.letters}
    if len(names) > 1:
        return "Tukey's test, or paired t tests where a leaderboard says so"
    return next(iter(names), "Tukey's test")


def few_topics(comparison: Comparison, measure: str) -> list[str]:
    """A warning where a measure has few topics."""
    return warn_about_few_topics(max((standing.n for standing in comparison.leaderboard(measure)), default=0))


def warn_about_few_topics(topics: int) -> list[str]:
    """A warning where topics are few."""
    return [f"With only {counted(topics, 'topic')}, treat this as a first look."] if topics < FEW_TOPICS else []


def scope_of_intervals(comparison: Comparison, measure: str) -> str:
    """What the intervals of means show, in a sentence; nothing where they are about other topics."""
    if comparison.options.mean_interval != "t" or comparison.undecided(measure) is None:
        return ""
    fixed = "topics and assessors" if comparison.analysis(measure).random else "topics"
    return f"Intervals show how precise each mean is, with these {fixed} as given; letters compare {comparison.kind}s."


# Tables of all measures


def verdict_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """A line for each measure: who has the best mean, and among how many the best is with the confidence chosen."""
    measures = [measure for measure in measures if measure not in comparison.descriptive] or measures

    def name_best(measure: str) -> str:
        return listed([comparison.label(summarizer) for summarizer in comparison.best(measure)], most=2)

    def show_mean(measure: str) -> str:
        return number(comparison.central(comparison.leaderboard(measure)[0]), comparison.digits(measure))

    def count_candidates(measure: str) -> str | None:
        undecided = comparison.undecided(measure)
        if undecided is None:
            return None
        candidates = {*comparison.best(measure), *undecided}
        return f"{len(candidates)} of {len(comparison.leaderboard(measure))}"

    return table_of(
        measures,
        (
            Column("measure", of=lambda measure: _starred(comparison, measure, short_name(measure))),
            Column("summarizer", "best", of=name_best),
            Column("value", "mean", of=show_mean),
            Column("undecided", "best is among", of=count_candidates),
        ),
        record="mean",
        title="The verdict of each measure",
        notes=(
            f"Best is among: those who do not differ significantly from the best mean ({comparison.confidence:g} % "
            "confidence for each measure).",
            *_note_on_adjusted_means(comparison, measures),
            *_explain_stars(comparison, measures),
        ),
        about="best",
    )


def pair_verdict_table(comparison: Comparison, pairs: Sequence[Pair]) -> Table:
    """A line for each measure: the means of two systems, their difference and its interval.

    Who is better only if measures disagree.
    """
    a, b = comparison.label(pairs[0].a), comparison.label(pairs[0].b)
    measures = [pair.measure for pair in pairs]
    verdicts = {pair.better for pair in pairs if not pair.is_descriptive}
    means = {(standing.measure, standing.summarizer): comparison.central(standing) for standing in comparison.standings}

    def show_numbers(pair: Pair, *values: float | None) -> str | None:
        if None in values:
            return None
        return " to ".join(number(value or 0.0, comparison.digits(pair.measure)) for value in values)

    def show_verdict(pair: Pair) -> str:
        if pair.is_descriptive:
            return "–"
        return comparison.label(pair.better) if pair.better else "undecided"

    better = [Column("better", of=show_verdict)] if len(verdicts) > 1 else []
    lower = [short_name(measure) for measure in measures if measure in comparison.lower_is_better]
    return table_of(
        pairs,
        (
            Column("measure", of=lambda pair: _starred(comparison, pair.measure, short_name(pair.measure))),
            *better,
            Column("a", a, of=lambda pair: show_numbers(pair, means.get((pair.measure, pair.a)))),
            Column("b", b, of=lambda pair: show_numbers(pair, means.get((pair.measure, pair.b)))),
            Column("difference", of=lambda pair: show_numbers(pair, pair.difference)),
            Column(
                "interval",
                f"{pairs[0].confidence:g} % interval",
                of=lambda pair: show_numbers(pair, pair.lower, pair.upper),
            ),
            Column("topics", "topics won / tied / lost", of=lambda pair: f"{pair.win} / {pair.tie} / {pair.loss}"),
        ),
        title=f"Means of {a} and {b} on each measure, and their difference",
        notes=(
            f"Lower is better for {listed(lower)}: there, too, a difference above 0 favours {a}." if lower else "",
            *_note_on_adjusted_means(comparison, measures),
            *_explain_stars(comparison, measures),
        ),
        heads=1 + len(better),
        about="pair",
    )


def means_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """Summarizers × measures, in the order of the first measure."""
    means = {(standing.summarizer, standing.measure): standing.value for standing in comparison.standings}
    in_order = [standing.summarizer for measure in measures for standing in comparison.leaderboard(measure)]
    best = {
        (standing.summarizer, standing.measure)
        for standing in comparison.standings
        if standing.rank == 1 and standing.measure not in comparison.descriptive
    }

    def column_of(measure: str) -> Column:
        title, digits = _starred(comparison, measure), comparison.digits(measure)
        return Column(measure, title, digits=digits, of=lambda summarizer: means.get((summarizer, measure)))

    plain = "Plain means; where the first screen and the leaderboards show adjusted means, these may differ."
    return table_of(
        list(dict.fromkeys(in_order)),
        (Column("summarizer", comparison.kind, of=comparison.label), *map(column_of, measures)),
        record="mean",
        title="Means on all measures; bold: the best of each",
        marks={name: lambda summarizer, name=name: (summarizer, name) in best for name in measures},  # type: ignore[misc]
        notes=(
            f"Rows are in the order of {measures[0]}.",
            plain if _note_on_adjusted_means(comparison, measures) else "",
            *_explain_stars(comparison, measures),
        ),
        about="all measures",
    )


def pairs_table(comparison: Comparison, measures: Sequence[str]) -> Table:
    """How many pairs each measure decides."""
    analyses = [comparison.analysis(measure) for measure in measures]
    notes = []
    if any(analysis.tukey and math.isnan(analysis.tukey.critical_difference) for analysis in analyses):
        notes.append("No critical difference where it varies from pair to pair (missing scores or random assessors).")
    paired = []
    if any(analysis.paired for analysis in analyses):
        paired.append(Column("paired", "significant by paired t tests", of=_count_paired))
        notes.append(
            "Letters come from paired t tests with Holm's correction where their number is given, else from Tukey's "
            "test."
        )
    return table_of(
        analyses,
        (
            Column("measure", of=lambda analysis: _starred(comparison, analysis.measure)),
            Column("total", "pairs", of=lambda analysis: analysis.pair_count),
            *paired,
            Column("tukey", "significant by Tukey's test", of=_count_tukey),
            Column("critical_difference", digits=4, of=_critical_difference),
            Column("nemenyi", "significant by Nemenyi's test", of=_count_nemenyi),
        ),
        record="tukey",
        title="Significant pairs on each measure",
        notes=(*notes, *_explain_stars(comparison, measures)),
        about="pairs",
    )


def _count_paired(analysis: Analysis) -> int | None:
    return analysis.paired.pairs if analysis.paired else None


def _count_tukey(analysis: Analysis) -> int | None:
    return analysis.tukey.pairs if analysis.tukey else None


def _critical_difference(analysis: Analysis) -> float | None:
    return analysis.tukey.critical_difference if analysis.tukey else None


def _count_nemenyi(analysis: Analysis) -> int | None:
    return analysis.friedman.pairs if analysis.friedman else None


def _starred(comparison: Comparison, measure: str, name: str = "") -> str:
    """A measure's name with a star if one must know something about it; `_explain_stars` says what."""
    note = comparison.notes.get(measure)
    return f"{name or measure}\u00a0{_stars(comparison)[note]}" if note else name or measure


def _explain_stars(comparison: Comparison, measures: Sequence[str]) -> tuple[str, ...]:
    """What the stars after the names of these measures mean."""
    notes = {comparison.notes.get(measure) for measure in measures}
    return tuple(f"{star} {note}." for note, star in _stars(comparison).items() if note in notes)


def _stars(comparison: Comparison) -> dict[str, str]:
    """A mark for each note on a measure: `*`, `**` and so on."""
    notes = [comparison.notes[measure] for measure in comparison.measures if comparison.notes.get(measure)]
    return {note: "*" * place for place, note in enumerate(dict.fromkeys(notes), start=1)}


def _note_on_adjusted_means(comparison: Comparison, measures: Sequence[str]) -> list[str]:
    """A note where means are adjusted because assessors are a random sample."""
    if not any(comparison.analysis(measure).random for measure in measures):
        return []
    return [f"Means of human scores are {ADJUSTED}."]
