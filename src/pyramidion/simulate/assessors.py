"""Simulated assessors: which topics they judge, how severe they are, and what they think of single systems.

The answer of assessor a to question q about a summary of system s on topic t is a whole number from 1 to 5, the nearest
to

    wanted_qst + severity_qa + deviation_qsa + noise

with severity ~ N(0, severity_sd), deviation ~ N(0, system_assessor_sd), noise ~ N(0, judgment_noise_sd), all in points.
What is wanted depends on the question: 1 + 4 · coverage where it is about content; 3.5 + language_s + N(0, 0.3) where
it is about language, language_s ~ N(0, language_sd); ⅔ content + ⅓ language where it is about both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product

import msgspec
import numpy as np
import polars as pl

from pyramidion.arrays import Floats, Integers
from pyramidion.campaign import Question, QuestionSet
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.draws import HIGHEST, LOWEST, Stream, assigned, generator, on_scale

PEER_CHUNK = 4096
"""Peers of a topic that share a generator."""
PREFIX = "simulated-"
CONTENT = ("responsiveness", "content-responsiveness")
BOTH = ("overall-responsiveness",)
SHARE_OF_CONTENT = 2 / 3
"""In an overall answer."""
LANGUAGE = 3.5
"""The language of a typical system, in points."""
HUMAN_LANGUAGE = 4.5
SUMMARY_LANGUAGE_SD = 0.3
"""How much the language of a system varies from summary to summary, in points."""


def questions_of(design: CampaignDesign) -> QuestionSet:
    """What simulated assessors are asked, each question marked as simulated; none without judgments."""
    if not design.judgments:
        return QuestionSet(())
    if design.questions == "responsiveness":
        text = "How much of what matters about the topic does the summary tell?"
        asked = [Question(name="responsiveness", text=text, scale=(LOWEST, HIGHEST))]
    else:
        asked = list(QuestionSet.named(design.questions))
    return QuestionSet(
        tuple(
            msgspec.structs.replace(
                question, name=f"{PREFIX}{question.name}", text=f"Simulated answers. {question.text}"
            )
            for question in asked
        )
    )


class SimulatedAssessors:
    """What is drawn once for all topics, and from it the answers about each topic."""

    def __init__(self, design: CampaignDesign) -> None:
        self.design = design
        self.questions: list[str] = [question.name for question in questions_of(design)]
        people, judged = len(design.assessor_ids), len(design.summarizer_ids) + len(design.model_ids)
        # The first question keeps the draws that it has where it is the only one.
        self.severity: list[Floats] = [
            design.severity_sd * generator(design.seed, Stream.ASSESSORS, *_key(number)).standard_normal(people)
            for number in range(len(self.questions))
        ]
        """Of each question: one value per assessor."""
        self.deviations: list[Floats] = [
            design.system_assessor_sd
            * generator(design.seed, Stream.DEVIATIONS, number).standard_normal((people, judged))
            for number in range(len(self.questions))
        ]
        """Of each question: assessors × systems and then humans."""

    @cached_property
    def language(self) -> Floats:
        """Of each system, on a typical topic, in points."""
        design = self.design
        return LANGUAGE + design.language_sd * generator(design.seed, Stream.LANGUAGE).standard_normal(
            design.summarizers
        )

    @property
    def about_language(self) -> bool:
        """Whether a question is about language, alone or among other things."""
        return any(_about(question) != "content" for question in self.questions)

    def judging(self, topic: int) -> list[int]:
        """Who judges a topic: the same people for all its parts."""
        design = self.design
        people = len(design.assessor_ids)
        assessor_count = min(design.assessors_per_summary or people, people)
        return assigned(people, assessor_count, design.seed, Stream.ASSESSORS, topic // design.parts)

    def of_peers(self, topic: int, coverage: Floats) -> Integers:
        """Questions × assessors of the topic × peers: the answers."""
        design, chosen = self.design, self.judging(topic)
        spread = generator(design.seed, Stream.LANGUAGE, topic).standard_normal(len(coverage))
        language = self.language + SUMMARY_LANGUAGE_SD * spread if self.about_language else np.zeros(len(coverage))
        answers = np.zeros((len(self.questions), len(chosen), len(coverage)), dtype=np.int64)
        for chunk, first in enumerate(range(0, len(coverage), PEER_CHUNK)):
            part = slice(first, min(first + PEER_CHUNK, len(coverage)))
            for number, question in enumerate(self.questions):
                rng = generator(design.seed, Stream.ANSWERS, topic, chunk, *_key(number))
                targets = _wanted(question, coverage[part], language[part])
                answers[number, :, part] = self._answers(number, targets, self.deviations[number][:, part], rng)[chosen]
        return answers

    def of_models(self, topic: int, writers: list[str], coverage: Floats) -> Integers:
        """Questions × assessors of the topic × models: the answers about the models of a topic."""
        design, chosen = self.design, self.judging(topic)
        places = [design.summarizers + design.model_ids.index(writer) for writer in writers]
        answers = np.zeros((len(self.questions), len(chosen), len(writers)), dtype=np.int64)
        for number, question in enumerate(self.questions):
            rng = generator(design.seed, Stream.MODEL_ANSWERS, topic, number)
            targets = _wanted(question, coverage, np.full(len(coverage), HUMAN_LANGUAGE))
            answers[number] = self._answers(number, targets, self.deviations[number][:, places], rng)[chosen]
        return answers

    def _answers(self, number: int, targets: Floats, deviations: Floats, rng: np.random.Generator) -> Integers:
        """Of all assessors, also those who judge other topics: so that their number changes no draw of the others."""
        noise = rng.standard_normal((len(self.severity[number]), len(targets)))
        return on_scale(targets + self.severity[number][:, None] + deviations + self.design.judgment_noise_sd * noise)

    def variances(self) -> pl.DataFrame:
        """The known variances of each question, in squared points, by the names that `compare` gives the terms."""
        design = self.design
        variances = {
            "assessor": design.severity_sd**2,
            "summarizer:assessor": design.system_assessor_sd**2,
            "error": design.judgment_noise_sd**2,
        }
        rows = [(question, *term) for question, term in product(self.questions, variances.items())]
        return pl.DataFrame(
            rows, schema={"question": pl.String, "term": pl.String, "variance": pl.Float64}, orient="row"
        )

    def effects(self) -> pl.DataFrame:
        """Each assessor's severity, and how far they deviate from others in judging a system, by question."""
        return pl.DataFrame(
            list(self._effects()),
            schema=dict.fromkeys(("question", "assessor", "summarizer"), pl.String)
            | dict.fromkeys(("severity", "deviation"), pl.Float64),
            orient="row",
        )

    def _effects(self) -> Iterator[tuple[str, str, str, float, float]]:
        design = self.design
        judged = [*design.judged_ids, *(design.model_ids if design.judge_models else ())]
        places = {id: place for place, id in enumerate([*design.summarizer_ids, *design.model_ids])}
        for number, question in enumerate(self.questions):
            severity, deviations = self.severity[number].tolist(), self.deviations[number]
            for row, assessor in enumerate(design.assessor_ids):
                for id in judged:
                    yield question, assessor, id, severity[row], float(deviations[row, places[id]])


def _key(number: int) -> tuple[int, ...]:
    if number:
        return (number,)
    return ()


def _about(question: str) -> str:
    name = question.removeprefix(PREFIX)
    if name in CONTENT:
        return "content"
    return "both" if name in BOTH else "language"


def _wanted(question: str, coverage: Floats, language: Floats) -> Floats:
    content = LOWEST + (HIGHEST - LOWEST) * coverage
    about = _about(question)
    if about == "both":
        return SHARE_OF_CONTENT * content + (1 - SHARE_OF_CONTENT) * language
    if about == "content":
        return content
    return language
