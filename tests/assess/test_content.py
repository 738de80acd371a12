"""Questions about drawn SCUs: what a plan asks, what is refused, and what becomes of the answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.kinds.assignment import Assignment, PlanSettings, TopicFacts
from pyramidion.assess.kinds.base import RefusedError, TaskContext
from pyramidion.assess.kinds.content.task_type import BOTH, BY_SCU, BY_SUMMARY, ContentWork
from pyramidion.assess.store.people import Role
from pyramidion.assess.store.work import State, Task
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import (
    Contributor,
    Match,
    PeerAnnotation,
    Pyramid,
    SampledUnit,
    Scu,
    Summary,
    encode,
)

MODEL = "Two Libyans were indicted. They were not handed over. The trial was in the Netherlands."
PEERS = {"SYS-1": "Two Libyans were indicted.", "SYS-2": "The trial was Dutch.", "SYS-3": "Nothing."}


def scu(uid: int, words: str) -> Scu:
    start = MODEL.index(words)
    contributor = Contributor(model="M", parts=((start, start + len(words)),))
    return Scu(uid=uid, label=f"Label {uid}", contributors=(contributor,))


PYRAMID = Pyramid(
    topic="T",
    models=("M",),
    annotator="maker",
    scus=(scu(1, "Two Libyans were indicted"), scu(2, "not handed over"), scu(3, "The trial was in the Netherlands")),
)


def unit(scu: int, *, drawn: bool, draw: int = 1, summarizer: str | None = None) -> SampledUnit:
    return SampledUnit(topic="T", scu=scu, drawn=drawn, chance=0.5, draw=draw, summarizer=summarizer, stratum="T")


def campaign(*sample: SampledUnit, annotations: tuple[PeerAnnotation, ...] = ()) -> Campaign:
    summaries = [Summary(topic="T", summarizer="M", kind="model", text=MODEL)]
    summaries += [Summary(topic="T", summarizer=name, kind="peer", text=text) for name, text in PEERS.items()]
    return Campaign(
        summaries=tuple(summaries), pyramids=(PYRAMID,), sample=tuple(sample), annotations=tuple(annotations)
    )


def specs(data: Campaign, order: str = BY_SCU, person: str = "ann") -> list[dict[str, Any]]:
    assignment = Assignment(kind="content", topic="T", person=person, summarizers=("M", *PEERS))
    facts = TopicFacts(topic="T", summarizers=("M", *PEERS), models=("M",))
    options = PlanSettings(kinds=("content",), seed=3, choices={"question_order": order})
    return [dict(spec) for spec in ContentWork().specs(assignment, data, facts, options)]


def asked(spec: dict[str, Any]) -> list[tuple[int, str]]:
    return [(uid, spec["summaries"][handle]) for uid, handle in spec["asked"].values()]


def context(spec: dict[str, Any], data: Campaign, state: State | None = None) -> TaskContext:
    task = Task(id="t", kind="content", topic="T", person="p", spec=spec)
    return TaskContext(task=task, campaign=data, person="ann", state=state or {})


def annotations_of(piece: TaskContext, state: State) -> list[PeerAnnotation]:
    nouns = ContentWork().nouns(piece, state, [])
    return [noun for noun in nouns if isinstance(noun, PeerAnnotation)]


@pytest.mark.parametrize(
    ("sample", "expected"),
    [
        ((unit(1, drawn=True), unit(2, drawn=False), unit(3, drawn=True)), {1: {1, 3}}),
        ((unit(1, drawn=True), unit(2, drawn=True, draw=2), unit(3, drawn=False)), {1: {1}, 2: {2}}),
        ((), {1: {1, 2, 3}}),
    ],
)
def test_each_draw_asks_its_scus_of_all_systems_and_of_no_model(
    sample: tuple[SampledUnit, ...], expected: dict[int, set[int]]
) -> None:
    found = {spec["draw"]: asked(spec) for spec in specs(campaign(*sample))}
    assert {draw: {uid for uid, _ in questions} for draw, questions in found.items()} == expected
    for questions in found.values():
        uids = {uid for uid, _ in questions}
        assert sorted(questions) == sorted((uid, peer) for uid in uids for peer in PEERS)


def test_single_answers_that_were_drawn_are_asked_and_no_others() -> None:
    sample = [unit(uid, drawn=uid == 2, summarizer=peer) for uid in (1, 2, 3) for peer in ("SYS-1", "SYS-3")]
    (spec,) = specs(campaign(*sample))
    assert sorted(asked(spec)) == [(2, "SYS-1"), (2, "SYS-3")]


def test_the_order_puts_an_scu_or_a_summary_together() -> None:
    data = campaign(unit(1, drawn=True), unit(2, drawn=True), unit(3, drawn=False))
    by_scu = asked(specs(data, BY_SCU)[0])
    by_summary = asked(specs(data, BY_SUMMARY)[0])
    assert [uid for uid, _ in by_scu] in ([1, 1, 1, 2, 2, 2], [2, 2, 2, 1, 1, 1])
    assert [name for _, name in by_scu[:3]] == [name for _, name in by_scu[3:]]
    assert by_summary[0][1] == by_summary[1][1] != by_summary[2][1]
    assert specs(data, BOTH)[0]["order"] in (BY_SCU, BY_SUMMARY)
    orders = {tuple(specs(data, BY_SUMMARY, person)[0]["summaries"].values()) for person in "abcdefgh"}
    assert len(orders) > 1


def test_the_page_is_told_neither_summarizers_nor_models() -> None:
    data = campaign(unit(1, drawn=True))
    (spec,) = specs(data)
    material = ContentWork().material(context(spec, data))
    assert "SYS-" not in str(material)
    assert "'M'" not in str(material)
    assert material["scus"][0]["wordings"] == ["Two Libyans were indicted"]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("answer/2/1", {"present": True}, "no question about SCU '2'"),
        ("answer/1/9", {"present": True}, "no question"),
        ("answer/01/1", {"present": True}, "no question"),
        ("answer/1/1", {"present": "yes"}, "present can't be"),
        ("answer/1/1", {"parts": []}, "true, false, or null"),
        ("answer/1/1", {"present": False, "parts": [[0, 3]]}, "words express it"),
        ("answer/1/1", {"present": True, "parts": [[0, 999]]}, "not within the text"),
        ("score", 1, "no field"),
    ],
)
def test_what_is_no_answer_is_refused(key: str, value: Any, message: str) -> None:
    data = campaign(unit(1, drawn=True), unit(2, drawn=False))
    (spec,) = specs(data)
    with pytest.raises(RefusedError, match=message):
        ContentWork().check(context(spec, data), {}, {key: value})


def test_answers_become_annotations_of_the_draw_and_unsure_ones_do_not() -> None:
    data = campaign(unit(1, drawn=True, draw=2))
    (spec,) = specs(data)
    handles = {name: handle for handle, name in spec["summaries"].items()}
    state: State = {
        f"answer/1/{handles['SYS-1']}": {"present": True, "parts": [[0, 11]]},
        f"answer/1/{handles['SYS-2']}": {"present": False, "parts": []},
        f"answer/1/{handles['SYS-3']}": {"present": None, "parts": []},
    }
    work = ContentWork()
    assert work.progress(context(spec, data), state) == (2, 3)
    with pytest.raises(RefusedError, match="1 question has no answer yet"):
        work.check(context(spec, data), state, {"done": True})
    found = {noun.summarizer: noun for noun in annotations_of(context(spec, data), state)}
    assert found.keys() == {"SYS-1", "SYS-2"}
    assert found["SYS-1"].scus == (Match(uid=1, contributors=(((0, 11),),)),)
    assert {(noun.draw, noun.pyramid, noun.annotator) for noun in found.values()} == {(2, "maker", "ann")}
    again = work.initial_state(context(spec, campaign(unit(1, drawn=True, draw=2), annotations=tuple(found.values()))))
    assert again == {key: value for key, value in state.items() if value["present"] is not None}


def test_answers_outside_the_plan_that_the_campaign_has_stay_with_the_task() -> None:
    outside = PeerAnnotation(
        topic="T", summarizer="SYS-1", annotator="ann", draw=1, scus=(Match(uid=1, present=False), Match(uid=3))
    )
    data = campaign(unit(1, drawn=True), unit(3, drawn=False), annotations=(outside,))
    (spec,) = specs(data)
    state = ContentWork().initial_state(context(spec, data))
    (kept,) = annotations_of(context(spec, data), state)
    assert [(match.uid, match.present) for match in kept.scus] == [(1, False), (3, True)]
    assert ContentWork().progress(context(spec, data), state) == (1, 3)


@pytest.fixture
def organiser(folder: Path, client: Callable[[str, Role], TestClient], assessment: Assessment) -> TestClient:
    """An organiser of a campaign with a pyramid for each topic."""
    with (folder / "pyramids.jsonl").open("wb") as file:
        for topic in ("T1", "T2"):
            scus = tuple(
                Scu(uid=uid, label=f"Fact {uid}", contributors=(Contributor(model="HUMAN-A"),)) for uid in range(1, 6)
            )
            file.write(encode(Pyramid(topic=topic, models=("HUMAN-A", "HUMAN-B"), scus=scus)) + b"\n")
    assessment.people.add("ann", "assessor")
    return client("olga", "organiser")


def test_a_sample_is_drawn_extended_and_dropped_on_the_plan_page(organiser: TestClient, assessment: Assessment) -> None:
    assert "Draw the sample" in organiser.get("/plan").text
    drawn = organiser.post("/plan/sample", data={"share": "20", "by": "scu", "seed": "1"})
    assert "2 of 10 SCUs are drawn (20 %)" in drawn.text
    assert [unit.draw for unit in assessment.campaign.sample if unit.drawn] == [1, 1]
    for share, message in (("20", "20 % are drawn already"), ("0", "above 0"), ("many", "is not a number")):
        refused = organiser.post("/plan/sample", data={"share": share})
        assert refused.status_code == 422
        assert message in refused.text
    assert "second look" in organiser.post("/plan/sample", data={"share": "40", "seed": "2"}).text
    assert sorted(unit.draw for unit in assessment.campaign.sample if unit.drawn) == [1, 1, 2, 2]
    organiser.post("/plan/sample/drop")
    assert assessment.campaign.sample == ()


def test_answers_of_which_overlap_is_unsure_can_be_drawn_more_often(
    organiser: TestClient, assessment: Assessment
) -> None:
    refused = organiser.post("/plan/sample", data={"share": "40", "by": "topic", "unsure": "true"})
    assert refused.status_code == 422
    assert "all drawn with the same chance" in refused.text
    drawn = organiser.post("/plan/sample", data={"share": "40", "by": "scu", "unsure": "true", "seed": "1"})
    assert "word overlap is unsure were drawn more often" in drawn.text
    before = assessment.campaign.sample
    assert {unit.stratum for unit in before} == {None}
    assert "second look" in organiser.post("/plan/sample", data={"share": "80", "seed": "2"}).text
    after = assessment.campaign.sample
    assert sum(unit.drawn for unit in after) > sum(unit.drawn for unit in before)
    assert {unit.stratum for unit in after} == {None}


def test_the_estimates_page_says_why_there_are_none_yet(
    organiser: TestClient, client: Callable[[str, Role], TestClient]
) -> None:
    assert "There is no sample" in organiser.get("/dashboard/estimates").text
    organiser.post("/plan/sample", data={"share": "20", "by": "scu", "seed": "1"})
    assert "There is no estimate yet" in organiser.get("/dashboard/estimates").text
    assert client("gus", "guest").get("/dashboard/estimates").status_code == 403
