"""Figures of judgments: frequencies as stacked bars (Dang 2006, Table 2), coefficients (Figure 1), agreement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import ACCENT, COLOURS, INK, altair, check_ending, label, write_chart
from pyramidion.studies import Frequencies, JudgmentAgreement, JudgmentFit, JudgmentRegression

COLUMNS = 3


def write_frequencies(frequencies: Frequencies, path: Path) -> None:
    """Stacked bars, one panel a question and one bar a kind of summarizer, as .svg, .png or .html."""
    check_ending(path)
    write_chart(draw_frequencies(frequencies), path)


def draw_frequencies(frequencies: Frequencies, *, columns: int = COLUMNS) -> Any:
    """Stacked bars, one panel a question and one bar a kind of summarizer."""
    alt = altair()
    panels = [_bars(alt, frequencies, question) for question in frequencies.questions]
    chart = alt.concat(*panels, columns=columns)
    scales = {tuple(_values(frequencies, question)) for question in frequencies.questions}
    if len(scales) > 1:  # else one legend serves all panels
        chart = chart.resolve_scale(color="independent")
    return _titled(chart, "Answers by kind of summarizer", frequencies.note)


def _bars(alt: Any, frequencies: Frequencies, question: str) -> Any:
    by_kind = frequencies.of(question)
    values = _values(frequencies, question)
    rows = [
        {
            "kind": f"{kind} (n {one.n})",
            "answer": _value(one.value, one.below),
            "order": order,
            "share": one.share,
            "count": one.count,
        }
        for kind, found in by_kind.items()
        for order, one in enumerate(found)
    ]
    kinds = [f"{kind} (n {found[0].n})" for kind, found in by_kind.items()]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("share:Q", stack="zero", title="share of answers", axis=alt.Axis(format="%"), scale={"domain": [0, 1]}),
        y=alt.Y("kind:N", sort=kinds, title=None),
        order=alt.Order("order:Q"),
    )
    shades = alt.Scale(domain=values, range=_shades(len(values)))
    bars = base.mark_bar(stroke="white", strokeWidth=0.5).encode(
        color=alt.Color("answer:N", sort=values, scale=shades, title="answer")
    )
    return bars.properties(width=230, height=alt.Step(26), title=label(question))


def _values(frequencies: Frequencies, question: str) -> list[str]:
    return [_value(one.value, one.below) for one in next(iter(frequencies.of(question).values()))]


def _value(value: float, below: float | None) -> str:
    """Whole numbers as they are, others (means of assessors, limits of groups) shortened."""
    shown = [f"{one:g}" if float(one).is_integer() else f"{one:.3g}" for one in (value, below) if one is not None]
    return " – ".join(shown)


_LOW, _MIDDLE, _HIGH = (0xB3, 0x58, 0x06), (0xF2, 0xF0, 0xEA), (0x0B, 0x4F, 0x7A)


def _shades(count: int) -> list[str]:
    """From poor (brown) over pale to good (blue): told apart by the colour-blind, and by their order in print."""

    def between(start: tuple[int, ...], end: tuple[int, ...], share: float) -> str:
        return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(start, end, strict=True))

    places = [number / max(count - 1, 1) for number in range(count)]
    return [
        between(_LOW, _MIDDLE, 2 * place) if place < 0.5 else between(_MIDDLE, _HIGH, 2 * place - 1) for place in places
    ]


def write_coefficients(regression: JudgmentRegression, path: Path) -> None:
    """Coefficients with their intervals, all assessors together first, then each, as .svg, .png or .html."""
    check_ending(path)
    write_chart(draw_coefficients(regression), path)


def draw_coefficients(regression: JudgmentRegression, fits: Sequence[JudgmentFit] | None = None) -> Any:
    """Coefficients with their intervals, one panel a fit.

    Args:
        regression: the fits, on one scale.
        fits: those of them to draw; by default all assessors together first, then each.
    """
    alt = altair()
    fitted = [fit for fit in (regression.pooled, *regression.fits[:-1]) if not fit.reason]
    drawn = [fit for fit in fitted if fits is None or fit in fits]
    if not drawn:
        raise InputError(f"no regression could be fitted, so there is none to draw: {regression.pooled.reason}")
    told = [one for fit in fitted for one in fit.coefficients[1:] if one.lower is not None and one.upper is not None]
    limits = [number for one in told for number in (one.lower, one.upper) if number is not None]
    domain = [min([0.0, *limits]), max([0.0, *limits])]
    panels = [_coefficients(alt, regression, fit, domain) for fit in drawn]
    title = f"What explains {regression.target}: β with {regression.confidence:g} % intervals"
    return _titled(alt.concat(*panels, columns=COLUMNS), title, regression.note)


def _coefficients(alt: Any, regression: JudgmentRegression, fit: JudgmentFit, domain: list[float]) -> Any:
    rows = [
        {
            "term": label(one.term),
            "beta": one.beta,
            "lower": one.lower,
            "upper": one.upper,
            "significant": "yes" if one.significant else "no",
        }
        for one in fit.coefficients[1:]
        if one.beta is not None
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("term:N", sort=[label(term) for term in regression.on], title=None)
    )
    scale = alt.Scale(domain=domain, nice=True)
    zero = alt.Chart(alt.InlineData(values=[{"zero": 0}])).mark_rule(color=INK, opacity=0.4).encode(x="zero:Q")
    lines = base.mark_rule(color=ACCENT, strokeWidth=2).encode(x=alt.X("lower:Q", title="β", scale=scale), x2="upper:Q")
    fill = alt.condition("datum.significant == 'yes'", alt.value(ACCENT), alt.value("white"))
    dots = base.mark_point(size=64, filled=True, stroke=ACCENT, strokeWidth=2, opacity=1).encode(
        x=alt.X("beta:Q", scale=scale), fill=fill
    )
    who = "all assessors" if fit.pooled else label(fit.assessor or "(no name)")
    title = f"{who}: R² {fit.r_squared:.4f}, n {fit.n}"
    return (zero + lines + dots).properties(width=200, height=alt.Step(24), title=title)


def write_alphas(agreement: JudgmentAgreement, path: Path) -> None:
    """Krippendorff's α of every question with its interval, by metric, as .svg, .png or .html."""
    check_ending(path)
    write_chart(draw_alphas(agreement), path)


