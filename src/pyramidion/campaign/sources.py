"""Where a campaign is read from: a folder, a flat file, a score table, rows in memory; read whole or shard by shard."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pyramidion.campaign import folder
from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.flat.reading import join_shards, stream_tables
from pyramidion.campaign.flat.tables import (
    FlatTable,
    SummaryBatch,
    can_stay_columns,
    have_the_same,
    open_flat,
    read_batches,
)
from pyramidion.campaign.folder import SUMMARIES, read_folder, read_parts
from pyramidion.campaign.judgment_tables import judgment_columns_of, read_judged
from pyramidion.campaign.nouns import Summarizer
from pyramidion.campaign.preference_tables import read_preferences
from pyramidion.campaign.settings import FILE as SETTINGS_FILE
from pyramidion.campaign.settings import read_settings
from pyramidion.errors import InputError, UsageError, mention, mention_call
from pyramidion.files.opening import ending_of, stem_of
from pyramidion.files.problems import Problems
from pyramidion.intake.cells import as_id
from pyramidion.intake.choices import read_choices
from pyramidion.intake.column_questions import ColumnQuestion
from pyramidion.intake.columns import TableKind, find_preferences, recognise
from pyramidion.intake.judgment_columns import recognise_judgments
from pyramidion.intake.nested import unfold, unfold_usual
from pyramidion.intake.opened import ENDINGS, SAMPLE_ROWS, FileTable, MemoryTable, OpenedTable
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import ONLY_IN_JUDGMENTS, TOGETHER
from pyramidion.intake.score_columns import find_score_columns
from pyramidion.intake.spelled_numbers import read_spelled_numbers
from pyramidion.intake.summary_columns import is_flat_form
from pyramidion.intake.topic_columns import read_topic_column
from pyramidion.scores.reading import read_columns, read_scores, scores_of_rows
from pyramidion.scores.table import ScoreTable
from pyramidion.show.wording import listed

FormKind = Literal["folder", "flat", "judged", "judgments", "preferences", "scores"]
"""Our forms: a folder; a table of summaries, one row per summary, or one row per summary and assessor; a table of
judgments without the summaries; a table of scores."""


class Readable(ABC):
    """Where a campaign is read from: our own forms (`CampaignSource`), memory, or a foreign format."""

    @property
    def streams(self) -> bool:
        """Whether its shards are pieces that fit in memory, rather than the whole campaign."""
        return False

    @property
    def word_limit(self) -> int | None:
        """The word limit, as far as it is known without reading the campaign."""
        return None

    @property
    def has_judges(self) -> bool:
        """Whether it says that some assessors are judges, as far as that is known without reading it."""
        return False

    def arguments(self) -> list[str]:
        """The words of a command line that name it, if it is more than a path."""
        return []

    def with_options(self, options: Mapping[str, str], name: str) -> Readable:  # noqa: ARG002  # for those that have some
        """The source with options of its format; our own forms have none."""
        raise UsageError(f"`option=`: {name} is not in a foreign format; only foreign formats have options")

    @abstractmethod
    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The campaign in pieces."""
        yield self.read(problems)

    def batches(self, problems: Problems) -> Iterator[SummaryBatch] | None:  # noqa: ARG002  # for those that have some
        """The summaries as columns, if it is a table whose texts are strings or lists of strings; else None."""
        return None


