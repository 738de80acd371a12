"""What makes a summary responsive: one question's answers regressed on those to the others (Dang 2006, Table 10)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign
from pyramidion.errors import InputError, UsageError
from pyramidion.statistics.checks import check_resampling
from pyramidion.statistics.regression import LinearFit, fit_linear
from pyramidion.studies.judgments import judged_questions, note_on_judgments

INTERCEPT = "intercept"
POOLED = "pooled"


@dataclass(frozen=True, kw_only=True)
class JudgmentCoefficient:
    """The weight β of one question; numbers are None where it can't be told, and then `reason` says why."""

    term: str
    beta: float | None
    standard_error: float | None = None
    lower: float | None = None
    upper: float | None = None
    t: float | None = None
    p: float | None = None
    significant: bool | None = None
    """Whether the interval leaves out 0."""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class JudgmentFit:
    """The regression of one assessor's answers, or of all assessors' together."""

    assessor: str
    pooled: bool
    """Whether it is of all assessors; then `assessor` is "pooled"."""
    coefficients: tuple[JudgmentCoefficient, ...]
    n: int
    """Summaries with an answer to every question; pooled: pairs of summary and assessor."""
    incomplete: int
    """Summaries left out because an answer is missing."""
    degrees_of_freedom: int
    r_squared: float | None = None
    adjusted_r_squared: float | None = None
    reason: str = ""
    """Why there is no fit, where there is none."""


@dataclass(frozen=True, kw_only=True)
class JudgmentRegression:
    """Regressions of one question on others: assessors by falling R², then all of them together."""

    target: str
    on: tuple[str, ...]
    fits: tuple[JudgmentFit, ...]
    confidence: float
    note: str = ""
    """What must be said wherever they show, such as "simulated judgments"."""

    @property
    def terms(self) -> tuple[str, ...]:
        """The intercept and the questions."""
        return (INTERCEPT, *self.on)

    @property
    def pooled(self) -> JudgmentFit:
        """The fit of all assessors' answers together."""
        return self.fits[-1]


def judgment_regression(
    campaign: Campaign,
    *,
    target: str | None = None,
    on: Sequence[str] | None = None,
    confidence: float = 95.0,
) -> JudgmentRegression:
    """Regress the answers to one question on the answers to others, for each assessor and pooled.

    Ordinary least squares with an intercept, unstandardised: β is the change of the target, in points, that goes with
    one point more on a question. A row is a summary, human ones included, with the answers of one assessor to all the
    questions.

    Args:
        campaign: with judgments.
        target: the question to explain; by default the one called overall, else the last.
        on: the questions that explain it; by default all others.
        confidence: of the intervals, in per cent.

    Raises:
        UsageError: if a question is not there, or explains itself.
        InputError: if there are no judgments, or fewer than two questions.
    """
    check_resampling(confidence=confidence, resamples=1)
    there = judged_questions(campaign, None)
    judged_questions(campaign, [*([target] if target else []), *(on or ())])
    if len(there) < 2:
        raise InputError(f"the only question that was answered is {there[0]}; a regression needs two or more")
    target = target or default_target([question for question in there if question not in (on or ())] or there)
    explaining = tuple(dict.fromkeys(on or (question for question in there if question != target)))
    if target in explaining:
        raise UsageError(f"{target} can't explain itself; leave it out of the questions that explain")
    rows = _rows(campaign, (target, *explaining))
    fits = [_fit(assessor, found, explaining, confidence) for assessor, found in rows.items()]
    fits.sort(key=lambda fit: -1.0 if fit.r_squared is None else fit.r_squared, reverse=True)
    pooled = _fit(POOLED, np.concatenate(list(rows.values())), explaining, confidence, pooled=True)
    return JudgmentRegression(
        target=target,
        on=explaining,
        fits=(*fits, pooled),
        confidence=confidence,
        note=note_on_judgments(campaign),
    )


def default_target(questions: Sequence[str]) -> str:
    """The question that sums up the others: the last one called overall, else the last one."""
    overall = [question for question in questions if "overall" in question.lower()]
    return (overall or list(questions))[-1]


def _rows(campaign: Campaign, questions: Sequence[str]) -> dict[str, Floats]:
    """By assessor, summaries × questions; NaN where an answer is missing. Assessors in order of appearance."""
    column = {question: number for number, question in enumerate(questions)}
    rows: dict[str, dict[tuple[str, str], Floats]] = defaultdict(dict)
    for judgment in campaign.judgments:
        if judgment.question in column:
            summary = judgment.topic, judgment.summarizer
            row = rows[judgment.assessor].setdefault(summary, np.full(len(questions), np.nan))
            row[column[judgment.question]] = judgment.value
    return {assessor: np.stack(list(found.values())) for assessor, found in rows.items()}


def _fit(assessor: str, rows: Floats, on: Sequence[str], confidence: float, *, pooled: bool = False) -> JudgmentFit:
    complete = rows[~np.isnan(rows).any(axis=1)]
    reason = ""
    fit: LinearFit | None = None
    if not len(complete):
        reason = "no summary has an answer to every question"
    elif np.ptp(complete[:, 0]) == 0:
        reason = "all answers to the target are the same: there is nothing to explain"
    else:
        try:
            fit = fit_linear(complete[:, 1:], complete[:, 0], confidence=confidence)
        except UsageError as error:
            reason = str(error)
    terms = (INTERCEPT, *on)
    return JudgmentFit(
        assessor=assessor,
        pooled=pooled,
        coefficients=tuple(
            JudgmentCoefficient(term=term, beta=None, reason=reason) if fit is None else _coefficient(fit, number, term)
            for number, term in enumerate(terms)
        ),
        n=len(complete),
        incomplete=len(rows) - len(complete),
        degrees_of_freedom=fit.degrees_of_freedom if fit else max(len(complete) - len(terms), 0),
        r_squared=fit.r_squared if fit else None,
        adjusted_r_squared=fit.adjusted_r_squared if fit else None,
        reason=reason,
    )


def _coefficient(fit: LinearFit, number: int, term: str) -> JudgmentCoefficient:
    if fit.reasons[number]:
        return JudgmentCoefficient(term=term, beta=None, reason=f"{term} is {fit.reasons[number]}")
    lower, upper = float(fit.lower[number]), float(fit.upper[number])
    return JudgmentCoefficient(
        term=term,
        beta=float(fit.coefficients[number]),
        standard_error=float(fit.standard_errors[number]),
        lower=lower,
        upper=upper,
        t=float(fit.t[number]),
        p=float(fit.p[number]),
        significant=lower > 0 or upper < 0,
    )
