"""Figures 1–4 of paper 001: heterogeneity against quality, AUC and robustness of each measure and of HBR."""

from __future__ import annotations

from pyramidion.measures.names import parse
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.studies.heterogeneity.study import HeterogeneityStudy

SHADES = {"HBR": vl.INK, "recall": "#0b6e99", "f": "#56b4e9", "precision": "#b9c7d1", "other": "#e69f00"}
"""As in the paper's bars: HBR black, recall and F dark, precision light."""
WIDTH = 360


@draw.register
def draw_heterogeneity(study: HeterogeneityStudy) -> Chart:
    """All four figures: pairs by heterogeneity, then bars of AUC, of robustness, of AUC on consistent topics."""
    topics = study.summary
    consistent = f"(d) AUC on the {topics.consistent} of {topics.n} topics where every measure has AUC > ½"
    auc = _bars(study, "auc", f"(b) AUC against {study.quality}")
    robustness = _bars(study, "robustness", f"(c) robustness (worst {topics.worst:g} % of topics)")
    rows = [[_quality(study), auc], [robustness, _bars(study, "consistent", consistent)]]
    panels = {"vconcat": [{"hconcat": row, "spacing": 50} for row in rows], "spacing": 40}
    return vl.finished("Heterogeneity of measures", panels)


def _quality(study: HeterogeneityStudy) -> vl.Spec:
    rows = [{"h": one.h, "probability": one.probability} for one in study.bins]
    probability = ["P(Q(s) ≥ Q(s′))", vl.label(f"Q = {study.quality}")]
    return vl.panel(
        rows,
        vl.layer("circle", {}, color=vl.ACCENT, size=40, opacity=0.8),
        size=(WIDTH, 300),
        x=vl.quantity("h", title="(a) heterogeneity of the measures that corroborate an increase"),
        y=vl.quantity("probability", title=probability, scale={"zero": False}),
    )


def _bars(study: HeterogeneityStudy, field: str, title: str) -> vl.Spec:
    found = [(one.measure, value) for one in study.aucs if (value := getattr(one, field)) is not None]
    rows = [
        {"measure": vl.label(study.label(measure)), "value": value, "kind": _kind(measure, study)}
        for measure, value in sorted(found, key=lambda one: -one[1])
    ]
    kinds = [kind for kind in SHADES if any(row["kind"] == kind for row in rows)]
    return vl.panel(
        rows,
        vl.layer("bar", {}),
        size=(WIDTH, {"step": 18}),
        x=vl.quantity("value", title=vl.label(title), axis={"titleLimit": 420}),
        y=vl.category("measure", sort=vl.in_order(rows, "measure"), title=None),
        color=vl.category("kind", title=None, scale={"domain": kinds, "range": [SHADES[kind] for kind in kinds]}),
    )


def _kind(measure: str, study: HeterogeneityStudy) -> str:
    kind = "HBR" if measure == study.hbr else parse(measure).statistic
    return kind if kind in SHADES else "other"