class TableSource(Readable):
    """Tables with one row per summary that are one campaign: files, or rows in memory."""

    @abstractmethod
    def tables(self, problems: Problems) -> Sequence[FlatTable]:
        """The tables, each after a look at its first rows; none if something is wrong with them, which is noted."""

    @abstractmethod
    def name(self) -> str:
        """What the campaign is called."""

    def column_by_topic(self, column: str) -> dict[str, str] | None:
        """By topic, what a column of the tables says about it; None if none of them has it.

        Raises:
            InputError: if a topic has two values.
        """
        values: dict[str, str] = {}
        has_column = False
        for opened, topic in self.topic_columns():
            table = unfold(opened, [column])
            if topic is None or column not in table.columns:
                continue
            has_column = True
            values |= read_topic_column(table, topic=topic, column=column)
        return values if has_column else None

    @property
    def has_documents(self) -> bool:
        """Whether a column of the tables holds documents."""
        tables = self.tables(Problems())
        return any(not {*table.columns.documents}.isdisjoint(table.opened.columns) for table in tables)

    @property
    def size_bytes(self) -> int:
        """The size of the files; 0 for rows in memory."""
        paths = [table.opened.path for table in self.tables(Problems())]
        return sum(path.stat().st_size for path in paths if path.is_file())

    def topic_columns(self) -> list[tuple[OpenedTable, str | None]]:
        """Each table, with its column of topics; None where topics are the rows' numbers."""
        return [(table.opened, table.columns.topic) for table in self.tables(Problems())]

    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""
        return join_shards(self.shards(problems), name=self.name())

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The campaign in pieces."""
        return stream_tables(self.tables(problems), problems)

    def batches(self, problems: Problems) -> Iterator[SummaryBatch] | None:
        """The summaries as columns, if they can be read so."""
        tables = self.tables(problems)
        if not tables or not have_the_same(tables):
            return None
        if not all(can_stay_columns(table.columns, table.opened.columns) for table in tables):
            return None
        return read_batches(tables, problems)


@dataclass(frozen=True)
class CampaignSource(TableSource):
    """A campaign in our own forms: a folder, a table with one row per summary, or a score table."""

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    """By role, the columns that the user names."""
    system: str = ""
    """What its system is called if no column says so, as the user gives it."""
    repeats_are_runs: bool = False
    """Whether rows with the same topic and summarizer are runs."""

    @staticmethod
    def knows(path: Path) -> bool:
        """Whether the path is a folder or a table of rows."""
        if path.is_dir():
            return True
        return path.is_file() and FileTable(path).format is not None

    @property
    def is_ours(self) -> bool:
        """Whether it is surely in one of our own forms: no other program's folder, and no other program's table."""
        if self.path.is_dir():
            return (self.path / SUMMARIES).exists()
        if not self.path.is_file() or self.file.format is None:
            return False
        return bool(self.columns) or is_flat_form(self.file.columns)

    @property
    def streams(self) -> bool:
        """A flat file is read in pieces, and so is a large folder."""
        if self.kind == "folder":
            return folder.size_of(self.path) > folder.PART_BYTES
        return self.kind == "flat"

    @property
    def word_limit(self) -> int | None:
        """What campaign.toml says."""
        settings = self._settings
        return settings.word_limit if settings else None

    @property
    def has_judges(self) -> bool:
        """What campaign.toml says, if there is one."""
        settings = self._settings
        return settings is not None and bool(settings.judges)

    @property
    def _settings(self) -> Campaign | None:
        """A campaign with the settings of campaign.toml alone; None without one."""
        settings = self.path / SETTINGS_FILE
        if not settings.is_file():
            return None
        return read_settings(settings, Problems())

    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""
        kind = self.kind
        if kind == "folder":
            return read_folder(self.path, problems)
        if kind == "flat":
            return super().read(problems)
        if kind == "judged":
            return _read_judged_summaries(
                self.opened, self.columns, problems, self.name(), repeats_are_runs=self.repeats_are_runs
            )
        if kind == "judgments":
            judged = read_judged(self.opened, problems, self.columns, repeats_are_runs=self.repeats_are_runs)
            return replace(judged, name=self.name())
        if self.kind == "preferences":
            return replace(read_preferences(self.opened, problems, self.columns), name=self.name())
        (table,) = read_columns(
            [self.path], problems, self.columns, bookkeeping=False, repeats_are_runs=self.repeats_are_runs
        ).values()
        described_ids = table.names.keys() | table.kinds.keys()
        summarizers: dict[str, Summarizer] = {}
        for id in table.summarizers:
            if id in described_ids:
                kind_of_system = table.kinds.get(id, "participant")
                summarizers[id] = Summarizer(kind=kind_of_system, name=table.names.get(id, ""))
        return Campaign(name=stem_of(self.path), summarizers=summarizers, imported=table)

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The campaign in pieces that fit in memory; only a flat file and a large folder have more than one."""
        if not self.streams:
            return iter([self.read(problems)])
        if self.kind == "folder":
            return read_parts(self.path, problems)
        return super().shards(problems)

    def batches(self, problems: Problems) -> Iterator[SummaryBatch] | None:
        """The summaries as columns, if it is a flat file that can be read so."""
        if self.kind != "flat":
            return None
        return super().batches(problems)

    def tables(self, problems: Problems) -> Sequence[FlatTable]:
        """The table of a flat file; none of a table without summaries."""
        tables = _tables_of(
            self.opened,
            self.kind,
            self.columns,
            problems,
            system=self.system,
            repeats_are_runs=self.repeats_are_runs,
        )
        return [require_unnamed(table, self.system) for table in tables]

    def name(self) -> str:
        """The name of the file without its endings."""
        return stem_of(self.path)

    def topic_columns(self) -> list[tuple[OpenedTable, str | None]]:
        """The table with its column of topics."""
        if self.kind in ("scores", "judgments", "preferences"):
            return [(self.opened, _find_topics(self.opened, self.kind, self.columns))]
        return super().topic_columns()

    @cached_property
    def file(self) -> FileTable:
        """The file, if it is one."""
        return FileTable(self.path)

    @cached_property
    def opened(self) -> OpenedTable:
        """The file as a table, with a column for each path that the user names."""
        return _read_cells(self.file, self.columns)

    def names(self, paths: Iterable[str] = ()) -> list[str]:
        """The names of the columns, and those of the paths that lead to something; none of a folder."""
        is_table = self.path.is_file() and self.file.format is not None
        if not is_table:
            return []
        return unfold(self.opened.as_given, paths).columns

    def scores(self, problems: Problems) -> ScoreTable:
        """The score table, if it is one."""
        return read_scores(
            self.opened, problems, self.columns, bookkeeping=False, repeats_are_runs=self.repeats_are_runs
        )

    @cached_property
    def kind(self) -> FormKind:
        """Which of our forms it is."""
        if self.path.is_dir():
            _require_no_tables(self.path)
            return "folder"
        if not self.path.exists():
            raise InputError(
                f"{self.path}: found nothing; expected a campaign folder, a table with one row per summary (.jsonl, "
                ".csv, .parquet, …), or a table of scores. Check the path; the built-in campaign is called demo."
            )
        if self.file.format is not None:
            return _kind_of(self.opened, self.columns)
        if self.path.suffix.lower() == ".txt" and b"\t" in self.file.head.partition(b"\n")[0]:
            raise InputError(
                f"{self.path}: found a text file with tabs; if it is a table, call it "
                f"{self.path.with_suffix('.tsv').name}. Otherwise expected a campaign folder, or a table."
            )
        if self.path.suffix.lower() == ".txt":
            raise InputError(
                f"{self.path}: found a text file; if it has one summary per line, give it by "
                f"{mention_call('LineFiles', predictions=str(self.path), references='FILE')} (one reference per line). "
                "Otherwise expected a campaign folder, a table, or a file in another format, see `pyramidion list "
                "formats`."
            )
        raise InputError(
            f"{self.path}: found a file ending in {self.path.suffix or 'nothing'!r}; expected a campaign folder, or a "
            f"table ({', '.join(ENDINGS)}, also compressed: .gz, .zst). Rename or convert the file."
        )


