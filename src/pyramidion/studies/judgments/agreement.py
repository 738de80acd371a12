"""How far assessors agree on a question: Krippendorff's α, agreement of pairs, and where two of them differ."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.options import AlphaMetric, JudgmentAgreementOptions
from pyramidion.statistics.agreement import (
    Alpha,
    confusion_matrix,
    krippendorff_alpha,
    mean_pair_agreement,
    pair_agreement,
)
from pyramidion.studies.judgments.questions import (
    answers_to,
    judged_questions,
    name_of,
    note_on_judgments,
    scale_values,
)
from pyramidion.tables import Cell, Column, Finding, Row, Table, table_of
from pyramidion.wording import defined, listed, noted, percent, with_interval

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff (2004): rely on α ≥ .800; draw tentative conclusions where α ≥ .667."""
MOST_CELLS = 20
"""The records of a confusion of more values than this leave out empty cells."""


@dataclass(frozen=True, kw_only=True)
class QuestionAlpha(Row, record="question-alpha"):
    """Krippendorff's α of one question. Its units are the summaries that at least two assessors judged."""

    question: str
    metric: AlphaMetric
    alpha: float | None
    lower: float | None
    upper: float | None
    n: int
    """Summaries judged by two assessors or more."""
    codings: int
    """Answers on these."""
    assessors: int
    left_out: int
    """Summaries judged by one assessor only."""
    pair_agreement: float | None
    """Mean over summaries of the share of pairs of assessors with the same answer."""
    confidence: float
    resamples: int
    undefined: int
    """Samples in which α is undefined; they are left out of the interval."""
    over: Literal["summaries", "topics"]
    seed: int
    note: str = ""
    reason: str = ""

    def in_words(self, *, confidence: bool = False) -> str:
        """`0.71 (0.64 to 0.78)`."""
        level = self.confidence if confidence else None
        return (
            "undefined" if self.alpha is None else with_interval(self.alpha, self.lower, self.upper, confidence=level)
        )


