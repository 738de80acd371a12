"""Rows drawn as dots: places in percent, round ticks, and nothing where there is no number."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.present.section import Point
from pyramidion.reports.svg import Scale, axis, bar, dot_drawing, scale_of

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False).map(lambda value: round(value, 6))


@given(st.lists(NUMBERS, min_size=1, max_size=8), st.booleans())
def test_every_number_lies_inside_and_ticks_are_few(values: list[float], zero: bool) -> None:
    scale = scale_of([Point(value) for value in values], zero=zero)
    assert scale is not None
    assert all(scale.low < value < scale.high for value in values)
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks())
    assert len(scale.ticks()) <= 5
    if zero:
        assert scale.low < 0 < scale.high
        alone = scale_of([Point(values[0])], zero=True, own=True)
        assert alone is not None
        assert alone.low == -alone.high


def test_a_scale_reaches_the_next_tick_if_it_is_near() -> None:
    scale = scale_of([Point(2.5), Point(3.66, 3.43, 3.89)], zero=False)
    assert scale is not None
    assert scale.ticks() == [2.5, 3, 3.5, 4]


def test_places_are_shares_of_the_width() -> None:
    scale = Scale(0, 2)
    assert [scale.at(value) for value in (0, 1, 1.5, 2, 9)] == ["0.0%", "50.0%", "75.0%", "100.0%", "100.0%"]
    assert Scale(-1, 1).ticks() == [-1, -0.5, 0, 0.5, 1]


def test_a_row_has_its_dot_its_interval_and_a_mark_at_zero() -> None:
    drawn = dot_drawing(Point(0.5, 0, 1), Scale(-1, 1), [-1, 0, 1], strong=True)
    assert '<line x1="50.0%" x2="100.0%"' in drawn
    assert '<circle cx="75.0%"' in drawn
    assert drawn.count("<rect x=") == 2
    assert '<rect class="zero" x="50.0%"/>' in drawn
    assert 'class="dots strong"' in drawn
    assert "span" not in dot_drawing(Point(0.5), Scale(-1, 1), [], strong=False)


def test_without_a_number_nothing_is_drawn() -> None:
    assert scale_of([Point(None)], zero=False) is None
    assert dot_drawing(Point(None), Scale(0, 1), [0], strong=False) == ""
    assert dot_drawing(Point(1), None, [], strong=False) == ""


def test_equal_numbers_have_a_scale() -> None:
    scale = scale_of([Point(3, 3, 3)], zero=False)
    assert scale is not None
    assert scale.low < 3 < scale.high


@pytest.mark.parametrize(("ticks", "shown"), [([-0.5, 0, 0.5], ["−0.5", "0.0", "0.5"]), ([1, 2], ["1", "2"])])
def test_the_numbers_of_an_axis_have_the_same_decimals(ticks: list[float], shown: list[str]) -> None:
    assert re.findall(">([^<]+)</text>", axis(Scale(-1, 3), ticks)) == shown


def test_a_bar_has_a_part_for_each_count_that_is_not_zero() -> None:
    assert re.findall(r'part(\d)" x="([\d.]+)%" width="([\d.]+)%', bar((3, 0, 1))) == [
        ("0", "0.0", "75.0"),
        ("2", "75.0", "25.0"),
    ]
    assert "rect" not in bar((0, 0, 0))


def test_numbers_at_the_left_edge_begin_at_their_tick_and_long_ones_are_thinned_out_on_phones() -> None:
    drawn = axis(Scale(-0.15, 0.0), [-0.15, -0.1, -0.05, 0.0])
    assert re.findall(r"<text([^>]*) x=[^>]*>([^<]*)", drawn) == [
        (' class="start spare"', "−0.15"),
        ("", "−0.10"),
        (' class="spare"', "−0.05"),
        ("", "0.00"),
    ]
    assert "class=" not in axis(Scale(0.5, 4.5), [1, 2, 3, 4]).replace('class="axis"', "")
