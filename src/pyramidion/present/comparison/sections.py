"""Sections of a report about its comparison: the answer, the leaderboards, the pairs that differ, and all scores.

The answer is the first screen: who is best by the measure that decides, how sure that is, and the verdict of every
measure. Two systems, the only ones or those asked for, are compared pair by pair; more are ranked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pyramidion.measures.names import short_name
from pyramidion.options import PreferenceOptions
from pyramidion.present.comparison.fragility import report_fragility
from pyramidion.present.comparison.leaderboards import WIDEST, component_table, leaderboard_table
from pyramidion.present.comparison.overview import (
    agreement_of_measures,
    agreement_of_pairs,
    best_sentence,
    correction_of_measures,
    decided_pairs_sentence,
    few_topics,
    headline,
    headline_numbers,
    letters_tests,
    means_table,
    pair_headline,
    pair_headline_numbers,
    pair_verdict_table,
    pairs_table,
    scope_of_intervals,
    verdict_table,
    warn_about_few_topics,
)
from pyramidion.present.comparison.pair_notes import cautions_of
from pyramidion.present.comparison.pairs import margin_verdict, needs_next_step, next_step
from pyramidion.present.context import SectionContext
from pyramidion.present.decision import describe_lengths, explain_decision
from pyramidion.present.preferred import preferred_headline, preferred_sentences, preferred_tables
from pyramidion.present.section import Block, Dots, Point, Section
from pyramidion.show.tables import Column, Table, columns_of
from pyramidion.show.wording import capital, counted, listed, noted, number, shortened
from pyramidion.studies.comparison.analysis import Standing
from pyramidion.studies.comparison.comparison import order_by_difficulty
from pyramidion.studies.comparison.pairs import Pair
from pyramidion.studies.preferred import Preferred

FIRST = 8
"""Systems that are seen at once; the others are one click away."""
MOST_IN_MATRIX = 150
"""A matrix with more rows is nothing to look at: the letters of the leaderboard show the same."""
MOST_SCORES = 400_000
"""Beyond this the page would grow by megabytes: later measures are left out, with a note."""
LONGEST_TOPIC = 24
"""Characters of a topic's name in the heading."""


# The answer


def answer_section(context: SectionContext, preference_options: PreferenceOptions) -> Section:
    """One line, a sentence or two, the picture, and a line for each measure."""
    if context.roles.is_decided_by_preferences and context.preferred is not None:
        return _answer_of_preferences(context, context.preferred, preference_options)
    if context.roles.deciding_kind == "descriptive":
        return _answer_of_descriptions(context)
    return _answer_of_pair(context) if context.pair else _answer_of_ranking(context)


def _answer_of_ranking(context: SectionContext) -> Section:
    comparison, measure = context.comparison, context.roles.deciding
    sentences = (
        headline_numbers(comparison, measure),
        _join(*explain_decision(context), agreement_of_measures(comparison, context.roles.evaluative)),
        *_preferences_disagree(context, comparison.leaderboard(measure)[0].summarizer),
        " ".join(describe_lengths(context)),
        *few_topics(comparison, measure),
    )
    verdicts = [verdict_table(comparison, context.roles.ordered)] if len(context.roles.ordered) > 1 else []
    return Section(
        id="answer",
        title="The answer",
        finding=headline(comparison, measure),
        sentences=tuple(filter(None, sentences)),
        blocks=(_means(context, measure), *verdicts),
        commands=(context.command("compare", options=comparison.options),),
    )


