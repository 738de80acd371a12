"""What predicts an overall score: one question's answers regressed on those to the others (Dang 2006, Table 10)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import mean_of_runs
from pyramidion.errors import InputError, UsageError
from pyramidion.options import JudgmentRegressionOptions, RegressionErrors
from pyramidion.show.tables import Column, Finding, NotedRow, Table, headed, table_of
from pyramidion.show.wording import capital, defined, listed, noted, percent, with_interval
from pyramidion.statistics.regression import LinearFit, fit_linear
from pyramidion.studies.judgments.questions import judged_questions, name_of, note_on_judgments

INTERCEPT = "intercept"
POOLED = "pooled"
ENOUGH_TOPICS = 8
"""From this many topics on, standard errors allow for dependence within topics."""


class JudgmentCoefficient(NotedRow, record="judgment-coefficient", digits=4):
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
    confidence: float

    def in_words(self) -> str:
        """`0.71 (0.64 to 0.78)`."""
        return with_interval(self.beta, self.lower, self.upper)


@dataclass(frozen=True, kw_only=True)
class JudgmentFit:
    """The regression of one assessor's answers, or of all assessors' together."""

    coefficients: tuple[JudgmentCoefficient, ...]
    """Of the intercept, then of each question."""
    reason: str = ""
    """Why there is no fit, where there is none."""

    @property
    def pooled(self) -> bool:
        """Whether it is of all assessors."""
        return self.coefficients[0].pooled

    @property
    def assessor(self) -> str:
        """Whose answers; "pooled" if all assessors'."""
        return self.coefficients[0].assessor

    @property
    def name(self) -> str:
        """Whose answers, for people."""
        return "all assessors" if self.pooled else name_of(self.assessor)

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

    def tables(self) -> list[Table]:
        """Every assessor's coefficients (Dang 2006, Table 10), then the pooled ones with their intervals (Figure 1)."""
        return [self.assessor_table(), *([] if self.pooled.reason else [self.pooled_table()])]

    def assessor_table(self) -> Table:
        """A row for each assessor, and one for all of them."""
        reasons = dict.fromkeys(
            f"{capital(fit.name)}: {reason}."
            for fit in self.fits
            for reason in [fit.reason, *(one.reason for one in fit.coefficients if one.beta is None)]
            if reason
        )
        betas = [
            Column(term, f"β {term}", digits=4, of=lambda fit, place=place: fit.coefficients[place].beta)  # type: ignore[misc]
            for place, term in enumerate(self.terms)
        ]
        r2 = Column("r2", "R²", digits=4, of=lambda fit: fit.r_squared)
        return table_of(
            self.fits,
            (Column("assessor", of=lambda fit: fit.name), *betas, r2, "n"),
            record="judgment-coefficient",
            title=noted(f"What predicts {self.target}: coefficients β of each assessor", self.note),
            marks={
                term: lambda fit, place=place: fit.questions[place].significant  # type: ignore[misc]
                for place, term in enumerate(self.on)
            },
            sentences=tuple(self._in_words()),
            notes=(self._marked, *self._on_target(), *reasons),
            about="assessors",
        )

    def pooled_table(self) -> Table:
        """The coefficients of all assessors together."""
        pooled = self.pooled
        narrow = "Answers are treated as independent, so the intervals are too narrow."
        if pooled.coefficients[0].errors == "topic":
            narrow = "Standard errors allow for dependence between answers about the same topic (CR2)."
        return table_of(
            pooled.coefficients,
            ("term", "beta", "lower", "upper", "p"),
            title=noted(
                f"What predicts {self.target}: all assessors together",
                f"{self.confidence:g} % intervals, R² {pooled.r_squared or 0:.4f}, n = {pooled.n}",
                self.note,
            ),
            marks={"beta": lambda one: one.significant and one.term != INTERCEPT},
            notes=(self._marked, *([narrow] if self.several else [])),
            about="all assessors",
        )

    @property
    def _marked(self) -> str:
        return f"Marked: significant (the {self.confidence:g} % interval excludes 0). β is not standardized."

    def _on_target(self) -> list[str]:
        return [] if self.chosen else [f"No question is called overall, so {self.target} is the target (`target=`)."]

    def _in_words(self) -> Iterator[str]:
        """Which questions predict the target, for all assessors together and for each."""
        pooled = self.pooled
        if pooled.reason or pooled.r_squared is None:
            yield f"No regression of {self.target} could be fitted: {pooled.reason}."
            return
        ranked = sorted(pooled.questions, key=lambda one: -abs(one.beta or 0.0))
        matter = [one for one in ranked if one.significant]
        others = [one.term for one in ranked if one.significant is False]
        if matter:
            yield self._largest(matter)
            changes = listed([f"{one.in_words()} for {one.term}" for one in matter])
            level = f"{self.confidence:g} % intervals"
            yield f"Change per point, with the other answers unchanged ({level}): {changes}."
        else:
            yield f"No question predicts {self.target} significantly."
        if matter and others:
            yield f"Not significant: {listed(others)}."
        yield f"Together the questions explain {percent(pooled.r_squared)} of the variance (n = {pooled.n})."
        yield from self._for_each()
        yield "Questions are correlated, so a coefficient near 0 does not mean that assessors ignore the question."

    def _largest(self, matter: Sequence[JudgmentCoefficient]) -> str:
        """Which coefficient is largest, or which are: those whose intervals overlap with that of the largest."""
        least = min(abs(limit) for limit in (matter[0].lower, matter[0].upper) if limit is not None)
        leading = [one.term for one in matter if max(abs(one.lower or 0.0), abs(one.upper or 0.0)) >= least]
        if len(leading) == 1:
            return f"{leading[0]} has the largest coefficient for {self.target}."
        return f"{listed(leading)} have the largest coefficients for {self.target}; their intervals overlap."

    def _for_each(self) -> Iterator[str]:
        """For how many assessors a question is significant."""
        alone = [fit for fit in self.fits[:-1] if not fit.reason]
        if len(alone) < 2:
            return
        counts = Counter(one.term for fit in alone for one in fit.questions if one.significant)
        found = [f"{term} for {count}" for term, count in counts.most_common()]
        each = f"In separate regressions for the {len(alone)} assessors"
        yield f"{each}, these are significant: {listed(found)}." if found else f"{each}, no question is significant."


