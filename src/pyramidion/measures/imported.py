"""Imported measures: columns of scores that another program computed, `imported.gpt-judge`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from pyramidion.campaign import TopicData
from pyramidion.campaign.raters import name_of_column
from pyramidion.measures.base import Measure, Need, Rows, StatisticFacts, option
from pyramidion.scores import Evidence, FixedEvidence, Score
from pyramidion.scores.judges import name_in_signature


@dataclass(frozen=True, kw_only=True)
class Imported(Measure):
    """A score computed elsewhere, joined by topic and summarizer; the statistic is the column's name."""

    base_names: ClassVar[tuple[str, ...]] = ("imported",)
    needs: ClassVar[frozenset[Need]] = frozenset({"imported"})

    better: Literal["high", "low"] | None = option(
        None, "whether high or low values are good; by default as the file says"
    )

    @property
    def higher_is_better(self) -> bool:
        """As the user says."""
        return self.better != "low"

    def evidence(self, topic: TopicData) -> Evidence | None:
        """Summarizers × imported columns; where the campaign has no texts, all summarizers that have a score.

        A summarizer without a score in a column has NaN there.
        """
        imported: Sequence[Score] = topic.imported
        # Without any text, the scores themselves say who the peers are.
        if topic.models or topic.peers:
            chosen = {peer.summarizer for peer in topic.peers}
            imported = [score for score in imported if score.summarizer in chosen]
        if not imported:
            return None
        peers: dict[str, int] = {}
        columns: dict[str, int] = {}
        for score in imported:
            peers.setdefault(score.summarizer, len(peers))
            columns.setdefault(score.measure, len(columns))
        values = np.full((len(peers), len(columns)), np.nan)
        for score in imported:
            values[peers[score.summarizer], columns[score.measure]] = score.value
        return FixedEvidence(peers=tuple(peers), statistics=tuple(columns), scores=values)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """The values with what came along: their own signatures, whether high is good, notes."""
        rows = super().rows(evidence, topics, seed=seed)
        score_signatures: dict[tuple[int, str, str], str] = {}
        facts: dict[str, StatisticFacts] = {}
        for number, topic in enumerate(topics):
            for score in topic.imported:
                score_signatures[number, score.summarizer, score.measure] = score.signature
                good = score.higher_is_better if self.better is None else True
                facts.setdefault(score.measure, StatisticFacts(good, score.note))
        signatures: list[list[str]] = []
        for number, peer in zip(rows.topics.tolist(), rows.peers, strict=True):
            row = [score_signatures.get((number, peer, statistic), "") for statistic in rows.statistics]
            signatures.append(row)
        rows = replace(rows, signatures=signatures, facts=facts)
        return self._name_judges(rows, topics, seed=seed)

    def _name_judges(self, rows: Rows, topics: Sequence[TopicData], *, seed: int) -> Rows:
        """The rows in which the signatures of columns that are judges name them."""
        judges = topics[0].judges if topics else {}
        of_judges = [name_of_column(statistic) in judges for statistic in rows.statistics]
        if not any(of_judges):
            return rows
        signatures: list[list[str]] = []
        for row, count in zip(rows.signatures or (), rows.models.tolist(), strict=True):
            named = list(row)
            for place, statistic in enumerate(rows.statistics):
                if of_judges[place]:
                    signature = row[place] or self.signature(statistic, models=count, seed=seed)
                    named[place] = name_in_signature(signature, {name_of_column(statistic)}, judges)
            signatures.append(named)
        return replace(rows, signatures=signatures)
