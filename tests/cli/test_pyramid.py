"""`pyramidion pyramid score|show|check|convert`, as a user runs them; numbers are golden."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from cli.running import Run, records
from pyramidion.present.registry import draw
from pyramids.golden import FOLDER, PYRAMIDS, ROUNDINGS, TOLERANCE

LOCKERBIE = Path(os.environ.get("PYRAMIDION_GOLDEN", "nowhere")) / "pyramid"
PANS = [(name, file) for name in ("ferry", "comet") for file in PYRAMIDS[name]["peers"]]
FIELDS = (
    *("topic", "summarizer", "annotator", "order", "D", "X", "max", "x_average"),
    *("original", "modified", "comprehensive", "rounding"),
)


def score(run: Run, *arguments: str | Path) -> list[dict[str, Any]]:
    code, out, err = run("pyramid", "score", *map(str, arguments), "--format", "json")
    assert code == 0, err
    return records(out)


def near(expected: float) -> object:
    return pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize(("name", "file"), PANS)
def test_a_pan_file_is_scored_by_the_pyramid_inside(run: Run, name: str, file: str) -> None:
    expected = PYRAMIDS[name]["peers"][file]
    for there, rounding in ROUNDINGS.items():
        (row,) = score(run, FOLDER / file, "--rounding", rounding)
        assert set(FIELDS) <= set(row)
        assert (row["D"], row["X"], row["max"]) == (expected["D"], expected["X"], expected["Max_X"])
        assert row["order"] == len(PYRAMIDS[name]["models"])
        assert row["original"] == near(expected["original"])
        assert row["x_average"] == near(expected["modified"][there]["X"])
        assert row["max_average"] == near(expected["modified"][there]["Max"])
        assert row["modified"] == near(expected["modified"][there]["score"])
        assert row["rounding"] == rounding
    (row,) = score(run, FOLDER / file)
    assert row["comprehensive"] == near(expected["comprehensive"])


def test_all_files_together_are_scored_as_each_by_itself(run: Run) -> None:
    files = sorted([*FOLDER.glob("*.pyr"), *FOLDER.glob("*.pan")])
    found = {(row["topic"], row["summarizer"], row["annotator"]): row["original"] for row in score(run, *files)}
    alone = [row for _, file in PANS for row in score(run, FOLDER / file)]
    assert found == {(row["topic"], row["summarizer"], row["annotator"]): row["original"] for row in alone}
    assert len(found) == 8


@pytest.mark.parametrize("name", ["ferry", "comet"])
def test_models_are_scored_by_the_pyramid_of_the_others(run: Run, name: str) -> None:
    found = {row["summarizer"]: row for row in score(run, FOLDER / f"{name}.pyr", "--peers", "humans")}
    within = {row["summarizer"]: row for row in score(run, FOLDER / f"{name}.pyr", "--include-self")}
    for model, expected in PYRAMIDS[name]["model_jackknife"].items():
        row = found[model]
        assert (row["D"], row["X"], row["max"]) == (expected["D"], expected["X"], expected["Max"])
        assert row["order"] == len(PYRAMIDS[name]["models"]) - 1
        assert row["original"] == near(expected["original"])
        assert row["modified"] == near(expected["modified"])
        assert within[model]["original"] == near(expected["include_self_original"])


@pytest.mark.parametrize(("name", "file"), PANS)
def test_sub_pyramids_of_an_order_of_named_models_and_the_jackknife(run: Run, name: str, file: str) -> None:
    expected = PYRAMIDS[name]["peers"][file]
    for order, means in expected["mean_over_subpyramids"].items():
        (row,) = score(run, FOLDER / file, "--order", order)
        assert row["subsets"] == means["n"]
        assert row["original"] == near(means["original"])
        assert row["modified"] == near(means["modified"])
    models = PYRAMIDS[name]["models"]
    (row,) = score(run, FOLDER / file, "--jackknife")
    assert row["original"] == near(expected["mean_over_subpyramids"][str(len(models) - 1)]["original"])
    others = [argument for model in models[1:] for argument in ("--model", model)]
    (row,) = score(run, FOLDER / file, *others)
    assert row["original"] == near(expected["leave_one_model_out"][f"without_{models[0]}"]["original"])


@pytest.mark.skipif(not LOCKERBIE.is_dir(), reason="PYRAMIDION_GOLDEN names no folder with the paper's example")
def test_the_worked_example_of_the_paper(run: Run) -> None:
    (row,) = score(run, LOCKERBIE / "lockerbie.peer1.pan")
    assert (row["D"], row["X"], row["max"], row["original"]) == (6, 4, 12, 0.5)
    assert (row["x_average"], row["max_average"], row["modified"]) == (5, 14, near(0.428571))
    models = {row["summarizer"]: row for row in score(run, LOCKERBIE / "lockerbie.pyr")}
    assert (models["C"]["original"], models["C"]["modified"]) == (near(7 / 10), near(7 / 8))


def campaign(folder: Path, *, unmatched: bool) -> Path:
    """One model, one SCU and one peer that has it; `unmatched` says whether other content was marked."""
    folder.mkdir()
    texts = [
        {"topic": "t", "summarizer": "A", "kind": "model", "text": "A ferry burned."},
        {"topic": "t", "summarizer": "p", "kind": "peer", "text": "A ferry burned."},
    ]
    scus = [{"uid": 1, "label": "A ferry burned", "contributors": [{"model": "A", "parts": [[0, 15]]}]}]
    annotation: dict[str, Any] = {"topic": "t", "summarizer": "p", "scus": [{"uid": 1, "contributors": [[[0, 15]]]}]}
    if unmatched:
        annotation["unmatched"] = []
    for file, rows in (
        ("summaries", texts),
        ("pyramids", [{"topic": "t", "models": ["A"], "scus": scus}]),
        ("annotations", [annotation]),
    ):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def test_what_can_not_be_computed_is_null_with_a_reason(run: Run, tmp_path: Path) -> None:
    (row,) = score(run, campaign(tmp_path / "c", unmatched=False))
    assert (row["X"], row["max"], row["original"], row["comprehensive"]) == (None, None, None, None)
    assert row["modified"] == 1
    assert "not marked" in row["reason"]


def test_an_order_that_is_too_high_is_null_with_a_reason_and_x_is_still_known(run: Run) -> None:
    for row in score(run, FOLDER / "comet.pyr", "--order", "4"):
        assert (row["order"], row["modified"], row["subsets"]) == (4, None, 0)
        assert row["X"] == PYRAMIDS["comet"]["model_jackknife"][row["summarizer"]]["X"]
        assert row["reason"] == "fewer than 4 models are left for a pyramid of this order"


def test_annotations_that_belong_to_no_pyramid_are_counted(run: Run, tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", unmatched=True)
    rows = [{"topic": "t", "annotator": who, "models": ["A"], "scus": [{"uid": 1, "label": "x"}]} for who in "12"]
    (folder / "pyramids.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    code, _, err = run("pyramid", "score", str(folder))
    assert code == 0
    assert "1 annotation not scored: their topic has several pyramids" in err


def test_without_annotated_peers_the_models_are_scored_and_it_is_said(run: Run) -> None:
    code, out, err = run("pyramid", "score", str(FOLDER / "comet.pyr"), "--format", "json")
    assert code == 0
    assert "no peer was annotated" in err
    assert [row["summarizer"] for row in records(out)] == ["A", "B", "C", "D"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "demo", "--order", "2", "--jackknife"), "give one of them"),
        (("score", "demo", "--include-self", "--jackknife"), "never contain the reference"),
        (("score", "demo", "--topic", "D2"), "did you mean D02"),
        (("score", "demo", "--annotator", "tag"), "did you mean tags"),
        (("score", "demo", "--model", "Z"), "there are: A, B, C, D"),
        (("score", "demo", "--option", "unmatched=marked"), "only foreign formats have options"),
        (("show", "demo", "--topic", "D02", "--summarizer", "nobody"), "was not annotated"),
        (("score", "demo", "--where", "part=Z"), "no topic has part=Z"),
        (("show", "demo", "--where", "part=Z"), "no topic has part=Z"),
        (("show", "demo", "--figure", "x.gif"), ".svg, .png, .pdf or .html"),
    ],
)
def test_calls_that_make_no_sense_are_refused(run: Run, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run("pyramid", *arguments)
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("format", ["table", "csv", "latex", "markdown"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "demo", "--topic", "D02"),
        ("show", "demo"),
        ("show", "demo", "--topic", "D02"),
        ("show", "demo", "--topic", "D02", "--summarizer", "16"),
        ("show", "demo", "--topic", "D02", "--optimal", "6"),
        ("check", "demo"),
    ],
)
def test_every_format_prints_something(run: Run, arguments: tuple[str, ...], format: str) -> None:
    code, out, _ = run("pyramid", *arguments, "--format", format)
    assert code == 0
    assert len(out.splitlines()) > 3


def test_the_pyramid_is_drawn_with_one_cell_for_each_scu(run: Run) -> None:
    code, out, _ = run("pyramid", "show", str(FOLDER / "ferry.pyr"))
    drawn = [line for line in out.splitlines() if line.startswith("  weight")]
    assert code == 0
    assert [line.count("[") for line in drawn] == list(PYRAMIDS["ferry"]["tiers"].values())
    assert "The ferry Żuraw caught fire" in out


def test_a_pyramid_is_shown_with_the_words_of_each_reference(run: Run) -> None:
    """The words are those that ferry.pyr marks for SCU 4."""
    file = str(FOLDER / "ferry.pyr")
    _, drawing, _ = run("pyramid", "show", file)
    scu = drawing.split("The fire was on a Tuesday night  (A B D)\n")[1].splitlines()
    assert [line.strip() for line in scu[:3]] == ["A: on Tuesday night", "B: late on Tuesday", "D: on Tuesday night"]
    _, table, _ = run("pyramid", "show", file, "--show", "pyramid-scu", "--format", "markdown")
    assert "A: on Tuesday night; B: late on Tuesday; D: on Tuesday night" in table
    _, out, _ = run("pyramid", "show", file, "--format", "json")
    wordings = {row["uid"]: row["wordings"] for row in records(out) if row["record"] == "pyramid-scu"}
    assert wordings[4] == ["on Tuesday night", "late on Tuesday", "on Tuesday night"]


def test_a_peer_is_shown_with_what_it_has_and_what_it_misses_from_the_top(run: Run) -> None:
    """The peer has SCUs 11, 12, 13 and 16, of weights 2, 2, 2 and 1; 1, 2, 3, 4 and 6 are of more than half of five."""
    file = str(FOLDER / "ferry.peer2.annotator1.pan")
    code, out, _ = run("pyramid", "show", file, "--summarizer", "peer2")
    missed = out.split("Missing from the top tiers (weight 3 or more):\n")[1].split("\n\n")[0]
    assert code == 0
    assert [line.split()[0] for line in missed.splitlines()] == ["1", "2", "3", "4", "6"]
    assert "Weight 2: 3 of 9 (33 %); weight 2 or more: 3 of 14 (21 %)." in out
    _, out, _ = run("pyramid", "show", file, "--summarizer", "peer2", "--format", "json")
    rows = records(out)
    assert {row["uid"] for row in rows if row["record"] == "pyramid-scu" and row["present"]} == {11, 12, 13, 16}
    tiers = {row["weight"]: (row["present"], row["scus"]) for row in rows if row["record"] == "pyramid-tier"}
    assert tiers == {5: (0, 2), 4: (0, 0), 3: (0, 3), 2: (3, 9), 1: (1, 4)}


def test_a_pyramid_is_shown_with_the_peers_that_somebody_else_annotated(run: Run, tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", unmatched=True)
    for file, who in (("pyramids", "expert"), ("annotations", "crowd")):
        path = folder / f"{file}.jsonl"
        path.write_text(path.read_text(encoding="utf-8").replace("{", f'{{"annotator": "{who}", ', 1), encoding="utf-8")
    _, out, _ = run("pyramid", "show", str(folder), "--format", "json")
    (row,) = [row for row in records(out) if row["record"] == "pyramid-topic"]
    assert (row["annotator"], row["peers"], row["peers_mean"]) == ("expert", 1, 1)
    assert row["models_mean"] is None
    assert "single model" in row["reason"]


def test_a_tier_that_is_too_wide_goes_on_in_the_next_line(run: Run, tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", unmatched=True)
    scus = [{"uid": uid, "label": f"Label {uid}", "contributors": [{"model": "A"}]} for uid in range(1, 101)]
    row = {"topic": "t", "models": ["A"], "scus": scus}
    (folder / "pyramids.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    _, out, _ = run("pyramid", "show", str(folder))
    assert max(map(len, out.splitlines())) <= 120
    assert all(f"[{uid:>3}]" in out for uid in range(1, 101))


def test_a_pyramid_without_scus_is_shown_as_such(run: Run, tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", unmatched=True)
    row = {"topic": "t", "models": ["A"], "scus": []}
    (folder / "pyramids.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    empty = {"topic": "t", "summarizer": "p", "scus": [], "unmatched": []}
    (folder / "annotations.jsonl").write_text(json.dumps(empty) + "\n", encoding="utf-8")
    _, out, _ = run("pyramid", "show", str(folder))
    assert "The pyramid has no SCU." in out
    assert "nan" not in out
    _, out, _ = run("pyramid", "show", str(folder), "--summarizer", "p", "--format", "json")
    (tier,) = records(out)
    assert (tier["present"], tier["share"], tier["reason"]) == (0, None, "the tier is empty")
    code, _, err = run("pyramid", "show", str(folder), "--figure", str(tmp_path / "f.svg"))
    assert (code, "no pyramid has an SCU" in err) == (1, True)


def test_topics_are_listed_hardest_first(run: Run) -> None:
    _, out, _ = run("pyramid", "show", "demo", "--format", "json")
    rows = records(out)
    assert [row["record"] for row in rows] == ["pyramid-topic"] * 11
    assert [row["consensus"] for row in rows] == sorted(row["consensus"] for row in rows)


def test_topics_of_one_model_are_as_hard_as_their_peers_find_them(run: Run, tmp_path: Path) -> None:
    """One model agrees with itself, so that the consensus is always 1: only the peers tell topics apart."""
    folder = campaign(tmp_path / "c", unmatched=True)
    for file in ("summaries", "pyramids", "annotations"):
        rows = [json.loads(line) for line in (folder / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()]
        rows += [{**row, "topic": "hard", **({"scus": []} if file == "annotations" else {})} for row in rows]
        (folder / f"{file}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _, out, _ = run("pyramid", "show", str(folder), "--format", "json")
    assert [(row["topic"], row["consensus"], row["peers_mean"]) for row in records(out)] == [
        ("hard", 1, 0),
        ("t", 1, 1),
    ]


@pytest.mark.parametrize("size", [3, 8, 21])
def test_optimal_summaries_are_counted_and_listed_up_to_the_limit(run: Run, size: int) -> None:
    expected = PYRAMIDS["ferry"]["optimal"][str(size)]
    _, out, _ = run(
        *("pyramid", "show", str(FOLDER / "ferry.pyr")),
        *("--optimal", str(size), "--limit", "5", "--format", "json"),
    )
    counted, *listed = records(out)
    assert (counted["max"], counted["count"]) == (expected["Max"], expected["n_optimal_sets"])
    assert counted["lowest_tier"] == expected["lowest_tier_used"]
    assert len(listed) == min(5, expected["n_optimal_sets"])


def test_a_sub_pyramid_is_shown_with_the_weights_of_its_models(run: Run) -> None:
    """golden/pyramid/pyramids.json: what is left of the ferry's SCUs without model A."""
    models = PYRAMIDS["ferry"]["models"]
    others = [word for model in models[1:] for word in ("--model", model)]
    _, out, _ = run("pyramid", "show", str(FOLDER / "ferry.pyr"), *others, "--format", "json")
    contributing = PYRAMIDS["ferry"]["contributing_models"]
    expected = {int(uid): len(set(who) - {models[0]}) for uid, who in contributing.items() if set(who) - {models[0]}}
    assert {row["uid"]: row["weight"] for row in records(out) if row["record"] == "pyramid-scu"} == expected
    file = str(FOLDER / "ferry.peer1.annotator1.pan")
    _, out, _ = run("pyramid", "show", file, "--summarizer", "peer1", *others, "--format", "json")
    has = sum(row["weight"] for row in records(out) if row["record"] == "pyramid-scu" and row["present"])
    (scored,) = score(run, file, *others)
    assert has == scored["D"]


