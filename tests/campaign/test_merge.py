"""Two campaigns are merged: what is new is added, what is there stays, and what contradicts it is a conflict."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

from campaign.test_round_trips import campaigns
from pyramidion.campaign import Campaign, Document, Judgment, Problems, Summarizer, Summary, Topic
from pyramidion.campaign.folder import FolderContent, read_content
from pyramidion.campaign.importing import ImportPlan, ImportSource, apply_plan, plan_import
from pyramidion.campaign.merge import CampaignMerge, merge_campaigns
from pyramidion.options import ImportOptions
from pyramidion.scores import Score, ScoreTable


def counts(merge: CampaignMerge) -> dict[str, tuple[int, int, int, int]]:
    return {line.what: (line.new, line.extended, line.equal, line.conflicts) for line in merge.lines}


def add(content: FolderContent, incoming: Campaign, *, replace: bool = False) -> ImportPlan:
    source = ImportSource(read=lambda *_: incoming, path=Path("x"), score_file="s.parquet")
    return apply_plan(plan_import(content, source, ImportOptions(replace=replace)))


def peer(topic: str, who: str, text: str | tuple[str, ...]) -> Summary:
    return Summary(topic=topic, summarizer=who, kind="peer", text=text)


@given(campaigns())
def test_a_campaign_added_to_nothing_is_all_new_and_added_again_all_there(campaign: Campaign) -> None:
    first = merge_campaigns(Campaign(name=campaign.name), campaign)
    assert not first.conflicts
    assert first.campaign.summaries == campaign.summaries
    assert first.campaign.judgments == campaign.judgments
    assert first.campaign.topics == campaign.topics
    assert sorted(map(str, first.campaign.imported)) == sorted(map(str, campaign.imported))
    again = merge_campaigns(first.campaign, campaign)
    assert not any(line.changes for line in again.lines), again.lines
    assert again.campaign.summaries == campaign.summaries


def test_a_topic_keeps_its_attributes_when_documents_are_added() -> None:
    there = Campaign(topics=(Topic(topic="D1", title="Storms", attributes={"granularity": "specific"}),))
    document = Document(id="n1", text="Rain fell.")
    merge = merge_campaigns(there, Campaign(topics=(Topic(topic="D1", documents=(document,)),)))
    (topic,) = merge.campaign.topics
    assert (topic.title, topic.attributes, topic.documents) == ("Storms", {"granularity": "specific"}, (document,))
    assert counts(merge) == {"documents": (1, 0, 0, 0)}


def test_a_field_that_is_missing_is_filled_in_and_one_that_differs_is_a_conflict() -> None:
    there = Campaign(topics=(Topic(topic="D1", title="Storms"),))
    given = Campaign(topics=(Topic(topic="D1", title="Rain", narrative="What happened?", attributes={"part": "A"}),))
    merge = merge_campaigns(there, given)
    assert [(one.key, one.field, one.there, one.given) for one in merge.conflicts] == [
        (("D1",), "title", "'Storms'", "'Rain'")
    ]
    assert merge.campaign.topics == there.topics
    replaced = merge_campaigns(there, given, prefer_incoming=True)
    assert replaced.campaign.topics == given.topics
    assert replaced.conflicts == merge.conflicts


def test_a_text_as_sentences_equals_the_same_text_in_lines() -> None:
    there = Campaign(summaries=(peer("D1", "1", ("It rained.", "It snowed.")),))
    merge = merge_campaigns(there, Campaign(summaries=(peer("D1", "1", "It rained.\nIt snowed."),)))
    assert counts(merge) == {"summaries": (0, 0, 1, 0)}


def test_scores_are_new_equal_or_in_conflict() -> None:
    there = Campaign(imported=ScoreTable.of([Score("m", "D1", "1", 0.5), Score("m", "D2", "1", 0.5)]))
    given = ScoreTable.of([Score("m", "D1", "1", 0.5), Score("m", "D2", "1", 0.25), Score("n", "D1", "1", 1.0)])
    merge = merge_campaigns(there, Campaign(imported=given), prefer_incoming=True)
    assert counts(merge) == {"scores": (1, 0, 1, 1)}
    assert {one[:4] for one in merge.campaign.imported} == {one[:4] for one in given}


def test_lines_and_comments_that_do_not_change_stay_byte_for_byte(folder: Path) -> None:
    settings = "# ours\n" + (folder / "campaign.toml").read_text()
    (folder / "campaign.toml").write_text(settings)
    lines = (folder / "judgments.jsonl").read_bytes()
    (folder / "judgments.jsonl").write_bytes(lines.rstrip(b"\n"))  # no line end at the end
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    content = read_content(folder, Problems())
    further = Campaign(
        summarizers={"S2": Summarizer(kind="baseline", name="Second")},
        licence="CC BY 4.0",
        summaries=(peer("D1", "S2", "Rain."),),
        judgments=(Judgment(topic="D1", summarizer="S2", assessor="X", question="overall", value=2),),
    )
    assert add(content, further).written
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert after["summaries.jsonl"].startswith(before["summaries.jsonl"])
    assert after["judgments.jsonl"].startswith(lines)
    assert {name for name in after if after[name] != before[name]} == {
        "summaries.jsonl",
        "judgments.jsonl",
        "campaign.toml",
    }
    text = after["campaign.toml"].decode()
    assert text.startswith("# ours\n")
    problems = Problems()
    campaign = read_content(folder, problems).campaign
    assert list(problems) == []
    assert (campaign.licence, campaign.name, campaign.word_limit) == ("CC BY 4.0", "small", 100)
    assert campaign.summarizers["S2"] == Summarizer(kind="baseline", name="Second")
    assert campaign.summarizers["S1"].name == "First system"


def test_a_setting_that_is_replaced_is_right_even_where_comments_are_lost(folder: Path) -> None:
    content = read_content(folder, Problems())
    further = Campaign(summarizers={"S1": Summarizer(name="Renamed")}, word_limit=250)
    assert counts(merge_campaigns(content.campaign, further)) == {"settings": (0, 0, 0, 2)}
    assert add(content, further).refused
    assert add(content, further, replace=True).written
    campaign = read_content(folder, Problems()).campaign
    assert (campaign.word_limit, campaign.summarizers["S1"].name) == (250, "Renamed")
    assert list(campaign.questions) == list(content.campaign.questions)
