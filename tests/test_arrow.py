"""`score_batch` gives the numbers of `pyramidion.score`, in the library of whoever calls it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyramidion
from pyramidion import arrow
from pyramidion.arrow import score_batch
from pyramidion.errors import UsageError
from pyramidion.measures import MeasureWarning

MEASURES = [
    "rouge-1",
    "rouge-l.f",
    "rouge-w1.2.recall",
    "rouge-su4(stop=yes).f",
    "rouge-2(models=best)",
    "rouge-1(words=3,rounding=rouge155)",
    "rouge-s*.f",
    "rouge-2(tokens=unicode,alpha=1,stem=no)",
    "rouge1",
    "rouge2(stem=yes).recall",
    "rougeL",
    "rougeLsum.precision",
]
texts = st.lists(
    st.sampled_from(["the", "flood", "floods", "came", "rivers", "rose", "\n", "1999"]), min_size=1, max_size=15
).map(lambda words: "x " + " ".join(words))
rows = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=4)), min_size=1, max_size=6)


@settings(max_examples=15)
@given(rows)
def test_rows_have_the_numbers_of_campaigns(given_rows: Any) -> None:
    frame = pl.DataFrame(given_rows, schema={"summary": pl.String, "references": pl.List(pl.String)}, orient="row")
    campaign = frame.with_columns(topic=pl.int_range(pl.len()).cast(pl.String), summarizer=pl.lit("S"))
    table = pyramidion.score(campaign, MEASURES)
    found = score_batch(frame, MEASURES)
    assert found.columns[2:] == list(table.measures)
    for one in table:
        assert found[one.measure][int(one.topic)] == one.value, one


def test_jackknifing_needs_two_references() -> None:
    frame = pl.DataFrame({"summary": ["a b c", "a b"], "references": [["a b", "b c"], ["a"]]})
    name = "rouge-1(jackknife=yes).recall"
    rows = [{**row, "topic": str(number), "summarizer": "S"} for number, row in enumerate(frame.iter_rows(named=True))]
    (expected,) = pyramidion.score(rows, [name])
    assert score_batch(frame, [name])[name].to_list() == [expected.value, None]


def test_the_batch_comes_back_in_its_own_library() -> None:
    data = {"id": [1, 2], "prediction": ["the cat sat", None], "target": ["the cat sat down", "x"]}
    columns = {"summary": "prediction", "references": "target"}
    expected = {**data, "rouge1.f": [6 / 7, None]}
    frame = score_batch(pl.DataFrame(data), "rouge1", columns=columns)  # one name needs no list
    assert frame.to_dict(as_series=False) == expected
    batch = score_batch(pa.record_batch(data), ["rouge1"], columns=columns)
    assert isinstance(batch, pa.RecordBatch)
    assert batch.to_pydict() == expected
    table = score_batch(pa.table(data), ["rouge1"], columns=columns)
    assert isinstance(table, pa.Table)
    assert table.to_pydict() == expected
    reader: Any = score_batch(pa.table(data).to_reader(), ["rouge1"], columns=columns)
    assert pa.record_batch(reader).to_pydict() == {"rouge1.f": [6 / 7, None]}
    assert pa.schema(reader) == pa.schema({"rouge1.f": pa.float64()})


def test_columns_of_the_same_name_are_replaced() -> None:
    frame = pl.DataFrame({"summary": ["a b", "a"], "references": [["a"], ["a"]], "rouge1.f": [9.0, 9.0], "id": [1, 2]})
    found = score_batch(frame, ["rouge1", "rouge1.recall"])
    assert found.columns == ["summary", "references", "rouge1.f", "id", "rouge1.recall"]
    assert found["rouge1.f"].to_list() == [2 / 3, 1.0]


def test_what_rows_cannot_give_is_refused_with_a_reason() -> None:
    frame = pl.DataFrame({"summary": ["a"], "references": ["a"]})
    for name, reason in {
        "rouge-l(sentences=split)": "needs Python strings",
        "rouge-1(use=2)": "rows know no topics",
        "rouge-1(words=campaign)": "needs a campaign",
        "js": "only ROUGE",
        "be-hm": "only ROUGE",
    }.items():
        with pytest.raises(UsageError, match=reason):
            score_batch(frame, [name])
    with pytest.raises(UsageError, match="no measures"):
        score_batch(frame, [])
    with pytest.raises(UsageError, match="columns=peer: expected summary or references"):
        score_batch(frame, ["rouge1"], columns={"peer": "summary"})


def test_the_warnings_of_score_are_given() -> None:
    frame = pl.DataFrame({"summary": ["word " * 60], "references": ["漢字"]})
    with (
        pytest.warns(MeasureWarning, match="more than 50 words"),
        pytest.warns(MeasureWarning, match="reads only ASCII"),
    ):
        score_batch(frame, ["rouge-l.f"])
    with pytest.warns(MeasureWarning, match="divides by zero"), pytest.warns(MeasureWarning, match="reads only ASCII"):
        score_batch(pl.DataFrame({"summary": ["a"], "references": ["漢字"]}), ["rouge-w1.2.f"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "package"), [("duckdb", "duckdb"), ("spark", "pyspark"), ("ray", "ray"), ("daft", "daft")]
)
def test_the_recipes_run(program: str, package: str, tmp_path: Path) -> None:
    pytest.importorskip(package)
    page = (Path(__file__).parents[1] / "docs" / "how-to" / "arrow.md").read_text(encoding="utf-8")
    recipe = re.search(rf'```python title="with_{program}.py"\n(.*?)```', page, re.DOTALL)
    assert recipe
    (tmp_path / "recipe.py").write_text(recipe[1], encoding="utf-8")
    found = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "recipe.py"],
        cwd=tmp_path,
        env={**os.environ, **found},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "1.0" in done.stdout or "┆ 1 " in done.stdout


def test_what_is_public_is_documented() -> None:
    assert all(getattr(arrow, name).__doc__ for name in arrow.__all__)
