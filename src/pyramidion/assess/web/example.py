"""Guided first tasks: a small example of each kind of work to try, which is stored nowhere."""

from __future__ import annotations

import secrets
from functools import cache
from typing import Any

from pyramidion.assess.kinds.adjudicate.double_annotation import find_double_annotations
from pyramidion.assess.kinds.assignment import Assignment, PlanOptions, topics_of
from pyramidion.assess.kinds.base import TaskContext
from pyramidion.assess.kinds.preference.pairs import specs_of
from pyramidion.assess.kinds.registry import KINDS
from pyramidion.assess.store.work import Task
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Contributor, Document, Match, PeerAnnotation, Pyramid, Scu, Summary, Topic
from pyramidion.campaign.questions import QuestionSet

GUIDED = ("write", "pyramid", "peer", "coverage", "form", "preference", "adjudicate", "adjudicate-peer")
"""Kinds of work that have a guide (static/js/guides.js has its steps)."""
TOPIC = "example"
FIRST = "A ferry caught fire off Kiel on Monday. Fishermen saved all 120 people on board."
SECOND = "All passengers of a burning ferry were rescued near Kiel. Fishing boats were first to arrive."
PEERS = (
    "On Monday a ferry burned near Kiel. Fishing boats saved everyone.",
    "Ferries are ships. Ferries are ships that carry people. It burned, and he said so on Monday.",
    "The fire broke out in the engine room, the company said. All 120 people were saved.",
)


def example(kind: str) -> dict[str, Any] | None:
    """A task of a kind as its page gets it; None if it has no guide."""
    if kind not in GUIDED:
        return None
    campaign = _campaign()
    options = PlanOptions(kinds=("form",), pairs=2)
    (facts,) = topics_of(campaign, options)
    judged = tuple(one.summarizer for one in campaign.summaries if one.kind == "peer")
    assignment = Assignment(kind=kind, topic=TOPIC, person="you", summarizers=judged)
    both = (spec for one in find_double_annotations(campaign) if one.kind == kind for spec in one.specs(campaign))
    spec = next(both, None) or next(iter(specs_of(assignment, campaign, facts, options)), None)
    if spec is None:
        return None
    id = f"guide-{secrets.token_hex(8)}"
    context = TaskContext(
        task=Task(id=id, kind=kind, topic=TOPIC, person="you", spec=spec), campaign=campaign, person="you"
    )
    return {
        "task": {"id": id, "kind": kind, "topic": TOPIC, "practice": True},
        "version": 0,
        "state": {},
        "history": [],
        "material": KINDS[kind].material(context),
    }


@cache
def _campaign() -> Campaign:
    """Three summaries of a ferry fire."""
    documents = (
        Document(id="news-1", date="2005-01-31", headline="Ferry on fire off Kiel", text=FIRST + "\nNobody was hurt."),
        Document(id="news-2", date="2005-02-01", headline="Praise for fishermen", text=SECOND),
    )
    title, narrative = "Ferry fire off Kiel", "What happened, and how were the passengers saved?"
    models = [
        Summary(topic=TOPIC, summarizer=f"m{at}", kind="model", text=text) for at, text in enumerate((FIRST, SECOND))
    ]
    peers = [Summary(topic=TOPIC, summarizer=f"s{at}", kind="peer", text=text) for at, text in enumerate(PEERS)]
    scus = (
        _scu(1, "A ferry burned", "A ferry caught fire", "a burning ferry"),
        _scu(2, "All were saved", "saved all 120 people", "All passengers"),
        _scu(3, "Fishermen helped", "Fishermen", "Fishing boats"),
    )
    more = _scu(2, "Nobody was lost", "saved all 120 people on board", "All passengers")
    return Campaign(
        word_limit=40,
        questions=QuestionSet(QuestionSet.named("duc2006").questions[3:5]),
        topics=(Topic(topic=TOPIC, title=title, narrative=narrative, documents=documents),),
        summaries=(*models, *peers),
        pyramids=(
            Pyramid(topic=TOPIC, models=("m0", "m1"), scus=scus, annotator="you"),
            Pyramid(topic=TOPIC, models=("m0", "m1"), scus=(scus[0], more), annotator="other"),
        ),
        annotations=(
            _annotation("you", {1: "a ferry burned", 2: "saved everyone", 3: "Fishing boats"}),
            _annotation("other", {1: "a ferry burned", 2: "Fishing boats saved everyone"}),
        ),
    )


def _scu(uid: int, label: str, *words: str) -> Scu:
    """An SCU with words of each model."""
    parts = [_span(text, one) for text, one in zip((FIRST, SECOND), words, strict=True)]
    contributors = tuple(Contributor(model=f"m{at}", parts=(part,)) for at, part in enumerate(parts))
    return Scu(uid=uid, label=label, contributors=contributors)


def _annotation(annotator: str, words: dict[int, str]) -> PeerAnnotation:
    matches = tuple(Match(uid=uid, contributors=((_span(PEERS[0], one),),)) for uid, one in words.items())
    return PeerAnnotation(topic=TOPIC, summarizer="s0", scus=matches, annotator=annotator, pyramid="you", unmatched=())


def _span(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)
