"""The task of adjudicating a peer: a consensus of two annotations of one summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pyramidion.assess.kinds.adjudicate.consensus import AGREEMENT, CONSENSUS, PAIR, Consensus
from pyramidion.assess.kinds.assignment import PlanChoice
from pyramidion.assess.kinds.base import Stage, TaskContext, WorkPage
from pyramidion.assess.kinds.peer.task_type import (
    UNMATCHED,
    PeerWork,
    annotation_from,
    existing_pyramid,
    pyramid_for,
    state_from,
    uids_of,
)
from pyramidion.assess.kinds.pyramid.task_type import SCU
from pyramidion.assess.store.work import State
from pyramidion.campaign.nouns import PeerAnnotation, Status
from pyramidion.pyramids.reliability.across import ScoresAcross, peers_across
from pyramidion.pyramids.reliability.alpha import Alpha, peer_agreement


class AdjudicatePeerWork(Consensus[PeerAnnotation], PeerWork):
    """The consensus of two annotations of one peer."""

    name = "adjudicate-peer"
    title = "Consensus of two peer annotations"
    page: ClassVar[WorkPage | None] = WorkPage("kinds/adjudicate_peer/page.js")
    stage = Stage.PEER_CONSENSUS
    is_built_on = False
    plan_choices: ClassVar[tuple[PlanChoice[Any], ...]] = ()

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The peer and the pyramid, and what each annotator decided."""
        return {
            **super().material(context),
            "pyramid": "",  # the spec names it
            "sources": self.source_states(context),
            "agreement": self.agreement(context, {}),
        }

    def sources(self, context: TaskContext) -> list[PeerAnnotation]:
        """The annotations of both annotators."""
        annotations = {}
        for annotation in context.data.annotations:
            if context.is_about(annotation.summarizer) and not annotation.consensus and annotation.draw is None:
                annotations[annotation.annotator] = annotation
        return [annotations[annotator] for annotator in context.spec["annotators"] if annotator in annotations]

    def source_states(self, context: TaskContext) -> list[State]:
        """What both annotators said, as states of their tasks."""
        pyramid = pyramid_for(context)
        if pyramid is None:
            return []
        return [state_from(annotation, pyramid) for annotation in self.sources(context)]

    def pairs(self, context: TaskContext) -> list[str]:
        """What both said differently."""
        states = self.source_states(context)
        if len(states) < 2:
            return []
        first, second = states
        keys = dict.fromkeys([*first, *second])
        return [f"{PAIR}{key.removeprefix(SCU)}" for key in keys if first.get(key) != second.get(key)]

    def is_pair(self, context: TaskContext, name: str) -> bool:
        """An SCU of the pyramid, or what matches none."""
        if name == UNMATCHED:
            return True
        pyramid = pyramid_for(context)
        return pyramid is not None and name in map(str, uids_of(pyramid))

    def consensus_from(
        self, context: TaskContext, state: State, *, status: Status | None = None, time: str = ""
    ) -> PeerAnnotation | None:
        """The annotation of a state."""
        pyramid = pyramid_for(context)
        if pyramid is None:
            return None
        return annotation_from(
            context,
            state,
            pyramid,
            annotator=CONSENSUS,
            adjudicator=context.person,
            status=status,
            time=time,
        )

    def compare(
        self, context: TaskContext, first: PeerAnnotation, second: PeerAnnotation
    ) -> tuple[Sequence[Alpha], Sequence[ScoresAcross]]:
        """α over words and over presence, and the scores."""
        pyramid = existing_pyramid(context, {})
        annotations = [first, second]
        text = context.peer
        if any(_last_place(annotation) > len(text) for annotation in annotations):
            text = context.whole_peer  # imported annotations may go beyond the limit in words
        texts = {annotation.summarizer: text for annotation in annotations}
        return peer_agreement(pyramid, annotations, texts, AGREEMENT), peers_across(pyramid, annotations)

    def is_task_row(self, context: TaskContext, row: PeerAnnotation) -> bool:
        """Whether a row is the consensus about this peer."""
        return super().is_task_row(context, row) and context.is_about(row.summarizer)

    def initial_state(self, context: TaskContext) -> State:
        """What both annotators said alike."""
        states = self.source_states(context)
        if len(states) < 2:
            return {}
        first, second = states
        return {key: value for key, value in first.items() if second.get(key) == value}


def _last_place(annotation: PeerAnnotation) -> int:
    """Where the last words of an annotation end."""
    units = [*(parts for match in annotation.scus for parts in match.contributors), *(annotation.unmatched or ())]
    return max((end for parts in units for _, end in parts), default=0)


TASK_TYPE = AdjudicatePeerWork()
