"""`pyramidion describe`: what is in a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyramidion.cli import options as o
from pyramidion.cli.output import emit
from pyramidion.cli.scoring import load_data

if TYPE_CHECKING:
    from pyramidion.campaign import Campaign


def describe(
    data: o.Data,
    format: o.FormatOption = o.Format.table,
    where: o.Where = None,
    strict: o.Strict = False,
    quiet: o.Quiet = False,
) -> None:
    """Describe a campaign: how many topics, documents, summaries and judgments, and of which kinds.

    Example: pyramidion describe demo
    """
    campaign = load_data(data, where=where, strict=strict, quiet=quiet)
    records = [{"record": "describe", "what": what, "value": value} for what, value in _facts(campaign)]
    emit(records, format, title=campaign.name)


def _facts(campaign: Campaign) -> Iterator[tuple[str, Any]]:
    from pyramidion.campaign import plain

    for what in ("name", "description", "licence", "word_limit"):
        if value := getattr(campaign, what):
            yield what.replace("_", " "), value
    yield "topics", len(campaign.topic_ids)
    attributes: dict[str, Counter[str]] = {}
    for topic in campaign.topics:
        for key, value in (("part", topic.part), *topic.attributes.items()):
            if value != "":
                attributes.setdefault(key, Counter())[str(value)] += 1
    for key, counts in attributes.items():
        yield f"topics by {key}", ", ".join(f"{value} {count}" for value, count in sorted(counts.items()))
    if documents := sum(len(topic.documents) for topic in campaign.topics):
        yield "documents", documents
    for kind in ("model", "peer"):
        texts = [plain(summary.text) for summary in campaign.summaries if summary.kind == kind]
        if texts:
            words = sorted(len(text.split()) for text in texts)
            yield f"{kind} summaries", len(texts)
            yield f"words of a {kind}", f"{words[0]} to {words[-1]}, median {words[len(words) // 2]}"
    kinds = Counter(campaign.kind_of(who) for who in {summary.summarizer for summary in campaign.summaries})
    for kind, count in sorted(kinds.items()):
        yield f"{kind} summarizers", count
    if campaign.judgments:
        yield "judgments", len(campaign.judgments)
        yield "assessors", len({judgment.assessor for judgment in campaign.judgments})
        yield "questions", ", ".join(campaign.question_names)
    for what in ("pyramids", "annotations", "coverage"):
        if nouns := getattr(campaign, what):
            yield what, len(nouns)
    if campaign.imported:
        yield "imported columns", ", ".join(campaign.imported.measures)
