"""What people are shown: nothing that a terminal obeys, nothing that rich takes for markup, nothing left unsaid."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from cli.running import Run, records, write
from pyramidion.measures import registry
from pyramidion.measures.base import Measure, option

ESCAPE = "\x1b]0;owned\x07\x1b[31mred\x9b"
"""Sets the title of a terminal window and turns what follows red."""
REFERENCE = ["the ferry burned down"]


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    peer = {"topic": f"1{ESCAPE}", "summarizer": f"A{ESCAPE}", "references": REFERENCE}
    judged = {**peer, "summary": f"a ferry\n{ESCAPE} burned", "judgments": {f"good{ESCAPE}": 3}}
    return write(tmp_path, "hostile.jsonl", judged, {**peer, "summarizer": "B", "summary": "rain"})


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare"],
        ["compare", "--format", "latex", "--against", "B"],
        ["compare", "--format", "markdown", "--against", "B"],
        ["power", "--pair", "B", f"A{ESCAPE}"],
        ["score"],
        ["score", "--by", "summarizer"],
        ["describe"],
        ["check"],
        ["look", "--topic", f"1{ESCAPE}", "--summarizer", f"A{ESCAPE}", "-m", "rouge-1"],
        ["look", "--topic", f"1{ESCAPE}", "--summarizer", "C"],
        ["look", "--topic", f"2{ESCAPE}", "--summarizer", "C"],
        ["score", "-m", f"rouge{ESCAPE}"],
        ["score", "--where", f"part={ESCAPE}"],
    ],
    ids=" ".join,
)
def test_nothing_shown_to_people_reaches_the_terminal_as_a_command(
    run: Run, hostile: Path, arguments: list[str]
) -> None:
    _, out, err = run(arguments[0], str(hostile), *arguments[1:])
    assert out or err
    assert re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f]", out + err) == []


def test_look_keeps_line_breaks(run: Run, hostile: Path) -> None:
    _, out, _ = run("look", str(hostile), "--topic", f"1{ESCAPE}", "--summarizer", f"A{ESCAPE}", "-m", "rouge-1")
    assert "a [ferry]\n\\x1b]0;owned" in out


def test_programs_get_the_ids_as_they_are(run: Run, hostile: Path) -> None:
    _, out, _ = run("score", str(hostile), "-m", "rouge-1.recall", "--format", "json")
    assert records(out)[0]["summarizer"] == f"A{ESCAPE}"
    _, out, _ = run("score", str(hostile), "-m", "rouge-1.recall", "--format", "csv")
    assert next(csv.DictReader(io.StringIO(out, newline="")))["summarizer"] == f"A{ESCAPE}"


def test_names_with_rich_markup_are_shown_as_they_are(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    write(folder, "campaign.toml", 'name = "round [/x] [bold]two"')
    write(folder, "summaries.jsonl", {"topic": "t", "summarizer": "[/b]", "kind": "peer", "text": "a ferry"})
    judgment = {"topic": "t", "summarizer": "[/b]", "question": "is it [/x]?", "value": 3}
    write(folder, "judgments.jsonl", judgment)
    code, out, _ = run("describe", str(folder))
    assert code == 0
    assert out.startswith("round [/x] [bold]two")
    code, out, _ = run("compare", str(folder), "-m", "question")
    assert code == 0
    assert "is it [/x]?" in out
    assert "[/b]" in out


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_negative_seed_is_a_usage_error(run: Run, flat: Path, command: str) -> None:
    code, _, err = run(command, str(flat), "--seed", "-1")
    assert code == 2
    assert "--seed" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "-o", "TARGET.csv"],
        ["score", "--by", "summarizer", "-o", "TARGET.jsonl"],
        ["report", "-m", "rouge-1.f", "-o", "TARGET.html"],
        ["compare", "-m", "rouge-1.f", "--figure", "TARGET.svg"],
    ],
    ids=" ".join,
)
def test_a_place_where_nothing_can_be_written_is_named(
    run: Run, flat: Path, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    target = [argument.replace("TARGET", str(tmp_path / "file" / "x")) for argument in arguments[1:]]
    code, _, err = run(arguments[0], str(flat), *target)
    assert code == 1
    assert f"{target[-1]}: can't be written" in err
    assert "Traceback" not in err


def test_any_other_error_of_the_system_is_a_message(run: Run, flat: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    code, _, err = run("export", "flat", str(flat), str(tmp_path / "file" / "x.jsonl"))
    assert code == 1
    assert "a part of the path is a file and not a folder" in err or "a file is in the way" in err
    assert "Traceback" not in err


@dataclass(frozen=True, kw_only=True)
class Nameless(Measure):
    """A measure that gives no examples."""

    strength: int = option(3, "how strong")

    @classmethod
    def examples(cls) -> Sequence[str]:
        return ()


@dataclass(frozen=True, kw_only=True)
class MyMeasure(Nameless):
    """A measure with a hyphen."""

    @classmethod
    def examples(cls) -> Sequence[str]:
        return ("my-measure",)


@pytest.fixture
def foreign_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    all_of_them = (*registry.families(), Nameless, MyMeasure)
    monkeypatch.setattr("pyramidion.measures.registry.families", lambda: all_of_them)


@pytest.mark.usefixtures("foreign_measures")
def test_options_are_listed_under_the_name_of_their_measures(run: Run) -> None:
    code, out, _ = run("list", "measures", "--format", "json")
    found = records(out)
    assert code == 0
    assert {one["record"] for one in found} == {"measure", "option"}
    labels = dict.fromkeys(one["measures"] for one in found if one["record"] == "option")
    assert next(iter(labels)) == "rouge"
    assert list(labels)[-2:] == ["Nameless", "my-measure"]
    assert {"be", "pyramid", "question", "imported", "regression"} <= set(labels)
    (nameless,) = [one for one in found if one["record"] == "measure" and one["names"] is None]
    assert nameless["reason"]
    _, out, _ = run("list", "options", "--format", "json")
    assert records(out) == [one for one in found if one["record"] == "option"]


@pytest.mark.parametrize("what", ["measures", "options", "formats"])
def test_a_list_as_csv_is_one_table(run: Run, what: str) -> None:
    _, out, _ = run("list", what, "--format", "csv")
    rows = list(csv.reader(io.StringIO(out)))
    assert len(rows) > 1
    assert {len(row) for row in rows} == {len(rows[0])}
    assert rows[1:].count(rows[0]) == 0


def test_markdown_and_latex_leaderboards_say_measure_confidence_and_note(run: Run) -> None:
    arguments = ["compare", "demo", "-m", "question.focus", "--confidence", "90"]
    _, out, _ = run(*arguments, "--format", "markdown")
    assert out.startswith("### question.focus (90 % confidence intervals; simulated judgments)\n\n| rank |")
    _, out, _ = run(*arguments, "--format", "latex")
    assert r"\caption{question.focus (90 \% confidence intervals; simulated judgments)" in out
    assert out.count(r"\begin{tabular}") == out.count(r"\end{table}") == 1


@pytest.mark.parametrize("format", ["table", "markdown", "latex"])
def test_means_over_different_topics_are_said_to_be_such(run: Run, tmp_path: Path, format: str) -> None:
    peer = {"topic": "1", "summarizer": "A", "summary": "a ferry", "references": REFERENCE}
    rows = [peer, {**peer, "summarizer": "B"}, {**peer, "topic": "2"}]
    uneven = write(tmp_path, "uneven.jsonl", *rows)
    even = write(tmp_path, "even.jsonl", *rows[:2])
    said = "1 of 2 summarizers lack scores on some topics"
    arguments = ["-m", "rouge-1.f", "--format", format]
    assert said in run("compare", str(uneven), *arguments)[1]
    assert "lack scores" not in run("compare", str(even), *arguments)[1]


def test_rouge155_output_obeys_no_names(run: Run, tmp_path: Path) -> None:
    row = {"topic": "1", "summarizer": "\x1b[31mA", "summary": "a ferry", "references": ["the ferry"]}
    code, out, err = run("score", str(write(tmp_path, "x.jsonl", row)), "-m", "rouge-1", "--format", "rouge155")
    assert code == 0, err
    assert "\x1b" not in out
    assert "\\x1b[31mA ROUGE-1 Average_R" in out


@pytest.mark.parametrize("name", ["[1] ours", "*ours"])
def test_latex_rows_that_begin_like_an_option_do_not(run: Run, tmp_path: Path, name: str) -> None:
    rows = [
        {"topic": topic, "summarizer": who, "summary": f"a ferry {topic}", "references": ["the ferry"]}
        for topic in "123"
        for who in (name, "other")
    ]
    path = write(tmp_path, "x.jsonl", *rows)
    code, out, err = run("compare", str(path), "-m", "rouge-1.f", "--format", "latex", "--show", "mean")
    assert code == 0, err
    assert name in out
    assert not any(line.startswith(("[", "*")) for line in out.splitlines())
