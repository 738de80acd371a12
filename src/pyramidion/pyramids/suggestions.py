"""Help for annotators of pyramids: it suggests and never decides. The measure `auto-pyramid` rests on the same matcher.

Texts are compared by their content words: stems, without function words, each counted once and weighted by its idf.
The idf-weighted word recall of an expression in a text is the share of the expression's weight whose words the text
has; two short texts are compared by the harmonic mean of the recall in both directions. An SCU is expressed by its
label and by each of its contributors; what counts is the expression that fits best.

    idf = Idf.of(campaign)                            once: over the campaign's documents and models
    texts = {model.summarizer: plain(model.text) …}   of the models, for contributors
    similar_scus(span, pyramid, texts, idf)           a selected span → the most similar SCUs
    candidate_spans(scu, text, texts, idf)            an SCU → clauses of a model or peer that may express it
    propose_scus(texts, idf)                          models → clauses that resemble each other: proposals for SCUs
    presence(pyramid, peers, texts, idf)              a pyramid and texts of peers → the recall of each SCU in each
    closeness(pyramid, peers, texts, idf)             the same → how near each text comes to expressing each SCU

All are pure functions of nouns and strings, and take milliseconds for a topic; offsets are code points of the text that
was given. What a user does with a suggestion is for the caller to log.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import Campaign, Pyramid, Scu, plain
from pyramidion.campaign.nouns import Part, Parts
from pyramidion.pyramids.reliability.words import FUNCTION_WORDS
from pyramidion.text.clauses import clause_spans
from pyramidion.text.tokens import stem_token, tokenise

ALIKE = 0.3
"""Similarity from which two clauses of different models are proposed as one SCU."""


@dataclass(frozen=True, eq=False)
class Idf:
    """How rare a word is: log((N + 1) / (df + 1)) + 1 for a word in df of N texts."""

    texts: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, campaign: Campaign) -> Idf:
        """Over the documents and models of a campaign."""
        texts: list[str] = []
        for topic in campaign.topics:
            texts += [plain(document.text) for document in (*topic.documents, *topic.background)]
        # Without the peers: what words weigh must not depend on whose summaries are to be scored.
        texts += [plain(summary.text) for summary in campaign.summaries if summary.kind == "model"]
        return cls.of_texts(texts)

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> Idf:
        """Over some texts."""
        words_by_text = [content_words(text) for text in texts]
        return cls(len(words_by_text), Counter(chain.from_iterable(words_by_text)))

    def weights(self, words: Sequence[str]) -> Floats:
        """The weight of each word."""
        frequencies = np.array([self.frequencies.get(word, 0) for word in words], dtype=np.float64)
        # + 1: a word that all texts have still weighs something, so that two equal clauses of common words are alike.
        weights: Floats = np.log((self.texts + 1) / (frequencies + 1)) + 1
        return weights

    @cached_property
    def name(self) -> str:
        """The number of texts and a digest of all frequencies, for signatures."""
        listed = "\n".join(f"{word} {count}" for word, count in sorted(self.frequencies.items()))
        return f"{self.texts}-{hashlib.blake2b(listed.encode(), digest_size=4).hexdigest()}"


@dataclass(frozen=True, kw_only=True)
class ScuSuggestion:
    """An SCU that a span may express."""

    uid: int
    label: str
    similarity: float
    """From 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class SpanSuggestion:
    """A span of a text that may express an SCU."""

    start: int
    end: int
    similarity: float
    """The recall of the SCU in the span, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class ScuProposal:
    """Clauses of different models that resemble each other: perhaps an SCU."""

    label: str
    """The clause that is most similar to the others."""
    contributors: tuple[tuple[str, Part], ...]
    """The models and their clauses."""
    similarity: float
    """Mean over pairs of clauses, from 0 to 1."""


def content_words(text: str) -> frozenset[str]:
    """The stems of a text that are no function words."""
    return frozenset(tokenise(text, tokens="unicode", stem=True)) - _function_stems()


_of_short_text = lru_cache(maxsize=1 << 14)(content_words)
"""Clauses, labels and contributors are asked for again and again while a page is open."""
_SHORT = 1000
"""Characters below which the words of a text are remembered."""


def _words_of(text: str) -> frozenset[str]:
    """The content words of a text; those of short ones are remembered."""
    if len(text) < _SHORT:
        return _of_short_text(text)
    return content_words(text)


def similar_scus(
    span: str, pyramid: Pyramid, texts: Mapping[str, str], idf: Idf, *, most: int = 3
) -> list[ScuSuggestion]:
    """The SCUs most similar to a span, the best first; none that shares no content word with it.

    Args:
        span: what was selected; several parts are joined by a blank.
        pyramid: as far as it is annotated.
        texts: of its models, by name.
        idf: of the campaign.
        most: how many are suggested.
    """
    expressions = _expressions(pyramid.scus, texts)
    words = _WordIncidence.of([span, *(expression.text for expression in expressions)], idf)
    similarity = _take_best(words.similarity(slice(1, None), slice(0, 1)), expressions, len(pyramid.scus))[:, 0]
    scus = pyramid.scus
    return [
        ScuSuggestion(uid=scus[place].uid, label=scus[place].label, similarity=float(similarity[place]))
        for place in _find_highest(similarity, most)
    ]


def candidate_spans(
    scu: Scu, text: str, texts: Mapping[str, str], idf: Idf, *, taken: Parts = (), most: int = 3
) -> list[SpanSuggestion]:
    """The clauses of a text that most likely express an SCU, the best first; none that shares no content word with it.

    Args:
        scu: with its label and contributors.
        text: of another model, or of a peer.
        texts: of the models, by name.
        idf: of the campaign.
        taken: parts of the text that already express the SCU; clauses that overlap them are left out.
        most: how many are suggested.
    """
    clauses: list[Part] = []
    for start, end in clause_spans(text):
        # Spans are half open: those that only touch do not overlap.
        overlaps = any(start < stop and begin < end for begin, stop in taken)
        if not overlaps:
            clauses.append((start, end))
    expressions = [expression.text for expression in _expressions([scu], texts)]
    words = _WordIncidence.of([*expressions, *(text[start:end] for start, end in clauses)], idf)
    count = len(expressions)
    recall = words.recall(slice(0, count), slice(count, None)).max(axis=0)
    return [
        SpanSuggestion(start=clauses[place][0], end=clauses[place][1], similarity=float(recall[place]))
        for place in _find_highest(recall, most)
    ]


def propose_scus(texts: Mapping[str, str], idf: Idf, *, least: float = ALIKE) -> list[ScuProposal]:
    """Clauses that resemble each other across models, at most one of each: those of most models first.

    Groups grow from the most similar pair of clauses; two are joined if they have no model in common and the mean
    similarity between them is at least `least`.

    Args:
        texts: of the models, by name.
        idf: of the campaign.
        least: mean similarity of clauses in a group.
    """
    clauses: list[tuple[str, Part]] = []
    for model, text in texts.items():
        clauses += [(model, span) for span in clause_spans(text)]
    if not clauses:
        return []
    wording = [texts[model][start:end] for model, (start, end) in clauses]
    every = slice(None)
    similarity = _WordIncidence.of(wording, idf).similarity(every, every)
    number = {model: place for place, model in enumerate(texts)}
    models = np.array([number[model] for model, _ in clauses], dtype=np.int64)
    proposals = []
    for members in _group_clauses(similarity, models, least):
        between = similarity[np.ix_(members, members)]
        means = (between.sum(axis=1) - between.diagonal()) / (len(members) - 1)
        proposals.append(
            ScuProposal(
                label=wording[members[int(means.argmax())]],
                contributors=tuple(clauses[member] for member in members),
                similarity=float(means.mean()),
            )
        )
    return sorted(proposals, key=lambda proposal: (-len(proposal.contributors), -proposal.similarity))


def presence(pyramid: Pyramid, peers: Mapping[str, str], texts: Mapping[str, str], idf: Idf) -> Floats:
    """SCUs × peers: the recall of each SCU of a pyramid in each text, which says how likely the text expresses it.

    A contributor from a peer's own model is left out for this peer.

    Args:
        pyramid: with labels, contributors, or both.
        peers: the texts that are searched, by summarizer.
        texts: of the models, by name.
        idf: of the campaign.
    """
    expressions = _expressions(pyramid.scus, texts)
    words = _WordIncidence.of([*peers.values(), *(expression.text for expression in expressions)], idf)
    recall = words.recall(slice(len(peers), None), slice(0, len(peers)))
    for column, peer in enumerate(peers):
        recall[[expression.model == peer for expression in expressions], column] = 0.0
    return _take_best(recall, expressions, len(pyramid.scus))


def closeness(pyramid: Pyramid, peers: Mapping[str, str], texts: Mapping[str, str], idf: Idf) -> Floats:
    """SCUs × peers: from 0 to 1, how near each text comes to expressing each SCU: the predictor of people's answers.

    For an expression of the SCU it is r·(r + c + g)/3: r is its word recall in the whole text, c the highest in one of
    the text's clauses, and g the share of its strings of four characters (of stems) that the text has. Words that are
    scattered over a text count less than the same words in a clause, compounds and names written otherwise count in
    part, and half of the words are less than half of the content, which the product says. Arguments are as for
    `presence`.
    """
    expressions = _expressions(pyramid.scus, texts)
    wording = [expression.text for expression in expressions]
    values = np.zeros((len(expressions), len(peers)))
    clauses_by_peer = [[text[start:end] for start, end in clause_spans(text)] for text in peers.values()]
    clauses = list(chain.from_iterable(clauses_by_peer))
    words = _WordIncidence.of([*wording, *peers.values(), *clauses], idf)
    count, after_peers = len(wording), len(wording) + len(peers)
    recall = words.recall(slice(0, count), slice(count, after_peers))
    clause_recall = words.recall(slice(0, count), slice(after_peers, None))
    strings_of_peers = [_strings_of(text) for text in peers.values()]
    strings_of_wording = [_strings_of(text) for text in wording]
    start = 0
    for column, peer in enumerate(peers):
        end = start + len(clauses_by_peer[column])
        in_clause = clause_recall[:, start:end].max(axis=1, initial=0.0)
        has = strings_of_peers[column]
        shared = np.array([len(strings & has) / max(len(strings), 1) for strings in strings_of_wording])
        values[:, column] = recall[:, column] * (recall[:, column] + in_clause + shared) / 3
        values[[expression.model == peer for expression in expressions], column] = 0.0
        start = end
    return _take_best(values, expressions, len(pyramid.scus))


_STRING_LENGTH = 4
"""Characters of the strings by which words that are written otherwise are alike in part."""


def _strings_of(text: str) -> frozenset[str]:
    """All strings of four characters of the stems of a text."""
    stems = f" {' '.join(tokenise(text, tokens='unicode', stem=True))} "
    return frozenset(stems[start : start + _STRING_LENGTH] for start in range(len(stems) - _STRING_LENGTH + 1))


class _Expression(NamedTuple):
    """A text that expresses an SCU: its label, or the words of a contributor."""

    scu: int
    text: str
    model: str | None = None


def _expressions(scus: Sequence[Scu], texts: Mapping[str, str]) -> list[_Expression]:
    expressions: list[_Expression] = []
    for number, scu in enumerate(scus):
        expressions.append(_Expression(number, scu.label))
        for contributor in scu.contributors:
            if contributor.parts and contributor.model in texts:
                words = " ".join(texts[contributor.model][start:end] for start, end in contributor.parts)
                expressions.append(_Expression(number, words, contributor.model))
    return expressions


def _take_best(values: Floats, expressions: Sequence[_Expression], scus: int) -> Floats:
    """SCUs × columns: the highest value of any of its expressions."""
    best = np.zeros((scus, values.shape[1]))
    np.maximum.at(best, [expression.scu for expression in expressions], values)
    return best


def _find_highest(values: Floats, most: int) -> list[int]:
    """The places of the highest values above 0."""
    return [int(place) for place in np.argsort(-values, kind="stable")[:most] if values[place] > 0]


@dataclass(frozen=True, eq=False)
class _WordIncidence:
    """Which texts have which content words, and what these weigh."""

    has: Bools
    """Texts × words."""
    weights: Floats

    @classmethod
    def of(cls, texts: Sequence[str], idf: Idf) -> _WordIncidence:
        words_by_text = list(map(_words_of, texts))
        distinct_words = dict.fromkeys(chain.from_iterable(words_by_text))
        column = {word: number for number, word in enumerate(distinct_words)}
        has = np.zeros((len(texts), len(column)), dtype=np.bool_)
        for row, words in zip(has, words_by_text, strict=True):
            row[[column[word] for word in words]] = True
        return cls(has, idf.weights(list(column)))

    def recall(self, expressions: slice, texts: slice) -> Floats:
        """Expressions × texts: the share of the expression's weight whose words the text has; 0 without any word."""
        shared, weight = self._shared(expressions, texts), self._weight(expressions)[:, None]
        recall: Floats = np.divide(shared, weight, out=np.zeros_like(shared), where=weight > 0)
        return recall

    def similarity(self, first: slice, second: slice) -> Floats:
        """The harmonic mean of the recall in both directions: twice the shared weight over the weight of both."""
        shared = self._shared(first, second)
        both = self._weight(first)[:, None] + self._weight(second)[None, :]
        similarity: Floats = np.divide(2 * shared, both, out=np.zeros_like(shared), where=both > 0)
        return similarity

    def _shared(self, first: slice, second: slice) -> Floats:
        """The weight of the words that two texts have in common."""
        shared: Floats = (self.has[first] * self.weights) @ self.has[second].T.astype(np.float64)
        return shared

    def _weight(self, texts: slice) -> Floats:
        weight: Floats = self.has[texts] @ self.weights
        return weight


