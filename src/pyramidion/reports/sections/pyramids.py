"""Pyramids: who expresses the heaviest SCUs, what each summarizer misses, how hard topics are, and the tiers drawn."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.options import PyramidShowOptions
from pyramidion.present.pyramids import (
    LONGEST_LABEL,
    difficulty_table,
    missed_table,
    pyramid_label,
    rarest_table,
    scu_table,
    share_table,
    summarizer_label,
)
from pyramidion.present.section import Block, Section
from pyramidion.pyramids import Diagnosis, PyramidView
from pyramidion.pyramids.coverage import PyramidCoverage, SummarizerShare
from pyramidion.reports.context import Context
from pyramidion.show.wording import counted, in_words, notes_about, percent, shortened

MOST_DRAWN = 12
"""Pyramids of a smaller campaign are all drawn."""
DRAWN_AT_ENDS = 4
"""Of a larger one, this many of the hardest and of the easiest."""
MOST_SUMMARIZERS = 16
ID = "pyramids"
SCU = "An SCU (summary content unit) is one fact; its weight is the number of references that state it."


def make(context: Context) -> Section | None:
    """None without pyramids that have SCUs."""
    if not context.campaign.pyramids:
        return None
    view = context.evaluation.show_pyramids()
    there = [place for place, one in enumerate(view.pyramids) if one.scus]
    if not there:
        return None
    coverage = context.evaluation.pyramid_coverage()
    drawn = there if len(there) <= MOST_DRAWN else [*there[:DRAWN_AT_ENDS], *there[-DRAWN_AT_ENDS:]]
    hardness = difficulty_table(view)
    tables = [
        *([share_table(coverage)] if coverage.shares else []),
        *([rarest_table(coverage)] if coverage.rarest else []),
    ]
    return Section(
        id=ID,
        title="Pyramids",
        finding=_finding(coverage),
        sentences=(SCU, *(line for table in (hardness, *tables) for line in table.sentences)),
        blocks=(*tables, hardness),
        parts=(
            *(_pyramid(context, view, place) for place in drawn),
            *(
                _missed(coverage, place, one)
                for place, one in enumerate(coverage.shares[:MOST_SUMMARIZERS])
                if one.missed
            ),
        ),
        commands=_commands(context, view.pyramids[there[0]], coverage),
        notes=(
            *_left_out(len(there), len(drawn), coverage),
            *notes_about(context.table.notes, [name for name in context.roles.measures if name.startswith("pyramid.")]),
        ),
    )


def _finding(coverage: PyramidCoverage) -> str:
    """Who expresses most of the heaviest SCUs."""
    if not coverage.shares:
        return ""
    best = coverage.shares[0]
    who = shortened(summarizer_label(coverage, best.summarizer))
    which = "the SCUs in the reference" if coverage.single else "the SCUs in more than half of the references"
    others = coverage.shares[1:]
    most = "" if not others or others[0].share == best.share else ", the most of any"
    return f"{who} expresses {percent(best.share)} of {which}{most}"


def _commands(context: Context, hardest: Diagnosis, coverage: PyramidCoverage) -> tuple[str, ...]:
    """What shows the same."""
    first = [PyramidShowOptions(summarizer=one.summarizer) for one in coverage.shares[:1]]
    asked = [PyramidShowOptions(), PyramidShowOptions(topic=hardest.topic), *first]
    return tuple(context.evaluation.command("pyramid show", options=one) for one in asked)


def _pyramid(context: Context, view: PyramidView, place: int) -> Section:
    """The tiers of a pyramid, and what its SCUs say."""
    pyramid = view.pyramids[place]
    title = context.campaign.topic(pyramid.topic).topic.title
    about = pyramid_label(view, pyramid)
    name = shortened(f"{about}: {title}" if title else about, LONGEST_LABEL)
    counts = ", ".join(f"{tier.scus} of weight {tier.weight}" for tier in pyramid.tiers if tier.scus)
    tiers = [(tier.weight, tier.scus) for tier in pyramid.tiers]
    figure = Block(
        id=f"{ID}-{place + 1}-tiers",
        template="tiers.html",
        values={
            "caption": f"Pyramid of {name}: a cell for each SCU, the heaviest on top",
            "alt": f"{len(pyramid.scus)} SCUs of {counted(len(pyramid.models), 'reference')}: {counts}.",
            "tiers": tiers,
            "widest": max(count for _, count in tiers),
        },
    )
    return Section(
        id=f"{ID}-{place + 1}", title=name, blocks=(figure, scu_table(view, pyramid)), group="topic", about=name
    )


def _missed(coverage: PyramidCoverage, place: int, one: SummarizerShare) -> Section:
    name = shortened(summarizer_label(coverage, one.summarizer), LONGEST_LABEL)
    table = missed_table(coverage, one)
    return Section(id=f"{ID}-missed-{place + 1}", title=name, blocks=(table,), group="summarizer", about=name)


def _left_out(pyramids: int, drawn: int, coverage: PyramidCoverage) -> Sequence[str]:
    notes = []
    if drawn < pyramids:
        ends = in_words(DRAWN_AT_ENDS)
        notes.append(
            f"Only the {ends} with the lowest and the {ends} with the highest consensus of {pyramids} pyramids are "
            "drawn; `pyramid show --topic` draws any."
        )
    if len(coverage.shares) > MOST_SUMMARIZERS:
        notes.append(
            f"Missed SCUs are listed for the top {MOST_SUMMARIZERS} of {len(coverage.shares)} summarizers; "
            "`pyramid show --summarizer` lists those of any summarizer."
        )
    return notes
