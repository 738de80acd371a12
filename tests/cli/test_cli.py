"""The command line as a user meets it: what it prints, where, and with which exit code."""

import subprocess
import sys
from pathlib import Path

import pytest

from cli.running import Run, records, write


def test_score_gives_the_rows_of_the_design(run: Run) -> None:
    code, out, _ = run("score", "demo", "-m", "rouge-2.recall", "--format", "json")
    rows = records(out)
    assert code == 0
    assert set(rows[0]) == {"record", "measure", "topic", "summarizer", "value", "signature"}
    assert {row["measure"] for row in rows} == {"rouge-2.recall"}
    assert all(row["record"] == "score" and 0 <= row["value"] <= 1 for row in rows)
    assert "|nmodels:4|" in rows[0]["signature"]


def test_the_same_from_python_in_three_lines(run: Run) -> None:
    import pyramidion

    table = pyramidion.score("demo", "rouge-2.recall")

    _, out, _ = run("score", "demo", "-m", "rouge-2.recall", "--format", "json")
    assert [row["value"] for row in records(out)] == table.frame["value"].to_list()


def test_compare_gives_mean_records_with_ranks(run: Run) -> None:
    code, out, _ = run("compare", "demo", "-m", "rouge-2.recall", "--format", "json")
    rows = [row for row in records(out) if row["record"] == "mean"]
    assert code == 0
    assert rows[0]["rank"] == 1
    assert all(row["lower"] <= row["value"] <= row["upper"] for row in rows)


def test_simulated_judgments_say_so_wherever_they_show(run: Run) -> None:
    measure = "question.focus"
    for command in ("score", "compare"):
        _, out, _ = run(command, "demo", "-m", measure, "--format", "json")
        assert all(row["note"] == "simulated judgments" for row in records(out))
    _, out, _ = run("compare", "demo", "-m", measure)
    assert "simulated judgments" in out


def test_averages_by_summarizer(run: Run, flat: Path) -> None:
    code, out, _ = run(
        "score", str(flat), "-m", "rouge-1.recall", "--by", "summarizer", "--bootstrap", "rouge155", "--format", "json"
    )
    assert code == 0
    assert [row["summarizer"] for row in records(out)] == ["A", "B"]
    assert records(out)[0]["bootstrap_mean"] == pytest.approx(0.5)
    code, out, _ = run(
        "score", str(flat), "-m", "rouge-1", "--by", "summarizer", "--average", "counts", "--format", "json"
    )
    counted = {"hits": 2.0, "model_count": 4.0, "peer_count": 3.0, "n": 1}
    assert records(out)[0] == {"record": "counts", "measure": "rouge-1", "summarizer": "A", **counted}


def test_the_output_of_rouge155_can_be_had(run: Run, flat: Path) -> None:
    code, out, _ = run("score", str(flat), "-m", "rouge-w1.2", "-m", "rouge-1", "--format", "rouge155", "--details")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "-" * 45
    assert lines[1].startswith("A ROUGE-W-1.2 Average_R: 0.")
    assert "A ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.50000 - 0.50000)" in lines
    assert "A ROUGE-1 Eval 1.A R:0.50000 P:0.66667 F:0.57143" in lines


@pytest.mark.parametrize("format", ["table", "json", "csv", "latex", "markdown"])
def test_every_format_prints_every_summarizer(run: Run, flat: Path, format: str) -> None:
    code, out, _ = run("compare", str(flat), "-m", "rouge-1.recall", "--format", format)
    assert code == 0
    assert "A" in out
    assert "B" in out


