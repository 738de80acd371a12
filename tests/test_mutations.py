"""Whatever happens to the bytes of any format, commands end with an answer or an error, never in a traceback.

Twenty thousand mutated inputs: `make soak`. A failure names its seed and number, so that it can be repeated alone:
`Trial(folder, seed).run(number)`.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import shutil
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from pyramidion.cli import main
from specimens import Specimen, specimens

SECONDS = 30
"""No small file may keep a command longer: of processor time, which other work on the machine hardly changes."""
WAITING = 600
"""Nor may it wait longer, whatever the machine does."""
OTHERS: tuple[Any, ...] = (
    *(
        None,
        True,
        7,
        -1,
        0,
        1.5,
        1e308,
        1e-320,
        10**400,
        float("nan"),
        float("inf"),
        "",
        " ",
        "x",
        "é",
        "\ud800",
        "\x00",
    ),
    *("\x1b[31m", "NaN", "1e999", "null", "a" * 5000, [], {}, [[None]], [1, "a"], {"a": None}, {"": {"": 1}}),
)
PIECES = (
    b"\t",
    b"\n",
    b'"',
    b",",
    b"<",
    b">",
    b"&",
    b"{",
    b"[",
    b":",
    b".",
    b"-",
    b"0",
    b"\r\n",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
)
TYPES: tuple[Any, ...] = (
    pl.String,
    pl.Int64,
    pl.Float64,
    pl.Boolean,
    pl.Categorical,
    pl.Binary,
    pl.List(pl.String),
    pl.Date,
)


def other_bytes(draw: random.Random, content: bytes) -> bytes:
    """Bytes flipped, deleted, inserted, repeated, cut off, exchanged, or one kind of byte replaced."""
    changed = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        at, kind = draw.randrange(len(changed) + 1), draw.randrange(7)
        if kind == 0:
            changed[at : at + 1] = bytes([draw.randrange(256)])
        elif kind == 1:
            del changed[at : at + draw.randint(1, 40)]
        elif kind == 2:
            changed[at:at] = draw.choice(PIECES) * draw.randint(1, 3)
        elif kind == 3:
            changed[at:at] = changed[at : at + draw.randint(1, 200)]
        elif kind == 4:
            del changed[at:]
        elif kind == 5:
            place = draw.randrange(len(changed) + 1)
            changed[at : at + 20], changed[place : place + 20] = changed[place : place + 20], changed[at : at + 20]
        else:
            changed = changed.replace(draw.choice(PIECES), draw.choice(PIECES), draw.randint(1, 3))
    return bytes(changed)


def other_value(draw: random.Random, value: Any) -> Any:
    """A value of JSON with one thing inside changed: dropped, renamed, repeated, or of another type."""
    if isinstance(value, dict) and value and draw.random() < 0.8:
        key = draw.choice(list(value))
        kind = draw.randrange(8)
        if kind == 0:
            return {one: held for one, held in value.items() if one != key}
        if kind == 1:
            return {f"{draw.choice(OTHERS)!s}"[:40] if one == key else one: held for one, held in value.items()}
        return value | {key: other_value(draw, value[key])}
    if isinstance(value, list) and value and draw.random() < 0.8:
        at = draw.randrange(len(value))
        return [*value[:at], *([] if draw.random() < 0.1 else [other_value(draw, value[at])]), *value[at + 1 :]]
    return draw.choice(OTHERS)


def other_json(draw: random.Random, content: bytes) -> bytes:
    """JSON, or one of its lines, with another value somewhere."""
    lines = content.split(b"\n")
    at = draw.randrange(len(lines))
    try:
        lines[at] = json.dumps(other_value(draw, json.loads(lines[at]))).encode()
    except ValueError:
        return other_bytes(draw, content)
    return b"\n".join(lines)


def other_cells(draw: random.Random, content: bytes, separator: bytes) -> bytes:
    """A table with another value in a few cells."""
    lines = content.split(b"\n")
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(lines))
        cells = lines[at].split(separator)
        cells[draw.randrange(len(cells))] = str(draw.choice(OTHERS)).encode(errors="surrogatepass")
        lines[at] = separator.join(cells)
    return b"\n".join(lines)


def other_columns(draw: random.Random, path: Path, content: bytes) -> bytes:
    """A Parquet or Arrow table whose columns are dropped, renamed, of another type, or full of nulls."""
    frame = pl.read_parquet(io.BytesIO(content)) if path.suffix == ".parquet" else pl.read_ipc(io.BytesIO(content))
    name = draw.choice(frame.columns)
    with contextlib.suppress(pl.exceptions.PolarsError):
        kind = draw.randrange(5)
        if kind == 0:
            frame = frame.drop(name)
        elif kind == 1:
            frame = frame.rename({name: draw.choice(["x", "", "topic", "value", "summary", "é", "a" * 300])})
        elif kind == 2:
            frame = frame.with_columns(pl.lit(None).alias(name))
        elif kind == 3:
            frame = frame.with_columns(pl.col(name).cast(draw.choice(TYPES), strict=False))
        else:
            frame = pl.concat([frame, frame.sample(2, seed=draw.randrange(99), with_replacement=True)])
    held = io.BytesIO()
    (frame.write_parquet if path.suffix == ".parquet" else frame.write_ipc)(held)
    return held.getvalue()


def mutated(draw: random.Random, path: Path, content: bytes) -> bytes:
    """The content of a file, changed in a way that suits it, or in any way."""
    suffix = path.suffix
    # Other bytes may make an Arrow table lie about its size, which ends the process: the reader of Polars believes it.
    if draw.random() < 0.5 or suffix == ".arrow":
        if suffix in (".parquet", ".arrow"):
            return other_columns(draw, path, content)
        if suffix in (".jsonl", ".json"):
            return other_json(draw, content)
        if suffix in (".csv", ".tsv", ".txt", ".micro", ".macro", ".out"):
            return other_cells(draw, content, b"," if suffix == ".csv" else b"\t" if suffix == ".tsv" else b" ")
    return other_bytes(draw, content)


def command(*words: str) -> tuple[int, str]:
    """Run a command in this process; its exit code and what it printed to stderr."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    before = sys.argv
    sys.argv = ["pyramidion", *words]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1 if end.code else 0
    finally:
        sys.argv = before
    return code, err.buffer.getvalue().decode()