def _answer_of_pair(context: SectionContext) -> Section:
    comparison = context.comparison
    pairs = _pairs(context)
    first = pairs[0]
    evaluative = [pair for pair in pairs if pair.measure in context.roles.evaluative]
    numbers = pair_headline_numbers(first, comparison)
    sentences = (
        numbers,
        "" if numbers == first.sentence else margin_verdict(first),
        next_step(first) if needs_next_step(first) else "",
        _join(*explain_decision(context), agreement_of_pairs(evaluative), correction_of_measures(evaluative)),
        *_preferences_disagree(context, first.better),
        " ".join(describe_lengths(context)),
        *few_topics(comparison, first.measure),
    )
    return Section(
        id="answer",
        title="The answer",
        finding=pair_headline(first, comparison),
        sentences=tuple(filter(None, sentences)),
        blocks=(_differences(context, pairs),),
        parts=(_in_words(context),),
        commands=(context.command("compare", options=comparison.options),),
    )


def _answer_of_preferences(
    context: SectionContext, preferred: Preferred, preference_options: PreferenceOptions
) -> Section:
    """Who is preferred; what measures say comes below it."""
    comparison = context.comparison
    label = comparison.label
    sentences = (
        *preferred_sentences(preferred, label),
        " ".join(explain_decision(context)),
        *_measures_disagree(context, preferred),
        " ".join(describe_lengths(context)),
        *warn_about_few_topics(preferred.topics),
    )
    blocks: list[Table | Dots] = [*preferred_tables(preferred, label)]
    parts: tuple[Section, ...] = ()
    commands = [context.command_line("judgments preferences", options=preference_options)]
    if context.pair:
        blocks.append(_differences(context, _pairs(context)))
        parts = (_in_words(context),)
    elif context.roles.ordered:
        blocks.append(verdict_table(comparison, context.roles.ordered))
    if context.roles.ordered:
        commands.append(context.command("compare", options=comparison.options))
    return Section(
        id="answer",
        title="The answer",
        finding=preferred_headline(preferred, label),
        sentences=tuple(filter(None, sentences)),
        blocks=tuple(blocks),
        parts=parts,
        commands=tuple(commands),
    )


def _answer_of_descriptions(context: SectionContext) -> Section:
    """Where all measures only describe summaries: their means, and no verdict."""
    comparison = context.comparison
    names = listed([short_name(name) for name in context.roles.ordered])
    describe = "only describes" if len(context.roles.ordered) == 1 else "only describe"
    return Section(
        id="answer",
        title="The answer",
        finding=f"No measure here says which {comparison.kind} is better",
        sentences=(
            f"{names} {describe} summaries: neither high nor low values are better.",
            *few_topics(comparison, context.roles.deciding),
        ),
        blocks=(means_table(comparison, context.roles.ordered),),
        commands=(context.command("compare", options=comparison.options),),
    )


def _join(*sentences: str) -> str:
    """Sentences that share a paragraph, so that the picture is on the first screen, too."""
    return " ".join(filter(None, sentences))


def _pairs(context: SectionContext) -> list[Pair]:
    """The two systems that the report leads with, on each measure, those that decide first."""
    by_measure = {pair.measure: pair for pair in context.comparison.pairs if (pair.a, pair.b) == context.pair}
    return [by_measure[name] for name in context.roles.ordered if name in by_measure]


def _in_words(context: SectionContext) -> Section:
    return Section(
        id="answer-in-words",
        title="Every measure in words",
        sentences=tuple(pair.sentence for name in context.roles.ordered for pair in context.comparison.pairs_on(name)),
    )


def _preferences_disagree(context: SectionContext, leader: str) -> Iterator[str]:
    """A sentence if preferences are significantly for another system than the measure that decides."""
    preferred = context.preferred
    if not preferred or preferred.leader == leader:
        return
    label = context.comparison.label
    whose = "people's preferences" if preferred.kind == "preferences" else "a judge's preferences"
    if leader and preferred.is_preferred_to(leader):
        yield f"{capital(whose)} disagree: {label(preferred.leader)} is significantly preferred to {label(leader)}."
    elif not leader and preferred.pair and preferred.pair.better:
        yield f"{capital(whose)} decide where it does not: they are for {label(preferred.pair.better)}."


