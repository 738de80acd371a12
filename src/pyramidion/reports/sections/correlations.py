"""How measures agree with human scores: correlations with intervals, whether the best differ, humans as points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyramidion.errors import PyramidionError
from pyramidion.measures.derived import Derived
from pyramidion.measures.names import short_name
from pyramidion.options import CorrelateOptions, Level
from pyramidion.present.correlation import draw_correlations, draw_tests
from pyramidion.present.scatter import draw_scatter
from pyramidion.present.section import Figure, Section, Shaded
from pyramidion.reports.context import Context
from pyramidion.scores import ScoreTable
from pyramidion.show.tables import Table
from pyramidion.show.wording import capital, counted, listed, noted, notes_about, number
from pyramidion.studies.correlations.clusters import cluster_table
from pyramidion.studies.correlations.correlations import Correlations, correlate
from pyramidion.studies.correlations.overview import humans_in_words, overview_table, points_table
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS

LEVELS: tuple[Level, ...] = ("system", "topic")
FEW_MEASURES = 15
"""Up to this many, more human scores are shown."""
MOST_HUMAN_SCORES = (4, 2)
"""With few measures, and with many."""
FEWEST_RESAMPLES = CorrelateOptions().bootstrap_samples
MOST_IN_MATRIX = 40
MOST_SCATTERS = 5
MOST_NAMED_POINTS = 80
CONTENT = ("responsiveness", "content", "relevance", "coverage")
"""Words in the names of questions about content."""


def make(context: Context) -> Section | None:
    """With human scores if there are any, and of every two measures; None if there is only one measure."""
    context = _with_judgments(context)
    if len(context.measures) < 2 or context.few_systems:
        return None
    every_two = _matrix(context)
    found = {target: _with_human_score(context, target) for target in _human_scores(context)}
    if not found:
        return replace(
            every_two, id="correlations", title="How measures agree with each other", finding=_closest(every_two)
        )
    target, first = next(iter(found.items()))
    notes = notes_about(first.notes, found)
    if len({first.kinds.get(who) == "human" for who in context.table.summarizers}) > 1:
        notes.append("Humans are among the summarizers; being far ahead, they raise correlations.")
    notes += first.direction_notes(*first.measures, target)
    return Section(
        id="correlations",
        title="Measures and human scores",
        finding=_finding(context, first, target),
        mark=first.notes.get(target, ""),
        printed=True,
        sentences=tuple(_in_words(context, first, target)),
        blocks=(
            _figure(first, target),
            *_who_beats_whom(first, target),
            *(
                replace(overview_table(one, name, level), group="correlation with")
                for name, one in found.items()
                for level in LEVELS
            ),
        ),
        commands=tuple(context.command("correlate", one.measures, one.options) for one in found.values()),
        notes=tuple(notes),
        parts=tuple(part for part in (_points(context, first, target), every_two) if part),
    )


def _finding(context: Context, found: Correlations, target: str) -> str:
    """Which automatic measure agrees best with the human score."""
    ranked = [one for one in found.ranked(target) if one.value is not None]
    best = next((one for one in ranked if one.measure in context.automatic), next(iter(ranked), None))
    if best is None or best.value is None:
        return ""
    annotated = any(one.measure not in context.automatic for one in ranked)
    among = "Among automatic measures, " if annotated and best.measure in context.automatic else ""
    said = f"{among}{best.measure} correlates best with {short_name(target)}: {number(best.value)}"
    return f"{said}; no two measures differ significantly" if _all_alike(found) else said


def _closest(every_two: Section) -> str:
    return every_two.sentences[0].rstrip(".") if every_two.sentences else ""


def _with_judgments(context: Context) -> Context:
    """With the answers of assessors as scores, also if they were not asked for."""
    if context.judged or not context.campaign.judgments:
        return context
    return replace(context, chosen=[*context.measures, "question"])


def _human_scores(context: Context) -> list[str]:
    """The human scores: the reference, then questions about content and the pyramid, or else the other questions."""
    if context.reference is None:
        return []
    annotated = [name for name in context.measures if name not in (*context.judged, *context.automatic)]
    about = [name for name in context.judged if any(word in name for word in CONTENT)]
    ordered = dict.fromkeys(
        [context.reference, *about, *[name for name in annotated if name.endswith(".modified")][:1]]
    )
    ordered |= dict.fromkeys(context.judged if len(ordered) == 1 else ())
    wanted = [name for name in ordered if _compared(context, name)]
    return wanted[: MOST_HUMAN_SCORES[0 if len(context.measures) <= FEW_MEASURES else 1]]


def _compared(context: Context, target: str) -> list[str]:
    """What is correlated with a human score: automatic measures, and what people annotated."""
    return [name for name in context.measures if name not in (*context.judged, target)]


def _with_human_score(context: Context, target: str) -> Correlations:
    """All measures with one human score; Williams' test is for Pearson at system level."""
    measures = _compared(context, target)
    options = CorrelateOptions(
        with_=(target,),
        level=LEVELS,
        confidence=context.options.confidence,
        resamples=asked if (asked := context.options.resamples) > FEWEST_RESAMPLES else None,
    )
    found = context.evaluation.correlate(measures, **vars(options))
    if len(measures) < 2:
        return found
    test = replace(options, test="williams", level=("system",), coefficient=("pearson",))
    tested = context.evaluation.correlate(measures, **vars(test))
    return replace(found, tests=tested.tests, clusters=tested.clusters, options=replace(options, test="williams"))