_OUR_TEXTS = ("topic", "summarizer", "summary")
_OUR_COLUMNS = frozenset({*_OUR_TEXTS, "references"})


def _read_cells(opened: OpenedTable, columns: Mapping[str, str]) -> OpenedTable:
    """The table with a column for what usual objects hold, and with numbers in place of cells that spell them.

    Args:
        opened: the table.
        columns: by role, the columns that the user names.
    """
    opened = opened.as_given
    if not columns and _is_as_documented(opened):
        return opened
    return read_spelled_numbers(read_choices(unfold_usual(opened, columns), columns), columns)


def _is_as_documented(opened: OpenedTable) -> bool:
    """Whether a table has our own columns only, with texts in them: then there is nothing to look for in its cells."""
    if not _OUR_COLUMNS.issuperset(opened.columns):
        return False
    return all(_is_text(row.get(name)) for row in opened.sample for name in _OUR_TEXTS)


def _is_text(cell: Any) -> bool:
    """Whether a cell holds nothing or a text, but no object or list, not even one that is written as JSON."""
    if cell is None:
        return True
    return isinstance(cell, str) and not cell.lstrip().startswith(("{", "["))


def _require_no_tables(folder: Path) -> None:
    """Refuse a folder of tables that is no campaign; the message says how to give the tables."""
    if (folder / SUMMARIES).exists() or (folder / SETTINGS_FILE).exists():
        return
    for pattern in ("*", "*/*"):
        files = [path for path in folder.glob(pattern) if path.is_file()]
        tables = [path for path in files if ending_of(path) in ENDINGS]
        if tables:
            raise _folder_of_tables(folder, pattern, tables)
    if not any(folder.iterdir()):
        raise InputError(
            f"{folder}: found an empty folder; expected a campaign folder (with {SUMMARIES}), or one in another format"
        )


