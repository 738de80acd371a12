"""What people did besides answering questions is in the report: SEE coverage, and how far annotators agree."""

from __future__ import annotations

from pathlib import Path

import pyramidion
from pyramidion.campaign import Campaign
from pyramidion.campaign.nouns import (
    Contributor,
    Coverage,
    CoverageUnit,
    Match,
    PeerAnnotation,
    Pyramid,
    Scu,
    Summary,
)

MODEL = "A ferry burned. All were saved."
PEER = "A ferry burned off Kiel."


def campaign() -> Campaign:
    """Two topics, three systems, two annotators who disagree about one SCU, and coverage by one assessor."""
    summaries, pyramids, annotations, coverage = [], [], [], []
    for topic in ("T1", "T2"):
        summaries.append(Summary(topic=topic, summarizer="A", kind="model", text=MODEL))
        for number, system in enumerate(("s1", "s2", "s3")):
            summaries.append(Summary(topic=topic, summarizer=system, kind="peer", text=PEER))
            for annotator in ("ann", "bob"):
                words = ((0, 14),) if annotator == "ann" or number else ((2, 7),)
                match = Match(uid=1, present=True, contributors=(words,))
                annotations.append(
                    PeerAnnotation(
                        topic=topic, summarizer=system, scus=(match,), annotator=annotator, pyramid="ann", unmatched=()
                    )
                )
            percent = 100 if number else 20
            units = (CoverageUnit(unit=(0, 15), percent=percent), CoverageUnit(unit=(16, 31), percent=0))
            coverage.append(Coverage(topic=topic, summarizer=system, model="A", assessor="ann", units=units))
        for annotator in ("ann", "bob"):
            scu = Scu(uid=1, label="Fire", contributors=(Contributor(model="A", parts=((0, 14),)),))
            pyramids.append(Pyramid(topic=topic, models=("A",), scus=(scu,), annotator=annotator))
    return Campaign(
        summaries=tuple(summaries),
        pyramids=tuple(pyramids),
        annotations=tuple(annotations),
        coverage=tuple(coverage),
    )


def test_the_report_shows_see_coverage_and_the_agreement_of_annotators(tmp_path: Path) -> None:
    page = pyramidion.report(campaign(), tmp_path / "report.html").read_text(encoding="utf-8")
    assert "see-coverage" in page.lower() or "SEE coverage" in page
    assert "Krippendorff&#39;s α" in page or "Krippendorff's α" in page
    assert "ann, bob" in page


def test_measures_that_were_asked_for_stay_alone(tmp_path: Path) -> None:
    page = pyramidion.report(campaign(), tmp_path / "report.html", ["rouge-1.recall"]).read_text(encoding="utf-8")
    assert "see-coverage" not in page.lower()
