"""Work that changes hands: shown before it happens, carried out as shown, and undone with all that was done on it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.file_writer import write_files
from pyramidion.assess.moves import read_moves, undoable_moves
from pyramidion.assess.store.people import Person, Role
from pyramidion.assess.store.work import Event, Task

OPTIONS: dict[str, Any] = {
    "kinds": ["form"],
    "design": "one",
    "assessors": "2",
    "share": "10",
    "writers": "4",
    "pairs": "3",
    "runs_of_a_team": "0",
    "seed": "1",
    "judged": ["SYS-1", "SYS-2"],
}


@pytest.fixture
def organiser(client: Callable[[str, Role], TestClient], assessment: Assessment) -> TestClient:
    for name in ("ann", "bob", "cec"):
        assessment.people.add(name, "assessor")
    browser = client("olga", "organiser")
    browser.post("/plan/draw", data=OPTIONS)
    browser.post("/plan/change", data={"take": "yes"})
    return browser


def given(assessment: Assessment) -> list[tuple[str, str, int]]:
    """Who has what: name, topic and pass."""
    tasks = assessment.given_out(practice=False)
    return sorted((assessment.name_of(task.person), task.topic, task.spec["pass"]) for task in tasks)


def busiest(assessment: Assessment) -> Person:
    """Someone who has work."""
    name = Counter(row[0] for row in given(assessment)).most_common(1)[0][0]
    person = assessment.people.find(name=name)
    assert person is not None
    return person


def answer(assessment: Assessment, task: Task) -> None:
    event = Event(id="1" * 36, version=1, action="answer", changes={"answer/1/clear": 3})
    assessment.append(task, task.person, [event])


def fields(page: str) -> dict[str, str]:
    """The hidden fields of the form that asks for confirmation."""
    form = page[page.index('class="row"') :]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))


def judgments(assessment: Assessment) -> list[dict[str, Any]]:
    write_files(assessment)
    path = assessment.folder / "judgments.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_open_work_is_given_to_others_only_after_it_was_shown_and_confirmed(
    organiser: TestClient, assessment: Assessment
) -> None:
    before, person = given(assessment), busiest(assessment)
    own = [task for task in assessment.given_out() if task.person == person.id]
    answer(assessment, own[0])
    page = organiser.post("/plan/leave", data={"person": person.id})
    assert f"Give the open work of {person.name} to others?" in page.text
    assert "1 piece of work was begun: these answers leave the data" in page.text
    assert given(assessment) == before  # nothing happened yet
    assert len(judgments(assessment)) == 1
    organiser.post("/plan/leave", data=fields(page.text))
    after = given(assessment)
    assert person.name not in {name for name, _, _ in after}
    assert sorted(row[1:] for row in after) == sorted(row[1:] for row in before)
    assert len(after) == len(set(after))
    assert judgments(assessment) == []
    assert len(assessment.work.history(own[0].id)) == 1


def test_undoing_brings_back_the_work_with_its_answers_and_can_be_undone_itself(
    organiser: TestClient, assessment: Assessment
) -> None:
    before, person = given(assessment), busiest(assessment)
    own = [task for task in assessment.given_out() if task.person == person.id]
    answer(assessment, own[0])
    stored = judgments(assessment)
    organiser.post("/plan/leave", data=fields(organiser.post("/plan/leave", data={"person": person.id}).text))
    moved = given(assessment)
    move = undoable_moves(assessment)[0]
    page = organiser.post(f"/moves/{move.id}/undo")
    assert "with all that was done on it" in page.text
    assert given(assessment) == moved
    organiser.post(f"/moves/{move.id}/undo", data={"confirmed": "yes"})
    assert given(assessment) == before
    assert judgments(assessment) == stored
    # Undoing the undoing: as it was after the move.
    again = undoable_moves(assessment)[0]
    assert again.description.startswith("Undone:")
    organiser.post(f"/moves/{again.id}/undo", data={"confirmed": "yes"})
    assert given(assessment) == moved
    assert read_moves(assessment)[-1].description.startswith("Done again:")


def test_what_changed_since_it_was_shown_is_shown_again(organiser: TestClient, assessment: Assessment) -> None:
    before, person = given(assessment), busiest(assessment)
    own = [task for task in assessment.given_out() if task.person == person.id]
    page = organiser.post("/plan/leave", data={"person": person.id})
    answer(assessment, own[0])  # the organiser has not seen this
    again = organiser.post("/plan/leave", data=fields(page.text))
    assert "1 piece of work was begun" in again.text
    assert given(assessment) == before


def test_a_plan_that_was_activated_by_mistake_is_taken_back(organiser: TestClient, assessment: Assessment) -> None:
    assert given(assessment)
    (move,) = undoable_moves(assessment)
    assert move.description == "Plan activated: 4 pieces of work given out"
    organiser.post(f"/moves/{move.id}/undo", data={"confirmed": "yes"})
    assert given(assessment) == []


def test_a_move_can_be_undone_only_while_no_later_one_concerns_its_work(
    organiser: TestClient, assessment: Assessment
) -> None:
    (activated,) = undoable_moves(assessment)
    person = busiest(assessment)
    organiser.post("/plan/leave", data=fields(organiser.post("/plan/leave", data={"person": person.id}).text))
    assert activated not in undoable_moves(assessment)
    page = organiser.post(f"/moves/{activated.id}/undo", data={"confirmed": "yes"})
    assert page.status_code == 422
    assert "a later act concerns the same work" in page.text


def test_one_piece_of_work_is_given_to_someone_else(organiser: TestClient, assessment: Assessment) -> None:
    task = assessment.given_out()[0]
    others = [person for person in assessment.assessors() if person.id != task.person]
    look = organiser.get(f"/work/{task.id}")
    assert all(f">{person.name}</option>" in look.text for person in others)
    page = organiser.post(f"/work/{task.id}/give", data={"person": others[0].id})
    assert f"Give this work to {others[0].name}?" in page.text
    organiser.post(f"/work/{task.id}/give", data=fields(page.text))
    (new,) = [other for other in assessment.given_out(person=others[0].id) if other.created >= task.created][-1:]
    assert (new.kind, new.topic, new.spec["pass"]) == (task.kind, task.topic, task.spec["pass"])
    taken = assessment.work.task(task.id)
    assert taken is not None
    assert taken.withdrawn
    # The same work twice is refused.
    again = organiser.post(f"/work/{new.id}/give", data={"person": others[0].id})
    assert again.status_code == 422


def test_an_organiser_looks_at_any_moment_of_someone_s_work(organiser: TestClient, assessment: Assessment) -> None:
    task = assessment.given_out()[0]
    for version, value in ((1, 3), (2, 5)):
        event = Event(
            id=str(version) * 36, version=version, action="answer", changes={"answer/1/clear": value}, seconds=1
        )
        assessment.append(task, task.person, [event])

    def data(address: str) -> Any:
        page = organiser.get(address).text
        return json.loads(re.findall(r'id="task-data">(.*?)</script>', page, re.S)[0])

    now = data(f"/work/{task.id}")
    assert now["state"] == {"answer/1/clear": 5}
    assert now["readonly"] is True
    then = data(f"/work/{task.id}?version=1")
    assert then["state"] == {"answer/1/clear": 3}
    assert [event["version"] for event in then["history"]] == [1]
    assert data(f"/work/{task.id}?version=0")["state"] == {}
    assert len(assessment.work.history(task.id)) == 2


def test_the_list_of_work_is_filtered(organiser: TestClient, assessment: Assessment) -> None:
    task = assessment.given_out()[0]
    assert organiser.get("/work").text.count('<a href="/work/') == 4
    page = organiser.get("/work", params={"topic": task.topic, "person": assessment.name_of(task.person)}).text
    assert page.count('<a href="/work/') == 2  # both passes
    assert "There is no such work" in organiser.get("/work?state=done").text


@pytest.mark.parametrize(
    ("address", "data", "undo"),
    [
        ("active", {"active": "false"}, {"active": "true"}),
        ("role", {"role": "guest"}, {"role": "assessor"}),
    ],
)
def test_to_shut_someone_out_or_make_them_a_guest_asks_first(
    organiser: TestClient, assessment: Assessment, address: str, data: dict[str, str], undo: dict[str, str]
) -> None:
    before, person = given(assessment), busiest(assessment)
    page = organiser.post(f"/people/{person.id}/{address}", data=data)
    assert "Their work stays theirs" in page.text
    assert assessment.people.find(id=person.id) == person
    organiser.post(f"/people/{person.id}/{address}", data=fields(page.text))
    assert assessment.people.find(id=person.id) != person
    assert given(assessment) == before
    organiser.post(f"/people/{person.id}/{address}", data=undo)
    assert assessment.people.find(id=person.id) == person


def test_an_organiser_who_judges_too_is_planned_like_an_assessor(
    client: Callable[[str, Role], TestClient], assessment: Assessment
) -> None:
    browser = client("olga", "organiser")
    olga = assessment.people.find(name="olga")
    assert olga is not None
    assert "There are no assessors yet" in browser.get("/plan").text
    browser.post(f"/people/{olga.id}/judges", data={"judges": "true"})
    browser.post("/plan/draw", data=OPTIONS)
    browser.post("/plan/change", data={"take": "yes"})
    assert {name for name, _, _ in given(assessment)} == {"olga"}
    assert "Start: Pass 1" in browser.get("/").text
    browser.post(f"/people/{olga.id}/judges", data={"judges": "false"})
    assert assessment.assessors() == []


def test_many_people_are_invited_from_a_pasted_list_all_of_them_or_nobody(
    client: Callable[[str, Role], TestClient], assessment: Assessment
) -> None:
    browser = client("olga", "organiser")
    refused = browser.post("/people/list", data={"names": "Ann\nBob\nSYS-1\nann\n", "role": "assessor"})
    assert refused.status_code == 422
    assert "SYS-1 is also the id of a system" in refused.text
    assert "ann is on the list 2 times" in refused.text
    assert assessment.people.all(role="assessor") == []
    page = browser.post("/people/list", data={"names": " Ann \n\nBob Miller\n", "role": "assessor"})
    assert [person.name for person in assessment.people.all(role="assessor")] == ["Ann", "Bob Miller"]
    table = re.findall(r'<textarea id="links"[^>]*>(.*?)</textarea>', page.text, re.S)[0]
    names = []
    for line in table.splitlines():
        name, link = line.split("\t")
        names.append(name)
        assert browser.get(link, follow_redirects=False).status_code == 200
    assert names == ["Ann", "Bob Miller"]
    assert 'download="invitations.tsv"' in page.text


def test_a_password_that_was_reset_opens_nothing_and_the_link_sets_another(
    client: Callable[[str, Role], TestClient], assessment: Assessment
) -> None:
    ann = client("Ann", "assessor")
    person = assessment.people.find(name="Ann")
    assert person is not None
    assessment.people.set_password(person.id, "the old password")
    browser = client("olga", "organiser")
    asked = browser.post(f"/people/{person.id}/reset-password")
    assert "stops working at once" in asked.text
    assert assessment.people.check_password("Ann", "the old password") is not None
    page = browser.post(f"/people/{person.id}/reset-password", data={"confirmed": "yes"})
    assert assessment.people.check_password("Ann", "the old password") is None
    token = re.findall(r"/join/([\w-]+)", page.text)[0]
    ann.cookies.clear()
    ann.post(f"/join/{token}", data={"password": "quite another one"})
    assert assessment.people.check_password("Ann", "quite another one") is not None


@pytest.mark.parametrize("name", ["ANN", "Consensus", "consensus"])
def test_names_that_differ_only_in_capital_letters_and_the_name_of_a_consensus_are_refused(
    client: Callable[[str, Role], TestClient], assessment: Assessment, name: str
) -> None:
    browser = client("olga", "organiser")
    browser.post("/people", data={"name": "Ann", "role": "assessor"})
    page = browser.post("/people", data={"name": name, "role": "assessor"})
    assert page.status_code == 422
    assert assessment.people.find(name=name) is None
