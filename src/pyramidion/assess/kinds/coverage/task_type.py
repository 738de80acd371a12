"""The task of marking coverage: how much of one model one peer covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any, ClassVar

from pyramidion.assess.kinds.assignment import (
    Assignment,
    ListChoice,
    PlanChoice,
    PlanSettings,
    Spec,
    TopicFacts,
    shuffle,
)
from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType, WorkPage
from pyramidion.assess.kinds.common import check_answered, pick_fields, request_of, shown_text
from pyramidion.assess.kinds.spans import check_fields
from pyramidion.assess.store.work import Event, State
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Coverage, CoverageUnit, Noun
from pyramidion.text.clauses import clause_spans
from pyramidion.text.sentences import sentence_spans

UNIT = "unit/"
KEPT_MODELS = 2_000
"""Models whose units a process keeps in memory: DUC 2006 has 200."""
PERCENTS = (0, 20, 40, 60, 80, 100)
UNITS = ListChoice(name="units", label="Coverage: units of a model", default="clauses", values=("clauses", "sentences"))

Spans = list[tuple[int, int]]


class CoverageWork(TaskType[Coverage]):
    """How much of one model one peer covers."""

    name = "coverage"
    title = "Coverage"
    noun_type = Coverage
    page: ClassVar[WorkPage | None] = WorkPage("kinds/coverage/page.js")
    plan_choices: ClassVar[tuple[PlanChoice[Any], ...]] = (UNITS,)

    def material(self, context: TaskContext) -> Mapping[str, Any]:
        """The units of the model and the sentences of the peer."""
        return {
            "request": request_of(context),
            "model": {"text": model_text(context), "units": units_of(context)},
            "peer": {
                **shown_text(context.whole_peer, context.word_limit),
                "sentences": judged_sentences(context),
            },
            "limit": context.word_limit,
            "percents": PERCENTS,
        }

    def check_field(self, context: TaskContext, state: State, key: str, value: Any) -> None:
        """A share for each unit, and sentences that express some of it."""
        if not key.startswith(UNIT):
            super().check_field(context, state, key, value)
        number = key.removeprefix(UNIT)
        units = len(units_of(context))
        if number not in map(str, range(1, units + 1)):
            raise RefusedError(f"the model has {units} units, none with the number {number!r}")
        check_unit(number, value, len(judged_sentences(context)))

    def check_complete(self, context: TaskContext, state: State) -> None:
        """Every unit has a share."""
        check_answered(undecided_units(context, state), "unit")

    def nouns(self, context: TaskContext, state: State, events: Iterable[Event]) -> list[Noun]:
        """The coverage, once every unit has its share: the score is a mean over all units."""
        if undecided_units(context, state):
            return []
        decisions = decisions_in(state)
        sentences = all_sentences(context)
        units = []
        for number, span in enumerate(units_of(context), start=1):
            marked = tuple(sentences[sentence - 1] for sentence in decisions[number]["sentences"])
            units.append(CoverageUnit(unit=span, percent=decisions[number]["percent"], peer_units=marked))
        (summarizer,) = context.spec["summaries"].values()
        (model,) = context.spec["models"].values()
        return [
            Coverage(
                topic=context.task.topic,
                summarizer=summarizer,
                model=model,
                assessor=context.person,
                units=tuple(units),
            )
        ]

    def is_task_row(self, context: TaskContext, row: Coverage) -> bool:
        """Whether a row is its person's coverage of this model by this peer."""
        if row.model not in context.spec["models"].values():
            return False
        return row.assessor == context.person and context.is_about(row.summarizer)

    def counted_in(self, spec: Spec) -> str:
        """Units of the model."""
        return "units"

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """Units that have a share."""
        units = len(units_of(context))
        return units - len(undecided_units(context, state)), units

    def initial_state(self, context: TaskContext) -> State:
        """The coverage that the campaign already has, if its units and sentences are these."""
        rows = self.task_rows(context)
        if not rows:
            return {}
        units = rows[0].units
        sentences = all_sentences(context)
        # The splitter or the text may have changed since.
        if [unit.unit for unit in units] != units_of(context):
            return {}
        if not all(set(unit.peer_units) <= set(sentences) for unit in units):
            return {}
        state: State = {}
        for number, unit in enumerate(units, start=1):
            marked = sorted(sentences.index(span) + 1 for span in unit.peer_units)
            state[f"{UNIT}{number}"] = {"percent": unit.percent, "sentences": marked}
        return state

    def specs(
        self, assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanSettings
    ) -> Iterator[Spec]:
        """A task for each summary, with one model by someone else, drawn for everybody alike."""
        seed, topic = options.seed, assignment.topic
        for summarizer in shuffle(assignment.summarizers, seed, assignment.person, topic, "coverage"):
            models = [model for model in facts.models if model != summarizer]
            if models:
                # Without the person's name: two assessors of a summary compare it with the same model.
                model = Random(f"{seed}/{topic}/{summarizer}/model").choice(models)
                yield {"summaries": {"1": summarizer}, "models": {"1": model}, "units": UNITS.value_in(options)}

    def export_tables(self, campaign: Campaign) -> Mapping[str, Iterable[Mapping[str, Any]]]:
        """The coverage, unit by unit."""
        return {"coverage.csv": _coverage_rows(campaign)}