def _measures_disagree(context: SectionContext, preferred: Preferred) -> Iterator[str]:
    """A sentence if measures find another system significantly better than the one that is preferred."""
    comparison, leader = context.comparison, preferred.leader
    label = comparison.label
    if context.pair:
        against = [pair for pair in _pairs(context) if pair.measure in context.roles.evaluative and pair.better]
        names = [short_name(pair.measure) for pair in against if pair.better != leader]
        other = next((system for system in context.pair if system != leader), "")
        if names:
            yield f"Measures disagree: {label(other)} is significantly better on {listed(names, most=3)}."
        return
    lost = []
    for measure in context.roles.evaluative:
        undecided = comparison.undecided(measure)
        scored = {standing.summarizer for standing in comparison.leaderboard(measure)}
        if undecided is not None and leader in scored and leader not in (*comparison.best(measure), *undecided):
            lost.append(short_name(measure))
    if lost:
        yield f"Measures disagree: {label(leader)} is significantly worse than the best on {listed(lost, most=3)}."


def _means(context: SectionContext, measure: str) -> Dots:
    """The means on the measure that decides."""
    comparison = context.comparison
    standings, digits = comparison.leaderboard(measure), comparison.digits(measure)
    lower = ", lower is better" if measure in comparison.lower_is_better else ""
    adjusted = "adjusted " if comparison.analysis(measure).random else ""
    named = noted(short_name(measure), context.notes.get(measure, ""))
    blue = "Blue: the best."
    if comparison.undecided(measure):
        blue = f"Blue: with {comparison.confidence:g} % confidence the best is among these."
    table = Table(
        record="mean",
        title=f"{capital(named)}: {adjusted}means{lower}",
        columns=columns_of(
            Column("summarizer", comparison.kind),
            Column("value", f"{adjusted}mean", digits),
            Column("interval", f"{comparison.confidence:g} % interval"),
        ),
        rows=[
            [context.names[standing.summarizer], comparison.central(standing), _limits(standing, digits)]
            for standing in standings
        ],
        notes=(f"{blue} {scope_of_intervals(comparison, measure)}".rstrip(),),
        about="best",
    )
    alt = f"Means of {len(standings)} {comparison.kind}s on {measure} with their confidence intervals."
    return replace(_mean_dots(context, measure, table, alt=alt), spare=frozenset({"interval"}), first=FIRST)


def _limits(standing: Standing, digits: int) -> str | None:
    if standing.lower is None or standing.upper is None:
        return None
    return f"{number(standing.lower, digits)} to {number(standing.upper, digits)}"


def _differences(context: SectionContext, pairs: list[Pair]) -> Dots:
    comparison = context.comparison
    table = pair_verdict_table(comparison, pairs)
    a, b = context.names[pairs[0].a], context.names[pairs[0].b]
    has_several_scales = len({comparison.digits(pair.measure) for pair in pairs}) > 1
    scale = "; scales differ by row" if has_several_scales else ""
    limits = f"{pairs[0].confidence:g} % interval"
    drawn = f"Line: difference ({a} − {b}) with {limits}; right of 0 favours {a}{scale}. Blue: significant."
    return Dots(
        # Below the picture: the first screen of a phone has room for the answer and the picture only.
        table=replace(table, notes=(drawn, *cautions_of(pairs[0]), *table.notes)),
        spare=frozenset({"better", "a", "b", "interval"}),
        alt="The difference on each measure with its interval.",
        points=[Point(pair.difference, pair.lower, pair.upper) for pair in pairs],
        counts=[(pair.win, pair.tie, pair.loss) for pair in pairs],
        strong=frozenset(place for place, pair in enumerate(pairs) if pair.better),
        zero=True,
        own=has_several_scales,
    )


# Leaderboards