def _who_beats_whom(found: Correlations, target: str) -> list[Figure | Table]:
    """The tests between every two measures as a heat map, and the clusters that follow from them."""
    if not any(one.p_adjusted is not None for one in found.tests):
        return []
    better = _significant(found)
    if not better:
        return []
    figure = Figure(
        id="correlations-tests",
        caption=noted(
            f"Which measures correlate significantly more highly with {target} (Williams' test)",
            found.notes.get(target, ""),
        ),
        alt=f"Squares: {better} of {counted(len(found.tests), 'pair')} of measures differ significantly.",
        draw=lambda: draw_tests(found),
    )
    if not found.clusters:
        return [figure]
    table = cluster_table(found.clusters)
    return [figure, replace(table, title=noted(table.title, found.notes.get(target, "")))]


def _significant(found: Correlations) -> int:
    """How many pairs of measures differ significantly."""
    return sum(bool(one.better(1 - found.options.confidence / 100)) for one in found.tests)


def _all_alike(found: Correlations) -> bool:
    """Whether measures were tested against each other, and none differ significantly."""
    return any(one.p_adjusted is not None for one in found.tests) and not _significant(found)


def _in_words(context: Context, found: Correlations, target: str) -> Iterator[str]:
    """Which measure correlates most highly, whether the first two differ, and how it is within topics."""
    ranked = [one.measure for one in found.ranked(target) if one.value is not None]
    automatic = [name for name in ranked if name in context.automatic]
    annotated = [name for name in ranked if name not in context.automatic]
    first, *others = found.sentences_on(target, "system", automatic)
    several = len(automatic) > 1 and found.at(automatic[0], target).n >= FEWEST_SUMMARIZERS
    yield f"Of the automatic measures, {first}" if several else first
    if several:
        yield f"{capital(found.verdict(automatic[0], automatic[1], target))}."
    yield from others
    if automatic and annotated:
        best = found.at(annotated[0], target)
        yield (
            f"Of the pyramid scores, {best.measure} has the highest correlation: {best.in_words(confidence=False)}. "
            f"Compared with {automatic[0]}, {found.verdict(automatic[0], best.measure, target)}."
        )
    if _all_alike(found):
        pairs = counted(len(found.tests), "pair")
        yield f"No two measures differ significantly ({pairs}, Williams' test with Holm correction)."
    for name in automatic[:1] or annotated[:1]:
        within = found.at(name, target, level="topic")
        yield (
            f"Within topics, the correlation of {name} averages {within.in_words(confidence=False)} over "
            f"{counted(within.n, 'topic')}: this shows how well it ranks summaries of the same topic."
        )


