"""Drawing a plan: who does which kind of work on which topic (one assessor, crossed, or a share twice)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, TypeAlias, get_args

import numpy as np

from pyramidion.campaign.campaign import Campaign
from pyramidion.errors import UsageError

Design: TypeAlias = Literal["one", "crossed", "twice"]
DESIGNS: tuple[Design, ...] = get_args(Design)
Units: TypeAlias = Literal["clauses", "sentences"]
UNITS: tuple[Units, ...] = get_args(Units)
KINDS = ("write", "pyramid", "peer", "coverage", "form", "preference")
"""Kinds of work that a plan gives out, in the order in which a campaign does them."""

DEVELOPER = "developer"
WRITERS = "writers"
"""Attributes of a topic that name its developer, and its writers separated by commas."""

_NEVER = 1e6
_NOT_A_WRITER = 1e3
_NOT_THE_DEVELOPER = 1.0
_LATER_SLOT = 1e-3


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """What the organiser chooses before a plan is drawn."""

    kinds: tuple[str, ...] = ("form",)
    design: Design = "one"
    assessors: int = 2
    """Assessors for each summary of a crossed design."""
    share: float = 0.1
    """The share of the summaries that a second assessor judges, when a share is judged twice."""
    writers: int = 4
    """Writers of models for each topic."""
    pairs: int = 20
    """Pairs of summaries for each topic."""
    informative: bool = False
    """Draw pairs where they tell most, not evenly."""
    runs_of_a_team: int = 0
    """How many summarizers of each organisation are judged, in the order of campaign.toml; 0: all of them."""
    left_out: tuple[str, ...] = ()
    """Summarizers that are not judged."""
    light: bool = False
    """Peers are annotated without marking words."""
    non_matching: bool = True
    """Content of peers that matches no SCU is marked (as in 2005) or not (2006)."""
    units: Units = "clauses"
    """What coverage is marked for: the clauses of a model, or its sentences."""
    humans: bool = True
    """Whether human summaries are in the pool."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise UsageError(f"design {self.design!r}: choose {', '.join(DESIGNS)}")
        if self.units not in UNITS:
            raise UsageError(f"units {self.units!r}: choose {', '.join(UNITS)}")
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise UsageError(f"there is no kind of work {unknown[0]!r}: choose from {', '.join(KINDS)}")
        if not self.kinds:
            raise UsageError("choose at least one kind of work")
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share of {self.share:g}: give a number between 0 and 1")
        for name, value in (("assessors", self.assessors), ("writers", self.writers), ("pairs", self.pairs)):
            if value < 1:
                raise UsageError(f"{name}: {value}; give 1 or more")


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


def topics_of(campaign: Campaign, options: PlanOptions) -> list[TopicFacts]:
    """The facts about each topic of a campaign; the developer and writers are attributes or writers of models."""
    judged = set(judged_summarizers(campaign, options))
    found = []
    for data in campaign.each_topic(peers="all"):
        models = tuple(model.summarizer for model in data.models)
        named = str(data.topic.attributes.get(WRITERS, "")).split(",")
        found.append(
            TopicFacts(
                topic=data.topic.topic,
                summarizers=tuple(dict.fromkeys(one.summarizer for one in data.peers if one.summarizer in judged)),
                models=models,
                writers=tuple(dict.fromkeys([*(name.strip() for name in named if name.strip()), *models])),
                developer=str(data.topic.attributes.get(DEVELOPER, "")),
            )
        )
    return found


def judged_summarizers(campaign: Campaign, options: PlanOptions) -> list[str]:
    """The summarizers whose summaries are judged at all."""
    kept, runs = [], Counter[str]()
    for id in campaign.summarizer_ids:
        human = campaign.kind_of(id) == "human"
        if id in options.left_out or (human and not options.humans):
            continue
        declared = campaign.summarizers.get(id)
        team = declared.organisation if declared and not human else ""
        runs[team] += bool(team)
        if not (team and options.runs_of_a_team and runs[team] > options.runs_of_a_team):
            kept.append(id)
    return kept


def draw(topics: Sequence[TopicFacts], people: Sequence[str], options: PlanOptions) -> list[Assignment]:
    """A plan: the same topics, people and options always give the same one.

    Raises:
        UsageError: if there are too few people.
    """
    if not people:
        raise UsageError("there is nobody to give work to: invite assessors first")
    plan: list[Assignment] = []
    for kind in (kind for kind in KINDS if kind in options.kinds):
        plan += _writing(topics, people, options) if kind == "write" else _judging(kind, topics, people, options)
    return plan


def _writing(topics: Sequence[TopicFacts], people: Sequence[str], options: PlanOptions) -> list[Assignment]:
    rng = Random(f"{options.seed}/write")
    wanted = {topic.topic: max(0, options.writers - len(set(topic.models))) for topic in topics}
    taken = {topic.topic: set(topic.models) & set(people) for topic in topics}
    found: list[Assignment] = []
    for number in range(max(wanted.values(), default=0)):
        open_ = [topic for topic in topics if wanted[topic.topic] > number]
        loads = Counter(one.person for one in found)
        chosen = choose(open_, people, rng, taken=taken, loads=loads, writers_only=True)  # the organiser's choice first
        for topic, person in zip(open_, chosen, strict=True):
            taken[topic.topic].add(person)
            found.append(Assignment(kind="write", topic=topic.topic, person=person))
    return found


