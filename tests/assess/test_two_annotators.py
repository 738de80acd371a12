"""Two annotators, blind to each other, and a consensus: over HTTP, from pyramids to the scores of the files."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion import pyramid
from pyramidion.assess.assessment import Assessment
from pyramidion.assess.moves import undo_move, undoable_moves
from pyramidion.assess.store.people import Person, Role
from pyramidion.assess.store.work import Task
from pyramidion.campaign.nouns import encode

MODELS = {"1": "HUMAN-C", "2": "HUMAN-A", "3": "HUMAN-B"}
Client = Callable[[str, Role], TestClient]


def send(browser: TestClient, task: str, **changes: Any) -> None:
    """One event with these changes; `scu__1` is the key scu/1."""
    version = browser.get(f"/api/task/{task}").json()["version"]
    keys = {key.replace("__", "/").replace("_to_", "-"): value for key, value in changes.items()}
    event = {"id": str(uuid.uuid4()), "version": version + 1, "action": "test", "changes": keys}
    answer = browser.post(f"/api/task/{task}/events", json={"events": [event]})
    assert answer.status_code == 200, answer.text


def organiser_of(assessment: Assessment) -> Person:
    return next(person for person in assessment.people.all() if person.role == "organiser")


def scu(label: str, **parts: list[int]) -> dict[str, Any]:
    contributors = [{"model": model.removeprefix("m"), "parts": [span]} for model, span in parts.items()]
    return {"label": label, "comment": "", "contributors": contributors}


@pytest.mark.slow
def test_from_two_pyramids_to_one_score(client: Client, assessment: Assessment) -> None:
    browsers = {name: client(name, "assessor") for name in ("ann", "bob", "cleo")}
    ids = {person.name: person.id for person in assessment.people.all()}
    for name in ("ann", "bob"):
        spec: dict[str, Any] = {"models": MODELS}
        assessment.give_out([Task(id=f"p-{name}", kind="pyramid", topic="T1", person=ids[name], spec=spec)])
    send(
        browsers["ann"],
        "p-ann",
        scu__1=scu("a summary", m1=[0, 7], m2=[0, 7], m3=[0, 7]),
        scu__2=scu("of T1", m1=[8, 13]),
        done=True,
    )
    send(browsers["bob"], "p-bob", scu__1=scu("a summary", m1=[0, 7], m2=[0, 7], m3=[0, 7]), done=True)
    assert browsers["ann"].get("/api/task/p-bob").status_code == 404  # blind to each other

    organiser = client("olga", "organiser")
    work = re.search(r'name="work" value="([^"]+)"', organiser.get("/annotation").text)
    assert work is not None
    organiser.post("/annotation/adjudicate", data={"work": work[1], "person": ids["cleo"]})
    assert "given to cleo" in organiser.get("/annotation").text
    (consensus,) = assessment.work.tasks(person=ids["cleo"])
    shown = browsers["cleo"].get(f"/api/task/{consensus.id}")
    assert "HUMAN" not in shown.text
    assert "ann" not in shown.text.replace("annotat", "")
    pairs = [(one["first"], one["second"]) for one in shown.json()["material"]["pairs"]]
    assert pairs == [(2, None), (1, 1)]
    contributors = shown.json()["material"]["sources"][0]["1"]["contributors"]
    agreed = {"label": "a summary", "comment": "", "contributors": contributors}
    send(
        browsers["cleo"],
        consensus.id,
        **{
            "pair/1-1": {"choice": "a", "scu": 5},
            "scu/5": agreed,
            "pair/2-": {"choice": "neither"},
            "done": True,
            "status": "final",
        },
    )
    (row,) = browsers["cleo"].get(f"/api/task/{consensus.id}/agreement").json()[2:]
    assert row["between"] == ["B", "consensus"]
    assert row["alpha"]["word/masi"] == 1

    for name in ("ann", "bob"):  # peers are matched against the consensus now
        spec = {"summaries": {"1": "SYS-1"}, "models": MODELS, "pyramid": "", "mode": "light", "non_matching": False}
        assessment.give_out([Task(id=f"peer-{name}", kind="peer", topic="T1", person=ids[name], spec=spec)])
        assert [one["uid"] for one in browsers[name].get(f"/api/task/peer-{name}").json()["material"]["scus"]] == [5]
    send(browsers["ann"], "peer-ann", scu__5={"present": True, "contributors": []}, done=True)
    send(browsers["bob"], "peer-bob", scu__5={"present": False, "contributors": []}, done=True)
    (of_peers,) = re.findall(r'name="work" value="([^"]+)"', organiser.get("/annotation").text)
    assert of_peers.startswith("adjudicate-peer")
    for work_key in (work[1], of_peers, of_peers):  # a page that is older than the work gives nothing twice
        organiser.post("/annotation/adjudicate", data={"work": work_key, "person": ids["cleo"]})
    assert len(assessment.work.tasks(person=ids["cleo"])) == 2
    _, last = sorted(assessment.work.tasks(person=ids["cleo"]), key=lambda task: task.kind)
    send(browsers["cleo"], last.id, scu__5={"present": True, "contributors": []}, pair__5={"choice": "a"}, done=True)

    annotations = assessment.campaign.annotations
    assert [(one.annotator, one.pyramid, one.consensus) for one in annotations] == [
        ("ann", "consensus", False),
        ("bob", "consensus", False),
        ("consensus", "consensus", True),
    ]
    for rows in (assessment.campaign.pyramids, annotations):
        assert [row.adjudicator for row in rows] == ["", "", "cleo"]
    folder = assessment.folder
    for name, nouns in (("pyramids", assessment.campaign.pyramids), ("annotations", annotations)):
        (folder / f"{name}.jsonl").write_bytes(b"".join(encode(noun) + b"\n" for noun in nouns))
    found = {one.annotator: one.modified for one in pyramid.score(folder).scores}
    assert found["consensus"] == 1.0


def test_there_is_one_consensus_whoever_annotated_and_what_is_done_later_is_given_out_later(
    client: Client, assessment: Assessment
) -> None:
    browsers = {name: client(name, "assessor") for name in ("ann", "bob", "cleo")}
    ids = {person.name: person.id for person in assessment.people.all()}
    peers = {"models": MODELS, "pyramid": "ann", "mode": "light", "non_matching": False}
    for name in browsers:
        spec: dict[str, Any] = {"models": MODELS}
        assessment.give_out([Task(id=f"p-{name}", kind="pyramid", topic="T1", person=ids[name], spec=spec)])
        send(browsers[name], f"p-{name}", scu__1=scu("a summary", m1=[0, 7], m2=[0, 7], m3=[0, 7]), done=True)
    for name in ("ann", "bob"):
        for system in ("SYS-1", "SYS-2"):
            spec = {"summaries": {"1": system}, **peers}
            assessment.give_out([Task(id=f"{system}-{name}", kind="peer", topic="T1", person=ids[name], spec=spec)])

    def judge(system: str) -> None:
        for name in ("ann", "bob"):
            send(browsers[name], f"{system}-{name}", scu__1={"present": name == "ann", "contributors": []}, done=True)

    organiser = client("olga", "organiser")

    def given(kind: str) -> list[str]:
        for work in re.findall(r'name="work" value="([^"]+)"', organiser.get("/annotation").text):
            organiser.post("/annotation/adjudicate", data={"work": work, "person": ids["cleo"]})
        return [str(task.spec.get("summaries", {})) for task in assessment.work.tasks(kind=kind)]

    judge("SYS-1")
    assert given("adjudicate") == ["{}"]  # of three pairs of annotators, the files have one consensus
    assert given("adjudicate-peer") == ["{'1': 'SYS-1'}"]
    judge("SYS-2")
    assert "Give the other 1" in organiser.get("/annotation").text
    assert given("adjudicate-peer") == ["{'1': 'SYS-1'}", "{'1': 'SYS-2'}"]
    assert 'name="work"' not in organiser.get("/annotation").text
    undo_move(assessment, organiser_of(assessment), undoable_moves(assessment)[0])
    assert 'name="work"' in organiser.get("/annotation").text
