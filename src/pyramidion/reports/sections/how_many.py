"""How many models and topics it takes (Owczarzak & Dang 2009): curves with bands, and what more would bring."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pyramidion.errors import InputError, UsageError
from pyramidion.measures.derived import Derived
from pyramidion.measures.names import parse
from pyramidion.measures.registry import Selection, select
from pyramidion.reports.context import Context
from pyramidion.reports.figures.growth import draw_growth
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.studied import (
    campaign_of,
    command,
    counted,
    in_words,
    listed,
    notes_of,
    number,
    scoring_again,
)
from pyramidion.studies import Gain, GrowthStudy, Point, study_models, study_topics
from pyramidion.studies.growth_tests import row_sentence

MOST_MEASURES = 6
"""Automatic measures that are drawn; the pyramid comes on top."""
FEWEST_TOPICS = 4
REPETITIONS = 1000
FEWER_REPETITIONS = 300
MANY_SUMMARIES = 2_000
"""With more, fewer draws are made."""
MOST_SUMMARIES = 50_000
"""With more, drawing models takes too much memory for a report."""
MOST_TOPICS = 5_000
PYRAMID = "pyramid.modified"
_MOST_SIZES = 12
_MARKED = "In a column, the first value with a mark does not differ significantly from later values with that mark."

_SHARED = (
    "The reference rests on all topics, those that are drawn among them: correlations near all topics are high also "
    "for this reason."
)


def make(context: Context) -> Section | None:
    """Curves for models where topics have two or more, and for topics where there are four or more."""
    reference = context.reference
    if reference is None:
        return None
    context.step("how many models and topics")
    found = [part for part in (_models(context, reference), _topics(context, reference)) if part]
    if not found:
        return None
    answers, rest = zip(*((part.sentences[:1], part.sentences[1:]) for part in found), strict=True)
    return Section(
        id="how-many",
        title="How many models and topics",
        sentences=tuple(sentence for (sentence,) in answers),
        parts=tuple(replace(part, sentences=sentences) for part, sentences in zip(found, rest, strict=True)),
    )


def _models(context: Context, reference: str) -> Section | None:
    campaign = campaign_of(context)
    counts = Counter(summary.topic for summary in campaign.summaries if summary.kind == "model")
    most = max([*counts.values(), *(len(pyramid.models) for pyramid in campaign.pyramids)], default=0)
    measures = _chosen(context, [name for name in context.measures if _draws_models(name)], reference)
    if most < 2 or not measures:
        return None
    repetitions = _repetitions(context)
    repeat = command(context, "study models", measures, *_options(reference, repetitions), with_confidence=True)
    if len(campaign.summaries) > MOST_SUMMARIES:
        said = (
            f"Drawing models from {len(campaign.summaries):,} summaries was left out of this page; the command does it."
        )
        return Section(id="how-many-models", title="Models", sentences=(said,), commands=(repeat,))
    try:
        with scoring_again():
            study = study_models(
                campaign,
                measures,
                [reference],
                peers=context.peers,
                repetitions=repetitions,
                confidence=context.confidence,
                seed=context.seed,
            )
    except InputError:  # what the table has is not in the campaign's own data, such as a joined file of scores
        return None
    return _part(context, study, reference, repeat)


def _topics(context: Context, reference: str) -> Section | None:
    measures = _chosen(context, context.measures, reference)
    total = len(context.table.topics)
    if total < FEWEST_TOPICS or not measures:
        return None
    sizes = _sizes(total)
    repetitions = _repetitions(context)
    chosen = _options(reference, repetitions, "--sizes", ",".join(map(str, sizes)))
    repeat = command(context, "study topics", measures, *chosen, with_confidence=True)
    if total > MOST_TOPICS:
        said = f"Drawing from {total:,} topics was left out of this page; the command does it."
        return Section(id="how-many-topics", title="Topics", sentences=(said,), commands=(repeat,))
    study = study_topics(
        context.table,
        measures,
        [reference],
        sizes=sizes,
        repetitions=repetitions,
        confidence=context.confidence,
        seed=context.seed,
    )
    return _part(context, study, reference, repeat)


def _chosen(context: Context, known: Sequence[str], reference: str) -> list[str]:
    """Some automatic measures of the table, one of each kind first, and the pyramid if it is not the reference."""
    automatic = [name for name in context.automatic if name in known]
    bases = [parse(name).base for name in automatic]
    by_turn = sorted(range(len(automatic)), key=lambda place: bases[:place].count(bases[place]))[:MOST_MEASURES]
    return [*(automatic[place] for place in sorted(by_turn)), *(name for name in known if name == PYRAMID != reference)]


def _draws_models(name: str) -> bool:
    """Whether other models would give a measure other values, and it leaves the choice of them to the study."""
    try:
        found: Selection = select(name)
    except UsageError:  # a column of someone's own
        return False
    measure = found.measure
    if isinstance(measure, Derived) or not {"models", "pyramid"} & measure.required:
        return False
    return not (getattr(measure, "jackknife", False) or getattr(measure, "use", None))


def _sizes(total: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 12, 16 … below all; of very many topics only the powers of two."""
    doubled = [base << shift for shift in range(total.bit_length()) for base in (1, 3) if base << shift < total]
    sizes = sorted(doubled)
    return sizes if len(sizes) <= _MOST_SIZES else [size for size in sizes if size & (size - 1) == 0]


