"""`study models` and `study topics` at the command line."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from cli.running import Run, records, write

FOCUS = ("--with", "question.focus")
ROUGE = ("-m", "rouge-1.recall", "-m", "rouge-2.recall")
FEW = ("--resamples", "20")
POINT = {"record", "study", "measure", "with", "k", "kind", "mean", "sd", "n", "undefined", "mark", "lower", "upper",
         "topics", "summarizers", "coefficient", "seed"}  # fmt: skip


def of_kind(rows: list[dict[str, Any]], record: str) -> list[dict[str, Any]]:
    return [row for row in rows if row["record"] == record]


def without_reason(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if None in row.values() and not row.get("reason")]


@pytest.mark.parametrize("study", ["models", "topics"])
def test_records_have_the_fields_of_the_design_and_a_reason_for_every_null(run: Run, study: str) -> None:
    code, output, _ = run(
        "study", study, "demo", *ROUGE, *FOCUS, "--with", "itself", *FEW, "--format", "json", "--seed", "3"
    )
    rows = records(output)
    assert code == 0
    assert {row["study"] for row in rows} == {study}
    assert all(POINT <= set(row) <= POINT | {"reason", "note"} for row in of_kind(rows, "point"))
    assert {row["kind"] for row in of_kind(rows, "point")} == {
        "drawn", "bootstrapped", "actual", "halves", "extrapolated",
    }  # fmt: skip
    assert {row["over"] for row in of_kind(rows, "point-test")} == {"column", "row"}
    assert {row["seed"] for row in rows} == {3}
    assert without_reason(rows) == []


def test_the_table_has_the_rows_of_the_paper_and_says_what_was_sampled(run: Run) -> None:
    code, output, _ = run("study", "models", "demo", *ROUGE, *FOCUS, *FEW, "--format", "markdown")
    assert code == 0
    first = [line.split("|")[1].strip() for line in output.splitlines() if line.startswith("| ")]
    rows = ["1", "2", "3", "4 (all, systems bootstrapped)", "4 (all)", "8 (extrapolated)", "∞ (extrapolated)"]
    start = first.index("1")
    assert first[start : start + 7] == rows
    assert "20 summarizers, 11 topics, 20 samples, seed 0." in output
    assert "Every two measures differ by more than the error of 20 random samples of references leaves open" in output
    assert "Simulated judgments: question.focus." in output


@pytest.mark.parametrize("study", ["models", "topics"])
def test_the_answer_comes_first(run: Run, study: str) -> None:
    asked = ("-m", "rouge-2.recall", "-m", "pyramid.modified", "--with", "question.overall-responsiveness", *FEW)
    code, output, _ = run("study", study, "demo", *asked, "--show", "gain", "--format", "markdown")
    assert code == 0
    said = [line for line in output.splitlines() if line and not line.startswith(("|", "#"))]
    assert (
        said
        == {
            "models": snapshot(
                [
                    "With 1 reference, rouge-2.recall correlates at 0.83 with question.overall-responsiveness on average (95 % of the samples: 0.78 to 0.87); with all 4, at 0.86.",
                    "rouge-2.recall needs only 2 of 4 references: its mean correlation over samples is within 0.01 of that with all 4. A single sample may be further off.",
                    "Extrapolated to 8 references, the correlation of rouge-2.recall is 0.87 (95 % interval 0.65 to 0.98), compared with 0.86 now.",
                    "System means of rouge-2.recall from two disjoint sets of 2 references correlate at 0.97.",
                    "By the same criterion, references that are enough for the other measures: 2 for pyramid.modified.",
                ]
            ),
            "topics": snapshot(
                [
                    "With 1 topic, rouge-2.recall correlates at 0.70 with question.overall-responsiveness on average (95 % of the samples: 0.58 to 0.81); with all 11, at 0.86.",
                    "For rouge-2.recall, no smaller number of topics keeps the mean correlation over samples within 0.01 of that with all 11.",
                    "Extrapolated to 22 topics, the correlation of rouge-2.recall is 0.88 (95 % interval 0.69 to 1.00), compared with 0.86 now.",
                    "System means of rouge-2.recall from two disjoint sets of 3 topics correlate at 0.81.",
                    "By the same criterion, topics that are enough for the other measures: all 11 for pyramid.modified.",
                ]
            ),
        }[study]
    )


def test_parts_are_studied_apart_and_compared_at_the_level_asked_for(run: Run) -> None:
    asked = ("study", "models", "demo", *ROUGE, *FOCUS, *FEW, "--by", "part", "--confidence", "90")
    code, output, _ = run(*asked)
    assert code == 0
    assert (
        "The parts differ in each cell by more than the error of the random samples leaves open (10 % level)" in output
    )
    rows = records(run(*asked, "--format", "json")[1])
    assert {row.get("part") for row in of_kind(rows, "point")} == {"A", "B"}
    assert "parts" in {row["over"] for row in of_kind(rows, "point-test")}
    assert without_reason(rows) == []


def test_csv_is_one_table_of_points(run: Run) -> None:
    for study in ("models", "topics"):
        output = run("study", study, "demo", *ROUGE, *FOCUS, *FEW, "--by", "part", "--format", "csv")[1]
        rows = list(csv.reader(io.StringIO(output)))
        assert rows[0][:4] == ["study", "measure", "with", "coefficient"]
        assert "k" in rows[0]
        assert {len(row) for row in rows} == {len(rows[0])}
        assert {row[0] for row in rows[1:]} == {study}


@pytest.mark.parametrize("study", ["models", "topics"])
@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_a_figure_is_drawn(run: Run, tmp_path: Path, study: str, ending: str) -> None:
    target = tmp_path / f"figure.{ending}"
    code, _, said = run("study", study, "demo", *ROUGE, *FOCUS, *FEW, "--figure", str(target))
    assert code == 0
    assert f"figure: {target}" in said
    assert target.stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("models", "demo"), 2, "--with is missing"),
        (("models", "demo", "-m", "question.focus", *FOCUS), 2, "does not use references"),
        (("models", "demo", *FOCUS, "--by", "nothing"), 2, "found no topic that has it"),
        (("models", "demo", *FOCUS, "--confidence", "100"), 2, "expected at least 1 and less than 100"),
        (("models", "demo", *FOCUS, "--figure", "figure.gif"), 2, "written as .svg, .png, .pdf or .html"),
        (("models", "demo", *FOCUS, "--tolerance", "-1"), 2, "--tolerance -1: expected at least 0"),
        (("models", "demo", "--with", "question.nothing"), 2, "question has no 'nothing' here"),
        (("topics", "demo", *FOCUS, "--sizes", "one"), 2, "expected whole numbers with commas"),
        (("topics", "demo", *FOCUS, "--sizes", "0,3"), 2, "--sizes 0: expected at least 1"),
        (("topics", "demo", "-m", "question.focus", *FOCUS), 2, "can't be correlated with itself"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    found, _, said = run("study", *arguments)
    assert found == code
    assert message in " ".join(said.replace("│", " ").split())


@pytest.fixture
def scored(run: Run, tmp_path: Path) -> str:
    target = tmp_path / "scores.csv"
    assert run("score", "demo", *ROUGE, "-m", "question.focus", "-o", str(target))[0] == 0
    return str(target)


def test_topics_are_studied_on_a_table_of_scores_and_models_are_not(run: Run, scored: str) -> None:
    code, output, _ = run("study", "topics", scored, *FOCUS, *FEW, "--sizes", "1,2", "--format", "json")
    assert code == 0
    assert {row["measure"] for row in of_kind(records(output), "point-test") if row["over"] == "column"} == {
        "rouge-1.recall", "rouge-2.recall",
    }  # fmt: skip
    code, _, said = run("study", "models", scored, *FOCUS)
    assert (code, "a score table has no texts to sample references from" in said) == (2, True)
    code, _, said = run("study", "topics", scored, *FOCUS, "--by", "part")
    assert (code, "a score table does not describe its topics" in said) == (2, True)


def test_the_same_numbers_come_from_texts_and_from_their_scores(run: Run, scored: str) -> None:
    asked = (*ROUGE, *FOCUS, *FEW, "--sizes", "1,2", "--format", "json")
    from_texts, from_scores = (
        {(row["measure"], row["k"], row["kind"]): row["mean"] for row in of_kind(records(output), "point")}
        for output in (run("study", "topics", data, *asked)[1] for data in ("demo", scored))
    )
    assert from_texts == pytest.approx(from_scores)


def flat_rows(topics: int, summarizers: int, models: list[int]) -> list[dict[str, Any]]:
    words = ["ferry", "fire", "harbour", "night", "crew", "rain", "rescue", "captain"]
    return [
        {
            "topic": f"t{topic}",
            "summarizer": f"s{number}",
            "summary": " ".join(words[: 2 + (number + topic) % 6]),
            "references": [" ".join(words[one : one + 5]) for one in range(models[topic % len(models)])],
            "judgments": {"good": 1 + (number * 2 + topic) % 5},
        }
        for topic in range(topics)
        for number in range(summarizers)
    ]


def test_unequal_numbers_of_models_are_counted_and_nothing_is_extrapolated(run: Run, tmp_path: Path) -> None:
    flat = write(tmp_path, "flat.jsonl", *flat_rows(6, 6, [4, 2, 3]))
    asked = ("study", "models", str(flat), "-m", "rouge-1.recall", "--with", "question.good", *FEW)
    code, output, _ = run(*asked)
    assert code == 0
    assert "Topics with enough references: 6 at k = 1, 6 at k = 2, 4 at k = 3" in output
    points = of_kind(records(run(*asked, "--format", "json")[1]), "point")
    assert {row["mean"] for row in points if row["kind"] == "extrapolated"} == {None}
    assert without_reason(points) == []


@pytest.mark.parametrize(("topics", "summarizers"), [(1, 5), (3, 1), (3, 2), (2, 3)])
@pytest.mark.parametrize("study", ["models", "topics"])
def test_little_data_gets_an_answer_with_reasons_or_a_clear_refusal(
    run: Run, tmp_path: Path, topics: int, summarizers: int, study: str
) -> None:
    flat = write(tmp_path, "flat.jsonl", *flat_rows(topics, summarizers, [3]))
    code, output, said = run(
        "study", study, str(flat), "-m", "rouge-1.recall", "--with", "question.good", *FEW, "--format", "json"
    )
    if study == "topics" and topics == 1:
        assert (code, "on one topic" in said) == (1, True)
        return
    assert code == 0
    assert without_reason(records(output)) == []


def test_humans_are_scored_without_their_own_models(run: Run) -> None:
    for peers in ("humans", "all"):
        code, output, _ = run(
            "study", "models", "demo", "-m", "rouge-1.recall", *FOCUS, *FEW, "--peers", peers, "--format", "json"
        )
        assert code == 0
        assert without_reason(records(output)) == []
