"""Defects are found where they are, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tools.demo_campaign.defects import Defects, JudgedSentence, measure
from tools.demo_campaign.summarizers.base import Candidate, Place

CLEAN = Defects(grammar=0.0, redundancy=0.0, reference=0.0, focus=0.0, coherence=0.0)


def one(
    text: str, document: str = "d", index: int = 0, day: int = 1, *, topic: str = "T", units: str = "u"
) -> JudgedSentence:
    candidate = Candidate(Place(topic, document, index), text, date(2031, 1, day))
    return JudgedSentence(text, candidate, topic == "T", tuple(units.split()))


def defects(*sentences: JudgedSentence, request: str = "The bridge") -> Defects:
    return measure(sentences, request=request)


def test_sentences_that_follow_each_other_in_their_source_have_no_defects() -> None:
    found = defects(
        one("The bridge at Kessel fell on Monday morning.", index=0, units="u1"),
        one("It was closed to trains, said the railway of Kessel.", index=1, units="u2"),
    )
    assert found == CLEAN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The bridge at Kessel fell on Monday in the", 1.0),
        ("bridge at Kessel fell on the Monday of the storm.", 0.5),
        ("The bridge at Kessel fell. on Monday in the storm", 1.0),
        ('"The bridge is down. We ran," he said in the street.', 0.0),
    ],
)
def test_cut_broken_and_telegraphic_sentences_are_ungrammatical(text: str, expected: float) -> None:
    assert defects(one(text)).grammar == pytest.approx(expected)


def test_a_sentence_that_lost_words_is_ungrammatical() -> None:
    whole = one("The bridge at Kessel fell on Monday in the storm.")
    broken = replace(whole, text="The bridge Kessel fell Monday in the storm.")
    assert defects(whole).grammar == 0.0
    assert defects(broken).grammar == pytest.approx(3 * 2 / 10)


def test_a_repeated_sentence_and_a_repeated_fact_are_redundant() -> None:
    said = "The bridge at Kessel fell."
    twice = defects(one(said, index=0, units="u1"), one(said, index=0, units="u1"))
    assert twice.redundancy == pytest.approx(0.5)  # half of the words and half of the facts were said before
    other_words = defects(one(said, units="u1"), one("A viaduct gave way in the storm.", index=3, units="u1"))
    assert other_words.redundancy == pytest.approx(0.25)  # no word, but half of the facts


def test_a_pronoun_dangles_without_the_sentence_before_it() -> None:
    first, second = one("The mayor came at noon.", index=0), one("He wept for the dead.", index=1)
    assert defects(first, second).reference == 0.0
    assert defects(second).reference == 1.0
    assert defects(one("The bridge at Kessel fell.", "e"), second).reference == 0.5


def test_a_definite_dangles_unless_something_introduced_it() -> None:
    vessel = one("The vessel sank at once in the bay.", index=4)
    assert defects(vessel).reference == 0.5
    assert defects(vessel, request="The sinking of a vessel").reference == 0.0
    assert defects(one("A vessel left the port.", "e"), vessel).reference == 0.0
    assert defects(one("The vessel sank at once in the bay.", index=0)).reference == 0.0


def test_a_model_may_use_pronouns_after_its_first_sentence() -> None:
    model = [JudgedSentence("The mayor came at noon.", units=("u1",)), JudgedSentence("He wept at the noon bell.")]
    assert measure(model, request="The mayor").reference == 0.0
    assert measure(model, request="The mayor").coherence == 0.0


def test_a_sentence_of_another_topic_has_no_focus() -> None:
    here, there = (
        one("The bridge at Kessel fell.", units="u1"),
        one("A comet was seen in the sky.", topic="O", units=""),
    )
    assert defects(here, here).focus == 0.0
    assert defects(there).focus == 1.0
    assert defects(here, there).focus > 0.5
    assert defects(here, one("The bridge was old.", index=1, units="")).focus == pytest.approx(0.15)


def test_going_back_in_time_costs_coherence() -> None:
    early, late = one("The bridge at Kessel fell.", "d", 0, 1), one("The bridge at Kessel is up again.", "e", 0, 9)
    assert defects(early, late).coherence == pytest.approx(0.4)
    assert defects(late, early).coherence == pytest.approx(1.0)
    assert defects(early, one("Rain came in the night.", "e", 0, 9)).coherence == pytest.approx(0.7)
    assert defects(early, one("The bridge was old.", "d", 2, 1)).coherence == pytest.approx(0.2)


def test_an_empty_summary_is_no_error() -> None:
    assert measure([], request="") == CLEAN
