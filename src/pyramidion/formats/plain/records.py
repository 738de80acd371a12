"""Rows with predictions and references, as Hugging Face has them: any table, one file per system or one for all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pyramidion.campaign import Campaign, Problems
from pyramidion.campaign.sources import FlatFiles
from pyramidion.formats.base import Format
from pyramidion.intake.roles import SUMMARY_ROLES


def read(paths: Sequence[Path], problems: Problems, **columns: str) -> Campaign:
    """The campaign in tables of any kind; options say which column has which role."""
    return FlatFiles(tuple(paths), columns).read(problems)


FORMAT = Format(
    name="records",
    description="rows with predictions and references, as Hugging Face has them: JSONL, JSON, CSV, Parquet, …",
    several=True,
    reader=read,
    options={role: f"the column that holds the {role}" for role in SUMMARY_ROLES},
)
