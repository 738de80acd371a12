"""What the system refuses is said in plain words, with what to do about it, wherever a file is read or written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from cli.running import Run
from pyramidion.files import opening
from pyramidion.files.refusals import refusal_of

WORDS = {
    errno.ENOENT: "found no such file; expected a readable file. Check the path",
    errno.EACCES: "found a file that you have no permission to read; expected a readable file. Ask the owner",
    errno.EPERM: "found a file that you have no permission to read",
    errno.EISDIR: "found a folder; expected a readable file. Give a file.",
    errno.ENOTDIR: "found no such file, because a part of the path is a file and not a folder",
    errno.EMFILE: "found too many open files; expected a readable file. Close other programs, or allow more files",
    errno.ENFILE: "found too many open files",
    errno.ENAMETOOLONG: "found a name that is too long for a file; expected a readable file. Check that it is a path",
    errno.ELOOP: "found links that lead in a circle",
    errno.EIO: "found a disk error",
}


def one_summary(folder: Path) -> str:
    path = folder / "flat.jsonl"
    path.write_text('{"topic":"1","summarizer":"A","summary":"a b","references":["a c"]}\n', encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("number", WORDS, ids=errno.errorcode.get)
def test_a_file_that_can_not_be_opened_is_an_error_in_words(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("topic,summarizer,judge\n1,A,1\n", encoding="utf-8")

    def check(path: Path) -> None:
        if path == scores:
            raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr(opening, "check_file", check)
    code, _, err = run("score", one_summary(tmp_path), "-m", "rouge-1.f", "--scores", str(scores))
    assert code == 1
    assert f"scores.csv: error: {WORDS[number]}" in err
    assert os.strerror(number) not in err


def test_real_files_are_refused_in_these_words(run: Run, tmp_path: Path) -> None:
    data = one_summary(tmp_path)
    (tmp_path / "file.csv").write_text("x", encoding="utf-8")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    for name, words in {
        "absent.csv": "no such file;",
        "folder.csv": "a folder",
        "file.csv/scores.csv": "a part of the path is a file and not a folder",
        f"{'n' * 300}.csv": "a name that is too long for a file",
        "loop.csv": "links that lead in a circle",
    }.items():
        code, _, err = run("score", data, "-m", "rouge-1.f", "--scores", str(tmp_path / name))
        assert (code, words in err) == (1, True), (name, err)


def test_what_is_rare_keeps_the_words_of_the_system() -> None:
    rare = OSError(errno.ENOTSUP, "Operation not supported")
    assert refusal_of(rare).found == "Operation not supported"
