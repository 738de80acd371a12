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
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, get_args

import msgspec

from pyramidion.assess.kinds.base import Piece, RefusedError
from pyramidion.assess.kinds.common import check_done, request_of
from pyramidion.assess.kinds.peer import (
    NO_PYRAMID,
    UNMATCHED,
    PeerWork,
    annotation_from,
    check_decided,
    check_decision,
    check_unmatched,
    is_light,
    peer_text,
    pyramid_for,
    state_from,
)
from pyramidion.assess.kinds.pyramid import (
    SCU,
    check_complete,
    check_scu,
    models_of,
    pyramid_from,
    scus_of,
    shown_models,
    state_of,
)
from pyramidion.assess.kinds.spans import check_fields, check_uid
from pyramidion.assess.store.work import Changes, Event, State, changed
from pyramidion.campaign.nouns import Noun, PeerAnnotation, Pyramid, Status, plain
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

_PAIR = re.compile(r"[0-9]{0,6}-[0-9]{0,6}")
_OPTIONS = PyramidAgreementOptions(distance=DISTANCES, resamples=0)


class AdjudicateWork:
    """The consensus of two pyramids."""

    name = "adjudicate"
    title = "Consensus of two pyramids"

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The models, what each annotator found, and which SCUs belong together."""
        sources = source_pyramids(piece)
        return {
            "request": request_of(piece),
            "models": shown_models(piece),
            "sources": [scus_of(state_of(piece, one)) for one in sources],
            "pairs": [msgspec.to_builtins(one) for one in alignment(piece)],
            "agreement": self.agreement(piece, {}),
        }

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """SCUs as in a pyramid, choices, and a status; handed in when every pair has its choice."""
        check_done(state, changes, (), "SCU")
        for key, value in changes.items():
            if key.startswith(SCU):
                check_scu(piece, key, value, state.get(key))
            elif key.startswith(PAIR) and _PAIR.fullmatch(key.removeprefix(PAIR)):
                check_choice(value)
            else:
                check_status(key, value)
        if changes.get("done"):
            after = changed(state, changes)
            check_complete(after)
            check_chosen(after, [pair_key(one) for one in alignment(piece)])

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """The consensus, when it is handed in."""
        time = max((event.time for event in events), default="")
        return [consensus_pyramid(piece, state, time=time)] if state.get("done") else []

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """The consensus of the topic."""
        return isinstance(noun, Pyramid) and noun.topic == piece.task.topic and is_consensus(noun)

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Pairs that have a choice."""
        keys = [pair_key(one) for one in alignment(piece)]
        return sum(key in state for key in keys), len(keys)

    def opening(self, piece: Piece) -> State:  # noqa: ARG002  # as every kind is asked
        """Nothing: a consensus is made from what both have now."""
        return {}

    def agreement(self, piece: Piece, state: State) -> list[dict[str, Any]]:
        """How far A, B and the consensus so far agree: α over words, and what it does to the models' scores."""
        coders = dict(zip(NAMES, source_pyramids(piece), strict=False))
        if scus_of(state):
            coders["consensus"] = consensus_pyramid(piece, state)
        texts = {model.summarizer: plain(model.text) for model in models_of(piece)}
        return [
            agreement_row(
                (a, b),
                pyramid_agreement([coders[a], coders[b]], texts, _OPTIONS),
                models_across([coders[a], coders[b]]),
            )
            for a, b in combinations(coders, 2)
        ]


class AdjudicatePeerWork:
    """The consensus of two annotations of one peer."""

    name = "adjudicate-peer"
    title = "Consensus of two annotations of a summary"

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The peer and the pyramid, and what each annotator decided."""
        return {
            **PeerWork().material(piece),
            "pyramid": "",  # the spec names it
            "sources": source_states(piece),
            "agreement": self.agreement(piece, {}),
        }

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """Decisions as about a peer, choices, and a status."""
        check_done(state, changes, (), "SCU")
        pyramid = pyramid_for(piece)
        if pyramid is None:
            raise RefusedError(NO_PYRAMID)
        known = {scu.uid for scu in pyramid.scus}
        for key, value in changes.items():
            if key.startswith(SCU):
                check_decision(piece, check_uid(key.removeprefix(SCU)), value, known, state.get(key))
            elif key == UNMATCHED:
                check_unmatched(piece, value)
            elif key.startswith(PAIR) and key.removeprefix(PAIR) in {UNMATCHED, *map(str, known)}:
                check_choice(value)
            else:
                check_status(key, value)
        if changes.get("done"):
            after = changed(state, changes)
            check_decided(after, known if is_light(piece) else set())
            check_chosen(after, differing(piece))

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """The consensus, when it is handed in."""
        pyramid = pyramid_for(piece)
        if pyramid is None or not state.get("done"):
            return []
        time = max((event.time for event in events), default="")
        facts = {"annotator": CONSENSUS, "consensus": True, "status": status_of(state), "time": time}
        return [annotation_from(piece, state, pyramid, **facts)]

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """The consensus about this peer."""
        return (
            isinstance(noun, PeerAnnotation)
            and noun.topic == piece.task.topic
            and noun.summarizer in piece.task.spec["summaries"].values()
            and is_consensus(noun)
        )

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Differences that have a choice."""
        keys = differing(piece)
        return sum(key in state for key in keys), len(keys)

    def opening(self, piece: Piece) -> State:
        """What both annotators said alike."""
        sources = source_states(piece)
        if len(sources) < 2:
            return {}
        first, second = sources
        return {key: value for key, value in first.items() if second.get(key) == value}

    def agreement(self, piece: Piece, state: State) -> list[dict[str, Any]]:
        """How far A, B and the consensus so far agree: α over words and over presence, and the scores."""
        pyramid = pyramid_for(piece)
        coders = dict(zip(NAMES, source_annotations(piece), strict=False))
        if pyramid is None:
            return []
        if scus_of(state):
            coders["consensus"] = annotation_from(piece, state, pyramid, annotator=CONSENSUS, consensus=True)
        texts = {one.summarizer: peer_text(piece) for one in coders.values()}
        return [
            agreement_row(
                (a, b),
                peer_agreement(pyramid, [coders[a], coders[b]], texts, _OPTIONS),
                peers_across(pyramid, [coders[a], coders[b]]),
            )
            for a, b in combinations(coders, 2)
        ]


