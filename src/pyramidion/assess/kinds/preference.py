"""Preferences: two summaries of a topic side by side, and which is better.

State: `choice/PAIR` left, right or tie, `reason/PAIR` a text, `done` true.
Spec: `pairs` {pair: [summarizer on the left, summarizer on the right]}; who stands where was drawn with the pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import Piece, RefusedError
from pyramidion.assess.kinds.common import check_done, check_text, given, request_of, shown_text
from pyramidion.assess.store.work import Changes, Event, State
from pyramidion.campaign.nouns import Noun, Preference

LONGEST_REASON = 5_000
CHOICES: dict[Any, Any] = {"left": "a", "right": "b", "tie": "tie"}


class Preferences:
    """Pairs of summaries."""

    name = "preference"
    title = "Which summary is better?"

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The request and the texts of each pair, cut at the campaign's limit."""
        texts = {
            one.summarizer: shown_text(one.text, piece.campaign.word_limit)
            for one in piece.campaign.topic(piece.task.topic, peers="all").peers
        }
        pairs = piece.task.spec["pairs"]
        return {
            "request": request_of(piece),
            "limit": piece.campaign.word_limit,
            "pairs": [
                {"pair": pair, "left": texts[pairs[pair][0]], "right": texts[pairs[pair][1]]}
                for pair in sorted(pairs, key=int)
            ],
        }

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """Choices and reasons for pairs that there are."""
        pairs = piece.task.spec["pairs"]
        for key, value in changes.items():
            match key.split("/"):
                case ["choice", pair] if pair in pairs:
                    if value is not None and value not in CHOICES:
                        raise RefusedError(f"{value!r} is no choice: left, right or tie")
                case ["reason", pair] if pair in pairs:
                    check_text(value, "a reason", LONGEST_REASON)
                case ["done"]:
                    pass
                case _:
                    raise RefusedError(f"this work has no field {key!r}")
        check_done(state, changes, [f"choice/{pair}" for pair in pairs], "pair")

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:
        """A preference for each choice."""
        when = given(events)
        return [
            Preference(
                topic=piece.task.topic,
                a=left,
                b=right,
                choice=CHOICES[state[f"choice/{pair}"]],
                assessor=piece.person,
                reason=state.get(f"reason/{pair}", ""),
                **when.get(f"choice/{pair}", {}),
            )
            for pair, (left, right) in piece.task.spec["pairs"].items()
            if f"choice/{pair}" in state
        ]

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """Its person's preferences between these pairs, whichever came first."""
        return (
            isinstance(noun, Preference)
            and noun.topic == piece.task.topic
            and noun.assessor == piece.person
            and {noun.a, noun.b} in [set(pair) for pair in piece.task.spec["pairs"].values()]
        )

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Pairs with a choice."""
        return sum(key.startswith("choice/") for key in state), len(piece.task.spec["pairs"])

    def opening(self, piece: Piece) -> State:
        """The choices that the campaign already has."""
        found: State = {}
        places = {"a": "left", "b": "right", "tie": "tie"}
        turned = {"left": "right", "right": "left", "tie": "tie"}
        for one in piece.campaign.topic(piece.task.topic).preferences:
            if not self.owns(piece, one):
                continue
            for pair, (left, right) in piece.task.spec["pairs"].items():
                if {one.a, one.b} == {left, right}:
                    place = places[one.choice]
                    found[f"choice/{pair}"] = place if one.a == left else turned[place]
                    if one.reason:
                        found[f"reason/{pair}"] = one.reason
        return found
