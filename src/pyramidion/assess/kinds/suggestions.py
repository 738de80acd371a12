"""Suggestions while annotating: off unless the organiser turns them on, and never more than suggestions.

What is offered and what is made of it is part of the work's events (`suggestion/NUMBER`), so that a study can say
whether suggestions bias annotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pyramidion.assess.kinds.base import RefusedError, TaskContext
from pyramidion.assess.kinds.peer.task_type import pyramid_for
from pyramidion.assess.kinds.pyramid.task_type import pyramid_from, scus_of, texts_of
from pyramidion.assess.kinds.spans import as_parts, check_parts
from pyramidion.assess.store.work import State
from pyramidion.campaign.nouns import Scu
from pyramidion.pyramids.suggestions import Idf, candidate_spans, propose_scus, similar_scus

About: TypeAlias = Literal["span", "scu", "models"]
MOST_PROPOSALS = 40


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What suggestions are asked about: selected words, an SCU, or all models."""

    about: About
    model: str | None = None
    parts: tuple[tuple[int, int], ...] = ()
    uid: int | None = None


def suggest(context: TaskContext, state: State, asked: Asked, idf: Idf) -> list[dict[str, Any]]:
    """SCUs that selected words may express, spans that may express an SCU, or proposals for SCUs."""
    texts = texts_of(context)
    peer = "summaries" in context.spec
    pyramid = pyramid_for(context, state) if peer else pyramid_from(context, state)
    if pyramid is None:
        return []
    if asked.about == "models":
        return _proposals(context, texts, idf)[:MOST_PROPOSALS]
    if asked.about == "span":
        text = context.peer if peer else texts[_summarizer(context, asked.model)]
        check_parts([list(part) for part in asked.parts], text, "the selection")
        span = " ".join(text[start:end] for start, end in asked.parts)
        found = similar_scus(span, pyramid, texts, idf)
        return [{"uid": one.uid, "label": one.label, "similarity": one.similarity} for one in found]
    scu = next((one for one in pyramid.scus if one.uid == asked.uid), None)
    if scu is None:
        raise RefusedError(f"there is no SCU {asked.uid}")
    return _in_peer(context, state, scu, texts, idf) if peer else _in_models(context, scu, texts, idf)


def _summarizer(context: TaskContext, handle: str | None) -> str:
    models: Mapping[str, str] = context.spec["models"]
    if handle is None or handle not in models:
        raise RefusedError(f"there is no model {handle!r}")
    return models[handle]


def _proposals(context: TaskContext, texts: Mapping[str, str], idf: Idf) -> list[dict[str, Any]]:
    handles = {summarizer: handle for handle, summarizer in context.spec["models"].items()}
    return [
        {
            "label": one.label,
            "contributors": [{"model": handles[model], "parts": [list(part)]} for model, part in one.contributors],
            "similarity": one.similarity,
        }
        for one in propose_scus(texts, idf)
    ]


def _in_models(context: TaskContext, scu: Scu, texts: Mapping[str, str], idf: Idf) -> list[dict[str, Any]]:
    """The best span of each model that does not contribute yet."""
    contributing = {one.model for one in scu.contributors}
    found = [
        {"model": handle, "parts": [[one.start, one.end]], "similarity": one.similarity}
        for handle, summarizer in context.spec["models"].items()
        if summarizer not in contributing
        for one in candidate_spans(scu, texts[summarizer], texts, idf, most=1)
    ]
    return sorted(found, key=lambda one: -one["similarity"])


def _in_peer(context: TaskContext, state: State, scu: Scu, texts: Mapping[str, str], idf: Idf) -> list[dict[str, Any]]:
    mentions = scus_of(state).get(scu.uid, {}).get("contributors", [])
    taken = tuple(part for parts in mentions for part in as_parts(parts))
    found = candidate_spans(scu, context.peer, texts, idf, taken=taken)
    return [{"parts": [[one.start, one.end]], "similarity": one.similarity} for one in found]
