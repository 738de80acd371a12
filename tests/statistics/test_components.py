"""Variance components against lme4, lmerTest, pbkrtest and emmeans (tests/golden/statistics/mixed.json says how)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.statistics import likelihoods
from pyramidion.statistics.components import TERMS, Components, FitFailure, _crossed, _estimate, fit_components
from pyramidion.statistics.sequential import e_value, sequential_test
from pyramidion.statistics.simultaneous import adjusted_p, critical_t

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "statistics" / "mixed.json").read_text(encoding="utf-8"))
CASES: dict[str, Any] = GOLDEN["mixed"]


def fit(rows: list[tuple[str, str, str, float]]) -> Components | FitFailure:
    who, topics, people = (np.unique([row[part] for row in rows], return_inverse=True)[1] for part in range(3))
    return fit_components(who, topics, people, np.array([row[3] for row in rows], dtype=np.float64))


def rows_of(case: dict[str, Any]) -> list[tuple[str, str, str, float]]:
    if "rows" in case:
        return [tuple(row) for row in case["rows"]]
    folder = Path(os.environ.get("PYRAMIDION_DATA", "")) / "summeval_op"
    if "PYRAMIDION_DATA" not in os.environ or not folder.exists():
        pytest.skip("PYRAMIDION_DATA has no summeval_op")
    judgments = map(json.loads, (folder / "judgments.jsonl").read_text(encoding="utf-8").splitlines())
    keys = ("summarizer", "topic", "assessor", "value")
    return [tuple(one[key] for key in keys) for one in judgments if one["question"] == case["question"]]


@pytest.mark.parametrize("name", CASES)
def test_components_means_and_pairs_are_those_of_lme4_and_emmeans(name: str) -> None:
    case = CASES[name]
    found = fit(rows_of(case))
    assert isinstance(found, Components)
    values = dict(zip((*found.terms, "Residual"), found.values, strict=True))
    assert values == pytest.approx(case["components"], abs=1e-5)
    assert set(found.zero) == set(case["zero"])
    assert found.criterion == pytest.approx(case["reml_criterion"], abs=1e-6)
    assert found.converged
    means = found.contrasts(np.eye(len(found.means)))
    expected = np.array([row[1:4] for row in case["means"]])
    assert means.estimates == pytest.approx(expected[:, 0], abs=1e-6)
    assert np.sqrt(means.variances) == pytest.approx(expected[:, 1], rel=1e-5)
    assert means.degrees_of_freedom == pytest.approx(expected[:, 2], rel=1e-5)
    who = [row[0] for row in case["means"]]
    differences, variances, freedom = found.pairs()
    for a, b, difference, error, df, p, lower, upper in case["pairs"]:
        at = who.index(a), who.index(b)
        assert differences[at] == pytest.approx(difference, abs=1e-6)
        assert np.sqrt(variances[at]) == pytest.approx(error, rel=1e-5)
        assert freedom[at] == pytest.approx(df, rel=1e-5)
        t, own = np.array([differences[at] / np.sqrt(variances[at])]), np.array([freedom[at]])
        assert adjusted_p("tukey", len(who), t, own)[0] == pytest.approx(p, abs=1e-5)
        half = critical_t("tukey", len(who), own, confidence=95)[0] * np.sqrt(variances[at])
        assert differences[at] - half == pytest.approx(lower, abs=1e-4)
        assert differences[at] + half == pytest.approx(upper, abs=1e-4)


@pytest.mark.parametrize("name", CASES)
def test_the_f_test_is_near_kenward_and_rogers(name: str) -> None:
    case = CASES[name]
    found = fit(rows_of(case))
    assert isinstance(found, Components)
    test = found.f_test()
    assert test.f == pytest.approx(case["F"]["F"], rel=1e-5)
    assert test.numerator == case["F"]["df1"]
    assert test.denominator == pytest.approx(case["F"]["df2_kenward_roger"], rel=2e-3)
    assert test.p == pytest.approx(case["F"]["p_kenward_roger_df"], rel=1e-2)


@pytest.mark.parametrize("case", GOLDEN["dunnett"])
def test_dunnetts_p_is_that_of_mvtnorm(case: dict[str, Any]) -> None:
    found = adjusted_p("dunnett", case["pairs"], np.array([float(case["t"])]), np.array([float(case["df"])]))[0]
    assert found == pytest.approx(case["p"], abs=1e-4 if case["pairs"] == 12 else 1e-5)


@given(st.sampled_from(["tukey", "dunnett", "bonferroni"]), st.integers(2, 12), st.floats(2, 100))
def test_a_limit_is_zero_exactly_where_p_is_the_level(family: Any, count: int, freedom: float) -> None:
    df = np.array([freedom])
    critical = critical_t(family, count, df, confidence=95)
    assert adjusted_p(family, count, critical, df)[0] == pytest.approx(0.05, abs=1e-9)


def test_e_values_are_ratios_of_the_noncentral_t() -> None:
    for n, t, e in GOLDEN["evalue"]:
        assert e_value(np.array([float(n)]), np.array([t]))[0] == pytest.approx(e, rel=1e-8)


def test_no_verdict_falls_before_the_seventh_topic() -> None:
    test = sequential_test(np.array([1.0, 1.1, 0.9, 1.05, 0.95, 1.0, 1.02, 0.98]), confidence=95)
    decided = test.decided(95)
    assert decided is not None
    assert decided >= 2
    assert (test.p[decided - 1] <= 0.05) and (test.p[decided - 2] > 0.05)


def test_equal_differences_are_no_evidence() -> None:
    test = sequential_test(np.full(10, 0.3), confidence=95)
    assert (test.e == 1).all()
    assert (test.p == 1).all()
    assert np.isnan(test.lower).all()


def test_terms_that_the_design_confounds_are_left_out() -> None:
    nested = [(f"s{s}", f"t{t}", f"a{t % 3}", float((s * 7 + t * 3 + s * t) % 5)) for s in range(4) for t in range(9)]
    found = fit(nested)
    assert isinstance(found, Components)
    assert found.terms == ("topic", "assessor", "summarizer:assessor")
    assert found.left_out == ("summarizer:topic", "topic:assessor")


def test_judgments_without_error_have_no_components() -> None:
    exact = [(f"s{s}", f"t{t}", f"a{a}", float(s)) for s in range(3) for t in range(3) for a in range(3)]
    found = fit(exact)
    assert isinstance(found, FitFailure)
    assert "zero" in found.reason


@given(st.integers(0, 2**32 - 1))
def test_components_do_not_depend_on_order_or_origin(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = [
        (f"s{s}", f"t{t}", f"a{a}", float(round(generator.normal(s / 3 + a / 4, 1), 3)))
        for s in range(3)
        for t in range(5)
        for a in range(3)
    ]
    first = fit(rows)
    order = generator.permutation(len(rows))
    second = fit([(*rows[i][:3], rows[i][3] + 100) for i in order])
    assert isinstance(first, Components)
    assert isinstance(second, Components)
    assert second.values == pytest.approx(first.values, abs=1e-5)
    assert second.means - 100 == pytest.approx(first.means, abs=1e-6)
    assert (first.values >= 0).all()
    lower, upper = first.limits(confidence=95, seed=0)
    assert (lower <= upper).all()


def test_a_term_of_too_many_levels_is_not_taken_for_one_that_can_not_be_separated() -> None:
    # Crossed: summarizer:topic can be separated, and with it the model has more than 5,000 columns.
    system, topic, assessor = (one.ravel() for one in np.indices((13, 400, 3)))
    found = fit_components(system, topic, assessor, np.random.default_rng(0).normal(size=len(system)))
    assert isinstance(found, FitFailure) and "5,000 columns" in found.reason


def test_a_term_of_many_levels_that_equals_the_error_is_left_out() -> None:
    # One assessor a topic: summarizer:topic is the error, however many levels it has.
    system, topic = (one.ravel() for one in np.indices((13, 400)))
    found = fit_components(system, topic, topic % 4, np.random.default_rng(0).normal(size=len(system)))
    assert isinstance(found, Components) and found.terms == ("topic", "assessor", "summarizer:assessor")


@pytest.mark.parametrize("seed", range(6))
def test_judgments_without_holes_have_the_components_that_any_design_would_find(seed: int) -> None:
    generator = np.random.default_rng(seed)
    shape = tuple(generator.integers(2, 8, size=3).tolist())
    system, topic, assessor = (one.ravel() for one in np.indices(shape))
    values = 3 + generator.normal(size=shape[0])[system] + generator.normal(size=(shape[0], shape[2]))[system, assessor]
    values += generator.normal(size=shape[1])[topic] * (seed % 2) + generator.normal(size=len(system))
    order = generator.permutation(len(system))
    system, topic, assessor, values = system[order], topic[order], assessor[order], values[order]
    codes = {"summarizer": system, "topic": topic, "assessor": assessor}
    levels = {term: _crossed([codes[name] for name in term.split(":")]) for term in TERMS}
    quick = fit_components(system, topic, assessor, values)
    general = _estimate(likelihoods.design_of(system, list(levels.values()), values, shape[0]), levels, unit=1.0)
    assert isinstance(quick, Components) and isinstance(general, Components)
    assert likelihoods.crossed(system, topic, assessor, values) is not None
    assert (quick.terms, quick.zero, quick.levels) == (general.terms, general.zero, general.levels)
    for name in ("values", "means", "covariance", "information", "criterion", "spread", "rows_per_level"):
        np.testing.assert_allclose(getattr(quick, name), getattr(general, name), rtol=1e-8, atol=1e-10, err_msg=name)


def test_judgments_with_a_hole_or_a_repetition_are_not_crossed() -> None:
    system, topic, assessor = (one.ravel() for one in np.indices((3, 4, 3)))
    values = np.arange(36.0)
    assert likelihoods.crossed(system[1:], topic[1:], assessor[1:], values[1:]) is None
    assert (
        likelihoods.crossed(np.append(system[1:], 1), np.append(topic[1:], 1), np.append(assessor[1:], 1), values)
        is None
    )


@pytest.mark.parametrize("exponent", [-140, -80, 60, 140])
@pytest.mark.parametrize("design", ["complete", "with gaps"])
def test_the_size_of_judgments_changes_only_the_size_of_what_is_estimated(exponent: int, design: str) -> None:
    generator = np.random.default_rng(3)
    rows = [
        (system, topic, person, float(generator.integers(1, 6)))
        for system in "ABC"
        for topic in "12345678"
        for person in "xyz"
    ]
    if design == "with gaps":
        rows = rows[::2] + rows[1::4]
    scale = 2.0 ** round(exponent * np.log2(10))
    ordinary = fit(rows)
    extreme = fit([(*row[:3], row[3] * scale) for row in rows])
    assert isinstance(ordinary, Components)
    assert isinstance(extreme, Components)
    assert extreme.values / scale / scale == pytest.approx(ordinary.values, rel=1e-9, abs=1e-12)
    assert extreme.f_test().p == pytest.approx(ordinary.f_test().p, rel=1e-9)
    for table, expected, power in zip(extreme.pairs(), ordinary.pairs(), (1, 2, 0), strict=True):
        assert table / scale**power == pytest.approx(expected, rel=1e-9, nan_ok=True)
    for limits, expected in zip(
        extreme.limits(confidence=95, seed=0), ordinary.limits(confidence=95, seed=0), strict=True
    ):
        assert limits / scale / scale == pytest.approx(expected, rel=1e-9, nan_ok=True)


def test_three_answers_about_one_topic_can_not_separate_anything() -> None:
    assert isinstance(fit([("A", "1", "x", 3.0), ("A", "1", "z", 4.0), ("B", "1", "y", 2.0)]), FitFailure)
