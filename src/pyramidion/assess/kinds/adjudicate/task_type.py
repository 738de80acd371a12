"""The task of adjudicating pyramids: a consensus of what two annotators found in the models of a topic."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from pyramidion.assess.kinds.adjudicate.consensus import AGREEMENT, CONSENSUS, PAIR, Consensus
from pyramidion.assess.kinds.base import Stage, TaskContext, WorkPage
from pyramidion.assess.kinds.pyramid.task_type import PyramidWork, pyramid_from, scus_of, state_of, texts_of
from pyramidion.assess.store.work import State
from pyramidion.campaign.nouns import Pyramid, Status
from pyramidion.pyramids.reliability.across import ScoresAcross, models_across
from pyramidion.pyramids.reliability.alignment import AlignedScus, align_scus
from pyramidion.pyramids.reliability.alpha import Alpha, pyramid_agreement

_PAIR = re.compile(r"[0-9]{0,6}-[0-9]{0,6}")


class AdjudicateWork(Consensus[Pyramid], PyramidWork):
    """The consensus of two pyramids."""

    name = "adjudicate"
    title = "Consensus of two pyramids"
    page: ClassVar[WorkPage | None] = WorkPage("kinds/adjudicate/page.js")
    stage = Stage.CONSENSUS
    is_built_on = True

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The models, what each annotator found, and which SCUs belong together."""
        return {
            **super().material(context),
            "sources": [scus_of(state_of(context, pyramid)) for pyramid in self.sources(context)],
            "pairs": [msgspec.to_builtins(aligned) for aligned in self.alignment(context)],
            "agreement": self.agreement(context, {}),
        }

    def sources(self, context: TaskContext) -> list[Pyramid]:
        """The pyramids of both annotators, as far as they are of the task's models."""
        pyramids = {pyramid.annotator: pyramid for pyramid in context.data.pyramids if not pyramid.consensus}
        models = set(context.spec["models"].values())
        # In the order of the spec: A stays A, whoever saved last.
        theirs = [pyramids[annotator] for annotator in context.spec["annotators"] if annotator in pyramids]
        return [pyramid for pyramid in theirs if set(pyramid.models) <= models]

    def alignment(self, context: TaskContext) -> list[AlignedScus]:
        """Which SCUs of both belong together; nothing until both are there."""
        sources = self.sources(context)
        if len(sources) < 2:
            return []
        return align_scus(sources[0], sources[1], texts_of(context))

    def pairs(self, context: TaskContext) -> list[str]:
        """SCUs of both that belong together, and SCUs that only one has."""
        keys = []
        for aligned in self.alignment(context):
            first = "" if aligned.first is None else aligned.first
            second = "" if aligned.second is None else aligned.second
            keys.append(f"{PAIR}{first}-{second}")
        return keys

    def is_pair(self, context: TaskContext, name: str) -> bool:
        """Two numbers, of which one may be missing; of any SCUs, because annotators may go on."""
        return bool(_PAIR.fullmatch(name))

    def consensus_from(
        self, context: TaskContext, state: State, *, status: Status | None = None, time: str = ""
    ) -> Pyramid:
        """The pyramid of a state."""
        return pyramid_from(context, state, annotator=CONSENSUS, adjudicator=context.person, status=status, time=time)

    def compare(
        self, context: TaskContext, first: Pyramid, second: Pyramid
    ) -> tuple[Sequence[Alpha], Sequence[ScoresAcross]]:
        """α over words, and the models' scores."""
        alphas = pyramid_agreement([first, second], texts_of(context), AGREEMENT)
        return alphas, models_across([first, second])

    def initial_state(self, context: TaskContext) -> State:
        """Nothing: a consensus is made from what both have now."""
        return {}


TASK_TYPE = AdjudicateWork()
