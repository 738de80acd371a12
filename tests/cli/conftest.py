"""A command line in this process, and a small flat file to run it on."""

import sys
from pathlib import Path

import pytest

from cli.running import Run, write
from pyramidion.cli import main


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pyramidion", *arguments])
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1 if end.code else 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def flat(tmp_path: Path) -> Path:
    rows = [
        {"topic": "1", "summarizer": "A", "summary": "a ferry burned", "references": ["the ferry burned down"]},
        {"topic": "1", "summarizer": "B", "summary": "rain", "references": ["the ferry burned down"]},
    ]
    return write(tmp_path, "flat.jsonl", *rows)
