"""Peers: which SCUs of a pyramid a summary expresses, with which words (paper 002, §3).

State: `scu/UID` {present: true, false or null (unsure), contributors: [[[start, end], …], …], comment}, `unmatched`
[[[start, end], …], …], `pyramid` what identifies the pyramid that the work began with, `done` true. In light mode
nobody marks words; where words are marked, the first contributor expresses the SCU and each further one repeats it.
Spec: `summaries` {handle: summarizer} (one), `models`, `pyramid` (its annotator; empty: that of the topic), `mode` full
or light, `non_matching` whether content that matches no SCU is marked (2005) or not (2006).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import Piece, RefusedError
from pyramidion.assess.kinds.common import check_done, check_text, request_of
from pyramidion.assess.kinds.pyramid import SCU, scus_of, shown_models
from pyramidion.assess.kinds.spans import (
    LONGEST_COMMENT,
    SUGGESTION,
    as_lists,
    as_parts,
    check_fields,
    check_parts,
    check_suggestion,
    check_uid,
)
from pyramidion.assess.store.work import Changes, Event, State, changed
from pyramidion.campaign.nouns import Match, Noun, Parts, PeerAnnotation, Pyramid, Status, plain, pyramid_of
from pyramidion.pyramids.incidence import Incidence
from pyramidion.pyramids.reliability.words import Words, cover
from pyramidion.wording import counted

UNMATCHED = "unmatched"
PYRAMID = "pyramid"
NO_PYRAMID = "there is no pyramid of this topic yet: it is made first"


class PeerWork:
    """What one peer has of a pyramid."""

    name = "peer"
    title = "Content units in a summary"

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The peer, the SCUs with their weights, and the models that they come from."""
        pyramid = pyramid_for(piece)
        (handle,) = piece.task.spec["summaries"]
        return {
            "request": request_of(piece),
            "peer": {"handle": handle, "text": peer_text(piece)},
            "models": shown_models(piece),
            "light": is_light(piece),
            "non_matching": marks_unmatched(piece),
            **(shown_pyramid(piece, pyramid) if pyramid else {"scus": [], "model_size": 0, "order": 0, "pyramid": ""}),
        }

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """Decisions about SCUs of the pyramid; words of the peer."""
        check_done(state, changes, (), "SCU")
        pyramid = pyramid_for(piece, state)
        if pyramid is None:
            raise RefusedError(NO_PYRAMID)
        known = {scu.uid for scu in pyramid.scus}
        for key, value in changes.items():
            if key.startswith(SCU):
                check_decision(piece, check_uid(key.removeprefix(SCU)), value, known, state.get(key))
            elif key == UNMATCHED:
                check_unmatched(piece, value)
            elif key.startswith(SUGGESTION):
                check_suggestion(key, value)
            elif key == PYRAMID:
                if value not in (None, mark_of(pyramid)):
                    raise RefusedError("this work began with another pyramid")
            elif key != "done":
                raise RefusedError(f"this work has no field {key!r}")
        if changes.get("done"):
            check_decided(changed(state, changes), known if is_light(piece) else set())

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """The annotation, once there is anything in it."""
        pyramid = pyramid_for(piece, state)
        if pyramid is None or not state:
            return []
        time = max((event.time for event in events), default="")
        status: Status | None = "annotated" if state.get("done") else None
        return [annotation_from(piece, state, pyramid, annotator=piece.person, status=status, time=time)]

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """Its person's annotation of this peer."""
        return (
            isinstance(noun, PeerAnnotation)
            and noun.topic == piece.task.topic
            and noun.annotator == piece.person
            and noun.summarizer in piece.task.spec["summaries"].values()
            and not noun.consensus
        )

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Light: SCUs decided. Else: words of the peer that are somewhere; all of them once it is handed in."""
        pyramid = pyramid_for(piece, state)
        if is_light(piece):
            decided = sum(scu["present"] is not None for scu in scus_of(state).values())
            return decided, len(pyramid.scus) if pyramid else 0
        words = Words.of({"peer": peer_text(piece)})
        units = [
            *(parts for scu in scus_of(state).values() for parts in scu["contributors"]),
            *state.get(UNMATCHED, []),
        ]
        covered = cover(words, ((0, "peer", as_parts(parts)) for parts in units), 1).members.sum()
        return (len(words) if state.get("done") else int(covered)), len(words)

    def opening(self, piece: Piece) -> State:
        """The person's annotation that the campaign already has."""
        annotations = piece.campaign.topic(piece.task.topic).annotations
        own = next((noun for noun in annotations if self.owns(piece, noun)), None)
        pyramid = own and pyramid_of(own, piece.campaign.topic(piece.task.topic).pyramids)
        return {**state_from(own, pyramid), PYRAMID: mark_of(pyramid)} if own and pyramid else {}


def peer_text(piece: Piece) -> str:
    """The one summary of the task."""
    (handle,) = piece.task.spec["summaries"]
    return plain(piece.summary(handle).text)


def is_light(piece: Piece) -> bool:
    """Whether only presence is decided, without words."""
    return bool(piece.task.spec.get("mode") == "light")


def marks_unmatched(piece: Piece) -> bool:
    """Whether content that matches no SCU is marked; in light mode no words are."""
    return bool(piece.task.spec.get("non_matching", True)) and not is_light(piece)


