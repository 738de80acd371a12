"""`pyramidion power`: how many topics tell a difference."""

import shutil
from pathlib import Path

import pytest

from cli.running import Run, records
from pyramidion.demo import CAMPAIGN_FOLDER

FEW_DESIGNS = ("--most-assessors", "6", "--most-topics", "90")
FIELDS = "measure a b solved difference power alpha topics lower upper sd pilot_topics assessors"


def test_records_say_what_was_solved_for(run: Run) -> None:
    code, out, _ = run(
        *("power", "demo", "-m", "rouge-2.recall", "--difference", "0.02", "--topics", "30", "--format", "json")
    )
    assert code == 0
    found = records(out)
    assert [row["solved"] for row in found] == ["topics", "difference", "power"]
    of_all_pairs = "family_power family_lower family_upper family_systems family_test"
    fields = {"record", *FIELDS.split()}
    assert [set(row) - fields for row in found] == [set(of_all_pairs.split()), set(), set(of_all_pairs.split())]
    assert all(fields <= set(row) for row in found)
    needed, least, reached = found
    assert (needed["difference"], needed["power"], needed["alpha"]) == (0.02, 0.8, 0.05)
    assert least["topics"] == reached["topics"] == 30
    assert needed["topics"] <= 30 if reached["power"] >= 0.8 else needed["topics"] > 30


def test_tables_say_it_in_a_sentence(run: Run) -> None:
    _, out, _ = run("power", "demo", "-m", "rouge-2.recall", "--difference", "0.02", "--pair", "15", "16")
    assert "15 and 16" in out
    assert "Detecting a difference of 0.02 with 80 % power needs" in out
    assert "given this pilot" in out
    _, out, _ = run("power", "demo", "-m", "rouge-2.recall", "--format", "markdown")
    assert "| topics | detectable difference |" in out


def test_a_pilot_of_one_topic_is_answered_with_the_reason(run: Run, flat: Path) -> None:
    code, out, _ = run("power", str(flat), "-m", "rouge-1.recall", "--difference", "0.1")
    assert code == 0
    assert "A pilot needs two summarizers with at least two topics in common" in out
    _, out, _ = run("power", str(flat), "-m", "rouge-1.recall", "--difference", "0.1", "--format", "json")
    assert all(row["reason"] for row in records(out))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--difference", "0"], "--difference 0: expected more than 0"),
        (["--power", "120"], "--power 120"),
        (["--power", "3"], "a percentage above that, such as 80"),
        (["--topics", "1"], "--topics 1: expected at least 2"),
        (["--pair", "15", "zz"], "no summarizer 'zz'"),
    ],
)
def test_calls_that_make_no_sense_are_refused(run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run("power", "demo", "-m", "rouge-2.recall", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_what_must_be_said_of_a_measure_is_said(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "power.svg"
    call = ("power", "demo", "-m", "question.focus", "--figure", str(target))
    assert "simulated judgments" in " ".join(run(*call)[1].split())
    assert all(row["note"] == "simulated judgments" for row in records(run(*call, "--format", "json")[1]))
    assert "80 % power, α 0.05, simulated judgments" in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_a_figure_is_drawn(run: Run, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"power.{ending}"
    code, _, err = run("power", "demo", "-m", "rouge-2.recall", "--figure", str(target))
    assert code == 0
    assert str(target) in err
    assert target.stat().st_size > 1000


def test_a_design_is_answered_before_all_designs_are_listed(run: Run) -> None:
    code, out, _ = run("design", "demo", "-m", "question.focus", "--difference", "0.8", *FEW_DESIGNS)
    assert code == 0
    assert out.startswith("The cheapest design that detects a difference of 0.8")
    assert out.count("The cheapest design") == 1
    assert "judgments per summary" in out
    code, _, err = run("design", "demo")
    assert code == 2
    assert "such as --measure question." in err


def test_only_questions_with_five_points_have_a_difference_to_detect_by_default(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("design", "demo", "-m", "question.focus", "--format", "json", *FEW_DESIGNS)
    assert code == 0
    assert {row["difference"] for row in records(out)} == {0.5}
    code, out, err = run("design", "demo", "-m", "rouge-2.recall")
    assert (code, out) == (2, "")
    assert "--difference is missing: say which difference in rouge-2.recall to detect" in err
    shutil.copytree(CAMPAIGN_FOLDER, tmp_path / "wide")
    settings = tmp_path / "wide" / "campaign.toml"
    of_ten_points = settings.read_text(encoding="utf-8").replace(
        "[questions.focus]", "[questions.focus]\nscale = [1, 10]"
    )
    settings.write_text(of_ten_points, encoding="utf-8")
    code, _, err = run("design", str(tmp_path / "wide"), "-m", "question.focus")
    assert code == 2
    assert "--difference is missing" in err


def test_a_pilot_without_spread_plans_nothing(run: Run, tmp_path: Path) -> None:
    # It said that any number of topics would do, while compare needs six for the same difference.
    (tmp_path / "x.csv").write_text("topic,system,judge\n" + "".join(f"{t},A,1\n{t},B,0\n" for t in range(3)))
    _, out, _ = run("power", str(tmp_path / "x.csv"), "--difference", "0.1")
    assert "Differences do not vary in the pilot, so it does not show how many topics are needed." in out
