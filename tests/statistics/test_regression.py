"""Linear regression, against statsmodels and against coefficients printed in a paper."""

import json
from pathlib import Path

import numpy as np
import pytest

from other_packages import statsmodels
from pyramidion.errors import UsageError
from pyramidion.statistics.regression import fit_linear

GOLDEN = Path(__file__).parents[1] / "golden" / "statistics" / "duc2006.json"
TABLE_10 = json.loads(GOLDEN.read_text(encoding="utf-8"))["printed"]["table10"]


def answers(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(1, 6, size=(rows, columns)).astype(float)


@pytest.mark.slow  # imports what it compares with
@pytest.mark.parametrize("confidence", [95.0, 99.0])
def test_every_number_is_that_of_statsmodels(confidence: float) -> None:
    features = answers(60, 4)
    target = features @ [0.1, 0.5, 0, -0.2] + np.random.default_rng(1).normal(size=60)
    expected = statsmodels.OLS(target, statsmodels.add_constant(features)).fit()
    found = fit_linear(features, target, confidence=confidence)
    for ours, theirs in (
        (found.coefficients, expected.params),
        (found.standard_errors, expected.bse),
        (found.t, expected.tvalues),
        (found.p, expected.pvalues),
        (np.stack([found.lower, found.upper], axis=1), expected.conf_int(alpha=1 - confidence / 100)),
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    assert found.r_squared == pytest.approx(expected.rsquared, rel=1e-12)
    assert found.adjusted_r_squared == pytest.approx(expected.rsquared_adj, rel=1e-12)
    assert (found.n, found.degrees_of_freedom) == (60, expected.df_resid)


@pytest.mark.parametrize("assessor", TABLE_10)
def test_answers_made_to_have_the_printed_weights_give_them_back(assessor: str) -> None:
    """Table 10 of the DUC 2006 overview: the answers were not printed, so residuals are made for its R²."""
    printed = TABLE_10[assessor]
    features = answers(195, 6, seed=6)
    fitted = features @ [printed[name] for name in ("q1", "q2", "q3", "q4", "q5", "content")]
    noise = np.random.default_rng(2).normal(size=195)
    design = np.column_stack([np.ones(195), features])
    noise -= design @ np.linalg.lstsq(design, noise, rcond=None)[0]
    explained = ((fitted - fitted.mean()) ** 2).sum()
    noise *= np.sqrt(explained * (1 - printed["r_squared"]) / printed["r_squared"] / (noise @ noise))
    found = fit_linear(features, fitted + noise)
    assert found.coefficients[1:].round(4).tolist() == list(printed.values())[:6]
    assert round(found.r_squared, 4) == printed["r_squared"]


def test_a_column_that_says_nothing_new_is_left_out_with_a_reason() -> None:
    features = answers(30, 2)
    target = answers(30, 1, seed=3)[:, 0]
    more = np.column_stack([features, features[:, 0] * 2 + 1, np.full(30, 4.0), features.sum(axis=1)])
    alone, found = fit_linear(features, target), fit_linear(more, target)
    np.testing.assert_allclose(found.coefficients[:3], alone.coefficients, rtol=1e-9)
    np.testing.assert_allclose(found.upper[:3], alone.upper, rtol=1e-9)
    assert np.isnan(found.coefficients[3:]).all()
    combination = "a combination of the terms before it"
    assert found.reasons == ("", "", "", combination, "constant", combination)
    assert found.degrees_of_freedom == 27
    # numpy's least squares takes the least norm: another choice of coefficients, but the same fit
    design = np.column_stack([np.ones(30), more])
    fitted = design @ np.linalg.lstsq(design, target, rcond=None)[0]
    assert found.r_squared == pytest.approx(np.var(fitted) / np.var(target), rel=1e-9)


def test_too_few_rows_and_missing_values_are_refused() -> None:
    with pytest.raises(UsageError, match="4 rows are too few for 4 coefficients; at least 5"):
        fit_linear(answers(4, 3), answers(4, 1)[:, 0])
    with pytest.raises(UsageError, match="0 rows"):
        fit_linear(np.zeros((0, 2)), np.zeros(0))
    with pytest.raises(UsageError, match="missing"):
        fit_linear(np.array([[1.0], [2.0], [np.nan], [4.0]]), np.arange(4.0))


def test_of_a_constant_target_no_share_of_variance_is_explained() -> None:
    assert np.isnan(fit_linear(answers(20, 2), np.full(20, 3.0)).r_squared)
