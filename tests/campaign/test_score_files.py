"""Score tables from elsewhere: long and wide, CSV, TSV and Parquet."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.campaign import (
    ImportedScore,
    Problem,
    Problems,
    Source,
    read_names,
    read_score_file,
    write_score_file,
)
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import ScoreTable, read_scores, write_scores

names = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
measures = names.filter(
    lambda name: name == name.strip() and name not in {"topic", "summarizer", "signature", "measure", "value"}
)
finite = st.floats(allow_nan=False, allow_infinity=False)
Grid = dict[tuple[str, str], dict[str, float]]
grids: st.SearchStrategy[Grid] = st.lists(measures, min_size=1, max_size=3, unique=True).flatmap(
    lambda columns: st.dictionaries(
        st.tuples(names, names),
        st.fixed_dictionaries({}, optional=dict.fromkeys(columns, finite)),
        max_size=4,
    )
)


def scores_of(grid: Grid) -> list[ImportedScore]:
    return [
        ImportedScore(measure=measure, topic=topic, summarizer=summarizer, value=value)
        for (topic, summarizer), row in grid.items()
        for measure, value in row.items()
    ]


def long_rows(grid: Grid) -> list[list[Any]]:
    rows = [[one.topic, one.summarizer, one.measure, one.value] for one in scores_of(grid)]
    return [["topic", "summarizer", "measure", "value"], *rows]


def wide_rows(grid: Grid) -> list[list[Any]]:
    columns = sorted({measure for row in grid.values() for measure in row}) or ["m"]
    rows = [[*key, *(row.get(column, "") for column in columns)] for key, row in grid.items()]
    return [["topic", "summarizer", *columns], *rows]


def key_of(score: ImportedScore) -> tuple[str, str, str]:
    return score.measure, score.topic, score.summarizer


def assert_reads_back(path: Path, grid: Grid) -> None:
    problems = Problems()
    read = read_score_file(path, problems)
    assert list(map(str, problems)) == []
    assert sorted(read, key=key_of) == sorted(scores_of(grid), key=key_of)


@pytest.mark.parametrize("shape", [long_rows, wide_rows])
@pytest.mark.parametrize(("suffix", "separator"), [(".csv", ","), (".tsv", "\t"), (".tab", "\t")])
@settings(max_examples=40, deadline=None)
@given(grid=grids)
def test_a_text_table_is_read_as_it_was_written(suffix: str, separator: str, shape: Any, grid: Grid) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / f"scores{suffix}"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(shape(grid))
        assert_reads_back(path, grid)


@settings(max_examples=40, deadline=None)
@given(grid=grids)
def test_a_wide_parquet_table_is_read_as_it_was_written(grid: Grid) -> None:
    header, *rows = wide_rows(grid)
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "scores.parquet"
        data = [[None if cell == "" else cell for cell in row] for row in rows]
        schema = {name: pl.String if index < 2 else pl.Float64 for index, name in enumerate(header)}
        pl.DataFrame(data, schema=schema, orient="row").write_parquet(path)
        assert_reads_back(path, grid)


@settings(max_examples=40, deadline=None)
@given(grid=grids)
def test_a_long_parquet_table_is_read_back_equal(grid: Grid) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "scores.parquet"
        write_score_file(path, scores_of(grid))
        assert_reads_back(path, grid)


def read(path: Path, text: str) -> tuple[list[ImportedScore], list[Problem]]:
    path.write_bytes(text.encode())
    problems = Problems()
    return read_score_file(path, problems), list(problems)


@pytest.mark.parametrize("cell", ["", " ", "NA", "n/a", "null", "None"])
def test_an_empty_cell_is_a_missing_value_not_a_zero(tmp_path: Path, cell: str) -> None:
    scores, problems = read(tmp_path / "x.csv", f"topic,summarizer,m,n\nD1,S1,{cell},0\n")
    assert problems == []
    assert [(score.measure, score.value) for score in scores] == [("n", 0.0)]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_line_end_of_csv_is_fine(tmp_path: Path, ends: str) -> None:
    scores, problems = read(tmp_path / "x.csv", ends.join(["topic,summarizer,m", "D1,S1,0.5", ""]))
    assert problems == []
    assert [score.value for score in scores] == [0.5]


def test_a_byte_order_mark_is_a_warning(tmp_path: Path) -> None:
    scores, problems = read(tmp_path / "x.csv", "\ufefftopic,summarizer,m\nD1,S1,0.5\n")
    assert [(problem.severity, problem.line) for problem in problems] == [("warning", 1)]
    assert [score.topic for score in scores] == ["D1"]


@pytest.mark.parametrize(
    ("text", "line", "field", "found"),
    [
        ("", 1, None, "(none)"),
        ("topic,system,m\n", 1, None, "topic, system, m"),
        ("topic;summarizer;m\nD1;S1;0,5\n", 1, None, "topic;summarizer;m"),
        ("topic,summarizer\nD1,S1\n", 1, None, "topic, summarizer"),
        ("topic,summarizer,m,m\nD1,S1,1,2\n", 1, None, "topic, summarizer, m, m"),
        ("topic,summarizer,m\nD1,S1\n", 2, None, "2 cells"),
        ("topic,summarizer,m\n\nD1,S1,1,2\n", 3, None, "4 cells"),
        ("topic,summarizer,m\nD1,S1,good\n", 2, "m", "'good'"),
        ("topic,summarizer,m\nD1,S1,nan\n", 2, "m", "'nan'"),
        ("topic,summarizer,m\nD1,S1,-inf\n", 2, "m", "'-inf'"),
        ("topic,summarizer,m\nD1,S1,1e999\n", 2, "m", "'1e999'"),
        ("topic,summarizer,m\nD1,S1,1_000\n", 2, "m", "'1_000'"),
        ("topic,summarizer,m\nD1,,1\n", 2, "summarizer", "nothing"),
        ("topic,summarizer,m\n,S1,1\n", 2, "topic", "nothing"),
        ("topic,summarizer,measure,value\nD1,S1,,1\n", 2, "measure", "nothing"),
        ("topic,summarizer,m\nD1,S1,1\nD1,S1,2\n", 3, "measure, topic, summarizer", "first on line 2"),
        ('topic,summarizer,m\nD1,"S1,1\n', 2, None, "unexpected end of data"),
    ],
)
def test_a_wrong_table_is_an_error_with_its_place(
    tmp_path: Path, text: str, line: int, field: str | None, found: str
) -> None:
    _, (only,) = read(tmp_path / "x.csv", text)
    assert (only.severity, only.line, only.field) == ("error", line, field)
    assert found in only.found


def test_every_wrong_cell_is_listed(tmp_path: Path) -> None:
    scores, problems = read(tmp_path / "x.tsv", "topic\tsummarizer\tm\tn\nD1\tS1\tx\ty\nD2\tS1\t1\tz\nD3\tS1\t2\t3\n")
    assert [(problem.line, problem.field) for problem in problems] == [(2, "m"), (2, "n"), (3, "n")]
    assert [score.value for score in scores] == [1.0, 2.0, 3.0]


def test_numbers_serve_as_names_in_parquet(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"topic": [0, 641], "summarizer": [0, 27], "m": [1, 2]}).write_parquet(path)
    problems = Problems()
    scores = read_score_file(path, problems)
    assert len(problems) == 0
    assert [(score.topic, score.summarizer, score.value) for score in scores] == [("0", "0", 1.0), ("641", "27", 2.0)]


def test_a_table_of_scores_is_a_campaign_of_its_own(tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet"):
        path = tmp_path / f"judge{suffix}"
        frame = pl.DataFrame({"topic": ["D1"], "summarizer": ["S1"], "judge": [0.5]})
        frame.write_csv(path) if suffix == ".csv" else frame.write_parquet(path)
        problems = Problems()
        campaign = Source(path).read(problems)
        assert (campaign.name, campaign.topic_ids, len(problems)) == ("judge", ("D1",), 0)
        assert [score.measure for score in campaign.topic("D1").imported] == ["judge"]


def test_scores_of_a_folder_belong_to_its_summaries_and_stand_there_once(folder: Path) -> None:
    known = ImportedScore(measure="m", topic="D1", summarizer="S1", value=1)
    lost = ImportedScore(measure="m", topic="D1", summarizer="S9", value=1)
    write_score_file(folder / "scores" / "a.parquet", [known])
    write_score_file(folder / "scores" / "b.parquet", [known, lost])
    problems = Problems()
    Source(folder).read(problems)
    assert [(Path(problem.file).name, problem.line, problem.field) for problem in problems] == [
        ("b.parquet", 1, "measure, topic, summarizer"),
        ("b.parquet", 2, "topic, summarizer"),
    ]
    assert "also in a.parquet" in next(iter(problems)).found


def test_the_file_name_may_hold_characters_of_patterns(tmp_path: Path) -> None:
    path = tmp_path / "scores[1]*.parquet"
    write_score_file(path, [ImportedScore(measure="m", topic="D1", summarizer="S1", value=1)])
    assert len(Source(path).read(Problems()).imported) == 1


def test_a_score_table_of_ours_keeps_signatures_directions_notes_and_names(tmp_path: Path) -> None:
    table = ScoreTable(
        frame=ScoreTable.from_columns(
            measure=["m", "n"], topic=["D1", "D1"], summarizer=["S1", "S1"], value=[1, 2], signature=["m|v:1", ""]
        ).frame,
        higher_is_better={"m": False, "n": True},
        notes={"n": "simulated judgments"},
        names={"S1": "Anna"},
    )
    path = tmp_path / "scores.parquet"
    write_scores(table, path)
    problems = Problems()
    campaign = Source(path).read(problems)
    expected = [
        ImportedScore(
            measure="m", topic="D1", summarizer="S1", value=1, signature="m|v:1", higher_is_better=False, note=""
        ),
        ImportedScore(measure="n", topic="D1", summarizer="S1", value=2, note="simulated judgments"),
    ]
    assert (list(campaign.imported), len(problems)) == (expected, 0)
    assert campaign.name_of("S1") == "Anna"
    write_score_file(path, campaign.imported, names=read_names(path))
    assert (read_score_file(path, problems), read_names(path)) == (expected, {"S1": "Anna"})
    assert len(problems) == 0


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_the_signature_of_a_text_table_goes_with_its_values(tmp_path: Path, suffix: str) -> None:
    lines = ["topic,summarizer,m,n,signature", "D1,S1,1,2,judge|v:3", "D1,S2,1,,"]
    text = "\n".join(lines).replace(",", "," if suffix == ".csv" else "\t")
    scores, problems = read(tmp_path / f"x{suffix}", text)
    assert problems == []
    assert [(one.measure, one.summarizer, one.signature) for one in scores] == [
        ("m", "S1", "judge|v:3"),
        ("n", "S1", "judge|v:3"),
        ("m", "S2", ""),
    ]


def test_a_table_without_facts_has_neither_a_signature_column_nor_metadata(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_score_file(path, [ImportedScore(measure="m", topic="D1", summarizer="S1", value=1)])
    assert pl.read_parquet(path).columns == ["measure", "topic", "summarizer", "value"]
    assert "pyramidion" not in pl.read_parquet_metadata(path)


@pytest.mark.parametrize(
    "metadata",
    ["{", "[]", "7", '{"higher_is_better": {"m": "no"}}', '{"notes": {"m": 3}}', '{"names": []}', "[" * 100_000],
    ids=str.__len__,
)
def test_broken_metadata_is_an_error_that_names_the_file(tmp_path: Path, metadata: str) -> None:
    path = tmp_path / "x.parquet"
    frame = pl.DataFrame({"measure": ["m"], "topic": ["D1"], "summarizer": ["S1"], "value": [1.0]})
    frame.write_parquet(path, metadata={"pyramidion": metadata})
    problems = Problems()
    Source(path).read(problems)
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("error", str(path), "metadata pyramidion")
    with pytest.raises(InputError, match=r"x\.parquet"):
        read_scores(path)


def test_a_measure_has_one_direction(folder: Path) -> None:
    high = ImportedScore(measure="m", topic="D1", summarizer="S1", value=1)
    low = ImportedScore(measure="m", topic="D2", summarizer="S1", value=1, higher_is_better=False)
    with pytest.raises(UsageError, match="both directions of the measure 'm'"):
        write_score_file(folder / "scores" / "a.parquet", [high, low])
    write_score_file(folder / "scores" / "a.parquet", [high])
    write_score_file(folder / "scores" / "b.parquet", [low])
    problems = Problems()
    Source(folder).read(problems)
    (only,) = problems
    assert (Path(only.file).name, only.field) == ("b.parquet", "higher_is_better")
    assert "than in a.parquet" in only.found


@pytest.mark.parametrize(
    "columns",
    [
        {"topic": [["D1"]]},
        {"topic": [None]},
        {"value": ["high"]},
        {"value": [None]},
        {"measure": [{"a": 1}]},
    ],
    ids=str,
)
@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_a_column_that_cannot_be_taken_for_scores_is_an_input_error(
    tmp_path: Path, columns: dict[str, Any], ending: str
) -> None:
    frame = pl.DataFrame({"measure": ["m"], "topic": ["D1"], "summarizer": ["S1"], "value": [1.0]} | columns)
    path = tmp_path / f"x{ending}"
    frame.write_parquet(path) if ending == ".parquet" else frame.write_ndjson(path)
    with pytest.raises(InputError, match=f"x{ending}"):
        read_scores(path)


def test_numbers_serve_as_names_when_a_score_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"measure": ["m"], "topic": [641], "summarizer": [27], "value": [1]}).write_parquet(path)
    assert read_scores(path).to_polars().row(0) == ("m", "641", "27", 1.0, "")


def test_a_column_of_text_is_left_out_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "judge.csv"
    path.write_text("topic,summarizer,judge,reason\n1,A,4,good\n1,B,,\n2,A,3,too long\n", encoding="utf-8")
    problems = Problems()
    assert [(score.measure, score.value) for score in read_score_file(path, problems)] == [
        ("judge", 4.0),
        ("judge", 3.0),
    ]
    (problem,) = problems
    assert (problem.severity, problem.line, problem.field) == ("warning", 1, "reason")


def test_a_single_word_among_numbers_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "judge.csv"
    path.write_text("topic,summarizer,judge\n1,A,4\n1,B,good\n", encoding="utf-8")
    problems = Problems()
    read_score_file(path, problems)
    assert [(problem.severity, problem.line, problem.field) for problem in problems] == [("error", 3, "judge")]
