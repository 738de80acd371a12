"""Simulated campaigns on disk: flat JSONL or Parquet, or a campaign folder, written topic by topic.

No more than one topic (of a flat file: some thousands of its peers) is in memory at once.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl

from pyramidion.arrays import Integers
from pyramidion.campaign import Document
from pyramidion.campaign.flat.writing import ROW_GROUP, document_cell, flat_schema
from pyramidion.campaign.folder import SCORES
from pyramidion.campaign.nouns import encode
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import write_settings
from pyramidion.errors import UsageError
from pyramidion.files import atomic_writer
from pyramidion.files.parquet import stream_parquet
from pyramidion.scores.reading import Facts
from pyramidion.scores.writing import metadata
from pyramidion.simulate.campaign import (
    COVERAGE,
    QUALITY,
    QUESTION,
    SIMULATED,
    Ids,
    documents_of,
    settings,
    simulated_topics,
    system_truth,
    texts,
    wording_of,
)
from pyramidion.simulate.content import CampaignDraws, Peers
from pyramidion.simulate.design import CampaignDesign
from pyramidion.simulate.draws import Progress
from pyramidion.simulate.scores import SCHEMA as SCORE_SCHEMA
from pyramidion.simulate.truth import Truth, truth_path

FLAT = (".jsonl", ".ndjson", ".parquet")
OTHER = (".csv", ".tsv", ".json", ".txt", ".xml", ".zip", ".gz")
"""Endings of files, not of folders: who asks for them does not want a folder of that name."""
TRUTH_BATCH = 1 << 16
PARQUET_BATCH = 4096
FLAT_SCHEMA = flat_schema()


def write_simulated_campaign(design: CampaignDesign, path: Path, *, progress: Progress | None = None) -> Truth:
    """Write a campaign: flat for .jsonl, .ndjson and .parquet, else a folder, which must be new or empty.

    The truth goes beside it: about systems in `NAME.truth.csv` (in a folder: `truth.csv`), about every summary in
    a score table `NAME.truth.parquet` (in a folder: `scores/simulated-truth.parquet`, imported with the rest).

    Args:
        design: what to simulate.
        path: a file or a folder.
        progress: called with the number of peer summaries written.
    """
    if path.suffix in FLAT:
        if design.pyramids:
            raise UsageError(f"{path}: pyramids need a campaign folder; give a path without {path.suffix}")
        draws = CampaignDraws.of(design)
        if path.suffix == ".parquet":
            frames = _flat_frames(draws, progress)
            stream_parquet(frames, path, schema=FLAT_SCHEMA, row_group=ROW_GROUP)
        else:
            _write_jsonl(draws, path, progress)
        _write_cells(draws, truth_path(path, ".parquet"))
        truth = system_truth(draws)
        truth.write(truth_path(path))
        return truth
    if path.suffix in OTHER:
        raise UsageError(f"{path}: a campaign is written as {', '.join(FLAT)}, or as a folder without an ending")
    return _write_folder(design, path, progress)


def _write_folder(design: CampaignDesign, folder: Path, progress: Progress | None) -> Truth:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder}: found something there; expected a new or empty folder")
    draws = CampaignDraws.of(design)
    nouns = ["topics", "summaries"]
    nouns += ["judgments"] if design.assessors else []
    nouns += ["pyramids", "annotations"] if design.pyramids else []
    with contextlib.ExitStack() as stack:
        files = {name: stack.enter_context(atomic_writer(folder / f"{name}.jsonl")) for name in nouns}
        for done, part in enumerate(simulated_topics(design), start=1):
            for name, file in files.items():
                file.writelines(encode(noun) + b"\n" for noun in getattr(part, name))
            if progress is not None:
                progress(done * design.summarizers)
    _write_cells(draws, folder / SCORES / "simulated-truth.parquet")
    truth = system_truth(draws)
    truth.write(folder / "truth.csv")
    write_settings(folder / SETTINGS_FILE, settings(design))
    return truth


@dataclass(frozen=True)
class _FlatPart:
    """Some peers of one topic, with what their rows repeat."""

    topic: str
    summarizers: list[str]
    peers: Peers
    summaries: list[list[str]]
    references: list[list[str]]
    documents: tuple[Document, ...]


def _flat_parts(draws: CampaignDraws, ids: Ids) -> Iterator[_FlatPart]:
    for topic in range(draws.design.topics):
        wording = wording_of(draws.design, topic)
        references = texts(draws.models(topic), wording)
        documents = documents_of(draws, topic, wording)
        for peers in draws.peers(topic):
            yield _FlatPart(
                topic=ids.topic(topic),
                summarizers=ids.summarizers[peers.first : peers.first + len(peers.quality)],
                peers=peers,
                summaries=texts(peers.choices, wording),
                references=references,
                documents=documents,
            )


def _write_jsonl(draws: CampaignDraws, path: Path, progress: Progress | None) -> None:
    ids = Ids.of(draws.design)
    encoder = msgspec.json.Encoder()
    done = 0
    with atomic_writer(path) as file:
        for part in _flat_parts(draws, ids):
            # The rows of a topic repeat its references and documents: they are encoded once.
            shared: dict[str, Any] = {}
            if part.references:
                shared["references"] = msgspec.Raw(encoder.encode(part.references))
            if part.documents:
                shared["documents"] = msgspec.Raw(b"[" + b",".join(map(encode, part.documents)) + b"]")
            answers = part.peers.answers.T.tolist()
            rows = []
            for number, (summarizer, summary) in enumerate(zip(part.summarizers, part.summaries, strict=True)):
                row = {"topic": part.topic, "summarizer": summarizer, "summary": summary, **shared}
                if ids.assessors:
                    row["judgments"] = {QUESTION: dict(zip(ids.assessors, answers[number], strict=True))}
                row["simulated"] = SIMULATED
                rows.append(row)
            file.write(encoder.encode_lines(rows))
            done += len(rows)
            if progress is not None:
                progress(done)


def _flat_frames(draws: CampaignDraws, progress: Progress | None) -> Iterator[pl.DataFrame]:
    ids = Ids.of(draws.design)
    batch: list[_FlatPart] = []
    height = done = 0
    for part in _flat_parts(draws, ids):
        batch.append(part)
        height += len(part.summarizers)
        if height >= PARQUET_BATCH:
            yield _flat_frame(batch, ids)
            done += height
            batch, height = [], 0
            if progress is not None:
                progress(done)
    if batch:
        yield _flat_frame(batch, ids)
        if progress is not None:
            progress(done + height)


def _flat_frame(batch: list[_FlatPart], ids: Ids) -> pl.DataFrame:
    def repeated(values: list[Any], dtype: Any) -> pl.Series:
        return pl.Series(values, dtype=dtype).gather(codes)

    codes = np.repeat(np.arange(len(batch), dtype=np.uint32), [len(part.summarizers) for part in batch])
    return pl.DataFrame(
        {
            "topic": repeated([part.topic for part in batch], pl.String),
            "summarizer": [summarizer for part in batch for summarizer in part.summarizers],
            "summary": ["\n".join(summary) for part in batch for summary in part.summaries],
            "references": repeated(
                [["\n".join(text) for text in part.references] for part in batch], FLAT_SCHEMA["references"]
            ),
            "documents": repeated(
                [[document_cell(one) for one in part.documents] for part in batch], FLAT_SCHEMA["documents"]
            ),
            "judgments": _answers(np.concatenate([part.peers.answers for part in batch], axis=1), ids.assessors),
            "simulated": pl.repeat(SIMULATED, len(codes), eager=True),
        },
        schema=FLAT_SCHEMA,
    )


def _answers(answers: Integers, assessors: list[str]) -> pl.Series:
    """The column of judgments, put together by columns: lists of objects are slow to build row by row."""
    dtype = FLAT_SCHEMA["judgments"]
    if not assessors:
        return pl.Series([[]], dtype=dtype).gather(np.zeros(answers.shape[1], dtype=np.uint32))
    given = pl.DataFrame(dict(zip(assessors, answers.astype(np.float64), strict=True)))
    answer = [
        pl.struct(question=pl.lit(QUESTION), assessor=pl.lit(assessor), value=pl.col(assessor))
        for assessor in assessors
    ]
    return given.select(pl.concat_list(answer)).to_series().cast(dtype)


def _write_cells(draws: CampaignDraws, path: Path) -> None:
    """The truth about every summary as a score table; it is drawn anew, which is cheaper than to keep it."""
    signatures = {name: draws.design.signature(name) for name in (QUALITY, COVERAGE)}
    facts = Facts(
        signatures={name: (signature,) for name, signature in signatures.items()},
        higher_is_better=dict.fromkeys(signatures, True),
    )
    frames = _cell_frames(draws, signatures)
    stream_parquet(frames, path, schema=SCORE_SCHEMA, metadata=metadata(facts))


def _cell_frames(draws: CampaignDraws, signatures: dict[str, str]) -> Iterator[pl.DataFrame]:
    ids = Ids.of(draws.design)
    topics: list[str] = []
    parts: list[Peers] = []
    height = 0
    for topic in range(draws.design.topics):
        for peers in draws.peers(topic):
            topics.append(ids.topic(topic))
            parts.append(peers)
            height += len(peers.quality)
            if height >= TRUTH_BATCH:
                yield from _cells(ids, topics, parts, signatures)
                topics, parts, height = [], [], 0
    if parts:
        yield from _cells(ids, topics, parts, signatures)


def _cells(ids: Ids, topics: list[str], parts: list[Peers], signatures: dict[str, str]) -> Iterator[pl.DataFrame]:
    codes = np.repeat(np.arange(len(topics), dtype=np.uint32), [len(part.quality) for part in parts])
    summarizers = [id for part in parts for id in ids.summarizers[part.first : part.first + len(part.quality)]]
    columns = {
        QUALITY: np.concatenate([part.quality for part in parts]),
        COVERAGE: np.concatenate([part.coverage for part in parts]),
    }
    keys = {"topic": pl.Series(topics).gather(codes), "summarizer": summarizers}
    for measure, values in columns.items():
        yield pl.DataFrame(keys | {"value": values}).select(
            pl.lit(measure).alias("measure"),
            "topic",
            "summarizer",
            "value",
            pl.lit(signatures[measure]).alias("signature"),
        )
