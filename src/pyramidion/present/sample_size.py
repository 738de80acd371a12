"""How many references and topics an evaluation needs, for people: tables, sentences, curves and report sections.

Tables and figures are those of Owczarzak & Dang 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from pyramidion.options import ITSELF
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Figure, Section
from pyramidion.show.tables import Cell, Column, Table, TableFacts, columns_of, grouped, pivot
from pyramidion.show.wording import counted, defined, listed, notes_about, number, together
from pyramidion.studies.sample_size import CurvePoint, CurveTest, Gain, SampleSizeStudy
from pyramidion.studies.sample_size.samples import (
    Curve,
    PartSamples,
    Samples,
    defined_values,
    mean_of,
    summarize_sample,
)

_KINDS = {"bootstrapped": "all, systems bootstrapped", "actual": "all", "extrapolated": "extrapolated"}
_MARKS = "Values that share a mark do not differ significantly from the first value with that mark in the same column."
_SHARED_TOPICS = (
    "The human means are over all topics, including the sampled ones, so correlations are inflated as k approaches the "
    "number of topics."
)
_EXTRAPOLATED = {
    "models": "Extrapolated as if 1/r² were linear in 1/k; intervals by resampling summarizers.",
    "topics": "Extrapolated from variance components of both scores; intervals by the jackknife over summarizers and "
    "topics.",
}
_UNITS = {"models": "reference", "topics": "topic"}
"""What is sampled, as readers call it."""


def tables(study: SampleSizeStudy) -> list[Table]:
    """For each part and target the answers and the means by k; the stability; the tests on request."""
    return [table for part in study.parts for table in _part_tables(study, part)]


def _part_tables(study: SampleSizeStudy, part: PartSamples) -> Iterator[Table]:
    for target in part.targets:
        yield gain_table(study, part, target)
        yield mean_table(study, part, target)
    halves = [point for point in study.points if (point.part, point.kind) == (part.name, "halves")]
    if halves:
        yield _stability_table(study, part, halves)
    yield _test_table(study, part)


def unit(study: SampleSizeStudy) -> str:
    """What is sampled: a reference or a topic."""
    return _UNITS[study.study]


def gain_table(study: SampleSizeStudy, part: PartSamples, target: str) -> Table:
    """A row for each measure: the correlation with the fewest and with all, and how many are enough."""
    curves = part.curves_with(target)
    gains = study.gains_in(part.name, target)
    rows = []
    for curve in curves:
        gain = gains[curve.measure]
        mean = None if curve.fewest is None else mean_of(curve.drawn[curve.fewest])
        rows.append((curve.measure, mean, defined(curve.actual), gain.gain, _count_enough(study, curve, gain)))
    # Measures may begin at different numbers: the heading names the least.
    smallest = min((curve.fewest for curve in curves if curve.fewest is not None), default=1)
    return Table(
        record="gain",
        title=f"Correlation with {_target_name(target)}, by number of {unit(study)}s{_part_suffix(part)}",
        columns=columns_of(
            "measure",
            Column("fewest", counted(smallest, unit(study)), digits=3),
            Column("full", f"all {curves[0].full}", digits=3),
            Column("gain", digits=3),
            Column("least", f"enough (within {study.options.tolerance:g})"),
        ),
        rows=rows,
        sentences=answer_sentences(study, part, target),
        about=target,
    )


def answer_sentences(study: SampleSizeStudy, part: PartSamples, target: str) -> tuple[str, ...]:
    """What the leading measure says, and how many are enough for the others; none if nothing is known.

    The first says what the fewest and all give, the second how many are enough.
    """
    leading = study.leading_curve(part, target)
    if leading is None:
        return ()
    gains = study.gains_in(part.name, target)
    sentences = [
        _fewest_sentence(study, leading),
        _enough_sentence(study, leading, gains[leading.measure]),
        *_extrapolation_sentence(study, leading),
        *_stability_sentence(study, part, leading),
        *_other_measures_sentence(study, leading, gains),
    ]
    prefix = f"{part.name}: " if part.name else ""
    return tuple(f"{prefix}{sentence}" for sentence in sentences)


def _fewest_sentence(study: SampleSizeStudy, curve: Curve) -> str:
    """The correlation with the fewest, compared with that with all."""
    assert curve.fewest is not None  # as the gain over it is defined
    confidence = study.options.confidence
    numbers = summarize_sample(curve.drawn[curve.fewest], confidence)
    assert numbers.mean is not None
    spread = ""
    if numbers.lower is not None and numbers.upper is not None:
        spread = f" ({confidence:g} % of the samples: {number(numbers.lower)} to {number(numbers.upper)})"
    return (
        f"With {counted(curve.fewest, unit(study))}, {curve.measure} correlates at {number(numbers.mean)} with "
        f"{_target_name(curve.with_)} on average{spread}; with all {curve.full}, at {number(curve.actual)}."
    )


def _enough_sentence(study: SampleSizeStudy, curve: Curve, gain: Gain) -> str:
    """How many are enough for a measure."""
    near = f"within {gain.tolerance:g} of that with all {curve.full}"
    if _is_enough(study, curve, gain):
        return (
            f"{curve.measure} needs only {_enough_count(study, curve, gain)}: its mean correlation over samples is "
            f"{near}. A single sample may be further off."
        )
    if gain.least is not None and gain.least < curve.full:
        return (
            f"With up to half of the {unit(study)}s, the mean correlation of {curve.measure} over samples is not "
            f"{near}; larger samples overlap too much to say how many are enough."
        )
    return f"For {curve.measure}, no smaller number of {unit(study)}s keeps the mean correlation over samples {near}."


def _is_enough(study: SampleSizeStudy, curve: Curve, gain: Gain) -> bool:
    """Whether fewer than all are enough; of topics at most half, as larger samples are nearly the same topics."""
    if gain.least is None:
        return False
    # Two samples of most of the topics share most of them, so that their correlations are alike whatever the measure.
    return 2 * gain.least <= curve.full if unit(study) == "topic" else gain.least < curve.full


def _count_enough(study: SampleSizeStudy, curve: Curve, gain: Gain) -> int | str | None:
    """How many are enough, as a number; of topics above half, only that it takes more than that."""
    if gain.least is None or gain.least == curve.full or _is_enough(study, curve, gain):
        return gain.least
    return f"more than {curve.full // 2}"


def _enough_count(study: SampleSizeStudy, curve: Curve, gain: Gain) -> str:
    """`3 of 4 references`."""
    return f"{gain.least} of {counted(curve.full, unit(study))}"


def _extrapolation_sentence(study: SampleSizeStudy, curve: Curve) -> Iterator[str]:
    """What more references or topics would bring."""
    # Twice as many is something that one can plan; without limit is not.
    estimate = next((estimate for estimate in curve.beyond if np.isfinite(estimate.k)), None)
    if estimate is None:
        return
    numbers = estimate.summary()
    if numbers.mean is None or numbers.lower is None or numbers.upper is None:
        yield f"What more {unit(study)}s would bring is unknown: {why_not_extrapolated(numbers.mean, numbers.sd)}."
        return
    interval = f"{study.options.confidence:g} % interval {number(numbers.lower)} to {number(numbers.upper)}"
    yield (
        f"Extrapolated to {estimate.k:g} {unit(study)}s, the correlation of {curve.measure} is "
        f"{number(numbers.mean)} ({interval}), compared with {number(curve.actual)} now."
    )


def _stability_sentence(study: SampleSizeStudy, part: PartSamples, curve: Curve) -> Iterator[str]:
    """How far two disjoint sets, as large as possible, agree."""
    drawn = next((half.drawn for half in part.halves if half.measure == curve.measure), {})
    means = {k: mean_of(sample) for k, sample in drawn.items()}
    defined_means = {k: mean for k, mean in means.items() if mean is not None}
    if defined_means:
        k = max(defined_means)
        yield (
            f"System means of {curve.measure} from two disjoint sets of {counted(k, unit(study))} correlate at "
            f"{number(defined_means[k])}."
        )


def _other_measures_sentence(study: SampleSizeStudy, leading: Curve, gains: Mapping[str, Gain]) -> Iterator[str]:
    """How many are enough for the measures that do not lead."""

    def count_enough(measure: str) -> int | str:
        return _count_enough(study, leading, gains[measure]) or leading.full

    measures = [name for name, gain in gains.items() if gain.gain is not None and name != leading.measure]
    # One clause for each number, not for each measure: a report has dozens of measures.
    by_least = grouped(sorted(measures, key=lambda measure: gains[measure].least or leading.full), count_enough)
    if not by_least:
        return
    counts = []
    for k, names in by_least.items():
        count = f"all {k}" if k == leading.full else str(k)
        counts.append(f"{count} for {listed(names)}")
    yield f"By the same criterion, {unit(study)}s that are enough for the other measures: {'; '.join(counts)}."


def mean_table(study: SampleSizeStudy, part: PartSamples, target: str) -> Table:
    """Means by k with their marks, in the form of the paper's tables."""
    points = [
        point for point in study.points if (point.part, point.with_) == (part.name, target) and point.kind != "halves"
    ]
    correlation = f"Mean {study.coefficient.capitalize()} correlation with {_target_name(target)}"
    sentences = (_measures_differ_sentence(study, part, target), _parts_differ_sentence(study, target))
    return _make_grid(
        study,
        points,
        title=f"{correlation}, by number of {unit(study)}s{_part_suffix(part)}",
        sentences=tuple(filter(None, sentences)),
        notes=tuple(_mean_notes(study, part, target, points)),
        about=target,
    )


