"""Sums over blocks of topics give the analyses of the whole matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.statistics.friedman import friedman_test
from pyramidion.statistics.letters import tukey_test
from pyramidion.statistics.moments import Moments
from pyramidion.statistics.variance import two_way_anova


@given(
    rows=st.integers(2, 5),
    columns=st.integers(2, 12),
    blocks=st.integers(1, 4),
    missing=st.floats(0, 0.5),
    seed=st.integers(0, 1000),
)
def test_blocks_give_what_the_matrix_gives(rows: int, columns: int, blocks: int, missing: float, seed: int) -> None:
    draw = np.random.default_rng(seed)
    values = np.round(draw.normal(0.4, 0.2, (rows, columns)), 2)
    values[draw.random(values.shape) < missing] = np.nan
    values[np.isnan(values).all(axis=1), 0] = 0.5  # whoever has no value at all is not compared
    moments = Moments(size=rows, centre=0.4)
    for block in np.array_split(values, blocks, axis=1):
        moments.add(block)
    assert moments.means == pytest.approx(np.nanmean(values, axis=1), rel=1e-12)
    expected, found = two_way_anova(values), moments.anova()
    assert (found is None) == (expected is None)
    if expected is not None and found is not None:
        for one, other in zip(found.table, expected.table, strict=True):
            assert one.degrees_of_freedom == other.degrees_of_freedom
            assert one.sum_of_squares == pytest.approx(other.sum_of_squares, rel=1e-8, abs=1e-12)
            if expected.mean_square > 1e-12:
                assert (one.f, one.p) == pytest.approx((other.f, other.p), rel=1e-6, abs=1e-9, nan_ok=True)
        assert found.row_means == pytest.approx(expected.row_means, rel=1e-9, nan_ok=True)
        assert (found.missing, found.pieces) == (expected.missing, expected.pieces)
        if expected.mean_square > 1e-12 and (tukey := tukey_test(expected, confidence=95)):
            own = tukey_test(found, confidence=95)
            assert own is not None
            assert own.largest_difference == pytest.approx(tukey.largest_difference, rel=1e-8)
    ranked, own_ranks = friedman_test(values, confidence=95), moments.friedman(95)
    assert (ranked is None) == (own_ranks is None)
    if ranked is not None and own_ranks is not None:
        assert own_ranks.chi2 == pytest.approx(ranked.chi2, rel=1e-9, nan_ok=True)
        assert own_ranks.mean_ranks == pytest.approx(ranked.mean_ranks)
