"""How far assessors agree on a question: Krippendorff's α, agreement of pairs, and where two of them differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Literal, get_args

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import mean_of_runs
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.options import AlphaMetric, JudgmentAgreementOptions
from pyramidion.show.tables import ExplainedRow, Finding, NotedRow, Row, headed
from pyramidion.show.wording import defined
from pyramidion.statistics.agreement import (
    confusion_matrix,
    intraclass_correlation,
    jackknifed_alpha,
    krippendorff_alpha,
    mean_pair_agreement,
    pair_agreement,
    quadratic_kappa,
)
from pyramidion.studies.judgments.questions import answers_to, judged_questions, note_on_judgments, scale_values

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (2004): rely on α ≥ .800; draw tentative conclusions where α ≥ .667."""
LOW_ALPHA, MOSTLY_EQUAL = 0.5, 2 / 3
"""An answer prevails if α is below the first although this share of the pairs of answers is equal."""
MOST_CELLS = 20
"""The records of a confusion of more values than this leave out empty cells."""


class QuestionAlpha(ExplainedRow, record="question-alpha", digits=2):
    """Krippendorff's α of one question. Its units are the summaries that at least two assessors judged."""

    question: str
    metric: AlphaMetric
    alpha: float | None = headed("α")
    lower: float | None
    upper: float | None
    n: int = headed("summaries")
    """Summaries judged by two assessors or more."""
    codings: int
    """Answers on these."""
    assessors: int
    left_out: int
    """Summaries judged by one assessor only."""
    pair_agreement: float | None = headed("share of equal answers")
    """Mean over summaries of the share of pairs of assessors with the same answer."""
    confidence: float
    resamples: int
    undefined: int
    """Samples in which α is undefined, left out of the interval; over topics, those without which it is."""
    over: Literal["summaries", "topics"]
    seed: int

    @property
    def has_prevailing_answer(self) -> bool:
        """Whether α is low although most pairs of answers are equal: then chance alone makes most of them equal."""
        if self.alpha is None or self.pair_agreement is None:
            return False
        return self.alpha < LOW_ALPHA and self.pair_agreement >= MOSTLY_EQUAL


class QuestionPair(ExplainedRow, record="question-pair", digits=2):
    """How far two assessors agree on one question."""

    question: str
    a: str
    b: str
    exact: float = headed("equal")
    """Share of summaries with the same answer."""
    within_one: float = headed("within 1")
    """Share of summaries with answers at most 1 apart."""
    difference: float = headed("a − b")
    """Mean of a − b."""
    pearson: float | None = headed("Pearson")
    kappa: float | None = headed("quadratic κ")
    """Cohen's κ with quadratic weights."""
    n: int = headed("summaries")


class QuestionIcc(ExplainedRow, record="question-icc", digits=2):
    """Intraclass correlations of one question, on the summaries that every assessor judged."""

    question: str
    icc: float | None = headed("ICC(2,1)", default=None)
    """ICC(2,1): of one assessor's answers (two-way random effects, absolute agreement)."""
    lower: float | None = None
    upper: float | None = None
    icc_mean: float | None = headed("ICC(2,k)", default=None)
    """ICC(2,k): of the mean of all assessors' answers."""
    assessors: int
    n: int = headed("summaries")
    """Summaries that all of them judged."""
    confidence: float


class ConfusionCell(NotedRow, record="confusion"):
    """How often one assessor gave one answer and another assessor another answer to the same summary."""

    question: str
    a: str
    b: str
    value_a: float
    value_b: float
    count: int
    n: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Confusion:
    """How often assessor a gave one value (rows) and b another (columns) to the same summary."""

    question: str
    a: str
    b: str
    values: tuple[float, ...]
    counts: Integers
    note: str = ""

    @property
    def n(self) -> int:
        """Summaries that both judged."""
        return int(self.counts.sum())

    def cells(self) -> Iterator[ConfusionCell]:
        """The cells; of many values only those that are not empty."""
        for value, row in zip(self.values, self.counts, strict=True):
            for other, count in zip(self.values, row, strict=True):
                # Scales from 0 to 100 would give 10,201 records, nearly all of them 0.
                if count or len(self.values) <= MOST_CELLS:
                    yield ConfusionCell(
                        question=self.question,
                        a=self.a,
                        b=self.b,
                        value_a=value,
                        value_b=other,
                        count=int(count),
                        n=self.n,
                        note=self.note,
                    )


