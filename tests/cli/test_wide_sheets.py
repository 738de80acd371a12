"""Sheets with a column of summaries for each system: a number belongs to the system that its column names."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas
import polars as pl
import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.campaign import CampaignError
from pyramidion.errors import UsageError

TEXTS = ["A ferry burned off Kiel on Monday.", "The mayor of Bonn stepped down.", "Rain is expected in the north."]
FIRST, SECOND = [5, 4, 3], [1, 2, 1]
"""What the first and the second system got."""
Sheet = dict[str, list[Any]]


def sheet(systems: Sequence[str], **numbers: list[int]) -> Sheet:
    return {"topic": ["t1", "t2", "t3"], **dict.fromkeys(systems, TEXTS), "reference": TEXTS, **numbers}


READINGS: dict[str, tuple[Sheet, dict[str, float]]] = {
    "the system at the end": (
        sheet(["summary_A", "summary_B"], rating_A=FIRST, rating_B=SECOND),
        {"rating of summary_A": 4, "rating of summary_B": 4 / 3},
    ),
    "rouge1 and rouge2 are measures, not systems": (sheet(["summary1", "summary2"], rouge1=FIRST, rouge2=SECOND), {}),
    "a number of nobody": (sheet(["A", "B"], rating=FIRST), {}),
}


def write(path: Path, held: Sheet) -> str:
    frame = pl.DataFrame(held)
    if path.suffix == ".csv":
        frame.write_csv(path)
    elif path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()))
    return str(path)


def summary_columns(held: Sheet) -> str:
    texts = [name for name, values in held.items() if values is TEXTS and name != "reference"]
    return "+".join(texts)


def means(out: str) -> dict[str, float]:
    rows = [row for row in records(out) if row["record"] == "mean" and row["measure"].startswith("imported.")]
    return {f"{row['measure'].removeprefix('imported.')} of {row['summarizer']}": row["value"] for row in rows}


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl", "x.parquet"])
@pytest.mark.parametrize(("held", "expected"), READINGS.values(), ids=READINGS)
def test_a_number_is_read_as_the_score_of_the_system_that_its_column_names(
    run: Run, tmp_path: Path, name: str, held: Sheet, expected: dict[str, float]
) -> None:
    path = write(tmp_path / name, held)
    code, out, err = run("compare", path, "--columns", f"summary={summary_columns(held)}", "--format", "json")
    assert code == 0, err
    assert means(out) == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore::pyramidion.campaign.CampaignWarning")
@pytest.mark.parametrize(("held", "expected"), READINGS.values(), ids=READINGS)
def test_data_frames_are_read_alike(held: Sheet, expected: dict[str, float]) -> None:
    found = pyramidion.score(pandas.DataFrame(held), columns={"summary": summary_columns(held)})
    rows = found.means().filter(pl.col("measure").str.starts_with("imported.")).iter_rows()
    assert {f"{name.removeprefix('imported.')} of {who}": mean for name, who, mean, *_ in rows} == pytest.approx(
        expected
    )


def test_numbers_can_be_the_answers_of_people(run: Run, tmp_path: Path) -> None:
    held = sheet(["A", "B"], fluency_A=FIRST, fluency_B=SECOND)
    columns = "summary=A+B,judgments=fluency_A+fluency_B"
    code, out, _ = run("score", write(tmp_path / "x.csv", held), "-m", "question.fluency", "--columns", columns)
    assert code == 0
    assert [line.split()[-1] for line in out.splitlines() if " t1 " in line] == ["5.00000", "1.00000"]


def test_a_number_of_nobody_is_left_out_with_a_warning_that_check_lists(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", sheet(["A", "B"], rating=FIRST))
    code, _, err = run("score", path, "-m", "rouge1", "--columns", "summary=A+B")
    assert code == 0
    assert "not used: rating" in err
    shown = err.split("`")[1]
    code, out, _ = run(*shlex.split(shown)[1:])
    assert code == 0
    assert "rating: found one number for the summaries of several systems (A, B); expected a column of each" in out


def test_a_number_of_nobody_can_not_be_asked_for(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "x.csv", sheet(["A", "B"], rating=FIRST))
    code, _, err = run("score", path, "--columns", "summary=A+B,scores=rating")
    assert code == 2
    assert "has summaries of several systems (A, B), and the column rating does not say of which" in err
    with pytest.raises(UsageError, match="does not say of which"):
        pyramidion.score(
            pl.DataFrame(sheet(["A", "B"], rating=FIRST)), columns={"summary": "A+B", "judgments": "rating"}
        )


def test_objects_of_scores_are_not_copied_to_every_system() -> None:
    row = {"topic": "t", "A": TEXTS[0], "B": TEXTS[1], "reference": TEXTS[2], "judgments": {"fluency": 5}}
    with pytest.raises(CampaignError, match="judgments: found judgments of a row with summaries of several systems"):
        pyramidion.score([row], columns={"summary": "A+B"})
