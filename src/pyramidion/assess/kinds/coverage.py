"""Coverage (SEE): how much of each unit of a model a peer expresses, and in which sentences (paper 002, §2.2).

State: `unit/NUMBER` {percent: 0, 20 … 100, or null while it is open; sentences: numbers of the peer's sentences},
`done` true. Units and sentences are counted from 1.
Spec: `summaries` {handle: summarizer} (one), `models` {handle: summarizer} (one), `units` clauses or sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import Piece, RefusedError
from pyramidion.assess.kinds.common import check_done, request_of
from pyramidion.assess.kinds.spans import check_fields
from pyramidion.assess.store.work import Changes, Event, State, changed
from pyramidion.campaign.nouns import Coverage, CoverageUnit, Noun, plain
from pyramidion.text.clauses import clause_spans
from pyramidion.text.sentences import sentence_spans

UNIT = "unit/"
PERCENTS = (0, 20, 40, 60, 80, 100)

Spans = list[tuple[int, int]]


class CoverageWork:
    """How much of one model one peer covers."""

    name = "coverage"
    title = "How much of a model a summary covers"

    def material(self, piece: Piece) -> Mapping[str, Any]:
        """The units of the model and the sentences of the peer."""
        return {
            "request": request_of(piece),
            "model": {"text": model_text(piece), "units": units_of(piece)},
            "peer": {"text": peer_text(piece), "sentences": sentence_spans(peer_text(piece))},
            "percents": PERCENTS,
        }

    def check(self, piece: Piece, state: State, changes: Changes) -> None:
        """A share for each unit, and sentences that express some of it."""
        units, sentences = len(units_of(piece)), len(sentence_spans(peer_text(piece)))
        for key, value in changes.items():
            if key.startswith(UNIT):
                number = key.removeprefix(UNIT)
                if number not in {str(one) for one in range(1, units + 1)}:
                    raise RefusedError(f"the model has {units} units, none with the number {number!r}")
                check_unit(number, value, sentences)
            elif key != "done":
                raise RefusedError(f"this work has no field {key!r}")
        after = changed(state, changes)
        decided = {f"{UNIT}{number}": True for number, unit in decisions(after).items() if unit["percent"] is not None}
        needed = [f"{UNIT}{number}" for number in range(1, units + 1)]
        check_done({**decided, "done": state.get("done")}, _only_done(changes), needed, "unit")

    def nouns(self, piece: Piece, state: State, events: Iterable[Event]) -> list[Noun]:  # noqa: ARG002  # as every kind is asked
        """The coverage, once every unit has its share: the score is a mean over all units."""
        given, units = decisions(state), units_of(piece)
        if any(given.get(number, {}).get("percent") is None for number in range(1, len(units) + 1)):
            return []
        (summarizer,), (model,) = piece.task.spec["summaries"].values(), piece.task.spec["models"].values()
        sentences = sentence_spans(peer_text(piece))
        return [
            Coverage(
                topic=piece.task.topic,
                summarizer=summarizer,
                model=model,
                assessor=piece.person,
                units=tuple(
                    CoverageUnit(
                        unit=unit,
                        percent=given[number]["percent"],
                        peer_units=tuple(sentences[one - 1] for one in given[number]["sentences"]),
                    )
                    for number, unit in enumerate(units, start=1)
                ),
            )
        ]

    def owns(self, piece: Piece, noun: Noun) -> bool:
        """Its person's coverage of this model by this peer."""
        return (
            isinstance(noun, Coverage)
            and noun.topic == piece.task.topic
            and noun.assessor == piece.person
            and noun.summarizer in piece.task.spec["summaries"].values()
            and noun.model in piece.task.spec["models"].values()
        )

    def progress(self, piece: Piece, state: State) -> tuple[int, int]:
        """Units that have a share."""
        return sum(unit["percent"] is not None for unit in decisions(state).values()), len(units_of(piece))

    def opening(self, piece: Piece) -> State:
        """The coverage that the campaign already has, if its units and sentences are these."""
        own = next((noun for noun in piece.campaign.topic(piece.task.topic).coverage if self.owns(piece, noun)), None)
        sentences = sentence_spans(peer_text(piece))
        if own is None or [unit.unit for unit in own.units] != units_of(piece):
            return {}
        if any(span not in sentences for unit in own.units for span in unit.peer_units):
            return {}
        return {
            f"{UNIT}{number}": {
                "percent": unit.percent,
                "sentences": sorted(sentences.index(span) + 1 for span in unit.peer_units),
            }
            for number, unit in enumerate(own.units, start=1)
        }


def model_text(piece: Piece) -> str:
    """The one model of the task."""
    (handle,) = piece.task.spec["models"]
    return plain(piece.summary(handle, "models").text)


def peer_text(piece: Piece) -> str:
    """The one peer of the task."""
    (handle,) = piece.task.spec["summaries"]
    return plain(piece.summary(handle).text)


def units_of(piece: Piece) -> Spans:
    """The units of the model: clauses, or sentences."""
    split = sentence_spans if piece.task.spec.get("units") == "sentences" else clause_spans
    return split(model_text(piece))


def decisions(state: State) -> dict[int, Any]:
    """What was said of each unit, by number."""
    return {int(key.removeprefix(UNIT)): value for key, value in state.items() if key.startswith(UNIT)}


def check_unit(number: str, value: Any, sentences: int) -> None:
    """Refuse a share that is not on the scale, and sentences that do not go with it."""
    if value is None:
        return
    what = f"unit {number}"
    check_fields(value, {"percent": (int, type(None)), "sentences": list}, what)
    percent, marked = value.get("percent"), value.get("sentences")
    if percent is not None and (isinstance(percent, bool) or percent not in PERCENTS):
        raise RefusedError(f"{what}: {percent} % is not on the scale; choose {', '.join(map(str, PERCENTS))}")
    if marked is None or not all(type(one) is int and 1 <= one <= sentences for one in marked):
        raise RefusedError(f"{what}: sentences are numbers from 1 to {sentences}")
    if sorted(set(marked)) != marked:
        raise RefusedError(f"{what}: name each sentence once, in order")
    if percent and not marked:
        raise RefusedError(f"{what}: mark the sentences that express some of it")
    if percent == 0 and marked:
        raise RefusedError(f"{what}: sentences are marked, so some of it is expressed")


def _only_done(changes: Changes) -> Changes:
    return {key: value for key, value in changes.items() if key == "done"}
