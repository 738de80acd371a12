"""Effects of length, copying and family on a judge, against statsmodels and by simulation with noisy people."""

import numpy as np
import pytest
import statsmodels.api as sm

from pyramidion.statistics.covariates import CovariateEffect, covariate_effect, detectable_effect, group_effect
from pyramidion.statistics.power import paired_power

Campaign = dict[str, np.ndarray]


def judged_campaign(
    seed: int, *, bias: float = 0.0, family: float = 0.0, likes: float = 0.15, systems: int = 10, topics: int = 40
) -> Campaign:
    """Three noisy people and a judge, on a scale from 1 to 5; long summaries are better, and systems differ in length.

    The judge gives `bias` points more to a summary twice as long, `family` points more to the first system, and likes
    systems more or less for reasons of its own (`likes`).
    """
    generator = np.random.default_rng(seed)
    shape = (systems, topics)
    quality = 3 + generator.normal(0, 0.5, (systems, 1)) + generator.normal(0, 0.6, shape)
    length = 6 + 0.2 * (quality - 3) + generator.normal(0, 0.25, shape) + generator.normal(0, 0.15, (systems, 1))
    people = np.clip(np.rint(quality[..., None] + generator.normal(0, 0.8, (*shape, 3))), 1, 5)
    score = 0.6 + 0.8 * quality + bias * (length - 6) + generator.normal(0, likes, (systems, 1))
    score[0] += family
    judge = np.clip(np.rint(score + generator.normal(0, 0.5, shape)), 1, 5)
    return {
        "judge": judge,
        "people": people.mean(axis=2),
        "noise": people.var(axis=2, ddof=1) / 3,
        "length": length,
        "topics": np.broadcast_to(np.arange(topics), shape),
        "systems": np.broadcast_to(np.arange(systems)[:, None], shape),
    }


def length_effect(campaign: Campaign, *, is_corrected: bool = True) -> CovariateEffect:
    flat = {name: values.ravel() for name, values in campaign.items()}
    return covariate_effect(
        flat["judge"],
        flat["people"],
        flat["length"],
        topics=flat["topics"],
        systems=flat["systems"],
        noise=flat["noise"] if is_corrected else None,
    )


def test_without_noise_the_slope_is_that_of_least_squares_with_topics_in_statsmodels() -> None:
    campaign = judged_campaign(3)
    flat = {name: values.ravel() for name, values in campaign.items()}
    design = np.column_stack([flat["people"], flat["length"], (flat["topics"][:, None] == np.arange(40)).astype(float)])
    fit = sm.OLS(flat["judge"], design).fit()
    effect = length_effect(campaign, is_corrected=False)
    assert effect.slope == pytest.approx(fit.params[1], abs=1e-10)
    assert effect.people_slope == pytest.approx(fit.params[0], abs=1e-10)
    residuals = [sm.OLS(flat[name], np.delete(design, 1, axis=1)).fit().resid for name in ("judge", "length")]
    assert effect.correlation == pytest.approx(np.corrcoef(*residuals)[0, 1], abs=1e-10)


def test_with_few_systems_errors_are_those_of_statsmodels_clustered_by_topic() -> None:
    campaign = judged_campaign(3, systems=4)
    flat = {name: values.ravel() for name, values in campaign.items()}
    centred = {
        name: (values - values.mean(axis=0)).ravel()
        for name, values in campaign.items()
        if name in ("judge", "people", "length")
    }
    fit = sm.OLS(centred["judge"], np.column_stack([centred["people"], centred["length"]])).fit(
        cov_type="cluster", cov_kwds={"groups": flat["topics"], "use_correction": False}
    )
    effect = length_effect(campaign, is_corrected=False)
    assert effect.slope == pytest.approx(fit.params[1], abs=1e-10)
    half = (effect.upper or 0) - (effect.slope or 0)
    assert half == pytest.approx(fit.bse[1] * np.sqrt(40 / 39) * 2.0226909200367604, rel=1e-9)  # t(39) at 95 %


