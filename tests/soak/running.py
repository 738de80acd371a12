"""Commands that write, what they write, and whether that is whole."""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from pyramidion.cli import main
from pyramidion.demo import CAMPAIGN_FOLDER

PROGRAM = [sys.executable, "-m", "pyramidion"]
State = dict[str, str]
"""The files of a folder, by name, with a digest of their content."""


@dataclass(frozen=True)
class Writing:
    """A command that writes `target` into the working folder, where `campaign`, `flat.jsonl` and `answers.csv` lie."""

    line: str
    target: str
    replaces: bool = False
    """Whether it writes into what is there: the campaign."""

    @property
    def words(self) -> list[str]:
        return self.line.split()


EXPORTED = ("folder", "ducview", "rouge-xml", "lines")
COMMANDS = [
    *(Writing(f"score demo -m rouge-1 -o out.{ending}", f"out.{ending}") for ending in ("parquet", "csv", "jsonl")),
    Writing("score demo -m rouge-1 --by summarizer -o out.csv", "out.csv"),
    *(Writing(f"export flat demo out.{ending} --replace", f"out.{ending}") for ending in ("parquet", "jsonl")),
    *(Writing(f"export {format} demo out", "out") for format in EXPORTED),
    Writing("import flat flat.jsonl out", "out"),
    Writing("import judgments answers.csv --into campaign", "campaign", replaces=True),
    Writing("import flat flat.jsonl --into campaign", "campaign", replaces=True),
    Writing("init out --word-limit 250", "out"),
    Writing("compare demo -m rouge-1.recall --figure out.svg", "out.svg"),
    Writing("simulate campaign --topics 30 --summarizers 20 --judgments --pyramids -o out", "out"),
    Writing("simulate campaign --topics 60 --summarizers 20 -o out.parquet", "out.parquet"),
    Writing("simulate scores --topics 3000 --summarizers 50 -o out.parquet", "out.parquet"),
    Writing("simulate scores --topics 3000 --summarizers 50 -o out.csv", "out.csv"),
]
FLAT = "".join(
    f'{{"topic": "T{topic}", "summarizer": "S{system}", "summary": "ferry {topic} burned {system}", '
    f'"references": ["the ferry {topic} burned down"]}}\n'
    for topic in range(40)
    for system in range(5)
)
ANSWERS = "topic,summarizer,assessor,question,value\n" + "".join(
    f"{topic},{system},Z,focus,{value}\n" for topic in ("D01-A", "D02") for system in ("1", "2") for value in (3,)
)


def prepare(folder: Path) -> None:
    """The working folder of a command."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(CAMPAIGN_FOLDER, folder / "campaign")
    (folder / "flat.jsonl").write_text(FLAT, encoding="utf-8")
    (folder / "answers.csv").write_text(ANSWERS, encoding="utf-8")


def state(folder: Path) -> State:
    """What is in a folder now."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def call(line: list[str]) -> tuple[int, str]:
    """Run a command in this process: its exit code, and what it said on stderr."""
    said = io.StringIO()
    with (
        mock.patch.object(sys, "argv", ["pyramidion", *line]),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(said),
    ):
        try:
            main()
        except SystemExit as end:
            return (end.code if isinstance(end.code, int) else 0), said.getvalue()
    raise AssertionError("main ends by SystemExit")


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Work in a folder."""
    with contextlib.chdir(folder):
        yield
