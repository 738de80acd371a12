"""People and predictors on public data: ratio and coverage by share of labels, noise, self-preference, time.

Run `PYRAMIDION_DATA=FOLDER python -m benchmarks.predictions [DRAWS]`; FOLDER has the campaigns realsumm and summeval,
in which everything is labelled, so that the truth is known. The tables of docs/concepts/predictions.md come from it.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Pyramid, TopicData, plain
from pyramidion.measures.pyramid import PyramidMeasure
from pyramidion.options import LabelsOptions, SampledBy
from pyramidion.pyramids.suggestions import Idf, presence
from pyramidion.run.evaluation import Evaluation
from pyramidion.run.prediction_data import chosen_topics, frame_for
from pyramidion.statistics.predictions import estimate_means, fit_slopes, fit_within_topics, predict_means
from pyramidion.studies.predictions.frames import Frame, frame_of_pyramids, match_by_words
from pyramidion.studies.predictions.labels import draw_units, study_labels

SHARES = (10.0, 20.0, 30.0, 50.0)
LITEPYRAMID = "pyramid(weights=equal).recall"
MATCHER = "auto-pyramid"


def cases(data: Path) -> Iterator[tuple[str, Frame, SampledBy]]:
    """What is predicted by what, with what is drawn."""
    realsumm, demo = Evaluation(data / "realsumm"), Evaluation("demo")
    frame = frame_for(realsumm, LITEPYRAMID, [MATCHER])
    for by in ("scu", "topic", "unit"):
        yield f"REALSumm, {MATCHER}", frame, by
    yield "REALSumm, ROUGE-1 recall", frame_for(realsumm, "question.litepyramid-recall", ["rouge-1.recall"]), "topic"
    yield f"demo, {MATCHER}", frame_for(demo, "pyramid.modified", [MATCHER]), "scu"
    summeval = Evaluation(data / "summeval")
    for question in ("relevance", "coherence", "fluency", "consistency"):
        yield (
            f"SummEval {question}, ROUGE-1 recall",
            frame_for(summeval, f"question.{question}", ["rouge-1.recall"]),
            "topic",
        )


def with_noise(frame: Frame, seed: int = 1) -> Frame:
    """The frame with noise as its only predictor."""
    noise = np.random.default_rng(seed).normal(size=(len(frame), 1))
    return replace(frame, features=noise, predictors=("noise",))


def bias_of_preference(frame: Frame, share: float, draws: int, by: SampledBy) -> tuple[float, float]:
    """A judge that likes the first system better by 0.3: its own bias, and the mean error of the estimate."""
    liked = frame.system_numbers == 0
    biased = replace(frame, features=frame.features + 0.3 * liked[:, None])
    truth = np.bincount(frame.system_numbers, weights=frame.weights * frame.answers)
    generator = np.random.default_rng(2)
    errors = []
    for _ in range(draws):
        units = draw_units(biased, by, share / 100, generator)
        means = estimate_means(units, fit_slopes(units)).means
        apart = means - truth
        errors.append(apart[0] - apart[1:].mean())
    alone = np.bincount(frame.system_numbers, weights=frame.weights * 0.3 * liked)
    return float(alone[0] - alone[1:].mean()), float(np.mean(errors))


def main() -> None:
    """Print all tables."""
    data = Path(os.environ["PYRAMIDION_DATA"])
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    realsumm: Frame | None = None
    for name, evaluation, measure in (
        ("REALSumm", Evaluation(data / "realsumm"), LITEPYRAMID),
        ("demo", Evaluation("demo"), "pyramid.modified"),
    ):
        print_matchers(name, evaluation, measure)
    print("| truth, predictor | drawn | R² | share | ratio | gain | pairs | all pairs | bias |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, frame, by in cases(data):
        realsumm = realsumm or frame
        print_points(name, frame, by, draws)
    assert realsumm is not None
    for by in ("scu", "topic"):
        print_points("REALSumm, noise", with_noise(realsumm), by, draws)
    for share in (10.0, 30.0):
        alone, bias = bias_of_preference(realsumm, share, draws, "scu")
        print(f"self-preference +0.3 at {share:g} %: judge alone {alone:+.3f}, estimate {bias:+.4f}")
    units = draw_units(realsumm, "scu", 0.2, np.random.default_rng(0))
    start = time.process_time()
    predict_means(units)
    print(f"one estimate, 50 topics × 25 systems × 11 SCUs: {time.process_time() - start:.2f} CPU seconds")


def print_matchers(name: str, evaluation: Evaluation, measure: str) -> None:
    """How far word recall alone and the matcher follow people's answers: R², and 1/(1 − R²) with held-out slopes."""
    idf = Idf.of(evaluation.campaign)

    def texts_of(topic: TopicData) -> dict[str, str]:
        return {model.summarizer: plain(model.text) for model in topic.models}

    def recall(pyramid: Pyramid, peers: Mapping[str, str], texts: Mapping[str, str]) -> Floats:
        return presence(pyramid, peers, texts, idf)

    (selection,) = evaluation.select([measure])
    assert isinstance(selection.measure, PyramidMeasure) and selection.statistic
    matchers = {"word recall": match_by_words(texts_of, recall)}
    frame_of_recall = frame_of_pyramids(chosen_topics(evaluation), selection.measure, selection.statistic, matchers)
    for predictor, frame in (("word recall", frame_of_recall), (MATCHER, frame_for(evaluation, measure, [MATCHER]))):
        for level, numbers in (("topics", frame.topic_numbers), ("SCUs", frame.question_numbers)):
            fit = fit_within_topics(
                frame.answers,
                frame.features,
                systems=frame.system_numbers,
                topics=numbers,
                weights=frame.weights,
                folds=frame.topic_numbers,
            )
            print(f"{name}, {predictor}, within {level}: R² {fit.r_squared:.3f}, ratio {fit.held_out_ratio:.2f}")


def print_points(name: str, frame: Frame, by: SampledBy, draws: int) -> None:
    """The rows of one case."""
    options = LabelsOptions(shares=SHARES, resamples=draws, by=by)
    points, r_squared = study_labels(frame, options)
    for point in points:
        print(
            f"| {name} | {by} | {r_squared:.2f} | {point.share:g} | {point.ratio:.2f} | {point.gain:.2f} | "
            f"{100 * point.coverage:.1f} | {100 * point.coverage_all:.1f} | {point.bias:.4f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
