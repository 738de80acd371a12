"""Draws for resampling: which summarizers and topics a bootstrap takes, which scores a permutation exchanges.

Draws come in blocks of bounded size. Their order is fixed: in each resample the summarizers first, then the topics;
so the same seed gives the same draws on any machine, whatever the size of a block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.options import Level, Resampled
from pyramidion.statistics.resampling import block_sizes, multiplicities
from pyramidion.statistics.values import check_choice

BLOCK_CELLS = 500_000
"""Cells of the largest matrix that is held for a block of resamples; small enough for a processor's cache."""

MOST_KEPT = 5_000_000
"""Coins of a permutation test that are kept for the next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Draws:
    """A block of bootstrap draws, with replacement; None where nothing is drawn."""

    rows: Integers | None
    """Resamples × summarizers: which summarizer stands in each place."""
    columns: Integers | None
    """Resamples × topics, or × clusters of topics where these are drawn."""
    clusters: Integers | None = None
    """The number of each topic's cluster, if whole clusters are drawn."""

    def column_weights(self, count: int) -> Floats | None:
        """Resamples × topics: how often each of so many topics was drawn; None if they stay as they are."""
        if self.columns is None:
            return None
        if self.clusters is None:
            return multiplicities(self.columns, count)
        return multiplicities(self.columns, self.columns.shape[1])[:, self.clusters]

    def __len__(self) -> int:
        drawn = self.rows if self.rows is not None else self.columns
        return 0 if drawn is None else len(drawn)


@dataclass(frozen=True, kw_only=True, eq=False)
class Exchanges:
    """A block of permutations: the two measures' scores change places where row and column differ (XOR)."""

    rows: Bools
    """Permutations × summarizers."""
    columns: Bools
    """Permutations × topics."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def cells(self) -> Bools:
        """Permutations × summarizers × topics: where scores are exchanged."""
        # XOR: where both a row and a column are exchanged, the scores are back in their places.
        cells: Bools = self.rows[:, :, None] ^ self.columns[:, None, :]
        return cells


def bootstrap_draws(
    shape: tuple[int, int],
    *,
    resampled: Resampled,
    resamples: int,
    seed: int,
    cells: int,
    clusters: Integers | None = None,
) -> Iterator[Draws]:
    """Blocks of draws: in each resample as many rows as there are, then as many columns as there are.

    Args:
        shape: summarizers, topics.
        resampled: what is drawn; what is not stays as it is.
        resamples: how many.
        seed: of numpy's default generator.
        cells: that a resample needs in the largest matrix made for it; bounds the blocks.
        clusters: the number of each topic's cluster, from 0: as many clusters are drawn as there are.
    """
    units = shape if clusters is None else (shape[0], int(clusters.max(initial=-1)) + 1)
    rows, columns = _sizes(units, resampled)
    generator = np.random.default_rng(seed)
    # An array of limits draws the same numbers as a call for each resample, rows then columns, would.
    limits = np.repeat([rows, columns], [rows, columns])
    for size in block_sizes(resamples, cells, most=BLOCK_CELLS):
        drawn = generator.integers(0, limits, size=(size, rows + columns))
        yield Draws(
            rows=drawn[:, :rows] if rows else None,
            columns=drawn[:, rows:] if columns else None,
            clusters=clusters,
        )


def permutation_draws(
    shape: tuple[int, int], *, resampled: Resampled, resamples: int, seed: int, cells: int
) -> Iterator[Exchanges]:
    """Blocks of exchanges: in each a fair coin for every row, then for every column; arguments as for the bootstrap.

    Those of one test serve the next of the same shape, as there are many where all pairs of measures are tested.
    """
    exchanges = _kept_exchanges if resamples * sum(shape) <= MOST_KEPT else _exchanges
    yield from exchanges(shape, resampled, resamples, seed, cells, BLOCK_CELLS)


@lru_cache(maxsize=2)
def _kept_exchanges(
    shape: tuple[int, int], resampled: Resampled, resamples: int, seed: int, cells: int, most: int
) -> tuple[Exchanges, ...]:
    blocks = tuple(_exchanges(shape, resampled, resamples, seed, cells, most))
    for block in blocks:
        block.rows.flags.writeable = block.columns.flags.writeable = False
    return blocks


def _exchanges(
    shape: tuple[int, int], resampled: Resampled, resamples: int, seed: int, cells: int, most: int
) -> Iterator[Exchanges]:
    rows, columns = _sizes(shape, resampled)
    generator = np.random.default_rng(seed)
    for size in block_sizes(resamples, cells, most=most):
        coins = generator.random((size, rows + columns)) > 0.5
        yield Exchanges(
            rows=coins[:, :rows] if rows else np.zeros((size, shape[0]), dtype=np.bool_),
            columns=coins[:, rows:] if columns else np.zeros((size, shape[1]), dtype=np.bool_),
        )


def cells_of(shape: tuple[int, int], level: Level) -> int:
    """What a resample needs in the largest matrix made for it, by level.

    Topics are worked through one by one, each with all resamples of a block: only the draws are as wide as all topics,
    and may take more room for the sake of larger blocks.
    """
    rows, columns = shape
    return {"system": rows + columns, "topic": max(rows, (rows + columns) // 8), "global": rows * columns}[level]


def _sizes(shape: tuple[int, int], resampled: Resampled) -> tuple[int, int]:
    check_choice("resampled", resampled, Resampled)
    rows, columns = shape
    return (0 if resampled == "topics" else rows), (0 if resampled == "systems" else columns)
