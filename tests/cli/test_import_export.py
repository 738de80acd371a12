"""Import and export as a user meets them: nothing is overwritten, broken or lost without a word."""

import contextlib
import os
import pty
import sys
from pathlib import Path

import pytest

import pyramidion
from cli.running import Run, records, write


@pytest.fixture
def run(run: Run) -> Run:
    """Run a command with strings and paths."""
    return lambda *arguments: run(*map(str, arguments))


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    rows = [
        {"topic": "t", "summarizer": "A", "kind": "model", "text": "a ferry burned"},
        {"topic": "t", "summarizer": "1", "kind": "peer", "text": "a ferry"},
        {"topic": "t", "summarizer": "2", "kind": "peer", "text": "rain"},
    ]
    return write(tmp_path / "campaign", "summaries.jsonl", *rows).parent


def table(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_column_that_is_there_already_is_not_imported_again(run: Run, campaign: Path, tmp_path: Path) -> None:
    assert run("import", "scores", table(tmp_path / "one.csv", "topic,summarizer,judge\nt,1,4\n"), campaign)[0] == 0
    before = files(campaign)
    code, _, err = run("import", "scores", table(tmp_path / "two.csv", "topic,summarizer,judge\nt,1,5\n"), campaign)
    assert code == 1
    assert "two.csv: error: measure, topic, summarizer: found 1 of 1 scores that the campaign has already" in err
    assert files(campaign) == before
    assert run("check", campaign)[0] == 0


def test_a_table_that_is_there_already_is_not_overwritten(run: Run, campaign: Path, tmp_path: Path) -> None:
    assert run("import", "scores", table(tmp_path / "judge.csv", "topic,summarizer,m\nt,1,4\n"), campaign)[0] == 0
    before = files(campaign)
    code, _, err = run("import", "scores", table(tmp_path / "judge.csv", "topic,summarizer,n\nt,1,5\n"), campaign)
    assert code == 2
    assert "judge.parquet exists; remove it, or rename judge.csv" in err
    assert files(campaign) == before


def test_scores_that_meet_no_summary_are_said_and_not_written(run: Run, campaign: Path, tmp_path: Path) -> None:
    scores = table(tmp_path / "judge.csv", "topic,summarizer,m\nt,1,4\nt,9,5\n")
    assert run("import", "scores", scores, campaign, "--strict")[0] == 1
    code, _, err = run("import", "scores", scores, campaign)
    assert code == 0
    assert "judge.csv: warning: topic, summarizer: found 1 of 2 scores" in err
    assert "1 score written" in err
    assert run("check", campaign)[0] == 0


def test_a_score_table_of_ours_is_imported_with_its_signatures(run: Run, campaign: Path, tmp_path: Path) -> None:
    scores = tmp_path / "rouge.parquet"
    assert run("score", campaign, "-m", "rouge-1.recall", "-o", scores)[0] == 0
    assert run("import", "scores", scores, campaign)[0] == 0
    imported = pyramidion.load(campaign).imported
    assert [score.summarizer for score in imported] == ["1", "2"]
    assert all(score.signature.startswith("rouge-1.recall|") for score in imported)


def test_a_foreign_format_needs_a_new_or_empty_folder(run: Run, flat: Path, tmp_path: Path) -> None:
    assert run("export", "rouge-xml", flat, tmp_path / "rouge")[0] == 0
    target = tmp_path / "target"
    target.mkdir()
    (target / "judgments.jsonl").write_text("precious")
    for format, source in (("rouge-xml", tmp_path / "rouge" / "rouge.xml"), ("flat", flat)):
        code, _, err = run("import", format, source, target)
        assert code == 2
        assert "is not empty; give a new or empty folder" in err
        assert files(target) == {"judgments.jsonl": b"precious"}


def test_a_flat_file_becomes_a_folder(run: Run, flat: Path, tmp_path: Path) -> None:
    assert run("import", "flat", flat, tmp_path / "folder")[0] == 0
    folder, file = pyramidion.load(tmp_path / "folder"), pyramidion.load(flat)
    assert (folder.summaries, folder.topics) == (file.summaries, file.topics)


@pytest.mark.parametrize(("what", "found"), [("campaign", "a folder"), ("scores.csv", "a table of scores")])
def test_only_a_flat_file_is_imported_as_one(run: Run, campaign: Path, tmp_path: Path, what: str, found: str) -> None:
    table(tmp_path / "scores.csv", "topic,summarizer,m\nt,1,4\n")
    code, _, err = run("import", "flat", tmp_path / what, tmp_path / "new")
    assert code == 2
    assert f"{what}: found {found}" in err
    assert not (tmp_path / "new").exists()


def test_scores_that_rouge_printed_join_a_campaign_that_has_the_texts(run: Run, campaign: Path, tmp_path: Path) -> None:
    printed = table(tmp_path / "rouge.out", "1 ROUGE-1 Eval t.1 R:0.50000 P:1.00000 F:0.66667\n")
    assert run("import", "rouge-out", printed, tmp_path / "new")[0] == 2
    assert run("import", "rouge-out", printed, campaign)[0] == 0
    assert run("check", campaign)[0] == 0
    scores = {score.measure: score.value for score in pyramidion.load(campaign).imported}
    assert scores == {"rouge-1.recall": 0.5, "rouge-1.precision": 1.0, "rouge-1.f": 0.66667}


@pytest.mark.parametrize(
    ("format", "name", "text", "measure"),
    [
        ("simetrix", "m.ieval.macro", "sysId AvgunsmoothedJSD\n1 0.25\n2 0.5\n", "js"),
        ("scores", "m.csv", "topic,summarizer,js\naverage,1,0.25\naverage,2,0.5\n", "js"),
        (
            "rouge-out",
            "m.out",
            "1 ROUGE-2 Average_R: 0.25 (95%-conf.int. 0.2 - 0.3)\n2 ROUGE-2 Average_R: 0.5 (95%-conf.int. 0.2 - 0.6)\n",
            "rouge-2.recall",
        ),
    ],
)
def test_means_over_topics_are_a_table_of_their_own(
    run: Run, campaign: Path, tmp_path: Path, format: str, name: str, text: str, measure: str
) -> None:
    before = files(campaign)
    code, _, err = run("import", format, table(tmp_path / name, text), campaign)
    assert (code, files(campaign)) == (1, before)
    assert "found means over topics; expected scores of the campaign's topics" in err
    means = tmp_path / "means.parquet"
    code, _, err = run("import", format, tmp_path / name, means)
    assert code == 0
    assert f"2 scores written to {means}: {measure}\n" in err
    scores = pyramidion.score(means)
    assert {(one.measure, one.topic, one.summarizer): one.value for one in scores} == {
        (measure, "average", "1"): 0.25,
        (measure, "average", "2"): 0.5,
    }
    assert run("score", means, "-m", measure)[0] == 0
    assert run("import", format, tmp_path / name, means)[0] == 2  # nothing is overwritten


def test_export_names_only_formats_that_can_be_written(run: Run, tmp_path: Path) -> None:
    code, _, err = run("export", "flatt", "demo", tmp_path / "x.jsonl")
    assert code == 2
    assert "there is no format 'flatt'; did you mean flat? choose one of: flat, rouge-xml, nist, ducview" in err
    code, _, err = run("export", "scores", "demo", tmp_path / "x.csv")
    assert code == 2
    assert "pyramidion score CAMPAIGN -m MEASURE -o FILE" in err


def test_export_says_what_a_flat_file_loses(run: Run, tmp_path: Path) -> None:
    code, _, err = run("export", "flat", "demo", tmp_path / "demo.jsonl")
    assert code == 0
    assert "names and kinds (human, system) of 24 summarizers" in err
    assert "11 pyramids" in err
    assert pyramidion.load(tmp_path / "demo.jsonl").simulated == pyramidion.load("demo").simulated == "judgments"


def test_a_foreign_format_takes_its_options_as_data(run: Run, tmp_path: Path) -> None:
    sample = {"doc_id": 3, "doc": {"a": "The ferry burned."}, "target": "A ferry.", "resps": [["Ferry fire."]]}
    sample |= {"filtered_resps": ["Ferry fire."], "filter": "none", "metrics": ["acc"], "doc_hash": "x", "acc": 0.5}
    path = write(tmp_path, "samples.jsonl", sample)
    for command in (["score", "-m", "rouge-1.f", "--format", "json"], ["describe"], ["check"]):
        code, _, err = run(command[0], str(path), *command[1:], "--option", "summarizer=mine")
        assert code == 0, err
    code, out, _ = run("score", str(path), "-m", "rouge-1.f", "--format", "json", "--option", "summarizer=mine")
    assert [one["summarizer"] for one in records(out)] == ["mine"]
    code, _, err = run("score", str(path), "--option", "summariser=mine")
    assert code == 2
    assert "the format lm-eval has no option 'summariser'; did you mean summarizer?" in err


def test_line_files_take_the_options_of_their_format(run: Run, tmp_path: Path) -> None:
    files = {name: write(tmp_path, f"{name}.txt", text) for name, text in (("a", "x"), ("ref", "x"), ("ids", "D7"))}
    words = ["--predictions", str(files["a"]), "--references", str(files["ref"])]
    code, out, err = run("score", *words, "-m", "rouge-1.f", "--option", f"ids={files['ids']}", "--format", "json")
    assert code == 0, err
    assert [one["topic"] for one in records(out)] == ["D7"]


def test_our_own_forms_have_no_options(run: Run, flat: Path) -> None:
    code, _, err = run("score", str(flat), "--option", "summarizer=mine")
    assert code == 2
    assert "is not in a foreign format" in err


def test_a_command_that_a_report_shows_has_the_options(tmp_path: Path) -> None:
    evaluation = pyramidion.Evaluation(tmp_path / "x", pyramidion.Choice(option={"summarizer": "mine"}))
    assert evaluation.command("compare").endswith("--option summarizer=mine")


def test_scores_are_added_by_any_names_of_columns(run: Run, campaign: Path, tmp_path: Path) -> None:
    scores = table(tmp_path / "judge.csv", "sample_id,llm,quality\nt,1,3\nt,2,4\n")
    code, _, err = run("import", "scores", scores, "--into", campaign)
    assert code == 0, err
    odd = table(tmp_path / "odd.csv", "where,whose,other\nt,1,3\n")
    code, _, err = run("import", "scores", odd, "--into", campaign, "--columns", "topic=where,summarizer=whose")
    assert code == 0, err
    assert set(pyramidion.load(campaign).imported.measures) == {"quality", "other"}


def test_records_are_added_by_any_names_of_columns(run: Run, campaign: Path, tmp_path: Path) -> None:
    rows = table(tmp_path / "mine.csv", "nr,text_out,gold\nt,the ferry burned,a ferry burned\n")
    words = ("--columns", "topic=nr,summary=text_out,references=gold")
    code, _, err = run("import", "records", rows, tmp_path / "new", *words)
    assert code == 0, err
    assert {one.summarizer for one in pyramidion.load(tmp_path / "new").summaries} == {"ref1", "mine"}


def test_a_spreadsheets_mark_in_judgments_is_no_problem(run: Run, campaign: Path, tmp_path: Path) -> None:
    answers = table(tmp_path / "answers.csv", "\ufefftopic,system,assessor,focus\nt,1,x,3\n")
    code, _, err = run("import", "judgments", answers, "--into", campaign, "--strict")
    assert code == 0, err


def test_a_text_file_alone_leads_to_predictions(run: Run, tmp_path: Path) -> None:
    code, _, err = run("score", table(tmp_path / "R.txt", "a ferry\nrain\n"))
    assert code == 1
    assert "--predictions" in err
    assert "--references FILE" in err


@pytest.mark.slow
def test_init_asks_in_a_terminal(tmp_path: Path) -> None:
    child, terminal = pty.fork()
    if not child:
        os.execv(
            sys.executable,
            [sys.executable, "-c", "from pyramidion.cli import main; main()", "init", str(tmp_path / "c")],
        )
    shown = b""
    for asked, answer in (("Name of the campaign", "Ferries"), ("What is evaluated", ""), ("Word limit", "100")):
        while asked.encode() not in shown:
            shown += os.read(terminal, 1024)
        os.write(terminal, f"{answer}\n".encode())
        shown = b""
    with contextlib.suppress(OSError):  # the end of the terminal
        while os.read(terminal, 1024):
            pass
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    settings = (tmp_path / "c" / "campaign.toml").read_text(encoding="utf-8")
    assert 'name = "Ferries"' in settings
    assert "word_limit = 100" in settings
