"""Simulated judgments of systems that are equal: who judges what, how large the variances are, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Floats, Integers

TOPIC, ASSESSOR, SYSTEM_TOPIC, TOPIC_ASSESSOR, ERROR = 0.1, 0.2, 0.05, 0.05, 0.3
"""Variances besides that of summarizer × assessor, which differs from design to design: .40 without main effects."""
LOWEST, HIGHEST = 1, 5
MISSING = 0.15
"""Share of the judgments that a design with holes lacks."""
POLARISING = 10
"""How much larger the summarizer × assessor variance of a system is that polarises."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """Equal systems, and how they are judged."""

    systems: int
    topics: int
    assessors: int
    interaction: float
    """The variance of summarizer × assessor."""
    judges: int | None = None
    """Assessors of each topic, in turn; None: all of them."""
    holes: bool = False
    unequal: bool = False
    """Assessors have different numbers of topics: the first has half of them."""
    mean: float = 3.0
    whole: bool = False
    """Answers are whole numbers from 1 to 5."""
    polarising: bool = False

    @cached_property
    def _cells(self) -> Integers:
        """Judgments × (system, topic, assessor), none missing."""
        return np.array(
            [
                (system, topic, assessor)
                for topic in range(self.topics)
                for assessor in self._assessors_of(topic)
                for system in range(self.systems)
            ]
        )

    def _assessors_of(self, topic: int) -> Sequence[int]:
        if self.judges is None:
            return range(self.assessors)
        if self.unequal:
            first = 0 if topic % 2 == 0 else 1 + topic // 2 % (self.assessors - 1)
        else:
            first = topic % self.assessors
        # Neighbours change from round to round, so that all pairs of assessors share topics.
        step = 1 + topic // self.assessors % (self.assessors - 1)
        return sorted({(first + number * step) % self.assessors for number in range(self.judges)})

    def judgments(self, generator: np.random.Generator) -> tuple[Integers, Integers, Integers, Floats]:
        """Codes of system, topic and assessor of each judgment, and the answers."""
        system, topic, assessor = self._cells.T

        def effect(variance: float, *sizes: int) -> Floats:
            return generator.normal(0, np.sqrt(variance), sizes)

        interaction = effect(self.interaction, self.systems, self.assessors)
        if self.polarising:
            interaction[0] *= np.sqrt(POLARISING)
        values = (
            self.mean
            + effect(TOPIC, self.topics)[topic]
            + effect(ASSESSOR, self.assessors)[assessor]
            + interaction[system, assessor]
            + effect(SYSTEM_TOPIC, self.systems, self.topics)[system, topic]
            + effect(TOPIC_ASSESSOR, self.topics, self.assessors)[topic, assessor]
            + effect(ERROR, len(system))
        )
        if self.whole:
            values = np.clip(np.floor(values + 0.5), LOWEST, HIGHEST)
        if self.holes:
            there = generator.random(len(values)) >= MISSING
            system, topic, assessor, values = system[there], topic[there], assessor[there], values[there]
        return system, topic, assessor, values


@dataclass(frozen=True, kw_only=True)
class Group:
    """Designs of one kind, with the earlier ranges of their error rates, in per cent."""

    name: str
    designs: tuple[Design, ...]
    f: str
    tukey: str
    fixed: str
    limits: str = ""
    """The earlier coverage of the limits of σ²sa."""


def _designs(
    systems: Sequence[int], assessors: Sequence[int], interactions: Sequence[float], *, topics: int, **more: bool | int
) -> tuple[Design, ...]:
    return tuple(
        Design(systems=count, topics=topics, assessors=judging, interaction=variance, **more)  # type: ignore[arg-type]  # flags and counts
        for count in systems
        for judging in assessors
        for variance in interactions
    )


SOME = (0.0, 0.03, 0.1)
BALANCED = "93.5–95.7"
GROUPS = (
    Group(
        name="crossed, 5 or 13 systems, 3–10 assessors",
        designs=_designs((5, 13), (3, 5, 10), SOME, topics=10),
        f="2.7–5.8",
        tukey="2.8–5.6",
        fixed="5–100",
        limits=BALANCED,
    ),
    Group(
        name="one assessor a topic, 5–35 systems, 3–10 assessors",
        designs=_designs((5, 13, 35), (3, 5, 10), SOME, topics=30, judges=1),
        f="2.7–5.6",
        tukey="2.8–5.5",
        fixed="5–100",
        limits=BALANCED,
    ),
    Group(
        name="2 systems, 3 assessors",
        designs=_designs((2,), (3,), SOME, topics=10) + _designs((2,), (3,), SOME, topics=30, judges=1),
        f="3.0–6.8",
        tukey="3.0–6.8",
        fixed="5–55",
    ),
    Group(
        name="2 systems, 5–10 assessors",
        designs=_designs((2,), (5, 10), SOME, topics=10) + _designs((2,), (5, 10), SOME, topics=30, judges=1),
        f="3.0–5.9",
        tukey="3.0–5.9",
        fixed="5–55",
    ),
    Group(
        name="6 systems: unequal shares, holes, 2 of 5 or 8 assessors",
        designs=(
            *_designs((6,), (5,), SOME, topics=20, judges=1, unequal=True),
            *_designs((6,), (5,), SOME, topics=10, holes=True),
            *_designs((6,), (5, 8), SOME, topics=20, judges=2),
        ),
        f="1.8–7.2",
        tukey="2.4–6.2",
        fixed="4–49",
        limits="93.6–99.6",
    ),
    Group(
        name="answers 1–5, also at the ceiling",
        designs=tuple(
            Design(systems=systems, topics=20, assessors=5, interaction=0.1, mean=mean, whole=True)
            for systems in (5, 13)
            for mean in (3.0, 4.0, 4.7)
        ),
        f="4.1–5.4",
        tukey="4.0–5.3",
        fixed="49–66",
    ),
    Group(
        name="one system polarises: 10 × the σ²sa of others",
        designs=tuple(
            Design(systems=5, topics=20, assessors=assessors, interaction=0.03, polarising=True)
            for assessors in (3, 5, 10)
        ),
        f="8–10",
        tukey="10–11",
        fixed="56–66",
    ),
)

DUC = Design(systems=35, topics=50, assessors=10, interaction=0.05, judges=1)
CROSSED = Design(systems=12, topics=50, assessors=8, interaction=0.05)
