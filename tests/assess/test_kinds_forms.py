"""Forms, preferences and writing: what they admit, what they write, and how existing work goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.assess.kinds.base import RefusedError, TaskContext
from pyramidion.assess.kinds.common import count_words, shown_text
from pyramidion.assess.kinds.form.task_type import FormWork, heading
from pyramidion.assess.kinds.preference.task_type import PreferenceWork
from pyramidion.assess.kinds.write.task_type import WriteWork
from pyramidion.assess.store.work import Event, State, Task, changed
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Document, Judgment, Preference, Summary, Topic
from pyramidion.campaign.questions import QuestionSet

CAMPAIGN = Campaign(
    word_limit=5,
    questions=QuestionSet.named("duc2006"),
    topics=(Topic(topic="T", title="Ferries", documents=(Document(id="d/1", text="A text."),)),),
    summaries=tuple(
        Summary(
            topic="T", summarizer=who, kind="model" if who == "A" else "peer", text=f"{who} one two three four five"
        )
        for who in ("A", "S1", "S2")
    ),
)
SUMMARIES = {"2": "A", "10": "S1", "1": "S2"}
PAIRS = {"1": ["S1", "A"], "2": ["S2", "S1"]}


def form(number: int, campaign: Campaign = CAMPAIGN) -> TaskContext:
    spec = {"pass": number, "summaries": SUMMARIES}
    return TaskContext(
        task=Task(id="t", kind="form", topic="T", person="p", spec=spec), campaign=campaign, person="ann"
    )


def piece(kind: str, campaign: Campaign = CAMPAIGN, **spec: Any) -> TaskContext:
    return TaskContext(task=Task(id="t", kind=kind, topic="T", person="p", spec=spec), campaign=campaign, person="ann")


def events(*steps: tuple[dict[str, Any], float]) -> list[Event]:
    return [
        Event(
            id=str(at), version=at, action="answer", changes=changes, seconds=seconds, time=f"2026-01-01T00:00:0{at}Z"
        )
        for at, (changes, seconds) in enumerate(steps, start=1)
    ]


def folded(history: list[Event]) -> State:
    state: State = {}
    for event in history:
        state = changed(state, event.changes)
    return state


def test_a_form_writes_judgments_with_time_seconds_and_comment() -> None:
    work = form(1)
    history = events(
        ({"answer/2/focus": 3}, 4.0),
        ({"answer/2/coherence": 5}, 2.5),
        ({"answer/2/focus": 4}, 1.25),
        ({"comment/2": "good"}, 3.0),
    )
    focus, coherence = FormWork().nouns(work, folded(history), history)
    assert focus == Judgment(
        topic="T",
        summarizer="A",
        question="focus",
        value=4,
        assessor="ann",
        time="2026-01-01T00:00:03Z",
        seconds=5.2,
        comment="good",
    )
    assert isinstance(coherence, Judgment)
    assert (coherence.seconds, coherence.comment) == (2.5, "")
    again = replace(CAMPAIGN, judgments=(focus, coherence))
    opened = FormWork().initial_state(form(1, again))
    assert opened == {"answer/2/focus": 4, "answer/2/coherence": 5, "comment/2": "good"}


def test_a_form_shows_summaries_in_its_own_order_cut_at_the_limit() -> None:
    material = FormWork().material(form(3))
    assert [one["handle"] for one in material["summaries"]] == ["1", "2", "10"]
    assert [one["text"] for one in material["summaries"]] == [f"{who} one two three four" for who in ("S2", "A", "S1")]
    assert {one["cut"] for one in material["summaries"]} == {1}
    (question,) = material["questions"]
    assert question["values"][2] == {"value": 3, "label": "Barely Acceptable"}
    assert "pay" in question["text"]


def test_a_form_is_handed_in_when_every_question_has_its_answer() -> None:
    work = form(2)
    state = {f"answer/{handle}/content-responsiveness": 3 for handle in ("1", "2")}
    with pytest.raises(RefusedError, match="1 question has no answer yet"):
        FormWork().check(work, state, {"done": True})
    FormWork().check(work, state, {"answer/10/content-responsiveness": 1, "done": True})


@given(st.text("ab \n\t\u00a0🚢"), st.integers(1, 9))
def test_texts_are_cut_exactly_at_the_limit(text: str, limit: int) -> None:
    shown = shown_text(text, limit)
    total = count_words(text)
    assert shown["words"] == count_words(shown["text"]) == min(limit, total)
    assert shown["cut"] == total - shown["words"]


def test_headings_say_what_a_pass_is_about() -> None:
    assert [heading(CAMPAIGN, number) for number in (1, 2, 3, 4)] == [
        "Pass 1: linguistic quality",
        "Pass 2: content responsiveness",
        "Pass 3: overall responsiveness",
        "Pass 4",
    ]


def test_preferences_write_who_stood_where_and_go_on_from_files() -> None:
    work = piece("preference", pairs=PAIRS)
    history = events(({"choice/1": "right"}, 9.0), ({"choice/2": "tie", "reason/2": "same"}, 4.0))
    first, second = PreferenceWork().nouns(work, folded(history), history)
    assert first == Preference(
        topic="T", a="S1", b="A", choice="b", assessor="ann", time="2026-01-01T00:00:01Z", seconds=9.0
    )
    assert isinstance(second, Preference)
    assert (second.choice, second.reason) == ("tie", "same")
    turned = Preference(topic="T", a="A", b="S1", choice="a", assessor="ann", reason="r")
    again = replace(CAMPAIGN, preferences=(turned, second))
    opened = PreferenceWork().initial_state(piece("preference", again, pairs=PAIRS))
    assert opened == {"choice/1": "right", "reason/1": "r", "choice/2": "tie", "reason/2": "same"}
    shown = str(PreferenceWork().material(work))
    assert "S1 one" in shown  # our texts start with names; ids occur nowhere else
    assert "'S1'" not in shown


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"choice/1": "A"}, "no choice"), ({"choice/3": "left"}, "no field"), ({"done": True}, "2 pairs have no answer")],
)
def test_preferences_refuse(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        PreferenceWork().check(piece("preference", pairs=PAIRS), {}, changes)


def test_a_model_is_written_when_it_is_handed_in() -> None:
    work, kind = piece("write"), WriteWork()
    assert kind.nouns(work, {"text": "One two."}, []) == []
    assert kind.nouns(work, {"text": " One two. ", "done": True}, []) == [
        Summary(topic="T", summarizer="ann", kind="model", text="One two.")
    ]
    kind.check(work, {}, {"read/d/1": True, "text": "One"})
    assert kind.progress(work, {"read/d/1": True, "done": True}) == (2, 2)
    model = Summary(topic="T", summarizer="ann", kind="model", text=("One.", "Two."))
    written = replace(CAMPAIGN, summaries=(model,))
    assert kind.initial_state(piece("write", written)) == {"text": "One.\nTwo."}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"read/x": True}, "no field"),
        ({"read/d/1": 1}, "read"),
        ({"text": 5}, "text"),
        ({"text": "  ", "done": True}, "no text yet"),
        ({"text": "a b c d e f", "done": True}, "6 words; the limit is 5"),
    ],
)
def test_writing_refuses(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        WriteWork().check(piece("write"), {}, changes)
