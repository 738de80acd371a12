"""Every two measures of a report, correlated at system level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyramidion.reports.context import Context
from pyramidion.reports.figures.correlations import draw_matrix
from pyramidion.reports.section import Column, Figure, Section, Table
from pyramidion.reports.sections.correlations_people import FEW_MEASURES
from pyramidion.reports.sections.studied import notes_of
from pyramidion.reports.wording import noted, number
from pyramidion.statistics.correlation.coefficients import Coefficient
from pyramidion.studies.correlations.correlations import correlate
from pyramidion.studies.correlations.pairs import Correlation

MOST_IN_MATRIX = 40


def matrix(context: Context) -> Section:
    """Correlations of every two measures at system level."""
    chosen = context.measures[:MOST_IN_MATRIX]
    few = len(chosen) <= FEW_MEASURES
    coefficients: tuple[Coefficient, ...] = ("pearson", "spearman") if few else ("pearson",)
    found = correlate(context.table, measures=chosen, coefficients=coefficients, confidence=context.confidence)
    said = "; ".join(dict.fromkeys(found.notes.values()))
    pearson = [one for one in found.correlations if one.coefficient == "pearson"]
    figures = [
        Figure(
            id=f"correlations-matrix-{coefficient}",
            caption=noted(f"{coefficient.capitalize()} correlation of every two measures, system level", said),
            alt="Squares, blue where two measures go together and orange where they go against each other. "
            + " ".join(_closest(pearson)),
            chart=draw_matrix(
                replace(found, correlations=tuple(one for one in found.correlations if one.coefficient == coefficient)),
                numbers=few,
            ),
            group="shown as",
            choice=coefficient.capitalize(),
        )
        for coefficient in coefficients
    ]
    values = {frozenset((one.measure, one.with_)): one.value for one in pearson}
    table = Table(
        id="correlations-matrix-table",
        caption=noted("Pearson correlation of every two measures, system level", said),
        columns=(Column(name="measure", align="left"), *(Column(name=name, digits=2) for name in chosen)),
        rows=[
            [row, *(1.0 if row == column else values[frozenset((row, column))] for column in chosen)] for row in chosen
        ],
        group="shown as",
        choice="Pearson as a table",
    )
    notes = [*notes_of(found.notes, chosen)]
    if len(context.measures) > MOST_IN_MATRIX:
        notes.append(f"Of {len(context.measures)} measures the first {MOST_IN_MATRIX} are shown.")
    return Section(
        id="correlations-matrix",
        title="Every two measures",
        sentences=tuple(_closest(pearson)),
        blocks=(*figures, table),
        commands=(context.command("correlate", "--matrix", measures=chosen),),
        notes=tuple(notes),
    )


def _closest(correlations: Sequence[Correlation]) -> list[str]:
    """Which measures say nearly the same, and which least."""
    told = [one for one in correlations if one.value is not None]
    if not told:
        return ["No correlation of two measures is defined."]
    most = max(told, key=lambda one: abs(one.value or 0.0))
    least = min(told, key=lambda one: abs(one.value or 0.0))
    turned = ", the other way round," if (most.value or 0.0) < 0 else ""
    said = [f"{most.measure} and {most.with_} say{turned} nearly the same (Pearson {number(most.value or 0.0)})."]
    if abs(most.value or 0.0) < 0.9:
        said = [f"Closest are {most.measure} and {most.with_} (Pearson {number(most.value or 0.0)})."]
    if len(told) > 1:
        said.append(f"{least.measure} and {least.with_} go together least ({number(least.value or 0.0)}).")
    return said