def test_all_sub_pyramids_of_an_order_are_listed(run: Run) -> None:
    _, out, _ = run("pyramid", "show", str(FOLDER / "comet.pyr"), "--order", "2", "--format", "json")
    assert sorted("".join(row["models"]) for row in records(out)) == ["AB", "AC", "AD", "BC", "BD", "CD"]
    _, out, _ = run("pyramid", "show", str(FOLDER / "comet.pyr"), "--jackknife", "--format", "json")
    rows = {"".join(row["models"]): row for row in records(out)}
    assert sorted(rows) == ["ABC", "ABD", "ACD", "BCD"]
    _, out, _ = run("pyramid", "show", str(FOLDER / "comet.pyr"), *_models("BCD"), "--format", "json")
    assert records(out)[0] == rows["BCD"]
    code, _, err = run("pyramid", "show", str(FOLDER / "comet.pyr"), "--order", "5")
    assert (code, "choose a smaller --order" in err) == (1, True)


def _models(names: str) -> list[str]:
    return [word for name in names for word in ("--model", name)]


def test_optimal_summaries_are_marked_on_the_pyramid_that_is_drawn() -> None:
    """Of the ferry's weights 5 5 3 3 3 2 …, all optimal summaries of three SCUs have both of weight 5 and one of 3."""
    view = pyramidion.pyramid.show(FOLDER / "ferry.pyr", optimal=3)
    (drawn,) = view.pyramids
    assert {scu.weight: scu.optimal for scu in drawn.scus} == {5: "all", 3: "some", 2: "none", 1: "none"}
    chart = json.dumps(draw(view).spec)
    assert "in every optimal summary" in chart
    plain = json.dumps(draw(pyramidion.pyramid.show(FOLDER / "ferry.pyr")).spec)
    assert "optimal" not in plain


