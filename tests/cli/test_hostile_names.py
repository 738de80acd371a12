"""Names that are not UTF-8, and halves of characters: repaired and listed on import, or refused with the file."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import polars as pl
import pytest

from cli.running import Run, records, write

LATIN = os.fsdecode(b"caf\xe9")
"""A name as Latin-1 has it, as Python sees it."""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder of texts with names in Latin-1."""
    folder = tmp_path / "texts" / LATIN
    for inner, name in (("models", "A"), ("peers", "1"), ("peers", LATIN)):
        (folder / inner).mkdir(parents=True, exist_ok=True)
        (folder / inner / f"{name}.txt").write_text("A ferry burned.\n")
    return folder.parent


def test_names_of_files_in_latin_1_are_read_and_said(run: Run, texts: Path, tmp_path: Path) -> None:
    code, out, err = run("score", str(texts), "-m", "rouge-1.f", "--format", "json")
    assert code == 0, err
    assert {(one["topic"], one["summarizer"]) for one in records(out)} == {("café", "1"), ("café", "café")}
    code, _, err = run("import", "folder", str(texts), str(tmp_path / "campaign"))
    assert code == 0, err
    assert "not valid Unicode" in err
    code, out, err = run("check", str(tmp_path / "campaign"))
    assert code == 0, err
    assert '"summarizer":"café"' in (tmp_path / "campaign" / "summaries.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "command", [["check"], ["score", "-m", "rouge-1.f"], ["describe"], ["compare", "-m", "rouge-1.f"]]
)
def test_a_file_or_folder_with_a_name_in_latin_1_is_data(run: Run, tmp_path: Path, command: list[str]) -> None:
    rows = [{"id": n, "prediction": "a ferry burned", "reference": "the ferry"} for n in range(2)]
    path = tmp_path / f"{LATIN}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, err = run(command[0], str(path), *command[1:])
    assert code == 0, err
    (out + err).encode()
    assert command[0] != "score" or "café" in out


@pytest.mark.slow
def test_a_report_names_data_in_latin_1(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": n, "model": who, "prediction": f"{who} ferry burned", "reference": "the ferry"}
        for n in range(3)
        for who in "ab"
    ]
    path = tmp_path / f"{LATIN}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = run("report", str(path), "-o", str(tmp_path / "report.html"))
    assert code == 0, err
    assert "caf" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_campaign_is_started_in_a_folder_with_a_name_in_latin_1(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / LATIN
    code, _, err = run("init", str(folder), "--word-limit", "100")
    assert code == 0, err
    assert 'name = "café"' in (folder / "campaign.toml").read_text(encoding="utf-8")
    code, _, err = run("check", str(folder))
    assert code == 0, err


def test_halves_of_characters_in_topic_json_are_repaired_and_said(run: Run, tmp_path: Path) -> None:
    topic = tmp_path / "texts" / "D1"
    (topic / "peers").mkdir(parents=True)
    (topic / "peers" / "1.txt").write_text("A ferry burned.\n")
    write(topic, "topic.json", '{"title": "half \\ud800 of one"}')
    code, _, err = run("import", "folder", str(tmp_path / "texts"), str(tmp_path / "campaign"))
    assert code == 0, err
    assert "not valid Unicode" in err
    assert "half \ufffd of one" in (tmp_path / "campaign" / "topics.jsonl").read_text(encoding="utf-8")


def test_a_failed_import_leaves_nothing(run: Run, tmp_path: Path) -> None:
    rows = [{"topic": "a", "summarizer": "b", "summary": "\ud800", "references": []}]
    (tmp_path / "x.json").write_text(json.dumps(rows))
    code, _, err = run("import", "flat", str(tmp_path / "x.json"), str(tmp_path / "campaign"))
    assert code == 1
    assert "half of a surrogate pair" in err
    assert not (tmp_path / "campaign").exists()


def table_in_latin_1(folder: Path, ending: str) -> Path:
    """A table in a folder whose names are both not UTF-8; Polars itself knows no such name."""
    rows = [
        {"topic": str(topic), "summarizer": who, "summary": f"{who} ferry burned {topic}", "references": "the ferry"}
        for topic in range(3)
        for who in "AB"
    ]
    if ending == ".jsonl":
        (folder / "plain").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif ending == ".arrow":
        pl.DataFrame(rows).write_ipc(folder / "plain")
    else:
        pl.DataFrame(rows).write_parquet(folder / "plain")
    (folder / LATIN).mkdir()
    path = folder / LATIN / f"{LATIN}{ending}"
    (folder / "plain").rename(path)
    if ending == ".parquet.gz":
        path.write_bytes(gzip.compress(path.read_bytes()))
    return path


@pytest.mark.parametrize("ending", [".parquet", ".parquet.gz", ".arrow"])
def test_tables_in_binary_formats_may_have_names_in_latin_1(run: Run, tmp_path: Path, ending: str) -> None:
    code, out, err = run("score", str(table_in_latin_1(tmp_path, ending)), "-m", "rouge-1.f", "--format", "csv")
    assert code == 0, err
    assert out.count("rouge-1.f,") == 6


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
@pytest.mark.parametrize("of_folder", [False, True])
def test_a_run_in_shards_reads_and_writes_names_in_latin_1(
    run: Run, tmp_path: Path, ending: str, of_folder: bool
) -> None:
    path, output = table_in_latin_1(tmp_path, ending), tmp_path / f"run {LATIN}"
    data = path.parent if of_folder else path
    words = ["score", str(data), "-m", "rouge-1.f", "-o", str(output), "--partition", "2", "--workers", "1"]
    for again in ("3 shards", "3 shards were already finished"):
        code, _, err = run(*words)
        assert (code, again in err) == (0, True), err
    code, out, err = run("compare", str(output), "--format", "json", "--show", "mean")
    assert (code, len(records(out))) == (0, 2), err


def test_a_campaign_with_scores_may_have_a_name_in_latin_1(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / LATIN
    code, _, err = run("simulate", "campaign", "--topics", "2", "--summarizers", "2", "-o", str(folder))
    assert code == 0, err
    assert list(folder.glob("scores/*.parquet"))
    code, _, err = run("score", str(folder), "-m", "rouge-1.f")
    assert code == 0, err


@pytest.mark.parametrize("option", ["--name", "--description"])
def test_words_of_the_command_line_in_latin_1_are_read(run: Run, tmp_path: Path, option: str) -> None:
    code, _, err = run("init", str(tmp_path / "new"), option, LATIN)
    assert code == 0, err
    assert '"café"' in (tmp_path / "new" / "campaign.toml").read_text(encoding="utf-8")


def test_an_address_in_latin_1_is_a_usage_error(run: Run, flat: Path) -> None:
    code, _, err = run("score", str(flat), "-m", "rouge-1.f", "-o", f"s3://{LATIN}/run")
    assert (code, "not UTF-8" in err) == (2, True), err
