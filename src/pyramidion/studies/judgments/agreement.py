"""How far assessors agree on a question: Krippendorff's α, agreement of pairs, and where two of them differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import mean_of_runs
from pyramidion.errors import UsageError, check_known, mention
from pyramidion.options import AlphaMetric, JudgmentAgreementOptions
from pyramidion.show.tables import Cell, Column, Finding, NotedRow, Row, Table, columns_of, grouped, headed, table_of
from pyramidion.show.wording import defined, listed, noted, percent, with_interval
from pyramidion.statistics.agreement import (
    Alpha,
    confusion_matrix,
    intraclass_correlation,
    krippendorff_alpha,
    mean_pair_agreement,
    pair_agreement,
    quadratic_kappa,
)
from pyramidion.studies.judgments.questions import (
    answers_to,
    judged_questions,
    name_of,
    note_on_judgments,
    scale_values,
)

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (2004): rely on α ≥ .800; draw tentative conclusions where α ≥ .667."""
MOST_CELLS = 20
"""The records of a confusion of more values than this leave out empty cells."""


class QuestionAlpha(NotedRow, record="question-alpha", digits=2):
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
    """Samples in which α is undefined; they are left out of the interval."""
    over: Literal["summaries", "topics"]
    seed: int

    def in_words(self, *, confidence: bool = False) -> str:
        """`0.71 (0.64 to 0.78)`."""
        return with_interval(self.alpha, self.lower, self.upper, confidence=self.confidence if confidence else None)


class QuestionPair(NotedRow, record="question-pair", digits=2):
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


class QuestionIcc(NotedRow, record="question-icc", digits=2):
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

    def table(self) -> Table:
        """The matrix."""
        rows: list[list[Cell]] = [
            [f"{value:g}", *map(int, row)] for value, row in zip(self.values, self.counts, strict=True)
        ]
        title = f"{self.question}: {name_of(self.a)} (rows) and {name_of(self.b)} (columns)"
        return Table(
            record="confusion",
            title=noted(title, f"n = {self.n}", self.note),
            columns=columns_of("answer", *(f"{value:g}" for value in self.values)),
            rows=rows,
            about=f"{self.question}: {name_of(self.a)}, {name_of(self.b)}",
        )


