"""The first screen: who is best by the measure that decides, how sure that is, and the verdict of every measure.

Two systems, the only ones or those asked for, are compared pair by pair; more are ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pyramidion.present.decision import describe_lengths, explain_decision
from pyramidion.present.preferred import preferred_headline, preferred_sentences, preferred_tables
from pyramidion.present.section import Dots, Point, Section
from pyramidion.reports.context import Context
from pyramidion.reports.sections.leaderboards import mean_dots
from pyramidion.show.tables import Column, Table, columns_of
from pyramidion.show.wording import capital, listed, noted, number
from pyramidion.studies.comparison.comparison import Standing
from pyramidion.studies.comparison.overview import (
    agreement_of_measures,
    agreement_of_pairs,
    few_topics,
    headline,
    in_numbers,
    in_short,
    means_table,
    pair_headline,
    pair_in_numbers,
    pair_verdict_table,
    scope_of_intervals,
    verdict_table,
    warn_about_few_topics,
)
from pyramidion.studies.comparison.pairs import Pair
from pyramidion.studies.preferred import Preferred

FIRST = 8
"""Systems that are seen at once; the others are one click away."""


def make(context: Context) -> Section:
    """One line, a sentence or two, the picture, and a line for each measure."""
    if context.by_preferences:
        return _of_preferences(context)
    if context.deciding_kind == "descriptive":
        return _of_descriptions(context)
    return _of_pair(context) if context.pair else _of_ranking(context)


def _of_ranking(context: Context) -> Section:
    comparison, measure = context.comparison, context.deciding
    sentences = (
        in_numbers(comparison, measure),
        _join(*explain_decision(context.sections), agreement_of_measures(comparison, context.evaluative)),
        *_preferences_disagree(context, comparison.leaderboard(measure)[0].summarizer),
        " ".join(describe_lengths(context.sections)),
        *few_topics(comparison, measure),
    )
    several = len(context.ordered) > 1
    return Section(
        id="answer",
        title="The answer",
        finding=headline(comparison, measure),
        sentences=tuple(filter(None, sentences)),
        blocks=(_means(context, measure), *([verdict_table(comparison, context.ordered)] if several else [])),
        commands=(context.command("compare", options=comparison.options),),
    )


def _of_pair(context: Context) -> Section:
    comparison = context.comparison
    pairs = _pairs(context)
    first = pairs[0]
    evaluative = [pair for pair in pairs if pair.measure in context.evaluative]
    sentences = (
        pair_in_numbers(first, comparison),
        *first.cautions,
        _join(*explain_decision(context.sections), agreement_of_pairs(evaluative)),
        *_preferences_disagree(context, first.better),
        " ".join(describe_lengths(context.sections)),
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


def _of_preferences(context: Context) -> Section:
    """Who is preferred; what measures say comes below it."""
    comparison, preferred = context.comparison, context.preferred
    assert preferred is not None  # else they would not decide
    label = comparison.label
    sentences = (
        *preferred_sentences(preferred, label),
        " ".join(explain_decision(context.sections)),
        *_measures_disagree(context, preferred),
        " ".join(describe_lengths(context.sections)),
        *warn_about_few_topics(preferred.topics),
    )
    blocks: list[Table | Dots] = [*preferred_tables(preferred, label)]
    parts: tuple[Section, ...] = ()
    commands = [context.evaluation.command("judgments preferences", options=context.preference_options)]
    if context.pair:
        blocks.append(_differences(context, _pairs(context)))
        parts = (_in_words(context),)
    elif context.ordered:
        blocks.append(verdict_table(comparison, context.ordered))
    if context.ordered:
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


def _of_descriptions(context: Context) -> Section:
    """Where all measures only describe summaries: their means, and no verdict."""
    comparison = context.comparison
    names = listed([in_short(name) for name in context.ordered])
    describe = "only describes" if len(context.ordered) == 1 else "only describe"
    return Section(
        id="answer",
        title="The answer",
        finding=f"No measure here says which {comparison.kind} is better",
        sentences=(
            f"{names} {describe} summaries: neither high nor low values are better.",
            *few_topics(comparison, context.deciding),
        ),
        blocks=(means_table(comparison, context.ordered),),
        commands=(context.command("compare", options=comparison.options),),
    )


def _join(*sentences: str) -> str:
    """Sentences that share a paragraph, so that the picture is on the first screen, too."""
    return " ".join(filter(None, sentences))


def _pairs(context: Context) -> list[Pair]:
    """The two systems that the report leads with, on each measure, those that decide first."""
    by_measure = {pair.measure: pair for pair in context.comparison.pairs if (pair.a, pair.b) == context.pair}
    return [by_measure[name] for name in context.ordered if name in by_measure]


def _in_words(context: Context) -> Section:
    return Section(
        id="answer-in-words",
        title="Every measure in words",
        sentences=tuple(pair.sentence for name in context.ordered for pair in context.comparison.pairs_on(name)),
    )


def _preferences_disagree(context: Context, leader: str) -> Iterator[str]:
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


def _measures_disagree(context: Context, preferred: Preferred) -> Iterator[str]:
    """A sentence if measures find another system significantly better than the one that is preferred."""
    comparison, leader = context.comparison, preferred.leader
    label = comparison.label
    if context.pair:
        against = [pair for pair in _pairs(context) if pair.measure in context.evaluative and pair.better]
        names = [in_short(pair.measure) for pair in against if pair.better != leader]
        other = next((who for who in context.pair if who != leader), "")
        if names:
            yield f"Measures disagree: {label(other)} is significantly better on {listed(names, most=3)}."
        return
    lost = []
    for name in context.evaluative:
        best = [one.summarizer for one in comparison.leaderboard(name) if one.rank == 1]
        close = comparison.undecided(name)
        scored = {one.summarizer for one in comparison.leaderboard(name)}
        if close is not None and leader in scored and leader not in (*best, *close):
            lost.append(in_short(name))
    if lost:
        yield f"Measures disagree: {label(leader)} is significantly worse than the best on {listed(lost, most=3)}."


def _means(context: Context, measure: str) -> Dots:
    """The means on the measure that decides."""
    comparison = context.comparison
    standings, digits = comparison.leaderboard(measure), comparison.digits(measure)
    lower = ", lower is better" if measure in comparison.lower_is_better else ""
    adjusted = "adjusted " if comparison.analysis(measure).random else ""
    named = noted(in_short(measure), context.table.notes.get(measure, ""))
    blue = f"Blue: the best{', and those that are not significantly worse' if comparison.undecided(measure) else ''}."
    table = Table(
        record="mean",
        title=f"{capital(named)}: {adjusted}means with {comparison.confidence:g} % intervals{lower}",
        columns=columns_of(
            Column("summarizer", comparison.kind), Column("value", f"{adjusted}mean", digits), "interval"
        ),
        rows=[[context.names[one.summarizer], comparison.central(one), _limits(one, digits)] for one in standings],
        notes=(f"{blue} {scope_of_intervals(comparison, measure)}".rstrip(),),
        about="best",
    )
    alt = f"Means of {len(standings)} {comparison.kind}s on {measure} with their confidence intervals."
    return replace(mean_dots(context, measure, table, alt=alt), spare=frozenset({"interval"}), first=FIRST)


def _limits(one: Standing, digits: int) -> str | None:
    if one.lower is None or one.upper is None:
        return None
    return f"{number(one.lower, digits)} to {number(one.upper, digits)}"


def _differences(context: Context, pairs: list[Pair]) -> Dots:
    comparison = context.comparison
    table = pair_verdict_table(comparison, pairs)
    a, b = (context.names[who] for who in (pairs[0].a, pairs[0].b))
    own = len({comparison.digits(pair.measure) for pair in pairs}) > 1
    scale = "; scales differ by row" if own else ""
    limits = f"{pairs[0].confidence:g} % interval"
    drawn = f"Line: difference ({a} − {b}) with {limits}; right of 0 favours {a}{scale}. Blue: significant."
    return Dots(
        table=replace(table, notes=(drawn, *table.notes)),
        spare=frozenset({"better", "a", "b", "interval"}),
        alt="The difference on each measure with its interval.",
        points=[Point(pair.difference, pair.lower, pair.upper) for pair in pairs],
        counts=[(pair.win, pair.tie, pair.loss) for pair in pairs],
        strong=frozenset(place for place, pair in enumerate(pairs) if pair.better),
        zero=True,
        own=own,
    )
