"""A small campaign of judgments for the tests of judgments."""

from typing import Any

from pyramidion.campaign import Campaign, Judgment, Summarizer, Summary

WHO = {
    "H": Summarizer(kind="human"),
    "1": Summarizer(kind="baseline"),
    "2": Summarizer(kind="participant"),
    "3": Summarizer(kind="participant"),
}


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
