"""The summaries of a topic with what was found in them: words matched with models, SCUs, scores.

`topic_inside` makes plain data (lists, strings, numbers) that the page's script shows for any choice; `shown` makes
the view of one choice, for pages without script. Places are code points, written as runs: gap, length, gap, length …
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pyramidion.campaign import PeerAnnotation, Pyramid, Summary, TopicData, plain
from pyramidion.campaign.nouns import pyramid_of
from pyramidion.measures.rouge import Rouge
from pyramidion.reports.characters import visible
from pyramidion.text.overlap import MatchedToken

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
    return {
        "models": [
            {"name": names.get(one.summarizer, one.summarizer), **_text(one), "scus": _in_model(one, pyramid, order)}
            for one in models
        ],
        "peers": [
            {
                "name": names.get(one.summarizer, one.summarizer),
                **_text(one),
                **_matches(one, models, measure),
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


def _matches(peer: Summary, models: Sequence[Summary], measure: Rouge | None) -> dict[str, list[Runs]]:
    """`matched`: places in the peer, by model; `matching`: places in the model. Nobody is compared with himself."""
    matched: list[Runs] = []
    matching: list[Runs] = []
    for model in models:
        if measure is None or model.summarizer == peer.summarizer:
            matched.append([])
            matching.append([])
            continue
        found = measure.look(peer.text, model.text)
        matched.append(runs_of(_stretches(found.peer, plain(peer.text))))
        matching.append(runs_of(_stretches(found.model, plain(model.text))))
    return {"matched": matched, "matching": matching}


def _stretches(tokens: Sequence[MatchedToken], text: str) -> Iterator[Span]:
    """Matched tokens; where nothing but blanks and signs of one line lies between two of them, that as well."""
    for token, following in pairwise([*tokens, None]):
        if token is None or not token.matched:
            continue
        between = text[token.end : following.start] if following is not None and following.matched else "\n"
        joins = not any(character == "\n" or character.isalnum() for character in between)
        yield token.start, token.end + (len(between) if joins else 0)


def _by_weight(pyramid: Pyramid | None) -> list[Any]:
    return sorted(pyramid.scus, key=lambda scu: -scu.weight) if pyramid else []


def _annotations(topic: TopicData, pyramid: Pyramid | None) -> dict[str, PeerAnnotation]:
    """By summarizer, the first annotation that belongs to the pyramid."""
    found: dict[str, PeerAnnotation] = {}
    for one in topic.annotations:
        if pyramid is not None and pyramid_of(one, topic.pyramids) is pyramid:
            found.setdefault(one.summarizer, one)
    return found


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
