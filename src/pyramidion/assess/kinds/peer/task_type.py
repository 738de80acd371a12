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

from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.common import check_text, last_time, request_of
from pyramidion.assess.kinds.pyramid.task_type import SCU, check_none, scus_of, shown_models
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
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.nouns import Match, Noun, Parts, PeerAnnotation, Pyramid, pyramid_of
from pyramidion.pyramids.incidence import Incidence
from pyramidion.pyramids.reliability.words import Words, cover

UNMATCHED = "unmatched"
PYRAMID = "pyramid"


class PeerWork(TaskType[PeerAnnotation]):
    """What one peer has of a pyramid."""

    name = "peer"
    title = "Content units in a summary"
    noun_type = PeerAnnotation
    has_suggestions = True

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The peer, the SCUs with their weights, and the models that they come from."""
        pyramid = pyramid_for(context)
        (handle,) = context.spec["summaries"]
        return {
            "request": request_of(context),
            "peer": {"handle": handle, "text": context.peer},
            "models": shown_models(context),
            "light": is_light(context),
            "non_matching": marks_unmatched(context),
            **(
                shown_pyramid(context, pyramid) if pyramid else {"scus": [], "model_size": 0, "order": 0, "pyramid": ""}
            ),
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Decisions about SCUs of the pyramid; words of the peer."""
        pyramid = existing_pyramid(context, state)
        if key.startswith(SCU):
            known = {scu.uid for scu in pyramid.scus}
            check_decision(context, check_uid(key.removeprefix(SCU)), value, known, state.get(key))
        elif key == UNMATCHED:
            check_unmatched(context, value)
        elif self.has_suggestions and key.startswith(SUGGESTION):
            check_suggestion(key, value)
        elif key != PYRAMID:
            super().check_field(context, state, key, value)
        elif value not in (None, mark_of(pyramid)):
            raise RefusedError("this work began with another pyramid")

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Nothing is unsure; in light mode every SCU is decided."""
        scus = scus_of(state)
        needed = {scu.uid for scu in existing_pyramid(context, state).scus} if is_light(context) else set()
        check_none([uid for uid, scu in scus.items() if scu["present"] is None], ("is", "are"), "still unsure")
        check_none(sorted(needed - set(scus)), ("is", "are"), "still not decided")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """The annotation, once there is anything in it."""
        pyramid = pyramid_for(context, state)
        if pyramid is None or not state:
            return []
        status = "annotated" if state.get("done") else None
        facts = {"annotator": context.person, "status": status, "time": last_time(events)}
        return [annotation_from(context, state, pyramid, **facts)]

    def is_task_row(self, context: TaskContext, row: PeerAnnotation) -> bool:
        """Its person's annotation of this peer."""
        return row.annotator == context.person and context.is_about(row.summarizer) and not row.consensus

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Light: SCUs decided. Else: words of the peer that are somewhere; all of them once it is handed in."""
        pyramid = pyramid_for(context, state)
        if is_light(context):
            decided = sum(scu["present"] is not None for scu in scus_of(state).values())
            return decided, len(pyramid.scus) if pyramid else 0
        words = Words.of({"peer": context.peer})
        units = [
            *(parts for scu in scus_of(state).values() for parts in scu["contributors"]),
            *state.get(UNMATCHED, []),
        ]
        covered = cover(words, ((0, "peer", as_parts(parts)) for parts in units), 1).members.sum()
        return (len(words) if state.get("done") else int(covered)), len(words)

    def initial_state(self, context: TaskContext) -> State:
        """The person's annotation that the campaign already has."""
        own = next(iter(self.own(context)), None)
        pyramid = own and pyramid_of(own, context.data.pyramids)
        return {**state_from(own, pyramid), PYRAMID: mark_of(pyramid)} if own and pyramid else {}


def is_light(context: TaskContext) -> bool:
    """Whether only presence is decided, without words."""
    return bool(context.spec.get("mode") == "light")


def marks_unmatched(context: TaskContext) -> bool:
    """Whether content that matches no SCU is marked; in light mode no words are."""
    return bool(context.spec.get("non_matching", True)) and not is_light(context)


def pyramid_for(context: TaskContext, state: State | None = None) -> Pyramid | None:
    """The pyramid that the peer is matched against: what the work began with, what the spec names, or the topic's."""
    (summarizer,) = context.spec["summaries"].values()
    pyramids = context.data.pyramids
    begun = (context.state if state is None else state).get(PYRAMID)
    if begun is not None:
        return next((one for one in pyramids if mark_of(one) == begun), None)
    named = context.spec.get("pyramid") or None
    wanted = PeerAnnotation(
        topic=context.task.topic, summarizer=summarizer, scus=(), annotator=context.person, pyramid=named
    )
    if named is None and (agreed := [pyramid for pyramid in pyramids if pyramid.consensus]):
        return agreed[0]
    return pyramid_of(wanted, pyramids)


def existing_pyramid(context: TaskContext, state: State) -> Pyramid:
    """The same; refuses to go on without one."""
    pyramid = pyramid_for(context, state)
    if pyramid is None:
        raise RefusedError("there is no pyramid of this topic yet: it is made first")
    return pyramid


def mark_of(pyramid: Pyramid) -> str:
    """What identifies a pyramid in a page: its annotator may be a writer of models, so the name is not told."""
    return hashlib.sha256(f"{pyramid.topic}/{pyramid.annotator}".encode()).hexdigest()[:12]


def shown_pyramid(context: TaskContext, pyramid: Pyramid) -> dict[str, Any]:
    """SCUs with weights, the heaviest first, and X′."""
    incidence = Incidence.of(pyramid)
    weights = incidence.weights(incidence.everyone)[0]
    handles = {summarizer: handle for handle, summarizer in context.spec["models"].items()}
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


def check_decision(context: TaskContext, uid: int, value: Any, known: set[int], before: Any = None) -> None:
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
            check_parts(parts, context.peer, what)
    if value["contributors"] and not value["present"]:
        raise RefusedError(f"{what} has words that express it, so it is present")
    if value["present"] and not value["contributors"] and not is_light(context):
        raise RefusedError(f"{what}: mark the words that express it")


def annotation_from(context: TaskContext, state: State, pyramid: Pyramid, **facts: Any) -> PeerAnnotation:
    """The annotation of a state; what is unsure is not written, nor what the pyramid no longer has."""
    known = {scu.uid for scu in pyramid.scus}
    (summarizer,) = context.spec["summaries"].values()
    return PeerAnnotation(
        topic=context.task.topic,
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
        unmatched=tuple(map(as_parts, state.get(UNMATCHED, []))) if marks_unmatched(context) else None,
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


def check_unmatched(context: TaskContext, value: Any) -> None:
    """Refuse units that are not words of the peer."""
    if not marks_unmatched(context):
        raise RefusedError("content that matches no SCU is not marked in this campaign")
    if value is not None and not isinstance(value, list):
        raise RefusedError("unmatched is a list of units")
    for parts in value or []:
        check_parts(parts, context.peer, "content that matches no SCU")
