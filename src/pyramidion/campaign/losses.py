"""What other forms of a campaign can't store: its parts, and the words for those that are left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Document, Noun, Topic
from pyramidion.files.problems import Place
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

REFERENCE = re.compile(r"ref[1-9][0-9]*")
"""What a model is called that has no name of its own."""


@dataclass(frozen=True)
class Part:
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
    kept = {*keeps, *(["campaign.name"] if campaign.name == Path(at.file).stem else [])}
    lost = {part.name: part for part in parts_of(campaign) if part.count and part.name not in kept}
    mentioned = [part for part in lost.values() if part.name.rpartition(".")[0] not in lost]
    found = [_in_words(parts) for parts in grouped(mentioned, lambda part: part.of or part.name).values()]
    if found := [*found, *more]:
        expected = f"only what {form} can store"
        at.warning("; ".join(found), expected, "These were left out; a campaign folder keeps them.")


def _in_words(parts: Sequence[Part]) -> str:
    together = ", ".join(part.words for part in parts)
    return f"{parts[0].of}: {together}" if parts[0].of else together


def parts_of(campaign: Campaign) -> Iterator[Part]:
    """The parts of a campaign, with how much there is of each."""
    for name in ("name", "description", "licence", "word_limit", "questions", "unknown"):
        yield Part(f"campaign.{name}", bool(getattr(campaign, name)), _called(name), "campaign settings")
    yield Part("simulated", bool(campaign.simulated), 'the mark "simulated"')
    who = counted(len(campaign.summarizers), "summarizer")
    yield Part("summarizers", len(campaign.summarizers), f"names and kinds (human, system) of {who}")
    yield from _of_topics(campaign)
    yield from _of_summaries(campaign)
    yield from _of_judgments(campaign)
    yield _number_of("imported", len(campaign.imported), "imported score")
    yield _number_of("preferences", len(campaign.preferences), "preference")
    for name in ("pyramid", "annotation"):
        found = getattr(campaign, f"{name}s")
        yield _number_of(f"{name}s", len(found), name)
        for field in ("status", "consensus", "time", "unknown"):
            yield Part(f"{name}s.{field}", _having(field, found), _called(field), f"{name} fields")
    yield _number_of("coverage", len(campaign.coverage), "row of coverage", "rows of coverage")


def _of_topics(campaign: Campaign) -> Iterator[Part]:
    with_peers = {one.topic for one in campaign.summaries if one.kind == "peer"}
    bare = len({*campaign.topic_ids} - with_peers)
    yield _number_of("topics.bare", bare, "topic without a system summary", "topics without a system summary")
    for name in ("title", "narrative", "background", "parent", "part", "attributes", "unknown"):
        yield Part(f"topics.{name}", _having(name, campaign.topics), _called(name), "topic fields")
    documents = [one for topic in campaign.topics for one in topic.documents]
    yield _number_of("documents", len(documents), "document")
    named = (one.id not in (str(place), topic.topic) for topic in campaign.topics for place, one in _numbered(topic))
    yield Part("documents.id", sum(named), "id", "document fields")
    for name in ("date", "headline", "unknown"):
        yield Part(f"documents.{name}", _having(name, documents), _called(name), "document fields")


def _numbered(topic: Topic) -> Iterator[tuple[int, Document]]:
    return enumerate(topic.documents, start=1)


def _of_summaries(campaign: Campaign) -> Iterator[Part]:
    peers = [one for one in campaign.summaries if one.kind == "peer"]
    models = [one for one in campaign.summaries if one.kind == "model" and not one.extra]
    texts = [one.text for one in campaign.summaries]
    texts += [one.text for topic in campaign.topics for one in (*topic.documents, *topic.background)]
    yield Part("sentences", sum(not isinstance(text, str) for text in texts), "sentence boundaries")
    yield Part("peers.unknown", _having("unknown", peers), _called("unknown"), "summary fields")
    yield _number_of("models", len(models), "reference")
    named = sum(REFERENCE.fullmatch(one.summarizer) is None for one in models)
    yield Part("models.name", named, f"who wrote {counted(named, 'reference')}")
    yield Part("models.unknown", _having("unknown", models), _called("unknown"), "reference fields")
    extra = {(one.topic, one.summarizer) for one in campaign.summaries if one.extra}
    judged = sum((one.topic, one.summarizer) in extra for one in campaign.judgments)
    one, many = "human summary that is not a reference", "human summaries that are not references"
    words = counted(len(extra), one, many)
    yield Part("extra", len(extra), f"{words}, with {counted(judged, 'human score')}" if judged else words)


def _of_judgments(campaign: Campaign) -> Iterator[Part]:
    kinds = {(one.topic, one.summarizer): "extra" if one.extra else one.kind for one in campaign.summaries}
    judgments = [one for one in campaign.judgments if kinds.get((one.topic, one.summarizer)) != "extra"]
    first = [one for one in judgments if one.run == 1]
    yield Part("judgments", len(first), counted(len(judgments), "human score"))
    of_models = sum(kinds.get((one.topic, one.summarizer)) == "model" for one in first)
    yield _number_of("judgments.models", of_models, "human score of references", "human scores of references")
    runs = len(judgments) - len(first)
    yield Part("judgments.run", runs, f"{counted(runs, 'answer')} of repeated runs of a judge")
    for name in ("time", "seconds", "comment", "unknown"):
        yield Part(f"judgments.{name}", _having(name, judgments), _called(name), "fields of human scores")


def _number_of(name: str, count: int, one: str, many: str = "") -> Part:
    return Part(name, count, counted(count, one, many or f"{one}s"))


def _having(name: str, nouns: Iterable[Noun]) -> int:
    """How many nouns have something in a field."""
    values = (getattr(noun, name) for noun in nouns)
    return sum(value is not None and value is not False and value not in ("", (), {}) for value in values)


def _called(name: str) -> str:
    return {"unknown": "unknown keys", "word_limit": "word limit"}.get(name, name)
