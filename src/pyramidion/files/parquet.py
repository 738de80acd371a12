"""Parquet files in pieces, read and written: only a few pieces are in memory at once.

An unreadable file is a problem like any other, whatever its bytes do to the reader.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pyramidion.files.footer import CELL_BYTES, bytes_within
from pyramidion.files.forks import check_fork
from pyramidion.files.lines import note_unreadable
from pyramidion.files.packed import MOST_TIMES, grows_too_far
from pyramidion.files.paths import check_file, open_file
from pyramidion.files.problems import Problems, shorten
from pyramidion.files.scratch import utf8_path
from pyramidion.files.writing import atomic_writer

if TYPE_CHECKING:
    import polars as pl

PARQUET = ".parquet"
PIECE_BYTES = 32 * 2**20
PIECE_ROWS = (1024, 32768)
"""Fewest and most rows of a piece. Each piece costs the decoding of its row group, so it must not be too small."""
ROW_GROUP = 1 << 16
GROWING = f"values that grow to more than {MOST_TIMES} times the size of the file"
WAIT = 0.2
"""Seconds between two looks for a signal."""
METADATA = "pyramidion"
"""The metadata key under which our files keep what no column holds."""


def read_pieces(
    path: Path, problems: Problems, *, name: Path | None = None, size: int | None = None, what: str = "a Parquet file"
) -> Iterator[pl.DataFrame]:
    """The table in pieces that hold about `PIECE_BYTES` of the file; an empty table is one empty piece.

    Args:
        path: the file.
        problems: where problems are noted,
        name: under this name, if the file is a copy.
        size: the bytes of the file that it was made from, if it was converted.
        what: what that file should be.
    """
    import polars as pl

    check_fork()
    name = name or path

    try:
        with open_file(path) as file:  # missing, forbidden or a folder: the system's own words are the clearest
            size, within = size or path.stat().st_size, bytes_within(file)
    except OSError as error:
        note_unreadable(name, error, problems)
        return
    try:
        _check_growth(within, size)
        with _careful():
            table = scanned(path)
            height = table.select(pl.len()).collect().item()
        cells = 0
        step = min(max(PIECE_BYTES * height // max(size, 1), PIECE_ROWS[0]), PIECE_ROWS[1])
        for start in range(0, max(height, 1), step):
            with _careful():
                piece = table.slice(start, step).collect()
            cells += int(piece.select(_texts(piece).sum()).item())
            _check_growth(cells, size)
            yield piece
    except _DamagedError as error:
        problems.at(name).error(shorten(str(error), 120), what, "Write the file again.")


def scanned(*paths: str | Path) -> pl.LazyFrame:
    """The table of one file, or of several with the same columns, not yet read."""
    import polars as pl

    check_fork()
    return pl.scan_parquet([utf8_path(path) for path in paths], glob=False)


def rows_in(frame: pl.DataFrame) -> Iterator[dict[str, Any]]:
    """The rows as dictionaries, made a few at a time: equal strings share their memory in a frame, not in Python."""
    for part in by_bytes(frame, PIECE_BYTES):
        yield from part.to_dicts()


def by_bytes(frame: pl.DataFrame, most: int) -> Iterator[pl.DataFrame]:
    """The frame in parts whose texts have about so many bytes, each of at least one row."""
    ends = frame.select(_texts(frame).cum_sum()).to_series()
    start = 0
    while start < frame.height:
        before = ends[start - 1] if start else 0
        end = max(int(ends.search_sorted(before + most, side="right")), start + 1)
        yield frame[start:end]
        start = end


def exactly(*names: str) -> pl.Expr:
    """The columns of these names; `pl.col` takes * and ^…$ for patterns."""
    import polars.selectors as cs

    return cs.by_name(*names).as_expr()


def _texts(frame: pl.DataFrame) -> pl.Expr:
    """How many bytes of text each row has."""
    import polars as pl

    texts = [_bytes(exactly(name), dtype) for name, dtype in frame.schema.items()]
    return pl.sum_horizontal(pl.repeat(0, pl.len(), dtype=pl.UInt64), *texts)


def _bytes(cells: pl.Expr, dtype: Any) -> pl.Expr:
    """How many bytes the cells of a column hold, in lists and objects, too."""
    import polars as pl

    if dtype == pl.String:
        size = cells.str.len_bytes().cast(pl.UInt64) + CELL_BYTES
    elif isinstance(dtype, pl.Categorical | pl.Enum):
        size = cells.cat.len_bytes().cast(pl.UInt64) + CELL_BYTES
    elif isinstance(dtype, pl.List):
        size = cells.list.eval(_bytes(pl.element(), dtype.inner)).list.sum()
    elif isinstance(dtype, pl.Struct):
        size = pl.sum_horizontal(_bytes(cells.struct.field(one.name), one.dtype) for one in dtype.fields)
    else:
        return pl.lit(CELL_BYTES, dtype=pl.UInt64)
    return size.fill_null(0)


def read_columns(path: Path) -> list[str]:
    """The names of the columns; none if the file can't be read, which `read_pieces` reports."""
    try:
        with _careful():
            check_file(path)
            return scanned(path).collect_schema().names()
    except _DamagedError:
        return []


