"""The skill for agents is true: its commands run, its fields exist, and following it alone gives right answers."""

import csv
import re
import shlex
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from rouge_score import rouge_scorer
from statsmodels.stats.power import TTestPower

from cli.running import records
from pyramidion.campaign.schemas import read_schema
from pyramidion.cli import program

DONE = CliRunner().invoke(program, ["skill"])
SKILL = DONE.stdout
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", SKILL, re.M | re.S))
FILES = dict(re.findall(r'^```text title="([^"]+)"\n(.*?)^```', SKILL, re.M | re.S))
DEFINITIONS = read_schema("records")["$defs"]


def commands(section: str) -> list[str]:
    """The commands of a section, without the name of the program."""
    blocks = re.findall(r"^```bash\n(.*?)^```", SECTIONS[section], re.M | re.S)
    return [line.removeprefix("pyramidion ") for block in blocks for line in block.splitlines()]


def fields(section: str) -> list[tuple[str, str]]:
    """The fields that a section says to read: (record, field)."""
    named = re.findall(r"`([a-z-]+)\.([a-z_]+)`", SECTIONS[section])
    return [(record, field) for record, field in named if record in DEFINITIONS]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_it_has_the_head_that_agents_look_for() -> None:
    assert DONE.exit_code == 0
    _, head, _ = SKILL.split("---\n", 2)
    keys = dict(line.split(": ", 1) for line in head.splitlines())
    assert keys["name"] == "pyramidion"
    assert 100 < len(keys["description"]) <= 1024


@pytest.mark.parametrize("section", [section for section in SECTIONS if commands(section)])
@pytest.mark.usefixtures("folder")
def test_its_commands_run_and_print_the_fields_that_it_names(section: str) -> None:
    printed: list[dict[str, Any]] = []
    for command in commands(section):
        done = CliRunner().invoke(program, shlex.split(command), catch_exceptions=False)
        assert done.exit_code == 0, (command, done.stderr)
        if "--format json" in command:
            printed += records(done.stdout)
    kinds = {record["record"] for record in printed}
    for record, field in fields(section):
        assert field in DEFINITIONS[record]["properties"], f"{record}.{field}"
        # A valid campaign has no problems, and a pair without losses no regressions: their fields can't be shown here.
        assert record in kinds or record in ("problem", "gate-regression"), f"{record}.{field}"


def test_it_names_the_main_commands_and_enough_fields() -> None:
    named = {command.split()[0] for section in SECTIONS for command in commands(section)}
    assert {
        "trust",
        "plan",
        "look",
        "check",
        "compare",
        "gate",
        "score",
        "correlate",
        "judgments",
        "power",
        "pyramid",
        "report",
    } <= named
    assert len({field for section in SECTIONS for field in fields(section)}) >= 50


def test_words_in_quotes_are_values_that_the_fields_can_have() -> None:
    verdicts = {"better", "worse", "undecided", "not-worse", "equivalent"}
    assert verdicts <= set(DEFINITIONS["pair"]["properties"]["verdict"]["enum"])
    assert {"pass", "fail", "undecided"} == set(DEFINITIONS["gate"]["properties"]["verdict"]["enum"])
    assert "topics" in DEFINITIONS["power"]["properties"]["solved"]["enum"]


def follow(section: str, replaced: dict[str, str]) -> tuple[int, list[dict[str, Any]]]:
    """Run the first command of a section with one's own files and names in place of those of the skill."""
    words = shlex.split(commands(section)[0])
    done = CliRunner().invoke(program, [replaced.get(word, word) for word in words], catch_exceptions=False)
    return done.exit_code, records(done.stdout)


def write_judge(path: Path, scores: dict[str, np.ndarray]) -> None:
    """A table of one judge's scores, as the skill describes it."""
    rows = [f"{topic},{name},{value}" for name, values in scores.items() for topic, value in enumerate(values, start=1)]
    path.write_text("\n".join(["id,system,judge", *rows]) + "\n", encoding="utf-8")


def write_outputs(path: Path, names: list[str], topics: int) -> None:
    rows = [f"{topic},{name},Text {topic} of {name}.,Text {topic}." for name in names for topic in range(1, topics + 1)]
    path.write_text("\n".join(["id,system,summary,reference", *rows]) + "\n", encoding="utf-8")


TRUTH = np.random.default_rng(36)
"""Simulated scores, whose truth is known: per topic a level, and what each system adds to it."""


@pytest.fixture(scope="module")
def scores() -> dict[str, np.ndarray]:
    level = TRUTH.integers(2, 5, 60)
    plain = np.clip(level + TRUTH.integers(-1, 2, 60), 1, 5)
    return {"plain": plain, "better": np.clip(plain + (TRUTH.random(60) < 0.6), 1, 5), "same": TRUTH.permutation(plain)}


