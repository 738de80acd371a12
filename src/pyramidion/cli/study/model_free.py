"""`pyramidion study model-free`: what comparing summaries with their input is worth (Louis & Nenkova 2009)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyramidion.cli import options as o
from pyramidion.cli.output import emit, note, writing
from pyramidion.cli.scoring import load_data, score_data
from pyramidion.cli.study import shared

if TYPE_CHECKING:
    from pyramidion.studies import ModelFreeRow, ModelFreeStudy

TARGETS_SIDE_BY_SIDE = 3


class Stems(StrEnum):
    """How words are compared."""

    both = "both"
    yes = "yes"
    no = "no"


STEMS = {Stems.both: (True, False), Stems.yes: (True,), Stems.no: (False,)}
SAID = {
    "documents": "summaries beside their input",
    "background": "summaries beside the background documents",
    "average": "mean of the values beside the input and beside the background documents",
}


def model_free(
    data: o.Data,
    targets: Annotated[
        list[str] | None,
        typer.Option("--with", help="A manual score; several times. Default: pyramid.modified and every question."),
    ] = None,
    stem: Annotated[Stems, typer.Option("--stem", help="Compare stems, words as they are, or both.")] = Stems.both,
    background: Annotated[
        str, typer.Option("--background", help="Word counts for cosines and topic words: wordfreq, or a TSV file.")
    ] = "wordfreq",
    coefficient: o.CoefficientOption = o.Coefficient.spearman,
    by: shared.By = None,
    confidence: o.Confidence = 95.0,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    peers: o.PeersOption = o.Peers.systems,
    figure: o.Figure = None,
    scores: o.Scores = None,
    seed: o.Seed = 0,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """How model-free measures, their regression and ROUGE correlate with manual scores, over systems and in topics.

    Update topics, which have background documents, are compared with each of their inputs; --by part or --where part=A
    keeps initial and update summaries apart.

    Example: pyramidion study model-free demo --with question.overall-responsiveness --stem yes --where part=A
    """
    from pyramidion.studies import plan_model_free, study_model_free

    shared.check(figure, data, scores, confidence=confidence)
    studies: dict[str, ModelFreeStudy] = {}
    if shared.holds_scores(data):
        shared.refuse_parts(by)
        table = score_data(data, None, where=where, peers=peers, scores=scores, seed=seed, strict=strict, quiet=quiet)
        plan = plan_model_free(table, targets or (), background=background, stems=STEMS[stem])
        studies[""] = study_model_free(table, plan, coefficient=coefficient.value, confidence=confidence)
    else:
        campaign = load_data(data, where=where, strict=strict, quiet=quiet)
        for part, own in shared.parts_of(campaign, by).items():
            plan = plan_model_free(own, targets or (), background=background, stems=STEMS[stem])
            table = score_data(
                data,
                plan.selections,
                where=[*(where or []), *([f"{by}={part}"] if by else [])],
                peers=peers,
                scores=scores,
                seed=seed,
                strict=strict,
                quiet=quiet,
            )
            studies[part] = study_model_free(table, plan, coefficient=coefficient.value, confidence=confidence)
    _present(studies, format)
    for part, study in studies.items():
        for reason in study.left_out:
            note(f"{part + ': ' if part else ''}left out: {reason}", quiet=quiet)
    if figure is not None:
        _draw(studies, figure)
        note(f"figure: {figure}", quiet=quiet)


def _draw(studies: Mapping[str, ModelFreeStudy], figure: Path) -> None:
    from pyramidion.reports import draw_model_free, write_chart

    with writing(figure):
        write_chart(draw_model_free(studies), figure)


def _present(studies: Mapping[str, ModelFreeStudy], format: o.Format) -> None:
    if format is o.Format.csv:  # one table: macro and micro side by side
        emit([_csv_row(part, row) for part, study in studies.items() for row in study.rows], format)
    elif format is o.Format.json:
        emit([record for part, study in studies.items() for record in _records(part, study)], format)
    else:
        for part, study in studies.items():
            _print(part, study, format)


def _print(part: str, study: ModelFreeStudy, format: o.Format) -> None:
    whose = f", {part}" if part else ""
    sizes = f"{study.summarizers} summarizers, {study.topics} topics"
    for compared, said in SAID.items():
        here = [row for row in study.rows if _is_shown_with(row, compared)]
        if not any(row.column.compared == compared for row in here):
            continue
        order = _order(here)
        for start in range(0, len(study.targets), TARGETS_SIDE_BY_SIDE):
            some = study.targets[start : start + TARGETS_SIDE_BY_SIDE]
            emit(
                [_macro(feature, here, some) for feature in order],
                format,
                title=f"Macro level, {said}{whose}: {study.coefficient} of system means, and its p",
                below=" ".join([f"{sizes}.", *_low_is_good(study, here), *shared.said_of(_notes(study, here))]),
            )
        for target in study.targets:
            emit(
                [_micro(feature, here, target) for feature in order],
                format,
                title=f"Micro level, {said}{whose}: {study.coefficient} with {target} inside topics",
                below=f"The strongest and the weakest of the correlations with two-sided p < "
                f"{1 - study.confidence / 100:.4g}, and how many topics have one.",
            )


def _is_shown_with(row: ModelFreeRow, compared: str) -> bool:
    """ROUGE stands beside the features of the input, the regression over both inputs beside their mean."""
    also = {"documents": "models", "average": "both"}.get(compared)
    return row.column.compared in (compared, also)


def _order(rows: Sequence[ModelFreeRow]) -> list[str]:
    """Features by strength with the first manual score, then regressions, then ROUGE, as the paper's tables do."""
    strength: dict[str, tuple[int, float]] = {}
    for row in rows:
        place = ("both", "models").index(row.column.compared) + 2 if row.column.compared in ("both", "models") else 0
        if row.column.feature == "regression" and not place:
            place = 1
        value = 0.0 if row.macro.value is None else -abs(row.macro.value)
        strength.setdefault(_label(row), (place, value if place == 0 else 0.0))
    return sorted(strength, key=strength.__getitem__)


