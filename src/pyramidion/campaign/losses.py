"""What other forms of a campaign can't store: its parts, and the words for those that are left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Document, Noun, Topic
from pyramidion.files.problems import Place
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

REFERENCE = re.compile(r"ref[1-9][0-9]*")
"""What a model is called that has no name of its own."""


@dataclass(frozen=True)
class CampaignPart:
    """Something that a campaign holds besides its peers, and that another form of it keeps or loses."""

    name: str
    """`judgments.time` is a part of `judgments`: where all of them are lost, it is not mentioned."""
    count: int
    words: str
    of: str = ""
    """What it is mentioned with: "topic fields: title, narrative"."""


def note_losses(campaign: Campaign, at: Place, keeps: Collection[str], *, form: str, more: Iterable[str] = ()) -> None:
    """Say in one warning what a file or folder of another form lacks.

    Args:
        campaign: what was written.
        at: the file or folder.
        keeps: the names of the parts that it stores.
        form: what it is, in words.
        more: further losses, in words.
    """
    kept = {*keeps}
    if campaign.name == Path(at.file).stem:  # the name of the file says it
        kept.add("campaign.name")
    present = [part for part in parts_of(campaign) if part.count]
    lost = {part.name: part for part in present if part.name not in kept}
    mentioned = [part for part in lost.values() if part.name.rpartition(".")[0] not in lost]
    groups = grouped(mentioned, lambda part: part.of or part.name).values()
    losses = [*map(_describe, groups), *more]
    if losses:
        expected = f"only what {form} can store"
        at.warning("; ".join(losses), expected, "These were left out; a campaign folder keeps them.")


def _describe(parts: Sequence[CampaignPart]) -> str:
    """Parts that are mentioned together, in words."""
    words = ", ".join(part.words for part in parts)
    group = parts[0].of
    if not group:
        return words
    return f"{group}: {words}"


def parts_of(campaign: Campaign) -> Iterator[CampaignPart]:
    """The parts of a campaign, with how much there is of each."""
    for name in ("name", "description", "licence", "word_limit", "questions", "unknown"):
        yield CampaignPart(f"campaign.{name}", bool(getattr(campaign, name)), _called(name), "campaign settings")
    yield CampaignPart("simulated", bool(campaign.simulated), 'the mark "simulated"')
    summarizers = counted(len(campaign.summarizers), "summarizer")
    yield CampaignPart("summarizers", len(campaign.summarizers), f"names and kinds (human, system) of {summarizers}")
    yield from _of_topics(campaign)
    yield from _of_summaries(campaign)
    yield from _of_judgments(campaign)
    yield _number_of("imported", len(campaign.imported), "imported score")
    yield _number_of("preferences", len(campaign.preferences), "preference")
    yield _number_of("sample", len(campaign.sample), "unit of the sample", "units of the sample")
    for name in ("pyramid", "annotation"):
        nouns = getattr(campaign, f"{name}s")
        yield _number_of(f"{name}s", len(nouns), name)
        for field in ("status", "consensus", "adjudicator", "time", "unknown"):
            yield CampaignPart(f"{name}s.{field}", _count_having(field, nouns), _called(field), f"{name} fields")
    yield _number_of("coverage", len(campaign.coverage), "row of coverage", "rows of coverage")


def _of_topics(campaign: Campaign) -> Iterator[CampaignPart]:
    """What topics and their documents hold."""
    with_peers = {summary.topic for summary in campaign.summaries if summary.kind == "peer"}
    bare = len({*campaign.topic_ids} - with_peers)
    yield _number_of("topics.bare", bare, "topic without a system summary", "topics without a system summary")
    for name in ("title", "narrative", "background", "parent", "part", "attributes", "unknown"):
        yield CampaignPart(f"topics.{name}", _count_having(name, campaign.topics), _called(name), "topic fields")
    documents: list[Document] = []
    for topic in campaign.topics:
        documents += topic.documents
    yield _number_of("documents", len(documents), "document")
    named = sum(_count_named_documents(topic) for topic in campaign.topics)
    yield CampaignPart("documents.id", named, "id", "document fields")
    for name in ("date", "headline", "unknown"):
        yield CampaignPart(f"documents.{name}", _count_having(name, documents), _called(name), "document fields")


def _count_named_documents(topic: Topic) -> int:
    """How many documents have an id that is neither their number nor the topic, which other forms give them."""
    numbered = enumerate(topic.documents, start=1)
    return sum(document.id not in (str(number), topic.topic) for number, document in numbered)


def _of_summaries(campaign: Campaign) -> Iterator[CampaignPart]:
    """What summaries hold besides the texts of peers: sentences, references, further summaries of humans."""
    peers = [summary for summary in campaign.summaries if summary.kind == "peer"]
    models = [summary for summary in campaign.summaries if summary.kind == "model"]
    references = [model for model in models if not model.extra]
    texts = [summary.text for summary in campaign.summaries]
    for topic in campaign.topics:
        documents = (*topic.documents, *topic.background)
        texts += [document.text for document in documents]
    with_sentences = sum(not isinstance(text, str) for text in texts)
    yield CampaignPart("sentences", with_sentences, "sentence boundaries")
    runs = sum(summary.run > 1 for summary in peers)
    yield CampaignPart("peers.run", runs, f"{counted(runs, 'output')} of further runs of systems")
    yield CampaignPart("peers.unknown", _count_having("unknown", peers), _called("unknown"), "summary fields")
    yield _number_of("models", len(references), "reference")
    named = sum(REFERENCE.fullmatch(reference.summarizer) is None for reference in references)
    yield CampaignPart("models.name", named, f"who wrote {counted(named, 'reference')}")
    unknown_keys = _count_having("unknown", references)
    yield CampaignPart("models.unknown", unknown_keys, _called("unknown"), "reference fields")
    extra = _extra_keys(campaign)
    judged = sum((judgment.topic, judgment.summarizer) in extra for judgment in campaign.judgments)
    words = counted(len(extra), "human summary that is not a reference", "human summaries that are not references")
    if judged:
        words += f", with {counted(judged, 'human score')}"
    yield CampaignPart("extra", len(extra), words)


def _extra_keys(campaign: Campaign) -> set[tuple[str, str]]:
    """The topic and summarizer of each human summary that is not a reference."""
    return {(summary.topic, summary.summarizer) for summary in campaign.summaries if summary.extra}


def _of_judgments(campaign: Campaign) -> Iterator[CampaignPart]:
    """What judgments hold; those of human summaries that are not references are counted with these."""
    extra = _extra_keys(campaign)
    models = {(summary.topic, summary.summarizer) for summary in campaign.summaries if summary.kind == "model"}
    judgments = [judgment for judgment in campaign.judgments if (judgment.topic, judgment.summarizer) not in extra]
    first = [judgment for judgment in judgments if judgment.run == 1]
    yield CampaignPart("judgments", len(first), counted(len(judgments), "human score"))
    of_models = sum((judgment.topic, judgment.summarizer) in models for judgment in first)
    yield _number_of("judgments.models", of_models, "human score of references", "human scores of references")
    runs = len(judgments) - len(first)
    yield CampaignPart("judgments.run", runs, f"{counted(runs, 'answer')} of repeated runs of a judge")
    for name in ("time", "seconds", "comment", "unknown"):
        yield CampaignPart(f"judgments.{name}", _count_having(name, judgments), _called(name), "fields of human scores")


def _number_of(name: str, count: int, singular: str, plural: str = "") -> CampaignPart:
    return CampaignPart(name, count, counted(count, singular, plural or f"{singular}s"))


def _count_having(name: str, nouns: Iterable[Noun]) -> int:
    """How many nouns have something in a field; a number 0 is something."""
    nothing: tuple[Any, ...] = (None, "", (), {})
    values = [getattr(noun, name) for noun in nouns]
    return sum(value is not False and value not in nothing for value in values)


def _called(name: str) -> str:
    return {"unknown": "unknown keys", "word_limit": "word limit"}.get(name, name)
