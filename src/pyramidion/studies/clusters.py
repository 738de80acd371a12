"""Topics that belong together: those that share a document, a conversation or a parent are not independent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.campaign.nouns import Topic, plain
from pyramidion.errors import UsageError, mention
from pyramidion.show.wording import counted

DOCUMENT = "document"
"""The field that topics need not have: those that share the text of a document belong together."""
FEW = 10
"""With fewer clusters, intervals are wide, and tests have little power."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TopicClusters:
    """Which topics belong together."""

    field: str
    """What they share."""
    cluster_of: Mapping[str, str]
    """By topic, its cluster; a topic without one is a cluster of its own."""

    def codes(self, topics: Sequence[str]) -> Integers:
        """The number of each topic's cluster, from 0, in the order of names: others than these topics do not matter."""
        names = [self._name_of(topic) for topic in topics]
        places = {name: place for place, name in enumerate(sorted(set(names)))}
        return np.array([places[name] for name in names], dtype=np.int64)

    def count(self, topics: Sequence[str]) -> int:
        """How many clusters these topics are of."""
        return len({self._name_of(topic) for topic in topics})

    def _name_of(self, topic: str) -> tuple[bool, str]:
        """The cluster, or the topic itself if it has none; a cluster may be called like a topic of another."""
        cluster = self.cluster_of.get(topic)
        return (True, topic) if cluster is None else (False, cluster)

    def members(self, topics: Iterable[str]) -> list[list[str]]:
        """The clusters of these topics: the names of those that belong together, in the order given."""
        members: dict[tuple[bool, str], list[str]] = {}
        for topic in topics:
            members.setdefault(self._name_of(topic), []).append(topic)
        return list(members.values())

    def count_shared(self, topics: Iterable[str]) -> int:
        """How many of these topics belong to a cluster with another of them."""
        return sum(len(names) for names in self.members(topics) if len(names) > 1)

    def note_on(self, topics: Sequence[str]) -> str:
        """That some topics lack the field, if they do."""
        lacking = sum(topic not in self.cluster_of for topic in topics)
        if not lacking:
            return ""
        have, count = ("has", "counts") if lacking == 1 else ("have", "count")
        clusters = "a cluster of its own" if lacking == 1 else "clusters of their own"
        return f"{counted(lacking, 'topic')} {have} no {self.field} and {count} as {clusters}"


def require_clusters(clusters: TopicClusters, topics: Sequence[str], *, fields: Iterable[str] = ()) -> TopicClusters:
    """The clusters, if there are at least two among the topics.

    Args:
        clusters: by topic.
        topics: those that have scores.
        fields: what other fields the data has, for the message.

    Raises:
        UsageError: if no topic has the field, or all share one value.
    """
    option = mention("cluster", clusters.field)
    if not any(topic in clusters.cluster_of for topic in topics):
        others = ", ".join(fields)
        known = f"; topics have: {others}" if others else ""
        raise UsageError(
            f"{option}: no topic has such a field; expected a field or attribute of topics, a column of the table, or "
            f"document{known}"
        )
    if clusters.count(topics) < 2:
        name = clusters.cluster_of[topics[0]]
        raise UsageError(
            f"{option}: all {counted(len(topics), 'topic')} belong to one cluster, {name!r}; expected at least two "
            "clusters, because nothing can be said about others from a single one"
        )
    return clusters


def fields_of(topics: Iterable[Topic]) -> list[str]:
    """The fields and attributes by which topics can be grouped."""
    names: dict[str, None] = {}
    for topic in topics:
        names |= dict.fromkeys(name for name in ("parent", "part") if getattr(topic, name))
        names |= dict.fromkeys(topic.attributes)
        if topic.documents or topic.background:
            names[DOCUMENT] = None
    return list(names)


def clusters_by_field(topics: Iterable[Topic], field: str) -> dict[str, str]:
    """By topic, the value of a field or attribute; those without one are left out."""
    values: dict[str, str] = {}
    for topic in topics:
        fields = {**topic.attributes, "topic": topic.topic, "part": topic.part, "parent": topic.parent}
        value = fields.get(field)
        if value not in (None, ""):
            values[topic.topic] = str(value)
    return values


def clusters_by_document(topics: Iterable[Topic]) -> dict[str, str]:
    """By topic, the first topic that it shares a document's text with, directly or through others.

    Topics without documents are left out.
    """
    root_of: dict[str, str] = {}

    def find(topic: str) -> str:
        while root_of[topic] != topic:
            # Each look shortens the way to the root: long chains of shared documents stay quick.
            root_of[topic] = root_of[root_of[topic]]
            topic = root_of[topic]
        return topic

    first_with: dict[str, str] = {}
    for topic in topics:
        for text in document_texts(topic):
            root_of.setdefault(topic.topic, topic.topic)
            holder = first_with.setdefault(text, topic.topic)
            root_of[find(topic.topic)] = find(holder)
    return {topic: find(topic) for topic in root_of}


def document_texts(topic: Topic) -> list[str]:
    """The texts of a topic's documents and background documents, each once, without empty ones."""
    texts = {plain(document.text).strip() for document in (*topic.documents, *topic.background)}
    return sorted(texts - {""})


def find_shared(topics: Iterable[Topic]) -> TopicClusters | None:
    """The clusters of topics that have the same parent, or else a document with the same text; None if none do."""
    described = list(topics)
    # A parent is what the data says itself; equal texts are only a sign.
    for field, cluster_of in (
        ("parent", clusters_by_field(described, "parent")),
        (DOCUMENT, clusters_by_document(described)),
    ):
        if len(set(cluster_of.values())) < len(cluster_of):
            return TopicClusters(field=field, cluster_of=cluster_of)
    return None
