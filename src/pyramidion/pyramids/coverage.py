"""What the summarizers of a campaign have of its pyramids: shares of tiers, what each misses, what nobody says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from pyramidion.campaign import Campaign
from pyramidion.pyramids.diagnosis import Diagnosis, ScuStanding, diagnose, difficulty
from pyramidion.pyramids.incidence import Annotated, gather, most_used
from pyramidion.show.tables import Column, Finding, Row, Table, hidden, table_of
from pyramidion.show.wording import capital, counted, in_words, percent, shortened

MOST_DIAGNOSES = 8_000
"""Summarizers on topics; with more, only the hardest topics are searched."""
MOST_LISTED = 10
"""SCUs that a table lists."""
MOST_TIERS = 8
LONGEST = 240
_IN_MOST = "those in more than half of the references"


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
    """Those of them that express it."""

    @property
    def order(self) -> tuple[float | str | int, ...]:
        """The heaviest first, and of these what most summarizers have."""
        return (-self.weight / self.models, -self.expressed, self.topic, self.uid)

    @property
    def text(self) -> str:
        """The label as a table shows it."""
        return shortened(self.label, LONGEST)


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
        for one in self.shares:
            yield from one.missed
        yield from self.rarest

    def tables(self) -> list[Table]:
        """Shares of all summarizers, then what each of them misses, then what the fewest express."""
        if not self.shares:
            return []
        return [
            self.share_table(),
            *(self.missed_table(one) for one in self.shares if one.missed),
            *([self.rarest_table()] if self.rarest else []),
        ]

    def name(self, summarizer: str) -> str:
        """A summarizer as sentences call it."""
        return self.names.get(summarizer, summarizer)

    def share_table(self) -> Table:
        """A row for each summarizer: how much it has of the top tiers and of each tier."""
        there = {weight for one in self.shares for weight, (_, of) in one.tiers.items() if of}
        weights = sorted(there, reverse=True)[:MOST_TIERS]
        top = "all SCUs, because each pyramid has one reference" if self.single else _IN_MOST
        notes = [f"Top SCUs: {top}. A human's own reference does not count."]
        if self.searched < self.pyramids:
            notes.append(
                f"Only the {self.searched} of {self.pyramids} pyramids with the lowest consensus were searched."
            )
        columns = (
            Column("summarizer", of=lambda one: self.name(one.summarizer)),
            Column("modified", "modified score", digits=3),
            Column("expressed", "top SCUs expressed"),
            Column("top", "top SCUs"),
            Column("share", "%", digits=0, of=lambda one: 100 * one.share),
            *map(_share_of_tier, weights),
        )
        title = "Share of the tiers that each summarizer expresses"
        return table_of(self.shares, columns, title=title, sentences=(self._most(),), notes=tuple(notes))

    def missed_table(self, one: SummarizerShare) -> Table:
        """The heaviest SCUs that a summarizer misses."""
        more = len(one.missed) - MOST_LISTED
        order = "the heaviest first, then those that most others express"
        return table_of(
            one.missed[:MOST_LISTED],
            _SCU,
            title=f"Top SCUs that {self.name(one.summarizer)} misses",
            about=one.summarizer,
            notes=(
                f"{len(one.missed)} of {one.top} are missing. Order: {order}"
                + (f"; the last {more} are not listed." if more > 0 else "."),
            ),
        )

    def rarest_table(self) -> Table:
        """What the fewest summarizers express."""
        more = len(self.rarest) > MOST_LISTED
        return table_of(
            self.rarest[:MOST_LISTED],
            _SCU,
            title="Top SCUs that the fewest summarizers express",
            sentences=(self._never(),),
            notes=(f"The first {MOST_LISTED} of {len(self.rarest)}.",) if more else (),
        )

    def _most(self) -> str:
        best, worst = self.shares[0], self.shares[-1]
        which = "all SCUs of the one reference" if self.single else _IN_MOST
        where = f"Top SCUs are {which}: {len(self.rarest)} in the {counted(self.searched, 'pyramid')}."
        has = f"{best.expressed} of {best.top}"
        found = f"{where} {self.name(best.summarizer)} expresses {percent(best.share)} of them ({has})"
        if len(self.shares) == 1:
            return f"{found}."
        return f"{found}, the most; {self.name(worst.summarizer)} expresses the fewest, {percent(worst.share)}."

    def _never(self) -> str:
        never = [one for one in self.rarest if not one.expressed]
        if not never:
            return f"Each of the {len(self.rarest)} top SCUs is expressed by at least one summarizer."
        first = never[0]
        verb = "is" if len(never) == 1 else "are"
        heavy = f", in {first.weight} of {counted(first.models, 'reference')}" if first.models > 1 else ""
        return capital(
            f"{in_words(len(never))} of the {len(self.rarest)} top SCUs {verb} expressed by no summarizer, for example "
            f"“{first.text}” (topic {first.topic}{heavy})."
        )


def _share_of_tier(weight: int) -> Column:
    def share(one: SummarizerShare) -> float | None:
        has, of = one.tiers.get(weight, (0, 0))
        return 100 * has / of if of else None

    return Column(f"weight_{weight}", f"weight {weight}, %", digits=0, of=share)


_SCU = (
    Column("text", "SCU"),
    "topic",
    "weight",
    Column("models", "references"),
    Column("expressed", "summarizers that express it"),
    Column("peers", "summarizers"),
)


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
    found = [
        one for topic in campaign.each_topic(peers="all") for one in most_used(gather(topic)) if diagnose(one).scus
    ]
    found.sort(key=lambda one: difficulty(one).hardness)
    searched = _searchable(_among(one, summarizers) for one in found)
    missed: dict[str, list[MissedScu]] = {}
    top: Counter[str] = Counter()
    tiers: dict[str, dict[int, tuple[int, int]]] = {}
    rarest: list[TopScu] = []
    for one in searched:
        name, pyramid = pyramid_name(one, found), diagnose(one)
        heavy = (scu for scu in pyramid.scus if scu.weight >= pyramid.top and scu.peers)
        rarest += [TopScu(**_facts(name, pyramid, scu)) for scu in heavy]
        for peer in one.incidence.peers:
            seen = diagnose(one, peer)
            lacking = [MissedScu(summarizer=peer, **_facts(name, seen, scu)) for scu in seen.missing_from_top]
            missed.setdefault(peer, []).extend(lacking)
            top[peer] += sum(scu.weight >= seen.top for scu in seen.scus)
            for tier in seen.tiers:
                has, of = tiers.setdefault(peer, {}).get(tier.weight, (0, 0))
                tiers[peer][tier.weight] = (has + (tier.present or 0), of + tier.scus)
    shares = [
        SummarizerShare(
            summarizer=who,
            modified=(scores or {}).get(who),
            expressed=top[who] - len(lacking),
            top=top[who],
            share=1 - len(lacking) / top[who],
            tiers=tiers[who],
            missed=tuple(sorted(lacking, key=lambda one: one.order)),
        )
        for who, lacking in missed.items()
        if top[who]
    ]
    return PyramidCoverage(
        shares=tuple(sorted(shares, key=lambda one: (-one.share, one.summarizer))),
        rarest=tuple(sorted(rarest, key=lambda one: (one.expressed / one.peers, *one.order))),
        searched=len(searched),
        pyramids=len(found),
        single=all(len(one.incidence.models) == 1 for one in searched),
        names=names or {},
    )


def pyramid_name(one: Annotated, all_of_them: Sequence[Annotated]) -> str:
    """The topic of a pyramid; with the annotator, if the topic has several pyramids."""
    several = sum(other.topic == one.topic for other in all_of_them) > 1
    return f"{one.topic} ({one.pyramid.annotator})" if several else one.topic


def _among(one: Annotated, summarizers: Collection[str]) -> Annotated:
    """The pyramid with those of its peers that are looked at."""
    places = [place for place, peer in enumerate(one.incidence.peers) if peer in summarizers]
    return replace(one, incidence=one.incidence.only(places))


def _searchable(found: Iterable[Annotated]) -> list[Annotated]:
    """As many pyramids, the hardest first, as can be searched."""
    chosen: list[Annotated] = []
    total = 0
    for one in found:
        total += len(one.incidence.peers)
        if total > MOST_DIAGNOSES and chosen:
            break
        chosen.append(one)
    return chosen


def _facts(name: str, pyramid: Diagnosis, scu: ScuStanding) -> dict[str, Any]:
    same = {key: getattr(scu, key) for key in ("uid", "label", "weight", "peers", "expressed")}
    return {"topic": name, "models": len(pyramid.models), **same}
