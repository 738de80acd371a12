"""The campaign folder: plain files that git can version, one file per noun."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import Table, check_tables
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Noun, Summary, encode
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import read_settings, write_settings
from pyramidion.files.lines import read_lines
from pyramidion.files.problems import Problems
from pyramidion.files.writing import write_lines
from pyramidion.scores.reading import read_columns
from pyramidion.scores.table import ScoreTable
from pyramidion.scores.writing import write_into

N = TypeVar("N", bound=Noun)

SCORES = "scores"


def read_folder(folder: Path, problems: Problems) -> Campaign:
    """Read and check every file of the folder; all problems are noted, none is raised."""
    settings = Campaign()
    if (folder / SETTINGS_FILE).exists():
        settings = read_settings(folder / SETTINGS_FILE, problems)
    tables = {noun: _read_table(folder / f"{name}.jsonl", noun, problems) for name, noun in NOUNS.items()}
    scores = read_columns(sorted((folder / SCORES).glob("*.parquet")), problems)
    check_tables(tables, scores, settings.questions, problems)
    nouns: dict[str, Any] = {name: tables[noun].nouns for name, noun in NOUNS.items()}
    return replace(settings, imported=ScoreTable().join(*scores.values()), **nouns)


def write_folder(campaign: Campaign, folder: Path) -> None:
    """Write the campaign; each file appears whole or not at all. Files of nouns that are absent are removed.

    A score table in scores/ stays as it is while the campaign has its values; otherwise it is written again with
    those that are left, or removed. New scores go to imported.parquet.

    Raises:
        CampaignError: if a score table that is there can't be read; then nothing was written.
    """
    write_into(folder / SCORES, campaign.imported)
    write_settings(folder / SETTINGS_FILE, campaign)
    for name in NOUNS:
        nouns: tuple[Noun, ...] = getattr(campaign, name)
        path = folder / f"{name}.jsonl"
        if nouns or name == "summaries":
            write_lines(path, map(encode, nouns))
        else:
            path.unlink(missing_ok=True)


def _read_table(path: Path, noun: type[N], problems: Problems) -> Table[N]:
    table: Table[N] = Table(path)
    if noun is Summary or path.exists():  # the one file that a campaign must have
        decoder = RowDecoder(noun, path, problems, broken=table.broken)
        for number, line in read_lines(path, problems):
            row = decoder.decode_line(number, line)
            if row is not None:
                table.rows.append((number, row))
        decoder.close()
    return table
