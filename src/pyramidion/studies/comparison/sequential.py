"""`compare --sequential`: a pair tested after each topic, in random order, with a p value that allows it.

The test assumes roughly normal differences. On a bounded scale a system may be a little better on most topics and fail
on a few: then the first topics show a small difference that hardly varies, and the test would decide too early. There
it gives no verdict where the differences are skewed, or where the topics are too few to rule such failures out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign.nouns import Judgment, Topic, plain
from pyramidion.errors import UsageError, mention
from pyramidion.options import CompareOptions
from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import NotedRow
from pyramidion.show.wording import counted, defined, number, percent
from pyramidion.statistics.pairs import paired_differences
from pyramidion.statistics.sequential import (
    SequentialTest,
    sequential_test,
    skewness_limit,
    skewness_of,
    unseen_share,
)

SKEWED = 1.0
"""Beyond this skewness of unbounded differences, the test rejects equal systems too often (10 % instead of 5)."""
FEWEST = 2
ASSUMES = "assumes roughly normal differences"


class Look(NotedRow, record="look"):
    """What was known of a pair after some topics; its p and limits hold however often one looks."""

    measure: str
    a: str
    b: str
    n: int
    """Topics so far."""
    topic: str
    """The last of them; topics come in random order."""
    difference: float
    e: float | None
    """The evidence for a difference; from 1/(1 − confidence) on it is significant."""
    p: float | None
    """The smallest so far; None, as e and the limits, where the test can't be relied on."""
    lower: float | None
    """What the limits so far have in common."""
    upper: float | None
    decided: bool
    """Whether the evidence has sufficed by now."""
    confidence: float
    seed: int
    """Of the order of topics."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SequentialPair:
    """Two systems, tested after each topic: their differences in the order in which they are looked at."""

    measure: str
    a: str
    b: str
    topics: tuple[str, ...]
    differences: Floats
    higher_is_better: bool
    is_descriptive: bool
    scale: tuple[float, float] | None
    """The lowest and the highest score, if the scores lie on a scale."""
    confidence: float
    seed: int

    @property
    def count(self) -> int:
        """How many topics both have."""
        return len(self.differences)

    @property
    def level(self) -> float:
        """The level of significance, with room for rounding."""
        return (1 - self.confidence / 100) * (1 + 1e-12)

    @cached_property
    def skewness(self) -> float:
        """Of the differences."""
        return skewness_of(self.differences)

    @property
    def is_refused(self) -> bool:
        """Whether there is no verdict because the differences are skewed on a bounded scale."""
        return self.scale is not None and abs(self.skewness) > skewness_limit(self.count)

    @cached_property
    def test(self) -> SequentialTest:
        """Evidence, p and limits after each topic."""
        largest = None if self.scale is None else self.scale[1] - self.scale[0]
        return sequential_test(self.differences, confidence=self.confidence, largest=largest)

    @cached_property
    def decided_after(self) -> int | None:
        """After how many topics the evidence sufficed; None if it does not yet."""
        return self.test.decided(self.confidence)

    @cached_property
    def looks(self) -> tuple[Look, ...]:
        """What was known after each topic; a single look without numbers if the test is refused."""
        if self.is_refused:
            return (self._look_without_numbers(self.count - 1, self._why_refused()),)
        return tuple(self._looks())

    def _looks(self) -> Iterator[Look]:
        test, decided = self.test, self.decided_after
        for place in range(FEWEST - 1, self.count):
            is_decided = decided is not None and place + 1 >= decided
            look = replace(
                self._look_without_numbers(place, _why_no_limits(test, place)),
                e=defined(test.e[place]),
                p=defined(test.p[place]),
                lower=defined(test.lower[place]),
                upper=defined(test.upper[place]),
                decided=is_decided,
            )
            # On a bounded scale p alone is not enough, and a reader who saw it would take it as a verdict.
            if look.p is not None and look.p <= self.level and not is_decided:
                reason = self._why_too_few(place + 1)
                look = replace(look, e=None, p=None, lower=None, upper=None, reason=reason)
            yield look

    def _look_without_numbers(self, place: int, reason: str) -> Look:
        """The look after the topic at this place, before anything is said of its evidence."""
        return Look(
            measure=self.measure,
            a=self.a,
            b=self.b,
            n=place + 1,
            topic=self.topics[place],
            difference=float(self.differences[: place + 1].mean()),
            e=None,
            p=None,
            lower=None,
            upper=None,
            decided=False,
            confidence=self.confidence,
            seed=self.seed,
            reason=reason,
        )

    def _why_too_few(self, n: int) -> str:
        """Why n topics do not suffice on a bounded scale, although p is below the level."""
        assert self.scale is not None
        share = float(unseen_share(np.array(float(n)), confidence=self.confidence))
        low, high = self.scale
        return (
            f"{counted(n, 'topic')} can't rule out that up to {percent(share)} of topics go the other way by as much "
            f"as the whole scale, {low:g} to {high:g}, which would outweigh the difference"
        )

    def _why_refused(self) -> str:
        """Why skewed differences on a bounded scale get no verdict."""
        assert self.scale is not None
        low, high = self.scale
        limit = skewness_limit(self.count)
        return (
            f"the differences are skewed (skewness {number(self.skewness, 1)} over {counted(self.count, 'topic')}; up "
            f"to ±{number(limit, 1)} would be roughly normal), as when one system is a little better on most topics "
            f"and fails on a few; on a scale from {low:g} to {high:g} this test, which {ASSUMES}, would often decide "
            "wrongly"
        )


def refuse_clusters(topics: Iterable[Topic], compared: Iterable[str]) -> None:
    """Refuse topics that belong together: the test takes each topic as independent of the others.

    Topics belong together if they have the same parent, or a document with the same text.

    Raises:
        UsageError: naming two of them.
    """
    names = set(compared)
    groups: dict[tuple[str, str], list[Topic]] = defaultdict(list)
    for topic in topics:
        if topic.topic not in names:
            continue
        if topic.parent:
            groups["parent", topic.parent].append(topic)
        texts = {plain(document.text).strip() for document in (*topic.documents, *topic.background)}
        for text in sorted(texts - {""}):
            groups["document", text].append(topic)
    clusters = [(kind, members) for (kind, _), members in groups.items() if len(members) > 1]
    if not clusters:
        return
    kind, (first, second, *_) = clusters[0]
    clustered = {topic.topic for _, members in clusters for topic in members}
    link = f"the same parent ({first.parent})" if kind == "parent" else "a document in common"
    raise UsageError(
        f"`sequential=True` takes topics as independent, but {first.topic} and {second.topic} have {link}"
        f"{_count_of_others(len(clustered) - 2)}; choose topics that have nothing in common{_part(first)}, or leave "
        "out `sequential=`"
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
    scale: tuple[float, float] | None = None,
    seed: int = 0,
) -> list[SequentialPair]:
    """Test each pair after each topic that both have, in an order drawn by the seed.

    Raises:
        UsageError: if no pair is named, or assessors are to be random.
    """
    if not pairs:
        raise UsageError('`sequential=True` needs a pair: `pair=("A", "B")`')
    if options.assessors == "random":
        raise UsageError('`sequential=True` takes assessors as given: leave out `assessors="random"`')
    # Sorted first: the order that the seed draws must not depend on the order of lines in a file.
    by_name = sorted(range(len(matrix.topics)), key=matrix.topics.__getitem__)
    order = np.random.default_rng(seed).permutation(by_name)
    sequential_pairs = []
    for a, b in pairs:
        if a not in matrix.summarizers or b not in matrix.summarizers:
            continue
        rows = matrix.summarizers.index(a), matrix.summarizers.index(b)
        differences = paired_differences(matrix.values, [rows])[0][order]
        is_shared = ~np.isnan(differences)
        if is_shared.sum() < FEWEST:
            continue
        is_on_scale = scale is not None and _is_within(matrix.values[list(rows)], scale)
        pair = SequentialPair(
            measure=matrix.measure,
            a=a,
            b=b,
            topics=tuple(matrix.topics[place] for place in order[is_shared]),
            differences=differences[is_shared],
            higher_is_better=matrix.higher_is_better,
            is_descriptive=matrix.is_descriptive,
            scale=scale if is_on_scale else None,
            confidence=options.confidence,
            seed=seed,
        )
        sequential_pairs.append(pair)
    return sequential_pairs


def range_of_answers(judgments: Sequence[Judgment]) -> tuple[float, float] | None:
    """The lowest and the highest answer: ratings have a scale even where a campaign does not declare it."""
    answers = [float(judgment.value) for judgment in judgments]
    if not answers:
        return None
    return min(answers), max(answers)


def _is_within(values: Floats, scale: tuple[float, float]) -> bool:
    """Whether scores lie on the scale; somebody's table may have percentages of it."""
    low, high = scale
    return bool(((values >= low) & (values <= high) | np.isnan(values)).all())


def _why_no_limits(test: SequentialTest, place: int) -> str:
    if np.isfinite(test.lower[:place]).any():
        return "limits of different looks exclude each other: the differences are not roughly normal"
    return "limits are infinite with so few topics"
