"""What the summarizers of a campaign have of its pyramids: shares of tiers, what each misses, what nobody says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from operator import attrgetter
from typing import Any

from pyramidion.campaign import Campaign
from pyramidion.pyramids.diagnosis import Diagnosis, ScuStanding, diagnose, difficulty
from pyramidion.pyramids.incidence import Annotated, gather, most_used
from pyramidion.show.tables import Finding, Row, hidden

MOST_DIAGNOSES = 8_000
"""Summarizers on topics; with more, only the hardest topics are searched."""


class TopScu(Row, record="pyramid-top-scu"):
    """An SCU of the top tiers, and how many summarizers express it."""

    topic: str
    uid: int
    label: str
    weight: int
    models: int
    peers: int
    """Summarizers that were matched with this pyramid, without those who wrote its models."""
    expressed: int
    """Summarizers among `peers` that express it."""

    @property
    def order(self) -> tuple[float | str | int, ...]:
        """The heaviest first, and of these what most summarizers have."""
        return (-self.weight / self.models, -self.expressed, self.topic, self.uid)


class MissedScu(TopScu, record="pyramid-missed-scu"):
    """An SCU of the top tiers that a summarizer does not express."""

    summarizer: str


class SummarizerShare(Row, record="pyramid-share"):
    """What one summarizer has of the top tiers of all pyramids that it was matched with."""

    summarizer: str
    modified: float | None
    """Its mean modified score."""
    expressed: int
    top: int
    """SCUs of the top tiers."""
    share: float
    tiers: Mapping[int, tuple[int, int]] = hidden()
    """By weight: how many it has of how many."""
    missed: tuple[MissedScu, ...] = hidden()
    reason: str = "no modified score"


class PyramidCoverage(Finding):
    """Who expresses most of what a summary should say first; what each summarizer misses; what nobody says."""

    shares: tuple[SummarizerShare, ...]
    """Who has most of the top tiers first."""
    rarest: tuple[TopScu, ...]
    """SCUs of the top tiers, those that the fewest summarizers express first."""
    searched: int
    """Number of pyramids that were searched."""
    pyramids: int
    single: bool = False
    """Whether all pyramids have one model."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Readable names of summarizers."""

    def rows(self) -> Iterator[Row]:
        """Shares, missed SCUs and the rarest ones."""
        yield from self.shares
        for share in self.shares:
            yield from share.missed
        yield from self.rarest

    def weights(self) -> list[int]:
        """The weights that some SCU has, the heaviest first."""
        weights = {weight for share in self.shares for weight, (_, scus) in share.tiers.items() if scus}
        return sorted(weights, reverse=True)


def cover_pyramids(
    campaign: Campaign,
    summarizers: Collection[str],
    *,
    scores: Mapping[str, float] | None = None,
    names: Mapping[str, str] | None = None,
) -> PyramidCoverage:
    """What these summarizers have of the campaign's pyramids, each with the peers of whoever annotated most.

    Args:
        campaign: with pyramids.
        summarizers: those to look at.
        scores: their mean modified scores.
        names: readable names of them.
    """
    pyramids: list[Annotated] = []
    for topic in campaign.each_topic(peers="all"):
        pyramids += [annotated for annotated in most_used(gather(topic)) if diagnose(annotated).scus]
    pyramids.sort(key=lambda annotated: difficulty(annotated).hardness)
    searched = _choose_searched(_restrict_peers(annotated, summarizers) for annotated in pyramids)
    missed: dict[str, list[MissedScu]] = {}
    top: Counter[str] = Counter()
    tiers: dict[str, dict[int, tuple[int, int]]] = {}
    rarest: list[TopScu] = []
    for annotated in searched:
        name, pyramid = pyramid_name(annotated, pyramids), diagnose(annotated)
        heavy = [scu for scu in pyramid.scus if scu.weight >= pyramid.top]
        rarest += [TopScu(**_facts(name, pyramid, scu)) for scu in heavy if scu.peers]
        for peer in annotated.incidence.peers:
            seen = diagnose(annotated, peer)
            lacking = [MissedScu(summarizer=peer, **_facts(name, seen, scu)) for scu in seen.missing_from_top]
            missed.setdefault(peer, []).extend(lacking)
            top[peer] += sum(scu.weight >= seen.top for scu in seen.scus)
            for tier in seen.tiers:
                has, of = tiers.setdefault(peer, {}).get(tier.weight, (0, 0))
                tiers[peer][tier.weight] = (has + (tier.present or 0), of + tier.scus)
    mean_scores = scores or {}
    shares: list[SummarizerShare] = []
    for summarizer, lacking in missed.items():
        if not top[summarizer]:
            continue
        share = SummarizerShare(
            summarizer=summarizer,
            modified=mean_scores.get(summarizer),
            expressed=top[summarizer] - len(lacking),
            top=top[summarizer],
            share=1 - len(lacking) / top[summarizer],
            tiers=tiers[summarizer],
            missed=tuple(sorted(lacking, key=attrgetter("order"))),
        )
        shares.append(share)
    return PyramidCoverage(
        shares=tuple(sorted(shares, key=lambda share: (-share.share, share.summarizer))),
        rarest=tuple(sorted(rarest, key=lambda scu: (scu.expressed / scu.peers, *scu.order))),
        searched=len(searched),
        pyramids=len(pyramids),
        single=all(len(annotated.incidence.models) == 1 for annotated in searched),
        names=names or {},
    )


def pyramid_name(annotated: Annotated, all_of_them: Sequence[Annotated]) -> str:
    """The topic of a pyramid; with the annotator, if the topic has several pyramids."""
    several = sum(other.topic == annotated.topic for other in all_of_them) > 1
    if several:
        return f"{annotated.topic} ({annotated.pyramid.annotator})"
    return annotated.topic


def _restrict_peers(annotated: Annotated, summarizers: Collection[str]) -> Annotated:
    """The pyramid with those of its peers that are looked at."""
    places = [place for place, peer in enumerate(annotated.incidence.peers) if peer in summarizers]
    return replace(annotated, incidence=annotated.incidence.only(places))


def _choose_searched(pyramids: Iterable[Annotated]) -> list[Annotated]:
    """As many pyramids, the hardest first, as can be searched."""
    chosen: list[Annotated] = []
    total = 0
    for annotated in pyramids:
        total += len(annotated.incidence.peers)
        if total > MOST_DIAGNOSES and chosen:
            break
        chosen.append(annotated)
    return chosen


def _facts(name: str, pyramid: Diagnosis, scu: ScuStanding) -> dict[str, Any]:
    same = {key: getattr(scu, key) for key in ("uid", "label", "weight", "peers", "expressed")}
    return {"topic": name, "models": len(pyramid.models), **same}
