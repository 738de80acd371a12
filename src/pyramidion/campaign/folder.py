"""The campaign folder: plain files that git can version, one file per noun."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from os.path import lexists
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from pyramidion.campaign.campaign import NOUNS, Campaign
from pyramidion.campaign.checks import NounTable, NounTables, check_tables
from pyramidion.campaign.decoding import RowDecoder
from pyramidion.campaign.nouns import Noun, encode
from pyramidion.campaign.questions import QuestionSet
from pyramidion.campaign.schemas import schema_files
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import PROMPTS, SCHEMA_FILE, new_settings, read_settings, write_settings
from pyramidion.errors import UsageError
from pyramidion.files.opening import LineRuns, placed_lines, read_lines, repair_text, resolve_links
from pyramidion.files.problems import Problems
from pyramidion.files.targets import is_new_or_empty
from pyramidion.files.writing import atomic_writer, make_folder, remove, write_lines, written_together
from pyramidion.options import InitOptions
from pyramidion.scores.reading import read_columns, tables_in
from pyramidion.scores.table import ScoreTable
from pyramidion.scores.writing import write_into

N = TypeVar("N", bound=Noun)

_FILES = tuple(f"{name}.jsonl" for name in NOUNS)
SUMMARIES = "summaries.jsonl"

SCORES = "scores"
PART_BYTES = 64 * 2**20
"""Most bytes of a folder's files that are in memory at once, where a command can go through it part by part."""


@dataclass(frozen=True, kw_only=True)
class FolderContent:
    """A campaign folder as its files hold it."""

    folder: Path
    campaign: Campaign
    tables: NounTables
    scores: Mapping[Path, ScoreTable]
    is_new: bool = False
    """Whether nothing of it has been written yet."""


def read_folder(folder: Path, problems: Problems) -> Campaign:
    """Read and check every file of the folder; all problems are noted, none is raised."""
    return read_content(folder, problems).campaign


def read_content(folder: Path, problems: Problems, *, keep_lines: bool = False) -> FolderContent:
    """Read and check every file of the folder, and keep which row and which score was in which file.

    Args:
        folder: the campaign folder.
        problems: takes all errors and warnings; none is raised.
        keep_lines: whether each row is kept as bytes as well, for those who write it again.
    """
    with _decoders(folder, problems) as decoders:
        return _read(folder, problems, decoders, _FolderPart(), _read_scores(folder, problems), keep_lines=keep_lines)


def new_content(folder: Path) -> FolderContent:
    """The content of a campaign folder that is yet to be written."""
    tables: NounTables = {noun: NounTable(folder / f"{name}.jsonl") for name, noun in NOUNS.items()}
    return FolderContent(folder=folder, campaign=Campaign(), tables=tables, scores={}, is_new=True)


def _read_scores(folder: Path, problems: Problems) -> Mapping[Path, ScoreTable]:
    """By file, the scores of other programs that the folder has; many campaigns have none."""
    scores_folder = folder / SCORES
    # lexists, not exists: a broken link is data that was lost, not data that never was.
    if not lexists(scores_folder):  # a link that leads nowhere is an error, which `tables_in` notes
        return {}
    return read_columns(tables_in(scores_folder, problems), problems)


def size_of(folder: Path) -> int:
    """How many bytes the files of a folder have, without scores."""
    return sum(path.stat().st_size for path in map(folder.joinpath, _FILES) if path.is_file())


def read_parts(folder: Path, problems: Problems) -> Iterator[Campaign]:
    """A campaign in parts of PART_BYTES, each with some of the topics and all that there is about them.

    Every file is gone through once to see where there is how much about each topic; then each part reads its own lines.
    """
    parts = _Parts.of(folder, problems)
    scores = _read_scores(folder, problems)
    with _decoders(folder, problems) as decoders:
        for number in range(max(parts.part_of.values(), default=0) + 1):
            yield _read(folder, problems, decoders, _FolderPart(number, parts), scores).campaign


