"""Writing the flat form: the peers of a campaign; what a flat file can't hold is noted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.campaign.flat.reading import FlatRow
from pyramidion.campaign.nouns import Document, Summary, encode, mean_of_runs, plain
from pyramidion.errors import UsageError
from pyramidion.files import write_lines
from pyramidion.files.parquet import PARQUET, stream_parquet
from pyramidion.files.problems import Problems

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".jsonl", ".ndjson", PARQUET)
"""What flat files are written as."""
BATCH_ROWS = 4096
ROW_GROUP = 1 << 13
"""Rows of a Parquet row group: flat rows are long, they repeat the references of their topic."""
_REFERENCE = re.compile(r"ref[1-9][0-9]*")
_SETTINGS = ("description", "licence", "word_limit", "questions", "unknown")
_OF_JUDGMENTS = ("time", "seconds", "comment")
_OF_TOPICS = ("title", "narrative", "background", "parent", "part", "attributes", "unknown")


def write_flat(campaign: Campaign, path: Path, *, problems: Problems | None = None) -> None:
    """Write the peers as flat rows, JSONL or Parquet by the file's ending.

    Models lose their names (they become references), topics all but their documents; Parquet holds every text as one
    string, and no unknown keys. What is lost is noted in `problems`, if they are given.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(f"{path}: a flat file is written as {', '.join(ENDINGS)}; choose one of these endings")
    write_flat_parts([campaign], path, simulated=bool(campaign.simulated))
    if problems is not None:
        _note_losses(campaign, path, problems)


def write_flat_parts(parts: Iterable[Campaign], path: Path, *, simulated: bool = False) -> None:
    """Write a campaign that comes in parts, each with whole topics; only one part is in memory at once."""
    rows = chain.from_iterable(map(_flat_rows, parts))
    if path.suffix.lower() == PARQUET:
        schema = _schema()
        if not simulated:
            del schema["simulated"]
        stream_parquet(_frames(rows, schema), path, schema=schema, row_group=ROW_GROUP)
    else:
        write_lines(path, map(encode, rows))


def _schema() -> dict[str, Any]:
    """The columns of a flat Parquet file with their types."""
    import polars as pl

    text = pl.String
    return {
        "topic": text,
        "summarizer": text,
        "summary": text,
        "references": pl.List(text),
        "documents": pl.List(pl.Struct({"id": text, "date": text, "headline": text, "text": text})),
        "judgments": pl.List(pl.Struct({"question": text, "assessor": text, "value": pl.Float64})),
        "simulated": text,
    }


def _flat_rows(campaign: Campaign) -> Iterator[FlatRow]:
    for data in campaign.given_topics():
        answers: dict[str, dict[str, dict[str, int | float]]] = {}
        for judgment in mean_of_runs(data.judgments):
            by_question = answers.setdefault(judgment.summarizer, {})
            by_question.setdefault(judgment.question, {})[judgment.assessor] = judgment.value
        names = _peer_names(data)
        for peer in data.peers:
            yield FlatRow(
                topic=peer.topic,
                summarizer=names.get(peer.summarizer, peer.summarizer),
                summary=peer.text,
                references=tuple(model.text for model in data.models),
                documents=data.topic.documents,
                judgments={**answers.get(peer.summarizer, {})},
                simulated=campaign.simulated,
                unknown=peer.unknown,
            )


def _peer_names(data: TopicData) -> dict[str, str]:
    """Other names for peers that are called as the references will be: ref1 … refN."""
    taken = {f"ref{number}" for number in range(1, len(data.models) + 1)}
    others = {peer.summarizer for peer in data.peers}
    names: dict[str, str] = {}
    for who in [one for one in others if one in taken]:
        name = who
        while name in taken or name in others:
            name = f"{name} (peer)"
        names[who] = name
    return names


def _frames(rows: Iterator[FlatRow], schema: dict[str, Any]) -> Iterator[pl.DataFrame]:
    import polars as pl

    while batch := [_cells(row) for row in islice(rows, BATCH_ROWS)]:
        yield pl.DataFrame(batch, schema=schema)