class JudgmentAgreement(Finding):
    """Agreement on every question."""

    record_kinds: ClassVar[tuple[str, ...]] = ("question-alpha", "question-icc", "question-pair", "confusion")

    alphas: tuple[QuestionAlpha, ...]
    pairs: tuple[QuestionPair, ...]
    iccs: tuple[QuestionIcc, ...]
    options: JudgmentAgreementOptions
    seed: int
    confusions: tuple[Confusion, ...] = ()
    note: str = ""
    """What one must know about the judgments, such as that they are simulated."""

    def __repr__(self) -> str:
        questions = dict.fromkeys(alpha.question for alpha in self.alphas)
        return f"<Agreement on {', '.join(questions)}>"

    @property
    def confidence(self) -> float:
        """Of the intervals, in per cent."""
        return self.options.confidence

    def rows(self) -> Iterator[Row]:
        """α of each question, pairs of assessors, confusion."""
        yield from (*self.alphas, *self.iccs, *self.pairs)
        for confusion in self.confusions:
            yield from confusion.cells()

    def headline_alphas(self) -> list[QuestionAlpha]:
        """The α that sentences and figures use: where defined, the ordinal one, because answers are steps of a scale.

        If ordinal α was not asked for, it is the first metric that was.
        """
        defined_alphas = [alpha for alpha in self.alphas if alpha.alpha is not None]
        if not defined_alphas:
            return []
        metrics = {alpha.metric for alpha in defined_alphas}
        headline_metric = "ordinal" if "ordinal" in metrics else defined_alphas[0].metric
        return [alpha for alpha in defined_alphas if alpha.metric == headline_metric]


