"""What `study models` and `study topics` print: tables in the form of Owczarzak & Dang 2009, or records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit, note, writing
from pyramidion.cli.study import shared

if TYPE_CHECKING:
    from pyramidion.studies import GrowthStudy, GrowthTest, Point

References = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        help="The reference, such as question.overall or pyramid.modified; `itself`: the measure's own full version.",
        show_default=False,
    ),
]
Repetitions = Annotated[int, typer.Option("--repetitions", min=2, help="Random draws for each k.")]
Tolerance = Annotated[
    float, typer.Option("--tolerance", help="How far below the full correlation is near enough, for the least k.")
]
Beyond = Annotated[
    list[int] | None,
    typer.Option("--beyond", min=1, help="Extrapolate to this number (default: twice, and the limit)."),
]


def present(studies: Mapping[str, GrowthStudy], format: o.Format, *, figure: Path | None, quiet: bool) -> None:
    """Print the study of each part, the comparison of the parts, and draw it all if asked to."""
    from pyramidion.studies import compare_parts

    any_study = next(iter(studies.values()))
    between = compare_parts(studies, confidence=any_study.confidence)
    if format is o.Format.csv:  # one table
        emit([record for part, study in studies.items() for record in _point_records(part, study)], format)
    elif format is o.Format.json:
        emit([record for part, study in studies.items() for record in _records(part, study)], format)
        emit([_test_record(any_study, "", test) for test in between], format)
    else:
        for part, study in studies.items():
            for reference in study.references:
                _print_table(part, study, reference, between, format)
            _print_halves(part, study, format)
    if figure is not None:
        from pyramidion.reports import draw_growth, write_chart

        with writing(figure):
            write_chart(draw_growth(studies), figure)
        note(f"figure: {figure}", quiet=quiet)


def _print_table(
    part: str, study: GrowthStudy, reference: str, between: Sequence[GrowthTest], format: o.Format
) -> None:
    from pyramidion.studies.growth_tests import part_sentence, row_sentence

    points = [point for point in study.points if point.reference == reference and point.kind != "halves"]
    measures = list(dict.fromkeys(point.measure for point in points))
    rows: dict[tuple[Any, str], dict[str, Any]] = {}
    for point in points:
        row = rows.setdefault((point.k, point.kind), {study.study: _row_name(point)})
        row[point.measure] = _cell(point, format)
    gains = {gain.measure: gain for gain in study.gains if gain.reference == reference}
    rows["", "gain"] = {study.study: "gain", **_each(measures, lambda name: _signed(gains[name].gain))}
    least = f"least within {study.gains[0].tolerance:g}"
    rows["", "least"] = {study.study: least, **_each(measures, lambda name: str(gains[name].least or "–"))}
    said = [
        f"{study.summarizers} summarizers, {study.topics} topics, {study.repetitions:,} draws, seed {study.seed}.",
        _MARKED if any(one.mark for one in points) else "",
        _stopped(row_sentence(study, reference)),
        _stopped(part_sentence(between, reference, confidence=study.confidence)),
        *_left_out(points),
        *shared.said_of(study.notes, [*measures, reference]),
    ]
    emit(
        list(rows.values()),
        format,
        title=f"Mean {study.coefficient} correlation with {_reference(reference)}{', ' + part if part else ''}",
        below=" ".join(filter(None, said)),
    )


_MARKED = "In a column, the first value with a mark does not differ significantly from later values with that mark."


def _reference(name: str) -> str:
    from pyramidion.studies import ITSELF

    return "each measure's own full version" if name == ITSELF else name


def _print_halves(part: str, study: GrowthStudy, format: o.Format) -> None:
    points = [point for point in study.points if point.kind == "halves"]
    rows: dict[int | None, dict[str, Any]] = {}
    for point in points:
        rows.setdefault(point.k, {study.study: str(point.k)})[point.measure] = _cell(point, format)
    if rows:
        whose = f", {part}" if part else ""
        emit(
            list(rows.values()),
            format,
            title=f"Stability: mean {study.coefficient} correlation of two disjoint sets{whose}",
            below=" ".join(
                [f"Each set has so many {study.study}, up to half of those there are.", *_uneven_topics(points)]
            ),
        )


def _each(measures: Sequence[str], shown: Callable[[str], str]) -> dict[str, str]:
    return {name: shown(name) for name in measures}


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}"


def _row_name(point: Point) -> str:
    size = "∞" if point.k is None else str(point.k)
    names = {"bootstrapped": " (bootstr)", "actual": " (actual)", "extrapolated": " (extrapolated)"}
    return size + names.get(point.kind, "")


def _cell(point: Point, format: o.Format) -> str:
    if point.mean is None:
        return "–"
    if point.kind == "extrapolated":
        interval = "" if point.lower is None else f" [{point.lower:.2f}, {point.upper:.2f}]"
        return f"{point.mean:.4f}{interval}"
    mark = point.mark.replace("*", "\\*") if format is o.Format.markdown else point.mark  # no emphasis
    return f"{point.mean:.4f}{' ' + mark if mark else ''}"


def _left_out(points: Sequence[Point]) -> list[str]:
    """Say where a k had fewer topics than the others, and how many draws had no correlation."""
    said = [
        f"{topics} Nothing is extrapolated from different topics."
        for topics in _uneven_topics([point for point in points if point.kind == "drawn"])
    ]
    undefined = sum(point.undefined for point in points if point.kind in ("drawn", "bootstrapped"))
    if undefined:
        said.append(f"{undefined} draws have no correlation and are left out of the means.")
    return said


def _uneven_topics(points: Sequence[Point]) -> list[str]:
    topics = {point.k: point.topics for point in points if point.topics is not None}
    counts = ", ".join(f"{count} at k = {k}" for k, count in topics.items())
    return [f"Topics with enough models: {counts}."] if len(set(topics.values())) > 1 else []


def _stopped(sentence: str) -> str:
    return f"{sentence}." if sentence else ""


def _point_records(part: str, study: GrowthStudy) -> list[dict[str, Any]]:
    return [
        {
            "record": "point",
            "study": study.study,
            "measure": point.measure,
            "with": point.reference,
            "k": point.k,
            "kind": point.kind,
            "mean": point.mean,
            "sd": point.sd,
            "n": point.n,
            "undefined": point.undefined,
            "mark": point.mark,
            "lower": point.lower,
            "upper": point.upper,
            "topics": study.topics if point.topics is None else point.topics,
            **_shared(part, study, point.measure, point.reference),
            **({"reason": point.reason} if point.reason else {}),
        }
        for point in study.points
    ]


def _shared(part: str, study: GrowthStudy, *measures: str) -> dict[str, Any]:
    return {
        "coefficient": study.coefficient,
        "seed": study.seed,
        **({"part": part} if part else {}),
        **shared.note_of(study.notes, measures),
    }


def _records(part: str, study: GrowthStudy) -> list[dict[str, Any]]:
    records = _point_records(part, study)
    records += [_test_record(study, part, test) for test in study.tests]
    records += [
        {
            "record": "gain",
            "study": study.study,
            "measure": gain.measure,
            "with": gain.reference,
            "gain": gain.gain,
            "least": gain.least,
            "tolerance": gain.tolerance,
            **_shared(part, study, gain.measure, gain.reference),
            **({"reason": "the full correlation is not defined"} if gain.gain is None else {}),
        }
        for gain in study.gains
    ]
    return records


def _test_record(study: GrowthStudy, part: str, test: GrowthTest) -> dict[str, Any]:
    reasons = [
        "over all measures" if test.measure is None else "",
        "over all k" if test.k is None else "",
        "no sample varies" if test.f is None else "",
    ]
    return {
        "record": "test",
        "study": study.study,
        "over": test.over,
        "measure": test.measure,
        "with": test.reference,
        "k": test.k,
        "f": test.f,
        "df": [test.between, test.within],
        "p": test.p,
        "alike": [list(pair) for pair in test.alike],
        "seed": study.seed,
        **({"part": part} if part else {}),
        **({"reason": reason} if (reason := "; ".join(filter(None, reasons))) else {}),
    }
