"""Campaigns with known truth: texts whose overlap follows what they tell, judgments, exact pyramids.

What is told is drawn in `content` and put into words in `wording`, what people think of it is drawn in `assessors`;
here it becomes topics, summaries, judgments, pyramids and annotations, in memory or in files that are written topic by
topic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import chain
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.campaign import (
    Campaign,
    Contributor,
    Document,
    Judgment,
    Match,
    PeerAnnotation,
    Pyramid,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.flat.writing import ENDINGS as FLAT
from pyramidion.campaign.flat.writing import write_flat_parts
from pyramidion.campaign.folder import SCORES, write_nouns
from pyramidion.campaign.nouns import Part
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import write_settings
from pyramidion.errors import UsageError
from pyramidion.files import written_together
from pyramidion.files.targets import is_new_or_empty
from pyramidion.show.wording import listed
from pyramidion.simulate.assessors import SimulatedAssessors, questions_of
from pyramidion.simulate.content import CampaignDraws, share
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.draws import Stream, generator, names
from pyramidion.simulate.score_frames import Block, block_topics, counted, score_frames, score_table, write_score_frames
from pyramidion.simulate.truth import Truth, truth_path
from pyramidion.simulate.wording import PHRASINGS, word_units

if TYPE_CHECKING:
    import polars as pl

    from pyramidion.engines.local import Progress

ANNOTATOR = "simulated"
SIMULATED = "texts, judgments"
"""What is made up, as campaign.toml and flat rows name it."""
QUALITY, COVERAGE = "simulated-quality", "simulated-coverage"
FIRST_DATE = date(2001, 1, 1)
OTHER = (".csv", ".tsv", ".json", ".txt", ".xml", ".zip", ".gz")
"""Endings of files: who asks for one does not want a folder of that name."""
NOUNS = ("topics", "summaries", "judgments", "pyramids", "annotations")


@dataclass(frozen=True, kw_only=True)
class SimulatedCampaign:
    """A campaign and the truth behind it; its `imported` scores are the truth about every summary."""

    campaign: Campaign
    truth: Truth


def simulate_campaign(design: CampaignDesign) -> SimulatedCampaign:
    """The whole campaign in memory; the same texts that `write_simulated_campaign` streams."""
    draws, assessors = CampaignDraws(design), SimulatedAssessors(design)
    parts = [_part(draws, assessors, topic) for topic in range(design.inputs)]
    nouns: dict[str, Any] = {}
    for name in NOUNS:
        nouns[name] = tuple(chain.from_iterable(getattr(part, name) for part in parts))
    return SimulatedCampaign(
        campaign=replace(_settings(design), imported=score_table(_truth_frames(draws), {}), **nouns),
        truth=_system_truth(draws, assessors),
    )


def write_simulated_campaign(design: CampaignDesign, path: Path, *, progress: Progress | None = None) -> Truth:
    """Write a campaign: flat for .jsonl, .ndjson and .parquet, otherwise a folder, which must be new or empty.

    The truth goes next to it: about systems in `NAME.truth.csv` (in a folder: `truth.csv`), about the variances of
    judgments and the assessors in `NAME.truth-variances.csv` and `NAME.truth-assessors.csv`, about every summary in a
    score table `NAME.truth.parquet` (in a folder: `scores/simulated-truth.parquet`, imported with the rest).

    Args:
        design: what to simulate.
        path: a file or a folder.
        progress: called with the number of peer summaries just written.
    """
    draws, assessors = CampaignDraws(design), SimulatedAssessors(design)
    # A generator: a campaign of a million summaries is written topic by topic and never in memory.
    drawn = (_part(draws, assessors, topic) for topic in range(design.inputs))
    parts = counted(drawn, lambda _: design.summarizers, progress)
    truth = _system_truth(draws, assessors)
    if path.suffix in FLAT:
        beyond = _beyond_flat(design)
        if beyond:
            raise UsageError(f"{path}: {beyond} need a campaign folder; give a path without {path.suffix}")
        with written_together():
            write_flat_parts(parts, path, simulated=True)
            _write_truth(draws, truth_path(path, ".parquet"))
            truth.write(truth_path(path))
    elif path.suffix in OTHER:
        raise UsageError(f"{path}: a campaign is written as {', '.join(FLAT)}, or as a folder without an ending")
    elif not is_new_or_empty(path):
        raise UsageError(f"{path}: found something there; expected a new or empty folder")
    else:
        with written_together(path):
            includes = {"judgments": design.judgments, "pyramids": design.pyramids, "annotations": design.pyramids}
            write_nouns(parts, path, [name for name in NOUNS if includes.get(name, True)])
            _write_truth(draws, path / SCORES / "simulated-truth.parquet")
            truth.write(path / "truth.csv")
            # Last: a folder with settings is taken for a campaign.
            write_settings(path / SETTINGS_FILE, _settings(design))
    return truth


def _beyond_flat(design: CampaignDesign) -> str:
    """What a flat file can't hold of a campaign, in words."""
    contents = {
        "pyramids": design.pyramids,
        "parts of topics": design.parts > 1,
        "judgments of references": design.judge_models and design.judgments,
    }
    return listed([name for name, is_wanted in contents.items() if is_wanted])


