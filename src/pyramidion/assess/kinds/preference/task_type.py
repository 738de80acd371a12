"""Preferences: two summaries of a topic side by side, and which is better.

State: `choice/PAIR` left, right or tie, `reason/PAIR` a text, `done` true.
Spec: `pairs` {pair: [summarizer on the left, summarizer on the right]}; who stands where was drawn with the pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import Kind, Piece, RefusedError
from pyramidion.assess.kinds.common import check_answered, check_text, given, request_of, shown_text
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.nouns import Noun, Preference

LONGEST_REASON = 5_000
CHOICES: dict[Any, Any] = {"left": "a", "right": "b", "tie": "tie"}


class Preferences(Kind[Preference]):
    """Pairs of summaries."""

    name = "preference"
    title = "Which summary is better?"
    makes = Preference

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The request and the texts of each pair, cut at the campaign's limit."""
        texts = {one.summarizer: shown_text(one.text, piece.campaign.word_limit) for one in piece.data.peers}
        pairs = piece.spec["pairs"]
        return {
            "request": request_of(piece),
            "limit": piece.campaign.word_limit,
            "pairs": [
                {"pair": pair, "left": texts[pairs[pair][0]], "right": texts[pairs[pair][1]]}
                for pair in sorted(pairs, key=int)
            ],
        }

    def check_field(self, piece: Piece, state: State, key: str, value: Any) -> None:
        """Choices and reasons for pairs that there are."""
        match key.split("/"):
            case ["choice", pair] if pair in piece.spec["pairs"]:
                if value is not None and value not in CHOICES:
                    raise RefusedError(f"{value!r} is no choice: left, right or tie")
            case ["reason", pair] if pair in piece.spec["pairs"]:
                check_text(value, "a reason", LONGEST_REASON)
            case _:
                super().check_field(piece, state, key, value)

    def check_complete(self, piece: Piece, state: State) -> None:
        """Every pair has a choice."""
        check_answered({f"choice/{pair}" for pair in piece.spec["pairs"]} - state.keys(), "pair")

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
            for pair, (left, right) in piece.spec["pairs"].items()
            if f"choice/{pair}" in state
        ]

    def is_own(self, piece: Piece, row: Preference) -> bool:
        """Its person's preferences between these pairs, whichever came first."""
        return row.assessor == piece.person and {row.a, row.b} in map(set, piece.spec["pairs"].values())

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Pairs with a choice."""
        return sum(key.startswith("choice/") for key in state), len(piece.spec["pairs"])

    def opening(self, piece: Piece) -> State:
        """The choices that the campaign already has."""
        found: State = {}
        places = {"a": "left", "b": "right", "tie": "tie"}
        turned = {"left": "right", "right": "left", "tie": "tie"}
        for one in self.own(piece):
            for pair, (left, right) in piece.spec["pairs"].items():
                if {one.a, one.b} == {left, right}:
                    place = places[one.choice]
                    found[f"choice/{pair}"] = place if one.a == left else turned[place]
                    if one.reason:
                        found[f"reason/{pair}"] = one.reason
        return found
