"""Backgrounds, idf files and stop lists: what they mean, and what is said of files that are wrong."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyramidion.errors import InputError, PyramidionError, UsageError
from pyramidion.measures.backgrounds import Background, collection, load_background, load_stop_words, load_weights
from pyramidion.text.inputs import Collection, WordRules

RULES = WordRules(stop=frozenset({"the", "of"}))


def entry(found: Collection, form: str) -> tuple[float, float]:
    number = list(found.forms).index(form)
    return found.counts[number], found.weights[number]


def write(path: Path, content: str | bytes) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_equal_stems_add_up_and_stop_words_are_left_out() -> None:
    background = Background(name="", digest="", counts={"flood": 3, "floods": 4, "Flooded": 1, "the": 900, "it's": 5})
    found = collection(background, None, RULES)
    assert set(found.forms) == {"flood", "it", "s"}
    assert entry(found, "flood")[0] == 8
    assert entry(found, "it")[0] == entry(found, "s")[0] == 5  # as in a text
    assert found.size == 18


def test_document_frequencies_of_equal_stems_are_taken_for_independent() -> None:
    """df = D (1 − (1 − 50/100) (1 − 20/100)) = 60 of 100."""
    background = Background(
        name="", digest="", counts={"flood": 70, "floods": 30}, frequencies={"flood": 50, "floods": 20}, documents=100
    )
    assert entry(collection(background, None, RULES), "flood")[1] == pytest.approx(math.log(100 / 60))


def test_where_no_document_frequency_is_known_it_is_poisson_s() -> None:
    """df = D (1 − exp(−count / D)); idf is at most ln D, the weight of unseen words."""
    background = Background(name="", digest="", counts={"often": 7000, "once": 1, "hardly": 0.001})
    found = collection(background, None, RULES)
    assert entry(found, "often")[1] == pytest.approx(-math.log(1 - math.exp(-7000 / 5000)))
    assert entry(found, "onc")[1] == pytest.approx(math.log(5000), abs=1e-3)
    assert entry(found, "hardli")[1] == found.unseen == math.log(5000)


def test_a_word_of_every_document_weighs_nothing() -> None:
    background = Background(name="", digest="", counts={"word": 9}, frequencies={"word": 10}, documents=10)
    assert entry(collection(background, None, RULES), "word")[1] == 0


@pytest.mark.slow
def test_the_default_background_has_1_6_million_words_whatever_the_stop_list() -> None:
    """5,000 documents × 320 words; sizes move the cutoff of topic words, and stay."""
    background = load_background("wordfreq")
    for rules in (WordRules(), WordRules(stop=frozenset()), WordRules(stem=False)):
        found = collection(background, None, rules)
        assert found.size == pytest.approx(1_600_000)
        assert found.unseen == math.log(5000)
        assert (found.weights >= 0).all()
    assert background.name.startswith("wordfreq-")
    assert load_background("wordfreq").digest == background.digest


def test_the_default_background_knows_numbers() -> None:
    """wordfreq keeps one entry for all numbers of so many digits: years must not look as if nobody ever wrote them."""
    found = collection(load_background("wordfreq"), None, WordRules())
    years = sum(entry(found, str(year))[0] for year in range(1990, 2020))
    assert entry(found, "2015")[0] > 10 > entry(found, "3141")[0] > 0
    assert 500 < years < 50_000
    assert entry(found, "19th")[0] > 0


@pytest.mark.parametrize(
    "top", ["﻿word\tcount\tdf\r\n# documents: 1,000\r\n", "# documents: 1,000\n\nWord\tCount\n", "# documents: 1000\n"]
)
def test_a_background_file_is_read_with_and_without_document_frequencies(tmp_path: Path, top: str) -> None:
    background = load_background(write(tmp_path / "b.tsv", f"{top}flood\t3\t2\r\n\r\nriver\t7.5\r\n"))
    assert background.counts == {"flood": 3, "river": 7.5}
    assert background.frequencies == {"flood": 2}
    assert (background.documents, background.name) == (1000, "b.tsv")


def test_the_files_of_simetrix_are_read_as_the_tool_reads_them(tmp_path: Path) -> None:
    """As its source has it: blanks between, documents on the first line of idf, entries are words as they stand."""
    background = load_background(write(tmp_path / "bgFreqCounts.unstemmed.txt", "floods 3\nthe  90\nU.S. 7\nFlood 5\n"))
    weights = load_weights(write(tmp_path / "bgIdfValues.stemmed.txt", "2000\nflood 2.5\n1987 3.5\n"))
    assert (weights.documents, weights.idf) == (2000, {"flood": 2.5, "1987": 3.5})
    found = collection(background, weights, RULES, as_simetrix=True)
    assert found.size == 105
    assert entry(found, "flood") == (3, 2.5)  # the input is lower-cased, Flood never met
    assert found.unseen == math.log(2000)
    assert collection(background, weights, RULES).size == 22  # floods, u and s, flood


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    first = load_background(write(tmp_path / "b.tsv", "flood\t3\n"))
    second = load_background(write(tmp_path / "b.tsv", "flood\t33\n"))
    assert (first.counts, second.counts) == ({"flood": 3}, {"flood": 33})
    assert first.digest != second.digest


def test_weights_are_looked_up_by_stem_and_unseen_ones_are_those_of_one_document(tmp_path: Path) -> None:
    weights = load_weights(write(tmp_path / "idf.tsv", "flood\t2.5\nriver\t-0.1\n"))
    found = collection(None, weights, RULES)
    assert entry(found, "flood") == (0, 2.5)
    assert found.unseen == math.log(5000)
    both = collection(Background(name="", digest="", counts={"floods": 4, "new": 1}), weights, RULES)
    assert entry(both, "flood") == (4, 2.5)
    assert entry(both, "new") == (1, math.log(5000))


def test_stop_lists_are_lowered_and_named_ones_are_known(tmp_path: Path) -> None:
    assert load_stop_words(write(tmp_path / "stop.txt", "The\n\n  of \n"))[0] == {"the", "of"}
    assert len(load_stop_words("smart")[0]) == 596
    assert load_stop_words("none")[0] == frozenset()


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        ("flood,3\n", ["b.tsv:1: error: found 'flood,3'; expected word, count, df, with tabs between"]),
        ("prime minister 3\n", ["b.tsv:1: error: count: found 'minister'; expected a number from 0 up"]),
        ("flood\tmany\n", ["b.tsv:1: error: count: found 'many'; expected a number from 0 up"]),
        ("flood\t-1\nriver\tnan\nsea\tinf\n", ["b.tsv:1, 2, 3: error: count: found, for example, '-1'", "3 problems"]),
        ("flood\t1\nflood\t2\n", ["b.tsv:2: error: word: found 'flood' again; expected each once"]),
        ("flood\t1\t2\t3\n", ["b.tsv:1:"]),
        ("", ["b.tsv: error: found no word"]),
        ("# documents: few\nflood\t1\n", ["b.tsv:1: error: documents: found 'few'"]),
        ("flood\t9000\t6000\n", ["found a word in 6000 documents of 5,000", "# documents: N"]),
        (
            b"flood\t1\n\xff\xfe\t2\n",
            ["b.tsv:2: error: found byte 0xFF at column 1, which is not UTF-8; expected UTF-8 text"],
        ),
    ],
)
def test_everything_that_is_wrong_with_a_file_is_said_with_its_line(
    tmp_path: Path, content: str | bytes, messages: list[str]
) -> None:
    with pytest.raises(InputError) as error:
        load_background(write(tmp_path / "b.tsv", content))
    for message in messages:
        assert message in str(error.value)


def test_an_idf_file_has_two_columns(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected stem, idf, with tabs between"):
        load_weights(write(tmp_path / "idf.tsv", "flood\t1\t2\n"))
    with pytest.raises(InputError, match="expected a finite number"):
        load_weights(write(tmp_path / "idf.tsv", "flood\tinf\n"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"background=nowhere\.tsv: found no such file; give"):
        load_background("nowhere.tsv")
    with pytest.raises(UsageError, match=r"stop=.*give a file, smart or none"):
        load_stop_words(str(tmp_path))
    with pytest.raises(UsageError, match="idf=nowhere: "):
        load_weights("nowhere")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.one_of(st.binary(max_size=60), st.text("af\t\n1.-e# \r", max_size=40).map(str.encode)))
def test_any_bytes_are_a_background_or_refused(tmp_path: Path, content: bytes) -> None:
    path = write(tmp_path / "b.tsv", content + bytes(len(list(tmp_path.iterdir()))))
    try:
        background = load_background(path)
    except PyramidionError:
        return
    found = collection(background, None, WordRules())
    assert np.isfinite(found.weights).all()
    assert np.isfinite(found.counts).all()
