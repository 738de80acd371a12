"""Practice and norming with pyramids and peers: what several people marked in the same texts, side by side, and α."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.gold import state_when_handed_in
from pyramidion.assess.kinds.assignment import shuffle
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Task
from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.campaign.nouns import Parts, PeerAnnotation, Pyramid, plain, pyramid_of
from pyramidion.errors import PyramidionError
from pyramidion.run.evaluation import Evaluation
from pyramidion.show.tables import Table, grouped

YOU = "You"
ORGANISER = "The organiser"


@dataclass(frozen=True, kw_only=True)
class MarkedUnit:
    """An SCU as someone made it, or found it in a peer."""

    label: str
    quotes: tuple[str, ...]
    """The words that were marked, contributor by contributor."""


@dataclass(frozen=True, kw_only=True)
class PersonsWork:
    """What one person marked."""

    name: str
    units: tuple[MarkedUnit, ...]


@dataclass(frozen=True, kw_only=True)
class ComparedText:
    """One pyramid, or one peer, as all of them did it."""

    title: str
    text: str
    """The peer; empty for a pyramid, which is about several texts."""
    people: tuple[PersonsWork, ...]


@dataclass(frozen=True, kw_only=True)
class WorkComparison:
    """What a round with pyramids or peers showed."""

    texts: tuple[ComparedText, ...]
    tables: tuple[Table, ...]
    """Krippendorff's α; empty with less than two people."""
    people: tuple[str, ...]


def compare_work(assessment: Assessment, tasks: Sequence[Task], keys: Sequence[Task], viewer: Person) -> WorkComparison:
    """The finished work of several people on the same texts, as it was when they first handed in.

    Args:
        assessment: where it was done.
        tasks: the tasks of those who are compared.
        keys: the organiser's own tasks, of a practice round.
        viewer: whose work comes first.
    """
    by_person = grouped(tasks, lambda task: task.person)
    finished = [person for person, done in by_person.items() if all(task.done for task in done)]
    order = sorted(shuffle(finished, viewer.id), key=lambda person: person != viewer.id)
    names = {person: f"Assessor {number}" for number, person in enumerate(order, start=1)}
    if viewer.id in names:
        names[viewer.id] = YOU
    nouns = []
    for person in order:
        nouns += [_noun_of(assessment, task, names[person]) for task in by_person[person]]
    nouns += [_noun_of(assessment, task, ORGANISER) for task in keys if task.done]
    pyramids = [noun for noun in nouns if isinstance(noun, Pyramid)]
    annotations = [noun for noun in nouns if isinstance(noun, PeerAnnotation)]
    if not pyramids and not annotations:
        return WorkComparison(texts=(), tables=(), people=())
    topic = (pyramids or annotations)[0].topic
    campaign = assessment.campaign.restricted({topic})
    if pyramids:
        campaign = replace(campaign, pyramids=tuple(pyramids), annotations=())
    else:
        campaign = replace(campaign, annotations=tuple(annotations))
    data = campaign.topic(topic, peers="all")
    texts = [_compared_pyramids(pyramids, data)] if pyramids else _compared_peers(annotations, data)
    people = dict.fromkeys([*(pyramid.annotator for pyramid in pyramids), *(peer.annotator for peer in annotations)])
    return WorkComparison(texts=tuple(texts), tables=tuple(_tables(campaign, len(people))), people=tuple(people))


def _noun_of(assessment: Assessment, task: Task, name: str) -> object:
    """What someone made, under another name; None if it was nothing."""
    state = state_when_handed_in(assessment.work.history(task.id))
    context = replace(assessment.context(task), person=name)
    nouns = assessment.task_type(task).nouns(context, state, ())
    return nouns[0] if nouns else None


def _compared_pyramids(pyramids: Sequence[Pyramid], data: TopicData) -> ComparedText:
    texts = {model.summarizer: plain(model.text) for model in data.models}
    people = []
    for pyramid in pyramids:
        units = []
        for scu in sorted(pyramid.scus, key=lambda scu: -scu.weight):
            quotes = tuple(
                _quote(texts.get(contributor.model, ""), contributor.parts) for contributor in scu.contributors
            )
            units.append(MarkedUnit(label=scu.label, quotes=quotes))
        people.append(PersonsWork(name=pyramid.annotator, units=tuple(units)))
    return ComparedText(title="Pyramid", text="", people=tuple(people))


def _compared_peers(annotations: Sequence[PeerAnnotation], data: TopicData) -> list[ComparedText]:
    texts: Mapping[str, str] = {peer.summarizer: plain(peer.text) for peer in data.peers}
    compared = []
    by_peer = grouped(annotations, lambda annotation: annotation.summarizer)
    for number, (summarizer, of_peer) in enumerate(by_peer.items(), start=1):
        text = texts.get(summarizer, "")
        people = []
        for annotation in of_peer:
            pyramid = pyramid_of(annotation, data.pyramids)
            labels = {scu.uid: scu.label for scu in pyramid.scus} if pyramid else {}
            units = []
            for match in annotation.scus:
                if match.present:
                    quotes = tuple(_quote(text, parts) for parts in match.contributors)
                    units.append(MarkedUnit(label=labels.get(match.uid, str(match.uid)), quotes=quotes))
            people.append(PersonsWork(name=annotation.annotator, units=tuple(units)))
        compared.append(ComparedText(title=f"Summary {number}", text=text, people=tuple(people)))
    return compared


def _quote(text: str, parts: Parts) -> str:
    return " … ".join(text[start:end] for start, end in parts)


def _tables(campaign: Campaign, people: int) -> list[Table]:
    """Krippendorff's α over words and over presence; nothing with less than two people."""
    if people < 2:
        return []
    try:
        agreement = Evaluation(campaign).pyramid_agreement(resamples=0)
    except PyramidionError:
        return []
    return [table.without_empty_columns() for table in agreement.tables() if table.record == "alpha"]
