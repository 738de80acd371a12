"""Answers treated as ordered: the verdicts that change are counted next to the letters.

Counts on SummEval-OP are those of R: ordinal::clmm(answer ~ system + (1 | topic) + (1 | assessor) +
(1 | system:assessor)), Tukey's test of Wald z.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import pyramidion
from pyramidion.campaign import CampaignWarning
from pyramidion.campaign.nouns import Judgment
from pyramidion.present.comparison.leaderboards import leaderboard_notes
from pyramidion.studies.comparison.ordinal import check_as_ordered


def judgments(answers: dict[str, list[float]]) -> list[Judgment]:
    return [
        Judgment(topic=f"t{place}", summarizer=name, assessor="p", question="q", value=value)
        for name, values in answers.items()
        for place, value in enumerate(values)
    ]


EQUAL = [1, 2, 3, 4, 5, 3, 2, 4, 3, 3]
NOTHING = np.zeros((2, 2), dtype=np.bool_)


def test_another_verdict_is_named_with_its_pair() -> None:
    low = judgments({"a": [1, 2, 3, 2, 1, 3, 2, 4, 3, 2] * 2, "b": [3, 4, 2, 4, 3, 5, 4, 3, 5, 4] * 2})
    check = check_as_ordered(low, ["a", "b"], NOTHING, None, confidence=95)
    assert check is not None
    assert (check.pairs, check.as_numbers, check.as_ordered, check.changed) == (1, 0, 1, (("a", "b"),))
    assert check.terms == ("topic",)
    same = check_as_ordered(low, ["a", "b"], ~NOTHING, None, confidence=95)
    assert same is not None
    assert not same.changed


def test_a_system_with_top_answers_only_is_left_out() -> None:
    check = check_as_ordered(
        judgments({"a": [*EQUAL], "b": [*EQUAL], "top": [5] * 10}), ["a", "b", "top"], np.zeros((3, 3), np.bool_), None,
        confidence=95,
    )  # fmt: skip
    assert check is not None
    assert (check.pairs, check.left_out, check.changed) == (1, ("top",), ())


@pytest.mark.parametrize(
    "answers", [[0.25, 0.5, 0.75, 1.5, 2, 3, 1, 1, 2, 2], [5] * 10, [*range(1, 11)]], ids=["fractions", "equal", "1–10"]
)
def test_what_is_no_ordered_answer_is_not_checked(answers: list[float]) -> None:
    further = [11.0, *answers[1:]] if answers[-1] == 10 else answers
    assert check_as_ordered(judgments({"a": answers, "b": further}), ["a", "b"], NOTHING, None, confidence=95) is None


@pytest.mark.parametrize(("question", "ordered", "numbers"), [("aspect-coverage", 56, 45), ("faithfulness", 35, 32)])
def test_the_counts_are_those_of_clmm(question: str, ordered: int, numbers: int) -> None:
    folder = os.environ.get("PYRAMIDION_DATA")
    if not folder or not (Path(folder) / "summeval_op").exists():
        pytest.skip("PYRAMIDION_DATA has no summeval_op")
    with pytest.warns(CampaignWarning):  # topics without references
        comparison = pyramidion.compare(Path(folder) / "summeval_op", f"question.{question}")
    analysis = comparison.analyses[0]
    (sentence,) = [note for note in leaderboard_notes(analysis) if note.startswith("Treated as ordered")]
    assert f"{ordered} of 78 pairs differ significantly instead of {numbers}" in sentence
