"""Which share of the answers to ask people for, while a predictor has values for all: `design` with `using`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyramidion
from pyramidion.errors import InputError, UsageError
from pyramidion.options import DesignOptions
from pyramidion.run.evaluation import Evaluation
from pyramidion.run.prediction_data import frame_for
from pyramidion.statistics.predictions import predict_means
from pyramidion.studies.predictions.designs import LabelDesigns, plan_labels
from pyramidion.studies.predictions.labels import draw_units

DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))


def rows(judged_topics: int = 20, topics: int = 20) -> list[dict[str, Any]]:
    """Three systems; a predictor that follows people's answers with noise, and two people's answers to a part."""
    generator = np.random.default_rng(4)
    table = []
    for topic in range(topics):
        for system, quality in (("A", 3.0), ("B", 2.6), ("C", 2.0)):
            answer = quality + generator.normal()
            row: dict[str, Any] = {"topic": f"t{topic}", "summarizer": system, "summary": f"words {topic} of {system}"}
            row["references"] = [f"words {topic}"]
            row["scores"] = {"judge": answer + generator.normal()}
            if topic < judged_topics:
                row["judgments"] = {"quality": {"x": answer + 0.1, "y": answer - 0.1}}
            table.append(row)
    return table


def plan(data: Any = None, measure: str = "question.quality", **options: Any) -> LabelDesigns:
    chosen = {"using": "imported.judge", **options}
    result = pyramidion.design(rows() if data is None else data, measure=measure, **chosen)
    assert isinstance(result, LabelDesigns)
    return result


def test_a_predictor_that_follows_people_saves_answers() -> None:
    designs = plan(half_width=1.0)
    with_judge, without = (designs.design("topic", is_predicted=predicted) for predicted in (True, False))
    assert with_judge is not None and without is not None
    assert with_judge.half_width <= 1.0
    assert with_judge.answers < without.answers
    assert designs.best == with_judge
    assert with_judge.answers == 2 * 3 * with_judge.drawn  # two people, three systems


def test_a_wider_interval_needs_fewer_answers() -> None:
    shares = [plan(half_width=width).best.share for width in (0.6, 0.9, 1.4)]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) == 3


def test_a_budget_gives_the_most_precise_sample_that_it_pays_for() -> None:
    designs = plan(budget=60.0)
    assert designs.best.cost <= 60
    assert designs.best.half_width == min(design.half_width for design in designs.designs)
    assert plan(half_width=designs.best.half_width).best.cost == designs.best.cost


def test_a_difference_is_detected_with_the_power_that_was_asked_for() -> None:
    best = plan(difference=1.0, power=90).best
    assert best.power is not None and best.power >= 0.9


def test_a_pilot_of_some_topics_speaks_for_all() -> None:
    designs = plan(rows(judged_topics=10), half_width=1.0)
    assert designs.pilot.judged_topics == 10
    assert designs.best.total == 20
    assert plan(rows(judged_topics=10), half_width=1.0, topics=200).best.share < designs.best.share


def test_where_reading_costs_most_fewer_summaries_are_read() -> None:
    """Drawn SCUs need all summaries of all topics; whole topics need fewer of them."""
    options: dict[str, Any] = {"measure": "pyramid.modified", "using": "auto-pyramid", "half_width": 0.06}
    by_answers = plan("demo", cost="answer=1", **options).best
    by_summaries = plan("demo", cost="summary=100,answer=0.01", **options).best
    assert (by_answers.by, by_summaries.by) == ("scu", "topic")
    assert by_summaries.summaries < by_answers.summaries
    assert by_answers.answers < by_summaries.answers


def test_records_have_costs_and_limits() -> None:
    (record, *_) = plan(half_width=1.0).records()
    assert record["record"] == "label-design"
    assert record["lower"] < record["half_width"] < record["upper"]
    assert record["least"] <= record["half_width"] <= record["largest"]
    assert record["power"] is None and "difference" in record["reason"]


def test_sentences_name_what_to_ask_and_what_the_predictor_saves() -> None:
    first, *others = plan(half_width=1.0, cost="summary=2,answer=0.5").sentences()
    assert first.startswith("For an interval of ±1 around a difference between two systems, ask people for")
    assert "while imported.judge predicts the rest" in first
    assert any("it saves" in sentence for sentence in others)
    assert "Costs: 2 for each summary read, 0.5 for each answer." in others


def test_answers_that_are_mostly_equal_are_noted() -> None:
    table = rows()
    for place, row in enumerate(table):
        row["judgments"] = {"quality": {"x": 4.0 if place % 11 == 0 else 5.0}}
    (text,) = (table.notes for table in plan(table, half_width=1.0).tables())
    assert any("90 % of the answers are the same" in note for note in text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "half_width=` is missing"),
        ({"half_width": 1.0, "difference": 0.5}, "give one of them"),
        ({"half_width": 1.0, "by": "scu"}, "has no SCUs"),
        ({"half_width": 1.0, "by": "unit"}, "single answers"),
        ({"half_width": 1.0, "cost": "judgment=2"}, "expected topic, summary, answer"),
        ({"half_width": 1.0, "cost": "answer=much"}, "expected a number"),
    ],
)
def test_what_cannot_be_planned_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan(**options)


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        (rows(judged_topics=4), {"half_width": 1.0}, "needs 5 or more"),
        (rows(), {"half_width": 1e-9, "population": "topics"}, "even all answers do not give"),
        (rows(), {"budget": 2.0}, "pays for no sample"),
    ],
)
def test_data_that_does_not_suffice_is_an_error(table: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan(table, **options)


@pytest.mark.slow
@pytest.mark.skipif(not (DATA / "realsumm").exists(), reason="PYRAMIDION_DATA has no realsumm")
@pytest.mark.parametrize(
    ("name", "measure", "using", "by", "share"),
    [
        ("realsumm", "pyramid(weights=equal).recall", "auto-pyramid", "scu", 0.2),
        ("summeval", "question.relevance", "rouge-1.recall", "topic", 0.3),
    ],
)
def test_the_planned_half_width_is_what_samples_of_public_data_give(
    name: str, measure: str, using: str, by: Any, share: float
) -> None:
    frame = frame_for(Evaluation(DATA / name), measure, [using])
    designs = plan_labels(frame, (), DesignOptions(using=(using,), budget=1e9, by=by))
    kind = next(kind for kind in designs.pilot.kinds(designs.options) if kind.is_predicted)
    planned = kind.design(share)
    assert planned is not None
    generator = np.random.default_rng(6)
    pairs = np.triu_indices(len(frame.systems), k=1)
    widths = []
    for _ in range(20):
        prediction = predict_means(draw_units(frame, by, share, generator), adjusts=False)
        widths.append(((prediction.pair_upper - prediction.pair_lower)[pairs] / 2) ** 2)
    assert planned.half_width == pytest.approx(np.sqrt(np.mean(widths)), rel=0.05)
