"""Which questions were answered, on which scale, and what one must know about the answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pyramidion.campaign import Campaign, Judgment
from pyramidion.errors import InputError, check_known
from pyramidion.scores.table import require_moderate_values

MOST_VALUES = 20
"""Whole numbers on a scale that nobody declared."""


def judged_questions(campaign: Campaign, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """The questions asked for, or all that were answered.

    Raises:
        InputError: if there are no judgments, or answers whose squares are no numbers.
        UsageError: if one that is asked for was never answered.
    """
    answered = campaign.question_names
    if not answered:
        raise InputError(
            "the data has no judgments; a campaign folder has them in judgments.jsonl, a flat file in `judgments`"
        )
    for question in asked:
        check_known(question, answered, f"nobody answered a question {question!r}")
    chosen = tuple(dict.fromkeys(asked)) or answered
    values: dict[str, list[float]] = {question: [] for question in chosen}
    for judgment in campaign.judgments:
        if judgment.question in values:
            values[judgment.question].append(judgment.value)
    for question, answers in values.items():
        require_moderate_values(np.array(answers, dtype=np.float64), question)
    return chosen


def note_on_judgments(campaign: Campaign) -> str:
    """Whether the judgments, or the texts that were judged, are simulated."""
    parts = [part for part in map(str.strip, campaign.simulated.split(",")) if part in ("texts", "judgments")]
    return f"simulated {' and '.join(parts)}" if parts else ""


def answers_to(campaign: Campaign, question: str) -> list[Judgment]:
    """The judgments that answer one question."""
    return [judgment for judgment in campaign.judgments if judgment.question == question]


def scale_values(campaign: Campaign, question: str) -> tuple[float, ...]:
    """The values of a question in order: those of its scale, and all that were given."""
    values = {judgment.value for judgment in answers_to(campaign, question)}
    declared = campaign.questions.get(question)
    scale = declared.scale if declared else None
    are_integers = all(float(value).is_integer() for value in values)
    if scale is None and are_integers and max(values) - min(values) < MOST_VALUES:
        scale = (int(min(values)), int(max(values)))
    if scale is not None:
        values |= set(range(scale[0], scale[1] + 1))
    return tuple(sorted(values))