def _mean_notes(study: SampleSizeStudy, part: PartSamples, target: str, points: Sequence[CurvePoint]) -> Iterator[str]:
    """What one must know to read the table of means."""
    counts = sorted({point.summarizers for point in points})
    summarizers = counted(counts[-1], "summarizer")
    if len(counts) > 1:
        summarizers = f"{counts[0]} to {counts[-1]} summarizers"
    topics = counted(part.topics, "topic")
    yield f"{summarizers}, {topics}, {study.options.resamples:,} samples, seed {study.seed}."
    if any(point.mark for point in points):
        yield _MARKS
    uneven = _uneven_topics([point for point in points if point.kind == "drawn"])
    if uneven:
        yield f"{uneven} Nothing is extrapolated, because the topics differ."
    undefined = sum(point.undefined for point in points if point.kind in ("drawn", "bootstrapped"))
    if undefined:
        yield f"The correlation was undefined in {counted(undefined, 'sample')}."
    # Extrapolation assumes that each topic has as many references.
    if not uneven and any(point.kind == "extrapolated" for point in points):
        yield _EXTRAPOLATED[study.study]
    if study.study == "topics":
        yield _SHARED_TOPICS
    yield from notes_about(part.notes, [*(point.measure for point in points), target])


def _stability_table(study: SampleSizeStudy, part: PartSamples, points: Sequence[CurvePoint]) -> Table:
    """Correlations between two disjoint sets, by k."""
    sets = f"two disjoint sets of {unit(study)}s"
    notes = (f"Each set has k {unit(study)}s, at most half of them.", _uneven_topics(points))
    return _make_grid(
        study,
        points,
        title=f"Stability: mean {study.coefficient.capitalize()} correlation between {sets}{_part_suffix(part)}",
        notes=tuple(filter(None, notes)),
        about="stability",
    )


