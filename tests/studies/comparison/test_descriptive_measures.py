"""Measures that only describe, such as length: systems differ on them, but none is better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.measures.registry import select
from pyramidion.scores import ScoreTable, read_scores, write_scores

DESCRIPTIVE = ["length", "density", "compression", "coverage", "novelty"]
DIRECTED = {"redundancy": False, "rouge1.f": True, "js": False}
DOCUMENT = "A ferry burned off the coast of Kiel on Monday and nobody was hurt, said the harbour office."
ROWS: list[dict[str, Any]] = [
    {
        "topic": f"t{number}",
        "system": who,
        "summary": " ".join(DOCUMENT.split()[: words + number % 3]),
        "documents": [DOCUMENT],
        "references": [DOCUMENT],
    }
    for number in range(8)
    for who, words in (("short", 3), ("middle", 6), ("long", 10))
]


@pytest.mark.parametrize("name", DESCRIPTIVE)
def test_a_measure_that_describes_has_no_direction(name: str) -> None:
    assert select(name).measure.higher_is_better is None
    assert pyramidion.score(ROWS, measures=[name]).is_descriptive(name)


@pytest.mark.parametrize(("name", "higher"), DIRECTED.items())
def test_others_have_one(name: str, higher: bool) -> None:
    assert select(name).measure.higher_is_better is higher


def test_nobody_is_better_or_best_on_length() -> None:
    found = pyramidion.compare(ROWS, measures=["length"], all_pairs=True)
    assert [pair.better for pair in found.pairs] == ["", "", ""]
    assert all(pair.is_decided for pair in found.pairs)
    assert [one.summarizer for one in found.standings] == ["long", "middle", "short"]
    words = " ".join([*found.answer(), *(str(line) for table in found.tables() for line in table.sentences)])
    assert "better" not in words
    assert "best" not in words
    assert "Summaries of long are 7.0000 words longer than those of short on average" in words
    assert {one.note for one in found.standings} == {"neither high nor low is better"}
    assert {one.reason for one in found.standings} == {"no interval: the residual variance is zero"}


def test_a_report_is_not_decided_by_length(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    pyramidion.report(ROWS, path, measures=["length", "rouge1"])
    page = path.read_text(encoding="utf-8")
    assert "on length" not in page.partition("<h1")[2].partition("</section>")[0].partition("<table")[0]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_of_scores_keep_that_there_is_no_direction(tmp_path: Path, ending: str) -> None:
    table = pyramidion.score(ROWS, measures=["length", "redundancy"])
    write_scores(table, tmp_path / f"x.{ending}")
    found = pyramidion.compare(tmp_path / f"x.{ending}")
    assert found.descriptive == frozenset({"length"})
    assert found.lower_is_better == frozenset({"redundancy"})


def test_a_score_table_knows_it_after_a_round_trip(tmp_path: Path) -> None:
    table = pyramidion.score(ROWS, measures=["length"])
    write_scores(table, tmp_path / "x.parquet")
    assert read_scores(tmp_path / "x.parquet") == table
    assert ScoreTable.of(table).is_descriptive("length")
