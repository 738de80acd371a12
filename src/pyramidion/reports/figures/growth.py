"""Figures of Owczarzak & Dang 2009: correlations that grow with models or topics, and the spread of split halves."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.studies.growth import GrowthStudy
from pyramidion.studies.growth.samples import Part, Samples, defined_of

HEIGHT = 280


@draw.register
def draw_growth(study: GrowthStudy) -> Chart:
    """For each part a row: a panel for each human score, and the stability of the measures themselves."""
    rows = []
    for part in study.parts:
        targets = dict.fromkeys(column.with_ for column in part.columns)
        panels = [_curves(study, part, target) for target in targets]
        if any(half.drawn for half in part.halves):
            panels.append(_halves(study, part))
        rows.append({"hconcat": panels, "spacing": 40})
    return vl.finished(f"Correlation by number of {study.what}s", {"vconcat": rows, "spacing": 40})


def _curves(study: GrowthStudy, part: Part, target: str) -> vl.Spec:
    """Means as points and lines; the band holds the middle 95 % of the samples."""
    rows = []
    for column in part.columns:
        if column.with_ != target:
            continue
        rows += _spread(column, lower=2.5, upper=97.5)
        if not np.isnan(column.actual):
            full = dict.fromkeys(("value", "lower", "upper"), float(column.actual))
            rows.append({"measure": vl.label(column.measure), "k": column.full, **full})
    y = _correlation(study, f"with {target}", part)
    points = {"y": vl.quantity("value", **y), "shape": vl.category("measure", legend=None)}
    ticks = {"values": sorted(vl.in_order(rows, "k")), "format": "d"}
    return vl.curves(
        rows,
        y,
        vl.layer("point", points, size=44, filled=True),
        band=0.12,
        point=False,
        size=(360, HEIGHT),
        x=vl.quantity("k", title=f"number of {study.what}s", axis=ticks),
        color=_colour(study, part),
    )


def _halves(study: GrowthStudy, part: Part) -> vl.Spec:
    """How the correlations of two disjoint sets spread (Figure 1): five-number boxes."""
    rows = []
    for half in part.halves:
        rows += _spread(half, low=2.5, lower=25, middle=50, upper=75, high=97.5)
    y = _correlation(study, "between two disjoint sets", part)
    return vl.panel(
        rows,
        vl.layer("rule", {"y": vl.quantity("low", **y), "y2": {"field": "high"}}),
        vl.layer("bar", {"y": vl.quantity("lower", **y), "y2": {"field": "upper"}}, size=7),
        vl.layer("tick", {"y": vl.quantity("middle", **y), "color": {"value": "white"}}, size=7, thickness=2),
        size=({"step": 11}, HEIGHT),
        x=vl.category("k", title=f"{study.what}s in each set", axis={"labelAngle": 0}),
        xOffset=vl.category("measure", sort=_names(study, part)),
        color=_colour(study, part),
    )


def _spread(samples: Samples, **percentiles: float) -> list[dict[str, Any]]:
    """A row for each k whose sample has values: their mean, and percentiles by the names given."""
    rows = []
    for k, sample in samples.drawn.items():
        kept = defined_of(sample)
        if len(kept):
            found = map(float, np.percentile(kept, list(percentiles.values())))
            spread = dict(zip(percentiles, found, strict=True))
            rows.append({"measure": vl.label(samples.measure), "k": k, "value": float(kept.mean()), **spread})
    return rows


def _correlation(study: GrowthStudy, of: str, part: Part) -> vl.Spec:
    """Title and scale of the vertical axis."""
    title = [f"{study.coefficient.capitalize()} correlation", vl.label(f"{of}, {part.name}" if part.name else of)]
    return {"title": title, "scale": {"zero": False}}


def _names(study: GrowthStudy, part: Part) -> list[str]:
    """Measures, then human scores whose own stability is shown."""
    return [vl.label(name) for name in dict.fromkeys([*study.measures, *(half.measure for half in part.halves)])]


def _colour(study: GrowthStudy, part: Part) -> vl.Spec:
    legend = {"title": None, "symbolOpacity": 1, "symbolType": "circle", "labelLimit": 260}
    return vl.category("measure", legend=legend, scale=vl.colours(_names(study, part)))
