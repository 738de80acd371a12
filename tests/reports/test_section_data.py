"""What the numbers rest on: counts, gaps and warnings; and how to repeat them."""

import json
import random
from pathlib import Path

import pytest
from inline_snapshot import snapshot

import pyramidion
from pyramidion.campaign import Campaign, CampaignWarning, Judgment, Summary
from pyramidion.present.section import Block
from pyramidion.reports.sections import make_data, make_methods
from pyramidion.show.tables import Table
from reports.sections_under_test import context_of, items, table_of, words


def test_counts_are_those_of_the_campaign() -> None:
    campaign = pyramidion.load("demo")
    counts = table_of(make_data(context_of("demo", "rouge-1.recall")), "description")
    rows = {row[0]: row[1] for row in counts.rows}
    assert rows["topics"] == len(campaign.topic_ids)
    assert rows["judgments"] == len(campaign.judgments)
    assert rows["pyramids"] == len(campaign.pyramids)


def test_complete_data_has_no_table_of_gaps() -> None:
    """Complete but for system 18, whose texts are about other topics on purpose."""
    section = make_data(context_of("demo", "rouge-1.recall"))
    assert list(section.sentences) == snapshot(
        [
            "1 warning and no errors found in the data.",
            "No outputs, judgments or scores are missing.",
            "Invented news and science topics, written for pyramidion: documents, references and content units by hand, peer summaries by systems that really ran, pyramids and annotations exact by construction. The human scores are simulated (seed 2006); no one actually judged these summaries.",
        ]
    )
    assert [item.title for item in items(section) if isinstance(item, Table)] == ["What the campaign has", "Warnings"]


def test_what_check_finds_is_said() -> None:
    draw = random.Random(0)
    words = [f"word{number}" for number in range(400)]
    texts = {(topic, who): " ".join(draw.choices(words, k=15)) for topic in range(1, 13) for who in ("A", "B", "C")}
    texts[2, "B"] = texts[2, "A"]
    texts[3, "C"] += " and much more" * 5
    del texts[4, "C"]
    texts |= {(topic, "M"): " ".join(draw.choices(words, k=15)) for topic in range(1, 13)}
    summaries = [
        Summary(topic=f"D{topic:02}", summarizer=who, kind="model" if who == "M" else "peer", text=text)
        for (topic, who), text in texts.items()
    ]
    judgments = [
        Judgment(
            topic=f"D{topic:02}",
            summarizer=who,
            assessor=assessor,
            question="focus",
            value=3 if assessor == "Y" else draw.randint(1, 5),
        )
        for topic, who in texts
        if who != "M"
        for assessor in ("X", "Y")
    ]
    campaign = Campaign(summaries=tuple(summaries), judgments=tuple(judgments), word_limit=20)
    section = make_data(context_of(campaign, "rouge-1.recall"))
    assert section.finding == "4 warnings and no errors found in the data"
    assert [row[0] for row in table_of(section, "problem").rows] == snapshot(
        [
            "topic, summarizer: 1 missing output: C (D04)",
            "1 peer of 35 over the word limit, by C; the longest has 30 words (C on D03)",
            "1 text from more than one system, such as from A and B on D02",
            "value: always the same answer: Y always gave 3 to 'focus' (35 times)",
        ]
    )
    assert [tuple(row[:4]) for row in table_of(section, "completeness").rows] == snapshot(
        [("outputs of systems", 36, 35, 1)]
    )


def test_warnings_of_a_kind_are_one_line(tmp_path: Path) -> None:
    rows = [
        {"topic": str(n), "summarizer": who, "summary": "", "references": ["a ferry burned"]}
        for n in range(9)
        for who in "AB"
    ]
    path = tmp_path / "flat.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.warns(CampaignWarning):
        section = make_data(context_of(str(path), "rouge-1.recall"))
    assert [row[0] for row in table_of(section, "problem").rows] == snapshot(["summary: an empty text (18 times)"])


def test_methods_have_every_signature_and_cite_what_was_used() -> None:
    context = context_of("demo", "rouge-1.recall", "pyramid.modified", seed=5)
    section = make_methods(context)
    signatures = [row[2] for row in table_of(section, "signature").rows]
    assert signatures == [one for name in context.roles.measures for one in context.table.signatures(name)]
    assert "seed 5" in words(section)
    repeat = section.blocks[-1]
    assert isinstance(repeat, Block)
    cited = " ".join(repeat.values["papers"])
    assert "lin-2004-rouge" in cited
    assert "nenkova-passonneau-2004" in cited
    assert "hovy-etal-2006" not in cited
