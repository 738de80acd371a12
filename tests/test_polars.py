"""The expression of Polars gives the values of `score_batch`, by plugin and by map_batches."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyramidion.polars
from pyramidion.arrow import score_batch
from pyramidion.errors import UsageError
from pyramidion.measures.registry import select
from pyramidion.text import _native

PLUGIN = [
    "rouge-1.recall",
    "rouge-2.f",
    "rouge-l.precision",
    "rouge-su4(stop=yes,alpha=0.3).f",
    "rouge-s*(tokens=unicode,stem=no).f",
    "rouge-1(words=3).f",
    "rouge-l(bytes=9).recall",
    "rouge1",
    "rouge2(stem=yes).recall",
    "rougeL",
    "rougeLsum.precision",
    "rouge-1(alpha=1e-320).f",
    "rouge-1(words=1000000000000000).f",
    "rouge-l(max_cells=1000000000000000).f",
]
PYTHON = ["rouge-w1.2.f", "rouge-2(models=best).f", "rouge-1(rounding=rouge155).f", "rouge-1(jackknife=yes).f"]
FRAME = pl.DataFrame(
    {
        "summary": ["the cat sat on the mat", None, "dogs bark\nloud at night", "", "cats"] * 3,
        "references": [["the cat sat", "a cat is on the mat"], ["x"], ["dogs barking", None], [], ["cat", "cats"]] * 3,
    }
)

texts = st.one_of(st.none(), st.text(alphabet="ab \nçX1", max_size=20))
frames = st.lists(st.tuples(texts, st.one_of(st.none(), st.lists(texts, max_size=3))), max_size=8)


def expression(measure: str) -> pl.Expr:
    namespace: Any = pl.col("summary")
    made: pl.Expr = namespace.pyramidion.rouge(pl.col("references"), measure)
    return made


def test_this_polars_uses_the_plugin() -> None:
    assert pyramidion.polars.plugin_works()
    assert all(pyramidion.polars._work(select(name).measure, "f") for name in PLUGIN)
    assert not any(pyramidion.polars._work(select(name).measure, "f") for name in PYTHON)


@pytest.mark.parametrize("measure", [*PLUGIN, *PYTHON])
def test_eager_lazy_and_streaming_have_the_values_of_score_batch(measure: str) -> None:
    expected = score_batch(FRAME, [measure])[:, 2].to_list()
    made = expression(measure).alias("score")
    assert FRAME.select(made)["score"].to_list() == expected
    lazy = FRAME.lazy().with_columns(made).filter(pl.col("score").is_not_null())
    kept = [value for value in expected if value is not None]
    assert lazy.collect()["score"].to_list() == kept
    assert lazy.collect(engine="streaming")["score"].to_list() == kept


@pytest.mark.filterwarnings("ignore::pyramidion.measures.base.MeasureWarning")  # texts without letters of a–z
@settings(max_examples=20)
@given(frames, st.sampled_from(PLUGIN))
def test_any_text_has_the_values_of_score_batch(rows: Any, measure: str) -> None:
    frame = pl.DataFrame(rows, schema={"summary": pl.String, "references": pl.List(pl.String)}, orient="row")
    assert frame.select(expression(measure)).to_series().to_list() == score_batch(frame, [measure])[:, 2].to_list()


def test_without_the_plugin_the_values_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = FRAME.select(expression("rouge-2.f")).to_series().to_list()
    monkeypatch.setattr(pyramidion.polars, "plugin_works", lambda: False)
    assert FRAME.select(expression("rouge-2.f")).to_series().to_list() == expected


def test_a_polars_of_another_interface_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pl, "__version__", "3.0.0")
    assert not pyramidion.polars.plugin_works.__wrapped__()


def test_a_wrong_column_or_measure_is_an_error() -> None:
    numbers = pl.DataFrame({"summary": [1], "references": ["a"]})
    with pytest.raises(pl.exceptions.ComputeError, match="expected strings"):
        numbers.select(expression("rouge-2.f"))
    with pytest.raises(UsageError, match=re.escape("such as rouge-2.f")):
        expression("rouge-2")
    with pytest.raises(UsageError, match="only ROUGE"):
        expression("js")


def test_options_that_the_library_does_not_know_are_refused() -> None:
    columns = [pl.col("summary"), pl.col("references")]
    for work in ("", "n", "n;1e9;rouge155", "w;1.2;rouge155", "n;2;rouge155;none;0;0;0;1;1;1;9;0;0.5;accuracy"):
        with pytest.raises(pl.exceptions.ComputeError, match="the plugin failed"):
            FRAME.select(pyramidion.polars._plugin(columns, work))
    assert _native.__file__


@pytest.mark.parametrize("measure", ["rouge-1(words={}).f", "rouge-1(bytes={}).f", "rouge-l(max_cells={}).f"])
@pytest.mark.parametrize("number", [10**20, 10**18, -5])
def test_a_limit_that_means_nothing_is_refused_where_the_expression_is_made_as_everywhere(
    measure: str, number: int
) -> None:
    measure = measure.format(number)
    option = measure.partition("(")[2].partition("=")[0]
    with pytest.raises(UsageError, match=rf"\b{option}=.*: (no text is that long|expected)"):
        expression(measure)
    with pytest.raises(UsageError, match=rf"\b{option}="):
        score_batch(FRAME, measure)
    with pytest.raises(UsageError, match=rf"\b{option}="):
        pyramidion.score([{"topic": "1", "summarizer": "a", "summary": "a", "references": ["a"]}], measure)
