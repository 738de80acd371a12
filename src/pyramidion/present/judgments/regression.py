"""What predicts an overall score, for readers: coefficients of each assessor and of all (Dang 2006, Table 10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyramidion.errors import InputError
from pyramidion.options import JudgmentRegressionOptions
from pyramidion.present import vegalite as vl
from pyramidion.present.chart import Chart
from pyramidion.present.context import SectionContext
from pyramidion.present.judgments.assessors import PANEL_COLUMNS, assessor_label
from pyramidion.present.presenter import Presenter
from pyramidion.present.section import Figure, Section
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import capital, listed, noted, percent, with_interval
from pyramidion.studies.judgments.regression import INTERCEPT, JudgmentCoefficient, JudgmentFit, JudgmentRegression


def tables(regression: JudgmentRegression) -> list[Table]:
    """Every assessor's coefficients (Dang 2006, Table 10), then the pooled ones with their intervals (Figure 1)."""
    shown = [assessor_table(regression)]
    if regression.pooled.is_fitted:
        shown.append(pooled_table(regression))
    return shown


def assessor_table(regression: JudgmentRegression) -> Table:
    """A row for each assessor, and one for all of them."""
    notes = [_mark_note(regression)]
    if not regression.chosen:
        notes.append(f"No question is called overall, so {regression.target} is the target (`target=`).")
    reasons = [reason for fit in regression.fits for reason in _reasons(fit)]
    notes += dict.fromkeys(reasons)
    return table_of(
        regression.fits,
        (
            Column("assessor", of=fit_label),
            *(_beta_column(place, term) for place, term in enumerate(regression.terms)),
            Column("r2", "R²", digits=4, of=lambda fit: fit.r_squared),
            "n",
        ),
        record="judgment-coefficient",
        title=noted(f"What predicts {regression.target}: coefficients β of each assessor", regression.note),
        marks={
            term: lambda fit, place=place: fit.questions[place].significant  # type: ignore[misc]
            for place, term in enumerate(regression.on)
        },
        sentences=regression_sentences(regression),
        notes=notes,
        about="assessors",
    )


def pooled_table(regression: JudgmentRegression) -> Table:
    """The coefficients of all assessors together."""
    pooled = regression.pooled
    notes = [_mark_note(regression)]
    if pooled.effects:
        notes.append("Each assessor has an effect of their own: R² is the share of the variance within assessors.")
    elif regression.several:
        notes.append("Without assessor effects, lenient and strict assessors may make up a relation (`pooled=`).")
    if regression.several and pooled.coefficients[0].errors == "topic":
        notes.append("Standard errors allow for dependence between answers about the same topic (CR2).")
    elif regression.several:
        notes.append("Answers are treated as independent, so the intervals are too narrow.")
    return table_of(
        pooled.coefficients,
        ("term", "beta", "lower", "upper", "p"),
        title=noted(
            f"What predicts {regression.target}: all assessors together",
            f"{regression.confidence:g} % intervals, R² {pooled.r_squared or 0:.4f}, n = {pooled.n}",
            regression.note,
        ),
        marks={"beta": lambda coefficient: coefficient.significant and coefficient.term != INTERCEPT},
        notes=notes,
        about="all assessors",
    )


def fit_label(fit: JudgmentFit) -> str:
    """Whose answers a regression is about."""
    return "all assessors" if fit.pooled else assessor_label(fit.assessor)


def _beta_column(place: int, term: str) -> Column:
    """The coefficients of one question, or of the intercept, in every fit."""
    return Column(term, f"β {term}", digits=4, of=lambda fit: fit.coefficients[place].beta)


def _mark_note(regression: JudgmentRegression) -> str:
    return f"Marked: significant (the {regression.confidence:g} % interval excludes 0). β is not standardized."


def _reasons(fit: JudgmentFit) -> Iterator[str]:
    """Why a regression could not be fitted, or why some of its coefficients are undefined."""
    reasons = [fit.reason]
    reasons += [coefficient.reason for coefficient in fit.coefficients if coefficient.beta is None]
    for reason in reasons:
        if reason:
            yield f"{capital(fit_label(fit))}: {reason}."


def regression_sentences(regression: JudgmentRegression) -> Iterator[str]:
    """Which questions predict the target, for all assessors together and for each."""
    pooled = regression.pooled
    if not pooled.is_fitted or pooled.r_squared is None:
        yield f"No regression of {regression.target} could be fitted: {pooled.reason}."
        return
    ranked = pooled.largest_first()
    significant = [coefficient for coefficient in ranked if coefficient.significant]
    insignificant = [coefficient.term for coefficient in ranked if coefficient.significant is False]
    if significant:
        yield _largest_sentence(regression)
        changes = listed([f"{beta_with_interval(coefficient)} for {coefficient.term}" for coefficient in significant])
        circumstances = f"{regression.confidence:g} % intervals"
        if pooled.effects:
            circumstances = f"with assessor effects, {circumstances}"
        yield f"Change per point, with the other answers unchanged ({circumstances}): {changes}."
    else:
        yield f"No question predicts {regression.target} significantly."
    if significant and insignificant:
        yield f"Not significant: {listed(insignificant)}."
    variance = "variance within assessors" if pooled.effects else "variance"
    yield f"Together the questions explain {percent(pooled.r_squared)} of the {variance} (n = {pooled.n})."
    if len(regression.separate_fits()) > 1:
        yield _separate_fits_sentence(regression)
    yield "Questions are correlated, so a coefficient near 0 does not mean that assessors ignore the question."


