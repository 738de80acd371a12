"""Who is in a campaign: every summarizer with its name, organisation and kind, and how much of it was judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pyramidion.campaign import Campaign
from pyramidion.scores.table import Kind
from pyramidion.show.tables import Finding, Row

KIND_ORDER: tuple[Kind, ...] = ("participant", "baseline", "human")


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


def roster_of(campaign: Campaign) -> Roster:
    """Everyone in a campaign, participants first; in each kind in the order in which they appear."""
    topics = _count_topics((summary.topic, summary.summarizer) for summary in campaign.summaries if summary.topic)
    judged = _count_topics((judgment.topic, judgment.summarizer) for judgment in campaign.judgments)
    annotated = _count_topics((annotation.topic, annotation.summarizer) for annotation in campaign.annotations)
    members = []
    for id in campaign.summarizer_ids:
        declared = campaign.summarizers.get(id)
        members.append(
            Member(
                id=id,
                name=declared.name if declared else "",
                organisation=declared.organisation if declared else "",
                kind=campaign.kind_of(id),
                topics=topics[id],
                judged=judged[id],
                annotated=annotated[id],
            )
        )
    members.sort(key=lambda member: KIND_ORDER.index(member.kind))
    return Roster(campaign=campaign.name, members=tuple(members))


def _count_topics(summaries: Iterable[tuple[str, str]]) -> Counter[str]:
    """By summarizer, the number of topics; a topic counts once, however many runs it has."""
    return Counter(summarizer for _, summarizer in set(summaries))
