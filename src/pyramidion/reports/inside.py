"""The summaries of a topic with what was found in them: words matched with models, SCUs, scores.

`topic_inside` makes plain data (lists, strings, numbers) that the page's script shows for any choice; `shown` makes
the view of one choice, for pages without script. Places are code points, written as runs: gap, length, gap, length …
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from pyramidion.campaign import PeerAnnotation, Pyramid, Summary, TopicData, plain
from pyramidion.measures.rouge import Rouge
from pyramidion.show.characters import visible

LONGEST = 10_000
"""A text is shown up to this many characters."""
MOST_MODELS = 10

Runs = list[int]
Span = tuple[int, int]


def topic_inside(
    topic: TopicData,
    peers: Sequence[Summary],
    *,
    measure: Rouge | None,
    names: Mapping[str, str],
    scores: Mapping[str, Sequence[float | None]],
) -> dict[str, Any]:
    """Everything to show about one topic.

    Args:
        topic: what the campaign holds about it.
        peers: whose summaries can be looked at, the best first.
        measure: whose matches are marked; None: none are.
        names: readable names of summarizers.
        scores: by summarizer, its scores on this topic.
    """
    models = topic.models[:MOST_MODELS]
    pyramid = topic.pyramids[0] if topic.pyramids else None
    order = {scu.uid: at for at, scu in enumerate(_by_weight(pyramid))}
    annotations = _annotations(topic, pyramid)
    words = [_Words(one, measure) for one in models] if measure else []
    return {
        "models": [
            {"name": names.get(one.summarizer, one.summarizer), **_text(one), "scus": _in_model(one, pyramid, order)}
            for one in models
        ],
        "peers": [
            {
                "name": names.get(one.summarizer, one.summarizer),
                **_text(one),
                **_matches(one, models, words, measure),
                "scus": _in_peer(one, pyramid, annotations.get(one.summarizer), order),
                "scores": scores.get(one.summarizer, []),
            }
            for one in peers
        ],
        "scus": [[scu.weight, scu.label] for scu in _by_weight(pyramid)],
    }


def shown(inside: Mapping[str, Any], chosen: Sequence[int]) -> dict[str, Any]:
    """The view of the chosen peers: peers and models in pieces, and who expresses which SCU."""
    peers = [inside["peers"][at] for at in chosen]
    scus = inside["scus"]
    return {
        "peers": [{**peer, "pieces": _pieces(peer, peer["matched"], scus)} for peer in peers],
        "models": [
            {**model, "pieces": _pieces(model, [peer["matching"][at] for peer in peers], scus)}
            for at, model in enumerate(inside["models"])
        ],
        "scus": [
            {"weight": weight, "label": label, "in": [any(found[0] == at for found in peer["scus"]) for peer in peers]}
            for at, (weight, label) in enumerate(scus)
        ],
    }


def runs_of(spans: Iterable[Span], *, end: int = LONGEST) -> Runs:
    """Spans in rising order as gap, length, gap, length …; what lies behind `end` is left out."""
    runs: Runs = []
    at = 0
    for start, stop in _joined(spans):
        start, stop = max(start, at), min(stop, end)
        if start < stop:
            runs += [start - at, stop - start]
            at = stop
    return runs


def spans_of(runs: Sequence[int]) -> Iterator[Span]:
    """Runs as spans again."""
    at = 0
    for gap, length in zip(runs[::2], runs[1::2], strict=True):
        yield at + gap, at + gap + length
        at += gap + length


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans in rising order, those that overlap or touch as one."""
    start = stop = -1
    for first, last in sorted(spans):
        if first <= stop:
            stop = max(stop, last)
        else:
            if stop > start:
                yield start, stop
            start, stop = first, last
    if stop > start:
        yield start, stop


def _text(summary: Summary) -> dict[str, Any]:
    text = plain(summary.text)
    return {"text": visible(text[:LONGEST]), "words": len(text.split()), "cut": len(text) > LONGEST}


