"""Soaks multiply the examples of each property once."""

from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from examples import EXPLORE_FACTOR, adapt_numbers_of_examples


def test_a_property_with_parameters_tries_as_many_examples_as_one_without() -> None:
    @settings(max_examples=40)
    @given(st.none())
    def check(_value: None) -> None: ...

    one_for_each_parameter: Any = [SimpleNamespace(obj=check)] * 6
    adapt_numbers_of_examples(one_for_each_parameter, "explore")
    adapted: Any = check
    assert adapted._hypothesis_internal_use_settings.max_examples == 40 * EXPLORE_FACTOR
