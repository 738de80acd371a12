"""Correlations of measures with one of them, as dots with intervals: one row a measure, one colour a level."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import COLOURS, INK, altair, label, write_chart
from pyramidion.studies import Correlation, Correlations


def write_correlations(correlations: Correlations, path: Path) -> None:
    """A panel for each measure correlated with and each coefficient, as .svg, .png or self-contained .html."""
    groups: dict[tuple[str, str], list[Correlation]] = {}
    for one in correlations.correlations:
        groups.setdefault((one.with_, one.coefficient), []).append(one)
    panels = [draw_correlations(found, note=correlations.notes.get(with_, "")) for (with_, _), found in groups.items()]
    if not panels:
        raise InputError("there is no correlation to draw")
    write_chart(altair().vconcat(*panels), path, title="Correlations")


def draw_correlations(correlations: Sequence[Correlation], *, note: str = "") -> Any:
    """Correlations of several measures with the same one by the same coefficient, in the order given."""
    alt = altair()
    rows: list[dict[str, Any]] = [
        {
            "measure": label(one.measure),
            "level": f"{one.level} level",
            "value": one.value,
            "lower": one.value if one.lower is None else one.lower,
            "upper": one.value if one.upper is None else one.upper,
        }
        for one in correlations
        if one.value is not None
    ]
    measures = list(dict.fromkeys(label(one.measure) for one in correlations))
    levels = list(dict.fromkeys(str(row["level"]) for row in rows))
    title = f"{correlations[0].coefficient.capitalize()} correlation with {correlations[0].with_}"
    lowest, highest = min([0.0, *(row["lower"] for row in rows)]), max([0.0, *(row["upper"] for row in rows)])
    scale = alt.Scale(domain=[lowest, highest], nice=True)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("measure:N", sort=measures, title=None),
        yOffset=alt.YOffset("level:N", sort=levels),
        color=alt.Color(
            "level:N",
            sort=levels,
            title=None,
            scale=alt.Scale(domain=levels, range=list(COLOURS[: len(levels)])),
        ),
    )
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color=INK, opacity=0.4).encode(x="zero:Q")
    lines = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("lower:Q", title=label(f"{title} ({note})" if note else title), scale=scale), x2="upper:Q"
    )
    dots = base.mark_circle(size=64, opacity=1).encode(x=alt.X("value:Q", scale=scale))
    return (zero + lines + dots).properties(width=460, height=alt.Step(13))
