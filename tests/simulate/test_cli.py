"""`pyramidion simulate`: what the two commands write, say and refuse."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pyramidion.campaign import Problems
from pyramidion.campaign.sources import CampaignSource
from pyramidion.cli.simulate import simulate as app
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import read_scores

runner = CliRunner()


def test_scores_writes_a_table_and_its_truth_and_says_what_to_expect(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    sizes = ["--topics", "8", "--summarizers", "6", "--seed", "3"]
    result = runner.invoke(app, ["scores", *sizes, "-m", "good=0.9", "-m", "plain", "--judgments", "-o", str(path)])
    assert result.exit_code == 0, result.output
    table = read_scores(path)
    expected = ["good", "plain", "judgment", "judgment-1", "judgment-2"]
    assert table.measures == tuple(f"simulated-{name}" for name in expected)
    assert len(table) == 5 * 8 * 6
    assert (tmp_path / "scores.truth.csv").read_text().startswith("summarizer,quality,rank")
    # Eρ² = .0009/(.0009 + .005/8) = .5902
    assert "Expected reliability of system means: 0.5902." in result.stdout
    assert "Expected system-level correlation of simulated-good with the ground truth" in result.stdout


def test_scores_takes_the_spreads_and_a_place_for_the_truth(tmp_path: Path) -> None:
    zeros = ["--interaction-sd", "0", "--noise-sd", "0", "--mean", "2", "--system-sd", "0"]
    places = ["-o", str(tmp_path / "s.csv"), "--truth", str(tmp_path / "t.csv")]
    result = runner.invoke(app, ["scores", "--topic-sd", "0", *zeros, *places])
    assert result.exit_code == 0, result.output
    assert set(read_scores(tmp_path / "s.csv").frame["value"]) == {2.0}
    assert (tmp_path / "t.csv").exists()
    assert "undefined" in result.stdout


@pytest.mark.parametrize("name", ["flat.jsonl", "flat.parquet", "folder"])
def test_campaign_writes_something_that_can_be_read(name: str, tmp_path: Path) -> None:
    options = ["--topics", "3", "--summarizers", "4", "--models", "2", "--documents", "1", "--judgments"]
    options += ["--pyramids"] if name == "folder" else []
    result = runner.invoke(app, ["campaign", *options, "-o", str(tmp_path / name)])
    assert result.exit_code == 0, result.output
    assert "12 simulated summaries" in result.stdout
    problems = Problems()
    campaign = CampaignSource(tmp_path / name).read(problems)
    assert len(problems) == 0
    assert len(campaign.topics) == 3
    assert len(campaign.judgments) == 3 * 4 * 2
    assert len(campaign.pyramids) == (3 if name == "folder" else 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scores", "-m", "good=much"], "NAME=CORRELATION"),
        (["scores", "-m", "good=2"], "-1 to 1"),
        (["scores", "-m", "good=1", "-m", "good=0.5"], "good twice"),
        (["scores", "--topics", "0"], "topics"),
        (["scores", "--assessor-count", "0"], "assessor-count"),
        (["campaign", "--words", "3"], "words"),
        (["campaign", "--pyramids"], "folder"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = runner.invoke(app, [*arguments, "-o", str(tmp_path / "out.parquet")])
    assert isinstance(result.exception, UsageError)
    assert message in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_a_place_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = runner.invoke(app, ["scores", "-o", str(tmp_path / "file" / "scores.parquet")])
    assert isinstance(result.exception, InputError)
    assert "scores.parquet" in str(result.exception)


@pytest.mark.parametrize("command", ["scores", "campaign"])
def test_help_shows_an_example(command: str) -> None:
    result = runner.invoke(app, [command, "--help"], terminal_width=200)
    assert result.exit_code == 0
    assert f"pyramidion simulate {command} --topics" in " ".join(result.stdout.split())


def test_the_commands_are_known_without_the_heavy_libraries() -> None:
    code = "import sys, pyramidion.cli.simulate; print({'numpy', 'polars', 'scipy'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"


def test_the_commands_and_the_program_of_the_documentation_run_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "concepts" / "simulation.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(python|console)?\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    consoles = "".join(text for kind, text in blocks if kind == "console")
    commands = re.findall(r"^\$ (pyramidion simulate .*)$", consoles, flags=re.MULTILINE)
    assert len(commands) == 3
    monkeypatch.chdir(tmp_path)
    said = ""
    for command in commands:
        result = runner.invoke(app, shlex.split(command)[2:])
        assert result.exit_code == 0, result.output
        said += result.stdout
    for program in [text for kind, text in blocks if kind == "python"]:
        exec(program, {})
        said += capsys.readouterr().out
    printed = [text for kind, text in blocks if not kind]
    assert len(printed) == 2
    assert all(text in said for text in printed)
