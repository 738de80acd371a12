"""Rows are records, tables are rows for people, findings hold both."""

import importlib
import json
import math
import pkgutil
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyramidion
from pyramidion.show.tables import Column, Finding, Row, Table, all_rows, hidden, table_of


class Word(Row, record="test-word"):
    """A row of this test."""

    measure: str
    with_: str
    value: float | None
    parts: tuple[int, ...] = ()
    note: str = ""
    reason: str = ""
    inner: int = hidden(default=0)


class Words(Finding, kw_only=False):
    """A finding of this test."""

    words: tuple[Word, ...]

    def rows(self) -> Iterator[Row]:
        yield from self.words

    def tables(self) -> list[Table]:
        return [
            table_of(self.words, ("measure", Column("value", "mean", digits=2)), title="words", sentences=("One.",))
        ]


def test_a_record_has_the_fields_of_its_row_without_what_is_hidden_or_empty() -> None:
    record = Word(measure="m", with_="w", value=0.5, parts=(1, 2), reason="none", inner=3).fields()
    assert record == {"record": "test-word", "measure": "m", "with": "w", "value": 0.5, "parts": [1, 2]}


@pytest.mark.parametrize("undefined", [None, math.nan, math.inf])
def test_what_is_undefined_is_null_and_keeps_its_reason(undefined: float | None) -> None:
    record = Word(measure="m", with_="w", value=undefined, reason="too few").fields()
    assert (record["value"], record["reason"]) == (None, "too few")


@given(st.floats(), st.text(), st.text())
def test_every_record_is_json(value: float, measure: str, note: str) -> None:
    record = Word(measure=measure, with_="", value=value, note=note).fields()
    assert json.loads(json.dumps(record, allow_nan=False)) == record


def test_a_finding_becomes_a_data_frame_of_one_kind_of_record() -> None:
    found = Words(
        (Word(measure="a", with_="w", value=1.0, parts=(1,)), Word(measure="b", with_="w", value=None, note="n"))
    )
    frame = found.to_polars()
    assert frame.columns == ["measure", "with", "value", "parts", "note"]
    assert frame["parts"].to_list() == ["1", ""]
    assert found.to_pandas()["measure"].tolist() == ["a", "b"]


def test_a_notebook_shows_tables_and_sentences_with_everything_escaped() -> None:
    html = Words((Word(measure="<script>", with_="w", value=0.125),))._repr_html_()
    assert "&lt;script&gt;" in html
    assert "<script>" not in html
    assert "0.12" in html
    assert "One." in html


@pytest.mark.parametrize(
    ("column", "value", "shown"),
    [
        (Column("x"), None, "–"),
        (Column("x"), math.nan, "–"),
        (Column("x"), True, "yes"),
        (Column("x"), 0.123456, "0.12346"),
        (Column("x"), 12345.678, "12345.7"),
        (Column("x", digits=2), 0.125, "0.12"),
        (Column("p"), 1e-9, "< 0.001"),
        (Column("p"), 0.25, "0.250"),
        (Column("x"), 7, "7"),
    ],
)
def test_cells_are_shown_for_human_eyes(column: Column, value: float | None, shown: str) -> None:
    assert column.shown(value) == shown


def test_columns_without_a_value_are_left_out_and_marks_move_along() -> None:
    table = Table(
        record="r",
        title="",
        columns=(Column("a"), Column("b"), Column("c")),
        rows=[[1, None, 3], [4, None, 6]],
        marked=frozenset({(1, 2)}),
        heads=2,
    ).without_empty_columns()
    assert [column.key for column in table.columns] == ["a", "c"]
    assert (table.rows, table.heads) == ([[1, 3], [4, 6]], 1)
    assert table.marked == {(1, 1)}


def test_record_names_are_unique_in_the_whole_program() -> None:
    for module in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        importlib.import_module(module.name)
    ours = [row.record for row in all_rows() if row.__module__.startswith("pyramidion")]
    assert len(ours) > 5
    assert [name for name, count in Counter(ours).items() if count > 1] == []
