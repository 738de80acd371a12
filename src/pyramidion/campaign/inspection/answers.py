"""Answers that look wrong: an assessor who always gives the same answer, values far off all others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.inspection.places import Places, some
from pyramidion.show.wording import counted

FEWEST = 10
"""Fewer answers may be equal by chance."""
IMPROBABLE = 0.001
"""An assessor's answers are suspicious if answering like the others would give them this seldom."""
ODD = 0.02
"""Values that this share of the answers has, and that lie far off the others, are suspicious."""


def inspect_answers(campaign: Campaign, places: Places) -> None:
    """Note assessors who always give the same answer, and values that no scale of the others has."""
    answers: dict[str, dict[str, Counter[float]]] = defaultdict(lambda: defaultdict(Counter))
    for judgment in campaign.judgments:
        answers[judgment.question][judgment.assessor][judgment.value] += 1
    declared = {question.name for question in campaign.questions}
    constant: list[str] = []
    for question, by_assessor in answers.items():
        constant += _describe_constant_assessors(question, by_assessor)
        if question not in declared:
            _warn_about_values_off_scale(question, sum(by_assessor.values(), Counter()), places)
    if constant:
        places.of_file("judgments").warning(
            f"always the same answer: {some(constant)}",
            "answers that differ, as those of other assessors do",
            "Ask the assessor; `where=` and `exclude=` leave out topics and systems, not assessors.",
            field="value",
            count=len(constant),
        )


def _describe_constant_assessors(question: str, by_assessor: Mapping[str, Counter[float]]) -> list[str]:
    """Who always gave the same answer to a question, unless that is probable because most answers are the same."""
    everyone = sum(by_assessor.values(), Counter[float]())
    sentences = []
    for assessor, values in by_assessor.items():
        (value, count), *rest = values.most_common()
        if rest or count < FEWEST:
            continue
        rest_count = everyone.total() - count
        # Laplace's rule, so that a value that nobody else gave is improbable, but not impossible
        share = (everyone[value] - count + 1) / (rest_count + 2)
        if share**count < IMPROBABLE:
            name = assessor or "the assessor"
            sentences.append(f"{name} always gave {value:g} to {question!r} ({counted(count, 'time')})")
    return sentences


def _warn_about_values_off_scale(question: str, values: Counter[float], places: Places) -> None:
    """Warn of rare values outside the scale that all others are on, where no scale is declared."""
    total = values.total()
    if total < 5 * FEWEST:
        return
    has_fractions = any(value != int(value) for value in values)
    if has_fractions:  # scales have whole numbers
        return
    most_of_rare = ODD * total
    usual = [value for value, count in values.items() if count > most_of_rare]
    rare = [value for value, count in values.items() if count <= most_of_rare]
    if not usual:
        return
    low, high = min(usual), max(usual)
    lowest = low - 2 * (high - low + 1)
    if low >= 1:  # a scale from 1 has no 0
        lowest = max(lowest, 1)
    highest = 2 * high
    too_low = [value for value in rare if value < lowest]
    too_high = [value for value in rare if value > highest]
    off_scale = sorted({*too_low, *too_high})
    if not off_scale:
        return
    count = sum(int(values[value]) for value in off_scale)
    shown_values = [f"{value:g}" for value in off_scale]
    places.of_file("judgments").warning(
        f"{counted(count, 'answer')} off the scale of {question!r}: {some(shown_values)}",
        f"values like the others, {low:g} to {high:g}",
        "Correct them, or declare the scale of the question in campaign.toml.",
        field="value",
        count=count,
    )