@dataclass(frozen=True)
class _Parts:
    """How a folder is divided."""

    part_of: Mapping[str | None, int]
    """The part of each topic; others are in the first."""
    part_of_group: Sequence[int]
    runs: Mapping[Path, LineRuns]
    """The lines of each file; a group is a topic, and the first group those that name none at a glance."""
    writers: frozenset[str]
    """Who wrote models, in whatever part."""

    @classmethod
    def of(cls, folder: Path, problems: Problems) -> _Parts:
        """Divide a folder.

        In the first part are lines whose topic can't be seen at a glance, and topics that topics.jsonl lacks: the
        error in them shows only beside topics that it has.
        """
        groups: dict[str | None, int] = {None: 0}
        sizes: defaultdict[int, int] = defaultdict(int)
        declared = 0
        runs = {}
        writers: set[str] = set()
        for path in filter(_is_read, map(folder.joinpath, _FILES)):
            runs_of_file = runs[path] = LineRuns()
            # Lines of a topic follow each other, and we write the topic first: comparing bytes is many times as fast
            # as decoding.
            group, beginning = 0, b"no line begins so"
            for number, place, line in placed_lines(path, problems):
                if not line.startswith(beginning):  # else the topic is that of the line before
                    topic = _glance(line)
                    group = groups.setdefault(topic, len(groups))
                    beginning = b'{"topic":%b,' % msgspec.json.encode(topic)
                writer = _writer_of_model(line) if path.name == SUMMARIES else None
                if writer is not None:
                    writers.add(writer)
                runs_of_file.add(number, place, group)
                sizes[group] += len(line)
            # _FILES has topics.jsonl first; what only later files name is put into the first part.
            declared = declared or len(groups) - 1  # by topics.jsonl, the first file; without it, by the summaries
        part_of: dict[str | None, int] = {}
        total = 0
        for topic, group in islice(groups.items(), 1, declared + 1):
            # By the bytes before it: topics stay in their order, and a part is at most one topic too large.
            part_of[topic] = total // PART_BYTES
            total += sizes[group]
        return cls(part_of, [part_of.get(topic, 0) for topic in groups], runs, frozenset(writers))


@dataclass(frozen=True)
class _FolderPart:
    """Some topics of a folder: by default all of them."""

    number: int = 0
    parts: _Parts | None = None

    def has(self, topic: str) -> bool:
        return self.parts is None or self.parts.part_of.get(topic, 0) == self.number

    def of_files(self, problems: Problems) -> Problems:
        """Where to note what is wrong with a file as a whole: once."""
        return Problems() if self.number else problems

    def lines(self, path: Path, problems: Problems) -> Iterator[tuple[int, bytes]]:
        """The lines about its topics."""
        if self.parts is None:
            return read_lines(path, problems)
        part_of = self.parts.part_of_group
        return self.parts.runs[path].lines(path, lambda group: part_of[group] == self.number)


class _OfTopic(msgspec.Struct):
    topic: str


class _Written(msgspec.Struct):
    summarizer: str
    kind: str


_OF_TOPIC = msgspec.json.Decoder(_OfTopic)
_WRITTEN = msgspec.json.Decoder(_Written)


def _glance(line: bytes) -> str | None:
    """The topic of a line, if that is easy to see."""
    try:
        return _OF_TOPIC.decode(line).topic
    except (ValueError, RecursionError):
        return None


def _writer_of_model(line: bytes) -> str | None:
    """Who wrote the summary of a line, if it is a model."""
    try:
        summary = _WRITTEN.decode(line)
    except (ValueError, RecursionError):
        return None
    return summary.summarizer if summary.kind == "model" else None


def _is_read(path: Path) -> bool:
    """Whether a file is read: a campaign must have summaries; a link that leads nowhere is data that is lost."""
    return path.name == SUMMARIES or lexists(path)


