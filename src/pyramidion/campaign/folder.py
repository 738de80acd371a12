"""The campaign folder: plain files that git can version, one file per noun."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain, filterfalse
from operator import attrgetter
from os.path import lexists
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import Table, Tables, check_tables, key_of
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.growth import Addition, Growth
from pyramidion.campaign.nouns import Noun, Summary, encode
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import extend_settings, read_settings, write_settings
from pyramidion.files.lines import Runs, placed_lines, read_lines
from pyramidion.files.problems import Problems
from pyramidion.files.writing import atomic_writer, remove, write_lines, written_together
from pyramidion.scores.reading import read_columns
from pyramidion.scores.table import ScoreTable
from pyramidion.scores.writing import write_into, write_scores

N = TypeVar("N", bound=Noun)

_topic_of = attrgetter("topic")
_FILES = tuple(f"{name}.jsonl" for name in NOUNS)

SCORES = "scores"
PART_BYTES = 64 * 2**20
"""Most bytes of a folder's files that are in memory at once, where a command can go through it part by part."""


@dataclass(frozen=True, kw_only=True)
class FolderContent:
    """A campaign folder as its files hold it."""

    folder: Path
    campaign: Campaign
    tables: Tables
    scores: Mapping[Path, ScoreTable]


def read_folder(folder: Path, problems: Problems) -> Campaign:
    """Read and check every file of the folder; all problems are noted, none is raised."""
    return read_content(folder, problems).campaign


def read_content(folder: Path, problems: Problems) -> FolderContent:
    """The same, with the lines and score tables that the campaign was read from."""
    with _decoders(folder, problems) as decoders:
        return _read(folder, problems, decoders, _Part(), _read_scores(folder, problems))


def _read_scores(folder: Path, problems: Problems) -> Mapping[Path, ScoreTable]:
    return read_columns(sorted((folder / SCORES).glob("*.parquet")), problems)


def size_of(folder: Path) -> int:
    """How many bytes the files of a folder have, without scores."""
    return sum(path.stat().st_size for path in map(folder.joinpath, _FILES) if path.is_file())


def read_parts(folder: Path, problems: Problems) -> Iterator[Campaign]:
    """A campaign in parts of PART_BYTES, each with some of the topics and all that there is about them.

    Every file is gone through to see how much there is about each topic, and again for the first part, when it is
    noted where the lines of the others are: each of them reads no more than its own.
    """
    parts = _Parts(_parts_of_topics(folder))
    found = _read_scores(folder, problems)
    with _decoders(folder, problems) as decoders:
        for number in range(max(parts.part_of.values(), default=0) + 1):
            yield _read(folder, problems, decoders, _Part(number, parts), found).campaign


@dataclass(frozen=True)
class _Parts:
    """How a folder is divided."""

    part_of: Mapping[str, int] = field(default_factory=dict)
    """The part of each topic; others are in the first."""
    runs: defaultdict[tuple[Path, int], Runs] = field(default_factory=lambda: defaultdict(Runs))
    """Where the lines of a file about the topics of each part but the first are."""


@dataclass(frozen=True)
class _Part:
    """Some topics of a folder: by default all of them."""

    number: int = 0
    parts: _Parts = field(default_factory=_Parts)

    def has(self, topic: str | None) -> bool:
        return self.parts.part_of.get(topic or "", 0) == self.number

    def of_files(self, problems: Problems) -> Problems:
        """Where to note what is wrong with a file as a whole: once."""
        return Problems() if self.number else problems

    def lines(self, path: Path, problems: Problems) -> Iterator[tuple[int, bytes]]:
        """The lines about its topics."""
        if self.number:
            yield from self.parts.runs[path, self.number].lines(path)
            return
        for number, place, line in placed_lines(path, problems):
            part = self.parts.part_of.get(_glance(line) or "", 0) if self.parts.part_of else 0
            if part:
                self.parts.runs[path, part].add(number, place)
            else:
                yield number, line


class _OfTopic(msgspec.Struct):
    topic: str


_OF_TOPIC = msgspec.json.Decoder(_OfTopic)


def _glance(line: bytes) -> str | None:
    """The topic of a line, if that is easy to see."""
    try:
        return _OF_TOPIC.decode(line).topic
    except (ValueError, RecursionError):
        return None


def _parts_of_topics(folder: Path) -> dict[str, int]:
    """In which part each topic is.

    In the first are those that can't be seen at a glance, and those that topics.jsonl lacks: the error in them shows
    only beside topics that it has.
    """
    sizes: dict[str, int] = {}
    declared: set[str] = set()
    for path in map(folder.joinpath, _FILES):
        for _, line in read_lines(path, Problems()) if path.is_file() else ():
            if (topic := _glance(line)) is not None:
                sizes[topic] = sizes.get(topic, 0) + len(line)
        declared = declared or set(sizes)  # the first file is topics.jsonl; without it, the summaries declare topics
    parts = {}
    total = 0
    for topic in filter(declared.__contains__, sizes):
        parts[topic] = total // PART_BYTES
        total += sizes[topic]
    return parts


