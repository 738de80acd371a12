"""Scores by columns are those by rows; a shard with anything odd in it is read by rows."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from flat_tables import flat_rows, write
from pyramidion.campaign import Problems
from pyramidion.campaign.flat.reading import Seen, stream_tables
from pyramidion.campaign.flat.tables import FlatTable, open_flat
from pyramidion.engines import run
from pyramidion.engines.shard import Scored, can_score_by_columns, score_table
from pyramidion.intake.opened import MemoryTable
from pyramidion.intake.summary_columns import SummaryColumns
from pyramidion.measures.registry import select_all
from pyramidion.scores import read_scores
from pyramidion.scores.stored import StoredScores

MEASURES = select_all(["rouge-1", "rouge-2(models=best).f", "rouge-l(jackknife=yes).recall", "rougeLsum"])
ORDER = ["measure", "topic", "summarizer"]
OURS = SummaryColumns()
SCHEMA: dict[str, Any] = {
    "topic": pl.String,
    "summarizer": pl.String,
    "summary": pl.String,
    "references": pl.List(pl.String),
}


def score_frame(frame: pl.DataFrame, columns: SummaryColumns = OURS, seen: Seen | None = None) -> Scored | None:
    table = FlatTable(Path("rows"), columns, opened=MemoryTable(frame))
    return score_table(table, MEASURES, Seen() if seen is None else seen, seed=0, exclude=(), empty="missing")


texts = st.sampled_from(["", "the cat", "a cat sat", "the dog sat down\nand slept", "Ünïcode", "no"])


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, Any]]:
    rows = []
    for topic in range(draw(st.integers(1, 4))):
        references = draw(st.lists(texts, min_size=0, max_size=3))
        for number in range(draw(st.integers(1, 3))):
            row = {"topic": f"t{topic}", "summarizer": f"s{number}", "summary": draw(st.none() | texts)}
            rows.append({**row, "references": references})
    return rows


@pytest.mark.filterwarnings("ignore")
@given(tables())
def test_columns_give_what_rows_give(rows: list[dict[str, Any]]) -> None:
    frame = pl.DataFrame(rows, schema=SCHEMA)
    found = score_frame(frame)
    assert found is not None
    scores, facts, summaries = found
    whole = pyramidion.score(frame.to_dicts(), MEASURES)
    assert scores.sort(ORDER).equals(whole.to_polars().sort(ORDER))
    assert summaries == sum(row["summary"] is not None for row in rows)
    assert facts.unscored == dict(whole.unscored)
    assert facts.topic_count == whole.topic_count


SENTENCES = pl.List(pl.String)
sentences = st.lists(st.sampled_from(["the cat sat", "and slept.", "", "Ünïcode\nletters", "a dog"]), max_size=3)


@pytest.mark.filterwarnings("ignore")
@given(tables(), st.data(), st.sampled_from([SENTENCES, pl.String]), st.sampled_from([SENTENCES, pl.String]))
def test_lists_of_sentences_give_what_rows_give(
    rows: list[dict[str, Any]], data: Any, summary: Any, inner: Any
) -> None:
    schema = {**SCHEMA, "summary": summary, "references": pl.List(inner)}
    references: dict[str, Any] = {}
    for row in rows:
        if summary == SENTENCES:
            row["summary"] = data.draw(st.none() | sentences)
        if inner == SENTENCES:
            row["references"] = references.setdefault(row["topic"], data.draw(st.lists(sentences, max_size=3)))
    frame = pl.DataFrame(rows, schema=schema)
    assert can_score_by_columns(OURS, frame.schema, MEASURES)
    found = score_frame(frame, seen=(seen := Seen()))
    assert found is not None
    whole = pyramidion.score(frame.to_dicts(), MEASURES)
    assert found[0].sort(ORDER).equals(whole.to_polars().sort(ORDER))
    assert found[1].unscored == dict(whole.unscored)
    by_rows = Seen()
    list(stream_tables([open_flat(MemoryTable(frame.to_dicts()), Problems())], Problems(), seen=by_rows))
    assert seen.keys.keys() == by_rows.keys.keys()
    assert {topic: digest for topic, (_, digest) in seen.topics.items()} == {
        topic: digest for topic, (_, digest) in by_rows.topics.items()
    }


@pytest.mark.parametrize("change", [{"summary": [None]}, {"references": [["a", None]]}, {"references": [None]}])
def test_a_sentence_that_is_missing_needs_a_second_look(change: dict[str, Any]) -> None:
    rows = [{**row, "summary": ["a", "b"], "references": [["a", "c"]]} for row in flat_rows(1)]
    schema = {**SCHEMA, "summary": SENTENCES, "references": pl.List(SENTENCES)}
    assert score_frame(pl.DataFrame(rows, schema=schema))
    frame = pl.DataFrame([{**row, **change} for row in rows], schema=schema)
    assert score_frame(frame) is None


@pytest.mark.parametrize(
    "change",
    [
        {"topic": None},
        {"topic": ""},
        {"summarizer": "ref2"},
        {"topic": "t0", "summarizer": "s0"},
        {"references": ["other references than in the first row"]},
        {"references": [None]},
        {"topic": "t" * 10_001},
        {"summarizer": "s" * 10_001},
    ],
)
def test_odd_rows_need_a_second_look(change: dict[str, Any]) -> None:
    rows = flat_rows(2)
    frame = pl.DataFrame([*rows[:4], {**rows[4], **change}], schema=SCHEMA)
    assert score_frame(frame) is None


def test_only_rouge_on_strings_goes_by_columns() -> None:
    schema = pl.Schema(SCHEMA)
    assert can_score_by_columns(OURS, schema, MEASURES)
    assert not can_score_by_columns(OURS, schema, select_all(["rouge-1(use=1)"]))
    assert not can_score_by_columns(OURS, schema, select_all(["js"]))
    assert not can_score_by_columns(OURS, pl.Schema({**SCHEMA, "topic": pl.Float64}), MEASURES)
    structs = pl.Schema({**SCHEMA, "references": pl.Struct({"text": pl.String})})
    assert not can_score_by_columns(OURS, structs, MEASURES)


@pytest.mark.filterwarnings("ignore")
@given(tables(), st.integers(1, 3))
def test_columns_of_strings_and_numbers_as_ids_give_what_rows_give(rows: list[dict[str, Any]], number: int) -> None:
    names = [f"reference_{place}" for place in range(number)]
    schema = {"id": pl.Int64, "system": pl.Int16, "prediction": pl.String, **dict.fromkeys(names, pl.String)}
    given = [
        {
            "id": int(row["topic"][1:]),
            "system": int(row["summarizer"][1:]),
            "prediction": row["summary"],
            **{name: [*row["references"], "the cat", "a dog", "no"][place] for place, name in enumerate(names)},
        }
        for row in rows
    ]
    frame = pl.DataFrame(given, schema=schema)
    columns = SummaryColumns(
        topic="id", summarizer="system", summary="prediction", references=tuple(names), documents=()
    )
    assert can_score_by_columns(columns, frame.schema, MEASURES)
    found = score_frame(frame, columns)
    assert found is not None
    roles = {"topic": "id", "summarizer": "system", "summary": "prediction", "references": "+".join(names)}
    whole = pyramidion.score(frame.to_dicts(), MEASURES, columns=roles)
    assert found[0].sort(ORDER).equals(whole.to_polars().sort(ORDER))


@pytest.mark.parametrize("reference", ['["a", "b"]', "[1] a list, perhaps", None])
def test_a_reference_that_may_be_a_list_or_is_missing_needs_a_second_look(reference: str | None) -> None:
    rows = [{**row, "references": "one text"} for row in flat_rows(1)]
    frame = pl.DataFrame([*rows, {**rows[0], "summarizer": "another", "references": reference}])
    assert score_frame(frame) is None


def test_numbers_next_to_the_texts_are_no_hindrance(tmp_path: Path) -> None:
    """Only the texts are read: neither a judge's scores nor judgments need rows."""
    rows = [{**row, "gpt_judge": 3.5, "judgments": [{"question": "q", "value": 1}]} for row in flat_rows(4)]
    judged = write(rows, tmp_path / "judged.parquet")
    columns = SummaryColumns(scores=("gpt_judge",))
    assert can_score_by_columns(columns, pl.read_parquet_schema(judged), MEASURES)
    options: dict[str, Any] = {"workers": 1, "partition": 3}
    pyramidion.score_into(judged, tmp_path / "judged", MEASURES, **options)
    pyramidion.score_into(write(flat_rows(4), tmp_path / "texts.parquet"), tmp_path / "texts", MEASURES, **options)
    for path in sorted((tmp_path / "texts" / "scores").iterdir()):
        assert read_scores(path) == read_scores(tmp_path / "judged" / "scores" / path.name)


