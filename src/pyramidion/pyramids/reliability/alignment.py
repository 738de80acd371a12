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
    # The best pairing as a whole: taking the best pair first could leave two SCUs that belong together apart.
    rows, columns = linear_sum_assignment(overlap, maximize=True)
    pairs: list[AlignedScus] = []
    first_alone = dict.fromkeys(scu.uid for scu in first.scus)
    second_alone = dict.fromkeys(scu.uid for scu in second.scus)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if overlap[row, column] > 0:
            first_uid, second_uid = first.scus[row].uid, second.scus[column].uid
            pairs.append(AlignedScus(first=first_uid, second=second_uid, overlap=float(overlap[row, column])))
            first_alone.pop(first_uid, None)
            second_alone.pop(second_uid, None)
    alone = [AlignedScus(first=uid, second=None, overlap=0.0) for uid in first_alone]
    alone += [AlignedScus(first=None, second=uid, overlap=0.0) for uid in second_alone]
    return sorted([*alone, *pairs], key=lambda aligned: aligned.overlap)


def _jaccard(first: Marking, second: Marking) -> Floats:
    first_members, second_members = first.members.astype(np.float64), second.members.astype(np.float64)
    both = first_members.T @ second_members
    either = first_members.sum(axis=0)[:, None] + second_members.sum(axis=0)[None, :] - both
    overlap: Floats = np.divide(both, either, out=np.zeros_like(both), where=either > 0)
    return overlap
