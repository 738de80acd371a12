"""The task of annotating a peer: what one summary has of a pyramid."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import (
    Assignment,
    PlanChoice,
    PlanSettings,
    Spec,
    TopicFacts,
    YesNoChoice,
    shuffle,
)
from pyramidion.assess.kinds.base import RefusedError, SuggestionRequest, TaskContext, TaskType, WorkPage
from pyramidion.assess.kinds.common import check_text, last_time, pick_fields, request_of, shown_text
from pyramidion.assess.kinds.pyramid.task_type import (
    SCU,
    check_none,
    model_handles,
    scus_of,
    shown_models,
    texts_of,
    units_of,
)
from pyramidion.assess.kinds.scu_suggestions import find_scu, propose_from_models, quote_selection, suggest_scus
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
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Match, Noun, Parts, PeerAnnotation, Pyramid, Scu, Status, pyramid_of
from pyramidion.pyramids.incidence import Incidence
from pyramidion.pyramids.reliability.words import Words, cover
from pyramidion.pyramids.suggestions import Idf, candidate_spans

UNMATCHED = "unmatched"
KEPT_PEERS = 10_000
"""Peers whose number of words a process keeps in memory: DUC 2006 has 1,950."""
PYRAMID = "pyramid"
LIGHT = YesNoChoice(name="light", label="Peers: light, without marking words", default=False)
NON_MATCHING = YesNoChoice(name="non_matching", label="Peers: mark content that matches no SCU", default=True)
"""Content of peers that matches no SCU was marked in 2005, and not in 2006."""


class PeerWork(TaskType[PeerAnnotation]):
    """What one peer has of a pyramid."""

    name = "peer"
    title = "Peer annotation"
    noun_type = PeerAnnotation
    page: ClassVar[WorkPage | None] = WorkPage("kinds/peer/page.js")
    is_built_on = True
    plan_choices: ClassVar[tuple[PlanChoice[Any], ...]] = (LIGHT, NON_MATCHING)
    has_suggestions = True

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The peer, the SCUs with their weights, and the models that they come from."""
        (handle,) = context.spec["summaries"]
        pyramid = pyramid_for(context)
        peer = shown_text(context.whole_peer, context.word_limit)
        shown = {"scus": [], "model_size": 0, "order": 0, "pyramid": ""}
        if pyramid is not None:
            shown = shown_pyramid(context, pyramid)
        return {
            "request": request_of(context),
            "peer": {"handle": handle, **peer, **units_of(peer["text"])},
            "limit": context.word_limit,
            "models": shown_models(context),
            "light": is_light(context),
            "non_matching": marks_unmatched(context),
            **shown,
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Decisions about SCUs of the pyramid; words of the peer."""
        pyramid = existing_pyramid(context, state)
        if key.startswith(SCU):
            check_decision(context, check_uid(key.removeprefix(SCU)), value, uids_of(pyramid), state.get(key))
        elif key == UNMATCHED:
            check_unmatched(context, value, state.get(key))
        elif self.has_suggestions and key.startswith(SUGGESTION):
            check_suggestion(key, value)
        elif key != PYRAMID:
            super().check_field(context, state, key, value)
        elif value not in (None, mark_of(pyramid)):
            raise RefusedError("this work began with another pyramid")

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Nothing is unsure; in light mode every SCU is decided."""
        scus = scus_of(state)
        pyramid = existing_pyramid(context, state) if is_light(context) else None
        unsure = [uid for uid, scu in scus.items() if scu["present"] is None]
        check_none(unsure, ("is", "are"), "still unsure")
        if pyramid is not None:
            check_none(sorted(uids_of(pyramid) - set(scus)), ("is", "are"), "still not decided")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """The annotation, once there is anything in it."""
        pyramid = pyramid_for(context, state)
        if pyramid is None or not state:
            return []
        status: Status | None = "annotated" if state.get("done") else None
        time = last_time(events)
        return [annotation_from(context, state, pyramid, annotator=context.person, status=status, time=time)]

    def is_task_row(self, context: TaskContext, row: PeerAnnotation) -> bool:
        """Whether an annotation is its person's, of this peer."""
        is_of_whole_peer = row.draw is None and not row.consensus
        return is_of_whole_peer and row.annotator == context.person and context.is_about(row.summarizer)

    def counted_in(self, spec: Spec) -> str:
        """Words of the summary, which are marked; SCUs where only presence is asked."""
        return "SCUs" if spec["mode"] == "light" else "words"

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Light: SCUs decided. Else: words of the peer that are somewhere; all of them once it is handed in."""
        scus = scus_of(state).values()
        if is_light(context):
            pyramid = pyramid_for(context, state)
            decided = sum(scu["present"] is not None for scu in scus)
            return decided, len(pyramid.scus) if pyramid else 0
        marked = [parts for scu in scus for parts in scu["contributors"]]
        marked += state.get(UNMATCHED, [])
        if state.get("done") or not marked:
            # Most work of a large campaign is not begun, and the dashboard asks about all of it.
            total = _count_peer_words(context.peer)
            return (total if state.get("done") else 0), total
        words = Words.of({"peer": context.peer})
        covered = cover(words, ((0, "peer", as_parts(parts)) for parts in marked), 1)
        return int(covered.members.sum()), len(words)

    def initial_state(self, context: TaskContext) -> State:
        """The person's annotation that the campaign already has."""
        annotations = self.task_rows(context)
        if not annotations:
            return {}
        pyramid = pyramid_of(annotations[0], context.data.pyramids)
        if pyramid is None:
            return {}
        return {**state_from(annotations[0], pyramid), PYRAMID: mark_of(pyramid)}

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """A task for each summary that is no model: models are the pyramid's own."""
        spec = {
            "models": model_handles(assignment, facts, options),
            "pyramid": "",
            "mode": "light" if LIGHT.value_in(options) else "full",
            "non_matching": NON_MATCHING.value_in(options),
        }
        # What a model says of the pyramid is known: it is made of the models.
        peers = [summarizer for summarizer in assignment.summarizers if summarizer not in facts.models]
        for summarizer in shuffle(peers, options.seed, assignment.person, assignment.topic):
            yield {"summaries": {"1": summarizer}, **spec}

    def suggest(self, context: TaskContext, state: State, request: SuggestionRequest, idf: Idf) -> list[dict[str, Any]]:
        """SCUs that selected words of the peer may express, or words that may express an SCU."""
        texts = texts_of(context)
        pyramid = pyramid_for(context, state)
        if pyramid is None:
            return []
        if request.about == "models":
            return propose_from_models(context, texts, idf)
        if request.about == "span":
            return suggest_scus(quote_selection(request, context.peer), pyramid, texts, idf)
        return _suggest_words(context, state, find_scu(pyramid, request.uid), texts, idf)

    def export_tables(self, campaign: Campaign) -> Mapping[str, Iterable[Mapping[str, Any]]]:
        """The annotations, SCU by SCU."""
        return {"annotations.csv": _match_rows(campaign)}


@lru_cache(maxsize=KEPT_PEERS)
def _count_peer_words(text: str) -> int:
    """How many words annotators can mark in a peer."""
    return len(Words.of({"peer": text}))


def is_light(context: TaskContext) -> bool:
    """Whether only presence is decided, without words."""
    return bool(context.spec.get("mode") == "light")


def marks_unmatched(context: TaskContext) -> bool:
    """Whether content that matches no SCU is marked; in light mode no words are."""
    return bool(context.spec.get("non_matching", True)) and not is_light(context)


def uids_of(pyramid: Pyramid) -> set[int]:
    """The numbers of a pyramid's SCUs."""
    return {scu.uid for scu in pyramid.scus}


def pyramid_for(context: TaskContext, state: State | None = None) -> Pyramid | None:
    """The pyramid that the peer is matched against: what the work began with, what the spec names, or the topic's."""
    pyramids = context.data.pyramids
    state = context.state if state is None else state
    # Annotators go on with the pyramid they began with, though a consensus may have come since.
    mark = state.get(PYRAMID)
    if mark is not None:
        return next((pyramid for pyramid in pyramids if mark_of(pyramid) == mark), None)
    annotator = context.spec.get("pyramid") or None
    if annotator is None:
        for pyramid in pyramids:
            if pyramid.consensus:
                return pyramid
    (summarizer,) = context.spec["summaries"].values()
    annotation = PeerAnnotation(
        topic=context.task.topic, summarizer=summarizer, scus=(), annotator=context.person, pyramid=annotator
    )
    return pyramid_of(annotation, pyramids)


def existing_pyramid(context: TaskContext, state: State) -> Pyramid:
    """The pyramid that the peer is matched against.

    Raises:
        RefusedError: if there is none yet.
    """
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
    scus = [_shown_scu(context, scu, float(weight)) for scu, weight in zip(pyramid.scus, weights, strict=True)]
    model_size: float = 0
    if incidence.models:
        model_size = float(incidence.model_sizes(incidence.everyone)[0])
    return {
        "scus": sorted(scus, key=lambda scu: (-scu["weight"], scu["uid"])),
        "model_size": model_size,
        "order": len(incidence.models),
        "pyramid": mark_of(pyramid),
    }


def _shown_scu(context: TaskContext, scu: Scu, weight: float) -> dict[str, Any]:
    handles = {summarizer: handle for handle, summarizer in context.spec["models"].items()}
    contributors = [
        {"model": handles[contributor.model], "parts": as_lists(contributor.parts)}
        for contributor in scu.contributors
        if contributor.model in handles
    ]
    return {
        "uid": scu.uid,
        "label": scu.label,
        "comment": scu.comment,
        "weight": weight,
        "contributors": contributors,
    }


def check_decision(context: TaskContext, uid: int, value: Any, uids: set[int], before: Any = None) -> None:
    """Refuse a decision about an SCU that is not one. Words that were marked before (imported ones) stay."""
    what = f"SCU {uid}"
    if value is None:
        return
    if uid not in uids:
        raise RefusedError(f"the pyramid has no SCU {uid}")
    check_fields(value, {"present": (bool, type(None)), "contributors": list, "comment": str}, what)
    if "present" not in value or "contributors" not in value:
        raise RefusedError(f"{what} needs present and contributors")
    check_text(value.get("comment"), f"{what}: the comment", LONGEST_COMMENT)
    earlier = (before or {}).get("contributors", [])
    for parts in value["contributors"]:
        if parts not in earlier:
            check_parts(parts, context.peer, what)
    if value["contributors"] and not value["present"]:
        raise RefusedError(f"{what} has words that express it, so it is present")
    if value["present"] and not value["contributors"] and not is_light(context):
        raise RefusedError(f"{what}: mark the words that express it")


def check_unmatched(context: TaskContext, value: Any, before: Any = None) -> None:
    """Refuse units that are not words of the peer. Those that were marked before (imported ones) stay."""
    if not marks_unmatched(context):
        raise RefusedError("content that matches no SCU is not marked in this campaign")
    if value is not None and not isinstance(value, list):
        raise RefusedError("unmatched is a list of units")
    for parts in value or []:
        if parts not in (before or []):
            check_parts(parts, context.peer, "content that matches no SCU")


def annotation_from(
    context: TaskContext,
    state: State,
    pyramid: Pyramid,
    *,
    annotator: str,
    adjudicator: str = "",
    status: Status | None = None,
    time: str = "",
) -> PeerAnnotation:
    """The annotation of a state; what is unsure is not written, nor what the pyramid no longer has.

    Args:
        context: the task.
        state: what it holds.
        pyramid: what the peer is matched against.
        annotator: who decided.
        adjudicator: who made it of what annotators had; then it is a consensus.
        status: how far the annotation is.
        time: when it was last changed.
    """
    uids = uids_of(pyramid)
    matches = []
    for uid, scu in scus_of(state).items():
        # The pyramid may have lost SCUs since they were decided about.
        if scu["present"] is None or uid not in uids:
            continue
        contributors = tuple(map(as_parts, scu["contributors"]))
        match = Match(uid=uid, present=scu["present"], contributors=contributors, comment=scu.get("comment", ""))
        matches.append(match)
    unmatched = None
    if marks_unmatched(context):
        unmatched = tuple(map(as_parts, state.get(UNMATCHED, [])))
    (summarizer,) = context.spec["summaries"].values()
    return PeerAnnotation(
        topic=context.task.topic,
        summarizer=summarizer,
        scus=tuple(matches),
        unmatched=unmatched,
        pyramid=pyramid.annotator,
        annotator=annotator,
        consensus=bool(adjudicator),
        adjudicator=adjudicator,
        status=status,
        time=time,
    )


def state_from(annotation: PeerAnnotation, pyramid: Pyramid) -> State:
    """The state that leads to this annotation."""
    uids = uids_of(pyramid)
    state: State = {}
    for match in annotation.scus:
        if match.uid not in uids:
            continue
        value: dict[str, Any] = {"present": match.present, "contributors": _as_units(match.contributors)}
        if match.comment:
            value["comment"] = match.comment
        state[f"{SCU}{match.uid}"] = value
    if annotation.unmatched:
        state[UNMATCHED] = _as_units(annotation.unmatched)
    return state


def _as_units(units: Iterable[Parts]) -> list[list[list[int]]]:
    return [as_lists(parts) for parts in units]


def _suggest_words(
    context: TaskContext, state: State, scu: Scu, texts: Mapping[str, str], idf: Idf
) -> list[dict[str, Any]]:
    """Words of the peer that may express an SCU, besides those that are marked."""
    mentions = scus_of(state).get(scu.uid, {}).get("contributors", [])
    taken = tuple(part for parts in mentions for part in as_parts(parts))
    spans = candidate_spans(scu, context.peer, texts, idf, taken=taken)
    return [{"parts": [[span.start, span.end]], "similarity": span.similarity} for span in spans]


def _match_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each SCU that a peer was matched against."""
    keys = pick_fields(campaign.annotations, ("topic", "summarizer", "annotator", "consensus", "adjudicator"))
    for key, annotation in zip(keys, campaign.annotations, strict=True):
        for match in annotation.scus:
            contributors = json.dumps(match.contributors)
            yield {**key, "scu": match.uid, "present": match.present, "contributors": contributors}


TASK_TYPE = PeerWork()