def test_ten_errors_give_ten_messages_and_exit_code_1(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    good = {"topic": "t", "summarizer": "A", "kind": "model", "text": "a ferry burned"}
    peer = {"topic": "t", "summarizer": "1", "kind": "peer", "text": "a ferry"}
    judgment = {"topic": "t", "summarizer": "1", "question": "q", "value": 3}
    write(
        folder,
        "summaries.jsonl",
        good,
        peer,
        "not json",  # 1
        {"topic": "t", "summarizer": "2", "kind": "peer"},  # 2: no text
        {**peer, "summarizer": "3", "kind": "judge"},  # 3: no such kind
        {**peer, "summarizer": 4},  # 4: wrong type
        peer,  # 5: key again
    )
    write(
        folder,
        "judgments.jsonl",
        judgment,
        {**judgment, "summarizer": "9"},  # 6: dangling
        '{"topic": "t", "summarizer": "1", "question": "r", "value": NaN}',  # 7
        {**judgment, "question": "s", "value": "three"},  # 8
        '{"topic": "t", "summarizer": "1", "question": "u", "question": "v", "value": 1}',  # 9: a key twice
    )
    write(
        folder,
        "pyramids.jsonl",
        {
            "topic": "t",
            "models": ["A"],
            "scus": [{"uid": 1, "label": "x", "contributors": [{"model": "A", "parts": [[0, 99]]}]}],
        },  # 10
    )
    code, out, err = run("check", str(folder), "--format", "json")
    rows = records(out)
    assert code == 1
    assert [row["severity"] for row in rows] == ["error"] * 10
    assert all(row["file"] and row["line"] and row["found"] and row["expected"] and row["remedy"] for row in rows)
    assert len({(row["file"], row["line"]) for row in rows}) == 10
    assert "10 errors, 0 warnings" in err
    code, out, err = run("score", str(folder), "-m", "rouge-1.recall")
    assert (code, out) == (1, "")
    assert err.count("error:") == 10


def test_warnings_give_exit_code_0_and_with_strict_1(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    write(folder, "summaries.jsonl", {"topic": "t", "summarizer": "1", "kind": "peer", "text": "", "colour": "blue"})
    code, out, err = run("check", str(folder))
    assert code == 0
    assert "an empty text" in out
    assert "an unknown key" in out
    assert "0 errors, 3 warnings" in err
    assert run("check", str(folder), "--strict")[0] == 1
    code, _, err = run("score", str(folder), "-m", "rouge-1.recall")
    assert code == 1
    assert "3 warnings" in err
    assert "no value for 1 summary" in err
    assert "nothing was scored" in err


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_file_without_rows_is_said_to_have_no_summaries(run: Run, tmp_path: Path, command: str) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    code, _, err = run(command, str(empty), "-m", "rouge-1.f")
    assert code == 1
    assert "the data has no summaries" in err


def test_an_unknown_measure_is_a_usage_error_without_a_traceback(run: Run) -> None:
    code, out, err = run("score", "demo", "-m", "rogue-2")
    assert (code, out) == (2, "")
    assert "did you mean rouge-2" in err
    assert "Traceback" not in err


def test_missing_data_is_an_input_error(run: Run) -> None:
    code, _, err = run("score", "nowhere")
    assert code == 1
    assert "nowhere: found nothing" in err


def test_scores_are_written_to_a_file_and_read_as_data(run: Run, flat: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.csv"
    code, out, err = run("score", str(flat), "-m", "rouge-1.recall", "-o", str(target))
    assert (code, out) == (0, "")
    assert "2 scores written" in err
    run("report", str(target), "-o", str(tmp_path / "report.html"))
    assert ">rouge-1.recall</h3>" in (tmp_path / "report.html").read_text(encoding="utf-8")
    code, out, _ = run("compare", str(target), "--format", "json")
    assert [(row["measure"], row["summarizer"]) for row in records(out) if row["record"] == "mean"] == [
        ("rouge-1.recall", "A"),
        ("rouge-1.recall", "B"),
    ]


def test_describe_counts_what_is_there(run: Run, flat: Path) -> None:
    code, out, _ = run("describe", str(flat), "--format", "json")
    facts = {row["what"]: row["value"] for row in records(out)}
    assert code == 0
    assert (facts["topics"], facts["reference summaries"], facts["peer summaries"]) == (1, 1, 2)


@pytest.mark.parametrize("what", ["measures", "formats"])
def test_list_names_what_there_is(run: Run, what: str) -> None:
    code, out, _ = run("list", what)
    assert code == 0
    assert {"measures": "rouge-su4", "formats": "rouge-xml"}[what] in out


def test_scores_from_elsewhere_are_imported_into_a_campaign(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "campaign"
    write(folder, "summaries.jsonl", {"topic": "t", "summarizer": "1", "kind": "peer", "text": "a ferry"})
    (tmp_path / "judge.csv").write_text("topic,summarizer,gpt-judge\nt,1,4.5\n", encoding="utf-8")
    code, _, err = run("import", "scores", str(tmp_path / "judge.csv"), str(folder))
    assert code == 0
    assert "imported.gpt-judge" in err
    _, out, _ = run("score", str(folder), "-m", "imported.gpt-judge", "--format", "json")
    assert records(out)[0]["value"] == 4.5


def test_export_and_import_give_the_same_scores(run: Run, flat: Path, tmp_path: Path) -> None:
    assert run("export", "rouge-xml", str(flat), str(tmp_path / "rouge"))[0] == 0
    (config,) = (tmp_path / "rouge").rglob("*.xml")
    _, expected, _ = run("score", str(flat), "-m", "rouge-1", "--format", "json")
    _, found, _ = run("score", str(config), "-m", "rouge-1", "--format", "json")
    assert [row["value"] for row in records(found)] == [row["value"] for row in records(expected)]


def test_where_keeps_the_topics_with_an_attribute(run: Run) -> None:
    _, out, _ = run("score", "demo", "-m", "rouge-1.recall", "--where", "part=A", "--format", "json")
    assert {row["topic"] for row in records(out)} == {"D01-A", "D03-A", "D05-A"}
    code, _, err = run("score", "demo", "--where", "part=Z")
    assert code == 2
    assert "no topic has part=Z" in err


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -c 'from pyramidion.cli import main; main()' score demo --format json | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_look_marks_the_words_that_were_counted(run: Run, flat: Path) -> None:
    code, out, _ = run("look", str(flat), "--topic", "1", "--summarizer", "A", "-m", "rouge-2(stem=no)")
    assert code == 0
    assert "a [ferry] [burned]" in out
    assert "the [ferry] [burned] down" in out
    _, out, _ = run("look", str(flat), "--topic", "1", "--summarizer", "A", "-m", "rouge-1", "--format", "json")
    matched = [(row["side"], row["start"], row["end"]) for row in records(out) if row["matched"]]
    assert matched == [("peer", 2, 7), ("peer", 8, 14), ("model", 4, 9), ("model", 10, 16)]


@pytest.mark.parametrize("sentences", ["lines", "split"])
@pytest.mark.parametrize(
    "text", ["Rain fell. A ferry burned.", "Rain fell.\nA ferry burned.", ["Rain fell.", "A ferry burned."]], ids=repr
)
def test_look_gives_places_in_the_plain_text(run: Run, tmp_path: Path, text: str | list[str], sentences: str) -> None:
    row = {"topic": "1", "summarizer": "A", "summary": text, "references": ["Snow came. The ferry burned."]}
    data = str(write(tmp_path, "flat.jsonl", row))
    arguments = ["look", data, "--topic", "1", "--summarizer", "A", "-m", f"rouge-1(sentences={sentences})"]
    _, out, _ = run(*arguments, "--format", "json")
    plain = text if isinstance(text, str) else "\n".join(text)
    matched = [plain[row["start"] : row["end"]] for row in records(out) if row["matched"] and row["side"] == "peer"]
    assert matched == ["ferry", "burned"]
    _, out, _ = run(*arguments)
    assert plain.replace("ferry burned", "[ferry] [burned]") in out
    assert "Snow came. The [ferry] [burned]." in out


def test_look_without_models_says_so(run: Run, tmp_path: Path) -> None:
    data = write(tmp_path, "flat.jsonl", {"topic": "1", "summarizer": "A", "summary": "rain"})
    code, _, err = run("look", str(data), "--topic", "1", "--summarizer", "A")
    assert code == 1
    assert "has no reference to compare with" in err


def test_a_report_takes_the_options_of_compare(run: Run, flat: Path, tmp_path: Path) -> None:
    scores = tmp_path / "judge.csv"
    scores.write_text("topic,summarizer,judge\n1,A,4\n1,B,2\n", encoding="utf-8")
    page = tmp_path / "report.html"
    options = ["--scores", str(scores), "--interval", "percentile", "--resamples", "50", "--confidence", "90"]
    code, _, err = run("report", str(flat), "-o", str(page), "-m", "imported.judge", "-m", "rouge-1.f", *options)
    assert code == 0, err
    assert "percentile bootstrap over topics, 90\u00a0%" in page.read_text(encoding="utf-8")
    assert ">imported.judge</h3>" in page.read_text(encoding="utf-8")
    code, _, _ = run("report", "demo", "-o", str(page), "-m", "rouge-1.f", "--where", "part=A", "--quiet")
    assert code == 0
    assert " · 3 topics · " in page.read_text(encoding="utf-8")
    assert run("report", "demo", "-o", str(page), "--where", "part=Z")[0] == 2


@pytest.mark.parametrize("command", ["score", "compare", "report", "describe"])
def test_strict_takes_warnings_for_errors_and_quiet_says_nothing(run: Run, tmp_path: Path, command: str) -> None:
    row = {"topic": "1", "summarizer": "A", "summary": "rain", "references": ["rain"], "colour": "blue"}
    data = write(tmp_path, "flat.jsonl", row)
    output = ["-o", str(tmp_path / "report.html")] if command == "report" else []
    code, _, err = run(command, str(data), *output, "--strict")
    assert code == 1
    assert "an unknown key" in err
    code, _, err = run(command, str(data), *output)
    assert code == 0
    assert "1 warning in the data" in err
    assert run(command, str(data), *output, "--quiet")[2] == ""


def test_outputs_without_references_or_scores_are_told_what_to_add(run: Run, tmp_path: Path) -> None:
    rows = [{"id": topic, "source": "a ferry burned", "summary": "a ferry"} for topic in "12"]
    files = [str(write(tmp_path, f"{name}.jsonl", *rows)) for name in ("old", "new")]
    code, _, err = run("compare", *files)
    assert code == 1
    assert "without references; `pyramidion check" in err
    assert "Add a column reference for ROUGE, or a table of scores" in err
    assert "-m js compares summaries with their sources" in err
    assert run("compare", *files, "-m", "js")[0] == 0


def test_look_says_whose_summaries_there_are(run: Run, flat: Path) -> None:
    code, _, err = run("look", str(flat), "--topic", "1", "--summarizer", "C")
    assert code == 2
    assert "there are: ref1, A, B" in err


@pytest.mark.parametrize(
    "call", [("score", "{}", "-m", "rouge-1", "-o", "{}"), ("report", "{}", "-o", "{}"), ("export", "flat", "{}", "{}")]
)
def test_the_data_is_never_overwritten(run: Run, flat: Path, call: tuple[str, ...]) -> None:
    before = flat.read_bytes()
    code, _, err = run(*(part.format(flat) for part in call))
    assert code == 2
    assert "is the data itself" in err
    assert flat.read_bytes() == before


def test_a_condition_given_twice_is_a_usage_error(run: Run) -> None:
    assert run("score", "demo", "--where", "part=A", "--where", "part=B")[0] == 2


def test_a_leaderboard_on_few_topics_says_so(run: Run, flat: Path) -> None:
    assert "Only 1 topic: no intervals." in run("compare", str(flat), "-m", "rouge-1.recall")[1]
    some = run("compare", "demo", "-m", "rouge-1.recall", "--where", "part=A")[1]
    assert "Only 3 topics: intervals are wide." in some
    assert "intervals are wide" not in run("compare", "demo", "-m", "rouge-1.recall")[1]


def test_joined_scores_are_never_overwritten_and_their_warnings_are_shown(run: Run, flat: Path, tmp_path: Path) -> None:
    judge = tmp_path / "judge.csv"
    judge.write_text("topic,summarizer,j,why\n1,A,4,good\n1,Z,2,bad\n", encoding="utf-8")
    code, _, err = run("score", str(flat), "--scores", str(judge), "-m", "imported.j", "-o", str(judge))
    assert code == 2
    assert "is read by this command" in err
    code, _, err = run("score", str(flat), "--scores", str(judge), "-m", "imported.j")
    assert code == 0
    assert "reason = why" in err
    assert "the first for ('1', 'Z')" in err


def test_signatures_that_differ_only_in_the_name_share_a_line(run: Run) -> None:
    _, out, _ = run("score", "demo", "-m", "rouge-1.f", "-m", "rouge-2.f", "-m", "rouge-2(stop=yes).f")
    lines = [line.strip() for line in out.splitlines() if "|" in line]
    assert len(lines) == 2
    assert lines[0].startswith("rouge-1.f, rouge-2.f|alpha:0.5|")
    assert lines[1].startswith("rouge-2.f|alpha:0.5|")
    assert "|stop:yes|" in lines[1]


def test_a_topic_that_does_not_exist_is_answered_with_those_that_do(run: Run) -> None:
    code, _, err = run("look", "demo", "--topic", "x", "--summarizer", "16")
    assert code == 2
    assert "no topic 'x'; there are: D01-A, D01-B, D02" in err
