"""From tags to pyramids and peers' annotations: exact, because every word of a peer comes from a tagged sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyramidion.campaign import Contributor, Match, PeerAnnotation, Pyramid, Scu
from pyramidion.campaign.nouns import Parts
from tools.demo_campaign.rules import word_spans
from tools.demo_campaign.summarizers.base import Piece, Place
from tools.demo_campaign.summarizers.words import FUNCTION_WORDS
from tools.demo_campaign.tagged import Sentence, SourceModel, SourceTopic

ANNOTATOR = "tags"
JOINT = 1
"""Sentences of a text are joined by one line break, which takes one code point."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One contributor of a peer: the words of one output sentence that express a unit (None: no unit)."""

    topic: str
    unit: str | None
    parts: Parts


def pyramid(topic: SourceTopic) -> Pyramid:
    """The SCUs of a topic: every unit that a model expresses, with one contributor per model."""
    scus = []
    for unit in topic.units:
        contributors = [
            Contributor(model=model.id, parts=parts) for model in topic.models if (parts := model_parts(model, unit.id))
        ]
        if contributors:
            scus.append(Scu(uid=unit.uid, label=unit.label, contributors=tuple(contributors)))
    models = tuple(model.id for model in topic.models)
    return Pyramid(topic=topic.id, annotator=ANNOTATOR, models=models, scus=tuple(scus))


def model_parts(model: SourceModel, unit: str) -> Parts:
    """The parts of a unit in a model's text, over all its sentences: one contributor, often discontinuous."""
    parts = []
    offset = 0
    for sentence in model.sentences:
        parts += [(offset + start, offset + end) for start, end in sentence.parts(unit)]
        offset += len(sentence.text) + JOINT
    return tuple(parts)


def mentions(pieces: Sequence[Piece], tagged: Mapping[Place, Sentence]) -> list[Mention]:
    """The contributors of a peer, sentence by sentence.

    A unit is expressed when every content word of its tags was kept: function words may go (telegraphic style
    still says it), a sentence that is cut inside a tag no longer says it. A sentence that expresses no unit is
    one mention of no unit.
    """
    found: list[Mention] = []
    offset = 0
    for piece in pieces:
        place = piece.source.place
        sentence = tagged[place]
        here = [
            Mention(place.topic, unit, parts)
            for unit in sentence.units
            if (parts := _kept_parts(piece, sentence, unit, offset))
        ]
        length = len(piece.text)
        found += here or [Mention(place.topic, None, ((offset, offset + length),))]
        offset += length + JOINT
    return found


def annotation(topic: SourceTopic, summarizer: str, found: Sequence[Mention]) -> PeerAnnotation:
    """The mentions of a peer against the topic's pyramid; what matches no SCU goes into `unmatched`."""
    weights = topic.weights()
    matched: dict[int, list[Parts]] = {}
    unmatched: list[Parts] = []
    for mention in found:
        if mention.unit is not None and mention.topic == topic.id and weights[mention.unit]:
            matched.setdefault(int(mention.unit[1:]), []).append(mention.parts)
        else:
            unmatched.append(mention.parts)
    return PeerAnnotation(
        topic=topic.id,
        summarizer=summarizer,
        annotator=ANNOTATOR,
        scus=tuple(Match(uid=uid, contributors=tuple(parts)) for uid, parts in sorted(matched.items())),
        unmatched=tuple(unmatched),
    )


def _kept_parts(piece: Piece, sentence: Sentence, unit: str, offset: int) -> Parts:
    """Where the words of a unit stand in the output; nothing when a content word of it was lost."""
    words = word_spans(sentence.text)
    inside: dict[int, tuple[int, int]] = {}
    opens = set()  # words at which a tag of the unit opens: two tags side by side stay two parts
    for first, last in sentence.parts(unit):
        covered = [index for index, (start, end) in enumerate(words) if start < last and first < end]
        opens.add(covered[0])
        for index in covered:
            start, end = words[index]
            inside[index] = (inside.get(index, (max(start, first), 0))[0], min(end, last))
    kept = set(piece.kept)
    if any(index not in kept and _has_content(sentence.text, inside[index]) for index in inside):
        return ()
    parts: list[tuple[int, int]] = []
    adjacent = False
    for index in piece.kept:
        start, end = words[index]
        if index in inside:
            first, last = inside[index]
            placed = (offset + first - start, offset + last - start)
            if adjacent and index not in opens:
                parts[-1] = (parts[-1][0], placed[1])
            else:
                parts.append(placed)
        adjacent = index in inside
        offset += end - start + 1
    return tuple(parts)


def _has_content(text: str, span: tuple[int, int]) -> bool:
    word = text[span[0] : span[1]].strip("\"'“”‘’(),;:.!?–—-").casefold()
    return bool(word) and word not in FUNCTION_WORDS