def _repetitions(context: Context) -> int:
    return (
        REPETITIONS
        if len(context.table.summarizers) * len(context.table.topics) <= MANY_SUMMARIES
        else FEWER_REPETITIONS
    )


def _options(reference: str, repetitions: int, *more: str) -> tuple[str, ...]:
    drawn = () if repetitions == REPETITIONS else ("--repetitions", str(repetitions))
    return ("--with", shlex.quote(reference), *more, *drawn)


def _part(context: Context, study: GrowthStudy, reference: str, repeat: str) -> Section | None:
    full = {column.measure: column.full for column in study.columns}
    defined = [gain for gain in study.gains if gain.gain is not None and gain.least is not None]
    if not defined:
        return None
    sentences = (
        _growth(study, reference, defined),
        _least(study, defined, full),
        _beyond(study, defined),
        _stability(study, defined),
    )
    id = f"how-many-{study.study}"
    return Section(
        id=id,
        title=study.study.capitalize(),
        sentences=tuple(filter(None, sentences)),
        blocks=(_figure(study, reference, id, defined), _answers(study, id), _means(study, reference, id)),
        commands=(repeat,),
        notes=(*_left_out(context, study, reference), *notes_of(study.notes, [*study.measures, reference])),
    )


def _leading(study: GrowthStudy, defined: Sequence[Gain]) -> str:
    """The measure that sentences speak of: the automatic one that correlates best."""
    names = [gain.measure for gain in defined]
    candidates = [name for name in names if parse(name).base != "pyramid"] or names
    actual = {column.measure: abs(column.actual) for column in study.columns}
    return max(candidates, key=lambda name: actual[name])


def _points(study: GrowthStudy, measure: str, kind: str) -> dict[int | None, Point]:
    return {one.k: one for one in study.points if (one.measure, one.kind) == (measure, kind)}


def _growth(study: GrowthStudy, reference: str, defined: Sequence[Gain]) -> str:
    name = _leading(study, defined)
    column = study.column(name, reference)
    drawn = _points(study, name, "drawn")
    fewest = drawn[min(k for k in drawn if k is not None)]
    what = study.study[:-1]
    spread = ""
    if fewest.lower is not None and fewest.upper is not None:
        spread = f" ({study.confidence:g} % of the draws between {number(fewest.lower)} and {number(fewest.upper)})"
    least = next(gain for gain in defined if gain.measure == name)
    mean = number(fewest.mean or 0.0)
    return (
        f"With {counted(fewest.k or 0, what)} the correlation of {name} with {reference} is {mean} on "
        f"average{spread}, with all {in_words(column.full)} {number(column.actual)}; {_near(least, column.full, what)}."
    )


