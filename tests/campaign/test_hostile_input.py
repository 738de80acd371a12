"""Whatever the bytes are, reading ends with problems, never with a traceback; and nothing in them is obeyed."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pyramidion
from pyramidion.campaign import Campaign, CampaignError, Problems, Summary, write_flat, write_folder
from pyramidion.campaign.folder import read_parts
from pyramidion.campaign.sources import CampaignSource
from pyramidion.demo import CAMPAIGN_FOLDER
from pyramidion.errors import InputError
from pyramidion.scores import read_scores

FILES = [
    "campaign.toml",
    "topics.jsonl",
    "summaries.jsonl",
    "judgments.jsonl",
    "pyramids.jsonl",
    "annotations.jsonl",
    "coverage.jsonl",
    "scores/x.parquet",
]
ROW = b'{"topic": "T", "summarizer": "S", "summary": "words", "references": ["one"]}\n'
NASTY = [
    b"",
    b"\n\n\n",
    b"\r",
    b"\xef\xbb\xbf",
    b"\xff\xfe{\x00}\x00",
    b"\x00" * 40,
    b"{" * 3000,
    b"[" * 200_000,
    b'{"a":' * 500 + b"1" + b"}" * 500,
    b'{"topic": ' + b"[" * 300 + b"]" * 300 + b"}",
    b"[" * 300 + b"]" * 300,
    b'{"\\ud800": 1}',
    b'{"topic": "\\udfff"}',
    b'{"\x1b[31m": 1}',
    b'{"topic": 1e999, "topic": NaN}',
    b'{"topic": ' + b"9" * 5000 + b"}",
    b"a = 0x" + b"f" * 5000,
    b"a = " + b"9" * 5000,
    b"a = " + b"[" * 5000,
    b"word_limit = 0x" + b"f" * 5000,
    b"topic,summarizer,measure,value\n" + b'"' * 7,
    b"topic,summarizer,x\na,b," + b"9" * 400 + b"\n",
    b'topic,summarizer,x\na,b,"' + b"9" * 200_000 + b'"\n',
    ROW.replace(b"\n", b"\r") * 3,
    ROW[:40],
    ROW + ROW[:40],
    "café".encode("cp1252"),
]

json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=3)
            | st.sampled_from(
                ["topic", "summarizer", "summary", "text", "kind", "scus", "parts", "uid", "value", "models"]
            )
            | st.sampled_from(
                ["documents", "references", "judgments", "contributors", "units", "unmatched", "(unknown)"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
).map(lambda value: json.dumps(value).encode())
anything = st.binary(max_size=200) | json_like | st.lists(json_like, max_size=3).map(b"\n".join)


def read(path: Path) -> Problems:
    problems = Problems()
    CampaignSource(path).read(problems)
    for problem in problems:
        str(problem).encode()  # can be printed
        assert str(problem).isprintable()
    return problems


def read_as(name: str, content: bytes) -> Problems:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "summaries.jsonl").write_text("")
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
        return read(folder)


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=40, deadline=None)
@given(content=anything)
def test_any_bytes_in_a_folder_end_in_problems(name: str, content: bytes) -> None:
    read_as(name, content)


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.parquet", "scores.csv", "scores.tsv"])
@settings(max_examples=40, deadline=None)
@given(content=anything)
def test_any_bytes_in_a_single_file_end_in_problems(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / name
        path.write_bytes(content)
        read(path)


@pytest.mark.parametrize("content", NASTY, ids=range(len(NASTY)))
@pytest.mark.parametrize("name", [*FILES, "flat.jsonl", "flat.parquet", "scores.csv", "scores.tsv"])
def test_known_nasty_bytes_end_in_problems(tmp_path: Path, name: str, content: bytes) -> None:
    if name in FILES:
        read_as(name, content)
    else:
        (tmp_path / name).write_bytes(content)
        read(tmp_path / name)


def parquet_bytes() -> bytes:
    summaries = [Summary(topic="T", summarizer=f"S{n}", kind="peer", text="some words " * n) for n in range(9)]
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "x.parquet"
        write_flat(Campaign(summaries=tuple(summaries)), path)
        return path.read_bytes()


PARQUET = parquet_bytes()


@settings(max_examples=60, deadline=None)
@given(length=st.integers(0, len(PARQUET) - 1))
def test_a_truncated_parquet_file_is_one_error(length: int) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "flat.parquet"
        path.write_bytes(PARQUET[:length])
        assert read(path).errors == 1


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet", ".csv"])
def test_a_file_that_is_not_there_is_refused_with_a_remedy(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match="found nothing; expected a campaign folder"):
        CampaignSource(tmp_path / f"absent{suffix}").read(Problems())


def test_a_file_of_another_kind_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "x.docx").write_bytes(b"PK")
    with pytest.raises(InputError, match=r"ending in '\.docx'"):
        CampaignSource(tmp_path / "x.docx").read(Problems())


@pytest.mark.parametrize("name", FILES)
def test_a_directory_in_place_of_a_file_is_an_error(folder: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    (folder / name).mkdir(parents=True)
    problems = read(folder)
    first = next(iter(problems))
    assert (first.severity, first.found, Path(first.file).name) == ("error", "a folder", Path(name).name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("name", FILES[:-1])
def test_a_file_that_may_not_be_read_is_an_error(folder: Path, name: str) -> None:
    (folder / name).chmod(0)
    first = next(iter(read(folder)))
    assert (first.severity, first.found, Path(first.file).name) == (
        "error",
        "a file that you have no permission to read",
        name,
    )


def test_the_system_refusing_to_read_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def refuse(path: Path, mode: str = "r") -> object:
        if path.name == "judgments.jsonl":
            raise PermissionError(13, "Permission denied")
        return opened(path, mode)

    monkeypatch.setattr(Path, "open", refuse)
    (only,) = read(folder)
    assert (only.severity, only.found, Path(only.file).name) == (
        "error",
        "a file that you have no permission to read",
        "judgments.jsonl",
    )


def test_blank_lines_are_skipped_but_counted(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_bytes(b"\n" + ROW + b"  \t\n\n{}\n")
    problems = read(path)
    assert {(problem.line, problem.field) for problem in problems} == {
        (5, "topic"),
        (5, "summarizer"),
        (5, "summary"),
    }


def test_an_empty_flat_file_is_a_campaign_without_topics(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_bytes(b"")
    problems = Problems()
    assert CampaignSource(path).read(problems).topic_ids == ()
    assert problems.errors == 0


def test_utf16_is_one_error_with_the_right_remedy(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_bytes((ROW * 5).decode().encode("utf-16"))
    (only,) = read(path)
    assert (only.line, only.found) == (1, "UTF-16 text")
    assert "iconv -f UTF-16" in only.remedy


def test_lines_that_end_in_a_lone_carriage_return_are_one_error(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_bytes(ROW.replace(b"\n", b"\r") * 3)
    (only,) = read(path)
    assert (only.severity, only.line) == ("error", 1)
    assert "lines end in LF" in only.remedy


def test_a_very_long_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_text(json.dumps({"topic": "T", "summarizer": "S", "summary": "word " * 2_000_000, "references": ["a"]}))
    problems = Problems()
    campaign = CampaignSource(path).read(problems)
    assert len(problems) == 0
    assert len(campaign.summaries[-1].text) == 10_000_000


def test_a_very_long_wrong_value_is_shown_short(tmp_path: Path) -> None:
    path = tmp_path / "flat.jsonl"
    path.write_text(json.dumps({"topic": "T", "summarizer": "S", "summary": ["a", 5], "judgments": "x" * 1_000_000}))
    assert all(len(str(problem)) < 600 for problem in read(path))


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([3]),
        pl.Series([[1, 2]]),
        pl.Series([[None]], dtype=pl.List(pl.Struct({"question": pl.String}))),
        pl.Series([[{"question": None, "value": 1.0}]]),
        pl.Series([[{"question": ["q"], "value": 1.0}]]),
        pl.Series([[{"question": "q", "value": "good"}]]),
        pl.Series([[{"question": "q", "value": 1.0}, {"question": "q", "value": 2.0}]]),
        pl.Series([[{"question": "q", "assessor": 3, "value": 2.0}]]),
        pl.Series([{"q": float("inf")}]),
        pl.Series([b"bytes"]),
    ],
    ids=range(10),
)
def test_judgments_of_another_shape_in_parquet_are_an_error(tmp_path: Path, column: pl.Series) -> None:
    path = tmp_path / "flat.parquet"
    frame = {"topic": ["T"], "summarizer": ["S"], "summary": ["s"], "references": [["r"]], "judgments": column}
    pl.DataFrame(frame).write_parquet(path)
    (only,) = read(path)
    assert (only.severity, only.line) == ("error", 1)
    assert (only.field or "").startswith("judgments")


@settings(max_examples=30, deadline=None)
@given(content=st.binary(max_size=60))
@example(b"PAR1")
def test_any_bytes_as_a_score_file_end_in_problems(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        for suffix in (".csv", ".tsv", ".parquet"):
            path = Path(temporary) / f"x{suffix}"
            path.write_bytes(content)
            problems = Problems()
            assert len(read_scores(path, problems)) == 0 or not problems.errors


@pytest.mark.parametrize("name", ["judgments.jsonl", "topics.jsonl", "campaign.toml", "annotations.jsonl"])
@pytest.mark.parametrize("target", ["nowhere", "itself"])
def test_a_link_that_leads_nowhere_is_an_error_not_an_absent_file(tmp_path: Path, name: str, target: str) -> None:
    folder = tmp_path / "c"
    shutil.copytree(CAMPAIGN_FOLDER, folder)
    (folder / name).unlink()
    (folder / name).symlink_to(name if target == "itself" else tmp_path / "nowhere")
    with pytest.raises(CampaignError, match=name):
        pyramidion.load(folder)


def _read_in_parts(folder: Path) -> None:
    problems = Problems()
    for _ in read_parts(folder, problems):
        pass
    problems.refuse()


def _no_folder_of_scores(folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put something else in place of a campaign's folder of scores."""
    scores = folder / "scores"
    if kind == "nowhere":
        scores.symlink_to(folder.parent / "nowhere")
    elif kind == "itself":
        scores.symlink_to("scores")
    elif kind == "file":
        scores.write_text("scores", encoding="utf-8")
    else:
        scores.mkdir()
        listed = os.listdir

        def refuse(path: Any) -> list[str]:  # root may read everything, so that a mode of 0 would not show it
            if Path(path) == scores:
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return listed(path)

        monkeypatch.setattr(os, "listdir", refuse)