def _write_truth(draws: CampaignDraws, path: Path) -> None:
    """The truth about every summary as a score table; it is drawn again, which is cheaper than keeping it."""
    signatures = _signatures(draws.design)
    write_score_frames(_truth_frames(draws), path, signatures, dict.fromkeys(signatures, True))


def _truth_frames(draws: CampaignDraws) -> Iterator[pl.DataFrame]:
    return score_frames(draws.design, _cells(draws), _signatures(draws.design))


def _signatures(design: CampaignDesign) -> dict[str, str]:
    return {name: design.signature(name) for name in (QUALITY, COVERAGE)}


def _cells(draws: CampaignDraws) -> Iterator[Block]:
    topics, height = draws.design.inputs, block_topics(draws.design)
    for first in range(0, topics, height):
        peers = [draws.peers(topic) for topic in range(first, min(first + height, topics))]
        yield {
            QUALITY: np.stack([peer_part.quality for peer_part in peers]),
            COVERAGE: np.stack([peer_part.coverage for peer_part in peers]),
        }


def _system_truth(draws: CampaignDraws, assessors: SimulatedAssessors) -> Truth:
    """Quality of each system on a topic of average difficulty: its share of content; and what makes its judgments."""
    design = draws.design
    further: dict[str, Floats | Bools] = {}
    if assessors.about_language:
        further["language"] = assessors.language
    if design.unjudged:
        further["judged"] = np.arange(design.summarizers) < design.summarizers - design.unjudged
    truth = Truth.of(design.summarizer_ids, share(draws.systems), further)
    if not design.judgments:
        return truth
    return replace(truth, variances=assessors.variances(), assessors=assessors.effects())


def _settings(design: CampaignDesign) -> Campaign:
    """A campaign with its description, summarizers and questions, but no topic yet."""
    judged = set(design.judged_ids)
    summarizers: dict[str, Summarizer] = {}
    for number, id in enumerate(design.model_ids, start=1):
        summarizers[id] = Summarizer(kind="human", name=f"simulated model writer {number}")
    for id in design.summarizer_ids:
        name = "" if id in judged else "simulated, not judged"
        summarizers[id] = Summarizer(name=name)
    return Campaign(
        name="Simulated campaign",
        description=(
            "Simulated by `pyramidion simulate campaign`: no person or system wrote these texts, no person judged "
            f"them. {design.signature('simulated-campaign')}"
        ),
        simulated=SIMULATED,
        word_limit=design.words,
        summarizers=summarizers,
        questions=questions_of(design),
    )


def _part(draws: CampaignDraws, assessors: SimulatedAssessors, place: int) -> Campaign:
    """One topic, or one part of a topic, as a small campaign."""
    design = draws.design
    (id,) = design.topic_ids(place, place + 1)
    parent, part = design.parent_and_part(place)
    sentences = _sentences(design, place)
    choices, peers, writers = draws.models(place), draws.peers(place), draws.writers(place)
    models = dict(zip(writers, choices.texts(sentences[-1]), strict=True))
    texts = dict(zip(design.summarizer_ids, peers.choices.texts(sentences[-1]), strict=True))
    judgments = list(_judgments(id, assessors, place, design.judged_ids, assessors.of_peers(place, peers.coverage)))
    if design.judge_models:
        answers = assessors.of_models(place, writers, draws.coverage(choices))
        judgments += _judgments(id, assessors, place, writers, answers)
    first = place - place % design.parts
    documents: list[tuple[Document, ...]] = []
    for number, part_sentences in enumerate(sentences):
        document_texts = draws.documents(first + number).texts(part_sentences)
        documents.append(_documents(document_texts, number, design))
    model_summaries = [Summary(topic=id, summarizer=name, kind="model", text=text) for name, text in models.items()]
    peer_summaries = [Summary(topic=id, summarizer=name, kind="peer", text=text) for name, text in texts.items()]
    campaign = Campaign(
        simulated=SIMULATED,
        topics=(
            Topic(
                topic=id,
                title=f"Simulated topic {place // design.parts + 1}",
                documents=documents[-1],
                background=tuple(chain.from_iterable(documents[:-1])),
                parent=parent,
                part=part,
                attributes={"simulated": True},
            ),
        ),
        summaries=(*model_summaries, *peer_summaries),
        judgments=tuple(judgments),
    )
    if not design.pyramids:
        return campaign
    scus = _scus(models, choices.units.tolist(), sentences[-1])
    told = zip(design.judged_ids, peers.choices.units.tolist(), strict=False)
    return replace(
        campaign,
        pyramids=(Pyramid(topic=id, annotator=ANNOTATOR, models=tuple(models), scus=tuple(scus.values())),),
        annotations=tuple(_annotation(id, peer, units, texts[peer], scus) for peer, units in told),
    )