def _make_grid(study: SampleSizeStudy, points: Sequence[CurvePoint], **facts: Unpack[TableFacts]) -> Table:
    """A row for each k, a column for each measure."""
    cells: dict[tuple[str, str], Cell] = {}
    for point in points:
        row = "∞" if point.k is None else str(point.k)
        if point.kind in _KINDS:
            row = f"{row} ({_KINDS[point.kind]})"
        cells[row, point.measure] = _show_mean(point)
    return pivot(cells, Column("k", f"{unit(study)}s"), record="point", **facts)


def _show_mean(point: CurvePoint) -> str:
    """A mean with its mark; where it is extrapolated, with its interval."""
    if point.mean is None:
        return "–"
    if point.kind == "extrapolated" and point.lower is not None and point.upper is not None:
        return f"{point.mean:.4f} [{point.lower:.2f}, {point.upper:.2f}]"
    return f"{point.mean:.4f} {point.mark}".rstrip()


def _test_table(study: SampleSizeStudy, part: PartSamples) -> Table:
    """The analyses of variance of a part; those between parts come with the first."""
    is_first = part is study.parts[0]
    tests = [test for test in study.tests if test.part == part.name or (is_first and test.over == "parts")]
    rows: list[tuple[Cell, ...]] = []
    for test in tests:
        alike = "; ".join(map(" = ".join, test.alike))
        rows.append((test.over, test.measure, test.with_, test.k, test.f, *test.df, test.p, alike))
    return Table(
        record="point-test",
        title=f"One-way analyses of variance over samples{_part_suffix(part)}",
        columns=columns_of("over", "measure", "with", "k", "f", "df1", "df2", "p", "alike"),
        rows=rows,
        heads=4,
        notes=("alike: pairs that do not differ significantly (Tukey's test).",),
        detail=True,
        about=part.name,
    )


