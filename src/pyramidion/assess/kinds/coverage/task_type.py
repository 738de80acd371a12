"""Coverage (SEE): how much of each unit of a model a peer expresses, and in which sentences (paper 002, §2.2).

State: `unit/NUMBER` {percent: 0, 20 … 100, or null while it is open; sentences: numbers of the peer's sentences},
`done` true. Units and sentences are counted from 1.
Spec: `summaries` {handle: summarizer} (one), `models` {handle: summarizer} (one), `units` clauses or sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.common import check_answered, request_of
from pyramidion.assess.kinds.spans import check_fields
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.nouns import Coverage, CoverageUnit, Noun
from pyramidion.text.clauses import clause_spans
from pyramidion.text.sentences import sentence_spans

UNIT = "unit/"
PERCENTS = (0, 20, 40, 60, 80, 100)

Spans = list[tuple[int, int]]


class CoverageWork(TaskType[Coverage]):
    """How much of one model one peer covers."""

    name = "coverage"
    title = "How much of a model a summary covers"
    noun_type = Coverage

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The units of the model and the sentences of the peer."""
        return {
            "request": request_of(context),
            "model": {"text": model_text(context), "units": units_of(context)},
            "peer": {"text": context.peer, "sentences": sentence_spans(context.peer)},
            "percents": PERCENTS,
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """A share for each unit, and sentences that express some of it."""
        if not key.startswith(UNIT):
            super().check_field(context, state, key, value)
        number, units = key.removeprefix(UNIT), len(units_of(context))
        if number not in map(str, range(1, units + 1)):
            raise RefusedError(f"the model has {units} units, none with the number {number!r}")
        check_unit(number, value, len(sentence_spans(context.peer)))

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Every unit has a share."""
        check_answered(undecided(context, state), "unit")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:  # noqa: ARG002  # as every kind is asked
        """The coverage, once every unit has its share: the score is a mean over all units."""
        if undecided(context, state):
            return []
        given, sentences = decisions(state), sentence_spans(context.peer)
        (summarizer,), (model,) = context.spec["summaries"].values(), context.spec["models"].values()
        return [
            Coverage(
                topic=context.task.topic,
                summarizer=summarizer,
                model=model,
                assessor=context.person,
                units=tuple(
                    CoverageUnit(
                        unit=unit,
                        percent=given[number]["percent"],
                        peer_units=tuple(sentences[one - 1] for one in given[number]["sentences"]),
                    )
                    for number, unit in enumerate(units_of(context), start=1)
                ),
            )
        ]

    def is_task_row(self, context: TaskContext, row: Coverage) -> bool:
        """Its person's coverage of this model by this peer."""
        own_model = row.model in context.spec["models"].values()
        return own_model and row.assessor == context.person and context.is_about(row.summarizer)

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Units that have a share."""
        units = len(units_of(context))
        return units - len(undecided(context, state)), units

    def initial_state(self, context: TaskContext) -> State:
        """The coverage that the campaign already has, if its units and sentences are these."""
        own = next(iter(self.own(context)), None)
        sentences = sentence_spans(context.peer)
        if own is None or [unit.unit for unit in own.units] != units_of(context):
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


def model_text(context: TaskContext) -> str:
    """The one model of the task."""
    (text,) = context.models.values()
    return text


def units_of(context: TaskContext) -> Spans:
    """The units of the model: clauses, or sentences."""
    split = sentence_spans if context.spec.get("units") == "sentences" else clause_spans
    return split(model_text(context))


def decisions(state: State) -> dict[int, Any]:
    """What was said of each unit, by number."""
    return {int(key.removeprefix(UNIT)): value for key, value in state.items() if key.startswith(UNIT)}


def undecided(context: TaskContext, state: State) -> list[int]:
    """The numbers of units that have no share yet."""
    given = decisions(state)
    return [one for one in range(1, len(units_of(context)) + 1) if given.get(one, {}).get("percent") is None]


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
