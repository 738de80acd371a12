"""Rows with predictions and references, as Hugging Face has them: any table, one file per system or one for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from pyramidion.campaign import Campaign, Problems, plain
from pyramidion.campaign.sources import FlatFiles
from pyramidion.files import write_lines
from pyramidion.formats.base import Format
from pyramidion.formats.text_files import require_exportable
from pyramidion.intake.roles import SUMMARY_ROLES


def read(paths: Sequence[Path], problems: Problems, **columns: str) -> Campaign:
    """The campaign in tables of any kind; options say which column has which role."""
    return FlatFiles(tuple(paths), columns).read(problems)


def write(campaign: Campaign, target: Path, problems: Problems) -> None:  # noqa: ARG001  # as other formats
    """JSON lines with id, system, prediction, references and documents.

    Args:
        campaign: some topic must have peers.
        target: a file.
        problems: takes nothing here; what is lost is noted for all formats.
    """
    rows = list(_rows(campaign))
    require_exportable(rows, "no topic has peers")
    write_lines(target, map(msgspec.json.encode, rows))


def _rows(campaign: Campaign) -> Iterator[dict[str, Any]]:
    """A row for each summary under evaluation."""
    for topic in campaign.given_topics():
        documents = [plain(document.text) for document in topic.topic.documents]
        references = [plain(model.text) for model in topic.models]
        for peer in topic.peers:
            row: dict[str, Any] = {
                "id": peer.topic,
                "system": peer.summarizer,
                "prediction": plain(peer.text),
                "references": references,
            }
            if documents:
                row["documents"] = documents
            if campaign.simulated:
                row["simulated"] = campaign.simulated
            yield row


FORMAT = Format(
    name="records",
    description="rows with predictions and references, as Hugging Face has them: JSONL, JSON, CSV, Parquet, …",
    several=True,
    reader=read,
    writer=write,
    keeps=frozenset({"simulated", "documents", "models"}),
    options={role: f"the column that holds the {role}" for role in SUMMARY_ROLES},
)
