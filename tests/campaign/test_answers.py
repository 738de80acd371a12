"""The grammar of answers, by a table of answers and of what they say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.campaign.answers import Grade, Misfit, read_answer

NAN = float("nan")


@pytest.mark.parametrize(
    ("cell", "value", "out_of", "reason"),
    [
        (4, 4, None, ""),
        (4.5, 4.5, None, ""),
        ("4", 4, None, ""),
        (" 4.0 ", 4, None, ""),
        ("4.", 4, None, ""),
        ("-1", -1, None, ""),
        ("**4**", 4, None, ""),
        ("[[4]]", 4, None, ""),
        ("4/5", 4, 5, ""),
        ("4 / 5", 4, 5, ""),
        ("3.5/5", 3.5, 5, ""),
        ("4 out of 5", 4, 5, ""),
        ("4 out of 5.", 4, 5, ""),
        ("4 of 5", 4, 5, ""),
        ("4 stars", 4, None, ""),
        ("80 %", 80, 100, ""),
        ("Score: 4", 4, None, ""),
        ("score=4", 4, None, ""),
        ("SCORE: 4/5", 4, 5, ""),
        ("The score is 4", 4, None, ""),
        ("Overall rating: 4 out of 5", 4, 5, ""),
        ("**Score:** 4", 4, None, ""),
        ("**Final score: 4/5**", 4, 5, ""),
        ("Rating: [[4]]", 4, None, ""),
        ("4 – good", 4, None, "good"),
        ("4 - good", 4, None, "good"),
        ("4: good", 4, None, "good"),
        ("4 (good)", 4, None, "good"),
        ("5. Excellent", 5, None, "Excellent"),
        ("4/5 – covers 3 of 5 facts", 4, 5, "covers 3 of 5 facts"),
        ("4\nThe dates are wrong.", 4, None, "The dates are wrong."),
        ("Score: 4, clear", 4, None, "clear"),
        ("Score: 4\nReason: clear", 4, None, "clear"),
        ("Reason: 2 of 3 facts\nScore: 4", 4, None, "2 of 3 facts"),
        ("It is clear. Score: 4", 4, None, "It is clear."),
        ('They call it "clear." Score: 4', 4, None, 'They call it "clear."'),
        ("It is clear (and short.) Score: 4", 4, None, "It is clear (and short.)"),
        ("1. It is clear.\n2. It is short.\nScore: 4", 4, None, "1. It is clear.\n2. It is short."),
        ("Score: 4\nIt is clear.\nFinal score: 4", 4, None, "It is clear."),
        ('{"score": 4, "reason": "clear"}', 4, None, "clear"),
        ('{"reasoning": "clear", "Rating": "4/5"}', 4, 5, "clear"),
        ('{"overall_score": 4}', 4, None, ""),
        ('```json\n{"score": 4, "explanation": "clear"}\n```', 4, None, "clear"),
        ('```\n{"score": 4}\n```', 4, None, ""),
        ('Here is my answer:\n```json\n{"score": 4}\n```\nThanks.', 4, None, ""),
        ('My answer: {"score": 4}', 4, None, ""),
        ({"score": 4, "reason": "clear"}, 4, None, "clear"),
        ({"score": {"value": 4, "reason": "clear"}}, 4, None, "clear"),
    ],
)  # fmt: skip
def test_what_the_grammar_reads(cell: Any, value: float, out_of: float | None, reason: str) -> None:
    assert read_answer(cell) == Grade(value, reason, out_of)


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        (None, "empty"),
        ("", "empty"),
        ("n/a", "empty"),
        (NAN, "empty"),
        (True, "words"),
        ([4], "words"),
        (float("inf"), "words"),
        ("good", "words"),
        ("I'm sorry, I can't rate this.", "words"),
        ("I would give it a 4", "words"),
        ("4 or 5", "words"),
        ("4-5", "several"),
        ("4, 5", "several"),
        ("4,5", "several"),
        ("4 – maybe 5", "several"),
        ("2026-11-18", "several"),
        ("1. The dates are wrong.\n2. It is long.", "several"),
        ("Score: 4\nScore: 5", "several"),
        ("Score: 4 or 5", "words"),
        ("Score: four", "words"),
        ("Score: 4 out of 10 facts", "words"),
        ("a score: 4 would be too low for this summary", "words"),
        ("Coherence: 4\nFluency: 5", "words"),
        ('{"score": 4, "rea', "json"),
        ("{score: 4}", "json"),
        ('{"score": 4} {"score": 5}', "several"),
        ('{"score": 4, "rating": 2}', "several"),
        ('{"score": null}', "empty"),
        ('{"score": true}', "words"),
        ('{"coherence": 4, "fluency": 5}', "words"),
    ],
)  # fmt: skip
def test_what_the_grammar_refuses_to_guess(cell: Any, kind: str) -> None:
    misfit = read_answer(cell)
    assert isinstance(misfit, Misfit)
    assert misfit.kind == kind


@pytest.mark.parametrize(
    ("cell", "kind"),
    [("5", ""), ("5/5", ""), (1, ""), ("6", "off-scale"), ("0", "off-scale"), ("4/10", "other-scale"), ("80 %", "other-scale")],
)  # fmt: skip
def test_an_answer_must_be_on_the_scale(cell: Any, kind: str) -> None:
    assert getattr(read_answer(cell, scale=(1, 5)), "kind", "") == kind


@pytest.mark.parametrize(
    "cell",
    [
        "Coherence: 4\nFluency: 5",
        "**Fluency score**: 5\nScore: 2",
        '{"coherence": 4, "fluency": 5, "score": 1}',
        {"Fluency": {"score": 5}},
        '{"fluency": "5/5", "reason": "clear"}',
    ],
)
def test_the_name_of_the_question_is_a_label_that_counts_more_than_others(cell: Any) -> None:
    grade = read_answer(cell, labels=["fluency"])
    assert isinstance(grade, Grade)
    assert grade.value == 5


def test_the_name_of_a_question_may_be_written_with_spaces() -> None:
    grade = read_answer("Overall responsiveness: 3", labels=["overall-responsiveness"])
    assert grade == Grade(3)


@given(st.text(alphabet='45 /:{}"score.\n-[]*', max_size=30))
def test_any_text_is_read_or_refused_without_an_error(text: str) -> None:
    assert isinstance(read_answer(text, scale=(1, 5)), Grade | Misfit)


@given(st.integers(0, 100), st.integers(1, 100))
def test_a_number_in_each_form_says_the_same(value: int, top: int) -> None:
    forms = [value, f"{value}", f"Score: {value}", f"{value}/{top}", f"{value} out of {top}", f'{{"score": {value}}}']
    values = {getattr(read_answer(form), "value", None) for form in forms}
    assert values == {value}
