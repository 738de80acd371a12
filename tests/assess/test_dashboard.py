"""The dashboard: progress, rates and what is left; without names for guests."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Event, Task
from pyramidion.assess.web.dashboard import group_progress, task_progress

Client = Callable[[str, Role], TestClient]
SUMMARIES = {"1": "SYS-1", "2": "SYS-2", "3": "SYS-3", "4": "HUMAN-A"}


@pytest.fixture
def worked(assessment: Assessment) -> Assessment:
    """Ann has answered 4 questions in 36 s each and bob 3; bob's other topic is open."""
    people = {name: assessment.people.add(name, "assessor").id for name in ("ann", "bob")}
    for name, topic, answers in (("ann", "T1", 4), ("bob", "T1", 3), ("bob", "T2", 0)):
        task = Task(
            id=f"{name}{topic}", kind="form", topic=topic, person=people[name], spec={"pass": 1, "summaries": SUMMARIES}
        )
        assessment.work.add([task])
        for number in range(1, answers + 1):
            changes = {f"answer/{number}/clear": number}
            changes |= {"done": True} if number == 4 else {}
            event = Event(id=str(uuid.uuid4()), version=number, action="answer", changes=changes, seconds=36)
            assessment.work.append(task.id, people[name], [event], assessment.check)
    return assessment


def test_rates_and_the_time_that_is_left(worked: Assessment) -> None:
    ann, bob = group_progress(task_progress(worked), lambda row: row.person)
    assert (ann.finished, ann.total, ann.handed_in, ann.tasks) == (4, 4, 1, 1)
    assert ann.rate == 100  # an hour has 3,600 s, and an answer took 36
    assert ann.hours_left == 0
    assert (bob.finished, bob.left) == (3, 5)
    assert bob.hours_left == pytest.approx(5 * 36 / 3600)
    assert (ann.share, bob.share) == (1, (3 / 4 + 0) / 2)
    assert not bob.more


def test_the_organiser_sees_names_and_guests_do_not(worked: Assessment, client: Client) -> None:
    organiser, guest = client("olga", "organiser"), client("gus", "guest")
    page = organiser.get("/dashboard").text
    assert "bob" in page
    assert "7 of 12" in page
    assert "T2" in page
    assert "assessors are treated as given" in organiser.get("/dashboard/leaderboards").text
    for path in ("/", "/dashboard", "/dashboard/agreement"):
        answer = guest.get(path)
        assert answer.status_code == 200
        without_token = re.sub(r"content=\"[^\"]*\"", "", answer.text)  # random letters, perhaps b, o and b
        assert "bob" not in without_token
        assert "SYS-" not in answer.text
    assert "Assessor 2" in guest.get("/dashboard").text
    for path in ("/dashboard/leaderboards", "/dashboard/report", "/plan", "/practice"):
        assert guest.get(path).status_code == 403
        assert client("ann", "assessor").get(path).status_code == 403
    assert client("ann", "assessor").get("/dashboard").status_code == 403
    assert worked.people.find(name="gus") is not None


def test_a_campaign_without_work_says_so(client: Client) -> None:
    organiser = client("olga", "organiser")
    assert "No work has been given out yet" in organiser.get("/dashboard").text
    for path in ("/dashboard/agreement", "/dashboard/leaderboards"):
        assert organiser.get(path).status_code == 200


def test_agreement_over_words_is_shown_as_soon_as_two_people_have_annotated_the_same(
    assessment: Assessment, client: Client
) -> None:
    organiser = client("olga", "organiser")
    for name, end in (("ann", 10), ("bob", 18)):
        person = assessment.people.add(name, "assessor")
        task = Task(
            id=name, kind="pyramid", topic="T1", person=person.id, spec={"models": {"1": "HUMAN-A", "2": "HUMAN-B"}}
        )
        assessment.give_out([task])
        contributors = [{"model": model, "parts": [[0, end]]} for model in ("1", "2")]
        scu = {"label": "a summary", "comment": "", "contributors": contributors}
        event = Event(id=str(uuid.uuid4()), version=1, action="new-scu", changes={"scu/1": scu, "done": True})
        assessment.append(task, person.id, [event])
        page = organiser.get("/dashboard/agreement").text
        assert ("Krippendorff" in page) == (name == "bob")
    assert "MASI" in page or "masi" in page
