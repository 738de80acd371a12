"""Figures of Owczarzak & Dang 2009: correlations that grow with models or topics, and the spread of split halves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.reports.figures.base import COLOURS, altair, label, write_chart
from pyramidion.studies import GrowthStudy


def draw_growth(studies: Mapping[str, GrowthStudy]) -> Any:
    """For each part a row: one figure for each reference, and the stability of the measures themselves."""
    alt = altair()
    rows = [
        alt.hconcat(
            *(_curves(part, study, reference) for reference in study.references),
            *([_halves(part, study)] if any(study.halves.values()) else []),
            spacing=40,
        )
        for part, study in studies.items()
    ]
    return alt.vconcat(*rows, spacing=40)


def write_growth(studies: Mapping[str, GrowthStudy], path: Path) -> None:
    """The figures as .svg, .png or .html."""
    write_chart(draw_growth(studies), path, title="Correlations by numbers of models or topics")


def _curves(part: str, study: GrowthStudy, reference: str) -> Any:
    """Means as points and lines; the band holds the middle 95 % of the draws."""
    alt = altair()
    rows = []
    for column in study.columns:
        if column.reference != reference:
            continue
        for k, sample in column.drawn.items():
            defined = sample[~np.isnan(sample)]
            if len(defined):
                lower, upper = np.percentile(defined, [2.5, 97.5])
                rows.append(_row(column.measure, k, float(defined.mean()), float(lower), float(upper)))
        if not np.isnan(column.actual):
            rows.append(_row(column.measure, column.full, column.actual, column.actual, column.actual))
    whose = f", {part}" if part else ""
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("k:Q", title=f"number of {study.study}", axis=_numbers(rows)),
        color=_colour(study),
    )
    scale = alt.Scale(zero=False)
    title = alt.Y("mean:Q", title=label(f"{study.coefficient} with {reference}{whose}"), scale=scale)
    band = base.mark_area(opacity=0.12).encode(y=alt.Y("lower:Q", scale=scale), y2="upper:Q")
    lines = base.mark_line(strokeWidth=2).encode(y=title)
    points = base.mark_point(size=44, filled=True).encode(y=title, shape=alt.Shape("measure:N", legend=None))
    return (band + lines + points).properties(width=360, height=280)


def _halves(part: str, study: GrowthStudy) -> Any:
    """How the correlations of two disjoint sets spread (Figure 1): five-number boxes."""
    alt = altair()
    rows = []
    for measure, samples in study.halves.items():
        for k, sample in samples.items():
            defined = sample[~np.isnan(sample)]
            if len(defined):
                five = np.percentile(defined, [2.5, 25, 50, 75, 97.5])
                rows.append({"measure": label(measure), "k": k, **dict(zip("abcde", map(float, five), strict=True))})
    whose = f", {part}" if part else ""
    title = label(f"{study.coefficient} of two disjoint sets{whose}")
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("k:O", title=f"{study.study} in each set", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("measure:N", sort=_names(study)),
        color=_colour(study),
    )
    scale = alt.Scale(zero=False)
    whiskers = base.mark_rule().encode(y=alt.Y("a:Q", title=title, scale=scale), y2="e:Q")
    boxes = base.mark_bar(size=7).encode(y=alt.Y("b:Q", scale=scale), y2="d:Q")
    middle = base.mark_tick(color="white", size=7, thickness=2).encode(
        y=alt.Y("c:Q", scale=scale), color=alt.value("white")
    )
    return (whiskers + boxes + middle).properties(width=alt.Step(11), height=280)


def _row(measure: str, k: int, mean: float, lower: float, upper: float) -> dict[str, Any]:
    return {"measure": label(measure), "k": k, "mean": mean, "lower": lower, "upper": upper}


def _numbers(rows: list[dict[str, Any]]) -> Any:
    """Ticks only at numbers that there are."""
    return altair().Axis(values=sorted({row["k"] for row in rows}), format="d")


def _names(study: GrowthStudy) -> list[str]:
    """Measures, then references whose own stability is shown."""
    return [label(name) for name in dict.fromkeys([*study.measures, *study.halves])]


def _colour(study: GrowthStudy) -> Any:
    alt = altair()
    names = _names(study)
    return alt.Color(
        "measure:N",
        legend=alt.Legend(title=None, symbolOpacity=1, symbolType="circle", labelLimit=260),
        scale=alt.Scale(domain=names, range=[COLOURS[number % len(COLOURS)] for number in range(len(names))]),
    )
