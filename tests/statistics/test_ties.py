"""Equal values are equal, also when they differ in their last bits."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from pyramidion.statistics.values import mid_ranks, snap_measure_ties, snap_ties

MATRICES = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    elements=st.sampled_from([0.0, 0.5, 1.0, -2.0, np.nan]),
)


@given(MATRICES, st.sampled_from([0, 1]))
def test_mid_ranks_are_those_of_scipy(values: npt.NDArray[np.float64], axis: int) -> None:
    expected = stats.rankdata(values, axis=axis, nan_policy="omit")
    np.testing.assert_array_equal(mid_ranks(values, axis=axis), expected)


def test_what_differs_in_the_last_bits_is_settled_to_the_same_number() -> None:
    assert 0.1 + 0.2 != 0.3
    assert len(set(snap_ties(np.array([0.1 + 0.2, 0.3])))) == 1


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
def test_each_measure_is_settled_on_its_own_scale(scale: float) -> None:
    values = np.array([[0.1 + 0.2, 0.3, 0.4], [scale, 2 * scale, 3 * scale]])
    first, second = snap_measure_ties(values)
    assert first[0] == first[1] < first[2]
    assert second[0] < second[1] < second[2]