def test_noise_of_people_looks_like_a_length_bias_unless_it_is_allowed_for() -> None:
    found = {True: 0, False: 0}
    for seed in range(120):
        campaign = judged_campaign(seed)
        for is_corrected in found:
            effect = length_effect(campaign, is_corrected=is_corrected)
            found[is_corrected] += effect.p is not None and effect.p < 0.05
    assert found[True] / 120 < 0.10
    assert found[False] / 120 > 0.20


def test_the_slope_that_was_planted_comes_out_on_average() -> None:
    effects = [length_effect(judged_campaign(seed, bias=0.5)) for seed in range(60)]
    slopes = [effect.slope for effect in effects if effect.slope is not None]
    assert len(slopes) == 60
    assert np.mean(slopes) == pytest.approx(0.5, abs=0.06)  # rounding to a scale that ends at 1 and 5 takes a little


def test_undefined_effects_have_a_reason() -> None:
    campaign = judged_campaign(1, topics=4)
    assert "5 topics" in length_effect(campaign).reason
    campaign = judged_campaign(1)
    assert "same for all" in length_effect({**campaign, "length": campaign["length"] * 0 + 50}).reason
    assert "same score" in length_effect({**campaign, "judge": campaign["judge"] * 0 + 3}).reason
    assert "noise" in length_effect({**campaign, "noise": campaign["noise"] * 0 + 5}).reason
    assert "separated" in length_effect({**campaign, "length": campaign["people"] * 2}, is_corrected=False).reason


def test_what_can_be_detected_has_the_power_of_the_paired_t_test() -> None:
    effect = detectable_effect(0.3 / np.sqrt(20), 19.0)
    assert paired_power(difference=effect, sd=0.3, topics=20) == pytest.approx(0.8, abs=1e-9)


def test_a_judge_that_likes_its_own_family_is_found_and_others_are_not_accused() -> None:
    is_own = np.arange(10) == 0
    found = {0.0: 0, 0.8: 0}
    values = []
    for family in found:
        for seed in range(120):
            campaign = judged_campaign(seed, family=family)
            effect = group_effect(campaign["judge"], campaign["people"], is_own, noise=campaign["noise"])
            found[family] += effect.p is not None and effect.p < 0.05
            if family and effect.value is not None:
                values.append(effect.value)
    assert found[0.0] / 120 < 0.10
    assert found[0.8] / 120 > 0.9
    assert np.mean(values) == pytest.approx(0.75, abs=0.08)  # the scale ends at 5


def test_a_judge_that_always_answers_the_same_has_no_estimate_and_the_reason_says_so() -> None:
    people = np.tile([[3.0], [1.0], [2.0], [3.0]], (1, 6)) + np.arange(6) / 10
    effect = group_effect(np.full(people.shape, 4.0), people, np.array([True, False, False, False]))
    assert effect.value is None
    assert effect.reason == "the judge gives all other summaries of a topic the same score"


def test_a_family_of_one_is_tested_as_one_new_system_among_the_others() -> None:
    """By hand: judge = people + 1 for the own system, and deviations −1, 0, 1 for the others, in every topic."""
    people = np.tile([[3.0], [1.0], [2.0], [3.0]], (1, 6)) + np.arange(6) / 10
    judge = people + np.array([[1.0], [0.5], [-1.0], [0.5]])
    effect = group_effect(judge, people, np.array([True, False, False, False]))
    # the slope of the others is 1 (deviations 0.5, −1, 0.5 are uncorrelated with 1, 2, 3), their spread √0.75
    assert effect.value == pytest.approx(1.0)
    assert effect.spread_of_others == pytest.approx(np.sqrt(0.75))
    half = 4.302652729911275 * np.sqrt(0.75) * np.sqrt(1 + 1 / 3)  # t(2) at 95 %
    assert effect.upper == pytest.approx(1.0 + half)


def test_a_group_without_enough_others_has_a_reason() -> None:
    scores = np.arange(12.0).reshape(3, 4)
    assert "3 systems or more" in group_effect(scores, scores, np.array([True, False, False])).reason
