"""The summarizers: what each one chooses on small inputs, and what holds for all of them on any input."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.demo_campaign.summarizers import PARTICIPANTS, Participant
from tools.demo_campaign.summarizers.base import Candidate, DatedDocument, Piece, Place, Task
from tools.demo_campaign.summarizers.centroid import Centroid
from tools.demo_campaign.summarizers.coverage import BigramCoverage
from tools.demo_campaign.summarizers.defective import CutAtLimit, OffTopic, Repeating, Telegraphic
from tools.demo_campaign.summarizers.frequency import SumBasic, TopicSignature, log_likelihood_ratio
from tools.demo_campaign.summarizers.graphs import page_rank
from tools.demo_campaign.summarizers.leads import LeadOfMostRecent, RoundRobin
from tools.demo_campaign.summarizers.oracle import Oracle
from tools.demo_campaign.summarizers.request import RequestMMR
from tools.demo_campaign.summarizers.surface import LongestSentences, RandomSentences
from tools.demo_campaign.summarizers.update import NewWords


def documents(*texts: Sequence[str], topic: str = "T", name: str = "d") -> tuple[DatedDocument, ...]:
    """Documents a day apart."""
    found = []
    for number, sentences in enumerate(texts):
        day = date(2031, 1, 1) + timedelta(number)
        id = f"{name}{number}"
        candidates = [Candidate(Place(topic, id, index), text, day) for index, text in enumerate(sentences)]
        found.append(DatedDocument(id, day, tuple(candidates)))
    return tuple(found)


def task(*texts: Sequence[str], **fields: object) -> Task:
    return Task(topic="T", title="Bridge", narrative="What fell?", documents=documents(*texts), **fields)  # type: ignore[arg-type]


def texts(pieces: Sequence[Piece]) -> list[str]:
    return [piece.text for piece in pieces]


def test_the_baseline_takes_the_lead_of_the_most_recent_document_and_stops_at_the_limit() -> None:
    given_task = task(["Old one.", "Old two."], ["New one here.", "New two is much too long.", "Short."])
    assert texts(LeadOfMostRecent()(given_task, limit=5)) == ["New one here."]


def test_round_robin_takes_first_sentences_before_second_ones() -> None:
    given_task = task(["A one.", "A two."], ["B one.", "B two."])
    assert texts(RoundRobin()(given_task, limit=7)) == ["A one.", "B one.", "A two."]


def test_the_longest_sentences_come_first_and_stand_in_source_order() -> None:
    given_task = task(["One two.", "One two three four."], ["One two three."])
    assert texts(LongestSentences()(given_task, limit=7)) == ["One two three four.", "One two three."]


def test_random_depends_on_the_seed_alone() -> None:
    given_task = task([f"Sentence number {number}." for number in range(20)])
    first = RandomSentences(seed=1)(given_task, limit=30)
    assert first == RandomSentences(seed=1)(given_task, limit=30)
    assert first != RandomSentences(seed=2)(given_task, limit=30)


def test_sumbasic_squares_the_probability_of_what_was_said() -> None:
    # By hand. Content words: bridge 3, fell 2, river 1, flooded 1 of 7. All have the likeliest word, bridge; the
    # means are 5/14, 5/14, 5/21. After the first pick p(bridge) = 9/49, p(fell) = 4/49: bridge is still the
    # likeliest, but the means are now 13/98 = .133 and (1/7 + 1/7 + 9/49) / 3 = 23/147 = .156.
    given_task = task(["The bridge fell.", "The bridge fell.", "The river flooded the bridge."])
    assert texts(SumBasic()(given_task, limit=8)) == ["The bridge fell.", "The river flooded the bridge."]


def test_the_log_likelihood_ratio_agrees_with_the_g_test() -> None:
    # scipy.stats.chi2_contingency([[10, 90], [2, 198]], lambda_="log-likelihood", correction=False).statistic
    assert log_likelihood_ratio(10, 100, 2, 200) == pytest.approx(13.349280, abs=1e-6)
    assert log_likelihood_ratio(1, 100, 2, 200) == 0.0
    assert log_likelihood_ratio(2, 200, 10, 100) == 0.0
    assert log_likelihood_ratio(3, 3, 0, 0) == 0.0


def test_topic_signatures_prefer_what_is_rare_elsewhere() -> None:
    elsewhere = documents(*(["Common words stand here again."] for _ in range(40)), topic="O", name="o")
    given_task = task(
        ["Common words stand here again.", "Zeppelin moored safely.", "Zeppelin moored safely, moored."] * 2,
        elsewhere=elsewhere,
    )
    assert "Zeppelin" in TopicSignature()(given_task, limit=3)[0].text


def test_page_rank_is_even_on_an_even_graph_and_favours_the_hub() -> None:
    even = page_rank(np.ones((4, 4)), damping=0.85)
    assert even == pytest.approx([0.25] * 4)
    star = page_rank([[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]], damping=0.85)
    # Solved by hand: h = .15/4 + .85·3l, 3l = .45/4 + .85·h.
    assert star[0] == pytest.approx((0.0375 + 0.85 * 0.1125) / (1 - 0.85**2))
    assert page_rank([[0, 0], [0, 0]], damping=0.85) == pytest.approx([0.5, 0.5])


def test_bigram_coverage_takes_shared_bigrams_and_ignores_lonely_ones() -> None:
    given_task = task(["Kessel bridge fell.", "Lonely words only."], ["Yes, Kessel bridge fell."])
    assert texts(BigramCoverage()(given_task, limit=20)) == ["Kessel bridge fell."]


def test_mmr_answers_the_request_first_and_does_not_repeat_it() -> None:
    given_task = task(["Bridge fell.", "Bridge fell.", "Rain came."])
    assert texts(RequestMMR(balance=0.4)(given_task, limit=4)) == ["Bridge fell.", "Rain came."]


def test_new_words_passes_over_what_the_background_says() -> None:
    texts_ = ["Bridge fell again.", "Mayor resigned today.", "Bridge fell.", "Mayor resigned."]
    background = documents(["Bridge fell.", "Bridge fell."], name="b")
    assert texts(NewWords()(task(texts_, background=background), limit=3)) == ["Mayor resigned."]


def test_the_oracle_finds_what_an_exhaustive_search_finds() -> None:
    # An exhaustive search over all sets of sentences; the case is one in which greed alone stops short.
    sentences = ["o p.", "a b c d e f g h.", "i j k l m n.", "q r."]
    worth = [{"u1": 3}, {"u2": 4, "u3": 4, "u4": 1}, {"u2": 4}, {"u1": 3}]
    given_task = task(sentences)
    places = [one.place for one in given_task.candidates]
    cheat = task(sentences, worth=dict(zip(places, worth, strict=True)))

    def total(chosen: Sequence[int]) -> int:
        return sum({unit: w for index in chosen for unit, w in worth[index].items()}.values())

    best = max(
        total(chosen)
        for size in range(5)
        for chosen in combinations(range(4), size)
        if sum(len(sentences[index].split()) for index in chosen) <= 8
    )
    taken = [sentences.index(text) for text in texts(Oracle()(cheat, limit=8))]
    assert total(taken) == best


def test_the_telegraphic_one_keeps_every_content_word() -> None:
    given_task = task(["The old bridge at Kessel was closed because it had not been mended for years."])
    (piece,) = Telegraphic(drop=1.0, swap=0.0)(given_task, limit=100)
    assert piece.text == "old bridge Kessel closed not mended years."


def test_the_off_topic_one_takes_nothing_from_the_topic() -> None:
    given_task = task(["On topic."], elsewhere=documents(["Off topic."], topic="O", name="o"))
    assert texts(OffTopic()(given_task, limit=10)) == ["Off topic."]


def test_the_repeating_one_says_everything_twice() -> None:
    pieces = Repeating()(task(["The bridge fell.", "It rained."]), limit=12)
    assert texts(pieces) == ["The bridge fell.", "It rained."] * 2


def test_the_cutting_one_fills_the_limit_to_the_word() -> None:
    pieces = CutAtLimit()(task(["The bridge fell down.", "It rained all day long."]), limit=6)
    assert texts(pieces) == ["The bridge fell down.", "It rained"]


def test_the_centroid_refuses_near_repeats() -> None:
    given_task = task(["The Kessel bridge fell.", "Rain fell."], ["The Kessel bridge fell yesterday."])
    assert sum("Kessel" in text for text in texts(Centroid()(given_task, limit=20))) == 1


vocabulary = st.sampled_from(
    ["the", "a", "bridge", "fell", "river", "he", "not", "Kessel", "41", "dead,", "“We", "go”", "–"]
)
lines = st.lists(vocabulary, min_size=1, max_size=14).map(lambda words: " ".join(words) + ".")
inputs = st.lists(st.lists(lines, min_size=1, max_size=5), min_size=1, max_size=4)


@pytest.mark.parametrize("participant", PARTICIPANTS, ids=lambda one: one.name)
@given(inputs, inputs, inputs, st.integers(0, 40))
@settings(max_examples=25, deadline=None)
def test_every_summarizer_keeps_the_limit_traces_its_words_and_repeats_itself(
    participant: Participant,
    texts_: list[list[str]],
    before: list[list[str]],
    others: list[list[str]],
    limit: int,
) -> None:
    given_task = task(
        *texts_,
        background=documents(*before, name="b"),
        elsewhere=documents(*others, topic="O", name="o"),
    )
    pieces = participant.summarizer(given_task, limit=limit)
    assert sum(len(piece.text.split()) for piece in pieces) <= limit
    known = {one.place: one for one in given_task.candidates}
    known |= {one.place: one for document in given_task.elsewhere for one in document.sentences}
    for piece in pieces:
        assert known[piece.source.place] == piece.source
        assert len(set(piece.kept)) == len(piece.kept)
        assert all(0 <= index < len(piece.source.words) for index in piece.kept)
    assert participant.summarizer(given_task, limit=limit) == pieces


def test_the_ids_are_numbers_from_one_on_and_the_first_is_ducs_baseline() -> None:
    assert [one.id for one in PARTICIPANTS] == [str(number + 1) for number in range(len(PARTICIPANTS))]
    assert len({one.name for one in PARTICIPANTS}) == len(PARTICIPANTS) >= 14
    assert isinstance(PARTICIPANTS[0].summarizer, LeadOfMostRecent)
    assert PARTICIPANTS[0].kind == "baseline"
    assert sum(one.kind == "baseline" for one in PARTICIPANTS) == 3
