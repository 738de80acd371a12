"""Compiles the tagged sources into the campaign folder: runs the summarizers, follows the tags, simulates judgments.

The same sources give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import (
    Campaign,
    Document,
    Judgment,
    PeerAnnotation,
    Pyramid,
    QuestionSet,
    Summarizer,
    Summary,
    Topic,
    write_folder,
)
from pyramidion.errors import InputError
from pyramidion.files import atomic_writer
from tools.demo_campaign.annotate import annotation, mentions, pyramid
from tools.demo_campaign.defects import JudgedSentence, measure
from tools.demo_campaign.judgments import ASSESSORS, QUESTIONS, SEED, Item, judge
from tools.demo_campaign.rules import WORD_LIMIT, check
from tools.demo_campaign.summarizers import PARTICIPANTS
from tools.demo_campaign.summarizers.base import Candidate, DatedDocument, Piece, Place, Task
from tools.demo_campaign.tagged import Problem, Sentence, SourceDocument, SourceTopic, parse_file

SOURCE = Path(__file__).parent / "source"
NAME = "The demo campaign (simulated judgments)"
# The description is part of the data, whose bytes stay; `pyramidion.demo` was where this package stood.
DESCRIPTION = (
    "Invented news and science topics, written for pyramidion: documents, references and content units by hand, peer "
    "summaries by systems that really ran, pyramids and annotations exact by construction. The human scores are "
    f"simulated (seed {SEED}); no one actually judged these summaries."
)
LICENCE = "Apache-2.0"
README = """\
# The demo campaign of pyramidion

Built by `make demo-campaign` from `tools/demo_campaign` in the source tree of pyramidion; do not edit these files.

The events, places and people of the topics are invented. The documents, the models (A to D) and the content units
were written for this project; the peers (1 to 20) are the outputs of the summarizers in
`tools/demo_campaign/summarizers`. Pyramids and annotations follow from the tags in the sources.

