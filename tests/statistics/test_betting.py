"""Betting on the mean of bounded values, against the authors' own program and by simulation."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError
from pyramidion.statistics.betting import betting_sequence, betting_wealth

CASES = json.loads((Path(__file__).parents[1] / "golden/statistics/betting_confseq.json").read_text(encoding="utf-8"))
"""By confseq 0.0.11, the program of the method's authors; the file says which calls."""


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: f"{case['name']}, {case['alpha']}")
def test_limits_and_wealth_are_those_of_confseq(case: dict[str, Any]) -> None:
    values, confidence = np.array(case["values"]), 100 * (1 - case["alpha"])
    sequence = betting_sequence(values, bounds=(0, 1), confidence=confidence)
    assert sequence.lower == pytest.approx(case["lower"], abs=1e-6)
    assert sequence.upper == pytest.approx(case["upper"], abs=1e-6)
    planned = betting_sequence(values, bounds=(0, 1), confidence=confidence, planned=len(values))
    assert planned.lower[-1] == pytest.approx(case["planned_lower"], abs=1e-6)
    assert planned.upper[-1] == pytest.approx(case["planned_upper"], abs=1e-6)
    for mean, capital in case["capital"].items():
        against = betting_sequence(values, bounds=(0, 1), confidence=confidence, null=float(mean))
        assert against.e == pytest.approx(capital, rel=1e-6)


def test_values_on_another_scale_have_limits_on_it() -> None:
    values = np.random.default_rng(0).beta(2, 3, 50)
    plain = betting_sequence(values, bounds=(0, 1), confidence=95, null=0.5)
    scaled = betting_sequence(8 * values - 4, bounds=(-4, 4), confidence=95, null=0.0)
    assert scaled.lower == pytest.approx(8 * plain.lower - 4)
    assert scaled.p == pytest.approx(plain.p)


def test_limits_by_the_last_wealth_may_include_what_an_earlier_look_excluded() -> None:
    values = np.concatenate([np.ones(12), np.zeros(40)])
    sequence = betting_sequence(values, bounds=(0, 1), confidence=95, null=0.5)
    assert sequence.lower[11] > 0.5
    assert sequence.last_lower < 0.5


@given(
    st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), min_size=1, max_size=60),
    st.sampled_from([80.0, 95.0, 99.5]),
    st.booleans(),
    st.floats(-0.9, 0.9),
)
def test_the_null_value_is_outside_the_limits_exactly_when_p_is_at_most_the_level(
    values: list[float], confidence: float, is_planned: bool, null: float
) -> None:
    planned = len(values) if is_planned else None
    sequence = betting_sequence(np.array(values), bounds=(-1, 1), confidence=confidence, null=null, planned=planned)
    level = 1 - confidence / 100
    has_limits = ~np.isnan(sequence.lower)
    is_outside = (sequence.lower > null) | (sequence.upper < null)
    assert (is_outside[has_limits] == (sequence.p <= level)[has_limits]).all()
    assert (np.diff(sequence.p) <= 0).all()
    assert (sequence.p[~has_limits] <= level).all()


def bounded_samples(kind: str, count: int) -> Floats:
    """Samples of 200 values between −1 and 1 with a mean of 0."""
    generator = np.random.default_rng(1)
    shape = (count, 200)
    if kind == "fails on 5 %":
        return np.where(generator.random(shape) < 0.05, -0.95, 0.05)
    if kind == "fails on 2 %":
        return np.where(generator.random(shape) < 0.02, -0.98, 0.02)
    if kind == "lognormal":
        values = np.minimum(generator.lognormal(0, 1, shape) / 20, 1.0)
        return np.asarray(values - np.minimum(generator.lognormal(0, 1, 10**6) / 20, 1.0).mean())
    values = np.minimum(generator.exponential(0.1, shape), 1.0)
    return np.asarray(values - 0.1 * (1 - math.exp(-10)))


@pytest.mark.parametrize("kind", ["fails on 5 %", "fails on 2 %", "lognormal", "exponential"])
def test_the_error_over_200_looks_is_at_most_the_level(kind: str) -> None:
    """The Gaussian e-value decides wrongly in 55, 72, 22 and 10 % of such sequences."""
    wealth = betting_wealth(bounded_samples(kind, 1000), bounds=(-1, 1), confidence=95)
    assert np.mean(wealth.max(axis=1) >= 20) <= 0.05


def test_values_outside_their_bounds_are_an_error() -> None:
    with pytest.raises(UsageError, match=r"found values from 0\.2 to 1\.5; expected them from 0 to 1"):
        betting_sequence(np.array([0.2, 1.5]), bounds=(0, 1), confidence=95)


def test_no_values_have_no_limits() -> None:
    sequence = betting_sequence(np.array([]), bounds=(0, 1), confidence=95)
    assert len(sequence.p) == 0
    assert (sequence.last_lower, sequence.last_upper) == (0, 1)
