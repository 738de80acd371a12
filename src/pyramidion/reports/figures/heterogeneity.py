"""Figures 1–4 of paper 001: heterogeneity against quality, AUC and robustness of each measure and of HBR."""

from __future__ import annotations

from collections.abc import Callable

from pyramidion.measures import parse
from pyramidion.reports.figures.base import (
    ACCENT,
    INK,
    Chart,
    Rows,
    Spec,
    category,
    finished,
    in_order,
    label,
    layer,
    quantity,
)
from pyramidion.studies import HeterogeneityStudy, MeasureAuc

SHADES = {"HBR": INK, "recall": "#0b6e99", "f": "#56b4e9", "precision": "#b9c7d1", "other": "#e69f00"}
"""As in the paper's bars: HBR black, recall and F dark, precision light."""
WIDTH = 360


def draw_heterogeneity(study: HeterogeneityStudy) -> Chart:
    """All four figures: pairs by heterogeneity, then bars of AUC, of robustness, of AUC on consistent topics."""
    worst = f"mean rank in the worst {study.worst:.0%} of topics"
    consistent = f"AUC on the {study.consistent} of {study.topics} topics where every measure has AUC > ½"
    rows = [
        [_quality(study), _bars(study, lambda one: one.auc, f"AUC against {study.quality}")],
        [
            _bars(study, lambda one: one.robustness, worst),
            _bars(study, lambda one: one.on_consistent_topics, consistent),
        ],
    ]
    return finished("Heterogeneity", {"vconcat": [{"hconcat": row, "spacing": 50} for row in rows], "spacing": 40})


def _quality(study: HeterogeneityStudy) -> Spec:
    rows = [{"h": one.h, "probability": one.probability} for one in study.bins]
    encoding = {
        "x": quantity("h", title="heterogeneity of the measures that corroborate the increase"),
        "y": quantity("probability", title="P(Q(s) ≥ Q(s′))", scale={"zero": False}),
    }
    dots = layer("circle", encoding, color=ACCENT, size=40, opacity=0.8)
    return {"data": {"values": rows}, **dots, "width": WIDTH, "height": 300}


def _bars(study: HeterogeneityStudy, value: Callable[[MeasureAuc], float | None], title: str) -> Spec:
    rows: Rows = [
        {
            "measure": label("HBR" if one.measure == study.hbr else one.measure),
            "value": shown,
            "kind": _kind(one.measure, study),
        }
        for one in study.aucs
        if (shown := value(one)) is not None
    ]
    rows.sort(key=lambda row: -row["value"])
    kinds = [kind for kind in SHADES if any(row["kind"] == kind for row in rows)]
    encoding = {
        "x": quantity("value", title=label(title), axis={"titleLimit": 420}),
        "y": category("measure", sort=in_order(rows, "measure"), title=None),
        "color": category("kind", title=None, scale={"domain": kinds, "range": [SHADES[kind] for kind in kinds]}),
    }
    return {"data": {"values": rows}, **layer("bar", encoding), "width": WIDTH, "height": {"step": 18}}


def _kind(measure: str, study: HeterogeneityStudy) -> str:
    if measure == study.hbr:
        return "HBR"
    statistic = parse(measure).statistic
    return statistic if statistic in SHADES else "other"
