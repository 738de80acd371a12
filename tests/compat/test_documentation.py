"""The page about moving from rouge-score shows what really happens."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import pyramidion.compat.evaluate
import pyramidion.compat.rouge_score.rouge_scorer

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "from-rouge-score.md"


def test_the_examples_of_the_how_to_run_as_shown() -> None:
    text = PAGE.read_text(encoding="utf-8").replace("```", "")  # a fence would be taken for output
    test = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    report: list[str] = []
    results = doctest.DocTestRunner().run(test, out=report.append)
    assert results.attempted > 10
    assert results.failed == 0, "".join(report)


@pytest.mark.parametrize(
    "module",
    [pyramidion.compat.evaluate, pyramidion.compat.rouge_score.rouge_scorer],
    ids=lambda module: module.__name__,
)
def test_the_examples_of_docstrings_run_as_shown(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted > 0
    assert results.failed == 0
