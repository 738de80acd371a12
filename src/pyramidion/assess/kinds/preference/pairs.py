"""What an assignment means as tasks: the spec of each, with summaries in an order of its own (blind)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import exp
from random import Random
from typing import Any

from pyramidion.assess.kinds.assignment import Assignment, PlanOptions, TopicFacts
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Preference

Spec = Mapping[str, Any]


def specs_of(assignment: Assignment, campaign: Campaign, facts: TopicFacts, options: PlanOptions) -> Iterator[Spec]:
    """The tasks of an assignment, as their specs."""
    seed, person, topic = options.seed, assignment.person, assignment.topic

    def handles(names: Sequence[str], *more: object) -> dict[str, str]:
        shuffled = shuffle(names, seed, person, topic, *more)
        return {str(number): name for number, name in enumerate(shuffled, start=1)}

    kind = assignment.kind
    if kind == "write":
        yield {}
    elif kind == "form":
        for number in campaign.questions.passes:
            yield {"pass": number, "summaries": handles(assignment.summarizers, "form", number)}
    elif kind == "pyramid":
        yield {"models": handles(facts.models, "pyramid")}
    elif kind == "peer":
        models = handles(facts.models, "pyramid")
        for one in shuffle([one for one in assignment.summarizers if one not in facts.models], seed, person, topic):
            how = {"mode": "light" if options.light else "full", "non_matching": options.non_matching}
            yield {"summaries": {"1": one}, "models": models, "pyramid": "", **how}
    elif kind == "coverage":
        for one in shuffle(assignment.summarizers, seed, person, topic, "coverage"):
            others = [model for model in facts.models if model != one]
            if others:
                model = Random(f"{seed}/{topic}/{one}/model").choice(others)
                yield {"summaries": {"1": one}, "models": {"1": model}, "units": options.units}
    elif kind == "preference":
        rng = Random(f"{seed}/{person}/{topic}/pairs")
        known = [one for one in campaign.preferences if one.topic == topic] if options.informative else []
        drawn = draw_pairs(assignment.summarizers, options.pairs, rng, known if options.informative else None)
        if drawn:
            yield {"pairs": {str(number): list(pair) for number, pair in enumerate(drawn, start=1)}}


def shuffle(names: Sequence[str], *seed: object) -> list[str]:
    """The names in an order that depends on the seed alone: by assessor, topic and pass."""
    order = sorted(names)
    Random("/".join(map(str, seed))).shuffle(order)
    return order


def draw_pairs(
    names: Sequence[str], number: int, rng: Random, known: Sequence[Preference] | None = None
) -> list[tuple[str, str]]:
    """Pairs of summaries, each pair at most once, which one stands on the left by chance.

    Evenly: the pair whose summaries have been drawn least comes next. Where they tell most, given the preferences so
    far: first the pairs whose outcome is least certain, p (1 − p) / (1 + comparisons so far), with p from the shares
    of wins of both.
    """
    pairs = list(combinations(sorted(names), 2))
    rng.shuffle(pairs)
    value = _information(pairs, known) if known is not None else dict.fromkeys(pairs, 0.0)
    drawn: list[tuple[str, str]] = []
    uses: Counter[str] = Counter()
    while pairs and len(drawn) < number:
        best = min(
            pairs, key=lambda pair: (-value[pair], max(uses[one] for one in pair), sum(uses[one] for one in pair))
        )
        pairs.remove(best)
        uses.update(best)
        drawn.append(best if rng.random() < 0.5 else (best[1], best[0]))
    rng.shuffle(drawn)
    return drawn


def _information(pairs: Sequence[tuple[str, str]], known: Sequence[Preference]) -> dict[tuple[str, str], float]:
    points: Counter[str] = Counter()
    games: Counter[str] = Counter()
    together: Counter[frozenset[str]] = Counter()
    for one in known:
        for who, wins in ((one.a, one.choice == "a"), (one.b, one.choice == "b")):
            points[who] += 2 if wins else 1 if one.choice == "tie" else 0
            games[who] += 2
        together[frozenset((one.a, one.b))] += 1

    def strength(who: str) -> float:
        share = (points[who] + 1) / (games[who] + 2)
        return 4 * (share - 0.5)  # about the log odds, and finite for all wins

    found = {}
    for a, b in pairs:
        p = 1 / (1 + exp(strength(b) - strength(a)))
        found[a, b] = round(p * (1 - p) / (1 + together[frozenset((a, b))]), 9)
    return found
