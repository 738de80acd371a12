"""The public verbs on what users have at hand."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pytest

import pyramidion
from pyramidion.campaign import CampaignError, CampaignWarning
from pyramidion.errors import UsageError
from pyramidion.scores import read_scores, write_scores

JUDGE = "topic,summarizer,ppl\n1,A,3\n1,B,1\n2,A,4\n2,B,2\n"


def test_a_saved_table_keeps_names_directions_notes_and_signatures(tmp_path: Path) -> None:
    table = pyramidion.score("demo", ["rouge-2.recall", "question.focus"])
    write_scores(table, tmp_path / "scores.parquet")
    assert read_scores(tmp_path / "scores.parquet") == table
    assert pyramidion.score(tmp_path / "scores.parquet") == table


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_a_saved_text_table_is_data(tmp_path: Path, ending: str) -> None:
    table = pyramidion.score("demo", ["rouge-2.recall", "question.focus"])
    write_scores(table, tmp_path / f"scores{ending}")
    for again in (pyramidion.score(tmp_path / f"scores{ending}"), read_scores(tmp_path / f"scores{ending}")):
        key = ("measure", "topic", "summarizer")
        assert again.to_polars().sort(key).equals(table.to_polars().sort(key))
        assert again.notes == table.notes == {"question.focus": "simulated judgments"}


def test_where_low_is_good_it_stays_so_after_saving(tmp_path: Path) -> None:
    (tmp_path / "judge.csv").write_text(JUDGE, encoding="utf-8")
    table = pyramidion.score(tmp_path / "judge.csv", "imported(better=low).ppl")
    for ending in ("parquet", "csv", "jsonl"):
        write_scores(table, tmp_path / f"low.{ending}")
        assert pyramidion.compare(tmp_path / f"low.{ending}").standings[0].summarizer == "B"
    assert pyramidion.compare(table).standings[0].summarizer == "B"


def test_the_measures_of_a_saved_table_are_asked_for_by_their_names(tmp_path: Path) -> None:
    write_scores(pyramidion.score("demo", ["rouge-1", "rouge-2.f"]), tmp_path / "scores.parquet")
    assert pyramidion.score(tmp_path / "scores.parquet", "rouge-2.f").measures == ("rouge-2.f",)
    assert len(pyramidion.score(tmp_path / "scores.parquet", "rouge-1").measures) == 3


def test_load_raises_all_errors_and_warns_of_the_rest(tmp_path: Path) -> None:
    flat = tmp_path / "flat.jsonl"
    flat.write_text('{"topic": "1", "summarizer": "A", "summary": ""}\n', encoding="utf-8")
    with pytest.warns(CampaignWarning, match="2 warnings"):
        assert len(pyramidion.load(flat).summaries) == 1
    with pytest.raises(CampaignError):
        pyramidion.load(flat, strict=True)
    flat.write_text("{}\nnonsense\n", encoding="utf-8")
    with pytest.raises(CampaignError) as caught:
        pyramidion.load(flat)
    assert caught.value.problems.errors == 4


def test_progress_counts_every_summary() -> None:
    done: list[tuple[str, int, int | None]] = []
    pyramidion.score("demo", "rouge-1.recall", progress=lambda *step: done.append(step))
    assert {what for what, _, _ in done} == {"summaries scored"}
    assert sum(count for _, count, _ in done) == 220


def test_an_option_that_does_not_exist_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="there is no option 'excluded'"):
        pyramidion.score("demo", "rouge-1.recall", excluded=["16"])  # type: ignore[call-arg]


ROWS: list[dict[str, object]] = [
    {
        "topic": "1",
        "summarizer": "A",
        "summary": "a ferry burned",
        "references": ["the ferry burned"],
        "judgments": {"q": 3},
    },
    {"topic": "1", "summarizer": "B", "summary": "rain", "references": ["the ferry burned"]},
]


@pytest.mark.parametrize("form", [list, pandas.DataFrame, lambda rows: pl.DataFrame(rows, strict=False)])
def test_rows_in_memory_are_data_like_any_other(form: Callable[[list[dict[str, object]]], Any]) -> None:
    table = pyramidion.score(form(ROWS), ["rouge-1.recall", "question.q"])
    assert table.frame["value"].to_list() == pytest.approx([2 / 3, 0, 3])


def test_rows_in_memory_are_checked_like_a_file() -> None:
    rows: list[dict[str, object]] = [
        {"topic": "1", "summarizer": "A"},
        {"topic": ["2"], "summarizer": "A", "summary": "x"},
    ]
    problems = pyramidion.check(rows)
    assert [(problem.line, problem.field) for problem in problems if problem.severity == "error"] == [
        (1, "summary"),
        (2, "topic"),
    ]


@pytest.mark.parametrize("data", [3, [4], None])
def test_what_is_no_data_is_a_usage_error(data: Any) -> None:
    with pytest.raises(UsageError, match="data is a path"):
        pyramidion.load(data)


def test_a_table_of_scores_does_not_know_who_is_human(tmp_path: Path) -> None:
    (tmp_path / "judge.csv").write_text(JUDGE, encoding="utf-8")
    with pytest.raises(UsageError, match="who is human"):
        pyramidion.score(tmp_path / "judge.csv", peers="humans")


def test_several_files_of_scores_join_the_data(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("topic,summarizer,judge\n1,A,3\n1,B,1\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("topic,summarizer,imported.other\n1,A,5\n", encoding="utf-8")
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    asked = ["imported.judge", "imported.other"]
    table = pyramidion.score(ROWS, asked, scores=files)
    assert [(one.measure, one.summarizer, one.value) for one in table] == [
        ("imported.judge", "A", 3),
        ("imported.judge", "B", 1),
        ("imported.other", "A", 5),
    ]
    alone = pyramidion.score(files[0], scores=files[1:])
    assert [one[:4] for one in alone] == [one[:4] for one in table]
