"""Draws: their order is the definition, and blocks do not change them."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.options import Resampled
from pyramidion.statistics.correlation.draws import BLOCK_CELLS, bootstrap_draws, permutation_draws
from pyramidion.statistics.resampling import block_sizes, multiplicities

SIZES = st.integers(1, 40)


@given(rows=SIZES, columns=SIZES, seed=st.integers(0, 99), cells=st.integers(1, 300_000))
def test_each_resample_draws_summarizers_then_topics(rows: int, columns: int, seed: int, cells: int) -> None:
    generator = np.random.default_rng(seed)
    wanted = [(generator.integers(0, rows, size=rows), generator.integers(0, columns, size=columns)) for _ in range(9)]
    blocks = list(bootstrap_draws((rows, columns), resampled="both", resamples=9, seed=seed, cells=cells))
    drawn_rows = np.concatenate([block.rows for block in blocks if block.rows is not None])
    drawn_columns = np.concatenate([block.columns for block in blocks if block.columns is not None])
    assert sum(map(len, blocks)) == 9
    assert np.array_equal(drawn_rows, [one for one, _ in wanted])
    assert np.array_equal(drawn_columns, [other for _, other in wanted])


@given(rows=SIZES, columns=SIZES, seed=st.integers(0, 99), cells=st.integers(1, 300_000))
def test_each_permutation_tosses_for_summarizers_then_for_topics(
    rows: int, columns: int, seed: int, cells: int
) -> None:
    generator = np.random.default_rng(seed)
    wanted = [(generator.random(rows) > 0.5, generator.random(columns) > 0.5) for _ in range(7)]
    blocks = list(permutation_draws((rows, columns), resampled="both", resamples=7, seed=seed, cells=cells))
    found = [(one, other) for block in blocks for one, other in zip(block.rows, block.columns, strict=True)]
    assert len(found) == 7
    for (one, other), (wanted_one, wanted_other) in zip(found, wanted, strict=True):
        assert np.array_equal(one, wanted_one)
        assert np.array_equal(other, wanted_other)
    cells_of_first = blocks[0].cells[0]
    assert np.array_equal(cells_of_first, np.not_equal.outer(wanted[0][0], wanted[0][1]))


@pytest.mark.parametrize("resampled", get_args(Resampled))
def test_what_is_not_resampled_stays(resampled: Resampled) -> None:
    (draws,) = bootstrap_draws((4, 3), resampled=resampled, resamples=5, seed=0, cells=7)
    assert (draws.rows is None) == (resampled == "topics")
    assert (draws.columns is None) == (resampled == "systems")
    assert len(draws) == 5
    (exchanges,) = permutation_draws((4, 3), resampled=resampled, resamples=5, seed=0, cells=7)
    assert exchanges.rows.any() == (resampled != "topics")
    assert exchanges.columns.any() == (resampled != "systems")


@given(st.integers(1, 12), st.integers(1, 20), st.integers(0, 50))
def test_multiplicities_count_every_draw(items: int, resamples: int, seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, items, size=(resamples, items))
    counts = multiplicities(drawn, items)
    assert counts.shape == (resamples, items)
    for row, own in zip(counts, drawn, strict=True):
        assert row.tolist() == [int((own == item).sum()) for item in range(items)]


def test_blocks_bound_the_memory_and_leave_none_out() -> None:
    sizes = list(block_sizes(1000, BLOCK_CELLS // 300, most=BLOCK_CELLS))
    assert sizes == [300, 300, 300, 100]
    assert list(block_sizes(3, 10 * BLOCK_CELLS, most=BLOCK_CELLS)) == [1, 1, 1]