def _near(gain: Gain, full: int, what: str) -> str:
    near = f"within {gain.tolerance:g} of that"
    if gain.least == full:
        return f"no smaller number that was tried is {near}"
    return f"{counted(gain.least or 0, what)} {'is' if gain.least == 1 else 'are'} already {near}"


def _least(study: GrowthStudy, defined: Sequence[Gain], full: dict[str, int]) -> str:
    """For the other measures, how many are nearly as good as all."""
    leading = _leading(study, defined)
    by_least: dict[int, list[str]] = {}
    for gain in defined:
        if gain.measure != leading:
            by_least.setdefault(gain.least or 0, []).append(gain.measure)
    if not by_least:
        return ""
    said = [
        f"{'all ' if least == full[names[0]] else ''}{in_words(least)} for {listed(names)}"
        for least, names in sorted(by_least.items())
    ]
    return f"The least number of {study.study} within {defined[0].tolerance:g} of all: {'; '.join(said)}."


def _beyond(study: GrowthStudy, defined: Sequence[Gain]) -> str:
    name = _leading(study, defined)
    found = _points(study, name, "extrapolated")
    twice = next((point for k, point in found.items() if k is not None), None)
    if twice is None:
        return ""
    if twice.mean is None or twice.lower is None or twice.upper is None:
        reason = f": {twice.reason}" if twice.reason else ""
        return f"What more {study.study} would bring {name} can’t be told{reason}."
    actual = next(one.mean for one in study.points if one.kind == "actual" and one.measure == name) or 0.0
    gain = abs(twice.mean) - abs(actual)
    tolerance = defined[0].tolerance
    unsure = twice.lower <= actual <= twice.upper
    change = f"{'may' if unsure else 'would'} {'raise' if gain > 0 else 'lower'} it"
    verdict = "would hardly change it" if abs(gain) <= tolerance else change
    return (
        f"More {study.study} {verdict}: with {in_words(twice.k or 0)}, {number(twice.mean)} is expected "
        f"({study.confidence:g} % interval {number(twice.lower)} to {number(twice.upper)}; extrapolated)."
    )


def _stability(study: GrowthStudy, defined: Sequence[Gain]) -> str:
    """How far two disjoint sets, as large as there are, agree."""
    name = _leading(study, defined)
    halves = {k: point for k, point in _points(study, name, "halves").items() if point.mean is not None}
    if not halves:
        return ""
    largest = halves[max(k for k in halves if k is not None)]
    what = counted(largest.k or 0, study.study[:-1])
    found = number(largest.mean or 0.0)
    return f"The means of systems on {name} from two sets of {what} without overlap correlate {found}."


def _figure(study: GrowthStudy, reference: str, id: str, defined: Sequence[Gain]) -> Figure:
    actual = {column.measure: column.actual for column in study.columns}
    halves = {name: samples for name, samples in study.halves.items() if name in study.measures}
    ends = ", ".join(f"{gain.measure} by {gain.gain:+.2f} to {actual[gain.measure]:.2f}" for gain in defined)
    return Figure(
        id=f"{id}-curves",
        caption=f"Mean {study.coefficient.capitalize()} correlation of system means with {reference} by number of "
        f"{study.study}, over {study.repetitions:,} draws; bands hold the middle 95 % of the draws. "
        + ("Boxes: how two disjoint sets correlate." if any(halves.values()) else ""),
        alt=f"From the fewest to all {study.study} the curves change: {ends}.",
        chart=draw_growth({"": replace(study, halves=halves)}),
    )


