"""What the pyramids of a campaign say of its topics and summarizers: how hard, what is missing, what nobody says."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.pyramids import Annotated, Diagnosis, Difficulty, diagnose, difficulty, gather
from pyramidion.pyramids.diagnosis import ScuStanding
from pyramidion.reports.context import Context

MOST_DIAGNOSES = 8_000
"""Of peers on topics; with more, only the hardest topics are searched for what is missing."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RatedPyramid:
    """A pyramid with how hard its topic is."""

    name: str
    """Of the topic; with the annotator, where it has several pyramids."""
    annotated: Annotated
    difficulty: Difficulty

    @property
    def hardness(self) -> tuple[float, ...]:
        """By consensus, then by what peers reach (a single model always agrees with itself); the unknown come last."""
        values = (self.difficulty.consensus, self.difficulty.peers_mean)
        return tuple(math.inf if math.isnan(value) else value for value in values)


@dataclass(frozen=True, kw_only=True)
class TopScu:
    """An SCU of the top tiers."""

    topic: str
    scu: ScuStanding
    models: int
    peers: int
    """Those that were matched with this pyramid, but for who wrote its models."""
    having: int
    """Those of them that express it."""

    @property
    def order(self) -> tuple[float | str | int, ...]:
        """The heaviest first, and of these what most summarizers have."""
        return (-self.scu.weight / self.models, -self.having, self.topic, self.scu.uid)


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What one summarizer has of the pyramids."""

    who: str
    missing: tuple[TopScu, ...]
    top: int
    """SCUs of the top tiers in the topics that it was annotated on."""
    tiers: dict[int, tuple[int, int]]
    """By weight: how many it has of how many."""

    @property
    def share(self) -> float:
        """What share of the top tiers it has."""
        return 1 - len(self.missing) / self.top if self.top else math.nan


def rated_pyramids(context: Context) -> list[RatedPyramid]:
    """Every pyramid with the peers of whoever annotated most of them."""
    found: list[RatedPyramid] = []
    topics = set(context.table.topics)
    for topic in context.campaign.each_topic(peers="all"):
        if topic.topic.topic not in topics:
            continue
        users: dict[int, list[Annotated]] = {}
        for one in gather(topic):
            users.setdefault(id(one.pyramid), []).append(one)
        for several in users.values():
            chosen = max(several, key=lambda one: len(one.annotations))
            name = chosen.topic if len(users) == 1 else f"{chosen.topic} ({chosen.pyramid.annotator})"
            found.append(RatedPyramid(name=name, annotated=chosen, difficulty=difficulty(chosen)))
    return found


def reported_peers(context: Context, one: RatedPyramid) -> list[str]:
    """Those of its peers that the report is about."""
    known = set(context.table.summarizers)
    return [peer for peer in one.annotated.incidence.peers if peer in known]


def searchable(context: Context, rated: Sequence[RatedPyramid]) -> list[RatedPyramid]:
    """As many pyramids, the hardest first, as can be searched for what is missing."""
    chosen: list[RatedPyramid] = []
    total = 0
    for one in rated:
        total += len(reported_peers(context, one))
        if total > MOST_DIAGNOSES and chosen:
            break
        chosen.append(one)
    return chosen


def expressed(context: Context, one: RatedPyramid) -> tuple[int, Counter[int]]:
    """How many of the report's peers a pyramid has, and by SCU how many of them express it.

    Those who wrote its models do not count: every SCU is said by one of them.
    """
    incidence = one.annotated.incidence
    peers = set(reported_peers(context, one)) - set(incidence.models)
    columns = [number for number, peer in enumerate(incidence.peers) if peer in peers]
    counts = incidence.expresses[:, columns].sum(axis=1)
    return len(columns), Counter(dict(zip(incidence.uids, map(int, counts), strict=True)))


def standings_of(context: Context, rated: Sequence[RatedPyramid]) -> list[Standing]:
    """Who has most of the top tiers first."""
    missing: dict[str, list[TopScu]] = {}
    top: Counter[str] = Counter()
    tiers: dict[str, dict[int, tuple[int, int]]] = {}
    for one in rated:
        peers, having = expressed(context, one)
        for peer in reported_peers(context, one):
            found = diagnose(one.annotated, peer)
            missing.setdefault(peer, []).extend(
                _missed(one.name, found, scu, peers, having) for scu in found.missing_from_top
            )
            top[peer] += sum(scu.weight >= found.top for scu in found.scus)
            for tier in found.tiers:
                has, of = tiers.setdefault(peer, {}).get(tier.weight, (0, 0))
                tiers[peer][tier.weight] = (has + (tier.present or 0), of + tier.scus)
    standings = [
        Standing(who=who, missing=tuple(sorted(lacking, key=lambda one: one.order)), top=top[who], tiers=tiers[who])
        for who, lacking in missing.items()
        if top[who]
    ]
    return sorted(standings, key=lambda one: (-one.share, one.who))


def _missed(topic: str, found: Diagnosis, scu: ScuStanding, peers: int, having: Counter[int]) -> TopScu:
    return TopScu(topic=topic, scu=scu, models=len(found.models), peers=peers, having=having[scu.uid])


def rarest_first(context: Context, rated: Sequence[RatedPyramid]) -> list[TopScu]:
    """SCUs of the top tiers, those that the fewest summarizers express first."""
    found = []
    for one in rated:
        peers, having = expressed(context, one)
        if not peers:
            continue
        pyramid = diagnose(one.annotated)
        heavy = (scu for scu in pyramid.scus if scu.weight >= pyramid.top)
        found += [_missed(one.name, pyramid, scu, peers, having) for scu in heavy]
    return sorted(found, key=lambda one: (one.having / one.peers, *one.order))
