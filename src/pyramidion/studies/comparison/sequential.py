"""`compare --sequential`: a pair tested after each topic, in random order, with a p value that allows it.

Scores on a known scale are tested by betting, which assumes nothing about their shape. Without a scale, the test
assumes roughly normal differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign.nouns import Topic
from pyramidion.errors import UsageError, mention
from pyramidion.options import CompareOptions
from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import ExplainedRow, hidden
from pyramidion.show.wording import counted, defined
from pyramidion.statistics.pairs import paired_differences, random_order
from pyramidion.statistics.sequential import SequentialTest, bounded_test, sequential_test, skewness_of
from pyramidion.studies.clusters import TopicClusters, find_shared
from pyramidion.studies.comparison.pairs import interval_confidence
from pyramidion.studies.scales import Scale, choose_scale

SKEWED = 1.0
"""Beyond this skewness of differences without a scale, the test rejects equal systems too often (10 % instead of 5)."""
FEWEST = 2


class Look(ExplainedRow, record="look"):
    """What was known of a pair after some topics; its p and limits hold however often one looks."""

    measure: str
    a: str
    b: str
    n: int
    """Topics so far."""
    topic: str
    """The last of them; topics come in random order."""
    difference: float
    """Mean difference; above 0 if a is better, also where lower scores are better."""
    e: float | None
    """The evidence for a difference; from 1/(1 − confidence) on it is significant."""
    p: float | None
    """The smallest so far."""
    p_adjusted: float | None
    """p times the number of pairs, unless nothing is to be corrected."""
    lower: float | None
    """What the limits so far have in common; of several pairs at the Bonferroni level."""
    upper: float | None
    decided: bool
    """Whether the evidence has sufficed by now."""
    confidence: float
    seed: int
    """Of the order of topics."""
    has_earlier_limits: bool = hidden(default=False)
    """Whether fewer topics had limits."""
    has_scale: bool = hidden(default=False)
    """Whether the scale of the scores is known."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SequentialPair:
    """Two systems, tested after each topic: their differences in the order in which they are looked at."""

    measure: str
    a: str
    b: str
    topics: tuple[str, ...]
    """In the order in which they are looked at, those of a cluster together."""
    differences: Floats
    """Above 0 where a is better, also where lower scores are better."""
    sizes: Integers
    """How many topics each look adds: 1, or those of a cluster."""
    cluster: str = ""
    """What topics of a cluster share; empty if topics are independent."""
    is_descriptive: bool
    scale: Scale | None
    """The lowest and the highest score, if it is known."""
    family: int
    """How many tests p is corrected for."""
    confidence: float
    seed: int

    @property
    def count(self) -> int:
        """How many topics both have."""
        return len(self.differences)

    @property
    def own_confidence(self) -> float:
        """The confidence of this pair's limits, in percent: at the Bonferroni level of all pairs."""
        return interval_confidence(self.confidence, self.family, "bonferroni")

    @cached_property
    def skewness(self) -> float:
        """Of the differences."""
        return skewness_of(self.differences)

    @cached_property
    def test(self) -> SequentialTest:
        """Evidence, p and limits after each topic."""
        if self.scale is None:
            return sequential_test(self.differences, confidence=self.own_confidence)
        largest = self.scale[1] - self.scale[0]
        sizes = self.sizes.astype(np.float64)
        means = np.add.reduceat(self.differences, self.last_places + 1 - self.sizes) / sizes
        return bounded_test(means, largest=largest, confidence=self.own_confidence, sizes=sizes)

    @cached_property
    def last_places(self) -> Integers:
        """The place of the last topic of each look."""
        return np.cumsum(self.sizes) - 1

    @property
    def unit(self) -> str:
        """What is looked at one by one."""
        return "cluster" if self.cluster else "topic"

    @cached_property
    def decided_after(self) -> int | None:
        """After how many topics (or clusters) the evidence sufficed; None if it does not yet."""
        return self.test.decided(self.own_confidence)

    @property
    def winner(self) -> str:
        """Who was better when it was decided; empty if it is not."""
        if self.decided_after is None:
            return ""
        place = self.decided_after - 1
        lower, upper = self.test.lower[place], self.test.upper[place]
        side = self.test.mean[place]
        if not np.isnan(lower):
            side = lower if lower > 0 else upper
        return self.a if side > 0 else self.b

    @cached_property
    def looks(self) -> tuple[Look, ...]:
        """What was known after each topic or cluster, from the second on."""
        return tuple(self._looks())

    def _looks(self) -> Iterator[Look]:
        test, decided = self.test, self.decided_after
        for place in range(FEWEST - 1, len(self.sizes)):
            p = float(test.p[place])
            last = int(self.last_places[place])
            yield Look(
                measure=self.measure,
                a=self.a,
                b=self.b,
                n=last + 1,
                topic=self.topics[last],
                difference=float(test.mean[place]),
                e=defined(test.e[place]),
                p=defined(p),
                p_adjusted=defined(min(1.0, p * self.family)),
                lower=defined(test.lower[place]),
                upper=defined(test.upper[place]),
                decided=decided is not None and place + 1 >= decided,
                confidence=self.confidence,
                seed=self.seed,
                has_earlier_limits=bool(np.isfinite(test.lower[:place]).any()),
                has_scale=self.scale is not None,
            )