def _measures_differ_sentence(study: SampleSizeStudy, part: PartSamples, target: str) -> str:
    """Which measures differ across the rows of a table, as the paper says it below its tables."""
    tests = [test for test in study.tests if (test.over, test.part, test.with_) == ("row", part.name, target)]
    if not tests:
        return ""
    sizes_by_pair: dict[tuple[str, str], list[str]] = {}
    for test in tests:
        for pair in test.alike:
            sizes_by_pair.setdefault(pair, []).append(str(test.k))
    # With a thousand draws each nearly all pairs differ, so the exceptions are listed.
    exceptions = [f"{' and '.join(pair)} at k = {', '.join(sizes)}" for pair, sizes in sizes_by_pair.items()]
    return (
        f"Every two measures differ by more than the error of {study.options.resamples:,} random samples of "
        f"{unit(study)}s leaves open ({_level(study)}){_except(exceptions)}. The samples overlap: this is no test for "
        f"other systems or {unit(study)}s."
    )


def _parts_differ_sentence(study: SampleSizeStudy, target: str) -> str:
    """Which cells do not differ between the parts of a campaign."""
    tests = [test for test in study.tests if (test.over, test.with_) == ("parts", target)]
    if not tests:
        return ""
    exceptions = [f"{test.measure} at k = {test.k} ({' and '.join(pair)})" for test in tests for pair in test.alike]
    return (
        f"The parts differ in each cell by more than the error of the random samples leaves open ({_level(study)})"
        f"{_except(exceptions)}."
    )


def _except(exceptions: Sequence[str]) -> str:
    return f", except: {'; '.join(exceptions)}" if exceptions else ""


def _level(study: SampleSizeStudy) -> str:
    return f"{100 - study.options.confidence:g} % level"


def _part_suffix(part: PartSamples) -> str:
    return f", {part.name}" if part.name else ""


def _target_name(target: str) -> str:
    return "its own full version" if target == ITSELF else target


def _uneven_topics(points: Sequence[CurvePoint]) -> str:
    """How many topics have enough references at each k, if not all of them have."""
    topics = {point.k: point.topics for point in points}
    if len(set(topics.values())) < 2:
        return ""
    counts = ", ".join(f"{count} at k = {k}" for k, count in topics.items())
    return f"Topics with enough references: {counts}."


HEIGHT = 280


def draw_sample_sizes(study: SampleSizeStudy) -> Chart:
    """For each part a row: a panel for each human score, and the stability of the measures themselves."""
    rows = []
    for part in study.parts:
        panels = [_curve_panel(study, part, target) for target in part.targets]
        if any(half.drawn for half in part.halves):
            panels.append(_half_panel(study, part))
        rows.append({"hconcat": panels, "spacing": 40})
    return vl.finished(f"Correlation by number of {unit(study)}s", {"vconcat": rows, "spacing": 40})


