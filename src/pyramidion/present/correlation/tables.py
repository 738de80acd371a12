"""Tables of correlations: by measure and level, tests, clusters, matrices and groups of topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from pyramidion.options import Level
from pyramidion.present.correlation.figures import figure, part_figure
from pyramidion.present.correlation.reasons import NO_LEAST_P
from pyramidion.present.correlation.sentences import (
    METHODS,
    accuracy_sentences,
    closest_sentences,
    cluster_sentence,
    correlation_sentences,
    difference_sentences,
    direction_notes,
    part_sentences,
)
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Cell, Column, Table, columns_of, grouped, table_of
from pyramidion.show.wording import carried_decimals, counted, listed, notes_about, number
from pyramidion.studies.correlations.correlations import Correlations, PartCorrelations, family_of
from pyramidion.studies.correlations.pairs import Accuracy, Correlation, SignificantTopics
from pyramidion.studies.correlations.tests import AccuracyTest, Cluster, CorrelationTest, MeanRank

UNITS = {"system": "summarizers", "topic": "topics", "global": "summaries"}
"""By level, what a correlation is based on."""
_POPULATIONS = {
    "systems": "p and intervals generalize to new systems, on these topics.",
    "topics": 'p and intervals generalize to new topics, but not to new systems; `resample="both"` covers both.',
    "both": "p and intervals generalize to new systems and new topics.",
}


_METHODS = {
    "fisher": "Fisher",
    "test": "by the distribution of p",
    "studentized": "studentized bootstrap",
    "robust": "the wider of that by the distribution of p and a studentized bootstrap",
    "bootstrap": "bootstrap",
}
MOST_CHANGES = 3
"""Measures of which a note says how far systems that lie far out change their correlation."""


def tables(result: Correlations) -> list[Table]:
    """A table for each measure correlated with and each level, or a matrix for each level and coefficient."""
    if result.options.matrix:
        return list(_matrix_tables(result))
    shown = [correlation_table(result, target, level) for target in result.targets for level in result.options.level]
    shown += [_test_table(result, tests) for tests in grouped(result.tests, _target_and_level).values()]
    shown += [_topics_table(result, rows) for rows in grouped(result.significant, attrgetter("with_")).values()]
    shown += [_accuracy_table(result, rows) for rows in grouped(result.accuracies, _target_and_level).values()]
    shown += [
        _accuracy_test_table(result, rows) for rows in grouped(result.accuracy_tests, attrgetter("with_")).values()
    ]
    shown += [cluster_table(clusters) for clusters in grouped(result.clusters, family_of).values()]
    shown += [_mean_rank_table(result, rows) for rows in grouped(result.mean_ranks, attrgetter("level")).values()]
    return shown


def answer(result: Correlations) -> tuple[str, ...]:
    """Which measure correlates better, if that was tested."""
    families = grouped(result.tests, _target_and_level).values()
    return tuple(sentence for tests in families for sentence in difference_sentences(tests, result.significance))


def _target_and_level(row: Correlation | CorrelationTest | Accuracy) -> tuple[str, Level]:
    return row.with_, row.level


def correlation_table(result: Correlations, target: str, level: Level) -> Table:
    """The correlations with one measure at one level, and what they say."""
    rows = [row for row in result.correlations if _target_and_level(row) == (target, level)]
    first = rows[0]
    # Another seed would change the later decimals of what was drawn.
    are_drawn = all(row.resamples for row in rows)
    limit_decimals = carried_decimals(first.resamples) if are_drawn else None
    columns: list[Column | str] = [
        "measure",
        "coefficient",
        "value",
        Column("p", digits=limit_decimals),
        Column("lower", digits=limit_decimals),
        Column("upper", digits=limit_decimals),
        Column("n", UNITS[level]),
    ]
    measures = [row.measure for row in rows]
    notes = notes_about(result.notes, (*measures, target))
    directions = direction_notes(result, *measures, target)
    notes += directions
    if directions and first.sides == "one":
        notes.append('A one-sided interval has only a lower limit; `sides="two"` gives both.')
    if level == "topic":
        notes.append("Means of the correlations within topics.")
    notes += far_out_notes(result, rows)
    notes += [_POPULATIONS[population] for population in dict.fromkeys(row.population for row in rows) if population]
    if are_drawn:
        notes.append(f"Limits are rounded to what {first.resamples:,} samples can show.")
    made = f"{first.confidence:g} % intervals, {first.sides}-sided: {interval_methods(rows)}"
    return table_of(
        rows,
        (*columns, *_columns_of_undefined(rows)),
        title=f"Correlation with {target}, {level} level ({made})",
        heads=2,
        sentences=correlation_sentences(result, target, level),
        notes=(*notes, *_reason_notes(rows)),
        about=f"{target}, {level} level",
    )


def interval_methods(rows: Sequence[Correlation]) -> str:
    """How the intervals of a table were made; by coefficient where they were made differently."""
    names_by_method: dict[str, list[str]] = {}
    for row in rows:
        method = f"{_METHODS[row.method]}{_draws(row)}"
        names = names_by_method.setdefault(method, [])
        if row.coefficient.capitalize() not in names:
            names.append(row.coefficient.capitalize())
    if len(names_by_method) == 1:
        return next(iter(names_by_method))
    named: list[str] = []
    parts = []
    for method, names in names_by_method.items():
        # A coefficient with two methods has the second where systems lie far out.
        again = "where systems lie far out, " if all(name in named for name in names) else ""
        parts.append(f"{again}{listed(names)} {method}")
        named += names
    return "; ".join(parts)


def far_out_notes(result: Correlations, rows: Sequence[Correlation]) -> Iterator[str]:
    """Which systems lie far from the others, and what Pearson's coefficient is without them."""
    affected = [row for row in rows if row.far_out and row.value is not None and row.value_without is not None]
    for names, same_systems in grouped(affected, attrgetter("far_out")).items():
        by_change = sorted(same_systems, key=lambda row: -abs((row.value or 0.0) - (row.value_without or 0.0)))
        changes = [
            f"{number(row.value_without or 0.0)} instead of {number(row.value or 0.0)} ({row.measure})"
            for row in by_change[:MOST_CHANGES]
        ]
        systems = [result.names.get(name, name) for name in names.split(", ")]
        verb, pronoun = ("lies", "it") if len(systems) == 1 else ("lie", "them")
        more = ", …" if len(by_change) > MOST_CHANGES else ""
        yield (
            f"{listed(systems)} {verb} far from the other systems; without {pronoun}, Pearson's correlation is "
            f"{', '.join(changes)}{more}."
        )
        if any(row.method in ("fisher", "test") for row in same_systems):
            yield "With systems that lie far out, the interval of Pearson's correlation is too short."