def refuse_shared(topics: Sequence[Topic]) -> None:
    """Refuse topics that belong together (`find_shared`): the test takes each topic as independent of the others.

    Raises:
        UsageError: naming two of them.
    """
    shared = find_shared(topics)
    if shared is None:
        return
    members = shared.members([topic.topic for topic in topics])
    clusters = [names for names in members if len(names) > 1]
    described = {topic.topic: topic for topic in topics}
    first, second = (described[name] for name in clusters[0][:2])
    others = _count_of_others(sum(map(len, clusters)) - 2)
    link = f"the same parent ({first.parent})" if shared.field == "parent" else "a document in common"
    raise UsageError(
        f"`sequential=True` takes topics as independent, but {first.topic} and {second.topic} have {link}"
        f"{others}; {mention('cluster', shared.field)} looks at those that belong together at once, or choose topics "
        f"that have nothing in common{_part(first)}"
    )


def _count_of_others(count: int) -> str:
    return f", and {counted(count, 'other topic')} share something, too" if count else ""


def _part(topic: Topic) -> str:
    """How to choose one topic of each parent, where topics have parts."""
    return f" ({mention('where', {'part': topic.part})})" if topic.part else ""


def look_at_pairs(
    matrix: ScoreMatrix,
    pairs: Sequence[tuple[str, str]],
    options: CompareOptions,
    *,
    scale: Scale | None = None,
    is_rated: bool = False,
    clusters: TopicClusters | None = None,
    seed: int = 0,
) -> list[SequentialPair]:
    """Test each pair after each topic that both have, in an order drawn by the seed.

    Args:
        matrix: the scores.
        pairs: who is compared with whom.
        options: how.
        scale: the lowest and the highest value of the measure, where known.
        is_rated: whether scores are answers to a question, which have a scale even where nothing says which.
        clusters: which topics belong together, and are looked at together; None if they are independent.
        seed: of the order of topics.

    Raises:
        UsageError: if no pair is named, assessors are to be random, or the scale of answers is not known.
    """
    if not pairs:
        raise UsageError('`sequential=True` needs a pair: `pair=("A", "B")`')
    if options.assessors == "random":
        raise UsageError('`sequential=True` takes assessors as given: leave out `assessors="random"`')
    # Sorted first: the order that the seed draws must not depend on the order of lines in a file.
    by_name = sorted(range(len(matrix.topics)), key=matrix.topics.__getitem__)
    sequential_pairs = []
    family = 1 if options.correction == "none" else len(pairs)
    for a, b in pairs:
        if a not in matrix.summarizers or b not in matrix.summarizers:
            continue
        rows = matrix.summarizers.index(a), matrix.summarizers.index(b)
        differences = paired_differences(matrix.values, [rows])[0][by_name]
        shared = np.nonzero(~np.isnan(differences))[0]
        if len(shared) < FEWEST:
            continue
        names = [matrix.topics[by_name[place]] for place in shared]
        codes = np.arange(len(shared)) if clusters is None else clusters.codes(names)
        sizes = np.bincount(codes)
        drawn = random_order(len(sizes), seed)
        # Topics cluster by cluster, in the order drawn.
        place_of_cluster = np.argsort(drawn)
        order = np.argsort(place_of_cluster[codes], kind="stable")
        ordered = differences[shared][order]
        pair_scale = choose_scale(matrix.measure, matrix.values[list(rows)], scale, options.scale)
        if pair_scale is None and is_rated:
            raise UsageError(
                f"`sequential=True` needs the scale of {matrix.measure}, which is not known: give the lowest and the "
                "highest answer that is possible, such as `scale=(1, 5)`"
            )
        if pair_scale is None and clusters is not None:
            raise UsageError(
                f"`sequential=True` with `cluster=` needs the scale of {matrix.measure}, which is not known: give the "
                "lowest and the highest score that is possible, such as `scale=(1, 5)`"
            )
        pair = SequentialPair(
            measure=matrix.measure,
            a=a,
            b=b,
            topics=tuple(names[place] for place in order),
            differences=ordered if matrix.higher_is_better else -ordered,
            sizes=sizes[drawn],
            cluster="" if clusters is None else clusters.field,
            is_descriptive=matrix.is_descriptive,
            scale=pair_scale,
            family=family,
            confidence=options.confidence,
            seed=seed,
        )
        sequential_pairs.append(pair)
    return sequential_pairs