class JudgmentAgreement(Finding):
    """Agreement on every question."""

    alphas: tuple[QuestionAlpha, ...]
    pairs: tuple[QuestionPair, ...]
    iccs: tuple[QuestionIcc, ...]
    options: JudgmentAgreementOptions
    seed: int
    confusions: tuple[Confusion, ...] = ()
    note: str = ""
    """What one must know about the judgments, such as that they are simulated."""

    def __repr__(self) -> str:
        return f"<Agreement on {', '.join(dict.fromkeys(one.question for one in self.alphas))}>"

    @property
    def confidence(self) -> float:
        """Of the intervals, in per cent."""
        return self.options.confidence

    def rows(self) -> Iterator[Row]:
        """α of each question, pairs of assessors, confusion."""
        yield from (*self.alphas, *self.iccs, *self.pairs)
        for confusion in self.confusions:
            yield from confusion.cells()

    def tables(self) -> list[Table]:
        """The same as tables."""
        pairs = [self.pair_table(self.pairs)] if self.pairs else []
        iccs = [self.icc_table()] if any(one.icc is not None for one in self.iccs) else []
        return [self.alpha_table(), *iccs, *pairs, *(confusion.table() for confusion in self.confusions)]

    def alpha_table(self) -> Table:
        """Krippendorff's α by question and metric, and what it means."""
        options = self.options
        made = (
            f"{options.confidence:g} % intervals: {options.resamples:,} bootstrap samples of {options.over}, seed "
            f"{self.seed}"
        )
        reasons = dict.fromkeys(f"{one.question}: {one.reason}." for one in self.alphas if "reason" in one.fields())
        wanted = options.confusion
        apart = [f"No summary was judged by both {' and '.join(wanted)}."] if wanted and not self.confusions else []
        return table_of(
            self.alphas,
            ("question", "metric", "alpha", "lower", "upper", "n", "assessors", "pair_agreement"),
            title=noted("Krippendorff's α", made, self.note),
            heads=2,
            sentences=tuple(self._in_words()),
            notes=(*reasons, *apart),
        )

    def icc_table(self) -> Table:
        """How far one assessor's answers, or the mean of all, follow what the summaries deserve."""
        return table_of(
            self.iccs,
            ("question", "icc", "lower", "upper", "icc_mean", "assessors", "n"),
            title=noted(f"Intraclass correlation, {self.confidence:g} % intervals", self.note),
            notes=("ICC(2,1): of one assessor's answers; ICC(2,k): of the mean of all assessors.",),
        )

    def pair_table(self, pairs: Sequence[QuestionPair]) -> Table:
        """Pairs of assessors on the summaries that both judged."""
        names = (Column("a", of=lambda one: name_of(one.a)), Column("b", of=lambda one: name_of(one.b)))
        return table_of(
            pairs,
            ("question", *names, "exact", "within_one", "difference", "pearson", "kappa", "n"),
            title=noted("Pairs of assessors, on summaries that both judged", self.note),
            heads=3,
            notes=("Shares of equal answers and of answers at most 1 apart; a − b below 0: a is stricter.",),
        )

    def told(self) -> list[QuestionAlpha]:
        """The defined α of the metric that sentences and figures use: ordinal, because answers are steps of a scale."""
        defined_ = [one for one in self.alphas if one.alpha is not None]
        return [one for one in defined_ if one.metric == "ordinal"] or [
            one for one in defined_ if one.metric == defined_[0].metric
        ]

    def _in_words(self) -> Iterator[str]:
        ranked = sorted(self.told(), key=lambda one: -(one.alpha or 0.0))
        if not ranked:
            return
        best, worst = ranked[0], ranked[-1]
        units = sorted({one.n for one in ranked})
        many = f"{units[0]:,}" if len(units) == 1 else f"{units[0]:,} to {units[-1]:,}"
        on = f"On the {many} summaries judged by at least two assessors"
        if len(ranked) > 1:
            yield f"{on}, they agree most on {best.question}: {best.metric} α = {best.in_words(confidence=True)}."
            yield (
                f"They agree least on {worst.question}: {worst.metric} α = {worst.in_words()}; "
                f"{percent(worst.pair_agreement or 0.0)} of pairs of answers are equal."
            )
        else:
            yield f"{on}, {best.metric} α of {best.question} is {best.in_words(confidence=True)}."
        yield "α is 1 for perfect agreement and 0 for agreement by chance."
        yield _levels(ranked)
        if prevailing := [one.question for one in ranked if _is_prevailing(one)]:
            yield (
                f"α is low for {listed(prevailing)} although most answers are equal: one answer prevails, so chance "
                "alone would make most answers equal."
            )


def _levels(ranked: Sequence[QuestionAlpha]) -> str:
    """Where the whole interval lies, by the convention of the field; what lies across a limit is left open."""

    def place(one: QuestionAlpha) -> str:
        if one.lower is not None and one.lower >= TENTATIVE:
            return "lies above 0.8" if one.lower >= RELIABLE else "lies above 0.667"
        return "lies below 0.667" if one.upper is not None and one.upper < TENTATIVE else "is too wide to tell"

    found = grouped(ranked, place).items()
    parts = [f"{where} for {listed([one.question for one in some])}" for where, some in found]
    return (
        "By convention (Krippendorff 2004), answers are reliable if α is at least 0.8, and allow tentative conclusions "
        f"from 0.667. Here the interval {'; it '.join(parts)}."
    )


