"""Writing the flat form: the peers of a campaign; what a flat file can't hold is noted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pyramidion.campaign.campaign import Campaign, TopicData
from pyramidion.campaign.flat.tables import FlatRow
from pyramidion.campaign.losses import note_losses
from pyramidion.campaign.nouns import Document, encode, fields_of, mean_of_runs, plain, to_plain
from pyramidion.errors import UsageError
from pyramidion.files import write_lines
from pyramidion.files.parquet import PARQUET, stream_parquet
from pyramidion.files.problems import Problems
from pyramidion.show.wording import counted

if TYPE_CHECKING:
    import polars as pl

ENDINGS = (".jsonl", ".ndjson", PARQUET)
"""What flat files are written as."""
ROWS_AT_ONCE = 4096
ROW_GROUP = 1 << 13
"""Rows of a Parquet row group: flat rows are long, they repeat the references of their topic."""
_IN_PARQUET = frozenset(
    {
        "simulated",
        "documents",
        "documents.id",
        "documents.date",
        "documents.headline",
        "models",
        "judgments",
        "judgments.run",
        "peers.run",
    }
)
"""The parts of a campaign that every flat file keeps."""
_IN_LINES = frozenset({"documents.unknown", "sentences", "peers.unknown"})
"""What JSON lines keep as well."""


def write_flat(campaign: Campaign, path: Path, *, problems: Problems | None = None) -> None:
    """Write the peers as flat rows, JSONL or Parquet by the file's ending.

    Models lose their names (they become references), topics all but their documents; Parquet holds every text as one
    string, and no unknown keys. What is lost is noted in `problems`, if they are given.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(f"{path}: a flat file is written as {', '.join(ENDINGS)}; choose one of these endings")
    has_runs = any(summary.run > 1 for summary in campaign.summaries)
    write_flat_parts([campaign], path, simulated=bool(campaign.simulated), has_runs=has_runs)
    if problems is not None:
        _note_losses(campaign, path, problems)


def write_flat_parts(parts: Iterable[Campaign], path: Path, *, simulated: bool = False, has_runs: bool = False) -> None:
    """Write a campaign that comes in parts, each with whole topics; only one part is in memory at once."""
    rows = chain.from_iterable(map(_flat_rows, parts))
    if path.suffix.lower() == PARQUET:
        schema = _schema()
        if not simulated:
            del schema["simulated"]
        if not has_runs:
            del schema["run"]
        stream_parquet(_frames(rows, schema), path, schema=schema, row_group=ROW_GROUP)
    else:
        write_lines(path, map(_line, rows))


def _line(row: FlatRow) -> bytes:
    """A line; if it has unknown keys, also that it has no references and documents, lest one is taken for these."""
    if not row.unknown:
        return encode(row)
    return msgspec.json.encode(to_plain(row) | _texts(row))


def _texts(row: FlatRow) -> dict[str, Any]:
    return {"references": to_plain(row.references), "documents": to_plain(row.documents)}


def _schema() -> dict[str, Any]:
    """The columns of a flat Parquet file with their types."""
    import polars as pl

    text = pl.String
    return {
        "topic": text,
        "summarizer": text,
        "summary": text,
        "run": pl.Int64,
        "references": pl.List(text),
        "documents": pl.List(pl.Struct({"id": text, "date": text, "headline": text, "text": text})),
        "judgments": pl.List(pl.Struct({"question": text, "assessor": text, "value": pl.Float64})),
        "simulated": text,
    }


def _flat_rows(campaign: Campaign) -> Iterator[FlatRow]:
    """A row for each peer, topic by topic; of repeated runs of a judge, the mean."""
    for data in campaign.given_topics(all_runs=True):
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
                run=peer.run if peer.run > 1 else None,
                references=tuple(model.text for model in data.models),
                documents=data.topic.documents,
                judgments={**answers.get(peer.summarizer, {})},
                simulated=campaign.simulated,
                unknown=peer.unknown,
            )


def _peer_names(data: TopicData) -> dict[str, str]:
    """Other names for peers that are called as the references will be: ref1 … refN."""
    taken = {f"ref{number}" for number in range(1, len(data.models) + 1)}
    peers = {peer.summarizer for peer in data.peers}
    names: dict[str, str] = {}
    for peer in peers & taken:
        name = peer
        while name in taken or name in peers:
            name = f"{name} (peer)"
        names[peer] = name
    return names


def _frames(rows: Iterator[FlatRow], schema: dict[str, Any]) -> Iterator[pl.DataFrame]:
    import polars as pl

    while cells := [_cells(row) for row in islice(rows, ROWS_AT_ONCE)]:
        yield pl.DataFrame(cells, schema=schema)


def _cells(row: FlatRow) -> dict[str, Any]:
    documents = [document for document in row.documents if isinstance(document, Document)]
    judgments: list[dict[str, Any]] = []
    for question, answers in row.judgments.items():
        if not isinstance(answers, dict):
            continue
        for assessor, value in answers.items():
            judgments.append({"question": question, "assessor": assessor, "value": float(value)})
    return {
        "topic": row.topic,
        "summarizer": row.summarizer,
        "summary": plain(row.summary or ""),
        "run": row.run or 1,
        "references": [plain(reference) for reference in row.references],
        "documents": list(map(_document_cells, documents)),
        "judgments": judgments,
        "simulated": row.simulated,
    }


def _document_cells(document: Document) -> dict[str, Any]:
    return {"id": document.id, "date": document.date, "headline": document.headline, "text": plain(document.text)}


def _note_losses(campaign: Campaign, path: Path, problems: Problems) -> None:
    """Say in one warning what of a campaign a flat file does not hold."""
    keeps = _IN_PARQUET
    if path.suffix.lower() != PARQUET:
        keeps = _IN_PARQUET | _IN_LINES
    more: list[str] = []
    runs = sum(judgment.run > 1 for judgment in campaign.judgments)
    if runs:
        more.append(f"{counted(runs, 'answer')} of repeated runs of a judge (their mean is stored)")
    clashes: set[str] = set()
    for data in campaign.given_topics():
        clashes.update(_peer_names(data))
    if clashes:
        more.append(f"the names of {counted(len(clashes), 'summarizer')} that look like references (ref1, …)")
    unknown_keys: set[str] = set()
    for summary in campaign.summaries:
        if summary.kind == "peer":
            unknown_keys.update(summary.unknown)
    hidden = unknown_keys.intersection(fields_of(FlatRow))
    if hidden:
        more.append(f"unknown keys of summaries that are called like ours: {', '.join(sorted(hidden))}")
    note_losses(campaign, problems.at(path), keeps, form="a flat file", more=more)
