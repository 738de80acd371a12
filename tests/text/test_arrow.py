"""Texts in Arrow columns have the counts that Python strings have, in every layout; lies about lengths are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramidion.errors import InputError, UsageError
from pyramidion.scores.overlap import BestFRule, OverlapRule
from pyramidion.text.overlap import OverlapKind, TextTable, count_overlaps, pool_rows

KINDS = [OverlapKind("n", 1), OverlapKind("n", 2), OverlapKind("l"), OverlapKind("w", 1.2), OverlapKind("su", 4)]
TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
LISTS = [pa.list_, pa.large_list, pa.list_view, pa.large_list_view]

words = st.sampled_from(
    ["the", "flood", "floods", "Rivers", "a", "\n", "1999", "élan", "漢字", "averyverylongtokenindeed"]
)
texts = st.lists(st.one_of(words, st.text(max_size=4)), max_size=12).map(" ".join)
rows = st.lists(
    st.tuples(
        st.one_of(st.none(), texts),
        st.one_of(st.none(), st.lists(st.one_of(st.none(), texts), max_size=3)),
    ),
    max_size=12,
)


class Bare:
    """Arrow data of which nothing but the interface is known."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __arrow_c_array__(self, requested_schema: object = None) -> Any:
        return self._data.__arrow_c_array__(requested_schema)


def expected(given_rows: list[tuple[str | None, list[str | None] | None]]) -> tuple[np.ndarray, list[int]]:
    """The same through Python strings."""
    flat: list[str] = []
    pairs, starts = [], [0]
    for summary, references in given_rows:
        kept = [one for one in references or [] if one is not None] if summary is not None else []
        for reference in kept:
            assert summary is not None
            pairs.append((len(flat), len(flat) + 1))
            flat += [summary, reference]
        starts.append(len(pairs))
    return count_overlaps(flat, np.array(pairs, dtype=np.int64).reshape(-1, 2), KINDS, threads=1), starts


def check(table: TextTable, given_rows: list[tuple[str | None, list[str | None] | None]]) -> None:
    counts, starts = expected(given_rows)
    found = table.count(KINDS, threads=1)
    assert found.starts.tolist() == starts
    assert (found.counts == counts).all()


@settings(max_examples=40)
@given(rows, st.sampled_from(TYPES), st.sampled_from(LISTS), st.integers(0, 3), st.integers(0, 3))
def test_every_type_sliced_with_nulls_has_the_counts_of_python_strings(
    given_rows: Any, text: pa.DataType, listed: Any, skip: int, drop: int
) -> None:
    summaries = pa.array([row[0] for row in given_rows], pa.string()).cast(text)
    items = listed(pa.string() if isinstance(text, pa.DictionaryType) else text)
    references = pa.array([row[1] for row in given_rows], items)
    batch = pa.record_batch({"summary": summaries, "references": references})
    stop = max(skip, len(given_rows) - drop)
    check(TextTable(batch.slice(skip, stop - skip)), given_rows[skip:stop])
    check(TextTable((summaries[skip:stop], references[skip:stop])), given_rows[skip:stop])


@settings(max_examples=20)
@given(rows, rows)
def test_chunks_need_not_agree(first: Any, second: Any) -> None:
    both = [*first, *second]
    summaries = pa.chunked_array([[row[0] for row in first], [row[0] for row in second]], pa.string())
    references = pl.Series([row[1] for row in both], dtype=pl.List(pl.String))
    check(TextTable((summaries, references)), both)
    frames = [
        pl.DataFrame(rows, schema={"s": pl.String, "r": pl.List(pl.String)}, orient="row") for rows in (first, second)
    ]
    check(TextTable(pl.concat(frames, rechunk=False), summary="s", references="r"), both)


def test_lists_of_sentences_are_sentences() -> None:
    batch = pa.record_batch(
        {
            "summary": [["a flood came", "rivers rose"], ["one"]],
            "references": [[["rivers rose", "a flood came"], ["rivers"]], [["one", "two"]]],
        }
    )
    found = TextTable(batch).count([OverlapKind("l")])
    sentences = [["a flood came", "rivers rose"], ["rivers rose", "a flood came"], ["rivers"], ["one"], ["one", "two"]]
    assert (found.counts == count_overlaps(sentences, np.array([[0, 1], [0, 2], [3, 4]]), [OverlapKind("l")])).all()
    assert found.starts.tolist() == [0, 2, 3]


def test_fixed_lists_and_columns_of_nothing_but_nulls() -> None:
    references = pa.array([["a", "b"], None, ["c", "d"]], pa.list_(pa.string(), 2))
    batch = pa.record_batch({"summary": pa.array(["a", "b", "c"]), "references": references})
    found = TextTable(batch.slice(1)).count([OverlapKind("n", 1)])
    assert found.starts.tolist() == [0, 0, 2]
    assert found.counts[:, 0, 0].tolist() == [1, 0]
    empty = pl.DataFrame({"summary": [None, None], "references": [None, None]})
    assert TextTable(empty).count([OverlapKind("n", 1)]).starts.tolist() == [0, 0, 0]


def test_a_text_that_comes_often_is_still_compared_in_every_row() -> None:
    batch = pa.record_batch({"summary": ["a b", "a", "a b"] * 100, "references": ["a b"] * 300})
    hits = TextTable(batch).count([OverlapKind("n", 1)]).counts[:, 0, 0]
    assert hits.tolist() == [2, 1, 2] * 100