class TookTooLongError(BaseException):
    """No error of the system, which a command would report and survive."""


@contextlib.contextmanager
def limited(seconds: int, waiting: int = WAITING) -> Iterator[None]:
    """Raise `TookTooLongError` in what takes too much processor time, or waits too long."""

    def stop(*_: object) -> None:
        raise TookTooLongError(f"took more than {seconds} s, or waited more than {waiting} s")

    before = {one: signal.signal(one, stop) for one in (signal.SIGPROF, signal.SIGALRM)}
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.alarm(waiting)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for one, handler in before.items():
            signal.signal(one, handler)


class Trial:
    """Mutates the specimens, one after another, and runs commands on them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.specimens = specimens(folder / "specimens")

    def run(self, number: int) -> str:
        """Try one mutated input; what went wrong, or nothing."""
        draw = random.Random(f"{self.seed} {number}")
        specimen = self.specimens[number % len(self.specimens)]
        files = specimen.files()
        chosen = draw.sample(files, min(len(files), draw.choice([1, 1, 1, 2, 3])))
        before = {path: path.read_bytes() for path in chosen}
        for path, content in before.items():
            if draw.random() < 0.02:
                path.unlink()
            else:
                path.write_bytes(mutated(draw, path, content))
        try:
            with limited(SECONDS):
                return self._commands(specimen, draw)
        except BaseException:  # whatever it is, it is the answer
            return f"{specimen.name}, seed {self.seed}, number {number}:\n{traceback.format_exc()[-3000:]}"
        finally:
            for path, content in before.items():
                path.write_bytes(content)
            shutil.rmtree(self.folder / "target", ignore_errors=True)  # one failure must not lead to others

    def _commands(self, specimen: Specimen, draw: random.Random) -> str:
        data = specimen.as_data()
        scored = ["score", *data, "-m", "rouge-1.f", "-m", "imported", "-m", "question"]
        other = draw.choice([["check"], ["describe"], ["compare", "--resamples", "20"], ["judgments", "describe"]])
        reading = [*other, *data] if draw.random() < 0.5 else scored + draw.choice([[], ["--format", "json"]])
        target = self.folder / ("target.parquet" if specimen.scores_alone else "target")
        imported = ["import", *specimen.as_source(), str(target)]
        for words in (reading, imported):
            code, err = command(*words)
            if code not in (0, 1, 2) or "Traceback" in err or "panicked" in err:
                return f"{' '.join(words)} exited {code}: {err}"
        if target.is_dir() and (code or any(problem_of(target))):
            return f"{' '.join(imported)} exited {code} and left a campaign with errors: {problem_of(target)}"
        shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
        return ""


def problem_of(folder: Path) -> str:
    """What `check` says about a folder that was written; nothing if it has no errors."""
    code, err = command("check", str(folder))
    return err if code else ""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("seed", "count"),
    [
        pytest.param(0, 80, marks=pytest.mark.slow),
        *(pytest.param(seed, 1000, marks=pytest.mark.soak) for seed in range(20)),
    ],
)
def test_mutated_inputs_never_end_in_a_traceback(tmp_path: Path, seed: int, count: int) -> None:
    trial = Trial(tmp_path, seed)
    assert [wrong for number in range(count) if (wrong := trial.run(number))] == []
