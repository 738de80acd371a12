"""A campaign grows: what is new is added, what is there stays, and what contradicts it is a conflict."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given

from campaign.test_round_trips import campaigns
from pyramidion.campaign import Campaign, Document, Judgment, Problems, Summarizer, Summary, Topic
from pyramidion.campaign.folder import extend_folder, read_content
from pyramidion.campaign.merge import Plan, grow
from pyramidion.scores import Score, ScoreTable


def counts(plan: Plan) -> dict[str, tuple[int, int, int, int]]:
    return {one.what: (one.new, one.extended, one.equal, one.conflicts) for one in plan.planned}


def peer(topic: str, who: str, text: str | tuple[str, ...]) -> Summary:
    return Summary(topic=topic, summarizer=who, kind="peer", text=text)


@given(campaigns())
def test_a_campaign_added_to_nothing_is_all_new_and_added_again_all_there(campaign: Campaign) -> None:
    first = grow(Campaign(name=campaign.name), campaign, name="c")
    assert not first.plan.conflicts
    assert first.campaign.summaries == campaign.summaries
    assert first.campaign.judgments == campaign.judgments
    assert first.campaign.topics == campaign.topics
    assert sorted(map(str, first.campaign.imported)) == sorted(map(str, campaign.imported))
    again = grow(first.campaign, campaign, name="c")
    assert not any(one.changes for one in again.plan.planned), again.plan.planned
    assert again.campaign.summaries == campaign.summaries


def test_a_topic_keeps_its_attributes_when_documents_are_added() -> None:
    there = Campaign(topics=(Topic(topic="D1", title="Storms", attributes={"granularity": "specific"}),))
    document = Document(id="n1", text="Rain fell.")
    growth = grow(there, Campaign(topics=(Topic(topic="D1", documents=(document,)),)), name="c")
    (topic,) = growth.campaign.topics
    assert (topic.title, topic.attributes, topic.documents) == ("Storms", {"granularity": "specific"}, (document,))
    assert counts(growth.plan) == {"documents": (1, 0, 0, 0)}


def test_a_field_that_is_missing_is_filled_in_and_one_that_differs_is_a_conflict() -> None:
    there = Campaign(topics=(Topic(topic="D1", title="Storms"),))
    given = Campaign(topics=(Topic(topic="D1", title="Rain", narrative="What happened?", attributes={"part": "A"}),))
    plan = grow(there, given, name="c").plan
    assert plan.refused
    assert [(one.key, one.field, one.there, one.given) for one in plan.conflicts] == [
        (("D1",), "title", "'Storms'", "'Rain'")
    ]
    assert grow(there, given, name="c").campaign.topics == there.topics
    replaced = grow(there, given, name="c", prefer_given=True)
    assert replaced.campaign.topics == given.topics
    assert not replaced.plan.refused


def test_a_text_as_sentences_equals_the_same_text_in_lines() -> None:
    there = Campaign(summaries=(peer("D1", "1", ("It rained.", "It snowed.")),))
    plan = grow(there, Campaign(summaries=(peer("D1", "1", "It rained.\nIt snowed."),)), name="c").plan
    assert counts(plan) == {"summaries": (0, 0, 1, 0)}


def test_scores_are_new_equal_or_in_conflict() -> None:
    there = Campaign(imported=ScoreTable.of([Score("m", "D1", "1", 0.5), Score("m", "D2", "1", 0.5)]))
    given = ScoreTable.of([Score("m", "D1", "1", 0.5), Score("m", "D2", "1", 0.25), Score("n", "D1", "1", 1.0)])
    growth = grow(there, Campaign(imported=given), name="c", prefer_given=True)
    assert counts(growth.plan) == {"scores": (1, 0, 1, 1)}
    assert {one[:4] for one in growth.campaign.imported} == {one[:4] for one in given}


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
    extend_folder(content, grow(content.campaign, further, name="c"), score_file="s.parquet")
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
    growth = grow(content.campaign, further, name="c", prefer_given=True)
    assert counts(growth.plan) == {"settings": (0, 0, 0, 2)}
    extend_folder(content, growth, score_file="s.parquet")
    campaign = read_content(folder, Problems()).campaign
    assert (campaign.word_limit, campaign.summarizers["S1"].name) == (250, "Renamed")
    assert list(campaign.questions) == list(content.campaign.questions)