def judgment_regression(campaign: Campaign, options: JudgmentRegressionOptions | None = None) -> JudgmentRegression:
    """Regress the answers to one question on the answers to others, for each assessor and pooled.

    Ordinary least squares with an intercept, unstandardized: β is the change of the target, in points, with one more
    point on a question. A row is a summary, including human ones, with the answers of one assessor to all questions.

    Raises:
        UsageError: if a question is not there, or explains itself.
        InputError: if there are no judgments, or fewer than two questions.
    """
    options = options or JudgmentRegressionOptions()
    asked, on = options.target, options.on
    there = judged_questions(campaign)
    judged_questions(campaign, [*([asked] if asked else []), *on])
    if len(there) < 2:
        raise InputError(f"{there[0]} is the only question with answers; a regression needs at least two")
    target = asked or _default_target([question for question in there if question not in on] or there)
    explaining = tuple(dict.fromkeys(on or (question for question in there if question != target)))
    if target in explaining:
        raise UsageError(f"{target} can't explain itself; leave it out of the questions that explain")
    note = note_on_judgments(campaign)
    facts: dict[str, Any] = {"target": target, "confidence": options.confidence, "note": note}
    rows = _rows(campaign, (target, *explaining))
    topics = {topic: number for number, topic in enumerate(campaign.topic_ids)}
    many = len({topic for found in rows.values() for topic in found.topics}) >= ENOUGH_TOPICS
    facts["errors"] = options.errors or ("topic" if many else "independent")
    fits = [_fit(found, explaining, topics, {**facts, "assessor": who, "pooled": False}) for who, found in rows.items()]
    fits.sort(key=lambda fit: -1.0 if fit.r_squared is None else fit.r_squared, reverse=True)
    everyone = _Rows(
        np.concatenate([one.values for one in rows.values()]), [topic for one in rows.values() for topic in one.topics]
    )
    return JudgmentRegression(
        target=target,
        on=explaining,
        fits=(*fits, _fit(everyone, explaining, topics, {**facts, "assessor": POOLED, "pooled": True})),
        confidence=options.confidence,
        chosen=asked is not None or "overall" in target.lower(),
        note=note,
    )


def _default_target(questions: Sequence[str]) -> str:
    """The question that sums up the others: the last one called overall, else the last one."""
    overall = [question for question in questions if "overall" in question.lower()]
    return (overall or list(questions))[-1]


@dataclass(frozen=True, eq=False)
class _Rows:
    """Answers, summaries × questions, and the topic of each row."""

    values: Floats
    topics: Sequence[str]


def _rows(campaign: Campaign, questions: Sequence[str]) -> dict[str, _Rows]:
    """By assessor, summaries × questions; NaN where an answer is missing. Assessors in order of appearance."""
    column = {question: number for number, question in enumerate(questions)}
    rows: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(dict)
    for judgment in mean_of_runs(campaign.judgments):
        if judgment.question in column:
            summary = judgment.topic, judgment.summarizer
            row = rows[judgment.assessor].setdefault(summary, [np.nan] * len(questions))
            row[column[judgment.question]] = judgment.value
    return {
        assessor: _Rows(np.array(list(found.values()), dtype=np.float64), [topic for topic, _ in found])
        for assessor, found in rows.items()
    }


def _fit(given: _Rows, on: Sequence[str], topics: Mapping[str, int], facts: dict[str, Any]) -> JudgmentFit:
    rows = given.values
    there = ~np.isnan(rows).any(axis=1)
    complete = rows[there]
    number = dict(topics)  # a judged topic need not have a text
    clusters = np.array([number.setdefault(topic, len(number)) for topic in given.topics])[there]
    if len(np.unique(clusters)) < 2:
        facts |= {"errors": "independent"}
    terms = (INTERCEPT, *on)
    facts |= {"n": len(complete), "incomplete": len(rows) - len(complete)}
    reason = ""
    if not len(complete):
        reason = "no summary has an answer to every question"
    elif np.ptp(complete[:, 0]) == 0:
        reason = "all answers to the target are the same: there is nothing to explain"
    else:
        try:
            fit = fit_linear(
                complete[:, 1:],
                complete[:, 0],
                confidence=facts["confidence"],
                clusters=clusters if facts["errors"] == "topic" else None,
            )
        except UsageError as error:
            reason = str(error)
    if reason:
        df = max(len(complete) - len(terms), 0)
        empty = tuple(JudgmentCoefficient(term=term, df=df, reason=reason, **facts) for term in terms)
        return JudgmentFit(coefficients=empty, reason=reason)
    facts |= {"r2": defined(fit.r_squared), "r2_adjusted": defined(fit.adjusted_r_squared)}
    return JudgmentFit(coefficients=tuple(_coefficient(fit, number, term, facts) for number, term in enumerate(terms)))


def _coefficient(fit: LinearFit, number: int, term: str, facts: dict[str, Any]) -> JudgmentCoefficient:
    if fit.reasons[number]:
        why = f"{term} is {fit.reasons[number]}"
        return JudgmentCoefficient(term=term, df=fit.degrees_of_freedom, reason=why, **facts)
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
