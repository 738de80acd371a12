"""Score tables: views, joins and files."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyramidion.errors import InputError, UsageError
from pyramidion.scores import Score, ScoreTable, read_scores, write_scores

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
rows = st.dictionaries(st.tuples(words, words, words), st.floats(allow_nan=False, allow_infinity=False), max_size=12)


def table_of(cells: dict[tuple[str, str, str], float], **facts: dict[str, bool]) -> ScoreTable:
    keys = list(cells)
    return ScoreTable.from_columns(
        measure=[key[0] for key in keys],
        topic=[key[1] for key in keys],
        summarizer=[key[2] for key in keys],
        value=list(cells.values()),
        signature=[f"{key[0]}|v:1" for key in keys],
        **facts,
    )


SMALL = table_of({("m", "t1", "a"): 1.0, ("m", "t2", "a"): 3.0, ("m", "t1", "b"): 5.0, ("n", "t1", "a"): 7.0})


def test_the_matrix_is_summarizers_by_topics_with_nan_for_what_is_missing() -> None:
    matrix = SMALL.matrix("m")
    assert (matrix.summarizers, matrix.topics) == (("a", "b"), ("t1", "t2"))
    assert np.array_equal(matrix.values, [[1.0, 3.0], [5.0, np.nan]], equal_nan=True)


def test_means_say_how_many_topics_are_missing() -> None:
    means = {(measure, summarizer): tuple(rest) for measure, summarizer, *rest in SMALL.means().iter_rows()}
    assert means == {("m", "a"): (2.0, 2, 0), ("m", "b"): (5.0, 1, 1), ("n", "a"): (7.0, 1, 1)}


def test_an_unknown_measure_says_which_there_are() -> None:
    with pytest.raises(UsageError, match="it has: m, n"):
        SMALL.matrix("x")


def test_joining_refuses_the_same_cell_twice() -> None:
    other = table_of({("o", "t1", "a"): 0.0})
    assert len(SMALL.join(other)) == 5
    with pytest.raises(InputError, match="more than once"):
        SMALL.join(SMALL)


facts = st.fixed_dictionaries(
    {
        "higher_is_better": st.dictionaries(words, st.booleans(), max_size=2),
        "unscored": st.dictionaries(words, st.integers(0, 9), max_size=2),
        "names": st.dictionaries(words, words, max_size=2),
        "kinds": st.dictionaries(words, st.sampled_from(["human", "baseline", "participant"]), max_size=2),
        "topic_count": st.integers(0, 99),
    }
)


@given(cells=rows, facts=facts, noted=st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.parametrize("ending", [".parquet", ".csv", ".jsonl"])
def test_a_file_comes_back_as_the_table_that_was_written(
    cells: dict[tuple[str, str, str], float], facts: dict[str, Any], noted: bool, ending: str, tmp_path: Path
) -> None:
    table = table_of(cells)
    notes = {measure: f"a note, about {measure!r}" for measure in table.measures if noted}
    table = replace(table, notes=notes, **(facts if ending == ".parquet" else {}))
    path = tmp_path / f"scores{ending}"
    write_scores(table, path)
    assert read_scores(path) == table


def test_tables_are_equal_if_all_that_a_file_holds_is() -> None:
    assert table_of({("m", "t", "a"): 1.0}) == table_of({("m", "t", "a"): 1.0})
    assert table_of({("m", "t", "a"): 1.0}) != table_of({("m", "t", "a"): 2.0})
    assert table_of({("m", "t", "a"): 1.0}) != replace(table_of({("m", "t", "a"): 1.0}), kinds={"a": "human"})


def test_rows_say_all_that_the_table_knows_of_them() -> None:
    table = replace(SMALL.only(["n"]), higher_is_better={"n": False}, notes={"n": "simulated"})
    assert list(table) == [Score("n", "t1", "a", 7.0, "n|v:1", False, "simulated")]
    assert list(ScoreTable.of(table)) == list(table)
    with pytest.raises(UsageError, match="both directions of the measure 'n'"):
        ScoreTable.of([Score("n", "t1", "a", 1), Score("n", "t1", "b", 1, higher_is_better=False)])


def test_parquet_keeps_signatures_directions_notes_and_names_in_its_metadata(tmp_path: Path) -> None:
    table = ScoreTable(frame=SMALL.frame, higher_is_better={"m": False}, notes={"m": "simulated"}, names={"a": "Anna"})
    path = tmp_path / "scores.parquet"
    write_scores(table, path)
    assert '"m|v:1"' in pl.read_parquet_metadata(path)["pyramidion"]
    read = read_scores(path)
    assert not read.is_higher_better("m")
    assert read.is_higher_better("n")
    assert (read.notes, read.names) == ({"m": "simulated"}, {"a": "Anna"})


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"topic,summarizer\n", b"measure,topic,summarizer,value\nm,t,a,high\n"]
)
def test_a_broken_file_is_an_input_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_scores(path)


def test_another_ending_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.parquet, \.csv, \.jsonl"):
        write_scores(SMALL, tmp_path / "scores.xlsx")


def test_pandas_and_polars_hold_the_same_rows() -> None:
    frame = SMALL.to_pandas()
    assert list(frame.columns) == SMALL.to_polars().columns
    assert frame["value"].tolist() == [1.0, 3.0, 5.0, 7.0]


def test_a_notebook_shows_means_and_escapes_names() -> None:
    shown = table_of({("<m>", "t", "<script>"): 0.5})._repr_html_()
    assert "0.5000" in shown
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_only_keeps_the_asked_measures() -> None:
    assert SMALL.only(["n"]).measures == ("n",)


def test_a_table_shows_itself_in_short() -> None:
    assert repr(ScoreTable()) == str(ScoreTable()) == "<ScoreTable: empty>"
    table = ScoreTable.from_columns(measure=["m", "n"], topic=["1", "1"], summarizer=["a", "a"], value=[0.5, 1])
    assert repr(table) == "<ScoreTable: 2 scores (m, n)>"
    assert "0.5" in str(table)
    assert "signature" not in str(table)
    many = ScoreTable.of(Score(f"m{number}", "1", "a", 0.5) for number in range(9))
    assert repr(many) == "<ScoreTable: 9 scores (m0, m1, m2, m3, m4, m5, …)>"
