"""Figures as SVG text, drawn with Altair and rendered without a browser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyramidion.errors import MissingExtraError
from pyramidion.studies import Standing

INK = "#1f2933"
ACCENT = "#0b6e99"


def interval_plot(standings: Sequence[Standing], names: Mapping[str, str]) -> str:
    """Means as dots and their intervals as lines, best first."""
    try:
        import altair as alt
        import vl_convert
    except ImportError:
        raise MissingExtraError("drawing figures", "report") from None
    rows = [
        {
            "summarizer": names.get(standing.summarizer, standing.summarizer),
            "mean": standing.value,
            "lower": standing.value if standing.lower is None else standing.lower,
            "upper": standing.value if standing.upper is None else standing.upper,
        }
        for standing in standings
    ]
    order = [str(row["summarizer"]) for row in rows]
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=alt.Y("summarizer:N", sort=order, title=None))
    scale = alt.Scale(zero=False, nice=True)
    lines = base.mark_rule(color=ACCENT, strokeWidth=2).encode(
        x=alt.X("lower:Q", title=standings[0].measure, scale=scale), x2="upper:Q"
    )
    dots = base.mark_circle(color=ACCENT, size=64, opacity=1).encode(x=alt.X("mean:Q", scale=scale))
    chart = (
        (lines + dots)
        .properties(width=360, height=alt.Step(22))
        .configure_axis(labelColor=INK, titleColor=INK, labelFontSize=12, titleFontSize=12, labelLimit=260)
        .configure_view(stroke=None)
    )
    return str(vl_convert.vegalite_to_svg(chart.to_dict()))
