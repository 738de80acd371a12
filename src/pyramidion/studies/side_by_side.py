"""Summaries side by side: which topics and systems to look at, words matched with models, SCUs and scores.

`describe_topic` makes plain data (lists, strings, numbers) that the page's script shows for any choice; `view_of` makes
the view of one choice, for pages without script. Places are code points, written as runs: gap, length, gap, length …
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from pyramidion.campaign import Campaign, PeerAnnotation, Pyramid, Summary, TopicData, plain
from pyramidion.measures import select
from pyramidion.measures.names import parse
from pyramidion.measures.rouge import Rouge
from pyramidion.options import PeerChoice
from pyramidion.scores import ScoreMatrix, ScoreTable
from pyramidion.show.wording import visible
from pyramidion.studies.comparison.comparison import Comparison
from pyramidion.studies.preferred import Preferred

LONGEST = 10_000
"""A text is shown up to this many characters."""
LONGEST_SOURCE = 8_000
"""A source that is one document is shown up to this many characters."""
LONGEST_SOURCES = 1_000
"""Of several documents, the beginning of each is shown, together up to this many characters."""
LONGEST_REASON = 1_000
MOST_MODELS = 10
MOST_PEERS = 60
"""So many summarizers of a topic can be chosen: of more, those evenly spread over the leaderboard."""

Runs = list[int]
Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class TopicDifference:
    """The scores of two systems on a topic, and by how much the first is better; above 0 also where low is good."""

    topic: str
    first: float
    second: float
    difference: float


def topic_differences(matrix: ScoreMatrix, systems: tuple[str, str]) -> list[TopicDifference]:
    """Every topic on which both systems have a score, where the first is furthest ahead first."""
    first, second = (matrix.values[matrix.summarizers.index(system)] for system in systems)
    sign = 1 if matrix.higher_is_better else -1
    differences = [
        TopicDifference(topic=topic, first=float(a), second=float(b), difference=float(a - b) * sign)
        for topic, a, b in zip(matrix.topics, first, second, strict=True)
        if not math.isnan(a - b)
    ]
    return sorted(differences, key=lambda row: -row.difference)


@dataclass(frozen=True)
class TopicLoss:
    """By how much the second of two systems is worse than the first on a topic; None if it can't be said."""

    topic: str
    loss: float | None