**The judgments are simulated.** No person gave them: they come from the seeded model in
`tools/demo_campaign/judgments.py`, and show how the tools work, not how people judge.
"""


@dataclass(frozen=True)
class Sources:
    """All topics, and every tagged sentence by its place."""

    topics: tuple[SourceTopic, ...]
    tagged: Mapping[Place, Sentence]

    def documents(self, topic: SourceTopic) -> tuple[DatedDocument, ...]:
        """The documents of a topic as the summarizers see them."""
        return tuple(
            DatedDocument(
                document.id,
                document.date,
                tuple(
                    Candidate(Place(topic.id, document.id, index), sentence.text, document.date)
                    for index, sentence in enumerate(document.sentences)
                ),
            )
            for document in topic.documents
        )

    def by_id(self, id: str | None) -> SourceTopic | None:
        """The topic of that id, if any."""
        return next((topic for topic in self.topics if topic.id == id), None)


def build(source: Path, target: Path) -> None:
    """Compile all source files of a folder into a campaign folder; InputError names every problem at once."""
    write_folder(compile_campaign(read_sources(source)), target)
    with atomic_writer(target / "README.md") as file:
        file.write(README.encode())


def read_sources(folder: Path) -> Sources:
    """Parse and check all topics of a folder."""
    parsed = [parse_file(path) for path in sorted(folder.glob("*.txt"))]
    topics = tuple(one.topic for one in parsed if one.topic is not None)
    problems: list[Problem] = [problem for one in parsed for problem in one.problems]
    for topic in topics:
        problems += check(topic, others=topics)
    errors = [str(problem) for problem in problems if problem.severity == "error"]
    if errors or not topics:
        raise InputError("\n".join([*errors, f"{folder}: {len(errors)} errors in {len(parsed)} source files"]))
    return gather(topics)


def gather(topics: Iterable[SourceTopic]) -> Sources:
    """Sources from parsed topics."""
    kept = tuple(topics)
    tagged = {
        Place(topic.id, document.id, index): sentence
        for topic in kept
        for document in topic.documents
        for index, sentence in enumerate(document.sentences)
    }
    return Sources(kept, tagged)


def compile_campaign(sources: Sources) -> Campaign:
    """The whole campaign in memory."""
    summaries: list[Summary] = []
    annotations: list[PeerAnnotation] = []
    pyramids: list[Pyramid] = []
    items: list[Item] = []
    for topic in sources.topics:
        pyramids.append(pyramid(topic))
        for model in topic.models:
            text = tuple(sentence.text for sentence in model.sentences)
            summaries.append(Summary(topic=topic.id, summarizer=model.id, kind="model", text=text))
            items.append(_model_item(topic, model.id))
        for id, pieces in summarize(sources, topic).items():
            text = tuple(piece.text for piece in pieces)
            summaries.append(Summary(topic=topic.id, summarizer=id, kind="peer", text=text))
            annotations.append(annotation(topic, id, mentions(pieces, sources.tagged)))
            items.append(_peer_item(sources, topic, id, pieces))
    return Campaign(
        name=NAME,
        description=DESCRIPTION,
        licence=LICENCE,
        simulated="judgments",
        word_limit=WORD_LIMIT,
        summarizers=_summarizers(sources),
        questions=QuestionSet(QUESTIONS),
        topics=tuple(_topic(sources, topic) for topic in sources.topics),
        summaries=tuple(summaries),
        judgments=_judgments(sources, items),
        pyramids=tuple(pyramids),
        annotations=tuple(annotations),
    )


def summarize(sources: Sources, topic: SourceTopic) -> dict[str, tuple[Piece, ...]]:
    """The pieces of every summarizer for a topic."""
    asked = task(sources, topic)
    return {one.id: one.summarizer(asked, limit=WORD_LIMIT) for one in PARTICIPANTS}


def task(sources: Sources, topic: SourceTopic) -> Task:
    """A topic as the summarizers get it."""
    background = sources.by_id(topic.background)
    weights = topic.weights()
    family = topic.parent or topic.id
    return Task(
        topic=topic.id,
        title=topic.title,
        narrative=topic.narrative,
        documents=sources.documents(topic),
        background=sources.documents(background) if background else (),
        elsewhere=tuple(
            document
            for other in sources.topics
            if (other.parent or other.id) != family
            for document in sources.documents(other)
        ),
        worth={
            place: {unit: weights[unit] for unit in sentence.units}
            for place, sentence in sources.tagged.items()
            if place.topic == topic.id
        },
    )


def modified_score(weights: Sequence[int], matched: Iterable[int], *, models: int) -> float:
    """P' = D / Max(X'), X' the models' mean number of SCUs rounded half up (Nenkova & Passonneau 2004).

    `weights` are those of all SCUs, `matched` those of the distinct SCUs that the summary expresses.
    """
    size = (2 * sum(weights) + models) // (2 * models)
    highest = sum(sorted(weights, reverse=True)[:size])
    return sum(matched) / highest if highest else 0.0


def _peer_item(sources: Sources, topic: SourceTopic, id: str, pieces: Sequence[Piece]) -> Item:
    weights = topic.weights()
    sentences = []
    for piece in pieces:
        own = piece.source.place.topic == topic.id
        told = [mention.unit for mention in mentions([piece], sources.tagged) if mention.unit is not None]
        units = tuple(told) if own else ()
        sentences.append(JudgedSentence(piece.text, piece.source, own, units))
    expressed = {unit for one in sentences for unit in one.units}
    score = modified_score(list(weights.values()), [weights[unit] for unit in expressed], models=len(topic.models))
    return Item(topic.id, id, score, measure(sentences, request=_request(topic)))


def _model_item(topic: SourceTopic, id: str) -> Item:
    """A human is scored by the pyramid of the other models."""
    used = {model.id: {unit for sentence in model.sentences for unit in sentence.units} for model in topic.models}
    others = [units for name, units in used.items() if name != id]
    weights = {unit.id: sum(unit.id in units for units in others) for unit in topic.units}
    score = modified_score(list(weights.values()), [weights[unit] for unit in used[id]], models=len(others))
    model = next(model for model in topic.models if model.id == id)
    sentences = [JudgedSentence(one.text, units=tuple(one.units)) for one in model.sentences]
    return Item(topic.id, id, score, measure(sentences, request=_request(topic)))


def _request(topic: SourceTopic) -> str:
    return f"{topic.title} {topic.narrative}"


def _judgments(sources: Sources, items: Sequence[Item]) -> tuple[Judgment, ...]:
    families = list(dict.fromkeys(topic.parent or topic.id for topic in sources.topics))
    main = {topic.id: families.index(topic.parent or topic.id) % len(ASSESSORS) for topic in sources.topics}
    return tuple(judge(items, main=main))


def _summarizers(sources: Sources) -> dict[str, Summarizer]:
    models = dict.fromkeys(model.id for topic in sources.topics for model in topic.models)
    humans = {id: Summarizer(kind="human", name=f"hand {id}") for id in models}
    return humans | {one.id: Summarizer(kind=one.kind, name=one.name) for one in PARTICIPANTS}


def _topic(sources: Sources, topic: SourceTopic) -> Topic:
    background = sources.by_id(topic.background)
    return Topic(
        topic=topic.id,
        title=topic.title,
        narrative=topic.narrative,
        documents=_documents(topic.documents),
        background=_documents(background.documents) if background else (),
        parent=topic.parent or "",
        part=topic.part or "",
        attributes=dict(topic.attributes),
    )


def _documents(documents: Sequence[SourceDocument]) -> tuple[Document, ...]:
    return tuple(
        Document(
            id=document.id,
            date=document.date.isoformat(),
            headline=document.headline,
            text=tuple(sentence.text for sentence in document.sentences),
        )
        for document in documents
    )
