"""Campaigns with known truth: texts whose overlap follows what they tell, judgments, exact pyramids.

What is told is drawn in `content` and put into words in `wording`; here it becomes topics, summaries, judgments,
pyramids and annotations, in memory or in files that are written topic by topic.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    QuestionSet,
    Scu,
    Summarizer,
    Summary,
    Topic,
)
from pyramidion.campaign.flat.writing import ENDINGS as FLAT
from pyramidion.campaign.flat.writing import write_flat_parts
from pyramidion.campaign.folder import SCORES
from pyramidion.campaign.nouns import Part, encode
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import write_settings
from pyramidion.errors import UsageError
from pyramidion.files import atomic_writer
from pyramidion.simulate.content import CampaignDraws, Peers, share
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.draws import HIGHEST, LOWEST, Stream, generator, names
from pyramidion.simulate.score_frames import Block, block_topics, counted, score_frames, score_table, write_score_frames
from pyramidion.simulate.truth import Truth, truth_path
from pyramidion.simulate.wording import PHRASINGS, word_units

if TYPE_CHECKING:
    import polars as pl

    from pyramidion.engines.local import Progress

QUESTION = "simulated-responsiveness"
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
    draws = CampaignDraws(design)
    parts = [_part(draws, topic) for topic in range(design.topics)]
    nouns: dict[str, Any] = {name: tuple(noun for part in parts for noun in getattr(part, name)) for name in NOUNS}
    return SimulatedCampaign(
        campaign=replace(_settings(design), imported=score_table(_truth_frames(draws), {}), **nouns),
        truth=_system_truth(draws),
    )


def write_simulated_campaign(design: CampaignDesign, path: Path, *, progress: Progress | None = None) -> Truth:
    """Write a campaign: flat for .jsonl, .ndjson and .parquet, otherwise a folder, which must be new or empty.

    The truth goes next to it: about systems in `NAME.truth.csv` (in a folder: `truth.csv`), about every summary in
    a score table `NAME.truth.parquet` (in a folder: `scores/simulated-truth.parquet`, imported with the rest).

    Args:
        design: what to simulate.
        path: a file or a folder.
        progress: called with the number of peer summaries just written.
    """
    draws = CampaignDraws(design)
    drawn = (_part(draws, topic) for topic in range(design.topics))
    parts = counted(drawn, lambda _: design.summarizers, progress)
    truth = _system_truth(draws)
    if path.suffix in FLAT:
        if design.pyramids:
            raise UsageError(f"{path}: pyramids need a campaign folder; give a path without {path.suffix}")
        write_flat_parts(parts, path, simulated=True)
        _write_truth(draws, truth_path(path, ".parquet"))
        truth.write(truth_path(path))
    elif path.suffix in OTHER:
        raise UsageError(f"{path}: a campaign is written as {', '.join(FLAT)}, or as a folder without an ending")
    elif path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UsageError(f"{path}: found something there; expected a new or empty folder")
    else:
        _write_nouns(design, parts, path)
        _write_truth(draws, path / SCORES / "simulated-truth.parquet")
        truth.write(path / "truth.csv")
        write_settings(path / SETTINGS_FILE, _settings(design))
    return truth


def _write_nouns(design: CampaignDesign, parts: Iterable[Campaign], folder: Path) -> None:
    empty = {"judgments": not design.judgments, "pyramids": not design.pyramids, "annotations": not design.pyramids}
    with contextlib.ExitStack() as stack:
        files = {
            name: stack.enter_context(atomic_writer(folder / f"{name}.jsonl")) for name in NOUNS if not empty.get(name)
        }
        for part in parts:
            for name, file in files.items():
                file.writelines(encode(noun) + b"\n" for noun in getattr(part, name))


def _write_truth(draws: CampaignDraws, path: Path) -> None:
    """The truth about every summary as a score table; it is drawn again, which is cheaper than keeping it."""
    signatures = _signatures(draws.design)
    write_score_frames(_truth_frames(draws), path, signatures, dict.fromkeys(signatures, True))


def _truth_frames(draws: CampaignDraws) -> Iterator[pl.DataFrame]:
    return score_frames(draws.design, _cells(draws), _signatures(draws.design))


def _signatures(design: CampaignDesign) -> dict[str, str]:
    return {name: design.signature(name) for name in (QUALITY, COVERAGE)}


def _cells(draws: CampaignDraws) -> Iterator[Block]:
    topics, height = draws.design.topics, block_topics(draws.design)
    for first in range(0, topics, height):
        peers = [draws.peers(topic) for topic in range(first, min(first + height, topics))]
        yield {QUALITY: np.stack([one.quality for one in peers]), COVERAGE: np.stack([one.coverage for one in peers])}


def _system_truth(draws: CampaignDraws) -> Truth:
    """Quality of each system on a topic of average difficulty: its share of content."""
    return Truth.of(draws.design.summarizer_ids, share(draws.systems))


def _settings(design: CampaignDesign) -> Campaign:
    """A campaign with its description, summarizers and questions, but no topic yet."""
    summarizers = {
        id: Summarizer(kind="human", name=f"simulated model writer {number}")
        for number, id in enumerate(design.model_ids, start=1)
    } | {id: Summarizer(name=f"simulated system {number}") for number, id in enumerate(design.summarizer_ids, start=1)}
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
        questions=QuestionSet((question,) if design.judgments else ()),
    )


def _part(draws: CampaignDraws, topic: int) -> Campaign:
    """One topic as a small campaign."""
    design = draws.design
    (id,) = design.topic_ids(topic, topic + 1)
    sentences = word_units(2 * design.units, design.synonyms, generator(design.seed, Stream.WORDING, topic))
    choices, peers = draws.models(topic), draws.peers(topic)
    models = dict(zip(design.model_ids, choices.texts(sentences), strict=True))
    texts = dict(zip(design.summarizer_ids, peers.choices.texts(sentences), strict=True))
    part = Campaign(
        simulated=SIMULATED,
        topics=(
            Topic(
                topic=id,
                title=f"Simulated topic {topic + 1}",
                documents=_documents(draws.documents(topic).texts(sentences)),
                attributes={"simulated": True},
            ),
        ),
        summaries=(
            *(Summary(topic=id, summarizer=one, kind="model", text=text) for one, text in models.items()),
            *(Summary(topic=id, summarizer=one, kind="peer", text=text) for one, text in texts.items()),
        ),
        judgments=tuple(_judgments(id, design, peers)),
    )
    if not design.pyramids:
        return part
    scus = _scus(models, choices.units.tolist(), sentences)
    told = zip(texts.items(), peers.choices.units.tolist(), strict=True)
    return replace(
        part,
        pyramids=(Pyramid(topic=id, annotator=ANNOTATOR, models=tuple(models), scus=tuple(scus.values())),),
        annotations=tuple(_annotation(id, peer, units, text, scus) for (peer, text), units in told),
    )


def _documents(texts: list[tuple[str, ...]]) -> tuple[Document, ...]:
    """The documents of a topic, dated day by day."""
    return tuple(
        Document(id=id, text=text, date=(FIRST_DATE + timedelta(days=day)).isoformat())
        for day, (id, text) in enumerate(zip(names("simulated-document-", len(texts)), texts, strict=True))
    )


def _judgments(topic: str, design: CampaignDesign, peers: Peers) -> Iterator[Judgment]:
    for peer, answers in zip(design.summarizer_ids, peers.answers.T.tolist(), strict=True):
        for assessor, value in zip(design.assessor_ids, answers, strict=True):
            yield Judgment(topic=topic, summarizer=peer, assessor=assessor, question=QUESTION, value=value)


def _units_with_parts(units: list[int], text: tuple[str, ...]) -> Iterator[tuple[int, Part]]:
    """Each unit and where its sentence is in `plain(text)`, without the full stop."""
    start = 0
    for unit, sentence in zip(units, text, strict=True):
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
