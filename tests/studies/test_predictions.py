"""What people answered in part and a measure predicts: the study behind `compare(using=…)`."""

from __future__ import annotations

from typing import Any

import pytest

import pyramidion
from pyramidion.errors import UsageError
from pyramidion.studies.predictions.estimates import PredictedComparison


def rows(judged_topics: int) -> list[dict[str, Any]]:
    """Two systems on twelve topics; the judge of all of them is off by a constant."""
    table = []
    for topic in range(12):
        for system, quality in (("A", 3.0), ("B", 2.0)):
            answer = quality + (topic * 7 + ord(system)) % 3 - 1
            row: dict[str, Any] = {"topic": f"t{topic}", "summarizer": system, "summary": f"words {topic} of {system}"}
            row["references"] = [f"words {topic}"]
            row["scores"] = {"predictor": answer + 0.5}
            if topic < judged_topics:
                row["judgments"] = {"quality": {"x": answer}}
            table.append(row)
    return table


def predicted_means(judged_topics: int) -> dict[str, float]:
    result = pyramidion.compare(
        rows(judged_topics), "question.quality", using="imported.predictor", assume_random="topics"
    )
    assert isinstance(result, PredictedComparison)
    means = [record for record in result.records() if record["record"] == "predicted-mean"]
    return {record["summarizer"]: record["value"] for record in means}


def test_a_predictor_that_is_off_by_a_constant_is_corrected_by_the_answers() -> None:
    """By hand: answers follow the predictor with slope 1, so that the means are those of all twelve topics."""
    expected = {
        system: sum(quality + (topic * 7 + ord(system)) % 3 - 1 for topic in range(12)) / 12
        for system, quality in (("A", 3.0), ("B", 2.0))
    }
    assert predicted_means(8) == pytest.approx(expected, abs=2e-3)  # the ridge makes the slope .999


def test_with_all_answers_the_means_are_those_of_the_answers() -> None:
    means = pyramidion.score(rows(12), "question.quality").means()
    assert predicted_means(12) == pytest.approx(dict(means.select("summarizer", "value").iter_rows()), abs=1e-12)


def test_answers_that_nobody_drew_need_an_assumption() -> None:
    with pytest.raises(UsageError, match="assume_random"):
        pyramidion.compare(rows(8), "question.quality", using="imported.predictor")
