"""Agreement, against the package krippendorff, against values computed elsewhere and worked out by hand."""

import json
import os
from pathlib import Path
from typing import get_args

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.errors import UsageError
from pyramidion.options import AlphaMetric
from pyramidion.statistics import resampling
from pyramidion.statistics.agreement import (
    confusion_matrix,
    gwet_ac2,
    krippendorff_alpha,
    mean_pair_agreement,
    pair_agreement,
)

NAN = np.nan
DATA = Path(os.environ.get("PYRAMIDION_DATA", "nowhere"))
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "statistics" / "meta.json").read_text(encoding="utf-8"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="PYRAMIDION_DATA names no folder with public campaigns")


def codings(units: int, coders: int, *, missing: float, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    quality = generator.integers(1, 6, size=(units, 1))
    values: np.ndarray = np.clip(quality + generator.integers(-1, 2, size=(units, coders)), 1, 5).astype(float)
    values[generator.random(values.shape) < missing] = NAN
    return values


@pytest.mark.parametrize("metric", get_args(AlphaMetric))
@pytest.mark.parametrize("missing", [0.0, 0.3, 0.7])
def test_alpha_is_that_of_the_package_krippendorff(metric: AlphaMetric, missing: float) -> None:
    values = codings(80, 4, missing=missing, seed=3)
    expected = krippendorff.alpha(reliability_data=values.T, level_of_measurement=metric)
    assert krippendorff_alpha(values, metric=metric).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", get_args(AlphaMetric))
def test_alpha_is_that_of_krippendorff_where_hardly_two_values_are_the_same(metric: AlphaMetric) -> None:
    values = np.random.default_rng(8).random((60, 3)) * 100
    values += values[:, :1] * 2
    expected = krippendorff.alpha(reliability_data=values.T, level_of_measurement=metric)
    assert krippendorff_alpha(values, metric=metric).value == pytest.approx(expected, abs=1e-12)


def test_alpha_by_hand() -> None:
    # o(1,1) = 2, o(2,2) = 2, o(1,2) = o(2,1) = 1; n = 6, n1 = n2 = 3: D_o = 2/6, D_e = 2·3·3/(6·5) = 0.6
    alpha = krippendorff_alpha(np.array([[1.0, 1.0], [2.0, 2.0], [1.0, 2.0], [2.0, NAN]]), metric="nominal")
    assert alpha.value == pytest.approx(1 - (2 / 6) / 0.6)
    assert (alpha.units, alpha.codings, alpha.left_out) == (3, 6, 1)


@given(arrays(np.float64, (7, 3), elements=st.sampled_from([1.0, 2.0, 5.0, NAN])), st.permutations(range(3)))
def test_alpha_does_not_ask_which_coder_gave_which_value(values: np.ndarray, order: list[int]) -> None:
    for metric in get_args(AlphaMetric):
        before, after = (krippendorff_alpha(one, metric=metric).value for one in (values, values[:, order]))
        assert after == pytest.approx(before, abs=1e-12, nan_ok=True)


@given(arrays(np.float64, (6, 3), elements=st.sampled_from([1.0, 2.0, 4.0])), st.floats(-100, 100))
def test_ordinal_asks_for_the_order_alone_and_interval_for_differences_alone(values: np.ndarray, shift: float) -> None:
    for metric, other in (("ordinal", np.exp(values)), ("interval", values * 3 + shift), ("nominal", -values)):
        before = krippendorff_alpha(values, metric=metric)  # type: ignore[arg-type]  # one of the three
        after = krippendorff_alpha(other, metric=metric)  # type: ignore[arg-type]
        assert after.value == pytest.approx(before.value, abs=1e-9, nan_ok=True)


def test_alpha_is_undefined_with_a_reason_never_0() -> None:
    alone = krippendorff_alpha(np.array([[1.0, NAN], [NAN, 2.0]]), metric="nominal")
    assert np.isnan(alone.value)
    assert "two codings" in alone.reason
    same = krippendorff_alpha(np.full((5, 2), 3.0), metric="ordinal", resamples=1000)
    assert np.isnan([same.value, same.lower, same.upper]).all()
    assert "same value" in same.reason
    assert np.isnan(krippendorff_alpha(np.zeros((0, 0)), metric="interval").value)


@pytest.mark.parametrize("metric", get_args(AlphaMetric))
def test_the_interval_is_that_of_drawing_units_one_by_one(metric: AlphaMetric) -> None:
    values = codings(40, 3, missing=0.2, seed=5)
    comparable = values[(~np.isnan(values)).sum(axis=1) >= 2]
    drawn = [  # as documented, with the other package's α
        krippendorff.alpha(reliability_data=comparable[rows].T, level_of_measurement=metric)
        for rows in np.random.default_rng(7).integers(0, len(comparable), size=(200, len(comparable)))
    ]
    found = krippendorff_alpha(values, metric=metric, confidence=90, resamples=200, seed=7)
    assert (found.lower, found.upper) == pytest.approx(tuple(np.percentile(drawn, [5, 95])), abs=1e-12)


def test_the_interval_does_not_depend_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    values = codings(30, 3, missing=0.1, seed=1)
    whole = krippendorff_alpha(values, metric="ordinal", resamples=50)
    monkeypatch.setattr(resampling, "LARGE_BLOCK", 100)
    assert krippendorff_alpha(values, metric="ordinal", resamples=50) == whole


def test_clusters_are_drawn_as_a_whole() -> None:
    values = codings(12, 3, missing=0.0, seed=2)
    clusters = np.repeat([4, 9, 1], 4)
    alphas = [
        krippendorff.alpha(
            reliability_data=np.concatenate([values[clusters == one] for one in np.array([1, 4, 9])[rows]]).T,
            level_of_measurement="interval",
        )
        for rows in np.random.default_rng(0).integers(0, 3, size=(100, 3))
    ]
    found = krippendorff_alpha(values, metric="interval", resamples=100, clusters=clusters)
    assert (found.lower, found.upper) == pytest.approx(tuple(np.percentile(alphas, [2.5, 97.5])), abs=1e-12)


def test_one_unit_alone_has_no_interval() -> None:
    found = krippendorff_alpha(np.array([[1.0, 2.0, 2.0]]), metric="nominal", resamples=1000)
    assert not np.isnan(found.value)
    assert np.isnan(found.lower)


def test_undefined_resamples_are_counted_and_left_out() -> None:
    values = np.array([[1.0, 1.0], [2.0, 2.0]])
    found = krippendorff_alpha(values, metric="nominal", resamples=200, seed=1)
    assert found.value == 1.0
    assert 60 < found.undefined < 140  # each with probability one half
    assert (found.lower, found.upper) == (1.0, 1.0)


def test_a_metric_or_a_value_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match="ratio"):
        krippendorff_alpha(np.ones((2, 2)), metric="ratio")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="infinite"):
        krippendorff_alpha(np.array([[1.0, np.inf]]), metric="nominal")


