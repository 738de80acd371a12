"""Which SCU of one annotator is which of another: by the words that both have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Pyramid
from pyramidion.pyramids.reliability.words import Marking, Words, mark


@dataclass(frozen=True, kw_only=True)
class AlignedScus:
    """An SCU of each of two annotators, or of one alone (None), and how far their words are the same."""

    first: int | None
    second: int | None
    overlap: float
    """Jaccard coefficient of their words: 1 if both marked the same, 0 for an SCU that the other does not have."""


def align_scus(first: Pyramid, second: Pyramid, texts: Mapping[str, str]) -> list[AlignedScus]:
    """Pair the SCUs of two pyramids so that the summed overlap of words is greatest; the least alike come first.

    SCUs that share no word are never paired.

    Args:
        first: of one annotator.
        second: of another, of the same models.
        texts: of the models, as `plain` gives them.
    """
    from scipy.optimize import linear_sum_assignment  # takes a third of a second to import

    words = Words.of(texts)
    overlap = _jaccard(mark(words, first), mark(words, second))
    pairs = [
        (int(row), int(column))
        for row, column in zip(*linear_sum_assignment(overlap, maximize=True), strict=True)
        if overlap[row, column] > 0
    ]
    alone = [
        *((row, None) for row in range(len(first.scus)) if row not in {one for one, _ in pairs}),
        *((None, column) for column in range(len(second.scus)) if column not in {other for _, other in pairs}),
    ]
    found = [
        AlignedScus(
            first=None if row is None else first.scus[row].uid,
            second=None if column is None else second.scus[column].uid,
            overlap=0.0 if row is None or column is None else float(overlap[row, column]),
        )
        for row, column in [*alone, *pairs]
    ]
    return sorted(found, key=lambda one: one.overlap)


def _jaccard(first: Marking, second: Marking) -> Floats:
    one, other = first.members.astype(np.float64), second.members.astype(np.float64)
    both = one.T @ other
    either = one.sum(axis=0)[:, None] + other.sum(axis=0)[None, :] - both
    overlap: Floats = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    return overlap
