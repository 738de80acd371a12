"""Judged measures: assessors' answers as scores, `question.content-responsiveness`."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.campaign import TopicData
from pyramidion.campaign.nouns import mean_of_runs
from pyramidion.measures.base import Measure, Need, option
from pyramidion.scores import Evidence, FixedEvidence

_NOBODY = (math.nan,)


@dataclass(frozen=True, kw_only=True)
class QuestionMeasure(Measure):
    """The mean over assessors of the answers to a question; the statistic is the question's name.

    Several runs of one assessor count as their mean.
    """

    base_names: ClassVar[tuple[str, ...]] = ("question",)
    needs: ClassVar[frozenset[Need]] = frozenset({"judgments"})

    assessor: str | None = option(None, "only the answers of this assessor")

    def evidence(self, topic: TopicData) -> Evidence | None:
        """Means over assessors: peers × questions; NaN where nobody answered."""
        answers: dict[tuple[str, str], list[float]] = defaultdict(list)
        questions: dict[str, None] = {}
        for judgment in mean_of_runs(topic.judgments):
            if self.assessor in (None, judgment.assessor):
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


def _mean(values: Sequence[float]) -> float:
    """Of a few values, for which an array would take longer; infinite where their sum is."""
    return sum(values) / len(values)