def _sentences(design: CampaignDesign, place: int) -> list[list[str]]:
    """The sentences of this part of a topic and of those before it: first its units', then its distractors'.

    The distractors of a later part are the units of the part before it: what is known already.
    """
    parent, part = divmod(place, design.parts)
    every = word_units(
        (design.parts + 1) * design.units, design.synonyms, generator(design.seed, Stream.WORDING, parent)
    )
    size = design.units * PHRASINGS
    blocks = [every[start : start + size] for start in range(0, len(every), size)]
    return [blocks[number] + blocks[number - 1] for number in range(part + 1)]


def _documents(texts: list[tuple[str, ...]], part: int, design: CampaignDesign) -> tuple[Document, ...]:
    """The documents of a topic, dated day by day."""
    prefix = "simulated-document-" + (f"{ascii_uppercase[part]}-" if design.parts > 1 else "")
    return tuple(
        Document(id=id, text=text, date=(FIRST_DATE + timedelta(days=part * len(texts) + day)).isoformat())
        for day, (id, text) in enumerate(zip(names(prefix, len(texts)), texts, strict=True))
    )


def _judgments(
    topic: str, assessors: SimulatedAssessors, place: int, judged: Sequence[str], answers: Integers
) -> Iterator[Judgment]:
    """The answers (questions × assessors × summarizers) about those who are judged, summary by summary."""
    judging = [assessors.design.assessor_ids[place_of_assessor] for place_of_assessor in assessors.judging(place)]
    for summarizer, of_summary in zip(judged, answers.transpose(2, 1, 0).tolist(), strict=False):
        for assessor, values in zip(judging, of_summary, strict=True):
            for question, value in zip(assessors.questions, values, strict=True):
                yield Judgment(topic=topic, summarizer=summarizer, assessor=assessor, question=question, value=value)


def _units_with_parts(units: list[int], text: tuple[str, ...]) -> Iterator[tuple[int, Part]]:
    """Each unit and where its sentence is in `plain(text)`, without the full stop."""
    start = 0
    for unit, sentence in zip(units, text, strict=True):
        # Half open, without the full stop; + 1 below for the line break that `plain` puts between sentences.
        yield unit, (start, start + len(sentence) - 1)
        start += len(sentence) + 1


def _scus(models: dict[str, tuple[str, ...]], units: list[list[int]], sentences: list[str]) -> dict[int, Scu]:
    """An SCU for each unit that some model tells, the most important first; its uid is the unit's rank."""
    contributors: dict[int, list[Contributor]] = {}
    for (model, text), told in zip(models.items(), units, strict=True):
        for unit, part in _units_with_parts(told, text):
            contributors.setdefault(unit, []).append(Contributor(model=model, parts=(part,)))
    return {
        unit: Scu(uid=unit + 1, label=sentences[unit * PHRASINGS], contributors=tuple(contributors[unit]))
        for unit in sorted(contributors)
    }


def _annotation(topic: str, peer: str, units: list[int], text: tuple[str, ...], scus: dict[int, Scu]) -> PeerAnnotation:
    told = list(_units_with_parts(units, text))
    return PeerAnnotation(
        topic=topic,
        summarizer=peer,
        annotator=ANNOTATOR,
        scus=tuple(Match(uid=unit + 1, contributors=((part,),)) for unit, part in sorted(told) if unit in scus),
        unmatched=tuple((part,) for unit, part in told if unit not in scus),
    )
