"""Simulated judgments: what assessors might have answered, by the seeded model that is described here.

No person judged the summaries of the demo campaign. Every answer is simulated: content from the weight of
the SCUs that a summary expresses, linguistic quality from defects measured on its text, both seen through
assessors of different severity and noise. Every assessor's id and every question's text contain "simulated".

The model, for an item (topic, summarizer), with c = min(1, P'/TARGET) from the modified pyramid score P' and a
defect d_q in [0, 1] for each question q of linguistic quality::

    content       C = 1 + 4·c
    quality       L_q = 5 - 4·min(1, GAIN_q·d_q)
    overall       O = 1 + 4·c·√l, where 1 + 4·l is the mean of the L_q weighted by READING
    answer        clip(⌊latent + severity + halo + noise + 1/2⌋, 1, 5)

severity belongs to the assessor (one for content and overall, one for quality), halo ~ N(0, HALO) to the item and
the assessor, noise ~ N(0, the assessor's noise) to the single answer. A draw depends on the seed and on its own
keys alone, so that a new summarizer changes nobody else's answers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from pyramidion.campaign import Judgment, Question
from tools.demo_campaign.defects import Defects

SEED = 2006
TARGET = 0.75
"""The modified pyramid score at which an assessor would ask for nothing more."""
HALO = 0.15
SECOND_OPINIONS = 0.25
"""Share of items that a second assessor judges, too."""

GAIN: Mapping[str, float] = MappingProxyType(
    {
        "grammaticality": 2.0,
        "non-redundancy": 2.0,
        "referential-clarity": 1.5,
        "focus": 1.5,
        "coherence": 1.0,
    }
)
READING: Mapping[str, float] = MappingProxyType(
    {
        "grammaticality": 0.2,
        "non-redundancy": 0.15,
        "referential-clarity": 0.2,
        "focus": 0.1,
        "coherence": 0.35,
    }
)
CONTENT = "content-responsiveness"
OVERALL = "overall-responsiveness"

QUESTIONS = (
    Question(
        name="grammaticality",
        text="Simulated answers. Is the summary free of fragments, missing words and capitalisation errors?",
    ),
    Question(
        name="non-redundancy",
        text="Simulated answers. Is the summary free of sentences and facts that are repeated without need?",
    ),
    Question(
        name="referential-clarity",
        text="Simulated answers. Is it clear who or what the pronouns and noun phrases refer to?",
    ),
    Question(
        name="focus",
        text="Simulated answers. Does each sentence belong with the rest of the summary?",
    ),
    Question(
        name="coherence",
        text="Simulated answers. Is the summary well organised, building from sentence to sentence?",
    ),
    Question(
        name=CONTENT,
        text="Simulated answers. How much of what the topic asks for does the summary tell, whatever its form?",
        pass_number=2,
    ),
    Question(
        name=OVERALL,
        text="Simulated answers. How well does the summary, content and form together, answer the topic?",
        pass_number=3,
    ),
)
"""DUC's questions (Dang 2006, sections 3.1 and 3.2) in our words, on the scale from 1 (very poor) to 5."""


@dataclass(frozen=True, slots=True)
class Assessor:
    """A simulated assessor: what it adds to content and to quality, and its noise."""

    id: str
    content: float
    quality: float
    noise: float


ASSESSORS = (
    Assessor("simulated-1", content=0.0, quality=0.1, noise=0.25),
    Assessor("simulated-2", content=-0.3, quality=-0.2, noise=0.35),
    Assessor("simulated-3", content=0.2, quality=0.0, noise=0.4),
    Assessor("simulated-4", content=0.1, quality=-0.35, noise=0.3),
)


@dataclass(frozen=True, slots=True)
class Item:
    """A summary to be judged: its modified pyramid score and its defects."""

    topic: str
    summarizer: str
    pyramid_score: float
    defects: Defects


def latent(item: Item) -> dict[str, float]:
    """What a steady assessor of no severity would want to answer, between 1 and 5, by question."""
    defects = {
        "grammaticality": item.defects.grammar,
        "non-redundancy": item.defects.redundancy,
        "referential-clarity": item.defects.reference,
        "focus": item.defects.focus,
        "coherence": item.defects.coherence,
    }
    quality = {name: 5 - 4 * min(1.0, GAIN[name] * defect) for name, defect in defects.items()}
    content = min(1.0, item.pyramid_score / TARGET)
    reading = math.fsum(weight * (quality[name] - 1) / 4 for name, weight in READING.items())
    return {**quality, CONTENT: 1 + 4 * content, OVERALL: 1 + 4 * content * math.sqrt(reading)}


def judge(items: Sequence[Item], *, main: Mapping[str, int], seed: int = SEED) -> list[Judgment]:
    """All answers: each item by its topic's main assessor (index in `ASSESSORS`), some also by the next one."""
    return [
        judgment
        for item in items
        for assessor in _assessors(item, main[item.topic], seed)
        for judgment in _answers(item, assessor, seed)
    ]


def _assessors(item: Item, first: int, seed: int) -> Iterator[Assessor]:
    yield ASSESSORS[first % len(ASSESSORS)]
    if _draw(seed, item, "second opinion").random() < SECOND_OPINIONS:
        yield ASSESSORS[(first + 1) % len(ASSESSORS)]


def _answers(item: Item, assessor: Assessor, seed: int) -> Iterator[Judgment]:
    halo = _draw(seed, item, assessor.id).gauss(0.0, HALO)
    for question, value in latent(item).items():
        severity = assessor.content if question in (CONTENT, OVERALL) else assessor.quality
        noise = _draw(seed, item, assessor.id, question).gauss(0.0, assessor.noise)
        answer = min(5, max(1, math.floor(value + severity + halo + noise + 0.5)))
        yield Judgment(
            topic=item.topic,
            summarizer=item.summarizer,
            assessor=assessor.id,
            question=question,
            value=answer,
        )


def _draw(seed: int, item: Item, *keys: str) -> random.Random:
    return random.Random("/".join([str(seed), item.topic, item.summarizer, *keys]))
