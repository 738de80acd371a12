"""Imported measures: columns of scores that another program computed, `imported.gpt-judge`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from pyramidion.campaign import TopicData
from pyramidion.measures.base import Measure, Need, option
from pyramidion.scores import Evidence, FixedEvidence


@dataclass(frozen=True, kw_only=True)
class Imported(Measure):
    """A value that came with the data, joined by topic and summarizer; the statistic is the column's name."""

    needs: ClassVar[frozenset[Need]] = frozenset({"imported"})

    better: Literal["high", "low"] = option("high", "whether high or low values are good")

    @property
    def higher_is_better(self) -> bool:
        """As the user says; the column itself does not tell."""
        return self.better == "high"

    @property
    def base(self) -> str:
        """All imported columns share one base name."""
        return "imported"

    @classmethod
    def from_base(cls, base: str) -> Mapping[str, Any] | None:
        """Only `imported` is of this family."""
        return {} if base == "imported" else None

    @classmethod
    def examples(cls) -> Sequence[str]:
        """The one base name."""
        return ("imported",)

    def evidence(self, topic: TopicData) -> Evidence | None:
        """Summarizers × imported columns; where the campaign has no texts, all summarizers that have a score."""
        chosen = {peer.summarizer for peer in topic.peers}
        texts = bool(topic.models or topic.peers)
        found = [score for score in topic.imported if not texts or score.summarizer in chosen]
        if not found:
            return None
        peers: dict[str, int] = {}
        columns: dict[str, int] = {}
        for score in found:
            peers.setdefault(score.summarizer, len(peers))
            columns.setdefault(score.measure, len(columns))
        scores = np.full((len(peers), len(columns)), np.nan)
        for score in found:
            scores[peers[score.summarizer], columns[score.measure]] = score.value
        return FixedEvidence(peers=tuple(peers), statistics=tuple(columns), scores=scores)
