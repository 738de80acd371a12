"""SEE coverage, DUC's content score: how much of a model's units a peer covers (Nenkova & Passonneau 2004, §2.2)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.campaign import TopicData
from pyramidion.errors import UsageError
from pyramidion.measures.base import ONE_VALUE, Measure, ModelEvidence, Need, option
from pyramidion.scores import Evidence
from pyramidion.statistics.values import quotients


@dataclass(frozen=True, kw_only=True)
class SeeCoverage(Measure):
    """The mean share of a model's units that a peer covers, as assessors marked it in SEE."""

    base_names: ClassVar[tuple[str, ...]] = ("see-coverage",)
    needs: ClassVar[frozenset[Need]] = frozenset({"models", "judgments"})
    statistics: ClassVar[tuple[str, ...] | None] = ONE_VALUE
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    assessor: str | None = option(None, "only what this assessor marked, not the mean over assessors")
    model: str | None = option(None, "compare with this model only, not the mean over models")
    jackknife: bool = option(False, "leave out one model at a time and average")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.jackknife and self.model is not None:
            raise UsageError(f"{self.base}: give jackknife=yes or model=, not both")

    def evidence(self, topic: TopicData) -> Evidence | None:
        """Coverage of each model by each peer, from 0 to 1: the mean over its units, then over assessors.

        An assessor marked of each unit of the model how many percent of it the peer says; a model that nobody
        compared with a peer has no coverage by it.
        """
        shares: dict[tuple[str, str], list[float]] = defaultdict(list)
        for coverage in topic.with_rater(self.assessor).coverage:
            is_chosen = self.assessor in (None, coverage.assessor) and self.model in (None, coverage.model)
            if is_chosen and coverage.units:
                percents = [unit.percent for unit in coverage.units]
                shares[coverage.summarizer, coverage.model].append(float(np.mean(percents)) / 100)
        if not shares:
            return None
        peers = tuple(peer.summarizer for peer in topic.peers)
        models = tuple(dict.fromkeys(model for _, model in shares))
        covered = np.full((len(peers), len(models)), np.nan)
        for row, peer in enumerate(peers):
            covered[row] = [np.mean(shares.get((peer, model), [np.nan])) for model in models]
        return CoverageEvidence(peers=peers, models=models, covered=covered)


@dataclass(frozen=True, kw_only=True, eq=False)
class CoverageEvidence(ModelEvidence):
    """Coverage by peer and model; the value under a mask is the mean over the models that were compared."""

    covered: Floats
    """Peers × models; NaN where nobody compared them."""

    def values(self, masks: Bools) -> Floats:
        """The mean over the models under each mask; NaN where none was compared."""
        usable = ~np.isnan(self.covered) & ~self.own
        total = masks.astype(np.float64) @ np.where(usable, self.covered, 0.0).T
        count = masks.astype(np.float64) @ usable.T.astype(np.float64)
        return quotients(total, count)[..., None]
