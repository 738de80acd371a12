"""docs/concepts/demo.md says what the campaign holds and what the model is: its figures are checked here."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from pyramidion.demo import CAMPAIGN_FOLDER
from pyramidion.scores import ScoreTable
from tools.demo_campaign.judgments import ASSESSORS, GAIN, HALO, READING, SEED, TARGET
from tools.demo_campaign.summarizers import PARTICIPANTS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "concepts" / "demo.md"
COLUMNS = ("content-responsiveness", "coherence", "overall-responsiveness")


def rows(name: str) -> list[dict[str, Any]]:
    lines = (CAMPAIGN_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def leaderboard() -> dict[str, list[str]]:
    """Summarizer → its cells: P' and three mean answers, recomputed from the files."""
    weights = {row["topic"]: {scu["uid"]: len(scu["contributors"]) for scu in row["scus"]} for row in rows("pyramids")}
    scores = defaultdict(list)
    for row in rows("annotations"):
        own = weights[row["topic"]]
        size = (sum(own.values()) + 2) // 4  # the mean of four models, rounded half up
        highest = sum(sorted(own.values(), reverse=True)[:size])
        scores[row["summarizer"]].append(sum(own[match["uid"]] for match in row["scus"]) / highest)
    # A summarizer's mean is over topics; a topic's answer is the mean over its assessors.
    answers: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in rows("judgments"):
        answers[row["summarizer"], row["question"]][row["topic"]].append(row["value"])
    names = {one.id: one.name for one in PARTICIPANTS}
    return {
        names[id]: [
            f"{mean(scores[id]):.3f}",
            *(f"{mean(mean(one) for one in answers[id, question].values()):.2f}" for question in COLUMNS),
        ]
        for id in names
    }


def test_the_rouge_figures_are_the_campaigns(page: str, demo_table: ScoreTable) -> None:
    matrix = demo_table.matrix("rouge-2.recall")
    means = dict(zip(matrix.summarizers, matrix.values.mean(axis=1).tolist(), strict=True))
    scores = {one.name: means[one.id] for one in PARTICIPANTS}
    rank = sorted(scores, key=lambda name: -scores[name]).index("telegraphic") + 1
    figures = [f"{scores[name]:.3f}" for name in ("telegraphic", "oracle", "off-topic")]
    wanted = "{}th of {} ({}; the oracle has {}, off-topic {})".format(rank, len(PARTICIPANTS), *figures)
    assert wanted in " ".join(page.split())


def test_the_table_is_the_campaigns(page: str, leaderboard: dict[str, list[str]]) -> None:
    shown = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].partition(" ")[2] in leaderboard:
            shown[cells[0].partition(" ")[2]] = cells[1:]
    assert shown == leaderboard
    assert list(shown) == sorted(shown, key=lambda name: -float(shown[name][0]))


def test_the_counts_are_the_campaigns(page: str) -> None:
    topics = rows("topics")
    pyramids = rows("pyramids")
    kinds = Counter(row["kind"] for row in rows("summaries"))
    contributors = sum(len(scu["contributors"]) for row in pyramids for scu in row["scus"])
    flat = " ".join(page.split())
    for phrase in (
        f"{len(topics)} topics, {kinds.total()} summaries",
        f"{len({row.get('parent', row['topic']) for row in topics})} stories",
        f"{len(PARTICIPANTS)} peers",
        f"{sum(len(row['scus']) for row in pyramids)} SCUs, {contributors} contributors",
        f"{len(rows('judgments')):,} answers",
    ):
        assert phrase in flat


def test_the_parameters_are_those_of_the_code(page: str) -> None:
    flat = " ".join(page.split())
    assert f"the seed {SEED}" in flat
    assert f"P′ / {TARGET}" in flat
    assert f"N(0, {HALO})" in flat
    assert ", ".join(f"{weight:g}" for weight in READING.values()) in flat
    for question, gain in GAIN.items():
        assert re.search(rf"^\| {question} \|.*\| {gain:g} \|$", page, re.MULTILINE)
    for one in ASSESSORS:
        assert f"| {one.id} | {one.content:+g} | {one.quality:+g} | {one.noise:g} |" in page
