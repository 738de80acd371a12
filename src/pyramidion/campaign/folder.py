"""The campaign folder: plain files that git can version, one file per noun."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.content import Coverage, PeerAnnotation, Pyramid
from pyramidion.campaign.lines import read_lines
from pyramidion.campaign.nouns import ImportedScore, Judgment, Noun, Summary, Topic
from pyramidion.campaign.problems import Problems
from pyramidion.campaign.rows import RowDecoder, encode
from pyramidion.campaign.rules import Table, Tables, check_tables
from pyramidion.campaign.score_files import numbered_scores, read_names, read_score_file, write_score_file
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import SettingsFields, read_settings, write_settings
from pyramidion.files import write_lines

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

    A score table that stands in scores/ stays as it is while the campaign holds its values; else it is written anew
    with those that the campaign still has. What no table holds goes to imported.parquet.

    Raises:
        CampaignError: if a score table that stands there can't be read; then nothing was written.
    """
    tables = _score_tables(campaign, folder / SCORES)
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        table.write()
    write_settings(folder / SETTINGS_FILE, campaign)
    for name in ("topics", "judgments", "pyramids", "annotations", "coverage"):
        nouns: tuple[Noun, ...] = getattr(campaign, name)
        path = folder / f"{name}.jsonl"
        if nouns:
            write_lines(path, map(encode, nouns))
        else:
            path.unlink(missing_ok=True)
    write_lines(folder / "summaries.jsonl", map(encode, campaign.summaries))


@dataclass
class _ScoreTable:
    """A file in scores/: what it holds and what it shall hold."""

    path: Path
    there: list[ImportedScore] = field(default_factory=list)
    wanted: list[ImportedScore] = field(default_factory=list)

    def write(self) -> None:
        if self.wanted == self.there:
            return
        if self.wanted:
            write_score_file(self.path, self.wanted, names=read_names(self.path) if self.there else None)
        else:
            self.path.unlink()


def _score_tables(campaign: Campaign, folder: Path) -> list[_ScoreTable]:
    """The campaign's scores, each in the table where it stood, new ones in imported.parquet."""
    problems = Problems()
    there = sorted(folder.glob("*.parquet"))
    tables = {path: _ScoreTable(path, read_score_file(path, problems)) for path in there}
    problems.refuse()
    scores = {score.key: score for score in campaign.imported}
    for table in tables.values():
        table.wanted = [scores.pop(old.key) for old in table.there if old.key in scores]
    target = folder / "imported.parquet"
    if scores:
        tables.setdefault(target, _ScoreTable(target)).wanted += scores.values()
    return list(tables.values())


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
