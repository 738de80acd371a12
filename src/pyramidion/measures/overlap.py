"""What ROUGE and Basic Elements share: the options, and evidence from clipped counts per (peer, model)."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import TopicData
from pyramidion.campaign.nouns import Text
from pyramidion.errors import UsageError
from pyramidion.measures.base import Measure, Need, Rows, option, with_signatures_of
from pyramidion.scores import Evidence
from pyramidion.scores.evidence import (
    LeaveOneOut,
    Reduced,
    drawn_models,
    jackknifed,
    jackknifed_on_drawn,
    leave_one_out,
    with_all_models,
    with_drawn_models,
)
from pyramidion.scores.overlap import STATISTICS, BestFRule, OverlapEvidence, OverlapRule
from pyramidion.text.languages import Snowball
from pyramidion.text.overlap import pool_rows
from pyramidion.text.tokens import check_limits


@dataclass(frozen=True, kw_only=True)
class OverlapMeasure(Measure):
    """Recall, precision and F of what peers and models have in common."""

    needs: ClassVar[frozenset[Need]] = frozenset({"models"})
    statistics: ClassVar[tuple[str, ...] | None] = STATISTICS
    bounds: ClassVar[tuple[float, float] | None] = (0.0, 1.0)

    stem: bool | Snowball = option(
        True, "compare stems (ROUGE-1.5.5 -m); snowball-de and the like: stems of another language"
    )
    stop: bool = option(False, "leave out stop words (-s)")
    words: int | Literal["campaign"] | None = option(
        None, "cut peers and models to this many words (-l); campaign: to the word limit of campaign.toml", least=1
    )
    bytes: int | None = option(None, "cut peers and models to this many bytes (-b)", least=1)
    models: Literal["average", "best"] = option(
        "average", "average: pool all models; best: the model with the highest recall (-f)"
    )
    use: int | None = option(None, "use this many models per topic, drawn at random (`seed=`)", least=1)
    alpha: float = option(0.5, "weight of precision in F; 1: precision only (-p)", least=0, most=1)
    jackknife: bool = option(False, "leave out one model at a time and average; with use=, one of those drawn")
    rounding: Literal["none", "rouge155"] = option(
        "none", "rouge155: round R and P, then F, to 5 decimals, as ROUGE-1.5.5 prints them"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.words is not None and self.bytes is not None:
            raise UsageError(f"{self.base}: give words= or bytes=, not both")
        words = None if self.words == "campaign" else self.words
        check_limits(words, self.bytes)
        if self.jackknife and self.use == 1:
            raise UsageError(f"{self.base}: jackknife=yes leaves out one model of those in use; give use= at least 2")

    def within_limit(self, topics: Sequence[TopicData]) -> Self:
        """The measure with the campaign's word limit in place of words=campaign.

        Args:
            topics: of one campaign.

        Raises:
            UsageError: if they have no word limit, or different ones.
        """
        if self.words != "campaign" or not topics:
            return self
        limits = {topic.word_limit for topic in topics}
        if len(limits) > 1:
            listed = ", ".join(str(limit) for limit in sorted(limits, key=lambda limit: limit or 0))
            raise UsageError(
                f"{self.base}: words=campaign: topics have different word limits ({listed}); score one task at a time, "
                "or give words=NUMBER"
            )
        (limit,) = limits
        if limit is None:
            raise UsageError(
                f"{self.base}: words=campaign: the campaign has no word limit; give words=NUMBER, or word_limit in "
                "campaign.toml"
            )
        return replace(self, words=limit)

    @property
    def rule(self) -> OverlapRule:
        """How counts become scores."""
        return OverlapRule(models=self.models, alpha=self.alpha, rounding=self.rounding)

    @property
    def micro_rule(self) -> OverlapRule:
        """How counts summed over topics become scores: as in ROUGE-1.5.5 -t 1, without rounding and W's root.

        Sums over topics are those of hits, model counts and peer counts; ratios are taken once, at the end.
        """
        return replace(self.rule, rounding="none", exponent=1.0)

    def facts(self, *, seed: int) -> Mapping[str, str]:
        """Drawn models depend on the seed."""
        if self.use is None:
            return {}
        return {"seed": str(seed)}

    def reduce(self, evidence: Evidence, *, topic: str, seed: int) -> Reduced:
        """All models, all but one in turn, or drawn ones, of which each may be left out in turn."""
        if self.jackknife and self.use is not None:
            return jackknifed_on_drawn(evidence, self.use, topic=topic, seed=seed)
        if self.jackknife:
            return jackknifed(evidence)
        if self.use is not None:
            return with_drawn_models(evidence, self.use, topic=topic, seed=seed)
        return with_all_models(evidence)

    def leave_one_out(self, evidence: Evidence, *, topic: str, seed: int) -> LeaveOneOut:
        """The scores that jackknife=yes averages: with all models but one, or all drawn ones but one."""
        drawn = None
        if self.use is not None:
            drawn = drawn_models(evidence, self.use, topic=topic, seed=seed)
        return leave_one_out(evidence, drawn)

    def rows(self, evidence: Sequence[Evidence | None], topics: Sequence[TopicData], *, seed: int) -> Rows:
        """As the base does, but in one pass over the counts when nothing but sums is asked for."""
        if self.words == "campaign":
            mine = self.within_limit(topics)
            return with_signatures_of(mine, mine.rows(evidence, topics, seed=seed), seed=seed)
        # R = Σ hits / Σ model counts: the micro-average over models that 1.5.5 calls -f A needs no model by itself.
        sums_suffice = not self.jackknife and self.use is None and self.models == "average"
        if isinstance(evidence, OverlapBlock) and sums_suffice:
            return evidence.pooled_rows()
        return super().rows(evidence, topics, seed=seed)

    def column_problem(self) -> str:
        """Why the measure can't score columns of texts, which know no topics and no campaign; "" if it can."""
        if self.use is not None:
            return "use= draws models for each topic, and rows know no topics"
        if self.words == "campaign":
            return "words=campaign needs a campaign; give the number"
        return ""


