"""What the numbers rest on: counts, gaps and warnings; and how to repeat them."""

import pyramidion
from pyramidion.reports.section import Block, Table
from pyramidion.reports.sections import data, methods
from reports.people import block, context_of, words


def test_counts_are_those_of_the_campaign() -> None:
    campaign = pyramidion.load("demo")
    counts = block(data.make(context_of("demo", "rouge-1.recall")), "data-counts", Table)
    rows = {row[0]: row[1] for row in counts.rows}
    assert rows["topics"] == len(campaign.topic_ids)
    assert rows["judgments"] == len(campaign.judgments)
    assert rows["pyramids"] == len(campaign.pyramids)


def test_complete_data_is_said_to_be_complete() -> None:
    section = data.make(context_of("demo", "rouge-1.recall"))
    assert section.sentences == (
        "Checking the data found nothing to complain about.",
        "Every summarizer has a score on every topic that a measure covers.",
    )
    assert [one.id for one in section.blocks] == ["data-counts"]


def test_methods_have_every_signature_and_cite_what_was_used() -> None:
    context = context_of("demo", "rouge-1.recall", "pyramid.modified", seed=5)
    section = methods.make(context)
    signatures = [row[2] for row in block(section, "signatures", Table).rows]
    assert signatures == [one for name in context.measures for one in context.table.signatures(name)]
    assert "seed 5" in words(section)
    repeat = section.blocks[-1]
    assert isinstance(repeat, Block)
    cited = " ".join(repeat.values["papers"])
    assert "lin-2004-rouge" in cited
    assert "nenkova-passonneau-2004" in cited
    assert "hovy-etal-2006" not in cited
