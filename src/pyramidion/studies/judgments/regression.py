"""What predicts an overall score: one question's answers regressed on those to the others (Dang 2006, Table 10)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import mean_of_runs
from pyramidion.errors import InputError, UsageError
from pyramidion.options import JudgmentRegressionOptions, RegressionErrors
from pyramidion.show.tables import ExplainedRow, Finding, headed, hidden
from pyramidion.show.wording import defined
from pyramidion.statistics.regression import LinearFit, centre_within, fit_linear
from pyramidion.studies.judgments.questions import judged_questions, note_on_judgments

INTERCEPT = "intercept"
POOLED = "pooled"
ENOUGH_TOPICS = 8
"""From this many topics on, standard errors allow for dependence within topics."""


FitGap = Literal["", "no-complete-summary", "equal-answers", "equal-within-assessors", "not-fitted", "aliased"]
"""Why a coefficient is undefined: there are no rows, the target does not vary (within assessors), the model could not
be fitted, or its question adds nothing to those before it. Empty: it is defined."""


class JudgmentCoefficient(ExplainedRow, record="judgment-coefficient", digits=4):
    """The coefficient β of one question in one fit; None where it is undefined, with the reason."""

    target: str
    assessor: str
    pooled: bool
    """Whether the fit is of all assessors; then `assessor` is "pooled"."""
    term: str
    beta: float | None = headed("β", default=None)
    standard_error: float | None = None
    lower: float | None = None
    upper: float | None = None
    t: float | None = None
    p: float | None = None
    significant: bool | None = None
    """Whether the interval excludes 0."""
    r2: float | None = None
    r2_adjusted: float | None = None
    n: int
    """Summaries with an answer to every question; pooled: pairs of summary and assessor."""
    incomplete: int
    """Summaries left out because an answer is missing."""
    df: float
    """Degrees of freedom of its t test."""
    errors: RegressionErrors
    """Whether answers about one topic may depend on each other, or all are taken as independent."""
    effects: bool
    """Whether each assessor has an effect of their own; then R² is the share of the variance within assessors."""
    confidence: float
    gap: FitGap = hidden(default="")
    """Why it is undefined."""
    problem: str = hidden(default="")
    """What is wrong with the rows, or with the values of its question."""


@dataclass(frozen=True, kw_only=True)
class JudgmentFit:
    """The regression of one assessor's answers, or of all assessors' together."""

    coefficients: tuple[JudgmentCoefficient, ...]
    """Of the intercept, then of each question."""

    @property
    def is_fitted(self) -> bool:
        """Whether there is a fit; single questions may still add nothing to it."""
        return self.coefficients[0].gap in ("", "aliased")

    @property
    def reason(self) -> str:
        """Why there is no fit, where there is none."""
        return "" if self.is_fitted else self.coefficients[0].reason

    @property
    def pooled(self) -> bool:
        """Whether it is of all assessors."""
        return self.coefficients[0].pooled

    @property
    def assessor(self) -> str:
        """Whose answers; "pooled" if all assessors'."""
        return self.coefficients[0].assessor

    @property
    def effects(self) -> bool:
        """Whether each assessor has an effect of their own."""
        return self.coefficients[0].effects

    @property
    def n(self) -> int:
        """Rows of the fit."""
        return self.coefficients[0].n

    @property
    def r_squared(self) -> float | None:
        """The share of the variance that the questions explain."""
        return self.coefficients[0].r2

    @property
    def questions(self) -> tuple[JudgmentCoefficient, ...]:
        """All coefficients but the intercept."""
        return self.coefficients[1:]

    def largest_first(self) -> list[JudgmentCoefficient]:
        """The coefficients of the questions by their absolute size, the largest first."""
        return sorted(self.questions, key=lambda coefficient: -abs(coefficient.beta or 0.0))

    def leading(self) -> list[JudgmentCoefficient]:
        """The largest significant coefficient and those whose intervals overlap with its own, whatever the sign."""
        ranked = [coefficient for coefficient in self.largest_first() if coefficient.lower is not None]
        largest = next((coefficient for coefficient in ranked if coefficient.significant), None)
        if largest is None:
            return []
        # Intervals that overlap: the data does not say which of these coefficients is larger, also if one of them may
        # be 0.
        smallest_plausible = min(_absolute_limits(largest))
        return [coefficient for coefficient in ranked if max(_absolute_limits(coefficient)) >= smallest_plausible]


