"""Late systems and topics: given out to those who judge the rest, blind and balanced, after they were shown."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import PlanSettings
from pyramidion.assess.moves import undoable_moves
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Event, Task
from pyramidion.assess.web.late_work import find_late_work
from pyramidion.assess.web.plan import accept_plan, draw_draft, read_draft

PEOPLE = ("ann", "bob", "cec", "dan")
KINDS = ("form", "preference", "coverage")


def activate(assessment: Assessment, **options: Any) -> None:
    for name in PEOPLE:
        assert assessment.people.find(name=name) or assessment.people.add(name, "assessor")
    draw_draft(assessment, PlanSettings(**options))
    draft = read_draft(assessment)
    assert draft is not None
    accept_plan(assessment, draft)


def add_summaries(folder: Path, summarizer: str, *topics: str, kind: str = "peer") -> None:
    with (folder / "summaries.jsonl").open("a") as file:
        for topic in topics:
            row = {"topic": topic, "summarizer": summarizer, "kind": kind, "text": f"Late words about {topic}."}
            file.write(json.dumps(row) + "\n")


def judged(task: Task) -> set[str]:
    return set(task.spec["summaries"].values())


def give_late(organiser: TestClient) -> str:
    shown = organiser.post("/plan/late")
    data = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.text))
    organiser.post("/plan/late", data=data)
    return shown.text


@pytest.fixture
def organiser(client: Callable[[str, Role], TestClient]) -> TestClient:
    return client("olga", "organiser")


@pytest.mark.parametrize("options", [{"design": "one"}, {"design": "crossed", "assessors": 3}])
def test_a_late_system_goes_to_those_who_judge_its_topics(
    assessment: Assessment, folder: Path, options: Mapping[str, Any]
) -> None:
    activate(assessment, kinds=KINDS, **options)
    before = assessment.given_out()
    add_summaries(folder, "SYS-5", "T1", "T2")
    late = find_late_work(assessment)
    assert late.summarizers == ("SYS-5",)
    judges = {(task.kind, task.topic, task.person) for task in before}
    assert {(task.kind, task.topic, task.person) for task in late.handover.given} == judges
    for task in late.handover.given:
        if task.kind != "preference":
            assert "SYS-5" in judged(task)


def test_who_has_not_begun_gets_late_summaries_among_the_others_in_a_new_order(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment)
    before = assessment.given_out()
    begun = next(task for task in before if task.topic == "T1" and task.spec["pass"] == 1)
    event = Event(id="0" * 36, version=1, action="answer", changes={"answer/1/clear": 3})
    assessment.append(begun, begun.person, [event])
    add_summaries(folder, "SYS-5", "T1", "T2")
    page = organiser.get("/plan").text
    assert "Nobody has been given the summaries of SYS-5" in page
    assert "Give out 4 new pieces" in page
    shown = give_late(organiser)
    assert "3 pieces of work that nobody has begun are each replaced" in shown
    after = assessment.given_out()
    assert len(after) == 5
    assert begun.id in {task.id for task in after}  # what was begun stays as it is
    for task in after:
        late_alone = task.topic == "T1" and task.spec["pass"] == 1 and task.id != begun.id
        if late_alone:
            assert judged(task) == {"SYS-5"}
        elif task.id != begun.id:
            assert "SYS-5" in judged(task)
            assert len(judged(task)) == 8
            assert list(task.spec["summaries"]) == [str(number) for number in range(1, 9)]
    assert "Give out" not in organiser.get("/plan").text  # nothing is new any more
    organiser.post(f"/moves/{undoable_moves(assessment)[0].id}/undo", data={"confirmed": "yes"})
    assert {task.id for task in assessment.given_out()} == {task.id for task in before}


def test_the_place_of_a_late_summary_tells_nothing(assessment: Assessment, folder: Path) -> None:
    """Over 30 topics, a late system stands at many places: with 8 places, 12 or more at one has p < 0.001."""
    topics = [f"X{number}" for number in range(30)]
    for summarizer in ("SYS-1", "SYS-2", "SYS-3", "SYS-4", "SYS-6", "SYS-7", "SYS-8"):
        add_summaries(folder, summarizer, *topics)
    activate(assessment)
    add_summaries(folder, "SYS-5", *topics)
    places: Counter[str] = Counter()
    for task in find_late_work(assessment).handover.given:
        if task.spec["pass"] == 1:
            places.update(place for place, name in task.spec["summaries"].items() if name == "SYS-5")
    assert places.total() == 30
    assert max(places.values()) < 12


def test_of_a_drawn_share_the_second_assessor_gets_a_share_of_the_late_ones(
    assessment: Assessment, folder: Path
) -> None:
    topics = [f"X{number}" for number in range(60)]
    for summarizer in ("SYS-1", "SYS-2", "SYS-3", "SYS-4"):
        add_summaries(folder, summarizer, *topics)
    activate(assessment, design="twice", share=0.5)
    add_summaries(folder, "SYS-5", *topics)
    late = [task for task in find_late_work(assessment).handover.given if task.spec["pass"] == 1]
    by_topic = Counter(task.topic for task in late)
    assert set(by_topic) == set(topics)
    twice = sum(number == 2 for number in by_topic.values())
    assert 15 <= twice <= 45  # half of 60


def test_a_late_topic_is_drawn_for_those_with_the_least(assessment: Assessment, folder: Path) -> None:
    activate(assessment)
    busy = {task.person for task in assessment.given_out()}
    add_summaries(folder, "SYS-1", "T3", "T4")
    late = find_late_work(assessment)
    assert late.topics == ("T3", "T4")
    assert {task.topic for task in late.handover.given} == {"T3", "T4"}
    assert {task.person for task in late.handover.given}.isdisjoint(busy)


def test_summarizers_that_the_plan_left_out_are_not_late(assessment: Assessment) -> None:
    activate(assessment, left_out=("SYS-4",))
    assert find_late_work(assessment).number == 0


def test_the_work_of_someone_who_left_goes_on_with_someone_else(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment)
    leaver = next(task.person for task in assessment.given_out() if task.topic == "T1")
    organiser.post(f"/people/{leaver}/active", data={"active": "false", "confirmed": "yes"})
    add_summaries(folder, "SYS-5", "T1")
    given = find_late_work(assessment).handover.given
    assert given
    assert leaver not in {task.person for task in given}


def test_late_pairs_have_a_late_summary_in_them_and_are_as_many_as_others_have(
    assessment: Assessment, folder: Path
) -> None:
    activate(assessment, kinds=("preference",), choices={"pairs": 14})  # of 7 summaries: each is in 4
    add_summaries(folder, "SYS-5", "T1")
    (task,) = find_late_work(assessment).handover.given
    pairs = [pair for pair in task.spec["pairs"].values() if "SYS-5" in pair]
    assert len(pairs) == 4
    assert len({frozenset(pair) for pair in task.spec["pairs"].values()}) == 18