def test_pairs_by_hand() -> None:
    found = pair_agreement(np.array([1.0, 2.0, 5.0, 3.0, NAN]), np.array([1.0, 3.0, 3.0, NAN, 4.0]))
    assert found.n == 3
    assert (found.exact, found.within_one) == pytest.approx((1 / 3, 2 / 3))
    assert found.difference == pytest.approx(1 / 3)
    assert found.pearson == pytest.approx(np.corrcoef([1, 2, 5], [1, 3, 3])[0, 1])
    nobody = pair_agreement(np.array([1.0]), np.array([NAN]))
    assert nobody.n == 0
    assert np.isnan(nobody.exact)
    assert np.isnan(pair_agreement(np.array([1.0, 1.0]), np.array([1.0, 2.0])).pearson)


def test_the_share_of_agreeing_pairs_is_a_mean_over_units() -> None:
    votes = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, NAN], [NAN, NAN, 1.0]])
    assert mean_pair_agreement(votes) == pytest.approx((1 / 3 + 1) / 2)
    assert np.isnan(mean_pair_agreement(votes[2:]))


def test_confusion_counts_rows_for_the_first_and_columns_for_the_second() -> None:
    first, second = np.array([1.0, 1.0, 2.0, NAN]), np.array([1.0, 2.0, 3.0, 3.0])
    counts = confusion_matrix(first, second, np.array([1.0, 2.0, 3.0]))
    assert counts.tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 0]]
    with pytest.raises(UsageError):
        confusion_matrix(first, second, np.array([1.0, 2.0]))


