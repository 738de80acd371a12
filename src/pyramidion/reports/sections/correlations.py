"""How measures agree with human scores: correlations with intervals, whether the best differ, humans as points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyramidion.errors import PyramidionError
from pyramidion.measures.derived import Derived
from pyramidion.options import CorrelateOptions
from pyramidion.present.correlation import LEVELS, matrix_section, points_section, section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context
from pyramidion.scores import ScoreTable
from pyramidion.show.wording import listed
from pyramidion.studies.correlations.correlations import Correlations, correlate

FEW_MEASURES = 15
"""Up to this many, more human scores are shown."""
MOST_HUMAN_SCORES = 4
MOST_HUMAN_SCORES_WITH_MANY_MEASURES = 2
FEWEST_RESAMPLES = CorrelateOptions().bootstrap_samples
MOST_IN_MATRIX = 40
MOST_SCATTERS = 5
CONTENT = ("responsiveness", "content", "relevance", "coverage")
"""Words in the names of questions about content."""


def make(context: Context) -> Section | None:
    """With human scores if there are any, and of every two measures; None if there is only one measure."""
    context = _add_judgments(context)
    if len(context.roles.measures) < 2 or context.sections.has_few_systems:
        return None
    results = {target: _correlate_with(context, target) for target in _choose_human_scores(context)}
    every_two = _make_matrix(context, is_whole=not results)
    if not results:
        return every_two
    target, first = next(iter(results.items()))
    commands = [context.sections.command("correlate", result.measures, result.options) for result in results.values()]
    points = _make_points(context, first, target)
    return section(results, context.sections, commands, [part for part in (points, every_two) if part])


def _add_judgments(context: Context) -> Context:
    """With the answers of assessors as scores, also if they were not asked for."""
    if context.roles.judged or not context.campaign.judgments:
        return context
    return replace(context, chosen=[*context.roles.measures, "question"], compared_in=context)


def _choose_human_scores(context: Context) -> list[str]:
    """The human scores: the reference, then questions about content and the pyramid, or else the other questions."""
    roles = context.roles
    if roles.reference is None:
        return []
    annotated = [name for name in roles.measures if name not in (*roles.judged, *roles.automatic)]
    about_content = [name for name in roles.judged if any(word in name for word in CONTENT)]
    pyramid = [name for name in annotated if name.endswith(".modified")][:1]
    ordered = list(dict.fromkeys([roles.reference, *about_content, *pyramid]))
    if len(ordered) == 1:
        ordered = list(dict.fromkeys([*ordered, *roles.judged]))
    most = MOST_HUMAN_SCORES if len(roles.measures) <= FEW_MEASURES else MOST_HUMAN_SCORES_WITH_MANY_MEASURES
    return [name for name in ordered if _measures_to_correlate(context, name)][:most]


def _measures_to_correlate(context: Context, target: str) -> list[str]:
    """What is correlated with a human score: automatic measures, and what people annotated."""
    return [name for name in context.roles.measures if name not in (*context.roles.judged, target)]


def _correlate_with(context: Context, target: str) -> Correlations:
    """All measures with one human score; Williams' test is for Pearson at system level."""
    measures = _measures_to_correlate(context, target)
    resamples = context.options.resamples
    options = CorrelateOptions(
        with_=(target,),
        level=LEVELS,
        confidence=context.options.confidence,
        resamples=resamples if resamples > FEWEST_RESAMPLES else None,
    )
    result = context.evaluation.correlate(measures, options)
    if len(measures) < 2:
        return result
    test_options = replace(options, test="williams", level=("system",), coefficient=("pearson",))
    tested = context.evaluation.correlate(measures, test_options)
    return replace(result, tests=tested.tests, clusters=tested.clusters, options=replace(options, test="williams"))


def _make_matrix(context: Context, *, is_whole: bool) -> Section:
    """Correlations of every two measures at system level."""
    measures = context.roles.measures
    shown = measures[:MOST_IN_MATRIX]
    options = CorrelateOptions(matrix=True, coefficient=("pearson",), confidence=context.options.confidence)
    notes = []
    if len(measures) > MOST_IN_MATRIX:
        notes.append(f"Only the first {MOST_IN_MATRIX} of {len(measures)} measures are shown.")
    result = context.evaluation.correlate(shown, options)
    return matrix_section(result, context.sections.command("correlate", shown, options), notes, is_whole=is_whole)


def _make_points(context: Context, result: Correlations, target: str) -> Section | None:
    """Means of humans and systems on the measures that agree best."""
    ranked = [correlation.measure for correlation in result.ranked(target)]
    automatic = [name for name in ranked if name in context.roles.automatic]
    annotated = [name for name in ranked if name not in context.roles.automatic]
    shown = [*annotated[:1], *automatic][:MOST_SCATTERS]
    humans = _score_humans(context, [*shown, target])
    table = context.table.only([*shown, target])
    options = CorrelateOptions(with_=(target,), coefficient=("pearson",))
    points = correlate(table.join(*humans), shown, [target], options)
    if not points.points:
        return None
    notes = []
    has_both = len({points.kinds.get(point.summarizer) == "human" for point in points.points}) > 1
    if humans and has_both:
        notes.append(
            "A human's summary is compared with the references by other humans, so it has one fewer reference than "
            "a system's, unless the measure uses jackknifing."
        )
    if len(ranked) > len(shown):
        notes.append(f"Not shown: {listed([name for name in ranked if name not in shown])}.")
    evaluation = context.evaluation.with_peers("all") if humans else context.evaluation
    commands = (
        evaluation.command("correlate", shown, options=options),
        evaluation.command("score", [*shown, target], "--by", "summarizer"),
    )
    return points_section(points, target, commands, notes)


def _score_humans(context: Context, measures: Sequence[str]) -> list[ScoreTable]:
    """Scores of humans, unless the table has them; nothing where they wrote nothing that can be scored.

    Measures derived from all summarizers of a table, such as regressions, are for the systems only.
    """
    evaluation = context.evaluation
    if evaluation.choice.peers != "systems" or evaluation.data.has_scores:
        return []
    selections = [selection for selection in evaluation.select(measures) if not isinstance(selection.measure, Derived)]
    try:
        scores = evaluation.with_peers("humans").table(selections)
    except PyramidionError:  # what humans lack, such as a parse, is no reason to have no report
        return []
    systems = set(context.table.summarizers)  # imported scores are of whoever has them, systems too
    humans = [name for name in scores.summarizers if name not in systems and scores.kinds.get(name) == "human"]
    return [scores.of_summarizers(humans)] if humans else []
