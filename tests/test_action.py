"""The GitHub Action, run as GitHub would run it: its bash steps, with the inputs in the environment."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

import pyramidion

ACTION: dict[str, Any] = yaml.safe_load((Path(__file__).parents[1] / "action.yml").read_text(encoding="utf-8"))
INSTALL = f"python -m pip install --quiet pyramidion-eval=={pyramidion.__version__}"


def run_action(folder: Path, **given: str) -> tuple[int, str, str]:
    """Run the steps: exit code, log, and the summary of the step."""
    inputs = {name: given.get(name, declared.get("default")) for name, declared in ACTION["inputs"].items()}
    summary = folder / "summary.md"
    log = ""
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        if step["run"] == INSTALL:  # this environment has the package
            continue
        environment = {
            name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: inputs[match[1]], value)
            for name, value in step.get("env", {}).items()
        }
        environment |= {
            "GITHUB_STEP_SUMMARY": str(summary),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
        log += done.stdout + done.stderr
        if done.returncode:
            break
    return done.returncode, log, summary.read_text(encoding="utf-8") if summary.exists() else ""


def write_scores(folder: Path, loss: float) -> None:
    rows = [
        f"{topic},{system},{3 + topic % 2 - lost * (1 + topic % 3) / 2}"
        for topic in range(12)
        for system, lost in (("old", 0.0), ("new", loss))
    ]
    (folder / "my scores.csv").write_text("\n".join(["topic,summarizer,judge", *rows]) + "\n", encoding="utf-8")


def test_the_action_installs_the_version_that_it_belongs_to() -> None:
    assert [step["run"] for step in ACTION["runs"]["steps"]].count(INSTALL) == 1


def test_no_input_is_inserted_into_a_script() -> None:
    assert all("${{" not in step["run"] for step in ACTION["runs"]["steps"])


@pytest.mark.slow
@pytest.mark.parametrize(("loss", "code", "level"), [(0.0, 0, "notice"), (1.0, 3, "error"), (0.5, 4, "warning")])
def test_the_steps_end_with_the_verdict_and_write_the_summary(
    tmp_path: Path, loss: float, code: int, level: str
) -> None:
    write_scores(tmp_path, loss)
    inputs = {"data": "my scores.csv", "against": "old", "measures": "judge", "margin": "0.5"}
    ended, log, summary = run_action(tmp_path, **inputs, options="--scale 1,5")
    assert ended == code, log
    assert f"\n::{level} title=pyramidion gate" in log
    assert summary.startswith("## ")


@pytest.mark.slow
def test_inputs_are_data_and_never_commands(tmp_path: Path) -> None:
    write_scores(tmp_path, 0.0)
    hostile = "old; touch hacked $(touch hacked) `touch hacked`"
    ended, log, _ = run_action(
        tmp_path, data="my scores.csv", against=hostile, measures="judge", options="$(touch hacked)"
    )
    assert ended == 1, log
    assert not (tmp_path / "hacked").exists()
