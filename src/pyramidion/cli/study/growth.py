"""What `study models` and `study topics` print: tables in the form of Owczarzak & Dang 2009, or records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit, note, writing
from pyramidion.errors import UsageError

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign
    from pyramidion.studies import GrowthStudy, GrowthTest, Point

References = Annotated[
    list[str],
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
By = Annotated[
    str | None, typer.Option("--by", help="Study the parts of the campaign apart and compare them, such as part.")
]


DEFAULT_MEASURES = ("rouge-1.recall", "rouge-2.recall", "rouge-l.recall", "rouge-su4.recall", "pyramid.modified")
"""What is studied when nothing is asked for; the pyramid where there is one."""


def default_measures(campaign: Campaign) -> list[str]:
    """What can be studied of a campaign."""
    return [name for name in DEFAULT_MEASURES if campaign.pyramids or not name.startswith("pyramid")]


def check(figure: Path | None, data: str, confidence: float) -> None:
    """Refuse what can't be done before long work."""
    o.refuse_overwriting(figure, data)
    o.check_resampling(confidence, 1)
    if figure is not None:
        from pyramidion.reports.figures.base import check_ending

        check_ending(figure)


def parts_of(campaign: Campaign, by: str | None) -> dict[str, Campaign]:
    """The campaign whole, or apart by a field or attribute of its topics."""
    if by is None:
        return {"": campaign}
    values: dict[str, None] = {}
    for id in campaign.topic_ids:
        topic = campaign.topic(id).topic
        value = getattr(topic, by) if by in ("part", "parent") else topic.attributes.get(by)
        if value not in (None, ""):
            values.setdefault(str(value).lower() if isinstance(value, bool) else str(value))
    if len(values) < 2:
        found = f"one value, {next(iter(values))}" if values else "no topic that has it"
        raise UsageError(f"--by {by}: found {found}; expected a field or attribute with two values or more")
    return {value: campaign.where({by: value}) for value in values}


def present(
    studies: Mapping[str, GrowthStudy],
    format: o.Format,
    *,
    confidence: float,
    figure: Path | None,
    quiet: bool,
) -> None:
    """Print the study of each part, the comparison of the parts, and draw it all if asked to."""
    from pyramidion.studies import compare_parts

    between = compare_parts(studies, confidence=confidence)
    if format in (o.Format.json, o.Format.csv):
        emit([record for part, study in studies.items() for record in _records(part, study)], format)
        if between:
            shared = next(iter(studies.values()))
            emit([_test_record(shared, "", test) for test in between], format)
    else:
        for part, study in studies.items():
            for reference in study.references:
                _print_table(part, study, reference, between, format, confidence)
            _print_halves(part, study, format)
    if figure is not None:
        from pyramidion.reports import write_growth

        with writing(figure):
            write_growth(studies, figure)
        note(f"figure: {figure}", quiet=quiet)


def _print_table(
    part: str,
    study: GrowthStudy,
    reference: str,
    between: Sequence[GrowthTest],
    format: o.Format,
    confidence: float,
) -> None:
    from pyramidion.studies.growth import part_sentence, row_sentence

    points = [point for point in study.points if point.reference == reference and point.kind != "halves"]
    measures = list(dict.fromkeys(point.measure for point in points))
    rows: dict[tuple[Any, str], dict[str, Any]] = {}
    for point in points:
        row = rows.setdefault((point.k, point.kind), {study.study: _row_name(point)})
        row[point.measure] = _cell(point)
    gains = {gain.measure: gain for gain in study.gains if gain.reference == reference}
    rows["", "gain"] = {study.study: "gain", **_each(measures, lambda name: _signed(gains[name].gain))}
    least = f"least within {study.gains[0].tolerance:g}"
    rows["", "least"] = {study.study: least, **_each(measures, lambda name: str(gains[name].least or "–"))}
    whose = f", {part}" if part else ""
    sentences = [row_sentence(study, reference, confidence=confidence), part_sentence(between, reference)]
    sizes = f"{study.summarizers} summarizers, {study.topics} topics, {study.repetitions} draws, seed {study.seed}"
    emit(
        list(rows.values()),
        format,
        title=f"Mean {study.coefficient} correlation with {reference}{whose} ({sizes})",
        below=". ".join(filter(None, [*sentences, _left_out(points), *_said_of([*measures, reference], study)])),
    )


def _said_of(names: Sequence[str], study: GrowthStudy) -> list[str]:
    """The notes on what a table shows."""
    return [said for said in study.notes if any(said.startswith(f"{name}: ") for name in names)]


def _print_halves(part: str, study: GrowthStudy, format: o.Format) -> None:
    points = [point for point in study.points if point.kind == "halves"]
    rows: dict[int | None, dict[str, Any]] = {}
    for point in points:
        rows.setdefault(point.k, {study.study: str(point.k)})[point.measure] = _cell(point)
    if rows:
        whose = f", {part}" if part else ""
        title = f"Stability: mean {study.coefficient} correlation of two disjoint sets of k {study.study}{whose}"
        emit(list(rows.values()), format, title=title)


def _each(measures: Sequence[str], shown: Callable[[str], str]) -> dict[str, str]:
    return {name: shown(name) for name in measures}


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{value:+.4f}"


def _row_name(point: Point) -> str:
    size = "∞" if point.k is None else str(point.k)
    names = {"bootstrapped": " (bootstr)", "actual": " (actual)", "extrapolated": " (extrapolated)"}
    return size + names.get(point.kind, "")


def _cell(point: Point) -> str:
    if point.mean is None:
        return "–"
    if point.kind == "extrapolated":
        interval = "" if point.lower is None else f" [{point.lower:.2f}, {point.upper:.2f}]"
        return f"{point.mean:.4f}{interval}"
    return f"{point.mean:.4f}{' ' + point.mark if point.mark else ''}"


def _left_out(points: Sequence[Point]) -> str:
    """Say where a k had fewer topics than the others, or draws without a correlation."""
    said = []
    topics = {point.k: point.topics for point in points if point.kind == "drawn" and point.topics is not None}
    if len(set(topics.values())) > 1:
        said.append("Topics with enough models: " + ", ".join(f"{count} at k = {k}" for k, count in topics.items()))
    undefined = sum(point.undefined for point in points if point.kind in ("drawn", "bootstrapped"))
    if undefined:
        said.append(f"{undefined} draws have no correlation and are left out of the means")
    return ". ".join(said)


def _records(part: str, study: GrowthStudy) -> list[dict[str, Any]]:
    shared: dict[str, Any] = {"coefficient": study.coefficient, "seed": study.seed}
    if part:
        shared["part"] = part
    if study.notes:
        shared["note"] = "; ".join(study.notes)
    records: list[dict[str, Any]] = [
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
            "topics": study.topics if point.topics is None else point.topics,
            "lower": point.lower,
            "upper": point.upper,
            **shared,
            **_reason(point),
        }
        for point in study.points
    ]
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
            **shared,
            **({"reason": "the full correlation is not defined"} if gain.gain is None else {}),
        }
        for gain in study.gains
    ]
    return records


def _test_record(study: GrowthStudy, part: str, test: GrowthTest) -> dict[str, Any]:
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
        **({"reason": "no sample varies"} if test.f is None else {}),
    }


def _reason(point: Point) -> dict[str, str]:
    if point.mean is None:
        return {"reason": "no correlation is defined here: too few summarizers or topics, or no variation"}
    if point.kind == "actual":
        return {"reason": "one value, which has no spread"}
    if point.kind == "extrapolated" and point.lower is None:
        return {"reason": "too few resamples can be extrapolated for an interval"}
    return {}
