"""What a predictor is worth on data in which everything is labelled: gain and coverage by share of labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.options import LabelsOptions, SampledBy
from pyramidion.show.tables import ExplainedRow, Finding
from pyramidion.statistics.predictions import (
    Units,
    add_other_systems,
    estimate_means,
    fill_features,
    fit_slopes,
    fit_within_topics,
    predict_means,
)
from pyramidion.statistics.sampling import draw_within
from pyramidion.studies.predictions.frames import Frame
from pyramidion.studies.predictions.plans import clusters_of, strata_of, unit_keys


class LabelPoint(ExplainedRow, record="labels", digits=2):
    """What labels of this share are worth, by drawing them from complete data many times."""

    measure: str
    by: SampledBy
    predictors: str
    share: float
    """Share of the answers, in percent."""
    ratio: float
    """Effective answers over answers, against whole topics without a predictor: for differences between systems."""
    gain: float
    """The same against the same draw without a predictor."""
    coverage: float
    """Share of pairs whose limits contain the true difference."""
    coverage_all: float
    """Share of draws in which the limits of all pairs together contain all true differences."""
    bias: float
    """Largest mean error of a difference."""
    draws: int


class LabelsStudy(Finding):
    """Gain and coverage by share of labels, for each measure."""

    points: tuple[LabelPoint, ...]
    r_squared: tuple[float, ...]
    """Of each measure, R² of the predictors within topics and systems."""
    options: LabelsOptions
    systems: int = 0
    topics: int = 0


def study_labels(
    frame: Frame, options: LabelsOptions, *, seed: int = 0, progress: Callable[[int], None] | None = None
) -> tuple[list[LabelPoint], float]:
    """Draw labels again and again from complete answers, and compare estimates with what all answers say.

    The effective-answer ratio is the mean squared error of differences between systems with whole topics and no
    predictor, over that with the plan and the predictor, at the same share.
    """
    if np.isnan(frame.answers).any():
        missing = int(np.isnan(frame.answers).sum())
        raise UsageError(
            f"{frame.measure}: {missing:,} of {len(frame):,} answers are missing; the worth of labels is found out on "
            "data in which everything is labelled"
        )
    if len(frame.systems) < 2:
        raise UsageError(f"{frame.measure}: there is one system, and so no difference")
    by: SampledBy = options.by or ("scu" if frame.asks_scus else "topic")
    features, _ = fill_features(frame.features, frame.system_numbers)
    frame = replace(frame, features=features)
    truth = np.bincount(frame.system_numbers, weights=frame.weights * frame.answers).astype(np.float64)
    generator = np.random.default_rng(seed)
    levels = frame.topic_numbers
    fit = fit_within_topics(frame.answers, features, systems=frame.system_numbers, topics=levels, weights=frame.weights)
    points = []
    for share in options.shares:
        points.append(_point(frame, by, share, truth, options, generator))
        if progress is not None:
            progress(1)
    return points, fit.r_squared


def _point(
    frame: Frame, by: SampledBy, share: float, truth: Floats, options: LabelsOptions, generator: np.random.Generator
) -> LabelPoint:
    pairs = np.triu_indices(len(truth), k=1)
    differences = (truth[:, None] - truth[None, :])[pairs]
    squares = np.zeros(3)
    covered: list[float] = []
    all_covered: list[bool] = []
    errors = np.zeros(len(differences))
    for _ in range(options.resamples):
        topics_alone = without_features(draw_units(frame, "topic", share / 100, generator))
        units = draw_units(frame, by, share / 100, generator)
        prediction = predict_means(units, confidence=options.confidence, adjusts=False)
        for place, plain_units in enumerate((topics_alone, without_features(units))):
            means = estimate_means(plain_units, fit_slopes(plain_units)).means
            squares[place] += (((means[:, None] - means[None, :])[pairs] - differences) ** 2).mean()
        error = prediction.differences[pairs] - differences
        errors += error
        squares[2] += (error**2).mean()
        if prediction.has_interval:
            lower, upper = prediction.pair_lower[pairs], prediction.pair_upper[pairs]
            is_defined = ~np.isnan(lower)
            inside = (lower <= differences) & (differences <= upper)
            covered.append(float(inside[is_defined].mean()) if is_defined.any() else np.nan)
            low, high = prediction.all_lower[pairs], prediction.all_upper[pairs]
            all_covered.append(bool(((low <= differences) & (differences <= high))[~np.isnan(low)].all()))
    return LabelPoint(
        measure=frame.measure,
        by=by,
        predictors=", ".join(frame.predictors),
        share=share,
        ratio=float(squares[0] / squares[2]) if squares[2] else float("nan"),
        gain=float(squares[1] / squares[2]) if squares[2] else float("nan"),
        coverage=float(np.nanmean(covered)) if covered else float("nan"),
        coverage_all=float(np.mean(all_covered)) if all_covered else float("nan"),
        bias=float(np.abs(errors / options.resamples).max()),
        draws=options.resamples,
    )


def draw_units(frame: Frame, by: SampledBy, share: float, generator: np.random.Generator) -> Units:
    """The units of a complete frame with the answers of a random sample alone."""
    strata = _strata_codes(frame, by)
    draw = draw_within(strata, share, generator)
    clusters = clusters_of(frame, by)
    units = Units(
        systems=frame.system_numbers,
        topics=frame.topic_numbers,
        clusters=clusters,
        weights=frame.weights,
        answers=np.where(draw.is_drawn[clusters], frame.answers, np.nan),
        chances=draw.chances[clusters],
        features=frame.features,
        strata=strata[clusters],
    )
    if by == "unit":
        return add_other_systems(units, frame.question_numbers)
    return units


def _strata_codes(frame: Frame, by: SampledBy) -> Integers:
    if by == "topic":
        return np.zeros(len(frame.topics), dtype=np.int64)
    if by == "unit":
        return frame.system_numbers
    names = strata_of(frame, by, unit_keys(frame, by))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def without_features(units: Units) -> Units:
    """The same units without predictors."""
    return replace(units, features=np.zeros((len(units.systems), 0)))
