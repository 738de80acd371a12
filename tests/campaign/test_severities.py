"""Every severity of the format: what is an error, what is a warning, and that each names file, line and field."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pyramidion.campaign import CampaignError, Problem, Problems
from pyramidion.campaign.sources import CampaignSource

Change = Callable[..., None]
Append = Callable[[str, str | bytes], None]


def check(path: Path) -> list[Problem]:
    problems = Problems()
    CampaignSource(path).read(problems)
    return list(problems)


def only(path: Path) -> Problem:
    found = check(path)
    assert len(found) == 1, "\n".join(map(str, found))
    return found[0]


def assert_at(problem: Problem, severity: str, name: str, line: int | None, field: str | None, found: str) -> None:
    assert problem.severity == severity
    assert Path(problem.file).name == name
    assert (problem.line, problem.field) == (line, field)
    assert found in problem.found
    assert problem.expected
    assert problem.remedy


def test_the_small_folder_has_no_problem(folder: Path) -> None:
    assert check(folder) == []


WRONG_ROWS: list[tuple[str, int, dict[str, Any], str, str]] = [
    # file, line, what is changed, the field that is named, what is said to be found
    ("judgments.jsonl", 1, {"topic": 5}, "topic", "5"),
    ("topics.jsonl", 1, {"title": ["a"]}, "title", "['a']"),
    ("topics.jsonl", 1, {"documents": "text"}, "documents", "'text'"),
    ("topics.jsonl", 1, {"documents": ["text"]}, "documents[0]", "'text'"),
    ("topics.jsonl", 1, {"documents": [{"id": "x", "text": "y", "date": 2005}]}, "documents[0].date", "2005"),
    ("topics.jsonl", 1, {"documents": [{"id": "x"}]}, "documents[0].text", "no such key"),
    ("topics.jsonl", 1, {"attributes": {"size": [1]}}, "attributes.size", "[1]"),
    ("summaries.jsonl", 2, {"kind": "system"}, "kind", "'system'"),
    ("summaries.jsonl", 2, {"text": 7}, "text", "7"),
    ("summaries.jsonl", 2, {"text": ["a", False]}, "text[1]", "false"),
    ("summaries.jsonl", 2, {"text": None}, "text", "no such key"),
    ("judgments.jsonl", 2, {"value": "3"}, "value", "'3'"),
    ("judgments.jsonl", 2, {"value": True}, "value", "true"),
    ("judgments.jsonl", 2, {"question": ""}, "question", "''"),
    ("judgments.jsonl", 2, {"assessor": 3}, "assessor", "3"),
    ("judgments.jsonl", 2, {"run": 0}, "run", "0"),
    ("judgments.jsonl", 2, {"run": 1.5}, "run", "1.5"),
    ("judgments.jsonl", 2, {"seconds": -1}, "seconds", "-1"),
    ("judgments.jsonl", 2, {"seconds": "12"}, "seconds", "'12'"),
    ("judgments.jsonl", 2, {"time": 2026}, "time", "2026"),
    ("judgments.jsonl", 2, {"time": "yesterday"}, "time", "'yesterday'"),
    ("judgments.jsonl", 2, {"comment": ["?"]}, "comment", "['?']"),
    ("preferences.jsonl", 1, {"choice": "A"}, "choice", "'A'"),
    ("preferences.jsonl", 1, {"choice": None}, "choice", "no such key"),
    ("preferences.jsonl", 1, {"b": ""}, "b", "''"),
    ("preferences.jsonl", 1, {"b": "A"}, "a, b", "'A' twice"),
    ("preferences.jsonl", 1, {"time": "4.5.2026"}, "time", "'4.5.2026'"),
    ("pyramids.jsonl", 1, {"status": "done"}, "status", "'done'"),
    ("pyramids.jsonl", 1, {"consensus": "yes"}, "consensus", "'yes'"),
    ("pyramids.jsonl", 1, {"weights": "tiers"}, "weights", "'tiers'"),
    ("pyramids.jsonl", 1, {"time": "noon"}, "time", "'noon'"),
    ("annotations.jsonl", 1, {"status": ""}, "status", "''"),
    ("annotations.jsonl", 1, {"consensus": 1}, "consensus", "1"),
    ("annotations.jsonl", 1, {"time": "25:00"}, "time", "'25:00'"),
    ("pyramids.jsonl", 1, {"models": [1]}, "models[0]", "1"),
    ("pyramids.jsonl", 1, {"scus": [{"uid": "1", "label": "x"}]}, "scus[0].uid", "'1'"),
    (
        "pyramids.jsonl",
        1,
        {"scus": [{"uid": 1, "label": "x", "contributors": [{"model": "A", "parts": [[0, 1], [0]]}]}]},
        "scus[0].contributors[0].parts[1]",
        "[0]",
    ),
    ("annotations.jsonl", 1, {"scus": [{"uid": 1, "present": "yes"}]}, "scus[0].present", "'yes'"),
    ("annotations.jsonl", 1, {"unmatched": [[[0, 1.5]]]}, "unmatched[0][0]", "[0, 1.5]"),
    ("coverage.jsonl", 1, {"units": [{"unit": [0, 3], "percent": "80"}]}, "units[0].percent", "'80'"),
    ("sample.jsonl", 1, {"drawn": "yes"}, "drawn", "'yes'"),
    ("sample.jsonl", 2, {"chance": 0}, "chance", "0"),
    ("sample.jsonl", 2, {"chance": 1.5}, "chance", "1.5"),
    ("sample.jsonl", 2, {"scu": 1}, "scu, summarizer", "units of different kinds"),
]


@pytest.mark.parametrize(("name", "line", "fields", "field", "found"), WRONG_ROWS)
def test_a_wrong_type_or_missing_key_is_one_error_at_its_field(
    folder: Path, change: Change, name: str, line: int, fields: dict[str, Any], field: str, found: str
) -> None:
    change(name, line, **fields)
    assert_at(only(folder), "error", name, line, field, found)


DANGLING: list[tuple[str, int, dict[str, Any], str, str]] = [
    ("summaries.jsonl", 5, {"topic": "D9", "summarizer": "A", "kind": "model", "text": "t"}, "topic", "'D9'"),
    ("judgments.jsonl", 2, {"summarizer": "S9"}, "topic, summarizer", "('D2', 'S9')"),
    ("judgments.jsonl", 2, {"question": "overal"}, "question", "'overal'"),
    ("preferences.jsonl", 1, {"a": "S9"}, "topic, a", "('D1', 'S9')"),
    ("preferences.jsonl", 1, {"b": "S9"}, "topic, b", "('D1', 'S9')"),
    ("pyramids.jsonl", 2, {"topic": "D9", "models": [], "scus": []}, "topic", "'D9'"),
    ("pyramids.jsonl", 1, {"models": ["A", "S1"]}, "models", "'S1'"),
    (
        "pyramids.jsonl",
        1,
        {"scus": [{"uid": 1, "label": "x", "contributors": [{"model": "B"}]}]},
        "scus[0].contributors",
        "'B'",
    ),
    ("annotations.jsonl", 1, {"topic": "D2", "unmatched": []}, "topic", "'D2'"),
    ("annotations.jsonl", 1, {"scus": [{"uid": 77}]}, "scus[0].uid", "77"),
    ("coverage.jsonl", 1, {"model": "S1"}, "model", "'S1'"),
    ("sample.jsonl", 2, {"topic": "D9"}, "topic", "'D9'"),
]


@pytest.mark.parametrize(("name", "line", "fields", "field", "found"), DANGLING)
def test_a_dangling_reference_is_an_error(
    folder: Path, change: Change, append: Append, name: str, line: int, fields: dict[str, Any], field: str, found: str
) -> None:
    if line > len((folder / name).read_text().splitlines()):
        append(name, "{}")
    change(name, line, **fields)
    assert_at(only(folder), "error", name, line, field, found)


REPEATED_KEYS = {
    "topics.jsonl": "topic",
    "summaries.jsonl": "topic, summarizer",
    "judgments.jsonl": "topic, summarizer, assessor, question, run",
    "preferences.jsonl": "topic, a, b, assessor",
    "pyramids.jsonl": "topic, annotator",
    "annotations.jsonl": "topic, summarizer, annotator, draw",
    "coverage.jsonl": "topic, summarizer, model, assessor",
    "sample.jsonl": "topic, scu, summarizer",
}


@pytest.mark.parametrize(("name", "key"), REPEATED_KEYS.items())
def test_a_row_that_comes_twice_is_an_error(folder: Path, append: Append, name: str, key: str) -> None:
    lines = (folder / name).read_text().splitlines()
    append(name, lines[0])
    assert_at(only(folder), "error", name, len(lines) + 1, key, "first on line 1")


def test_things_that_come_twice_inside_a_row_are_errors(folder: Path, change: Change) -> None:
    change("topics.jsonl", 1, documents=[{"id": "x", "text": "a"}, {"id": "x", "text": "b"}])
    change("pyramids.jsonl", 1, models=["A", "A"], scus=[{"uid": 1, "label": "x"}, {"uid": 1, "label": "y"}])
    change("annotations.jsonl", 1, scus=[{"uid": 1}, {"uid": 1}])
    assert [(Path(problem.file).name, problem.field) for problem in check(folder)] == [
        ("topics.jsonl", "documents.id"),
        ("pyramids.jsonl", "models"),
        ("pyramids.jsonl", "scus.uid"),
        ("annotations.jsonl", "scus.uid"),
    ]


@pytest.mark.parametrize("part", [[-1, 3], [3, 3], [4, 2], [0, 19], [0, 10**30]])
def test_a_part_outside_its_text_is_an_error(folder: Path, change: Change, part: list[int]) -> None:
    contributors = [{"model": "A", "parts": [part]}]
    change("pyramids.jsonl", 1, scus=[{"uid": 1, "label": "x", "contributors": contributors}])
    problem = only(folder)
    assert_at(problem, "error", "pyramids.jsonl", 1, "scus[0].contributors", str(part))
    assert "18" in problem.expected  # the length of "It rained all day."


@pytest.mark.parametrize(
    ("line", "field", "found"),
    [
        ('{"topic": "D1"', None, "column"),
        ("[1, 2]", None, "[1, 2]"),
        ('"text"', None, "'text'"),
        ("null", None, "null"),
        ('{"topic": "D1"} {"topic": "D2"}', None, "Extra data"),
        ('{"topic": "D1", "topic": "D2", "summarizer": "S2", "kind": "peer", "text": "t"}', "topic", "more than once"),
        ('{"topic": "D1", "t\\u006fpic": "D2", "summarizer": "S", "kind": "peer", "text": ""}', "topic", "more than"),
        ('{"topic": "D1", "summarizer": "S", "kind": "peer", "text": "t", "x": {"y": 1, "y": 2}}', "y", "more than"),
        ('{"topic": "D1", "summarizer": "S", "kind": "peer", "text": "\\ud800"}', "text", "surrogate"),
        ('{"topic": "D1", "summarizer": "S", "kind": "peer", "text": "t", "x": NaN}', "x", "nan"),
        ('{"topic": "D1", "summarizer": "S", "kind": "peer", "text": "t", "x": {"y": [-Infinity]}}', "x.y[0]", "-inf"),
    ],
)
def test_a_line_that_is_no_sound_object_is_an_error(
    folder: Path, append: Append, line: str, field: str | None, found: str
) -> None:
    append("summaries.jsonl", line)
    assert_at(only(folder), "error", "summaries.jsonl", 5, field, found)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 400])
def test_a_number_that_is_not_finite_is_an_error(folder: Path, append: Append, value: str) -> None:
    append("judgments.jsonl", f'{{"topic": "D1", "summarizer": "A", "question": "overall", "value": {value}}}')
    assert_at(only(folder), "error", "judgments.jsonl", 3, "value", "the number")


def test_a_number_of_thousands_of_digits_is_an_error(folder: Path, append: Append) -> None:
    append("judgments.jsonl", f'{{"topic": "D1", "summarizer": "A", "question": "overall", "value": {"9" * 5000}}}')
    assert_at(only(folder), "error", "judgments.jsonl", 3, None, "thousands of digits")


def test_a_byte_that_is_not_utf8_is_an_error_with_its_place(folder: Path, append: Append) -> None:
    append("judgments.jsonl", '{"topic": "Café"}'.encode("cp1252"))
    assert_at(only(folder), "error", "judgments.jsonl", 3, None, "byte 0xE9 at column 15")


@pytest.mark.parametrize(
    ("toml", "line", "field", "found"),
    [
        ("name = ", 1, None, "Invalid value"),
        ("name = \n# end", 1, None, "line 1"),
        ('name = "a"\nname = "b"', 2, None, "Cannot overwrite"),
        ("name = 3", None, "name", "3"),
        ("word_limit = 0", None, "word_limit", "0"),
        ("word_limit = 9.5", None, "word_limit", "9.5"),
        ('[summarizers]\nS1 = "x"', None, "summarizers.S1", "'x'"),
        ('[summarizers.S1]\nkind = "robot"', None, "summarizers.S1.kind", "'robot'"),
        ("[questions]\nset = 3", None, "questions.set", "3"),
        ('[questions]\nset = "duc2005"', None, "questions.set", "'duc2005'"),
        ('[questions]\nset = ""', None, "questions.set", "''"),
        ('[questions]\nfocus = "?"', None, "questions.focus", "'?'"),
        ('[questions.focus]\nname = "clarity"', None, "questions.focus.name", "'clarity'"),
        ("[questions.focus]\nscale = [5, 1]", None, "questions.focus.scale", "[5, 1]"),
        ('[questions.focus]\nlabels = ["Good"]', None, "questions.focus.labels", "1 labels"),
        ("[questions.focus]\npass = 0", None, "questions.focus.pass", "0"),
        ('[questions.focus]\nrequired = "no"', None, "questions.focus.required", "'no'"),
        (
            '[questions.focus]\nexamples = [{ value = 6, text = "?" }]',
            None,
            "questions.focus.examples[0].value",
            "6",
        ),
        ('[[questions]]\ntext = "?"', None, "questions[0].name", "no such key"),
        ('[[questions]]\nname = "a"\nscale = [5, 1]', None, "questions[0].scale", "[5, 1]"),
        ('[[questions]]\nname = "a"\n[[questions]]\nname = "a"', None, "questions[1].name", "'a' again"),
        ("x = nan", None, "x", "nan"),
    ],
)
def test_an_error_in_campaign_toml_names_its_place(
    folder: Path, toml: str, line: int | None, field: str | None, found: str
) -> None:
    (folder / "campaign.toml").write_text(toml)
    assert_at(only(folder), "error", "campaign.toml", line, field, found)


def test_missing_summaries_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").touch()  # an empty folder would be no campaign at all
    assert_at(only(tmp_path), "error", "summaries.jsonl", None, None, "no such file")


def test_every_error_of_one_row_is_listed(folder: Path, append: Append) -> None:
    append("summaries.jsonl", '{"topic": 1, "kind": "x", "text": [2, "a", 3], "extra": Infinity}')
    assert [(problem.line, problem.field) for problem in check(folder)] == [
        (5, "topic"),
        (5, "summarizer"),
        (5, "kind"),
        (5, "text[0]"),
        (5, "text[2]"),
        (5, "extra"),
    ]


def test_ten_different_errors_give_ten_messages_in_one_read(folder: Path, change: Change, append: Append) -> None:
    (folder / "campaign.toml").write_text('word_limit = "many"')
    append("topics.jsonl", '{"topic": "D3", "part": 1}')
    change("summaries.jsonl", 4, kind="system")
    append("summaries.jsonl", "{not json}")
    append(
        "summaries.jsonl",
        '{"topic": "D3", "summarizer": "A", "kind": "model", "text": "\udc80"}'.encode(errors="surrogateescape"),
    )
    append("judgments.jsonl", '{"topic": "D1", "summarizer": "S1", "question": "overall", "value": NaN}')
    append("judgments.jsonl", '{"topic": "D1", "summarizer": "S7", "question": "overall", "value": 1}')
    append("judgments.jsonl", '{"topic": "D1", "summarizer": "A", "question": "q", "question": "r", "value": 1}')
    change("pyramids.jsonl", 1, scus=[{"uid": 1, "label": "x", "contributors": [{"model": "A", "parts": [[0, 99]]}]}])
    append("annotations.jsonl", (folder / "annotations.jsonl").read_text().strip())
    problems = Problems()
    CampaignSource(folder).read(problems)
    assert [(Path(problem.file).name, problem.line, problem.field) for problem in problems] == [
        ("campaign.toml", None, "word_limit"),
        ("topics.jsonl", 3, "part"),
        ("summaries.jsonl", 4, "kind"),
        ("summaries.jsonl", 5, None),
        ("summaries.jsonl", 6, None),
        ("judgments.jsonl", 3, "value"),
        ("judgments.jsonl", 5, "question"),
        ("annotations.jsonl", 2, "topic, summarizer, annotator, draw"),
        ("judgments.jsonl", 4, "topic, summarizer"),
        ("pyramids.jsonl", 1, "scus[0].contributors"),
    ]
    with pytest.raises(CampaignError) as refused:
        problems.refuse()
    assert refused.value.exit_code == 1
    assert len(str(refused.value).splitlines()) == 11  # ten, and the count


def test_a_broken_row_does_not_make_others_dangle(folder: Path, change: Change) -> None:
    change("topics.jsonl", 1, part=3)
    change("summaries.jsonl", 1, text=3)
    change("summaries.jsonl", 2, kind=None)
    change("pyramids.jsonl", 1, annotator=4)
    assert [(Path(problem.file).name, problem.line, problem.field) for problem in check(folder)] == [
        ("topics.jsonl", 1, "part"),
        ("summaries.jsonl", 1, "text"),
        ("summaries.jsonl", 2, "kind"),
        ("pyramids.jsonl", 1, "annotator"),
    ]


WARNED: list[tuple[str, int, dict[str, Any], str, str]] = [
    ("summaries.jsonl", 2, {"text": " \n"}, "text", "an empty text"),
    ("summaries.jsonl", 4, {"text": []}, "text", "an empty text"),
    ("topics.jsonl", 1, {"documents": [{"id": "x", "text": ""}]}, "documents[0].text", "an empty text"),
    ("topics.jsonl", 1, {"colour": "red"}, "colour", "an unknown key"),
    ("topics.jsonl", 1, {"documents": [{"id": "x", "text": "y", "url": "z"}]}, "documents[0].url", "an unknown key"),
    ("judgments.jsonl", 1, {"value": 6}, "value", "6"),
]


@pytest.mark.parametrize(("name", "line", "fields", "field", "found"), WARNED)
def test_a_warning_is_noted_and_refuses_nothing_unless_strict(
    folder: Path, change: Change, name: str, line: int, fields: dict[str, Any], field: str, found: str
) -> None:
    before = (folder / name).read_text()
    if name == "summaries.jsonl":  # leave out what refers to the text
        (folder / "annotations.jsonl").unlink()
        (folder / "coverage.jsonl").unlink()
    change(name, line, **fields)
    assert (folder / name).read_text() != before
    problems = Problems()
    campaign = CampaignSource(folder).read(problems)
    assert_at(next(iter(problems)), "warning", name, line, field, found)
    assert (problems.errors, problems.warnings) == (0, 1)
    assert len(campaign.summaries) == 4
    problems.refuse()
    with pytest.raises(CampaignError, match="1 problem"):
        problems.refuse(strict=True)


def test_a_topic_without_models_is_a_warning(folder: Path, change: Change, append: Append) -> None:
    change("summaries.jsonl", 3, summarizer="S2", kind="peer")
    append("topics.jsonl", '{"topic": "D3"}')
    first, second = check(folder)
    assert_at(first, "warning", "topics.jsonl", 2, "topic", "'D2'")
    assert_at(second, "warning", "topics.jsonl", 3, "topic", "'D3'")


def test_without_topics_the_warning_names_the_first_summary(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name != "summaries.jsonl":
            path.unlink()
    rows = [{"topic": "D1", "summarizer": name, "kind": "peer", "text": "t"} for name in ("S1", "S2")]
    (folder / "summaries.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert_at(only(folder), "warning", "summaries.jsonl", 1, "topic", "'D1'")


@pytest.mark.parametrize("name", ["campaign.toml", "topics.jsonl", "summaries.jsonl"])
def test_a_byte_order_mark_is_a_warning(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"\xef\xbb\xbf" + (folder / name).read_bytes())
    assert_at(only(folder), "warning", name, 1, None, "byte-order mark")


@pytest.mark.parametrize("name", ["campaign.toml", "topics.jsonl", "summaries.jsonl"])
def test_windows_line_ends_are_one_warning(folder: Path, name: str) -> None:
    content = (folder / name).read_bytes()
    lines = content.count(b"\n")
    (folder / name).write_bytes(content.replace(b"\n", b"\r\n"))
    assert_at(only(folder), "warning", name, None, None, f"{lines} Windows line ends")


def test_an_unknown_key_in_many_rows_is_one_warning_with_its_count(folder: Path, change: Change) -> None:
    for line in (2, 3, 4):
        change("summaries.jsonl", line, latency=0.5)
    assert_at(only(folder), "warning", "summaries.jsonl", 2, "latency", "an unknown key, 3 times")


def test_a_problem_reads_as_one_line_with_place_finding_and_remedy(folder: Path, change: Change) -> None:
    change("judgments.jsonl", 2, value="3")
    assert str(only(folder)) == (
        f"{folder}/judgments.jsonl:2: error: value: found '3'; expected a number. Write a number, without quotes."
    )


FLAT = {"topic": "T", "summarizer": "S", "summary": "words", "references": ["one"]}
FLAT_PROBLEMS: list[tuple[list[dict[str, Any]], str, int, str, str]] = [
    ([FLAT, FLAT], "error", 2, "topic, summarizer", "first on line 1"),
    ([FLAT, FLAT | {"summarizer": "S2", "references": ["two"]}], "error", 2, "references, documents", "than on line 1"),
    ([FLAT, FLAT | {"summarizer": "S2", "documents": ["d"]}], "error", 2, "references, documents", "than on line 1"),
    ([FLAT | {"summarizer": "ref1"}], "error", 1, "summarizer", "'ref1'"),
    ([FLAT | {"documents": ["a", {"id": "1", "text": "b"}]}], "error", 1, "documents.id", "'1'"),
    ([FLAT | {"references": 5}], "error", 1, "references", "5"),
    ([FLAT | {"references": ["one", None]}], "error", 1, "references[1]", "null"),
    ([FLAT | {"references": None}], "warning", 1, "references", "1 of 1 topics without references"),
    ([FLAT | {"summary": None}], "warning", 1, "summary", "1 row without a summary"),
    ([FLAT | {"documents": [{"text": "a"}]}], "error", 1, "documents[0].id", "no such key"),
    ([FLAT | {"documents": [3]}], "error", 1, "documents[0]", "3"),
    ([FLAT | {"judgments": {"q": "good"}}], "error", 1, "judgments.q", "'good'"),
    ([FLAT | {"judgments": {"q": {"A": 3, "B": []}}}], "error", 1, "judgments.q.B", "[]"),
    ([FLAT | {"judgments": {"": 3}}], "error", 1, "judgments (a key)", "''"),
    ([FLAT | {"judgments": {"q": 10**400}}], "error", 1, "judgments.q", "the number"),
    ([FLAT | {"summary": ""}], "warning", 1, "summary", "an empty text"),
    ([FLAT | {"references": [""]}], "warning", 1, "references[0]", "an empty text"),
    ([FLAT | {"documents": [" "]}], "warning", 1, "documents[0]", "an empty text"),
    ([FLAT, FLAT | {"topic": "U", "references": []}], "warning", 2, "references", "1 of 2 topics without references"),
    ([FLAT | {"tries": 7}, FLAT | {"topic": "U", "tries": 8}], "warning", 1, "tries", "an unknown key, 2 times"),
]


@pytest.mark.parametrize(("rows", "severity", "line", "field", "found"), FLAT_PROBLEMS)
def test_the_flat_form_has_the_same_severities(
    tmp_path: Path, rows: list[dict[str, Any]], severity: str, line: int, field: str, found: str
) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert_at(only(path), severity, "flat.jsonl", line, field, found)