def _answers(study: GrowthStudy, id: str) -> Table:
    """A row a measure: from the fewest to all, and beyond."""
    rows = []
    for gain in study.gains:
        drawn = _points(study, gain.measure, "drawn")
        fewest = drawn[min(k for k in drawn if k is not None)]
        actual = next(iter(_points(study, gain.measure, "actual").values()))
        beyond = _points(study, gain.measure, "extrapolated")
        twice = next((point for k, point in beyond.items() if k is not None), None)
        limit = beyond.get(None)
        rows.append(
            (
                gain.measure,
                fewest.mean,
                actual.mean,
                gain.gain,
                gain.least,
                *((twice.mean, _interval(twice)) if twice else (None, None)),
                *((limit.mean, _interval(limit)) if limit else (None, None)),
            )
        )
    full = study.columns[0].full
    interval = f"{study.confidence:g} % interval"
    columns = (
        Column(name="measure", align="left"),
        Column(name=f"one {study.study[:-1]}", digits=3),
        Column(name=f"all {full}", digits=3),
        Column(name="gain", digits=3),
        Column(name=f"least within {study.gains[0].tolerance:g}"),
        Column(name=f"{2 * full} (extrapolated)", digits=3),
        Column(name=interval),
        Column(name="without limit (extrapolated)", digits=3),
        Column(name=f"{interval} of the limit"),
    )
    return Table(
        id=f"{id}-answers",
        caption=f"What {study.study} bring: correlation with the reference",
        columns=columns,
        rows=rows,
        below=_EXTRAPOLATED[study.study],
    )


_EXTRAPOLATED = {
    "models": "Extrapolated: 1/r² is taken to be linear in 1/k; intervals by resampling systems. A dash: not defined.",
    "topics": "Extrapolated by variance components, for measure and reference alike; intervals by the jackknife over "
    "systems and topics. A dash: not defined.",
}


def _interval(point: Point) -> str | None:
    return None if point.lower is None or point.upper is None else f"{number(point.lower)} to {number(point.upper)}"


def _means(study: GrowthStudy, reference: str, id: str) -> Table:
    """Means by k with their marks, in the form of the paper's tables."""
    points = [point for point in study.points if point.kind in ("drawn", "bootstrapped", "actual")]
    measures = list(dict.fromkeys(point.measure for point in points))
    rows: dict[tuple[int | None, str], dict[str, str | None]] = {}
    for point in points:
        cell = None if point.mean is None else f"{point.mean:.3f}{' ' + point.mark if point.mark else ''}"
        rows.setdefault((point.k, point.kind), {})[point.measure] = cell
    names = {"drawn": "", "bootstrapped": " (bootstrapped)", "actual": " (actual)"}
    said = [
        f"{study.summarizers} summarizers, {study.topics} topics, {study.repetitions:,} draws, seed {study.seed}.",
        _MARKED if any(point.mark for point in points) else "",
        f"{sentence}." if (sentence := row_sentence(study, reference)) else "",
        _SHARED if study.study == "topics" else "",
    ]
    return Table(
        id=f"{id}-means",
        caption=f"Mean {study.coefficient.capitalize()} correlation with {reference} by number of {study.study}",
        columns=(Column(name=study.study, align="left"), *(Column(name=name) for name in measures)),
        rows=[(f"{k}{names[kind]}", *(cells.get(name) for name in measures)) for (k, kind), cells in rows.items()],
        below=" ".join(filter(None, said)),
    )


def _left_out(context: Context, study: GrowthStudy, reference: str) -> list[str]:
    """What is not shown, and what limits what is."""
    notes = []
    counts = {point.k: point.topics for point in study.points if point.kind == "drawn" and point.topics is not None}
    if len(set(counts.values())) > 1:
        there = ", ".join(f"{count} at {k}" for k, count in counts.items())
        notes.append(f"Topics with enough models: {there}; nothing is extrapolated from different topics.")
    undefined = sum(point.undefined for point in study.points if point.kind in ("drawn", "bootstrapped"))
    if undefined:
        draws = "1 draw has" if undefined == 1 else f"{undefined:,} draws have"
        notes.append(f"{draws} no correlation: left out of the means.")
    others = [name for name in context.automatic if name not in (*study.measures, reference)]
    free = [name for name in others if study.study == "models" and not _draws_models(name)]
    if free:
        notes.append(f"Not among them, for no models can be drawn for them: {listed(free)}.")
    if beyond := [name for name in others if name not in free]:
        notes.append(f"Not drawn, for there are more than {in_words(MOST_MEASURES)} measures: {listed(beyond)}.")
    return notes
