"""`compare --sequential`: a pair tested after each topic, in the order of the data, with a p value that allows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, entry
from pyramidion.errors import UsageError
from pyramidion.options import CompareOptions
from pyramidion.scores import ScoreMatrix
from pyramidion.statistics.pairs import paired_differences
from pyramidion.statistics.sequential import SequentialTest, sequential_test
from pyramidion.tables import Column, NotedRow, Table, table_of
from pyramidion.wording import counted, number, p_in_words

SKEWED = 1.0
"""Beyond this skewness of the differences, the test rejects equal systems too often (10 % instead of 5)."""
FEWEST = 2


class Look(NotedRow, record="look"):
    """What was known of a pair after some topics; its p and limits hold however often one looks."""

    measure: str
    a: str
    b: str
    n: int
    """Topics so far."""
    topic: str
    """The last of them."""
    difference: float
    e: float
    """The evidence for a difference; from 1/(1 − confidence) on it is significant."""
    p: float
    lower: float | None
    upper: float | None
    decided: bool
    """Whether the evidence has sufficed by now."""
    confidence: float


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


def look_at_pairs(
    matrix: ScoreMatrix, pairs: Sequence[tuple[str, str]], options: CompareOptions
) -> list[SequentialPair]:
    """Test each pair after each topic that both have, in the order of the matrix.

    Raises:
        UsageError: if no pair is named, or assessors are to be random.
    """
    if not pairs:
        raise UsageError("--sequential needs a pair: --pair A B")
    if options.assessors == "random":
        raise UsageError("--sequential takes assessors as given: leave out --assessors random")
    found = []
    for a, b in pairs:
        if a not in matrix.summarizers or b not in matrix.summarizers:
            continue
        rows = matrix.summarizers.index(a), matrix.summarizers.index(b)
        differences = paired_differences(matrix.values, [rows])[0]
        there = ~np.isnan(differences)
        if there.sum() >= FEWEST:
            topics = [topic for topic, known in zip(matrix.topics, there, strict=True) if known]
            found.append(_looked(matrix, a, b, topics, differences[there], options.confidence))
    return found


def _looked(
    matrix: ScoreMatrix, a: str, b: str, topics: Sequence[str], differences: Floats, confidence: float
) -> SequentialPair:
    test = sequential_test(differences, confidence=confidence)
    decided = test.decided(confidence)
    early = "limits are infinite with so few topics"
    looks = tuple(
        Look.of(
            entry(test, place),
            matrix,
            a=a,
            b=b,
            n=place + 1,
            topic=topics[place],
            difference=float(test.mean[place]),
            decided=decided is not None and place + 1 >= decided,
            confidence=confidence,
            reason=early,
        )
        for place in range(FEWEST - 1, len(differences))
    )
    return SequentialPair(
        looks=looks,
        sentence=_sentence(matrix, a, b, test, decided, len(differences)),
        notes=_notes(differences),
    )


def _sentence(matrix: ScoreMatrix, a: str, b: str, test: SequentialTest, decided: int | None, n: int) -> str:
    if decided is None:
        return (
            f"Undecided after {counted(n, 'topic')}: no significant difference between {a} and {b} on "
            f"{matrix.measure} ({p_in_words(float(test.p[-1]))}, valid however often you look). You may add topics and "
            "look again."
        )
    mean = float(test.mean[decided - 1])
    better, worse = (a, b) if (mean > 0) == matrix.higher_is_better else (b, a)
    than = "higher" if matrix.is_descriptive else "better"
    return (
        f"{better} is {than} than {worse} on {matrix.measure}: decided after {decided} of {counted(n, 'topic')} "
        f"(difference {number(abs(mean), 4)} by then, {p_in_words(float(test.p[decided - 1]))}, valid however often "
        "you look)."
    )


def _notes(differences: Floats) -> tuple[str, ...]:
    centred = differences - differences.mean()
    spread = float(np.sqrt((centred**2).mean()))
    skewness = float((centred**3).mean()) / spread**3 if spread > 0 else 0.0
    if abs(skewness) <= SKEWED:
        return ()
    return (
        f"The differences are skewed ({number(skewness, 1)}): with such scores this test may find differences that are "
        "not there in 10 % of cases instead of 5 %.",
    )
