"""Correlations of measures for people: tables, sentences, figures, and the sections of a report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from pyramidion.errors import InputError, UsageError, mention
from pyramidion.measures.names import short_name
from pyramidion.options import Coefficient, Level
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Figure, Section, Shaded
from pyramidion.show.tables import Cell, Column, Table, columns_of, grouped, table_of
from pyramidion.show.wording import (
    capital,
    carried_decimals,
    counted,
    listed,
    noted,
    notes_about,
    number,
    p_in_words,
    with_interval,
)
from pyramidion.studies.correlations.correlations import Correlations, PartCorrelations, SystemPoint, family_of
from pyramidion.studies.correlations.pairs import FEWEST_SUMMARIZERS, Accuracy, Correlation, SignificantTopics
from pyramidion.studies.correlations.tests import NO_LEAST_P, Cluster, CorrelationTest, MeanRank

FEW_SUMMARIZERS = 10
"""Correlations over fewer are not reliable."""
FEW_TESTS = 6
"""Up to this many significant differences, a table has a sentence for each."""
PARTS_COMPARED = 3
"""Measures whose groups of topics are compared in sentences."""
UNITS = {"system": "summarizers", "topic": "topics", "global": "summaries"}
"""By level, what a correlation is based on."""
METHODS = {"williams": "Williams' test", "permutation": "permutation test"}
_POPULATIONS = {
    "systems": "p and intervals generalize to new systems, but not to new topics.",
    "topics": 'p and intervals generalize to new topics, but not to new systems; `resample="both"` covers both.',
    "both": "p and intervals generalize to new systems and new topics.",
}


def tables(result: Correlations) -> list[Table]:
    """A table for each measure correlated with and each level, or a matrix for each level and coefficient."""
    if result.options.matrix:
        return list(_matrix_tables(result))
    shown = [correlation_table(result, target, level) for target in result.targets for level in result.options.level]
    shown += [_test_table(result, tests) for tests in grouped(result.tests, _target_and_level).values()]
    shown += [_topics_table(result, rows) for rows in grouped(result.significant, attrgetter("with_")).values()]
    shown += [_accuracy_table(result, rows) for rows in grouped(result.accuracies, _target_and_level).values()]
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
    limit_decimals = carried_decimals(first.resamples) if first.resamples else None
    columns: list[Column | str] = [
        "measure",
        "coefficient",
        "value",
        Column("p", digits=limit_decimals if first.p_is_drawn else None),
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
    if first.resamples:
        notes.append(_POPULATIONS[first.resampled])
        notes.append(f"Limits are rounded to what {first.resamples:,} samples can show.")
    methods = {"fisher": "Fisher", "studentized": "studentized bootstrap", "bootstrap": "bootstrap"}
    made = f"{first.confidence:g} % intervals, {first.sides}-sided: {methods[first.method]}{_draws(first)}"
    return table_of(
        rows,
        (*columns, *_columns_of_undefined(rows)),
        title=f"Correlation with {target}, {level} level ({made})",
        heads=2,
        sentences=correlation_sentences(result, target, level),
        notes=(*notes, *_reason_notes(rows)),
        about=f"{target}, {level} level",
    )


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
    target, level = rows[0].with_, rows[0].level
    value = Column("value", digits=carried_decimals(result.options.permutations))
    return table_of(
        rows,
        ("measure", "kind", value, "n", "epsilon", *_columns_of_undefined(rows)),
        title=f"Share of pairs in the order of {target}, {level} level",
        heads=2,
        notes=(*notes_about(result.notes, (*(row.measure for row in rows), target)), *_reason_notes(rows)),
        about=f"{target}, {level} level",
    )


_AnyRow = Correlation | CorrelationTest | SignificantTopics | Accuracy


def _columns_of_undefined(rows: Sequence[_AnyRow]) -> list[str]:
    """Columns that count what is undefined, where something is."""
    return [key for key in ("undefined", "undefined_resamples") if any(getattr(row, key, 0) for row in rows)]


def _reason_notes(rows: Sequence[_AnyRow]) -> list[str]:
    """Why something in the rows is undefined, each reason once."""
    reasons = dict.fromkeys(row.fields().get("reason") for row in rows)
    return [f"Undefined: {reason}." for reason in reasons if reason not in (None, NO_LEAST_P)]


def direction_notes(result: Correlations, *names: str) -> list[str]:
    """For which of these measures lower is better, if it is not so for all."""
    reversed_names = [name for name in dict.fromkeys(names) if name in result.lower_is_better]
    if not reversed_names or len(reversed_names) == len(set(names)):
        return []
    return [f"For {listed(reversed_names)}, lower is better: agreement shows as a negative correlation."]


def describe_correlation(correlation: Correlation, *, confidence: bool = True) -> str:
    """`0.71 (95 % interval 0.64 to 0.78)`; without the confidence `0.71 (0.64 to 0.78)`."""
    level = correlation.confidence if confidence else None
    return with_interval(correlation.value, correlation.lower, correlation.upper, confidence=level)


def correlation_sentences(
    result: Correlations, target: str, level: Level, among: Iterable[str] | None = None
) -> list[str]:
    """Which measure correlates most highly and which do not significantly; of all measures or of some."""
    chosen = result.ranked(target, level=level)
    if among:
        chosen = [correlation for correlation in chosen if correlation.measure in among]
    ranked = [correlation for correlation in chosen if correlation.value is not None]
    if not ranked:
        return [f"No correlation with {target} is defined."] if chosen else []
    best, *rivals = ranked
    if level == "system" and best.n < FEWEST_SUMMARIZERS:
        return [
            f"No finding: only {counted(best.n, 'summarizer')} have both scores, and a correlation over fewer than "
            f"{FEWEST_SUMMARIZERS} says nothing reliable."
        ]
    sentences = [_best_sentence(result, best, rivals, target)]
    not_significant = [correlation.measure for correlation in ranked if correlation.significant is False]
    if not_significant:
        sentences.append(f"Not significantly correlated (the interval includes 0): {listed(not_significant)}.")
    if level == "system" and best.n < FEW_SUMMARIZERS:
        sentences.append(f"Correlations over only {counted(best.n, 'summarizer')} are not reliable.")
    return sentences


def _best_sentence(result: Correlations, best: Correlation, rivals: Sequence[Correlation], target: str) -> str:
    """Which measure correlates most highly, and which is next."""
    verb = "correlates"
    if rivals:
        verb = "correlates best" if result.is_best(best, rivals) else "has the strongest correlation"
    coefficient = best.coefficient.capitalize()
    sentence = f"{best.measure} {verb} with {target}: {coefficient} {describe_correlation(best)}."
    if rivals:
        sentence += f" Next is {rivals[0].measure}: {describe_correlation(rivals[0], confidence=False)}."
    return sentence


def difference_verdict(result: Correlations, better: str, worse: str, target: str) -> str:
    """Whether two measures correlate differently with a third, as the end of a sentence."""
    test = result.test_of(better, worse, target)
    if test is None:
        return "the two can't be tested (no test was asked for)"
    if test.p is None:
        return f"the two can't be tested ({test.reason})"
    corrected = test.p if test.p_adjusted is None else test.p_adjusted
    family_size = len(result.families[family_of(test)])
    method = f"{METHODS[test.method]}, {p_in_words(test.p, test.decimals)}"
    p = p_in_words(corrected, test.decimals)
    holm = f"after Holm correction for {counted(family_size, 'pair')}"
    if test.p >= result.significance:
        return f"the difference is not significant ({method})"
    if corrected >= result.significance:
        return f"the difference is significant if tested alone ({method}) but not {holm} ({p})"
    if family_size == 1:
        return f"the difference is significant ({method})"
    return f"the difference is significant ({method}; {p} {holm})"


def difference_sentences(tests: Sequence[CorrelationTest], significance: float) -> list[str]:
    """Which measures correlate significantly better than others; "undecided" where neither is shown better."""
    made = [test for test in tests if test.p_adjusted is not None]
    if not made:
        return []
    first = made[0]
    if first.level == "system" and first.n < FEWEST_SUMMARIZERS:
        return [f"No finding: only {counted(first.n, 'summarizer')} have all three scores."]
    significant = [test for test in made if test.better(significance)]
    corrected = ", Holm-corrected" if len(made) > 1 else ""
    if len(significant) > FEW_TESTS:
        count = f"{len(significant)} of {len(made)} differences are significant (p < {significance:.4g}{corrected})."
        return [count, *_power_sentence(made, significance)]
    sentences = [_better_sentence(test, significance, corrected) for test in significant]
    sentences += _undecided_sentence(made, significant)
    return [*sentences, *_power_sentence(made, significance)]


def _better_sentence(test: CorrelationTest, significance: float, corrected: str) -> str:
    """Which of two measures correlates significantly better."""
    better = test.better(significance)
    worse = test.second if better == test.first else test.first
    p = p_in_words(test.p_adjusted or 0.0, test.decimals)
    return (
        f"{better} correlates significantly better with {test.with_} than {worse} "
        f"({test.coefficient.capitalize()}, {p}{corrected})."
    )


def _undecided_sentence(tests: Sequence[CorrelationTest], significant: Sequence[CorrelationTest]) -> Iterator[str]:
    """How many pairs of measures differ by no coefficient; a single pair is named."""
    pairs = {(test.first, test.second) for test in tests}
    undecided = pairs - {(test.first, test.second) for test in significant}
    if not undecided:
        return
    target = tests[0].with_
    if len(pairs) == 1:
        ((first, second),) = undecided
        p_values = [
            f"{test.coefficient.capitalize()} {p_in_words(test.p_adjusted or 0.0, test.decimals)}" for test in tests
        ]
        shown = ", ".join(p_values)
        yield f"Undecided: neither {first} nor {second} is shown to correlate better with {target} ({shown})."
        return
    none = "" if significant else f": no difference between two correlations with {target} is significant"
    yield f"Undecided: {counted(len(undecided), 'pair')} of measures{none}."


def _power_sentence(tests: Sequence[CorrelationTest], significance: float) -> Iterator[str]:
    """That tests could not have been significant, whatever the scores."""
    hopeless = [test for test in tests if not test.can_be_significant(significance)]
    least_p = [test.least_p for test in hopeless if test.least_p is not None]
    if not least_p:
        return
    what = "No difference" if len(least_p) == len(tests) else counted(len(least_p), "difference")
    corrected = " after correction" if len(tests) > 1 else ""
    yield (
        f"{what} could have reached significance: p can't be below {min(least_p):.2g}{corrected}. Fewer measures, more "
        "summarizers or more permutations have more power."
    )


def cluster_table(clusters: Sequence[Cluster]) -> Table:
    """Clusters of measures, and what they say."""
    row = clusters[0]
    ranked = [cluster for cluster in clusters if cluster.rank is not None]
    members, *further = grouped(ranked, attrgetter("rank")).values()
    sentence = "All measures are in one cluster: no difference is significant."
    if further:
        names = [cluster.measure for cluster in members]
        first = f"{names[0]} alone is" if len(names) == 1 else f"{listed(names)} are"
        sentence = f"{first} in the first of {len(further) + 1} clusters by correlation with {row.with_}."
    return table_of(
        clusters,
        ("rank", "measure", "coefficient", "value", Column("n", UNITS[row.level])),
        title=f"Clusters by correlation with {row.with_}, {row.level} level ({row.coefficient})",
        heads=2,
        sentences=(sentence,),
        notes=(
            "Measures of one cluster do not differ significantly. A new cluster starts at the first measure that "
            "differs significantly from any measure in the cluster above.",
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
            empty = [""] * (len(names) - 1 - place)
            rows.append([place + 1, name, *values, *empty])
        yield Table(
            record="correlation",
            title=f"{coefficient.capitalize()} correlation of every two measures, {level} level",
            columns=columns[: len(names) + 1],
            rows=[row[: len(names) + 1] for row in rows],
            heads=2,
            sentences=tuple(_closest_sentences(result, level, coefficient)),
            notes=(*notes_about(result.notes, names), *direction_notes(result, *names)),
            about=f"{coefficient}, {level} level",
        )


def _closest_sentences(result: Correlations, level: Level, coefficient: Coefficient) -> Iterator[str]:
    """Which two measures agree most, and which least."""
    rows = [row for row in result.correlations if (row.level, row.coefficient) == (level, coefficient)]
    strongest_first = sorted(rows, key=lambda row: -abs(row.value or 0.0))
    ranked = [row for row in strongest_first if row.value is not None]
    if not ranked:
        yield "No correlation of two measures is defined."
        return
    closest, weakest = ranked[0], ranked[-1]
    yield f"{closest.measure} and {closest.with_} are correlated most closely ({number(closest.value or 0.0)})."
    if len(ranked) > 1:
        value = number(weakest.value or 0.0)
        yield f"The weakest correlation is that of {weakest.measure} and {weakest.with_} ({value})."


def part_tables(result: PartCorrelations) -> list[Table]:
    """The tables of each group of topics, one after the other; first what differs most."""
    shown = []
    for part, correlations in result.parts.items():
        name = f"{result.by} {part} ({counted(result.topics[part], 'topic')})"
        for table in tables(correlations):
            about = f"{result.by} {part}, {table.about}"
            shown.append(replace(table, title=f"{table.title}; {name}", about=about))
    if shown:
        shown[0] = replace(shown[0], sentences=(*_part_sentences(result), *shown[0].sentences))
    return shown


def _part_sentences(result: PartCorrelations) -> Iterator[str]:
    """In which group the first measures correlate best, and in which least."""
    if result.options.matrix:
        return
    coefficient = result.options.coefficient[0].capitalize()
    for target in result.targets:
        for measure in result.measures[:PARTS_COMPARED]:
            values = result.values_by_part(measure, target)
            if len(values) < 2:
                continue
            best = max(values, key=lambda part: abs(values[part]))
            least = min(values, key=lambda part: abs(values[part]))
            yield (
                f"{measure} has its strongest correlation with {target} where {result.by} is {best} "
                f"({coefficient} {number(values[best], 3)}), lowest where it is {least} ({number(values[least], 3)})."
            )


_PANELS_IN_A_ROW = 2
MOST_LABELLED = 15
"""Up to this many measures, squares have p values in them."""


def figure(result: Correlations) -> Chart:
    """What the options ask for."""
    if result.options.matrix:
        return draw_matrix(result)
    drawings: dict[str, Callable[[Correlations], Chart]] = {
        "tests": draw_tests,
        "intervals": draw_correlations,
        "scatter": draw_scatter,
    }
    usual = "tests" if result.options.test else "scatter"
    return drawings[result.options.draw or usual](result)


def part_figure(result: PartCorrelations) -> Chart:
    """Groups of topics are drawn one by one."""
    part = next(iter(result.parts))
    chosen = mention("where", {result.by: part})
    raise UsageError(f"a figure shows one group of topics: choose it by {chosen}, without `by=`")


def draw_correlations(correlations: Correlations) -> Chart:
    """Dots with intervals: a panel for each measure correlated with and each coefficient, a colour for each level."""
    panels = [_dots(group, correlations.notes.get(group[0].with_)) for group in _groups(correlations, "with_")]
    return vl.finished("Correlations", {"vconcat": panels} if len(panels) > 1 else panels[0])


def draw_tests(correlations: Correlations) -> Chart:
    """Who beats whom: the row's measure against the column's, a panel for each target, level and coefficient."""
    made = [test for test in correlations.tests if test.p_adjusted is not None]
    groups = grouped(made, family_of)
    if not groups:
        raise InputError("there are no tests to draw")
    panels = [_verdicts(correlations, tests) for tests in groups.values()]
    return vl.finished("Tests between measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def draw_matrix(correlations: Correlations) -> Chart:
    """Correlations of every two measures as coloured squares, a panel for each level and coefficient."""
    panels = [_squares(group) for group in _groups(correlations, "level")]
    return vl.finished("Correlations between measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _groups(correlations: Correlations, field: str) -> list[list[Correlation]]:
    """Correlations in groups of one coefficient and one value of a field, such as the level."""
    groups = grouped(correlations.correlations, attrgetter(field, "coefficient"))
    if not groups:
        raise InputError("there are no correlations to draw")
    return list(groups.values())


def _dots(correlations: Sequence[Correlation], note: str | None) -> vl.Spec:
    """A dot with its interval for each measure and level."""
    rows = [
        vl.interval(row.measure, row.value, row.lower, row.upper, group=f"{row.level} level")
        for row in correlations
        if row.value is not None
    ]
    domain = [min([0.0, *(row["lower"] for row in rows)]), max([0.0, *(row["upper"] for row in rows)])]
    title = vl.noted(f"{correlations[0].coefficient.capitalize()} correlation with {correlations[0].with_}", note)
    axis = {"title": title, "scale": {"domain": domain, "nice": True}}
    return vl.intervals(rows, axis, size=(460, {"step": 13}), under=[vl.zero_rule()])


_VERDICTS = {"better": vl.COLOURS[0], "worse": vl.COLOURS[1], "not significant": "#e4e7eb"}


def _verdicts(correlations: Correlations, tests: Sequence[CorrelationTest]) -> vl.Spec:
    """Squares: whether the row's measure correlates better than the column's."""
    first = tests[0]
    ranked = correlations.ranked(first.with_, level=first.level, coefficient=first.coefficient)
    order = [vl.label(correlation.measure) for correlation in ranked]
    rows = []
    for test in tests:
        better = test.better(correlations.significance)
        p = Column("p", digits=test.decimals).shown(test.p_adjusted)
        for row, column in ((test.first, test.second), (test.second, test.first)):
            verdict = "not significant"
            if better:
                verdict = "better" if better == row else "worse"
            rows.append({"row": vl.label(row), "column": vl.label(column), "verdict": verdict, "text": p})
    scale = {"domain": list(_VERDICTS), "range": list(_VERDICTS.values())}
    colour = vl.category("verdict", scale=scale, legend={"title": "row compared with column"})
    strong = "datum.verdict !== 'not significant'" if len(order) <= MOST_LABELLED else ""
    corrected = "Holm-corrected p" if len(tests) > 1 else "p"
    title = vl.label(f"{first.coefficient.capitalize()} with {first.with_}, {first.level} level ({corrected})")
    return vl.squares(rows, colour, order=order, step=52, angle=-90, strong=strong, title=title)


def _squares(correlations: Sequence[Correlation]) -> vl.Spec:
    """Squares: the correlation of every two measures."""
    order = list(dict.fromkeys(vl.label(name) for pair in correlations for name in (pair.measure, pair.with_)))
    rows: list[dict[str, str | float | None]]
    rows = [{"row": name, "column": name, "value": 1.0, "text": "1"} for name in order]
    for pair in correlations:
        text = "–" if pair.value is None else f"{pair.value:.2f}"
        for row, column in ((pair.measure, pair.with_), (pair.with_, pair.measure)):
            rows.append({"row": vl.label(row), "column": vl.label(column), "value": pair.value, "text": text})
    scale = {"domain": [-1, 0, 1], "range": [vl.COLOURS[1], "#ffffff", vl.COLOURS[0]], "interpolate": "rgb"}
    colour = vl.quantity("value", scale=scale, legend=None)
    title = f"{correlations[0].coefficient.capitalize()}, {correlations[0].level} level"
    return vl.squares(rows, colour, order=order, step=44, angle=-40, strong="abs(datum.value) > 0.7", title=title)


_LOOKS = {
    "human": (vl.COLOURS[1], "triangle-up"),
    "baseline": (vl.COLOURS[2], "square"),
    "participant": (vl.COLOURS[0], "circle"),
}
_WIDTH, _HEIGHT = 460, 340
_DOT, _GAP, _LETTER_WIDTH, _LETTER_HEIGHT = 4, 7, 5.5, 10
"""Of points with names, in pixels: half a point, from its middle to the name, and a letter."""


def draw_scatter(correlations: Correlations, *, named: bool = False) -> Chart:
    """Means of summarizers, one panel for each pair of measures.

    Args:
        correlations: of `correlate`; each kind of summarizer has its colour and shape.
        named: whether the points have the ids of summarizers, as far as there is room.
    """
    pairs = grouped(correlations.points, attrgetter("measure", "with_"))
    if not pairs:
        raise InputError("there is nothing to draw: no summarizer has a score by both measures")
    titles = {name: vl.noted(name, correlations.notes.get(name)) for pair in pairs for name in pair}
    panels = [_scatter_panel(points, titles, correlations.kinds, named=named) for points in pairs.values()]
    return vl.finished("Measures compared: means of summarizers", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _scatter_panel(
    points: Sequence[SystemPoint], titles: Mapping[str, str], kinds: Mapping[str, str], *, named: bool
) -> vl.Spec:
    """A point for each summarizer; names stand beside points, as far as there is room."""
    rows: list[dict[str, Any]] = [
        {
            "x": point.with_value,
            "y": point.value,
            "kind": kinds.get(point.summarizer, "participant"),
            "who": vl.label(point.summarizer),
        }
        for point in points
    ]
    shown = [kind for kind in _LOOKS if any(row["kind"] == kind for row in rows)]
    legend = {"title": None} if len(shown) > 1 else None
    colours = {"domain": shown, "range": [_LOOKS[kind][0] for kind in shown]}
    shapes = {"domain": shown, "range": [_LOOKS[kind][1] for kind in shown]}
    colour = vl.category("kind", scale=colours, legend=legend)
    shape = vl.category("kind", scale=shapes, legend=legend)
    layers = [vl.layer("point", {"shape": shape}, filled=True, size=64, opacity=0.85)]
    if named:
        for row, side in zip(rows, _place_names(rows), strict=True):
            row["side"] = side
        for side, align, dx in (("right", "left", _GAP), ("left", "right", -_GAP)):
            names = vl.layer("text", {"text": vl.category("who")}, align=align, dx=dx, fontSize=_LETTER_HEIGHT)
            layers.append({"transform": [{"filter": f"datum.side == '{side}'"}], **names})
    scale = {"zero": False, "nice": True}
    return vl.panel(
        rows,
        *layers,
        size=(_WIDTH, _HEIGHT) if named else (300, 240),
        x=vl.quantity("x", title=titles[points[0].with_], scale=scale),
        y=vl.quantity("y", title=titles[points[0].measure], scale=scale),
        color=colour,
    )


def _place_names(rows: vl.Rows) -> list[str]:
    """Where each name has room: "right" or "left" of its point, or "" where it would hide others.

    Those far from the middle come first: they are what a reader asks about.
    """
    xs, ys = ([float(row[axis]) for row in rows] for axis in ("x", "y"))
    places = list(zip(_pixels(xs, _WIDTH), _pixels(ys, _HEIGHT), strict=True))
    taken = [(x - _DOT, x + _DOT, y - _DOT, y + _DOT) for x, y in places]
    sides = [""] * len(rows)
    middle = (_WIDTH / 2, _HEIGHT / 2)
    for index in sorted(range(len(rows)), key=lambda index: -math.dist(places[index], middle)):
        x, y = places[index]
        length = _GAP + _LETTER_WIDTH * len(rows[index]["who"])
        for side, left, right in (("right", x + _DOT + 1, x + length), ("left", x - length, x - _DOT - 1)):
            box = (left, right, y - _LETTER_HEIGHT / 2, y + _LETTER_HEIGHT / 2)
            fits = side == "right" or left > 0
            if fits and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                sides[index] = side
                break
    return sides


def _pixels(values: list[float], size: int) -> list[float]:
    """About where the values are drawn: axes are a little longer than their values."""
    lowest, span = min(values), max(values) - min(values)
    return [size * (value - lowest) / span if span else size / 2 for value in values]


def _overlap(first: tuple[float, ...], second: tuple[float, ...]) -> bool:
    """Whether two boxes (left, right, top, bottom) overlap."""
    left, right, top, bottom = first
    return left < second[1] and second[0] < right and top < second[3] and second[2] < bottom


CORRELATIONS = Presenter(tables=tables, answer=answer, figure=figure)
PART_CORRELATIONS = Presenter(tables=part_tables, answer=answer, figure=part_figure)


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
    headline = f"{among}{best.measure} correlates best with {short_name(target)}: {number(best.value or 0.0)}"
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
        yield f"No two measures differ significantly ({pairs}, Williams' test with Holm correction)."
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
    return Figure(
        id="correlations-measures",
        caption=noted(
            f"Pearson correlation of each measure with {target}, at system level (n = {ranked[0].n}) and within "
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
    heat_map = Figure(
        id="correlations-tests",
        caption=noted(f"Which measures correlate significantly more highly with {target} (Williams' test)", note),
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
    intervals = f"{first.confidence:g} % intervals: Fisher"
    limit_decimals = 3
    if first.resamples:
        intervals = f"{first.confidence:g} % intervals: {first.resamples:,} bootstrap samples, seed {first.seed}"
        limit_decimals = carried_decimals(first.resamples)
    marked: set[tuple[int, int]] = set()
    columns = [Column("measure")]
    for place, coefficient in enumerate(coefficients):
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
        notes=("Bold: the strongest correlation of each coefficient.",),
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
