"""`pyramidion.study`: every study from Python, on what the verbs take."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion import study
from pyramidion.errors import UsageError
from pyramidion.scores import write_scores

FOCUS = "question.focus"


def test_models_takes_a_path_and_a_campaign_alike() -> None:
    by_path = study.models("demo", ["rouge-1.recall"], with_=FOCUS, resamples=20)
    by_campaign = study.models(pyramidion.load("demo"), "rouge-1.recall", with_=[FOCUS], resamples=20)
    assert by_path.points == by_campaign.points
    assert by_path.measures == ("rouge-1.recall",)


@pytest.mark.parametrize("verb", [study.models, study.topics])
def test_a_share_is_no_confidence_level(verb: Callable[..., object]) -> None:
    with pytest.raises(UsageError, match=r"`confidence=0\.95`: expected at least 1 and less than 100"):
        verb("demo", ["rouge-1.recall"], with_=FOCUS, resamples=5, confidence=0.95)


def test_models_by_default_are_rouge_and_the_pyramid_where_there_is_one() -> None:
    found = study.models("demo", with_=FOCUS, resamples=5, where={"part": "A"})
    assert found.measures == (
        "rouge-1.recall",
        "rouge-2.recall",
        "rouge-l.recall",
        "rouge-su4.recall",
        "pyramid.modified",
    )


def test_topics_takes_rows_a_table_and_a_file_of_scores_alike(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    words = ["ferry", "fire", "harbour", "night", "crew", "rain"]
    rows = [
        {
            "topic": f"t{topic}",
            "summarizer": f"s{summarizer}",
            "summary": " ".join(random.choice(words, 8)),
            "references": ["a ferry was on fire in the harbour"],
            "judgments": {"good": int(random.integers(1, 6))},
        }
        for topic in range(5)
        for summarizer in range(6)
    ]
    flat = tmp_path / "flat.jsonl"
    flat.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options: dict[str, Any] = {"with_": "question.good", "sizes": [1, 2], "resamples": 10}
    by_rows = study.topics(rows, ["rouge-1.recall"], **options)
    table = pyramidion.score(flat, ["rouge-1.recall", "question.good"])
    scores = tmp_path / "scores.csv"
    write_scores(table, scores)
    assert study.topics(flat, ["rouge-1.recall"], **options).points == by_rows.points
    assert study.topics(table, **options).points == by_rows.points
    assert study.topics(scores, **options).points == by_rows.points
    one = study.heterogeneity(table, with_="question.good")
    assert one == study.heterogeneity(scores, with_="question.good")
    assert one == study.heterogeneity(rows, ["rouge-1.recall"], with_="question.good")


def test_models_can_not_be_drawn_from_a_table_of_scores(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    write_scores(pyramidion.score("demo", ["rouge-1.recall", FOCUS]), scores)
    with pytest.raises(UsageError, match="a score table has no texts to sample references from"):
        study.models(scores, with_=FOCUS)


def test_heterogeneity_takes_measures_with_all_their_values() -> None:
    found = study.heterogeneity("demo", ["rouge-1", "js"], with_=FOCUS)
    assert found.measures == ("rouge-1.recall", "rouge-1.precision", "rouge-1.f", "js")


def test_orders_studies_the_pyramids_of_a_campaign() -> None:
    assert study.orders("demo").divergences


def test_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no topic has part=Z"):
        study.models("demo", with_=FOCUS, where={"part": "Z"})


def test_every_study_has_a_function_with_keywords_and_a_docstring() -> None:
    assert sorted(study.__all__) == ["choices", "heterogeneity", "labels", "model_free", "models", "orders", "topics"]
    for name in study.__all__:
        function = getattr(study, name)
        kinds = [parameter.kind for parameter in inspect.signature(function).parameters.values()]
        assert "Options:" in function.__doc__
        assert kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD) <= 2
