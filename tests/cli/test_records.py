"""Files as a team has them go through the commands as they are."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from cli.running import Run, records, write
from pyramidion.campaign import Problems
from pyramidion.formats.plain.line_files import LineFiles
from pyramidion.options import Choice
from pyramidion.run.data import locate_source
from pyramidion.run.evaluation import Evaluation

PREDICTIONS = [
    {"id": 1, "prediction": "a ferry burned off Kiel", "reference": "a ferry caught fire off Kiel"},
    {"id": 2, "prediction": "the mayor resigned", "reference": "the mayor stepped down"},
]


@pytest.fixture
def gpt(tmp_path: Path) -> Path:
    return write(tmp_path, "gpt.jsonl", *PREDICTIONS)


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    return write(tmp_path, "llama.csv", "id,output,judge", "1,ships sail,1", "2,the mayor stepped down,NaN")


def test_what_was_understood_is_said_in_one_line_on_stderr(run: Run, gpt: Path) -> None:
    code, out, err = run("score", str(gpt), "-m", "rouge-1.f", "--format", "json")
    assert code == 0
    assert [(one["topic"], one["summarizer"]) for one in records(out)] == [("1", "gpt"), ("2", "gpt")]
    assert err == "gpt.jsonl: topic = id; one summarizer, 'gpt'; summary = prediction; references = reference\n"
    assert run("score", str(gpt), "-m", "rouge-1.f", "--quiet")[2] == ""


def test_several_files_are_several_systems_of_one_campaign(run: Run, gpt: Path, llama: Path) -> None:
    code, out, _ = run("compare", str(gpt), str(llama), "-m", "rouge-1.f", "--show", "mean", "--format", "json")
    assert code == 0
    assert {(one["summarizer"], one["n"]) for one in records(out)} == {("gpt", 2), ("llama", 2)}
    code, out, _ = run("score", str(gpt), str(llama), "-m", "judge", "--format", "json")
    assert [(one["measure"], one["topic"], one["value"]) for one in records(out)] == [("imported.judge", "1", 1.0)]


def test_a_table_of_scores_among_the_files_joins_them(run: Run, gpt: Path, tmp_path: Path) -> None:
    judge = write(tmp_path, "judge.csv", "id,model,gpt-judge", "1,gpt,4", "2,gpt,")
    code, out, _ = run("score", str(gpt), str(judge), "-m", "gpt-judge", "--format", "json")
    assert (code, [one["value"] for one in records(out)]) == (0, [4.0])


def test_standard_input_is_data(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyramidion.run import data as reading

    reading._copy_standard_input.cache_clear()
    content = "".join(json.dumps(row) + "\n" for row in PREDICTIONS).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    code, out, err = run("score", "-", "-m", "rouge-1.f", "--format", "json")
    assert (code, len(records(out))) == (0, 2)
    assert err.startswith("stdin: topic = id")
    reading._copy_standard_input.cache_clear()


def test_columns_decide_and_the_command_repeats_them(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path, "x.csv", "nr,good,bad", "1,a ferry,a boat", "2,rain,rain")
    code, out, _ = run(
        *("score", str(path), "--columns", "topic=nr,summary=bad", "--columns", "references=good"),
        *("-m", "rouge-1.f", "--format", "json"),
    )
    assert (code, [one["value"] for one in records(out)]) == (0, [0.5, 1.0])
    evaluation = Evaluation(path, Choice(columns={"topic": "nr", "summary": "bad"}))
    assert evaluation.command("score") == f"pyramidion score {path} --columns topic=nr,summary=bad"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--columns", "summary"], "expected key=value"),
        (["--columns", "summary=absent"], "has no column 'absent'"),
        (["--columns", "text=prediction"], "there is no role 'text'"),
        (["--references", "r.txt"], "go with --predictions"),
        (["--predictions", "p.txt"], "is given instead of DATA"),
    ],
)
def test_a_slip_is_a_usage_error(run: Run, gpt: Path, words: list[str], message: str) -> None:
    code, _, err = run("score", str(gpt), *words)
    assert code == 2
    assert message in err


def test_without_data_the_usage_is_shown(run: Run) -> None:
    code, _, err = run("compare")
    assert code == 2
    assert "Missing argument 'DATA...'" in err


def test_text_files_go_line_by_line(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "a.txt", "a ferry burned", "rain")
    write(tmp_path, "b.txt", "a boat", "")
    write(tmp_path, "r.txt", "the ferry burned", "rain")
    write(tmp_path, "s.txt", "fire ||||| boat", "weather")
    words = ["--predictions", "a.txt", "--predictions", "b.txt", "--references", "r.txt", "--sources", "s.txt"]
    code, out, err = run("score", *words, "-m", "rouge-1.recall", "--format", "json")
    assert code == 0
    assert [one["value"] for one in records(out)] == pytest.approx([2 / 3, 0, 1, 0])
    assert "1 empty line; `pyramidion check --predictions a.txt" in err
    files = LineFiles(["a.txt", "b.txt"], ["r.txt"], "s.txt")
    campaign = locate_source(files, Choice()).source.read(Problems())
    assert [document.text for document in campaign.topics[0].documents] == ["fire", "boat"]
    write(tmp_path, "short.txt", "one line")
    code, _, err = run("score", "--predictions", "a.txt", "--references", "short.txt")
    assert code == 1
    assert "found 1 line; expected 2 lines, as in a.txt" in err


def test_lines_can_be_exported_and_imported_again(run: Run, tmp_path: Path, gpt: Path) -> None:
    assert run("export", "lines", str(gpt), str(tmp_path / "lines"))[0] == 0
    assert sorted(path.name for path in (tmp_path / "lines").iterdir()) == ["gpt.txt", "ids.txt", "ref1.txt"]
    code, _, err = run(
        *("import", "lines", str(tmp_path / "lines" / "gpt.txt"), str(tmp_path / "again")),
        *(
            "--option",
            f"references={tmp_path / 'lines' / 'ref1.txt'}",
            "--option",
            f"ids={tmp_path / 'lines' / 'ids.txt'}",
        ),
    )
    assert code == 0, err
    first = run("score", str(gpt), "-m", "rouge-2.f", "--format", "json")[1]
    assert run("score", str(tmp_path / "again"), "-m", "rouge-2.f", "--format", "json")[1] == first


def test_errors_fold_into_a_line_of_each_kind(run: Run, tmp_path: Path) -> None:
    rows = [{"id": n, "prediction": 7 if n % 2 else ["a", n], "reference": "r"} for n in range(1, 301)]
    path = write(tmp_path, "x.jsonl", {"id": 0, "prediction": "x", "reference": "r"}, *rows)
    code, _, err = run("score", str(path))
    assert code == 1
    understood, *kinds, total = err.splitlines()
    assert understood.startswith("x.jsonl: topic = id")
    assert len(kinds) == 2
    assert ":2, 4, 6, … (150 times): error: prediction: found 7; expected a string" in kinds[0]
    assert total == "300 problems: nothing was read"