def _is_prevailing(one: QuestionAlpha) -> bool:
    """Whether α is low although most pairs of answers are equal."""
    return (one.alpha or 0.0) < 0.5 and (one.pair_agreement or 0.0) >= 2 / 3


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
    _check_assessors(campaign, options.confusion)
    study = JudgmentAgreement(
        alphas=(), pairs=(), iccs=(), options=options, seed=seed, note=note_on_judgments(campaign)
    )
    alphas: list[QuestionAlpha] = []
    pairs: list[QuestionPair] = []
    iccs: list[QuestionIcc] = []
    confusions: list[Confusion] = []
    for question in judged_questions(campaign, options.question):
        answers = _Answers.of(campaign, question)
        agreement = mean_pair_agreement(answers.values)
        for metric in [one for one in get_args(AlphaMetric) if not options.metric or one in options.metric]:
            alpha = krippendorff_alpha(
                answers.values,
                metric=metric,
                confidence=options.confidence,
                resamples=options.resamples,
                seed=seed,
                clusters=answers.topics if options.over == "topics" else None,
            )
            alphas.append(
                QuestionAlpha(
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
                    resamples=options.resamples,
                    undefined=alpha.undefined,
                    over=options.over,
                    seed=seed,
                    note=study.note,
                    reason=_why_undefined(alpha, options.over),
                )
            )
        iccs.append(_icc(question, answers, study))
        every_two = list(combinations(sorted(answers.assessors), 2))
        wanted = every_two if options.confusions else [options.confusion] if options.confusion else []
        values = scale_values(campaign, question)
        for a, b in dict.fromkeys([*every_two, *wanted]):
            ours, theirs = answers.of_two(a, b)
            if not len(ours):
                continue
            if (a, b) in every_two:
                shared = pair_agreement(ours, theirs)
                pairs.append(
                    QuestionPair(
                        question=question,
                        a=a,
                        b=b,
                        exact=shared.exact,
                        within_one=shared.within_one,
                        difference=shared.difference,
                        pearson=defined(shared.pearson),
                        kappa=defined(quadratic_kappa(ours, theirs)),
                        n=shared.n,
                        note=study.note,
                        reason="one of the two gave the same answer to all",
                    )
                )
            if (a, b) in wanted:
                counts = confusion_matrix(ours, theirs, np.array(values, dtype=np.float64))
                confusions.append(Confusion(question=question, a=a, b=b, values=values, counts=counts, note=study.note))
        if progress:
            progress(1)
    return replace(study, alphas=tuple(alphas), iccs=tuple(iccs), pairs=tuple(pairs), confusions=tuple(confusions))


def _icc(question: str, answers: _Answers, study: JudgmentAgreement) -> QuestionIcc:
    found = intraclass_correlation(answers.values, confidence=study.confidence)
    several = len(answers.assessors) > 1
    return QuestionIcc(
        question=question,
        icc=defined(found.single) if found else None,
        lower=defined(found.lower) if found else None,
        upper=defined(found.upper) if found else None,
        icc_mean=defined(found.mean) if found else None,
        assessors=len(answers.assessors),
        n=int((~np.isnan(answers.values).any(axis=1)).sum()) if several else 0,
        confidence=study.confidence,
        note=study.note,
        reason="fewer than two summaries were judged by every assessor, all answers are the same, or the assessors "
        "contradict each other exactly",
    )


def _check_assessors(campaign: Campaign, pair: tuple[str, str] | None) -> None:
    assessors = sorted({judgment.assessor for judgment in campaign.judgments})
    for name in pair or ():
        check_known(name, assessors, f"there is no assessor {name!r}")
    if pair and pair[0] == pair[1]:
        raise UsageError(f"{mention('confusion', pair)}: name two assessors")


def _why_undefined(alpha: Alpha, over: str) -> str:
    if not alpha.units:
        return "no summary was judged by two assessors"
    if alpha.reason:
        return "all answers are equal, so agreement is perfect; α is undefined, because no disagreement is expected"
    return f"an interval needs at least two {over} that differ"


@dataclass(frozen=True, eq=False)
class _Answers:
    """The answers to one question."""

    values: Floats
    """Summaries × assessors; NaN where there is none."""
    assessors: tuple[str, ...]
    topics: Integers
    """Per summary, the number of its topic."""

    @classmethod
    def of(cls, campaign: Campaign, question: str) -> _Answers:
        given = mean_of_runs(answers_to(campaign, question))
        summaries = list(dict.fromkeys((one.topic, one.summarizer) for one in given))
        row = {summary: number for number, summary in enumerate(summaries)}
        column = {who: number for number, who in enumerate(dict.fromkeys(one.assessor for one in given))}
        topic = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in summaries))}
        values = np.full((len(row), len(column)), np.nan)
        for one in given:
            values[row[one.topic, one.summarizer], column[one.assessor]] = one.value
        return cls(values, tuple(column), np.array([topic[name] for name, _ in summaries], dtype=np.int64))

    def of_two(self, first: str, second: str) -> tuple[Floats, Floats]:
        """The values of two assessors on the summaries that both judged."""
        if not {first, second} <= set(self.assessors):
            return np.zeros(0), np.zeros(0)
        ours, theirs = (self.values[:, self.assessors.index(who)] for who in (first, second))
        both = ~np.isnan(ours) & ~np.isnan(theirs)
        return ours[both], theirs[both]
