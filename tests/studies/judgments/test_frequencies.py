"""How often answers were given, against hand counts."""

from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Question, QuestionSet
from pyramidion.errors import InputError, UsageError
from pyramidion.options import FrequencyOptions
from pyramidion.studies.judgments.frequencies import judgment_frequencies
from studies.judgments.judged import FOCUS, campaign


def counts(frequencies: Any, question: str) -> dict[str, dict[float, int]]:
    return {kind: {one.value: one.count for one in found} for kind, found in frequencies.of(question).items()}


def test_every_answer_counts_and_values_of_the_scale_that_nobody_gave_are_0() -> None:
    found = judgment_frequencies(campaign(*FOCUS, questions=QuestionSet((Question(name="focus", scale=(1, 5)),))))
    assert counts(found, "focus") == {
        "human": {1: 0, 2: 0, 3: 0, 4: 0, 5: 1},
        "baseline": {1: 1, 2: 0, 3: 0, 4: 0, 5: 0},
        "participant": {1: 0, 2: 1, 3: 0, 4: 2, 5: 0},
    }
    participant = found.of("focus")["participant"]
    assert [one.share for one in participant] == pytest.approx([0, 1 / 3, 0, 2 / 3, 0])
    assert {one.n for one in participant} == {3}


def test_without_a_declared_scale_whole_numbers_between_the_ends_are_filled_in() -> None:
    found = judgment_frequencies(campaign(("t", "1", "A", "q", 2), ("t", "2", "A", "q", 4)))
    assert counts(found, "q") == {"baseline": {2: 1, 3: 0, 4: 0}, "participant": {2: 0, 3: 0, 4: 1}}


def test_a_named_set_of_questions_brings_its_scale() -> None:
    question = "overall-responsiveness"
    found = judgment_frequencies(campaign(("t", "1", "A", question, 7), questions=QuestionSet.named("tac2009")))
    assert counts(found, question) == {"baseline": {value: int(value == 7) for value in range(1, 11)}}


def test_more_than_ten_values_between_whole_numbers_are_grouped_too() -> None:
    answers = [(f"t{number}", "2", "A", "q", number + 0.5) for number in range(11)]
    grouped = [row.count for row in judgment_frequencies(campaign(*answers)).frequencies]
    assert grouped == [1] * 9 + [2]  # the highest belongs to the last
    halves = [row.value for row in judgment_frequencies(campaign(*answers[:10])).frequencies]
    assert halves == [number + 0.5 for number in range(10)]


def test_many_values_are_put_in_ten_groups_and_the_highest_belongs_to_the_last() -> None:
    answers = [(f"t{number}", "1", "A", "recall", number / 40) for number in range(41)]
    rows = judgment_frequencies(campaign(*answers)).of("recall")["baseline"]
    assert [row.count for row in rows] == [4] * 9 + [5]
    assert (rows[0].value, rows[0].below, rows[-1].below) == (0.0, 0.1, 1.0)


def test_shares_of_a_kind_add_up_and_simulated_judgments_are_said() -> None:
    found = judgment_frequencies(pyramidion.load("demo"))
    assert found.note == "simulated judgments"
    for question in found.questions:
        for rows in found.of(question).values():
            assert sum(row.share for row in rows) == pytest.approx(1)
            assert sum(row.count for row in rows) == rows[0].n


def test_no_judgments_and_unknown_questions_are_said() -> None:
    with pytest.raises(InputError, match="no judgments"):
        judgment_frequencies(campaign())
    with pytest.raises(UsageError, match="did you mean focus"):
        judgment_frequencies(campaign(*FOCUS), FrequencyOptions(question=("fokus",)))
