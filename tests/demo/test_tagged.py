"""The tagged text: what is parsed, what is refused, and that nothing makes it stumble."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.demo_campaign.tagged import (
    Sentence,
    SourceDocument,
    SourceModel,
    SourceTopic,
    Span,
    Unit,
    parse,
    parse_file,
    parse_sentence,
    render,
    render_sentence,
)

SMALL = """\
topic: D03-A
parent: D03
part: A
title: Collapse of the Kessel rail bridge
narrative: Describe the collapse.
attributes: category=accident, scale=local

== units
u1: The bridge collapsed.
u2: Two wagons fell into the river.

== document kb-1 | 2031-03-03 | Rail bridge falls at Kessel
{u1|The old bridge gave way on Monday}, {u2|tipping two wagons into the Orne}.

Witnesses thought of an earthquake.

== model A
{u1,u2|The bridge fell} and, {u2|with it, two wagons}.
"""


def problems_of(text: str) -> list[str]:
    return [problem.found for problem in parse(text, file="x.txt").problems]


def test_the_parts_of_a_file_arrive_where_they_belong() -> None:
    topic = parse(SMALL).topic
    assert topic is not None
    assert (topic.id, topic.parent, topic.part, topic.background) == ("D03-A", "D03", "A", None)
    assert topic.attributes == (("category", "accident"), ("scale", "local"))
    assert [unit.label for unit in topic.units] == ["The bridge collapsed.", "Two wagons fell into the river."]
    assert [(one.id, one.date, one.headline) for one in topic.documents] == [
        ("kb-1", date(2031, 3, 3), "Rail bridge falls at Kessel")
    ]
    assert topic.weights() == {"u1": 1, "u2": 1}


def test_offsets_point_at_the_tagged_words_of_the_untagged_sentence() -> None:
    sentence, faults = parse_sentence("{u1|Été — the 🌉 fell}, {u2|two wagons} and {u1|a man} drowned.")
    assert not faults
    assert sentence.text == "Été — the 🌉 fell, two wagons and a man drowned."
    assert [sentence.text[start:end] for start, end in sentence.parts("u1")] == ["Été — the 🌉 fell", "a man"]
    assert sentence.units == ("u1", "u2")


def test_blank_lines_are_ignored_and_lines_keep_their_numbers() -> None:
    topic = parse(SMALL).topic
    assert topic is not None
    assert [sentence.line for sentence in topic.documents[0].sentences] == [13, 15]


def test_all_problems_come_at_once_with_their_lines() -> None:
    text = SMALL.replace("2031-03-03", "3 March").replace("u2: Two", "second: Two").replace("{u1|The", "{u1 The")
    found = parse(text, file="x.txt")
    assert found.topic is None
    assert [problem.line for problem in found.problems] == [10, 12, 13]
    assert all(problem.remedy for problem in found.problems)
    assert str(found.problems[1]).startswith("x.txt:12: error: '3 March' is not a date; ")


def test_broken_tags_are_named() -> None:
    cases = {
        "A {u1|b {u2|c} d}.": "stray",
        "A {u1 b} c.": "stray",
        "A {x|b} c.": "'x' is not a unit id",
        "A {u1|} c.": "no words",
        "A {u1| b} c.": "begins or ends with a blank",
        "A {u1,u1|b} c.": "a unit is named twice",
        "A s{u1|pl}it word.": "cuts a word",
    }
    for line, expected in cases.items():
        _, faults = parse_sentence(line)
        assert any(expected in found for found, _ in faults), line


def test_duplicates_are_refused() -> None:
    for line in ("title: Again", "== model A", "== document kb-1 | 2031-03-04 | Again"):
        text = SMALL + line + "\n" if line.startswith("==") else line + "\n" + SMALL
        assert any("twice" in found for found in problems_of(text)), line
    assert "unit u1 is given twice" in problems_of(SMALL.replace("u2: ", "u1: "))


def test_missing_header_and_unknown_sections_are_refused() -> None:
    assert {"the header has no topic", "the header has no title", "the header has no narrative"} == set(problems_of(""))
    assert "unknown section 'notes'" in problems_of(SMALL + "== notes\n")


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"topic: \xff")
    assert "not UTF-8" in parse_file(tmp_path / "latin.txt").problems[0].found
    assert "cannot be read" in parse_file(tmp_path / "absent.txt").problems[0].found
    assert "cannot be read" in parse_file(tmp_path).problems[0].found


words = st.text(st.characters(categories=["L", "N"], include_characters="-’"), min_size=1, max_size=8)
phrases = st.lists(words, min_size=1, max_size=5).map(" ".join)
unit_ids = st.lists(st.integers(1, 40).map("u{}".format), min_size=1, max_size=3, unique=True).map(tuple)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    pieces = draw(st.lists(st.tuples(phrases, st.none() | unit_ids), min_size=1, max_size=5))
    spans, length = [], 0
    for phrase, units in pieces:
        if units is not None:
            spans.append(Span(length, length + len(phrase), units))
        length += len(phrase) + 1
    text = " ".join(phrase for phrase, _ in pieces) + "."
    return Sentence(text, tuple(spans))


texts = st.lists(sentences(), min_size=1, max_size=3).map(tuple)
ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,5}", fullmatch=True)


@st.composite
def topics(draw: st.DrawFn) -> SourceTopic:
    documents = draw(st.lists(st.tuples(ids, st.dates(), phrases, texts), max_size=3, unique_by=lambda one: one[0]))
    models = draw(st.lists(st.tuples(ids, texts), max_size=3, unique_by=lambda one: one[0]))
    numbers = draw(st.lists(st.integers(1, 99), unique=True, max_size=5))
    return SourceTopic(
        id=draw(ids),
        title=draw(phrases),
        narrative=draw(phrases),
        units=tuple(Unit(f"u{number}", draw(phrases)) for number in numbers),
        documents=tuple(SourceDocument(*fields) for fields in documents),
        models=tuple(SourceModel(*fields) for fields in models),
        parent=draw(st.none() | ids),
        part=draw(st.none() | ids),
        background=draw(st.none() | ids),
        attributes=tuple(draw(st.lists(st.tuples(ids, words), max_size=2))),
    )


@given(topics())
@settings(max_examples=100, deadline=None)
def test_what_is_rendered_parses_back(topic: SourceTopic) -> None:
    parsed = parse(render(topic))
    assert parsed.problems == ()
    assert parsed.topic == topic


@given(st.text())
def test_any_text_gives_a_topic_or_problems(text: str) -> None:
    parsed = parse(text)
    assert (parsed.topic is None) == bool(parsed.problems)


@given(st.text(alphabet="{}|,u123 ab.=:-\n", max_size=200))
def test_text_made_of_the_forms_own_signs_gives_a_topic_or_problems(noise: str) -> None:
    for text in (noise, SMALL + noise, SMALL.replace("Witnesses", noise)):
        parsed = parse(text)
        assert (parsed.topic is None) == bool(parsed.problems)


@given(st.text(alphabet="{}|,u12 ab.", max_size=60))
def test_a_sentence_without_faults_renders_back_to_its_line(line: str) -> None:
    sentence, faults = parse_sentence(line)
    if not faults:
        assert all(0 <= span.start < span.end <= len(sentence.text) for span in sentence.spans)
        assert parse_sentence(render_sentence(sentence)) == (sentence, ())
        assert not set(sentence.text) & set("{}|")


@given(st.binary())
@settings(deadline=None)
def test_any_bytes_give_a_topic_or_problems(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.txt"
        path.write_bytes(content)
        parsed = parse_file(path)
    assert (parsed.topic is None) == bool(parsed.problems)
