"""The section on assessors: only where there are several or times, with the numbers of its command."""

import msgspec
import pytest

from pyramidion.campaign import Judgment
from pyramidion.present.section import Figure
from pyramidion.reports.context import Context
from pyramidion.reports.sections import make_assessors
from pyramidion.scores import ScoreTable
from reports.sections_under_test import context_of, context_with, records_of, table_of

SCORES = ScoreTable.from_columns(measure=["js"] * 2, topic=["t"] * 2, summarizer=["x", "y"], value=[0.1, 0.2])
ONE = Judgment(topic="t", summarizer="x", question="focus", value=3, assessor="a")


def judged(*judgments: Judgment) -> Context:
    return context_with(SCORES, *judgments)


def test_there_is_no_section_for_one_assessor_without_times() -> None:
    assert make_assessors(judged()) is None
    assert make_assessors(judged(ONE)) is None


def test_times_or_a_second_assessor_make_one() -> None:
    timed = make_assessors(judged(msgspec.structs.replace(ONE, seconds=12)))
    assert timed is not None
    assert not any(isinstance(block, Figure) for block in timed.blocks)  # no severity to draw
    assert make_assessors(judged(ONE, msgspec.structs.replace(ONE, assessor="b"))) is not None


def test_the_command_gives_the_same_numbers() -> None:
    section = make_assessors(context_of("demo", "question"))
    assert section is not None
    assert section.mark == "simulated judgments"
    records = [one for one in records_of(section.commands[0]) if one["record"] == "assessor-severity"]
    for row, record in zip(table_of(section, "assessor-severity").rows, records, strict=True):
        assert row[:2] == [record["question"], record["assessor"]]
        assert row[3] == pytest.approx(record["deviation"])
