"""Lines are decoded the quick way only where the thorough way finds the same: nothing odd passes unseen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.conftest import ROWS
from pyramidion.campaign import Problems
from pyramidion.campaign.campaign import NOUNS
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Noun, encode

INSERTED = [
    '"topic":"D1",',
    '"uid":1,',
    '"uid":2,',
    '"contributors":[],',
    '"(unknown)":{"a":1},',
    '"(unknown)":{},',
    '"extra":1,',
    '"text":"\\ud800",',
    '"\\u0074opic":"D9",',
    '"value":NaN,',
    '"value":1e999,',
    '"seconds":1e400,',
    '"parts":[[0,1]],',
    " ",
]
LINES = [(name.removesuffix(".jsonl"), row) for name, rows in ROWS.items() for row in rows]


def decoded(noun: type[Noun], line: bytes, *, thoroughly: bool) -> tuple[Noun | None, list[str]]:
    problems = Problems()
    decoder = RowDecoder(noun, Path("file.jsonl"), problems)
    if thoroughly:
        raw = decoder.parse_line(1, line)
        found = None if raw is None else decoder.decode_object(1, raw)
    else:
        found = decoder.decode_line(1, line)
    decoder.close()
    return found, sorted(map(str, problems))


@pytest.mark.parametrize(("name", "row"), LINES)
def test_a_line_as_we_write_it_is_decoded_at_once(name: str, row: dict[str, object]) -> None:
    decoder = RowDecoder(NOUNS[name], Path("file.jsonl"), Problems())
    noun = decoder.decode_line(1, json.dumps(row).encode())
    assert noun is not None
    assert decoder.decode_quickly(encode(noun)) == noun


@given(
    st.sampled_from(LINES),
    st.lists(st.tuples(st.sampled_from(INSERTED), st.floats(0, 1)), max_size=2),
    st.booleans(),
)
def test_the_quick_way_finds_what_the_thorough_way_finds(
    chosen: tuple[str, dict[str, object]], inserted: list[tuple[str, float]], compact: bool
) -> None:
    name, row = chosen
    noun = NOUNS[name]
    text = json.dumps(row, separators=(",", ":") if compact else None)
    for piece, where in inserted:
        openings = [place + 1 for place, sign in enumerate(text) if sign == "{"]
        at = openings[round(where * (len(openings) - 1))]
        text = text[:at] + piece + text[at:]
    assert decoded(noun, text.encode(), thoroughly=False) == decoded(noun, text.encode(), thoroughly=True)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("judgments", '{"topic":"1","summarizer":"A","question":"q","value":HUGE}'),
        ("judgments", '{"topic":"1","summarizer":"A","question":"q","value":1,"seconds":HUGE}'),
        ("pyramids", '{"topic":"1","models":["A"],"scus":[{"uid":HUGE,"label":"x"}]}'),
        ("annotations", '{"topic":"1","summarizer":"A","scus":[{"uid":1,"contributors":[[[0,HUGE]]]}]}'),
    ],
)
def test_a_whole_number_that_no_float_can_hold_is_an_error(name: str, line: str) -> None:
    found, problems = decoded(NOUNS[name], line.replace("HUGE", "1" + "0" * 400).encode(), thoroughly=False)
    assert found is None
    assert "a finite number" in problems[0]
