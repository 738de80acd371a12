"""`pyramidion trust` on the command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from pyramidion.cli import program
from pyramidion.errors import UsageError

WORDS = (
    "trust",
    "demo",
    "-m",
    "rouge-2.recall",
    "--with",
    "question.overall-responsiveness",
    "--resamples",
    "50",
    "-q",
)


def test_the_command_prints_verdicts_and_writes_the_card(tmp_path: Path) -> None:
    card = tmp_path / "card.html"
    done = CliRunner().invoke(program, [*WORDS, "-o", str(card)])
    assert done.exit_code == 0, done.output
    assert "may it …" in done.output
    assert "rank systems" in done.output
    assert "simulated" in card.read_text(encoding="utf-8")  # the demo's judgments are


def test_a_required_use_that_is_not_shown_ends_with_3() -> None:
    done = CliRunner().invoke(program, [*WORDS, "--require", "replace", "--format", "json", "--show", "trust"])
    assert done.exit_code == 3
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["use"] for record in records] == ["rank", "pairs", "replace"]
    assert [record["is_required"] for record in records] == [False, False, True]


def test_a_card_is_a_page(tmp_path: Path) -> None:
    done = CliRunner().invoke(program, [*WORDS, "-o", str(tmp_path / "card.txt")])
    assert isinstance(done.exception, UsageError)
    assert "ends in .html" in str(done.exception)
