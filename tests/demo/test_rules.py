"""The rules of a topic: a good one passes, and each rule can fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tools.demo_campaign.build import SOURCE
from tools.demo_campaign.rules import check, main, tagged_share
from tools.demo_campaign.tagged import Sentence, SourceTopic, Span, parse_file, render


@pytest.fixture(scope="module")
def good() -> SourceTopic:
    topic = parse_file(SOURCE / "D07.txt").topic
    assert topic is not None
    return topic


def errors(topic: SourceTopic, *others: SourceTopic) -> list[str]:
    return [problem.found for problem in check(topic, others=others) if problem.severity == "error"]


def test_a_good_topic_has_no_errors(good: SourceTopic) -> None:
    assert errors(good) == []


def with_sentence(topic: SourceTopic, text: str) -> SourceTopic:
    first, *rest = topic.documents
    return replace(topic, documents=(replace(first, sentences=(*first.sentences, Sentence(text))), *rest))


BREAKS: list[tuple[str, Callable[[SourceTopic], SourceTopic]]] = [
    ("name the file", lambda t: replace(t, file="other.txt")),
    ("the narrative has 2 words", lambda t: replace(t, narrative="Too short.")),
    ("only one of parent and part", lambda t: replace(t, parent="D07")),
    ("background and part B", lambda t: replace(t, background="D01-A")),
    ("3 units", lambda t: replace(t, units=t.units[:3])),
    ("is not listed", lambda t: replace(t, units=t.units[1:])),
    (
        "label of u1 is not a full sentence",
        lambda t: replace(t, units=(replace(t.units[0], label="Strike"), *t.units[1:])),
    ),
    ("no document expresses u1", lambda t: replace(t, documents=t.documents[:0])),
    ("1 documents", lambda t: replace(t, documents=t.documents[:1])),
    ("is older than", lambda t: replace(t, documents=t.documents[::-1])),
    (
        "share the last date",
        lambda t: replace(t, documents=(*t.documents[:-1], replace(t.documents[-1], date=t.documents[-2].date))),
    ),
    ("has 0 words", lambda t: replace(t, documents=(replace(t.documents[0], sentences=()), *t.documents[1:]))),
    ("of the document sentences have no tag", lambda t: with_sentences_untagged(t)),
    ("models A, B, C", lambda t: replace(t, models=t.models[:3])),
    ("model A has 0 words", lambda t: replace(t, models=(replace(t.models[0], sentences=()), *t.models[1:]))),
    ("of the words of model A lie in tags", lambda t: with_model_untagged(t)),
    ("line ends with", lambda t: with_sentence(t, "This has no end")),
    ("more than one sentence", lambda t: with_sentence(t, "This ends. That begins.")),
    ("the sentence is also in", lambda t: with_sentence(t, t.models[0].sentences[0].text)),
]


def with_sentences_untagged(topic: SourceTopic) -> SourceTopic:
    documents = [
        replace(one, sentences=tuple(replace(sentence, spans=()) for sentence in one.sentences))
        for one in topic.documents
    ]
    return replace(topic, documents=tuple(documents))


def with_model_untagged(topic: SourceTopic) -> SourceTopic:
    first, *rest = topic.models
    bare = replace(first, sentences=tuple(replace(sentence, spans=()) for sentence in first.sentences))
    return replace(topic, models=(bare, *rest))


@pytest.mark.parametrize(("expected", "breaks"), BREAKS, ids=[name for name, _ in BREAKS])
def test_each_rule_can_fail(good: SourceTopic, expected: str, breaks: Callable[[SourceTopic], SourceTopic]) -> None:
    problems = check(breaks(good), others=())
    assert any(expected in str(problem) for problem in problems if problem.severity == "error")


def test_an_abbreviation_or_a_quotation_does_not_end_a_sentence(good: SourceTopic) -> None:
    for text in ("Dr. Anna B. Vell came.", '"It fell. We ran," said Mr. Ohm.', "It cost 2.5 crowns, No. 3 said."):
        assert not any("more than one sentence" in found for found in errors(with_sentence(good, text)))


def test_a_sentence_of_another_topic_is_a_copy(good: SourceTopic) -> None:
    assert any("is also in D99" in one for one in errors(good, replace(good, id="D99")))


def test_an_update_must_come_after_its_background(good: SourceTopic) -> None:
    update = replace(good, id="D07-B", file="D07-B.txt", parent="D07", part="B", background="D07")
    assert any("background D07 is not there" in one for one in errors(update))
    later = replace(good, documents=tuple(replace(one, date=one.date + timedelta(900)) for one in good.documents))
    assert any("begins before D07 ends" in one for one in errors(update, later))


def test_a_long_run_of_common_words_is_noted(good: SourceTopic) -> None:
    run = " ".join(good.documents[0].sentences[0].text.split()[:12])
    notes = [str(one) for one in check(with_sentence(good, f"Again {run} was said.")) if one.severity == "note"]
    assert notes == []  # within one document a writer may repeat himself
    last = good.documents[-1]
    copied = replace(last, sentences=(*last.sentences, Sentence(f"Again {run} was said.")))
    copy = replace(good, documents=(*good.documents[:-1], copied))
    assert any("is also in D07 kh-1" in str(one) for one in check(copy) if one.severity == "note")


def test_the_tagged_share_counts_words() -> None:
    sentence = Sentence("One two, three four.", (Span(0, 7, ("u1",)),))
    assert tagged_share([sentence]) == 0.5


def test_the_command_says_what_is_wrong_and_fails(
    tmp_path: Path, good: SourceTopic, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "D07.txt"
    path.write_text(render(good), encoding="utf-8")
    assert main([str(path)]) == 0
    assert "0 errors" in capsys.readouterr().out
    path.write_text(render(replace(good, models=good.models[:3])), encoding="utf-8")
    assert main([str(path)]) == 1
    assert "write models A, B, C, D in this order" in capsys.readouterr().out
    assert main([str(tmp_path / "absent.txt")]) == 1
    assert main([]) == 2
