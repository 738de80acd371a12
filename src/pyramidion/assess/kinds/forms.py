"""Forms: the questions of one pass about every summary of a topic (paper 003).

State: `answer/HANDLE/QUESTION` a number on the question's scale, `comment/HANDLE` a text, `done` true.
Spec: `summaries` {handle: summarizer}, `pass` the number of the pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pyramidion.assess.kinds.base import Kind, Piece, RefusedError
from pyramidion.assess.kinds.common import check_answered, check_text, given, request_of, shown_text
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Judgment, Noun, Question
from pyramidion.show.wording import in_words, listed

LONGEST_COMMENT = 5_000
QUALITIES = ("grammaticality", "non-redundancy", "referential-clarity", "focus", "coherence")
"""The questions of paper 003 that are about language."""


class Forms(Kind[Judgment]):
    """Questions about summaries, one summary after the other."""

    name = "form"
    title = "Questions about summaries"
    makes = Judgment

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The request, the questions and the summaries, cut at the campaign's limit."""
        return {
            "pass": piece.spec["pass"],
            "heading": heading(piece.campaign, piece.spec["pass"]),
            "request": request_of(piece),
            "limit": piece.campaign.word_limit,
            "questions": [_shown(question) for question in questions_of(piece)],
            "summaries": [
                {"handle": handle, **shown_text(piece.summary(handle).text, piece.campaign.word_limit)}
                for handle in handles_of(piece)
            ],
        }

    def check_field(self, piece: Piece, state: State, key: str, value: Any) -> None:
        """Answers on the scale, and comments that are texts."""
        questions = {question.name: question for question in questions_of(piece)}
        handles = piece.spec["summaries"]
        match key.split("/", 2):
            case ["answer", handle, question] if handle in handles and question in questions:
                low, high = questions[question].scale
                if value is not None and not (type(value) is int and low <= value <= high):
                    raise RefusedError(f"{question}: {value!r} is not on the scale; choose {low} to {high}")
            case ["comment", handle] if handle in handles:
                check_text(value, "a comment", LONGEST_COMMENT)
            case _:
                super().check_field(piece, state, key, value)

    def check_complete(self, piece: Piece, state: State) -> None:
        """Every question that needs an answer has one, about every summary."""
        required = [one.name for one in questions_of(piece) if one.required]
        needed = {f"answer/{handle}/{name}" for handle in piece.spec["summaries"] for name in required}
        check_answered(needed - state.keys(), "question")

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """A judgment for each answer; a comment goes with the first answer about its summary."""
        when = given(events)
        found: list[Noun] = []
        for handle in handles_of(piece):
            comment = state.get(f"comment/{handle}", "")
            for question in questions_of(piece):
                key = f"answer/{handle}/{question.name}"
                if key not in state:
                    continue
                noun = Judgment(
                    topic=piece.task.topic,
                    summarizer=piece.spec["summaries"][handle],
                    question=question.name,
                    value=state[key],
                    assessor=piece.person,
                    comment=comment,
                    **when.get(key, {}),
                )
                found.append(noun)
                comment = ""
        return found

    def is_own(self, piece: Piece, row: Judgment) -> bool:
        """Its person's judgments of these summaries on these questions."""
        asked = row.question in {question.name for question in questions_of(piece)}
        return asked and row.assessor == piece.person and row.run == 1 and piece.is_about(row.summarizer)

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Answers given, of all."""
        answered = sum(key.startswith("answer/") for key in state)
        return answered, len(piece.spec["summaries"]) * len(questions_of(piece))

    def opening(self, piece: Piece) -> State:
        """The answers and comments that the campaign already has."""
        handles = {summarizer: handle for handle, summarizer in piece.spec["summaries"].items()}
        found: State = {}
        for one in self.own(piece):
            handle = handles[one.summarizer]
            found[f"answer/{handle}/{one.question}"] = one.value
            if one.comment:
                found.setdefault(f"comment/{handle}", one.comment)
        return found


def questions_of(piece: Piece) -> Sequence[Question]:
    """The questions of the task's pass."""
    return piece.campaign.questions.passes.get(piece.spec["pass"], ())


def handles_of(piece: Piece) -> list[str]:
    """The handles of the summaries, in the order in which they are shown."""
    return sorted(piece.spec["summaries"], key=int)


def heading(campaign: Campaign, number: int) -> str:
    """What a pass is about: `Pass 2: content responsiveness`."""
    names = [question.name for question in campaign.questions.passes.get(number, ())]
    if number == 1 and set(QUALITIES) <= set(names):
        return f"Pass {number}: linguistic quality"
    if len(names) > 2:
        return f"Pass {number}: {in_words(len(names))} questions"
    return f"Pass {number}: {listed([name.replace('-', ' ') for name in names])}" if names else f"Pass {number}"


def _shown(question: Question) -> dict[str, Any]:
    low, high = question.scale
    return {
        "name": question.name,
        "text": question.text,
        "required": question.required,
        "values": [{"value": value, "label": question.label_of(value)} for value in range(low, high + 1)],
        "examples": [{"value": one.value, "text": one.text} for one in question.examples],
    }
