"""The first screen: who is best by the measure that decides, how sure that is, and the verdict of every measure.

Two systems, the only ones or those asked for, are compared pair by pair; more are ranked.
"""

from __future__ import annotations

from dataclasses import replace

from pyramidion.reports.context import Context
from pyramidion.reports.section import Dots, Point, Section
from pyramidion.reports.sections.leaderboards import mean_dots
from pyramidion.studies.comparison.comparison import Standing
from pyramidion.studies.comparison.overview import (
    agreement_of_measures,
    agreement_of_pairs,
    few_topics,
    headline,
    in_numbers,
    in_short,
    pair_headline,
    pair_in_numbers,
    pair_verdict_table,
    scope_of_intervals,
    verdict_table,
)
from pyramidion.studies.comparison.pairs import Pair
from pyramidion.tables import Column, Table, columns_of
from pyramidion.wording import capital, noted, number

FIRST = 8
"""Systems that are seen at once; the others are one click away."""


def make(context: Context) -> Section:
    """One line, a sentence or two, the picture, and a line for each measure."""
    return _of_pair(context) if context.pair else _of_ranking(context)


def _of_ranking(context: Context) -> Section:
    comparison, measure = context.comparison, context.deciding
    sentences = (
        in_numbers(comparison, measure),
        agreement_of_measures(comparison, context.ordered),
        *few_topics(comparison),
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
    a, b = context.pair or ("", "")
    found = {one.measure: one for one in comparison.pairs if (one.a, one.b) == (a, b)}
    pairs = [found[name] for name in context.ordered if name in found]
    first = pairs[0]
    sentences = (
        pair_in_numbers(first, comparison),
        *first.cautions,
        agreement_of_pairs(pairs),
        *few_topics(comparison),
    )
    return Section(
        id="answer",
        title="The answer",
        finding=pair_headline(first, comparison),
        sentences=tuple(filter(None, sentences)),
        blocks=(_differences(context, pairs),),
        parts=(
            Section(
                id="answer-in-words",
                title="Every measure in words",
                sentences=tuple(pair.sentence for name in context.ordered for pair in comparison.pairs_on(name)),
            ),
        ),
        commands=(context.command("compare", options=comparison.options),),
    )


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