def _figure(found: Correlations, target: str) -> Figure:
    ranked = found.ranked(target)
    shown = [found.at(one.measure, target, level=level) for one in ranked for level in LEVELS]
    values = "; ".join(f"{one.measure} {one.in_words(confidence=False)}" for one in ranked[:FEW_MEASURES])
    return Figure(
        id="correlations-measures",
        caption=noted(
            f"Pearson correlation of each measure with {target}, at system level (n = {ranked[0].n}) and "
            f"within topics, with {found.options.confidence:g} % intervals",
            found.notes.get(target, ""),
        ),
        alt=f"Dots with intervals, the best measure first. At system level: {values}.",
        draw=lambda: draw_correlations(replace(found, correlations=tuple(shown))),
    )


def _matrix(context: Context) -> Section:
    """Correlations of every two measures at system level."""
    chosen = context.measures[:MOST_IN_MATRIX]
    options = CorrelateOptions(matrix=True, coefficient=("pearson",), confidence=context.options.confidence)
    (table,) = context.evaluation.correlate(chosen, **vars(options)).tables()
    left = f"Only the first {MOST_IN_MATRIX} of {len(context.measures)} measures are shown."
    return Section(
        id="correlations-matrix",
        title="All pairs of measures",
        sentences=table.sentences,
        blocks=(Shaded(table=table),),
        commands=(context.command("correlate", chosen, options),),
        notes=(left,) if len(context.measures) > MOST_IN_MATRIX else (),
    )


def _points(context: Context, people: Correlations, target: str) -> Section | None:
    """Means of humans and systems, one figure for each measure (Dang 2006, Figure 2)."""
    ranked = [one.measure for one in people.ranked(target)]
    annotated = [name for name in ranked if name not in context.automatic][:1]
    chosen = [*annotated, *(name for name in ranked if name in context.automatic)][:MOST_SCATTERS]
    humans = _humans(context, [*chosen, target])
    table = context.table.only([*chosen, target])
    options = CorrelateOptions(with_=(target,), coefficient=("pearson",))
    found = correlate(table.join(*humans), chosen, [target], options)
    if not found.points:
        return None
    sentences = tuple(humans_in_words(found, target))
    both = len({found.kinds.get(point.summarizer) == "human" for point in found.points}) > 1
    notes = []
    if humans and both:
        notes.append(
            "A human's summary is compared with the references by other humans, so it has one fewer reference than "
            "a system's, unless the measure uses jackknifing."
        )
    if len(ranked) > len(chosen):
        notes.append(f"Not shown: {listed([name for name in ranked if name not in chosen])}.")
    everyone = context.evaluation.with_peers("all") if humans else context.evaluation
    return Section(
        id="correlations-points",
        title="Humans and systems" if both else "Summarizers as points",
        sentences=sentences,
        blocks=(
            *(_scatter(found, number, name, target) for number, name in enumerate(chosen)),
            points_table(found, target),
        ),
        commands=(
            everyone.command("correlate", chosen, options=options),
            everyone.command("score", [*chosen, target], "--by", "summarizer"),
        ),
        notes=tuple(notes),
    )


def _scatter(found: Correlations, number: int, name: str, target: str) -> Figure:
    points = tuple(point for point in found.points if point.measure == name)
    return Figure(
        id=f"correlations-scatter-{number}",
        caption=noted(f"Means of summarizers: {name} against {target}", found.notes.get(target, "")),
        alt=f"A point for each of {len(points)} summarizers: {target} across, {name} up. The table has all numbers.",
        draw=lambda: draw_scatter(replace(found, points=points), named=len(points) <= MOST_NAMED_POINTS),
        group="measure",
        about=name,
    )


def _humans(context: Context, measures: Sequence[str]) -> list[ScoreTable]:
    """Scores of humans, unless the table has them; nothing where they wrote nothing that can be scored.

    Measures derived from all summarizers of a table, such as regressions, are for the systems only.
    """
    evaluation = context.evaluation
    if evaluation.choice.peers != "systems" or evaluation.data.has_scores:
        return []
    selections = [one for one in evaluation.select(measures) if not isinstance(one.measure, Derived)]
    try:
        found = evaluation.with_peers("humans").table(selections)
    except PyramidionError:  # what humans lack, such as a parse, is no reason to have no report
        return []
    there = set(context.table.summarizers)  # imported scores are of whoever has them, systems too
    humans = [who for who in found.summarizers if who not in there and found.kinds.get(who) == "human"]
    return [found.of_summarizers(humans)] if humans else []