@pytest.mark.parametrize(
    ("kind", "found", "remedy"),
    [
        ("nowhere", "a link that leads nowhere", "remove the link"),
        ("itself", "links that lead in a circle", "Correct the links."),
        ("file", "a file", "Move it into a folder of this name"),
        ("closed", "a folder that you have no permission to read", "chmod u+rx"),
    ],
)
def test_scores_that_are_no_folder_are_an_error_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, found: str, remedy: str
) -> None:
    folder = tmp_path / "c"
    shutil.copytree(CAMPAIGN_FOLDER, folder)
    campaign = pyramidion.load(folder)
    _no_folder_of_scores(folder, kind, monkeypatch)
    (problem,) = pyramidion.check(folder)
    assert (problem.severity, problem.file, problem.found) == ("error", str(folder / "scores"), found)
    assert remedy in problem.remedy
    answers = tmp_path / "answers.csv"
    answers.write_text("topic,summarizer,assessor,question,value\n", encoding="utf-8")
    for read_or_write in (
        lambda: pyramidion.load(folder),
        lambda: pyramidion.score(folder, "rouge-1.recall"),
        lambda: _read_in_parts(folder),
        lambda: pyramidion.import_campaign("judgments", answers, into=folder),
        lambda: write_folder(campaign, folder),
    ):
        with pytest.raises(CampaignError, match=f"scores: error: found {found}"):
            read_or_write()


@pytest.mark.parametrize("line", ["{} = 1", "[{}]", "x = {{ {} = 1 }}"])
def test_a_key_of_very_many_parts_is_refused_before_it_fills_memory(tmp_path: Path, line: str) -> None:
    """A hundred kilobytes of `a.a.a…` took gigabytes."""
    for parts in (100, 4_000):  # the first time loads modules, whose memory is not that of the key
        key = ".".join(["a"] * parts)
        (tmp_path / "campaign.toml").write_text(f'name = "x"\n{line.format(key)}\n')
        tracemalloc.start()
        with pytest.raises(
            CampaignError, match=r"campaign\.toml:2: error: found a key of too many parts; expected at most 64"
        ):
            pyramidion.load(tmp_path)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < 10 * 2**20


def test_half_a_surrogate_pair_in_the_name_of_a_column_is_an_error(tmp_path: Path) -> None:
    rows = [{"id": 1, "model": "a", "prediction": "x", "reference": "y", "\ud800": 1}]
    (tmp_path / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    with pytest.raises(CampaignError, match="half of a surrogate pair"):
        pyramidion.score(tmp_path / "rows.json", "rouge-1.f")
