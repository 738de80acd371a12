"""The planned variance of a difference, against all samples that can be drawn, counted out."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from pyramidion.statistics.label_planning import expected_precision, pilot_spread
from pyramidion.statistics.predictions import Units, estimate_means, pair_variances, predict_means


def complete_units(systems: int, topics: int, scus: int, *, seed: int = 3) -> Units:
    """Answers of all systems about all SCUs of all topics, without a predictor; SCUs as clusters."""
    generator = np.random.default_rng(seed)
    system, topic, scu = (
        numbers.ravel() for numbers in np.meshgrid(range(systems), range(topics), range(scus), indexing="ij")
    )
    quality = 0.3 * generator.normal(size=systems)[system] + generator.normal(size=(topics, scus))[topic, scu]
    answers = (quality + generator.normal(size=len(system)) > 0).astype(float)
    return Units(
        systems=system,
        topics=topic,
        clusters=topic * scus + scu,
        weights=np.full(len(system), 1 / (topics * scus)),
        answers=answers,
        chances=np.ones(len(system)),
        features=np.zeros((len(system), 0)),
        strata=topic,
    )


def mean_difference(units: Units, is_drawn: np.ndarray, chance: float) -> float:
    answers = np.where(is_drawn, units.answers, np.nan)
    chances = np.full(len(answers), chance)
    drawn = Units(**{**vars(units), "answers": answers, "chances": chances})
    means = estimate_means(drawn, np.zeros((int(units.topics.max()) + 1, 0))).means
    return float(means[0] - means[1])


def test_whole_topics_have_the_variance_of_all_samples_that_can_be_drawn() -> None:
    units = complete_units(2, 7, 1)
    differences = [mean_difference(units, np.isin(units.topics, sample), 3 / 7) for sample in combinations(range(7), 3)]
    spread = pilot_spread(units, draws_topics=True, topics=7)
    planned = expected_precision(spread, 3 / 7, topics=7)
    assert planned.variance == pytest.approx(np.var(differences), rel=1e-9)
    assert planned.freedom == 2


def test_scus_of_each_topic_have_the_variance_of_all_samples_that_can_be_drawn() -> None:
    """Two of four SCUs of one topic in all six ways; topics are drawn from independently, so variances add."""
    units = complete_units(2, 3, 4)
    total = 0.0
    for topic in range(3):
        everything_else = units.topics != topic
        differences = []
        for sample in combinations(range(4), 2):
            is_drawn = everything_else | np.isin(units.clusters, [4 * topic + scu for scu in sample])
            answers = np.where(is_drawn, units.answers, np.nan)
            chances = np.where(everything_else, 1.0, 0.5)
            drawn = Units(**{**vars(units), "answers": answers, "chances": chances})
            means = estimate_means(drawn, np.zeros((3, 0))).means
            differences.append(means[0] - means[1])
        total += float(np.var(differences))
    spread = pilot_spread(units, draws_topics=False, topics=3)
    assert expected_precision(spread, 0.5, topics=3).variance == pytest.approx(total, rel=1e-9)


def test_with_all_answers_only_the_choice_of_topics_is_left() -> None:
    units = complete_units(3, 12, 1)
    spread = pilot_spread(units, draws_topics=True, topics=12)
    assert expected_precision(spread, 1.0, topics=12).variance == 0
    planned = expected_precision(spread, 1.0, topics=12, population="topics")
    answers = units.answers.reshape(3, 12)
    expected = [stats.sem(answers[a] - answers[b]) ** 2 for a, b in combinations(range(3), 2)]
    assert planned.variance == pytest.approx(np.mean(expected))
    assert planned.largest_variance == pytest.approx(np.max(expected))


def test_more_topics_of_the_same_kind_make_the_mean_of_all_steadier() -> None:
    units = complete_units(3, 12, 1)
    for topics in (12, 48):
        spread = pilot_spread(units, draws_topics=True, topics=topics)
        planned = expected_precision(spread, 1.0, topics=topics, population="topics")
        assert planned.variance == pytest.approx(_unit_variance(units) / topics)


def _unit_variance(units: Units) -> float:
    answers = units.answers.reshape(3, 12)
    return float(np.mean([np.var(answers[a] - answers[b], ddof=1) for a, b in combinations(range(3), 2)]))


def test_the_planned_variance_is_what_estimates_of_random_samples_report_on_average() -> None:
    """With one SCU of three in half of the topics and one in the others, the reported error is deliberately high."""
    units = complete_units(4, 20, 3, seed=5)
    spread = pilot_spread(units, draws_topics=False, topics=20)
    planned = expected_precision(spread, 1 / 3, topics=20)
    generator = np.random.default_rng(1)
    reported = []
    for _ in range(200):
        drawn = generator.integers(3, size=20) + 3 * np.arange(20)
        is_drawn = np.isin(units.clusters, drawn)
        sample = Units(
            **{
                **vars(units),
                "answers": np.where(is_drawn, units.answers, np.nan),
                "chances": np.full(len(is_drawn), 1 / 3),
            }
        )
        prediction = predict_means(sample, adjusts=False)
        reported.append(pair_variances(prediction.covariance)[np.triu_indices(4, k=1)].mean())
    assert planned.variance == pytest.approx(np.mean(reported), rel=0.1)
    assert planned.freedom == 20