def _cells(row: FlatRow) -> dict[str, Any]:
    return {
        "topic": row.topic,
        "summarizer": row.summarizer,
        "summary": plain(row.summary or ""),
        "references": [plain(reference) for reference in row.references],
        "documents": [
            {"id": one.id, "date": one.date, "headline": one.headline, "text": plain(one.text)}
            for one in row.documents
            if isinstance(one, Document)
        ],
        "judgments": [
            {"question": question, "assessor": assessor, "value": float(value)}
            for question, answers in row.judgments.items()
            if isinstance(answers, dict)
            for assessor, value in answers.items()
        ],
        "simulated": row.simulated,
    }


def _note_losses(campaign: Campaign, path: Path, problems: Problems) -> None:
    losses = _lost(campaign, path.stem)
    if path.suffix.lower() == PARQUET:
        losses |= _lost_in_parquet(campaign)
    for found, field in losses.items():
        remedy = "This was dropped; a campaign folder keeps it."
        problems.at(path).warning(found, "only what a flat file can store", remedy, field=field)


def _lost(campaign: Campaign, name: str) -> dict[str, str]:
    """What no flat file holds, with the field where it is."""
    own = {"name": campaign.name not in ("", name)}
    own |= {field: bool(getattr(campaign, field)) for field in _SETTINGS}
    topics = {field: any(getattr(topic, field) for topic in campaign.topics) for field in _OF_TOPICS}
    models = [summary for summary in campaign.summaries if summary.kind == "model"]
    peers = {(summary.topic, summary.summarizer) for summary in campaign.summaries if summary.kind == "peer"}
    without = len(set(campaign.topic_ids) - {topic for topic, _ in peers})
    of_models = sum((one.topic, one.summarizer) not in peers for one in campaign.judgments)
    named = any(not _REFERENCE.fullmatch(model.summarizer) for model in models)
    unknown = any(noun.unknown for noun in chain(models, campaign.judgments))
    about = {field: any(getattr(one, field) for one in campaign.judgments) for field in _OF_JUDGMENTS}
    runs = sum(one.run > 1 for one in campaign.judgments)
    clashes = {who for data in campaign.given_topics() for who in _peer_names(data)}
    losses = (
        ("campaign", any(own.values()), _in_words(own)),
        ("summarizers", campaign.summarizers, f"kinds and names of {len(campaign.summarizers)} summarizers"),
        ("topics", any(topics.values()), f"{_in_words(topics)} of topics"),
        ("topics", without, f"{without} topics without a peer"),
        ("summarizer", named, f"the names of {len(models)} models, which become references"),
        ("summarizer", clashes, f"the names of {len(clashes)} summarizers that are called like references"),
        ("judgments", of_models, f"{of_models} judgments of models"),
        ("judgments", any(about.values()), f"{_in_words(about)} of judgments"),
        ("judgments", runs, f"{runs} further runs of judgments, which are averaged"),
        ("unknown", unknown, "unknown keys of models or judgments"),
        ("imported", campaign.imported, f"{len(campaign.imported)} imported scores"),
        ("preferences", campaign.preferences, f"{len(campaign.preferences)} preferences"),
        ("pyramids", campaign.pyramids, f"{len(campaign.pyramids)} pyramids"),
        ("annotations", campaign.annotations, f"{len(campaign.annotations)} annotations"),
        ("coverage", campaign.coverage, f"{len(campaign.coverage)} rows of coverage"),
    )
    return {found: field for field, is_lost, found in losses if is_lost}


def _lost_in_parquet(campaign: Campaign) -> dict[str, str]:
    texts: list[Summary | Document] = [*campaign.summaries]
    texts += chain.from_iterable(topic.documents for topic in campaign.topics)
    losses = {}
    if any(not isinstance(one.text, str) for one in texts):
        losses["the bounds of known sentences, which become line breaks"] = "text"
    if any(one.unknown for one in texts):
        losses["unknown keys of summaries or documents"] = "unknown"
    return losses


def _in_words(fields: Mapping[str, bool]) -> str:
    words = {"word_limit": "word limit", "unknown": "unknown keys"}
    return ", ".join(words.get(field, field) for field, is_lost in fields.items() if is_lost)
