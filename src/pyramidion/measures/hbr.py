"""`hbr(…)`: many measures as one, without human judgments (Amigó, Gonzalo & Verdejo 2012)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.errors import UsageError
from pyramidion.measures.base import option
from pyramidion.measures.derived import Derivation, Derived, positional
from pyramidion.options import Scope
from pyramidion.scores import read_scores
from pyramidion.scores.cube import ScoreCube, cube_of
from pyramidion.show.wording import together
from pyramidion.statistics.heterogeneity import corroboration, estimate_heterogeneity, heterogeneity_ranking

DEFAULT_COLUMNS = tuple(
    f"{name}.{statistic}"
    for name in ("rouge-1", "rouge-2", "rouge-l", "rouge-su4")
    for statistic in ("recall", "precision", "f")
)
"""What is combined when no measures are named: ROUGE by recall, precision and F, as in the paper."""
DECIMALS = 9
"""Means of many values differ in their last bits: rounded so that equal values compare equal."""


@dataclass(frozen=True, kw_only=True)
class Hbr(Derived):
    """Heterogeneity-based ranking: how diverse the measures are that rate a summary at least as high as the others."""

    base_names: ClassVar[tuple[str, ...]] = ("hbr",)

    measures: tuple[str, ...] = positional("the measures to combine; by default ROUGE by recall, precision and F")
    pairs: Scope = option("topic", "estimate heterogeneity on pairs of summaries of one topic, or on any pairs")
    sample: int | None = option(
        None, "estimate heterogeneity on a sample of this many pairs (10000 in the paper); by default on all", least=1
    )
    seed: int = option(0, "seed of the sample", least=0)
    corpus: str | None = option(None, "a score file: rank the summaries among those of this fixed benchmark")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.measures == DEFAULT_COLUMNS:
            # The dataclass is frozen; this is the one place where a field gets another form.
            object.__setattr__(self, "measures", ())  # one spelling, so that equal measures are equal

    @property
    def columns(self) -> tuple[str, ...]:
        """The measures that are combined."""
        return self.measures or DEFAULT_COLUMNS

    def derive(self, cube: ScoreCube) -> Derivation:
        """HBR of each summary that has a value on every measure; where low is good, the sign is reversed."""
        values = reorient(cube.values, cube.higher_is_better)
        corpus_values, topic_values, is_own = values, None, None
        corpus_facts: dict[str, str] = {}
        if self.corpus is not None:
            corpus = self._frozen(cube)
            corpus_values = reorient(corpus.values, cube.higher_is_better)  # a table in CSV does not say what is good
            topic_values = _select_topics(corpus_values, corpus.topics, cube.topics)
            # A system that is in the benchmark itself is not compared with its own summaries there.
            is_own = np.equal.outer(np.array(cube.summarizers, object), np.array(corpus.summarizers, object))
            # The ranking depends on the whole benchmark: a signature without its hash could not be compared.
            corpus_facts["corpus"] = hashlib.sha256(Path(self.corpus).read_bytes()).hexdigest()[:8]
        heterogeneity = estimate_heterogeneity(corpus_values, scope=self.pairs, sample=self.sample, seed=self.seed)
        ranking = heterogeneity_ranking(
            corroboration(values, heterogeneity, compared_values=topic_values, is_same=is_own)
        )
        lacking = np.isnan(ranking).sum() - np.isnan(cube.values).all(axis=0).sum()
        reason = ""
        if lacking:
            reason = f"{lacking} summaries lack a measure, or there is no other summary to compare them with"
        if len(self.columns) == 1:
            # H of a single measure is 0: nothing contradicts it.
            reason = together("one measure alone has no heterogeneity, so that HBR is 0 for all summaries", reason)
        return Derivation(
            values=np.round(ranking, DECIMALS),
            reason=reason,
            facts={"H_pairs": str(heterogeneity.pairs), "H_left_out": str(heterogeneity.left_out), **corpus_facts},
        )

    def _frozen(self, cube: ScoreCube) -> ScoreCube:
        """The corpus on the same measures."""
        table = read_scores(Path(self.corpus or ""))
        missing = [name for name in cube.measures if name not in table.measures]
        if missing:
            raise UsageError(
                f"{self.corpus}: found no scores of {', '.join(missing)}; score the corpus with these measures, too"
            )
        return cube_of(table, cube.measures)


def reorient(values: Floats, higher_is_better: Sequence[bool]) -> Floats:
    """Measures × summarizers × topics, with the sign reversed where low is good."""
    signs = np.where(higher_is_better, 1.0, -1.0)
    return values * signs[:, None, None]


def _select_topics(values: Floats, topics: Sequence[str], chosen_topics: Sequence[str]) -> Floats:
    """The values of the wanted topics; NaN for one that is not there."""
    chosen_values = np.full((*values.shape[:2], len(chosen_topics)), np.nan)
    index = {topic: number for number, topic in enumerate(topics)}
    for number, topic in enumerate(chosen_topics):
        if topic in index:
            chosen_values[:, :, number] = values[:, :, index[topic]]
    return chosen_values