def read_metadata(path: Path) -> str:
    """What a file of ours keeps in its metadata; nothing if it can't be read, which `read_pieces` reports."""
    import polars as pl

    try:
        with _careful():
            check_file(path)
            return pl.read_parquet_metadata(utf8_path(path)).get(METADATA, "")
    except _DamagedError:
        return ""


def _check_growth(held: int, size: int) -> None:
    """Refuse a small file that holds the same values again and again, as a compressed one that grows is refused."""
    if grows_too_far(held, size):
        raise _DamagedError(GROWING)


class _DamagedError(Exception):
    """The reader did not get through the bytes of a file."""


@contextlib.contextmanager
def _careful() -> Iterator[None]:
    """Whatever damaged bytes do to the reader is one kind of error; what it prints when it panics is not shown."""
    import polars as pl

    with _captured_errors() as captured:
        try:
            yield
        except pl.exceptions.PanicException as error:
            captured.truncate(0)
            raise _DamagedError(str(error)) from None
        except (OSError, pl.exceptions.PolarsError) as error:
            raise _DamagedError(str(error)) from None


@contextlib.contextmanager
def _captured_errors() -> Iterator[IO[bytes]]:
    """What is written to the standard error of the process meanwhile, printed at the end as far as it is still there.

    Polars prints from threads of its own, so the file descriptor itself is exchanged: by the first of several threads
    that read, until the last of them is done.
    """
    with _LOCK:
        if not _READERS:
            with contextlib.suppress(OSError):  # there may be no standard error
                _READERS.append(_Exchanged())
        else:
            _READERS[0].users += 1
    exchanged = _READERS[0] if _READERS else None
    try:
        yield exchanged.file if exchanged else io.BytesIO()
    finally:
        with _LOCK:
            if exchanged is not None:
                exchanged.users -= 1
                if not exchanged.users:
                    _READERS.clear()
                    exchanged.restore()


class _Exchanged:
    """The standard error of the process, replaced by a temporary file."""

    def __init__(self) -> None:
        self.users = 1
        self.before = os.dup(2)
        self.file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # until `restore`
        os.dup2(self.file.fileno(), 2)

    def restore(self) -> None:
        os.dup2(self.before, 2)
        os.close(self.before)
        with self.file:
            self.file.seek(0)
            if printed := self.file.read():
                os.write(2, printed)


_LOCK = threading.Lock()
_READERS: list[_Exchanged] = []
"""The one exchange that is under way, if any."""


def stream_parquet(
    frames: Iterable[pl.DataFrame],
    path: Path,
    *,
    schema: Mapping[str, Any],
    metadata: Mapping[str, str] | None = None,
    row_group: int = ROW_GROUP,
) -> None:
    """Write the frames, in order, into one file, whole or not at all."""
    from polars.io.plugins import register_io_source

    check_fork()

    def source(*_: object) -> Iterator[pl.DataFrame]:
        # The query below asks for all rows and columns: there is nothing to push down.
        for frame in frames:
            if stopped.is_set():  # an error would leave a thread of Polars behind, which may end after Python
                return
            yield frame

    stopped = threading.Event()
    query = register_io_source(source, schema=dict(schema), is_pure=False)
    with atomic_writer(path) as file:
        sink = functools.partial(
            query.sink_parquet,
            metadata=dict(metadata or {}),
            row_group_size=row_group,
            maintain_order=True,
            compression="zstd",
        )
        noting = _Noting(file)
        try:
            _interruptible(lambda: sink(noting), stopped)
        except Exception:
            if noting.refused is not None:
                raise noting.refused from None
            raise


class _Noting:
    """A file that remembers what the system refused: Polars says only that something went wrong."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.refused: OSError | None = None

    def write(self, content: bytes) -> int:
        """Write, or note why not."""
        try:
            return self._file.write(content)
        except OSError as error:
            self.refused = error
            raise

    def flush(self) -> None:
        """Nothing: the file is flushed and synced at the end."""


def _interruptible(work: Callable[[], object], stopped: threading.Event) -> None:
    """Work in another thread: Polars would keep this one from hearing of a signal until everything is done."""
    failed: list[BaseException] = []
    ended = threading.Event()  # a join that is interrupted takes the thread for ended (Python 3.11)

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while not ended.wait(WAIT):
            pass
    except BaseException:
        stopped.set()
        ended.wait()
        raise
    finally:
        thread.join()
    if failed:
        raise failed[0]
