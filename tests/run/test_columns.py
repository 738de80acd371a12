"""Tables whose texts stay columns give the scores, warnings and errors of tables that are read row by row."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion.errors import PyramidionError
from pyramidion.files import opening
from pyramidion.intake import opened
from pyramidion.run.data import CampaignData

Rows = list[dict[str, Any]]
MEASURES = ["rouge-1", "rouge-2(models=best).f", "rouge-l.recall", "rougeLsum", "rouge1(stem=yes)"]
TEXTS = [
    "the cat sat",
    "a dog sat down\nand slept",
    # No letters but a–z: notes on dropped letters count texts of rows and of campaigns in their own way.
    "“quoted” – naive",
    "🚢 7",
    "",
    " \x1c",
    'he said \\"no\\": "yes" : no',
    "[]",
]

texts = st.sampled_from(TEXTS)
references = st.lists(texts, max_size=3) | texts | st.lists(st.lists(texts, min_size=1, max_size=2), max_size=2)
ids = st.sampled_from(["t1", "t2", "t3", "ref1"]) | st.integers(1, 3)
odd_cells: Mapping[str, st.SearchStrategy[Any]] = {
    "topic": st.sampled_from([None, "", 1.5, ["t1"], "x" * 300]),
    "summarizer": st.sampled_from([None, "", True, 2]),
    "summary": st.sampled_from([None, 7, ["the cat", "sat"], {"text": "x"}]),
    "references": st.sampled_from([None, 7, [None], ["a", 3], [["a"], "b"]]),
    "more": st.sampled_from([None, 1, "x", {"a": 1}]),
}


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    """Rows of topics × systems, in either order; sometimes with a few odd cells, or a row twice."""
    topics = {f"t{number}": draw(references) for number in range(draw(st.integers(1, 4)))}
    systems = draw(st.lists(st.sampled_from("ABC"), min_size=1, max_size=3, unique=True))
    rows = [
        {"topic": topic, "summarizer": system, "summary": draw(texts), "references": shared}
        for topic, shared in topics.items()
        for system in systems
    ]
    if draw(st.booleans()):
        rows.sort(key=lambda row: str(row["summarizer"]))
    for _ in range(draw(st.integers(0, 2))):
        row = draw(st.sampled_from(rows))
        column = draw(st.sampled_from(sorted(odd_cells)))
        row[column] = draw(odd_cells[column])
    if draw(st.integers(0, 9)) == 0:
        rows.append(dict(rows[0]))
    return rows


@pytest.fixture
def by_rows(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Within its context, tables are read row by row."""
    with monkeypatch.context() as patch:
        yield patch


def answer(data: Any, measures: list[str] | None = MEASURES, **options: Any) -> tuple[Any, ...]:
    """The scores and what is known of them, or the problems; and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            table = pyramidion.score(data, measures, **options)
        except PyramidionError as error:
            return ("error", str(error))
    messages = sorted({str(warning.message) for warning in caught})
    facts = (table.higher_is_better, table.unscored, table.notes, table.names, table.kinds, table.topic_count)
    return (table.to_polars().rows(), *facts, messages)


def both_answers(data: Any, patch: pytest.MonkeyPatch, **options: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The answer by columns, and the answer by rows."""
    columns = answer(data, **options)
    with patch.context() as inner:
        inner.setattr(CampaignData, "batches", lambda _: None)
        return columns, answer(data, **options)


