"""Topics, systems and questions change while people work: comments stay, and what was answered can be put back."""

from __future__ import annotations

import json
import re
import tomllib
import uuid
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.file_writer import write_files
from pyramidion.assess.kinds.assignment import PlanSettings
from pyramidion.assess.removals import FOLDER, read_removals
from pyramidion.assess.settings_file import change_questions, change_summarizer
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Event, Task
from pyramidion.assess.web.plan import accept_plan, draw_draft, read_draft


@pytest.fixture
def organiser(client: Callable[[str, Role], TestClient]) -> TestClient:
    return client("olga", "organiser")


def activate(assessment: Assessment, **options: Any) -> None:
    for name in ("ann", "bob"):
        assessment.people.add(name, "assessor")
    draw_draft(assessment, PlanSettings(**options))
    draft = read_draft(assessment)
    assert draft is not None
    accept_plan(assessment, draft)


def answer(assessment: Assessment, task: Task, value: int = 4) -> None:
    """All questions of a form, one after the other; then it is handed in."""
    question = "clear" if task.spec["pass"] == 1 else "good"
    keys = [f"answer/{handle}/{question}" for handle in task.spec["summaries"]]
    changes: list[dict[str, Any]] = [{key: value} for key in keys]
    for version, change in enumerate([*changes, {"done": True}], start=task.version + 1):
        event = Event(id=str(uuid.uuid4()), version=version, action="answer", changes=change, seconds=1.5)
        assessment.append(task, task.person, [event])


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    path = folder / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def key_values(rows: list[dict[str, Any]]) -> list[tuple[str, str, str, int]]:
    return sorted((row["topic"], row["summarizer"], row["question"], row["value"]) for row in rows)


def confirm(organiser: TestClient, address: str, data: dict[str, str] | None = None) -> str:
    """Do something that asks first: what the page asked."""
    asked = organiser.post(address, data=data or {})
    assert asked.status_code == 200
    assert "<h1>" in asked.text
    fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', asked.text))
    done = organiser.post(address, data={name: unescape(value) for name, value in fields.items()})
    assert done.status_code == 200, done.text
    return asked.text


def put_back(organiser: TestClient, assessment: Assessment) -> None:
    (removal,) = read_removals(assessment)
    organiser.post(f"/removed/{removal.id}/put-back")
    assert read_removals(assessment) == []
    write_files(assessment)


# Topics


def test_a_topic_is_removed_with_its_work_after_asking_and_put_back_whole(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment)
    for task in assessment.given_out():
        answer(assessment, task)
    write_files(assessment)
    before = {name: key_values(rows(folder, name)) for name in ("judgments",)}
    summaries = (folder / "summaries.jsonl").read_text().splitlines()
    asked = confirm(organiser, "/topic/remove?number=T1")
    assert "Topic T1 leaves the data with 7 summaries and 14 answers" in asked
    assert "2 were begun and 2 handed in" in asked
    write_files(assessment)
    assert {row["topic"] for name in ("summaries", "judgments") for row in rows(folder, name)} == {"T2"}
    assert {task.topic for task in assessment.given_out()} == {"T2"}
    assert assessment.campaign.topic_ids == ("T2",)
    for page in ("", "topics", "plan", "dashboard", "dashboard/agreement", "work", "practice", "systems"):
        assert organiser.get(f"/{page}").status_code == 200
    put_back(organiser, assessment)
    assert key_values(rows(folder, "judgments")) == before["judgments"]
    assert sorted((folder / "summaries.jsonl").read_text().splitlines()) == sorted(summaries)
    assert len(assessment.given_out()) == 4