def draw_alphas(agreement: JudgmentAgreement, *, landmarks: Sequence[float] = ()) -> Any:
    """Krippendorff's α of every question with its interval, by metric; landmarks are drawn as broken lines."""
    alt = altair()
    rows = [
        {
            "question": label(one.question),
            "metric": one.alpha.metric,
            "alpha": one.alpha.value,
            "lower": one.alpha.value if math.isnan(one.alpha.lower) else one.alpha.lower,
            "upper": one.alpha.value if math.isnan(one.alpha.upper) else one.alpha.upper,
        }
        for one in agreement.alphas
        if not one.alpha.reason
    ]
    if not rows:
        raise InputError("there is no α to draw: no summary was judged by two assessors, or all answers are the same")
    questions = list(dict.fromkeys(str(row["question"]) for row in rows))
    metrics = list(dict.fromkeys(str(row["metric"]) for row in rows))
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("question:N", sort=questions, title=None),
        yOffset=alt.YOffset("metric:N", sort=metrics),
        color=alt.Color("metric:N", sort=metrics, scale=alt.Scale(domain=metrics, range=list(COLOURS[: len(metrics)]))),
    )
    lines = base.mark_rule(strokeWidth=2).encode(x=alt.X("lower:Q", title="Krippendorff’s α"), x2="upper:Q")
    dots = base.mark_circle(size=64, opacity=1).encode(x="alpha:Q")
    marks = alt.Chart(alt.InlineData(values=[{"mark": mark} for mark in landmarks]))
    broken = [marks.mark_rule(color=INK, opacity=0.5, strokeDash=[4, 3]).encode(x="mark:Q")] if landmarks else []
    chart = alt.layer(*broken, lines, dots).properties(width=360, height=alt.Step(16))
    title = f"Agreement between assessors, {agreement.confidence:g} % intervals"
    return _titled(chart, title, agreement.note)


def _titled(chart: Any, title: str, note: str) -> Any:
    return chart.properties(title=label(f"{title} ({note})" if note else title))