@contextmanager
def _decoders(folder: Path, problems: Problems) -> Iterator[dict[type[Noun], RowDecoder[Any]]]:
    """A decoder for each file; what they noticed of a file as a whole is noted at the end."""
    decoders = {noun: RowDecoder(noun, folder / f"{name}.jsonl", problems, broken=[]) for name, noun in NOUNS.items()}
    yield decoders
    for decoder in decoders.values():
        decoder.close()


def _read(
    folder: Path,
    problems: Problems,
    decoders: Mapping[type[Noun], RowDecoder[Any]],
    part: _Part,
    found: Mapping[Path, ScoreTable],
) -> FolderContent:
    """What there is about some topics."""
    settings = Campaign()
    if lexists(folder / SETTINGS_FILE):
        settings = read_settings(folder / SETTINGS_FILE, part.of_files(problems))
    tables = {
        noun: _read_rows(folder / f"{name}.jsonl", decoders[noun], problems, part) for name, noun in NOUNS.items()
    }
    scores = {path: table.of_topics(list(filter(part.has, table.topics))) for path, table in found.items()}
    check_tables(tables, scores, settings.questions, problems)
    nouns: dict[str, Any] = {name: tables[noun].nouns for name, noun in NOUNS.items()}
    campaign = replace(settings, imported=ScoreTable().join(*scores.values()), **nouns)
    return FolderContent(folder=folder, campaign=campaign, tables=tables, scores=scores)


def write_folder(campaign: Campaign, folder: Path) -> None:
    """Write the campaign; all files appear together, or none of them. Files of nouns that are absent are removed.

    A score table in scores/ stays as it is while the campaign has its values; otherwise it is written again with
    those that are left, or removed. New scores go to imported.parquet.

    Raises:
        CampaignError: if a score table that is there can't be read; then nothing was written.
    """
    with written_together(folder):
        write_into(folder / SCORES, campaign.imported)
        write_settings(folder / SETTINGS_FILE, campaign)
        held = [name for name in NOUNS if getattr(campaign, name) or name == "summaries"]
        write_nouns([campaign], folder, held)
        for name in filterfalse(held.__contains__, NOUNS):
            remove(folder / f"{name}.jsonl")


def write_nouns(parts: Iterable[Campaign], folder: Path, names: Iterable[str]) -> None:
    """Write nouns of a campaign that comes in parts, each kind to its file; only one part is in memory at once."""
    with ExitStack() as stack:
        files = {name: stack.enter_context(atomic_writer(folder / f"{name}.jsonl", own=True)) for name in names}
        for part in parts:
            for name, file in files.items():
                file.writelines(encode(noun) + b"\n" for noun in getattr(part, name))


def extend_folder(content: FolderContent, growth: Growth, *, score_file: str) -> None:
    """Write what a campaign gains into its folder; all files appear together, or none of them.

    Lines that do not change stay as they are, byte for byte; new ones follow. New scores go to scores/`score_file`.
    """
    folder = content.folder
    with written_together():
        if growth.settings or not (folder / SETTINGS_FILE).exists():
            extend_settings(folder / SETTINGS_FILE, growth.campaign, growth.settings)
        for name, noun in NOUNS.items():
            added = growth.additions[name]
            if added.new or added.changed:
                _extend_lines(content.tables[noun], added)
        _extend_scores(content, growth, folder / SCORES / score_file)


def _extend_lines(table: Table[Any], added: Addition[Any]) -> None:
    lines = table.path.read_bytes().split(b"\n") if table.path.exists() else []
    while lines and not lines[-1].strip():
        lines.pop()
    for number, row in table.rows if added.changed else ():
        if (changed := added.changed.get(key_of(row))) is not None:
            lines[number - 1] = encode(changed)
    write_lines(table.path, chain(lines, map(encode, added.new)), own=True)


def _extend_scores(content: FolderContent, growth: Growth, target: Path) -> None:
    planned: dict[Path, ScoreTable] = {}
    for path, table in content.scores.items():
        corrected = growth.corrected.within(table)
        if growth.plan.replace and len(corrected):
            planned[path] = table.without(corrected).join(corrected)
    if len(growth.scores):
        before = planned.get(target, content.scores.get(target))
        planned[target] = growth.scores if before is None else before.join(growth.scores)
    for path, table in planned.items():
        write_scores(table, path)


def read_table(path: Path, noun: type[N], problems: Problems) -> Table[N]:
    """The rows of one file, decoded; what holds between files is not checked."""
    decoder = RowDecoder(noun, path, problems, broken=[])
    table = _read_rows(path, decoder, problems, _Part())
    decoder.close()
    return table


def _read_rows(path: Path, decoder: RowDecoder[N], problems: Problems, part: _Part) -> Table[N]:
    rows: list[tuple[int, N]] = []
    # Summaries are the one file that a campaign must have; a link that leads nowhere is data that is lost.
    if decoder.noun is Summary or lexists(path):
        for number, line in part.lines(path, problems):
            row = decoder.decode_line(number, line)
            if row is not None and part.has(_topic_of(row)):
                rows.append((number, row))
    return Table(path, rows, decoder.broken or [])