class JudgmentRegression(Finding, eq=True):
    """Regressions of one question on others: assessors by falling R², then all of them together."""

    target: str
    on: tuple[str, ...]
    fits: tuple[JudgmentFit, ...]
    confidence: float
    chosen: bool = True
    """Whether the target was asked for, or is called overall."""
    note: str = ""
    """What one must know about the judgments, such as that they are simulated."""

    def __repr__(self) -> str:
        return f"<Regression of {self.target} on {', '.join(self.on)}>"

    @property
    def terms(self) -> tuple[str, ...]:
        """The intercept and the questions."""
        return (INTERCEPT, *self.on)

    @property
    def pooled(self) -> JudgmentFit:
        """The fit of all assessors' answers together."""
        return self.fits[-1]

    @property
    def several(self) -> bool:
        """Whether there are several assessors."""
        return len(self.fits) > 2

    def rows(self) -> Iterator[JudgmentCoefficient]:
        """The coefficients of every fit."""
        for fit in self.fits:
            yield from fit.coefficients

    def separate_fits(self) -> list[JudgmentFit]:
        """The fits of single assessors that could be made; only of interest if there are several."""
        return [fit for fit in self.fits[:-1] if not fit.reason]

    def significant_counts(self) -> Counter[str]:
        """By question, for how many assessors it is significant in their own regression."""
        return Counter(
            coefficient.term for fit in self.separate_fits() for coefficient in fit.questions if coefficient.significant
        )


def _absolute_limits(coefficient: JudgmentCoefficient) -> list[float]:
    """The limits of a significant coefficient without their signs, which are the same."""
    return [abs(limit) for limit in (coefficient.lower, coefficient.upper) if limit is not None]


def judgment_regression(campaign: Campaign, options: JudgmentRegressionOptions | None = None) -> JudgmentRegression:
    """Regress the answers to one question on the answers to others, for each assessor and pooled.

    Ordinary least squares with an intercept, unstandardized: β is the change of the target, in points, with one more
    point on a question. A row is a summary, including human ones, with the answers of one assessor to all questions.
    The pooled fit has an effect of each assessor, unless it is asked to be plain: an assessor who is lenient on all
    questions would otherwise make up a relation between them.

    Raises:
        UsageError: if a question is not there, or explains itself.
        InputError: if there are no judgments, or fewer than two questions.
    """
    options = options or JudgmentRegressionOptions()
    target, explaining = _choose_questions(campaign, options)
    note = note_on_judgments(campaign)
    samples = _samples_by_assessor(campaign, (target, *explaining))
    judged_topics = {topic for sample in samples.values() for topic in sample.topics}
    errors = options.errors
    if errors is None:
        errors = "topic" if len(judged_topics) >= ENOUGH_TOPICS else "independent"
    shared_fields: dict[str, Any] = {
        "target": target,
        "confidence": options.confidence,
        "note": note,
        "errors": errors,
    }
    topic_numbers = {topic: number for number, topic in enumerate(campaign.topic_ids)}
    fits = []
    for assessor, sample in samples.items():
        fields = {**shared_fields, "assessor": assessor, "pooled": False, "effects": False}
        fits.append(_fit_sample(sample, explaining, topic_numbers, fields))
    fits.sort(key=lambda fit: -1.0 if fit.r_squared is None else fit.r_squared, reverse=True)
    pooled_sample = _Sample(
        np.concatenate([sample.values for sample in samples.values()]),
        [topic for sample in samples.values() for topic in sample.topics],
        np.repeat(np.arange(len(samples)), [len(sample.values) for sample in samples.values()]),
    )
    has_effects = options.pooled == "effects" and len(samples) > 1
    pooled_fields = {**shared_fields, "assessor": POOLED, "pooled": True, "effects": has_effects}
    fits.append(_fit_sample(pooled_sample, explaining, topic_numbers, pooled_fields))
    return JudgmentRegression(
        target=target,
        on=explaining,
        fits=tuple(fits),
        confidence=options.confidence,
        chosen=options.target is not None or "overall" in target.lower(),
        note=note,
    )


def _choose_questions(campaign: Campaign, options: JudgmentRegressionOptions) -> tuple[str, tuple[str, ...]]:
    """The question to explain, and those that explain it."""
    questions = judged_questions(campaign)
    named_targets = [options.target] if options.target else []
    # Asked before anything else, so that a misspelt name is the error, not what follows from it.
    judged_questions(campaign, [*named_targets, *options.on])  # names that nobody answered are refused
    if len(questions) < 2:
        raise InputError(f"{questions[0]} is the only question with answers; a regression needs at least two")
    unused = [question for question in questions if question not in options.on]
    target = options.target or _default_target(unused or questions)
    explaining = options.on or [question for question in questions if question != target]
    if target in explaining:
        raise UsageError(f"{target} can't explain itself; leave it out of the questions that explain")
    return target, tuple(dict.fromkeys(explaining))


