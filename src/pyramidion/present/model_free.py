"""Model-free measures and human scores for people: tables as in Louis & Nenkova 2009, sentences, and the figure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Cell, Table, pivot
from pyramidion.show.wording import capital, notes_about, number, p_in_words
from pyramidion.studies.model_free import (
    INPUTS,
    REGRESSION,
    Compared,
    Feature,
    FeatureCorrelation,
    FeatureMicro,
    ModelFreeStudy,
)

SIDE_BY_SIDE = 3
"""Human scores in one table."""
_COMPARISONS = {
    "documents": "summaries compared with their source documents",
    "background": "summaries compared with the background documents",
    "average": "mean of the values for source and background documents",
}
_SHOWN_WITH: dict[Compared, Compared] = {"documents": "models", "average": "both"}
"""ROUGE is shown with the features of the documents, the regression over both inputs with their mean."""


def tables(study: ModelFreeStudy) -> list[Table]:
    """For each part and input: over systems, and for each human score within topics."""
    parts = dict.fromkeys(row.part for row in study.macro)
    return [table for part in parts for compared in INPUTS for table in _input_tables(study, part, compared)]


def _input_tables(study: ModelFreeStudy, part: str, compared: Compared) -> Iterator[Table]:
    """The tables of one input in one part of the campaign; none if it was not compared with."""
    inputs = (compared, _SHOWN_WITH.get(compared))
    macro = [row for row in study.macro if row.part == part and row.compared in inputs]
    if not any(row.compared == compared for row in macro):
        return
    micro = [row for row in study.micro if row.part == part and row.compared in inputs]
    scope = f"{_COMPARISONS[compared]}{f', {part}' if part else ''}"
    order = _row_order(macro)
    for start in range(0, len(study.targets), SIDE_BY_SIDE):
        targets = study.targets[start : start + SIDE_BY_SIDE]
        yield _macro_table(study, macro, micro, targets, order=order, scope=scope, part=part)
    for target in study.targets:
        yield _micro_table(study, micro, target, order=order, scope=scope, part=part)


def _macro_table(
    study: ModelFreeStudy,
    macro: Sequence[FeatureCorrelation],
    micro: Sequence[FeatureMicro],
    targets: Sequence[str],
    *,
    order: Sequence[str],
    scope: str,
    part: str,
) -> Table:
    """Correlations over systems with some human scores, with p."""
    rows = [row for row in macro if row.with_ in targets]
    cells: dict[tuple[str, str], Cell] = {}
    for target in targets:  # a column for each human score, in their order
        for row in rows:
            if row.with_ == target:
                cells[row_name(row), f"{target}{_stem_suffix(row)}"] = _value_with_p(row)
    sentences = [sentence for target in targets for sentence in _strongest_sentence(study, rows, target)]
    return pivot(
        cells,
        "measure",
        order,
        record="feature-correlation",
        title=f"Macro level, {scope}: {_coefficient(study)} correlation of system means, with p",
        sentences=tuple(f"{capital(scope)}: {sentence}" for sentence in sentences),
        notes=(*_notes(study, rows, micro), *(f"Left out: {reason}." for reason in study.left_out.get(part, ()))),
        about=part,
    )


def _micro_table(
    study: ModelFreeStudy, micro: Sequence[FeatureMicro], target: str, *, order: Sequence[str], scope: str, part: str
) -> Table:
    """Correlations with one human score within topics."""
    cells: dict[tuple[str, str], Cell] = {}
    rows = [row for row in micro if row.with_ == target]
    for row in rows:
        for name, cell in _micro_cells(row):
            cells[row_name(row), f"{name}{_stem_suffix(row)}"] = cell
    return pivot(
        cells,
        "measure",
        order,
        record="feature-micro",
        title=f"Micro level, {scope}: {_coefficient(study)} correlation with {target} within topics",
        notes=(
            f"The strongest and the weakest significant correlation (two-sided p < {_significance(study):.4g}), and in "
            f"how many of the topics with a defined correlation there is one.{_undefined_topics(rows)}",
        ),
        about=part,
    )


def _undefined_topics(rows: Sequence[FeatureMicro]) -> str:
    """How many topics have no correlation, because summaries have equal scores or too few have one; "" if all have."""
    if not any(row.undefined for row in rows):
        return ""
    totals = sorted({row.n + row.undefined for row in rows})
    missing = sorted({row.undefined for row in rows})
    total = " to ".join(map(str, dict.fromkeys((totals[0], totals[-1]))))
    spread = " to ".join(map(str, dict.fromkeys((missing[0], missing[-1]))))
    by_measure = ", by measure" if len(missing) > 1 else ""
    return f" It is undefined in {spread} of {total} topics{by_measure}."


def row_name(row: Feature) -> str:
    """What a feature is called in a table and in the figure."""
    return "regression on both" if row.compared == "both" else row.feature


def _stem_suffix(row: Feature) -> str:
    """What the columns of unstemmed features are called in addition."""
    return "" if row.stem else ", unstemmed"


def _coefficient(study: ModelFreeStudy) -> str:
    return study.options.coefficient.capitalize()


def _significance(study: ModelFreeStudy) -> float:
    return 1 - study.options.confidence / 100


def _value_with_p(row: FeatureCorrelation) -> str:
    """`0.712 (p 0.031)`."""
    if row.value is None:
        return "–"
    # In parentheses behind a value, "p 0.031" is clear, and "p = 0.031" too wide for six columns.
    p = "no p" if row.p is None else p_in_words(row.p).replace(" =", "")
    return f"{row.value:.3f} ({p})"


def _micro_cells(row: FeatureMicro) -> Iterator[tuple[str, str]]:
    """The columns of a row within topics, and what they show."""
    yield "strongest", "–" if row.largest is None else f"{row.largest:.3f}"
    yield "weakest", "–" if row.smallest is None else f"{row.smallest:.3f}"
    base = f"{row.significant} of {row.n}"
    yield "significant", base if row.percentage is None else f"{base} ({row.percentage:.1f} %)"


def _row_order(rows: Sequence[FeatureCorrelation]) -> list[str]:
    """Features by strength with the first human score, then regressions, then ROUGE, as in the paper's tables."""
    places: dict[str, tuple[int, float]] = {}
    for row in rows:
        if row.compared == "models":
            place = (3, 0.0)
        elif row.compared == "both":
            place = (2, 0.0)
        elif row.feature == REGRESSION:
            place = (1, 0.0)
        else:
            # By strength: a divergence of -.88 agrees as well as a cosine of .88.
            place = (0, -abs(row.value or 0.0))
        places.setdefault(row_name(row), place)
    return sorted(places, key=places.__getitem__)


