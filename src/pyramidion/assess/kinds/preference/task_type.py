"""Preferences: two summaries of a topic side by side, and which is better.

State: `choice/PAIR` left, right or tie, `reason/PAIR` a text, `done` true.
Spec: `pairs` {pair: [summarizer on the left, summarizer on the right]}; who stands where was drawn with the pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.common import check_answered, check_text, given, request_of, shown_text
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.nouns import Noun, Preference

LONGEST_REASON = 5_000
CHOICES: dict[Any, Any] = {"left": "a", "right": "b", "tie": "tie"}


class PreferenceWork(TaskType[Preference]):
    """Pairs of summaries."""

    name = "preference"
    title = "Which summary is better?"
    noun_type = Preference

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The request and the texts of each pair, cut at the campaign's limit."""
        texts = {one.summarizer: shown_text(one.text, context.campaign.word_limit) for one in context.data.peers}
        pairs = context.spec["pairs"]
        return {
            "request": request_of(context),
            "limit": context.campaign.word_limit,
            "pairs": [
                {"pair": pair, "left": texts[pairs[pair][0]], "right": texts[pairs[pair][1]]}
                for pair in sorted(pairs, key=int)
            ],
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """Choices and reasons for pairs that there are."""
        match key.split("/"):
            case ["choice", pair] if pair in context.spec["pairs"]:
                if value is not None and value not in CHOICES:
                    raise RefusedError(f"{value!r} is no choice: left, right or tie")
            case ["reason", pair] if pair in context.spec["pairs"]:
                check_text(value, "a reason", LONGEST_REASON)
            case _:
                super().check_field(context, state, key, value)

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Every pair has a choice."""
        check_answered({f"choice/{pair}" for pair in context.spec["pairs"]} - state.keys(), "pair")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """A preference for each choice."""
        when = given(events)
        return [
            Preference(
                topic=context.task.topic,
                a=left,
                b=right,
                choice=CHOICES[state[f"choice/{pair}"]],
                assessor=context.person,
                reason=state.get(f"reason/{pair}", ""),
                **when.get(f"choice/{pair}", {}),
            )
            for pair, (left, right) in context.spec["pairs"].items()
            if f"choice/{pair}" in state
        ]

    def is_task_row(self, context: TaskContext, row: Preference) -> bool:
        """Its person's preferences between these pairs, whichever came first."""
        return row.assessor == context.person and {row.a, row.b} in map(set, context.spec["pairs"].values())

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Pairs with a choice."""
        return sum(key.startswith("choice/") for key in state), len(context.spec["pairs"])

    def initial_state(self, context: TaskContext) -> State:
        """The choices that the campaign already has."""
        found: State = {}
        places = {"a": "left", "b": "right", "tie": "tie"}
        turned = {"left": "right", "right": "left", "tie": "tie"}
        for one in self.own(context):
            for pair, (left, right) in context.spec["pairs"].items():
                if {one.a, one.b} == {left, right}:
                    place = places[one.choice]
                    found[f"choice/{pair}"] = place if one.a == left else turned[place]
                    if one.reason:
                        found[f"reason/{pair}"] = one.reason
        return found
