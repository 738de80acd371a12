"""Peers, coverage and adjudication as work: what is admitted, and what becomes of it in the files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.adjudicate.double_annotation import DoubleAnnotation, find_double_annotations
from pyramidion.assess.kinds.adjudicate.task_type import AdjudicateWork
from pyramidion.assess.kinds.adjudicate_peer.task_type import AdjudicatePeerWork
from pyramidion.assess.kinds.base import RefusedError, TaskContext
from pyramidion.assess.kinds.coverage.task_type import CoverageWork
from pyramidion.assess.kinds.peer.task_type import PeerWork, mark_of
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import Task
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import Contributor, Coverage, CoverageUnit, Match, PeerAnnotation, Pyramid, Scu, Summary

MODEL = "Two were accused, because they fled the country. One was caught."
PEER = "Two fled. They were accused. It rained."
ANN = Pyramid(
    topic="T",
    models=("HUMAN-A",),
    annotator="ann",
    scus=(
        Scu(uid=1, label="accused", contributors=(Contributor(model="HUMAN-A", parts=((0, 16),)),)),
        Scu(uid=2, label="fled", contributors=(Contributor(model="HUMAN-A", parts=((26, 47),)),)),
    ),
)
BOB = Pyramid(topic="T", models=("HUMAN-A",), annotator="bob", scus=(ANN.scus[0],))
CAMPAIGN = Campaign(
    summaries=(
        Summary(topic="T", summarizer="HUMAN-A", kind="model", text=MODEL),
        Summary(topic="T", summarizer="SYS", kind="peer", text=PEER),
    ),
    pyramids=(ANN, BOB),
)
SPEC = {"summaries": {"1": "SYS"}, "models": {"1": "HUMAN-A"}, "pyramid": "ann", "mode": "full", "non_matching": True}


def piece(kind: str, campaign: Campaign = CAMPAIGN, **spec: Any) -> TaskContext:
    task = Task(id="t", kind=kind, topic="T", person="p", spec={**SPEC, **spec})
    return TaskContext(task=task, campaign=campaign, person="ann")


def test_a_peer_with_words_becomes_an_annotation() -> None:
    state = {
        "scu/1": {"present": True, "contributors": [[[10, 28]]], "comment": "sure"},
        "scu/2": {"present": None, "contributors": []},
        "unmatched": [[[29, 39]]],
        "done": True,
    }
    (found,) = PeerWork().nouns(piece("peer"), state, [])
    assert found == PeerAnnotation(
        topic="T",
        summarizer="SYS",
        scus=(Match(uid=1, contributors=(((10, 28),),), comment="sure"),),
        annotator="ann",
        unmatched=(((29, 39),),),
        pyramid="ann",
        status="annotated",
    )
    (light,) = PeerWork().nouns(piece("peer", mode="light"), {"scu/2": {"present": False, "contributors": []}}, [])
    assert isinstance(light, PeerAnnotation)
    assert (light.unmatched, light.scus) == (None, (Match(uid=2, present=False),))
    again = replace(CAMPAIGN, annotations=(found,))
    assert PeerWork().initial_state(piece("peer", again)) == {
        "scu/1": state["scu/1"],
        "unmatched": state["unmatched"],
        "pyramid": mark_of(ANN),
    }


@pytest.mark.parametrize(
    ("changes", "spec", "said"),
    [
        ({"scu/9": {"present": True, "contributors": [[[0, 3]]]}}, {}, "no SCU 9"),
        ({"scu/1": {"present": True, "contributors": []}}, {}, "mark the words"),
        ({"scu/1": {"present": False, "contributors": [[[0, 3]]]}}, {}, "so it is present"),
        ({"scu/1": {"present": 1, "contributors": []}}, {}, "can't be 1"),
        ({"scu/1": {"present": True, "contributors": [[[0, 99]]]}}, {}, "not within"),
        ({"unmatched": [[[0, 3]]]}, {"non_matching": False}, "is not marked"),
        ({"unmatched": 4}, {}, "list of units"),
        ({"pyramid": "other"}, {}, "another pyramid"),
        ({"done": True}, {"mode": "light"}, "2 SCUs are still not decided: 1, 2"),
        ({"scu/1": {"present": None, "contributors": []}, "done": True}, {}, "1 SCU is still unsure"),
        ({"label": "x"}, {}, "no field"),
    ],
)
def test_what_is_no_decision_about_a_peer_is_refused(changes: dict[str, Any], spec: dict[str, Any], said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        PeerWork().check(piece("peer", **spec), {}, changes)


def test_work_on_a_peer_stays_with_the_pyramid_that_it_began_with() -> None:
    agreed = Pyramid(topic="T", models=("HUMAN-A",), annotator="consensus", consensus=True, scus=(ANN.scus[1],))
    campaign = replace(CAMPAIGN, pyramids=(ANN, BOB, agreed))
    new = piece("peer", campaign, pyramid="")
    assert [scu["uid"] for scu in PeerWork().material(new)["scus"]] == [2]
    begun = replace(new, state={"pyramid": mark_of(ANN)})
    assert [scu["uid"] for scu in PeerWork().material(begun)["scus"]] == [1, 2]


def test_coverage_is_written_when_every_unit_has_its_share() -> None:
    kind, work = CoverageWork(), piece("coverage", units="clauses")
    assert [MODEL[start:end] for start, end in kind.material(work)["model"]["units"]] == [
        "Two were accused",
        "because they fled the country.",
        "One was caught.",
    ]
    state: dict[str, Any] = {"unit/1": {"percent": 100, "sentences": [2]}, "unit/2": {"percent": 40, "sentences": [1]}}
    assert kind.nouns(work, state, []) == []
    with pytest.raises(RefusedError, match="1 unit has no answer yet"):
        kind.check(work, state, {"done": True})
    state["unit/3"] = {"percent": 0, "sentences": []}
    kind.check(work, state, {"done": True})
    (found,) = kind.nouns(work, state, [])
    assert found == Coverage(
        topic="T",
        summarizer="SYS",
        model="HUMAN-A",
        assessor="ann",
        units=(
            CoverageUnit(unit=(0, 16), percent=100, peer_units=((10, 28),)),
            CoverageUnit(unit=(18, 48), percent=40, peer_units=((0, 9),)),
            CoverageUnit(unit=(49, 64), percent=0),
        ),
    )
    assert kind.initial_state(piece("coverage", replace(CAMPAIGN, coverage=(found,)), units="clauses")) == state
    assert kind.progress(work, state) == (3, 3)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("unit/4", {"percent": 20, "sentences": [1]}, "3 units"),
        ("unit/1", {"percent": 30, "sentences": [1]}, "30 % is not on the scale"),
        ("unit/1", {"percent": True, "sentences": [1]}, "not on the scale"),
        ("unit/1", {"percent": 20, "sentences": [4]}, "numbers from 1 to 3"),
        ("unit/1", {"percent": 20, "sentences": [2, 1]}, "in order"),
        ("unit/1", {"percent": 20, "sentences": []}, "mark the sentences"),
        ("unit/1", {"percent": 0, "sentences": [1]}, "some of it is expressed"),
        ("unit/1", {"percent": 20}, "numbers from"),
        ("x", 1, "no field"),
    ],
)
def test_what_is_no_coverage_is_refused(key: str, value: Any, said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        CoverageWork().check(piece("coverage", units="clauses"), {}, {key: value})


def test_a_consensus_is_written_when_it_is_handed_in_and_never_counts_as_a_coder() -> None:
    kind, work = AdjudicateWork(), piece("adjudicate", annotators=["ann", "bob"])
    pairs = kind.material(work)["pairs"]
    assert [(one["first"], one["second"], one["overlap"]) for one in pairs] == [(2, None, 0.0), (1, 1, 1.0)]
    scu = {"label": "accused", "comment": "", "contributors": [{"model": "1", "parts": [[0, 16]]}]}
    state: dict[str, Any] = {"scu/1": scu, "pair/1-1": {"choice": "a", "scu": 1}, "status": "reviewed"}
    with pytest.raises(RefusedError, match="1 of 2 pairs have no choice yet"):
        kind.check(work, state, {"done": True})
    kind.check(work, state, {"pair/2-": {"choice": "neither"}, "done": True})
    assert kind.nouns(work, state, []) == []
    (found,) = kind.nouns(work, {**state, "done": True}, [])
    assert isinstance(found, Pyramid)
    assert (found.consensus, found.status, found.annotator) == (True, "reviewed", "consensus")
    for changes in ({"pair/x": {"choice": "a"}}, {"pair/1-1": {"choice": "c"}}, {"status": "done"}, {"x": 1}):
        with pytest.raises(RefusedError):
            kind.check(work, state, changes)
    rows = {tuple(row["between"]): row for row in kind.agreement(work, state)}
    assert rows["B", "consensus"]["alpha"]["word/nominal"] == 1
    assert rows["A", "B"]["alpha"] == rows["A", "consensus"]["alpha"]
    assert find_double_annotations(replace(CAMPAIGN, pyramids=(ANN, BOB, found))) == [
        DoubleAnnotation(kind="adjudicate", topic="T", annotators=("ann", "bob"))
    ]


def test_a_consensus_about_a_peer_starts_with_what_both_said_alike() -> None:
    ann = PeerAnnotation(
        topic="T",
        summarizer="SYS",
        annotator="ann",
        pyramid="ann",
        unmatched=(),
        scus=(Match(uid=1, contributors=(((10, 28),),)), Match(uid=2, contributors=(((0, 9),),))),
    )
    bob = PeerAnnotation(
        topic="T",
        summarizer="SYS",
        annotator="bob",
        pyramid="ann",
        unmatched=(),
        scus=(Match(uid=1, contributors=(((10, 28),),)),),
    )
    campaign = replace(CAMPAIGN, annotations=(ann, bob))
    (twice,) = [one for one in find_double_annotations(campaign) if one.kind == "adjudicate-peer"]
    (spec,) = twice.specs(campaign)
    assert spec == {
        "models": {"1": "HUMAN-A"},
        "annotators": ["ann", "bob"],
        "summaries": {"1": "SYS"},
        "pyramid": "ann",
        "mode": "full",
        "non_matching": True,
    }
    kind, work = AdjudicatePeerWork(), piece("adjudicate-peer", campaign, **spec)
    state = kind.initial_state(work)
    assert state == {"scu/1": {"present": True, "contributors": [[[10, 28]]]}}
    assert kind.progress(work, state) == (0, 1)
    with pytest.raises(RefusedError, match="1 of 1 pairs"):
        kind.check(work, state, {"done": True})
    choice = {"pair/2": {"choice": "b"}, "status": "final", "done": True}
    kind.check(work, state, choice)
    (found,) = kind.nouns(work, {**state, **choice}, [])
    assert isinstance(found, PeerAnnotation)
    assert (found.consensus, found.status, [match.uid for match in found.scus]) == (True, "final", [1])
    rows = {tuple(row["between"]): row for row in kind.agreement(work, state)}
    assert rows["B", "consensus"]["difference"] == 0
    assert rows["A", "B"]["difference"] == 1.0 - 0.5  # D 2 and 1, X′ 2: Max(2) = 2


def test_the_organiser_gives_a_consensus_to_someone_and_chooses_what_pages_show(
    client: Callable[[str, Role], TestClient], assessment: Assessment
) -> None:
    organiser = client("olga", "organiser")
    assert "No topic has pyramids" in organiser.get("/annotation").text
    answer = organiser.post("/annotation/settings", data={"suggestions": "true"}, follow_redirects=False)
    assert answer.status_code == 303
    assert assessment.settings.get("annotation-suggestions") is True
    assert assessment.settings.get("annotation-scores") is False
    assert organiser.post("/annotation/adjudicate", data={"work": "x", "person": "y"}).status_code == 404
    assert client("ann", "assessor").get("/annotation").status_code == 403