@dataclass(frozen=True, eq=False)
class PeerModelPairs:
    """Which peers meet which models in a group of topics: all of them, topic by topic, but nobody their own model."""

    topics: Sequence[TopicData]
    texts: Sequence[Text]
    """Texts of the group: for each topic its models, then its peers."""
    index: Integers
    """Pairs × (peer text, model text)."""
    starts: Sequence[int]
    """Per topic, the first of its pairs; one more at the end."""
    own: Sequence[Mapping[int, int]]
    """Per topic, peer → its own model."""
    row_topics: Sequence[int]
    """Per peer that meets a model: its topic,"""
    row_peers: Sequence[str]
    """its name,"""
    row_starts: Sequence[int]
    """and the first of its pairs."""

    def named(self, pair: int) -> str:
        """Whose texts a pair compares, for messages.

        Args:
            pair: a row of `index`, as the kernels number them in their errors.
        """
        # Topics without pairs share a start with the next one; bisect_right passes them.
        topic = self.topics[bisect.bisect_right(self.starts, pair) - 1]
        row = bisect.bisect_right(self.row_starts, pair) - 1
        models = [model.summarizer for model in topic.models if model.summarizer != self.row_peers[row]]
        model = models[pair - self.row_starts[row]]
        return f"topic {topic.topic.topic!r}, summarizer {self.row_peers[row]!r} against model {model!r}"


def pair_up(topics: Sequence[TopicData]) -> PeerModelPairs:
    """All (peer, model) pairs of the topics.

    A human peer is not paired with their own model, whose text is used for both: it is read once.
    """
    texts: list[Text] = []
    pairs: list[tuple[int, int]] = []
    starts: list[int] = []
    owns: list[dict[int, int]] = []
    row_topics: list[int] = []
    row_peers: list[str] = []
    row_starts: list[int] = []
    for number, topic in enumerate(topics):
        starts.append(len(pairs))
        first_model = len(texts)
        texts.extend(model.text for model in topic.models)
        own_models: dict[int, int] = {}
        # Humans are peers, too, and are compared with the other models: against the own one they would score 1.
        by_summarizer = {model.summarizer: position for position, model in enumerate(topic.models)}
        for position, peer in enumerate(topic.peers):
            mine = by_summarizer.get(peer.summarizer)
            if mine is None:
                text = len(texts)
                texts.append(peer.text)
            else:
                own_models[position] = mine
                text = first_model + mine
            models = [model for model in range(len(topic.models)) if model != mine]
            if models:
                row_topics.append(number)
                row_peers.append(peer.summarizer)
                row_starts.append(len(pairs))
                pairs.extend((text, first_model + model) for model in models)
        owns.append(own_models)
    starts.append(len(pairs))
    index = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return PeerModelPairs(topics, texts, index, starts, owns, row_topics, row_peers, row_starts)


