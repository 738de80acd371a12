"""`study orders` at the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.running import Run, records, write

ROOT = Path(__file__).parents[2]
GOLDEN: dict[str, Any] = json.loads(
    (ROOT / "tests" / "golden" / "pyramid" / "stability.json").read_text(encoding="utf-8")
)


@pytest.fixture
def sets_of_ten(tmp_path: Path) -> str:
    """The three sets of golden/pyramid/stability.json as a campaign folder; contributors have no parts."""
    folder = tmp_path / "campaign"
    models = [f"m{number}" for number in range(1, 11)]
    summaries, pyramids = [], []
    for number, rows in enumerate(GOLDEN["sets"]):
        topic = f"T{number}"
        summaries += [
            {"topic": topic, "summarizer": model, "kind": "model", "text": f"ferry {model} number {index % 4}"}
            for index, model in enumerate(models)
        ]
        scus = [
            {
                "uid": uid,
                "label": f"SCU {uid}",
                "contributors": [{"model": model} for model, cell in zip(models, row, strict=True) if cell == "1"],
            }
            for uid, row in enumerate(rows)
        ]
        pyramids.append({"topic": topic, "models": models, "scus": scus})
    write(folder, "summaries.jsonl", *summaries)
    write(folder, "pyramids.jsonl", *pyramids)
    return str(folder)


def by_record(output: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in records(output):
        found.setdefault(row["record"], []).append(row)
    return found


def test_the_golden_sets_give_the_golden_numbers(run: Run, sets_of_ten: str) -> None:
    code, out, _ = run("study", "orders", sets_of_ten, "--ranked", "m1,m2,m3,m4,m5", "--format", "json")
    assert code == 0
    rows = by_record(out)
    assert [row["data_points"] for row in rows["orders-error"]] == [1080, 3780, 7560, 9450, 7560, 3780, 1080, 135]
    for row in rows["orders-error"]:
        expected = GOLDEN["errors"][str(row["order"])]
        assert (row["e1"], row["e2"], row["e3"]) == (expected["E1"], expected["E2"], expected["E3"])
        assert row["error_rate"] == pytest.approx(expected["p"], abs=1e-6)
    (divergence,) = rows["orders-divergence"]
    assert (divergence["divergent"], divergence["merging"]) == (61, 3)
    pyramids = [row for row in rows["orders-ranking"] if row["by"] == "pyramid"]
    expected = GOLDEN["spearman_models_1_to_5_by_pyramids_of_models_6_to_10"]
    assert [row["mean"] for row in pyramids] == pytest.approx(
        [expected[str(row["order"])]["mean_spearman"] for row in pyramids], abs=1e-6
    )
    assert [row["n"] for row in rows["orders-ranking"] if row["by"] == "overlap"] == [15, 30, 30, 15, 3]
    assert len(rows["orders-range"]) == 3 * 10 * 9
    assert len(rows["orders-human"]) == 30


def test_the_demo_has_an_answer_for_four_models(run: Run) -> None:
    code, out, err = run("study", "orders", "demo")
    assert code == 0
    assert "132" in out  # 11 topics × 6 pairs × 2 pyramids of one model
    assert "No correlation of 2 ranks is significant at 95 % confidence." in out
    assert out.count("No subset was named (--subset).") == 1
    assert err == ""


def test_undefined_values_are_null_with_a_reason(run: Run) -> None:
    _, out, _ = run("study", "orders", "demo", "--format", "json")
    rows = by_record(out)
    assert all(row["critical"] is None and row["reason"] for row in rows["orders-ranking"])
    assert all(row["subset"] is None and "--subset" in row["reason"] for row in rows["orders-summary"])


def test_names_may_be_of_one_topic(run: Run) -> None:
    _, out, err = run(
        *("study", "orders", "demo", "--subset", "D02=A,B,C", "--show", "orders-summary", "--format", "json"),
    )
    named = {row["topic"] for row in records(out) if row["subset"] is not None}
    assert named == {"D02"}
    assert err == ""


def test_a_sample_is_said(run: Run, sets_of_ten: str) -> None:
    code, out, err = run("study", "orders", sets_of_ten, "--limit", "30", "--seed", "5", "--format", "json")
    assert code == 0
    assert "sample" in err
    assert "seed 5" in err
    assert not all(row["exhaustive"] for row in records(out) if row["record"] == "orders-error")


def test_csv_is_one_kind_of_record(run: Run) -> None:
    _, out, _ = run("study", "orders", "demo", "--show", "orders-scus", "--format", "csv")
    assert out.splitlines()[0] == "topic,order,mean"
    _, out, _ = run("study", "orders", "demo", "--format", "csv")
    assert out.splitlines()[0].startswith("models,topics,order,p1,p2,p3,error_rate,q,data_points")


def test_what_is_shown_is_what_is_drawn(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "orders.svg"
    code, _, err = run("study", "orders", "demo", "--show", "orders-error", "--figure", str(target))
    assert code == 0, err
    content = target.read_text(encoding="utf-8")
    assert "Errors in comparing" in content
    assert "Human summarizers" not in content
    code, _, err = run("study", "orders", "demo", "--show", "pyramid-optimal", "--figure", str(target))
    assert (code, "none of the chosen records is drawn" in err) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_it_is_drawn(run: Run, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"orders.{ending}"
    code, _, err = run("study", "orders", "demo", "--where", "topic=D02", "--figure", str(target))
    assert code == 0, err
    content = target.read_bytes()
    assert content.startswith({"svg": b"<svg", "png": b"\x89PNG", "html": b"<!doctype"}[ending])
    if ending == "svg":
        assert b"Errors in comparing" in content
        assert b"Human summarizers" in content


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--ranked", "A,Q"), "no topic has models by all of A, Q"),
        (("--ranked", "A"), "two or more"),
        (("--ranked", "A,B", "--count", "2"), "give one of the two"),
        (("--count", "4"), "leave at least one"),
        (("--subset", "D02=A,Z"), "no model by 'Z'"),
        (("--annotator", "nobody"), "--annotator nobody: made no pyramid"),
        (("--confidence", "100"), "--confidence 100: expected"),
        (("--figure", "orders.gif"), ".svg, .png, .pdf or .html"),
    ],
)
def test_what_can_not_be_done_is_refused(run: Run, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run("study", "orders", "demo", *arguments)
    assert code == 2
    assert said in err
    assert out == ""


def test_data_without_pyramids_is_refused(run: Run, flat: Path) -> None:
    code, _, err = run("study", "orders", str(flat))
    assert code == 1
    assert "no pyramid" in err
