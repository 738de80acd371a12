"""The report page: self-contained, complete, and safe with hostile names."""

from pathlib import Path

import pytest

import pyramidion
from pyramidion.campaign import Campaign, Summarizer, Summary
from pyramidion.errors import InputError, UsageError
from pyramidion.reports import write_figure

HOSTILE = '<script>alert("x")</script>'


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


@pytest.mark.parametrize(("ending", "start"), [(".svg", b"<svg"), (".png", b"\x89PNG"), (".html", b"<!DOCTYPE html>")])
def test_figures_are_written_in_the_format_of_the_ending(tmp_path: Path, ending: str, start: bytes) -> None:
    comparison = pyramidion.compare(campaign(), ["rouge-1.recall", "rouge-2.recall"])
    write_figure(comparison, tmp_path / f"figure{ending}")
    content = (tmp_path / f"figure{ending}").read_bytes()
    assert content.lstrip().startswith(start)
    assert b"cdn.jsdelivr" not in content.split(b"</head>")[0]
    with pytest.raises(UsageError, match=r"\.svg, \.png or \.html"):
        write_figure(comparison, tmp_path / "figure.jpg")
