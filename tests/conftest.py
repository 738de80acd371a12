"""Which tests are quick: those of the rooms below; what runs the whole program is left to `make test`."""

from __future__ import annotations

from pathlib import Path

import pytest

WHOLE_PROGRAM = ("browser", "cli", "demo", "reports", "simulate", "studies")
"""Folders whose tests read, score and print whole campaigns."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what `make quick` leaves out."""
    root = Path(__file__).parent
    for item in items:
        folder = item.path.relative_to(root).parts[0] if item.path.is_relative_to(root) else ""
        if folder in WHOLE_PROGRAM or item.name.startswith("test_what_a_page_shows_runs"):
            item.add_marker(pytest.mark.slow)