def beta_with_interval(coefficient: JudgmentCoefficient) -> str:
    """A coefficient with its interval: `0.71 (0.64 to 0.78)`."""
    return with_interval(coefficient.beta, coefficient.lower, coefficient.upper)


def _largest_sentence(regression: JudgmentRegression) -> str:
    """Which coefficient is the largest, or which may be."""
    leading = [coefficient.term for coefficient in regression.pooled.leading()]
    if len(leading) == 1:
        return f"{leading[0]} has the largest coefficient for {regression.target}."
    which = "that" if len(leading) == 2 else "those"
    intervals = "its interval" if len(leading) == 2 else "their intervals"
    return (
        f"{leading[0]} has the largest coefficient for {regression.target}, but by {intervals} {which} of "
        f"{listed(leading[1:])} may be as large."
    )


def _separate_fits_sentence(regression: JudgmentRegression) -> str:
    """For how many assessors each question is significant."""
    counts = regression.significant_counts().most_common()
    basis = f"In separate regressions for the {len(regression.separate_fits())} assessors"
    if not counts:
        return f"{basis}, no question is significant."
    return f"{basis}, these are significant: {listed([f'{term} for {count}' for term, count in counts])}."


def draw_coefficients(regression: JudgmentRegression, fits: Sequence[JudgmentFit] | None = None) -> Chart:
    """Coefficients with their intervals, one panel a fit.

    Args:
        regression: the fits, on one scale.
        fits: those of them to draw; by default all assessors together first, then each.
    """
    # The last of the fits is the pooled one, which stands first here.
    fitted = [fit for fit in (regression.pooled, *regression.fits[:-1]) if fit.is_fitted]
    drawn = [fit for fit in fitted if fits is None or fit in fits]
    if not drawn:
        raise InputError(f"there is nothing to draw: no regression could be fitted: {regression.pooled.reason}")
    ends = [0.0]
    for fit in fitted:
        for coefficient in fit.questions:
            ends += [limit for limit in (coefficient.lower, coefficient.upper) if limit is not None]
    # One scale for all panels, those that are not drawn included: assessors can be compared across figures.
    panels = [_coefficient_panel(fit, [min(ends), max(ends)]) for fit in drawn]
    title = f"What predicts {regression.target}: β with {regression.confidence:g} % intervals"
    return vl.titled(title, regression.note, {"concat": panels, "columns": PANEL_COLUMNS})


def _coefficient_panel(fit: JudgmentFit, domain: list[float]) -> vl.Spec:
    """The coefficients of one fit; filled dots are significant."""
    rows = [
        vl.interval(
            coefficient.term,
            coefficient.beta,
            coefficient.lower,
            coefficient.upper,
            significant=coefficient.significant,
        )
        for coefficient in fit.questions
        if coefficient.beta is not None
    ]
    fill = vl.either("datum.significant", vl.ACCENT, "white")
    return vl.intervals(
        rows,
        {"title": "β", "scale": {"domain": domain, "nice": True}},
        dots=vl.layer("point", {"fill": fill}, size=64, filled=True, stroke=vl.ACCENT, strokeWidth=2, opacity=1),
        size=(200, {"step": 24}),
        title=f"{vl.label(fit_label(fit))}: R² {fit.r_squared:.4f}, n = {fit.n}",
        under=[vl.zero_rule()],
    )


def section(regression: JudgmentRegression, context: SectionContext, options: JudgmentRegressionOptions) -> Section:
    """What predicts the human score that counts most; assessors one by one only where there are several."""
    blocks: list[Table | Figure] = []
    if regression.pooled.is_fitted:
        blocks += [_coefficient_figure(regression), pooled_table(regression)]
    by_assessor = assessor_table(regression)
    if regression.several or not blocks:
        blocks.append(by_assessor)
    return Section(
        id="judgments-regression",
        title=f"What predicts {regression.target}",
        sentences=by_assessor.sentences,
        blocks=tuple(blocks),
        commands=(context.command_line("judgments regression", options=options),),
    )


def _coefficient_figure(regression: JudgmentRegression) -> Figure:
    """The coefficients of all assessors together."""
    pooled = regression.pooled
    assessors = f", {fit_label(pooled)}," if regression.several else ""
    values = [f"{coefficient.term} {beta_with_interval(coefficient)}" for coefficient in pooled.questions]
    caption = (
        f"Coefficients β for {regression.target}{assessors} with {regression.confidence:g} % intervals; filled: "
        "significant, the interval excludes 0"
    )
    return Figure(
        id="judgments-coefficients",
        caption=noted(caption, regression.note),
        alt=f"Dots with intervals: {'; '.join(values)}.",
        draw=lambda: draw_coefficients(regression, [pooled]),
    )


REGRESSION = Presenter(tables=tables, figure=draw_coefficients)