def pyramid_for(piece: Piece, state: State | None = None) -> Pyramid | None:
    """The pyramid that the peer is matched against: what the work began with, what the spec names, or the topic's."""
    (summarizer,) = piece.task.spec["summaries"].values()
    pyramids = piece.campaign.topic(piece.task.topic).pyramids
    begun = (piece.state if state is None else state).get(PYRAMID)
    if begun is not None:
        return next((one for one in pyramids if mark_of(one) == begun), None)
    named = piece.task.spec.get("pyramid") or None
    wanted = PeerAnnotation(
        topic=piece.task.topic, summarizer=summarizer, scus=(), annotator=piece.person, pyramid=named
    )
    if named is None and (agreed := [pyramid for pyramid in pyramids if pyramid.consensus]):
        return agreed[0]
    return pyramid_of(wanted, pyramids)


def mark_of(pyramid: Pyramid) -> str:
    """What identifies a pyramid in a page: its annotator may be a writer of models, so the name is not told."""
    return hashlib.sha256(f"{pyramid.topic}/{pyramid.annotator}".encode()).hexdigest()[:12]


def shown_pyramid(piece: Piece, pyramid: Pyramid) -> dict[str, Any]:
    """SCUs with weights, the heaviest first, and X′."""
    incidence = Incidence.of(pyramid)
    weights = incidence.weights(incidence.everyone)[0]
    handles = {summarizer: handle for handle, summarizer in piece.task.spec["models"].items()}
    scus = [
        {
            "uid": scu.uid,
            "label": scu.label,
            "comment": scu.comment,
            "weight": float(weight),
            "contributors": [
                {"model": handles[one.model], "parts": as_lists(one.parts)}
                for one in scu.contributors
                if one.model in handles
            ],
        }
        for scu, weight in zip(pyramid.scus, weights, strict=True)
    ]
    return {
        "scus": sorted(scus, key=lambda scu: (-scu["weight"], scu["uid"])),
        "model_size": float(incidence.model_sizes(incidence.everyone)[0]) if incidence.models else 0,
        "order": len(incidence.models),
        "pyramid": mark_of(pyramid),
    }


def check_decision(piece: Piece, uid: int, value: Any, known: set[int], before: Any = None) -> None:
    """Refuse a decision about an SCU that is not one. Words that were marked before (imported ones) stay."""
    what = f"SCU {uid}"
    if value is None:
        return
    if uid not in known:
        raise RefusedError(f"the pyramid has no SCU {uid}")
    check_fields(value, {"present": (bool, type(None)), "contributors": list, "comment": str}, what)
    if "present" not in value or "contributors" not in value:
        raise RefusedError(f"{what} needs present and contributors")
    check_text(value.get("comment"), f"{what}: the comment", LONGEST_COMMENT)
    there = (before or {}).get("contributors", [])
    for parts in value["contributors"]:
        if parts not in there:
            check_parts(parts, peer_text(piece), what)
    if value["contributors"] and not value["present"]:
        raise RefusedError(f"{what} has words that express it, so it is present")
    if value["present"] and not value["contributors"] and not is_light(piece):
        raise RefusedError(f"{what}: mark the words that express it")


def check_decided(state: State, needed: set[int]) -> None:
    """Refuse to hand in what is not decided."""
    scus = scus_of(state)
    for lacking, what in (
        ([uid for uid, scu in scus.items() if scu["present"] is None], "unsure"),
        (sorted(needed - set(scus)), "not decided"),
    ):
        if lacking:
            verb = "is" if len(lacking) == 1 else "are"
            raise RefusedError(
                f"{counted(len(lacking), 'SCU')} {verb} still {what}: {', '.join(map(str, lacking[:10]))}"
            )


def annotation_from(piece: Piece, state: State, pyramid: Pyramid, **facts: Any) -> PeerAnnotation:
    """The annotation of a state; what is unsure is not written, nor what the pyramid no longer has."""
    known = {scu.uid for scu in pyramid.scus}
    (summarizer,) = piece.task.spec["summaries"].values()
    return PeerAnnotation(
        topic=piece.task.topic,
        summarizer=summarizer,
        scus=tuple(
            Match(
                uid=uid,
                present=scu["present"],
                contributors=tuple(map(as_parts, scu["contributors"])),
                comment=scu.get("comment", ""),
            )
            for uid, scu in scus_of(state).items()
            if scu["present"] is not None and uid in known
        ),
        unmatched=tuple(map(as_parts, state.get(UNMATCHED, []))) if marks_unmatched(piece) else None,
        pyramid=pyramid.annotator,
        **facts,
    )


def state_from(annotation: PeerAnnotation, pyramid: Pyramid) -> State:
    """The state that leads to this annotation."""
    known = {scu.uid for scu in pyramid.scus}
    state: State = {
        f"{SCU}{match.uid}": {"present": match.present, "contributors": _units(match.contributors)}
        | ({"comment": match.comment} if match.comment else {})
        for match in annotation.scus
        if match.uid in known
    }
    if annotation.unmatched:
        state[UNMATCHED] = _units(annotation.unmatched)
    return state


def _units(units: Iterable[Parts]) -> list[list[list[int]]]:
    return [as_lists(parts) for parts in units]


def check_unmatched(piece: Piece, value: Any) -> None:
    """Refuse units that are not words of the peer."""
    if not marks_unmatched(piece):
        raise RefusedError("content that matches no SCU is not marked in this campaign")
    if value is not None and not isinstance(value, list):
        raise RefusedError("unmatched is a list of units")
    for parts in value or []:
        check_parts(parts, peer_text(piece), "content that matches no SCU")