def _group_clauses(similarity: Floats, models: Integers, least: float) -> list[list[int]]:
    """Groups of clauses, by average linkage from the most similar pair on; groups of one are left out."""
    first, second = np.nonzero(np.triu(similarity >= least, k=1) & (models[:, None] != models[None, :]))
    order = np.argsort(-similarity[first, second], kind="stable")
    links = similarity.copy()
    """Groups × groups: the sum of the similarities between their members."""
    group = list(range(len(models)))
    members = {number: [number] for number in group}
    of_models = [1 << int(model) for model in models]
    for first_clause, second_clause in zip(first[order].tolist(), second[order].tolist(), strict=True):
        ours, theirs = group[first_clause], group[second_clause]
        if of_models[ours] & of_models[theirs]:  # also if the two are in one group already
            continue
        if links[ours, theirs] < least * len(members[ours]) * len(members[theirs]):
            continue
        for member in members[theirs]:
            group[member] = ours
        members[ours] += members.pop(theirs)
        of_models[ours] |= of_models[theirs]
        links[ours] += links[theirs]
        links[:, ours] += links[:, theirs]
    return [sorted(several) for several in members.values() if len(several) > 1]


@cache
def _function_stems() -> frozenset[str]:
    return frozenset(stem_token(word) for word in FUNCTION_WORDS)
