"""Pyramids: tiers drawn, how hard topics are, and which of the heaviest SCUs each summarizer misses."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence

from pyramidion.pyramids import diagnose
from pyramidion.reports.context import Context
from pyramidion.reports.figures.pyramid import draw_pyramids
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.pyramids_standing import (
    RatedPyramid,
    Standing,
    TopScu,
    expressed,
    rarest_first,
    rated_pyramids,
    searchable,
    standings_of,
)
from pyramidion.reports.sections.studied import capital, counted, in_words, notes_of, percent

MOST_DRAWN = 12
"""Pyramids of a smaller campaign are all drawn."""
DRAWN_AT_ENDS = 4
"""Of a larger one, so many of the hardest and of the easiest."""
MOST_SUMMARIZERS = 80
MOST_MISSING = 10
MOST_UNSAID = 10
LONGEST = 240
MOST_SCUS = 60
ID = "pyramids"
TOPIC, SUMMARIZER = "topic", "summarizer"
"""What the reader chooses."""
SCORE = "pyramid.modified"


def make(context: Context) -> Section | None:
    """Only where there are pyramids with SCUs."""
    if not context.campaign.pyramids:
        return None
    context.step("pyramids")
    rated = sorted((one for one in rated_pyramids(context) if one.difficulty.scus), key=lambda one: one.hardness)
    if not rated:
        return None
    searched = searchable(context, rated)
    standings = standings_of(context, searched)
    unsaid = rarest_first(context, searched)
    drawn = rated if len(rated) <= MOST_DRAWN else [*rated[:DRAWN_AT_ENDS], *rated[-DRAWN_AT_ENDS:]]
    shown = standings[:MOST_SUMMARIZERS]
    return Section(
        id=ID,
        title="Pyramids",
        sentences=tuple(filter(None, (_hardest(rated), _coverage(context, standings, searched), _never(unsaid)))),
        blocks=(
            *(block for one in drawn for block in _pyramid(context, one)),
            *([_shares(context, standings)] if standings else []),
            *(_missing(context, one) for one in shown if one.missing),
            *([_rarest(unsaid)] if unsaid else []),
            _hardness(rated),
        ),
        commands=(
            f"pyramid show {context.data}",
            f"pyramid show {context.data} --topic {shlex.quote(rated[0].annotated.topic)}",
            *([f"pyramid show {context.data} --peer {shlex.quote(standings[0].who)}"] if standings else []),
        ),
        notes=(
            *_left_out(rated, drawn, searched, standings),
            *notes_of(context.table.notes, [name for name in context.measures if name.startswith("pyramid.")]),
        ),
    )


def _hardest(rated: Sequence[RatedPyramid]) -> str:
    hard, easy = rated[0], rated[-1]
    topics = counted(len(rated), "pyramid")
    if len(rated) == 1:
        return ""
    if hard.difficulty.consensus < easy.difficulty.consensus:
        return (
            f"Of {topics} that of {hard.name} is the hardest, that of {easy.name} the easiest: an SCU of an optimal "
            f"summary is on average in {percent(hard.difficulty.consensus)} of the models of the one and in "
            f"{percent(easy.difficulty.consensus)} of those of the other."
        )
    if hard.difficulty.peers_mean < easy.difficulty.peers_mean:
        return (
            f"Of {topics} that of {hard.name} is the hardest (peers reach {hard.difficulty.peers_mean:.2f} of what is "
            f"possible), that of {easy.name} the easiest ({easy.difficulty.peers_mean:.2f})."
        )
    return ""


def _coverage(context: Context, standings: Sequence[Standing], searched: Sequence[RatedPyramid]) -> str:
    if not standings:
        return ""
    best, worst = standings[0], standings[-1]
    single = all(one.difficulty.order == 1 for one in searched)
    which = "here all SCUs of the one model" if single else "SCUs that more than half of the models have"
    where = f"The top tiers of {counted(len(searched), 'pyramid')}, {which},"
    has = f"{best.top - len(best.missing)} of {best.top}"
    said = f"{context.label(best.who)} expresses {percent(best.share)} of them ({has})"
    if len(standings) == 1:
        return f"{where} are what a summary should say first: {said}."
    return (
        f"{where} are what a summary should say first: {said}, most of all; {context.label(worst.who)} the least, "
        f"{percent(worst.share)}."
    )


def _never(unsaid: Sequence[TopScu]) -> str:
    never = [one for one in unsaid if not one.having]
    if not unsaid:
        return ""
    if not never:
        return f"Each of the {len(unsaid)} SCUs of the top tiers is expressed by one summarizer or more."
    first = never[0]
    verb = "is" if len(never) == 1 else "are"
    heavy = f", in {in_words(first.scu.weight)} of {counted(first.models, 'model')}" if first.models > 1 else ""
    return capital(
        f"{in_words(len(never))} of the {len(unsaid)} SCUs of the top tiers {verb} expressed by no summarizer; the "
        f"heaviest: “{_short(first.scu.label)}” (topic {first.topic}{heavy})."
    )


def _pyramid(context: Context, one: RatedPyramid) -> tuple[Figure, Table]:
    """The tiers of a topic, and what its SCUs say."""
    pyramid = diagnose(one.annotated)
    topic = context.campaign.topic(one.annotated.topic)
    choice = _short(f"{one.name} {topic.topic.title}" if topic.topic.title else one.name)
    number = f"{context.campaign.topic_ids.index(topic.topic.topic) + 1}"  # ids of topics may hold anything
    which = next(place for place, each in enumerate(topic.pyramids, 1) if each is one.annotated.pyramid)
    id = f"{ID}-{number}" if len(topic.pyramids) == 1 else f"{ID}-{number}-{which}"
    counts = ", ".join(f"{tier.scus} of weight {tier.weight}" for tier in pyramid.tiers if tier.scus)
    peers, having = expressed(context, one)
    shown = pyramid.scus[:MOST_SCUS]
    more = len(pyramid.scus) - len(shown)
    figure = Figure(
        id=f"{id}-tiers",
        caption=f"Pyramid of {choice}: a cell for each SCU, the heaviest on top",
        alt=f"{len(pyramid.scus)} SCUs of {counted(len(pyramid.models), 'model')}: {counts}.",
        chart=draw_pyramids([pyramid], labels=False),
        group=TOPIC,
        choice=choice,
    )
    table = Table(
        id=f"{id}-scus",
        caption=f"What the SCUs of {one.name} say",
        columns=(
            Column(name="label", align="left"),
            Column(name="SCU"),
            Column(name="weight"),
            Column(name=f"summarizers that have it, of {peers}" if peers else "summarizers that have it"),
            Column(name="models", align="left"),
        ),
        rows=[
            (_short(scu.label), scu.uid, scu.weight, having[scu.uid] if peers else None, " ".join(scu.models))
            for scu in shown
        ],
        below=f"{more} more of lower weight are not listed." if more else "",
        group=TOPIC,
        choice=choice,
    )
    return figure, table


def _shares(context: Context, standings: Sequence[Standing]) -> Table:
    """A row a summarizer: how much it has of the top tiers and of each tier."""
    there = {weight for one in standings for weight, (_, of) in one.tiers.items() if of}
    weights = sorted(there, reverse=True)[:_WEIGHTS]
    means = {mean.summarizer: mean.value for mean in context.table.means() if mean.measure == SCORE}
    rows = [
        (
            context.label(one.who),
            means.get(one.who),
            one.top - len(one.missing),
            one.top,
            100 * one.share,
            *(_percentage(one.tiers.get(weight, (0, 0))) for weight in weights),
        )
        for one in standings
    ]
    columns = (
        Column(name="summarizer", align="left"),
        Column(name="modified score", digits=3),
        Column(name="top SCUs it has"),
        Column(name="of"),
        Column(name="%", digits=0),
        *(Column(name=f"weight {weight}, %", digits=0) for weight in weights),
    )
    return Table(
        id=f"{ID}-shares",
        caption="What share of the tiers each summarizer expresses",
        columns=columns,
        rows=rows,
        below="Top SCUs: in more than half of the models. A human peer’s own model does not count.",
    )


_WEIGHTS = 8


def _percentage(found: tuple[int, int]) -> float | None:
    has, of = found
    return 100 * has / of if of else None


def _missing(context: Context, one: Standing) -> Table:
    name = _short(context.label(one.who))
    more = len(one.missing) - MOST_MISSING
    return Table(
        id=f"{ID}-missing-{context.table.summarizers.index(one.who) + 1}",
        caption=f"What {name} misses most of the top tiers",
        columns=_SCU_COLUMNS,
        rows=[_scu_row(missed) for missed in one.missing[:MOST_MISSING]],
        below=f"It misses {len(one.missing)} of {one.top}; the heaviest, and of these what most others have, first"
        + (f"; {more} more are not listed." if more > 0 else "."),
        group=SUMMARIZER,
        choice=name,
    )


_SCU_COLUMNS = (
    Column(name="SCU", align="left"),
    Column(name="topic", align="left"),
    Column(name="weight"),
    Column(name="models"),
    Column(name="summarizers that have it"),
    Column(name="of"),
)


def _scu_row(one: TopScu) -> tuple[int | str | None, ...]:
    return (_short(one.scu.label), one.topic, one.scu.weight, one.models, one.having if one.peers else None, one.peers)


def _rarest(unsaid: Sequence[TopScu]) -> Table:
    return Table(
        id=f"{ID}-rarest",
        caption="SCUs of the top tiers that the fewest summarizers express",
        columns=_SCU_COLUMNS,
        rows=[_scu_row(one) for one in unsaid[:MOST_UNSAID]],
        below=f"The first {MOST_UNSAID} of {len(unsaid)}." if len(unsaid) > MOST_UNSAID else "",
    )


def _hardness(rated: Sequence[RatedPyramid]) -> Table:
    """The hardest first."""
    rows = [
        (
            one.name,
            found.order,
            found.scus,
            " ".join(str(tier.scus) for tier in found.tiers),
            found.mean_weight,
            100 * found.singletons,
            found.consensus,
            None if math.isnan(found.models_mean) else found.models_mean,
            None if math.isnan(found.peers_mean) else found.peers_mean,
            found.peers,
        )
        for one in rated
        for found in [one.difficulty]
    ]
    return Table(
        id=f"{ID}-hardness",
        caption="How hard topics are, the hardest first",
        columns=(
            Column(name="topic", align="left"),
            Column(name="models"),
            Column(name="SCUs"),
            Column(name="by tier"),
            Column(name="mean weight", digits=2),
            Column(name="in one model only, %", digits=0),
            Column(name="consensus", digits=2),
            Column(name="models reach", digits=2),
            Column(name="peers reach", digits=2),
            Column(name="peers"),
        ),
        rows=rows,
        below="By tier: SCUs of each weight from the top. Consensus: mean weight of an optimal summary as a share of "
        "the number of models; 1 if all agree. Reach: mean modified score; models are scored by the others.",
    )


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _left_out(
    rated: Sequence[RatedPyramid],
    drawn: Sequence[RatedPyramid],
    searched: Sequence[RatedPyramid],
    standings: Sequence[Standing],
) -> list[str]:
    notes = []
    if len(drawn) < len(rated):
        notes.append(
            f"Drawn are the {in_words(DRAWN_AT_ENDS)} hardest and the {in_words(DRAWN_AT_ENDS)} easiest of "
            f"{len(rated)} pyramids; `pyramid show --topic` draws any."
        )
    if len(searched) < len(rated):
        notes.append(f"What summarizers miss was looked for in the {len(searched)} hardest of {len(rated)} pyramids.")
    if len(standings) > MOST_SUMMARIZERS:
        notes.append(
            f"What is missing is listed for the {MOST_SUMMARIZERS} of {len(standings)} summarizers that have most; "
            "`pyramid show --peer` shows any."
        )
    return notes
