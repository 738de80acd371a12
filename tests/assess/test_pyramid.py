"""Pyramids as work: what is admitted, and what becomes of it in the files."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.assess.kinds.base import RefusedError, TaskContext
from pyramidion.assess.kinds.pyramid.task_type import PyramidWork, state_of
from pyramidion.assess.store.work import Task
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import Contributor, Pyramid, Scu, Summary

TEXTS = {"HUMAN-A": "Two were accused. 👩‍👩‍👧 one fled.", "HUMAN-B": "Two men were accused.", "HUMAN-C": "One fled."}
KIND = PyramidWork()
PIECE = TaskContext(
    task=Task(
        id="t", kind="pyramid", topic="T", person="p", spec={"models": {"1": "HUMAN-C", "2": "HUMAN-A", "3": "HUMAN-B"}}
    ),
    campaign=Campaign(
        summaries=tuple(Summary(topic="T", summarizer=who, kind="model", text=text) for who, text in TEXTS.items())
    ),
    person="ann",
)


def scu(*contributors: Any, label: str = "Two were accused") -> dict[str, Any]:
    return {
        "label": label,
        "comment": "",
        "contributors": [{"model": model, "parts": parts} for model, parts in contributors],
    }


def test_scus_become_a_pyramid_of_the_annotator() -> None:
    state = {"scu/2": scu(("1", [[0, 9]])), "scu/1": scu(("3", [[0, 3], [8, 20]]), ("2", [[0, 16]])), "done": True}
    (pyramid,) = KIND.nouns(PIECE, state, [])
    assert isinstance(pyramid, Pyramid)
    assert pyramid.models == ("HUMAN-A", "HUMAN-B", "HUMAN-C")  # in the campaign's order
    assert (pyramid.annotator, pyramid.status) == ("ann", "annotated")
    first, second = pyramid.scus
    assert first == Scu(
        uid=1,
        label="Two were accused",
        contributors=(
            Contributor(model="HUMAN-B", parts=((0, 3), (8, 20))),
            Contributor(model="HUMAN-A", parts=((0, 16),)),
        ),
    )
    assert second.weight == 1
    assert state_of(PIECE, pyramid) == {key: value for key, value in state.items() if key != "done"}
    assert KIND.owns_row(PIECE, pyramid)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("scu/0", scu(), "number from 1"),
        ("scu/01", scu(), "number from 1"),
        ("scu/1", {"label": "x"}, "needs label, comment and contributors"),
        ("scu/1", {**scu(), "weight": 4}, "has the fields"),
        ("scu/1", scu(("9", [[0, 2]])), "no model '9'"),
        ("scu/1", scu(("1", [])), "expected parts"),
        ("scu/1", scu(("1", [[0, 2.5]])), "expected parts"),
        ("scu/1", scu(("1", [[0, 99]])), "not within the text"),
        ("scu/1", scu(("1", [[3, 4]])), "no word"),
        ("scu/1", scu(("1", [[4, 8], [0, 3]])), "out of order"),
        ("scu/1", scu(("1", [[0, 5], [4, 8]])), "overlap"),
        ("scu/1", scu(("1", [[0, 3]]), ("1", [[4, 8]])), "at most one from each model"),
        ("scu/1", scu(label="x" * 2001), "at most 2,000"),
        ("other", 1, "no field"),
        ("done", 1, "true or absent"),
        ("done", True, "no SCU yet"),
    ],
)
def test_what_is_no_scu_is_refused(key: str, value: Any, said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        KIND.check(PIECE, {}, {key: value})


def test_it_is_handed_in_with_labels_and_then_stays() -> None:
    state = {"scu/1": scu(("1", [[0, 3]]), label=" "), "scu/3": scu()}
    with pytest.raises(RefusedError, match="1 SCU has no label yet: 1"):
        KIND.check(PIECE, state, {"done": True})
    state["scu/1"] = scu(("1", [[0, 3]]))
    with pytest.raises(RefusedError, match="1 SCU has no contributor yet: 3"):
        KIND.check(PIECE, state, {"done": True})
    KIND.check(PIECE, state, {"done": True, "scu/3": None})
    with pytest.raises(RefusedError, match="open it again"):
        KIND.check(PIECE, {**state, "done": True}, {"scu/3": None})


def test_doubled_contributors_of_an_imported_pyramid_can_stay_but_not_grow() -> None:
    before = {"scu/1": scu(("1", [[0, 3]]), ("1", [[4, 8]]))}
    KIND.check(PIECE, before, {"scu/1": {**before["scu/1"], "label": "changed"}})
    with pytest.raises(RefusedError, match="at most one"):
        KIND.check(PIECE, before, {"scu/1": scu(("1", [[0, 3]]), ("1", [[4, 8]]), ("1", [[8, 9]]))})


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=3), st.lists, max_leaves=4))
def test_no_value_breaks_the_check(value: Any) -> None:
    for changes in ({"scu/1": value}, {"scu/1": scu(("1", value))}, {"scu/1": scu((value, [[0, 1]]))}):
        try:
            KIND.check(PIECE, {}, changes)
        except RefusedError:
            continue
        assert value is None or isinstance(value, (list, str))
