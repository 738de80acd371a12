"""Guided first tasks: a small example of each kind of work to try, with its page, which is stored nowhere."""

from __future__ import annotations

import secrets
from dataclasses import replace
from functools import cache
from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from pyramidion.assess.kinds.assignment import Assignment, PlanSettings
from pyramidion.assess.kinds.base import TaskContext
from pyramidion.assess.kinds.registry import TASK_TYPES, WITH_PAGES
from pyramidion.assess.store.work import Task
from pyramidion.assess.web.access import Worker
from pyramidion.assess.web.plan import topic_facts
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Contributor, Document, Match, PeerAnnotation, Pyramid, Scu, Summary, Topic
from pyramidion.campaign.questions import QuestionSet

router: APIRouter = APIRouter()

TOPIC = "example"
FIRST = "A ferry caught fire off Kiel on Monday. Fishermen saved all 120 people on board."
SECOND = "All passengers of a burning ferry were rescued near Kiel. Fishing boats were first to arrive."
PEERS = (
    "On Monday a ferry burned near Kiel. Fishing boats saved everyone.",
    "Ferries are ships. Ferries are ships that carry people. It burned, and he said so on Monday.",
    "The fire broke out in the engine room, the company said. All 120 people were saved.",
)


def example_data(
    kind: str, *, questions: QuestionSet | None = None, pass_number: int | None = None
) -> dict[str, Any] | None:
    """The data of an example of a kind of work, as its page gets it; None if it has no guide.

    Args:
        kind: the kind of work.
        questions: what the form asks; by default, two questions.
        pass_number: the pass of the form; by default, the first.
    """
    # Topics are described by organisers, who need no guide.
    if kind not in WITH_PAGES:
        return None
    task_type = TASK_TYPES[kind]
    campaign = _example_campaign()
    if questions is not None:
        campaign = replace(campaign, questions=questions)
    options = PlanSettings(choices={"pairs": 2})
    (facts,) = topic_facts(campaign, options)
    judged = tuple(summary.summarizer for summary in campaign.summaries if summary.kind == "peer")
    assignment = Assignment(kind=kind, topic=TOPIC, person="you", summarizers=judged)
    specs = list(task_type.specs(assignment, campaign, facts, options))
    spec = specs[0]
    if pass_number is not None:
        spec = next(other for other in specs if other["pass"] == pass_number)
    id = f"guide-{secrets.token_hex(8)}"
    task = Task(id=id, kind=kind, topic=TOPIC, person="you", spec=spec)
    context = TaskContext(task=task, campaign=campaign, person="you")
    return {
        "task": {"id": id, "kind": kind, "topic": TOPIC, "practice": True, "title": task_type.heading(campaign, task)},
        "version": 0,
        "state": {},
        "history": [],
        "material": task_type.material(context),
    }


@cache
def _example_campaign() -> Campaign:
    """Three summaries of a ferry fire."""
    documents = (
        Document(id="news-1", date="2005-01-31", headline="Ferry on fire off Kiel", text=FIRST + "\nNobody was hurt."),
        Document(id="news-2", date="2005-02-01", headline="Praise for fishermen", text=SECOND),
    )
    title, narrative = "Ferry fire off Kiel", "What happened, and how were the passengers saved?"
    summaries = []
    for number, text in enumerate((FIRST, SECOND)):
        summaries.append(Summary(topic=TOPIC, summarizer=f"m{number}", kind="model", text=text))
    for number, text in enumerate(PEERS):
        summaries.append(Summary(topic=TOPIC, summarizer=f"s{number}", kind="peer", text=text))
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
        summaries=tuple(summaries),
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
    spans = [_span(text, phrase) for text, phrase in zip((FIRST, SECOND), words, strict=True)]
    contributors = tuple(Contributor(model=f"m{number}", parts=(span,)) for number, span in enumerate(spans))
    return Scu(uid=uid, label=label, contributors=contributors)


def _annotation(annotator: str, words: dict[int, str]) -> PeerAnnotation:
    matches = tuple(Match(uid=uid, contributors=((_span(PEERS[0], phrase),),)) for uid, phrase in words.items())
    return PeerAnnotation(topic=TOPIC, summarizer="s0", scus=matches, annotator=annotator, pyramid="you", unmatched=())


def _span(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


@router.get("/guide/{kind}", response_class=HTMLResponse)
def guide_page(kind: str, visit: Worker) -> HTMLResponse:
    """The page of a kind of work with an example in it."""
    data = example_data(kind)
    if data is None:
        raise HTTPException(404, "there is no guide for this kind of work")
    task = Task(id=data["task"]["id"], kind=kind, topic=data["task"]["topic"], person=visit.person.id)
    heading = f"Guide: {TASK_TYPES[kind].title}"
    return visit.page("task.html", task=task, page=TASK_TYPES[kind].page, heading=heading, guide=kind, task_data=data)
