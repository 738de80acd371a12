"""Proportional odds: values of R (MASS::polr, ordinal::clmm 2022.11) and of statsmodels on made-up answers."""

from __future__ import annotations

import numpy as np
import pytest

from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.ordinal import answers_at_one_end, fit_ordinal

THREE = np.repeat([0, 1, 2], 12)
ANSWERS = np.array(
    [1, 2, 2, 3, 3, 3, 4, 2, 1, 3, 2, 5, 2, 3, 3, 4, 4, 5, 3, 2, 4, 3, 5, 4, 3, 4, 5, 5, 4, 4, 2, 5, 3, 5, 4, 5],
    dtype=np.float64,
)
TOPICS = np.tile(np.arange(12), 3)
POLR = {
    "effects": [0.0, 1.5920760, 2.6732267],
    "errors": [0.0, 0.78833064, 0.85973953],
    "thresholds": [-1.892408851, 0.070099638, 1.611959295, 3.005353581],
    "log_likelihood": -49.0653287,
}
"""R: polr(answer ~ system); statsmodels' OrderedModel: 1.59204, 2.67319; errors .78833, .85974; −49.06533."""
CLMM = {
    "effects": [0.0, 1.802086, 3.047565],
    "errors": [0.0, 0.8392379, 0.9734811],
    "spread": 0.8311373,
    "log_likelihood": -48.5676,
}
"""R: clmm(answer ~ system + (1 | topic))."""


def test_without_random_effects_it_is_polr() -> None:
    fit = fit_ordinal(THREE, {}, ANSWERS)
    assert fit is not None
    assert fit.effects == pytest.approx(POLR["effects"], abs=2e-4)
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(POLR["errors"], abs=2e-3)
    assert fit.thresholds == pytest.approx(POLR["thresholds"], abs=2e-4)
    assert fit.log_likelihood == pytest.approx(POLR["log_likelihood"], abs=1e-5)


def test_with_random_topics_it_is_clmm_up_to_laplace() -> None:
    fit = fit_ordinal(THREE, {"topic": TOPICS}, ANSWERS)
    assert fit is not None
    # clmm maximises Laplace's likelihood over the fixed effects, too; here they are those of the joint mode, which are
    # within a fifth of their standard errors.
    assert fit.effects == pytest.approx(CLMM["effects"], abs=0.15)
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(CLMM["errors"], abs=0.12)
    assert fit.spreads["topic"] == pytest.approx(CLMM["spread"], abs=0.06)
    assert fit.log_likelihood == pytest.approx(CLMM["log_likelihood"], abs=0.02)


def test_only_the_order_of_answers_counts() -> None:
    first, second = (fit_ordinal(THREE, {"topic": TOPICS}, answers) for answers in (ANSWERS, np.exp(ANSWERS)))
    assert first is not None
    assert second is not None
    assert first.z_values() == pytest.approx(second.z_values())
    assert first.z_values() == pytest.approx(-first.z_values().T)


def test_what_can_not_be_fitted_has_no_fit() -> None:
    assert fit_ordinal(THREE, {}, np.ones(36)) is None
    many: Integers = np.arange(36)
    assert fit_ordinal(THREE, {"topic": many * 20}, ANSWERS) is None  # more columns than a check may have


@pytest.mark.parametrize(
    ("answers", "at_end"),
    [([5, 5, 4, 5, 3, 4], [True, False, False]), ([1, 1, 1, 5, 5, 5], [True, False, True]), ([2, 3] * 3, [False] * 3)],
)
def test_only_top_or_only_bottom_answers_are_seen(answers: list[float], at_end: list[bool]) -> None:
    values: Floats = np.array(answers, dtype=np.float64)
    assert answers_at_one_end(np.repeat([0, 1, 2], 2), values).tolist() == at_end
