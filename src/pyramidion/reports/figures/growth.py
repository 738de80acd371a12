"""Figures of Owczarzak & Dang 2009: correlations that grow with models or topics, and the spread of split halves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.reports.figures import vegalite as vl
from pyramidion.reports.figures.chart import Chart
from pyramidion.studies import GrowthStudy

HEIGHT = 280


def draw_growth(studies: Mapping[str, GrowthStudy]) -> Chart:
    """For each part a row: a panel for each human score, and the stability of the measures themselves."""
    rows = []
    for part, study in studies.items():
        panels = [_curves(part, study, reference) for reference in study.references]
        if any(study.halves.values()):
            panels.append(_halves(part, study))
        rows.append({"hconcat": panels, "spacing": 40})
    counted = _counted(next(iter(studies.values())))
    return vl.finished(f"Correlation by number of {counted}", {"vconcat": rows, "spacing": 40})


def _curves(part: str, study: GrowthStudy, reference: str) -> vl.Spec:
    """Means as points and lines; the band holds the middle 95 % of the samples."""
    columns = [column for column in study.columns if column.reference == reference]
    rows = []
    for column in columns:
        rows += _spread(column.measure, column.drawn, lower=2.5, upper=97.5)
        if not np.isnan(column.actual):
            full = dict.fromkeys(("value", "lower", "upper"), float(column.actual))
            rows.append({"measure": vl.label(column.measure), "k": column.full, **full})
    y = _correlation(study, f"with {reference}", part)
    points = {"y": vl.quantity("value", **y), "shape": vl.category("measure", legend=None)}
    ticks = {"values": sorted(vl.in_order(rows, "k")), "format": "d"}
    return vl.curves(
        rows,
        y,
        vl.layer("point", points, size=44, filled=True),
        band=0.12,
        point=False,
        size=(360, HEIGHT),
        x=vl.quantity("k", title=f"number of {_counted(study)}", axis=ticks),
        color=_colour(study),
    )


def _halves(part: str, study: GrowthStudy) -> vl.Spec:
    """How the correlations of two disjoint sets spread (Figure 1): five-number boxes."""
    rows = []
    for measure, samples in study.halves.items():
        rows += _spread(measure, samples, low=2.5, lower=25, middle=50, upper=75, high=97.5)
    y = _correlation(study, "between two disjoint sets", part)
    return vl.panel(
        rows,
        vl.layer("rule", {"y": vl.quantity("low", **y), "y2": {"field": "high"}}),
        vl.layer("bar", {"y": vl.quantity("lower", **y), "y2": {"field": "upper"}}, size=7),
        vl.layer("tick", {"y": vl.quantity("middle", **y), "color": {"value": "white"}}, size=7, thickness=2),
        size=({"step": 11}, HEIGHT),
        x=vl.category("k", title=f"{_counted(study)} in each set", axis={"labelAngle": 0}),
        xOffset=vl.category("measure", sort=_names(study)),
        color=_colour(study),
    )


def _spread(measure: str, samples: Mapping[int, Floats], **percentiles: float) -> list[dict[str, Any]]:
    """A row for each k whose sample has values: their mean, and percentiles by the names given."""
    rows = []
    for k, sample in samples.items():
        kept = sample[~np.isnan(sample)]
        if len(kept):
            found = map(float, np.percentile(kept, list(percentiles.values())))
            spread = dict(zip(percentiles, found, strict=True))
            rows.append({"measure": vl.label(measure), "k": k, "value": float(kept.mean()), **spread})
    return rows


def _correlation(study: GrowthStudy, of: str, part: str) -> vl.Spec:
    """Title and scale of the vertical axis."""
    title = [f"{study.coefficient.capitalize()} correlation", vl.label(f"{of}, {part}" if part else of)]
    return {"title": title, "scale": {"zero": False}}


def _counted(study: GrowthStudy) -> str:
    return "references" if study.study == "models" else study.study


def _names(study: GrowthStudy) -> list[str]:
    """Measures, then references whose own stability is shown."""
    return [vl.label(name) for name in dict.fromkeys([*study.measures, *study.halves])]


def _colour(study: GrowthStudy) -> vl.Spec:
    legend = {"title": None, "symbolOpacity": 1, "symbolType": "circle", "labelLimit": 260}
    return vl.category("measure", legend=legend, scale=vl.colours(_names(study)))
