"""nist: tables and files of summaries come back as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.miniature import only
from formats.nist.packages import GOLDEN, NAMES, imported
from pyramidion.campaign import Campaign, Judgment, Problems, Summarizer, Summary, Topic
from pyramidion.errors import InputError
from pyramidion.formats import find_format

NIST = find_format("nist")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_exported_is_imported_again(name: str, tmp_path: Path) -> None:
    campaign, _ = imported(name, "tree")
    NIST.write(campaign, tmp_path, Problems())
    problems = Problems()
    again = NIST.read(
        tmp_path, problems, baselines=",".join(id for id, who in campaign.summarizers.items() if who.kind == "baseline")
    )
    assert problems.errors == 0
    assert again.summaries == campaign.summaries
    duc = [one for one in campaign.judgments if one.question != "linguistic-quality"]
    assert sorted(again.judgments, key=str) == sorted(duc, key=str)
    assert {id: who.kind for id, who in again.summarizers.items()} == {
        id: who.kind for id, who in campaign.summarizers.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("table", ["responsiveness/content.table", "linguistic_quality/linguistic_quality.table"])
def test_tables_have_the_header_and_the_rows_of_nist(table: str, tmp_path: Path) -> None:
    campaign, _ = imported("duc2006", "tree")
    NIST.write(campaign, tmp_path, Problems())
    ours, theirs = (
        (folder / table).read_text().splitlines() for folder in (tmp_path, GOLDEN / "duc2006/tree/NISTeval")
    )
    assert [line for line in ours if line.startswith(("Topic", "|"))] == [
        line for line in theirs if line.startswith(("Topic", "|"))
    ]
    assert sorted(ours) == sorted(theirs)


def test_what_tables_can_not_hold_is_said(tmp_path: Path) -> None:
    campaign = Campaign(
        topics=(Topic(topic="D0601", attributes={"selector": "C", "length": 250}), Topic(topic="t")),
        summarizers={"1": Summarizer(kind="baseline")},
        summaries=(
            Summary(topic="D0601", summarizer="1", kind="peer", text=("One.", "Two.")),
            Summary(topic="D0601", summarizer="gpt", kind="peer", text="x"),
            Summary(topic="t", summarizer="A", kind="model", text="x"),
        ),
        judgments=(
            Judgment(topic="D0601", summarizer="1", question="content-responsiveness", value=3),
            Judgment(topic="D0601", summarizer="1", question="focus", value=2.5, assessor="B"),
            Judgment(topic="D0601", summarizer="1", question="style", value=2),
        ),
    )
    problems = Problems()
    NIST.write(campaign, tmp_path, problems)
    assert (tmp_path / "ROUGE/peers/D0601.M.250.C.1").read_text() == "One.\nTwo.\n"
    assert (tmp_path / "responsiveness/content.table").read_text().splitlines()[-1] == "D0601\tC\tC\t1\t3"
    assert [one.found for one in problems] == [
        "answers to style",
        "1 answer that the tables can't hold",
        "2 texts that NIST's names can't hold, first D0601 gpt",
        "names and kinds (human, system) of 1 summarizer; sentence boundaries",
    ]


def test_an_empty_campaign_gives_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing to export"):
        NIST.write(Campaign(), tmp_path, Problems())
    assert not list(tmp_path.iterdir())
    problems = Problems()
    NIST.read(tmp_path, problems)
    assert "no file of a DUC or TAC package" in only(problems)