def _curve_panel(study: SampleSizeStudy, part: PartSamples, target: str) -> vl.Spec:
    """Means as points and lines; the band holds the middle 95 % of the samples."""
    rows = []
    for curve in part.curves_with(target):
        rows += _spread_rows(curve, lower=2.5, upper=97.5)
        if not np.isnan(curve.actual):
            # All references or topics are one sample: there is no spread to draw.
            full = dict.fromkeys(("value", "lower", "upper"), float(curve.actual))
            rows.append({"measure": vl.label(curve.measure), "k": curve.full, **full})
    y = _correlation_axis(study, f"with {target}", part)
    points = {"y": vl.quantity("value", **y), "shape": vl.category("measure", legend=None)}
    ticks = {"values": sorted(vl.in_order(rows, "k")), "format": "d"}
    return vl.curves(
        rows,
        y,
        vl.layer("point", points, size=44, filled=True),
        band=0.12,
        point=False,
        size=(360, HEIGHT),
        x=vl.quantity("k", title=f"number of {unit(study)}s", axis=ticks),
        color=_measure_colour(study, part),
    )


def _half_panel(study: SampleSizeStudy, part: PartSamples) -> vl.Spec:
    """How the correlations of two disjoint sets spread (Figure 1): five-number boxes."""
    rows = []
    for half in part.halves:
        rows += _spread_rows(half, low=2.5, lower=25, middle=50, upper=75, high=97.5)
    y = _correlation_axis(study, "between two disjoint sets", part)
    return vl.panel(
        rows,
        vl.layer("rule", {"y": vl.quantity("low", **y), "y2": {"field": "high"}}),
        vl.layer("bar", {"y": vl.quantity("lower", **y), "y2": {"field": "upper"}}, size=7),
        vl.layer("tick", {"y": vl.quantity("middle", **y), "color": {"value": "white"}}, size=7, thickness=2),
        size=({"step": 11}, HEIGHT),
        x=vl.category("k", title=f"{unit(study)}s in each set", axis={"labelAngle": 0}),
        xOffset=vl.category("measure", sort=_measure_labels(study, part)),
        color=_measure_colour(study, part),
    )


def _spread_rows(samples: Samples, **percentiles: float) -> list[dict[str, Any]]:
    """A row for each k whose sample has values: their mean, and percentiles by the names of the arguments."""
    rows = []
    for k, sample in samples.drawn.items():
        values = defined_values(sample)
        if len(values):
            limits = map(float, np.percentile(values, list(percentiles.values())))
            spread = dict(zip(percentiles, limits, strict=True))
            rows.append({"measure": vl.label(samples.measure), "k": k, "value": float(values.mean()), **spread})
    return rows


def _correlation_axis(study: SampleSizeStudy, of: str, part: PartSamples) -> vl.Spec:
    """Title and scale of the vertical axis."""
    title = [f"{study.coefficient.capitalize()} correlation", vl.label(f"{of}{_part_suffix(part)}")]
    return {"title": title, "scale": {"zero": False}}


def _measure_labels(study: SampleSizeStudy, part: PartSamples) -> list[str]:
    """Measures, then human scores whose own stability is shown."""
    return [vl.label(name) for name in dict.fromkeys([*study.measures, *(half.measure for half in part.halves)])]


def _measure_colour(study: SampleSizeStudy, part: PartSamples) -> vl.Spec:
    legend = {"title": None, "symbolOpacity": 1, "symbolType": "circle", "labelLimit": 260}
    return vl.category("measure", legend=legend, scale=vl.colours(_measure_labels(study, part)))


SAMPLE_SIZE = Presenter(tables=tables, figure=draw_sample_sizes)