def source_pyramids(piece: Piece) -> list[Pyramid]:
    """The pyramids of both annotators, as far as they are there."""
    found = {one.annotator: one for one in piece.campaign.topic(piece.task.topic).pyramids if not one.consensus}
    known = set(piece.task.spec["models"].values())
    there = [found[name] for name in piece.task.spec["annotators"] if name in found]
    return [one for one in there if set(one.models) <= known]


def source_annotations(piece: Piece) -> list[PeerAnnotation]:
    """The annotations of both annotators, as far as they are there and rest on the same pyramid."""
    summarizers = piece.task.spec["summaries"].values()
    found = {
        one.annotator: one
        for one in piece.campaign.topic(piece.task.topic).annotations
        if one.summarizer in summarizers and not one.consensus
    }
    return [found[name] for name in piece.task.spec["annotators"] if name in found]


def source_states(piece: Piece) -> list[State]:
    """What both annotators of a peer said."""
    pyramid = pyramid_for(piece)
    return [state_from(one, pyramid) for one in source_annotations(piece)] if pyramid else []


def alignment(piece: Piece) -> list[AlignedScus]:
    """Which SCUs of both belong together; nothing until both are there."""
    sources = source_pyramids(piece)
    texts = {model.summarizer: plain(model.text) for model in models_of(piece)}
    return align_scus(sources[0], sources[1], texts) if len(sources) == 2 else []


def differing(piece: Piece) -> list[str]:
    """The keys of what two annotators of a peer said differently."""
    sources = source_states(piece)
    if len(sources) < 2:
        return []
    first, second = sources
    keys = dict.fromkeys([*first, *second])
    return [f"{PAIR}{key.removeprefix(SCU)}" for key in keys if first.get(key) != second.get(key)]


def pair_key(pair: AlignedScus) -> str:
    """The key of a choice between two SCUs."""
    first, second = ("" if uid is None else uid for uid in (pair.first, pair.second))
    return f"{PAIR}{first}-{second}"


def is_consensus(noun: Pyramid | PeerAnnotation) -> bool:
    """Whether a row of the files is what adjudication makes."""
    return noun.consensus and noun.annotator == CONSENSUS


def consensus_pyramid(piece: Piece, state: State, *, time: str = "") -> Pyramid:
    """The consensus so far."""
    return Pyramid(
        topic=piece.task.topic,
        models=tuple(model.summarizer for model in models_of(piece)),
        scus=pyramid_from(piece, state),
        annotator=CONSENSUS,
        consensus=True,
        status=status_of(state),
        time=time,
    )


def status_of(state: State) -> Status:
    """How far the consensus is: annotated, reviewed, final."""
    status: Status = state.get("status", "annotated")
    return status


def check_choice(value: Any) -> None:
    """Refuse a choice that there is not."""
    if value is None:
        return
    check_fields(value, {"choice": str, "scu": int}, "a choice")
    if value.get("choice") not in CHOICES:
        raise RefusedError(f"choose {', '.join(CHOICES)}, not {value.get('choice')!r}")


def check_status(key: str, value: Any) -> None:
    """Refuse a status that there is not, and any other field."""
    if key not in ("status", "done"):
        raise RefusedError(f"this work has no field {key!r}")
    if key == "status" and value not in (*get_args(Status), None):
        raise RefusedError(f"the status is {', '.join(get_args(Status))}, not {value!r}")


def check_chosen(state: State, keys: Sequence[str]) -> None:
    """Refuse to hand in while there are differences without a choice."""
    if not keys:
        return
    missing = sum(key not in state for key in keys)
    if missing:
        raise RefusedError(f"{missing} of {len(keys)} pairs have no choice yet")


def agreement_row(names: tuple[str, str], alphas: Sequence[Alpha], across: Sequence[ScoresAcross]) -> dict[str, Any]:
    """How far two agree, for the page: α by unit and distance, scores and their largest difference. Blind."""
    modified = next(one for one in across if one.score == "modified")
    differences = [float(value) for value in modified.differences if not math.isnan(value)]
    return {
        "between": names,
        "alpha": {f"{one.unit}/{one.distance}": None if math.isnan(one.alpha) else one.alpha for one in alphas},
        "difference": max(differences, default=None),
    }
