"""Correlations: dots with intervals, every two measures as a matrix, and tests between measures as a heat map."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from pyramidion.errors import InputError, UsageError, mention
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.present.scatter import draw_scatter
from pyramidion.show.tables import Column, grouped
from pyramidion.studies.correlations.correlations import Correlations
from pyramidion.studies.correlations.pairs import Correlation
from pyramidion.studies.correlations.parts import PartCorrelations
from pyramidion.studies.correlations.tests import CorrelationTest

_PANELS_IN_A_ROW = 2
FEW_MEASURES = 15
"""Up to this many, squares have p values in them."""


@draw.register
def _(correlations: PartCorrelations) -> Chart:
    """Groups of topics are drawn one by one."""
    one = next(iter(correlations.parts))
    raise UsageError(
        f"a figure shows one group of topics: choose it by {mention('where', {correlations.by: one})}, without `by=`"
    )


@draw.register
def _(correlations: Correlations) -> Chart:
    """What the options ask for."""
    if correlations.options.matrix:
        return draw_matrix(correlations)
    drawn = correlations.options.draw or ("tests" if correlations.options.test else "scatter")
    return {"tests": draw_tests, "intervals": draw_correlations, "scatter": draw_scatter}[drawn](correlations)


def draw_correlations(correlations: Correlations) -> Chart:
    """Dots with intervals: a panel for each measure correlated with and each coefficient, a colour for each level."""
    panels = [_dots(found, correlations.notes.get(found[0].with_)) for found in _groups(correlations, "with_")]
    return vl.finished("Correlations", {"vconcat": panels} if len(panels) > 1 else panels[0])


def draw_tests(correlations: Correlations) -> Chart:
    """Who beats whom: the row's measure against the column's, a panel for each target, level and coefficient."""
    groups = grouped(
        (one for one in correlations.tests if one.p_adjusted is not None),
        lambda one: (one.with_, one.level, one.coefficient),
    )
    if not groups:
        raise InputError("there are no tests to draw")
    panels = [_verdicts(correlations, tests) for tests in groups.values()]
    return vl.finished("Tests between measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def draw_matrix(correlations: Correlations) -> Chart:
    """Correlations of every two measures as coloured squares, a panel for each level and coefficient."""
    panels = [_squares(found) for found in _groups(correlations, "level")]
    return vl.finished("Correlations between measures", {"concat": panels, "columns": _PANELS_IN_A_ROW})


def _groups(correlations: Correlations, field: str) -> list[list[Correlation]]:
    """Those of the same coefficient that have the same in a field."""
    groups = grouped(correlations.correlations, attrgetter(field, "coefficient"))
    if not groups:
        raise InputError("there are no correlations to draw")
    return list(groups.values())


def _dots(correlations: Sequence[Correlation], note: str | None) -> vl.Spec:
    rows = [
        vl.interval(one.measure, one.value, one.lower, one.upper, group=f"{one.level} level")
        for one in correlations
        if one.value is not None
    ]
    domain = [min([0.0, *(row["lower"] for row in rows)]), max([0.0, *(row["upper"] for row in rows)])]
    title = vl.noted(f"{correlations[0].coefficient.capitalize()} correlation with {correlations[0].with_}", note)
    axis = {"title": title, "scale": {"domain": domain, "nice": True}}
    return vl.intervals(rows, axis, size=(460, {"step": 13}), under=[vl.zero_rule()])


_VERDICTS = {"better": vl.COLOURS[0], "worse": vl.COLOURS[1], "not significant": "#e4e7eb"}


def _verdicts(correlations: Correlations, tests: Sequence[CorrelationTest]) -> vl.Spec:
    first = tests[0]
    ranked = correlations.ranked(first.with_, level=first.level, coefficient=first.coefficient)
    order = [vl.label(one.measure) for one in ranked]
    significance = 1 - correlations.options.confidence / 100
    rows = []
    for test in tests:
        better = test.better(significance)
        p = Column("p", digits=test.decimals).shown(test.p_adjusted)
        for row, column in ((test.first, test.second), (test.second, test.first)):
            verdict = "not significant" if not better else "better" if better == row else "worse"
            rows.append({"row": vl.label(row), "column": vl.label(column), "verdict": verdict, "text": p})
    scale = {"domain": list(_VERDICTS), "range": list(_VERDICTS.values())}
    colour = vl.category("verdict", scale=scale, legend={"title": "row compared with column"})
    strong = "datum.verdict !== 'not significant'" if len(order) <= FEW_MEASURES else ""
    corrected = "Holm-corrected p" if len(tests) > 1 else "p"
    title = vl.label(f"{first.coefficient.capitalize()} with {first.with_}, {first.level} level ({corrected})")
    return vl.squares(rows, colour, order=order, step=52, angle=-90, strong=strong, title=title)


def _squares(correlations: Sequence[Correlation]) -> vl.Spec:
    order = list(dict.fromkeys(vl.label(name) for one in correlations for name in (one.measure, one.with_)))
    rows: list[dict[str, str | float | None]]
    rows = [{"row": name, "column": name, "value": 1.0, "text": "1"} for name in order]
    for one in correlations:
        text = "–" if one.value is None else f"{one.value:.2f}"
        for row, column in ((one.measure, one.with_), (one.with_, one.measure)):
            rows.append({"row": vl.label(row), "column": vl.label(column), "value": one.value, "text": text})
    scale = {"domain": [-1, 0, 1], "range": [vl.COLOURS[1], "#ffffff", vl.COLOURS[0]], "interpolate": "rgb"}
    colour = vl.quantity("value", scale=scale, legend=None)
    title = f"{correlations[0].coefficient.capitalize()}, {correlations[0].level} level"
    return vl.squares(rows, colour, order=order, step=44, angle=-40, strong="abs(datum.value) > 0.7", title=title)
