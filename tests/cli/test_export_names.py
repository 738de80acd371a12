"""Ids that are odd as names of files: an export writes all of them, each to be read again, or says why it can't."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from cli.running import Run
from pyramidion.campaign import Campaign, Document, Problems, Summary, Topic, plain
from pyramidion.errors import InputError
from pyramidion.files import atomic_writer, written_together
from pyramidion.formats import find_format

ODD = {
    "NUL": ["a\0b"],
    "slashes": ["a/b", "../../evil", "/etc/x"],
    "dots": ["..", ".", ".hidden"],
    "line breaks": ["a\nb", "a\rb", "a\r"],
    "long": ["x" * 230, "x" * 229 + "y"],
    "case": ["Sys", "sys", "SYS"],
    "Unicode": ["é", unicodedata.normalize("NFD", "é")],
    "escapes": ["a%2Fb", "a/b", "a b", "a%20b"],
    "blanks": [" ", "\t"],
}


def flat(folder: Path, rows: list[dict[str, Any]]) -> str:
    path = folder / "flat.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def row(topic: str, summarizer: str, summary: str = "a b") -> dict[str, Any]:
    return {"topic": topic, "summarizer": summarizer, "summary": summary, "references": ["a c"], "documents": ["a d"]}


@pytest.mark.parametrize("ids", ODD.values(), ids=ODD)
@pytest.mark.parametrize("format", ["folder", "rouge-xml"])
def test_every_id_is_read_again_and_nothing_is_written_elsewhere(tmp_path: Path, format: str, ids: list[str]) -> None:
    for topics, peers in ((ids, ["1"]), (["D1"], ids)):
        summaries = [Summary(topic=topic, summarizer="A", kind="model", text="a model") for topic in topics]
        summaries += [
            Summary(topic=topic, summarizer=peer, kind="peer", text=f"a peer {number}")
            for topic in topics
            for number, peer in enumerate(peers)
        ]
        target = tmp_path / ("peers" if topics == ["D1"] else "topics") / "out"
        documents = (Document(id="d", text="a document"),)
        campaign = Campaign(
            topics=tuple(Topic(topic=one, documents=documents) for one in topics), summaries=tuple(summaries)
        )
        problems = Problems()
        try:
            find_format(format).write(campaign, target, problems)
        except InputError as error:  # XML has no NUL
            assert (format, "\0" in ids[0], "expected characters that XML allows" in str(error)) == (
                "rouge-xml",
                True,
                True,
            )
            continue
        assert {path.name for path in target.parent.iterdir()} == {"out"}
        again = find_format(format).read(target if format == "folder" else target / "rouge.xml", Problems())
        assert {(one.topic, one.summarizer, plain(one.text)) for one in again.summaries} == {
            (one.topic, one.summarizer, one.text) for one in campaign.summaries
        }


@pytest.mark.parametrize("format", ["folder", "ducview", "lines"])
def test_an_id_that_is_too_long_for_a_file_is_refused_where_its_name_must_tell_it(
    run: Run, tmp_path: Path, format: str
) -> None:
    long = "x" * 300
    data = flat(tmp_path, [row(long, "1") if format == "ducview" else row("D1", long)])
    code, _, err = run("export", format, data, str(tmp_path / "out"))
    assert code == 1
    assert "found the id 'xxxx" in err
    assert "which is too long for a file name: at most 240 bytes" in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("topic", "summarizer", "words"),
    [
        ("D1", "a\0b", "the summarizer 'a\\\\x00b' can't be the name of a file; rename it"),
        ("D1", "a\nb", "the summarizer 'a\\\\nb' can't be the name of a file; rename it"),
        ("D1", "../evil", "the summarizer '../evil' can't be the name of a file; rename it"),
        ("D1", "ids", "the summarizer 'ids' would overwrite ids.txt; rename it"),
        ("a\nb", "1", "the topic 'a\\\\nb' can't be a line of ids.txt, because it has a line break; rename it"),
        ("a\r", "1", "the topic 'a\\\\r' can't be a line of ids.txt"),
    ],
    ids=repr,
)
def test_lines_refuses_ids_that_its_files_can_not_hold(
    run: Run, tmp_path: Path, topic: str, summarizer: str, words: str
) -> None:
    code, _, err = run("export", "lines", flat(tmp_path, [row(topic, summarizer)]), str(tmp_path / "out"))
    assert code == 2
    assert words.replace("\\\\", "\\") in err
    assert {path.name for path in tmp_path.iterdir()} == {"flat.jsonl"}


def test_lines_refuses_a_summarizer_whose_models_and_peers_would_be_one_file(tmp_path: Path) -> None:
    kinds = (("1", "peer"), ("2", "model"))
    summaries = tuple(Summary(topic=topic, summarizer="A", kind=kind, text=kind) for topic, kind in kinds)  # type: ignore[arg-type]
    with pytest.raises(Exception, match="the summarizer 'A' has models and peers"):
        find_format("lines").write(Campaign(summaries=summaries), tmp_path / "out", Problems())
    assert not (tmp_path / "out").exists()


def test_simetrix_refuses_two_ids_that_would_become_one(run: Run, tmp_path: Path) -> None:
    data = flat(tmp_path, [row("D1", "a b"), row("D1", "a%20b")])
    code, _, err = run("export", "simetrix", data, str(tmp_path / "out"))
    assert code == 1
    assert "found the summarizers 'a b' and 'a%20b', which would both be written as a%20b" in err
    assert not (tmp_path / "out").exists()


def test_two_files_that_the_disk_takes_for_one_are_refused(tmp_path: Path) -> None:
    """As Sys.txt and sys.txt are on many disks; here by the same name twice."""

    def write() -> None:
        for text in (b"Sys", b"sys"):
            with atomic_writer(tmp_path / "out" / "sys.txt") as file:
                file.write(text)

    with (
        pytest.raises(InputError, match=r"sys\.txt: two files of this name would be written"),
        written_together(tmp_path / "out"),
    ):
        write()
    assert not (tmp_path / "out").exists()
