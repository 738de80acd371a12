"""The plan's page: drawn, looked at, changed by hand, taken; and the work of someone who leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.people import Role

OPTIONS: dict[str, Any] = {
    "kinds": ["form"],
    "design": "crossed",
    "assessors": "2",
    "share": "10",
    "writers": "4",
    "pairs": "3",
    "runs_of_a_team": "0",
    "seed": "1",
    "judged": ["HUMAN-A", "HUMAN-B", "HUMAN-C", "SYS-1", "SYS-2", "SYS-3"],
}


@pytest.fixture
def organiser(client: Callable[[str, Role], TestClient], assessment: Assessment) -> TestClient:
    for name in ("ann", "bob", "cec"):
        assessment.people.add(name, "assessor")
    return client("olga", "organiser")


def work(assessment: Assessment) -> list[tuple[str, str, int]]:
    names = {one.id: one.name for one in assessment.people.all()}
    return [(names[one.person], one.topic, one.spec["pass"]) for one in assessment.work.tasks() if not one.withdrawn]


@pytest.mark.parametrize("units", ["clauses", "sentences"])
def test_coverage_is_marked_for_the_units_that_the_organiser_chooses(
    organiser: TestClient, assessment: Assessment, units: str
) -> None:
    organiser.post("/plan/draw", data={**OPTIONS, "kinds": ["coverage"], "units": units})
    assert f"<option selected>{units}</option>" in organiser.get("/plan").text
    organiser.post("/plan/change", data={"take": "yes"})
    assert {task.spec["units"] for task in assessment.work.tasks()} == {units}
    refused = organiser.post("/plan/draw", data={**OPTIONS, "units": "words"})
    assert refused.status_code == 422
    assert "choose clauses, sentences" in refused.text


def test_a_plan_is_drawn_changed_and_taken_once(organiser: TestClient, assessment: Assessment) -> None:
    page = organiser.post("/plan/draw", data=OPTIONS)
    assert page.status_code == 200
    assert page.text.count('<select name="person/') == 4
    assert assessment.work.tasks() == []
    draft = assessment.settings.get("plan-draft")["assignments"]
    people = {f"person/{at}": one["person"] for at, one in enumerate(draft)}
    others = {one["person"] for one in draft if one["topic"] == "T1"}
    first = next(at for at, one in enumerate(draft) if one["topic"] == "T1")
    (new,) = {"ann", "bob", "cec"} - others
    people[f"person/{first}"] = new
    assert organiser.post("/plan/change", data={**people, "take": "yes"}).status_code == 200
    given = work(assessment)
    assert len(given) == len(set(given)) == 2 * 2 * 2
    assert (new, "T1", 1) in given
    assert "SYS-4" not in str([task.spec for task in assessment.work.tasks()])
    organiser.post("/plan/draw", data=OPTIONS)
    organiser.post("/plan/change", data={**people, "take": "yes"})
    assert work(assessment) == given  # what someone already has is not given again


def test_a_plan_that_gives_out_nothing_says_so_before_and_after_it_is_activated(
    organiser: TestClient, assessment: Assessment
) -> None:
    organiser.post("/plan/draw", data=OPTIONS)
    first = organiser.post("/plan/change", data={"take": "yes"})
    assert "8 pieces of work were given out." in first.text
    given = work(assessment)
    again = organiser.post("/plan/draw", data=OPTIONS)
    assert "people already have all 8 pieces of work of this plan" in again.text
    taken = organiser.post("/plan/change", data={"take": "yes"})
    assert "Nothing was given out: people already have all 8 pieces of work of this plan." in taken.text
    assert work(assessment) == given


def test_drawing_again_gives_out_summaries_that_are_new_and_only_those(
    organiser: TestClient, assessment: Assessment, folder: Path
) -> None:
    options = {**OPTIONS, "kinds": ["form", "preference"], "design": "one", "pairs": "500"}
    organiser.post("/plan/draw", data=options)
    organiser.post("/plan/change", data={"take": "yes"})
    before = {task.id for task in assessment.work.tasks()}
    rows = [{"topic": topic, "summarizer": "SYS-5", "kind": "peer", "text": "A new summary."} for topic in ("T1", "T2")]
    with (folder / "summaries.jsonl").open("a") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    options["judged"] = [*OPTIONS["judged"], "SYS-5"]
    drawn = organiser.post("/plan/draw", data=options)
    assert "6 pieces of work will list only the summaries that their assessor has not got yet" in drawn.text
    taken = organiser.post("/plan/change", data={"take": "yes"})
    assert "6 pieces of work were given out." in taken.text
    new = [task for task in assessment.work.tasks() if task.id not in before]
    forms = [task.spec for task in new if task.kind == "form"]
    assert [spec["summaries"] for spec in forms] == [{"1": "SYS-5"}] * 4  # both passes of both topics
    for task in new:
        if task.kind == "preference":
            assert all("SYS-5" in pair for pair in task.spec["pairs"].values())
            assert len(task.spec["pairs"]) == len(OPTIONS["judged"])


def test_the_same_person_twice_on_a_topic_is_refused(organiser: TestClient) -> None:
    organiser.post("/plan/draw", data=OPTIONS)
    page = organiser.post("/plan/change", data={f"person/{at}": "ann" for at in range(4)})
    assert page.status_code == 422
    assert "twice" in page.text


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"assessors": "9"}, "too few"),
        ({"kinds": []}, "at least one kind"),
        ({"seed": "x"}, "not a whole number"),
        ({"share": "200"}, "between 0 and 1"),
        ({"design": "other"}, "choose one, crossed, twice"),
    ],
)
def test_options_that_mean_nothing_are_explained(organiser: TestClient, change: dict[str, str], said: str) -> None:
    page = organiser.post("/plan/draw", data={**OPTIONS, **change})
    assert page.status_code == 422
    assert said in page.text


def test_assessors_do_not_see_the_plan(client: Callable[[str, Role], TestClient]) -> None:
    assert client("ann", "assessor").get("/plan").status_code == 403
