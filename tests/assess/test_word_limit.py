"""One limit in words for every kind of work: what is judged is the same text everywhere."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.assess.kinds.base import RefusedError, TaskContext, cut_text
from pyramidion.assess.kinds.registry import TASK_TYPES
from pyramidion.assess.store.work import Task
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import Contributor, Coverage, CoverageUnit, Pyramid, Question, Scu, Summary, Topic
from pyramidion.campaign.questions import QuestionSet

MODEL = "Two men fled. One was caught."
PEER = "Two men fled. They were accused. Rain came late in the evening."
CUT = "Two men fled. They were"
PYRAMID = Pyramid(
    topic="T",
    models=("HUMAN-A",),
    annotator="ann",
    scus=(Scu(uid=1, label="fled", contributors=(Contributor(model="HUMAN-A", parts=((0, 12),)),)),),
)
CAMPAIGN = Campaign(
    word_limit=5,
    summaries=(
        Summary(topic="T", summarizer="HUMAN-A", kind="model", text=MODEL),
        Summary(topic="T", summarizer="SYS", kind="peer", text=PEER),
        Summary(topic="T", summarizer="SYS-2", kind="peer", text=PEER),
    ),
    pyramids=(PYRAMID,),
    questions=QuestionSet((Question(name="clear", text="Is it clear?", scale=(1, 5)),)),
)
ONE = {"summaries": {"1": "SYS"}, "models": {"1": "HUMAN-A"}}
SPECS: dict[str, dict[str, Any]] = {
    "form": {"pass": 1, **ONE},
    "preference": {"pairs": {"1": ["SYS", "SYS-2"]}},
    "peer": {**ONE, "pyramid": "ann", "mode": "full", "non_matching": True},
    "coverage": {**ONE, "units": "clauses"},
}


def context(kind: str, campaign: Campaign = CAMPAIGN) -> TaskContext:
    task = Task(id="t", kind=kind, topic="T", person="p", spec=SPECS[kind])
    return TaskContext(task=task, campaign=campaign, person="ann")


@pytest.mark.parametrize("kind", SPECS)
def test_every_kind_of_work_shows_the_summary_cut_at_the_limit_and_says_so(kind: str) -> None:
    material = json.dumps(TASK_TYPES[kind].material(context(kind)))
    assert f'"text": "{CUT}", "words": 5, "cut": 7' in material
    assert "accused" not in material
    assert '"limit": 5' in material


@pytest.mark.parametrize("kind", SPECS)
def test_the_limit_of_a_topic_takes_the_place_of_the_campaign_s(kind: str) -> None:
    campaign = replace(CAMPAIGN, topics=(Topic(topic="T", attributes={"word_limit": 3}),))
    material = json.dumps(TASK_TYPES[kind].material(context(kind, campaign)))
    assert '"text": "Two men fled.", "words": 3, "cut": 9' in material


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("peer", {"scu/1": {"present": True, "contributors": [[[33, 37]]]}}),
        ("peer", {"unmatched": [[[33, 37]]]}),
        ("coverage", {"unit/1": {"percent": 100, "sentences": [3]}}),
    ],
)
def test_what_lies_beyond_the_limit_can_not_be_marked(kind: str, changes: dict[str, Any]) -> None:
    whole = replace(CAMPAIGN, word_limit=None)
    TASK_TYPES[kind].check(context(kind, whole), {}, changes)
    with pytest.raises(RefusedError):
        TASK_TYPES[kind].check(context(kind), {}, changes)


def test_imported_marks_beyond_the_limit_stay() -> None:
    before = {"scu/1": {"present": True, "contributors": [[[33, 37]]]}, "unmatched": [[[38, 42]]]}
    added = {"unmatched": [[[38, 42]], [[0, 3]]]}
    TASK_TYPES["peer"].check(context("peer"), before, {**before, **added})
    units = (CoverageUnit(unit=(0, 13), percent=100, peer_units=((33, 63),)), CoverageUnit(unit=(14, 29), percent=0))
    coverage = Coverage(topic="T", summarizer="SYS", model="HUMAN-A", assessor="ann", units=units)
    marked = context("coverage", replace(CAMPAIGN, coverage=(coverage,)))
    state = TASK_TYPES["coverage"].initial_state(marked)
    assert state["unit/1"] == {"percent": 100, "sentences": [3]}
    (row,) = TASK_TYPES["coverage"].nouns(marked, state, [])
    assert row == coverage


@given(st.text(alphabet="ab .\n\u00a0\u0301é", max_size=60), st.integers(1, 6))
def test_a_text_that_is_cut_is_the_beginning_of_the_whole_so_places_stay_right(text: str, limit: int) -> None:
    assert text.startswith(cut_text(text, limit))
