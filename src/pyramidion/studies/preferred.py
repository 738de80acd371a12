"""What preferences between summaries say about the systems of a report: who is preferred, and whether that is sure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from pyramidion.campaign import Campaign, Preference
from pyramidion.errors import InputError
from pyramidion.options import PreferenceOptions
from pyramidion.statistics.multiple import adjusted
from pyramidion.studies.deciding import Kind, find_programs
from pyramidion.studies.judgments.preferences import (
    Preferences,
    PreferredPair,
    compare_by_preferences,
    rank_by_preferences,
)
from pyramidion.studies.lengths import Lengths


@dataclass(frozen=True, kw_only=True)
class Preferred:
    """The verdict of preferences: on a pair by a sign test, on more systems by Davidson's model."""

    counting: tuple[Preference, ...]
    """The preferences that count: those of people; those of programs where people gave none."""
    kind: Kind
    """`preferences`, or `judge` where only programs gave them."""
    pair: PreferredPair | None = None
    ranking: Preferences | None = None
    duels: tuple[PreferredPair, ...] = ()
    """Where no model fits, because somebody always or never won: the most preferred system and each other one."""
    programs_left_out: int = 0
    """Preferences of programs beside those of people."""

    @property
    def leader(self) -> str:
        """Who is preferred most."""
        if self.pair:
            return self.pair.leader
        return self.ranking.abilities[0].summarizer if self.ranking else self.duels[0].a

    @property
    def systems(self) -> set[str]:
        """Who was compared."""
        return {name for preference in self.counting for name in (preference.a, preference.b)}

    @property
    def topics(self) -> int:
        """How many topics they are about."""
        return len({preference.topic for preference in self.counting})

    def is_preferred_to(self, other: str) -> bool:
        """Whether the leader is significantly preferred to this system."""
        if self.pair:
            return bool(self.pair.better) and other != self.pair.better
        if other == self.leader:
            return False
        if not self.ranking:
            return any(duel.better == self.leader for duel in self.duels if duel.b == other)
        return self.ranking.is_below_best(other)

    def share_of_longer(self, lengths: Lengths) -> float | None:
        """In which share of the choices between summaries of different length the longer one was preferred."""
        longer: list[bool] = []
        for preference in self.counting:
            first = lengths.get(preference.a, {}).get(preference.topic)
            second = lengths.get(preference.b, {}).get(preference.topic)
            if preference.choice == "tie" or first is None or second is None or first == second:
                continue
            # Equal only if the longer of the two was chosen.
            longer.append((preference.choice == "a") == (first > second))
        return sum(longer) / len(longer) if longer else None


def find_preferred(
    campaign: Campaign,
    systems: Collection[str],
    pair: tuple[str, str] | None,
    options: PreferenceOptions,
    *,
    seed: int,
    fixed_order: bool = False,
) -> Preferred | None:
    """What preferences say about these systems; None if there are none about them.

    Args:
        campaign: with its preferences.
        systems: whose summaries are compared; empty: all that have preferences.
        pair: the two systems that the report is about, if it is about two.
        options: of the ranking.
        seed: of its bootstrap.
        fixed_order: whether the pair keeps its order; else the one that is preferred comes first.
    """
    chosen = set(pair or systems)
    about = [preference for preference in campaign.preferences if not chosen or {preference.a, preference.b} <= chosen]
    if not about:
        return None
    programs = find_programs(campaign)
    of_people = tuple(preference for preference in about if preference.assessor not in programs)
    counting = of_people or tuple(about)
    kind: Kind = "preferences" if of_people else "judge"
    left_out = len(about) - len(counting)
    compared = sorted({name for preference in counting for name in (preference.a, preference.b)})
    if len(compared) == 2:
        a, b = pair or (compared[0], compared[1])
        verdict = compare_by_preferences(counting, a, b, confidence=options.confidence)
        # Sentences name the preferred system first, unless the user asked for an order.
        if verdict and not fixed_order and verdict.leader == b:
            verdict = verdict.turned()
        return Preferred(counting=counting, kind=kind, pair=verdict, programs_left_out=left_out)
    try:
        ranking = rank_by_preferences(replace(campaign, preferences=counting), options, seed=seed)
    except InputError:
        duels = _duels(counting, compared, options.confidence)
        return Preferred(counting=counting, kind=kind, duels=duels, programs_left_out=left_out)
    return Preferred(counting=counting, kind=kind, ranking=ranking, programs_left_out=left_out)


def _duels(counting: Sequence[Preference], systems: Sequence[str], confidence: float) -> tuple[PreferredPair, ...]:
    """The system with the largest share of choices against each other one, p adjusted for all pairs (Holm)."""
    pairs = [compare_by_preferences(counting, a, b, confidence=confidence) for a, b in combinations(systems, 2)]
    compared = [pair for pair in pairs if pair]
    corrected = adjusted(np.array([pair.p for pair in compared]))
    leader = max(systems, key=lambda name: _share_of_choices(counting, name))
    duels = []
    for pair, p in zip(compared, corrected.tolist(), strict=True):
        if leader in (pair.a, pair.b):
            duel = pair if pair.a == leader else pair.turned()
            duels.append(replace(duel, p=p, better=duel.better if p <= 1 - confidence / 100 else ""))
    return tuple(duels)


def _share_of_choices(counting: Sequence[Preference], name: str) -> float:
    """How often a system was chosen when it was shown; a tie is half a choice."""
    points = []
    for preference in counting:
        if name in (preference.a, preference.b):
            chosen = preference.a if preference.choice == "a" else preference.b
            points.append(0.5 if preference.choice == "tie" else float(chosen == name))
    return sum(points) / len(points)
