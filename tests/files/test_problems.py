"""Problems are counted to the last and kept in bounds; messages can be shown on any terminal."""

from __future__ import annotations

from typing import Any

import pytest

from pyramidion.campaign import CampaignError, Problems
from pyramidion.files import guards
from pyramidion.files.problems import Severity, shorten


def add(problems: Problems, severity: Severity, times: int = 1, **more: Any) -> None:
    for line in range(1, times + 1):
        problems.at("f.jsonl", line).note(severity, **({"found": "this", "expected": "that", "remedy": "Do."} | more))


def test_an_error_is_kept_however_many_warnings_came_before() -> None:
    problems = Problems()
    add(problems, "warning", guards.PROBLEMS_KEPT + 5)
    add(problems, "error", field="last")
    assert (problems.errors, problems.warnings, len(problems), problems.dropped) == (
        1,
        guards.PROBLEMS_KEPT + 5,
        guards.PROBLEMS_KEPT + 6,
        5,
    )
    with pytest.raises(CampaignError) as refused:
        problems.refuse()
    first, last = str(refused.value).splitlines()
    assert first == "f.jsonl:1: error: last: found this; expected that. Do."
    assert last.startswith("1 problem:")


def test_errors_beyond_the_bound_are_counted() -> None:
    problems = Problems()
    add(problems, "error", guards.PROBLEMS_KEPT + 5)
    add(problems, "warning", 3)
    with pytest.raises(CampaignError) as refused:
        problems.refuse()
    *_, more, total = str(refused.value).splitlines()
    assert more == "… and 5 more"
    assert total.startswith(f"{guards.PROBLEMS_KEPT + 5:,} problems:")


def test_nothing_is_refused_without_problems() -> None:
    Problems().refuse(strict=True)


def test_strict_refuses_warnings_and_shows_them() -> None:
    problems = Problems()
    add(problems, "warning", 2)
    add(problems, "warning", field="other")
    problems.refuse()
    with pytest.raises(CampaignError) as refused:
        problems.refuse(strict=True)
    assert refused.value.problems is problems
    assert str(refused.value).splitlines() == [
        "f.jsonl:1, 2: warning: found this; expected that. Do.",
        "f.jsonl:1: warning: other: found this; expected that. Do.",
        "3 problems: nothing was read",
    ]


def test_problems_of_one_kind_fold_into_a_line_with_three_places_and_a_count() -> None:
    problems = Problems()
    for line in range(1, 301):
        problems.at("f.jsonl", line, f"parts[{line}]").error(str(line), "a number", "Write a number.")
    problems.at("f.jsonl", 7, "parts[1]").warning("1", "a number", "Write a number.")
    problems.at("g.jsonl", 7, "parts[1]").error("1", "a number", "Write a number.")
    assert problems.folded() == [
        "f.jsonl:1, 2, 3, … (300 times): error: parts[1]: found, for example, 1; expected a number. Write a number.",
        "f.jsonl:7: warning: parts[1]: found 1; expected a number. Write a number.",
        "g.jsonl:7: error: parts[1]: found 1; expected a number. Write a number.",
    ]
    assert len(problems.folded(errors_only=True)) == 2


def test_what_a_terminal_would_obey_is_shown_escaped() -> None:
    problems = Problems()
    add(problems, "error", field="\x1b[31m\ud800", found="a\nb")
    (only,) = problems
    assert only.field == "\\x1b[31m\\ud800"
    assert only.found == "a\\nb"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        ("text", "'text'"),
        ("x" * 1000, "'" + "x" * 58 + "…"),
        ([1, 2], "[1, 2]"),
        ({"a": (1,), 2: []}, "{'a': (1,), 2: []}"),
        (["x" * 1000] * 2, "['" + "x" * 57 + "…"),
    ],
)
def test_a_value_is_shown_short(value: object, shown: str) -> None:
    assert shorten(value) == shown


def test_a_value_whose_repr_has_no_end_is_shown_short() -> None:
    shared: list[Any] = []
    for _ in range(30):
        shared = [shared] * 1000
    assert shorten(shared) == "[" * 31 + "]" + ", []" * 6 + ", […"
    assert shorten({"d": ["x" * 10**6] * 10**6}) == "{'d': ['" + "x" * 51 + "…"
    shared.append(shared)
    assert shorten(shared[-1]).startswith("[[[")


def test_a_number_that_python_cannot_show_is_named() -> None:
    assert shorten(16**5000) == "int too large to show"


def test_a_place_notes_its_problems_and_each_knows_its_record() -> None:
    problems = Problems()
    file = problems.at("f.jsonl")
    file.at(3, "value").error("this", "that", "Do.")
    file.warning("this", "that", "Do.", count=7)
    error, warning = problems
    assert str(error) == "f.jsonl:3: error: value: found this; expected that. Do."
    assert error.fields() == {
        "record": "problem",
        "severity": "error",
        "file": "f.jsonl",
        "line": 3,
        "field": "value",
        "found": "this",
        "expected": "that",
        "remedy": "Do.",
        "count": 1,
    }
    assert (warning.fields()["line"], warning.fields()["count"], "reason" in warning.fields()) == (None, 7, True)


def test_a_message_about_a_million_columns_is_short() -> None:
    problems = Problems()
    problems.at("wide.csv", 1).error(", ".join(map(str, range(1_000_000))), "other columns", "Name them.")
    assert len(str(next(iter(problems)))) < 5_000
