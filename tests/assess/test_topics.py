"""Topics that organisers describe: kept as events, written to the campaign's files, seen by writers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task
from pyramidion.files import locks

Client = Callable[[str, Role], TestClient]


@pytest.fixture
def organiser(client: Client) -> TestClient:
    return client("olga", "organiser")


def lines(assessment: Assessment) -> list[dict[str, object]]:
    return [json.loads(line) for line in assessment.view.lines()["topics"]]


def test_the_task_of_a_topic_has_no_page_of_work(organiser: TestClient, assessment: Assessment) -> None:
    organiser.post("/topics", data={"number": "D7"})
    organiser.post("/topic", params={"number": "D7"}, data={"title": "Ferries"})
    task, *_ = assessment.work.tasks(kind="topic", topic="D7")
    assert organiser.get(f"/task/{task.id}").status_code == 404


def test_a_topic_is_described_with_documents_and_written(
    organiser: TestClient, assessment: Assessment, folder: Path, client: Client
) -> None:
    (folder / "documents").mkdir()
    (folder / "documents" / "APW-9.txt").write_text("A ferry burned.")
    assert organiser.post("/topics", data={"number": "D7/x?"}).status_code == 200
    page = organiser.post(
        "/topic",
        params={"number": "D7/x?"},
        data={"title": "Ferries", "narrative": "Which?\r\nWhen?", "developer": "ann", "writers": "", "choose": "APW-9"},
        files=[("files", ("NYT-1.txt", "Überall Rauch.\r\nEnde.".encode(), "text/plain"))],
    )
    assert page.status_code == 200
    *others, topic = sorted(lines(assessment), key=lambda one: one["topic"] == "D7/x?")
    assert others == [{"topic": "T1"}, {"topic": "T2"}]  # they only occurred in summaries.jsonl
    assert topic == {
        "topic": "D7/x?",
        "title": "Ferries",
        "narrative": "Which?\nWhen?",
        "documents": [
            {"id": "APW-9", "text": "A ferry burned."},
            {"id": "NYT-1", "text": "Überall Rauch.\nEnde."},
        ],
        "attributes": {"developer": "ann"},
    }
    organiser.post(
        "/topic",
        params={"number": "D7/x?"},
        data={"title": "Ferries", "date/document/NYT-1": "2005-01-31", "remove": "document/APW-9"},
    )
    topic = next(one for one in lines(assessment) if one["topic"] == "D7/x?")
    assert topic["documents"] == [{"id": "NYT-1", "text": "Überall Rauch.\nEnde.", "date": "2005-01-31"}]
    assert "narrative" not in topic

    ann = client("ann", "assessor")
    person = assessment.people.find(name="ann")
    assert person is not None
    assessment.give_out([Task(id="w", kind="write", topic="D7/x?", person=person.id)])
    assert ann.get("/api/task/w").json()["material"]["documents"][0]["date"] == "2005-01-31"
    assert "/task/topic-" not in organiser.get("/").text
    assert ann.get("/topics").status_code == 403


def test_a_topic_of_the_files_keeps_what_the_form_does_not_show(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    row = {"topic": "T1", "title": "Old", "part": "A", "attributes": {"granularity": "specific"}}
    (folder / "topics.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({"topic": "T2"}) + "\n")
    organiser.post("/topic", params={"number": "T1"}, data={"title": "New", "writers": "ann, bob"})
    attributes = {"granularity": "specific", "writers": "ann, bob"}
    assert {**row, "title": "New", "attributes": attributes} in lines(assessment)
    assert len(lines(assessment)) == 2


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"", b"a\0b"])
def test_what_is_no_text_is_refused(organiser: TestClient, content: bytes) -> None:
    page = organiser.post("/topic", params={"number": "T1"}, files=[("files", ("bad.txt", content, "text/plain"))])
    assert page.status_code == 422
    assert "bad.txt" in page.text


def test_numbers_that_are_none_are_refused_and_the_limit_is_set(organiser: TestClient, assessment: Assessment) -> None:
    assert organiser.post("/topics", data={"number": "x" * 61}).status_code == 422
    limits = []
    for limit in ("250", "0"):
        organiser.post("/topics/limit", data={"limit": limit})
        limits.append(assessment.campaign.word_limit)
    assert limits == [250, None]
    assert len(assessment.campaign.questions) == 2


COMMENTED = """# Our campaign, started in May.
name = "Ferries"  # ask Olga before you change it

# Asked in two passes.
[[questions]]
name = "clear"   # about language
text = "Is it clear?"
scale = [1, 5]
"""


def test_setting_the_limit_keeps_comments_order_and_layout(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    path = folder / "campaign.toml"
    path.write_text(COMMENTED)
    organiser.post("/topics/limit", data={"limit": "100"})
    limited = COMMENTED.replace("change it\n", "change it\nword_limit = 100\n", 1)
    assert path.read_text() == limited
    organiser.post("/topics/limit", data={"limit": "250"})
    assert path.read_text() == limited.replace("100", "250")
    assert assessment.campaign.word_limit == 250
    organiser.post("/topics/limit", data={"limit": "0"})
    assert path.read_text() == COMMENTED


def test_while_another_command_changes_the_campaign_the_limit_waits_and_the_page_says_why(
    organiser: TestClient, assessment: Assessment, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "WAIT_SECONDS", 0.0)
    with locks.lock_campaign(folder):
        page = organiser.post("/topics/limit", data={"limit": "250"})
    assert "another command has been changing this campaign" in page.text
    assert assessment.campaign.word_limit == 12


def test_what_is_typed_about_a_topic_is_kept_until_it_is_saved(
    client: Callable[[str, Role], TestClient], assessment: Assessment
) -> None:
    organiser, other = client("olga", "organiser"), client("otto", "organiser")
    id = "01234567-89ab-4cde-8f01-23456789abcd"
    draft = {"draft": id, "fields": {"title": "Ferries <b>"}, "before": {"title": ""}, "time": 1.0}
    assert organiser.post("/api/topic/draft", params={"number": "T1"}, json={"draft": draft}).status_code == 200
    assert "Ferries \\u003cb\\u003e" in organiser.get("/topic", params={"number": "T1"}).text
    assert "Ferries" not in other.get("/topic", params={"number": "T1"}).text
    organiser.post("/topic", params={"number": "T1"}, data={"title": "Boats", "draft": id})
    organiser.post("/api/topic/draft", params={"number": "T1"}, json={"draft": draft})  # on its way while it was saved
    assert "Ferries" not in organiser.get("/topic", params={"number": "T1"}).text
    assert assessment.campaign.topic("T1").topic.title == "Boats"
    assert organiser.post("/api/topic/draft", params={"number": "none"}, json={"draft": draft}).status_code == 404
