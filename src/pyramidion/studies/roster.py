"""Who is in a campaign: every summarizer with its name, organisation and kind, and how much of it was judged."""

from __future__ import annotations

from collections import Counter

from pyramidion.campaign import Campaign
from pyramidion.scores.table import Kind
from pyramidion.show.tables import Column, Finding, Row, Table, table_of
from pyramidion.show.wording import counted

_ORDER: tuple[Kind, ...] = ("participant", "baseline", "human")


class Member(Row, record="roster"):
    """One summarizer."""

    id: str
    name: str
    organisation: str
    kind: Kind
    topics: int
    """Topics for which it has a summary."""
    judged: int
    """Summaries that an assessor judged."""
    annotated: int
    """Peers that were matched against a pyramid."""


class Roster(Finding, repr=True, eq=True):
    """Everyone who wrote summaries, or was declared to."""

    campaign: str
    members: tuple[Member, ...]

    def tables(self) -> list[Table]:
        """One table; columns that say nothing are left out."""
        names = (
            Column("name", of=lambda one: one.name or None),
            Column("organisation", of=lambda one: one.organisation or None),
        )
        annotated = ("annotated",) if any(member.annotated for member in self.members) else ()
        kinds = Counter(member.kind for member in self.members)
        said = ", ".join(counted(kinds[kind], kind) for kind in _ORDER if kinds[kind])
        silent = [member.id for member in self.members if not member.topics]
        sentences = [f"{counted(len(self.members), 'summarizer')}: {said}." if said else "No summarizers."]
        if silent:
            sentences.append(f"Without any summary: {', '.join(silent)}.")
        return [
            table_of(
                self.members,
                ("id", *names, "kind", "topics", "judged", *annotated),
                record="roster",
                title=f"Roster of {self.campaign}" if self.campaign else "Roster",
                sentences=tuple(sentences),
            )
        ]


def roster_of(campaign: Campaign) -> Roster:
    """Everyone in a campaign, participants first; in each kind in the order in which they appear."""
    topics: Counter[str] = Counter()
    for topic, who in {(one.topic, one.summarizer): None for one in campaign.summaries}:
        topics[who] += bool(topic)
    judged = Counter(who for _, who in {(one.topic, one.summarizer) for one in campaign.judgments})
    annotated = Counter(who for _, who in {(one.topic, one.summarizer) for one in campaign.annotations})
    members = [
        Member(
            id=id,
            name=declared.name if (declared := campaign.summarizers.get(id)) else "",
            organisation=declared.organisation if declared else "",
            kind=campaign.kind_of(id),
            topics=topics[id],
            judged=judged[id],
            annotated=annotated[id],
        )
        for id in campaign.summarizer_ids
    ]
    return Roster(campaign=campaign.name, members=tuple(sorted(members, key=lambda one: _ORDER.index(one.kind))))
