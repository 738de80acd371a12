"""Variance of runs and prompts, against statsmodels and numbers worked out by hand."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from pyramidion.statistics.repeated_answers import prompt_variance, run_variance


def test_the_parts_are_those_of_a_one_way_analysis_of_variance_in_statsmodels() -> None:
    generator = np.random.default_rng(2)
    answers = generator.normal(3, 1, (30, 1)) + generator.normal(0, 0.5, (30, 4))
    long = pd.DataFrame({"y": answers.ravel(), "item": np.repeat(np.arange(30), 4).astype(str)})
    table = anova_lm(smf.ols("y ~ item", long).fit())
    parts = run_variance(answers)
    assert parts.within == pytest.approx(table["mean_sq"]["Residual"])
    assert parts.between == pytest.approx((table["mean_sq"]["item"] - table["mean_sq"]["Residual"]) / 4)


def test_unequal_numbers_of_runs_by_hand() -> None:
    answers = np.array([[1.0, 3.0, np.nan], [4.0, 4.0, 4.0], [2.0, np.nan, np.nan]])
    parts = run_variance(answers)
    # within: (1 + 1 + 0)/(1 + 2 + 0); N = 6, grand mean 3, MS = (2·1 + 3·1 + 1)/2 = 3, k₀ = (6 − 14/6)/2
    assert parts.within == pytest.approx(2 / 3)
    assert parts.between == pytest.approx((3 - 2 / 3) / ((6 - 14 / 6) / 2))
    assert (parts.runs, parts.items, parts.equal) == (3, 2, 0.5)


def test_a_judge_that_repeats_itself_needs_one_run() -> None:
    parts = run_variance(np.array([[1.0, 1.0], [4.0, 4.0]]))
    assert (parts.within, parts.reliability, parts.runs_for(0.9)) == (0.0, 1.0, 1)


def test_a_judge_that_only_guesses_is_never_reliable() -> None:
    parts = run_variance(np.array([[1.0, 5.0], [5.0, 1.0]]))
    assert parts.between == 0
    assert parts.runs_for(0.9) is None


def test_without_a_second_run_there_is_a_reason() -> None:
    assert run_variance(np.array([[1.0], [2.0]])).reason == "no summary was judged twice"


def test_prompts_are_those_of_a_two_way_analysis_of_variance_in_statsmodels() -> None:
    generator = np.random.default_rng(3)
    answers = generator.normal(3, 1, (40, 1)) + np.array([0.0, 0.5, -0.2]) + generator.normal(0, 0.4, (40, 3))
    long = pd.DataFrame(
        {
            "y": answers.ravel(),
            "item": np.repeat(np.arange(40), 3).astype(str),
            "prompt": np.tile(np.arange(3), 40).astype(str),
        }
    )
    squares = anova_lm(smf.ols("y ~ item + prompt", long).fit())["mean_sq"]
    parts = prompt_variance(answers)
    assert parts is not None
    assert parts.interaction == pytest.approx(squares["Residual"])
    assert parts.between == pytest.approx((squares["item"] - squares["Residual"]) / 3)
    assert parts.level == pytest.approx((squares["prompt"] - squares["Residual"]) / 40)
    assert prompt_variance(answers[:, :1]) is None
