"""What simulated summaries say, before it is put into words: units drawn for models, peers and documents.

A topic has `units` units of content, the k-th with importance k^(−zipf), and as many distractors that no model
tells. A writer of quality p fills n sentences: c of them with content, the first c of an order by

    ln importance + selection_noise · Gumbel          (Plackett–Luce with selection_noise 1)

and the rest with distractors, where c = round(n·p + selection_noise · N(0, √(n·p·(1 − p)))) within 0 … n. Models
have p = 1. System s has on topic t: logit p_st = logit quality + system_s + topic_t + interaction_st.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats, Integers
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.draws import Stream, generator
from pyramidion.simulate.judgments import HIGHEST, LOWEST
from pyramidion.simulate.wording import PHRASINGS

PEER_CHUNK = 4096
"""Peers of a topic that are drawn at once."""

DOCUMENT_QUALITY = 0.5
"""Half of a document's sentences are content, half are details that no model tells."""


@dataclass(frozen=True)
class Choices:
    """What some writers wrote: units and phrasings, writers × sentences, in the order of the text."""

    units: Integers
    phrasings: Integers

    @property
    def sentences(self) -> Integers:
        """Indices into the sentences of `Wording`."""
        return self.units * PHRASINGS + self.phrasings


@dataclass(frozen=True)
class Peers:
    """Some peers of one topic: who, what they wrote, and the truth about it."""

    first: int
    choices: Choices
    quality: Floats
    """p_st, the expected share of content."""
    coverage: Floats
    """Importance of the units told, as a share of the most that so many sentences can tell."""
    answers: Integers
    """Assessors × peers; no rows without assessors."""


@dataclass(frozen=True)
class CampaignDraws:
    """What is drawn once for all topics, and from it the draws of each topic."""

    design: CampaignDesign
    systems: Floats
    """Log-odds of each system's quality on a topic of no particular difficulty."""
    severities: Floats
    importance: Floats

    @classmethod
    def of(cls, design: CampaignDesign) -> CampaignDraws:
        """Draw the systems and the assessors."""
        centre = math.log(design.quality / (1 - design.quality))
        spread = generator(design.seed, Stream.SYSTEMS).standard_normal(design.summarizers)
        return cls(
            design=design,
            systems=centre + design.system_sd * spread,
            severities=design.assessors.severities(design.seed) if design.assessors else np.empty(0),
            importance=np.arange(1, design.units + 1, dtype=np.float64) ** -design.zipf,
        )

    def models(self, topic: int) -> Choices:
        """What the models of a topic tell."""
        design = self.design
        rng = generator(design.seed, Stream.MODELS, topic)
        return self._choose(np.ones(design.models), design.sentences, rng)

    def documents(self, topic: int) -> Choices:
        """What the documents of a topic tell: the more important a unit, the more documents have it."""
        design = self.design
        rng = generator(design.seed, Stream.DOCUMENTS, topic)
        return self._choose(np.full(design.documents, DOCUMENT_QUALITY), design.document_sentences, rng)

    def peers(self, topic: int) -> Iterator[Peers]:
        """The peers of a topic, some thousands at a time."""
        design = self.design
        difficulty = design.topic_sd * generator(design.seed, Stream.TOPIC, topic).standard_normal()
        best = float(self.importance[: design.sentences].sum())
        padded = np.concatenate([self.importance, np.zeros(design.units)])
        for chunk, first in enumerate(range(0, design.summarizers, PEER_CHUNK)):
            systems = self.systems[first : first + PEER_CHUNK]
            rng = generator(design.seed, Stream.PEERS, topic, chunk)
            odds = systems + difficulty + design.interaction_sd * rng.standard_normal(len(systems))
            quality = 0.5 * (1 + np.tanh(odds / 2))
            choices = self._choose(quality, design.sentences, rng)
            # Sorted: who tells the same units, in whatever order, gets the same sum to the last bit.
            coverage = padded[np.sort(choices.units, axis=1)].sum(axis=1) / best
            yield Peers(first, choices, quality, coverage, self._answers(coverage, topic, chunk))

    def _choose(self, quality: Floats, sentences: int, rng: np.random.Generator) -> Choices:
        noise, units = self.design.selection_noise, self.design.units
        writers = len(quality)
        n = min(sentences, units)
        slack = noise * np.sqrt(n * quality * (1 - quality)) * rng.standard_normal(writers)
        content = np.clip(np.floor(n * quality + slack + 0.5), 0, n)
        keys = np.log(self.importance) + noise * rng.gumbel(size=(writers, units))
        ordered = np.argsort(-keys, axis=1, kind="stable")[:, :n]
        distractors = units + np.argsort(rng.random((writers, units)), axis=1, kind="stable")[:, :n]
        place = np.arange(n)
        chosen = np.where(place < content[:, None], ordered, distractors)
        order = np.argsort(rng.random((writers, n)), axis=1, kind="stable")
        return Choices(
            units=np.take_along_axis(chosen, order, axis=1),
            phrasings=rng.integers(PHRASINGS, size=(writers, n)),
        )

    def _answers(self, coverage: Floats, topic: int, chunk: int) -> Integers:
        assessors = self.design.assessors
        if assessors is None:
            return np.empty((0, len(coverage)), dtype=np.int64)
        wanted = LOWEST + (HIGHEST - LOWEST) * coverage
        rng = generator(self.design.seed, Stream.ANSWERS, topic, chunk)
        return assessors.answers(wanted, self.severities, rng)
