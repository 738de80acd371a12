"""The notebooks of the documentation run, and show what their text says."""

import functools
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.py"))


@functools.cache
def run(path: Path) -> tuple[list[Any], dict[str, Any]]:
    """What a notebook shows, and the names that it defines; it runs once for all tests."""
    outputs, definitions = runpy.run_path(str(path))["app"].run()
    return list(outputs), dict(definitions)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom_and_shows_its_findings(path: Path) -> None:
    outputs, definitions = run(path)
    shown = [output for output in outputs if hasattr(output, "_repr_html_")]
    assert len(shown) >= 3
    assert all(output._repr_html_() for output in shown)
    assert "evaluation" in definitions


@pytest.mark.slow
def test_the_notebook_for_builders_says_which_system_is_better() -> None:
    _, definitions = run(ROOT / "docs" / "notebooks" / "is_b_better.py")
    assert "16 is better than 2 on rouge-2.f" in " ".join(definitions["found"].sentences())
    assert set(definitions["by_topic"].columns) == {"2", "16", "difference"}


def test_every_notebook_has_its_row_on_the_page_of_notebooks() -> None:
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) >= 3
    assert [path.name for path in NOTEBOOKS if f"notebooks/{path.name}" not in page] == []