@needs_data
@pytest.mark.parity
def test_unequal_numbers_of_votes_give_the_alpha_computed_elsewhere() -> None:
    lines = (DATA / "realsumm" / "votes.jsonl").read_text(encoding="utf-8").splitlines()
    given_votes = [json.loads(line)["votes"] for line in lines]
    votes = np.array([one + [NAN] * (4 - len(one)) for one in given_votes])
    expected = GOLDEN["sets"]["realsumm"]["krippendorff_scu_votes"]
    found = krippendorff_alpha(votes, metric="nominal")
    assert found.units == expected["values"]["n_units"]
    assert found.value == pytest.approx(expected["values"]["nominal"], abs=expected["tolerance"])
    agreed = expected["values"]["mean_raw_pair_agreement"]
    assert mean_pair_agreement(votes) == pytest.approx(agreed, abs=expected["tolerance"])


GWET_RATINGS = np.array(
    [
        [1, 1, NAN, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [NAN, 5, 5, 5],
        [NAN, NAN, 1, 1],
        [NAN, NAN, 3, NAN],
    ]
)
"""Krippendorff's example of four coders and twelve units, which Gwet (2014) uses."""


def test_ac2_is_that_of_the_package_irrcac() -> None:
    # irrCAC 0.4.4 (PyPI): CAC(ratings, weights="quadratic", categories=[1, 2, 3, 4, 5]).gwet(), to 5 decimals
    assert gwet_ac2(GWET_RATINGS, np.arange(1.0, 6)) == pytest.approx(0.914, abs=5e-6)
    # irrCAC 0.4.4, weights="quadratic": 60 units, two coders, nearly all answers 4 or 5, where Fleiss' κ is 0.27
    generator = np.random.default_rng(1)
    quality = np.clip(np.round(4.6 + generator.normal(0, 0.5, 60)), 1, 5)
    ratings = np.clip(np.round(quality[:, None] + generator.normal(0, 0.5, (60, 2))), 1, 5)
    assert gwet_ac2(ratings, np.arange(1.0, 6)) == pytest.approx(0.93153, abs=5e-6)


def test_ac2_with_two_categories_is_ac1() -> None:
    # With two categories quadratic weights are 1 and 0, and AC2 is AC1.
    ratings = np.where(np.isnan(GWET_RATINGS), NAN, np.minimum(GWET_RATINGS, 2.0))
    agreement = (ratings[:, :2][~np.isnan(ratings[:, :2]).any(axis=1)]).copy()
    observed = (agreement[:, 0] == agreement[:, 1]).mean()
    share = (agreement == 1).mean()
    expected = 2 * share * (1 - share)  # Gwet (2008), AC1 of two coders
    assert gwet_ac2(agreement, np.array([1.0, 2.0])) == pytest.approx((observed - expected) / (1 - expected))


def test_ac2_refuses_values_outside_the_scale_and_is_undefined_without_pairs() -> None:
    with pytest.raises(UsageError, match="none of the given values"):
        gwet_ac2(np.array([[1.0, 2.5]]), np.arange(1.0, 6))
    assert np.isnan(gwet_ac2(np.array([[1.0, NAN]]), np.arange(1.0, 6)))
