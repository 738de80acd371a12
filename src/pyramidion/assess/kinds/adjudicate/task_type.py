"""Adjudication: what two annotators found, side by side, and the consensus that someone makes of it.

The consensus is a third record, which never counts as a coder. It goes to the files when it is handed in; until then
scores, which prefer a consensus, would rest on half of one.

State, besides that of a pyramid or a peer: `pair/A-B` {choice: a, b, merge or neither, scu: its number in the
consensus} for SCUs of annotators A and B (one number is missing where only one of them has it), `pair/UID` {choice} for
a peer's SCU, `pair/unmatched` {choice}, `status` annotated, reviewed or final.
Spec, besides that of a pyramid or a peer: `annotators` the names of both.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Generic, TypeVar, get_args

import msgspec

from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.common import last_time
from pyramidion.assess.kinds.peer.task_type import (
    UNMATCHED,
    PeerWork,
    annotation_from,
    existing_pyramid,
    pyramid_for,
    state_from,
)
from pyramidion.assess.kinds.pyramid.task_type import SCU, PyramidWork, pyramid_from, scus_of, state_of, texts_of
from pyramidion.assess.kinds.spans import check_fields
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.nouns import Noun, PeerAnnotation, Pyramid, Status
from pyramidion.options import PyramidAgreementOptions, SetDistance
from pyramidion.pyramids.reliability.across import ScoresAcross, models_across, peers_across
from pyramidion.pyramids.reliability.alignment import AlignedScus, align_scus
from pyramidion.pyramids.reliability.alpha import Alpha, peer_agreement, pyramid_agreement

CONSENSUS = "consensus"
"""The annotator of a consensus, in the files; who made it is in the events."""
PAIR = "pair/"
CHOICES = ("a", "b", "merge", "neither")
DISTANCES: tuple[SetDistance, ...] = ("nominal", "jaccard", "masi")
NAMES = ("A", "B")

Annotated = TypeVar("Annotated", Pyramid, PeerAnnotation)

_PAIR = re.compile(r"[0-9]{0,6}-[0-9]{0,6}")
_OPTIONS = PyramidAgreementOptions(distance=DISTANCES, resamples=0)


class Consensus(TaskType[Annotated], Generic[Annotated]):
    """What both kinds of consensus share: choices between two annotators, a status, and how far all agree."""

    has_suggestions = False

    @abstractmethod
    def sources(self, context: TaskContext) -> list[Annotated]:
        """What both annotators made, as far as it is there."""

    @abstractmethod
    def pairs(self, context: TaskContext) -> list[str]:
        """The keys of what needs a choice."""

    @abstractmethod
    def is_pair(self, context: TaskContext, name: str) -> bool:
        """Whether a key, without its beginning, is that of a choice."""

    @abstractmethod
    def so_far(self, context: TaskContext, state: State, **facts: Any) -> Annotated | None:
        """The consensus that a state leads to; None where it has nothing to rest on."""

    @abstractmethod
    def compare(
        self, context: TaskContext, first: Annotated, second: Annotated
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
        found = self.so_far(context, state, status=state.get("status", "annotated"), time=last_time(events))
        return [] if found is None else [found]

    def is_task_row(self, context: TaskContext, row: Annotated) -> bool:  # noqa: ARG002  # as every kind is asked
        """What adjudication makes."""
        return row.consensus and row.annotator == CONSENSUS

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Pairs that have a choice."""
        keys = self.pairs(context)
        return sum(key in state for key in keys), len(keys)

    def agreement(self, context: TaskContext, state: State) -> list[dict[str, Any]]:
        """How far A, B and the consensus so far agree."""
        coders = dict(zip(NAMES, self.sources(context), strict=False))
        if scus_of(state) and (found := self.so_far(context, state)) is not None:
            coders[CONSENSUS] = found
        return [agreement_row((a, b), *self.compare(context, coders[a], coders[b])) for a, b in combinations(coders, 2)]