def _default_target(questions: Sequence[str]) -> str:
    """The question that sums up the others: the last one called overall, else the last one."""
    overall = [question for question in questions if "overall" in question.lower()]
    return (overall or list(questions))[-1]


@dataclass(frozen=True, eq=False)
class _Sample:
    """Answers, summaries × questions (the target first), and the topic and the assessor of each row."""

    values: Floats
    topics: Sequence[str]
    assessors: Integers
    """A number for each assessor."""


def _samples_by_assessor(campaign: Campaign, questions: Sequence[str]) -> dict[str, _Sample]:
    """By assessor, summaries × questions; NaN where an answer is missing. Assessors in order of appearance."""
    columns = {question: number for number, question in enumerate(questions)}
    rows_by_assessor: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(dict)
    for judgment in mean_of_runs(campaign.judgments):
        if judgment.question in columns:
            summary = judgment.topic, judgment.summarizer
            row = rows_by_assessor[judgment.assessor].setdefault(summary, [np.nan] * len(questions))
            row[columns[judgment.question]] = judgment.value
    samples = {}
    for number, (assessor, rows) in enumerate(rows_by_assessor.items()):
        values = np.array(list(rows.values()), dtype=np.float64)
        samples[assessor] = _Sample(values, [topic for topic, _ in rows], np.full(len(rows), number))
    return samples


def _fit_sample(
    sample: _Sample, on: Sequence[str], topic_numbers: Mapping[str, int], facts: dict[str, Any]
) -> JudgmentFit:
    """The regression of the first column on the others; a reason instead of numbers where there is none."""
    rows = sample.values
    is_complete = ~np.isnan(rows).any(axis=1)
    complete = rows[is_complete]
    numbers = dict(topic_numbers)  # a judged topic need not have a text
    clusters = np.array([numbers.setdefault(topic, len(numbers)) for topic in sample.topics])[is_complete]
    if len(np.unique(clusters)) < 2:
        # Clustered errors need at least two clusters.
        facts |= {"errors": "independent"}
    assessors = sample.assessors[is_complete] if facts["effects"] else None
    terms = (INTERCEPT, *on)
    facts |= {"n": len(complete), "incomplete": len(rows) - len(complete)}
    gap: FitGap = ""
    problem = ""
    if not len(complete):
        gap = "no-complete-summary"
    elif np.ptp(complete[:, 0]) == 0:
        gap = "equal-answers"
    elif np.allclose(centre_within(complete[:, :1], assessors), 0, atol=1e-12 * np.abs(complete[:, 0]).max()):
        gap = "equal-within-assessors"
    else:
        try:
            fit = fit_linear(
                complete[:, 1:],
                complete[:, 0],
                confidence=facts["confidence"],
                clusters=clusters if facts["errors"] == "topic" else None,
                groups=assessors,
            )
        except UsageError as error:
            gap, problem = "not-fitted", str(error)
    if gap:
        df = max(len(complete) - len(terms), 0)
        empty = tuple(JudgmentCoefficient(term=term, df=df, gap=gap, problem=problem, **facts) for term in terms)
        return JudgmentFit(coefficients=empty)
    facts |= {"r2": defined(fit.r_squared), "r2_adjusted": defined(fit.adjusted_r_squared)}
    return JudgmentFit(coefficients=tuple(_coefficient(fit, number, term, facts) for number, term in enumerate(terms)))


def _coefficient(fit: LinearFit, number: int, term: str, facts: dict[str, Any]) -> JudgmentCoefficient:
    """One coefficient of a fit; without numbers if its question adds nothing to those before it."""
    if fit.reasons[number]:
        problem = fit.reasons[number]
        return JudgmentCoefficient(term=term, df=fit.degrees_of_freedom, gap="aliased", problem=problem, **facts)
    return JudgmentCoefficient(
        term=term,
        beta=defined(fit.coefficients[number]),
        standard_error=defined(fit.standard_errors[number]),
        lower=defined(fit.lower[number]),
        upper=defined(fit.upper[number]),
        t=defined(fit.t[number]),
        p=defined(fit.p[number]),
        significant=bool(fit.lower[number] > 0 or fit.upper[number] < 0),
        df=float(fit.coefficient_freedom[number]),
        **facts,
    )
