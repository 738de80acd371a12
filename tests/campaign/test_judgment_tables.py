"""Tables of judgments as people have them: long or wide, with the names of columns that are usual."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.campaign import Problems
from pyramidion.campaign.judgment_tables import read_judgments, without_repeats
from pyramidion.errors import UsageError

Answers = list[tuple[str, str, str, str, float]]


def read(path: Path, **columns: str) -> tuple[Answers, Problems]:
    problems = Problems()
    table = read_judgments(path, problems, columns)
    found = [(one.topic, one.summarizer, one.assessor, one.question, one.value) for _, one in table.answers]
    return found, problems


def put(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


LONG: Answers = [("1", "27", "ann", "fluency", 3), ("2", "27", "ann", "fluency", 4.5)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "topic,summarizer,assessor,question,value\n1,27,ann,fluency,3\n2,27,ann,fluency,4.5\n"),
        ("a.tsv", "doc_id\tSystem\trater\tdimension\tscore\n1\t27\tann\tfluency\t3\n2\t27\tann\tfluency\t4.5\n"),
        ("a.csv", ",Topic ID,model,annotator,fluency\n0,1,27,ann,3.0\n1,2,27,ann,4.5\n"),
        ("a.csv", "topic;system;judge;fluency;why\r\n1;27;ann;3;good\r\n2;27;ann;4.5;\r\n3;27;ann;NaN;\r\n"),
        ("a.jsonl", '{"id": 1, "model": 27, "worker": "ann", "fluency": 3}\n{"id": 2.0, "model": "27", "worker": "ann",'
         ' "fluency": 4.5}\n{"id": 3, "model": 27, "worker": "ann", "fluency": null}\n'),
    ],
)  # fmt: skip
def test_long_and_wide_tables_are_understood(tmp_path: Path, name: str, text: str) -> None:
    found, problems = read(put(tmp_path / name, text))
    assert found == LONG
    assert problems.errors == 0


def test_parquet_with_integer_ids_is_understood(tmp_path: Path) -> None:
    pl.DataFrame({"id": [1, 2], "system": [27, 27], "rater": ["ann", "ann"], "fluency": [3.0, 4.5]}).write_parquet(
        tmp_path / "a.parquet"
    )
    assert read(tmp_path / "a.parquet") == (LONG, Problems())


def test_columns_that_are_named_decide(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "id,name,who,Q1,Q2\n1,27,ann,3,9\n")
    found, problems = read(path)
    assert found == []
    assert "`columns={" in str(next(iter(problems)))
    found, problems = read(path, summarizer="name", assessor="who", fluency="Q1")
    assert found == LONG[:1]
    with pytest.raises(UsageError, match="has no column 'nome'; it has: id, name, who, Q1, Q2"):
        read(path, summarizer="nome")


def test_optional_fields_are_kept(tmp_path: Path) -> None:
    path = put(
        tmp_path / "a.csv", "topic,system,fluency,run,seconds,comment\n1,27,3,2,12.5,hm\n1,28,3,,,\n1,29,3,x,,\n"
    )
    problems = Problems()
    table = read_judgments(path, problems)
    assert [(one.run, one.seconds, one.comment) for _, one in table.answers] == [(2, 12.5, "hm"), (1, None, "")]
    assert [(one.severity, one.line) for one in problems] == [("error", 4)]


def test_words_where_a_number_belongs_are_an_error_with_their_place(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "topic,system,fluency\n1,27,3\n2,27,high\n")
    _, problems = read(path)
    assert [(one.severity, one.line, one.field, one.found) for one in problems] == [("error", 3, "fluency", "'high'")]


def test_an_answer_that_is_repeated_counts_once_and_two_answers_are_an_error(tmp_path: Path) -> None:
    path = put(tmp_path / "a.csv", "topic,system,fluency\n1,27,3\n1,27,3\n2,27,1\n2,27,2\n")
    problems = Problems()
    table = read_judgments(path, problems)
    kept = without_repeats({path: table}, problems)
    assert [one.value for one in kept] == [3, 1]
    assert [(one.severity, one.line) for one in problems] == [("error", 5), ("warning", None)]


@given(st.lists(st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.integers() | st.text(max_size=5) |
                                st.floats() | st.lists(st.integers(), max_size=2), max_size=5), max_size=4))  # fmt: skip
def test_no_rows_whatever_end_in_a_traceback(rows: list[dict[str, object]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        problems = Problems()
        table = read_judgments(path, problems)
        without_repeats({path: table}, problems)
        assert table.answers or problems.errors or all(len(row) < 3 or len(row) >= 3 for row in rows)