def order_by_loss(matrix: ScoreMatrix, systems: tuple[str, str]) -> list[TopicLoss]:
    """The topics that tell most about two systems first.

    First where the second system loses most to the first, by turns with where it gains most; then those that one of
    them lacks.
    """
    first, second = (matrix.values[matrix.summarizers.index(system)] for system in systems)
    losses = first - second if matrix.higher_is_better else second - first
    order = [int(place) for place in np.argsort(-losses, kind="stable") if not np.isnan(losses[place])]
    # By turns, so that a reader who looks at a few topics sees both sides.
    by_turns = [order[turn // 2] if turn % 2 == 0 else order[-1 - turn // 2] for turn in range(len(order))]
    telling = [TopicLoss(matrix.topics[place], float(losses[place])) for place in by_turns]
    compared = {topic_loss.topic for topic_loss in telling}
    return [*telling, *(TopicLoss(topic, None) for topic in matrix.topics if topic not in compared)]


def systems_to_compare(
    comparison: Comparison, measure: str, pair: tuple[str, str] | None, preferred: Preferred | None
) -> tuple[str, str] | None:
    """The two systems to start with, the better first: those that the report leads with, else the two best.

    Args:
        comparison: of all systems.
        measure: by which they are ordered.
        pair: the two that the report leads with, if any.
        preferred: the preferences between systems, if they decide.
    """
    standings = comparison.leaderboard(measure)
    if preferred is not None:
        return _preferred_systems(preferred)
    if pair:
        ranks = {standing.summarizer: standing.rank for standing in standings}
        # A system without a score on this measure comes second.
        first, second = sorted(pair, key=lambda system: ranks.get(system, math.inf))
        return first, second
    return (standings[0].summarizer, standings[1].summarizer) if len(standings) > 1 else None


def _preferred_systems(preferred: Preferred) -> tuple[str, str]:
    """The two systems that preferences are about, or the two that are preferred most."""
    if preferred.pair:
        leader = preferred.leader
        return leader, preferred.pair.b if leader == preferred.pair.a else preferred.pair.a
    if preferred.ranking:
        first, second, *_ = preferred.ranking.abilities
        return first.summarizer, second.summarizer
    return preferred.duels[0].a, preferred.duels[0].b


def rouge_to_mark(campaign: Campaign, automatic: Sequence[str], deciding: str) -> Rouge | None:
    """The n-grams whose matches are marked: of the ROUGE-N that decides, else of ROUGE-2, else of another.

    None without models.
    """
    if not any(summary.kind == "model" for summary in campaign.summaries):
        return None
    measures = [select(name).measure for name in automatic if parse(name).base.startswith("rouge-")]
    n_grams = [measure for measure in measures if isinstance(measure, Rouge) and measure.kind.family == "n"]
    decides = parse(deciding).base
    # False sorts before True: the one that decides first, then bigrams.
    n_grams.sort(key=lambda measure: (parse(measure.name()).base != decides, measure.kind.parameter != 2))
    if n_grams:
        return n_grams[0]
    default = select("rouge-2").measure
    return default if isinstance(default, Rouge) else None


class ShownSummaries:
    """The summaries that can be looked at, by topic, best summarizer first; what topics share is looked up once."""

    def __init__(
        self,
        campaign: Campaign,
        *,
        ranked: Sequence[str],
        scored: Iterable[str],
        always: Iterable[str],
        peers: PeerChoice,
    ) -> None:
        self._campaign = campaign.with_first_outputs()
        self._peers = peers
        self._rank_of = {summarizer: rank for rank, summarizer in enumerate(ranked)}
        self._scored = set(scored)
        self._always = set(always)
        self._topics: dict[str, TopicData] = {}

    def topic(self, topic: str) -> TopicData:
        """What the campaign holds about a topic."""
        if topic not in self._topics:
            self._topics[topic] = self._campaign.topic(topic, peers=self._peers)
        return self._topics[topic]

    def reasons_of(self, topic: str) -> dict[str, list[list[str]]]:
        """By summarizer, the reasons that came with scores of other programs: [what about, the words]."""
        return self._reasons.get(topic, {})

    @cached_property
    def _reasons(self) -> dict[str, dict[str, list[list[str]]]]:
        """By topic and summarizer, the reasons that came with scores."""
        reasons: dict[str, dict[str, list[list[str]]]] = {}
        frame = self._campaign.imported.reasons
        if frame is None:
            return reasons
        for measure, topic, summarizer, reason in frame.iter_rows():
            of_summary = reasons.setdefault(topic, {}).setdefault(summarizer, [])
            of_summary.append([visible(measure) or "reason", visible(reason[:LONGEST_REASON])])
        return reasons

    def of_scored(self, topic: str) -> list[Summary]:
        """The summaries of those who have scores."""
        return [summary for summary in self.topic(topic).peers if summary.summarizer in self._scored]

    def of_shown(self, topic: str) -> list[Summary]:
        """Those that can be chosen: of very many, a spread and the two that the report leads with."""
        last = len(self._rank_of)
        summaries = sorted(self.of_scored(topic), key=lambda summary: self._rank_of.get(summary.summarizer, last))
        if len(summaries) <= MOST_PEERS:
            return summaries
        # Such that the best and the worst are always among them.
        step = (len(summaries) - 1) / (MOST_PEERS - 1)
        spread = {summaries[round(place * step)].summarizer for place in range(MOST_PEERS)}
        return [summary for summary in summaries if summary.summarizer in spread | self._always]


def scores_by_topic(
    table: ScoreTable, measures: Sequence[str], digits: Sequence[int]
) -> dict[str, dict[str, list[float | None]]]:
    """By topic and summarizer, its rounded scores in the order of these measures; None where it has none."""
    place_of = {measure: place for place, measure in enumerate(measures)}
    scores: dict[str, dict[str, list[float | None]]] = {}
    rows = table.frame.select("topic", "summarizer", "measure", "value").iter_rows()
    for topic, summarizer, measure, value in rows:
        place = place_of[measure]
        row = scores.setdefault(topic, {}).setdefault(summarizer, [None] * len(place_of))
        # Rounded here, because the page holds all scores as text: digits that nobody sees would make it larger.
        row[place] = round(value, digits[place]) if math.isfinite(value) else None
    return scores


def describe_topic(
    topic: TopicData,
    peers: Sequence[Summary],
    *,
    measure: Rouge | None,
    names: Mapping[str, str],
    scores: Mapping[str, Sequence[float | None]],
    reasons: Mapping[str, Sequence[Sequence[str]]],
) -> dict[str, Any]:
    """Everything to show about one topic.

    Args:
        topic: what the campaign holds about it.
        peers: whose summaries can be looked at, the best first.
        measure: whose matches are marked; None: none are.
        names: readable names of summarizers.
        scores: by summarizer, its scores on this topic.
        reasons: by summarizer, the reasons that came with scores of other programs.
    """
    models = topic.models[:MOST_MODELS]
    pyramid = topic.pyramids[0] if topic.pyramids else None
    scu_numbers = {scu.uid: place for place, scu in enumerate(_by_weight(pyramid))}
    annotations = _annotations(topic, pyramid)
    words = [_LocatedWords(model, measure) for model in models] if measure else []
    model_sides = []
    for model in models:
        name = names.get(model.summarizer, model.summarizer)
        model_sides.append({"name": name, **_text(model), "scus": _in_model(model, pyramid, scu_numbers)})
    peer_sides = []
    for peer in peers:
        side = {
            "name": names.get(peer.summarizer, peer.summarizer),
            **_text(peer),
            **_matches(peer, models, words, measure),
            "scus": _in_peer(peer, pyramid, annotations.get(peer.summarizer), scu_numbers),
            "scores": scores.get(peer.summarizer, []),
        }
        comments = [*_reasons(topic, peer.summarizer, names), *reasons.get(peer.summarizer, ())]
        if comments:
            side["reasons"] = comments
        peer_sides.append(side)
    scus = [[scu.weight, scu.label] for scu in _by_weight(pyramid)]
    return {"models": model_sides, "peers": peer_sides, "scus": scus, "source": _source(topic)}


def _source(topic: TopicData) -> dict[str, Any] | None:
    """What was summarized: the documents of a topic as one text; None without documents."""
    documents = topic.topic.documents
    if not documents:
        return None
    texts = [plain(document.text) for document in documents]
    longest = LONGEST_SOURCE if len(texts) == 1 else LONGEST_SOURCES // len(texts)
    return {
        "text": "\n\n".join(visible(text[:longest]) for text in texts if text and longest),
        "documents": len(documents),
        "words": sum(len(text.split()) for text in texts),
        "cut": any(len(text) > longest for text in texts),
    }


def _reasons(topic: TopicData, summarizer: str, names: Mapping[str, str]) -> list[list[str]]:
    """What assessors and judges wrote about a summary: [who and what about, the words]."""
    reasons = []
    for judgment in topic.judgments:
        if judgment.summarizer == summarizer and judgment.comment:
            about = f"{judgment.question}, {judgment.value:g}"
            reasons.append([_signed(judgment.assessor, about), visible(judgment.comment[:LONGEST_REASON])])
    for preference in topic.preferences:
        winner, loser = preference.a, preference.b
        if preference.choice == "b":
            winner, loser = loser, winner
        if preference.choice != "tie" and winner == summarizer and preference.reason:
            about = f"preferred to {names.get(loser, loser)}"
            reasons.append([_signed(preference.assessor, about), visible(preference.reason[:LONGEST_REASON])])
    return reasons


def _signed(assessor: str, about: str) -> str:
    return visible(f"{assessor}, {about}" if assessor else about)


def view_of(topic: Mapping[str, Any], chosen: Sequence[int]) -> dict[str, Any]:
    """The view of the chosen peers: peers and models in pieces, and who expresses which SCU.

    Args:
        topic: as `describe_topic` made it.
        chosen: the places of two peers.
    """
    peers = [topic["peers"][place] for place in chosen]
    scus = topic["scus"]
    models = []
    for place, model in enumerate(topic["models"]):
        matches = [peer["matching"][place] for peer in peers]
        models.append({**model, "pieces": _pieces(model, matches, scus)})
    expressed = [{number for number, _ in peer["scus"]} for peer in peers]
    return {
        "peers": [{**peer, "pieces": _pieces(peer, peer["matched"], scus)} for peer in peers],
        "models": models,
        "scus": [
            {"weight": weight, "label": label, "in": [number in numbers for numbers in expressed]}
            for number, (weight, label) in enumerate(scus)
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
    # `visible` replaces one for one, so that places in the text stay right.
    shown: dict[str, Any] = {"text": visible(text[:LONGEST]), "words": len(text.split())}
    return {**shown, "cut": True} if len(text) > LONGEST else shown


class _LocatedWords:
    """The words of a text that can be matched, located once."""

    def __init__(self, summary: Summary, measure: Rouge) -> None:
        self.located = measure.locate(summary.text)
        text, tokens = plain(summary.text), self.located.tokens
        self._spans = []
        for token, following in pairwise(tokens):
            is_joined = _joins(text[token.end : following.start])
            self._spans.append((token.start, token.end, following.start if is_joined else token.end))
        self._spans += [(token.start, token.end, token.end) for token in tokens[-1:]]

    def runs(self, matched: bytes) -> Runs:
        """The matched words; where nothing but blanks and signs of one line lies between two of them, that as well."""
        if not matched:  # a text without words, such as "" or "…"
            return []
        next_matched = (*matched[1:], 0)
        spans = []
        for (start, end, joined), is_matched, is_next in zip(self._spans, matched, next_matched, strict=True):
            if is_matched:
                spans.append((start, joined if is_next else end))
        return runs_of(spans)


@lru_cache(maxsize=1000)
def _joins(between: str) -> bool:
    return not any(character == "\n" or character.isalnum() for character in between)


def _matches(
    peer: Summary, models: Sequence[Summary], words: Sequence[_LocatedWords], measure: Rouge | None
) -> dict[str, list[Runs]]:
    """`matched`: places in the peer, by model; `matching`: places in the model. Nobody is compared with himself."""
    matches: list[tuple[Runs, Runs]] = [([], []) for _ in models]
    if measure:
        peer_words = _LocatedWords(peer, measure)
        for place, (model, model_words) in enumerate(zip(models, words, strict=True)):
            if model.summarizer != peer.summarizer:
                flags = measure.match(peer_words.located, model_words.located)
                matches[place] = peer_words.runs(flags[0]), model_words.runs(flags[1])
    return {"matched": [runs for runs, _ in matches], "matching": [runs for _, runs in matches]}


def _by_weight(pyramid: Pyramid | None) -> list[Any]:
    return sorted(pyramid.scus, key=lambda scu: -scu.weight) if pyramid else []


def _annotations(topic: TopicData, pyramid: Pyramid | None) -> dict[str, PeerAnnotation]:
    """By summarizer, the first annotation that belongs to the pyramid."""
    if pyramid is None:
        return {}
    return {annotation.summarizer: annotation for annotation in reversed(topic.annotations_of(pyramid))}


def _in_model(model: Summary, pyramid: Pyramid | None, scu_numbers: Mapping[int, int]) -> list[list[Any]]:
    """SCUs of the pyramid in one of its models: [number, runs]; without runs where the words were not marked."""
    spans: dict[int, list[Span]] = {}
    for scu in pyramid.scus if pyramid else ():
        for contributor in scu.contributors:
            if contributor.model == model.summarizer:
                spans.setdefault(scu_numbers[scu.uid], []).extend(contributor.parts)
    return [[number, runs_of(parts)] for number, parts in sorted(spans.items())]


def _in_peer(
    peer: Summary, pyramid: Pyramid | None, annotation: PeerAnnotation | None, scu_numbers: Mapping[int, int]
) -> list[list[Any]]:
    """SCUs of the pyramid in a peer: [number, runs]."""
    if annotation is None:
        return _in_model(peer, pyramid, scu_numbers)  # a human peer expresses what it contributes
    spans: dict[int, list[Span]] = {}
    for match in annotation.scus:
        if match.present and match.uid in scu_numbers:
            parts = [part for contributor in match.contributors for part in contributor]
            spans.setdefault(scu_numbers[match.uid], []).extend(parts)
    return [[number, runs_of(parts)] for number, parts in sorted(spans.items())]


def _pieces(side: Mapping[str, Any], matches: Sequence[Runs], scus: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    """The text cut wherever something begins or ends: how many texts match a piece, and which SCUs it expresses."""
    text: str = side["text"]
    level: Counter[int] = Counter()  # by place, how many more texts match from here on
    units: dict[int, set[int]] = defaultdict(set)  # by place, the SCUs that begin or end here
    for start, stop in (span for runs in matches for span in spans_of(runs)):
        level[start] += 1
        level[stop] -= 1
    for number, runs in side["scus"]:
        for span in spans_of(runs):
            # Symmetric difference: at its start an SCU is added to those that are open, at its end it is taken away.
            for place in span:
                units[place] ^= {number}
    cuts = sorted({0, len(text), *(place for place in (*level, *units) if place < len(text))})
    pieces = []
    matching, expressed = 0, set[int]()
    for start, stop in pairwise(cuts):
        matching += level[start]
        expressed ^= units[start]
        numbers = sorted(expressed)
        title = "; ".join(f"{scus[number][1]} (weight {scus[number][0]})" for number in numbers)
        pieces.append({"text": text[start:stop], "level": matching, "scus": numbers, "title": title})
    return pieces
