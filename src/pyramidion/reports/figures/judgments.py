"""Figures of judgments: frequencies (Dang 2006, Table 2), coefficients (Figure 1), agreement, severity."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from pyramidion.errors import InputError
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart, draw
from pyramidion.show.tables import grouped
from pyramidion.studies.judgments.agreement import JudgmentAgreement
from pyramidion.studies.judgments.assessors import AssessorDescription
from pyramidion.studies.judgments.frequencies import Frequencies
from pyramidion.studies.judgments.questions import name_of
from pyramidion.studies.judgments.regression import JudgmentFit, JudgmentRegression

COLUMNS = 3
TITLE = 44
"""Letters in a line of a title; a drawing of one panel is not wider."""
_LOW, _MIDDLE, _HIGH = (0xB3, 0x58, 0x06), (0xF2, 0xF0, 0xEA), (0x0B, 0x4F, 0x7A)


@draw.register
def draw_frequencies(frequencies: Frequencies, *, columns: int = COLUMNS) -> Chart:
    """Stacked bars, one panel a question and one bar a kind of summarizer."""
    panels = [_bars(frequencies, question) for question in frequencies.questions]
    scales = {tuple(_values(frequencies, question)) for question in frequencies.questions}
    spec = {"concat": panels, "columns": columns, **(vl.OWN_COLOURS if len(scales) > 1 else {})}
    return _titled("Answers by kind of summarizer", frequencies.note, spec)


def _bars(frequencies: Frequencies, question: str) -> vl.Spec:
    rows = [
        {
            "kind": f"{kind} (n = {one.n})",
            "answer": one.answer,
            "order": order,
            "share": one.share,
        }
        for kind, found in frequencies.of(question).items()
        for order, one in enumerate(found)
    ]
    values = _values(frequencies, question)
    shades = {"domain": values, "range": _shades(len(values))}
    share = {"stack": "zero", "title": "share of answers", "axis": {"format": "%"}, "scale": {"domain": [0, 1]}}
    return vl.panel(
        rows,
        vl.layer("bar", {}, stroke="white", strokeWidth=0.5),
        size=(230, {"step": 26}),
        title=vl.label(question),
        x=vl.quantity("share", **share),
        y=vl.category("kind", sort=vl.in_order(rows, "kind"), title=None),
        order=vl.quantity("order"),
        color=vl.category("answer", sort=values, scale=shades, title="answer"),
    )


def _values(frequencies: Frequencies, question: str) -> list[str]:
    return [one.answer for one in next(iter(frequencies.of(question).values()))]


def _shades(count: int) -> list[str]:
    """From poor (brown) over pale to good (blue): distinct for the colour-blind, and by their order in print."""

    def between(start: tuple[int, ...], end: tuple[int, ...], share: float) -> str:
        return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(start, end, strict=True))

    places = [number / max(count - 1, 1) for number in range(count)]
    return [
        between(_LOW, _MIDDLE, 2 * place) if place < 0.5 else between(_MIDDLE, _HIGH, 2 * place - 1) for place in places
    ]


@draw.register
def draw_coefficients(regression: JudgmentRegression, fits: Sequence[JudgmentFit] | None = None) -> Chart:
    """Coefficients with their intervals, one panel a fit.

    Args:
        regression: the fits, on one scale.
        fits: those of them to draw; by default all assessors together first, then each.
    """
    fitted = [fit for fit in (regression.pooled, *regression.fits[:-1]) if not fit.reason]
    drawn = [fit for fit in fitted if fits is None or fit in fits]
    if not drawn:
        raise InputError(f"there is nothing to draw: no regression could be fitted: {regression.pooled.reason}")
    found = [one for fit in fitted for one in fit.questions]
    limits = [limit for one in found for limit in (one.lower, one.upper) if limit is not None]
    panels = [_coefficients(fit, [min([0.0, *limits]), max([0.0, *limits])]) for fit in drawn]
    title = f"What predicts {regression.target}: β with {regression.confidence:g} % intervals"
    return _titled(title, regression.note, {"concat": panels, "columns": COLUMNS})


def _coefficients(fit: JudgmentFit, domain: list[float]) -> vl.Spec:
    rows = [
        vl.interval(one.term, one.beta, one.lower, one.upper, significant=one.significant)
        for one in fit.questions
        if one.beta is not None
    ]
    fill = vl.either("datum.significant", vl.ACCENT, "white")
    return vl.intervals(
        rows,
        {"title": "β", "scale": {"domain": domain, "nice": True}},
        dots=vl.layer("point", {"fill": fill}, size=64, filled=True, stroke=vl.ACCENT, strokeWidth=2, opacity=1),
        size=(200, {"step": 24}),
        title=f"{vl.label(fit.name)}: R² {fit.r_squared:.4f}, n = {fit.n}",
        under=[vl.zero_rule()],
    )


@draw.register
def draw_alphas(agreement: JudgmentAgreement, *, landmarks: Sequence[float] = ()) -> Chart:
    """Krippendorff's α of every question with its interval, by metric; landmarks are dashed lines."""
    rows = [
        vl.interval(one.question, one.alpha, one.lower, one.upper, group=one.metric)
        for one in agreement.alphas
        if one.alpha is not None
    ]
    if not rows:
        raise InputError("there is no α to draw: no summary was judged by two assessors, or all answers are equal")
    dashed = [vl.rules("x", landmarks, color=vl.INK, opacity=0.5, strokeDash=[4, 3])] if landmarks else []
    panel = vl.intervals(rows, {"title": "Krippendorff’s α"}, legend="metric", size=(360, {"step": 16}), under=dashed)
    return _titled(f"Agreement between assessors, {agreement.confidence:g} % intervals", agreement.note, panel)


@draw.register
def draw_severities(description: AssessorDescription, *, columns: int = COLUMNS) -> Chart:
    """How far each assessor lies from the others, with intervals, one panel a question on one scale."""
    drawn = [one for one in description.severities if one.deviation is not None]
    if not drawn:
        raise InputError("there is nothing to draw: no question was answered by two assessors")
    limits = [limit for one in drawn for limit in (one.deviation, one.lower, one.upper) if limit is not None]
    x = {
        "title": "deviation from others",
        "scale": {"domain": [min([0.0, *limits]), max([0.0, *limits])], "nice": True},
    }
    panels = [
        vl.intervals(
            [vl.interval(name_of(one.assessor), one.deviation or 0.0, one.lower, one.upper) for one in several],
            x,
            size=(200, {"step": 20}),
            title=vl.label(question),
            under=[vl.zero_rule()],
        )
        for question, several in grouped(drawn, lambda one: one.question).items()
    ]
    title = f"Severity of assessors, {description.confidence:g} % intervals"
    return _titled(title, description.note, {"concat": panels, "columns": columns})


def _titled(title: str, note: str, spec: vl.Spec) -> Chart:
    lines = textwrap.wrap(vl.noted(title, note), TITLE)
    return vl.finished(title, {**spec, "title": lines})
