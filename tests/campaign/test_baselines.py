"""The lead baseline; the demo's baseline "1" was written by another program (tools/demo_campaign)."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

import pyramidion
from pyramidion.campaign import Campaign, CampaignWarning, Document, Summary, Topic, plain
from pyramidion.campaign.baselines import add_lead
from pyramidion.errors import InputError, UsageError
from pyramidion.options import LeadOptions


def make_campaign(*documents: Document, word_limit: int | None = 5) -> Campaign:
    peer = Summary(topic="t", summarizer="1", kind="peer", text="x")
    return Campaign(topics=(Topic(topic="t", documents=documents),), summaries=(peer,), word_limit=word_limit)


def lead_of(campaign: Campaign, **options: Any) -> object:
    (lead,) = (one for one in add_lead(campaign, LeadOptions(**options)).summaries if one.summarizer == "lead")
    return lead.text


OLD = Document(id="a", date="2030-01-31", text="Old news.")
NEW = Document(id="c", date="2030-02-01", headline="Not part of the text", text="One two three. Four five six. Seven.")


def test_the_lead_of_the_most_recent_document_is_cut_at_the_limit() -> None:
    assert lead_of(make_campaign(NEW, OLD)) == ("One two three.", "Four five")
    assert lead_of(make_campaign(NEW, OLD), words=3) == ("One two three.",)
    assert lead_of(make_campaign(NEW, OLD), words=100) == ("One two three.", "Four five six.", "Seven.")
    assert lead_of(make_campaign(NEW, OLD), last="whole") == ("One two three.",)
    assert lead_of(make_campaign(NEW, OLD), document="last") == ("Old news.",)


def test_of_one_day_the_document_with_the_highest_id_is_the_most_recent() -> None:
    earlier = Document(id="b", date="2030-02-01", text=("Earlier that day.",))
    assert lead_of(make_campaign(NEW, earlier)) == ("One two three.", "Four five")


def test_whole_sentences_are_the_baseline_of_the_demo() -> None:
    campaign = pyramidion.lead_baseline("demo", last="whole")
    texts: dict[str, dict[str, list[str]]] = {"1": {}, "lead": {}}
    for summary in campaign.summaries:
        if summary.summarizer in texts:
            texts[summary.summarizer][summary.topic] = plain(summary.text).split()
    assert len(texts["lead"]) == 11
    assert texts["lead"] == texts["1"]
    assert campaign.kind_of("lead") == "baseline"


def test_a_folder_gets_the_campaign_and_a_flat_file_the_baseline_alone(tmp_path: Path) -> None:
    pyramidion.lead_baseline("demo", tmp_path / "with-lead", where={"part": "A"})
    averages = pyramidion.Evaluation(tmp_path / "with-lead").averages("rouge-2.recall").averages
    assert len(averages) == 21
    pyramidion.lead_baseline("demo", tmp_path / "lead.jsonl")
    rows = [msgspec.json.decode(line) for line in (tmp_path / "lead.jsonl").read_bytes().splitlines()]
    assert {row["summarizer"] for row in rows} == {"lead"}
    assert {len(row["references"]) for row in rows} == {4}
    with pytest.raises(UsageError, match="not empty"):
        pyramidion.lead_baseline("demo", tmp_path / "with-lead")


def test_topics_without_documents_get_no_lead_and_are_counted() -> None:
    campaign = make_campaign(NEW)
    with pytest.warns(CampaignWarning, match="1 topic without documents"):
        add_lead(replace(campaign, topics=(*campaign.topics, Topic(topic="u"))))


@pytest.mark.parametrize(
    ("campaign", "options", "message"),
    [
        (make_campaign(NEW, word_limit=None), {}, "no word limit"),
        (make_campaign(NEW, Document(id="d", text="Undated.")), {}, "document d has no date"),
        (make_campaign(NEW), {"summarizer": "1"}, "choose another name"),
    ],
)
def test_what_can_not_be_known_is_refused(campaign: Campaign, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        add_lead(campaign, LeadOptions(**options))


def test_a_campaign_without_documents_has_no_lead() -> None:
    with pytest.raises(InputError, match="no topic has documents"):
        add_lead(make_campaign())
