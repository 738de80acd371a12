"""How large a report is: small enough for an e-mail, whatever the campaign."""

import warnings
from collections import Counter
from pathlib import Path

import pytest

from pyramidion.measures.base import MeasureWarning
from pyramidion.reports.page import write_report
from pyramidion.run.evaluation import Evaluation
from pyramidion.simulate import CampaignDesign, simulate_campaign

MEGABYTE = 1_000_000
ROUGE = ("rouge-1", "rouge-2", "rouge-3", "rouge-4", "rouge-l", "rouge-w1.2", "rouge-s4", "rouge-su4")


@pytest.mark.slow
def test_the_demo_report_has_at_most_1_2_megabytes(demo_report: Path) -> None:
    assert demo_report.stat().st_size <= 1.2 * MEGABYTE


@pytest.mark.soak
def test_50_topics_60_systems_and_30_measures_make_a_report_under_10_megabytes(tmp_path: Path) -> None:
    design = CampaignDesign(topics=50, summarizers=60, words=250, pyramids=True, judgments=True)
    measures = [f"{name}.{statistic}" for name in ROUGE for statistic in ("recall", "precision", "f")]
    measures += ["rouge-5.recall", "rouge-6.recall", "pyramid", "question"]
    campaign = simulate_campaign(design).campaign
    steps: Counter[str] = Counter()
    run = Evaluation(campaign, progress=lambda what, count, total: steps.update({what: count}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MeasureWarning)
        path = write_report(tmp_path / "report.html", run, measures)
    page = path.read_text(encoding="utf-8")
    assert path.stat().st_size < 10 * MEGABYTE
    assert "of 50 topics with the largest differences" in page
    assert " · 30 measures · " in page
    assert steps["summaries scored"] == 50 * 64  # with the four humans, who are scored for comparison