@dataclass(frozen=True, eq=False)
class OverlapBlock(Sequence["OverlapEvidence | None"]):
    """Evidence of one overlap measure on a group of topics, kept as columns until a topic is asked for."""

    pairs: PeerModelPairs
    counts: Floats
    """Pairs × (hits, model count, peer count, count by which `best` chooses)."""
    rule: OverlapRule

    def __len__(self) -> int:
        return len(self.pairs.topics)

    def __getitem__(self, number: int) -> OverlapEvidence | None:  # type: ignore[override]  # no slices here
        topic = self.pairs.topics[number]
        if not topic.models or not topic.peers:
            return None
        is_own = np.zeros((len(topic.peers), len(topic.models)), dtype=np.bool_)
        for peer, model in self.pairs.own[number].items():
            is_own[peer, model] = True
        counts = np.zeros((*is_own.shape, 4))
        # Pairs were made row by row without own models, which is the order in which a mask is filled.
        counts[~is_own] = self.counts[self.pairs.starts[number] : self.pairs.starts[number + 1]]
        peers = tuple(peer.summarizer for peer in topic.peers)
        models = tuple(model.summarizer for model in topic.models)
        return OverlapEvidence(peers=peers, models=models, found=counts, own=is_own, rule=self.rule)

    @property
    def is_single(self) -> bool:
        """Whether every peer meets one model only."""
        return len(self.counts) == len(self.pairs.row_starts)

    def pooled_rows(self) -> Rows:
        """Scores against all models, for all topics at once."""
        starts = np.array([*self.pairs.row_starts, len(self.counts)], dtype=np.int64)
        topics = np.array(self.pairs.row_topics, dtype=np.int64)
        pooled = ColumnBlock(starts, self.counts, self.rule).pooled()
        return Rows(topics, self.pairs.row_peers, pooled.models, STATISTICS, pooled.values, pooled.counts)


@dataclass(frozen=True, eq=False)
class ColumnBlock:
    """Evidence of one overlap measure on columns: each row has a summary and its references."""

    starts: Integers
    """The first pair of each row, and one more at the end."""
    counts: Floats
    """Pairs × (hits, model count, peer count, count by which `best` chooses)."""
    rule: OverlapRule

    @property
    def models(self) -> Integers:
        """Per row, the number of its references; 0 where there is nothing to compare."""
        return np.diff(self.starts)

    @property
    def needs_one_pass(self) -> bool:
        """Whether `pooled` says it all: references are taken together, the best F counts, or there is no choice."""
        if self.rule.models == "average" or isinstance(self.rule, BestFRule):
            return True
        return bool((self.models <= 1).all())

    def pooled(self) -> Reduced:
        """Scores against all references of a row together, or the one with the best F; NaN where there are none."""
        rule, models = self.rule, self.models
        # The kernel does the usual case in one pass; W's root and rounding are left to NumPy.
        if rule.exponent == 1 and rule.rounding == "none":
            best_f = isinstance(rule, BestFRule)
            values, sums = pool_rows(self.counts, self.starts, best_f=best_f, alpha=rule.alpha)
            return Reduced(values=values, models=models, counts=sums)
        scored = np.flatnonzero(models)
        sums = np.full((len(models), 4), np.nan)
        if len(scored):
            # reduceat would take the next row's first pair for a row without pairs, so only rows that have some are
            # summed.
            sums[scored] = np.add.reduceat(self.counts, self.starts[scored], axis=0)
        return Reduced(values=rule.scores(sums), models=models, counts=sums[:, :3])

    def reduced(self, reduce: Callable[[Evidence], Reduced]) -> Reduced:
        """What a measure makes of the evidence; rows with equally many references are reduced together."""
        values = np.full((len(self.models), len(STATISTICS)), np.nan)
        counts = np.full((len(self.models), 3), np.nan)
        models = np.zeros(len(self.models), dtype=np.int64)
        for count in np.unique(self.models[self.models > 0]):
            rows = np.flatnonzero(self.models == count)
            block = self.counts[self.starts[rows][:, None] + np.arange(count)]
            evidence = OverlapEvidence(
                peers=("",) * len(rows),
                models=tuple(f"ref{number}" for number in range(1, count + 1)),
                found=block,
                own=np.zeros(block.shape[:2], dtype=np.bool_),
                rule=self.rule,
            )
            row_scores = reduce(evidence)
            values[rows], models[rows] = row_scores.values, row_scores.models
            if row_scores.counts is not None:
                counts[rows] = row_scores.counts
        return Reduced(values=values, models=models, counts=counts)
