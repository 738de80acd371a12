"""Tables with two systems and a winner in each row: who wins how often, by judge and by position."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pandas
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import pyramidion
from cli.running import Run, records
from pyramidion.errors import UsageError

WON, LOST, TIED = 14, 3, 3
"""Topics that "new" won against "old", lost and tied, by construction."""
Rows = list[dict[str, Any]]
OUTCOMES = ["new"] * WON + ["old"] * LOST + ["tie"] * TIED


def rows(winners: dict[str, str], *, turned: bool = False) -> Rows:
    """A row for each outcome, every second one with the systems the other way round if they are `turned`.

    Args:
        winners: what the column says if the first system won, if the second did, and for a tie.
        turned: whether positions alternate.
    """
    table: Rows = []
    for number, outcome in enumerate(OUTCOMES):
        a, b = ("old", "new") if turned and number % 2 else ("new", "old")
        side = {a: "a", b: "b"}.get(outcome, "tie")
        winner = winners.get(side, outcome)
        table.append({"id": f"t{number}", "model_a": a, "model_b": b, "winner": winner})
    return table


def put(path: Path, table: Rows) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(table)
    return str(path)


CODES = {
    "letters": {"a": "A", "b": "B", "tie": "tie"},
    "columns": {"a": "model_a", "b": "model_b", "tie": "tie"},
    "columns in words": {"a": "Model A", "b": "Model B", "tie": "Tie"},
    "numbers": {"a": "1", "b": "2", "tie": "tie"},
    "sides": {"a": "left", "b": "right", "tie": "both"},
    "names": {"tie": "draw"},
    "both bad": {"a": "model_a", "b": "model_b", "tie": "tie (bothbad)"},
    "both_bad": {"a": "a", "b": "b", "tie": "both_bad"},
}


def assert_truth(pair: dict[str, Any]) -> None:
    """The counts are those of the construction; p is SciPy's, the limits statsmodels'."""
    assert (pair["a"], pair["b"], pair["win"], pair["loss"], pair["tie"]) == ("new", "old", WON, LOST, TIED)
    assert pair["p"] == pytest.approx(stats.binomtest(WON, WON + LOST).pvalue)
    lower, upper = proportion_confint(WON, WON + LOST, method="beta")
    assert (pair["share"], pair["lower"], pair["upper"]) == pytest.approx((WON / (WON + LOST), lower, upper))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("winners", CODES.values(), ids=CODES)
@pytest.mark.parametrize("verb", [("compare",), ("judgments", "preferences")])
def test_who_wins_how_often(
    run: Run, tmp_path: Path, winners: dict[str, str], turned: bool, verb: tuple[str, ...]
) -> None:
    path = put(tmp_path / "x.csv", rows(winners, turned=turned))
    code, out, err = run(*verb, path, "--format", "json")
    assert code == 0, err
    (pair,) = [row for row in records(out) if row["record"] == "preference-pair"]
    assert_truth(pair)


def test_other_names_of_columns_and_rows_without_a_topic(run: Run, tmp_path: Path) -> None:
    table = [
        {"prompt_no": n, "left": row["model_a"], "right": row["model_b"], "result": row["winner"]}
        for n, row in enumerate(rows(CODES["sides"], turned=True))
    ]
    columns = "a=left,b=right,winner=result"
    code, out, _ = run("compare", put(tmp_path / "x.csv", table), "--columns", columns, "--format", "json")
    assert code == 0
    assert_truth(next(row for row in records(out) if row["record"] == "preference-pair"))


def test_a_data_frame_of_preferences() -> None:
    finding = pyramidion.Evaluation(pandas.DataFrame(rows(CODES["letters"]))).preferences()
    assert_truth(next(row for row in finding.records() if row["record"] == "preference-pair"))


def test_judges_and_positions_are_told_apart(run: Run, tmp_path: Path) -> None:
    """A judge that always takes the first, and one that always takes the better, each in both orders."""
    table: Rows = []
    for topic in range(10):
        for a, b in (("new", "old"), ("old", "new")):
            for judge in ("fair", "lazy"):
                winner = a if judge == "lazy" else "new"
                table.append({"id": topic, "model_a": a, "model_b": b, "winner": winner, "judge": judge})
    code, out, _ = run("judgments", "preferences", put(tmp_path / "x.csv", table), "--format", "json")
    assert code == 0
    by_judge = {row["assessor"]: row for row in records(out) if row["record"] == "preference-pair"}
    assert (by_judge["fair"]["win"], by_judge["fair"]["loss"]) == (20, 0)
    assert (by_judge["lazy"]["win"], by_judge["lazy"]["loss"], by_judge["lazy"]["share"]) == (10, 10, None)
    positions = {row["assessor"]: row for row in records(out) if row["record"] == "preference-position"}
    assert (positions["lazy"]["share"], positions["lazy"]["flipped"], positions["lazy"]["both_orders"]) == (1, 10, 10)
    assert positions["lazy"]["p"] == pytest.approx(stats.binomtest(10, 10).pvalue)
    assert (positions["fair"]["flipped"], positions["fair"]["both_orders"]) == (0, 10)


def test_a_column_says_who_was_shown_first(run: Run, tmp_path: Path) -> None:
    table = rows(CODES["names"])
    for number, row in enumerate(table):
        row["shown_first"] = ("new", "old")[number % 2]
    code, out, _ = run("compare", put(tmp_path / "x.csv", table), "--format", "json")
    assert code == 0
    assert_truth(next(row for row in records(out) if row["record"] == "preference-pair"))
    (position,) = [row for row in records(out) if row["record"] == "preference-position"]
    first_won = [("new", "old")[n % 2] == outcome for n, outcome in enumerate(OUTCOMES) if outcome != "tie"]
    assert (position["win"], position["loss"]) == (sum(first_won), len(first_won) - sum(first_won))


def test_a_system_that_always_wins_has_counts_and_a_test(run: Run, tmp_path: Path) -> None:
    table = [{"id": n, "model_a": "new", "model_b": "old", "winner": "A"} for n in range(8)]
    code, out, _ = run("compare", put(tmp_path / "x.csv", table), "--format", "json")
    assert code == 0
    (pair,) = records(out)
    assert (pair["win"], pair["upper"], pair["p"]) == (8, 1, pytest.approx(2 / 2**8))


def test_the_report_shows_them(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert run("report", put(tmp_path / "x.csv", rows(CODES["letters"])), "-o", str(report))[0] == 0
    text = re.sub(r"<[^>]+>", "", report.read_text(encoding="utf-8"))
    assert "new is preferred to old" in text


def test_names_that_are_positions_too_are_asked_for_and_the_remedy_leads_to_the_answer(
    run: Run, tmp_path: Path
) -> None:
    """A is a system and a position; in some rows they differ."""
    table = [{"id": n, "model_a": a, "model_b": b, "winner": "A"} for n in range(6) for a, b in ("AB", "BA")]
    code, _, err = run("compare", put(tmp_path / "x.csv", table))
    assert (code, "which are the names of systems and positions, too" in err) == (1, True)
    assert "Write model_a, model_b or tie into the column" in err
    for row in table:
        row["winner"] = "model_a"
    code, out, _ = run("compare", put(tmp_path / "x.csv", table), "--format", "json")
    (pair,) = [row for row in records(out) if row["record"] == "preference-pair"]
    assert (code, pair["win"], pair["loss"]) == (0, 6, 6)


def reshape(kind: str, outcome: str, number: int) -> dict[str, Any]:
    """A row with an outcome, as other programs write it."""
    a, b = ("old", "new") if number % 2 else ("new", "old")
    side = {a: "a", b: "b"}.get(outcome, "tie")
    text = f"A text of some words about the ferry number {number}."
    shapes: dict[str, dict[str, Any]] = {
        "a column per outcome": {
            "model_a": a,
            "model_b": b,
            "response_a": text,
            "response_b": f"{text} More.",
            **{f"winner_{name}": int(name.endswith(side)) for name in ("model_a", "model_b", "tie")},
        },
        "grades of AlpacaEval": {
            "generator_1": a,
            "output_1": text,
            "generator_2": b,
            "output_2": f"{text} More.",
            "preference": {"a": 1.02, "b": 1.98, "tie": 1.5}[side],
        },
        "signs": {"model_a": a, "model_b": b, "verdict": {"a": "[[A>>B]]", "b": "B>A", "tie": "A=B"}[side]},
        "German": {"System A": a, "System B": b, "Gewinner": {"a": "A", "b": "B", "tie": "unentschieden"}[side]},
        "texts of two systems": {
            "new": text,
            "old": f"{text} More.",
            "better": outcome,
        },
        "games": {"model_1": a, "model_2": b, "winner": {"a": "model_1", "b": "model_2"}.get(side, side)},
    }
    return {"id": f"t{number}", **shapes[kind]}


@pytest.mark.parametrize(
    "kind",
    ["a column per outcome", "grades of AlpacaEval", "signs", "German", "texts of two systems", "games"],
)
def test_choices_as_other_programs_write_them(run: Run, tmp_path: Path, kind: str) -> None:
    table = [reshape(kind, outcome, number) for number, outcome in enumerate(OUTCOMES)]
    code, out, err = run("compare", put(tmp_path / "x.csv", table), "--pair", "new", "old", "--format", "json")
    assert code == 0, err
    assert_truth(next(row for row in records(out) if row["record"] == "preference-pair"))


def test_winners_and_losers_are_choices_and_nobody_was_first(run: Run, tmp_path: Path) -> None:
    table = [
        {"id": number, "chosen_model": outcome, "rejected_model": {"new": "old", "old": "new"}[outcome]}
        for number, outcome in enumerate(OUTCOMES)
        if outcome != "tie"
    ]
    code, out, err = run("compare", put(tmp_path / "x.csv", table), "--pair", "new", "old", "--format", "json")
    assert code == 0, err
    (pair,) = [row for row in records(out) if row["record"] == "preference-pair"]
    assert (pair["win"], pair["loss"], pair["tie"]) == (WON, LOST, 0)


def test_a_row_without_a_winner_is_left_out_with_a_warning(run: Run, tmp_path: Path) -> None:
    table = rows(CODES["letters"])
    table.append({"id": "t", "model_a": "new", "model_b": "old", "winner": ""})
    code, out, err = run("compare", put(tmp_path / "x.csv", table), "--format", "json")
    assert (code, "1 warning" in err) == (0, True)
    assert_truth(next(row for row in records(out) if row["record"] == "preference-pair"))


def test_a_winner_of_an_unknown_name_is_asked_for_and_the_option_leads_to_the_answer(run: Run, tmp_path: Path) -> None:
    table = [{**row, "g1_winner": row["winner"]} for row in rows(CODES["columns"], turned=True)]
    for row in table:
        del row["winner"]
    path = put(tmp_path / "x.csv", table)
    code, _, err = run("compare", path)
    assert (code, "--columns winner=g1_winner" in err) == (1, True)
    code, out, err = run("compare", path, "--columns", "winner=g1_winner", "--format", "json")
    assert code == 0, err
    assert_truth(next(row for row in records(out) if row["record"] == "preference-pair"))


@pytest.mark.parametrize("winner", ["maybe", "0", "-1", "3", "older"])
def test_a_winner_that_says_nothing_is_an_error_of_its_row(run: Run, tmp_path: Path, winner: str) -> None:
    table = rows(CODES["letters"])
    table[2]["winner"] = winner
    code, _, err = run("compare", put(tmp_path / "x.csv", table))
    assert (code, f"x.csv:4: error: winner: found '{winner}'; expected new, old, or tie" in err) == (1, True)


def test_json_lines_with_texts_are_preferences(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    texts = {"prompt": "Summarise this article for me, please.", "response_a": "One text of some words here.",
             "response_b": "Another text of some more words here."}  # fmt: skip
    path.write_text("\n".join(json.dumps(row | texts) for row in rows(CODES["columns"])), encoding="utf-8")
    code, out, err = run("compare", str(path), "--format", "json")
    assert code == 0, err
    assert_truth(next(row for row in records(out) if row["record"] == "preference-pair"))


def test_a_pair_has_the_order_that_was_asked_for(run: Run, tmp_path: Path) -> None:
    table = rows(CODES["letters"])
    table += [{**row, "model_b": "third", "winner": "B"} for row in table]
    path = put(tmp_path / "x.csv", table)
    code, out, _ = run("compare", path, "--pair", "old", "new", "--format", "json")
    assert code == 0
    (pair,) = [row for row in records(out) if row["record"] == "preference-pair"]
    assert (pair["a"], pair["b"], pair["win"], pair["loss"], pair["tie"]) == ("old", "new", LOST, WON, TIED)
    lower, upper = proportion_confint(LOST, WON + LOST, method="beta")
    assert (pair["share"], pair["lower"], pair["upper"]) == pytest.approx((LOST / (WON + LOST), lower, upper))
    # A single pair needs no correction for others.
    assert pair["p"] == pair["p_adjusted"] == pytest.approx(stats.binomtest(WON, WON + LOST).pvalue)
    assert "old is less preferred than new" in " ".join(run("compare", path, "--pair", "old", "new")[1].split())
    code, out, _ = run("compare", path, "--against", "new", "--format", "json")
    pairs = {(row["a"], row["b"]) for row in records(out) if row["record"] == "preference-pair"}
    assert pairs == {("old", "new"), ("third", "new")}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--pair", "new", "odl"), "no preference is about 'odl'; did you mean old?"),
        (("--margin", "0.1"), "--margin is for scores"),
        (("--sequential",), "--sequential is for scores"),
        (("--pair", "old", "third"), "nobody compared old with third"),
    ],
)
def test_options_that_do_not_fit_preferences_are_refused(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    table = rows(CODES["letters"])
    table.append({"id": "t", "model_a": "new", "model_b": "third", "winner": "A"})
    code, _, err = run("compare", put(tmp_path / "x.csv", table), *words)
    assert (code, message in err) == (2, True), err


def test_python_names_the_call_for_preferences() -> None:
    frame = pandas.DataFrame(rows(CODES["letters"]))
    with pytest.raises(UsageError, match=re.escape("pyramidion.judgments.preferences(data)")):
        pyramidion.compare(frame)
    pairs = pyramidion.judgments.preferences(frame, pair=[("new", "old")]).records("preference-pair")
    assert_truth(next(iter(pairs)))