def _label(row: ModelFreeRow) -> str:
    return "regression over both" if row.column.compared == "both" else row.column.feature


def _macro(feature: str, rows: Sequence[ModelFreeRow], targets: Sequence[str]) -> dict[str, Any]:
    cells: dict[str, Any] = {"measure": feature}
    for target in targets:
        for row in _cells(feature, rows, target):
            name = f"{target}{'' if row.column.stem else ', unstemmed'}"
            cells[name] = "–" if row.macro.value is None else f"{row.macro.value:.3f} ({_p(row.macro.p)})"
    return cells


def _micro(feature: str, rows: Sequence[ModelFreeRow], target: str) -> dict[str, Any]:
    cells: dict[str, Any] = {"measure": feature}
    for row in _cells(feature, rows, target):
        how = "" if row.column.stem else ", unstemmed"
        micro = row.micro
        cells[f"strongest{how}"] = "–" if micro.largest is None else f"{micro.largest:.3f}"
        cells[f"weakest{how}"] = "–" if micro.smallest is None else f"{micro.smallest:.3f}"
        share = "–" if micro.percentage is None else f"{micro.significant} ({micro.percentage:.1f} %)"
        cells[f"significant{how}"] = share
    return cells


def _cells(feature: str, rows: Sequence[ModelFreeRow], target: str) -> list[ModelFreeRow]:
    return [row for row in rows if _label(row) == feature and row.macro.with_ == target]


def _p(value: float | None) -> str:
    if value is None:
        return "no p"
    return "p < 0.00001" if value < 0.00001 else f"p {value:.5f}" if value < 0.001 else f"p {value:.3f}"


def _low_is_good(study: ModelFreeStudy, rows: Sequence[ModelFreeRow]) -> list[str]:
    names = dict.fromkeys(_label(row) for row in rows if row.column.measure in study.lower_is_better)
    return [f"Low is good, so that a good measure has a negative correlation: {', '.join(names)}."] if names else []


def _notes(study: ModelFreeStudy, rows: Sequence[ModelFreeRow]) -> dict[str, str]:
    """By what a row or a column is called; what is said of features and scores holds for the regression on them."""
    notes = {
        f"{row.column.feature}{'' if row.column.stem else ' (unstemmed)'}": study.notes[row.column.measure]
        for row in rows
        if row.column.measure in study.notes and row.column.target is None
    }
    return notes | {target: study.notes[target] for target in study.targets if target in study.notes}


def _records(part: str, study: ModelFreeStudy) -> Iterator[dict[str, Any]]:
    for row in study.rows:
        macro, micro = row.macro, row.micro
        shared_fields = _fields(part, row)
        said = shared.note_of(study.notes, [macro.measure, macro.with_])
        yield {
            "record": "correlation",
            **shared_fields,
            "level": macro.level,
            "value": macro.value,
            "p": macro.p,
            "lower": macro.lower,
            "upper": macro.upper,
            "method": macro.method,
            "n": macro.n,
            "undefined": macro.undefined,
            "seed": macro.seed,
            **said,
            **({"reason": macro.reason} if macro.reason else {}),
        }
        yield {
            "record": "micro",
            **shared_fields,
            "largest": micro.largest,
            "smallest": micro.smallest,
            "significant": micro.significant,
            "percentage": micro.percentage,
            "n": micro.n,
            "undefined": micro.undefined,
            "confidence": micro.confidence,
            **said,
            **({"reason": micro.reason} if micro.reason else {}),
        }


def _fields(part: str, row: ModelFreeRow) -> dict[str, Any]:
    return {
        "measure": row.column.measure,
        "with": row.macro.with_,
        "feature": row.column.feature,
        "compared": row.column.compared,
        "stem": row.column.stem,
        "coefficient": row.macro.coefficient,
        **({"part": part} if part else {}),
    }


def _csv_row(part: str, row: ModelFreeRow) -> dict[str, Any]:
    return {
        **_fields(part, row),
        "value": row.macro.value,
        "p": row.macro.p,
        "summarizers": row.macro.n,
        "largest": row.micro.largest,
        "smallest": row.micro.smallest,
        "significant": row.micro.significant,
        "percentage": row.micro.percentage,
        "topics": row.micro.n,
        "undefined": row.micro.undefined,
    }
