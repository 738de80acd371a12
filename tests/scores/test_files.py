"""Files of scores, ours and those of other programs: long and wide, CSV, TSV, JSON lines and Parquet."""

from __future__ import annotations

import csv
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.campaign import CampaignError, Problem, Problems
from pyramidion.campaign.sources import CampaignSource
from pyramidion.intake.roles import is_index
from pyramidion.scores import Score, ScoreTable, read_scores, table_builder, write_scores
from pyramidion.scores.reading import read_columns

names = st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
measures = names.filter(
    lambda name: (
        name == name.strip()
        and not is_index(name)  # such as ROWID: a column that only numbers the rows is no measure
        and name not in {"topic", "summarizer", "signature", "measure", "value", "note", "record"}
    )
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


def scores_of(grid: Grid) -> list[Score]:
    return [
        Score(measure=measure, topic=topic, summarizer=summarizer, value=value)
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


def assert_reads_back(path: Path, grid: Grid) -> None:
    problems = Problems()
    read = read_scores(path, problems)
    assert list(map(str, problems)) == []
    assert sorted(read) == sorted(scores_of(grid))


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
        write_scores(ScoreTable.of(scores_of(grid)), path)
        assert_reads_back(path, grid)


def read(path: Path, text: str) -> tuple[list[Score], list[Problem]]:
    path.write_bytes(text.encode())
    problems = Problems()
    return list(read_scores(path, problems)), list(problems)


@pytest.mark.parametrize("cell", ["", " ", "NA", "n/a", "null", "None"])
def test_an_empty_cell_is_a_missing_value_not_a_zero(tmp_path: Path, cell: str) -> None:
    scores, problems = read(tmp_path / "x.csv", f"topic,summarizer,m,n\nD1,S1,{cell},0\n")
    assert problems == []
    assert [(score.measure, score.value) for score in scores] == [("n", 0.0)]


def test_a_row_without_a_value_is_a_missing_value(tmp_path: Path) -> None:
    rows = ["topic,summarizer,measure,value", "D1,S1,m,", "D1,S2,m,1"]
    scores, problems = read(tmp_path / "x.csv", "\n".join(rows))
    assert ([score.summarizer for score in scores], problems) == (["S2"], [])


def test_columns_of_a_long_table_may_be_in_capitals(tmp_path: Path) -> None:
    scores, problems = read(tmp_path / "x.csv", "Topic,System,Measure,Value\nD1,S1,m,2")
    assert ([(score.measure, score.value) for score in scores], problems) == ([("m", 2.0)], [])


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
        ("subject,m\nD1,1\n", 1, None, "the columns subject (short texts, such as D1), m (numbers"),
        ("topic;summarizer;m\nD1;S1;half\n", 2, "m", "half"),
        ("topic,summarizer\nD1,S1\n", 1, None, "topic, summarizer"),
        ("topic,summarizer,m,m\nD1,S1,1,2\n", 1, None, "topic, summarizer, m, m"),
        ("topic,summarizer,m\nD1,S1\n", 2, None, "2 cells"),
        ("topic,summarizer,m\n\nD1,S1,1,2\n", 3, None, "4 cells"),
        ("topic,summarizer,m\nD1,S1,good\n", 2, "m", "'good'"),
        ("topic,summarizer,m\nD1,S1,-inf\n", 2, "m", "'-inf'"),
        ("topic,summarizer,m\nD1,S1,1e999\n", 2, "m", "'1e999'"),
        ("topic,summarizer,m\nD1,S1,1_000\n", 2, "m", "'1_000'"),
        ("topic,summarizer,m\nD1,,1\n", 2, "summarizer", "nothing"),
        ("topic,summarizer,m\n,S1,1\n", 2, "topic", "nothing"),
        ("topic,summarizer,measure,value\nD1,S1,,1\n", 2, "measure", "nothing"),
        ("topic,summarizer,m\nD1,S1,1\nD1,S1,2\n", 3, "topic, summarizer", "first on line 2"),
        ("topic,summarizer,measure,value\nD1,S1,m,1\nD1,S1,m,2\n", 3, "measure, topic, summarizer", "first on line 2"),
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
    scores = read_scores(path, problems)
    assert len(problems) == 0
    assert [(score.topic, score.summarizer, score.value) for score in scores] == [("0", "0", 1.0), ("641", "27", 2.0)]


def test_a_table_of_scores_is_a_campaign_of_its_own(tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet"):
        path = tmp_path / f"judge{suffix}"
        frame = pl.DataFrame({"topic": ["D1"], "summarizer": ["S1"], "judge": [0.5]})
        frame.write_csv(path) if suffix == ".csv" else frame.write_parquet(path)
        problems = Problems()
        campaign = CampaignSource(path).read(problems)
        assert (campaign.name, campaign.topic_ids, len(problems)) == ("judge", ("D1",), 0)
        assert [score.measure for score in campaign.topic("D1").imported] == ["judge"]


def test_the_file_name_may_hold_characters_of_patterns(tmp_path: Path) -> None:
    path = tmp_path / "scores[1]*.parquet"
    write_scores(ScoreTable.of([Score("m", "D1", "S1", 1)]), path)
    assert len(CampaignSource(path).read(Problems()).imported) == 1


def test_a_score_table_as_a_campaign_keeps_names_and_kinds(tmp_path: Path) -> None:
    table = replace(ScoreTable.of([Score("m", "D1", "S1", 1)]), names={"S1": "Anna"}, kinds={"S1": "human"})
    write_scores(table, tmp_path / "scores.parquet")
    campaign = CampaignSource(tmp_path / "scores.parquet").read(Problems())
    assert (campaign.name_of("S1"), campaign.kind_of("S1"), campaign.imported) == ("Anna", "human", table)


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


def test_a_table_without_facts_has_no_metadata(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    write_scores(ScoreTable.of([Score("m", "D1", "S1", 1)]), path)
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
    CampaignSource(path).read(problems)
    (only,) = problems
    assert (only.severity, only.file, only.field) == ("error", str(path), "metadata pyramidion")
    with pytest.raises(CampaignError, match=r"x\.parquet"):
        read_scores(path)


@pytest.mark.parametrize(
    "columns",
    [
        {"topic": [["D1"]]},
        {"topic": [None]},
        {"value": ["high"]},
        {"value": [[1.0]]},
        {"measure": [{"a": 1}]},
    ],
    ids=str,
)
@pytest.mark.parametrize("ending", [".parquet", ".jsonl"])
def test_a_column_that_cannot_hold_scores_is_an_error(tmp_path: Path, columns: dict[str, Any], ending: str) -> None:
    frame = pl.DataFrame({"measure": ["m"], "topic": ["D1"], "summarizer": ["S1"], "value": [1.0]} | columns)
    path = tmp_path / f"x{ending}"
    frame.write_parquet(path) if ending == ".parquet" else frame.write_ndjson(path)
    with pytest.raises(CampaignError, match=f"x{ending}"):
        read_scores(path)


def test_numbers_serve_as_names_when_a_score_table_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pl.DataFrame({"measure": ["m"], "topic": [641], "summarizer": [27], "value": [1]}).write_parquet(path)
    assert read_scores(path).to_polars().row(0) == ("m", "641", "27", 1.0, "")


def test_a_column_of_text_is_left_out_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "judge.csv"
    path.write_text("topic,summarizer,judge,verdict\n1,A,4,good\n1,B,,\n2,A,3,too long\n", encoding="utf-8")
    problems = Problems()
    assert [(score.measure, score.value) for score in read_scores(path, problems)] == [
        ("judge", 4.0),
        ("judge", 3.0),
    ]
    (problem,) = problems
    assert (problem.severity, problem.line, problem.field) == ("warning", 1, "verdict")


def test_a_single_word_among_numbers_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "judge.csv"
    path.write_text("topic,summarizer,judge\n1,A,4\n1,B,good\n", encoding="utf-8")
    problems = Problems()
    read_scores(path, problems)
    assert [(problem.severity, problem.line, problem.field) for problem in problems] == [("error", 3, "judge")]


def test_json_lines_may_be_wide_and_hold_words(tmp_path: Path) -> None:
    lines = [
        '{"topic": "D1", "summarizer": "S1", "judge": 4, "good": true, "why": ["short", "clear"]}',
        '{"topic": "D1", "summarizer": "S2", "judge": null, "good": false, "bert": 0.5}',
    ]
    scores, problems = read(tmp_path / "judge.jsonl", "\n".join(lines))
    assert [(one.measure, one.summarizer, one.value) for one in scores] == [
        ("judge", "S1", 4.0),
        ("good", "S1", 1.0),
        ("good", "S2", 0.0),
        ("bert", "S2", 0.5),
    ]
    assert [(problem.severity, problem.field) for problem in problems] == [("warning", "why")]


@pytest.mark.parametrize(
    ("line", "field", "found"),
    [
        ("[1]", None, "object"),
        ("{", None, "truncated"),
        ('{"topic": "D1", "measure": "m", "value": 1}', "summarizer", "no such key"),
        ('{"topic": "D1", "summarizer": "S1", "measure": "m"}', "value", "no such key"),
        ('{"topic": "D1", "summarizer": "S1", "measure": ["m"], "value": 1}', "measure", "['m']"),
        ('{"topic": "D1", "summarizer": "S1", "measure": "m", "value": "high"}', "m", "'high'"),
        ('{"topic": "D1", "summarizer": "", "measure": "m", "value": 1}', "summarizer", "nothing"),
    ],
)
def test_a_wrong_line_of_json_is_an_error_with_its_place(
    tmp_path: Path, line: str, field: str | None, found: str
) -> None:
    good = '{"topic": "D1", "summarizer": "S0", "measure": "m", "value": 1}'
    scores, (only,) = read(tmp_path / "x.jsonl", f"{good}\n{line}\n")
    assert (only.severity, only.line, only.field) == ("error", 2, field)
    assert found in only.found
    assert [one.summarizer for one in scores] == ["S0"]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("x.csv", "", True),
        ("x.TSV", "", True),
        ("x.jsonl", '{"topic": "1", "summarizer": "A", "measure": "m", "value": 1}', True),
        ("x.ndjson", '{"topic": "1", "summarizer": "A", "judge": 1}', True),
        ("x.jsonl", '{"topic": "1", "summarizer": "A", "summary": "text", "length": 1}', False),
        ("x.jsonl", '{"topic": "1", "summarizer": "A"}', False),
        ("x.jsonl", '{"topic": "1", "summarizer": "A", "kind": "peer", "text": "x"}', False),
        ("x.jsonl", "nonsense", False),
        ("x.jsonl", "", False),
        ("x.parquet", "nonsense", False),
    ],
)
def test_what_is_a_score_table(tmp_path: Path, name: str, text: str, expected: bool) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert (CampaignSource(tmp_path / name).kind == "scores") is expected


def test_several_files_may_not_hold_the_same_score(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("topic,summarizer,judge,other\nD1,S1,1,2\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("topic,summarizer,imported.judge\nD1,S1,1\nD1,S2,3\n", encoding="utf-8")
    problems = Problems()
    first, second = read_columns([tmp_path / "a.csv", tmp_path / "b.csv"], problems).values()
    (only,) = problems
    assert (only.severity, Path(only.file).name, only.field) == ("error", "b.csv", "measure, topic, summarizer")
    assert f"{tmp_path / 'a.csv'} has already, the first for ('judge', 'D1', 'S1')" in only.found
    assert (first.measures, [(one.measure, one.summarizer) for one in second]) == (
        ("judge", "other"),
        [("judge", "S2")],
    )


def test_columns_to_join_have_names_without_imported(tmp_path: Path) -> None:
    names = ["imported.judge", 'imported."gpt 4"', "rouge-2.recall", "imported(better=low).x", "y", "imported.y"]
    path = tmp_path / "scores.parquet"
    write_scores(ScoreTable.of(Score(name, "D1", "S1", 1) for name in names), path)
    assert read_scores(path).measures == tuple(names)
    (table,) = read_columns([path, path], Problems()).values()
    assert table.measures == ("judge", "gpt 4", *names[2:])


def test_columns_of_several_kinds_keep_their_order_and_values(tmp_path: Path) -> None:
    """Numbers, text with numbers, nothing at all, and reasons: each as if it were the only column."""
    frame = pl.DataFrame(
        {
            "topic": ["t1", "t2"],
            "summarizer": ["a", "a"],
            "whole": [1, 2],
            "text": ["0.5", "n/a"],
            "decimal": [0.25, None],
            "reason": ["good", "bad"],
            "line": [7, 8],
            "nothing": [None, None],
        }
    )
    frame.write_parquet(tmp_path / "wide.parquet")
    problems = Problems()
    table = read_scores(tmp_path / "wide.parquet", problems)
    assert [(one.measure, one.topic, one.value) for one in table] == [
        ("whole", "t1", 1.0),
        ("text", "t1", 0.5),
        ("decimal", "t1", 0.25),
        ("line", "t1", 7.0),
        ("whole", "t2", 2.0),
        ("line", "t2", 8.0),
    ]
    assert list(problems) == []
    assert table.reasons is not None
    assert table.reasons["reason"].to_list() == ["good", "bad"]


def test_many_columns_are_turned_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    numbers = table_builder._numbers

    def counted(cells: pl.Series) -> dict[str, pl.Series]:
        calls.append(len(cells))
        return numbers(cells)

    monkeypatch.setattr(table_builder, "_numbers", counted)
    path = tmp_path / "wide.csv"
    names = [f"metric-{number}" for number in range(300)]
    path.write_text(f"topic,summarizer,{','.join(names)}\nt,a,{','.join(['0.5'] * 300)}\n", encoding="utf-8")
    assert read_scores(path).measures == tuple(names)
    assert calls == [300]
