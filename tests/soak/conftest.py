"""How long a soak takes, its seed, and where its summary goes: SOAK_MINUTES, SOAK_SEED, build/soak.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from soak.running import References
from soak.trials import MINUTES, Trials

SUMMARY = Path(__file__).parents[2] / "build" / "soak.md"


@pytest.fixture(scope="session")
def trials() -> Iterator[Trials]:
    """The frame that counts rounds; its summary is printed and written at the end."""
    minutes, seed = float(os.environ.get("SOAK_MINUTES", MINUTES)), int(os.environ.get("SOAK_SEED", "0"))
    trials = Trials(minutes=minutes, seed=seed)
    yield trials
    computer = f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
    lines = [*trials.summary(), "", f"{datetime.now(UTC):%Y-%m-%d}, {computer}, seed {seed}, {minutes:g} minutes."]
    SUMMARY.parent.mkdir(exist_ok=True)
    SUMMARY.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture(scope="session")
def references(tmp_path_factory: pytest.TempPathFactory) -> References:
    """What each command writes when nothing disturbs it."""
    return References(tmp_path_factory.mktemp("references"))
