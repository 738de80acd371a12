"""`compare --sequential`: a pair tested after each topic, in random order, with a p value that allows it.

The test assumes roughly normal differences. On a bounded scale a system may be a little better on most topics and fail
on a few: then the first topics show a small difference that hardly varies, and the test would decide too early. There
it gives no verdict where the differences are skewed, or where the topics are too few to rule such failures out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign.nouns import Judgment, Topic, plain
from pyramidion.errors import UsageError, mention
from pyramidion.options import CompareOptions
from pyramidion.scores import ScoreMatrix
from pyramidion.show.tables import Column, NotedRow, Table, table_of
from pyramidion.show.wording import counted, defined, number, p_in_words, percent
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
    """A pair, looked at after each topic."""

    looks: tuple[Look, ...]
    sentence: str
    notes: tuple[str, ...] = ()

    def table(self) -> Table:
        """The looks."""
        first = self.looks[0]
        columns = ("n", "topic", Column("difference", digits=4), Column("e", digits=2), "p", "lower", "upper")
        return table_of(
            self.looks,
            columns,
            title=f"{first.measure}: {first.a} and {first.b} after each topic",
            sentences=(self.sentence,),
            notes=self.notes,
            about=first.measure,
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
    shared = [(kind, members) for (kind, _), members in groups.items() if len(members) > 1]
    if not shared:
        return
    kind, (first, second, *_) = shared[0]
    together = len({topic.topic for _, members in shared for topic in members})
    what = f"the same parent ({first.parent})" if kind == "parent" else "a document in common"
    raise UsageError(
        f"`sequential=True` takes topics as independent, but {first.topic} and {second.topic} have {what}"
        f"{_count_of_others(together - 2)}; choose topics that have nothing in common{_part(first)}, or leave out "
        "`sequential=`"
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
    by_name = sorted(range(len(matrix.topics)), key=matrix.topics.__getitem__)
    order = np.random.default_rng(seed).permutation(by_name)
    looked = []
    for a, b in pairs:
        if a not in matrix.summarizers or b not in matrix.summarizers:
            continue
        rows = matrix.summarizers.index(a), matrix.summarizers.index(b)
        differences = paired_differences(matrix.values, [rows])[0][order]
        there = ~np.isnan(differences)
        is_on_scale = scale is not None and _is_within(matrix.values[list(rows)], scale)
        if there.sum() >= FEWEST:
            pair = _Pair(
                matrix=matrix,
                a=a,
                b=b,
                topics=tuple(matrix.topics[place] for place in order[there]),
                differences=differences[there],
                scale=scale if is_on_scale else None,
                confidence=options.confidence,
                seed=seed,
            )
            looked.append(pair.look())
    return looked


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


@dataclass(frozen=True, kw_only=True, eq=False)
class _Pair:
    """Two systems, their differences in the order in which they are looked at, and the scale of the scores."""

    matrix: ScoreMatrix
    a: str
    b: str
    topics: tuple[str, ...]
    differences: Floats
    scale: tuple[float, float] | None
    confidence: float
    seed: int

    def look(self) -> SequentialPair:
        """The looks after each topic, or one without a verdict if the differences are skewed on a bounded scale."""
        largest = None
        if self.scale is not None:
            largest = self.scale[1] - self.scale[0]
            if self._is_skewed:
                return self._refuse()
        test = sequential_test(self.differences, confidence=self.confidence, largest=largest)
        decided = test.decided(self.confidence)
        looks = tuple(self._looks(test, decided))
        return SequentialPair(looks=looks, sentence=self._sentence(test, decided), notes=self._notes())

    @property
    def _count(self) -> int:
        return len(self.differences)

    @property
    def _is_skewed(self) -> bool:
        return abs(skewness_of(self.differences)) > skewness_limit(self._count)

    def _looks(self, test: SequentialTest, decided: int | None) -> Iterator[Look]:
        for place in range(FEWEST - 1, self._count):
            is_decided = decided is not None and place + 1 >= decided
            look = replace(
                self._look_without_numbers(place, _why_no_limits(test, place)),
                e=defined(test.e[place]),
                p=defined(test.p[place]),
                lower=defined(test.lower[place]),
                upper=defined(test.upper[place]),
                decided=is_decided,
            )
            if look.p is not None and look.p <= self._level and not is_decided:
                reason = self._too_few(place + 1)
                look = replace(look, e=None, p=None, lower=None, upper=None, reason=reason)
            yield look

    def _look_without_numbers(self, place: int, reason: str) -> Look:
        """The look after the topic at this place, before anything is said of its evidence."""
        return Look(
            measure=self.matrix.measure,
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

    @property
    def _level(self) -> float:
        return (1 - self.confidence / 100) * (1 + 1e-12)

    def _too_few(self, n: int) -> str:
        """Why n topics do not suffice on a bounded scale, although p is below the level."""
        assert self.scale is not None
        share = float(unseen_share(np.array(float(n)), confidence=self.confidence))
        low, high = self.scale
        return (
            f"{counted(n, 'topic')} can't rule out that up to {percent(share)} of topics go the other way by as much "
            f"as the whole scale, {low:g} to {high:g}, which would outweigh the difference"
        )

    def _refuse(self) -> SequentialPair:
        """No verdict, because the differences are skewed on a bounded scale."""
        assert self.scale is not None
        low, high = self.scale
        skewness, limit = skewness_of(self.differences), skewness_limit(self._count)
        reason = (
            f"the differences are skewed (skewness {number(skewness, 1)} over {counted(self._count, 'topic')}; up to "
            f"±{number(limit, 1)} would be roughly normal), as when one system is a little better on most topics and "
            f"fails on a few; on a scale from {low:g} to {high:g} this test, which {ASSUMES}, would often decide "
            "wrongly"
        )
        look = self._look_without_numbers(self._count - 1, reason)
        pair = f"{self.a} and {self.b} on {self.matrix.measure}"
        sentence = f"No verdict on {pair}: {reason}. Compare all topics at once instead."
        return SequentialPair(looks=(look,), sentence=sentence)

    def _sentence(self, test: SequentialTest, decided: int | None) -> str:
        a, b, measure = self.a, self.b, self.matrix.measure
        topics = counted(self._count, "topic")
        p = float(test.p[-1])
        if decided is not None:
            mean = float(test.mean[decided - 1])
            better, worse = (a, b) if (mean > 0) == self.matrix.higher_is_better else (b, a)
            than = "higher" if self.matrix.is_descriptive else "better"
            return (
                f"{better} is {than} than {worse} on {measure}: decided after {decided} of {topics}, taken in random "
                f"order (difference {number(abs(mean), 4)} by then, {p_in_words(float(test.p[decided - 1]))}, valid "
                f"however often you look; {ASSUMES}). Over all {topics}: difference "
                f"{number(abs(float(test.mean[-1])), 4)}, e = {float(test.e[-1]):.3g}."
            )
        if p <= self._level:
            return (
                f"No verdict yet on {a} and {b} on {measure}: {self._too_few(self._count)} "
                f"({number(float(test.mean[-1]), 4)}). Add topics, or compare all topics at once."
            )
        significant = 1 / (1 - self.confidence / 100)
        return (
            f"Undecided after {topics}, taken in random order: no significant difference between {a} and {b} on "
            f"{measure} ({p_in_words(p)}, valid however often you look; {ASSUMES}). If you add topics, they come in a "
            f"new order: then go by e over all topics, now {float(test.e[-1]):.3g}, which no order changes; it is "
            f"significant from {significant:.4g} on."
        )

    def _notes(self) -> tuple[str, ...]:
        skewness = skewness_of(self.differences)
        if self.scale is not None or abs(skewness) <= SKEWED:
            return ()
        return (
            f"The differences are skewed ({number(skewness, 1)}): with such scores this test may find differences that "
            "are not there in 10 % of cases instead of 5 %.",
        )


def _why_no_limits(test: SequentialTest, place: int) -> str:
    if np.isfinite(test.lower[:place]).any():
        return "limits of different looks exclude each other: the differences are not roughly normal"
    return "limits are infinite with so few topics"
