"""Plans: balanced, fair to writers and developers, the same for the same seed, and blind in their orders."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.assess.kinds.assignment import Assignment, PlanSettings, TopicFacts, shuffle
from pyramidion.assess.kinds.preference.pair_drawing import draw_pairs
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.web.moving import reassign
from pyramidion.assess.web.plan import draw_plan, judged_summarizers, topic_facts
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Preference, Question, Summarizer, Summary, Topic
from pyramidion.campaign.questions import QuestionSet
from pyramidion.errors import UsageError

SYSTEMS = tuple(f"s{number}" for number in range(6))
PEOPLE = ("ann", "bob", "cec", "dan")


def facts(number: int, **more: object) -> list[TopicFacts]:
    return [TopicFacts(topic=f"t{at}", summarizers=SYSTEMS, **more) for at in range(number)]  # type: ignore[arg-type]


def loads(plan: list[Assignment]) -> list[int]:
    count = Counter(one.person for one in plan)
    return [count[who] for who in PEOPLE]


@given(topics=st.integers(1, 23), people=st.integers(1, 6), assessors=st.integers(1, 4), seed=st.integers(0, 50))
def test_loads_differ_by_one_at_most_and_nobody_judges_a_topic_twice(
    topics: int, people: int, assessors: int, seed: int
) -> None:
    names = [f"p{number}" for number in range(people)]
    options = PlanSettings(design="crossed", assessors=assessors, seed=seed)
    if assessors > people:
        with pytest.raises(UsageError, match="too few"):
            draw_plan(facts(topics), names, options)
        return
    plan = draw_plan(facts(topics), names, options)
    assert plan == draw_plan(facts(topics), names, options)
    count = Counter(one.person for one in plan)
    assert max(count.values()) - min(count[name] for name in names) <= 1
    assert len({(one.topic, one.person) for one in plan}) == len(plan) == topics * assessors
    assert all(one.summarizers == SYSTEMS for one in plan)


@given(st.data())
def test_one_assessor_is_always_a_writer_where_there_are_any(data: st.DataObject) -> None:
    topics = [
        TopicFacts(
            topic=f"t{at}",
            summarizers=SYSTEMS,
            writers=tuple(data.draw(st.lists(st.sampled_from(PEOPLE), unique=True, max_size=3))),
        )
        for at in range(8)
    ]
    for one, topic in zip(draw_plan(topics, PEOPLE, PlanSettings()), topics, strict=True):
        assert one.topic == topic.topic
        assert one.person in (topic.writers or PEOPLE)


def test_the_developer_judges_the_topic_if_the_load_allows() -> None:
    topics = [TopicFacts(topic=f"t{at}", summarizers=SYSTEMS, developer=PEOPLE[at % 4]) for at in range(8)]
    plan = draw_plan(topics, PEOPLE, PlanSettings())
    assert [one.person for one in plan] == [topic.developer for topic in topics]
    all_of_one = [replace(topic, developer="ann") for topic in topics]
    assert loads(draw_plan(all_of_one, PEOPLE, PlanSettings())) == [2, 2, 2, 2]


def test_a_share_is_judged_twice_by_someone_else() -> None:
    plan = draw_plan(facts(40), PEOPLE, PlanSettings(design="twice", share=0.25))
    first = {one.topic: one for one in plan if not one.second}
    second = [one for one in plan if one.second]
    assert len(first) == 40
    assert all(one.person != first[one.topic].person for one in second)
    assert all(set(one.summarizers) < set(SYSTEMS) for one in second)
    assert 50 <= sum(len(one.summarizers) for one in second) <= 70  # a quarter of 240
    assert max(loads(plan)) - min(loads(plan)) <= 1


def test_writers_are_drawn_until_each_topic_has_enough() -> None:
    topics = [
        TopicFacts(topic="t1", models=("ann",), writers=("ann",)),
        TopicFacts(topic="t2"),
        TopicFacts(topic="t3", models=("a", "b", "c")),
    ]
    plan = draw_plan(topics, PEOPLE, PlanSettings(kinds=("write",), choices={"writers": 3}))
    by_topic = {topic: sorted(one.person for one in plan if one.topic == topic) for topic in ("t1", "t2", "t3")}
    assert len(by_topic["t1"]) == 2
    assert "ann" not in by_topic["t1"]
    assert len(set(by_topic["t2"])) == 3
    assert by_topic["t3"] == []


def test_writers_that_the_organiser_chose_write() -> None:
    topics = [TopicFacts(topic=f"t{at}", writers=("ann", "dan")) for at in range(6)]
    plan = draw_plan(topics, PEOPLE, PlanSettings(kinds=("write",), choices={"writers": 3}))
    for topic in topics:
        assert {"ann", "dan"} < {one.person for one in plan if one.topic == topic.topic}
    assert loads(plan) == [6, 3, 3, 6]


def test_which_runs_are_judged_at_all() -> None:
    summarizers = {f"r{at}": Summarizer(organisation="x" if at < 3 else "") for at in range(5)}
    campaign = Campaign(summarizers={**summarizers, "A": Summarizer(kind="human", organisation="x")})
    assert judged_summarizers(campaign, PlanSettings(runs_of_a_team=2)) == ["r0", "r1", "r3", "r4", "A"]
    assert judged_summarizers(campaign, PlanSettings(humans=False, left_out=("r3",))) == ["r0", "r1", "r2", "r4"]


def campaign() -> Campaign:
    return Campaign(
        questions=QuestionSet(tuple(Question(name=f"q{number}", pass_number=number) for number in (1, 2, 3))),
        topics=(Topic(topic="t", attributes={"developer": "bob", "writers": "bob, cec"}),),
        summaries=(
            *(Summary(topic="t", summarizer=one, kind="peer", text="x") for one in SYSTEMS),
            Summary(topic="t", summarizer="ann", kind="model", text="x"),
        ),
    )


def test_topics_know_their_people_from_attributes_and_models() -> None:
    (topic,) = topic_facts(campaign(), PlanSettings())
    assert topic.writers == ("bob", "cec", "ann")
    assert topic.developer == "bob"
    assert topic.summarizers == ("ann", *SYSTEMS)  # the human summary is in the pool


def test_orders_are_random_by_assessor_topic_and_pass() -> None:
    (topic,) = topic_facts(campaign(), PlanSettings())
    orders = []
    for person in PEOPLE:
        assignment = Assignment(kind="form", topic="t", person=person, summarizers=topic.summarizers)
        for spec in TASK_TYPES["form"].specs(assignment, campaign(), topic, PlanSettings()):
            assert sorted(spec["summaries"].values()) == sorted(topic.summarizers)
            orders.append(tuple(spec["summaries"][str(number)] for number in range(1, 8)))
    assert len(set(orders)) == 12


def test_every_place_of_an_order_is_equally_likely() -> None:
    """A summarizer's mean place tells nothing of who it is: 2,000 orders of 4, expected 500 each, sd 19."""
    firsts = Counter(shuffle("abcd", 0, person, "t", 1)[0] for person in range(2000))
    assert all(400 < firsts[one] < 600 for one in "abcd")


