"""Rows as people have them: any file, any usual names, whole numbers as ids, one text as a reference."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pyarrow
import pytest
import zstandard

from pyramidion.campaign import Campaign, Problem, Problems
from pyramidion.campaign.sources import CampaignSource, FlatFiles, RowSource
from pyramidion.errors import UsageError

ROWS: list[dict[str, Any]] = [
    {"id": 1, "model": "A", "prediction": "a ferry burned", "reference": "the ferry burned", "article": "Fire at sea."},
    {"id": 2, "model": "A", "prediction": "rain", "reference": "it rained", "article": "Rain, again."},
    {"id": 1, "model": "B", "prediction": "a ship", "reference": "the ferry burned", "article": "Fire at sea."},
]


def jsonl(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def stream(path: Path, rows: list[dict[str, Any]]) -> None:
    pl.DataFrame(rows).write_ipc_stream(path)


Writer = Callable[[Path, list[dict[str, Any]]], object]
FILES: dict[str, Writer] = {
    "rows.jsonl": jsonl,
    "rows.json": lambda path, rows: path.write_text(json.dumps(rows)),
    "lines.json": jsonl,
    "columns.json": lambda path, rows: pandas.DataFrame(rows).to_json(path),
    "split.json": lambda path, rows: path.write_text(json.dumps({"data": rows, "version": 1})),
    "rows.csv": lambda path, rows: pandas.DataFrame(rows).to_csv(path),
    "semicolons.csv": lambda path, rows: pandas.DataFrame(rows).to_csv(path, sep=";", index=False),
    "rows.tsv": lambda path, rows: pandas.DataFrame(rows).to_csv(path, sep="\t", index=False),
    "rows.parquet": lambda path, rows: pl.DataFrame(rows).write_parquet(path),
    "rows.arrow": stream,
    "rows.feather": lambda path, rows: pl.DataFrame(rows).write_ipc(path),
}


def read(path: Path, columns: Mapping[str, str] | None = None) -> tuple[Campaign, Problems]:
    problems = Problems()
    return CampaignSource(path, columns or {}).read(problems), problems


def texts(campaign: Campaign) -> list[tuple[str, str, str]]:
    return [(one.topic, one.summarizer, str(one.text)) for one in campaign.summaries if one.kind == "peer"]


@pytest.mark.parametrize("packed", ["", ".gz", ".zst"])
@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_gives_the_same_campaign(tmp_path: Path, name: str, packed: str) -> None:
    path = tmp_path / name
    FILES[name](path, ROWS)
    if packed:
        content = path.read_bytes()
        pack = gzip.compress if packed == ".gz" else zstandard.compress
        path = tmp_path / f"{name}{packed}"
        path.write_bytes(pack(content))
    campaign, problems = read(path)
    assert list(map(str, problems)) == []
    assert texts(campaign) == [("1", "A", "a ferry burned"), ("2", "A", "rain"), ("1", "B", "a ship")]
    assert [(one.topic, one.text) for one in campaign.summaries if one.kind == "model"] == [
        ("1", "the ferry burned"),
        ("2", "it rained"),
    ]
    assert [topic.documents[0].text for topic in campaign.topics] == ["Fire at sea.", "Rain, again."]
    assert problems.remarks == [
        f"{path.name}: topic = id; summarizer = model; summary = prediction; references = reference; documents = article"
    ]


@pytest.mark.parametrize(
    "form",
    [
        list,
        pandas.DataFrame,
        lambda rows: pandas.DataFrame(rows).set_index("id"),
        pl.DataFrame,
        lambda rows: pl.DataFrame(rows).lazy(),
        pyarrow.Table.from_pylist,
        lambda rows: {key: [row[key] for row in rows] for key in rows[0]},
        iter,
    ],
)
def test_frames_tables_and_lists_are_rows_too(form: Callable[[list[dict[str, Any]]], Any]) -> None:
    problems = Problems()
    campaign = RowSource(form(ROWS)).read(problems)
    assert list(map(str, problems)) == []
    assert texts(campaign) == [("1", "A", "a ferry burned"), ("2", "A", "rain"), ("1", "B", "a ship")]


def of(*rows: dict[str, Any], columns: Mapping[str, str] | None = None) -> tuple[Campaign, list[Problem], str]:
    problems = Problems()
    campaign = RowSource(rows, columns or {}).read(problems)
    return campaign, list(problems), "\n".join(problems.remarks)


def test_summary_is_the_reference_where_another_column_is_clearly_the_prediction() -> None:
    campaign, problems, understood = of({"id": "x", "document": "d", "summary": "gold", "generated": "ours"})
    assert problems == []
    assert [(one.kind, one.text) for one in campaign.summaries] == [("model", "gold"), ("peer", "ours")]
    assert "summary = generated; references = summary" in understood


def test_two_columns_that_may_be_the_summary_are_one_error_with_what_to_type() -> None:
    _, (only,), _ = of(*[{"id": n, "summary": "a", "prediction": "b", "reference": "c"} for n in range(300)])
    assert "summary and prediction, which may both be" in only.found
    assert '`columns={"summary": "prediction"}`' in only.remedy


def test_columns_decide_what_is_unclear() -> None:
    row = {"n": 7, "who": "A", "summary": "a", "prediction": "b", "ref_a": "c", "ref_b": "d", "rating": 4, "judge": 2}
    columns = {"topic": "n", "summarizer": "who", "summary": "prediction", "references": "ref_a+ref_b"}
    campaign, problems, _ = of(row, columns=columns | {"judgments": "rating"})
    assert problems == []
    assert texts(campaign) == [("7", "A", "b")]
    assert [one.text for one in campaign.summaries if one.kind == "model"] == ["c", "d"]
    assert [(one.question, one.value) for one in campaign.judgments] == [("rating", 4)]
    assert [(one.measure, one.value) for one in campaign.imported] == [("judge", 2.0)]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.parquet"])
def test_each_column_may_be_a_system(tmp_path: Path, name: str) -> None:
    rows = [
        {"article": f"The text of article {n}.", "reference": f"r{n}", "gpt": f"g{n}", "llama": f"l{n}"}
        for n in range(2)
    ]
    FILES[name](tmp_path / name, rows)
    _, problems = read(tmp_path / name)
    assert [one.remedy for one in problems] == [
        'Name the columns of summaries, one per system: `columns={"summary": "gpt+llama"}`.'
    ]
    campaign, problems = read(tmp_path / name, {"summary": "gpt+llama"})
    assert list(map(str, problems)) == []
    assert texts(campaign) == [("1", "gpt", "g0"), ("1", "llama", "l0"), ("2", "gpt", "g1"), ("2", "llama", "l1")]
    assert "a system per column: gpt, llama" in problems.remarks[0]


def test_a_column_that_is_not_there_gets_a_did_you_mean() -> None:
    with pytest.raises(UsageError, match="has no column 'predictoin'; did you mean prediction"):
        of({"id": 1, "prediction": "a"}, columns={"summary": "predictoin"})
    with pytest.raises(UsageError, match="there is no role 'sumary'; did you mean summary"):
        of({"id": 1, "prediction": "a"}, columns={"sumary": "prediction"})


def test_no_column_of_summaries_is_one_error_that_lists_the_keys(tmp_path: Path) -> None:
    jsonl(tmp_path / "x.jsonl", [{"nr": n, "words": "some words"} for n in range(300)])
    _, problems = read(tmp_path / "x.jsonl")
    (only,) = problems
    assert only.found == "the columns nr (numbers, such as 0, 1, 2), words (1 value: some words)"
    assert '`columns={"summary": "words"}`' in only.remedy


def test_a_key_that_all_rows_of_a_folder_lack_is_one_error(tmp_path: Path) -> None:
    jsonl(tmp_path / "summaries.jsonl", [{"topic": str(n), "summarizer": "A", "kind": "peer"} for n in range(300)])
    _, problems = read(tmp_path)
    (only,) = problems
    assert (only.count, only.field, problems.errors) == (300, "text", 1)
    assert "their keys: topic, summarizer, kind" in only.found


def test_ids_join_however_they_are_written(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", [{"id": 1, "output": "x", "ref": "r"}, {"id": 2, "output": "y", "ref": "s"}])
    (tmp_path / "b.csv").write_text("id,output,ref\n1.0,x,r\n2.0,z,s\n", encoding="utf-8")
    jsonl(tmp_path / "c.jsonl", [{"id": "1", "output": "x"}, {"id": 2.0, "output": "y"}])
    problems = Problems()
    files = FlatFiles(tuple(tmp_path / name for name in ("a.jsonl", "b.csv", "c.jsonl")))
    campaign = files.read(problems)
    assert list(map(str, problems)) == []
    assert campaign.topic_ids == ("1", "2")
    assert texts(campaign) == [
        *(("1", "a", "x"), ("2", "a", "y"), ("1", "b", "x"), ("2", "b", "z"), ("1", "c", "x"), ("2", "c", "y"))
    ]
    assert len([one for one in campaign.summaries if one.kind == "model"]) == 2


def test_decimal_ids_stay_if_not_all_are_whole() -> None:
    campaign, _, _ = of(*[{"id": id, "prediction": "x", "reference": "r"} for id in ("1.0", "1.1", "2.0")])
    assert campaign.topic_ids == ("1.0", "1.1", "2.0")


def test_ids_in_our_own_lines_stay_as_they_are(tmp_path: Path) -> None:
    rows = [{"topic": topic, "summarizer": "2.0", "summary": "a b", "references": ["a"]} for topic in ("1", "1.0")]
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = [
        (one.topic, one.summarizer) for one in CampaignSource(path).read(Problems()).summaries if one.kind == "peer"
    ]
    assert found == [("1", "2.0"), ("1.0", "2.0")]


def test_ids_are_never_missing_by_their_spelling(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("id,output,ref\nNA,x,r\nnull,y,s\nnan,z,t\n,w,u\n", encoding="utf-8")
    campaign, problems = read(tmp_path / "x.csv")
    assert campaign.topic_ids == ("NA", "null", "nan")
    assert [(one.line, one.field) for one in problems] == [(5, "id")]


def test_files_without_ids_join_by_position(tmp_path: Path) -> None:
    for name in ("a", "b"):
        jsonl(tmp_path / f"{name}.jsonl", [{"output": f"{name}{n}", "ref": f"r{n}"} for n in range(2)])
    problems = Problems()
    campaign = FlatFiles((tmp_path / "a.jsonl", tmp_path / "b.jsonl")).read(problems)
    assert (len(problems), campaign.topic_ids) == (0, ("1", "2"))
    assert texts(campaign) == [("1", "a", "a0"), ("2", "a", "a1"), ("1", "b", "b0"), ("2", "b", "b1")]
    jsonl(tmp_path / "c.jsonl", [{"id": 1, "output": "x"}])
    FlatFiles((tmp_path / "a.jsonl", tmp_path / "c.jsonl")).read(problems)
    (only,) = problems
    assert "c.jsonl has the column 'id'" in only.expected


def test_rows_without_ids_are_numbered_for_each_summarizer() -> None:
    rows = [{"system": name, "output": f"{name}{n}", "ref": f"r{n}"} for name in "AB" for n in range(2)]
    campaign, problems, _ = of(*rows)
    assert (problems, campaign.topic_ids) == ([], ("1", "2"))


def test_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("gpt", "llama"):
        (tmp_path / folder).mkdir()
        jsonl(tmp_path / folder / "out.jsonl", [{"id": 1, "output": folder, "ref": "r"}])
    campaign = FlatFiles((tmp_path / "gpt" / "out.jsonl", tmp_path / "llama" / "out.jsonl")).read(Problems())
    assert [who for _, who, _ in texts(campaign)] == ["gpt/out", "llama/out"]


def test_a_null_text_is_a_hole_and_an_empty_one_an_empty_summary() -> None:
    rows = [{"id": n, "prediction": text, "reference": "r"} for n, text in enumerate([None, float("nan"), "", "x"])]
    campaign, problems, _ = of(*rows)
    assert texts(campaign) == [("2", "system", ""), ("3", "system", "x")]
    assert [(one.severity, one.found, one.count) for one in problems] == [
        ("warning", "an empty text", 1),
        ("warning", "2 rows without a summary", 2),
    ]


def test_missing_numbers_are_missing_scores_and_judgments() -> None:
    cells = [4, "NaN", "NA", "null", "", None, float("nan"), "3.5"]
    rows = [
        {"id": n, "prediction": "x", "reference": "r", "judge": cell, "judgments": {"q": cell, "p": {"A": cell}}}
        for n, cell in enumerate(cells)
    ]
    campaign, problems, _ = of(*rows)
    assert problems == []
    assert [(one.topic, one.value) for one in campaign.imported] == [("0", 4.0), ("7", 3.5)]
    assert [(one.topic, one.question, one.value) for one in campaign.judgments] == [
        *(("0", "q", 4), ("0", "p", 4), ("7", "q", 3.5), ("7", "p", 3.5))
    ]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ('["one", "two"]', ["one", "two"]),
        ("['one', \"it's two\"]", ["one", "it's two"]),
        ("['one' 'two']", ["one", "two"]),
        ("[1] one", ["[1] one"]),
        ("[one]", ["[one]"]),
    ],
)
def test_a_cell_may_hold_a_list_of_references(tmp_path: Path, cell: str, expected: list[str]) -> None:
    path = tmp_path / "x.csv"
    pandas.DataFrame([{"id": 1, "output": "x", "references": cell}]).to_csv(path)
    campaign, _ = read(path)
    assert [one.text for one in campaign.summaries if one.kind == "model"] == expected


def test_numbered_columns_are_several_references() -> None:
    campaign, _, understood = of(
        {"id": 1, "output": "x", "reference_2": "two", "reference_1": "one", "reference_10": "t"}
    )
    assert [one.text for one in campaign.summaries if one.kind == "model"] == ["one", "two", "t"]
    assert "references = reference_1, reference_2, reference_10" in understood


def test_unknown_keys_of_our_own_form_are_kept_and_not_scored(tmp_path: Path) -> None:
    jsonl(tmp_path / "x.jsonl", [{"topic": "1", "summarizer": "A", "summary": "x", "references": ["r"], "judge": 4}])
    campaign, problems = read(tmp_path / "x.jsonl")
    assert (len(campaign.imported), campaign.summaries[-1].unknown) == (0, {"judge": 4})
    assert [problem.field for problem in problems] == ["judge"]
    campaign, _ = read(tmp_path / "x.jsonl", {"scores": "judge"})
    assert campaign.imported.measures == ("judge",)


@pytest.mark.parametrize("name", ["x.jsonl.gz", "x.csv.zst", "x.parquet.gz"])
def test_damaged_compressed_files_are_one_error(tmp_path: Path, name: str) -> None:
    content = b"id,output,ref\n1,x,y\n" * 1000
    pack = zstandard.compress if name.endswith("zst") else gzip.compress
    (tmp_path / name).write_bytes(pack(content)[:-12])
    problems = Problems()
    CampaignSource(tmp_path / name).read(problems)
    assert problems.errors >= 1
