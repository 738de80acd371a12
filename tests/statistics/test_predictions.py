"""People judge some units, a predictor has all: estimates against R survey, ppi-python, enumeration and simulation."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pyramidion.arrays import Floats, Integers
from pyramidion.errors import UsageError
from pyramidion.statistics.predictions import (
    Population,
    Prediction,
    Units,
    add_other_systems,
    covariance_of,
    estimate_means,
    fill_features,
    fit_slopes,
    fit_within_topics,
    predict_means,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/statistics/predictions.json").read_text(encoding="utf-8"))
CLOSE = 1e-12


def whole_topics(answers: Floats, judged: list[int], predictors: Floats | None = None) -> Units:
    """Units of systems × topics of which whole topics were judged; predictors are systems × topics × k."""
    count, topic_count = answers.shape
    systems, topics = (numbers.ravel() for numbers in np.indices(answers.shape))
    is_judged = np.isin(topics, judged)
    features = np.zeros((answers.size, 0)) if predictors is None else predictors.reshape(answers.size, -1)
    return Units(
        systems=systems,
        topics=topics,
        clusters=topics,
        weights=np.full(count * topic_count, 1 / topic_count),
        answers=np.where(is_judged, answers.ravel(), np.nan),
        chances=np.full(answers.size, len(judged) / topic_count),
        features=features,
        strata=np.zeros(answers.size, dtype=np.int64),
    )


def spread_scus(answers: Floats, topics_of_scus: Integers, judged: Integers, predictors: Floats | None = None) -> Units:
    """Units of systems × SCUs with equal weights within topics, drawn within topics and judged in all systems."""
    topic_count = int(topics_of_scus.max()) + 1
    systems, scus = (numbers.ravel() for numbers in np.indices(answers.shape))
    totals = np.bincount(topics_of_scus)
    drawn = np.bincount(topics_of_scus[judged], minlength=topic_count)
    topics = topics_of_scus[scus]
    features = np.zeros((answers.size, 0)) if predictors is None else predictors.reshape(answers.size, -1)
    return Units(
        systems=systems,
        topics=topics,
        clusters=scus,
        weights=1 / (totals[topics] * topic_count),
        answers=np.where(np.isin(scus, judged), answers.ravel(), np.nan),
        chances=(drawn / totals)[topics],
        features=features,
        strata=topics,
    )


def skewed_answers(seed: int, systems: int = 4, topics: int = 30) -> tuple[Floats, Floats]:
    """Answers that are skewed and topic-dependent, and a predictor that follows them."""
    generator = np.random.default_rng(seed)
    latent = generator.exponential(size=(systems, topics))
    answers = np.linspace(0, 0.6, systems)[:, None] + generator.gamma(2, size=topics) + latent
    predictors = 0.6 * latent + generator.gamma(1, 0.5, size=(systems, topics))
    return answers, predictors


def pairs_of(prediction: Prediction, name: str) -> Floats:
    """The values of all pairs, each once."""
    matrix: Floats = getattr(prediction, name)
    return matrix[np.triu_indices(len(matrix), k=1)]


@pytest.mark.parametrize("case", GOLDEN["ppi"], ids=lambda case: f"slope {case['slope']}")
def test_with_a_fixed_slope_and_whole_topics_the_mean_is_that_of_ppi_python(case: dict[str, Any]) -> None:
    predictor = np.array(case["predictor"])
    answers = np.full(len(predictor), np.nan)
    judged = list(range(len(case["answers"])))
    answers[judged] = case["answers"]
    units = whole_topics(answers[None], judged, predictor[None, :, None])
    estimate = estimate_means(units, np.full((len(predictor), 1), case["slope"]))
    assert estimate.means[0] == pytest.approx(case["mean"], abs=CLOSE)


def test_scus_drawn_within_topics_have_the_means_and_covariances_of_r_survey() -> None:
    golden = GOLDEN["scus"]
    totals = np.array(golden["totals"])
    topics = np.array(golden["topics"]) - 1
    drawn = np.bincount(topics)
    sizes = [int(totals[topics == topic][0]) for topic in range(len(drawn))]
    systems, clusters, unit_topics, weights, answers = [], [], [], [], []
    for system, row in enumerate(golden["answers"]):
        cluster = 0
        for topic, size in enumerate(sizes):
            known = [place for place, number in enumerate(topics) if number == topic]
            for place in range(size):
                systems.append(system)
                clusters.append(cluster)
                unit_topics.append(topic)
                is_judged = place < len(known)
                answers.append(row[known[place]] if is_judged else np.nan)
                # What SCUs weigh that nobody judged does not enter R's mean, which knows the judged ones only.
                weights.append(golden["weights"][known[place]] if is_judged else 1.0)
                cluster += 1
    topic_numbers = np.array(unit_topics)
    units = Units(
        systems=np.array(systems),
        topics=topic_numbers,
        clusters=np.array(clusters),
        weights=3 * np.array(weights, dtype=np.float64) / sum(weights),
        answers=np.array(answers, dtype=np.float64),
        chances=(drawn / np.array(sizes))[topic_numbers],
        features=np.zeros((len(systems), 0)),
        strata=topic_numbers,
    )
    estimate = estimate_means(units, np.zeros((5, 0)))
    covariance, freedom, single = covariance_of(units, estimate)
    starts = [estimate.predicted[units.systems == system][0] for system in range(3)]
    assert starts == pytest.approx(golden["means"], abs=CLOSE)
    assert covariance == pytest.approx(np.array(golden["covariance"]), abs=CLOSE)
    assert (freedom, single) == (golden["degrees_of_freedom"], 0)


def test_whole_topics_without_a_predictor_have_the_means_and_covariances_of_r_survey() -> None:
    golden = GOLDEN["topics"]
    answers = np.full((3, golden["total"]), np.nan)
    answers[:, :6] = golden["answers"]
    prediction = predict_means(whole_topics(answers, list(range(6))))
    assert prediction.means == pytest.approx(golden["means"], abs=CLOSE)
    assert prediction.covariance == pytest.approx(np.array(golden["covariance"]), abs=CLOSE)
    assert prediction.degrees_of_freedom == 5


def test_with_the_slope_of_all_judged_topics_the_mean_is_that_of_calibration_in_r_survey() -> None:
    golden = GOLDEN["topics"]
    predictor = np.array(golden["calibrated"]["predictor"])
    for row, expected in zip(golden["answers"], golden["calibrated"]["means"], strict=True):
        answers = np.full(golden["total"], np.nan)
        answers[:6] = row
        slope = stats.linregress(predictor[:6], row).slope
        units = whole_topics(answers[None], list(range(6)), predictor[None, :, None])
        assert estimate_means(units, np.full((20, 1), slope)).means[0] == pytest.approx(expected, abs=CLOSE)


def test_slopes_of_a_topic_are_least_squares_on_the_other_topics() -> None:
    # The oracle centres by regression on dummy variables; only the ridge is ours.
    answers, predictors = skewed_answers(1, topics=8)
    slopes = fit_slopes(whole_topics(answers, list(range(8)), predictors[:, :, None]))
    systems, topics = (numbers.ravel() for numbers in np.indices(answers.shape))
    dummies = np.column_stack([systems[:, None] == np.arange(4), topics[:, None] == np.arange(8)]).astype(float)
    left = np.eye(32) - dummies @ np.linalg.pinv(dummies)
    y, x = left @ answers.ravel(), left @ predictors.ravel()
    for topic in range(8):
        others = topics != topic
        expected = (x[others] @ y[others]) / (x[others] @ x[others] * 1.001)
        assert slopes[topic, 0] == pytest.approx(expected, rel=1e-10)


def test_gaps_are_centred_as_by_regression_on_dummy_variables() -> None:
    answers, predictors = skewed_answers(2, topics=9)
    units = whole_topics(answers, list(range(9)), predictors[:, :, None])
    kept = np.ones(36, dtype=np.bool_)
    kept[[3, 12, 30]] = False
    y, x = answers.ravel()[kept], predictors.ravel()[kept]
    dummies = np.column_stack(
        [units.systems[kept][:, None] == np.arange(4), units.topics[kept][:, None] == np.arange(9)]
    )
    left = np.eye(33) - dummies.astype(float) @ np.linalg.pinv(dummies.astype(float))
    fit = fit_within_topics(y, x, systems=units.systems[kept], topics=units.topics[kept])
    expected = np.corrcoef(left @ y, left @ x)[0, 1] ** 2
    # The ridge of a thousandth changes R² by a millionth at most.
    assert fit.r_squared == pytest.approx(expected, abs=1e-6)


def test_where_everything_is_judged_topics_give_the_paired_t_test_of_scipy() -> None:
    answers, predictors = skewed_answers(3)
    prediction = predict_means(whole_topics(answers, list(range(30)), predictors[:, :, None]), population="topics")
    test = stats.ttest_rel(answers[0], answers[3])
    limits = test.confidence_interval(0.95)
    assert prediction.differences[0, 3] == pytest.approx(answers[0].mean() - answers[3].mean(), abs=CLOSE)
    assert prediction.pair_p[0, 3] == pytest.approx(test.pvalue, abs=CLOSE)
    assert (prediction.pair_lower[0, 3], prediction.pair_upper[0, 3]) == pytest.approx(
        (limits.low, limits.high), abs=CLOSE
    )
    assert prediction.degrees_of_freedom == 29


def test_where_all_scus_are_judged_topics_give_the_paired_t_test_of_topic_scores() -> None:
    generator = np.random.default_rng(4)
    topics_of_scus = np.repeat(np.arange(12), generator.integers(2, 9, size=12))
    answers = generator.binomial(1, 0.4, size=(3, len(topics_of_scus))).astype(np.float64)
    predictors = answers * 0.3 + generator.random(answers.shape)
    units = spread_scus(answers, topics_of_scus, np.arange(len(topics_of_scus)), predictors)
    prediction = predict_means(units, population="topics")
    scores = np.array([[row[topics_of_scus == topic].mean() for topic in range(12)] for row in answers])
    test = stats.ttest_rel(scores[0], scores[1])
    assert prediction.means == pytest.approx(scores.mean(axis=1), abs=CLOSE)
    assert prediction.pair_p[0, 1] == pytest.approx(test.pvalue, abs=CLOSE)


def test_where_everything_is_judged_these_topics_have_no_error_of_drawing() -> None:
    answers, predictors = skewed_answers(5)
    prediction = predict_means(whole_topics(answers, list(range(30)), predictors[:, :, None]))
    assert prediction.is_complete
    assert not prediction.has_interval
    assert np.abs(prediction.covariance).max() < 1e-15
    assert prediction.means == pytest.approx(answers.mean(axis=1), abs=CLOSE)


def test_over_all_possible_draws_the_mean_without_a_predictor_is_unbiased_and_so_is_its_variance() -> None:
    # All 210 ways to draw 4 of 10 topics (exact enumeration).
    answers, _ = skewed_answers(6, systems=2, topics=10)
    estimates, variances = [], []
    for judged in combinations(range(10), 4):
        units = whole_topics(answers, list(judged))
        estimate = estimate_means(units, np.zeros((10, 0)))
        covariance, _, _ = covariance_of(units, estimate)
        estimates.append(estimate.means)
        variances.append(covariance)
    assert np.mean(estimates, axis=0) == pytest.approx(answers.mean(axis=1), abs=CLOSE)
    assert np.mean(variances, axis=0) == pytest.approx(np.cov(np.array(estimates).T, bias=True), abs=CLOSE)


def test_independent_draws_have_the_variance_of_hajeks_estimator() -> None:
    # The oracle is the variance of the estimates over 2,000 draws of a population of 400 clusters.
    generator = np.random.default_rng(7)
    answers = generator.gamma(2, size=(1, 400))
    chances = generator.uniform(0.2, 0.7, size=400)
    means, variances = [], []
    for _ in range(2000):
        is_drawn = generator.random(400) < chances
        units = replace(
            whole_topics(answers, [0]),
            answers=np.where(is_drawn, answers[0], np.nan),
            chances=chances,
            strata=None,
        )
        estimate = estimate_means(units, np.zeros((400, 0)))
        covariance, freedom, _ = covariance_of(units, estimate)
        assert freedom == is_drawn.sum() - 1
        means.append(estimate.means[0])
        variances.append(covariance[0, 0])
    assert np.mean(means) == pytest.approx(answers.mean(), abs=4 * np.std(means) / np.sqrt(2000))
    assert np.mean(variances) == pytest.approx(np.var(means), rel=0.1)


def test_a_stratum_with_one_judged_cluster_adds_its_square_and_one_with_a_single_cluster_nothing() -> None:
    topics_of_scus = np.array([0, 0, 1, 2, 2, 2, 2])
    answers = np.array([[0.0, 1, 1, 0, 1, 1, 0]])
    units = spread_scus(answers, topics_of_scus, np.array([1, 2, 3, 4]))
    estimate = estimate_means(units, np.zeros((3, 0)))
    covariance, freedom, single = covariance_of(units, estimate)
    # By hand: h = 1/3, 1/3, 1/6, 1/6; θ = 5/6; ε = 1/18, 1/18, −5/36, 1/36; (1/18)² + (1 − 2/4)·2·2·(1/12)².
    assert estimate.means[0] == pytest.approx(5 / 6)
    assert covariance[0, 0] == pytest.approx(1 / 18**2 + 2 / 144)
    assert (freedom, single) == (2, 1)


def test_noise_as_a_predictor_costs_at_most_two_per_cent_and_hides_nothing() -> None:
    generator = np.random.default_rng(8)
    squares = np.zeros(2)
    for _ in range(200):
        answers, _ = skewed_answers(int(generator.integers(1 << 30)), topics=60)
        noise = generator.normal(size=(4, 60, 1))
        judged = generator.choice(60, 18, replace=False).tolist()
        true_differences = answers.mean(axis=1)[:, None] - answers.mean(axis=1)
        for place, predictors in enumerate([None, noise]):
            units = whole_topics(answers, judged, predictors)
            means = estimate_means(units, fit_slopes(units)).means
            squares[place] += ((means[:, None] - means - true_differences) ** 2).mean()
    assert 0.95 < squares[0] / squares[1] < 1.02


@pytest.mark.parametrize("population", ["these", "topics"])
def test_limits_cover_95_per_cent_of_skewed_differences(population: Population) -> None:
    generator = np.random.default_rng(9)
    is_covered, is_all_covered = [], []
    for _ in range(300):
        answers, predictors = skewed_answers(int(generator.integers(1 << 30)), topics=50)
        judged = generator.choice(50, 15, replace=False).tolist()
        prediction = predict_means(whole_topics(answers, judged, predictors[:, :, None]), population=population)
        means = answers.mean(axis=1) if population == "these" else np.linspace(0, 0.6, 4)
        truth = (means[:, None] - means)[np.triu_indices(4, k=1)]
        is_covered += (
            (pairs_of(prediction, "pair_lower") <= truth) & (truth <= pairs_of(prediction, "pair_upper"))
        ).tolist()
        inside = (pairs_of(prediction, "all_lower") <= truth) & (truth <= pairs_of(prediction, "all_upper"))
        is_all_covered.append(inside.all())
    assert 0.93 < np.mean(is_covered) < 0.97
    assert np.mean(is_all_covered) > 0.92


def test_a_judge_that_prefers_one_system_biases_itself_and_not_the_estimate() -> None:
    generator = np.random.default_rng(10)
    apart = []
    for _ in range(200):
        answers, predictors = skewed_answers(11, topics=60)
        predictors[0] += 0.3
        units = whole_topics(answers, generator.choice(60, 18, replace=False).tolist(), predictors[:, :, None])
        means = estimate_means(units, fit_slopes(units)).means
        apart.append(means[0] - means[1] - (answers[0].mean() - answers[1].mean()))
    assert np.mean(apart) == pytest.approx(0, abs=4 * np.std(apart) / np.sqrt(200))


def test_answers_that_move_with_a_system_move_its_mean_by_the_same() -> None:
    answers, predictors = skewed_answers(12)
    judged = list(range(0, 30, 3))
    before = predict_means(whole_topics(answers, judged, predictors[:, :, None]))
    answers[2] += 0.25
    after = predict_means(whole_topics(answers, judged, predictors[:, :, None]))
    assert after.means - before.means == pytest.approx([0, 0, 0.25, 0], abs=CLOSE)
    assert after.pair_errors == pytest.approx(before.pair_errors, abs=CLOSE)


def test_a_predictor_with_the_opposite_sign_is_as_good() -> None:
    answers, predictors = skewed_answers(13)
    judged = list(range(0, 30, 2))
    first = predict_means(whole_topics(answers, judged, predictors[:, :, None]))
    second = predict_means(whole_topics(answers, judged, -predictors[:, :, None]))
    assert second.means == pytest.approx(first.means, abs=CLOSE)
    assert second.slopes == pytest.approx(-first.slopes)


def test_a_constant_predictor_has_the_slope_0_and_no_gain() -> None:
    answers, _ = skewed_answers(14)
    prediction = predict_means(whole_topics(answers, list(range(10)), np.full((4, 30, 1), 0.1)))
    assert not prediction.slopes.any()
    assert pairs_of(prediction, "gains") == pytest.approx(np.ones(6))


def test_equal_predictors_share_one_slope() -> None:
    answers, predictors = skewed_answers(15)
    judged = list(range(12))
    one = predict_means(whole_topics(answers, judged, predictors[:, :, None]))
    two = predict_means(whole_topics(answers, judged, np.stack([predictors, predictors], axis=2)))
    # The ridge is a thousandth of one predictor's variance, and so weighs half as much against two.
    assert two.means == pytest.approx(one.means, abs=1e-3)
    assert two.slopes[:, 0] == pytest.approx(two.slopes[:, 1])


@pytest.mark.parametrize(
    ("judged", "features", "has_interval"), [(4, 1, False), (5, 1, True), (5, 3, False), (6, 3, True)]
)
def test_few_judged_topics_give_means_and_no_intervals(judged: int, features: int, has_interval: bool) -> None:
    answers, predictors = skewed_answers(16)
    several = np.stack([predictors**power for power in range(1, features + 1)], axis=2)
    prediction = predict_means(whole_topics(answers, list(range(judged)), several))
    assert prediction.has_interval is has_interval
    assert np.isfinite(prediction.means).all()
    assert np.isnan(pairs_of(prediction, "pair_lower")).all() != has_interval


def test_a_system_that_nobody_judged_is_refused() -> None:
    answers, _ = skewed_answers(17)
    units = whole_topics(answers, list(range(8)))
    unjudged = np.where(units.systems == 2, np.nan, units.answers)
    with pytest.raises(UsageError, match="no one judged"):
        predict_means(replace(units, answers=unjudged))


def test_pairs_at_the_ceiling_have_only_limits_that_rest_on_all_pairs() -> None:
    answers, _ = skewed_answers(18)
    answers[:2] = 5.0
    prediction = predict_means(whole_topics(answers, list(range(10))))
    assert np.isnan(prediction.pair_lower[0, 1])
    assert np.isnan(prediction.pair_p[0, 1])
    assert prediction.all_lower[0, 1] < 0 < prediction.all_upper[0, 1]
    assert prediction.all_p[0, 1] == 1


def test_all_pairs_together_have_tukeys_limits_with_one_error() -> None:
    answers, _ = skewed_answers(19)
    prediction = predict_means(whole_topics(answers, list(range(12))))
    assert prediction.is_pooled
    # Two-way Tukey with the finite population correction: MSE of topics × systems (scipy's studentised range).
    judged = answers[:, :12]
    apart = judged - judged.mean(axis=0) - judged.mean(axis=1)[:, None] + judged.mean()
    error = np.sqrt((1 - 12 / 30) * (apart**2).sum() / (3 * 11) / 12)
    width = stats.studentized_range.ppf(0.95, 4, 33) * error
    assert prediction.all_upper[0, 1] - prediction.differences[0, 1] == pytest.approx(width, rel=1e-6)
    p = stats.studentized_range.sf(abs(prediction.differences[0, 3]) / error, 4, 33)
    assert prediction.all_p[0, 3] == pytest.approx(p, abs=1e-8)


def test_a_pair_that_varies_more_than_most_has_limits_with_its_own_error() -> None:
    answers, _ = skewed_answers(24, systems=6)
    answers[0] += np.random.default_rng(24).normal(scale=1.5, size=30)
    prediction = predict_means(whole_topics(answers, list(range(20))))
    assert prediction.is_pooled
    # Games and Howell: the pair's own error, and as many degrees of freedom as it has (scipy's studentised range).
    own_width = stats.studentized_range.ppf(0.95, 6, 19) * prediction.pair_errors / np.sqrt(2)
    width = prediction.all_upper - prediction.differences
    assert width[0, 1:] == pytest.approx(own_width[0, 1:], rel=1e-6)
    assert width[1, 2] > own_width[1, 2]
    p = stats.studentized_range.sf(abs(prediction.differences[0, 5]) * np.sqrt(2) / prediction.pair_errors[0, 5], 6, 19)
    assert prediction.all_p[0, 5] == pytest.approx(p, abs=1e-8)


def test_where_one_pair_varies_far_more_limits_are_bonferronis() -> None:
    answers, _ = skewed_answers(20, systems=6)
    generator = np.random.default_rng(20)
    answers[:4] = answers[0] + generator.normal(scale=0.01, size=(4, 30))
    prediction = predict_means(whole_topics(answers, list(range(12))))
    assert not prediction.is_pooled
    width = stats.t.ppf(1 - 0.025 / 15, 11) * prediction.pair_errors[0, 5]
    assert prediction.all_upper[0, 5] - prediction.differences[0, 5] == pytest.approx(width)
    assert prediction.all_p[0, 5] == pytest.approx(min(1, 15 * prediction.pair_p[0, 5]))
    # With 11 degrees of freedom an error may be small by chance: no limits are narrower than Tukey's.
    pooled_error = np.sqrt((np.trace(prediction.covariance) - prediction.covariance.sum() / 6) / 5)
    least = stats.studentized_range.ppf(0.95, 6, 55) * pooled_error
    assert prediction.all_upper[0, 1] - prediction.differences[0, 1] == pytest.approx(least, rel=1e-6)


def test_rank_intervals_count_who_is_significantly_better_and_worse() -> None:
    answers, _ = skewed_answers(21)
    answers[2] = answers[1] + np.tile([0.5, -0.5], 15)
    answers += np.array([0.0, 9.0, 9.0, 20.0])[:, None]
    prediction = predict_means(whole_topics(answers, list(range(15))))
    assert prediction.first_rank.tolist() == [4, 2, 2, 1]
    assert prediction.last_rank.tolist() == [4, 3, 3, 1]


def test_topics_of_one_document_count_as_one() -> None:
    # Two copies of each topic in a group must give the error of the groups: that of one copy.
    answers, predictors = skewed_answers(22, topics=20)
    single = predict_means(whole_topics(answers, list(range(20)), predictors[:, :, None]), population="topics")
    doubled = whole_topics(np.repeat(answers, 2, axis=1), list(range(40)), np.repeat(predictors, 2, axis=1)[:, :, None])
    grouped = predict_means(replace(doubled, groups=doubled.topics // 2), population="topics")
    assert grouped.degrees_of_freedom == single.degrees_of_freedom == 19
    assert grouped.pair_errors == pytest.approx(single.pair_errors, abs=CLOSE)


def test_missing_predictions_are_replaced_by_the_mean_of_their_system() -> None:
    features = np.array([[1.0, 5], [3, np.nan], [np.nan, 7], [10, np.nan]])
    filled, count = fill_features(features, np.array([0, 0, 0, 1]))
    assert filled.tolist() == [[1, 5], [3, 6], [2, 7], [10, 6]]
    assert count == 3


def test_answers_about_the_same_item_in_other_systems_leave_out_the_unit_itself() -> None:
    answers = np.array([[1.0, np.nan, 0], [1, 0, np.nan], [np.nan, 1, 1]])
    systems, items = (numbers.ravel() for numbers in np.indices(answers.shape))
    units = Units(
        systems=systems,
        topics=items,
        clusters=np.arange(9),
        weights=np.full(9, 1 / 3),
        answers=answers.ravel(),
        chances=np.full(9, 2 / 3),
        features=np.zeros((9, 0)),
        strata=systems,
    )
    feature = add_other_systems(units, items).features[:, 0].reshape(3, 3)
    # Means of systems: 1/2, 1/2, 1. Item 0: answers apart by 1/2, 1/2; item 1: −1/2, 0; item 2: −1/2, 0.
    expected = [[0.5 / 3, -0.5 / 4, 0], [0.5 / 3, 0, -0.5 / 4], [1 / 4, -0.5 / 3, -0.5 / 3]]
    assert feature == pytest.approx(np.array(expected))


def test_half_of_the_variance_within_topics_explained_is_worth_twice_the_answers() -> None:
    generator = np.random.default_rng(23)
    topics = generator.normal(size=500)
    signal, noise = generator.normal(size=(2, 6, 500))
    systems, numbers = (places.ravel() for places in np.indices((6, 500)))
    answers = (5 * topics + signal + noise).ravel()
    fit = fit_within_topics(answers, signal.ravel(), systems=systems, topics=numbers)
    assert fit.r_squared == pytest.approx(0.5, abs=0.03)
    assert fit.ratio == pytest.approx(1 / (1 - fit.r_squared))
    assert fit.held_out_ratio == pytest.approx(fit.ratio, rel=0.01)
    nothing = fit_within_topics(answers, topics[numbers], systems=systems, topics=numbers)
    assert nothing.r_squared == pytest.approx(0)


def test_weights_that_sum_to_another_number_scale_means_and_errors_alike() -> None:
    # Modified pyramid scores divide by less than the weight of all SCUs.
    answers, predictors = skewed_answers(24)
    units = whole_topics(answers, list(range(10)), predictors[:, :, None])
    once, more = predict_means(units), predict_means(replace(units, weights=1.7 * units.weights))
    assert more.means == pytest.approx(1.7 * once.means, abs=CLOSE)
    assert more.pair_errors == pytest.approx(1.7 * once.pair_errors, abs=CLOSE)
    everywhere, everywhere_more = (
        predict_means(part, population="topics") for part in (units, replace(units, weights=1.7 * units.weights))
    )
    assert everywhere_more.pair_errors == pytest.approx(1.7 * everywhere.pair_errors, abs=CLOSE)
