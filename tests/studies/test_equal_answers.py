"""Intervals that rest on few answers: where people's answers about two systems are mostly equal, the answer says so."""

from __future__ import annotations

from typing import Any

import pytest

import pyramidion
from pyramidion.studies.predictions.estimates import PredictedComparison


def compared(different: int, *, judged: int = 20, topics: int = 40) -> PredictedComparison:
    """A gets 5 on all topics; B gets 4 on the first few of them that people judged."""
    table: list[dict[str, Any]] = []
    for topic in range(topics):
        for system in "AB":
            answer = 4 if system == "B" and topic < different else 5
            row: dict[str, Any] = {"topic": f"t{topic:02}", "summarizer": system, "summary": f"words {system} {topic}"}
            row["references"] = ["words"]
            row["scores"] = {"judge": answer + (topic * 7 + ord(system)) % 5 / 10}
            if topic < judged:
                row["judgments"] = {"quality": {"x": answer}}
            table.append(row)
    result = pyramidion.compare(
        table, "question.quality", using="imported.judge", assume_random="topics", pair=("A", "B")
    )
    assert isinstance(result, PredictedComparison)
    return result


@pytest.mark.parametrize(("different", "equal"), [(2, 18), (9, 11), (10, None), (15, None)])
def test_a_pair_is_marked_where_more_than_half_of_the_answers_are_equal(different: int, equal: int | None) -> None:
    (pair,) = compared(different).predicted[0].pairs
    assert pair.equal == equal


def test_the_answer_says_that_the_interval_may_be_too_short_and_what_to_do() -> None:
    answer = compared(3).answer()
    (sentence,) = (sentence for sentence in answer if "may be too short" in sentence)
    assert sentence.startswith("People's answers about the two are equal on 17 of the 20 topics:")
    assert '`method="bounded"`' in sentence
    assert not any("may be too short" in sentence for sentence in compared(15).answer())


def test_where_many_answers_differ_equal_ones_do_no_harm() -> None:
    (pair,) = compared(25, judged=80, topics=160).predicted[0].pairs
    assert pair.equal is None
