"""What all resampling shares: blocks of bounded size, and how often each item was drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyramidion.arrays import Floats, Integers

ResamplingProgress = Callable[[int], None]
"""Called with the number of resamples done since the last call."""

LARGE_BLOCK = 4_000_000
"""Cells of the largest matrix held for a block of resamples."""


def block_sizes(resamples: int, cells: int, *, most: int) -> Iterator[int]:
    """How many resamples each block has if one of them needs this many cells, and a block has room for `most`."""
    # At least one resample, even if it alone is larger than a block should be.
    block = max(1, most // max(cells, 1))
    for start in range(0, resamples, block):
        yield min(block, resamples - start)


def multiplicities(drawn: Integers, items: int) -> Floats:
    """Resamples × items: how often each item was drawn. Sums over a resample are products with this matrix."""
    resamples = len(drawn)
    # One bincount over all resamples: each has a range of numbers of its own.
    places = drawn + np.arange(resamples)[:, None] * items
    counts: Floats = np.bincount(places.ravel(), minlength=resamples * items).reshape(resamples, items).astype(float)
    return counts


def drawn_items(items: int, *, resamples: int, seed: int, cells: int) -> Iterator[Integers]:
    """Blocks of resamples × items: which item stands in each place, drawn with replacement, as many as there are.

    The draws are `default_rng(seed).integers(0, items, size=(resamples, items))`, whatever the size of the blocks.
    """
    # One generator for all blocks: integers() gives the same numbers in parts as at once.
    generator = np.random.default_rng(seed)
    for size in block_sizes(resamples, cells, most=LARGE_BLOCK):
        yield generator.integers(0, items, size=(size, items))