def model_text(context: TaskContext) -> str:
    """The one model of the task."""
    (text,) = context.models.values()
    return text


def units_of(context: TaskContext) -> Spans:
    """The units of the model: clauses, or sentences."""
    return list(_split_model(model_text(context), str(context.spec.get("units"))))


@lru_cache(maxsize=KEPT_MODELS)
def _split_model(text: str, units: str) -> tuple[tuple[int, int], ...]:
    """The units of a text; kept, because every summary of a topic is compared with one of a few models."""
    if units == "sentences":
        return tuple(sentence_spans(text))
    return tuple(clause_spans(text))


def all_sentences(context: TaskContext) -> Spans:
    """The sentences of the whole peer; the one that the limit in words cuts ends there."""
    end = len(context.peer)
    spans = []
    for start, stop in sentence_spans(context.whole_peer):
        # What lies beyond the limit keeps its number: a coverage that was imported may name it.
        spans.append((start, min(stop, end)) if start < end else (start, stop))
    return spans


def judged_sentences(context: TaskContext) -> Spans:
    """The sentences of the peer up to the limit in words."""
    end = len(context.peer)
    return [(start, stop) for start, stop in all_sentences(context) if start < end]


def decisions_in(state: State) -> dict[int, Any]:
    """What was said of each unit, by number."""
    return {int(key.removeprefix(UNIT)): value for key, value in state.items() if key.startswith(UNIT)}


def undecided_units(context: TaskContext, state: State) -> list[int]:
    """The numbers of units that have no share yet."""
    decisions = decisions_in(state)
    numbers = range(1, len(units_of(context)) + 1)
    return [number for number in numbers if decisions.get(number, {}).get("percent") is None]


def check_unit(number: str, value: Any, sentences: int) -> None:
    """Refuse a share that is not on the scale, and sentences that do not go with it."""
    if value is None:
        return
    what = f"unit {number}"
    check_fields(value, {"percent": (int, type(None)), "sentences": list}, what)
    percent = value.get("percent")
    marked = value.get("sentences")
    # True and False are numbers to Python, and would be 1 % and 0 %.
    if isinstance(percent, bool) or percent not in (*PERCENTS, None):
        raise RefusedError(f"{what}: {percent} % is not on the scale; choose {', '.join(map(str, PERCENTS))}")
    numbers = range(1, sentences + 1)
    if marked is None or not all(type(sentence) is int and sentence in numbers for sentence in marked):
        raise RefusedError(f"{what}: sentences are numbers from 1 to {sentences}")
    if sorted(set(marked)) != marked:
        raise RefusedError(f"{what}: name each sentence once, in order")
    if percent and not marked:
        raise RefusedError(f"{what}: mark the sentences that express some of it")
    if percent == 0 and marked:
        raise RefusedError(f"{what}: sentences are marked, so some of it is expressed")


def _coverage_rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each unit of a model that an assessor compared with a peer."""
    keys = pick_fields(campaign.coverage, ("topic", "summarizer", "model", "assessor"))
    for key, coverage in zip(keys, campaign.coverage, strict=True):
        for unit in coverage.units:
            yield {**key, "start": unit.unit[0], "end": unit.unit[1], "percent": unit.percent}


TASK_TYPE = CoverageWork()
