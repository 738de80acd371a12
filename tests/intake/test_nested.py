"""Paths into cells give what a table with that column gives, from every kind of file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import pyramidion
from pyramidion.campaign import CampaignWarning
from pyramidion.errors import UsageError
from pyramidion.intake.nested import look_up

TOPICS = ("t1", "t2", "t3")
OUTPUTS = {"t1": "the cat sat", "t2": "a dog ran home", "t3": "rain fell"}
REFERENCES = {"t1": "the cat sat down", "t2": "the dog ran", "t3": "no rain fell"}
COLUMNS = {
    "topic": "custom_id",
    "summary": "response.choices[0].message.content",
    "references": "refs[*].text",
}
LOOK_UPS = [
    ({"a": {"b": 1}}, "a.b", (1,)),
    ({"a": {"b": None}}, "a.b", (None,)),
    ({"a": {"b": 1}}, "a.c", ()),
    ({"a.b": {"c": 1}, "a": {"b": {"c": 2}}}, "a.b.c", (1,)),
    ({"a.b": {"d": 1}, "a": {"b": {"c": 2}}}, "a.b.c", (2,)),
    ({"a": [1, 2, 3]}, "a[-1]", (3,)),
    ({"a": [1, 2, 3]}, "a[3]", ()),
    ({"a": [[1, 2], [3]]}, "a[0][1]", (2,)),
    ({"a": [{"b": 1}, {"b": 2}, {}]}, "a[*].b", ([1, 2],)),
    ({"a": '{"b": ["x", "y"]}'}, "a.b[1]", ("y",)),
    ({"a": "{'b': None, 'c': 'x'}"}, "a.c", ("x",)),
    ({"a": "{not json"}, "a.c", ()),
    ({"a": "text"}, "a.c", ()),
    ({"a": [1]}, "a[x]", ()),
]


def make_rows() -> list[dict[str, Any]]:
    """Rows with the outputs and references inside their cells."""
    return [
        {
            "custom_id": topic,
            "response": {"model": "m", "choices": [{"message": {"content": OUTPUTS[topic]}}]},
            "refs": [{"text": REFERENCES[topic]}],
        }
        for topic in TOPICS
    ]


def make_flat_rows() -> list[dict[str, Any]]:
    """The same data with a column for each role."""
    return [
        {"topic": topic, "summarizer": "system", "summary": OUTPUTS[topic], "references": [REFERENCES[topic]]}
        for topic in TOPICS
    ]


def write_rows(path: Path) -> Path:
    """Write the rows as the ending of a file asks; in CSV, nested cells are JSON."""
    rows = make_rows()
    cells = [{name: cell if isinstance(cell, str) else json.dumps(cell) for name, cell in row.items()} for row in rows]
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows))
    elif path.suffix == ".csv":
        pl.DataFrame(cells).write_csv(path)
    else:
        pl.DataFrame(rows).write_parquet(path)
    return path


def scores_of(data: Any, columns: dict[str, str] | None = None) -> dict[str, float]:
    """ROUGE-1 recall by topic."""
    table = pyramidion.score(data, ["rouge-1.recall"], columns=columns)
    return {row["topic"]: row["value"] for row in table.to_polars().iter_rows(named=True)}


@pytest.mark.parametrize(("value", "path", "expected"), LOOK_UPS)
def test_a_path_leads_to_one_thing_or_to_nothing(value: Any, path: str, expected: tuple[Any, ...]) -> None:
    assert look_up(value, path) == expected


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".csv", ".parquet"])
def test_paths_give_the_scores_of_a_table_with_such_columns(tmp_path: Path, ending: str) -> None:
    path = write_rows(tmp_path / f"answers{ending}")

    assert scores_of(path, COLUMNS) == scores_of(make_flat_rows())


def test_rows_in_memory_have_paths() -> None:
    truth = scores_of(make_flat_rows())

    assert scores_of(make_rows(), COLUMNS) == truth
    assert scores_of(pl.DataFrame(make_rows()), COLUMNS) == truth


def test_paths_lead_into_several_files(tmp_path: Path) -> None:
    rows = make_rows()
    answers = tmp_path / "a.jsonl"
    references = tmp_path / "gold.jsonl"
    answers.write_text(
        "".join(json.dumps({"custom_id": row["custom_id"], "response": row["response"]}) + "\n" for row in rows)
    )
    references.write_text(
        "".join(json.dumps({"custom_id": row["custom_id"], "refs": row["refs"]}) + "\n" for row in rows)
    )

    assert scores_of([str(answers), str(references)], COLUMNS) == scores_of(make_flat_rows())


def test_a_score_lies_within_a_cell(tmp_path: Path) -> None:
    rows = [{"id": topic, "model": "m", "judge": {"score": number}} for number, topic in enumerate(TOPICS, start=1)]
    path = tmp_path / "judged.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    table = pyramidion.score(path, columns={"scores": "judge.score"})

    assert table.to_polars()["value"].to_list() == [1.0, 2.0, 3.0]


def test_rows_without_the_path_are_missing_summaries() -> None:
    rows = [*make_rows(), {"custom_id": "t4", "response": {"error": "timeout"}, "refs": [{"text": "x"}]}]

    with pytest.warns(CampaignWarning, match="1 warning in the data"):
        scores = scores_of(rows, COLUMNS)

    assert set(scores) == set(TOPICS)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("response.body.text", "response has: model and choices"),
        (
            "response.choices.message",
            "response.choices is a list of up to 1; name one item, such as response.choices[0]",
        ),
        ("response.choices[0].text", "response.choices[0] has: message"),
        ("custom_id.text", "custom_id holds no object to go into"),
        ("respons.choices", "did you mean response"),
    ],
)
def test_a_path_that_leads_nowhere_gets_what_is_there(path: str, reason: str) -> None:
    with pytest.raises(UsageError) as error:
        scores_of(make_rows(), {**COLUMNS, "summary": path})

    assert reason in str(error.value)


def test_several_files_say_what_is_where_a_path_ends(tmp_path: Path) -> None:
    paths = [str(write_rows(tmp_path / "a.jsonl")), str(write_rows(tmp_path / "b.json"))]

    with pytest.raises(UsageError, match="response has: model and choices"):
        scores_of(paths, {**COLUMNS, "summary": "response.text"})


def test_objects_in_a_column_without_a_name_are_left_alone() -> None:
    rows = [{"id": topic, "model": system, "": {"x": 1}, "score": 2} for topic in TOPICS for system in "AB"]

    assert len(pyramidion.score(rows)) == 6