def leaderboards_section(context: SectionContext) -> Section:
    """For each measure means with intervals, letters, and what the tests say, below an overview."""
    comparison, measures = context.comparison, context.roles.ordered
    return Section(
        id="leaderboards",
        title="Leaderboards",
        finding=_wins_of_leader(context),
        mark=context.notes.get(context.roles.deciding, ""),
        printed=True,
        sentences=(
            *(best_sentence(comparison, measure) for measure in context.roles.main[1:]),
            f"Means over topics. {comparison.kind.capitalize()}s that share a letter do not differ significantly "
            f"({letters_tests(comparison)}; {comparison.confidence:g} % confidence over all pairs).",
            f"Compare {comparison.kind}s by letters, not by whether their intervals overlap.",
        ),
        blocks=(means_table(comparison, measures),) if len(measures) > 1 else (),
        parts=tuple(_leaderboard_part(context, place, measure) for place, measure in enumerate(measures)),
        commands=(context.command("compare", options=comparison.options),),
    )


def _wins_of_leader(context: SectionContext) -> str:
    """Who is first on how many measures."""
    comparison = context.comparison
    evaluative = [measure for measure in comparison.measures if measure not in comparison.descriptive]
    measures = [measure for measure in evaluative if len(comparison.leaderboard(measure)) > 1]
    wins = comparison.count_wins(measures)
    if len(measures) < 2 or not wins:
        return f"All means on {context.roles.deciding}, with intervals and letters"
    (leader, count), *rivals = wins.most_common(3)
    extent = f"all {count}" if count == len(measures) else f"{count} of {len(measures)}"
    sentence = f"{context.names[leader]} has the best mean on {extent} measures"
    if len(context.table.summarizers) == 2:
        won = [measure for measure in measures if leader in comparison.best(measure)]
        sure = sum(comparison.undecided(measure) == [] for measure in won)
        sentence += f" (significantly better on {sure})" if sure < count else ""
    if len(wins) > 3 or not rivals:
        return sentence
    wins_of_rivals = [f"{context.names[rival]} on {rival_wins}" for rival, rival_wins in rivals]
    return f"{sentence}, {listed(wins_of_rivals)}"


def _leaderboard_part(context: SectionContext, place: int, measure: str) -> Section:
    table = leaderboard_table(context.comparison, measure)
    dots = _mean_dots(context, measure, table, alt=_describe_means(context, measure))
    fragility: list[str] = []
    commands: tuple[str, ...] = ()
    if measure == context.roles.deciding:
        fragility = report_fragility(context.comparison, measure)
    if fragility:
        options = replace(context.comparison.options, fragility=True)
        commands = (context.command("compare", options=options),)
    return Section(
        id=f"leaderboard-{place}",
        title=measure,
        mark=context.notes.get(measure, ""),
        sentences=(*table.sentences, *fragility),
        blocks=(dots, *_component_dots(context, measure)),
        group="measure",
        about=measure,
        commands=commands,
    )


def _mean_dots(context: SectionContext, measure: str, table: Table, *, alt: str) -> Dots:
    """The means of a leaderboard with their intervals; the best, and those not significantly worse, stand out."""
    comparison = context.comparison
    standings = comparison.leaderboard(measure)
    strong = {*comparison.best(measure), *(comparison.undecided(measure) or ())}
    return Dots(
        table=table,
        alt=alt,
        points=[Point(comparison.central(standing), standing.lower, standing.upper) for standing in standings],
        strong=frozenset(row for row, standing in enumerate(standings) if standing.summarizer in strong),
    )


def _component_dots(context: SectionContext, measure: str) -> list[Dots]:
    """Where the variance of judgments comes from, for measures that decide and whose assessors are a sample."""
    components = context.comparison.analysis(measure).components
    if measure not in context.roles.main or not components:
        return []
    widest = WIDEST * max(component.value or 0.0 for component in components)
    points = []
    for component in components:
        upper = None if component.upper is None else min(component.upper, widest)
        points.append(Point(component.value, component.lower, upper))
    estimates = [
        f"{component.term} {number(component.value, 3)}" for component in components if component.value is not None
    ]
    dots = Dots(
        table=component_table(context.comparison, measure),
        alt=f"Where the variance of a single judgment comes from: {'; '.join(estimates)}.",
        points=points,
    )
    return [dots]


