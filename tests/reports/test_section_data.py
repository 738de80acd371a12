"""What the numbers rest on: counts, gaps and warnings; and how to repeat them."""

from inline_snapshot import snapshot

import pyramidion
from pyramidion.reports.section import Block
from pyramidion.reports.sections import data, methods
from reports.sections_under_test import context_of, items, table_of, words


def test_counts_are_those_of_the_campaign() -> None:
    campaign = pyramidion.load("demo")
    counts = table_of(data.make(context_of("demo", "rouge-1.recall")), "description")
    rows = {row[0]: row[1] for row in counts.rows}
    assert rows["topics"] == len(campaign.topic_ids)
    assert rows["judgments"] == len(campaign.judgments)
    assert rows["pyramids"] == len(campaign.pyramids)


def test_complete_data_has_no_table_of_gaps() -> None:
    section = data.make(context_of("demo", "rouge-1.recall"))
    assert list(section.sentences) == snapshot(
        [
            "No problems found in the data.",
            "Every system has a score on every topic that a measure covers.",
            "Invented news and science topics, written for pyramidion: documents, references and content units by hand, peer summaries by systems that really ran, pyramids and annotations exact by construction. The human scores are simulated (seed 2006): no person gave them.",
        ]
    )
    assert len(list(items(section))) == 1


def test_methods_have_every_signature_and_cite_what_was_used() -> None:
    context = context_of("demo", "rouge-1.recall", "pyramid.modified", seed=5)
    section = methods.make(context)
    signatures = [row[2] for row in table_of(section, "signature").rows]
    assert signatures == [one for name in context.measures for one in context.table.signatures(name)]
    assert "seed 5" in words(section)
    repeat = section.blocks[-1]
    assert isinstance(repeat, Block)
    cited = " ".join(repeat.values["papers"])
    assert "lin-2004-rouge" in cited
    assert "nenkova-passonneau-2004" in cited
    assert "hovy-etal-2006" not in cited