def test_a_topic_that_is_there_again_is_not_put_back_over_it(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    confirm(organiser, "/topic/remove?number=T1")
    with (folder / "summaries.jsonl").open("a") as file:
        file.write('{"topic": "T1", "summarizer": "SYS-1", "kind": "peer", "text": "New."}\n')
    before = (folder / "summaries.jsonl").read_bytes()
    (removal,) = read_removals(assessment)
    page = organiser.post(f"/removed/{removal.id}/put-back")
    assert page.status_code == 422
    assert "something else in its place" in page.text
    assert (folder / "summaries.jsonl").read_bytes() == before
    assert read_removals(assessment)


def test_background_documents_are_uploaded_and_a_removed_document_can_be_chosen_again(
    organiser: TestClient, assessment: Assessment
) -> None:
    file = {"files": ("old.txt", b"What was known before.", "text/plain")}
    organiser.post("/topic?number=T1", data={"title": "One", "as_background": "on"}, files=file)
    (topic,) = [topic for topic in assessment.campaign.topics if topic.topic == "T1"]
    assert [document.id for document in topic.background] == ["old"]
    organiser.post("/topic?number=T1", data={"title": "One", "remove": "background/old"})
    page = organiser.get("/topic?number=T1").text
    assert 'name="choose" value="old"' in page
    organiser.post("/topic?number=T1", data={"title": "One", "choose": "old", "as_background": "on"})
    (topic,) = [topic for topic in assessment.campaign.topics if topic.topic == "T1"]
    assert [document.text for document in topic.background] == ["What was known before."]


# Systems


def test_a_late_system_is_added_and_the_plan_says_so(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment)
    files = [("files", ("T1.txt", b"Late words.", "text/plain")), ("files", ("more.jsonl", LINES, "text/plain"))]
    fields = {"id": "SYS-9", "name": "Latecomer", "organisation": "Team 9", "kind": "baseline"}
    page = organiser.post("/systems", data=fields, files=files).text
    assert "2 summaries of SYS-9 added." in page
    added = [row for row in rows(folder, "summaries") if row["summarizer"] == "SYS-9"]
    assert [(row["topic"], row["kind"], row["text"]) for row in added] == [
        ("T1", "peer", "Late words."),
        ("T2", "peer", "Later words."),
    ]
    settings = tomllib.loads((folder / "campaign.toml").read_text())
    assert settings["summarizers"]["SYS-9"] == {"kind": "baseline", "name": "Latecomer", "organisation": "Team 9"}
    assert "Give out 4 new pieces" in organiser.get("/plan").text


LINES = b'{"topic": "T2", "summary": "Later words."}\n'


@pytest.mark.parametrize(
    ("id", "name", "content", "reason"),
    [
        ("SYS-1", "T1.txt", b"New.", "already has a summary of T1"),
        ("ann", "T1.txt", b"New.", "someone on the page People is called ann"),
        ("HUMAN-A", "T1.txt", b"New.", "HUMAN-A is a human summarizer"),
        ("SYS-9", "T9.txt", b"New.", "the campaign has no topic &#39;T9&#39;"),
        ("SYS-9", "T1.txt", b"\xff", "byte 1 that is not UTF-8"),
        ("SYS-9", "T1.txt", b" ", "found no text"),
        ("SYS-9", "a.jsonl", b"{}\n", "a.jsonl, line 1: expected an object with topic and text"),
        ("SYS-9", "a.jsonl", b'{"topic": "T1", "text": "a"}\n{"topic": "T1", "text": "b"}\n', "a second summary"),
        ("", "T1.txt", b"New.", "the id of a system has 1 to 60 characters"),
    ],
)
def test_what_is_no_late_system_is_refused_with_the_reason(
    organiser: TestClient, assessment: Assessment, folder: Path, id: str, name: str, content: bytes, reason: str
) -> None:
    assessment.people.add("ann", "assessor")
    before = (folder / "summaries.jsonl").read_bytes(), (folder / "campaign.toml").read_bytes()
    page = organiser.post("/systems", data={"id": id}, files=[("files", (name, content, "text/plain"))])
    assert page.status_code == 422
    assert reason in page.text
    assert ((folder / "summaries.jsonl").read_bytes(), (folder / "campaign.toml").read_bytes()) == before


def test_a_system_is_removed_from_forms_that_keep_all_other_answers(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment, kinds=("form", "coverage"))
    forms = [task for task in assessment.given_out() if task.kind == "form"]
    for task in forms:
        answer(assessment, task)
    write_files(assessment)
    stored = rows(folder, "judgments")
    asked = confirm(organiser, "/system/remove?id=SYS-1")
    assert "The system SYS-1 leaves the data with 2 summaries and 4 answers" in asked
    write_files(assessment)
    rest = [row for row in stored if row["summarizer"] != "SYS-1"]
    assert rows(folder, "judgments") == rest  # with their times and seconds
    assert "SYS-1" not in tomllib.loads((folder / "campaign.toml").read_text()).get("summarizers", {})
    left = assessment.given_out()
    assert all("SYS-1" not in task.spec["summaries"].values() for task in left)
    assert all(task.done for task in left if task.kind == "form")
    put_back(organiser, assessment)
    assert rows(folder, "judgments") == stored
    assert assessment.base.summarizers["SYS-1"].name == "Secret Laboratory"


def test_answers_given_after_a_removal_stay_when_the_system_is_put_back(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment)
    confirm(organiser, "/system/remove?id=SYS-1")
    for task in sorted(assessment.given_out(), key=lambda task: task.spec["pass"]):
        answer(assessment, task, value=2)
    put_back(organiser, assessment)
    values = key_values(rows(folder, "judgments"))
    assert len(values) == 2 * 2 * 6  # topics, questions, summaries without SYS-1's
    assert {value for *_, value in values} == {2}
    forms = assessment.given_out()
    assert not any(task.done for task in forms)  # SYS-1 has no answers yet
    assert all(len(task.spec["summaries"]) == 7 for task in forms)


def test_who_wrote_references_is_not_removed(organiser: TestClient, assessment: Assessment) -> None:
    page = organiser.post("/system/remove?id=HUMAN-A")
    assert page.status_code == 422
    assert "wrote references" in page.text
    assert "HUMAN-A" in assessment.campaign.summarizer_ids


# Questions


def question_fields(**changes: str) -> dict[str, str]:
    """The form of the two questions of the small campaign, with some fields changed."""
    fields: dict[str, str] = {}
    for place, name in enumerate(("clear", "good")):
        fields |= {
            f"name/{place}": name,
            f"text/{place}": f"Is it {name}?",
            f"low/{place}": "1",
            f"high/{place}": "5",
            f"labels/{place}": "",
            f"pass/{place}": str(place + 1),
            f"required/{place}": "on",
            f"examples/{place}": "",
        }
    return fields | changes


def test_guidelines_labels_and_examples_are_edited_and_comments_stay(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    path = folder / "campaign.toml"
    path.write_text("# Ours.\n" + path.read_text().replace('name = "good"', 'name = "good"  # the important one'))
    changes = {
        "text/0": "Is it clear to a reader in a hurry?",
        "labels/0": "no\nyes",
        "examples/0": "5: Nothing is unclear.\nNot even the dates.\n1: Who did what?",
        "new": "short enough",
    }
    assert "Saved." in organiser.post("/questions", data=question_fields(**changes)).text
    text = path.read_text()
    assert text.startswith("# Ours.\n")
    assert "# the important one" in text
    clear, good, new = assessment.base.questions
    assert (clear.text, clear.labels) == ("Is it clear to a reader in a hurry?", ("no", "yes"))
    assert [(example.value, example.text) for example in clear.examples] == [
        (5, "Nothing is unclear.\nNot even the dates."),
        (1, "Who did what?"),
    ]
    assert (good.text, good.pass_number) == ("Is it good?", 2)
    assert new.name == "short-enough"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"low/0": "5"}, "a scale from 5 to 5"),
        ({"high/0": "five"}, "is no whole number"),
        ({"labels/0": "a\nb\nc"}, "5 labels, one for each value"),
        ({"examples/0": "Good."}, "begin each example with its value"),
        ({"examples/0": "9: Great."}, "1 to 5, the scale of the question"),
        ({"new": "clear"}, "two questions"),
        ({"new": "a/b"}, "can&#39;t be called"),
        ({"pass/0": "0"}, "choose 1 to 9"),
        ({"remove/0": "on", "remove/1": "on"}, "ask at least one question"),
    ],
)
def test_questions_that_can_not_be_asked_are_refused_and_the_form_keeps_what_was_typed(
    organiser: TestClient, folder: Path, changes: dict[str, str], reason: str
) -> None:
    before = (folder / "campaign.toml").read_bytes()
    page = organiser.post("/questions", data=question_fields(**{"text/1": "Typed here", **changes}))
    assert page.status_code == 422
    assert reason in page.text
    assert "Typed here" in page.text
    assert (folder / "campaign.toml").read_bytes() == before