@contextmanager
def _decoders(folder: Path, problems: Problems) -> Iterator[dict[type[Noun], RowDecoder[Any]]]:
    """A decoder for each file; what they noticed of a file as a repair_text is noted at the end."""
    decoders = {noun: RowDecoder(noun, folder / f"{name}.jsonl", problems, broken=[]) for name, noun in NOUNS.items()}
    yield decoders
    for decoder in decoders.values():
        decoder.close()


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Keep the garbage collector from going through all rows again and again: none of them refers to itself."""
    # Whoever turned the collector off wants it off afterwards, too.
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@_collecting_later()
def _read(
    folder: Path,
    problems: Problems,
    decoders: Mapping[type[Noun], RowDecoder[Any]],
    part: _FolderPart,
    score_tables: Mapping[Path, ScoreTable],
    *,
    keep_lines: bool = False,
) -> FolderContent:
    """What there is about some topics."""
    settings = Campaign()
    if lexists(folder / SETTINGS_FILE):
        settings = read_settings(folder / SETTINGS_FILE, part.of_files(problems))
    tables = {
        noun: _read_rows(folder / f"{name}.jsonl", decoders[noun], problems, part, keep_lines=keep_lines)
        for name, noun in NOUNS.items()
    }
    scores = {path: table.of_topics(list(filter(part.has, table.topics))) for path, table in score_tables.items()}
    check_tables(tables, scores, settings.questions, problems, summarizers=settings.summarizers)
    nouns: dict[str, Any] = {name: tables[noun].nouns for name, noun in NOUNS.items()}
    writers = part.parts.writers if part.parts else frozenset[str]()
    campaign = replace(settings, imported=ScoreTable().join(*scores.values()), model_writers=writers, **nouns)
    return FolderContent(folder=folder, campaign=campaign, tables=tables, scores=scores)


def start_folder(folder: Path, options: InitOptions) -> None:
    """Start a campaign: write a folder with a commented campaign.toml, its JSON Schema, and prompts for judges.

    Raises:
        UsageError: if the folder is not empty, or there is no such set of questions.
    """
    if not is_new_or_empty(folder):
        raise UsageError(f"{folder} is not empty; give a new or empty folder")
    if options.questions:
        QuestionSet.named(options.questions)
    settings = new_settings(
        name=repair_text(options.name or resolve_links(folder).name),
        description=repair_text(options.description),
        word_limit=options.word_limit,
        questions=options.questions,
    )
    with written_together(folder):
        with atomic_writer(folder / SETTINGS_FILE, own=True) as file:
            file.write(settings.encode())
        with atomic_writer(folder / SCHEMA_FILE, own=True) as file:
            file.write(schema_files()["campaign"].read_bytes())
        make_folder(folder / PROMPTS.name)
        for prompt in sorted(PROMPTS.glob("*.txt")):
            with atomic_writer(folder / PROMPTS.name / prompt.name, own=True) as file:
                file.write(prompt.read_bytes())
        write_lines(folder / SUMMARIES, [], own=True)


def write_folder(campaign: Campaign, folder: Path) -> None:
    """Write the campaign; all files appear together, or none of them. Files of nouns that are absent are removed.

    A score table in scores/ stays as it is while the campaign has its values; otherwise it is written again with
    those that are left, or removed. New scores go to imported.parquet.

    Raises:
        CampaignError: if a score table that is there can't be read; then nothing was written.
    """
    write_encoded(campaign, folder, {name: _encode_all(getattr(campaign, name)) for name in NOUNS})


def _encode_all(nouns: Sequence[Noun]) -> Iterable[bytes]:
    """The lines of nouns, made one by one as they are written."""
    return map(encode, nouns) if nouns else ()


def write_encoded(campaign: Campaign, folder: Path, lines: Mapping[str, Iterable[bytes]]) -> None:
    """Write a campaign whose rows are encoded already: `write_folder` with the lines of each file."""
    with written_together(folder):
        # Scores first: a table in scores/ that can't be read is an error, and then nothing else is written.
        write_into(folder / SCORES, campaign.imported)
        write_settings(folder / SETTINGS_FILE, campaign)
        write_rows(folder, lines)


def write_rows(folder: Path, lines: Mapping[str, Iterable[bytes]]) -> None:
    """Let files of nouns have these lines, by the name of the noun; all appear together.

    A file with an empty sequence of lines is removed, except summaries.jsonl: without it, the folder is no campaign.
    """
    with written_together():
        for name, rows in lines.items():
            path = folder / f"{name}.jsonl"
            if rows or path.name == SUMMARIES:
                write_lines(path, rows, own=True)
            else:
                remove(path)


def write_nouns(parts: Iterable[Campaign], folder: Path, names: Iterable[str]) -> None:
    """Write nouns of a campaign that comes in parts, each kind to its file; only one part is in memory at once."""
    with ExitStack() as stack:
        files: dict[str, IO[bytes]] = {}
        for name in names:
            writer = atomic_writer(folder / f"{name}.jsonl", own=True)
            files[name] = stack.enter_context(writer)
        for part in parts:
            for name, file in files.items():
                nouns = getattr(part, name)
                file.writelines(encode(noun) + b"\n" for noun in nouns)


def _read_rows(
    path: Path, decoder: RowDecoder[N], problems: Problems, part: _FolderPart, *, keep_lines: bool
) -> NounTable[N]:
    table = NounTable[N](path)
    if decoder.broken is not None:
        table = NounTable[N](path, broken=decoder.broken)
    if not _is_read(path):
        return table
    for number, line in part.lines(path, problems):
        row = decoder.decode_line(number, line)
        if row is None:
            continue
        table.rows.append((number, row))
        if keep_lines:
            table.lines.append(line)
    return table
