"""Commands that write, what they write, and whether that is whole."""

from __future__ import annotations

import contextlib
import hashlib
import io
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

from pyramidion.cli import main
from pyramidion.demo import CAMPAIGN_FOLDER

CRASHING = [sys.executable, str(Path(__file__).with_name("crashing.py"))]
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
    has_old: bool = False
    """Whether a file of this name lies there already, with other content."""
    resumes: bool = False
    """Whether it is a run in shards: what was finished before an interruption stays, and the same command goes on."""

    @property
    def words(self) -> list[str]:
        return self.line.split()


EXPORTED = ("folder", "ducview", "rouge-xml", "lines")
ONE_FILE = [
    *(Writing(f"score demo -m rouge-1 -o out.{ending}", f"out.{ending}") for ending in ("parquet", "csv", "jsonl")),
    Writing("score demo -m rouge-1 --by summarizer -o out.csv", "out.csv"),
    *(Writing(f"export flat demo out.{ending} --replace", f"out.{ending}") for ending in ("parquet", "jsonl")),
    Writing("compare demo -m rouge-1.recall --figure out.svg", "out.svg"),
    Writing("report flat.jsonl -m rouge-1.f -o out.html", "out.html"),
    Writing("simulate campaign --topics 60 --summarizers 20 -o out.parquet", "out.parquet"),
    Writing("simulate scores --topics 3000 --summarizers 50 -o out.parquet", "out.parquet"),
    Writing("simulate scores --topics 3000 --summarizers 50 -o out.csv", "out.csv"),
]
"""Commands that write one file, whatever was there before."""
LOCAL_COMMANDS = [
    *ONE_FILE,
    *(replace(command, has_old=True) for command in ONE_FILE),
    *(Writing(f"export {format} demo out", "out") for format in EXPORTED),
    Writing("import flat flat.jsonl out", "out"),
    Writing("import judgments answers.csv --into campaign", "campaign", replaces=True),
    Writing("import flat flat.jsonl --into campaign", "campaign", replaces=True),
    Writing("init out --word-limit 250", "out"),
    Writing("simulate campaign --topics 30 --summarizers 20 --judgments --pyramids -o out", "out"),
    Writing("score flat.jsonl -m rouge-1 -o run --partition 20 --workers 1", "run", resumes=True),
]
COMMANDS = [
    *LOCAL_COMMANDS,
    Writing("score flat.jsonl -m rouge-1 -o run --partition 20 --engine dask --workers 1", "run", resumes=True),
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


def prepare(folder: Path, command: Writing) -> None:
    """The working folder of a command."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copytree(CAMPAIGN_FOLDER, folder / "campaign")
    (folder / "flat.jsonl").write_text(FLAT, encoding="utf-8")
    (folder / "answers.csv").write_text(ANSWERS, encoding="utf-8")
    if command.has_old:
        (folder / command.target).write_text("what was there before\n", encoding="utf-8")


def state(folder: Path) -> State:
    """What is in a folder now, apart from the manifests of runs in shards: they say how long each shard took."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "manifest" not in str(path.relative_to(folder))
    }


@dataclass(frozen=True)
class Reference:
    """What a command meets, and what it writes when nobody interrupts it: how long it takes, in how many operations."""

    before: State
    after: State
    seconds: float
    operations: int

    def fits(self, files: State, *, file_by_file: bool) -> bool:
        """Whether all of it is old, or all of it new; file by file: each of them."""
        if not file_by_file:
            return files in (self.before, self.after)
        each = files.items() <= self.before.items() | self.after.items()
        return each and files.keys() >= self.before.keys() & self.after.keys()


class References:
    """The references of all commands, each made when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._references: dict[Writing, Reference] = {}

    def of(self, command: Writing) -> Reference:
        """What the command does when nothing disturbs it."""
        if command not in self._references:
            place = self.folder / f"undisturbed{len(self._references)}"
            prepare(place, command)
            before, start = state(place), time.monotonic()
            line = [*CRASHING, "0", "0", *command.words]
            done = subprocess.run(line, cwd=place, check=True, capture_output=True)
            count = int(done.stderr.split()[-1])
            self._references[command] = Reference(before, state(place), time.monotonic() - start, count)
        return self._references[command]


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
