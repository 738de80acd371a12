"""The commands of docs/papers.md give what their rows say: on miniatures of NIST's packages, and on printed numbers.

The commands are taken from the page. Expected numbers come from the packages, whose ROUGE outputs the Perl program wrote
(tests/golden/nist/README.md), and from pyramids.json.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from pyramidion.cli import program
from pyramidion.formats.nist.nist_tables import RESPONSIVENESS

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "golden"
PAGE = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")


def command_of(row: str, part: str = "") -> str:
    """The first command of a row of the page, by the start of its first cell and by something in the command."""
    lines = [line for line in PAGE.splitlines() if line.startswith(f"| {row}") and part in line]
    found = re.search(r"`pyramidion ([^`]*)`", lines[0])
    assert found is not None
    return found[1]


def run(command: str, *more: str) -> str:
    done = CliRunner().invoke(program, [*shlex.split(command), *more], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def records(command: str, *more: str) -> list[dict[str, Any]]:
    return [msgspec.json.decode(line) for line in run(command, *more, "--format", "json").splitlines()]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the campaigns duc2006, duc2007 and tac2008, imported from the miniatures."""
    folder = tmp_path_factory.mktemp("papers")
    for name, options in (("duc2006", " --option texts=judged"), ("duc2007", ""), ("tac2008", "")):
        run(f"import nist {GOLDEN}/nist/{name}/tree {folder}/{name}{options}")
    return folder


@pytest.fixture(autouse=True)
def _here(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(packages)


def test_tables_11_and_12_are_the_means_of_nist_s_outputs() -> None:
    ours = records(command_of("Tables 11, 12"), "--show", "mean")
    theirs = records("compare duc2006 -m 'imported.\"rouge-2(jackknife=yes).recall\"'", "--show", "mean")
    found = {row["summarizer"]: row["value"] for row in ours}
    assert found == {row["summarizer"]: pytest.approx(row["value"], abs=1e-5) for row in theirs}
    assert len(found) == 4


def test_footnote_1_gives_the_averages_and_limits_of_nist_s_file() -> None:
    out = run(command_of("footnote 1"))
    printed = (GOLDEN / "nist/duc2006/tree/NISTeval/ROUGE/rouge2.jk.m.avg").read_text().splitlines()
    found = {line.replace(" ROUGE-2 Average_R:", "") for line in out.splitlines() if "Average_R" in line}
    assert found == set(printed)


def test_the_baseline_is_added_to_the_campaign() -> None:
    run(command_of("§2, the baseline"))
    roster = records("describe with-lead --roster")
    assert {row["id"]: row["kind"] for row in roster}["lead"] == "baseline"


def test_figure_2_of_duc_2006_has_humans_and_systems() -> None:
    (row, *_) = records(command_of("Figure 2, content"), "--show", "correlation")
    assert row["n"] == 4 + 6  # four systems, six humans


@pytest.mark.parametrize("row", ["Table 5, R-2", "Table 11, DUC 2007"])
def test_tables_of_duc_2007_are_about_the_main_task(row: str) -> None:
    command = command_of(row)
    assert command.split()[2] == "duc2007"
    (condition,) = re.findall(r"--where \S+", command)
    facts = {row["what"]: row["value"] for row in records(f"describe duc2007 {condition}")}
    assert (facts["topics"], facts["topics by task"]) == (2, "main 2")


def test_tables_15_and_16_of_2005_name_its_question() -> None:
    for row in ("Table 15 for 2005", "Table 16"):
        assert f"question.{RESPONSIVENESS})" in command_of(row)


def test_tables_of_louis_and_nenkova_leave_out_the_baseline() -> None:
    command = command_of("Tables 1, 2, ROUGE-1")
    rows = records(command, "--show", "feature-correlation")
    assert {row["n"] for row in rows if row["feature"] == "rouge-1.recall"} <= {2, 3}  # of 1, 2 and 60, never 0
    assert "--peers participants" in command_of("Table 4, update")


def test_table_1_of_the_pyramid_method_has_the_consensus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, file in (("C1", "ferry"), ("C2", "ferry.annotator2"), ("consensus", "ferry")):
        (tmp_path / f"pal.{name}.pyr").write_bytes((GOLDEN / "pyramid" / f"{file}.pyr").read_bytes())
    rows = records(command_of("Table 1, scores across annotations"))
    scores = [row for row in rows if row["record"] == "annotation-score" and row["measure"] == "pyramid.original"]
    assert list(dict.fromkeys(row["annotator"] for row in scores)) == ["C1", "C2", "consensus"]
    # pyramids.json: include_self_original of ferry
    own = [row["value"] for row in scores if row["annotator"] == "consensus"]
    assert own == pytest.approx([1.0, 0.965517, 0.869565, 0.925926, 0.809524], abs=1e-6)
    anova = [row for row in rows if row["record"] == "annotation-anova"]
    assert {(row["df_between"], row["df_within"]) for row in anova} == {(2, 12)}


def test_table_1_of_amigo_and_others_has_its_rows() -> None:
    facts = {
        row["what"]: row["value"] for row in records(command_of("Table 1, collections").replace("CAMPAIGN", "duc2006"))
    }
    assert facts["references per topic"] == 4
    assert facts["systems"] == facts["assessed systems"] == 4
    assert facts["outputs of systems"] == facts["assessed outputs of systems"] == 12
    assert facts["assessed outputs per system"] == 3
