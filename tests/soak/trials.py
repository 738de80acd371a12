"""The frame of `make soak`: seeded rounds of an attack, as many as fit into its share of the time, all counted.

A test takes the fixture `trials` and asks for rounds; what fails in a round is noted with the round's seed, and the
next round follows. At the end the test fails if any round did, and the summary says how many were tried and survived.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType

import pytest

MINUTES = 20.0
SHOWN = 5
"""Failures that are shown in full."""


@dataclass
class Attack:
    """One kind of attack: how often it was tried, and what did not survive."""

    name: str
    share: float
    tried: int = 0
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def survived(self) -> int:
        """Rounds in which everything held."""
        return self.tried - len(self.failures)


@dataclass
class Round:
    """One round: `with round:` counts it, and notes what fails in it."""

    attack: Attack
    seed: str

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.what = ""
        """What was tried, in words, for those who read about a failure."""

    def __enter__(self) -> Round:
        self.attack.tried += 1
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        if kind is None or not issubclass(kind, Exception):
            return False
        self.attack.failures.append(f"{self.seed}: {self.what}: {kind.__name__}: {error}")
        return True


class Trials:
    """All attacks of a run."""

    def __init__(self, *, minutes: float = MINUTES, seed: int = 0) -> None:
        self.minutes, self.seed = minutes, seed
        self.attacks: list[Attack] = []

    def rounds(self, name: str, *, share: float, least: int = 1, most: int | None = None) -> Iterator[Round]:
        """Rounds of an attack until its share of the time is used up.

        Args:
            name: the attack in a few words, as the summary shows it.
            share: of the time of the whole run; all shares add up to 1 at most.
            least: so many rounds are tried, however long they take.
            most: no more than these are tried.
        """
        attack = Attack(name, share)
        self.attacks.append(attack)
        assert sum(one.share for one in self.attacks) <= 1.0001, "the shares of all attacks add up to more than 1"
        start, number = time.monotonic(), 0
        while (most is None or number < most) and (
            number < least or time.monotonic() - start < share * self.minutes * 60
        ):
            yield Round(attack, f"{self.seed}/{name}/{number}")
            number += 1
        attack.seconds = time.monotonic() - start
        if attack.failures:
            shown = "\n".join(attack.failures[:SHOWN])
            pytest.fail(f"{name}: {len(attack.failures)} of {attack.tried} rounds did not survive:\n{shown}")

    def summary(self) -> list[str]:
        """A table for the page about reliability."""
        rows = [
            f"| {one.name} | {one.tried:,} | {one.survived:,} | {one.seconds:,.0f} |"
            for one in sorted(self.attacks, key=lambda one: one.name)
        ]
        return ["| attack | tried | survived | seconds |", "|---|---:|---:|---:|", *rows]
