"""The program answers what it answered when tests/golden/freeze was recorded; see tools/freeze.py."""

import pytest

from tools.freeze import check_group
from tools.freezing.groups import GROUPS
from tools.freezing.storage import Difference, find_differences, is_same_text


@pytest.mark.parametrize("name", GROUPS)
def test_the_program_answers_as_recorded(name: str) -> None:
    group = GROUPS[name]
    if not group.is_available():
        pytest.skip("PYRAMIDION_DATA names no folder with this campaign")
    assert "\n".join(check_group(group)) == ""


BEFORE = {"exit": 0, "records": [{"record": "mean", "value": 0.5, "n": 11}]}


@pytest.mark.parametrize(
    ("after", "differences"),
    [
        ({"exit": 0, "records": [{"record": "mean", "value": 0.5 + 1e-13, "n": 11}]}, []),
        (
            {"exit": 0, "records": [{"record": "mean", "value": 0.5 + 1e-11, "n": 11}]},
            [Difference("records 1 (mean), value", 0.5, 0.5 + 1e-11)],
        ),
        (
            {"exit": 0, "records": [{"record": "mean", "value": 0.5, "n": 11.0}]},
            [Difference("records 1 (mean), n", 11, 11.0)],
        ),
        ({"exit": 1, "records": []}, [Difference("exit", 0, 1), Difference("records, number of items", 1, 0)]),
    ],
)
def test_differences_are_found_beyond_the_last_digits(after: object, differences: list[Difference]) -> None:
    assert list(find_differences(BEFORE, after)) == differences


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("a,0.0096251365953649,1.0", "a,0.0096251365953650,1.0", True),
        ("0.5", "0.49999999999999994", True),
        ("a,0.25", "a,0.26", False),
        ("0.25 (n 4)", "0.25 (n 5)", False),
        ("1e-17,x", "2e-17,x", True),
        ("0.25", "0.25 0.25", False),
    ],
)
def test_numbers_in_lines_of_text_are_compared_as_numbers(before: str, after: str, same: bool) -> None:
    """A machine with another processor adds in another order."""
    assert is_same_text(before, after) == same
