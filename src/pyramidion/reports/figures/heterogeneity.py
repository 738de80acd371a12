"""Figures 1–4 of paper 001: heterogeneity against quality, AUC and robustness of each measure beside HBR."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyramidion.measures.names import parse
from pyramidion.reports.figures.base import ACCENT, INK, altair, label, write_chart
from pyramidion.studies import HeterogeneityStudy, MeasureAuc

SHADES = {"HBR": INK, "recall": "#0b6e99", "f": "#56b4e9", "precision": "#b9c7d1", "other": "#e69f00"}
"""As in the paper's bars: HBR black, recall and F dark, precision light."""


def draw_heterogeneity(study: HeterogeneityStudy) -> Any:
    """All four figures: pairs by heterogeneity, then bars of AUC, of robustness, of AUC on consistent topics."""
    alt = altair()
    worst = f"mean rank in the worst {study.worst:.0%} of topics"
    consistent = f"AUC on the {study.consistent} of {study.topics} topics where every measure has AUC > ½"
    bars = [
        _bars(study, lambda one: one.auc, f"AUC against {study.quality}"),
        _bars(study, lambda one: one.robustness, worst),
        _bars(study, lambda one: one.on_consistent_topics, consistent),
    ]
    return alt.vconcat(
        alt.hconcat(_quality(study), bars[0], spacing=50), alt.hconcat(*bars[1:], spacing=50), spacing=40
    )


def write_heterogeneity(study: HeterogeneityStudy, path: Path) -> None:
    """The four figures as .svg, .png or .html."""
    write_chart(draw_heterogeneity(study), path, title="Heterogeneity")


def _quality(study: HeterogeneityStudy) -> Any:
    alt = altair()
    rows = [{"h": one.h, "probability": one.probability} for one in study.bins]
    return (
        alt.Chart(alt.InlineData(values=rows))
        .mark_circle(color=ACCENT, size=40, opacity=0.8)
        .encode(
            x=alt.X("h:Q", title="heterogeneity of the measures that corroborate the increase"),
            y=alt.Y("probability:Q", title="P(Q(s) ≥ Q(s′))", scale=alt.Scale(zero=False)),
        )
        .properties(width=360, height=300)
    )


def _bars(study: HeterogeneityStudy, value: Callable[[MeasureAuc], float | None], title: str) -> Any:
    alt = altair()
    rows: list[dict[str, Any]] = [
        {"measure": label(_short(one.measure, study)), "value": shown, "kind": _kind(one.measure, study)}
        for one in study.aucs
        if (shown := value(one)) is not None
    ]
    rows.sort(key=lambda row: -row["value"])
    kinds = [kind for kind in SHADES if any(row["kind"] == kind for row in rows)]
    return (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("value:Q", title=label(title), axis=alt.Axis(titleLimit=420)),
            y=alt.Y("measure:N", sort=[row["measure"] for row in rows], title=None),
            color=alt.Color(
                "kind:N", title=None, scale=alt.Scale(domain=kinds, range=[SHADES[kind] for kind in kinds])
            ),
        )
        .properties(width=360, height=alt.Step(18))
    )


def _short(measure: str, study: HeterogeneityStudy) -> str:
    return "HBR" if measure == study.hbr else measure


def _kind(measure: str, study: HeterogeneityStudy) -> str:
    if measure == study.hbr:
        return "HBR"
    statistic = parse(measure).statistic
    return statistic if statistic in SHADES else "other"
