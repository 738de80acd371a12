"""What preferences between summaries say about the systems of a report: who is preferred, and whether that is sure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from pyramidion.campaign import Campaign, Preference
from pyramidion.errors import InputError
from pyramidion.options import PreferenceOptions
from pyramidion.show.tables import Column, Table, columns_of
from pyramidion.show.wording import confidence_interval, counted, noted, number, p_in_words, percent
from pyramidion.statistics.multiple import adjusted
from pyramidion.studies.deciding import Kind, find_programs
from pyramidion.studies.judgments.preferences import (
    Preferences,
    PreferredPair,
    compare_by_preferences,
    rank_by_preferences,
)
from pyramidion.studies.lengths import Lengths

Label = Callable[[str], str]


@dataclass(frozen=True, kw_only=True)
class Preferred:
    """The verdict of preferences: on a pair by a sign test, on more systems by Davidson's model."""

    given: tuple[Preference, ...]
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
        return {name for one in self.given for name in (one.a, one.b)}

    @property
    def topics(self) -> int:
        """How many topics they are about."""
        return len({one.topic for one in self.given})

    def is_preferred_to(self, other: str) -> bool:
        """Whether the leader is significantly preferred to this system.

        In a ranking: whether their intervals do not overlap, which is stricter than a test of the two.
        """
        if self.pair:
            return bool(self.pair.better) and other != self.pair.better
        if other == self.leader:
            return False
        if not self.ranking:
            return any(duel.better == self.leader for duel in self.duels if duel.b == other)
        best = self.ranking.abilities[0]
        upper = next((one.upper for one in self.ranking.abilities if one.summarizer == other), None)
        return upper is not None and best.lower is not None and upper < best.lower

    def headline(self, label: Label) -> str:
        """Who is preferred, in one line."""
        if pair := self.pair:
            a, b = label(pair.a), label(pair.b)
            if not pair.better:
                return f"Undecided: neither {a} nor {b} is preferred significantly more often"
            better, worse = (a, b) if pair.better == pair.a else (b, a)
            return f"{better} is preferred to {worse}"
        others = sorted(self.systems - {self.leader})
        overlapping = sum(not self.is_preferred_to(name) for name in others)
        lead = f"{label(self.leader)} is preferred most"
        if not self.ranking:
            won = sum(duel.better == self.leader for duel in self.duels)
            return f"{lead}, significantly more often than {won} of {counted(len(others), 'other')}"
        if not overlapping:
            return f"{lead}; its interval overlaps with no other"
        intervals = "interval" if overlapping == 1 else "intervals"
        return f"{lead}, but the {intervals} of {overlapping} of {counted(len(others), 'other')} overlap with its own"

    def sentences(self, label: Label) -> list[str]:
        """How often who was preferred, and the test."""
        if pair := self.pair:
            choices = pair.win + pair.tie + pair.loss
            ties = f" ({counted(pair.tie, 'tie')})" if pair.tie else ""
            tested = f"sign test over {counted(self.topics, 'topic')}: {p_in_words(pair.p)}"
            return [
                f"{label(pair.a)} was chosen {counted(pair.win, 'time')} and {label(pair.b)} "
                f"{counted(pair.loss, 'time')} in {counted(choices, 'choice')}{ties}; {tested}."
            ]
        if self.ranking:
            best = self.ranking.abilities[0]
            limits = confidence_interval(self.ranking.confidence, best.lower, best.upper)
            return [
                f"Its ability is {noted(number(best.ability), limits)}: it is preferred to an average system in "
                f"{percent(best.share)} of choices ({counted(len(self.given), 'choice')} on "
                f"{counted(self.topics, 'topic')})."
            ]
        choices = sum(duel.win + duel.tie + duel.loss for duel in self.duels)
        won = sum(duel.win for duel in self.duels)
        return [
            f"{label(self.leader)} was chosen in {won} of {counted(choices, 'choice')}. Some are always, or never, "
            "preferred, so no model fits: sign tests over topics, with Holm's correction for all pairs."
        ]

    def tables(self, label: Label) -> list[Table]:
        """The counts of a pair, or the ranking."""
        if self.ranking:
            return [replace(one, sentences=()) for one in self.ranking.tables()]
        if not self.pair:
            return [self._duel_table(label)]
        pair = self.pair
        return [
            Table(
                record="preference",
                title="Preferences",
                columns=columns_of(
                    Column("what", "counted"),
                    Column("a", f"for {label(pair.a)}"),
                    Column("tie", "ties"),
                    Column("b", f"for {label(pair.b)}"),
                ),
                rows=[
                    ["choices", pair.win, pair.tie, pair.loss],
                    ["topics", pair.topics_won, pair.topics_tied, pair.topics_lost],
                ],
                notes=("A topic counts once, for the system with more choices there.",),
                about="preferences",
            )
        ]

    def _duel_table(self, label: Label) -> Table:
        return Table(
            record="preference",
            title=f"Choices between {label(self.leader)} and each other system",
            columns=columns_of(
                Column("b", "other system"),
                Column("win", f"for {label(self.leader)}"),
                Column("tie", "ties"),
                Column("loss", "for the other"),
                Column("p", "p adjusted", 3),
            ),
            rows=[[label(duel.b), duel.win, duel.tie, duel.loss, duel.p] for duel in self.duels],
            notes=("Sign tests over topics, with Holm's correction for all pairs.",),
            about="preferences",
        )

    def share_of_longer(self, lengths: Lengths) -> float | None:
        """In which share of the choices between summaries of different length the longer one was preferred."""
        longer: list[bool] = []
        for one in self.given:
            first = lengths.get(one.a, {}).get(one.topic)
            second = lengths.get(one.b, {}).get(one.topic)
            if one.choice == "tie" or first is None or second is None or first == second:
                continue
            longer.append((one.choice == "a") == (first > second))
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
    about = [one for one in campaign.preferences if not chosen or {one.a, one.b} <= chosen]
    if not about:
        return None
    programs = find_programs(campaign)
    of_people = tuple(one for one in about if one.assessor not in programs)
    given = of_people or tuple(about)
    kind: Kind = "preferences" if of_people else "judge"
    left_out = len(about) - len(given)
    compared = sorted({name for one in given for name in (one.a, one.b)})
    if len(compared) == 2:
        a, b = pair or (compared[0], compared[1])
        found = compare_by_preferences(given, a, b, confidence=options.confidence)
        if found and not fixed_order and found.leader == b:
            found = found.turned()
        return Preferred(given=given, kind=kind, pair=found, programs_left_out=left_out)
    try:
        ranking = rank_by_preferences(replace(campaign, preferences=given), options, seed=seed)
    except InputError:
        duels = _duels(given, compared, options.confidence)
        return Preferred(given=given, kind=kind, duels=duels, programs_left_out=left_out)
    return Preferred(given=given, kind=kind, ranking=ranking, programs_left_out=left_out)


def _duels(given: Sequence[Preference], systems: Sequence[str], confidence: float) -> tuple[PreferredPair, ...]:
    """The system with the largest share of choices against each other one, p adjusted for all pairs (Holm)."""
    pairs = [compare_by_preferences(given, a, b, confidence=confidence) for a, b in combinations(systems, 2)]
    compared = [pair for pair in pairs if pair]
    corrected = adjusted(np.array([pair.p for pair in compared]))
    leader = max(systems, key=lambda name: _share_of_choices(given, name))
    duels = []
    for pair, p in zip(compared, corrected.tolist(), strict=True):
        if leader in (pair.a, pair.b):
            duel = pair if pair.a == leader else pair.turned()
            duels.append(replace(duel, p=p, better=duel.better if p <= 1 - confidence / 100 else ""))
    return tuple(duels)


def _share_of_choices(given: Sequence[Preference], name: str) -> float:
    """How often a system was chosen when it was shown; a tie is half a choice."""
    points = []
    for one in given:
        if name in (one.a, one.b):
            chosen = one.a if one.choice == "a" else one.b
            points.append(0.5 if one.choice == "tie" else float(chosen == name))
    return sum(points) / len(points)
