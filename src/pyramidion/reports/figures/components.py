"""Where the variance of judgments comes from: a dot with its interval for each component, and its share of all."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.present import vegalite as vl
from pyramidion.show.wording import percent
from pyramidion.studies.comparison.assessors import ComponentRow

WIDTH = 300
WIDEST = 3.0
"""Intervals end at this many times the largest component; one that goes on is said to."""


def components_panel(components: Sequence[ComponentRow]) -> vl.Spec:
    """The largest component first; the error of single runs is part of `error`, and has no share of its own."""
    total = sum(one.value or 0.0 for one in components if one.term != "run")
    ranked = sorted((one for one in components if one.value is not None), key=lambda one: -(one.value or 0.0))
    widest = WIDEST * (ranked[0].value or 0.0)
    rows = []
    for one in ranked:
        share = percent((one.value or 0.0) / total) if total and one.term != "run" else ""
        cut = one.upper is not None and one.upper > widest > 0
        upper = widest if cut else one.upper
        text = f"{share} (up to {one.upper:.2g})" if cut else share
        rows.append(vl.interval(one.term.replace(":", " × "), one.value or 0.0, one.lower, upper, share=text))
    title = f"{components[0].measure}: variance of a single judgment, with {components[0].confidence:g} % intervals"
    axis = {"title": vl.label(title), "scale": {"zero": True, "nice": True}, "axis": {"tickCount": 6}}
    return vl.intervals(rows, axis, vl.beside("share", WIDTH), size=(WIDTH, {"step": 22}))
