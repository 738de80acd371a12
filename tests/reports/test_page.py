"""The report page: self-contained, complete, and safe with hostile names."""

import re
from dataclasses import replace
from pathlib import Path

import defusedxml.ElementTree
import pytest

import pyramidion
from pyramidion.campaign import Campaign, ImportedScore, Judgment, Summarizer, Summary
from pyramidion.errors import InputError, UsageError
from pyramidion.reports import write_leaderboards

HOSTILE = '</script><script>alert("x")</script>'


def campaign() -> Campaign:
    texts = {"A": "a ferry burned off Kiel", HOSTILE: "a ferry burned", "b": "rain"}
    return Campaign(
        name=HOSTILE,
        description=HOSTILE,
        summarizers={"b": Summarizer(name=HOSTILE)},
        summaries=tuple(
            Summary(topic=topic, summarizer=who, kind="model" if who == "A" else "peer", text=f"{text} {topic}")
            for topic in ("1", "2", "3")
            for who, text in texts.items()
        ),
    )


def test_the_page_needs_nothing_from_outside_and_runs_nothing(tmp_path: Path) -> None:
    page = pyramidion.report(campaign(), tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert 'src="http' not in page
    assert "<link" not in page
    assert "default-src 'none'" in page


def test_the_page_shows_every_measure_with_figure_interval_and_signature(tmp_path: Path) -> None:
    page = pyramidion.report(campaign(), tmp_path / "report.html", ["rouge-1.recall", "rouge-l.f"]).read_text("utf-8")
    assert page.count("<svg") == 2
    assert "95 % interval" in page
    assert "rouge-1.recall|alpha:0.5|" in page
    assert "rouge-l.f|alpha:0.5|" in page


def test_simulated_judgments_are_marked(tmp_path: Path) -> None:
    page = pyramidion.report("demo", tmp_path / "report.html", ["question.focus"]).read_text("utf-8")
    assert page.count("simulated judgments</span>") == 1


def test_a_campaign_without_scores_has_no_report(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a single score"):
        pyramidion.report(Campaign(), tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(("ending", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".html", b"<!doctype html>")])
def test_figures_are_written_in_the_format_of_the_ending(tmp_path: Path, ending: str, start: bytes) -> None:
    comparison = pyramidion.compare(campaign(), ["rouge-1.recall", "rouge-2.recall"])
    write_leaderboards(comparison, tmp_path / f"figure{ending}")
    content = (tmp_path / f"figure{ending}").read_bytes()
    assert content.lstrip().startswith(start)
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.html"):
        write_leaderboards(comparison, tmp_path / "figure.jpg")


def test_a_figure_says_level_and_note(tmp_path: Path) -> None:
    write_leaderboards(pyramidion.compare("demo", "question.focus", confidence=90), tmp_path / "figure.svg")
    drawn = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert "question.focus (90 % intervals, simulated judgments)" in drawn


@pytest.mark.parametrize("ending", [".svg", ".html"])
def test_a_figure_runs_nothing_and_needs_nothing_from_outside(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"figure{ending}"
    write_leaderboards(pyramidion.compare(campaign(), ["rouge-1.recall"]), path)
    content = path.read_text(encoding="utf-8")
    assert "<script" not in content
    assert "&lt;script&gt;" in content
    assert re.findall(r"(?:href|src)=\"http", content) == []
    drawing = content[content.index("<svg") : content.index("</svg>") + len("</svg>")]
    assert defusedxml.ElementTree.fromstring(drawing).tag.endswith("svg")


def test_all_numbers_of_a_measure_have_the_same_decimals(tmp_path: Path) -> None:
    values = {"low": [0.2, 0.9, 0.4], "high": [1.5, 0.8, 2.9]}  # intervals that cross 1
    rows = [(who, str(topic), value) for who, given in values.items() for topic, value in enumerate(given)]
    imported = tuple(
        ImportedScore(topic=topic, summarizer=who, measure="judge", value=value) for who, topic, value in rows
    )
    page = pyramidion.report(Campaign(imported=imported), tmp_path / "report.html").read_text("utf-8")
    body = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    numbers = re.findall(r"-?\d+\.(\d+)(?=[ <])", body[body.index("<main>") : body.index("<details>")])
    assert len(numbers) == 2 + 2 * 3
    assert {len(decimals) for decimals in numbers} == {2}


def test_measures_without_any_value_are_named(tmp_path: Path) -> None:
    bare = Campaign(
        summaries=(Summary(topic="1", summarizer="s", kind="peer", text="rain"),),
        judgments=(Judgment(topic="1", summarizer="s", question="fluency", value=3),),
    )
    page = pyramidion.report(bare, tmp_path / "report.html").read_text("utf-8")
    assert "<li>rouge-2.recall: 1 summary</li>" in page


def test_means_over_different_topics_are_said_to_be_such(tmp_path: Path) -> None:
    whole = campaign()
    uneven = replace(
        whole, summaries=tuple(one for one in whole.summaries if (one.topic, one.summarizer) != ("2", "b"))
    )
    said = "1 of 2 summarizers miss topics: these are means over different topics."
    assert said in pyramidion.report(uneven, tmp_path / "uneven.html", "rouge-1.f").read_text("utf-8")
    assert "miss topics" not in pyramidion.report(whole, tmp_path / "whole.html", "rouge-1.f").read_text("utf-8")


@pytest.mark.parametrize("name", ["\x1b[31mred", 'q"uote', "it's", "\\back", "a\nb", "日本"])
def test_figures_bear_any_name(tmp_path: Path, name: str) -> None:
    rows = [
        {"topic": topic, "summarizer": name, "summary": "a", "references": ["a"], "judgments": {name: 3}}
        for topic in ("1", "2")
    ]
    page = pyramidion.report(rows, tmp_path / "report.html").read_text("utf-8")
    assert page.count("<svg") >= 2
    assert "\x1b" not in page