@dataclass(frozen=True, kw_only=True)
class QuestionPair(Row, record="question-pair"):
    """How far two assessors agree on one question."""

    question: str
    a: str
    b: str
    exact: float
    """Share of summaries with the same answer."""
    within_one: float
    """Share of summaries with answers at most 1 apart."""
    difference: float
    """Mean of a − b."""
    pearson: float | None
    n: int
    note: str = ""
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ConfusionCell(Row, record="confusion"):
    """How often one assessor gave one answer and another assessor another answer to the same summary."""

    question: str
    a: str
    b: str
    value_a: float
    value_b: float
    count: int
    n: int
    note: str = ""


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
        facts = {"question": self.question, "a": self.a, "b": self.b, "n": self.n, "note": self.note}
        for value, row in zip(self.values, self.counts, strict=True):
            for other, count in zip(self.values, row, strict=True):
                if count or len(self.values) <= MOST_CELLS:
                    yield ConfusionCell(value_a=value, value_b=other, count=int(count), **facts)  # type: ignore[arg-type]

    def table(self) -> Table:
        """The matrix."""
        rows: list[list[Cell]] = [
            [f"{value:g}", *map(int, row)] for value, row in zip(self.values, self.counts, strict=True)
        ]
        title = f"{self.question}: {name_of(self.a)} (rows) and {name_of(self.b)} (columns)"
        return Table(
            record="confusion",
            title=noted(title, f"n = {self.n}", self.note),
            columns=(Column("answer", kind="text"), *(Column(f"{value:g}") for value in self.values)),
            rows=rows,
            about=f"{self.question}: {name_of(self.a)}, {name_of(self.b)}",
        )


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class JudgmentAgreement(Finding):
    """Agreement on every question."""

    alphas: tuple[QuestionAlpha, ...]
    pairs: tuple[QuestionPair, ...]
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
        yield from (*self.alphas, *self.pairs)
        for confusion in self.confusions:
            yield from confusion.cells()

    def tables(self) -> list[Table]:
        """The same as tables."""
        pairs = [self.pair_table(self.pairs)] if self.pairs else []
        return [self.alpha_table(), *pairs, *(confusion.table() for confusion in self.confusions)]

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
            (
                Column("question", kind="text"),
                Column("metric", kind="text"),
                Column("alpha", "α"),
                Column("lower"),
                Column("upper"),
                Column("n", "summaries"),
                Column("assessors"),
                Column("pair_agreement", "share of equal answers"),
            ),
            title=noted("Krippendorff's α", made, self.note),
            heads=2,
            sentences=tuple(self._in_words()),
            notes=(*reasons, *apart),
        )

    def pair_table(self, pairs: Sequence[QuestionPair]) -> Table:
        """Pairs of assessors on the summaries that both judged."""
        return Table(
            record="question-pair",
            title=noted("Pairs of assessors, on summaries that both judged", self.note),
            columns=(
                *(Column(key, kind="text") for key in ("question", "a", "b")),
                Column("exact", "equal"),
                Column("within_one", "within 1"),
                Column("difference", "a − b"),
                Column("pearson", "Pearson"),
                Column("n", "summaries"),
            ),
            rows=[
                [
                    one.question,
                    name_of(one.a),
                    name_of(one.b),
                    one.exact,
                    one.within_one,
                    one.difference,
                    one.pearson,
                    one.n,
                ]
                for one in pairs
            ],
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
            yield f"{on}, they agree best on {best.question}: α = {best.in_words(confidence=True)}."
            yield (
                f"They agree least on {worst.question}: α = {worst.in_words()}; {percent(worst.pair_agreement or 0.0)} "
                "of pairs of answers are equal."
            )
        else:
            yield f"{on}, α of {best.question} is {best.in_words(confidence=True)}."
        yield "α is 1 for perfect agreement and 0 for agreement by chance."
        yield _levels(ranked)
        if prevailing := [one.question for one in ranked if _is_prevailing(one)]:
            yield (
                f"α is low for {listed(prevailing)} although most answers are equal: one answer prevails, so chance "
                "alone would make most answers equal."
            )


def _levels(ranked: Sequence[QuestionAlpha]) -> str:
    """Where the whole interval lies, by the convention of the field; what lies across a limit is left open."""
    found: dict[str, list[str]] = {}
    for one in ranked:
        lower = -math.inf if one.lower is None else one.lower
        upper = math.inf if one.upper is None else one.upper
        where = "is too wide to say"
        if lower >= RELIABLE:
            where = "lies above 0.8"
        elif lower >= TENTATIVE:
            where = "lies above 0.667"
        elif upper < TENTATIVE:
            where = "lies below 0.667"
        found.setdefault(where, []).append(one.question)
    parts = [f"{where} for {listed(questions)}" for where, questions in found.items()]
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
    note = note_on_judgments(campaign)
    alphas: list[QuestionAlpha] = []
    pairs: list[QuestionPair] = []
    confusions: list[Confusion] = []
    for question in judged_questions(campaign, options.question):
        answers = _Answers.of(campaign, question)
        codings = answers.codings()
        agreement = mean_pair_agreement(codings)
        for metric in [one for one in get_args(AlphaMetric) if not options.metric or one in options.metric]:
            alpha = krippendorff_alpha(
                codings,
                metric=metric,
                confidence=options.confidence,
                resamples=options.resamples,
                seed=seed,
                clusters=answers.topics if options.over == "topics" else None,
            )
            alphas.append(_alpha_row(question, alpha, len(answers.by_assessor), agreement, options, seed, note))
        every_two = list(combinations(sorted(answers.by_assessor), 2))
        pairs += [pair for two in every_two if (pair := _pair_row(question, answers, two, note))]
        wanted = every_two if options.confusions else [options.confusion] if options.confusion else []
        values = scale_values(campaign, question)
        for a, b in wanted:
            ours, theirs = answers.of_two(a, b)
            if len(ours):
                counts = confusion_matrix(ours, theirs, np.array(values, dtype=np.float64))
                confusions.append(Confusion(question=question, a=a, b=b, values=values, counts=counts, note=note))
        if progress:
            progress(1)
    return JudgmentAgreement(
        alphas=tuple(alphas),
        pairs=tuple(pairs),
        options=options,
        seed=seed,
        confusions=tuple(confusions),
        note=note,
    )


def _check_assessors(campaign: Campaign, pair: tuple[str, str] | None) -> None:
    assessors = sorted({judgment.assessor for judgment in campaign.judgments})
    for name in pair or ():
        if name not in assessors:
            raise UsageError(
                f"there is no assessor {name!r}{did_you_mean(name, assessors)} there are: {', '.join(assessors)}"
            )
    if pair and pair[0] == pair[1]:
        raise UsageError(f"--confusion {pair[0]} {pair[1]}: name two assessors")


def _alpha_row(
    question: str,
    alpha: Alpha,
    assessors: int,
    agreement: float,
    options: JudgmentAgreementOptions,
    seed: int,
    note: str,
) -> QuestionAlpha:
    reason = f"an interval needs at least two {options.over} that differ"
    if alpha.reason:
        reason = "all answers are the same, so no disagreement is expected"
        if not alpha.units:
            reason = "no summary was judged by two assessors"
    return QuestionAlpha(
        question=question,
        metric=alpha.metric,
        alpha=defined(alpha.value),
        lower=defined(alpha.lower),
        upper=defined(alpha.upper),
        n=alpha.units,
        codings=alpha.codings,
        assessors=assessors,
        left_out=alpha.left_out,
        pair_agreement=defined(agreement),
        confidence=options.confidence,
        resamples=options.resamples,
        undefined=alpha.undefined,
        over=options.over,
        seed=seed,
        note=note,
        reason=reason,
    )


def _pair_row(question: str, answers: _Answers, two: tuple[str, str], note: str) -> QuestionPair | None:
    found = pair_agreement(*answers.of_two(*two))
    if not found.n:
        return None
    return QuestionPair(
        question=question,
        a=two[0],
        b=two[1],
        exact=found.exact,
        within_one=found.within_one,
        difference=found.difference,
        pearson=defined(found.pearson),
        n=found.n,
        note=note,
        reason="one of the two gave the same answer to all",
    )


@dataclass(frozen=True, eq=False)
class _Answers:
    """The answers to one question."""

    by_assessor: dict[str, tuple[Integers, Floats]]
    """Numbers of the summaries judged, rising, and the values."""
    topics: Integers
    """Per summary, the number of its topic."""

    @classmethod
    def of(cls, campaign: Campaign, question: str) -> _Answers:
        summaries: dict[tuple[str, str], int] = {}
        topics: dict[str, int] = {}
        found: dict[str, dict[int, float]] = defaultdict(dict)
        for judgment in answers_to(campaign, question):
            topics.setdefault(judgment.topic, len(topics))
            summary = summaries.setdefault((judgment.topic, judgment.summarizer), len(summaries))
            found[judgment.assessor][summary] = judgment.value
        by_assessor = {
            assessor: (np.array(sorted(values), dtype=np.int64), np.array([values[unit] for unit in sorted(values)]))
            for assessor, values in found.items()
        }
        return cls(by_assessor, np.array([topics[topic] for topic, _ in summaries], dtype=np.int64))

    def codings(self) -> Floats:
        """Summaries × codings, from the left: as many columns as the most judged summary has assessors."""
        filled = np.zeros(len(self.topics), dtype=np.int64)
        for units, _ in self.by_assessor.values():
            filled[units] += 1
        codings = np.full((len(self.topics), int(filled.max(initial=0))), np.nan)
        filled[:] = 0
        for units, values in self.by_assessor.values():
            codings[units, filled[units]] = values
            filled[units] += 1
        return codings

    def of_two(self, first: str, second: str) -> tuple[Floats, Floats]:
        """The values of two assessors on the summaries that both judged."""
        nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
        (one, ours), (two, theirs) = self.by_assessor.get(first, nothing), self.by_assessor.get(second, nothing)
        _, here, there = np.intersect1d(one, two, assume_unique=True, return_indices=True)
        return ours[here], theirs[there]
