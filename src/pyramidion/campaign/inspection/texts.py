"""Texts that look wrong: over the word limit, the same twice, or about another topic."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import combinations, pairwise
from typing import NamedTuple

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.inspection.places import Places, some
from pyramidion.campaign.inspection.rare_words import RareWords
from pyramidion.campaign.nouns import Summary, plain
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
_WORD = re.compile(r"[^\W_]+")

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """The words of a text in lower case, without signs."""
    return tuple(_WORD.findall(text.lower()))


def inspect_texts(campaign: Campaign, places: Places) -> None:
    """Note texts that are too long, that occur twice, or that seem to belong to another topic."""
    _too_long(campaign, places)
    sources = _sources(campaign)
    _repeated(campaign, sources, places)
    _misplaced(campaign, sources, places)


def _too_long(campaign: Campaign, places: Places) -> None:
    limit = campaign.word_limit
    if limit is None:
        return
    for kind in ("peer", "model"):
        lengths = {
            (one.topic, one.summarizer): len(plain(one.text).split()) for one in campaign.summaries if one.kind == kind
        }
        over = {key: length for key, length in lengths.items() if length > limit}
        if over:
            first = max(over, key=lambda key: over[key])
            who = Counter(who for _, who in over)
            places.of_summary(first).warning(
                f"{counted(len(over), kind)} of {len(lengths)} over the word limit, by {some(list(who))}; the longest "
                f"has {over[first]} words ({first[1]} on {first[0]})",
                f"at most {limit} words",
                "Scores use the whole texts; cut them with words=campaign, as in 'rouge-2(words=campaign).recall'.",
                field="text",
                count=len(over),
            )


def _sources(campaign: Campaign) -> dict[str, Words]:
    """The words of the documents of each topic that has any."""
    return {
        topic.topic: words_of(" ".join(plain(one.text) for one in (*topic.documents, *topic.background)))
        for topic in campaign.topics
        if topic.documents or topic.background
    }


def _repeated(campaign: Campaign, sources: Mapping[str, Words], places: Places) -> None:
    groups: dict[bytes, list[Summary]] = defaultdict(list)
    for one in campaign.summaries:
        if len(words := words_of(plain(one.text))) >= SHORTEST:
            groups[hashlib.blake2b(" ".join(words).encode(errors="replace"), digest_size=16).digest()].append(one)
    repeated = {words_of(plain(same[0].text)): same for same in groups.values() if len(same) > 1}
    _in_two_topics(repeated, places)
    within: list[tuple[Words, list[Summary]]] = []
    for text, same in repeated.items():
        by_topic: dict[str, list[Summary]] = defaultdict(list)
        for one in same:
            by_topic[one.topic].append(one)
        within += [(text, group) for group in by_topic.values() if len({one.summarizer for one in group}) > 1]
    _same_as_model(within, places)
    peers = [(text, [one for one in group if one.kind == "peer"]) for text, group in within]
    _from_two_systems(campaign, [one for one in peers if len(one[1]) > 1], sources, places)


def _in_two_topics(repeated: Mapping[Words, Sequence[Summary]], places: Places) -> None:
    found = [same for same in repeated.values() if len({one.topic for one in same}) > 1]
    if found:
        first = found[0]
        other = next(one for one in first if one.topic != first[0].topic)
        places.of_summary((other.topic, other.summarizer)).warning(
            f"{counted(len(found), 'text')} in more than one topic, such as that of {first[0].summarizer} on "
            f"{first[0].topic} and {other.summarizer} on {other.topic}",
            "a text of its own for each topic",
            "Check whether files were mixed up.",
            field="text",
            count=len(found),
        )


def _for_example(found: Sequence[object]) -> str:
    """Before the only one, or before the first of several."""
    return ": " if len(found) == 1 else ", such as "


def _same_as_model(within: Sequence[tuple[Words, Sequence[Summary]]], places: Places) -> None:
    found = [group for _, group in within if len({one.kind for one in group}) > 1]
    if found:
        peer = next(one for one in found[0] if one.kind == "peer")
        model = next(one for one in found[0] if one.kind == "model")
        places.of_summary((peer.topic, peer.summarizer)).warning(
            f"{counted(len(found), 'system summary is', 'system summaries are')} identical to a reference"
            f"{_for_example(found)}{peer.summarizer} on {peer.topic} ({model.summarizer})",
            "a text of its own",
            "Check whether files were mixed up.",
            field="text",
            count=len(found),
        )


def _from_two_systems(
    campaign: Campaign,
    within: Sequence[tuple[Words, Sequence[Summary]]],
    sources: Mapping[str, Words],
    places: Places,
) -> None:
    """Equal texts of two systems, unless both copy the documents; and pairs of systems that are equal mostly."""
    pairs: Counter[tuple[str, str]] = Counter()
    for _, group in within:
        pairs.update(_pairs(group))
    topics = Counter(one.summarizer for one in campaign.summaries if one.kind == "peer")
    copied = [pair for pair, count in pairs.items() if count > 1 and 2 * count > min(topics[pair[0]], topics[pair[1]])]
    copies = set(copied)
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
    copying = _copying_systems(campaign, {one.summarizer for _, group in within for one in group}, sequences)
    found = []
    for text, group in within:
        who = {one.summarizer for one in group}
        new = not copies.issuperset(_pairs(group))
        extract = _share(text, sequences.get(group[0].topic, frozenset())) >= EXTRACT
        if new and not extract and not copying.issuperset(who):
            found.append(group)
    if found:
        first, other = found[0][:2]
        places.of_summary((other.topic, other.summarizer)).warning(
            f"{counted(len(found), 'text')} from more than one system, such as from {first.summarizer} and "
            f"{other.summarizer} on {first.topic}",
            "texts of its own from each system",
            "Check whether files were mixed up.",
            field="text",
            count=len(found),
        )


def _pairs(group: Sequence[Summary]) -> list[tuple[str, str]]:
    """The systems that have the same text, two by two; of many, only neighbours, so that the work stays linear."""
    who = sorted({one.summarizer for one in group})
    return list(combinations(who, 2) if len(who) <= MANY else pairwise(who))


def _sequences(words: Words) -> frozenset[Words]:
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _share(text: Words, source: frozenset[Words]) -> float:
    """The share of three-word sequences that the source has."""
    own = _sequences(text)
    return len(own & source) / len(own) if own else 0.0


def _copying_systems(
    campaign: Campaign, systems: Collection[str], sequences: Mapping[str, frozenset[Words]]
) -> set[str]:
    """Systems whose texts are mostly copied from the documents."""
    shares: dict[str, list[float]] = defaultdict(list)
    for one in campaign.summaries if sequences else ():
        if one.summarizer in systems and one.topic in sequences:
            shares[one.summarizer].append(_share(words_of(plain(one.text)), sequences[one.topic]))
    return {who for who, found in shares.items() if sum(found) >= EXTRACT * len(found)}


def _misplaced(campaign: Campaign, sources: Mapping[str, Words], places: Places) -> None:
    """Texts that are nearer to the documents of another topic (to its models, where there are no documents).

    Each rare word speaks for the topics that have it, by the logarithm of how few these are. Topics with the same
    parent count as one.
    """
    parent = {topic.topic: topic.parent or topic.topic for topic in campaign.topics}
    family = {id: parent.get(id, id) for id in campaign.topic_ids}
    spoken: dict[str, set[str]] = defaultdict(set)
    for topic, text in sources.items():
        spoken[family[topic]].update(text)
    for one in campaign.summaries:
        if one.kind == "model" and one.topic not in sources:
            spoken[family[one.topic]].update(words_of(plain(one.text)))
    if len(spoken) < 2:
        return
    rare = RareWords.of(spoken)
    found: list[tuple[Summary, str]] = []
    batch: list[_Unplaced] = []
    for one in campaign.summaries:
        own = family[one.topic]
        if own not in spoken or (one.kind == "model" and one.topic not in sources):
            continue
        words = set(words_of(plain(one.text)))
        if len(unknown := words - spoken[own]) >= (needed := _evidence(words)):
            batch.append(_Unplaced(one, own, words, unknown, needed))
        if len(batch) >= TEXTS_AT_ONCE:
            found += _nearer(batch, rare)
            batch = []
    found += _nearer(batch, rare)
    if found:
        summary, other = found[0]
        places.of_summary((summary.topic, summary.summarizer)).warning(
            f"{counted(len(found), 'summary seems', 'summaries seem')} to belong to another topic{_for_example(found)}"
            f"{summary.summarizer} on {summary.topic} (closer to {other})",
            "a text about the documents of its topic",
            "Check whether files were mixed up.",
            field="text",
            count=len(found),
        )


def _evidence(text: Collection[str]) -> float:
    """How many words a text needs that another topic has and its own has not, to be nearer to the other one."""
    few, share = SHORT_EVIDENCE
    return min(EVIDENCE, max(few, share * len(text)))


class _Unplaced(NamedTuple):
    """A text with words that its own topic has not."""

    summary: Summary
    own: str
    words: Set[str]
    foreign: Set[str]
    needed: float


def _nearer(texts: Sequence[_Unplaced], rare: RareWords) -> Iterator[tuple[Summary, str]]:
    """Texts whose rare words speak for another topic much more than for their own, and that topic."""
    shared = rare.most_shared([text.foreign for text in texts])
    for text in (text for text, most in zip(texts, shared, strict=True) if most >= text.needed):
        votes = rare.votes(text.words)
        best = max(votes, key=lambda topic: (votes[topic], topic))
        there = sum(best in rare.topics_of(word) for word in text.foreign)
        if best != text.own and there >= text.needed and votes[best] >= NEARER * votes[text.own]:
            yield text.summary, best
