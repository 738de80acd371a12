"""Suggestions while annotating: off unless the organiser turns them on, and never more than suggestions.

What is offered and what is made of it is part of the work's events (`suggestion/NUMBER`), so that a study can say
whether suggestions bias annotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyramidion.assess.kinds.base import RefusedError, SuggestionRequest, TaskContext
from pyramidion.assess.kinds.spans import check_parts
from pyramidion.campaign.nouns import Pyramid, Scu
from pyramidion.pyramids.suggestions import Idf, propose_scus, similar_scus

MOST_PROPOSALS = 40


def propose_from_models(context: TaskContext, texts: Mapping[str, str], idf: Idf) -> list[dict[str, Any]]:
    """Proposals for SCUs: words of several models that resemble each other."""
    handles = {summarizer: handle for handle, summarizer in context.spec["models"].items()}
    proposals = []
    for proposal in propose_scus(texts, idf)[:MOST_PROPOSALS]:
        contributors = [{"model": handles[model], "parts": [list(part)]} for model, part in proposal.contributors]
        proposals.append({"label": proposal.label, "contributors": contributors, "similarity": proposal.similarity})
    return proposals


def suggest_scus(words: str, pyramid: Pyramid, texts: Mapping[str, str], idf: Idf) -> list[dict[str, Any]]:
    """SCUs that selected words may express."""
    return [
        {"uid": scu.uid, "label": scu.label, "similarity": scu.similarity}
        for scu in similar_scus(words, pyramid, texts, idf)
    ]


def quote_selection(request: SuggestionRequest, text: str) -> str:
    """The selected words of a text.

    Raises:
        RefusedError: if they are not within it.
    """
    check_parts([list(part) for part in request.parts], text, "the selection")
    return " ".join(text[start:end] for start, end in request.parts)


def find_scu(pyramid: Pyramid, uid: int | None) -> Scu:
    """The SCU of a pyramid that suggestions are asked for.

    Raises:
        RefusedError: if it has none of this number.
    """
    for scu in pyramid.scus:
        if scu.uid == uid:
            return scu
    raise RefusedError(f"there is no SCU {uid}")
