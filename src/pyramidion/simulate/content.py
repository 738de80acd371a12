"""What simulated summaries say, before it is put into words: units drawn for models, peers and documents.

A topic has `units` units of content, the k-th with importance k^(−zipf), and as many distractors that no model
tells. A writer of quality p fills n sentences: c of them with content, the first c of an order by

    ln importance + selection_noise · Gumbel          (Plackett–Luce with selection_noise 1)

and the rest with distractors, where c = round(n·p + selection_noise · N(0, √(n·p·(1 − p)))) within 0 … n. Models
have p = 1. System s has on topic t: logit p_st = logit quality + system_s + topic_t + interaction_st.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.options import SENTENCE_WORDS
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.draws import Stream, assigned, generator
from pyramidion.simulate.wording import PHRASINGS

PEER_CHUNK = 4096
"""Peers of a topic that share a generator."""

DOCUMENT_QUALITY = 0.5
"""Half of a document's sentences are content, half are details that no model tells."""


@dataclass(frozen=True)
class Choices:
    """What some writers wrote: units and phrasings, writers × sentences, in the order of the text."""

    units: Integers
    phrasings: Integers

    def texts(self, sentences: Sequence[str]) -> list[tuple[str, ...]]:
        """The texts, given the sentences of the topic as `word_units` orders them."""
        rows = (self.units * PHRASINGS + self.phrasings).tolist()
        return [tuple(sentences[index] for index in row) for row in rows]


@dataclass(frozen=True)
class Peers:
    """The peers of one topic: what they wrote, and the truth about it."""

    choices: Choices
    quality: Floats
    """p_st, the expected share of content."""
    coverage: Floats
    """Importance of the units told, as a share of the most that this number of sentences can tell."""


class CampaignDraws:
    """What is drawn once for all topics, and from it the draws of each topic."""

    def __init__(self, design: CampaignDesign) -> None:
        spread = generator(design.seed, Stream.SYSTEMS).standard_normal(design.summarizers)
        self.design = design
        self.systems: Floats = math.log(design.quality / (1 - design.quality)) + design.system_sd * spread
        """Log-odds of each system's quality on a topic of average difficulty."""
        # Zipf's law: a few facts are in most summaries, and most facts in few, as in real pyramids.
        self.importance: Floats = np.arange(1, design.units + 1, dtype=np.float64) ** -design.zipf

    def writers(self, topic: int) -> list[str]:
        """Who writes the models of a topic: the same people for all its parts."""
        design = self.design
        place = topic // design.parts
        chosen = assigned(len(design.model_ids), design.models, design.seed, Stream.MODELS, place)
        return [design.model_ids[model] for model in chosen]

    def models(self, topic: int) -> Choices:
        """What the models of a topic tell."""
        rng = generator(self.design.seed, Stream.MODELS, topic)
        return self._choose(np.ones(self.design.models), self.design.words, rng)

    def documents(self, topic: int) -> Choices:
        """What the documents of a topic tell: the more important a unit, the more documents have it."""
        rng = generator(self.design.seed, Stream.DOCUMENTS, topic)
        return self._choose(np.full(self.design.documents, DOCUMENT_QUALITY), self.design.document_words, rng)

    def peers(self, topic: int) -> Peers:
        """What the peers of a topic tell."""
        design = self.design
        difficulty = design.topic_sd * generator(design.seed, Stream.TOPIC, topic).standard_normal()
        starts = range(0, design.summarizers, PEER_CHUNK)
        parts = [self._peers(topic, chunk, difficulty, first) for chunk, first in enumerate(starts)]
        if len(parts) == 1:
            return parts[0]
        return Peers(
            Choices(
                np.concatenate([part.choices.units for part in parts]),
                np.concatenate([part.choices.phrasings for part in parts]),
            ),
            np.concatenate([part.quality for part in parts]),
            np.concatenate([part.coverage for part in parts]),
        )

    def _peers(self, topic: int, chunk: int, difficulty: float, first: int) -> Peers:
        design = self.design
        systems = self.systems[first : first + PEER_CHUNK]
        # A stream for each topic and chunk, so that a topic's texts do not depend on how many others there are.
        rng = generator(design.seed, Stream.PEERS, topic, chunk)
        odds = systems + difficulty + design.interaction_sd * rng.standard_normal(len(systems))
        quality = share(odds)
        choices = self._choose(quality, design.words, rng)
        return Peers(choices, quality, self.coverage(choices))

    def coverage(self, choices: Choices) -> Floats:
        """Importance of the units told, as a share of the most that this number of sentences can tell."""
        told = np.concatenate([self.importance, np.zeros(self.design.units)])
        # Sorted: texts that tell the same units, in whatever order, get the same sum to the last bit.
        most = self.importance[: choices.units.shape[1]].sum()
        return np.asarray(told[np.sort(choices.units, axis=1)].sum(axis=1) / most)

    def _choose(self, quality: Floats, words: int, rng: np.random.Generator) -> Choices:
        noise, units = self.design.selection_noise, self.design.units
        writers = len(quality)
        n = min(words // SENTENCE_WORDS, units)
        slack = noise * np.sqrt(n * quality * (1 - quality)) * rng.standard_normal(writers)
        content = np.clip(np.floor(n * quality + slack + 0.5), 0, n)
        # Sorting by log weight plus Gumbel noise draws without replacement in proportion to the weights.
        keys = np.log(self.importance) + noise * rng.gumbel(size=(writers, units))
        ordered = np.argsort(-keys, axis=1, kind="stable")[:, :n]
        distractors = units + np.argsort(rng.random((writers, units)), axis=1, kind="stable")[:, :n]
        chosen = np.where(np.arange(n) < content[:, None], ordered, distractors)
        order = np.argsort(rng.random((writers, n)), axis=1, kind="stable")
        return Choices(
            units=np.take_along_axis(chosen, order, axis=1),
            phrasings=rng.integers(PHRASINGS, size=(writers, n)),
        )


def share(odds: Floats) -> Floats:
    """The share that belongs to log-odds."""
    return 0.5 * (1 + np.tanh(odds / 2))
