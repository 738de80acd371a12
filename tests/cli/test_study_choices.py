"""`pyramidion study choices` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from cli.running import Run
from pyramidion.studies.choices import ChoicesStudy


def test_the_command_prints_records_of_every_kind(run: Run) -> None:
    code, out, _ = run(
        "study", "choices", "demo", "-m", "rouge-1", "--vary", "statistic,stem", "--pair", "16", "2", "--format", "json"
    )
    assert code == 0
    kinds = {json.loads(line)["record"] for line in out.splitlines()}
    assert kinds == set(ChoicesStudy.record_kinds)


def test_a_specification_curve_is_drawn_and_wrong_names_are_explained(run: Run, tmp_path: Path) -> None:
    figure = tmp_path / "curve.svg"
    code, out, _ = run("study", "choices", "demo", "-m", "rouge-1", "--vary", "stem", "--figure", str(figure))
    assert code == 0
    assert "Who leads under 2 settings" in out
    assert "<svg" in figure.read_text(encoding="utf-8")
    code, _, err = run("study", "choices", "demo", "--vary", "stems")
    assert code == 2
    assert "--vary stems: nothing called 'stems' can be varied; did you mean stem?" in err
