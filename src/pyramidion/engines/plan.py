"""The plan of a run in shards: which rows of which files make each shard; what tells one run from another."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from pyramidion.engines.storage import NO_SUCH_FILE, Storage, is_url, open_storage, split
from pyramidion.errors import InputError, UsageError, mention
from pyramidion.files.opening import BYTE_ORDER_MARK, UTF16_MARKS, repair_text, stem_of
from pyramidion.files.parquet import count_rows, first_rows
from pyramidion.files.problems import Problems
from pyramidion.intake.cells import keys_of
from pyramidion.intake.column_questions import ColumnQuestion
from pyramidion.intake.nested import leads_into_cells
from pyramidion.intake.opened import SAMPLE_ROWS, RowFormat, sample_of
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.summary_columns import SummaryColumns, recognise_summaries
from pyramidion.measures.registry import Selection
from pyramidion.options import EmptyTreatment
from pyramidion.version import VERSION

SHARD_BYTES = 64 * 2**20
"""Most bytes of a file that make one shard, however long its rows are."""
SAMPLE_BYTES = 4 * 2**20
"""Bytes of a file of lines that are looked at to find out what its columns are."""
FOOTER_BYTES = 8
FORMATS: Mapping[str, Literal["parquet", "jsonl"]] = {".parquet": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl"}


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """A file of flat rows."""

    path: str
    format: Literal["parquet", "jsonl"]
    bytes: int
    rows: int
    fingerprint: str
    """Of the content of JSON lines; of Parquet, of its footer, which says where every page is and how long."""
    summarizer: str
    """Whose summaries they are, if no column says so."""


class Shard(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """Some rows of one file."""

    number: int
    file: int
    before: int
    """Rows (lines) of the file before it."""
    rows: int
    start: int = 0
    """Where its bytes begin and end, in a file of lines."""
    end: int = 0

    @property
    def name(self) -> str:
        """What its files are called."""
        return f"{self.number:06}"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a run does. Two runs with equal plans give the same scores in the same shards."""

    # Part of the plan: two versions may score differently, and their shards must not be mixed.
    version: str = VERSION
    measures: tuple[str, ...]
    partition: int
    on_error: Literal["fail", "skip"]
    seed: int = 0
    exclude: tuple[str, ...] = ()
    empty: EmptyTreatment = "missing"
    columns: dict[str, str] = {}
    inputs: tuple[Input, ...]
    shards: tuple[Shard, ...]

    @property
    def rows(self) -> int:
        """Rows of all files."""
        return sum(file.rows for file in self.inputs)

    def difference(self, other: Plan) -> str:
        """In what another plan is different, in words; nothing if it is the same."""
        words = {
            "version": "another version of pyramidion",
            "inputs": "other data, or data that has changed since",
            "measures": "other measures",
            "partition": "another `partition=`",
            "on_error": "another `on_error=`",
            "seed": "another `seed=`",
            "exclude": "another `exclude=`",
            "empty": "another `empty=`",
            "columns": "other `columns=`",
            "shards": "other shards",
        }
        for field, description in words.items():
            if getattr(self, field) != getattr(other, field):
                return description
        return ""


def make_plan(
    paths: Sequence[str],
    selections: Sequence[Selection],
    *,
    partition: int,
    on_error: Literal["fail", "skip"],
    seed: int = 0,
    exclude: Sequence[str] = (),
    empty: EmptyTreatment = "missing",
    columns: Mapping[str, str] | None = None,
) -> Plan:
    """Look at the files, and divide their rows; JSON lines are read once to find where rows begin.

    Args:
        paths: files (.parquet, .jsonl), and folders or prefixes of them that end in a slash.
        selections: what is scored.
        partition: rows of a shard, about.
        on_error: what becomes of rows with errors.
        seed: of measures that draw.
        exclude: summarizers to leave out.
        empty: whether empty summaries have the score 0 or none.
        columns: by role, the columns that the user names.
    """
    files = dict(file for path in paths for file in _files(path))
    inputs: list[Input] = []
    shards: list[Shard] = []
    for file, (path, summarizer) in enumerate(files.items()):
        storage, name = split(path)
        format = FORMATS[Path(name).suffix.lower()]
        try:
            divide = _divide_parquet if format == "parquet" else _divide_lines
            size, fingerprint, pieces = divide(storage, name, path, partition)
        except FileNotFoundError:
            raise InputError(f"{path}: {NO_SUCH_FILE}") from None
        first = len(shards)
        shards += [Shard(number=first + at, file=file, **vars(piece)) for at, piece in enumerate(pieces)]
        rows = sum(piece.rows for piece in pieces)
        inputs.append(
            Input(path=path, format=format, bytes=size, rows=rows, fingerprint=fingerprint, summarizer=summarizer)
        )
    measures = tuple(selection.name for selection in selections)
    return Plan(
        measures=measures,
        partition=partition,
        on_error=on_error,
        seed=seed,
        exclude=tuple(exclude),
        empty=empty,
        columns=dict(columns or {}),
        inputs=tuple(inputs),
        shards=tuple(shards),
    )


