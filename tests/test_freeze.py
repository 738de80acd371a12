"""The program answers what it answered when tests/golden/freeze was recorded; see tools/freeze.py."""

import pytest

from tools.freeze import check_group
from tools.freezing.groups import GROUPS
from tools.freezing.storage import Difference, find_differences


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
