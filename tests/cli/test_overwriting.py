"""Commands that write never overwrite what is read or a campaign's files without --replace, and never its nouns."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyramidion
from cli.running import Run
from pyramidion.demo import CAMPAIGN_FOLDER
from pyramidion.errors import UsageError
from pyramidion.reports.page import write_report
from pyramidion.scores import write_scores


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    folder = tmp_path / "c"
    shutil.copytree(CAMPAIGN_FOLDER, folder)
    (folder / "scores").mkdir(exist_ok=True)
    return folder


WRITING = {
    "score": ["score", "{campaign}", "-m", "rouge-1.recall", "-o", "{output}"],
    "averages": ["score", "{campaign}", "-m", "rouge-1.recall", "--by", "summarizer", "-o", "{output}"],
    "flat": ["export", "flat", "{campaign}", "{output}"],
    "flat of another": ["export", "flat", "demo", "{output}"],
    "folder": ["export", "folder", "demo", "{output}"],
    "simulated scores": ["simulate", "scores", "--topics", "2", "--summarizers", "2", "-o", "{output}"],
    "simulated campaign": ["simulate", "campaign", "--topics", "2", "--summarizers", "2", "-o", "{output}"],
}


@pytest.mark.parametrize("name", ["summaries.jsonl", "judgments.jsonl", "preferences.jsonl"])
@pytest.mark.parametrize("command", WRITING)
def test_no_command_writes_over_a_noun_of_a_campaign(run: Run, campaign: Path, command: str, name: str) -> None:
    before = {path.name: path.read_bytes() for path in campaign.glob("*.*")}
    for more in ([], ["--replace"]):
        asked = [word.format(campaign=campaign, output=campaign / name) for word in WRITING[command]]
        code, _, err = run(*asked, *more)
        assert (code, "write to another file" in err) == (2, True), err
        assert {path.name: path.read_bytes() for path in campaign.glob("*.*")} == before


def test_a_score_table_of_a_campaign_is_replaced_only_on_request(run: Run, campaign: Path) -> None:
    table = campaign / "scores" / "judge.parquet"
    asked = ["score", str(campaign), "-m", "rouge-1.recall", "-o", str(table)]
    assert run(*asked)[0] == 0
    before = table.read_bytes()
    code, _, err = run(*asked)
    assert code == 2
    assert err.strip().endswith("write to another file, or add --replace")
    assert table.read_bytes() == before
    assert run(*asked, "--replace")[0] == 0


def test_a_figure_and_a_report_do_not_overwrite_what_is_read(run: Run, campaign: Path) -> None:
    page = campaign / "guide.html"
    page.write_text("a guide", encoding="utf-8")
    for asked in (
        ["compare", str(campaign), "-m", "rouge-1.recall", "--figure", str(page)],
        ["report", str(campaign), "-o", str(page)],
        ["demo", "-o", str(page)],
        ["assess", str(campaign), "--export", str(page), "--assessor", "A"],
        ["simulate", "scores", "-o", str(campaign.parent / "s.csv"), "--truth", str(page)],
    ):
        code, _, err = run(*asked)
        assert (code, "add --replace" in err) == (2, True), err
    assert page.read_text(encoding="utf-8") == "a guide"


def test_a_log_does_not_go_into_a_noun(run: Run, campaign: Path) -> None:
    before = (campaign / "judgments.jsonl").read_bytes()
    code, _, err = run("assess", str(campaign), "--port", "0", "--log", str(campaign / "judgments.jsonl"))
    assert (code, "no output overwrites it" in err) == (2, True), err
    assert (campaign / "judgments.jsonl").read_bytes() == before


def test_an_export_does_not_go_into_a_campaign_folder(run: Run, campaign: Path) -> None:
    before = sorted(campaign.rglob("*"))
    for more in ([], ["--replace"]):
        assert run("export", "folder", "demo", str(campaign), *more)[0] == 2
    assert sorted(campaign.rglob("*")) == before


def test_an_export_that_fails_leaves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyramidion.formats.plain import folder_of_texts
    from pyramidion.formats.text_files import save

    calls: list[str] = []

    def fails(folder: Path, *_: object) -> None:
        calls.append(str(folder))
        if len(calls) > 20:
            raise OSError(28, "No space left on device")
        save(folder / f"{len(calls)}.txt", "text")

    monkeypatch.setattr(folder_of_texts, "_save_text", fails)
    code, _, err = run("export", "folder", "demo", str(tmp_path / "new"))
    assert code == 1
    assert "can't be written (the disk is full); free some space, or choose another place" in err
    assert list(tmp_path.iterdir()) == []


def test_standard_input_that_is_a_file_is_not_overwritten(flat: Path) -> None:
    before = flat.read_bytes()
    words = [sys.executable, "-m", "pyramidion", "score", "-", "-m", "rouge-1.recall", "-o", str(flat), "--replace"]
    with flat.open("rb") as file:
        ended = subprocess.run(words, stdin=file, capture_output=True, text=True, check=False)
    assert (ended.returncode, "is the data itself" in ended.stderr) == (2, True), ended.stderr
    assert flat.read_bytes() == before


@pytest.fixture
def linked(campaign: Path) -> Path:
    """A noun of a campaign that is a link to a file elsewhere, as in folders under data version control."""
    store = campaign.parent / "store"
    store.mkdir()
    shutil.move(campaign / "judgments.jsonl", store / "5f2a.jsonl")
    (campaign / "judgments.jsonl").symlink_to(store / "5f2a.jsonl")
    return store / "5f2a.jsonl"


@pytest.mark.parametrize("command", [name for name in WRITING if name != "averages"])
@pytest.mark.parametrize("more", [[], ["--replace"]])
def test_a_noun_that_is_a_link_is_not_overwritten(
    run: Run, campaign: Path, linked: Path, flat: Path, command: str, more: list[str]
) -> None:
    before = linked.read_bytes()
    asked = [word.format(campaign=flat, output=campaign / "judgments.jsonl") for word in WRITING[command]]
    code, _, err = run(*asked, *more)
    assert (code, "no output overwrites it" in err) == (2, True), err
    assert linked.read_bytes() == before


def test_in_python_a_noun_that_is_a_link_is_not_overwritten(campaign: Path, linked: Path) -> None:
    before = linked.read_bytes()
    with pytest.raises(UsageError, match="no output overwrites it"):
        write_scores(pyramidion.score("demo", "rouge-1.recall"), campaign / "judgments.jsonl")
    assert linked.read_bytes() == before


def test_what_the_database_has_not_taken_over_yet_is_not_overwritten(run: Run, campaign: Path) -> None:
    journal = campaign / "assessment.sqlite-wal"
    journal.write_bytes(b"the last answers")
    words = ["simulate", "scores", "-o", str(campaign.parent / "s.csv"), "--truth", str(journal), "--replace"]
    code, _, err = run(*words)
    assert (code, "no output overwrites it" in err) == (2, True), err
    assert journal.read_bytes() == b"the last answers"


@pytest.mark.parametrize("option", ["ids={file}", "references={other},{file}"])
@pytest.mark.parametrize("more", [[], ["--replace"]])
def test_a_file_that_an_option_names_is_not_overwritten(run: Run, tmp_path: Path, option: str, more: list[str]) -> None:
    file, other = tmp_path / "lines.csv", tmp_path / "other.txt"
    for path in (file, other):
        path.write_text("the ferry\nthe rain\n", encoding="utf-8")
    named = ["--predictions", str(other), "--references", str(other), "--option", option.format(file=file, other=other)]
    code, _, err = run("score", *named, "-m", "rouge-1.f", "-o", str(file), *more)
    assert (code, "is the data itself" in err) == (2, True), err
    assert file.read_text(encoding="utf-8") == "the ferry\nthe rain\n"


def test_the_truth_does_not_overwrite_the_scores(run: Run, tmp_path: Path) -> None:
    words = ["simulate", "scores", "--topics", "2", "--summarizers", "2", "-o", str(tmp_path / "x.csv")]
    code, _, err = run(*words, "--truth", str(tmp_path / ".." / tmp_path.name / "x.csv"))
    assert (code, "is the output itself" in err) == (2, True), err
    assert list(tmp_path.iterdir()) == []


def test_in_python_a_page_does_not_overwrite_the_data(flat: Path) -> None:
    before = flat.read_bytes()
    (flat.parent / "other.html").hardlink_to(flat)
    for path in (flat, flat.parent / "other.html"):
        for data in (flat, [flat, CAMPAIGN_FOLDER / "scores"], str(flat)):
            with pytest.raises(UsageError, match="is the data itself"):
                pyramidion.report(data, path, "rouge-1.f")
    assert flat.read_bytes() == before


READ = "no output overwrites what is read; write to another file"
BACKGROUND = "the\t100\t90\nferry\t3\t2\nrain\t2\t2\n"


@pytest.fixture
def background(tmp_path: Path) -> Path:
    path = tmp_path / "background.tsv"
    path.write_text(BACKGROUND, encoding="utf-8")
    return path


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """ROUGE settings; the peer that they name is tmp_path/texts/peer.txt."""
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "peer.txt").write_text("the ferry burned\n", encoding="utf-8")
    (texts / "model.txt").write_text("a ferry burned\n", encoding="utf-8")
    path = tmp_path / "rouge.xml"
    path.write_text(
        f'<ROUGE-EVAL version="1.0"><EVAL ID="1"><PEER-ROOT>{texts}</PEER-ROOT><MODEL-ROOT>{texts}</MODEL-ROOT>'
        '<INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS><P ID="1">peer.txt</P></PEERS>'
        '<MODELS><M ID="A">model.txt</M></MODELS></EVAL></ROUGE-EVAL>',
        encoding="utf-8",
    )
    return path


def second_name(path: Path, name: str, how: str) -> Path:
    """Another name of a file, in the same folder."""
    other = path.with_name(name)
    if how == "link":
        other.symlink_to(path)
    else:
        other.hardlink_to(path)
    return other


@pytest.mark.parametrize("how", ["link", "hard link"])
@pytest.mark.parametrize("more", [[], ["--replace"]])
def test_a_file_that_a_measure_names_is_not_overwritten(
    run: Run, background: Path, how: str, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measure = f"js(background={background})"
    table, figure = second_name(background, "table.csv", how), second_name(background, "figure.html", how)
    monkeypatch.setattr("pyramidion.run.score_cache.ScoreCache.score", None)  # refused before anything is scored
    for asked in (
        ["score", "demo", "-m", measure, "-o", str(table)],
        ["compare", "demo", "-m", measure, "--figure", str(figure)],
        ["correlate", "demo", "-m", "rouge-1.recall", "--with", measure, "--figure", str(figure)],
        ["report", "demo", "-m", measure, "-o", str(figure)],
    ):
        code, _, err = run(*asked, *more)
        assert (code, READ in err) == (2, True), err
    assert background.read_text(encoding="utf-8") == BACKGROUND


@pytest.mark.parametrize("more", [[], ["--replace"]])
def test_a_file_that_the_data_names_is_not_overwritten(run: Run, settings: Path, more: list[str]) -> None:
    peer = settings.parent / "texts" / "peer.txt"
    data = str(settings)
    for name, asked in {
        "table.csv": ["score", data, "-m", "rouge-1.f", "-o"],
        "means.jsonl": ["score", data, "-m", "rouge-1.f", "--by", "summarizer", "-o"],
        "page.html": ["report", data, "-m", "rouge-1.f", "-o"],
        "figure.svg": ["compare", data, "-m", "rouge-1.f", "--figure"],
    }.items():
        code, _, err = run(*asked, str(second_name(peer, name, "hard link")), *more)
        assert (code, READ in err) == (2, True), err
    code, _, err = run("export", "flat", data, str(second_name(peer, "flat.jsonl", "link")), "--replace")
    assert (code, READ in err) == (2, True), err
    assert peer.read_text(encoding="utf-8") == "the ferry burned\n"


def test_an_export_into_the_folder_that_it_reads_is_refused(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "rouge"
    assert run("export", "rouge-xml", "demo", str(target))[0] == 0
    before = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    (settings,) = target.glob("*.xml")
    code, _, err = run("export", "rouge-xml", str(settings), str(target), "--replace")
    assert (code, "write to another file" in err) == (2, True), err
    assert {path: path.read_bytes() for path in target.rglob("*") if path.is_file()} == before


def test_a_fixed_benchmark_is_refused_before_anything_is_scored(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "corpus.csv"
    assert run("score", "demo", "-m", "rouge-1.recall", "-m", "rouge-2.recall", "-o", str(corpus))[0] == 0
    before = corpus.read_bytes()
    monkeypatch.setattr("pyramidion.run.score_cache.ScoreCache.score", None)
    measure = f"hbr(rouge-1.recall,rouge-2.recall,corpus={corpus})"
    code, _, err = run("score", "demo", "-m", measure, "-o", str(corpus), "--replace")
    assert (code, READ in err) == (2, True), err
    assert corpus.read_bytes() == before


def test_in_python_a_page_does_not_overwrite_any_file_that_was_read(
    settings: Path, background: Path, tmp_path: Path
) -> None:
    peer = settings.parent / "texts" / "peer.txt"
    evaluation = pyramidion.Evaluation(settings)
    evaluation.table("rouge-1.f")
    with pytest.raises(UsageError, match=READ):
        write_report(second_name(peer, "a.html", "hard link"), evaluation, "rouge-1.f")
    with pytest.raises(UsageError, match=READ):
        pyramidion.report(settings, second_name(peer, "b.html", "link"), "rouge-1.f")
    with pytest.raises(UsageError, match=READ):
        pyramidion.report("demo", second_name(background, "c.html", "link"), f"js(background={background})")
    scores = tmp_path / "scores.csv"
    write_scores(pyramidion.score("demo", "rouge-1.recall"), scores)
    before = scores.read_bytes()
    with pytest.raises(UsageError, match=READ):
        pyramidion.report("demo", second_name(scores, "d.html", "link"), "rouge-2.recall", scores=[scores])
    assert peer.read_text(encoding="utf-8") == "the ferry burned\n"
    assert background.read_text(encoding="utf-8") == BACKGROUND
    assert scores.read_bytes() == before


def test_in_python_a_table_that_was_read_can_be_changed_and_saved(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    write_scores(pyramidion.score("demo", ["rouge-1.recall", "rouge-2.recall"]), path)
    table = pyramidion.Evaluation(path).table()
    write_scores(table.only(["rouge-1.recall"]), path)
    assert pyramidion.Evaluation(path).table().measures == ("rouge-1.recall",)


def test_scores_are_added_to_the_table_of_a_campaign_that_was_read(run: Run, campaign: Path, tmp_path: Path) -> None:
    for measure in ("rouge-1.recall", "rouge-2.recall"):
        folder = tmp_path / measure
        folder.mkdir()
        assert run("score", "demo", "-m", measure, "-o", str(folder / "mine.csv"))[0] == 0
        code, _, err = run("import", "scores", str(folder / "mine.csv"), "--into", str(campaign))
        assert code == 0, err
    assert len(pyramidion.load(campaign).imported.measures) == 2
