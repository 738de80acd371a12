"""Figures of judgments: frequencies as stacked bars (Dang 2006, Table 2), coefficients (Figure 1), agreement."""

from __future__ import annotations

from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.reports.figures.base import (
    ACCENT,
    INK,
    Chart,
    Spec,
    category,
    either,
    finished,
    in_order,
    interval,
    intervals,
    label,
    layer,
    noted,
    quantity,
    rules,
    zero_rule,
)
from pyramidion.studies import Frequencies, JudgmentAgreement, JudgmentFit, JudgmentRegression

COLUMNS = 3
_LOW, _MIDDLE, _HIGH = (0xB3, 0x58, 0x06), (0xF2, 0xF0, 0xEA), (0x0B, 0x4F, 0x7A)


def draw_frequencies(frequencies: Frequencies, *, columns: int = COLUMNS) -> Chart:
    """Stacked bars, one panel a question and one bar a kind of summarizer."""
    panels = [_bars(frequencies, question) for question in frequencies.questions]
    scales = {tuple(_values(frequencies, question)) for question in frequencies.questions}
    resolve = {"resolve": {"scale": {"color": "independent"}}} if len(scales) > 1 else {}  # else one legend for all
    return _titled("Answers by kind of summarizer", frequencies.note, {"concat": panels, "columns": columns, **resolve})


def _bars(frequencies: Frequencies, question: str) -> Spec:
    rows = [
        {
            "kind": f"{kind} (n {one.n})",
            "answer": _value(one.value, one.below),
            "order": order,
            "share": one.share,
        }
        for kind, found in frequencies.of(question).items()
        for order, one in enumerate(found)
    ]
    values = _values(frequencies, question)
    scale = {"domain": values, "range": _shades(len(values))}
    share = {"title": "share of answers", "axis": {"format": "%"}, "scale": {"domain": [0, 1]}}
    encoding = {
        "x": quantity("share", stack="zero", **share),
        "y": category("kind", sort=in_order(rows, "kind"), title=None),
        "order": quantity("order"),
        "color": category("answer", sort=values, scale=scale, title="answer"),
    }
    bars = layer("bar", encoding, stroke="white", strokeWidth=0.5)
    return {"data": {"values": rows}, **bars, "width": 230, "height": {"step": 26}, "title": label(question)}


def _values(frequencies: Frequencies, question: str) -> list[str]:
    return [_value(one.value, one.below) for one in next(iter(frequencies.of(question).values()))]


def _value(value: float, below: float | None) -> str:
    """Whole numbers as they are, others (means of assessors, limits of groups) shortened."""
    shown = [f"{one:g}" if float(one).is_integer() else f"{one:.3g}" for one in (value, below) if one is not None]
    return " – ".join(shown)


def _shades(count: int) -> list[str]:
    """From poor (brown) over pale to good (blue): distinct for the colour-blind, and by their order in print."""

    def between(start: tuple[int, ...], end: tuple[int, ...], share: float) -> str:
        return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(start, end, strict=True))

    places = [number / max(count - 1, 1) for number in range(count)]
    return [
        between(_LOW, _MIDDLE, 2 * place) if place < 0.5 else between(_MIDDLE, _HIGH, 2 * place - 1) for place in places
    ]


def draw_coefficients(regression: JudgmentRegression, fits: Sequence[JudgmentFit] | None = None) -> Chart:
    """Coefficients with their intervals, one panel a fit.

    Args:
        regression: the fits, on one scale.
        fits: those of them to draw; by default all assessors together first, then each.
    """
    fitted = [fit for fit in (regression.pooled, *regression.fits[:-1]) if not fit.reason]
    drawn = [fit for fit in fitted if fits is None or fit in fits]
    if not drawn:
        raise InputError(f"no regression could be fitted, so there is none to draw: {regression.pooled.reason}")
    found = [one for fit in fitted for one in fit.coefficients[1:]]
    limits = [limit for one in found for limit in (one.lower, one.upper) if limit is not None]
    panels = [_coefficients(fit, [min([0.0, *limits]), max([0.0, *limits])]) for fit in drawn]
    title = f"What explains {regression.target}: β with {regression.confidence:g} % intervals"
    return _titled(title, regression.note, {"concat": panels, "columns": COLUMNS})


def _coefficients(fit: JudgmentFit, domain: list[float]) -> Spec:
    rows = [
        interval(one.term, one.beta, one.lower, one.upper, significant=one.significant)
        for one in fit.coefficients[1:]
        if one.beta is not None
    ]
    fill = either("datum.significant", ACCENT, "white")
    dots = layer("point", {"fill": fill}, size=64, filled=True, stroke=ACCENT, strokeWidth=2, opacity=1)
    lines = intervals(rows, {"title": "β", "scale": {"domain": domain, "nice": True}}, dots=dots)
    who = "all assessors" if fit.pooled else label(fit.assessor or "(no name)")
    title = f"{who}: R² {fit.r_squared:.4f}, n {fit.n}"
    return {"layer": [zero_rule(), lines], "width": 200, "height": {"step": 24}, "title": title}


def draw_alphas(agreement: JudgmentAgreement, *, landmarks: Sequence[float] = ()) -> Chart:
    """Krippendorff's α of every question with its interval, by metric; landmarks are drawn as broken lines."""
    rows = [
        interval(one.question, one.alpha.value, one.alpha.lower, one.alpha.upper, group=one.alpha.metric)
        for one in agreement.alphas
        if not one.alpha.reason
    ]
    if not rows:
        raise InputError("there is no α to draw: no summary was judged by two assessors, or all answers are the same")
    dots = intervals(rows, {"title": "Krippendorff’s α"}, groups=in_order(rows, "group"), legend="metric")
    broken = [rules("x", landmarks, color=INK, opacity=0.5, strokeDash=[4, 3])] if landmarks else []
    title = f"Agreement between assessors, {agreement.confidence:g} % intervals"
    return _titled(title, agreement.note, {"layer": [*broken, dots], "width": 360, "height": {"step": 16}})


def _titled(title: str, note: str, spec: Spec) -> Chart:
    return finished(title, {**spec, "title": noted(title, note)})
