"""Which pairs of summaries are compared: drawn evenly, or where a comparison tells most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import exp
from random import Random

from pyramidion.campaign.nouns import Preference


def draw_pairs(
    names: Sequence[str], number: int, rng: Random, earlier: Sequence[Preference] | None = None
) -> list[tuple[str, str]]:
    """Pairs of summaries, each pair at most once, which one stands on the left by chance.

    Evenly: the pair whose summaries have been drawn least comes next. Where they tell most, given earlier preferences:
    first the pairs whose outcome is least certain, p (1 − p) / (1 + comparisons so far), with p from the shares of wins
    of both.
    """
    pairs = list(combinations(sorted(names), 2))
    rng.shuffle(pairs)
    information = dict.fromkeys(pairs, 0.0)
    if earlier is not None:
        information = _information(pairs, earlier)
    drawn: list[tuple[str, str]] = []
    uses: Counter[str] = Counter()

    def rank(pair: tuple[str, str]) -> tuple[float, int, int]:
        first, second = uses[pair[0]], uses[pair[1]]
        return (-information[pair], max(first, second), first + second)

    while pairs and len(drawn) < number:
        best = min(pairs, key=rank)
        pairs.remove(best)
        uses.update(best)
        drawn.append(best if rng.random() < 0.5 else (best[1], best[0]))
    rng.shuffle(drawn)
    return drawn


def draw_pairs_with(late: Sequence[str], names: Sequence[str], number: int, rng: Random) -> list[tuple[str, str]]:
    """Pairs of each late summary with so many others, these used evenly; which one stands on the left by chance.

    Args:
        late: the summaries that came late.
        names: all summaries, the late ones included.
        number: how many pairs each late summary has, as far as there are others.
        rng: draws.
    """
    drawn: list[tuple[str, str]] = []
    seen: set[frozenset[str]] = set()
    uses: Counter[str] = Counter()
    for name in sorted(late):
        others = [other for other in sorted(names) if other != name and frozenset((name, other)) not in seen]
        rng.shuffle(others)
        missing = max(0, number - uses[name])
        for other in sorted(others, key=lambda other: uses[other])[:missing]:
            seen.add(frozenset((name, other)))
            uses.update((name, other))
            drawn.append((name, other) if rng.random() < 0.5 else (other, name))
    rng.shuffle(drawn)
    return drawn


def _information(pairs: Sequence[tuple[str, str]], earlier: Sequence[Preference]) -> dict[tuple[str, str], float]:
    """How uncertain the outcome of each pair is, given earlier preferences."""
    points: Counter[str] = Counter()
    games: Counter[str] = Counter()
    comparisons: Counter[frozenset[str]] = Counter()
    for preference in earlier:
        for_a = {"a": 2, "tie": 1, "b": 0}[preference.choice]
        points[preference.a] += for_a
        points[preference.b] += 2 - for_a
        games[preference.a] += 2
        games[preference.b] += 2
        comparisons[frozenset((preference.a, preference.b))] += 1

    def strength(name: str) -> float:
        share = (points[name] + 1) / (games[name] + 2)
        return 4 * (share - 0.5)  # about the log odds, and finite for all wins

    information = {}
    for first, second in pairs:
        p = 1 / (1 + exp(strength(second) - strength(first)))
        information[first, second] = round(p * (1 - p) / (1 + comparisons[frozenset((first, second))]), 9)
    return information
