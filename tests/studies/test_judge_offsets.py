"""A judge's means that are compared alone, although people judged some topics: how far they are off."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import pyramidion
from pyramidion.options import Choice
from pyramidion.run.evaluation import Evaluation

SYSTEMS = {"A": 4.0, "B": 3.0, "C": 2.0}
PEOPLE_ON = 12


def rows(*, shift: float = -1.0, people_on: int = PEOPLE_ON, column: bool = False) -> list[dict[str, Any]]:
    """A judge on 20 topics that is off by about `shift`, and a person on some of them."""
    generator = np.random.default_rng(2)
    table = []
    for topic in range(20):
        for system, quality in SYSTEMS.items():
            answer = quality + int(generator.integers(-1, 2))
            judged = float(np.clip(answer + shift + 0.5 * int(generator.integers(-1, 2)), 1, 5))
            row: dict[str, Any] = {"topic": f"t{topic}", "summarizer": system, "summary": f"words {topic} of {system}"}
            row["references"] = [f"words {topic}"]
            row["judgments"] = {"quality": {"ann": answer}} if topic < people_on else {}
            if column:
                row["scores"] = {"mark": judged}
            else:
                row["judgments"].setdefault("quality", {})["robot"] = judged
            table.append(row)
    return table


def expected_offset(table: list[dict[str, Any]], confidence: float = 0.95) -> tuple[float, float, float]:
    """The mean over topics of judge − person with its t interval, by scipy."""
    by_topic: dict[str, list[float]] = {}
    for row in table:
        answers = row["judgments"].get("quality", {})
        if "ann" in answers:
            judged = answers.get("robot", row.get("scores", {}).get("mark"))
            by_topic.setdefault(row["topic"], []).append(judged - answers["ann"])
    means = [np.mean(differences) for differences in by_topic.values()]
    lower, upper = stats.t.interval(confidence, len(means) - 1, np.mean(means), stats.sem(means))
    return float(np.mean(means)), float(lower), float(upper)


CASES = {
    "a judge by its name": ({}, "question(assessor=robot).quality", {"judge": ("robot",)}),
    "the judges": ({}, "question.quality", {"judge": ("robot",), "raters": "judges"}),
    "a column": ({"column": True}, "imported.mark", {"judge": ("mark",)}),
}


@pytest.mark.parametrize(("data", "measure", "choice"), CASES.values(), ids=CASES.keys())
def test_the_offset_is_the_mean_over_topics_with_the_t_interval_of_scipy(
    data: dict[str, Any], measure: str, choice: dict[str, Any]
) -> None:
    table = rows(**data)
    comparison = Evaluation(table, Choice(**choice)).compare([measure])
    (offset,) = comparison.offsets
    assert (offset.difference, offset.lower, offset.upper) == pytest.approx(expected_offset(table), abs=1e-9)
    assert (offset.topics, offset.topics_total, offset.with_) == (PEOPLE_ON, 20, "question.quality")


@pytest.mark.parametrize(
    ("measure", "choice"),
    [
        ("question.quality", {"judge": ("robot",)}),  # people answered: theirs are the means
        ("question(assessor=ann).quality", {"judge": ("robot",)}),
        ("rouge-1.recall", {"judge": ("robot",)}),
        ("question.quality", {}),
    ],
)
def test_means_of_people_and_of_measures_have_no_offset(measure: str, choice: dict[str, Any]) -> None:
    assert Evaluation(rows(), Choice(**choice)).compare([measure]).offsets == ()


def test_a_judge_that_nobody_can_be_compared_with_has_no_offset() -> None:
    table = rows(people_on=0)
    assert Evaluation(table, Choice(judge=("robot",))).compare(["question.quality"]).offsets == ()


def offset_note(**options: Any) -> str:
    """What stands first below the leaderboard of the judge."""
    comparison = pyramidion.compare(rows(**options), "question(assessor=robot).quality", judge="robot")
    return comparison.tables()[0].notes[0]


def test_the_leaderboard_names_the_offset_and_what_combines_both() -> None:
    pattern = (
        r"These are the judge's means\. On the 12 topics that people judged, it is off by −\d\.\d\d "
        r"\(−\d\.\d\d to −\d\.\d\d\)\. To correct it by people's answers, compare question\.quality with "
        r"`using=\"question\(assessor=robot\)\.quality\"` and, if these topics are a random sample, "
        r"`assume_random=\"topics\"`\."
    )
    assert re.fullmatch(pattern, offset_note())


def test_where_a_pair_is_compared_the_answer_names_the_offset_once() -> None:
    comparison = pyramidion.compare(rows(), "question(assessor=robot).quality", judge="robot", pair=("A", "B"))
    assert sum("it is off by" in sentence for sentence in comparison.answer()) == 1
    assert not any("it is off by" in note for table in comparison.tables() for note in table.notes)


def test_what_the_answer_says_to_do_works() -> None:
    combined = pyramidion.compare(
        rows(),
        "question.quality",
        judge="robot",
        using="question(assessor=robot).quality",
        assume_random="topics",
    )
    assert combined.main_record() == "predicted-mean"


def test_a_shift_that_is_not_significant_is_called_so() -> None:
    assert "no significant shift is seen" in offset_note(shift=0.0)


def test_a_gate_on_a_judge_notes_the_offset() -> None:
    gate = pyramidion.gate(
        rows(), "question(assessor=robot).quality", judge="robot", against="B", candidate="A", margin=0.5
    )
    assert any("it is off by" in sentence for sentence in gate.sentences())


def test_averages_of_a_judge_note_the_offset() -> None:
    averages = Evaluation(rows(), Choice(judge=("robot",))).averages("question(assessor=robot).quality")
    assert any("it is off by" in note for note in averages.tables()[0].notes)


def test_records_have_the_offset() -> None:
    comparison = pyramidion.compare(rows(), "question(assessor=robot).quality", judge="robot")
    (record,) = (record for record in comparison.records() if record["record"] == "judge-offset")
    assert record["topics"] == PEOPLE_ON


def test_a_report_has_peoples_and_judges_means_with_the_estimate_of_both(tmp_path: Path) -> None:
    """The combined means are those of `compare` with `using`."""
    table = rows()
    pyramidion.report(
        table, tmp_path / "report.html", measures="question.quality", judge="robot", sections="judges", resamples=100
    )
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    combined = pyramidion.compare(
        table, "question.quality", judge="robot", using="question(assessor=robot).quality", assume_random="topics"
    )
    assert "corrected by people" in page
    assert "treated as a random sample of all topics" in page
    means = [record for record in combined.records() if record["record"] == "predicted-mean"]
    for mean in means:
        assert re.search(rf"<td[^>]*>{mean['value']:.2f}</td>", page)
