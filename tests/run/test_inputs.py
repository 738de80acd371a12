"""Each file that a run reads is noted, also one that another file names: no output overwrites it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from pyramidion import Evaluation
from pyramidion.errors import PyramidionError, UsageError
from pyramidion.files.problems import RunFiles
from specimens import specimens

_opened: list[set[Path]] = []
"""Where the files go that Python opens; an audit hook can't be removed."""


def note_opened(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _opened and isinstance(arguments[0], str):
        _opened[-1].add(Path(arguments[0]).absolute())


sys.addaudithook(note_opened)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_every_file_of_every_format_is_noted_as_read(tmp_path: Path) -> None:
    unnoted = {}
    count = 0
    for specimen in specimens(tmp_path):
        if specimen.words:
            continue
        evaluation = Evaluation(specimen.path)
        _opened.append(set())
        try:
            evaluation.table("rouge-1.f")
        except PyramidionError:
            pass  # what was read before counts
        finally:
            opened = _opened.pop()
        files = {path.absolute() for path in specimen.files()} - {specimen.path.absolute()}
        count += len(opened & files)
        missing = (opened & files) - evaluation.problems.files.read_paths
        if missing:
            unnoted[specimen.name] = sorted(path.name for path in missing)
    assert unnoted == {}
    assert count > 50


def test_an_output_that_was_announced_is_not_read(tmp_path: Path) -> None:
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("x", encoding="utf-8")
    other.hardlink_to(path)
    files = RunFiles()
    with files.expecting(path), pytest.raises(UsageError, match="is read by this run"):
        files.note_read(other)
    files.note_read(other)
    with pytest.raises(UsageError, match="is read by this run"):
        files.refuse_read(path)
    files.expect_output(path, may_replace=True)
    files.refuse_read(path)