def test_rows_without_ids_are_numbered_throughout_all_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [{"prediction": f"the cat sat {number}", "reference": "the cat sat"} for number in range(5)]
    path = tmp_path / "system.parquet"
    pl.DataFrame(texts).write_parquet(path)
    options: dict[str, Any] = {"workers": 1, "partition": 2}
    pyramidion.score_into(path, tmp_path / "columns", "rouge-1.f", **options)
    monkeypatch.setattr(run, "_can_score_by_columns", lambda *_: False)
    pyramidion.score_into(path, tmp_path / "rows", "rouge-1.f", **options)
    topics = [StoredScores.of(tmp_path / name).table().topics for name in ("columns", "rows")]
    assert topics == [("1", "2", "3", "4", "5")] * 2


@pytest.mark.parametrize("split", [False, True])
def test_a_shard_is_the_same_by_rows_and_by_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, split: bool
) -> None:
    rows = [{**row, "simulated": "texts", "documents": ["not read"]} for row in flat_rows(10)]
    if split:
        rows = [{**row, "summary": row["summary"] and row["summary"].split(" ")} for row in rows]
    data = write(rows, tmp_path / "flat.parquet")
    options: dict[str, Any] = {"workers": 1, "partition": 7}
    pyramidion.score_into(data, tmp_path / "columns", MEASURES, **options)
    monkeypatch.setattr(run, "_can_score_by_columns", lambda *_: False)
    pyramidion.score_into(data, tmp_path / "rows", MEASURES, **options)
    for path in sorted((tmp_path / "rows" / "scores").iterdir()):
        by_columns, by_rows = read_scores(tmp_path / "columns" / "scores" / path.name), read_scores(path)
        assert by_columns.to_polars().sort(ORDER).equals(by_rows.to_polars().sort(ORDER))
        assert (by_columns.notes, by_columns.kinds) == (by_rows.notes, by_rows.kinds)
