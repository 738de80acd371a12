"""Runs a command of pyramidion in this process, and keeps what it answered in a form that can be stored and compared.

An answer holds what users can rely on: the exit code, the records, the notes, the files that were written, and
severity, file, line and field of each problem. It leaves out the wording of errors and warnings, and the layout of
pages.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import math
import os
import platform
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl

import pyramidion.cli
from pyramidion.errors import PyramidionError
from pyramidion.version import VERSION
from tools.freezing.pages import read_page

Answer = dict[str, Any]
"""What a command answered, as values of JSON."""
ENVIRONMENT = {"COLUMNS": "120", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
"""Settings of a terminal that would otherwise change how tables are laid out."""
DEMO_FOLDER = str(Path(pyramidion.__file__).parent / "demo" / "campaign")
VERSIONS = re.compile(rf"(?<![\d.])({re.escape(VERSION)}|{re.escape(platform.python_version())})(?![\d.]*\d)")
"""The versions of pyramidion and of Python, which a report and signatures contain."""
PROBLEM = re.compile(
    r"(?P<file>.+?)(?::(?P<lines>\d+(?:, \d+)*)(?:, … \([\d,]+ times\))?| \([\d,]+ times\))?: "
    r"(?P<severity>error|warning):(?: (?P<field>.{1,200}?):)? found(?:, for example,)? .*",
    re.S,
)
"""The line of a problem, as docs/reference/campaign-format.md describes it."""


@dataclass(frozen=True)
class Command:
    """A command of pyramidion, as it is typed in the folder of its group."""

    words: str
    """All that follows `pyramidion`."""
    writes: tuple[str, ...] = ()
    """Files and folders that it writes, whose content belongs to the answer."""
    stdin: str = ""
    has_notes: bool = True
    """Whether its notes on stderr belong to the answer; the places of its warnings always do."""

    @property
    def name(self) -> str:
        """What its answer is stored under."""
        return self.words

    def run(self) -> Answer:
        """Run it in the working folder."""
        return run_command(self)


@dataclass(frozen=True)
class Call:
    """A call of pyramidion's Python interface that returns a finding."""

    name: str
    function: Callable[[], Any]

    def run(self) -> Answer:
        """Call it; its records, and the warnings that Python shows."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            finding = self.function()
        records = json.loads(json.dumps(list(finding.records())))
        return {"records": normalise(records), "notes": read_notes(str(warning.message) for warning in caught)}


Case = Command | Call


def run_command(command: Command) -> Answer:
    """The answer of a command that is run in this process, through the door that users take."""
    errors: list[PyramidionError] = []
    program_main = pyramidion.cli.program.main

    def main_with_observer(*arguments: Any, **options: Any) -> Any:
        """Run the program, and keep the error that it ends with: only its message reaches stderr."""
        try:
            return program_main(*arguments, **options)
        except PyramidionError as error:
            errors.append(error)
            raise

    stdin = io.TextIOWrapper(io.BytesIO(command.stdin.encode()), encoding="utf-8")
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    stderr = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        mock.patch.object(sys, "argv", ["pyramidion", *shlex.split(command.words)]),
        mock.patch.object(sys, "stdin", stdin),
        mock.patch.object(pyramidion.cli.program, "main", main_with_observer),
        mock.patch.dict(os.environ, ENVIRONMENT),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            pyramidion.cli.main()
            exit_code: Any = 0
        except SystemExit as end:
            exit_code = end.code
    answer: Answer = {"exit": exit_code}
    answer |= read_stdout(_text_of(stdout))
    if errors:
        answer["problems"] = list(_problems_of(errors[0]))
    elif exit_code == 0:
        notes = read_notes(_text_of(stderr).splitlines())
        answer["notes"] = [note for note in notes if command.has_notes or isinstance(note, list)]
    for name in command.writes:
        answer.setdefault("files", {})[name] = read_output(Path(name))
    normalised: Answer = normalise(answer)
    return normalised


def _text_of(stream: io.TextIOWrapper) -> str:
    """What was written to a stream."""
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(errors="backslashreplace")


def _problems_of(error: PyramidionError) -> Iterator[dict[str, Any]]:
    """Severity, file, line and field of each problem that a command ended with."""
    for problem in getattr(error, "problems", ()):
        yield {field: getattr(problem, field) for field in ("severity", "file", "line", "field")}


def read_stdout(text: str) -> Answer:
    """Records if all lines are JSON objects, otherwise the lines themselves without blanks at their ends."""
    if not text:
        return {}
    lines = [line.rstrip() for line in text.removesuffix("\n").split("\n")]
    try:
        records = [json.loads(line) for line in lines]
    except ValueError:
        return {"text": lines}
    return {"records": [_keep_comparable_fields(record) for record in records]}


def _keep_comparable_fields(record: Any) -> Any:
    """A record of `check` without its sentences, one of a run in shards without its time; any other as it is."""
    if not isinstance(record, dict):
        return record
    if record.get("record") == "problem":
        return {field: record[field] for field in ("record", "severity", "file", "line", "field", "count")}
    if record.get("record") == "run":
        return {field: value for field, value in record.items() if field not in ("seconds", "rate")}
    return record


def read_notes(lines: Iterable[str]) -> list[Any]:
    """Notes as they are; of the lines that are problems: severity, file, lines and field."""
    notes: list[Any] = []
    for line in lines:
        match = PROBLEM.fullmatch(line)
        if match:
            notes.append([match["severity"], match["file"], match["lines"], match["field"]])
        else:
            notes.append(line.rstrip())
    return notes


def read_output(path: Path) -> Any:
    """The content of a file that a command wrote, or of all files of a folder."""
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if file.is_file()]
        return {file.relative_to(path).as_posix(): read_output(file) for file in files}
    if not path.exists():
        return None
    if path.suffix == ".html":
        return read_page(path.read_text(encoding="utf-8"))
    if path.suffix == ".svg":
        # Where a drawing puts its words follows from the fonts of the machine; which words it has does not.
        return re.findall(r"<text[^>]*>([^<]+)</text>", path.read_text(encoding="utf-8"))
    if path.suffix == ".parquet":
        return json.loads(pl.read_parquet(path).write_json())
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return [[_number_or_text(cell) for cell in row] for row in csv.reader(file)]
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _number_or_text(cell: str) -> float | str:
    """The number that a cell of a table holds, so that its last digits are not compared; otherwise the cell."""
    if "." not in cell:
        return cell
    try:
        number = float(cell)
    except ValueError:
        return cell
    return number if math.isfinite(number) else cell


def normalise(value: Any) -> Any:
    """The same value without what differs between machines and versions: folders, and numbers of versions."""
    if isinstance(value, str):
        text = value.replace(str(Path.cwd()), "FOLDER").replace(DEMO_FOLDER, "DEMO")
        return VERSIONS.sub("VERSION", text)
    if isinstance(value, list):
        return [normalise(item) for item in value]
    if isinstance(value, dict):
        return {key: normalise(item) for key, item in value.items()}
    return value
