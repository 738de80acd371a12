"""`scaled-rank(of=…)`: the rank of a summary among those of its topic (DUC 2005's scaled responsiveness)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.errors import UsageError
from pyramidion.measures.base import option
from pyramidion.measures.derived import Derivation, Derived, column_option
from pyramidion.scores.cube import ScoreCube
from pyramidion.statistics.values import mid_ranks, snap_ties


@dataclass(frozen=True, kw_only=True)
class ScaledRank(Derived):
    """The rank of each summary among the peers of its topic by another measure; the best has the highest.

    Its mean over topics is the average scaled responsiveness of DUC 2005 (Dang 2006, Table 15). Whose summaries are
    ranked together depends on `--peers`.
    """

    base_names: ClassVar[tuple[str, ...]] = ("scaled-rank",)

    of: str = column_option("the measure to rank by, such as question.content-responsiveness; required")
    divide: bool = option(False, "divide by the number of ranked peers: ranks go up to 1")

    @property
    def columns(self) -> tuple[str, ...]:
        """The one measure that it ranks by."""
        if not self.of:
            raise UsageError("scaled-rank needs a measure, as in scaled-rank(of=question.content-responsiveness)")
        return (self.of,)

    def derive(self, cube: ScoreCube) -> Derivation:
        """Mid-ranks within each topic from 1 (the worst) up; where low is good, the lowest has the highest rank."""
        (values,) = cube.values
        (high_is_good,) = cube.higher_is_better
        if not high_is_good:
            values = -values
        goodness = snap_ties(values)
        ranks = mid_ranks(goodness, axis=0)
        if self.divide:
            ranks = ranks / (~np.isnan(goodness)).sum(axis=0)
        return Derivation(values=ranks)
