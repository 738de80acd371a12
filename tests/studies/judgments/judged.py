"""A small campaign of judgments for the tests of judgments."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from pyramidion.campaign import Campaign, Judgment, Summarizer, Summary

WHO = {
    "H": Summarizer(kind="human"),
    "1": Summarizer(kind="baseline"),
    "2": Summarizer(kind="participant"),
    "3": Summarizer(kind="participant"),
}

"""Who wrote the summaries."""
START = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
"""The time of the first answer that is drawn."""


def campaign(*answers: tuple[str, str, str, str, float], **fields: Any) -> Campaign:
    """Answers are topic, summarizer, assessor, question, value."""
    pairs = dict.fromkeys((topic, who) for topic, who, *_ in answers)
    return Campaign(
        summarizers=WHO,
        summaries=tuple(Summary(topic=topic, summarizer=who, kind="peer", text="x") for topic, who in pairs),
        judgments=tuple(
            Judgment(topic=topic, summarizer=who, assessor=assessor, question=question, value=value)
            for topic, who, assessor, question, value in answers
        ),
        **fields,
    )


FOCUS = (
    ("t", "H", "A", "focus", 5),
    ("t", "1", "A", "focus", 1),
    ("t", "2", "A", "focus", 4),
    ("t", "2", "B", "focus", 2),
    ("t", "3", "A", "focus", 4),
)


def drawn(
    assessors: dict[str, float], *, topics: int = 8, drift: float = 0.0, seed: int = 0, nested: bool = False
) -> Campaign:
    """Assessors with these severities; the first becomes stricter by `drift`. Nested: each has topics of their own."""
    generator = np.random.default_rng(seed)
    difficulty, quality = generator.normal(0, 0.3, topics), generator.normal(0, 1, 6)
    judgments = []
    for number, (who, severity) in enumerate(assessors.items()):
        for topic in range(topics):
            if nested and topic % len(assessors) != number:
                continue
            for system in range(6):
                done = (topic * 6 + system) / (topics * 6 - 1)
                value = 3 + difficulty[topic] + quality[system] - severity + generator.normal(0, 0.2)
                judgments.append(
                    Judgment(
                        topic=f"t{topic}",
                        summarizer=f"s{system}",
                        assessor=who,
                        question="q",
                        value=value - (drift * done if number == 0 else 0.0),
                        time=(START + timedelta(minutes=topic * 6 + system)).isoformat(),
                        seconds=float(generator.lognormal(3, 0.3)),
                    )
                )
    return Campaign(judgments=tuple(judgments))
