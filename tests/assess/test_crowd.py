"""People from a crowd platform: consent, two attempts at the check, a place with work, and the way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.crowd import CheckQuestion, Crowd, parse_check
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Event, Task
from pyramidion.assess.web.app import create_app
from pyramidion.errors import UsageError

Client = Callable[[str, Role], TestClient]
SPEC = {"pass": 1, "summaries": {"1": "SYS-2"}}
CHECK = "What do you judge?\n* the summary\n- the documents\n\nHow often?\n- twice\n* once"
SETTINGS = {
    "consent": "You read <summaries>.\n\nIt takes 5 minutes.",
    "check": CHECK,
    "completion_code": "C0DE",
    "return_address": "https://app.prolific.com/submissions/complete?cc=C0DE",
    "is_open": "yes",
}
RIGHT, WRONG = {"answer-0": "0", "answer-1": "1"}, {"answer-0": "1", "answer-1": "1"}


@pytest.fixture
def organiser(assessment: Assessment, client: Client) -> TestClient:
    """An organiser with two places, both with work, who lets people in."""
    organiser = client("boss", "organiser")
    assert organiser.post("/crowd/places", data={"count": "2"}).status_code == 200
    for number, person in enumerate(Crowd(assessment).places()):
        assessment.give_out([Task(id=f"t{number}", kind="form", topic="T1", person=person.id, spec=SPEC)])
    assert organiser.post("/crowd", data=SETTINGS).status_code == 200
    return organiser


def arrive(assessment: Assessment, worker: str, visit: str = "s1") -> tuple[TestClient, str, str]:
    """Someone opens the link of the platform: their browser, the address, and the page that they see."""
    browser = TestClient(create_app(assessment))
    address = f"/crowd/{Crowd(assessment).settings.key}"
    page = browser.get(f"{address}?PROLIFIC_PID={worker}&STUDY_ID=x&SESSION_ID={visit}")
    return browser, address, page.text


def send(browser: TestClient, path: str, worker: str, visit: str = "s1", **fields: str) -> str:
    """Send a form of the way in; the page that follows."""
    return browser.post(path, data={"worker": worker, "visit": visit, **fields}).text


def test_someone_agrees_passes_works_and_gets_the_code(organiser: TestClient, assessment: Assessment) -> None:
    browser, address, page = arrive(assessment, "p1")
    assert "You read &lt;summaries&gt;." in page
    assert "2 attempts" in send(browser, f"{address}/consent", "p1", agree="yes")
    home = send(browser, f"{address}/check", "p1", **RIGHT)
    assert "Your work" in home
    assert "C0DE" not in home
    assessment.append(
        assessment.work.task("t0"),  # type: ignore[arg-type]  # it is there
        Crowd(assessment).places()[0].id,
        [Event(id="0" * 36, version=1, action="answer", changes={"answer/1/clear": 3}),
         Event(id="1" * 36, version=2, action="hand-in", changes={"done": True})],
    )  # fmt: skip
    home = browser.get("/").text
    assert "Your completion code: <b>C0DE</b>" in home
    assert 'href="https://app.prolific.com/submissions/complete?cc=C0DE"' in home
    page = organiser.get("/crowd").text
    assert "p1" in page
    assert "finished" in page
    assert "p1" not in browser.get("/").text


def test_someone_who_comes_again_goes_on_and_another_session_does_not(
    organiser: TestClient, assessment: Assessment
) -> None:
    browser, address, _ = arrive(assessment, "p1")
    send(browser, f"{address}/consent", "p1", agree="yes")
    assert "A short check" in arrive(assessment, "p1")[2]
    send(browser, f"{address}/check", "p1", **RIGHT)
    assert "Your work" in arrive(assessment, "p1")[2]
    assert "in another session" in arrive(assessment, "p1", "s2")[2]
    assert Crowd(assessment).workers.all()[0].person == Crowd(assessment).places()[0].id


def test_two_wrong_attempts_end_it_and_take_no_place(organiser: TestClient, assessment: Assessment) -> None:
    browser, address, _ = arrive(assessment, "p1")
    send(browser, f"{address}/consent", "p1", agree="yes")
    assert "this is your last attempt" in send(browser, f"{address}/check", "p1", **WRONG)
    assert "can&#39;t take part" in send(browser, f"{address}/check", "p1", **WRONG)
    assert "can&#39;t take part" in send(browser, f"{address}/check", "p1", **RIGHT)
    assert "can&#39;t take part" in arrive(assessment, "p1")[2]
    assert browser.get("/", follow_redirects=False).headers["location"] == "/sign-in"
    assert [worker.person for worker in Crowd(assessment).workers.all()] == [None]


def test_who_does_not_agree_leaves_no_trace(organiser: TestClient, assessment: Assessment) -> None:
    browser, address, _ = arrive(assessment, "p1")
    assert "did not agree" in send(browser, f"{address}/consent", "p1")
    assert Crowd(assessment).workers.all() == []


def test_a_place_is_taken_once_and_only_where_there_is_work(both: Assessment) -> None:
    crowd = Crowd(both)
    places = crowd.add_places(3)
    for person in places[1:]:
        both.give_out([Task(id=person.id, kind="form", topic="T1", person=person.id, spec=SPEC)])
    taken = []
    for worker in ("p1", "p2", "p3", "p1"):
        crowd.workers.consent(worker, "s")
        place = crowd.take_place(worker)
        taken.append(None if place is None else place.name)
    assert taken == ["W2", "W3", None, "W2"]


def test_the_way_in_is_closed_without_its_key_an_id_or_an_organiser(
    organiser: TestClient, assessment: Assessment
) -> None:
    browser, address, _ = arrive(assessment, "p1")
    assert browser.get(address).status_code == 422, "the platform gave no id"
    assert browser.get(f"{address}?PROLIFIC_PID=a%20b").status_code == 422
    assert browser.get("/crowd/guess?PROLIFIC_PID=p1").status_code == 404
    assert browser.post(f"{address}/check", data={"worker": "p9"}).status_code == 422
    organiser.post("/crowd", data={**SETTINGS, "is_open": ""})
    assert browser.get(f"{address}?PROLIFIC_PID=p1").status_code == 404


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"consent": ""}, "Write a consent text"),
        ({"completion_code": "", "return_address": ""}, "Give a completion code"),
        ({"return_address": "javascript:alert(1)"}, "begins with https://"),
        ({"check": "What?\n- this\n- that"}, "needs at least two answers"),
    ],
)
def test_settings_that_can_not_work_are_refused_and_kept_in_the_form(
    organiser: TestClient, assessment: Assessment, change: dict[str, str], problem: str
) -> None:
    page = organiser.post("/crowd", data={**SETTINGS, **change})
    assert page.status_code == 422
    assert problem in page.text
    assert Crowd(assessment).settings.check == CHECK


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("", ()),
        ("What?\n* this\n- that", (CheckQuestion("What?", ("this", "that"), 0),)),
        ("A?\n- x\n* y\nB?\n*z\n-u\n", (CheckQuestion("A?", ("x", "y"), 1), CheckQuestion("B?", ("z", "u"), 0))),
    ],
)
def test_questions_are_read_line_by_line(text: str, questions: tuple[CheckQuestion, ...]) -> None:
    assert parse_check(text) == questions


@pytest.mark.parametrize("text", ["What?", "What?\n* this", "What?\n* this\n* that", "A?\nB?\n* x\n- y"])
def test_a_question_without_one_right_answer_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="needs at least two answers"):
        parse_check(text)
