"""Output goes to terminals of any encoding, and names of any characters are printed; nothing ends in a traceback."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import pytest

from pyramidion.cli import main
from soak.running import PROGRAM
from soak.trials import Trials

pytestmark = pytest.mark.soak
ENCODINGS = ("ascii", "cp1252", "cp437", "latin-1", "koi8-r", "shift_jis", "gbk", "utf-8", "utf-16", "cp1140")
FORMATS = ("table", "json", "csv", "latex", "markdown")
COMMANDS = ("score {data} -m rouge-1", "score {data} -m rouge-1 --by summarizer", "compare {data} -m rouge-1.recall")
ODD = ("–", "’", "東京", "Ærø", "\x1b[31m", "\u202e", "🚢", "[bold]", "%", "&", "\\", "|", "\x07", "‮", "é", "a\u0301")


def names(random: Random) -> list[str]:
    drawn = ["".join(random.choices(ODD, k=random.randint(1, 4))) + str(number) for number in range(3)]
    return [name.strip() for name in drawn]


def test_any_encoding_and_any_name_can_be_printed(trials: Trials, tmp_path: Path) -> None:
    for round in trials.rounds("terminals: encodings and names", share=0.05, least=20):
        with round:
            systems, encoding, format = (
                names(round.random),
                round.random.choice(ENCODINGS),
                round.random.choice(FORMATS),
            )
            data = tmp_path / "flat.jsonl"
            rows = [
                {"topic": f"{topic}", "summarizer": one, "summary": f"ferry {one} {topic}", "references": ["the ferry"]}
                for topic in range(3)
                for one in systems
            ]
            data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            line = round.random.choice(COMMANDS).format(data=data).split()
            round.what = f"{line[0]} {format} {encoding} {systems!r}"
            out, err = io.BytesIO(), io.BytesIO()
            streams: dict[str, Any] = {
                "stdout": io.TextIOWrapper(out, encoding=encoding, write_through=True),
                "stderr": io.TextIOWrapper(err, encoding=encoding, write_through=True),
            }
            argv = ["pyramidion", *line, "--format", format]
            with mock.patch.multiple(sys, argv=argv, **streams), pytest.raises(SystemExit) as end:
                main()
            said = err.getvalue().decode(encoding, "replace")
            assert end.value.code == 0, said
            text = out.getvalue().decode(encoding)
            if format == "json":
                found = {row["summarizer"] for row in map(json.loads, text.splitlines()) if row.get("summarizer")}
                assert found == set(systems)
            elif format == "csv":
                assert len(list(csv.reader(io.StringIO(text)))) > 1
            else:
                assert "\x1b" not in text
                assert "\x07" not in text


READERS = ("true", "head -c 10", "head -1", "head -3 > /dev/null")
CLOSED = ("", ">&-", "2>&-", "<&-", ">&- 2>&-")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX")
def test_closed_pipes_and_streams_are_no_error(trials: Trials) -> None:
    lines = ("list measures", "score demo -m rouge-1 --format json", "pyramid show demo", "describe demo", "doctor")
    for round in trials.rounds("terminals: closed pipes and streams", share=0.05, least=10):
        with round:
            line = f"{' '.join(PROGRAM)} {round.random.choice(lines)}"
            if round.random.random() < 0.5:
                line = f"{line} | {round.random.choice(READERS)}"
            else:
                line = f"{line} {round.random.choice(CLOSED)}"
            round.what = line
            done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, timeout=300)
            assert done.returncode == 0, done.stderr
            assert b"Traceback" not in done.stderr