def test_what_is_no_column_of_texts_is_refused() -> None:
    with pytest.raises(InputError, match="type 'l': expected strings"):
        TextTable(pa.record_batch({"summary": [1], "references": ["a"]})).count(KINDS)
    with pytest.raises(InputError, match="expected Arrow data"):
        TextTable([{"summary": "a"}])
    with pytest.raises(UsageError, match="no column 'references'; did you mean reference"):
        TextTable(pa.record_batch({"summary": ["a"], "reference": ["a"]}))
    with pytest.raises(InputError, match="2 summaries and 1 rows of references"):
        TextTable((pa.array(["a", "b"]), pa.array(["a"]))).count(KINDS)
    with pytest.raises(InputError, match="lists within lists"):
        TextTable(pa.record_batch({"summary": [[["a"]]], "references": ["a"]})).count(KINDS)


def offsets(*numbers: int, kind: type[np.signedinteger[Any]] = np.int32) -> pa.Buffer:
    return pa.py_buffer(np.array(numbers, dtype=kind).tobytes())


def view(size: int, prefix: bytes, buffer: int, begin: int) -> bytes:
    return np.int32(size).tobytes() + prefix + np.int32(buffer).tobytes() + np.int32(begin).tobytes()


LONG = b"a string of more than twelve bytes"
LIES = {
    "a string from byte 3 to 1": (pa.string(), [offsets(0, 3, 1), pa.py_buffer(b"abc")]),
    "from byte 2 to 0": (pa.large_string(), [offsets(2, 0, 3, kind=np.int64), pa.py_buffer(b"abc")]),
    "into buffer 7 of 1": (pa.string_view(), [pa.py_buffer(view(34, b"a st", 7, 0) * 2), pa.py_buffer(LONG)]),
    "in a buffer of 34": (pa.string_view(), [pa.py_buffer(view(34, b"a st", 0, 1) * 2), pa.py_buffer(LONG)]),
    "a string view of length -5": (pa.string_view(), [pa.py_buffer(view(-5, b"a st", 0, 0) * 2), pa.py_buffer(LONG)]),
    "prefix is not that of": (pa.string_view(), [pa.py_buffer(view(34, b"b st", 0, 0) * 2), pa.py_buffer(LONG)]),
}


@pytest.mark.parametrize("message", LIES)
def test_lies_about_strings_are_refused(message: str) -> None:
    kind, buffers = LIES[message]
    column = pa.Array.from_buffers(kind, 2, [None, *buffers])
    with pytest.raises(InputError, match=message):
        TextTable((Bare(column), pa.array(["a", "b"]))).count(KINDS)


def test_lies_about_lists_and_dictionaries_are_refused() -> None:
    items = pa.array(["a", "b"])
    for numbers, message in {
        (0, 9, 2): "9 items from item 0 of 2",
        (0, 2, 1): "-1 items",
        (0, -1, 2): "-1 items",
    }.items():
        column = pa.Array.from_buffers(pa.list_(pa.string()), 2, [None, offsets(*numbers)], children=[items])
        with pytest.raises(InputError, match=message):
            TextTable((pa.array(["a", "b"]), Bare(column))).count(KINDS)
    entries = pa.DictionaryArray.from_arrays(pa.array([0, 5], pa.int8()), items, safe=False)
    with pytest.raises(InputError, match="the entry 5 of a dictionary of 2"):
        TextTable((Bare(entries), items)).count(KINDS)


whole = st.integers(0, 40).map(float)
counts = st.lists(st.lists(st.tuples(whole, whole, whole), max_size=4), max_size=12)


@given(counts, st.sampled_from([0.0, 0.3, 0.5, 1.0]))
def test_scores_of_rows_are_those_of_the_rules_to_the_last_bit(
    given_rows: list[list[tuple[float, float, float]]], alpha: float
) -> None:
    pairs = np.array([(*pair, 0.0) for row in given_rows for pair in row]).reshape(-1, 4)
    starts = np.cumsum([0, *map(len, given_rows)])
    together, sums = pool_rows(pairs, starts, best_f=False, alpha=alpha)
    best, chosen = pool_rows(pairs, starts, best_f=True, alpha=alpha)
    strided, _ = pool_rows(np.stack([pairs, -pairs], axis=1)[:, 0], starts, best_f=False, alpha=alpha)
    assert np.array_equal(together, strided, equal_nan=True)
    for number, row in enumerate(given_rows):
        if not row:
            assert all(np.isnan(found[number]).all() for found in (together, sums, best, chosen))
            continue
        assert sums[number].tolist() == np.sum(row, axis=0).tolist()
        assert together[number].tolist() == OverlapRule(alpha=alpha).scores(sums[number]).tolist()
        by_pair = BestFRule().scores(np.array(row))
        first = int(by_pair[:, 2].argmax())
        assert best[number].tolist() == by_pair[first].tolist()
        assert chosen[number].tolist() == list(row[first])


def test_rows_that_ask_for_pairs_that_are_not_there_are_refused() -> None:
    for starts in ([], [0, 3], [-1, 1], [2, 1]):
        with pytest.raises(ValueError, match="pair"):
            pool_rows(np.zeros((2, 4)), np.array(starts, dtype=np.int64), best_f=False, alpha=0.5)


def test_a_stream_is_read_to_its_end() -> None:
    reader = pa.table({"summary": ["a"], "references": ["a"]}).to_reader()
    assert len(TextTable(reader)) == 1
    assert len(TextTable(reader)) == 0


def test_kinds_and_threads_are_checked_at_the_border() -> None:
    table = TextTable(pa.record_batch({"summary": ["a"], "references": ["a"]}))
    with pytest.raises(UsageError, match="threads=0"):
        table.count(KINDS, threads=0)
    for n in (0, 1001, 1e9, 2e19, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="from 1 to 1,000"):
            OverlapKind("n", n)