def _test_table(result: Correlations, tests: Sequence[CorrelationTest]) -> Table:
    """The tests between measures that are correlated with the same third at one level."""
    first = tests[0]
    measures = dict.fromkeys(name for test in tests for name in (test.first, test.second))
    notes = notes_about(result.notes, (*measures, first.with_))
    reversed_measures = [name for name in measures if name in result.lower_is_better]
    if reversed_measures:
        notes.append(f"Reversed, because lower is better: {listed(reversed_measures)}.")
    columns = (
        "first",
        "second",
        "coefficient",
        "difference",
        Column("p", digits=first.decimals),
        Column("p_adjusted", digits=first.decimals),
        "n",
    )
    place = f"{first.with_}, {first.level} level"
    return table_of(
        tests,
        (*columns, *_columns_of_undefined(tests)),
        title=f"Differences between correlations with {place} ({METHODS[first.method]}{_draws(first)})",
        heads=2,
        sentences=difference_sentences(tests, result.significance),
        notes=(*notes, *_reason_notes(tests)),
        about=place,
    )


def _draws(row: Correlation | CorrelationTest) -> str:
    """What was drawn, for the title of a table; empty if nothing was."""
    if not row.resamples:
        return ""
    units = "systems and topics" if row.resampled == "both" else row.resampled
    return f", {row.resamples:,} samples of {units}, seed {row.seed}"


def _topics_table(result: Correlations, rows: Sequence[SignificantTopics]) -> Table:
    """Within how many topics measures correlate significantly with one other."""
    target = rows[0].with_
    columns = ("measure", "coefficient", "largest", "smallest", "significant", "percentage", "n")
    significance = f"{1 - rows[0].confidence / 100:.4g}"
    return table_of(
        rows,
        (*columns, *_columns_of_undefined(rows)),
        title=f"Topics with a significant correlation with {target} (two-sided p < {significance})",
        heads=2,
        notes=(*notes_about(result.notes, (*(row.measure for row in rows), target)), *_reason_notes(rows)),
        about=target,
    )


def _accuracy_table(result: Correlations, rows: Sequence[Accuracy]) -> Table:
    """How often measures order pairs as one other does, at one level."""
    first = rows[0]
    target, level = first.with_, first.level
    # The flips of the soft accuracy carry so many decimals; the others are exact.
    value = Column("value", digits=carried_decimals(result.options.permutations))
    notes = notes_about(result.notes, (*(row.measure for row in rows), target))
    if any(row.lower is not None for row in rows):
        notes.append(_ACCURACY_INTERVALS[level])
    if level == "system" and first.ties == "wmt":
        notes.append("Ties count as in the metrics tasks of WMT: pairs with equal human means count, too.")
    return table_of(
        rows,
        ("measure", "kind", value, "lower", "upper", "n", "epsilon", *_columns_of_undefined(rows)),
        title=f"Share of pairs in the order of {target}, {level} level ({first.confidence:g} % intervals)",
        heads=2,
        notes=(*notes, *_reason_notes(rows)),
        about=f"{target}, {level} level",
    )


_ACCURACY_INTERVALS = {
    "system": "Intervals (jackknife) generalize to new systems, on these topics.",
    "topic": "Intervals (jackknife) generalize to new systems and new topics.",
}