def _files(path: str) -> Iterator[tuple[str, str]]:
    """The files that a path means, with the summarizer if no column says whose the summaries are."""
    is_folder = path.endswith("/") or (not is_url(path) and Path(path).is_dir())
    if not is_folder:
        if Path(path).suffix.lower() not in FORMATS:
            raise UsageError(
                f"{path}: a run in shards reads {', '.join(FORMATS)}; `pyramidion export flat` writes them"
            )
        yield path, stem_of(Path(path))
        return
    storage = open_storage(path)
    names = [name for name in storage.sizes() if "/" not in name and Path(name).suffix.lower() in FORMATS]
    if not names:
        raise InputError(f"{path}: found no files ending in {', '.join(FORMATS)}; check the path")
    for name in names:
        yield storage.full_name(name), repair_text(path.rstrip("/").rpartition("/")[2])


@dataclass(frozen=True)
class _Piece:
    """Some rows of a file, as of a shard."""

    before: int
    rows: int
    start: int = 0
    end: int = 0


_Division = tuple[int, str, list[_Piece]]
"""The bytes of a file, its fingerprint, and its pieces."""


def _divide_lines(storage: Storage, name: str, path: str, partition: int) -> _Division:  # noqa: ARG001  # as of Parquet
    digest = hashlib.blake2b(digest_size=16)
    pieces: list[_Piece] = []
    place = begin = lines = before = 0
    last = b"\n"
    for chunk in storage.chunks(name):
        digest.update(chunk)
        at = 0
        while (line_end := chunk.find(b"\n", at)) >= 0:
            at = line_end + 1
            lines += 1
            # Rows of documents may have a megabyte each: a shard is bounded by bytes as well.
            if lines == partition or place + at - begin >= SHARD_BYTES:
                pieces.append(_Piece(before, lines, begin, place + at))
                begin, before, lines = place + at, before + lines, 0
        place += len(chunk)
        last = chunk[-1:]
    if place > begin:
        # A last line without a line end is a line, too.
        pieces.append(_Piece(before, lines + (last != b"\n"), begin, place))
    return place, digest.hexdigest(), pieces


def _divide_parquet(storage: Storage, name: str, path: str, partition: int) -> _Division:
    folder, _, base = name.rpartition("/")
    sizes = storage.sizes(folder) if is_url(path) else {name: Path(path).stat().st_size}
    if name not in sizes:
        raise InputError(f"{path}: {NO_SUCH_FILE}")
    size = sizes[name]
    # A Parquet file ends in the length of its footer and the mark PAR1.
    tail = storage.read_range(name, max(size - FOOTER_BYTES, 0), size)
    if tail[4:] != b"PAR1":
        raise InputError(f"{path}: {base} is no Parquet file; write it again")
    length = int.from_bytes(tail[:4], "little") + FOOTER_BYTES
    footer = storage.read_range(name, max(size - length, 0), size)
    rows = count_rows(path)
    # By the average row, because Parquet is compressed column by column.
    step = min(max(SHARD_BYTES * rows // max(size, 1), 1), partition)
    pieces = [_Piece(start, min(step, rows - start)) for start in range(0, rows, step)]
    return size, hashlib.blake2b(footer, digest_size=16).hexdigest(), pieces


def columns_of_inputs(inputs: Sequence[Input], named: Mapping[str, str], problems: Problems) -> list[SummaryColumns]:
    """What the columns of every file are, from its first rows; one that has no summaries is an error."""
    columns_of_files: list[SummaryColumns] = []
    for file in inputs:
        sample = _sample(file)
        profile = TableProfile(keys_of(sample), sample)
        format: RowFormat | None = "jsonl" if file.format == "jsonl" else None
        _refuse_paths(file, named, profile)
        columns = recognise_summaries(profile, named, file=file.path, format=format, summarizer=file.summarizer)
        columns.note(problems.at(file.path))
        if isinstance(columns, ColumnQuestion):
            continue
        require_no_runs(file.path, has_runs=columns.has_runs)
        has_several_systems = columns.summarizer or columns.systems
        if columns.topic is None and has_several_systems:
            raise UsageError(
                f"{file.path}: no column has the ids of topics, and the rows of a shard can't be numbered where "
                'several systems share a file; name the column: `columns={"topic": "NAME"}`'
            )
        columns_of_files.append(columns)
    problems.refuse()
    return columns_of_files


def require_no_runs(path: Path | str, *, has_runs: bool) -> None:
    """Refuse a file in which a system has several outputs for a topic: they may lie in different shards.

    Raises:
        InputError: with what to do instead.
    """
    if has_runs:
        raise InputError(
            f"{path}: found several runs of a system; a run in shards can't average them. Score into one file (-o "
            "scores.parquet), or give each run a name of its own"
        )


def _refuse_paths(file: Input, named: Mapping[str, str], profile: TableProfile) -> None:
    """Refuse paths into cells: rows of a shard are read as they are.

    Raises:
        UsageError: if the user names one.
    """
    for role, name in named.items():
        if name not in profile.columns and leads_into_cells(name, profile.rows):
            raise UsageError(
                f"{mention('columns', {role: name})}: a run in shards reads whole columns of {file.path}, no paths "
                "into their cells; write a table with that column first, or score without a folder of results"
            )


def _sample(file: Input) -> list[dict[str, Any]]:
    """The first rows of a file."""
    if file.format == "parquet":
        return first_rows(file.path, SAMPLE_ROWS)
    storage, name = split(file.path)
    start = storage.read_range(name, 0, min(file.bytes, SAMPLE_BYTES)).removeprefix(BYTE_ORDER_MARK)
    if start.startswith(UTF16_MARKS):
        raise InputError(f"{file.path}: found UTF-16 text; expected UTF-8. Convert the file: iconv -f UTF-16 -t UTF-8.")
    return sample_of(start.split(b"\n"))
