"""Overlap evidence: clipped counts per (peer, model), and recall, precision and F from their sums.

ROUGE and Basic Elements differ in what they count, not in what follows: pooled over models, or the best model
(spec: ROUGE-1.5.5, options -f A and -f B).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.arrays import Bools, Floats

STATISTICS = ("recall", "precision", "f")


@dataclass(frozen=True, kw_only=True)
class OverlapRule:
    """How counts become recall, precision and F."""

    models: Literal["average", "best"] = "average"
    alpha: float = 0.5
    exponent: float = 1.0
    """Ratios are taken to this power: 1/w for ROUGE-W, else 1."""
    best_by_rounded_recall: bool = True
    """Whether `best` compares recalls rounded to five decimals (N, S, SU, BE) or as they are (L, W)."""
    rounding: Literal["none", "rouge155"] = "none"

    def scores(self, counts: Floats) -> Floats:
        """Recall, precision and F (last axis) of hits, model counts and peer counts (last axis).

        F = P·R / ((1 − α)·P + α·R); 0/0 is 0, as in ROUGE-1.5.5. NaN counts give NaN.
        """
        hits, model_counts, peer_counts = counts[..., 0], counts[..., 1], counts[..., 2]
        recall = _ratio(hits, model_counts) ** self.exponent
        precision = _ratio(hits, peer_counts) ** self.exponent
        if self.rounding == "rouge155":
            # The original prints R and P with five decimals and computes F from what it printed.
            recall, precision = round5(recall), round5(precision)
        f = _ratio(precision * recall, (1 - self.alpha) * precision + self.alpha * recall)
        if self.rounding == "rouge155":
            f = round5(f)
        return np.stack([recall, precision, f], axis=-1)

    def preference(self, counts: Floats) -> Floats:
        """What `best` takes the highest of, from counts as of `OverlapEvidence` (last axis): recall."""
        recall = _ratio(counts[..., 0], counts[..., 3])
        return round5(recall) if self.best_by_rounded_recall else recall


@dataclass(frozen=True, kw_only=True)
class BestFRule(OverlapRule):
    """As in rouge-score: the model with the best F; F is 2·P·R / (P + R), in this order of operations."""

    models: Literal["average", "best"] = "best"

    def scores(self, counts: Floats) -> Floats:
        """Recall, precision and F (last axis); 0 where a text has nothing to count."""
        recall = _ratio(counts[..., 0], counts[..., 1])
        precision = _ratio(counts[..., 0], counts[..., 2])
        return np.stack([recall, precision, _ratio(2 * precision * recall, precision + recall)], axis=-1)

    def preference(self, counts: Floats) -> Floats:
        """F."""
        return self.scores(counts)[..., 2]


@dataclass(frozen=True, kw_only=True, eq=False)
class OverlapEvidence:
    """Counts of one topic."""

    peers: tuple[str, ...]
    models: tuple[str, ...]
    found: Floats
    """Peers × models × (hits, model count, peer count, what `best` divides hits by).

    The last is the model count, but the single-weighted one for ROUGE-W.
    """
    own: Bools
    rule: OverlapRule

    @property
    def statistics(self) -> tuple[str, ...]:
        """Recall, precision, F."""
        return STATISTICS

    def values(self, masks: Bools) -> Floats:
        """Pooled counts of the models under each mask, or those of the best one, as scores."""
        return self.rule.scores(self.counts(masks))

    def counts(self, masks: Bools) -> Floats:
        """Hits, model counts and peer counts that the masks leave: subsets × peers × 3; NaN where no model is left."""
        # A human whose own model is the only one in a subset has nothing to be compared with.
        usable = (masks.astype(np.int64) @ ~self.own.T) > 0
        chosen = self._best(masks) if self.rule.models == "best" else self._pooled(masks)
        return np.where(usable[..., None], chosen, np.nan)

    def _pooled(self, masks: Bools) -> Floats:
        weights = masks.astype(np.float64)
        each = [self.found[..., column] for column in range(3)]
        return np.stack([weights @ np.where(self.own, 0.0, counts).T for counts in each], axis=-1)

    def _best(self, masks: Bools) -> Floats:
        preference = self.rule.preference(self.found)
        allowed = masks[:, None, :] & ~self.own[None, :, :]
        chosen = np.where(allowed, preference[None], -1.0).argmax(axis=-1)  # argmax takes the first of equals
        return self.found[np.arange(len(self.peers))[None, :], chosen, :3]


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros(np.shape(numerator)), where=denominator != 0)


def round5(values: Floats) -> Floats:
    """Round to five decimals exactly as C's `%.5f` does.

    NumPy's own rounding scales by 10⁵ first and so errs next to a tie; only those few are done by Python's.
    """
    values = np.asarray(values, dtype=np.float64)
    rounded = np.round(values, 5)
    scaled = values * 1e5
    # Only near a tie can the two roundings differ, and Python's exact one is slow.
    doubtful = np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6
    if doubtful.any():
        rounded = np.array(rounded)
        rounded[doubtful] = [round(float(value), 5) for value in values[doubtful]]
    return rounded
