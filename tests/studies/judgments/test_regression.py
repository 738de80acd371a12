"""What predicts an overall score, against statsmodels."""

from typing import Any

import numpy as np
import pytest

import pyramidion
from other_packages import statsmodels
from pyramidion.campaign import Campaign, Judgment
from pyramidion.errors import InputError, UsageError
from pyramidion.options import JudgmentRegressionOptions
from pyramidion.studies.judgments.regression import judgment_regression
from studies.judgments.judged import FOCUS, campaign


def demo_rows(assessor: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Features and target, gathered apart from the study."""
    names = [question.name for question in pyramidion.load("demo").questions]
    cells: dict[tuple[str, str, str], dict[str, float]] = {}
    for one in pyramidion.load("demo").judgments:
        cells.setdefault((one.topic, one.summarizer, one.assessor), {})[one.question] = one.value
    rows = np.array([[cell[name] for name in names] for key, cell in cells.items() if assessor in (None, key[2])])
    return rows[:, :-1], rows[:, -1]


@pytest.mark.slow  # imports what it compares with
def test_each_assessors_weights_and_the_pooled_ones_are_those_of_statsmodels() -> None:
    found = judgment_regression(pyramidion.load("demo"), JudgmentRegressionOptions(errors="independent"))
    assert found.target == "overall-responsiveness"
    assert found.on[-1] == "content-responsiveness"
    for fit in found.fits:
        features, target = demo_rows(None if fit.pooled else fit.assessor)
        expected = statsmodels.OLS(target, statsmodels.add_constant(features)).fit()
        assert fit.n == len(target)
        assert fit.r_squared == pytest.approx(expected.rsquared, rel=1e-9)
        for number, one in enumerate(fit.coefficients):
            limits = expected.conf_int()[number]
            assert (one.beta, one.lower, one.upper, one.p) == pytest.approx(
                (expected.params[number], *limits, expected.pvalues[number]), rel=1e-7
            )
            assert one.significant == (expected.pvalues[number] < 0.05)


def test_assessors_come_by_falling_r_squared_and_all_of_them_together_last() -> None:
    fits = judgment_regression(pyramidion.load("demo")).fits
    shares = [fit.r_squared for fit in fits[:-1]]
    assert shares == sorted(shares, key=lambda share: share or 0, reverse=True)
    assert [fit.pooled for fit in fits] == [False] * 4 + [True]


def grid(questions: dict[str, Any], rows: int = 8) -> Campaign:
    """One assessor's answers by formulas of the row's number."""
    answers = [
        (f"t{row}", "1", "A", question, float(value(row)))
        for row in range(rows)
        for question, value in questions.items()
    ]
    return campaign(*answers)


def test_a_question_with_one_answer_or_said_twice_has_no_weight_but_a_reason() -> None:
    noisy = [2, 4, 1, 5, 3, 3, 5, 2]
    data = grid(
        {"a": lambda row: row % 5, "flat": lambda _: 3, "again": lambda row: row % 5, "overall": noisy.__getitem__}
    )
    fit = judgment_regression(data).pooled
    reasons = {one.term: one.fields().get("reason", "") for one in fit.coefficients}
    assert reasons["flat"] == "flat is constant"
    assert reasons["again"] == "again is a combination of the terms before it"
    assert {one.term: one.beta is None for one in fit.coefficients} == {
        "intercept": False,
        "a": False,
        "flat": True,
        "again": True,
    }
    assert fit.r_squared is not None


def test_too_few_rows_and_a_constant_target_give_a_reason_instead_of_numbers() -> None:
    few = judgment_regression(grid({"a": lambda row: row, "b": lambda row: row**2, "overall": lambda row: row % 2}, 3))
    assert "3 rows are too few" in few.pooled.reason
    none = judgment_regression(campaign(("t", "1", "A", "a", 1), ("t", "2", "A", "b", 2)))
    assert none.pooled.reason == "no summary has an answer to every question"
    assert all(one.beta is None and one.reason for one in few.pooled.coefficients)
    flat = judgment_regression(grid({"a": lambda row: row, "overall": lambda _: 3}))
    assert "nothing to explain" in flat.pooled.reason


def test_a_summary_without_all_answers_is_left_out_and_counted() -> None:
    noisy = [2, 4, 1, 5, 3, 3, 5, 2]
    whole = grid({"a": lambda row: row % 5, "overall": noisy.__getitem__})
    part = campaign(*[(*_key(one), one.value) for one in whole.judgments if (one.topic, one.question) != ("t3", "a")])
    fit = judgment_regression(part).pooled
    assert (fit.n, fit.coefficients[0].incomplete) == (7, 1)


def _key(judgment: Judgment) -> tuple[str, str, str, str]:
    return judgment.topic, judgment.summarizer, judgment.assessor, judgment.question


def test_what_is_explained_and_by_what_can_be_chosen() -> None:
    demo = pyramidion.load("demo")
    found = judgment_regression(demo, JudgmentRegressionOptions(target="focus", on=("coherence", "grammaticality")))
    assert (found.target, found.terms) == ("focus", ("intercept", "coherence", "grammaticality"))
    assert (
        judgment_regression(demo, JudgmentRegressionOptions(on=("overall-responsiveness",))).target
        == "content-responsiveness"
    )
    with pytest.raises(UsageError, match="explain itself"):
        judgment_regression(demo, JudgmentRegressionOptions(target="focus", on=("focus",)))
    with pytest.raises(UsageError, match="there are"):
        judgment_regression(demo, JudgmentRegressionOptions(on=("fokus",)))
    with pytest.raises(InputError, match="at least two"):
        judgment_regression(campaign(*FOCUS))