def test_python_has_the_same_verbs_for_files_and_campaigns(run: Run) -> None:
    files = [FOLDER / "ferry.pyr", *sorted(FOLDER.glob("ferry.*.pan"))]
    found = list(pyramidion.pyramid.score(files, rounding="floor").records())
    assert found == score(run, *files, "--rounding", "floor")
    assert [problem.found for problem in pyramidion.pyramid.check(FOLDER / "ferry.pyr")]
    alphas = pyramidion.pyramid.agreement(files, resamples=10, distance=["masi"])
    assert alphas.to_polars()["unit"].to_list() == ["presence", "peer-word"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("one.svg", ("--topic", "D02")), ("peer.png", ("--topic", "D02", "--summarizer", "16")), ("all.html", ())],
)
def test_pyramids_are_drawn_to_files(run: Run, tmp_path: Path, name: str, arguments: tuple[str, ...]) -> None:
    figure = tmp_path / name
    code, _, err = run("pyramid", "show", "demo", *arguments, "--figure", str(figure))
    assert code == 0, err
    content = figure.read_bytes()
    said = {"one.svg": b"An ancient boat was found in Skellan Moss", "all.html": b"D05-B"}
    assert said.get(name, b"PNG") in content


def test_hostile_labels_command_no_terminal(run: Run, tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", unmatched=True)
    pyramids = folder / "pyramids.jsonl"
    text = pyramids.read_text(encoding="utf-8").replace("A ferry burned", "\\u001b[31mred [bold]x[/bold]")
    pyramids.write_text(text, encoding="utf-8")
    code, out, _ = run("pyramid", "show", str(folder))
    assert code == 0
    assert "\x1b[31mred" not in out
    assert "[bold]x[/bold]" in out
    code, _, _ = run("pyramid", "show", str(folder), "--figure", str(tmp_path / "f.svg"))
    assert code == 0


def test_words_are_checked_and_the_numbers_are_golden(run: Run) -> None:
    code, out, _ = run("pyramid", "check", str(FOLDER / "ferry.pyr"), "--format", "json")
    found = [row["found"] for row in records(out)]
    none = sum(int(one.split()[0]) for one in found if "in no SCU" in one)
    several = sum(int(one.split()[0]) for one in found if "in several SCUs" in one)
    words = PYRAMIDS["ferry"]["words"]
    assert code == 0
    assert (none, several) == (words["in_no_scu"], words["in_several"])


def test_problems_name_file_line_field_and_remedy(run: Run, tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", unmatched=False)
    code, out, _ = run("pyramid", "check", str(folder), "--format", "json")
    (row,) = records(out)
    assert code == 0
    assert (row["severity"], row["line"]) == ("warning", 1)
    assert row["file"] == str(folder / "annotations.jsonl")
    assert row["found"] == "non-matching content that was not marked"
    assert all(row[key] for key in ("field", "expected", "remedy"))
    assert run("pyramid", "check", str(folder), "--strict")[0] == 1


def test_errors_of_reading_are_listed_with_exit_code_1(run: Run, tmp_path: Path) -> None:
    folder = campaign(tmp_path / "c", unmatched=True)
    text = (folder / "pyramids.jsonl").read_text(encoding="utf-8").replace("[0, 15]", "[0, 99]")
    (folder / "pyramids.jsonl").write_text(text, encoding="utf-8")
    code, out, _ = run("pyramid", "check", str(folder), "--format", "json")
    assert code == 1
    assert [row["severity"] for row in records(out)] == ["error"]
    code, _, err = run("pyramid", "score", str(folder))
    assert code == 1
    assert "[0, 99]" in err


@pytest.mark.slow
def test_pyramids_are_exported_to_ducview_and_imported_again(run: Run, tmp_path: Path) -> None:
    files, back = str(tmp_path / "files"), str(tmp_path / "back")
    assert run("export", "ducview", "demo", files)[0] == 0
    assert run("import", "ducview", files, back)[0] == 0
    again, before = score(run, back), score(run, "demo")
    assert {row.pop("weights") for row in again} == {"contributors"}  # as DUCView counts its files
    assert {row.pop("weights") for row in before} == {"models"}
    assert again == before


def test_what_is_not_there_can_not_be_exported(run: Run, tmp_path: Path) -> None:
    code, _, err = run("export", "ducview", str(tmp_path / "nowhere"), str(tmp_path / "out"))
    assert code == 1
    assert "nowhere" in err
    assert not (tmp_path / "out").exists()
