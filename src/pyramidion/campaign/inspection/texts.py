"""Texts that look wrong: over the word limit, the same twice, or about another topic."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, product
from typing import NamedTuple

import numpy as np

from pyramidion.arrays import Integers
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.inspection.places import Places, some
from pyramidion.campaign.nouns import Summary, plain
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

SHORTEST = 5
"""Texts of fewer words may be equal by chance."""
EXTRACT = 0.85
"""A text of which this share of three-word sequences is in the documents was copied from there: others may copy it."""
NEARER = 2.0
"""A text is about another topic if its words speak for that so many times as strongly as for its own,"""
EVIDENCE = 6
"""and at least so many of its words are found there but not in its own topic,"""
SHORT_EVIDENCE = (3, 0.4)
"""or, in a short text, at least so many that are this share of its words."""
MANY = 20
"""Systems with the same text of which all pairs are looked at."""
TEXTS_AT_ONCE = 500
"""Texts whose words are looked up together."""
RARE = 12
"""Words that occur in more topics than this say little about the topic; so the work stays linear."""
_WORD = re.compile(r"[^\W_]+")

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """The words of a text in lower case, without signs."""
    return tuple(_WORD.findall(text.lower()))


def inspect_texts(campaign: Campaign, places: Places) -> None:
    """Note texts that are too long, that occur twice, or that seem to belong to another topic."""
    _warn_about_long_texts(campaign, places)
    sources = _source_words(campaign)
    _warn_about_repeated_texts(campaign, sources, places)
    _warn_about_misplaced_texts(campaign, sources, places)


def _warn_about_long_texts(campaign: Campaign, places: Places) -> None:
    """Warn of summaries that are over their word limit: for each limit once for peers, once for models.

    A limit belongs to a task: topics of one campaign may have different ones.
    """
    limits = {topic: campaign.word_limit_of(topic) for topic in campaign.topic_ids}
    distinct_limits = sorted({limit for limit in limits.values() if limit is not None})
    for limit, kind in product(distinct_limits, ("peer", "model")):
        summaries = [
            summary for summary in campaign.summaries if summary.kind == kind and limits[summary.topic] == limit
        ]
        lengths = {(summary.topic, summary.summarizer): len(plain(summary.text).split()) for summary in summaries}
        over = {key: length for key, length in lengths.items() if length > limit}
        if over:
            longest = max(over, key=lambda key: over[key])
            topic, writer = longest
            writers = dict.fromkeys(summarizer for _, summarizer in over)
            places.of_summary(longest).warning(
                f"{counted(len(over), kind)} of {len(lengths)} over the word limit, by {some(list(writers))}; the "
                f"longest has {over[longest]} words ({writer} on {topic})",
                f"at most {limit} words",
                "Scores use the whole texts; cut them with words=campaign, as in 'rouge-2(words=campaign).recall'.",
                field="text",
                count=len(over),
            )


def _source_words(campaign: Campaign) -> dict[str, Words]:
    """The words of the documents of each topic that has any."""
    sources = {}
    for topic in campaign.topics:
        documents = (*topic.documents, *topic.background)
        if documents:
            sources[topic.topic] = words_of(" ".join(plain(document.text) for document in documents))
    return sources


def _warn_about_repeated_texts(campaign: Campaign, sources: Mapping[str, Words], places: Places) -> None:
    """Warn of texts that come twice: in two topics, as a copy of a model, or from two systems."""
    # By digests, because a campaign may have millions of words and few texts that come twice.
    by_digest: dict[bytes, list[Summary]] = defaultdict(list)
    for summary in campaign.summaries:
        words = words_of(plain(summary.text))
        if len(words) >= SHORTEST:
            content = " ".join(words).encode(errors="replace")
            by_digest[hashlib.blake2b(content, digest_size=16).digest()].append(summary)
    repeated = {words_of(plain(group[0].text)): group for group in by_digest.values() if len(group) > 1}
    _warn_about_texts_in_two_topics(repeated, places)
    within: list[tuple[Words, list[Summary]]] = []
    for text, same_text in repeated.items():
        by_topic = grouped(same_text, lambda summary: summary.topic)
        for group in by_topic.values():
            writers = {summary.summarizer for summary in group}
            if len(writers) > 1:
                within.append((text, group))
    _warn_about_copies_of_models(within, places)
    peers_within = []
    for text, group in within:
        peers = [summary for summary in group if summary.kind == "peer"]
        if len(peers) > 1:
            peers_within.append((text, peers))
    _warn_about_texts_of_two_systems(campaign, peers_within, sources, places)


def _warn_about_texts_in_two_topics(repeated: Mapping[Words, Sequence[Summary]], places: Places) -> None:
    groups: list[Sequence[Summary]] = []
    for group in repeated.values():
        topics = {summary.topic for summary in group}
        if len(topics) > 1:
            groups.append(group)
    if not groups:
        return
    first = groups[0][0]
    other = next(summary for summary in groups[0] if summary.topic != first.topic)
    places.of_summary((other.topic, other.summarizer)).warning(
        f"{counted(len(groups), 'text')} in more than one topic, such as that of {first.summarizer} on "
        f"{first.topic} and {other.summarizer} on {other.topic}",
        "a text of its own for each topic",
        "Check whether files were mixed up.",
        field="text",
        count=len(groups),
    )


def _for_example(cases: Sequence[object]) -> str:
    """Before the only case, or before the first of several."""
    return ": " if len(cases) == 1 else ", such as "


def _warn_about_copies_of_models(within: Sequence[tuple[Words, Sequence[Summary]]], places: Places) -> None:
    groups: list[Sequence[Summary]] = []
    for _, group in within:
        kinds = {summary.kind for summary in group}
        if len(kinds) > 1:
            groups.append(group)
    if not groups:
        return
    peer = next(summary for summary in groups[0] if summary.kind == "peer")
    model = next(summary for summary in groups[0] if summary.kind == "model")
    places.of_summary((peer.topic, peer.summarizer)).warning(
        f"{counted(len(groups), 'system summary is', 'system summaries are')} identical to a reference"
        f"{_for_example(groups)}{peer.summarizer} on {peer.topic} ({model.summarizer})",
        "a text of its own",
        "Check whether files were mixed up.",
        field="text",
        count=len(groups),
    )


def _warn_about_texts_of_two_systems(
    campaign: Campaign,
    within: Sequence[tuple[Words, Sequence[Summary]]],
    sources: Mapping[str, Words],
    places: Places,
) -> None:
    """Warn of equal texts of two systems, unless both copy the documents; and of systems that are mostly equal."""
    pairs: Counter[tuple[str, str]] = Counter()
    for _, group in within:
        pairs.update(_pairs(group))
    topics = Counter(summary.summarizer for summary in campaign.summaries if summary.kind == "peer")
    copied = []
    for (a, b), count in pairs.items():
        shared_topics = min(topics[a], topics[b])
        if count > 1 and 2 * count > shared_topics:
            copied.append((a, b))
    if copied:
        a, b = copied[0]
        named = [f"{a} and {b}" for a, b in copied]
        places.of_file("summaries").warning(
            f"the same texts from {some(named)} ({a} and {b}: {pairs[a, b]} of {min(topics[a], topics[b])} topics)",
            "texts of its own from each system",
            "Check whether one run was delivered twice.",
            field="text",
            count=len(copied),
        )
    sequences = {topic: _sequences(source) for topic, source in sources.items() if within}
    systems: set[str] = set()
    for _, group in within:
        systems.update(summary.summarizer for summary in group)
    copying = _copying_systems(campaign, systems, sequences)
    mentioned = {*copied}
    groups = []
    for text, group in within:
        writers = {summary.summarizer for summary in group}
        is_mentioned = mentioned.issuperset(_pairs(group))
        is_extract = _share(text, sequences.get(group[0].topic, frozenset())) >= EXTRACT
        is_explained = is_mentioned or is_extract or copying.issuperset(writers)
        if not is_explained:
            groups.append(group)
    if groups:
        first, other = groups[0][:2]
        places.of_summary((other.topic, other.summarizer)).warning(
            f"{counted(len(groups), 'text')} from more than one system, such as from {first.summarizer} and "
            f"{other.summarizer} on {first.topic}",
            "texts of its own from each system",
            "Check whether files were mixed up.",
            field="text",
            count=len(groups),
        )


def _pairs(group: Sequence[Summary]) -> list[tuple[str, str]]:
    """The systems that have the same text, two by two; of many, only neighbours, so that the work stays linear."""
    systems = sorted({summary.summarizer for summary in group})
    if len(systems) > MANY:
        return list(pairwise(systems))
    return list(combinations(systems, 2))


def _sequences(words: Words) -> frozenset[Words]:
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _share(text: Words, source: frozenset[Words]) -> float:
    """The share of three-word sequences that the source has."""
    sequences = _sequences(text)
    if not sequences:
        return 0.0
    return len(sequences & source) / len(sequences)


def _copying_systems(
    campaign: Campaign, systems: Collection[str], sequences: Mapping[str, frozenset[Words]]
) -> set[str]:
    """Systems whose texts are mostly copied from the documents."""
    shares: dict[str, list[float]] = defaultdict(list)
    for summary in campaign.summaries:
        if summary.summarizer in systems and summary.topic in sequences:
            share = _share(words_of(plain(summary.text)), sequences[summary.topic])
            shares[summary.summarizer].append(share)
    return {system for system, values in shares.items() if sum(values) >= EXTRACT * len(values)}


def _warn_about_misplaced_texts(campaign: Campaign, sources: Mapping[str, Words], places: Places) -> None:
    """Warn of texts that are nearer to the documents of another topic (to its models, where there are no documents).

    Each rare word speaks for the topics that have it, by the logarithm of how few these are. Topics with the same
    parent count as one.
    """
    parent = {topic.topic: topic.parent or topic.topic for topic in campaign.topics}
    family = {id: parent.get(id, id) for id in campaign.topic_ids}
    spoken: dict[str, set[str]] = defaultdict(set)
    for topic, text in sources.items():
        spoken[family[topic]].update(text)
    placed: list[Summary] = []
    for summary in campaign.summaries:
        if summary.kind == "model" and summary.topic not in sources:
            spoken[family[summary.topic]].update(words_of(plain(summary.text)))
        else:
            placed.append(summary)
    if len(spoken) < 2:
        return
    rare = RareWords.of(spoken)
    misplaced: list[tuple[Summary, str]] = []
    suspects: list[_Suspect] = []
    for summary in placed:
        topic = family[summary.topic]
        if topic not in spoken:
            continue
        words = set(words_of(plain(summary.text)))
        foreign = words - spoken[topic]
        needed = _evidence(words)
        if len(foreign) >= needed:
            suspects.append(_Suspect(summary, topic, words, foreign, needed))
        if len(suspects) >= TEXTS_AT_ONCE:
            misplaced += _nearer(suspects, rare)
            suspects = []
    misplaced += _nearer(suspects, rare)
    if misplaced:
        first, other = misplaced[0]
        places.of_summary((first.topic, first.summarizer)).warning(
            f"{counted(len(misplaced), 'summary seems', 'summaries seem')} to belong to another topic"
            f"{_for_example(misplaced)}{first.summarizer} on {first.topic} (closer to {other})",
            "a text about the documents of its topic",
            "Check whether files were mixed up.",
            field="text",
            count=len(misplaced),
        )


def _evidence(text: Collection[str]) -> float:
    """How many words a text needs that another topic has and its own has not, to be nearer to the other one."""
    few, share = SHORT_EVIDENCE
    return min(EVIDENCE, max(few, share * len(text)))


class _Suspect(NamedTuple):
    """A text with words that its own topic has not."""

    summary: Summary
    topic: str
    """Its own topic, or the parent of that."""
    words: Set[str]
    foreign: Set[str]
    needed: float


def _nearer(suspects: Sequence[_Suspect], rare: RareWords) -> Iterator[tuple[Summary, str]]:
    """Texts whose rare words speak for another topic much more than for their own, and that topic."""
    most_shared = rare.most_shared([suspect.foreign for suspect in suspects])
    for suspect, most in zip(suspects, most_shared, strict=True):
        if most < suspect.needed:
            continue
        votes = rare.votes(suspect.words)
        best = max(votes, key=lambda topic: (votes[topic], topic))
        shared = sum(best in rare.topics_of(word) for word in suspect.foreign)
        has_evidence = best != suspect.topic and shared >= suspect.needed
        if has_evidence and votes[best] >= NEARER * votes[suspect.topic]:
            yield suspect.summary, best


@dataclass(frozen=True, eq=False)
class RareWords:
    """The topics of each word that few topics have, one word after the other: what tells the topic of a text.

    Words are their hashes, in order: millions of texts are looked up by sorting, where a dictionary of strings would
    leave the processor's cache for each word. That two words have the same 64 bits does not happen in any language.
    """

    names: Sequence[str]
    """Of all topics."""
    words: Integers
    starts: Integers
    """By word, where its topics begin; one more than there are words."""
    topics: Integers

    @classmethod
    def of(cls, spoken: Mapping[str, Collection[str]]) -> RareWords:
        """From the words of each topic."""
        # Python's hash of a string differs between processes, but order and equality are all that is used here.
        words = _hashes(spoken.values())
        topics = np.repeat(np.arange(len(spoken)), [len(text) for text in spoken.values()])
        order = np.argsort(words, kind="stable")
        distinct, counts = np.unique(words[order], return_counts=True)
        # In a campaign of few topics, twelve would be all of them: a word of most topics tells nothing.
        rare = counts <= min(RARE, len(spoken) / 2)
        starts = np.concatenate([[0], np.cumsum(counts[rare])])
        return cls(list(spoken), distinct[rare], starts, topics[order[np.repeat(rare, counts)]])

    def topics_of(self, word: str) -> list[str]:
        """The topics of a word; none if it is not rare."""
        # `words` is sorted, because np.unique sorts.
        place = int(np.searchsorted(self.words, hash(word)))
        if place == len(self.words) or self.words[place] != hash(word):
            return []
        return [self.names[topic] for topic in self.topics[self.starts[place] : self.starts[place + 1]]]

    def votes(self, words: Iterable[str]) -> dict[str, float]:
        """By topic, how strongly the words speak for it: each by the logarithm of how few topics have it."""
        votes: dict[str, float] = defaultdict(float)
        for word in words:
            topics = self.topics_of(word)
            for topic in topics:
                # This is the word's inverse document frequency, with topics as the documents.
                votes[topic] += math.log(len(self.names) / len(topics))
        return votes

    def most_shared(self, texts: Sequence[Collection[str]]) -> Integers:
        """For each text, the largest number of its words that one topic has."""
        most = np.zeros(len(texts), dtype=np.int64)
        if not len(self.words):
            return most
        words, text = _hashes(texts), np.repeat(np.arange(len(texts)), list(map(len, texts)))
        order = np.argsort(words)
        places = np.minimum(np.searchsorted(self.words, words[order]), len(self.words) - 1)
        is_rare = self.words[places] == words[order]
        places, text = places[is_rare], text[order[is_rare]]
        first, counts = self.starts[places], self.starts[places + 1] - self.starts[places]
        before = np.cumsum(counts) - counts
        topics = self.topics[np.repeat(first - before, counts) + np.arange(counts.sum())]
        pairs, times = np.unique(np.repeat(text, counts) * len(self.names) + topics, return_counts=True)
        np.maximum.at(most, pairs // len(self.names), times)
        return most


def _hashes(texts: Iterable[Collection[str]]) -> Integers:
    return np.fromiter(map(hash, chain.from_iterable(texts)), dtype=np.int64)
