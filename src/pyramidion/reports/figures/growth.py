"""Figures of Owczarzak & Dang 2009: correlations that grow with models or topics, and the spread of split halves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.reports.figures.base import (
    Chart,
    Rows,
    Spec,
    category,
    colours,
    curves,
    finished,
    in_order,
    label,
    layer,
    quantity,
)
from pyramidion.studies import GrowthStudy

HEIGHT = 280


def draw_growth(studies: Mapping[str, GrowthStudy]) -> Chart:
    """For each part a row: one figure for each reference, and the stability of the measures themselves."""
    rows = []
    for part, study in studies.items():
        panels = [_curves(part, study, reference) for reference in study.references]
        if any(study.halves.values()):
            panels.append(_halves(part, study))
        rows.append({"hconcat": panels, "spacing": 40})
    return finished("Correlations by numbers of models or topics", {"vconcat": rows, "spacing": 40})


def _curves(part: str, study: GrowthStudy, reference: str) -> Spec:
    """Means as points and lines; the band holds the middle 95 % of the draws."""
    rows: Rows = []
    for column in study.columns:
        if column.reference != reference:
            continue
        for k, sample in column.drawn.items():
            kept = sample[~np.isnan(sample)]
            if len(kept):
                rows.append(
                    _row(column.measure, k, value=float(kept.mean()), **_percentiles(kept, lower=2.5, upper=97.5))
                )
        if not np.isnan(column.actual):
            actual = float(column.actual)
            rows.append(_row(column.measure, column.full, value=actual, lower=actual, upper=actual))
    title = label(f"{study.coefficient} with {reference}{f', {part}' if part else ''}")
    ticks = {"values": sorted(in_order(rows, "k")), "format": "d"}
    k = quantity("k", title=f"number of {study.study}", axis=ticks)
    y = {"title": title, "scale": {"zero": False}}
    panel = curves(rows, k, y, colour=_colour(study), band=0.12, point=False)
    points = {"y": quantity("value", **y), "shape": category("measure", legend=None)}
    panel["layer"].append(layer("point", points, size=44, filled=True))
    return {**panel, "width": 360, "height": HEIGHT}


def _halves(part: str, study: GrowthStudy) -> Spec:
    """How the correlations of two disjoint sets spread (Figure 1): five-number boxes."""
    rows: Rows = []
    for measure, samples in study.halves.items():
        for k, sample in samples.items():
            kept = sample[~np.isnan(sample)]
            if len(kept):
                rows.append(_row(measure, k, **_percentiles(kept, low=2.5, lower=25, middle=50, upper=75, high=97.5)))
    title = label(f"{study.coefficient} of two disjoint sets{f', {part}' if part else ''}")
    y = {"title": title, "scale": {"zero": False}}
    return {
        "data": {"values": rows},
        "encoding": {
            "x": {"field": "k", "type": "ordinal", "title": f"{study.study} in each set", "axis": {"labelAngle": 0}},
            "xOffset": category("measure", sort=_names(study)),
            "color": _colour(study),
        },
        "layer": [
            layer("rule", {"y": quantity("low", **y), "y2": {"field": "high"}}),
            layer("bar", {"y": quantity("lower", **y), "y2": {"field": "upper"}}, size=7),
            layer("tick", {"y": quantity("middle", **y), "color": {"value": "white"}}, size=7, thickness=2),
        ],
        "width": {"step": 11},
        "height": HEIGHT,
    }


def _row(measure: str, k: int, **values: float) -> dict[str, Any]:
    return {"measure": label(measure), "k": int(k), **values}


def _percentiles(sample: Floats, **wanted: float) -> dict[str, float]:
    return dict(zip(wanted, map(float, np.percentile(sample, list(wanted.values()))), strict=True))


def _names(study: GrowthStudy) -> list[str]:
    """Measures, then references whose own stability is shown."""
    return [label(name) for name in dict.fromkeys([*study.measures, *study.halves])]


def _colour(study: GrowthStudy) -> Spec:
    legend = {"title": None, "symbolOpacity": 1, "symbolType": "circle", "labelLimit": 260}
    return category("measure", legend=legend, scale=colours(_names(study)))
