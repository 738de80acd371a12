"""Judged measures: assessors' answers as scores, `question.content-responsiveness`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pyramidion.campaign import Judgment, TopicData
from pyramidion.campaign.nouns import mean_of_runs
from pyramidion.campaign.raters import name_judges
from pyramidion.measures.base import Measure, Need, Rows, StatisticFacts, option, with_signatures_of
from pyramidion.scores import Evidence, FixedEvidence
from pyramidion.scores.judges import name_in_signature

_NOBODY = (math.nan,)


@dataclass(frozen=True, kw_only=True)
class QuestionMeasure(Measure):
    """The mean over people of the answers to a question (over judges, where only judges answered).

    The statistic is the question's name. Several runs of one assessor count as their mean.
    """

    base_names: ClassVar[tuple[str, ...]] = ("question",)
    needs: ClassVar[frozenset[Need]] = frozenset({"judgments"})

    assessor: str | None = option(None, "only the answers of this assessor, a person or a judge")

    def _answers(self, topic: TopicData) -> list[Judgment]:
        """The answers that count."""
        judgments = topic.with_rater(self.assessor).judgments
        return [judgment for judgment in judgments if self.assessor in (None, judgment.assessor)]

    def evidence(self, topic: TopicData) -> Evidence | None:
        """Means over assessors: peers × questions; NaN where nobody answered."""
        answers: dict[tuple[str, str], list[float]] = defaultdict(list)
        questions: dict[str, None] = {}
        for judgment in mean_of_runs(self._answers(topic)):
            questions.setdefault(judgment.question)
            answers[judgment.summarizer, judgment.question].append(judgment.value)
        # None, not rows of NaN: the topic lacks what the measure needs, and the missing rows are counted.
        if not questions:
            return None
        peers = topic.peer_ids
        scores = np.empty((len(peers), len(questions)))
        for row, peer in enumerate(peers):
            scores[row] = [_mean(answers.get((peer, question), _NOBODY)) for question in questions]
        return FixedEvidence(peers=peers, statistics=tuple(questions), scores=scores)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """The values; where judges answered, signatures name them, and a note says so."""
        rows = super().rows(evidence, topics, seed=seed)
        raters: dict[tuple[int, str, str], set[str]] = defaultdict(set)
        for number, topic in enumerate(topics):
            if topic.judges:
                for judgment in self._answers(topic):
                    raters[number, judgment.summarizer, judgment.question].add(judgment.assessor)
        judges = [topic.judges for topic in topics]
        rows = sign_by_raters(self, rows, judges, lambda *cell: raters[cell], seed=seed)
        facts: dict[str, StatisticFacts] = {}
        for question in rows.statistics:
            facts[question] = StatisticFacts(note=note_on_raters(topics, self.assessor, f"question.{question}"))
        return replace(rows, facts=facts)


def sign_by_raters(
    measure: Measure,
    rows: Rows,
    judges_by_topic: Sequence[Mapping[str, str]],
    raters_of: Callable[[int, str, str], set[str]],
    *,
    seed: int,
) -> Rows:
    """The rows with signatures that name the judges behind each value; those of people alone stay as they are.

    Args:
        measure: whose values they are.
        rows: its values.
        judges_by_topic: of the topics that the rows are about: by name, the judges as signatures name them.
        raters_of: who is behind a value: by the number of the topic, the summarizer and the statistic.
        seed: of the run, which may be part of signatures.
    """
    if not any(judges_by_topic):
        return rows
    signed = with_signatures_of(measure, rows, seed=seed)
    signatures: list[list[str]] = []
    for index, (number, peer) in enumerate(zip(rows.topics.tolist(), rows.peers, strict=True)):
        judges = judges_by_topic[number]
        row = list((signed.signatures or ())[index])
        for column, statistic in enumerate(rows.statistics):
            row[column] = name_in_signature(row[column], raters_of(number, peer, statistic), judges)
        signatures.append(row)
    return replace(signed, signatures=signatures)


def note_on_raters(topics: Sequence[TopicData], rater: str | None, measure: str) -> str:
    """Who answered, where that are not people alone.

    Args:
        topics: some of the campaign.
        rater: the only rater whose answers count; None for all that were chosen.
        measure: what the answers are scores of.
    """
    if not topics:
        return ""
    if rater is None:
        return topics[0].rater_notes.get(measure, "")
    if rater in topics[0].judges:
        return f"answers of {name_judges([rater])}, not of people"
    return ""


def _mean(values: Sequence[float]) -> float:
    """Of a few values, for which an array would take longer; infinite where their sum is."""
    return sum(values) / len(values)