class _Words:
    """The words of a text that can be matched, located once."""

    def __init__(self, summary: Summary, measure: Rouge) -> None:
        self.located = measure.locate(summary.text)
        text, tokens = plain(summary.text), self.located.tokens
        self._spans = [
            (one.start, one.end, following.start if _joins(text[one.end : following.start]) else one.end)
            for one, following in pairwise(tokens)
        ]
        self._spans += [(one.start, one.end, one.end) for one in tokens[-1:]]

    def runs(self, matched: bytes) -> Runs:
        """The matched words; where nothing but blanks and signs of one line lies between two of them, that as well."""
        if not matched:  # a text without words, such as "" or "…"
            return []
        following = (*matched[1:], 0)
        return runs_of(
            (start, joined if next_one else end)
            for (start, end, joined), one, next_one in zip(self._spans, matched, following, strict=True)
            if one
        )


@lru_cache(maxsize=1000)
def _joins(between: str) -> bool:
    return not any(character == "\n" or character.isalnum() for character in between)


def _matches(
    peer: Summary, models: Sequence[Summary], words: Sequence[_Words], measure: Rouge | None
) -> dict[str, list[Runs]]:
    """`matched`: places in the peer, by model; `matching`: places in the model. Nobody is compared with himself."""
    found: list[tuple[Runs, Runs]] = [([], []) for _ in models]
    if measure:
        own = _Words(peer, measure)
        for place, (model, there) in enumerate(zip(models, words, strict=True)):
            if model.summarizer != peer.summarizer:
                flags = measure.match(own.located, there.located)
                found[place] = own.runs(flags[0]), there.runs(flags[1])
    return {"matched": [runs for runs, _ in found], "matching": [runs for _, runs in found]}


def _by_weight(pyramid: Pyramid | None) -> list[Any]:
    return sorted(pyramid.scus, key=lambda scu: -scu.weight) if pyramid else []


def _annotations(topic: TopicData, pyramid: Pyramid | None) -> dict[str, PeerAnnotation]:
    """By summarizer, the first annotation that belongs to the pyramid."""
    return {one.summarizer: one for one in reversed(topic.annotations_of(pyramid))} if pyramid else {}


def _in_model(model: Summary, pyramid: Pyramid | None, order: Mapping[int, int]) -> list[list[Any]]:
    """SCUs of the pyramid in one of its models: [number, runs]; without runs where the words were not marked."""
    found: dict[int, list[Span]] = {}
    for scu in pyramid.scus if pyramid else ():
        for contributor in scu.contributors:
            if contributor.model == model.summarizer:
                found.setdefault(order[scu.uid], []).extend(contributor.parts)
    return [[at, runs_of(parts)] for at, parts in sorted(found.items())]


def _in_peer(
    peer: Summary, pyramid: Pyramid | None, annotation: PeerAnnotation | None, order: Mapping[int, int]
) -> list[list[Any]]:
    if annotation is None:
        return _in_model(peer, pyramid, order)  # a human peer expresses what it contributes
    found: dict[int, list[Span]] = {}
    for match in annotation.scus:
        if match.present and match.uid in order:
            parts = [part for contributor in match.contributors for part in contributor]
            found.setdefault(order[match.uid], []).extend(parts)
    return [[at, runs_of(parts)] for at, parts in sorted(found.items())]


def _pieces(side: Mapping[str, Any], matches: Sequence[Runs], scus: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """The text cut wherever something begins or ends: how many texts match a piece, and which SCUs it expresses."""
    text: str = side["text"]
    level: Counter[int] = Counter()  # by place, how many more texts match from here on
    units: dict[int, set[int]] = defaultdict(set)  # by place, the SCUs that begin or end here
    for start, stop in (span for runs in matches for span in spans_of(runs)):
        level[start] += 1
        level[stop] -= 1
    for at, runs in side["scus"]:
        for place in (place for span in spans_of(runs) for place in span):
            units[place] ^= {at}
    cuts = sorted({0, len(text), *(place for place in (*level, *units) if place < len(text))})
    pieces = []
    matching, expressed = 0, set[int]()
    for start, stop in pairwise(cuts):
        matching += level[start]
        expressed ^= units[start]
        found = sorted(expressed)
        title = "; ".join(f"{scus[at][1]} (weight {scus[at][0]})" for at in found)
        pieces.append({"text": text[start:stop], "level": matching, "scus": found, "title": title})
    return pieces
