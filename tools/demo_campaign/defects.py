"""Defects of a summary, measured on its text and on where its sentences come from.

Each of the five is between 0 (none) and 1, and belongs to one of DUC's questions of linguistic quality
(Dang 2006, section 3.1). `judgments` turns them into answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.demo_campaign.summarizers.base import Candidate
from tools.demo_campaign.summarizers.words import content_words, overlap

COMMON_WORDS = 0.25
"""Overlap that two sentences on one subject have anyway."""

_PRONOUNS = frozenset(
    ["he", "she", "it", "they", "this", "that", "these", "those", "his", "her", "their", "its", "him", "them", "both"]
)
_END = re.compile(r"[.!?][\"'”’)]*$")
_STOP_INSIDE = re.compile(r"[a-z]{3,}[.!?] [a-z]")


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of a summary; models have no source."""

    text: str
    source: Candidate | None = None
    on_topic: bool = True
    units: tuple[str, ...] = ()
    """Units of this topic that it expresses."""


@dataclass(frozen=True, slots=True)
class Defects:
    """What a reader stumbles over, 0 to 1 each."""

    grammar: float
    redundancy: float
    reference: float
    focus: float
    coherence: float


def measure(sentences: Sequence[JudgedSentence], *, request: str) -> Defects:
    """All five defects; `request` (title and narrative) is what a reader knows before reading."""
    grammar = _mean(_ungrammatical(one) for one in sentences)
    reference = _mean(_dangling(sentences, index, request) for index in range(len(sentences)))
    disorder = _mean(_disorder(one, two) for one, two in pairwise(sentences))
    return Defects(
        grammar=grammar,
        redundancy=_redundancy(sentences),
        reference=reference,
        focus=_mean(_off_the_point(sentences, index) for index in range(len(sentences))),
        # A text that is hard to follow has less structure, too.
        coherence=min(1.0, disorder + 0.3 * grammar + 0.3 * reference),
    )


def _mean(values: Iterator[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _ungrammatical(one: JudgedSentence) -> float:
    """Cut at the end (1), a full stop inside or a lower-case start (0.5 each), words missing (3 × their share)."""
    fault = 0.0 if _END.search(one.text) else 1.0
    fault += 0.5 if one.text.lstrip("\"'“‘(")[:1].islower() else 0.0
    fault += 0.5 if _STOP_INSIDE.search(one.text) else 0.0
    if one.source is not None:
        missing = Counter(one.source.words) - Counter(one.text.split())
        fault += 3 * missing.total() / len(one.source.words)
    return min(1.0, fault)


def _redundancy(sentences: Sequence[JudgedSentence]) -> float:
    """Mean of two shares: repeated content words (beyond what two sentences share anyway) and repeated units."""
    repeated = total = 0.0
    for index, one in enumerate(sentences):
        most = max((overlap(one.text, other.text) for other in sentences[:index]), default=0.0)
        size = len(one.text.split())
        repeated += size * max(0.0, most - COMMON_WORDS) / (1 - COMMON_WORDS)
        total += size
    units = [unit for one in sentences if one.source is not None for unit in one.units]
    facts = (len(units) - len(set(units))) / len(units) if units else 0.0
    return (repeated / total + facts) / 2 if total else 0.0


def _dangling(sentences: Sequence[JudgedSentence], index: int, request: str) -> float:
    """1 for an opening pronoun without the sentence before it, 0.5 for a definite that nothing has introduced."""
    one = sentences[index]
    opening = re.findall(r"[\w’'-]+", one.text)[:4]
    if not opening:
        return 0.0
    first = opening[0].casefold()
    if first not in _PRONOUNS and first != "the":
        return 0.0
    before = sentences[index - 1] if index else None
    if before is not None and _follows(before, one):
        return 0.0
    if first in _PRONOUNS:
        return 1.0
    if one.source is not None and one.source.place.index == 0:
        return 0.0
    known = set(content_words(" ".join([request, *(other.text for other in sentences[:index])])))
    named = content_words(" ".join(opening[1:]))
    return 0.0 if not named or any(word in known for word in named) else 0.5


def _follows(one: JudgedSentence, two: JudgedSentence) -> bool:
    """Whether a writer put the second sentence after the first."""
    if one.source is None or two.source is None:
        return one.source is two.source
    here, there = one.source.place, two.source.place
    return (here.topic, here.document, here.index + 1) == (there.topic, there.document, there.index)


def _off_the_point(sentences: Sequence[JudgedSentence], index: int) -> float:
    """1 for one of another topic; 0.3 when it expresses no unit, 0.15 when it shares no word with the rest."""
    one = sentences[index]
    if not one.on_topic:
        return 1.0
    rest = " ".join(other.text for place, other in enumerate(sentences) if place != index)
    alone = not set(content_words(one.text)) & set(content_words(rest))
    return (0.0 if one.units else 0.3) + (0.15 if alone else 0.0)


def _disorder(one: JudgedSentence, two: JudgedSentence) -> float:
    """How badly the second sentence goes on from the first.

    0 the next sentence of the same text, 0.2 a later one, 0.4 on to another document (0.7 without a common word),
    1 back in time or in the document, or over to another topic.
    """
    if _follows(one, two):
        return 0.0
    if one.source is None or two.source is None or not (one.on_topic and two.on_topic):
        return 1.0
    here, there = one.source, two.source
    if here.place.document == there.place.document:
        return 0.2 if there.place.index > here.place.index else 1.0
    if there.date < here.date:
        return 1.0
    return 0.4 if overlap(one.text, two.text) > 0 else 0.7
