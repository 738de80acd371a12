"""`pyramidion gate`: exit codes, and the formats that CI servers read, also with hostile names and texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cli.running import Run, records, write

HOSTILE = "x\n\n# y ![z](http://example.org)</pre></details><script>alert(1)</script>\n::error::gotcha\n| a | b |\x1b[31m\x00]]>&"


def summaries(folder: Path, *, worse: str = "rain", topics: int = 12, candidate: str = "new") -> str:
    """A baseline that repeats the reference, and a candidate that says something else on all topics but the first."""
    rows: list[dict[str, Any]] = []
    for topic in range(topics):
        reference = f"the ferry number {topic} burned down near Kiel on Monday"
        cut = " ".join(reference.split()[: 5 + topic % 4])
        for system, text in (("old", reference), (candidate, cut if worse == "cut" else worse)):
            rows.append({"topic": f"t{topic}", "summarizer": system, "summary": text, "references": [reference]})
    return str(write(folder, "outputs.jsonl", *rows))


def test_the_exit_codes_are_pass_fail_and_undecided(run: Run, tmp_path: Path) -> None:
    data = summaries(tmp_path, worse="cut")
    assert run("gate", data, "--against", "new", "-m", "rouge-1.f")[0] == 0
    assert run("gate", data, "--against", "old", "-m", "rouge-1.f")[0] == 3
    margin = ("--margin", "0.25", "-m", "rouge-1.f", "--against", "old")
    assert run("gate", data, *margin)[0] == 4
    assert run("gate", data, *margin, "--undecided", "pass")[0] == 0
    assert run("gate", data, *margin, "--undecided", "fail")[0] == 3


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--against", "old"), 2, "-m is missing"),
        (("-m", "rouge-1.f"), 2, "--against is missing"),
        (("-m", "rouge-1.f", "--against", "older"), 2, "did you mean old"),
        (("-m", "rouge-1", "--against", "old"), 2, "expected a measure with one value"),
        (("-m", "rouge-1.f", "--against", "old", "--margin", "much"), 2, "--margin much: expected a loss above 0"),
        (
            ("-m", "rouge-1.f", "--against", "old", "--self-test", "runs"),
            2,
            "found no runs of old; expected at least two",
        ),
        (("-m", "rouge-1.f", "--against", "old", "--slices", "part"), 2, "--slices part: found no topic"),
    ],
)
def test_a_call_that_can_not_be_decided_is_a_usage_error(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    ended, out, err = run("gate", summaries(tmp_path), *words)
    assert (ended, out) == (code, "")
    assert message in err


def test_records_have_the_verdict_the_measures_and_the_regressions(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("gate", summaries(tmp_path), "--against", "old", "-m", "rouge-1.f", "--format", "json")
    kinds = [record["record"] for record in records(out)]
    assert code == 3
    assert kinds == ["gate", "gate-measure", *["gate-regression"] * 5]
    assert (records(out)[0]["verdict"], records(out)[0]["failed"]) == ("fail", 1)


def test_the_self_test_is_printed_alone_and_passes(run: Run, tmp_path: Path) -> None:
    data = summaries(tmp_path, worse="cut")
    code, out, _ = run("gate", data, "--against", "old", "-m", "rouge-1.f", "--self-test")
    assert code == 0
    assert re.search(r"the gate fails \d+ of 1,000 times", out)
    assert "against old" not in out


def test_slices_guard(run: Run) -> None:
    words = ("--against", "16", "--candidate", "4", "-m", "rouge-2.recall", "--slices", "part", "--format", "json")
    code, out, _ = run("gate", "demo", *words)
    slices = [record.get("slice") for record in records(out) if record["record"] == "gate-measure"]
    assert (code, slices) == (3, [None, "A", "B"])
    assert "5 topics have no part: in no slice." in run("gate", "demo", *words[:-2])[1]


def hostile(folder: Path) -> str:
    return summaries(folder, worse=HOSTILE, candidate="evil|<b>\n::error::x")


def test_markdown_folds_the_texts_and_escapes_them(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("gate", hostile(tmp_path), "--against", "old", "-m", "rouge-1.f", "--format", "markdown")
    assert code == 3
    assert out.startswith("## ❌ pyramidion gate: fail\n")
    assert out.count("<details>") == out.count("</details>") == 5
    assert out.count("<pre>") == out.count("</pre>") == 11
    assert "<script>" not in out
    assert "\x1b" not in out
    assert "\x00" not in out
    assert "pyramidion gate " in out
    assert "\n# y" not in out
    assert len({line.count("|") - line.count(r"\|") for line in out.splitlines() if line.startswith("| ")}) == 1


def test_github_gets_annotations_and_the_summary_of_the_step(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    _, out, _ = run("gate", hostile(tmp_path), "--against", "old", "-m", "rouge-1.f", "--format", "github")
    lines = out.splitlines()
    mark = lines[0].removeprefix("::stop-commands::")
    obeyed = lines[lines.index(f"::{mark}::") + 1 :]
    assert re.fullmatch("[0-9a-f]{32}", mark)
    assert [line.partition(" ")[0] for line in obeyed] == ["::error"]
    assert summary.read_text(encoding="utf-8").startswith("before\n## ❌")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    words = ("--margin", "0.25", "-m", "rouge-1.f", "--against", "old", "--format", "github")
    _, out, _ = run("gate", summaries(tmp_path, worse="cut"), *words)
    assert out.splitlines()[-1].startswith("::warning title=pyramidion gate%3A undecided::Undecided: ")


def test_junit_is_valid_and_has_a_case_for_each_measure(run: Run, tmp_path: Path) -> None:
    words = ("--against", "old", "-m", "rouge-1.f", "-m", "rouge-2.f", "--format", "junit")
    _, out, _ = run("gate", hostile(tmp_path), *words)
    root = ElementTree.fromstring(out)
    cases = root.findall("testsuite/testcase")
    assert [case.get("name") for case in cases] == ["rouge-1.f", "rouge-2.f"]
    assert root.get("failures") == "2" == str(len(root.findall(".//failure")))
    margin = ("--margin", "0.25", "-m", "rouge-1.f", "--against", "old", "--format", "junit", "--undecided", "pass")
    _, out, _ = run("gate", summaries(tmp_path, worse="cut"), *margin)
    assert ElementTree.fromstring(out).get("skipped") == "1"


def table_of_scores(folder: Path, loss: float, *, topics: int = 60) -> str:
    rows = ["topic,system,judge,area"]
    for topic in range(topics):
        old = 0.5 + topic % 5 / 10
        area = "news" if topic % 3 else "law"
        rows += [f"t{topic},old,{old},{area}", f"t{topic},new,{old - loss * (0.5 + topic % 4 / 3)},{area}"]
    path = folder / "scores.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(("loss", "topics", "code"), [(0.02, 12, 0), (0.3, 60, 3), (0.0, 60, 0)])
def test_with_a_ledger_junit_fails_exactly_if_the_gate_does(
    run: Run, tmp_path: Path, loss: float, topics: int, code: int
) -> None:
    data = table_of_scores(tmp_path, loss, topics=topics)
    words = ("--against", "old", "-m", "judge", "--scale", "0,1", "--ledger", str(tmp_path / "gate.jsonl"))
    ended, out, _ = run("gate", data, *words, "--format", "junit")
    root = ElementTree.fromstring(out)
    assert (ended, root.get("failures")) == (code, "1" if code else "0")
    assert root.findall("testsuite/testcase")[0].get("name") == "decision 1 of the ledger"
    assert (root.get("skipped") == "1") == (loss > 0), "a single test finds the loss"


def test_junit_of_a_self_test_is_about_the_self_test(run: Run, tmp_path: Path) -> None:
    words = ("gate", summaries(tmp_path, worse="cut"), "--against", "old", "-m", "rouge-1.f", "--self-test")
    code, out, _ = run(*words, "--format", "junit")
    root = ElementTree.fromstring(out)
    assert (code, root.get("tests"), root.get("failures")) == (0, "1", "0")
    assert root.findall("testsuite/testcase")[0].get("name") == "self-test"


def test_guards_that_a_ledger_lets_pass_are_no_errors_on_github(run: Run, tmp_path: Path) -> None:
    path = Path(table_of_scores(tmp_path, 0.02, topics=12))
    lines = path.read_text(encoding="utf-8").splitlines()
    twice = [f"{line},{line.split(',')[2]}" for line in lines[1:]]
    path.write_text("\n".join([f"{lines[0]},other", *twice]) + "\n", encoding="utf-8")
    words = ("--against", "old", "-m", "judge", "-m", "other", "--scale", "0,1", "--format", "github")
    _, out, _ = run("gate", str(path), *words, "--ledger", str(tmp_path / "gate.jsonl"))
    assert re.findall("^::(error|notice|warning) ", out, re.MULTILINE) == ["notice", "notice"]
    _, out, _ = run("gate", str(path), *words)
    assert re.findall("^::(error|notice|warning) ", out, re.MULTILINE) == ["error", "error"]


def test_slices_may_be_a_column_of_a_table(run: Run, tmp_path: Path) -> None:
    words = ("gate", table_of_scores(tmp_path, 0.3), "--against", "old", "-m", "judge", "--format", "json", "--slices")
    code, out, _ = run(*words, "area")
    slices = [(record.get("slice"), record["n"]) for record in records(out) if record["record"] == "gate-measure"]
    assert (code, slices) == (3, [(None, 60), ("law", 20), ("news", 40)])
    code, _, err = run(*words, "colour")
    assert (code, "--slices colour: the table has no such column" in err) == (2, True)


def test_a_self_test_has_nothing_to_record(run: Run, tmp_path: Path) -> None:
    words = ("gate", table_of_scores(tmp_path, 0.0), "--against", "old", "-m", "judge", "--self-test")
    code, _, err = run(*words, "--ledger", str(tmp_path / "gate.jsonl"))
    assert (code, "--ledger has nothing to record" in err) == (2, True)
    assert not (tmp_path / "gate.jsonl").exists()


def test_a_missing_output_of_the_candidate_counts_as_zero(run: Run, tmp_path: Path) -> None:
    data = Path(summaries(tmp_path, worse="cut"))
    kept = data.read_text(encoding="utf-8").splitlines()[:-1]
    data.write_text("\n".join(kept) + "\n", encoding="utf-8")
    _, out, _ = run("gate", str(data), "--against", "old", "-m", "rouge-1.f")
    assert "new has no output for 1 topic: a missing output counts as 0 on rouge-1.f, the lowest value." in out
    _, out, _ = run("gate", str(data), "--against", "old", "-m", "rouge-1.f", "--missing", "drop")
    assert "new has no output for 1 topic: left out, as --missing drop says." in out


@pytest.mark.parametrize("named", [("--candidate", "new"), ()])
def test_a_candidate_without_any_output_fails_or_is_undecided(run: Run, tmp_path: Path, named: tuple[str, ...]) -> None:
    """A build in which every request failed must not end as if there were no candidate."""
    words = ("gate", summaries(tmp_path, worse=""), "--against", "old", *named, "-m", "rouge-1.f")
    code, out, _ = run(*words)
    assert (code, out.splitlines()[0][:5]) == (3, "Fail:")
    assert "new has no output for 12 topics: a missing output counts as 0 on rouge-1.f, the lowest value." in out
    assert run(*words, "--missing", "drop")[0] == 4
    assert run(*words, "--exclude", "new")[0] in (1, 2), "who is excluded is no candidate"
