"""Simulated campaigns with people and a judge, whose faults are planted."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from msgspec.structs import replace as replace_struct

from pyramidion.campaign import Campaign, Judgment, Summary
from pyramidion.campaign.nouns import Assessor, Preference, Question, Summarizer
from pyramidion.campaign.questions import QuestionSet


@dataclass(frozen=True, kw_only=True)
class Faults:
    """What is wrong with the judge, in points of a scale from 1 to 5 (position: in log odds)."""

    length: float = 0.0
    """For twice as many words."""
    family: float = 0.0
    """For the first system."""
    position: float = 0.0
    severity: float = 0.0
    noise: float = 0.5
    slope: float = 0.9
    """Its change for one point of quality; below 0, it misleads."""
    order: float | None = None
    """From the first to the last of its answers; None: the order is not recorded."""


def with_another_prompt(campaign: Campaign) -> Campaign:
    """The campaign with a second judge of the same model, which gives the same answers."""
    copies = [replace_struct(answer, assessor="robot-b") for answer in campaign.judgments if answer.assessor == "robot"]
    assessors = {**campaign.assessors, "robot-b": Assessor(kind="judge", model="robot-1")}
    return replace(campaign, judgments=(*campaign.judgments, *copies), assessors=assessors)


def judged_campaign(
    faults: Faults | None = None, *, seed: int = 0, systems: int = 8, topics: int = 30, people: int = 3, runs: int = 1
) -> Campaign:
    """People and the judge `robot` answer `coherence`; the judge also compares each two systems in both orders."""
    faults = faults or Faults()
    generator = np.random.default_rng(seed)
    shape = (systems, topics)
    quality = np.linspace(2.2, 4.2, systems)[:, None] + generator.normal(0, 0.5, shape)
    words = np.rint(2 ** (5.5 + generator.normal(0, 0.4, shape))).astype(int)
    answers = np.clip(np.rint(quality[..., None] + generator.normal(0, 0.7, (*shape, people))), 1, 5)
    score = 3 + faults.slope * (quality - 3.2) + faults.length * (np.log2(words) - 5.5) + faults.severity
    score[0] += faults.family
    # A generator of its own, so that campaigns without an order stay as they are.
    places = np.random.default_rng(seed + 1000).permutation(systems * topics).reshape(shape)
    if faults.order is not None:
        score += faults.order * (places / (systems * topics - 1) - 0.5)
    judged = np.clip(np.rint(score[..., None] + generator.normal(0, faults.noise, (*shape, runs))), 1, 5)
    summaries: list[Summary] = []
    judgments: list[Judgment] = []
    preferences: list[Preference] = []
    for column in range(topics):
        topic = f"t{column:02}"
        summaries.append(Summary(topic=topic, summarizer="reference", kind="model", text="What people wrote."))
        for row in range(systems):
            key: dict[str, Any] = {"topic": topic, "summarizer": f"s{row}"}
            summaries.append(Summary(**key, kind="peer", text=" ".join(["word"] * int(words[row, column]))))
            for person in range(people):
                value = int(answers[row, column, person])
                judgments.append(Judgment(**key, question="coherence", assessor=f"p{person}", value=value))
            for run in range(runs):
                value = int(judged[row, column, run])
                answer = Judgment(
                    **key,
                    question="coherence",
                    assessor="robot",
                    value=value,
                    run=run + 1,
                    comment=f"I say {value}.",
                    order=None if faults.order is None else int(places[row, column]) + 1,
                )
                judgments.append(answer)
        first, second = generator.choice(systems, 2, replace=False).tolist()
        for a, b in ((first, second), (second, first)):
            odds = quality[a, column] - quality[b, column] + faults.position
            choice = "a" if generator.random() < 1 / (1 + np.exp(-odds)) else "b"
            preferences.append(Preference(topic=topic, a=f"s{a}", b=f"s{b}", assessor="robot", choice=choice))  # type: ignore[arg-type]
    return Campaign(
        summaries=tuple(summaries),
        judgments=tuple(judgments),
        preferences=tuple(preferences),
        questions=QuestionSet((Question(name="coherence"),)),
        summarizers={"s0": Summarizer(organisation="Acme")},
        assessors={"robot": Assessor(kind="judge", model="robot-1", family="acme")},
    )