def test_the_spec_of_each_kind_names_what_it_needs() -> None:
    (topic,) = topic_facts(campaign(), PlanSettings())
    made = {
        kind: list(TASK_TYPES[kind].specs(one, campaign(), topic, PlanSettings(choices={"pairs": 4})))
        for kind in ("write", "pyramid", "peer", "coverage", "preference")
        for one in [Assignment(kind=kind, topic="t", person="bob", summarizers=topic.summarizers)]
    }
    assert made["write"] == [{}]
    assert made["pyramid"] == [{"models": {"1": "ann"}}]
    assert len(made["peer"]) == 6
    assert [spec["models"]["1"] for spec in made["coverage"]] == ["ann"] * 6
    assert len(made["preference"][0]["pairs"]) == 4


@given(st.integers(2, 9), st.integers(1, 40), st.integers(0, 20))
def test_pairs_are_drawn_evenly_and_once(names: int, number: int, seed: int) -> None:
    pairs = draw_pairs([f"n{at}" for at in range(names)], number, Random(seed))
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == min(number, names * (names - 1) // 2)
    uses = Counter(one for pair in pairs for one in pair)
    assert max(uses.values()) - min(uses[f"n{at}"] for at in range(names)) <= 2


def test_pairs_that_tell_most_are_those_of_equals_that_were_not_compared() -> None:
    def won(a: str, b: str) -> Preference:
        return Preference(topic="t", a=a, b=b, choice="a")

    known = [won("a", "c"), won("a", "d"), won("b", "c"), won("b", "d"), won("c", "d")] * 3
    first = draw_pairs("abcd", 1, Random(0), known)
    assert set(first[0]) == {"a", "b"}


def test_open_work_of_someone_who_leaves_goes_to_the_least_loaded() -> None:
    topics = facts(8)
    plan = draw_plan(topics, PEOPLE, PlanSettings())
    left = [one for one in plan if one.person == "ann"]
    rest = [one for one in plan if one.person != "ann"]
    given_ = reassign(left, rest, topics, PEOPLE[1:], seed=0)
    assert [one.topic for one in given_] == [one.topic for one in left]
    assert sorted(loads(rest + given_)) == [0, 2, 3, 3]
    with pytest.raises(UsageError, match="nobody can take it over"):
        reassign(left, [replace(one, person="bob") for one in left], topics, ["bob"], seed=0)
