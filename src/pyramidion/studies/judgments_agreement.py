"""How far assessors agree on a question: Krippendorff's α, agreement of pairs, and where two of them differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Campaign
from pyramidion.errors import UsageError, did_you_mean
from pyramidion.statistics.agreement import (
    ALPHA_METRICS,
    Alpha,
    AlphaMetric,
    PairAgreement,
    confusion_matrix,
    krippendorff_alpha,
    mean_pair_agreement,
    pair_agreement,
)
from pyramidion.statistics.checks import check_resampling
from pyramidion.studies.judgments import answers_to, judged_questions, note_on_judgments, scale_values

Resampled = Literal["summaries", "topics"]


@dataclass(frozen=True, kw_only=True)
class QuestionAlpha:
    """Krippendorff's α of one question. Its units are the summaries that two assessors or more judged."""

    question: str
    alpha: Alpha
    assessors: int
    pair_agreement: float
    """Mean over summaries of the share of pairs of assessors with the same answer; NaN if there is none."""


@dataclass(frozen=True, kw_only=True)
class QuestionPair:
    """How far two assessors agree on one question."""

    question: str
    first: str
    second: str
    agreement: PairAgreement


@dataclass(frozen=True, kw_only=True, eq=False)
class Confusion:
    """How often the first assessor said one value (rows) and the second another (columns) of the same summary."""

    question: str
    first: str
    second: str
    values: tuple[float, ...]
    counts: Integers

    @property
    def n(self) -> int:
        """Summaries that both judged."""
        return int(self.counts.sum())


@dataclass(frozen=True, kw_only=True)
class JudgmentAgreement:
    """Agreement on every question, and how its intervals were made."""

    alphas: tuple[QuestionAlpha, ...]
    pairs: tuple[QuestionPair, ...]
    confidence: float
    resamples: int
    seed: int
    over: Resampled
    note: str = ""
    """What must be said wherever it shows, such as "simulated judgments"."""


def judgment_agreement(
    campaign: Campaign,
    *,
    questions: Sequence[str] | None = None,
    metrics: Sequence[AlphaMetric] = ALPHA_METRICS,
    confidence: float = 95.0,
    resamples: int = 1000,
    seed: int = 0,
    over: Resampled = "summaries",
    progress: Callable[[int], None] | None = None,
) -> JudgmentAgreement:
    """Agreement between assessors, question by question.

    Args:
        campaign: with judgments; summaries may have unequal numbers of assessors.
        questions: which questions; by default all that were answered.
        metrics: of α: "nominal", "ordinal", "interval".
        confidence: of the bootstrap intervals, in per cent.
        resamples: of the bootstrap.
        seed: of the bootstrap.
        over: what is drawn with replacement: summaries, or topics with all their summaries.
        progress: called with the number of questions done since the last call.
    """
    check_resampling(confidence=confidence, resamples=resamples)
    alphas: list[QuestionAlpha] = []
    pairs: list[QuestionPair] = []
    for question in judged_questions(campaign, questions):
        answers = _Answers.of(campaign, question)
        codings = answers.codings()
        agreement = mean_pair_agreement(codings)
        assessors = len(answers.by_assessor)
        alphas += [
            QuestionAlpha(question=question, alpha=alpha, assessors=assessors, pair_agreement=agreement)
            for alpha in (
                krippendorff_alpha(
                    codings,
                    metric=metric,
                    confidence=confidence,
                    resamples=resamples,
                    seed=seed,
                    clusters=answers.topics if over == "topics" else None,
                )
                for metric in metrics
            )
        ]
        for first, second in combinations(sorted(answers.by_assessor), 2):
            found = pair_agreement(*answers.of_two(first, second))
            if found.n:
                pairs.append(QuestionPair(question=question, first=first, second=second, agreement=found))
        if progress:
            progress(1)
    return JudgmentAgreement(
        alphas=tuple(alphas),
        pairs=tuple(pairs),
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        over=over,
        note=note_on_judgments(campaign),
    )


def judgment_confusions(
    campaign: Campaign,
    *,
    pair: tuple[str, str] | None = None,
    questions: Sequence[str] | None = None,
) -> list[Confusion]:
    """Confusion between two assessors, or between any two that judged a summary both; of each question.

    Raises:
        UsageError: if one of the pair judged nothing.
    """
    if pair:
        assessors = sorted({judgment.assessor for judgment in campaign.judgments})
        for name in pair:
            if name not in assessors:
                raise UsageError(
                    f"there is no assessor {name!r}{did_you_mean(name, assessors)} there are: {', '.join(assessors)}"
                )
        if pair[0] == pair[1]:
            raise UsageError(f"{pair[0]} can't be confused with itself; name two assessors")
    confusions: list[Confusion] = []
    for question in judged_questions(campaign, questions):
        answers = _Answers.of(campaign, question)
        values = scale_values(campaign, question)
        for first, second in [pair] if pair else combinations(sorted(answers.by_assessor), 2):
            ours, theirs = answers.of_two(first, second)
            counts = confusion_matrix(ours, theirs, np.array(values, dtype=np.float64))
            if len(ours):
                confusions.append(
                    Confusion(question=question, first=first, second=second, values=values, counts=counts)
                )
    return confusions


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
