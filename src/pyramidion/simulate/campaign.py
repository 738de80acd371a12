"""Campaigns with known truth, as nouns: texts whose overlap follows what they tell, judgments, exact pyramids.

What is told is drawn in `content` and put into words in `wording`; here it becomes topics, summaries, judgments,
pyramids and annotations. Files of any size are written by `campaign_files`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from pyramidion.campaign import (
    Campaign,
    Contributor,
    Document,
    Judgment,
    Match,
    PeerAnnotation,
    Pyramid,
    Question,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.nouns import Part
from pyramidion.scores import Score, ScoreTable
from pyramidion.simulate.content import CampaignDraws, Choices, Peers
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.draws import Stream, generator, names
from pyramidion.simulate.judgments import HIGHEST, LOWEST
from pyramidion.simulate.truth import Truth
from pyramidion.simulate.wording import Wording, word_units

QUESTION = "simulated-responsiveness"
ANNOTATOR = "simulated"
SIMULATED = "texts, judgments"
"""What is made up, as it stands in campaign.toml and in flat rows."""
QUALITY, COVERAGE = "simulated-quality", "simulated-coverage"
FIRST_DATE = date(2001, 1, 1)


@dataclass(frozen=True, kw_only=True)
class SimulatedCampaign:
    """A campaign and the truth behind it; `imported` holds the truth about every summary."""

    campaign: Campaign
    truth: Truth


@dataclass(frozen=True)
class Ids:
    """The names that occur in a campaign."""

    topic_count: int
    summarizers: list[str]
    models: list[str]
    assessors: list[str]

    @classmethod
    def of(cls, design: CampaignDesign) -> Ids:
        """All of them; summarizers, models and assessors say that they are simulated."""
        return cls(
            topic_count=design.topics,
            summarizers=names("simulated-", design.summarizers),
            models=names("simulated-model-", design.models),
            assessors=design.assessors.ids if design.assessors else [],
        )

    def topic(self, index: int) -> str:
        """The id of one topic; there may be too many to keep them all."""
        return names("T", self.topic_count, start=index, stop=index + 1)[0]


def simulate_campaign(design: CampaignDesign) -> SimulatedCampaign:
    """The whole campaign in memory; the same texts that `write_simulated_campaign` streams."""
    parts = list(simulated_topics(design))

    def gathered(name: str) -> tuple[Any, ...]:
        return tuple(noun for part in parts for noun in getattr(part, name))

    campaign = replace(
        settings(design),
        topics=gathered("topics"),
        summaries=gathered("summaries"),
        judgments=gathered("judgments"),
        pyramids=gathered("pyramids"),
        annotations=gathered("annotations"),
        imported=ScoreTable.of(score for part in parts for score in part.imported),
    )
    return SimulatedCampaign(campaign=campaign, truth=system_truth(CampaignDraws.of(design)))


def system_truth(draws: CampaignDraws) -> Truth:
    """Quality of each system on a topic of no particular difficulty: its share of content."""
    return Truth.of(Ids.of(draws.design).summarizers, 0.5 * (1 + np.tanh(draws.systems / 2)))


def settings(design: CampaignDesign) -> Campaign:
    """A campaign with its description, summarizers and questions, but no topic yet."""
    ids = Ids.of(design)
    summarizers = {
        id: Summarizer(kind="human", name=f"simulated model writer {number}")
        for number, id in enumerate(ids.models, start=1)
    } | {id: Summarizer(name=f"simulated system {number}") for number, id in enumerate(ids.summarizers, start=1)}
    question = Question(
        name=QUESTION,
        text="Simulated answers. How much of what matters about the topic does the summary tell?",
        scale=(LOWEST, HIGHEST),
    )
    return Campaign(
        name="Simulated campaign",
        description=(
            "Simulated by `pyramidion simulate campaign`: no person or system wrote these texts, no person judged "
            f"them. {design.signature('simulated-campaign')}"
        ),
        simulated=SIMULATED,
        word_limit=design.words,
        summarizers=summarizers,
        questions=(question,) if design.assessors else (),
    )


def simulated_topics(design: CampaignDesign) -> Iterator[Campaign]:
    """Topic by topic, each as a small campaign with the truth about its summaries in `imported`."""
    draws, ids = CampaignDraws.of(design), Ids.of(design)
    for topic in range(design.topics):
        yield _topic_nouns(draws, ids, topic)


def wording_of(design: CampaignDesign, topic: int) -> Wording:
    """The sentences of a topic, units first, then distractors."""
    return word_units(2 * design.units, design.synonyms, generator(design.seed, Stream.WORDING, topic))


def texts(choices: Choices, wording: Wording) -> list[list[str]]:
    """What the writers wrote, as lists of sentences."""
    sentences = wording.sentences
    return [[sentences[index] for index in row] for row in choices.sentences.tolist()]


def documents_of(draws: CampaignDraws, topic: int, wording: Wording) -> tuple[Document, ...]:
    """The documents of a topic, dated day by day."""
    found = texts(draws.documents(topic), wording)
    return tuple(
        Document(id=id, text=tuple(text), date=(FIRST_DATE + timedelta(days=day)).isoformat())
        for day, (id, text) in enumerate(zip(names("simulated-document-", len(found)), found, strict=True))
    )


def _topic_nouns(draws: CampaignDraws, ids: Ids, topic: int) -> Campaign:
    design, id = draws.design, ids.topic(topic)
    wording = wording_of(design, topic)
    models = draws.models(topic)
    model_texts = texts(models, wording)
    summaries = [
        Summary(topic=id, summarizer=model, kind="model", text=tuple(text))
        for model, text in zip(ids.models, model_texts, strict=True)
    ]
    scus = _scus(models, model_texts, ids.models, wording) if design.pyramids else {}
    judgments: list[Judgment] = []
    annotations: list[PeerAnnotation] = []
    truths: list[Score] = []
    for peers in draws.peers(topic):
        peer_ids = ids.summarizers[peers.first : peers.first + len(peers.quality)]
        peer_texts = texts(peers.choices, wording)
        summaries += [
            Summary(topic=id, summarizer=peer, kind="peer", text=tuple(text))
            for peer, text in zip(peer_ids, peer_texts, strict=True)
        ]
        judgments += _judgments(id, peer_ids, ids.assessors, peers)
        truths += _truths(id, peer_ids, peers)
        if design.pyramids:
            rows = zip(peer_ids, peers.choices.units.tolist(), peer_texts, strict=True)
            annotations += [_annotation(id, peer, units, text, scus) for peer, units, text in rows]
    return Campaign(
        topics=(
            Topic(
                topic=id,
                title=f"Simulated topic {topic + 1}",
                documents=documents_of(draws, topic, wording),
                attributes={"simulated": True},
            ),
        ),
        summaries=tuple(summaries),
        judgments=tuple(judgments),
        pyramids=(
            (Pyramid(topic=id, annotator=ANNOTATOR, models=tuple(ids.models), scus=tuple(scus.values())),)
            if design.pyramids
            else ()
        ),
        annotations=tuple(annotations),
        imported=ScoreTable.of(truths),
    )


def _judgments(topic: str, peers: list[str], assessors: list[str], drawn: Peers) -> Iterator[Judgment]:
    for peer, answers in zip(peers, drawn.answers.T.tolist(), strict=True):
        for assessor, value in zip(assessors, answers, strict=True):
            yield Judgment(topic=topic, summarizer=peer, assessor=assessor, question=QUESTION, value=value)


def _truths(topic: str, peers: list[str], drawn: Peers) -> Iterator[Score]:
    for measure, values in ((QUALITY, drawn.quality), (COVERAGE, drawn.coverage)):
        for peer, value in zip(peers, values.tolist(), strict=True):
            yield Score(measure=measure, topic=topic, summarizer=peer, value=value)


def _parts(text: list[str]) -> Iterator[Part]:
    """Where each sentence stands in `plain(text)`, its full stop left out."""
    start = 0
    for sentence in text:
        yield start, start + len(sentence) - 1
        start += len(sentence) + 1


def _scus(choices: Choices, model_texts: list[list[str]], models: list[str], wording: Wording) -> dict[int, Scu]:
    """An SCU for each unit that some model tells, the most important first; its uid is the unit's rank."""
    contributors: dict[int, list[Contributor]] = {}
    for model, units, text in zip(models, choices.units.tolist(), model_texts, strict=True):
        for unit, part in zip(units, _parts(text), strict=True):
            contributors.setdefault(unit, []).append(Contributor(model=model, parts=(part,)))
    return {
        unit: Scu(uid=unit + 1, label=wording.label(unit), contributors=tuple(contributors[unit]))
        for unit in sorted(contributors)
    }


def _annotation(topic: str, peer: str, units: list[int], text: list[str], scus: dict[int, Scu]) -> PeerAnnotation:
    matches: list[Match] = []
    unmatched: list[tuple[Part, ...]] = []
    for unit, part in zip(units, _parts(text), strict=True):
        if unit in scus:
            matches.append(Match(uid=unit + 1, contributors=((part,),)))
        else:
            unmatched.append((part,))
    matches.sort(key=lambda match: match.uid)
    return PeerAnnotation(
        topic=topic, summarizer=peer, annotator=ANNOTATOR, scus=tuple(matches), unmatched=tuple(unmatched)
    )