def _judging(kind: str, topics: Sequence[TopicFacts], people: Sequence[str], options: PlanOptions) -> list[Assignment]:
    rng = Random(f"{options.seed}/{kind}")
    rounds = {"one": 1, "crossed": options.assessors, "twice": 2}[options.design]
    taken: dict[str, set[str]] = {topic.topic: set() for topic in topics}
    found: list[Assignment] = []
    open_ = [topic for topic in topics if (topic.models if kind == "pyramid" else topic.summarizers)]
    for number in range(rounds):
        shares = {topic.topic: topic.summarizers for topic in open_}
        if options.design == "twice" and number:
            shares = {topic.topic: _share(topic.summarizers, options.share, rng) for topic in open_}
            open_ = [topic for topic in open_ if shares[topic.topic]]
        loads = Counter(one.person for one in found)
        chosen = choose(open_, people, rng, taken=taken, loads=loads, writers_only=number == 0)
        for topic, person in zip(open_, chosen, strict=True):
            taken[topic.topic].add(person)
            judged = () if kind == "pyramid" else shares[topic.topic]
            found.append(Assignment(kind=kind, topic=topic.topic, person=person, summarizers=judged, second=number > 0))
    return found


def _share(summarizers: Sequence[str], share: float, rng: Random) -> tuple[str, ...]:
    """A drawn share; what is left of a whole number decides by chance, so that the total comes out right."""
    number = min(len(summarizers), math.floor(share * len(summarizers) + rng.random()))
    drawn = set(rng.sample(range(len(summarizers)), number))
    return tuple(one for place, one in enumerate(summarizers) if place in drawn)


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
    """
    from scipy.optimize import linear_sum_assignment  # takes a third of a second to import

    if not topics:
        return []
    order = sorted(people)
    rng.shuffle(order)
    capacity = math.ceil((sum(loads.values()) + len(topics)) / len(order))
    worst = _NEVER
    rows: list[str] = []
    costs = np.array([[_cost(topic, who, taken, writers_only) for who in order] for topic in topics])
    costs += np.array([[rng.random() * _LATER_SLOT / 10 for _ in order] for _ in topics])
    least = float(costs.min(axis=1).sum() // _NOT_A_WRITER)
    while capacity <= sum(loads.values()) + len(topics):
        slots = [place for place, who in enumerate(order) for _ in range(max(0, capacity - loads.get(who, 0)))]
        if len(slots) >= len(topics):
            depth = Counter[int]()
            heights = []
            for place in slots:
                depth[place] += 1
                heights.append(_LATER_SLOT * (loads.get(order[place], 0) + depth[place]))
            table = costs[:, slots] + np.array(heights)
            at, slot = linear_sum_assignment(table)
            total = float(costs[at, [slots[one] for one in slot]].sum())
            if not rows or total // _NOT_A_WRITER < worst:
                rows, worst = [order[slots[one]] for one in slot], total // _NOT_A_WRITER
            if worst <= least:
                break
        capacity += 1
    if worst >= _NEVER // _NOT_A_WRITER:
        raise UsageError(f"{len(order)} people are too few: nobody can do the same work on a topic twice")
    return rows


def _cost(topic: TopicFacts, who: str, taken: Mapping[str, Collection[str]], writers_only: bool) -> float:
    if who in taken.get(topic.topic, ()):
        return _NEVER
    cost = 0.0 if who == topic.developer else _NOT_THE_DEVELOPER
    if writers_only and who not in topic.writers:
        cost += _NOT_A_WRITER
    return cost


def reassign(
    left: Iterable[Assignment],
    plan: Sequence[Assignment],
    topics: Sequence[TopicFacts],
    people: Sequence[str],
    seed: int,
) -> list[Assignment]:
    """The open work of someone who leaves, given to others: load balanced, nobody the same work twice.

    Args:
        left: the work to be given to others.
        plan: all the open work of the others.
        topics: facts about the topics.
        people: those who stay.
        seed: for ties.
    """
    facts = {topic.topic: topic for topic in topics}
    given: list[Assignment] = []
    for kind in KINDS:
        rng = Random(f"{seed}/leave/{kind}")
        open_ = [one for one in left if one.kind == kind]
        taken: dict[str, set[str]] = {one.topic: set() for one in open_}
        for other in plan:
            if other.kind == kind and other.topic in taken:
                taken[other.topic].add(other.person)
        for one in open_:  # one by one: two pieces of work may be about one topic
            loads = Counter(other.person for other in (*plan, *given) if other.person in people)
            topic = facts.get(one.topic) or TopicFacts(topic=one.topic)
            person = _least(topic, people, taken[one.topic], loads, rng)
            taken[one.topic].add(person)
            given.append(replace(one, person=person))
    return given


def _least(
    topic: TopicFacts, people: Sequence[str], taken: Collection[str], loads: Mapping[str, int], rng: Random
) -> str:
    able = [who for who in sorted(people) if who not in taken]
    if not able:
        raise UsageError(f"topic {topic.topic}: everyone else has done this work already, so nobody can take it over")
    rng.shuffle(able)
    return min(able, key=lambda who: (who not in topic.writers and bool(topic.writers), loads.get(who, 0)))
