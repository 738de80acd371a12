"""How the tests of the command line run it and read what it prints."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., tuple[int, str, str]]
"""Runs a command: (exit code, stdout, stderr)."""


def records(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def write(folder: Path, name: str, *rows: object) -> Path:
    folder.mkdir(exist_ok=True)
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name