def _describe_means(context: SectionContext, measure: str) -> str:
    """What a picture of means shows, for who can't see it."""
    standings, digits = context.comparison.leaderboard(measure), context.comparison.digits(measure)
    first, last = (
        f"{context.names[standing.summarizer]} ({number(standing.value, digits)})"
        for standing in (standings[0], standings[-1])
    )
    if len(standings) == 1:
        return f"The mean of {first} on {measure}."
    return (
        f"Means of {len(standings)} {context.comparison.kind}s on {measure} with their confidence intervals, from "
        f"{first} to {last}. The table has all numbers."
    )


# Pairs


def pairs_section(context: SectionContext) -> Section | None:
    """Which systems differ, by the test behind the letters and by Nemenyi's, as a matrix for the measure chosen.

    None for a single pair, or if none could be tested; the counts alone if there are too many for a matrix.
    """
    comparison = context.comparison
    if len(context.table.summarizers) < 3:
        return None
    measures = [measure for measure in context.roles.ordered if _is_tested(context, measure)]
    if not measures:
        return None
    has_matrix = len(context.table.summarizers) <= MOST_IN_MATRIX
    too_many = f"No matrix for more than {MOST_IN_MATRIX} {comparison.kind}s; the letters show the same."
    return Section(
        id="pairs",
        title="Which pairs differ",
        finding=_count_of_pairs(context, measures[0]),
        mark=context.notes.get(measures[0], ""),
        sentences=(
            *decided_pairs_sentence(comparison, context.roles.main),
            f"Whether two {comparison.kind}s differ significantly: by {letters_tests(comparison)} on means, and by "
            "Nemenyi's test on ranks within topics. If variances are similar and topics independent, the family-wise "
            f"error rate of each test over all pairs on one measure is at most {100 - comparison.confidence:g} %; "
            "there is no correction across measures.",
        ),
        notes=() if has_matrix else (too_many,),
        blocks=(pairs_table(comparison, measures), *([_pair_matrix(context, measures)] if has_matrix else [])),
        commands=(context.command("compare", options=comparison.options) + " --show difference",),
    )


def _is_tested(context: SectionContext, measure: str) -> bool:
    if measure not in context.comparison.measures:
        return False
    analysis = context.comparison.analysis(measure)
    return bool(analysis.letters_test or analysis.friedman)


def _count_of_pairs(context: SectionContext, measure: str) -> str:
    analysis = context.comparison.analysis(measure)
    if analysis.letters_test is None:
        return f"Which {context.comparison.kind}s beat which, by ranks within topics"
    pairs = analysis.letters_test.pairs
    differ = "differs" if pairs == 1 else "differ"
    return f"{pairs} of {analysis.pair_count} pairs {differ} significantly on {short_name(measure)}"


def _pair_matrix(context: SectionContext, measures: Sequence[str]) -> Block:
    systems = context.table.summarizers
    place_of = {system: place for place, system in enumerate(systems)}
    return Block(
        id="pair-matrix",
        template="pairs.html",
        values={"choices": list(measures), "first": context.noted(measures[0])},
        data={
            "kind": context.comparison.kind,
            "names": [context.names[system] for system in systems],
            "measures": [_pairs_on(context, measure, place_of) for measure in measures],
        },
    )


def _pairs_on(context: SectionContext, measure: str, place_of: dict[str, int]) -> dict[str, Any]:
    """Rows best first; for each the rows below it: 0 no difference, 1 by the letters' test, 2 by Nemenyi, 3 by both."""
    analysis = context.comparison.analysis(measure)
    order = list(analysis.adjusted) or [standing.summarizer for standing in analysis.standings]
    codes: dict[frozenset[str], int] = {}
    for difference in analysis.differences:
        by_means = difference.paired if analysis.paired else difference.tukey
        codes[frozenset((difference.a, difference.b))] = int(bool(by_means)) + 2 * int(bool(difference.nemenyi))
    rows = []
    for place, a in enumerate(order):
        rows.append("".join(str(codes.get(frozenset((a, b)), 0)) for b in order[place + 1 :]))
    return {
        "name": measure,
        "test": "paired t tests" if analysis.paired else "Tukey’s test",
        "note": context.notes.get(measure, ""),
        "rows": [place_of[system] for system in order],
        "found": rows,
    }