def _strongest_sentence(study: ModelFreeStudy, rows: Sequence[FeatureCorrelation], target: str) -> Iterator[str]:
    """The model-free measure with the highest correlation with a human score, and ROUGE."""
    of_target = [row for row in rows if row.with_ == target and row.value is not None]
    model_free = [row for row in of_target if row.compared != "models"]
    if not model_free:
        return
    best = max(model_free, key=study.agreement)
    value = f"{best.coefficient.capitalize()} {number(best.value or 0.0)}"
    rouge = max((row for row in of_target if row.compared == "models"), key=study.agreement, default=None)
    if rouge is not None:
        value += f"; {rouge.feature}: {number(rouge.value or 0.0)}"
    yield f"{row_name(best)} has the strongest correlation with {target} ({value})."


def _notes(study: ModelFreeStudy, macro: Sequence[FeatureCorrelation], micro: Sequence[FeatureMicro]) -> Iterator[str]:
    """Numbers, directions, and notes on measures; those on features hold for the regression on them, too."""
    counts = sorted({row.n for row in macro})
    summarizers = " to ".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
    yield f"{summarizers} summarizers, {max(row.n + row.undefined for row in micro)} topics."
    reversed_names = dict.fromkeys(row_name(row) for row in macro if row.measure in study.lower_is_better)
    if reversed_names:
        yield f"Lower is better, so good agreement is a negative correlation: {', '.join(reversed_names)}."
    notes: dict[str, str] = {}
    for row in macro:
        if row.feature != REGRESSION:
            name = row.feature if row.stem else f"{row.feature} (unstemmed)"
            notes[name] = study.notes.get(row.measure, "")
    targets = dict.fromkeys(row.with_ for row in macro)
    # A feature is called as its measure on the documents: its own note comes first.
    yield from notes_about({**study.notes, **notes}, [*notes, *targets])


PANELS_IN_A_ROW = 3
_STEM_COLOURS = vl.colours(("stemmed", "unstemmed"))


def draw_model_free(study: ModelFreeStudy) -> Chart:
    """A panel for each part, human score and input; a hollow point is not significant.

    Where lower is better the sign of a correlation is reversed, so that a measure that misleads lies left of 0.

    ROUGE is drawn in every panel, to compare the others with.
    """
    panels = [
        _panel(study, part, target, compared)
        for part, compared in dict.fromkeys((row.part, row.compared) for row in study.macro)
        if compared not in ("models", "both")
        for target in study.targets
    ]
    if not panels:
        raise InputError("there are no correlations to draw")
    columns = min(len(study.targets), PANELS_IN_A_ROW)
    return vl.finished("Model-free measures and human scores", {"concat": panels, "columns": columns})


def _panel(study: ModelFreeStudy, part: str, target: str, compared: str) -> vl.Spec:
    """Points of all features of an input, the strongest first."""
    inputs = (compared, "models", "both") if compared == "average" else (compared, "models")
    shown = [row for row in study.macro if (row.part, row.with_) == (part, target) and row.compared in inputs]
    rows = [_point(row, study) for row in shown if row.value is not None]
    rows.sort(key=lambda row: -row["strength"])
    lowest = min((row["strength"] for row in rows), default=0.0)
    titles = [
        f"{_coefficient(study)} correlation of system means",
        f"higher is better; hollow: p ≥ {_significance(study):.4g}",
    ]
    heading = [vl.label(target), vl.label(f"{compared}, {part}" if part else compared)]
    return vl.panel(
        rows,
        vl.layer("point", {"fill": vl.category("fill", scale=None)}, size=60, strokeWidth=2),
        size=(250, {"step": 20}),
        title={"text": heading, "fontSize": 12, "color": vl.INK},
        x=vl.quantity("strength", title=titles, scale={"domain": [min(0.0, math.floor(lowest * 5) / 5), 1]}),
        y=vl.category("feature", sort=vl.in_order(rows, "feature"), title=None),
        color=vl.category("words", scale=_STEM_COLOURS, legend={"title": None, "symbolFillColor": "transparent"}),
    )


def _point(row: FeatureCorrelation, study: ModelFreeStudy) -> dict[str, Any]:
    """A point: its place, and whether it is filled."""
    value = row.value or 0.0
    colour = vl.COLOURS[0] if row.stem else vl.COLOURS[1]
    is_significant = row.p is not None and row.p < _significance(study)
    return {
        "feature": vl.label(row_name(row)),
        "strength": -value if row.measure in study.lower_is_better else value,
        "words": "stemmed" if row.stem else "unstemmed",
        "fill": colour if is_significant else "transparent",
    }


MODEL_FREE = Presenter(tables=tables, figure=draw_model_free)
