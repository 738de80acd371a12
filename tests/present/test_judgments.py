"""Human scores for readers: tables and sentences, each pinned once."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from inline_snapshot import snapshot

import pyramidion
from pyramidion import Evaluation
from pyramidion.campaign import Question, QuestionSet
from pyramidion.options import JudgmentAgreementOptions
from pyramidion.present.judgments.preferences import preference_sentences
from pyramidion.studies.judgments.agreement import judgment_agreement
from pyramidion.studies.judgments.assessors import describe_assessors
from pyramidion.studies.judgments.frequencies import judgment_frequencies
from pyramidion.studies.judgments.preferences import Ability, Preferences
from pyramidion.studies.judgments.regression import judgment_regression
from studies.judgments.judged import FOCUS, campaign, drawn


def test_the_table_has_a_row_for_each_question_and_kind() -> None:
    found = judgment_frequencies(campaign(*FOCUS, questions=QuestionSet((Question(name="focus", scale=(1, 5)),))))
    (table,) = found.tables()
    assert [column.name for column in table.columns] == ["question", "kind", "1", "2", "3", "4", "5", "mean", "answers"]
    assert table.rows[-1] == [
        "focus",
        "participant",
        0,
        pytest.approx(100 / 3),
        0,
        pytest.approx(200 / 3),
        0,
        pytest.approx(10 / 3),
        3,
    ]
    assert list(table.sentences) == snapshot(
        [
            "2 assessors answered 1 question about 4 summaries: 5 answers.",
            "Humans have higher means than submitted systems on focus (5.00 vs. 3.33).",
            "Baselines have no higher means than submitted systems on focus (1.00 vs. 3.33).",
        ]
    )


APART = (("t", "1", "A", "q", 1), ("t", "1", "B", "q", 1), ("u", "1", "A", "q", 1), ("u", "1", "C", "q", 2))
"""B and C judged no summary that both judged."""


def test_assessors_without_a_common_summary_are_named_in_a_note() -> None:
    found = judgment_agreement(campaign(*APART), JudgmentAgreementOptions(confusion=("B", "C")))
    assert not found.confusions
    assert found.tables()[0].notes[-1] == "No summary was judged by both B and C."


def test_the_sentences_say_what_alpha_means() -> None:
    assert judgment_agreement(pyramidion.load("demo")).sentences() == snapshot(
        [
            "On the 64 summaries judged by at least two assessors, α is highest for coherence: ordinal α = 0.88 (95 % interval 0.83 to 0.92).",
            "It is lowest for grammaticality: ordinal α = 0.28 (−0.07 to 0.64); 69 % of pairs of answers are equal.",
            "α is 1 for perfect agreement and 0 for agreement by chance.",
            "By convention (Krippendorff 2004), answers are reliable if α is at least 0.8, and allow tentative conclusions from 0.667. Here the interval lies above 0.8 for coherence; it lies above 0.667 for content-responsiveness and overall-responsiveness; it is too wide to tell for referential-clarity, non-redundancy and focus; it lies below 0.667 for grammaticality.",
            "α is low for grammaticality although most answers are equal: one answer prevails, so chance alone would make most answers equal.",
        ]
    )


def test_the_sentences_name_what_is_significant() -> None:
    assert judgment_regression(pyramidion.load("demo")).sentences() == snapshot(
        [
            "content-responsiveness has the largest coefficient for overall-responsiveness.",
            "Change per point, with the other answers unchanged (with assessor effects, 95 % intervals): 0.69 (0.57 to 0.80) for content-responsiveness and 0.22 (0.15 to 0.28) for coherence.",
            "Not significant: non-redundancy, focus, referential-clarity and grammaticality.",
            "Together the questions explain 74 % of the variance within assessors (n = 328).",
            "In separate regressions for the 4 assessors, these are significant: content-responsiveness for 4, coherence for 3 and referential-clarity for 1.",
            "Questions are correlated, so a coefficient near 0 does not mean that assessors ignore the question.",
        ]
    )


def test_the_sentences_on_assessors_say_who_is_strict_and_who_is_lenient() -> None:
    found = pyramidion.Evaluation("demo").describe_assessors(question="focus")
    assert found.sentences() == snapshot(
        [
            "Four assessors gave 328 answers about 264 summaries of 11 topics.",
            "simulated-1 gave the most (107), simulated-4 the fewest (63).",
            "Significantly stricter than the others: simulated-4 on focus; significantly more lenient: simulated-3 on focus (Holm correction for 4 tests).",
            "Of these, the strictest is simulated-4 on focus: −0.54 (−0.90 to −0.18).",
            "Of these, the most lenient is simulated-3 on focus: 0.41 (0.21 to 0.60).",
        ]
    )


def test_the_sentences_on_assessors_say_how_long_answers_took_and_who_drifts() -> None:
    found = describe_assessors(drawn({"A": 0.0, "B": 0.6, "C": 0.0}, topics=20, drift=0.8))
    assert found.sentences() == snapshot(
        [
            "Three assessors gave 360 answers about 120 summaries of 20 topics.",
            "The 360 answers with a known time took 2.1 hours; the median of an assessor is 20 seconds an answer.",
            '1 answer took unusually long or short (`records("assessor-time")` lists them).',
            "Significantly stricter than the others: B on q; significantly more lenient: C on q (Holm correction for 3 tests).",
            "Of these, the strictest is B on q: −0.42 (−0.50 to −0.33).",
            "Of these, the most lenient is C on q: 0.52 (0.45 to 0.60).",
            "A became stricter on q: −0.85 (−1.05 to −0.66) from the first answer to the last.",
            "B became more lenient on q: 0.46 (0.27 to 0.66) from the first answer to the last.",
            "C became more lenient on q: 0.39 (0.23 to 0.55) from the first answer to the last.",
        ]
    )


def test_assessors_of_different_topics_are_compared_with_a_caution() -> None:
    found = describe_assessors(drawn({"A": 0.0, "B": 1.0}, topics=20, nested=True))
    assert any("how hard their topics are" in sentence for sentence in found.sentences())


def test_a_single_assessor_has_no_table_of_severity() -> None:
    found = describe_assessors(drawn({"A": 0.0}, topics=30, drift=2.0))
    assert [table.record for table in found.tables() if not table.detail] == ["assessor-work", "assessor-drift"]


def test_unusual_times_are_counted_and_listed_as_a_detail() -> None:
    data = drawn({"A": 0.0}, topics=4)
    judgments = list(data.judgments)
    judgments[3] = msgspec.structs.replace(judgments[3], seconds=3000)
    judgments[5] = msgspec.structs.replace(judgments[5], seconds=0)
    found = describe_assessors(replace(data, judgments=tuple(judgments)))
    assert "2 answers took unusually long or short" in " ".join(found.sentences())
    assert [table.record for table in found.tables() if table.detail] == ["assessor-topic", "assessor-time"]


def ability(system: str, rank: int, value: float, p_from_best: float | None = None) -> Ability:
    """With an interval of 1 to either side."""
    return Ability(
        summarizer=system,
        rank=rank,
        ability=value,
        lower=value - 1,
        upper=value + 1,
        share=0.75,
        win=3,
        tie=1,
        loss=1,
        n=5,
        p_from_best=p_from_best,
        confidence=95,
        method="wald",
        seed=0,
    )


def test_the_sentences_on_preferences_say_who_is_preferred_and_who_may_be_as_good() -> None:
    abilities = (ability("A", 1, 2.0), ability("B", 2, 1.5, 0.06), ability("C", 3, -1.0, 0.01))
    assert Preferences(abilities=abilities, ties=1 / 6, confidence=95).sentences() == snapshot(
        [
            "A is preferred most: it won 60 %, lost 20 % and tied 20 % of 5 choices; ability 2.00 (95 % confidence interval 1.00 to 3.00).",
            "Not significantly less preferred (Holm-corrected): B.",
            "17 % of the preferences are ties.",
        ]
    )


def test_systems_that_are_preferred_equally_often_lead_together() -> None:
    rows = []
    for number in range(6):
        winner = "model_a" if number % 2 else "model_b"
        rows.append({"topic": f"t{number}", "model_a": "A", "model_b": "B", "winner": winner})
    preferences = Evaluation(rows).preferences()
    (first, *_) = preference_sentences(preferences)
    assert first.startswith("A and B are preferred equally often: each won 50 %")