# All scores


def heat_map_section(context: SectionContext) -> Section | None:
    """Every score of a measure, summarizers × topics, drawn by the page's script for the measure chosen.

    None if there is a single topic, which the leaderboard shows as well.
    """
    systems, topics = context.table.summarizers, context.table.topics
    if len(topics) < 2:
        return None
    maps: list[dict[str, Any]] = []
    room = MOST_SCORES
    for measure in context.roles.ordered:
        heat_map = _heat_map(context, measure)
        room -= len(heat_map["rows"]) * len(heat_map["topics"])
        if maps and room < 0:
            break
        maps.append(heat_map)
    first_measure, kind = maps[0]["name"], context.comparison.kind
    left_out = len(context.comparison.measures) - len(maps)
    return Section(
        id="heat-map",
        title=f"Scores by {kind} and topic",
        finding=_easiest_and_hardest(maps[0], topics),
        mark=context.notes.get(first_measure, ""),
        sentences=(
            f"Every score on the chosen measure: best {kind} on top, topics from easiest to hardest. Darker is better.",
        ),
        notes=(f"{counted(left_out, 'measure')} left out here, to keep the page small.",) if left_out else (),
        blocks=(
            Block(
                id="heat",
                template="heat_map.html",
                values={
                    "choices": [heat_map["name"] for heat_map in maps],
                    "first": context.noted(first_measure),
                    "kind": kind,
                    "filters": context.filters(topics),
                },
                data={
                    "kind": kind,
                    "names": [context.names[system] for system in systems],
                    "topics": [shortened(topic) for topic in topics],
                    "attributes": [context.attributes.get(topic, []) for topic in topics],
                    "measures": maps,
                },
            ),
        ),
        commands=(context.command("score"),),
    )


def _easiest_and_hardest(heat_map: dict[str, Any], topics: Sequence[str]) -> str:
    """Which topics are the easiest and the hardest by a measure."""
    if len(heat_map["topics"]) < 2:
        return ""
    easiest, hardest = topics[heat_map["topics"][0]], topics[heat_map["topics"][-1]]
    if max(len(easiest), len(hardest)) > LONGEST_TOPIC:  # such as a hash, which says nothing
        return f"Every score on {short_name(heat_map['name'])}, topics from easiest to hardest"
    return f"On {short_name(heat_map['name'])}, topic {easiest} is the easiest and {hardest} the hardest"


def _heat_map(context: SectionContext, measure: str) -> dict[str, Any]:
    """The scores on a measure: best system on top, topics from easiest to hardest."""
    matrix, digits = context.table.matrix(measure), context.comparison.digits(measure)
    system_places = {system: place for place, system in enumerate(context.table.summarizers)}
    topic_places = {topic: place for place, topic in enumerate(context.table.topics)}
    row_of = {system: row for row, system in enumerate(matrix.summarizers)}
    order = [standing.summarizer for standing in context.comparison.leaderboard(measure)]
    columns = order_by_difficulty(matrix)
    rows = []
    for system in order:
        values = matrix.values[row_of[system], columns]
        rows.append([None if np.isnan(value) else round(float(value), digits) for value in values])
    return {
        "name": measure,
        "note": context.notes.get(measure, ""),
        "digits": digits,
        "higher": matrix.higher_is_better,
        "rows": [system_places[system] for system in order],
        "topics": [topic_places[matrix.topics[column]] for column in columns],
        "values": rows,
    }
