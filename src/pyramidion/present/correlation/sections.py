"""Correlations in a report: measures and human scores, every two measures, humans and systems as points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pyramidion.measures.names import short_name
from pyramidion.options import Level
from pyramidion.present.context import SectionContext
from pyramidion.present.correlation.figures import draw_correlations, draw_scatter, draw_tests
from pyramidion.present.correlation.sentences import (
    METHODS,
    correlation_sentences,
    describe_correlation,
    difference_verdict,
    direction_notes,
)
from pyramidion.present.correlation.tables import UNITS, cluster_table, far_out_notes, interval_methods, tables
from pyramidion.present.section import Figure, Section, Shaded
from pyramidion.show.tables import Cell, Column, Table, table_of
from pyramidion.show.wording import capital, carried_decimals, counted, listed, noted, notes_about, number
from pyramidion.studies.correlations.correlations import Correlations
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS

LEVELS: tuple[Level, ...] = ("system", "topic")
"""Levels that the report shows."""
MOST_DESCRIBED = 15
"""Measures whose values the description of a figure names."""
MOST_NAMED_POINTS = 80
"""With more summarizers, points have no names."""


def section(
    results: Mapping[str, Correlations], context: SectionContext, commands: Sequence[str], parts: Sequence[Section]
) -> Section:
    """How measures agree with human scores; the first of these is put into words.

    Args:
        results: by human score, the correlations of all measures with it.
        context: of the report.
        commands: print the same numbers.
        parts: sections inside it.
    """
    target, first = next(iter(results.items()))
    notes = notes_about(first.notes, results)
    kinds = {first.kinds.get(summarizer) == "human" for summarizer in context.table.summarizers}
    if len(kinds) > 1:
        notes.append("Humans are among the summarizers; being far ahead, they raise correlations.")
    notes += direction_notes(first, *first.measures, target)
    overviews = [
        replace(overview_table(result, name, level), group="correlation with")
        for name, result in results.items()
        for level in LEVELS
    ]
    return Section(
        id="correlations",
        title="Measures and human scores",
        finding=_headline(first, context, target),
        mark=first.notes.get(target, ""),
        printed=True,
        sentences=tuple(_section_sentences(first, context, target)),
        blocks=(_interval_figure(first, target), *_difference_blocks(first, target), *overviews),
        commands=tuple(commands),
        notes=tuple(notes),
        parts=tuple(parts),
    )


def _headline(result: Correlations, context: SectionContext, target: str) -> str:
    """Which automatic measure agrees best with the human score."""
    automatic = context.roles.automatic
    ranked = [row for row in result.ranked(target) if row.value is not None]
    if not ranked:
        return ""
    best = next((row for row in ranked if row.measure in automatic), ranked[0])
    has_annotated = any(row.measure not in automatic for row in ranked)
    among = "Among automatic measures, " if has_annotated and best.measure in automatic else ""
    rivals = [row for row in ranked if row is not best and (not among or row.measure in automatic)]
    verb = "correlates best with" if rivals and result.is_best(best, rivals) else "has the highest correlation with"
    value = f"{best.coefficient.capitalize()} {number(best.value or 0.0)}"
    headline = f"{among}{best.measure} {verb} {short_name(target)}: {value}"
    return f"{headline}; no two measures differ significantly" if result.has_only_ties else headline


def _section_sentences(result: Correlations, context: SectionContext, target: str) -> Iterator[str]:
    """Which measure correlates most highly, whether the first two differ, and how it is within topics."""
    ranked = [row.measure for row in result.ranked(target) if row.value is not None]
    automatic = [name for name in ranked if name in context.roles.automatic]
    annotated = [name for name in ranked if name not in context.roles.automatic]
    first, *further = correlation_sentences(result, target, "system", automatic)
    has_several = len(automatic) > 1 and result.at(automatic[0], target).n >= FEWEST_SUMMARIZERS
    yield f"Of the automatic measures, {first}" if has_several else first
    if has_several:
        yield f"{capital(difference_verdict(result, automatic[0], automatic[1], target))}."
    yield from further
    if automatic and annotated:
        best = result.at(annotated[0], target)
        yield (
            f"Of the pyramid scores, {best.measure} has the highest correlation: "
            f"{describe_correlation(best, confidence=False)}. Compared with {automatic[0]}, "
            f"{difference_verdict(result, automatic[0], best.measure, target)}."
        )
    if result.has_only_ties:
        pairs = counted(len(result.tests), "pair")
        yield f"No two measures differ significantly ({pairs}, {METHODS[result.tests[0].method]} with Holm correction)."
    for name in automatic[:1] or annotated[:1]:
        within = result.at(name, target, level="topic")
        yield (
            f"Within topics, the correlation of {name} averages {describe_correlation(within, confidence=False)} over "
            f"{counted(within.n, 'topic')}: this shows how well it ranks summaries of the same topic."
        )


def _interval_figure(result: Correlations, target: str) -> Figure:
    """Correlations of all measures as dots with intervals, at both levels."""
    ranked = result.ranked(target)
    shown = [result.at(row.measure, target, level=level) for row in ranked for level in LEVELS]
    values = [f"{row.measure} {describe_correlation(row, confidence=False)}" for row in ranked[:MOST_DESCRIBED]]
    coefficient = ranked[0].coefficient.capitalize()
    return Figure(
        id="correlations-measures",
        caption=noted(
            f"{coefficient} correlation of each measure with {target}, at system level (n = {ranked[0].n}) and within "
            f"topics, with {result.options.confidence:g} % intervals",
            result.notes.get(target, ""),
        ),
        alt=f"Dots with intervals, the best measure first. At system level: {'; '.join(values)}.",
        draw=lambda: draw_correlations(replace(result, correlations=tuple(shown))),
    )


def _difference_blocks(result: Correlations, target: str) -> list[Figure | Table]:
    """The tests between every two measures as a heat map, and the clusters that follow from them."""
    if not result.significant_differences:
        return []
    pairs = counted(len(result.tests), "pair")
    note = result.notes.get(target, "")
    method = METHODS[result.tests[0].method]
    heat_map = Figure(
        id="correlations-tests",
        caption=noted(f"Which measures correlate significantly more highly with {target} ({method})", note),
        alt=f"Squares: {result.significant_differences} of {pairs} of measures differ significantly.",
        draw=lambda: draw_tests(result),
    )
    if not result.clusters:
        return [heat_map]
    table = cluster_table(result.clusters)
    return [heat_map, replace(table, title=noted(table.title, note))]


def overview_table(result: Correlations, target: str, level: Level) -> Table:
    """A row for each measure, the highest agreement first; the strongest value of each coefficient is marked."""
    coefficients = result.options.coefficient
    rows = [
        [result.at(best.measure, target, level=level, coefficient=coefficient) for coefficient in coefficients]
        for best in result.ranked(target)
    ]
    first = rows[0][0]
    cells_of_rows = [cell for row in rows for cell in row]
    intervals = f"{first.confidence:g} % intervals: {interval_methods(cells_of_rows)}"
    limit_decimals = 3
    if all(cell.resamples for cell in cells_of_rows):
        limit_decimals = carried_decimals(first.resamples)
    marked: set[tuple[int, int]] = set()
    columns = [Column("measure")]
    for place, coefficient in enumerate(coefficients):
        # A divergence that correlates by −.9 is as useful as a similarity by .9.
        strengths = [abs(row[place].value or 0.0) for row in rows]
        if max(strengths) > 0:
            marked.add((strengths.index(max(strengths)), len(columns)))
        name = coefficient.capitalize()
        columns += [
            Column("value", name, digits=3),
            Column("lower", f"{name} lower", digits=limit_decimals),
            Column("upper", f"{name} upper", digits=limit_decimals),
        ]
    cells: list[list[Cell]] = []
    for row in rows:
        limits = [value for cell in row for value in (cell.value, cell.lower, cell.upper)]
        cells.append([row[0].measure, *limits, row[0].n])
    return Table(
        record="correlation",
        title=noted(f"Correlation with {target}, {level} level", intervals, result.notes.get(target, "")),
        columns=(*columns, Column("n", UNITS[level])),
        rows=cells,
        marked=frozenset(marked),
        notes=("Bold: the strongest correlation of each coefficient.", *far_out_notes(result, cells_of_rows)),
        about=f"{target.removeprefix('question.')}, {level} level",
    )


def matrix_section(result: Correlations, command: str, notes: Sequence[str], *, is_whole: bool) -> Section:
    """Correlations of every two measures; as a section of its own where there are no human scores."""
    (table,) = tables(result)
    part = Section(
        id="correlations-matrix",
        title="All pairs of measures",
        sentences=table.sentences,
        blocks=(Shaded(table=table),),
        commands=(command,),
        notes=tuple(notes),
    )
    if not is_whole:
        return part
    headline = table.sentences[0].rstrip(".") if table.sentences else ""
    return replace(part, id="correlations", title="How measures agree with each other", finding=headline)


def points_section(result: Correlations, target: str, commands: Sequence[str], notes: Sequence[str]) -> Section:
    """Means of humans and systems, one figure for each measure (Dang 2006, Figure 2)."""
    has_both = len({result.kinds.get(point.summarizer) == "human" for point in result.points}) > 1
    return Section(
        id="correlations-points",
        title="Humans and systems" if has_both else "Summarizers as points",
        sentences=tuple(_human_sentences(result, target)),
        blocks=(
            *(_scatter_figure(result, place, name, target) for place, name in enumerate(result.measures)),
            _points_table(result, target),
        ),
        commands=tuple(commands),
        notes=tuple(notes),
    )


def _scatter_figure(result: Correlations, place: int, measure: str, target: str) -> Figure:
    """A measure against the human score."""
    points = tuple(point for point in result.points if point.measure == measure)
    return Figure(
        id=f"correlations-scatter-{place}",
        caption=noted(f"Means of summarizers: {measure} against {target}", result.notes.get(target, "")),
        alt=f"A point for each of {len(points)} summarizers: {target} across, {measure} up. The table has all numbers.",
        draw=lambda: draw_scatter(replace(result, points=points), named=len(points) <= MOST_NAMED_POINTS),
        group="measure",
        about=measure,
    )


def _points_table(result: Correlations, target: str) -> Table:
    """The means of every summarizer on a measure and on those correlated with it, by falling human score."""
    points = [point for point in result.points if point.with_ == target]
    human = {point.summarizer: point.with_value for point in points}
    means = {(point.summarizer, point.measure): point.value for point in points}
    # The best first, also where low values are good.
    order = sorted(human, key=human.__getitem__, reverse=target not in result.lower_is_better)

    def name_of(summarizer: str) -> str:
        name = result.names.get(summarizer)
        return summarizer if name is None else f"{summarizer} {name}"

    def mean_column(measure: str) -> Column:
        return Column(measure, digits=4, of=lambda summarizer: means.get((summarizer, measure)))

    measures = dict.fromkeys(point.measure for point in points)
    return table_of(
        order,
        (
            Column("summarizer", of=name_of),
            Column("kind", of=lambda summarizer: result.kinds.get(summarizer, "participant")),
            Column(target, digits=2, of=human.get),
            *map(mean_column, measures),
        ),
        record="mean",
        title=noted("Means of summarizers", result.notes.get(target, "")),
        about=target,
    )


def _human_sentences(result: Correlations, target: str) -> Iterator[str]:
    """Whether each measure scores humans above systems, as the human score does."""
    kinds = {result.kinds.get(point.summarizer, "participant") for point in result.points}
    if "human" not in kinds or kinds == {"human"}:
        lacking = "systems" if "human" in kinds else "humans"
        yield f"Each point is a summarizer; no {lacking} have both scores."
        return
    above: list[str] = []
    overlapping: list[str] = []
    for measure in dict.fromkeys(point.measure for point in result.points):
        humans, systems = result.means_by_kind(measure)
        if not humans or not systems:
            continue
        is_above = min(humans) > max(systems)
        if measure in result.lower_is_better:
            is_above = max(humans) < min(systems)
        if is_above:
            above.append(measure)
        else:
            overlapping.append(measure)
    humans, systems = result.target_means_by_kind()
    verb = "every human is above every system" if min(humans) > max(systems) else "humans and systems overlap"
    yield (
        f"On {target}, {verb} (humans {min(humans):.2f} to {max(humans):.2f}, systems {min(systems):.2f} to "
        f"{max(systems):.2f})."
    )
    if above:
        yield f"Every human is also above every system on {listed(above)}."
    if overlapping:
        yield f"On {listed(overlapping)}, at least one system scores as high as the lowest human, or higher."
