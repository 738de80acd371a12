"""A fresh working folder with the miniature in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.miniature import CONFIGURATION, TEXTS, Import, Put
from pyramidion.campaign import Campaign, Problems
from pyramidion.formats import find_format


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Writes a file under a fresh working folder."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, content: str | bytes) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def configuration(put: Put) -> Path:
    """The miniature configuration, with its texts."""
    for name, text in TEXTS.items():
        put(name, text)
    return put("config.xml", CONFIGURATION)


@pytest.fixture
def import_as() -> Import:
    """Reads a file as a format: the campaign and what was noted."""

    def read(name: str, path: Path, **options: str | Path | None) -> tuple[Campaign, Problems]:
        problems = Problems()
        return find_format(name).read(path, problems, **options), problems

    return read