def _accuracy_test_table(result: Correlations, rows: Sequence[AccuracyTest]) -> Table:
    """The tests between measures of how often they order pairs as one other does."""
    first = rows[0]
    measures = dict.fromkeys(name for row in rows for name in (row.first, row.second))
    units = "systems and topics" if first.resampled == "both" else first.resampled
    columns = (
        "first",
        "second",
        "kind",
        "level",
        "difference",
        Column("p", digits=first.decimals),
        Column("p_adjusted", digits=first.decimals),
    )
    draws = f"{first.resamples:,} exchanges of {units}, seed {first.seed}"
    return table_of(
        rows,
        columns,
        title=f"Differences between shares of pairs in the order of {first.with_} (permutation test, {draws})",
        heads=2,
        sentences=accuracy_sentences(rows, result.significance),
        notes=(*notes_about(result.notes, (*measures, first.with_)), *_reason_notes(rows)),
        about=first.with_,
    )


_AnyRow = Correlation | CorrelationTest | SignificantTopics | Accuracy | AccuracyTest


def _columns_of_undefined(rows: Sequence[_AnyRow]) -> list[str]:
    """Columns that count what is undefined, where something is."""
    return [key for key in ("undefined", "undefined_resamples") if any(getattr(row, key, 0) for row in rows)]


def _reason_notes(rows: Sequence[_AnyRow]) -> list[str]:
    """Why something in the rows is undefined, each reason once."""
    reasons = dict.fromkeys(row.fields().get("reason") for row in rows)
    return [f"Undefined: {reason}." for reason in reasons if reason not in (None, NO_LEAST_P)]


def cluster_table(clusters: Sequence[Cluster]) -> Table:
    """Clusters of measures, and what they say."""
    row = clusters[0]
    return table_of(
        clusters,
        ("rank", "measure", "coefficient", "value", Column("n", UNITS[row.level])),
        title=f"Clusters by correlation with {row.with_}, {row.level} level ({row.coefficient})",
        heads=2,
        sentences=(cluster_sentence(clusters),),
        notes=(
            "Measures of one cluster do not differ significantly. A new cluster starts at the first measure that "
            "differs significantly from any measure in the cluster above; measures of different clusters need not "
            "differ significantly either.",
        ),
        detail=len(clusters) < 3,
        about=f"{row.with_}, {row.level} level, {row.coefficient}",
    )


def _mean_rank_table(result: Correlations, rows: Sequence[MeanRank]) -> Table:
    """Mean ranks over human scores at one level."""
    ranked = "clusters" if rows[0].by == "cluster" else "correlations"
    level = f"{rows[0].level} level"
    return table_of(
        rows,
        ("measure", "coefficient", "value", "n"),
        title=f"Mean rank over {listed(result.targets)}, {level} (ranks of {ranked}; 1 is the highest)",
        heads=2,
        about=level,
    )


def _matrix_tables(result: Correlations) -> Iterator[Table]:
    """A lower triangle for each level and coefficient; the columns are the numbers of the rows."""
    names = list(dict.fromkeys(name for row in result.correlations for name in (row.measure, row.with_)))
    numbered = (Column(str(place), digits=3) for place in range(1, len(names)))
    columns = columns_of(Column("number", "no."), "measure", *numbered)
    for level, coefficient in dict.fromkeys((row.level, row.coefficient) for row in result.correlations):
        rows: list[list[Cell]] = []
        for place, name in enumerate(names):
            values = [result.value(name, other, level=level, coefficient=coefficient) for other in names[:place]]
            # Not None, which is shown as undefined: the upper triangle repeats the lower one.
            empty = [""] * (len(names) - 1 - place)
            rows.append([place + 1, name, *values, *empty])
        yield Table(
            record="correlation",
            title=f"{coefficient.capitalize()} correlation of every two measures, {level} level",
            columns=columns[: len(names) + 1],
            rows=[row[: len(names) + 1] for row in rows],
            heads=2,
            sentences=tuple(closest_sentences(result, level, coefficient)),
            notes=(*notes_about(result.notes, names), *direction_notes(result, *names)),
            about=f"{coefficient}, {level} level",
        )


def part_tables(result: PartCorrelations) -> list[Table]:
    """The tables of each group of topics, one after the other; first what differs most."""
    shown = []
    for part, correlations in result.parts.items():
        name = f"{result.by} {part} ({counted(result.topics[part], 'topic')})"
        for table in tables(correlations):
            about = f"{result.by} {part}, {table.about}"
            shown.append(replace(table, title=f"{table.title}; {name}", about=about))
    if shown:
        # Whoever compares groups asks first where they differ.
        shown[0] = replace(shown[0], sentences=(*part_sentences(result), *shown[0].sentences))
    return shown


CORRELATIONS = Presenter(tables=tables, answer=answer, figure=figure)
PART_CORRELATIONS = Presenter(tables=part_tables, answer=answer, figure=part_figure)
