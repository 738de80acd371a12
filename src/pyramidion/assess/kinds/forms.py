"""Forms: the questions of one pass about every summary of a topic (paper 003).

State: `answer/HANDLE/QUESTION` a number on the question's scale, `comment/HANDLE` a text, `done` true.
Spec: `summaries` {handle: summarizer}, `pass` the number of the pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import Piece, RefusedError
from pyramidion.assess.store.work import Changes, Event, State
from pyramidion.campaign.nouns import Judgment, Noun, Question, plain

LONGEST_COMMENT = 5_000


class Forms:
    """Questions about summaries, one summary after the other."""

    name = "form"
    title = "Questions about summaries"

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The request, the questions and the summaries, cut at the campaign's limit."""
        return {
            "questions": [_shown(question) for question in questions_of(piece)],
            "summaries": [
                {"handle": handle, "text": plain(piece.summary(handle).text)} for handle in piece.task.spec["summaries"]
            ],
        }

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """Answers on the scale, comments that are texts, and `done` only when every question has its answer."""
        questions = {question.name: question for question in questions_of(piece)}
        handles = piece.task.spec["summaries"]
        for key, value in changes.items():
            match key.split("/"):
                case ["answer", handle, question] if handle in handles and question in questions:
                    low, high = questions[question].scale
                    if value is not None and not (type(value) is int and low <= value <= high):
                        raise RefusedError(f"{question}: {value!r} is not on the scale; choose {low} to {high}")
                case ["comment", handle] if handle in handles:
                    if value is not None and not (isinstance(value, str) and len(value) <= LONGEST_COMMENT):
                        raise RefusedError(f"a comment is a text of at most {LONGEST_COMMENT:,} characters")
                case ["done"]:
                    _check_done(state, changes, value, [f"answer/{h}/{q}" for h in handles for q in questions])
                case _:
                    raise RefusedError(f"this work has no field {key!r}")

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:  # noqa: ARG002
        """A judgment for each answer."""
        found: list[Noun] = []
        for handle, summarizer in piece.task.spec["summaries"].items():
            for question in questions_of(piece):
                value = state.get(f"answer/{handle}/{question.name}")
                if value is not None:
                    key = {"topic": piece.task.topic, "summarizer": summarizer, "question": question.name}
                    found.append(Judgment(**key, value=value, assessor=piece.person))
        return found

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """Its person's judgments of these summaries on these questions."""
        return (
            isinstance(noun, Judgment)
            and noun.topic == piece.task.topic
            and noun.assessor == piece.person
            and noun.summarizer in piece.task.spec["summaries"].values()
            and noun.question in {question.name for question in questions_of(piece)}
        )

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Answers given, of all."""
        given = sum(key.startswith("answer/") for key in state)
        return given, len(piece.task.spec["summaries"]) * len(questions_of(piece))

    def opening(self, piece: Piece) -> State:
        """The answers that the campaign already has."""
        handles = {summarizer: handle for handle, summarizer in piece.task.spec["summaries"].items()}
        judgments = piece.campaign.topic(piece.task.topic, peers="all").judgments
        return {
            f"answer/{handles[one.summarizer]}/{one.question}": one.value for one in judgments if self.owns(piece, one)
        }


def questions_of(piece: Piece) -> list[Question]:
    """The questions of the task's pass."""
    return [question for question in piece.campaign.questions if question.pass_number == piece.task.spec["pass"]]


def _shown(question: Question) -> dict[str, Any]:
    return {"name": question.name, "text": question.text, "scale": question.scale}


def _check_done(state: State, changes: Changes, value: Any, needed: Iterable[str]) -> None:
    if value not in (True, None):
        raise RefusedError("done is true or absent")
    open_ = [key for key in needed if changes.get(key, state.get(key)) is None] if value else []
    if open_:
        raise RefusedError(f"{len(open_)} questions have no answer yet")
