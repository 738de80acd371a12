"""The pytest plugin: a test that uses the fixture fails with the Markdown, in a pytest of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

TEST = """
import polars as pl
import pytest

SCORES = pl.DataFrame(
    [
        {{"topic": str(topic), "summarizer": system, "judge": 3.0 + topic % 2 - loss * (1 + topic % 3) / 2}}
        for topic in range(12)
        for system, loss in (("old", 0.0), ("new", {loss}))
    ]
)


def test_the_new_one_is_not_worse(gate):
    gate.assert_not_worse(SCORES, baseline="old", candidate="new", measure="judge", margin=0.5)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("loss", "code"), [(0.0, 0), (0.5, 1), (1.0, 1)])
def test_the_fixture_fails_a_test_with_the_verdict_in_markdown(tmp_path: Path, loss: float, code: int) -> None:
    (tmp_path / "test_summaries.py").write_text(TEST.format(loss=loss), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("## ❔ pyramidion gate: undecided" in done.stdout) == (loss == 0.5)
    assert ("## ❌ pyramidion gate: fail" in done.stdout) == (loss == 1.0)