class AdjudicateWork(Consensus[Pyramid], PyramidWork):
    """The consensus of two pyramids."""

    name = "adjudicate"
    title = "Consensus of two pyramids"

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The models, what each annotator found, and which SCUs belong together."""
        return {
            **super().material(context),
            "sources": [scus_of(state_of(context, one)) for one in self.sources(context)],
            "pairs": [msgspec.to_builtins(one) for one in self.alignment(context)],
            "agreement": self.agreement(context, {}),
        }

    def sources(self, context: TaskContext) -> list[Pyramid]:
        """The pyramids of both annotators."""
        found = {one.annotator: one for one in context.data.pyramids if not one.consensus}
        known = set(context.spec["models"].values())
        there = [found[name] for name in context.spec["annotators"] if name in found]
        return [one for one in there if set(one.models) <= known]

    def alignment(self, context: TaskContext) -> list[AlignedScus]:
        """Which SCUs of both belong together; nothing until both are there."""
        sources = self.sources(context)
        return align_scus(sources[0], sources[1], texts_of(context)) if len(sources) == 2 else []

    def pairs(self, context: TaskContext) -> list[str]:
        """SCUs of both that belong together, and SCUs that only one has."""
        uids = [["" if uid is None else uid for uid in (one.first, one.second)] for one in self.alignment(context)]
        return [f"{PAIR}{first}-{second}" for first, second in uids]

    def is_pair(self, context: TaskContext, name: str) -> bool:  # noqa: ARG002  # of any SCUs: annotators may go on
        """Two numbers, of which one may be missing."""
        return bool(_PAIR.fullmatch(name))

    def so_far(self, context: TaskContext, state: State, **facts: Any) -> Pyramid:
        """The pyramid of a state."""
        return pyramid_from(context, state, annotator=CONSENSUS, consensus=True, **facts)

    def compare(
        self, context: TaskContext, first: Pyramid, second: Pyramid
    ) -> tuple[Sequence[Alpha], Sequence[ScoresAcross]]:
        """α over words, and the models' scores."""
        return pyramid_agreement([first, second], texts_of(context), _OPTIONS), models_across([first, second])

    def initial_state(self, context: TaskContext) -> State:  # noqa: ARG002  # as every kind is asked
        """Nothing: a consensus is made from what both have now."""
        return {}


class AdjudicatePeerWork(Consensus[PeerAnnotation], PeerWork):
    """The consensus of two annotations of one peer."""

    name = "adjudicate-peer"
    title = "Consensus of two annotations of a summary"

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The peer and the pyramid, and what each annotator decided."""
        return {
            **super().material(context),
            "pyramid": "",  # the spec names it
            "sources": self.states(context),
            "agreement": self.agreement(context, {}),
        }

    def sources(self, context: TaskContext) -> list[PeerAnnotation]:
        """The annotations of both annotators."""
        about = [one for one in context.data.annotations if context.is_about(one.summarizer) and not one.consensus]
        found = {one.annotator: one for one in about}
        return [found[name] for name in context.spec["annotators"] if name in found]

    def states(self, context: TaskContext) -> list[State]:
        """What both annotators said."""
        pyramid = pyramid_for(context)
        return [state_from(one, pyramid) for one in self.sources(context)] if pyramid else []

    def pairs(self, context: TaskContext) -> list[str]:
        """What both said differently."""
        states = self.states(context)
        if len(states) < 2:
            return []
        first, second = states
        keys = dict.fromkeys([*first, *second])
        return [f"{PAIR}{key.removeprefix(SCU)}" for key in keys if first.get(key) != second.get(key)]

    def is_pair(self, context: TaskContext, name: str) -> bool:
        """An SCU of the pyramid, or what matches none."""
        pyramid = pyramid_for(context)
        return name == UNMATCHED or (pyramid is not None and name in {str(scu.uid) for scu in pyramid.scus})

    def so_far(self, context: TaskContext, state: State, **facts: Any) -> PeerAnnotation | None:
        """The annotation of a state."""
        pyramid = pyramid_for(context)
        if pyramid is None:
            return None
        return annotation_from(context, state, pyramid, annotator=CONSENSUS, consensus=True, **facts)

    def compare(
        self, context: TaskContext, first: PeerAnnotation, second: PeerAnnotation
    ) -> tuple[Sequence[Alpha], Sequence[ScoresAcross]]:
        """α over words and over presence, and the scores."""
        pyramid, both = existing_pyramid(context, {}), [first, second]
        texts = {one.summarizer: context.peer for one in both}
        return peer_agreement(pyramid, both, texts, _OPTIONS), peers_across(pyramid, both)

    def is_task_row(self, context: TaskContext, row: PeerAnnotation) -> bool:
        """The consensus about this peer."""
        return super().is_task_row(context, row) and context.is_about(row.summarizer)

    def initial_state(self, context: TaskContext) -> State:
        """What both annotators said alike."""
        states = self.states(context)
        if len(states) < 2:
            return {}
        first, second = states
        return {key: value for key, value in first.items() if second.get(key) == value}


def check_choice(value: Any) -> None:
    """Refuse a choice that there is not."""
    if value is None:
        return
    check_fields(value, {"choice": str, "scu": int}, "a choice")
    if value.get("choice") not in CHOICES:
        raise RefusedError(f"choose {', '.join(CHOICES)}, not {value.get('choice')!r}")


def agreement_row(names: tuple[str, str], alphas: Sequence[Alpha], across: Sequence[ScoresAcross]) -> dict[str, Any]:
    """How far two agree, for the page: α by unit and distance, scores and their largest difference. Blind."""
    modified = next(one for one in across if one.score == "modified")
    differences = [float(value) for value in modified.differences if not math.isnan(value)]
    return {
        "between": names,
        "alpha": {f"{one.unit}/{one.distance}": None if math.isnan(one.alpha) else one.alpha for one in alphas},
        "difference": max(differences, default=None),
    }
