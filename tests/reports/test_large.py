"""Large or oddly named campaigns: work that grows with the data and not faster, and figures that can be drawn."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import pyramidion
from pyramidion.campaign import Campaign
from pyramidion.present import side_by_side
from pyramidion.present.registry import draw
from pyramidion.reports.sections import make_look_inside
from pyramidion.studies.comparison.comparison import Comparison
from reports.sections_under_test import context_of

ODD = ("constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "plain")


def rows(topics: int, systems: int) -> list[dict[str, Any]]:
    return [
        {
            "topic": f"t{topic}",
            "summarizer": f"s{who}",
            "summary": f"a ferry burned off {'Kiel ' * (who % 5)}{topic}",
            "references": ["a ferry burned off Kiel and nobody was hurt"],
        }
        for topic in range(topics)
        for who in range(systems)
    ]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often topics and leaderboards are looked up."""
    counts: Counter[str] = Counter()
    topic, leaderboard = Campaign.topic, Comparison.leaderboard

    def counted_topic(self: Campaign, *given: Any, **named: Any) -> Any:
        counts["topic"] += 1
        return topic(self, *given, **named)

    def counted_leaderboard(self: Comparison, *given: Any) -> Any:
        counts["leaderboard"] += 1
        return leaderboard(self, *given)

    monkeypatch.setattr(Campaign, "topic", counted_topic)
    monkeypatch.setattr(Comparison, "leaderboard", counted_leaderboard)
    return counts


def test_only_topics_that_are_shown_are_looked_up(monkeypatch: pytest.MonkeyPatch, asked: Counter[str]) -> None:
    monkeypatch.setattr(side_by_side, "MOST_BYTES", 3_000)
    found: dict[int, Counter[str]] = {}
    for topics in (20, 80):
        context = context_of(pyramidion.load(rows(topics, 3)), "rouge-1.f")
        context.comparison  # noqa: B018  # scored before
        asked.clear()
        section = make_look_inside(context)
        assert section is not None
        assert f"of {topics} topics with the largest differences" in " ".join(section.notes)
        found[topics] = asked.copy()
    assert found[20]["topic"] < 20
    assert found[80] == found[20]


def test_names_that_javascript_knows_can_be_drawn(tmp_path: Path) -> None:
    named = [
        {**row, "summarizer": ODD[int(row["summarizer"][1:])], "judgments": {"overall": 1 + place % 5}}
        for place, row in enumerate(rows(3, len(ODD)))
    ]
    assert draw(pyramidion.compare(named, "rouge-1.f")).to_svg().count("constructor") >= 1
    assert draw(pyramidion.correlate(named, "rouge-1.f", with_="question.overall")).to_svg()
    page = pyramidion.report(named, tmp_path / "report.html", ["rouge-1.f", "question.overall"]).read_text("utf-8")
    assert "constructor" in page


@pytest.mark.slow
def test_more_than_a_thousand_systems_have_a_figure_and_a_report(tmp_path: Path) -> None:
    many = rows(2, 2_500)
    assert draw(pyramidion.compare(many, "rouge-1.f", interval="own")).to_svg().count("s1234") >= 1
    assert pyramidion.report(many, tmp_path / "report.html", "rouge-1.f").stat().st_size < 10_000_000