def test_a_question_with_answers_is_removed_after_asking_and_put_back_with_them(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment)
    for task in assessment.given_out():
        answer(assessment, task)
    write_files(assessment)
    before = key_values(rows(folder, "judgments"))
    asked = confirm(organiser, "/questions", question_fields(**{"remove/1": "on"}))
    assert "14 answers leave the data, because good will not be asked any more" in asked
    assert "2 pieces of work without any question left are taken back" in asked
    write_files(assessment)
    assert {row["question"] for row in rows(folder, "judgments")} == {"clear"}
    assert [question.name for question in assessment.base.questions] == ["clear"]
    assert {task.spec["pass"] for task in assessment.given_out()} == {1}
    (removal,) = read_removals(assessment)
    assert len(rows(folder / FOLDER / removal.id, "judgments")) == 14
    put_back(organiser, assessment)
    assert key_values(rows(folder, "judgments")) == before
    assert [question.name for question in assessment.base.questions] == ["clear", "good"]


def test_answers_off_a_new_scale_leave_the_data_and_are_asked_for_again(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    activate(assessment)
    first = next(task for task in assessment.given_out() if task.spec["pass"] == 1)
    answer(assessment, first, value=5)
    write_files(assessment)
    asked = confirm(organiser, "/questions", question_fields(**{"high/0": "3"}))
    assert "7 answers leave the data, because they are off the new scales" in asked
    write_files(assessment)
    assert rows(folder, "judgments") == []
    task = assessment.work.task(first.id)
    assert task is not None
    assert assessment.task_type(task).progress(assessment.context(task), assessment.work.state(task)) == (0, 7)


def test_a_set_is_used_reduced_and_then_a_copy(organiser: TestClient, assessment: Assessment, folder: Path) -> None:
    confirm(organiser, "/questions/set", {"name": "duc2006"})
    assert tomllib.loads((folder / "campaign.toml").read_text())["questions"] == {"set": "duc2006"}
    page = organiser.get("/questions").text
    fields = dict(re.findall(r'name="((?:name|low|high|pass)/\d)"[^>]*?value="([^"]*)"', page))
    texts = re.findall(r'<textarea name="([^"]+)"[^>]*>(.*?)</textarea>', page, re.S)
    fields |= {name: unescape(value) for name, value in texts}
    fields |= {f"required/{place}": "on" for place in range(7)}
    organiser.post("/questions", data=fields)
    assert tomllib.loads((folder / "campaign.toml").read_text())["questions"] == {"set": "duc2006"}  # nothing changed
    organiser.post("/questions", data={**fields, "remove/0": "on", "text/3": "Does it stay on the ferry?"})
    declared = tomllib.loads((folder / "campaign.toml").read_text())["questions"]
    assert "set" not in declared
    assert len(declared) == 6
    assert declared["focus"]["text"] == "Does it stay on the ferry?"
    assert declared["coherence"]["labels"][0] == "Very Poor"


def test_the_preview_shows_what_is_typed_and_stores_nothing(organiser: TestClient, folder: Path) -> None:
    before = (folder / "campaign.toml").read_bytes()
    page = organiser.post("/questions/preview?number=2", data=question_fields(**{"text/1": "Is it <b>good</b>?"})).text
    data = json.loads(re.findall(r'id="task-data">(.*?)</script>', page, re.S)[0])
    assert [question["text"] for question in data["material"]["questions"]] == ["Is it <b>good</b>?"]
    assert "<b>good</b>" not in page
    assert (folder / "campaign.toml").read_bytes() == before
    assert organiser.post("/questions/preview?number=3", data=question_fields()).status_code == 422


# campaign.toml


SETTINGS = """# Ours.
name = "A campaign"  # as in the paper

[questions]
set = "duc2006"  # all seven

# Wording of last year.
[questions.focus]
text = "Focus?"  # short
labels = ["a", "b"]

[summarizers.27]
name = "Us"  # that is we
"""


def test_questions_in_campaign_toml_change_and_all_else_stays_as_it_was_typed(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text(SETTINGS)
    change_questions(path, {"set": "duc2006", "focus": {"text": "In focus?", "labels": ["a", "b"]}})
    assert path.read_text() == SETTINGS.replace('"Focus?"', '"In focus?"')
    change_questions(path, {"set": "duc2006"})
    text = path.read_text()
    assert tomllib.loads(text)["questions"] == {"set": "duc2006"}
    assert "# all seven" in text
    assert "# that is we" in text
    change_summarizer(path, "5", {"name": "Five"})
    change_summarizer(path, "27", None)
    assert tomllib.loads(path.read_text())["summarizers"] == {"5": {"name": "Five"}}


def test_a_list_of_questions_becomes_a_table_only_for_a_set(tmp_path: Path) -> None:
    path = tmp_path / "campaign.toml"
    path.write_text('# Ours.\n[[questions]]\nname = "a" # first\n\n[[questions]]\nname = "b"\n')
    change_questions(path, {"a": {"text": "A?"}, "c": {"scale": [1, 3], "examples": [{"value": 1, "text": "x"}]}})
    assert tomllib.loads(path.read_text())["questions"] == [
        {"name": "a", "text": "A?"},
        {"name": "c", "scale": [1, 3], "examples": [{"value": 1, "text": "x"}]},
    ]
    assert "# first" in path.read_text()
    change_questions(path, {"set": "tac2008"})
    assert tomllib.loads(path.read_text())["questions"] == {"set": "tac2008"}
    change_questions(path, {})
    assert "questions" not in tomllib.loads(path.read_text())