def headline(studies: Sequence[SampleSizeStudy]) -> str:
    """For which measures fewer references or topics than all are enough; empty if for none."""
    counts_by_measure: dict[str, list[str]] = {}
    tolerance = 0.0
    for study in studies:
        part = study.parts[0]
        (target,) = study.targets
        curve = study.leading_curve(part, target)
        if curve is None:
            continue
        gain = study.gains_in(part.name, target)[curve.measure]
        if _is_enough(study, curve, gain):
            tolerance = gain.tolerance
            counts_by_measure.setdefault(curve.measure, []).append(_enough_count(study, curve, gain))
    if not counts_by_measure:
        return ""
    needs = [f"{measure} needs only {', or '.join(counts)}" for measure, counts in counts_by_measure.items()]
    return f"{listed(needs)}, to come within {tolerance:g} of its correlation on all data on average"


def section(
    parts: Sequence[Section], studies: Sequence[SampleSizeStudy], context: SectionContext, target: str
) -> Section:
    """How many references and topics are enough: the answers of its parts first, then the parts."""
    return Section(
        id="how-many",
        title="How many references and topics",
        finding=headline(studies),
        mark=context.notes.get(target, ""),
        sentences=tuple(sentence for part in parts for sentence in part.sentences[:2]),
        parts=tuple(replace(part, sentences=part.sentences[2:]) for part in parts),
    )


def part_section(study: SampleSizeStudy, context: SectionContext, command: str, notes: Sequence[str]) -> Section | None:
    """The study of references or of topics; None if no gain is defined.

    Args:
        study: of the whole campaign, with one human score.
        context: of the report.
        command: prints the same numbers.
        notes: which measures are left out, and why.
    """
    part = study.parts[0]
    (target,) = study.targets
    answers, means = gain_table(study, part, target), mean_table(study, part, target)
    if not answers.sentences:
        return None
    units = f"{unit(study)}s"
    changes = [f"{gain.measure} by {number(gain.gain)}" for gain in study.gains if gain.gain is not None]
    figure = Figure(
        id=f"how-many-{units}-curves",
        caption=f"Mean {study.coefficient.capitalize()} correlation of system means with {target} by number of "
        f"{units}, over {study.options.resamples:,} samples; bands hold the middle 95 % of the samples. Boxes: "
        "correlation of system means from two disjoint sets (quartiles, and the middle 95 % of the samples).",
        alt=f"From the fewest to all {units} the correlation changes: {', '.join(changes)}.",
        draw=lambda: draw_sample_sizes(study),
    )
    return Section(
        id=f"how-many-{units}",
        title=units.capitalize(),
        sentences=(*answers.sentences, *means.sentences),
        blocks=(figure, answers, means),
        commands=(command,),
        notes=tuple(notes),
        mark=context.notes.get(target, ""),
    )


def left_out_section(units: str, reason: str, command: str) -> Section:
    """A section that only says why references or topics were not studied, and which command does it."""
    sentence = f"{reason}; the command does it."
    return Section(id=f"how-many-{units}", title=units.capitalize(), sentences=(sentence,), commands=(command,))


def why_no_point(point: CurvePoint) -> str:
    """Why a point of a curve has no mean, no spread or no limits."""
    if point.kind == "extrapolated":
        return together(
            why_not_extrapolated(point.mean, point.sd),
            "k is unlimited" if point.k is None else "",
        )
    if point.n == 1:
        return "a single value has no spread"
    if point.n:
        return ""
    return "no correlation is defined: fewer than two summarizers have both means, or the means do not vary"


def why_not_extrapolated(mean: float | None, error: float | None) -> str:
    """Why a correlation beyond the data is unknown, or how far it can be trusted."""
    if mean is None:
        return "the correlations at smaller k do not allow extrapolation"
    return "too few estimates for an interval" if error is None else ""


def why_no_test(test: CurveTest) -> str:
    """Why a test has no measure, no k or no F."""
    return together(
        "over all measures" if test.measure is None else "",
        "over all k" if test.k is None else "",
        "no sample varies" if test.f is None else "",
    )
