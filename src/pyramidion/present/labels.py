"""The worth of a predictor in words: gain and coverage by share of labels."""

from __future__ import annotations

import math
from typing import Any

from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, grouped, table_of
from pyramidion.show.wording import percent
from pyramidion.studies.predictions.labels import LabelPoint, LabelsStudy

_DRAWN = {"topic": "whole topics drawn", "scu": "SCUs drawn within topics", "unit": "single answers drawn"}
_NOTE = (
    "An answer counts as one unit of cost. Where reading summaries costs most, drawing SCUs saves less: all summaries "
    "of a topic are read anyway."
)


def labels_tables(study: LabelsStudy) -> list[Table]:
    """A table for each measure."""
    tables: list[Table] = []
    parts = grouped(study.points, lambda point: point.measure)
    for (measure, points), r_squared in zip(parts.items(), study.r_squared, strict=True):
        tables.append(
            table_of(
                points,
                (
                    Column("share", "% labelled", 0),
                    Column("ratio", "ratio to whole topics", 2),
                    Column("gain", "gain by the predictor", 2),
                    Column("coverage", "coverage of pairs", 3),
                    Column("coverage_all", "of all pairs together", 3),
                    Column("bias", "largest bias", 4),
                ),
                title=f"{measure}, predicted by {points[0].predictors or 'nothing'}; {_DRAWN[points[0].by]}",
                sentences=_sentences(measure, points, r_squared),
                notes=(_NOTE,) if points[0].by == "scu" else (),
                about=measure,
            )
        )
    return tables


def _sentences(measure: str, points: list[LabelPoint], r_squared: float) -> tuple[str, ...]:
    """What labels are worth at the share nearest to a fifth, and how well the predictor follows people."""
    point = min(points, key=lambda row: abs(row.share - 20))
    against = ""
    if point.predictors:
        against = f"; against the same draw without the predictor, it is worth {point.gain:.2f}"
    sentences = [
        f"With {point.share:g} % of the answers, each is worth {point.ratio:.2f} answers of whole topics without a "
        f"predictor, for differences between systems on {measure}{against}."
    ]
    if not math.isnan(point.coverage):
        sentences.append(f"The limits of pairs contain the true difference in {percent(point.coverage, 1)}.")
    if point.predictors:
        explained = percent(r_squared)
        sentences.append(f"Within topics and systems, the prediction explains {explained} of the variance (R²).")
    return tuple(sentences)


def labels_answer(study: LabelsStudy) -> tuple[str, ...]:
    """What the terminal prints above the tables."""
    return tuple(sentence for table in labels_tables(study) for sentence in table.sentences)


def draw_labels(study: LabelsStudy) -> Chart:
    """The ratio by share of labels, a line for each measure."""
    rows: list[dict[str, Any]] = []
    for point in study.points:
        for kind, value in (("plan and predictor", point.ratio), ("predictor alone", point.gain)):
            rows.append(
                {
                    "share": point.share,
                    "value": value,
                    "lower": value,
                    "upper": value,
                    "kind": f"{point.measure}: {kind}",
                }
            )
    panel = vl.curves(
        rows,
        {"title": "effective answers over answers", "scale": {"zero": True}},
        band=0.0,
        size=(460, 260),
        title=vl.label("What a label is worth, by share of labels"),
        x=vl.quantity("share", title="% of answers labelled"),
        color=vl.category("kind", title="worth of"),
    )
    return vl.finished("What a label is worth", panel)


LABELS = Presenter(tables=labels_tables, answer=labels_answer, figure=draw_labels)
