"""What both kinds of consensus share: choices between two annotators, a status, and how far all agree.

The consensus is a third record, which never counts as a coder. It goes to the files when it is handed in; until then
scores, which prefer a consensus, would rest on half of one.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Generic, TypeVar, get_args

from pyramidion.assess.kinds.adjudicate.double_annotation import find_double_annotations
from pyramidion.assess.kinds.assignment import Assignment, PlanSettings, Spec, TopicFacts
from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.common import last_time
from pyramidion.assess.kinds.pyramid.task_type import scus_of
from pyramidion.assess.kinds.spans import check_fields
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Noun, PeerAnnotation, Pyramid, Status
from pyramidion.options import PyramidAgreementOptions, SetDistance
from pyramidion.pyramids.reliability.across import ScoresAcross
from pyramidion.pyramids.reliability.alpha import Alpha

CONSENSUS = "consensus"
"""The annotator of a consensus, in the files; who made it is its adjudicator."""
PAIR = "pair/"
CHOICES = ("a", "b", "merge", "neither")
DISTANCES: tuple[SetDistance, ...] = ("nominal", "jaccard", "masi")
CODERS = ("A", "B")
"""What both annotators are called on the page."""
AGREEMENT = PyramidAgreementOptions(distance=DISTANCES, resamples=0)

AnnotatedT = TypeVar("AnnotatedT", Pyramid, PeerAnnotation)


class Consensus(TaskType[AnnotatedT], Generic[AnnotatedT]):
    """A consensus of what two annotators did."""

    is_planned = False
    has_suggestions = False

    @abstractmethod
    def sources(self, context: TaskContext) -> list[AnnotatedT]:
        """What both annotators made, as far as it is there."""

    @abstractmethod
    def pairs(self, context: TaskContext) -> list[str]:
        """The keys of what needs a choice."""

    @abstractmethod
    def is_pair(self, context: TaskContext, name: str) -> bool:
        """Whether a key, without its beginning, is that of a choice."""

    @abstractmethod
    def consensus_from(
        self, context: TaskContext, state: State, *, status: Status | None = None, time: str = ""
    ) -> AnnotatedT | None:
        """The consensus that a state leads to; None where it has nothing to rest on.

        Args:
            context: the task.
            state: what it holds.
            status: how far the consensus is.
            time: when it was last changed.
        """

    @abstractmethod
    def compare(
        self, context: TaskContext, first: AnnotatedT, second: AnnotatedT
    ) -> tuple[Sequence[Alpha], Sequence[ScoresAcross]]:
        """How far two agree: α, and what it does to scores."""

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Choices and a status, besides what annotators themselves decide."""
        if key.startswith(PAIR) and self.is_pair(context, key.removeprefix(PAIR)):
            check_choice(value)
        elif key != "status":
            super().check_field(context, state, key, value)
        elif value not in (*get_args(Status), None):
            raise RefusedError(f"the status is {', '.join(get_args(Status))}, not {value!r}")

    def check_complete(self, context: TaskContext, state: State) -> None:
        """As for an annotator, and there is a choice for every pair."""
        super().check_complete(context, state)
        made, total = self.progress(context, state)
        if made < total:
            raise RefusedError(f"{total - made} of {total} pairs have no choice yet")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """The consensus, when it is handed in."""
        if not state.get("done"):
            return []
        status = state.get("status", "annotated")
        consensus = self.consensus_from(context, state, status=status, time=last_time(events))
        return [] if consensus is None else [consensus]

    def is_task_row(self, context: TaskContext, row: AnnotatedT) -> bool:
        """Whether adjudication made a row."""
        return row.consensus and row.annotator == CONSENSUS

    def counted_in(self, spec: Spec) -> str:
        """Choices between both annotators."""
        return "decisions"

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Pairs that have a choice."""
        keys = self.pairs(context)
        return sum(key in state for key in keys), len(keys)

    def agreement(self, context: TaskContext, state: State) -> list[dict[str, Any]]:
        """How far A, B and the consensus so far agree."""
        coders = dict(zip(CODERS, self.sources(context), strict=False))
        # An empty consensus would agree with nobody, which says nothing.
        consensus = self.consensus_from(context, state) if scus_of(state) else None
        if consensus is not None:
            coders[CONSENSUS] = consensus
        rows = []
        for first, second in combinations(coders, 2):
            alphas, scores = self.compare(context, coders[first], coders[second])
            rows.append(agreement_row((first, second), alphas, scores))
        return rows

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """The tasks for what two annotators have both done on the topic."""
        for double in find_double_annotations(campaign):
            if double.kind == self.name and double.topic == assignment.topic:
                yield from double.specs(campaign)

    def export_tables(self, campaign: Campaign) -> dict[str, Any]:
        """Nothing: the tables of pyramids and annotations have the consensus, too."""
        return {}


def check_choice(value: Any) -> None:
    """Refuse a choice that there is not."""
    if value is None:
        return
    check_fields(value, {"choice": str, "scu": int}, "a choice")
    if value.get("choice") not in CHOICES:
        raise RefusedError(f"choose {', '.join(CHOICES)}, not {value.get('choice')!r}")


def agreement_row(names: tuple[str, str], alphas: Sequence[Alpha], across: Sequence[ScoresAcross]) -> dict[str, Any]:
    """How far two agree, for the page: α by unit and distance, scores and their largest difference. Blind."""
    modified = next(scores for scores in across if scores.score == "modified")
    differences = [float(value) for value in modified.differences if not math.isnan(value)]
    values: dict[str, float | None] = {}
    for alpha in alphas:
        values[f"{alpha.unit}/{alpha.distance}"] = None if math.isnan(alpha.alpha) else alpha.alpha
    return {"between": names, "alpha": values, "difference": max(differences, default=None)}
