"""How a judge or a measure is put on trial against people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pyramidion.options.base import Options, confidence_level, draws, option

Panel = Literal["experts", "skilled", "crowd"]
Use = Literal["rank", "pairs", "replace"]
"""What a judge may be used for: to rank systems, to decide between two of them, to replace people."""
EPSILONS: dict[Panel, float] = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
"""The discount of the alternative annotator test, as its authors recommend."""


class TrustOptions(Options, unused_choice=("raters", "mix_judges")):
    """How a judge or a measure is put on trial against people."""

    with_: str | None = option(None, "The human score that it should follow, such as question.NAME.", metavar="MEASURE")
    anchor: str | Path | None = option(
        None,
        "Other data with earlier scores of the same judge about the same summaries; the card says how far it drifted.",
        metavar="DATA",
    )
    require: Sequence[Use] = option(
        (), "End with exit code 3 unless it may be used for this; repeatable.", metavar="rank|pairs|replace"
    )
    panel: Panel = option(
        "experts",
        "Who the people are, which sets ε of the alternative annotator test: 0.2, 0.15 or 0.1.",
    )
    epsilon: float | None = option(
        None, "The value of ε: how much better people may be than a judge that replaces them.", minimum=0, maximum=1
    )
    family: Sequence[str] = option(
        (),
        "Systems of the judge's own family. Default: those whose organisation is the judge's family in campaign.toml.",
        separator=",",
        metavar="ID,…",
    )
    confidence: float = confidence_level()
    resamples: int = draws()

    @property
    def discount(self) -> float:
        """ε of the alternative annotator test."""
        return EPSILONS[self.panel] if self.epsilon is None else self.epsilon
