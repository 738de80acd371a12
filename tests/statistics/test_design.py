"""Designs, clustered errors, preferences and agreement against R (tests/golden/statistics/mixed.json says how)."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import integrate, stats

from pyramidion.arrays import Floats
from pyramidion.errors import InputError, UsageError
from pyramidion.options import DesignOptions
from pyramidion.statistics.agreement import intraclass_correlation, quadratic_kappa
from pyramidion.statistics.design import design_power, detectable_shift, judged_design
from pyramidion.statistics.preferences import davidson
from pyramidion.statistics.regression import fit_linear
from pyramidion.studies.design import COSTS, Design, Pilot, _enumerate, _family_power, read_costs

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "statistics" / "mixed.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def judgments() -> list[dict[str, Any]]:
    path = Path(os.environ.get("PYRAMIDION_DATA", "nowhere")) / "summeval_op" / "judgments.jsonl"
    if not path.exists():
        pytest.skip("PYRAMIDION_DATA has no summeval_op")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", GOLDEN["design"])
def test_variance_freedom_and_power_of_a_design(case: dict[str, Any]) -> None:
    counts = {key: case[key] for key in ("topics", "assessors", "judgments", "sa", "st", "e")}
    variance, freedom = judged_design(systems=case["summarizers"], **counts)
    assert float(variance) == pytest.approx(case["v"], rel=1e-10)
    assert float(freedom) == pytest.approx(case["df"], rel=1e-10)
    assert float(design_power(case["delta"], variance, freedom, alpha=0.05)) == pytest.approx(case["power"], abs=1e-6)


def test_power_among_all_pairs_is_that_of_tukeys_test() -> None:
    pilot = Pilot(
        measure="m", systems=20, judged=False, values={"st": 0.5, "sm": 0.2}, draws={"st": np.ones(9), "sm": np.ones(9)}
    )
    design = Design(
        measure="m", topics=40, models=2, systems=20, difference=0.5, cost=0, power=0, lower=0, upper=0, family_power=0,
        best=True, alpha=0.05, confidence=95, seed=0,
    )  # fmt: skip
    freedom, error = 19 * 39, np.sqrt(2 * (0.5 / 40 + 0.2 / 80))
    critical = stats.studentized_range.ppf(0.95, 20, freedom) / np.sqrt(2)
    shift = 0.5 / error
    expected = stats.nct.sf(critical, freedom, shift) + stats.nct.cdf(-critical, freedom, shift)
    assert _family_power(pilot, design) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("case", GOLDEN["cheapest"])
def test_the_cheapest_design_is_found(case: dict[str, Any]) -> None:
    values = {key: case[key] for key in ("sa", "st", "e")}
    drawn = {key: np.full(5, value) for key, value in values.items()}
    pilot = Pilot(measure="question.x", systems=case["summarizers"], judged=True, values=values, draws=drawn)
    options = DesignOptions(
        difference=case["delta"],
        power=100 * case["power"],
        most_assessors=case["assessors_max"],
        most_topics=case["topics_max"],
        confidence=100 * (1 - case["alpha"]),
    )
    found = _enumerate(pilot, options, {**dict.fromkeys(COSTS, 0.0), **case["costs"]})
    best = min(found, key=lambda one: (round(one.cost, 9), one.assessors, one.judgments))
    expected = case["cheapest"]
    assert (best.cost, best.assessors, best.judgments, best.topics) == (
        expected["cost"],
        expected["assessors"],
        expected["judgments"],
        expected["topics"],
    )
    budget = _enumerate(
        pilot, DesignOptions(difference=case["delta"], budget=best.cost), case["costs"] | {"model": 0.0}
    )
    assert max(one.power for one in budget) >= case["power"]
    assert all(one.cost <= best.cost for one in budget)


def test_costs_are_read_and_refused() -> None:
    assert read_costs("topic=20, judgment=1.5") == {"topic": 20.0, "judgment": 1.5, "assessor": 0.0, "model": 0.0}
    assert read_costs(None)["judgment"] == 1
    for wrong in ("topic=x", "paper=3", "topic=-1", "topic=nan"):
        with pytest.raises(UsageError):
            read_costs(wrong)


@pytest.mark.parametrize("which", ["pooled", "a1"])
def test_clustered_errors_are_those_of_clubsandwich(which: str, judgments: list[dict[str, Any]]) -> None:
    expected = GOLDEN["cr2"][which]
    terms = [term.replace("_", "-") for term in expected["terms"][1:]]
    rows: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
    for one in judgments:
        rows[one["assessor"], one["topic"], one["summarizer"]][one["question"]] = one["value"]
    kept = [key for key in rows if which in ("pooled", key[0])]
    features = np.array([[rows[key][term] for term in terms] for key in kept], dtype=np.float64)
    target = np.array([rows[key]["relevance"] for key in kept], dtype=np.float64)
    clusters = np.unique([key[1] for key in kept], return_inverse=True)[1]
    found = fit_linear(features, target, clusters=clusters)
    for values, name in (
        (found.coefficients, "beta"),
        (found.standard_errors, "cr2_se"),
        (found.coefficient_freedom, "df"),
        (found.p, "p"),
        (found.lower, "lower"),
        (found.upper, "upper"),
    ):
        assert values == pytest.approx(expected[name], abs=1e-8)


@pytest.mark.parametrize("question", GOLDEN["icc"])
def test_intraclass_correlation_and_kappa_are_those_of_psych(question: str, judgments: list[dict[str, Any]]) -> None:
    cells: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for one in judgments:
        if one["question"] == question:
            cells[one["topic"], one["summarizer"]][one["assessor"]] = one["value"]
    matrix: Floats = np.array([[row[who] for who in sorted(row)] for row in cells.values()], dtype=np.float64)
    found = intraclass_correlation(matrix, confidence=95)
    assert found is not None
    expected = GOLDEN["icc"][question]
    assert found.single == pytest.approx(expected["ICC2_1"], abs=1e-8)
    assert found.lower == pytest.approx(expected["ICC2_1_lower"], abs=1e-8)
    assert found.upper == pytest.approx(expected["ICC2_1_upper"], abs=1e-8)
    assert found.mean == pytest.approx(expected["ICC2_k"], abs=1e-8)
    kappa = quadratic_kappa(matrix[:, 0], matrix[:, 1])
    assert kappa == pytest.approx(expected["quadratic_kappa_a1_a2"], abs=1e-8)


@given(arrays(np.float64, st.tuples(st.integers(2, 4), st.integers(2, 3)), elements=st.integers(1, 3).map(float)))
def test_intraclass_correlation_of_few_answers_is_a_number_or_none(codings: Floats) -> None:
    found = intraclass_correlation(codings, confidence=95)
    if found is not None:
        numbers = [found.single, *(one for one in (found.lower, found.upper, found.mean) if one is not None)]
        assert np.isfinite(numbers).all()


def test_two_assessors_who_contradict_each_other_exactly_have_no_intraclass_correlation() -> None:
    assert intraclass_correlation(np.array([[1.0, 2.0], [2.0, 1.0]]), confidence=95) is None


def test_abilities_are_those_of_a_poisson_regression() -> None:
    case = GOLDEN["davidson"]
    who = case["levels"]
    wins, ties = np.zeros((len(who),) * 2), np.zeros((len(who),) * 2)
    for a, b, first, tie, second in case["counts"]:
        i, j = who.index(a), who.index(b)
        wins[i, j], wins[j, i] = first, second
        ties[i, j] = ties[j, i] = tie
    found = davidson(wins, ties)
    for name, ability in case["log_ability"].items():
        assert found.log_ability[who.index(name)] == pytest.approx(ability, abs=1e-8)
        assert found.errors[who.index(name)] == pytest.approx(case["se"][name], abs=1e-8)
    assert found.log_tie == pytest.approx(case["log_tie"], abs=1e-8)
    assert found.log_tie_error == pytest.approx(case["log_tie_se"], abs=1e-8)
    assert found.covariance == pytest.approx(np.array(case["cov"]), abs=1e-8)


def test_who_always_wins_has_no_finite_ability() -> None:
    with pytest.raises(InputError, match="no finite ability"):
        davidson(np.array([[0.0, 3.0], [0.0, 0.0]]), np.zeros((2, 2)))


def test_power_is_given_in_percent_or_as_a_share() -> None:
    assert DesignOptions(power=0.8).power_in_percent == DesignOptions(power=80).power_in_percent == 80


@pytest.mark.parametrize("size", [2.0**-490, 2.0**-300, 2.0**270, 2.0**490])
def test_intraclass_correlation_does_not_depend_on_the_unit(size: float) -> None:
    codings = np.random.default_rng(0).integers(1, 6, size=(12, 3)).astype(np.float64)
    expected = intraclass_correlation(codings, confidence=95)
    assert expected is not None
    assert expected.lower is not None
    assert intraclass_correlation(codings * size, confidence=95) == expected


def test_a_fit_of_many_items_takes_as_much_memory_as_its_pairs() -> None:
    wins = np.random.default_rng(1).integers(1, 4, (200, 200)).astype(float)
    tracemalloc.start()
    fit = davidson(wins, np.ones((200, 200)))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2**24
    assert np.isfinite(fit.errors).all()


@pytest.mark.parametrize("freedom", [1.0, 1.3, 2.0, 5.0])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 3, 0.001])
def test_a_shift_that_few_degrees_of_freedom_need_is_found_however_large_it_is(freedom: float, alpha: float) -> None:
    """With one degree of freedom and three comparisons the critical value alone is 38: the search did not end."""
    shift = float(detectable_shift(freedom, power=0.8, alpha=alpha))
    critical = stats.t.ppf(1 - alpha / 2, freedom)

    def detects(spread: float) -> float:
        """The chance to detect the shift if the standard error is estimated as `spread` times the true one."""
        return float(stats.norm.sf(critical * spread - shift) * stats.chi.pdf(spread * np.sqrt(freedom), freedom))

    power = np.sqrt(freedom) * integrate.quad(detects, 0, 10, points=[shift / critical], limit=500)[0]
    assert power == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize("exponent", [-280, -160, 280])
def test_degrees_of_freedom_do_not_depend_on_the_size_of_the_variances(exponent: int) -> None:
    parts: dict[str, Any] = {"sa": 0.3, "st": 0.2, "e": 0.5}
    counts: dict[str, Any] = {"systems": 5, "topics": 10, "assessors": 4, "judgments": 2}
    scaled: dict[str, Any] = {name: value * 10.0**exponent for name, value in parts.items()}
    assert judged_design(**counts, **scaled)[1] == pytest.approx(judged_design(**counts, **parts)[1], rel=1e-12)
