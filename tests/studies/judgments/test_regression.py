"""What predicts an overall score, against statsmodels."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pyramidion
from other_packages import statsmodels
from pyramidion.campaign import Campaign, Judgment
from pyramidion.errors import InputError, UsageError
from pyramidion.options import JudgmentRegressionOptions
from pyramidion.statistics.regression import fit_linear
from pyramidion.studies.judgments.regression import judgment_regression
from studies.judgments.judged import FOCUS, campaign


def demo_rows(assessor: str | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, target and assessors, gathered apart from the study."""
    names = [question.name for question in pyramidion.load("demo").questions]
    cells: dict[tuple[str, str, str], dict[str, float]] = {}
    for one in pyramidion.load("demo").judgments:
        cells.setdefault((one.topic, one.summarizer, one.assessor), {})[one.question] = one.value
    kept = [key for key in cells if assessor in (None, key[2])]
    rows = np.array([[cells[key][name] for name in names] for key in kept])
    return rows[:, :-1], rows[:, -1], np.array([key[2] for key in kept])


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("pooled", ["effects", "plain"])
def test_each_assessors_weights_and_the_pooled_ones_are_those_of_statsmodels(pooled: Any) -> None:
    options = JudgmentRegressionOptions(errors="independent", pooled=pooled)
    found = judgment_regression(pyramidion.load("demo"), options)
    assert found.target == "overall-responsiveness"
    assert found.on[-1] == "content-responsiveness"
    for fit in found.fits:
        features, target, assessors = demo_rows(None if fit.pooled else fit.assessor)
        indicators = np.zeros((len(target), 0))
        if fit.effects:
            indicators = (assessors[:, None] == np.unique(assessors)[1:]).astype(float)
            indicators -= indicators.mean(axis=0)  # the intercept is then the level of the average row
        columns = statsmodels.add_constant(np.column_stack([features, indicators]))
        expected = statsmodels.OLS(target, columns).fit()
        without_questions = statsmodels.OLS(target, statsmodels.add_constant(indicators, has_constant="add")).fit()
        assert fit.n == len(target)
        assert fit.r_squared == pytest.approx(1 - expected.ssr / without_questions.ssr, rel=1e-9)
        for number, one in enumerate(fit.coefficients):
            limits = expected.conf_int()[number]
            assert (one.beta, one.lower, one.upper, one.p) == pytest.approx(
                (expected.params[number], *limits, expected.pvalues[number]), rel=1e-7
            )
            assert one.significant == (expected.pvalues[number] < 0.05)
    assert [fit.effects for fit in found.fits] == [False] * 4 + [pooled == "effects"]


def test_lenient_assessors_make_up_no_relation_between_questions() -> None:
    generator = np.random.default_rng(0)
    answers = []
    for assessor, level in (("mild", 4), ("harsh", 1)):
        for topic in range(12):
            focus, overall = level + generator.integers(0, 2, size=2)
            answers.append((f"t{topic}", "1", assessor, "focus", float(focus)))
            answers.append((f"t{topic}", "1", assessor, "overall", float(overall)))
    data = campaign(*answers)
    by_effects = judgment_regression(data).pooled.questions[0]
    plain = judgment_regression(data, JudgmentRegressionOptions(pooled="plain")).pooled.questions[0]
    assert plain.significant
    assert plain.beta == pytest.approx(0.9, abs=0.15)
    assert not by_effects.significant


def test_a_question_that_each_assessor_answers_alike_has_no_weight_in_the_pooled_fit() -> None:
    answers = []
    for row in range(10):
        for assessor, level in (("A", 2.0), ("B", 4.0)):
            answers.append((f"t{row}", "1", assessor, "flat", level))
            answers.append((f"t{row}", "1", assessor, "a", float(row % 4)))
            answers.append((f"t{row}", "1", assessor, "overall", float((row * 7) % 5)))
    fit = judgment_regression(campaign(*answers)).pooled
    reasons = {one.term: one.fields().get("reason", "") for one in fit.coefficients}
    assert reasons["flat"] == "flat is constant within each assessor"
    stubborn = [answer for answer in answers if answer[3] != "overall"]
    stubborn += [(f"t{row}", "1", "A", "overall", 0.1) for row in range(10)]
    stubborn += [(f"t{row}", "1", "B", "overall", 0.7) for row in range(10)]
    assert "each assessor gave one answer" in judgment_regression(campaign(*stubborn)).pooled.reason


@pytest.mark.parametrize("assessors", [3, 8])
def test_clustered_errors_with_assessor_effects_are_those_of_the_definition(assessors: int) -> None:
    """Bell and McCaffrey's formulas row by row, with an indicator of each assessor among the columns."""
    generator = np.random.default_rng(assessors)
    topics, given_by = np.repeat(np.arange(9), 10), np.tile(np.arange(assessors), 90)[:90]
    features = generator.integers(1, 6, (90, 2)).astype(float)
    target = features[:, 0] * 0.3 + given_by + generator.standard_normal(9)[topics] + generator.standard_normal(90)
    found = fit_linear(features, target, clusters=topics, groups=given_by)
    design = np.column_stack([features, (given_by[:, None] == np.arange(assessors)).astype(float)])
    inverse = np.linalg.inv(design.T @ design)
    hat = design @ inverse @ design.T
    residuals = target - hat @ target
    rest = np.eye(90) - hat
    for column in range(2):
        shares = []
        variance = 0.0
        for topic in range(9):
            rows = topics == topic
            values, vectors = np.linalg.eigh(rest[np.ix_(rows, rows)])
            root = vectors @ np.diag(np.where(values > 1e-10, 1 / np.sqrt(np.maximum(values, 1e-10)), 0)) @ vectors.T
            weights = root @ design[rows] @ inverse[:, column]
            variance += float(weights @ residuals[rows]) ** 2
            shares.append(rest[:, rows] @ weights)
        products = np.array(shares) @ np.array(shares).T
        assert found.standard_errors[column + 1] == pytest.approx(np.sqrt(variance), rel=1e-9)
        assert found.coefficient_freedom[column + 1] == pytest.approx(
            np.trace(products) ** 2 / (products**2).sum(), rel=1e-9
        )


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


def test_a_coefficient_that_may_be_zero_may_still_be_the_largest() -> None:
    pooled = judgment_regression(pyramidion.load("demo")).pooled
    assert [coefficient.term for coefficient in pooled.leading()] == ["content-responsiveness"]
    coefficients = [replace(row, lower=-0.1, upper=0.9) if row.term == "focus" else row for row in pooled.coefficients]
    wide = replace(pooled, coefficients=tuple(coefficients))
    assert [coefficient.term for coefficient in wide.leading()] == ["content-responsiveness", "focus"]
