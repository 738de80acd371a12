"""Humans and systems as points: a measure against a human score (Dang 2006, Figure 2)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from pyramidion.engines.local import score_shards
from pyramidion.errors import PyramidionError
from pyramidion.measures.registry import select_all
from pyramidion.reports.context import Context
from pyramidion.reports.figures.scatter import draw_scatter
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.correlations_people import WithPeople
from pyramidion.reports.sections.studied import campaign_of, capital, is_derived, listed, scoring_again
from pyramidion.reports.wording import noted
from pyramidion.scores import ScoreTable
from pyramidion.studies.correlations.correlations import Correlations, correlate

MOST_SCATTERS = 6
MOST_NAMED_POINTS = 80


def points(context: Context, people: WithPeople) -> Section | None:
    """Means of humans and systems, one figure a measure (Dang 2006, Figure 2)."""
    manual = [name for name in people.ranked if name not in context.automatic][:1]
    automatic = [name for name in people.ranked if name in context.automatic]
    chosen = [*manual, *automatic][:MOST_SCATTERS]
    humans = _humans(context, [*chosen, people.target])
    found = correlate(
        context.table.only([*chosen, people.target]).join(*([humans] if humans else [])),
        with_=people.target,
        measures=chosen,
        coefficients=("pearson",),
    )
    if not found.points:
        return None
    campaign = context.campaign
    kinds = {point.summarizer: campaign.kind_of(point.summarizer) for point in found.points}
    figures: list[Figure] = []
    for number, name in enumerate(chosen):
        points = tuple(point for point in found.points if point.measure == name)
        if points:
            figures.append(
                Figure(
                    id=f"correlations-scatter-{number}",
                    caption=noted(f"Means of summarizers: {name} against {people.target}", people.note),
                    alt=_points_in_words(found, points_of=name, kinds=kinds),
                    chart=draw_scatter(
                        replace(found, points=points), kinds=kinds, named=len(points) <= MOST_NAMED_POINTS
                    ),
                    group="measure",
                    choice=name,
                )
            )
    left_out = len(people.ranked) - len(chosen)
    notes = [f"{capital(people.note)}."] if people.note else []
    if humans and _both(kinds):
        notes.append(
            "A human’s summary is compared with the models of the other humans, so it has one model fewer than systems "
            "have, unless the measure jackknifes."
        )
    if left_out:
        notes.append(f"{left_out} further measures are not drawn.")
    return Section(
        id="correlations-points",
        title="Humans and systems" if _both(kinds) else "Summarizers as points",
        sentences=tuple(_humans_in_words(found, chosen, kinds)),
        blocks=(*figures, _table(context, found, chosen, kinds, people.note)),
        commands=(
            replace(context, peers="all").command(
                "correlate", f"--with {shlex.quote(people.target)}", "--figure scatter.svg", measures=chosen
            ),
        ),
        notes=tuple(notes),
    )


def _humans(context: Context, measures: Sequence[str]) -> ScoreTable | None:
    """Scores of humans, unless the table has them; None where they wrote nothing that can be scored.

    Measures that rest on all summarizers of a table, such as regressions, are left to the systems.
    """
    if context.peers != "systems":
        return None
    try:
        selections = select_all([name for name in measures if not is_derived(name)])
        with scoring_again():
            found = score_shards([campaign_of(context)], selections, peers="humans", seed=context.seed)
    except PyramidionError:  # what humans lack, such as a parse, is no reason to have no report
        return None
    there = set(context.table.summarizers)  # imported scores are of whoever has them, systems too
    humans = [who for who in found.summarizers if who not in there and context.campaign.kind_of(who) == "human"]
    found = replace(found, frame=found.frame.filter(pl.col("summarizer").cast(pl.String).is_in(humans)))
    return found if len(found) else None


def _both(kinds: Mapping[str, str]) -> bool:
    """Whether there are humans and others."""
    return "human" in kinds.values() and len(set(kinds.values())) > 1


def _humans_in_words(found: Correlations, chosen: Sequence[str], kinds: Mapping[str, str]) -> list[str]:
    """Whether each measure puts humans apart, as people do."""
    if not _both(kinds):
        lacking = "systems" if "human" in kinds.values() else "humans"
        return [f"Each point is a summarizer; there are no {lacking} with both scores."]
    apart: list[str] = []
    not_apart: list[str] = []
    for name in chosen:
        humans = [one.value for one in found.points if one.measure == name and kinds[one.summarizer] == "human"]
        systems = [one.value for one in found.points if one.measure == name and kinds[one.summarizer] != "human"]
        if humans and systems:
            low = name in found.lower_is_better
            ahead = max(humans) < min(systems) if low else min(humans) > max(systems)
            (apart if ahead else not_apart).append(name)
    target = {one.summarizer: one.with_value for one in found.points}
    ours = [value for who, value in target.items() if kinds[who] == "human"]
    theirs = [value for who, value in target.items() if kinds[who] != "human"]
    said: list[str] = []
    if ours and theirs:
        verb = "every human is above every system" if min(ours) > max(theirs) else "humans and systems overlap"
        said.append(
            f"On {found.points[0].with_} {verb} (humans {min(ours):.2f} to {max(ours):.2f}, systems {min(theirs):.2f} "
            f"to {max(theirs):.2f})."
        )
    if apart:
        said.append(f"Every human is ahead of every system by {listed(apart)} too.")
    if not_apart:
        said.append(f"By {listed(not_apart)} some system is level with or ahead of some human.")
    return said


def _table(context: Context, found: Correlations, chosen: Sequence[str], kinds: Mapping[str, str], note: str) -> Table:
    """The means that are drawn, by falling human score."""
    with_ = found.points[0].with_
    human = {point.summarizer: point.with_value for point in found.points}
    means = {(point.summarizer, point.measure): point.value for point in found.points}
    order = sorted(human, key=human.__getitem__, reverse=with_ not in found.lower_is_better)
    return Table(
        id="correlations-points-table",
        caption=noted("Means behind the points", note),
        columns=(
            Column(name="summarizer", align="left"),
            Column(name="kind", align="left"),
            *(Column(name=name, digits=4 if name in chosen else 2) for name in (with_, *chosen)),
        ),
        rows=[
            [context.label(who), kinds[who], human[who], *(means.get((who, name)) for name in chosen)] for who in order
        ],
    )


def _points_in_words(found: Correlations, *, points_of: str, kinds: Mapping[str, str]) -> str:
    points = [one for one in found.points if one.measure == points_of]
    parts = []
    for kind in ("human", "baseline", "participant"):
        values = [one.value for one in points if kinds[one.summarizer] == kind]
        if values:
            who = f"one {kind}" if len(values) == 1 else f"{len(values)} {kind}s"
            parts.append(f"{who} between {min(values):.3f} and {max(values):.3f}")
    return f"A point for each summarizer: {points[0].with_} across, {points_of} up. By {points_of}: {'; '.join(parts)}."