@pytest.fixture
def simulated(folder: Path, scores: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    write_judge(folder / "mine.csv", scores)
    write_outputs(folder / "texts.csv", list(scores), 60)
    return scores


MINE = {"outputs.csv": "texts.csv", "judge.csv": "mine.csv"}


@pytest.mark.parametrize(("first", "verdict", "better"), [("better", "better", "better"), ("same", "undecided", "")])
def test_task_1_an_agent_says_which_of_two_is_better(
    simulated: dict[str, np.ndarray], first: str, verdict: str, better: str
) -> None:
    code, printed = follow("Is B better than A?", {**MINE, "new": first, "old": "plain"})
    assert code == 0
    [pair] = [record for record in printed if record["record"] == "pair"]
    assert (pair["verdict"], pair["better"], pair["n"]) == (verdict, better, 60)
    assert pair["difference"] == pytest.approx(float((simulated[first] - simulated["plain"]).mean()))


@pytest.mark.parametrize(
    ("candidate", "against", "verdict", "code"), [("better", "plain", "pass", 0), ("plain", "better", "fail", 3)]
)
@pytest.mark.usefixtures("simulated")
def test_task_2_an_agent_stops_a_build(candidate: str, against: str, verdict: str, code: int) -> None:
    replaced = {**MINE, "new": candidate, "old": against, "0.5": "0.2"}
    exit_code, printed = follow("May this change go in? (continuous integration)", replaced)
    [gate] = [record for record in printed if record["record"] == "gate"]
    assert (gate["verdict"], gate["exit_code"], exit_code) == (verdict, code, code)


def test_task_3_an_agent_says_how_many_topics_are_needed(simulated: dict[str, np.ndarray]) -> None:
    code, printed = follow("How many topics are needed?", {**MINE, "new": "better", "old": "same", "0.5": "0.4"})
    assert code == 0
    solved = [record for record in printed if record["record"] == "power" and record["solved"] == "topics"]
    differences = simulated["better"] - simulated["same"]
    effect = 0.4 / float(differences.std(ddof=1))
    expected = int(np.ceil(TTestPower().solve_power(effect_size=effect, alpha=0.05, power=0.8)))  # statsmodels
    assert [record["topics"] for record in solved] == [expected]


@pytest.mark.parametrize(("slip", "verdict"), [(0.2, "yes"), (20.0, "no")])
def test_task_4_an_agent_says_whether_a_judge_may_rank_systems(folder: Path, slip: float, verdict: str) -> None:
    """The judge knows the true quality up to a slip; the truth is that of the simulation."""
    draws = np.random.default_rng(37)
    quality = {f"s{number}": number * 0.3 for number in range(8)}
    judged, answered, texts = ["id,system,judge"], ["id,system,assessor,fluency"], ["id,system,summary,reference"]
    for topic in range(1, 31):
        for system, mean in quality.items():
            value = 2 + mean + draws.normal(0, 0.3)
            judged.append(f"{topic},{system},{value + draws.normal(0, slip):.3f}")
            answered += [f"{topic},{system},{name},{round(value + draws.normal(0, 0.3))}" for name in ("X", "Y", "Z")]
            texts.append(f"{topic},{system},Text {topic} of {system}.,Text {topic}.")
    for name, lines in {"judge.csv": judged, "people.csv": answered, "texts.csv": texts}.items():
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = shlex.split(commands("Can the measure (or the LLM judge) be trusted?")[0])
    at = words.index("demo")
    words[at : at + 1] = ["texts.csv", "people.csv", "judge.csv"]
    replaced = {"rouge-2.recall": "judge", "question.overall-responsiveness": "question.fluency"}
    done = CliRunner().invoke(program, [replaced.get(word, word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    verdicts = {record["use"]: record["verdict"] for record in records(done.stdout) if record["record"] == "trust"}
    assert verdicts["rank"] == verdict


@pytest.mark.usefixtures("folder")
def test_task_5_an_agent_makes_a_table_for_a_paper_from_two_references() -> None:
    done = CliRunner().invoke(program, shlex.split(commands("A table for a paper")[0]), catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"])
    rows = list(csv.DictReader(StringIO(FILES["two-references.csv"])))
    for system in ("old", "new"):
        scored = [
            scorer.score_multi([row["reference_1"], row["reference_2"]], row["summary"])
            for row in rows
            if row["system"] == system
        ]
        for measure in ("rouge1", "rougeL"):
            mean = np.mean([score[measure].fmeasure for score in scored])
            bold = rf"\textbf{{{mean:.3f}}}" if system == "new" else f"{mean:.3f}"
            assert f"{system} & {measure}.f & {bold} & " in done.stdout
