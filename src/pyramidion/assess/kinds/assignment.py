"""Assignments: who does which kind of work on which topic, drawn by seed (one assessor, crossed, or a share twice).

Pure functions of names: nothing here knows the database, nor which kinds of work there are.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, cast, get_args

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError

Design: TypeAlias = Literal["one", "crossed", "twice"]
DESIGNS: tuple[Design, ...] = get_args(Design)
Spec: TypeAlias = Mapping[str, Any]
"""What a task is about, as JSON: summaries and models by handle, and the options of its kind."""
ValueT = TypeVar("ValueT", int, bool, str)

_NEVER = 1e6
_NOT_A_WRITER = 1e3
_NOT_THE_DEVELOPER = 1.0
_LATER_SLOT = 1e-3


@dataclass(frozen=True, kw_only=True)
class PlanSettings:
    """What the organiser chooses before a plan is drawn."""

    kinds: tuple[str, ...] = ("form",)
    design: Design = "one"
    assessors: int = 2
    """Assessors for each summary of a crossed design."""
    share: float = 0.1
    """The share of the summaries that a second assessor judges, when a share is judged twice."""
    runs_of_a_team: int = 0
    """How many summarizers of each organisation are judged, in the order of campaign.toml; 0: all of them."""
    left_out: tuple[str, ...] = ()
    """Summarizers that are not judged."""
    humans: bool = True
    """Whether human summaries are in the pool."""
    seed: int = 0
    choices: Mapping[str, int | bool | str] = field(default_factory=dict)
    """What single kinds of work let the organiser choose (their `plan_choices`), by name."""

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise UsageError(f"design {self.design!r}: choose {', '.join(DESIGNS)}")
        if not self.kinds:
            raise UsageError("choose at least one kind of work")
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share of {self.share:g}: give a number between 0 and 1")
        require_positive("assessors", self.assessors)


@dataclass(frozen=True, kw_only=True)
class PlanChoice(ABC, Generic[ValueT]):
    """A field of the plan page that belongs to one kind of work."""

    name: str
    label: str
    default: ValueT
    input_type: ClassVar[Literal["number", "checkbox", "select"]]

    def value_in(self, options: PlanSettings) -> ValueT:
        """What was chosen, or the default."""
        return cast(ValueT, options.choices.get(self.name, self.default))

    @abstractmethod
    def parse(self, text: str | None) -> ValueT:
        """The value that a form holds; None: the form does not have the field.

        Raises:
            UsageError: if it is not a value of this choice.
        """


@dataclass(frozen=True, kw_only=True)
class NumberChoice(PlanChoice[int]):
    """A whole number of 1 or more; the page offers numbers up to the highest."""

    highest: int
    input_type: ClassVar[Literal["number", "checkbox", "select"]] = "number"

    def parse(self, text: str | None) -> int:
        """The number, checked."""
        number = int(parse_number(self.name, text, int))
        require_positive(self.name, number)
        return number


@dataclass(frozen=True, kw_only=True)
class YesNoChoice(PlanChoice[bool]):
    """A box to tick."""

    input_type: ClassVar[Literal["number", "checkbox", "select"]] = "checkbox"

    def parse(self, text: str | None) -> bool:
        """Whether the box is ticked: forms leave out boxes that are not."""
        return text is not None


@dataclass(frozen=True, kw_only=True)
class ListChoice(PlanChoice[str]):
    """One of several values."""

    values: tuple[str, ...]
    input_type: ClassVar[Literal["number", "checkbox", "select"]] = "select"

    def parse(self, text: str | None) -> str:
        """The value, checked."""
        value = self.default if text is None else text
        if value not in self.values:
            raise UsageError(f"{self.name} {value!r}: choose {', '.join(self.values)}")
        return value


def parse_number(name: str, text: str | None, number_type: type[int] | type[float]) -> float:
    """A number that a form holds.

    Raises:
        UsageError: if it is none.
    """
    try:
        return number_type(text or "")
    except ValueError:
        expected = "a whole number" if number_type is int else "a number"
        raise UsageError(f"{name.replace('_', ' ')}: {text!r} is not {expected}") from None


def require_positive(name: str, number: int) -> None:
    """Refuse a number below 1."""
    if number < 1:
        raise UsageError(f"{name}: {number}; give 1 or more")


@dataclass(frozen=True, kw_only=True)
class TopicFacts:
    """What a plan must know about a topic."""

    topic: str
    summarizers: tuple[str, ...] = ()
    """Whose summaries are judged."""
    models: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()
    """People who wrote its models; one of them judges it."""
    developer: str = ""


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """What one person does on one topic."""

    kind: str
    topic: str
    person: str
    summarizers: tuple[str, ...] = ()
    """Those whose summaries are judged, in the order of the campaign."""
    second: bool = False
    """Whether it repeats what another person judges."""


def shuffle(names: Sequence[str], *seed: object) -> list[str]:
    """The names in an order that depends on the seed alone: by assessor, topic and pass."""
    order = sorted(names)
    Random("/".join(map(str, seed))).shuffle(order)
    return order


def number_handles(names: Sequence[str]) -> dict[str, str]:
    """Names by handle, "1", "2", …: what a spec holds, so that pages never tell the names."""
    return {str(number): name for number, name in enumerate(names, start=1)}


def draw_writers(
    topics: Sequence[TopicFacts],
    people: Sequence[str],
    options: PlanSettings,
    writers: int,
    earlier: Mapping[str, int] | None = None,
) -> list[Assignment]:
    """Writers of models for each topic, so that it has this many; the organiser's own choice of writers comes first.

    `earlier`: topics that people write about already, by person.
    """
    rng = Random(f"{options.seed}/write")
    missing = {topic.topic: max(0, writers - len(set(topic.models))) for topic in topics}
    taken = {topic.topic: set(topic.models) & set(people) for topic in topics}
    assignments: list[Assignment] = []
    for number in range(max(missing.values(), default=0)):
        open_topics = [topic for topic in topics if missing[topic.topic] > number]
        loads = _count_loads(assignments, earlier)
        chosen = choose(open_topics, people, rng, taken=taken, loads=loads, writers_only=True)
        for topic, person in zip(open_topics, chosen, strict=True):
            taken[topic.topic].add(person)
            assignments.append(Assignment(kind="write", topic=topic.topic, person=person))
    return assignments


def draw_judges(
    kind: str,
    topics: Sequence[TopicFacts],
    people: Sequence[str],
    options: PlanSettings,
    *,
    of_models: bool,
    earlier: Mapping[str, int] | None = None,
) -> list[Assignment]:
    """Judges for each topic, as the design says: of its summaries or, with `of_models`, of its models as a whole.

    `earlier`: topics that people have already, by person, so that the load is balanced with these.
    """
    rng = Random(f"{options.seed}/{kind}")
    rounds = {"one": 1, "crossed": options.assessors, "twice": 2}[options.design]
    taken: dict[str, set[str]] = {topic.topic: set() for topic in topics}
    assignments: list[Assignment] = []
    open_topics = [topic for topic in topics if (topic.models if of_models else topic.summarizers)]
    for number in range(rounds):
        judged = {topic.topic: topic.summarizers for topic in open_topics}
        if options.design == "twice" and number:
            judged = {topic.topic: _draw_share(topic.summarizers, options.share, rng) for topic in open_topics}
            open_topics = [topic for topic in open_topics if judged[topic.topic]]
        loads = _count_loads(assignments, earlier)
        chosen = choose(open_topics, people, rng, taken=taken, loads=loads, writers_only=number == 0)
        for topic, person in zip(open_topics, chosen, strict=True):
            taken[topic.topic].add(person)
            assignments.append(
                Assignment(
                    kind=kind,
                    topic=topic.topic,
                    person=person,
                    summarizers=() if of_models else judged[topic.topic],
                    second=number > 0,
                )
            )
    return assignments


def _count_loads(assignments: Sequence[Assignment], earlier: Mapping[str, int] | None) -> Counter[str]:
    """How many topics each person has, with those of earlier plans."""
    loads = Counter(earlier or {})
    loads.update(assignment.person for assignment in assignments)
    return loads


def _draw_share(summarizers: Sequence[str], share: float, rng: Random) -> tuple[str, ...]:
    """A drawn share; what is left of a whole number decides by chance, so that the total comes out right."""
    number = min(len(summarizers), math.floor(share * len(summarizers) + rng.random()))
    drawn = set(rng.sample(range(len(summarizers)), number))
    return tuple(summarizer for place, summarizer in enumerate(summarizers) if place in drawn)


def choose(
    topics: Sequence[TopicFacts],
    people: Sequence[str],
    rng: Random,
    *,
    taken: Mapping[str, Collection[str]],
    loads: Mapping[str, int],
    writers_only: bool = False,
) -> list[str]:
    """One more person for each topic: nobody twice, a writer of the topic if there are any, then its developer.

    Nobody gets more than an equal share of all work so far, unless being a writer leaves no other way.
    (An assignment problem, solved exactly; ties are broken by chance.)

    Args:
        topics: those that need a person.
        people: who can be chosen.
        rng: breaks ties.
        taken: by topic, people who have the work already.
        loads: by person, how much they have already.
        writers_only: whether writers of a topic are to be preferred.

    Raises:
        UsageError: if there are too few people.
    """
    if not topics:
        return []
    # Sorted first: who was invited first must not matter to what a seed draws.
    order = sorted(people)
    rng.shuffle(order)
    costs = np.array([[_cost(topic, person, taken, writers_only) for person in order] for topic in topics])
    # Less than any difference that matters, so it only breaks ties.
    costs += np.array([[rng.random() * _LATER_SLOT / 10 for _ in order] for _ in topics])
    least_cost = float(costs.min(axis=1).sum() // _NOT_A_WRITER)
    best_cost = _NEVER
    best: list[str] = []
    total_load = sum(loads.values()) + len(topics)
    # First with an equal share for everybody; then, while that costs someone who is no writer, with larger shares.
    for capacity in range(math.ceil(total_load / len(order)), total_load + 1):
        free = [max(0, capacity - loads.get(person, 0)) for person in order]
        if sum(free) < len(topics):
            continue
        columns = _solve_assignment(costs, free, [loads.get(person, 0) for person in order])
        cost = float(costs[range(len(topics)), columns].sum()) // _NOT_A_WRITER
        if not best or cost < best_cost:
            best = [order[column] for column in columns]
            best_cost = cost
        if best_cost <= least_cost:
            break
    if best_cost >= _NEVER // _NOT_A_WRITER:
        raise UsageError(f"{len(order)} people are too few: nobody can do the same work on a topic twice")
    return best


def _solve_assignment(costs: Floats, free: Sequence[int], loads: Sequence[int]) -> list[int]:
    """The person of each topic, as a column of the costs, with the least total cost.

    Args:
        costs: topics × people.
        free: how many topics each person can get.
        loads: how much each person has already; a person's later slots cost a little more, which balances loads.
    """
    from scipy.optimize import linear_sum_assignment  # takes a third of a second to import

    slots: list[int] = []
    heights: list[float] = []
    for column, number in enumerate(free):
        for depth in range(1, number + 1):
            slots.append(column)
            heights.append(_LATER_SLOT * (loads[column] + depth))
    _, chosen = linear_sum_assignment(costs[:, slots] + np.array(heights))
    return [slots[slot] for slot in chosen]


def _cost(topic: TopicFacts, person: str, taken: Mapping[str, Collection[str]], writers_only: bool) -> float:
    if person in taken.get(topic.topic, ()):
        return _NEVER
    cost = 0.0 if person == topic.developer else _NOT_THE_DEVELOPER
    if writers_only and person not in topic.writers:
        cost += _NOT_A_WRITER
    return cost


def choose_successor(
    topic: TopicFacts, people: Sequence[str], taken: Collection[str], loads: Mapping[str, int], rng: Random
) -> str:
    """Who takes over work on a topic: a writer of the topic if there are any, then the least loaded.

    Raises:
        UsageError: if everyone has done the work already.
    """
    candidates = [person for person in sorted(people) if person not in taken]
    if not candidates:
        raise UsageError(f"topic {topic.topic}: everyone else has done this work already, so nobody can take it over")
    rng.shuffle(candidates)
    writers = [person for person in candidates if person in topic.writers]
    return min(writers or candidates, key=lambda person: loads.get(person, 0))
