"""The campaign folder: plain files that git can version, one file a noun."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.content import Coverage, PeerAnnotation, Pyramid
from pyramidion.campaign.lines import read_lines, write_lines
from pyramidion.campaign.nouns import ImportedScore, Judgment, Noun, Summary, Topic
from pyramidion.campaign.problems import Problems
from pyramidion.campaign.rows import RowDecoder, encode
from pyramidion.campaign.rules import Table, Tables, check_tables
from pyramidion.campaign.score_files import numbered_scores, read_score_file, write_score_file
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import SettingsFields, read_settings, write_settings

N = TypeVar("N", bound=Noun)

SCORES = "scores"


def read_folder(folder: Path, problems: Problems) -> Campaign:
    """Read and check every file of the folder; all problems are noted, none is raised."""
    settings: SettingsFields = {}
    if (folder / SETTINGS_FILE).exists():
        settings = read_settings(folder / SETTINGS_FILE, problems)
    tables = Tables(
        topics=_read_table(folder / "topics.jsonl", Topic, problems),
        summaries=_read_table(folder / "summaries.jsonl", Summary, problems, required=True),
        judgments=_read_table(folder / "judgments.jsonl", Judgment, problems),
        pyramids=_read_table(folder / "pyramids.jsonl", Pyramid, problems),
        annotations=_read_table(folder / "annotations.jsonl", PeerAnnotation, problems),
        coverage=_read_table(folder / "coverage.jsonl", Coverage, problems),
    )
    scores: list[Table[ImportedScore]] = [
        Table(path, list(numbered_scores(path, problems))) for path in sorted((folder / SCORES).glob("*.parquet"))
    ]
    check_tables(tables, scores, settings.get("questions", ()), problems)
    return Campaign(
        **settings,
        topics=tables.topics.nouns,
        summaries=tables.summaries.nouns,
        judgments=tables.judgments.nouns,
        pyramids=tables.pyramids.nouns,
        annotations=tables.annotations.nouns,
        coverage=tables.coverage.nouns,
        imported=tuple(score for table in scores for score in table.nouns),
    )


def write_folder(campaign: Campaign, folder: Path) -> None:
    """Write the campaign; each file appears whole or not at all. Files of nouns that are absent are removed.

    Score tables that stand in scores/ stay, with their signatures; what they do not hold goes to imported.parquet.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_settings(folder / SETTINGS_FILE, campaign)
    for name in ("topics", "judgments", "pyramids", "annotations", "coverage"):
        nouns: tuple[Noun, ...] = getattr(campaign, name)
        path = folder / f"{name}.jsonl"
        if nouns:
            write_lines(path, map(encode, nouns))
        else:
            path.unlink(missing_ok=True)
    _write_scores(campaign, folder / SCORES)
    write_lines(folder / "summaries.jsonl", map(encode, campaign.summaries))


def _write_scores(campaign: Campaign, folder: Path) -> None:
    target = folder / "imported.parquet"
    others = [path for path in folder.glob("*.parquet") if path != target]
    there = {(one.measure, one.topic, one.summarizer) for path in others for one in read_score_file(path, Problems())}
    new = [one for one in campaign.imported if (one.measure, one.topic, one.summarizer) not in there]
    if new:
        write_score_file(target, new)
    else:
        target.unlink(missing_ok=True)


def _read_table(path: Path, noun: type[N], problems: Problems, *, required: bool = False) -> Table[N]:
    table: Table[N] = Table(path)
    if required or path.exists():
        decoder = RowDecoder(noun, path, problems, broken=table.broken)
        for number, line in read_lines(path, problems):
            row = decoder.decode_line(number, line)
            if row is not None:
                table.rows.append((number, row))
        decoder.close()
    return table
