"""What Python users give and get: errors that name the argument, and a result whose first printed words are the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import pyramidion
from pyramidion.errors import PyramidionError, UsageError
from pyramidion.formats.plain.line_files import LineFiles

ROWS = [
    {"topic": str(topic), "summarizer": system, "summary": f"the {system} cat sat", "references": ["the A cat sat"]}
    for topic in range(4)
    for system in "AB"
]


class DatasetDict(dict[str, Any]):
    """As that of Hugging Face: data sets by split."""


@pytest.mark.parametrize("data", [pd.Series(["a"]), pl.Series(["a"])])
def test_a_series_is_refused(data: Any) -> None:
    with pytest.raises(UsageError, match="data is a Series, which is one column"):
        pyramidion.score(data)


def test_an_array_without_dimensions_is_refused() -> None:
    wrong: Any = np.array("a")
    with pytest.raises(UsageError, match="data is a path"):
        pyramidion.check(wrong)


@pytest.mark.parametrize("data", [pd.DataFrame(), pl.DataFrame(), [], pd.DataFrame(columns=["topic", "summary"])])
def test_data_without_rows_is_refused(data: Any) -> None:
    with pytest.raises(PyramidionError, match="data: found no rows"):
        pyramidion.compare(data)


def test_a_list_of_columns_gets_the_form_that_works() -> None:
    frame = pd.DataFrame({"id": [1, 2], "A": ["a cat sat", "b"], "B": ["x", "y"], "reference": ["a cat", "b"]})
    wrong: Any = {"summary": ["A", "B"]}
    with pytest.raises(UsageError, match=r'joined by \+: `columns={"summary": "A\+B"}`'):
        pyramidion.score(frame, ["rouge1"], columns=wrong)

    table = pyramidion.score(frame, ["rouge1"], columns={"summary": "A+B"})
    assert table.summarizers == ("A", "B")


def test_a_word_in_place_of_a_number_is_named() -> None:
    wrong: Any = "high"
    with pytest.raises(UsageError, match='`confidence="high"`: expected a number'):
        pyramidion.compare(ROWS, ["rouge1"], confidence=wrong)


def test_print_begins_with_the_answer() -> None:
    result = pyramidion.compare(ROWS, ["rouge1"])

    assert str(result).splitlines()[0] == result.answer()[0]
    assert str(result).splitlines()[:-1] == result.sentences()


def test_of_a_dataset_dict_the_test_split_is_read() -> None:
    frame = pl.DataFrame(ROWS)
    # Typed as anything, because no type says that a DatasetDict of another library can be given.
    train_and_test: Any = DatasetDict(train=frame.head(2), test=frame)
    dev: Any = DatasetDict(dev=frame)
    train_and_dev: Any = DatasetDict(train=frame, dev=frame)
    expected = pyramidion.score(frame, ["rouge1"]).to_polars()

    assert pyramidion.score(train_and_test, ["rouge1"]).to_polars().equals(expected)
    assert pyramidion.score(dev, ["rouge1"]).to_polars().equals(expected)
    with pytest.raises(UsageError, match=r"the splits 'train', 'dev'; expected one: data\['train'\]"):
        pyramidion.score(train_and_dev, ["rouge1"])


@pytest.mark.parametrize("ending", [".txt", ".jsonl", ".parquet"])
def test_a_folder_of_datasets_gives_references_to_predictions(tmp_path: Path, ending: str) -> None:
    references = ["A ferry burned.", "The mayor resigned."]
    outputs = ["Ferry burned.", "The mayor left."]
    folder = tmp_path / "cnn"
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("# A data set\n")
    rows = pl.DataFrame({"id": ["x", "y"], "article": ["Long text one.", "Long text two."], "highlights": references})
    for number in range(2):
        rows.slice(number, 1).write_parquet(folder / "data" / f"test-0000{number}-of-00002.parquet")
    path = tmp_path / f"out{ending}"
    if ending == ".txt":
        path.write_text("\n".join(outputs) + "\n")
    elif ending == ".jsonl":
        path.write_text("".join(json.dumps({"prediction": text}) + "\n" for text in outputs))
    else:
        pl.DataFrame({"prediction": outputs}).write_parquet(path)
    truth = [
        {"id": id, "prediction": output, "reference": reference}
        for id, output, reference in zip("xy", outputs, references, strict=True)
    ]

    table = pyramidion.score(LineFiles([path], [folder], sources=folder), ["rouge1"])

    expected = pyramidion.score(truth, ["rouge1"]).to_polars()["value"]
    assert table.to_polars()["value"].to_list() == expected.to_list()
    assert table.topics == ("x", "y")


def test_judgments_have_their_verbs() -> None:
    evaluation = pyramidion.Evaluation("demo")

    pairs = [
        (pyramidion.describe("demo"), evaluation.describe()),
        (pyramidion.judgments.frequencies("demo"), evaluation.judgment_frequencies()),
        (pyramidion.judgments.agreement("demo"), evaluation.judgment_agreement()),
        (pyramidion.judgments.regression("demo"), evaluation.judgment_regression()),
        (pyramidion.judgments.describe("demo"), evaluation.describe_assessors()),
    ]
    for result, expected in pairs:
        assert list(result.records()) == list(expected.records())


def test_the_docstring_of_the_package_names_what_it_has() -> None:
    names = [name for name in pyramidion.__all__ if not name.startswith("_")]

    assert [name for name in names if name not in str(pyramidion.__doc__)] == []
