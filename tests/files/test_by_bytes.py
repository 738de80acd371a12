"""Frames in parts by the bytes of their texts: equal strings share memory in a frame, not in Python."""

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.files.parquet import by_bytes, rows_in

COLUMNS: list[dict[str, Any]] = [
    {"text": ["a" * 10, None, "b" * 30, "", "c"]},
    {"number": [1, 2, 3, 4, 5]},
    {"texts": [["a", "b" * 9], [], None, [None, "c"], ["d" * 50]]},
    {
        "documents": [
            [{"id": "1", "text": "a" * 20}],
            [],
            None,
            [{"id": None, "text": "b"}],
            [{"id": "2", "text": None}],
        ]
    },
]


@pytest.mark.parametrize("columns", COLUMNS)
@given(most=st.integers(1, 100))
def test_the_parts_are_the_frame(columns: dict[str, Any], most: int) -> None:
    frame = pl.DataFrame(columns)
    parts = list(by_bytes(frame, most))
    assert pl.concat(parts).equals(frame)
    assert all(part.height for part in parts)
    assert list(rows_in(frame)) == frame.to_dicts()


def test_categories_and_empty_frames_are_read_too() -> None:
    frame = pl.DataFrame({"topic": ["a", "b"]}, schema={"topic": pl.Categorical})
    assert list(rows_in(frame)) == [{"topic": "a"}, {"topic": "b"}]
    assert list(rows_in(frame.head(0))) == []


def test_long_texts_make_small_parts() -> None:
    frame = pl.DataFrame({"text": ["x" * 1000] * 10})
    assert [part.height for part in by_bytes(frame.cast(pl.Categorical), 2500)] == [2, 2, 2, 2, 2]
    assert [part.height for part in by_bytes(frame, 2500)] == [2, 2, 2, 2, 2]
