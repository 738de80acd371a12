"""How far annotators agree: Krippendorff's α over words, on pyramids and on peer annotations, and over presence.

The value of a word in a pyramid is the set of words that share an SCU with it, so that two annotators need no common
ids (Nenkova & Passonneau 2004, §3.1; Passonneau 2004). What different annotations do to scores is in `across`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from pyramidion.arrays import Bools, Integers
from pyramidion.campaign import PeerAnnotation, Pyramid
from pyramidion.campaign.nouns import Parts
from pyramidion.options import PyramidAgreementOptions, SetDistance
from pyramidion.pyramids.reliability.words import Marking, Words, cover, mark
from pyramidion.show.tables import Row
from pyramidion.statistics.sets import SetAlpha, SetOverlaps, distinct_sets, set_alpha, set_distances

Unit = Literal["word", "peer-word", "presence"]
"""What is coded: the words of models, the words of peers, or whether a peer expresses an SCU."""


class Alpha(Row, record="alpha"):
    """α of the annotators of a topic; NaN with a reason where it is not defined."""

    topic: str
    unit: Unit
    distance: SetDistance
    alpha: float = math.nan
    lower: float = math.nan
    upper: float = math.nan
    n: int = 0
    """Number of words, or of (peer, SCU) decisions, that at least two annotators coded."""
    observed: float = math.nan
    expected: float = math.nan
    annotators: tuple[str, ...]
    confidence: float
    seed: int
    reason: str = ""


@dataclass(frozen=True, eq=False)
class _Coding:
    """Units coded with sets: which set each annotator gave (−1: none), and the sets."""

    codes: Integers
    sets: Bools
    clusters: Integers | None = None


@dataclass(frozen=True, kw_only=True)
class _Coders:
    """Annotators of a topic, and how their agreement is computed."""

    topic: str
    annotators: tuple[str, ...]
    options: PyramidAgreementOptions
    seed: int

    def distances(self, unit: Unit) -> tuple[SetDistance, ...]:
        """Presence is yes or no, so that only the nominal distance makes sense."""
        if unit == "presence":
            return ("nominal",)
        distances: tuple[SetDistance, ...] = get_args(SetDistance)
        if not self.options.distance:
            return distances
        return tuple(distance for distance in distances if distance in self.options.distance)

    def undefined(self, unit: Unit, reason: str) -> list[Alpha]:
        """Rows that say why there is no α."""
        return [self._undefined_row(unit, distance, reason) for distance in self.distances(unit)]

    def alphas(self, unit: Unit, coding: _Coding) -> list[Alpha]:
        """α under each distance."""
        overlaps = SetOverlaps.of(coding.sets)
        rows = []
        for distance in self.distances(unit):
            agreement = set_alpha(
                coding.codes,
                set_distances(overlaps, distance=distance),
                resamples=self.options.resamples,
                confidence=self.options.confidence,
                seed=self.seed,
                clusters=coding.clusters,
            )
            row = replace(
                self._undefined_row(unit, distance, self._reason(agreement)),
                alpha=agreement.alpha,
                lower=agreement.lower,
                upper=agreement.upper,
                n=agreement.units,
                observed=agreement.observed,
                expected=agreement.expected,
            )
            rows.append(row)
        return rows

    def _reason(self, agreement: SetAlpha) -> str:
        if not agreement.units:
            return "nothing was coded twice"
        if np.isnan(agreement.alpha):
            return "all codings are alike: agreement by chance is complete, so α is undefined"
        if np.isnan(agreement.lower):
            if self.options.resamples:
                return "too little to resample for an interval"
            return "no interval was asked for"
        return ""

    def _undefined_row(self, unit: Unit, distance: SetDistance, reason: str) -> Alpha:
        """A row without an α."""
        return Alpha(
            topic=self.topic,
            unit=unit,
            distance=distance,
            annotators=self.annotators,
            confidence=self.options.confidence,
            seed=self.seed,
            reason=reason,
        )


_DEFAULT = PyramidAgreementOptions()
LIGHT = "contributors without parts: the words that express an SCU are unknown"


def pyramid_agreement(
    pyramids: Sequence[Pyramid],
    texts: Mapping[str, str],
    options: PyramidAgreementOptions = _DEFAULT,
    *,
    seed: int = 0,
) -> list[Alpha]:
    """α over the words of the models that all pyramids of a topic have, one row for each distance.

    A word in several SCUs has the union of their words as its value; a word in none has the empty set.

    Args:
        pyramids: of one topic, each by another annotator.
        texts: of the models, as `plain` gives them: offsets count in these.
        options: distances, normalising and bootstrap.
        seed: of the bootstrap.
    """
    annotators = tuple(pyramid.annotator for pyramid in pyramids)
    topic = pyramids[0].topic if pyramids else ""
    coders = _Coders(topic=topic, annotators=annotators, options=options, seed=seed)
    in_all = set(texts).intersection(*(pyramid.models for pyramid in pyramids))
    common = [model for model in texts if model in in_all]
    reason = _why_no_words(pyramids, set(common))
    if reason:
        return coders.undefined("word", reason)
    words = Words.of({model: texts[model] for model in common})
    markings = [mark(words, pyramid, normalise=options.normalise) for pyramid in pyramids]
    return coders.alphas("word", _of_classes(markings, words))


def peer_agreement(
    pyramid: Pyramid,
    annotations: Sequence[PeerAnnotation],
    texts: Mapping[str, str],
    options: PyramidAgreementOptions = _DEFAULT,
    *,
    seed: int = 0,
) -> list[Alpha]:
    """α of peers that were matched against one pyramid by several annotators, all peers pooled.

    Presence: a decision for each peer and SCU of the pyramid, nominal. Words: the value of a word is the set of SCUs
    that it expresses; content that matches no SCU is like content that nobody marked.

    Args:
        pyramid: the one that all annotations refer to.
        annotations: of peers of its topic; those of peers with a single annotator are left out.
        texts: of the peers, as `plain` gives them.
        options: distances, normalising (of the peers' contributors) and bootstrap.
        seed: of the bootstrap.
    """
    times = Counter(annotation.summarizer for annotation in annotations)
    twice = [annotation for annotation in annotations if times[annotation.summarizer] > 1]
    annotators = tuple(dict.fromkeys(annotation.annotator for annotation in twice))
    coders = _Coders(topic=pyramid.topic, annotators=annotators, options=options, seed=seed)
    if not twice:
        reason = "no peer was annotated by two annotators with the same pyramid"
        return [*coders.undefined("presence", reason), *coders.undefined("peer-word", reason)]
    presence = coders.alphas("presence", _presence(pyramid, twice, annotators))
    # Light annotation says that an SCU is present, not where: there are no words to compare.
    if any(_is_light(annotation) for annotation in twice):
        return [*presence, *coders.undefined("peer-word", LIGHT)]
    return [*presence, *coders.alphas("peer-word", _peer_words(pyramid, twice, annotators, texts, options.normalise))]


def peer_dice(annotations: Sequence[PeerAnnotation]) -> dict[str, float]:
    """Per peer 2|A ∩ B| / (|A| + |B|) of the SCUs that two annotators found, the mean over pairs of annotators.

    Unlike α it does not correct for chance. A pair that found no SCU at all says nothing; NaN where all pairs are so.
    The annotations are of one topic and against one pyramid; peers with a single annotator are left out.
    """
    scus_by_peer: dict[str, list[set[int]]] = {}
    for annotation in annotations:
        present = {match.uid for match in annotation.scus if match.present}
        scus_by_peer.setdefault(annotation.summarizer, []).append(present)
    dice: dict[str, float] = {}
    for peer, several in scus_by_peer.items():
        if len(several) > 1:
            pairs = combinations(several, 2)
            shares = [2 * len(a & b) / (len(a) + len(b)) for a, b in pairs if a | b]
            dice[peer] = sum(shares) / len(shares) if shares else float("nan")
    return dice


def word_agreement(
    members: Sequence[ArrayLike], options: PyramidAgreementOptions = _DEFAULT, *, topic: str = "", seed: int = 0
) -> list[Alpha]:
    """α over words from plain arrays: for each annotator words × SCUs, whether the word is in the SCU.

    The columns of two annotators need not correspond. Words are resampled one by one.
    """
    tables = [np.asarray(annotator_members, dtype=np.bool_) for annotator_members in members]
    markings = [Marking(table, np.zeros(len(table), dtype=np.bool_)) for table in tables]
    annotators = tuple(str(number + 1) for number in range(len(members)))
    coders = _Coders(topic=topic, annotators=annotators, options=options, seed=seed)
    return coders.alphas("word", _of_classes(markings, None))


def _why_no_words(pyramids: Sequence[Pyramid], models: set[str]) -> str:
    if len(pyramids) < 2:
        return "a single annotator: agreement needs the pyramids of two or more"
    if not models:
        return "no model is in the pyramids of all annotators"
    scus = chain.from_iterable(pyramid.scus for pyramid in pyramids)
    contributors = chain.from_iterable(scu.contributors for scu in scus)
    without_parts = {contributor.model for contributor in contributors if not contributor.parts}
    if not without_parts.isdisjoint(models):
        return LIGHT
    return ""


def _is_light(annotation: PeerAnnotation) -> bool:
    """Whether an SCU is present without words that express it."""
    return any(match.present and not any(match.contributors) for match in annotation.scus)


def _of_classes(markings: Sequence[Marking], words: Words | None) -> _Coding:
    """Codings whose values are sets of words: all that share an SCU with the word, itself included."""
    values: list[Bools] = []
    which: list[Integers] = []
    patterns_before = 0
    for marking in markings:
        # Words in the same SCUs have the same value: few patterns stand for all words.
        patterns, inverse = distinct_sets(marking.members)
        # The words of all SCUs of a pattern; a word in no SCU has the pattern without any, and so the empty set.
        values.append((patterns.astype(np.float32) @ marking.members.T.astype(np.float32)) > 0)
        # Function words at the edges, which normalising strips, are left uncoded: they count neither as agreement nor
        # against it.
        which.append(np.where(marking.stripped, -1, inverse + patterns_before))
        patterns_before += len(patterns)
    sets, same = distinct_sets(np.concatenate(values))
    codes = np.stack(which, axis=1)
    # Words of a sentence are marked together: the bootstrap draws whole sentences.
    sentences = None if words is None else words.sentences
    return _Coding(np.where(codes < 0, -1, same[codes]), sets, sentences)


def _presence(pyramid: Pyramid, annotations: Sequence[PeerAnnotation], annotators: Sequence[str]) -> _Coding:
    row = {scu.uid: index for index, scu in enumerate(pyramid.scus)}
    peers = list(dict.fromkeys(annotation.summarizer for annotation in annotations))
    codes = np.full((len(peers), len(row), len(annotators)), -1, dtype=np.int64)
    for annotation in annotations:
        decisions = np.zeros(len(row), dtype=np.int64)
        present_uids = [match.uid for match in annotation.scus if match.present]
        decisions[[row[uid] for uid in present_uids if uid in row]] = 1
        codes[peers.index(annotation.summarizer), :, annotators.index(annotation.annotator)] = decisions
    return _Coding(codes.reshape(-1, len(annotators)), np.array([[False], [True]]))


def _peer_words(
    pyramid: Pyramid,
    annotations: Sequence[PeerAnnotation],
    annotators: Sequence[str],
    texts: Mapping[str, str],
    normalise: bool,
) -> _Coding:
    row = {scu.uid: index for index, scu in enumerate(pyramid.scus)}
    peers = dict.fromkeys(annotation.summarizer for annotation in annotations)
    words = Words.of({peer: texts[peer] for peer in peers})
    values = np.zeros((len(annotators), len(words), len(row)), dtype=np.bool_)
    coded = np.zeros((len(annotators), len(words)), dtype=np.bool_)
    for annotation in annotations:
        contributors: list[tuple[int, str, Parts]] = []
        for match in annotation.scus:
            if match.present and match.uid in row:
                contributors += [(row[match.uid], annotation.summarizer, parts) for parts in match.contributors]
        marking = cover(words, contributors, len(row), normalise=normalise)
        annotator = annotators.index(annotation.annotator)
        begin, end = words.first[annotation.summarizer]
        values[annotator, begin:end] = marking.members[begin:end]
        coded[annotator, begin:end] = ~marking.stripped[begin:end]
    sets, which = distinct_sets(values.reshape(-1, len(row)))
    codes = np.where(coded, which.reshape(coded.shape), -1).T
    return _Coding(codes, sets, words.sentences)