def judgment_agreement(
    campaign: Campaign,
    options: JudgmentAgreementOptions | None = None,
    *,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> JudgmentAgreement:
    """Agreement between assessors, question by question; summaries may have unequal numbers of assessors.

    Args:
        campaign: with judgments.
        options: questions, metrics of α, bootstrap, confusion.
        seed: of the bootstrap.
        progress: called with the number of questions done since the last call.

    Raises:
        UsageError: if one of the pair whose confusion is asked for judged nothing.
    """
    options = options or JudgmentAgreementOptions()
    _require_assessors(campaign, options.confusion)
    note = note_on_judgments(campaign)
    alphas: list[QuestionAlpha] = []
    iccs: list[QuestionIcc] = []
    pairs: list[QuestionPair] = []
    confusions: list[Confusion] = []
    for question in judged_questions(campaign, options.question):
        answers = _AnswerMatrix.of(campaign, question)
        alphas += _question_alphas(question, answers, options, seed=seed, note=note)
        iccs.append(_question_icc(question, answers, confidence=options.confidence, note=note))
        pairs += _question_pairs(question, answers, note=note)
        scale = scale_values(campaign, question)
        confusions += _question_confusions(question, answers, options, scale=scale, note=note)
        if progress:
            progress(1)
    return JudgmentAgreement(
        alphas=tuple(alphas),
        pairs=tuple(pairs),
        iccs=tuple(iccs),
        options=options,
        seed=seed,
        confusions=tuple(confusions),
        note=note,
    )


def _require_assessors(campaign: Campaign, pair: tuple[str, str] | None) -> None:
    """Refuse a pair of which one judged nothing, or that is one assessor twice."""
    if pair is None:
        return
    assessors = sorted({judgment.assessor for judgment in campaign.judgments})
    for name in pair:
        check_known(name, assessors, f"there is no assessor {name!r}")
    if pair[0] == pair[1]:
        raise UsageError(f"{mention('confusion', pair)}: name two assessors")


def _question_alphas(
    question: str, answers: _AnswerMatrix, options: JudgmentAgreementOptions, *, seed: int, note: str
) -> Iterator[QuestionAlpha]:
    """α of one question by each metric that was asked for; by all of them if none was."""
    agreement = mean_pair_agreement(answers.values)
    for metric in get_args(AlphaMetric):
        if options.metric and metric not in options.metric:
            continue
        if options.over == "topics":
            # Answers about one topic depend on each other: summaries drawn one by one give too narrow an interval.
            alpha = jackknifed_alpha(answers.values, answers.topics, metric=metric, confidence=options.confidence)
        else:
            alpha = krippendorff_alpha(
                answers.values,
                metric=metric,
                confidence=options.confidence,
                resamples=options.resamples,
                seed=seed,
            )
        yield QuestionAlpha(
            question=question,
            metric=alpha.metric,
            alpha=defined(alpha.value),
            lower=defined(alpha.lower),
            upper=defined(alpha.upper),
            n=alpha.units,
            codings=alpha.codings,
            assessors=len(answers.assessors),
            left_out=alpha.left_out,
            pair_agreement=defined(agreement),
            confidence=options.confidence,
            resamples=options.resamples if options.over == "summaries" else 0,
            undefined=alpha.undefined,
            over=options.over,
            seed=seed,
            note=note,
        )


def _question_icc(question: str, answers: _AnswerMatrix, *, confidence: float, note: str) -> QuestionIcc:
    """Intraclass correlations of one question; without numbers where they are undefined."""
    correlation = intraclass_correlation(answers.values, confidence=confidence)
    # The two-way model needs every assessor on every summary.
    judged_by_all = 0
    if len(answers.assessors) > 1:
        judged_by_all = int((~np.isnan(answers.values).any(axis=1)).sum())
    icc = QuestionIcc(
        question=question,
        assessors=len(answers.assessors),
        n=judged_by_all,
        confidence=confidence,
        note=note,
    )
    if correlation is None:
        return icc
    return replace(
        icc,
        icc=defined(correlation.single),
        lower=defined(correlation.lower),
        upper=defined(correlation.upper),
        icc_mean=defined(correlation.mean),
    )


def _question_pairs(question: str, answers: _AnswerMatrix, *, note: str) -> Iterator[QuestionPair]:
    """Agreement of every two assessors who judged some of the same summaries."""
    # Sorted, so that a pair has the same name, and the same sign of its difference, in every question.
    for a, b in combinations(sorted(answers.assessors), 2):
        a_values, b_values = answers.shared_values(a, b)
        if not len(a_values):
            continue
        agreement = pair_agreement(a_values, b_values)
        yield QuestionPair(
            question=question,
            a=a,
            b=b,
            exact=agreement.exact,
            within_one=agreement.within_one,
            difference=agreement.difference,
            pearson=defined(agreement.pearson),
            kappa=defined(quadratic_kappa(a_values, b_values)),
            n=agreement.n,
            note=note,
        )


def _question_confusions(
    question: str,
    answers: _AnswerMatrix,
    options: JudgmentAgreementOptions,
    *,
    scale: tuple[float, ...],
    note: str,
) -> Iterator[Confusion]:
    """The confusion of the two assessors that were named, or of every two if all were asked for."""
    chosen_pairs = [options.confusion] if options.confusion else []
    if options.confusions:
        chosen_pairs = list(combinations(sorted(answers.assessors), 2))
    for a, b in chosen_pairs:
        a_values, b_values = answers.shared_values(a, b)
        if len(a_values):
            counts = confusion_matrix(a_values, b_values, np.array(scale, dtype=np.float64))
            yield Confusion(question=question, a=a, b=b, values=scale, counts=counts, note=note)


@dataclass(frozen=True, eq=False)
class _AnswerMatrix:
    """The answers to one question."""

    values: Floats
    """Summaries × assessors; NaN where there is none."""
    assessors: tuple[str, ...]
    topics: Integers
    """Per summary, the number of its topic."""

    @classmethod
    def of(cls, campaign: Campaign, question: str) -> _AnswerMatrix:
        """The answers in the order of the campaign; an assessor's answers to several runs are averaged."""
        judgments = mean_of_runs(answers_to(campaign, question))
        summaries = dict.fromkeys((judgment.topic, judgment.summarizer) for judgment in judgments)
        assessors = dict.fromkeys(judgment.assessor for judgment in judgments)
        row_numbers = {summary: number for number, summary in enumerate(summaries)}
        column_numbers = {assessor: number for number, assessor in enumerate(assessors)}
        values = np.full((len(summaries), len(assessors)), np.nan)
        for judgment in judgments:
            row = row_numbers[judgment.topic, judgment.summarizer]
            values[row, column_numbers[judgment.assessor]] = judgment.value
        topics = dict.fromkeys(topic for topic, _ in summaries)
        topic_numbers = {topic: number for number, topic in enumerate(topics)}
        topic_of_summary = np.array([topic_numbers[topic] for topic, _ in summaries], dtype=np.int64)
        return cls(values, tuple(assessors), topic_of_summary)

    def shared_values(self, first: str, second: str) -> tuple[Floats, Floats]:
        """The values of two assessors on the summaries that both judged; none if one of them did not answer."""
        if not {first, second} <= set(self.assessors):
            return np.zeros(0), np.zeros(0)
        first_values = self.values[:, self.assessors.index(first)]
        second_values = self.values[:, self.assessors.index(second)]
        both = ~np.isnan(first_values) & ~np.isnan(second_values)
        return first_values[both], second_values[both]
