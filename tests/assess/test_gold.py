"""Gold and attention items: hidden among the others, with feedback or without, and what they show about people."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.gold import GoldItem, GoldRecord, add_gold, gold_answers, gold_records, let_see
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Event, Task
from pyramidion.errors import UsageError

SPEC = {"pass": 1, "summaries": {"1": "SYS-2", "2": "SYS-1"}}


def answer(assessment: Assessment, name: str, *changes: dict[str, Any]) -> None:
    """Give someone a form, if they have none, and store these changes."""
    person = assessment.people.find(name=name) or assessment.people.add(name, "assessor")
    if assessment.work.task(f"form-{name}") is None:
        assessment.work.add([Task(id=f"form-{name}", kind="form", topic="T1", person=person.id, spec=SPEC)])
    for change in changes:
        task = assessment.work.task(f"form-{name}")
        assert task is not None
        event = Event(id=str(uuid.uuid4()), version=task.version + 1, action="answer", changes=change)
        assessment.append(task, person.id, [event])


@pytest.fixture
def with_gold(assessment: Assessment) -> Assessment:
    """SYS-2 is clear (4 or 5 of 5), and SYS-1 tells readers to choose 1."""
    add_gold(assessment, GoldItem(topic="T1", summarizer="SYS-2", question="clear", low=4, high=5, comment="Short."))
    attention = GoldItem(topic="T1", summarizer="SYS-1", question="clear", low=1, high=1, is_attention=True)
    add_gold(assessment, attention)
    return assessment


def test_what_gold_items_show_about_people(with_gold: Assessment) -> None:
    answer(with_gold, "ann", {"answer/1/clear": 5}, {"answer/2/clear": 1}, {"done": True})
    answer(with_gold, "bob", {"answer/1/clear": 2}, {"answer/2/clear": 4}, {"done": True})
    # Two of five values are right for one item, one of five for the other: 0.6 by guessing.
    common: dict[str, Any] = {"answers": 2, "by_guessing": pytest.approx(0.6), "attention_answers": 1}
    assert gold_records(with_gold, gold_answers(with_gold)) == [
        GoldRecord(person="ann", right=2, mean_distance=0.0, attention_failures=0, **common),
        GoldRecord(person="bob", right=0, mean_distance=2.5, attention_failures=1, **common),
    ]


def test_what_counts_is_the_first_answer_that_was_handed_in(with_gold: Assessment) -> None:
    answer(with_gold, "bob", {"answer/1/clear": 2}, {"answer/2/clear": 4}, {"done": True})
    answer(with_gold, "bob", {"done": None}, {"answer/1/clear": 5}, {"done": True})
    (record,) = gold_records(with_gold, gold_answers(with_gold))
    assert record.right == 0


@pytest.mark.parametrize("gives", [True, False])
def test_the_right_answers_are_seen_only_after_handing_in_and_only_if_there_is_feedback(
    with_gold: Assessment, client: Callable[[str, Role], TestClient], gives: bool
) -> None:
    let_see(with_gold, gives)
    answer(with_gold, "bob", {"answer/1/clear": 2}, {"answer/2/clear": 4})
    bob = client("bob", "assessor")
    assert "gold" not in bob.get("/api/task/form-bob").json()["material"]
    answer(with_gold, "bob", {"done": True})
    material = bob.get("/api/task/form-bob").json()["material"]
    expected = {
        "1": {"clear": {"low": 4, "high": 5, "comment": "Short."}},
        "2": {"clear": {"low": 1, "high": 1, "comment": ""}},
    }
    assert material.get("gold") == (expected if gives else None)
    assert "SYS-" not in json.dumps(material)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"summarizer": "SYS-9"}, "SYS-9 has no summary of topic T1"),
        ({"question": "dull"}, "asks no question 'dull'"),
        ({"low": 3, "high": 2}, "the scale of clear is 1 to 5"),
        ({"high": 6}, "the scale of clear is 1 to 5"),
    ],
)
def test_what_can_be_no_gold_item_is_refused(assessment: Assessment, changes: dict[str, Any], reason: str) -> None:
    item: dict[str, Any] = {"topic": "T1", "summarizer": "SYS-1", "question": "clear", "low": 1, "high": 1, **changes}
    with pytest.raises(UsageError, match=reason):
        add_gold(assessment, GoldItem(**item))


def test_the_page_adds_and_removes_items_and_lists_people(
    assessment: Assessment, client: Callable[[str, Role], TestClient]
) -> None:
    organiser = client("olga", "organiser")
    fields = {"topic": "T1", "summarizer": "SYS-1", "question": "clear", "low": "1", "high": "1", "attention": "true"}
    organiser.post("/dashboard/gold", data=fields)
    answer(assessment, "bob", {"answer/1/clear": 2}, {"answer/2/clear": 4}, {"done": True})
    page = organiser.get("/dashboard/gold").text
    assert "0 of 1" in page  # answered rightly
    assert "1 of 1" in page  # attention items failed
    assert "bob" in page
    assert organiser.post("/dashboard/gold", data={**fields, "high": "9"}).status_code == 422
    organiser.post("/dashboard/gold/feedback", data={"feedback": "true"})
    assert "checked" in organiser.get("/dashboard/gold").text
    organiser.post("/dashboard/gold/remove", data=fields)
    assert "SYS-1</td>" not in organiser.get("/dashboard/gold").text
