"""`scaled-rank(of=…)`: the rank of a summary among those of its topic (DUC 2005's scaled responsiveness)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.errors import UsageError
from pyramidion.measures.base import option
from pyramidion.measures.derived import Derivation, Derived, column
from pyramidion.scores import ScoreCube
from pyramidion.statistics.ties import settled


@dataclass(frozen=True, kw_only=True)
class ScaledRank(Derived):
    """The mid-rank of each summary among the peers of its topic on another measure; the best has the highest.

    Its mean over topics is the average scaled responsiveness of DUC 2005 (Dang 2006, Table 15). Whose summaries are
    ranked together is what `--peers` chooses.
    """

    of: str = option("", "the measure to rank by, such as question.content-responsiveness; must be given")
    divide: bool = option(False, "divide the rank by the number of peers that have one: ranks up to 1")

    def __post_init__(self) -> None:
        if self.of:
            object.__setattr__(self, "of", column(self.of))  # one spelling, so that equal measures are equal

    @property
    def base(self) -> str:
        """The one base name."""
        return "scaled-rank"

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """Only `scaled-rank` is of this family."""
        return {} if base == "scaled-rank" else None

    @classmethod
    def examples(cls) -> Sequence[str]:
        """The one base name."""
        return ("scaled-rank",)

    @property
    def columns(self) -> tuple[str, ...]:
        """The one measure that it ranks by."""
        if not self.of:
            raise UsageError("scaled-rank needs a measure, as in scaled-rank(of=question.content-responsiveness)")
        return (self.of,)

    def derive(self, cube: ScoreCube) -> Derivation:
        """Mid-ranks inside each topic from 1 (the worst) up; where low is good, the lowest has the highest rank."""
        from scipy.stats import rankdata

        (values,) = cube.values
        (high_is_good,) = cube.higher_is_better
        good = settled(values if high_is_good else -values)
        ranks = rankdata(good, axis=0, nan_policy="omit")
        return Derivation(values=ranks / (~np.isnan(good)).sum(axis=0) if self.divide else ranks)
