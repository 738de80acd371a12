"""Checking grows with the data: twice as many topics or columns take twice as many steps, not four times as many.

Steps are counted, not timed: every comparison and every hash of a name.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pyramidion.campaign import Campaign, Contributor, Match, PeerAnnotation, Problems, Pyramid, Scu, Summary
from pyramidion.campaign.checks import KEYS, NounTable, check_tables
from pyramidion.campaign.questions import QuestionSet
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.summary_columns import SummaryColumns, recognise_summaries
from pyramidion.pyramids.checks import check_each


class Counted(str):
    """A name that counts how often it is compared or hashed."""

    steps = 0
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        Counted.steps += 1
        return str.__eq__(self, other)

    def __hash__(self) -> int:
        Counted.steps += 1
        return str.__hash__(self)


def campaign_of(topics: int) -> Campaign:
    """A pyramid and two annotated peers for each topic."""
    names = [Counted(f"T{number}") for number in range(topics)]
    text = "Rain fell."
    scus = (Scu(uid=1, label="rain", contributors=(Contributor(model="m", parts=((0, 9),)),)),)
    return Campaign(
        summaries=tuple(
            Summary(topic=topic, summarizer=who, kind="model" if who == "m" else "peer", text=text)
            for topic in names
            for who in ("m", "a", "b")
        ),
        pyramids=tuple(Pyramid(topic=topic, annotator="x", models=("m",), scus=scus) for topic in names),
        annotations=tuple(
            PeerAnnotation(topic=topic, summarizer=who, annotator="x", scus=(Match(uid=1),), unmatched=())
            for topic in names
            for who in ("a", "b")
        ),
    )


def check_rows(campaign: Campaign) -> None:
    rows = {Summary: campaign.summaries, Pyramid: campaign.pyramids, PeerAnnotation: campaign.annotations}
    tables = {noun: NounTable(Path("x"), list(enumerate(rows.get(noun, ()), start=1))) for noun in KEYS}
    problems = Problems()
    check_tables(tables, {}, QuestionSet(), problems)
    assert not problems


def check_marks(campaign: Campaign) -> None:
    problems = Problems()
    check_each([(None, campaign)], problems)
    assert problems.errors == 0


@pytest.mark.parametrize("check", [check_rows, check_marks])
def test_twice_as_many_annotations_take_twice_the_steps(check: Callable[[Campaign], None]) -> None:
    steps = []
    for topics in (50, 100):
        campaign = campaign_of(topics)
        Counted.steps = 0
        check(campaign)
        steps.append(Counted.steps)
    assert 0 < steps[1] <= 2.2 * steps[0]


@pytest.mark.parametrize("are_named", [False, True])
def test_twice_as_many_columns_take_twice_the_steps(are_named: bool) -> None:
    steps = []
    for columns in (100, 200):
        names = [Counted(f"judge {number}") for number in range(columns)]
        row: dict[str, object] = {"id": 1, "output": "Rain fell.", **dict.fromkeys(map(str, names), 4)}
        table = TableProfile([Counted("id"), Counted("output"), *names], [row])
        named = {"scores": "+".join(names)} if are_named else {}
        Counted.steps = 0
        answer = recognise_summaries(table, named, file="x.csv")
        assert isinstance(answer, SummaryColumns)
        assert answer.scores == tuple(names)
        steps.append(Counted.steps)
    assert 0 < steps[1] <= 2.2 * steps[0]
