"""`study labels`: what a predictor is worth, on data in which everything is labelled."""

from pathlib import Path

import numpy as np
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.options import LabelsOptions
from pyramidion.studies.predictions.frames import Frame
from pyramidion.studies.predictions.labels import study_labels


def frame_of(features: np.ndarray, answers: np.ndarray) -> Frame:
    """Systems × topics as a frame."""
    systems, topics = (numbers.ravel() for numbers in np.indices(answers.shape))
    return Frame(
        measure="question.q",
        systems=tuple(f"S{number}" for number in range(answers.shape[0])),
        topics=tuple(f"D{number}" for number in range(answers.shape[1])),
        questions=(),
        system_numbers=systems,
        topic_numbers=topics,
        question_numbers=topics,
        weights=np.full(answers.size, 1 / answers.shape[1]),
        answers=answers.ravel(),
        features=features.reshape(answers.size, 1),
        predictors=("judge",),
    )


def test_a_predictor_that_explains_half_of_the_variance_is_worth_twice_the_answers() -> None:
    # Signal and noise of the same variance; with few topics drawn of many, the gain is 1/(1 − R²) = 2.
    generator = np.random.default_rng(0)
    signal, noise = generator.exponential(size=(2, 5, 400))
    frame = frame_of(signal, 3 * generator.normal(size=400) + signal + noise)
    points, r_squared = study_labels(frame, LabelsOptions(shares=(10.0,), resamples=300))
    assert r_squared == pytest.approx(0.5, abs=0.04)
    assert points[0].gain == pytest.approx(2, abs=0.3)
    assert 0.93 < points[0].coverage < 0.97
    assert points[0].coverage_all > 0.92


def test_noise_is_worth_nothing_and_costs_nothing() -> None:
    generator = np.random.default_rng(1)
    frame = frame_of(generator.normal(size=(5, 200)), generator.exponential(size=(5, 200)))
    points, _ = study_labels(frame, LabelsOptions(shares=(30.0,), resamples=200))
    assert points[0].gain == pytest.approx(1, abs=0.03)


def test_points_are_printed_and_drawn(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "labels.svg"
    words = ["study", "labels", "demo", "-m", "pyramid.recall", "--using", "auto-pyramid", "--shares", "20,50"]
    code, output, _ = run(*words, "--resamples", "20", "--format", "json", "--figure", str(target))
    assert code == 0
    found = records(output)
    assert [(record["record"], record["share"], record["by"]) for record in found] == [
        ("labels", 20.0, "scu"),
        ("labels", 50.0, "scu"),
    ]
    assert target.stat().st_size > 1000


def test_what_is_missing_is_asked_for(run: Run) -> None:
    assert "--using is missing" in run("study", "labels", "demo", "-m", "pyramid.recall")[2]
    assert "-m is missing" in run("study", "labels", "demo", "--using", "auto-pyramid")[2]


def test_the_verb_has_the_same_points() -> None:
    study = pyramidion.study.labels(
        "demo", "question.focus", using="rouge-2.recall", shares=[50], resamples=20, by="topic"
    )
    assert [point.by for point in study.points] == ["topic"]