def write_jsonl(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.slow
@given(rows=tables(), strict=st.booleans())
def test_json_lines_and_dictionaries_give_what_rows_give(
    rows: Rows, strict: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = write_jsonl(tmp_path_factory.mktemp("columns") / "rows.jsonl", rows)
    with pytest.MonkeyPatch.context() as patch:
        for data in (path, rows):
            columns, expected = both_answers(data, patch, strict=strict)
            assert columns == expected


@pytest.mark.parametrize("strict", [False, True])
def test_a_number_next_to_our_own_keys_is_a_score_by_columns_and_by_rows(
    strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was scored either way, but by columns with a warning that nothing uses it."""
    row = {"topic": "t1", "summarizer": "A", "summary": "the cat sat", "references": ["the cat"], "more": 1}
    columns, expected = both_answers([row], monkeypatch, strict=strict, measures=["rouge-1.f", "imported"])
    assert columns == expected
    scores, *_, messages = columns
    assert ("imported.more", "t1", "A", 1.0) in [score[:4] for score in scores]
    assert messages == []


@pytest.mark.slow
@given(rows=tables())
def test_sheets_give_what_rows_give(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A sheet with a column for each reference."""
    path = tmp_path_factory.mktemp("columns") / "sheet.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "system", "output", "ref1", "ref2", "judge"])
        for number, row in enumerate(rows):
            listed = row["references"] if isinstance(row["references"], list) else [row["references"]]
            cells = [str(cell) for cell in (*listed, "", "")[:2]]
            writer.writerow([row["topic"], row["summarizer"], row["summary"], *cells, number])
    with pytest.MonkeyPatch.context() as patch:
        columns, expected = both_answers(path, patch)
        assert columns == expected


@st.composite
def sheets(draw: st.DrawFn) -> Rows:
    """A sheet with a column of summaries for each system, sometimes with numbers of each, or a repeated topic."""
    systems = draw(st.lists(st.sampled_from(["summary_A", "summary_B", "summary_C"]), min_size=2, unique=True))
    has_numbers = draw(st.booleans())
    has_ids = draw(st.booleans())
    rows: Rows = []
    for number in range(draw(st.integers(1, 4))):
        row: dict[str, Any] = {"id": f"t{number}"} if has_ids else {}
        row["reference"] = draw(texts)
        for system in systems:
            row[system] = draw(texts | st.none())
            if has_numbers:
                row[system.replace("summary", "fluency")] = draw(st.integers(1, 5) | st.none())
                row[system.replace("summary", "depth")] = draw(st.integers(1, 5) | st.none())
        rows.append(row)
    if draw(st.integers(0, 9)) == 0:
        rows.append(dict(rows[0]))
    return rows


@pytest.mark.slow
@given(rows=sheets(), strict=st.booleans(), measures=st.sampled_from([MEASURES, ["rouge-1.f", "imported"], None]))
def test_sheets_with_a_column_per_system_give_what_rows_give(
    rows: Rows, strict: bool, measures: list[str] | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("columns")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame.write_csv(folder / "sheet.csv")
    frame.write_parquet(folder / "sheet.parquet")
    systems = "+".join(name for name in frame.columns if name.startswith("summary"))
    options = {"columns": {"summary": systems}, "strict": strict, "measures": measures}
    with pytest.MonkeyPatch.context() as patch:
        for data in (folder / "sheet.csv", folder / "sheet.parquet", write_jsonl(folder / "sheet.jsonl", rows)):
            columns, expected = both_answers(data, patch, **options)
            assert columns == expected


choices: Mapping[str, st.SearchStrategy[Any]] = {
    "peers": st.sampled_from(["systems", "participants", "humans", "all"]),
    "where": st.sampled_from([{}, {"topic": "t1"}, {"topic": "nowhere"}, {"part": "A"}, {"topic": "t0", "part": "A"}]),
    "exclude": st.sampled_from([[], ["A"], ["ref1"], ["A", "C"]]),
}


@pytest.mark.slow
@given(rows=tables(), choice=st.fixed_dictionaries({}, optional=choices), jackknife=st.booleans())
def test_what_is_chosen_of_a_table_is_what_rows_give(
    rows: Rows, choice: dict[str, Any], jackknife: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    measures = [*MEASURES, "rouge-1(jackknife=yes).f"] if jackknife else MEASURES
    path = write_jsonl(tmp_path_factory.mktemp("columns") / "rows.jsonl", rows)
    with pytest.MonkeyPatch.context() as patch:
        columns, expected = both_answers(path, patch, measures=measures, **choice)
        assert columns == expected


score_ids = st.sampled_from(["t0", "t1", "T1", "t2", "elsewhere"]), st.sampled_from(["A", "B", "a", "ref1", "nobody"])
score_rows = st.fixed_dictionaries(
    {"topic": score_ids[0], "summarizer": score_ids[1], "judge": st.integers(1, 5) | st.none(), "more": st.floats(0, 1)}
)


@pytest.mark.slow
@given(
    rows=tables(),
    scores=st.lists(score_rows, min_size=1, max_size=6, unique_by=lambda row: (row["topic"], row["summarizer"])),
    is_unnamed=st.booleans(),
    has_judge=st.booleans(),
    choice=st.fixed_dictionaries({}, optional=choices),
)
def test_scores_of_another_file_are_joined_as_rows_join_them(
    rows: Rows,
    scores: Rows,
    is_unnamed: bool,
    has_judge: bool,
    choice: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Also scores that say of no system whose they are, and those that the table has already."""
    folder = tmp_path_factory.mktemp("columns")
    if has_judge:  # under names that are not ours, so that a number is a score
        names = {"topic": "id", "summarizer": "model", "summary": "prediction"}
        rows = [{names.get(key, key): cell for key, cell in row.items()} for row in rows]
        rows = [{**row, "judge": number} for number, row in enumerate(rows)]
    frame = pl.DataFrame(scores, infer_schema_length=None)
    if is_unnamed:
        frame = frame.drop("summarizer").unique("topic", maintain_order=True)
    frame.write_csv(folder / "scores.csv")
    path = write_jsonl(folder / "rows.jsonl", rows)
    options = {"scores": [folder / "scores.csv"], "measures": ["rouge-1.f", "imported"], **choice}
    with pytest.MonkeyPatch.context() as patch:
        columns, expected = both_answers(path, patch, **options)
        assert columns == expected


def frame_of(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    schema: dict[str, Any] = {
        "topic": pl.String,
        "summarizer": pl.String,
        "summary": pl.String,
        "references": pl.List(pl.String),
    }
    usual = (str, list, type(None))
    cells = [{name: row[name] if isinstance(row[name], usual) else None for name in schema} for row in rows]
    for row in cells:
        row.update({name: "x" for name in ("topic", "summarizer", "summary") if isinstance(row[name], list)})
    return pl.DataFrame(cells, schema=schema)


@pytest.mark.slow
@given(rows=tables())
def test_frames_and_parquet_give_what_rows_give(rows: Rows, tmp_path_factory: pytest.TempPathFactory) -> None:
    for row in rows:
        if not isinstance(row["references"], list) or not all(isinstance(one, str) for one in row["references"]):
            row["references"] = ["the cat"]
    frame = frame_of(rows)
    path = tmp_path_factory.mktemp("columns") / "rows.parquet"
    frame.write_parquet(path)
    with pytest.MonkeyPatch.context() as patch:
        for data in (frame, path):
            columns, expected = both_answers(data, patch)
            assert columns == expected


SHAPES: Mapping[str, Rows] = {
    "our own names": [
        {"topic": "a", "summarizer": "A", "summary": "the cat sat", "references": ["the cat", "a cat sat"]},
        {"topic": "a", "summarizer": "B", "summary": "a dog", "references": ["the cat", "a cat sat"]},
    ],
    "other names, one reference": [
        {"id": 1, "model": "A", "prediction": "the cat sat", "target": "the cat"},
        {"id": 1, "model": "B", "prediction": "a dog", "target": "the cat"},
    ],
    "no ids, one system": [
        {"prediction": "the cat sat", "reference": "the cat"},
        {"prediction": "x", "reference": "y"},
    ],
    "no ids, two systems": [
        {"system": "A", "prediction": "the cat", "reference": "the cat"},
        {"system": "B", "prediction": "a dog", "reference": "the cat"},
        {"system": "A", "prediction": "the dog", "reference": "a dog"},
        {"system": "B", "prediction": "a dog", "reference": "a dog"},
    ],
    "sentences": [
        {"topic": "a", "summarizer": "A", "summary": ["the cat", "sat"], "references": [["the cat"], ["it", "sat"]]},
    ],
    "documents": [
        {"topic": "a", "summarizer": "A", "summary": "cat", "references": ["cat"], "documents": ["a cat sat"]},
        {"topic": "a", "summarizer": "B", "summary": "dog", "references": ["cat"], "documents": ["a cat sat"]},
    ],
    "strings next to lists of sentences": [
        {"topic": "a", "summarizer": "A", "summary": ["the cat", "sat"], "references": [["the cat"], "it\nsat"]},
        {"topic": "a", "summarizer": "B", "summary": "the cat sat", "references": [["the cat"], "it\nsat"]},
    ],
    "a column per system": [
        {
            "id": "x",
            "reference": "the cat",
            "summary_A": "the cat sat",
            "summary_B": "a dog",
            "depth_A": 1,
            "depth_B": 2,
        },
        {"id": "y", "reference": "a dog", "summary_A": "the cat", "summary_B": None, "depth_A": None, "depth_B": 3},
    ],
    "a judge's scores": [
        {"id": "x", "model": "A", "prediction": "the cat sat", "reference": "the cat", "gpt_judge": 3},
        {"id": "x", "model": "B", "prediction": "a dog", "reference": "the cat", "gpt_judge": None},
    ],
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_no_row_of_a_usual_table_becomes_an_object(
    shape: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = SHAPES[shape]
    path = tmp_path / f"table.{ending}"
    is_mixed = shape.startswith("strings")
    if is_mixed and ending != "jsonl":
        pytest.skip("its columns have one type")
    if ending == "jsonl":
        write_jsonl(path, rows)
    elif ending == "parquet":
        pl.DataFrame(rows).write_parquet(path)
    else:
        if any(isinstance(cell, list) for row in rows for cell in row.values()):
            pytest.skip("cells of CSV hold no lists")
        pl.DataFrame(rows).write_csv(path)
    systems = {"summary": "summary_A+summary_B"} if shape == "a column per system" else {}
    for options in ({}, {"measures": None}, {"peers": "all"}, {"peers": "humans", "where": {"topic": "x"}}):
        columns, expected = both_answers(path, monkeypatch, columns=systems, **options)
        assert columns == expected
        with monkeypatch.context() as patch:
            if not is_mixed:
                patch.setattr(CampaignData, "shards", None)
            assert answer(path, columns=systems, **options) == expected


def test_other_scores_are_joined_without_reading_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_jsonl(tmp_path / "mine.jsonl", SHAPES["our own names"])
    scores = tmp_path / "judge.csv"
    scores.write_text("topic,summarizer,judge\nA,b,2\na,A,1\n")
    names = ["rouge-1.f", "imported.judge"]
    with monkeypatch.context() as patch:
        patch.setattr(CampaignData, "shards", None)
        table = pyramidion.score(path, names, scores=[scores])
    assert table.only(["imported.judge"]).to_polars().select("topic", "summarizer", "value").rows() == [
        ("a", "A", 1.0),
        ("a", "B", 2.0),
    ]


def test_files_of_which_one_has_scores_are_columns_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = SHAPES["a judge's scores"]
    judged = write_jsonl(tmp_path / "judged.jsonl", rows)
    texts = [{**row, "model": "C"} for row in rows[:1]]
    plain = write_jsonl(tmp_path / "plain.jsonl", [{k: v for k, v in row.items() if k != "gpt_judge"} for row in texts])
    for paths in ([judged, plain], [plain, judged]):
        columns, expected = both_answers(paths, monkeypatch, measures=["rouge-1.f", "imported"])
        assert columns == expected


def test_the_scores_of_a_judge_are_columns_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_jsonl(tmp_path / "judged.jsonl", SHAPES["a judge's scores"])
    names = ["rouge-1.f", "imported.gpt_judge"]
    table = pyramidion.score(path, names)
    monkeypatch.setattr(CampaignData, "batches", lambda _: None)
    assert table == pyramidion.score(path, names)
    assert table.only(["imported.gpt_judge"]).to_polars()["value"].to_list() == [3.0]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_a_file_is_opened_once_and_asked_for_its_format_once(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = SHAPES["no ids, two systems"]
    path = tmp_path / f"table.{ending}"
    write_jsonl(path, rows) if ending == "jsonl" else None
    pl.DataFrame(rows).write_parquet(path) if ending == "parquet" else None
    pl.DataFrame(rows).write_csv(path) if ending == "csv" else None
    opens: list[Path] = []
    open_bytes = opening.open_bytes

    def counting(file: Path) -> Any:
        opens.append(file)
        return open_bytes(file)

    monkeypatch.setattr(opened, "open_bytes", counting)
    pyramidion.compare(path, "rouge-1.f")
    assert opens == [path]