def _folder_of_tables(folder: Path, pattern: str, tables: Sequence[Path]) -> InputError:
    """The error about a folder of tables that is no campaign.

    Args:
        folder: the folder.
        pattern: where the tables are in it.
        tables: their paths.
    """
    endings = Counter("".join(path.suffixes[-1:]) for path in sorted(tables))
    counts = [f"{count:,} {ending}" for ending, count in endings.items()]
    is_one_file = counts[-1].startswith("1 ")
    noun = "file" if is_one_file else "files"
    # The pattern stays outside the quotes, where the shell expands it.
    patterns = [f"{shlex.quote(str(folder))}/{pattern}{ending}" for ending in endings]
    return InputError(
        f"{folder}: found a folder without {SUMMARIES}, with {listed(counts, most=len(counts))} {noun}; "
        "expected a campaign folder, or one in another format (see `pyramidion list formats`). Give the files "
        f"themselves: {' '.join(patterns)}"
    )


@dataclass(frozen=True)
class FlatFiles(TableSource):
    """Several files with one row per summary that are one campaign: each a summarizer, unless a column says whose."""

    paths: tuple[Path, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[Path, str] = field(default_factory=dict)
    """By file, what its system is called if no column says so, as the user gives it."""
    repeats_are_runs: bool = False
    streams = True

    def name(self) -> str:
        """The name of the first file without its endings."""
        return stem_of(self.paths[0])

    @cached_property
    def opened(self) -> list[OpenedTable]:
        """The files, with a column for each path that the user names."""
        return [_read_cells(FileTable(path), self.columns) for path in self.paths]

    def tables(self, problems: Problems) -> Sequence[FlatTable]:
        """The tables; none if only some of them have ids, which is an error."""
        file_names = zip(self.paths, distinct_names(self.paths), strict=True)
        names = [self.systems.get(path, name) for path, name in file_names]
        files = list(zip(self.opened, self._columns_of_each(), names, strict=True))
        runs = self.repeats_are_runs
        tables = [
            open_flat(opened, problems, columns, named=name, completes=True, repeats_are_runs=runs)
            for opened, columns, name in files
        ]
        # A file of references alone completes the summaries of another file; where no file has any, all of them lack
        # them.
        if not any(table.columns.summary for table in tables):  # then each is asked for its summaries
            tables = [open_flat(opened, problems, columns, named=name) for opened, columns, name in files]
        for table in tables:
            require_unnamed(table, self.systems.get(table.path, ""))
        numbered = [table.path for table in tables if table.columns.topic is None]
        if 0 < len(numbered) < len(tables):
            with_ids = next(table for table in tables if table.columns.topic is not None)
            without_ids = next(table for table in tables if table.columns.topic is None)
            name = _find_ids_of(with_ids, without_ids.opened)
            remedy = "Add the ids."
            if name:
                remedy = f"Add the ids, or say which column has them: {mention('columns', {'topic': name})}."
            problems.at(numbered[0]).error(
                "no column of ids",
                f"ids in all files or in none: {with_ids.path} has the column {with_ids.columns.topic!r}",
                remedy,
                field="topic",
            )
            return []
        return [] if _note_foreign_ids(tables, problems) else tables

    def _columns_of_each(self) -> Sequence[Mapping[str, str]]:
        """The columns that the user names, for each file: without those that only others have."""
        columns_of_each: list[dict[str, str]] = [{} for _ in self.paths]
        if not self.columns:
            return columns_of_each
        names_of_each = [{*opened.columns} for opened in self.opened]
        all_names = set().union(*names_of_each)
        for role, value in self.columns.items():
            named = {value, *value.split(TOGETHER)}
            # One option names columns for several files; each file gets those that it has.
            is_nowhere = named.isdisjoint(all_names)  # each file has the error then
            for columns, names in zip(columns_of_each, names_of_each, strict=True):
                is_here = not named.isdisjoint(names)
                if is_here or is_nowhere:
                    columns[role] = value
        return columns_of_each


def _find_ids_of(table: FlatTable, other: OpenedTable) -> str:
    """The column of another file that holds the ids of a table; nothing if there is none."""
    ids = _ids_of(table.opened, table.columns.topic)
    for name in other.columns:
        values = _ids_of(other, name)
        # Half of them: files of one campaign may lack some topics of the others.
        if values and 2 * len(values & ids) >= len(values):
            return name
    return ""


def _ids_of(opened: OpenedTable, column: str | None) -> set[str]:
    """The ids in the first rows of a table."""
    values = [as_id(row.get(column or "")) for row in opened.sample]
    return {value.strip() for value in values if isinstance(value, str) and value.strip()}


def _note_foreign_ids(tables: Sequence[FlatTable], problems: Problems) -> bool:
    """Note as an error that references or documents have none of the ids of the summaries.

    Only of tables of which the first rows are all: of longer ones, other rows may have the same ids.
    """
    written = [table for table in tables if table.columns.summary and table.columns.topic]
    ids = set[str]().union(*(_ids_of(table.opened, table.columns.topic) for table in written))
    are_whole = all(len(table.opened.sample) < SAMPLE_ROWS for table in tables)
    if not written or not are_whole:
        return False
    for table in tables:
        completing_ids = _ids_of(table.opened, table.columns.topic)
        if table.columns.summary or not completing_ids or not ids.isdisjoint(completing_ids):
            continue
        remedy = "Correct the ids in one of the files."
        name = _find_ids_of(written[0], table.opened)
        if name:
            remedy = f"Correct the ids, or name the column with the same ones: {mention('columns', {'topic': name})}."
        problems.at(table.path).error(
            f"other ids than in {written[0].path}: {_first_ids(completing_ids)}, not {_first_ids(ids)}",
            "the ids of the summaries, by which files are joined",
            remedy,
            field=table.columns.topic,
        )
        return True
    return False


def _first_ids(ids: Iterable[str]) -> str:
    return ", ".join(sorted(ids)[:3]) + " …"


def require_unnamed(table: FlatTable, system: str) -> FlatTable:
    """The table, whose system the user may name only if no column does.

    Args:
        table: after a look at its first rows.
        system: the name that the user gives; empty if none.

    Raises:
        UsageError: if a column names the systems, or several columns are one each.
    """
    column = table.columns.summarizer or " and ".join(table.columns.systems)
    if system and column and table.rows is None:
        raise UsageError(
            f"{mention('system', {system: str(table.path)})}: the file names its systems itself, by {column}; leave "
            "the name out, or name the column otherwise"
        )
    return table


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """The stems of the files; where two are the same, with as many folders as tell them apart."""
    stems = [stem_of(path) for path in paths]
    folders = [path.absolute().parts[1:-1] for path in paths]
    file_count = len({path.absolute() for path in paths})
    most_folders = max(map(len, folders))
    # One more folder at a time, so that names stay as short as they can be.
    names = stems
    folder_count = 0
    while len(set(names)) < file_count and folder_count < most_folders:
        folder_count += 1
        names = []
        for stem, parents in zip(stems, folders, strict=True):
            is_shared = stems.count(stem) > 1
            shown_parents = parents[-folder_count:] if is_shared else ()
            names.append("/".join([*shown_parents, stem]))
    return names


@dataclass(frozen=True, eq=False)
class WholeCampaign(Readable):
    """A campaign that is in memory already."""

    campaign: Campaign

    def read(self, problems: Problems) -> Campaign:  # noqa: ARG002  # the same interface as other sources
        """The campaign."""
        return self.campaign


@dataclass(frozen=True, eq=False)
class RowSource(TableSource):
    """Rows in memory, of summaries or scores: a data frame, an Arrow table, lists by column, or dictionaries.

    An iterator can be read again, too.
    """

    rows: Any
    columns: Mapping[str, str] = field(default_factory=dict)
    repeats_are_runs: bool = False

    @property
    def streams(self) -> bool:
        """Whether it is read in pieces; judgments are read whole."""
        return self.kind in ("flat", "scores")

    def name(self) -> str:
        """Nothing: rows have no name."""
        return ""

    @cached_property
    def opened(self) -> OpenedTable:
        """The rows as a table, with a column for each path that the user names."""
        table = self.rows if isinstance(self.rows, OpenedTable) else MemoryTable(self.rows)
        return _read_cells(table, self.columns)

    def names(self, paths: Iterable[str] = ()) -> list[str]:
        """The names of the columns, as far as the first rows have them, and of the paths that lead to something."""
        return unfold(self.opened.as_given, paths).columns

    @cached_property
    def kind(self) -> FormKind:
        """What the rows hold."""
        return _kind_of(self.opened, self.columns)

    def topic_columns(self) -> list[tuple[OpenedTable, str | None]]:
        """The rows with their column of topics."""
        if self.kind in ("scores", "judgments", "preferences"):
            return [(self.opened, _find_topics(self.opened, self.kind, self.columns))]
        return super().topic_columns()

    def scores(self, problems: Problems) -> ScoreTable:
        """The rows as a score table."""
        rows = [row for _, row in self.opened.objects(problems, "a row")]
        return scores_of_rows(rows, problems, self.columns, repeats_are_runs=self.repeats_are_runs)

    def tables(self, problems: Problems) -> Sequence[FlatTable]:
        """The rows as one table; none if they are no summaries."""
        return _tables_of(self.opened, self.kind, self.columns, problems, repeats_are_runs=self.repeats_are_runs)

    def read(self, problems: Problems) -> Campaign:
        """The whole campaign; problems are noted, not raised."""
        if self.kind == "judged":
            return _read_judged_summaries(
                self.opened, self.columns, problems, self.name(), repeats_are_runs=self.repeats_are_runs
            )
        if self.kind == "judgments":
            judged = read_judged(self.opened, problems, self.columns, repeats_are_runs=self.repeats_are_runs)
            return replace(judged, name=self.name())
        if self.kind == "preferences":
            return replace(read_preferences(self.opened, problems, self.columns), name=self.name())
        return super().read(problems)

    def shards(self, problems: Problems) -> Iterator[Campaign]:
        """The rows in pieces."""
        if self.kind == "scores":
            return iter([Campaign(name="", imported=self.scores(problems))])
        if not self.streams:
            return iter([self.read(problems)])
        return super().shards(problems)

    def batches(self, problems: Problems) -> Iterator[SummaryBatch] | None:
        """The summaries as columns, if the rows can be read so."""
        if self.kind != "flat":
            return None
        return super().batches(problems)


def _tables_of(
    opened: OpenedTable,
    kind: FormKind,
    columns: Mapping[str, str],
    problems: Problems,
    *,
    system: str = "",
    repeats_are_runs: bool = False,
) -> Sequence[FlatTable]:
    """The summaries of a table, if it has some.

    Args:
        opened: the table.
        kind: what it holds.
        columns: by role, the columns that the user names.
        problems: where problems are noted.
        system: what its system is called if no column says so, as the user gives it.
        repeats_are_runs: whether rows with the same topic and summarizer are outputs of several runs.
    """
    if kind in ("scores", "judgments", "preferences"):
        return []
    if kind == "judged":
        # The answers are read in a second pass, as judgments; here only the texts count.
        columns = {role: column for role, column in columns.items() if role not in _ANSWER_ROLES}
    return [
        open_flat(
            opened,
            problems,
            columns,
            named=system,
            is_judged=kind == "judged",
            repeats_are_runs=repeats_are_runs,
        )
    ]


_ANSWER_ROLES = (*ONLY_IN_JUDGMENTS, "value", "run", "scores", "judgments")
"""Roles of the columns that say what an assessor answered."""


def _read_judged_summaries(
    opened: OpenedTable,
    columns: Mapping[str, str],
    problems: Problems,
    name: str,
    *,
    repeats_are_runs: bool,
) -> Campaign:
    """The campaign of a table with one row per summary and assessor: the summaries, and the assessors' answers.

    Args:
        opened: the table.
        columns: by role, the columns that the user names.
        problems: where problems are noted.
        name: of the campaign.
        repeats_are_runs: whether several answers of one assessor about a summary are runs.
    """
    (table,) = _tables_of(opened, "judged", columns, problems)
    campaign = join_shards(stream_tables([table], problems), name=name)
    texts = table.columns
    aside = [*texts.references, *texts.documents, texts.summary]
    keys = {"topic": texts.topic, "summarizer": texts.summarizer}
    named = {role: column for role, column in keys.items() if column} | dict(columns)
    judged = read_judged(opened, problems, named, aside=aside, repeats_are_runs=repeats_are_runs)
    return replace(campaign, judgments=judged.judgments, assessors=judged.assessors)


def _find_topics(opened: OpenedTable, kind: FormKind, columns: Mapping[str, str]) -> str | None:
    """The column of topics of a table without summaries.

    Args:
        opened: the table.
        kind: scores or judgments.
        columns: by role, the columns that the user names.
    """
    profile = TableProfile(opened.columns, opened.sample)
    if kind == "scores":
        return find_score_columns(profile, columns).columns.get("topic")
    if kind == "preferences":
        return find_preferences(profile, columns).get("topic")
    answer = recognise_judgments(opened.columns, judgment_columns_of(columns), file=opened.path, rows=opened.sample)
    return None if isinstance(answer, ColumnQuestion) else answer.columns.get("topic")


_FORMS: Mapping[TableKind, FormKind] = {
    "summaries": "flat",
    "judged-summaries": "judged",
    "judgments": "judgments",
    "preferences": "preferences",
    "scores": "scores",
}


def _kind_of(opened: OpenedTable, columns: Mapping[str, str]) -> FormKind:
    """What a table holds, by its columns and its first rows.

    Args:
        opened: the table.
        columns: by role, the columns that the user names.
    """
    profile = TableProfile(opened.columns, opened.sample)
    return _FORMS[recognise(profile, columns, format=opened.format)]
