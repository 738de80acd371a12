"""Parquet and Arrow files in pieces, read and written: only a few pieces are in memory at once.

An unreadable file is a problem like any other, whatever its bytes do to the reader.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pyramidion.errors import InputError
from pyramidion.files.opening import check_file, is_encodable, note_unreadable, open_file
from pyramidion.files.problems import Problems, shorten
from pyramidion.files.writing import atomic_writer

if TYPE_CHECKING:
    import polars as pl

PARQUET = ".parquet"
ARROW_MARK = b"ARROW1"
"""How an Arrow file begins; an Arrow stream, as Hugging Face `datasets` writes it, does not."""
PIECE_BYTES = 32 * 2**20
PIECE_ROWS = (1024, 32768)
"""Fewest and most rows of a piece. Each piece costs the decoding of its row group, so it must not be too small."""
ROW_GROUP = 1 << 16
CELL_BYTES = 8
"""What a value takes in memory, whatever its column is."""
WAIT_SECONDS = 0.2
"""The time between two looks for a signal."""
METADATA = "pyramidion"
"""The metadata key under which our files keep what no column holds."""


def read_parquet(path: Path, problems: Problems, *, name: Path | None = None) -> Iterator[pl.DataFrame]:
    """The table of a Parquet file in pieces that hold about `PIECE_BYTES` of the file; at least one, perhaps empty.

    Args:
        path: the file.
        problems: where problems are noted,
        name: under this name, if the file is a copy.
    """
    yield from _read_pieces(path, scan_parquet, "a Parquet file", problems, name or path)


def read_arrow(path: Path, problems: Problems, *, name: Path | None = None) -> Iterator[pl.DataFrame]:
    """The table of an Arrow file or stream in pieces, as `read_parquet` gives them; a stream is in memory as a whole.

    Args:
        path: the file.
        problems: where problems are noted,
        name: under this name, if the file is a copy.
    """
    yield from _read_pieces(path, _scan_arrow, "an Arrow table", problems, name or path)


def _read_pieces(
    path: Path, scan: Callable[[Path], pl.LazyFrame], expected: str, problems: Problems, name: Path
) -> Iterator[pl.DataFrame]:
    import polars as pl

    try:
        with open_file(path, problems.files):  # missing, forbidden or a folder: the system's own words are the clearest
            size_bytes = path.stat().st_size
    except OSError as error:
        note_unreadable(name, error, problems)
        return
    try:
        with _one_kind_of_error():
            table = scan(path)
            height = table.select(pl.len()).collect().item()
        fewest, most = PIECE_ROWS
        step = min(max(PIECE_BYTES * height // max(size_bytes, 1), fewest), most)
        for start in range(0, max(height, 1), step):
            with _one_kind_of_error():
                piece = table.slice(start, step).collect()
            yield piece
    except _DamagedError as error:
        problems.at(name).error(shorten(str(error), 120), expected, "Write the file again.")


def scan_parquet(*paths: str | Path) -> pl.LazyFrame:
    """The table of one Parquet file, or of several with the same columns, not yet read."""
    import polars as pl

    names = [_polars_name(path) for path in paths]
    if all(map(is_encodable, names)):
        return pl.scan_parquet(names, glob=False)
    files: list[IO[bytes]] = [Path(name).open("rb") for name in names]  # noqa: SIM115  # Polars takes no other names
    return pl.scan_parquet(files, glob=False)


def _scan_arrow(path: Path) -> pl.LazyFrame:
    import polars as pl

    with open_file(path) as file:
        is_stream = file.read(len(ARROW_MARK)) != ARROW_MARK
    if is_stream:
        return pl.read_ipc_stream(_polars_source(path)).lazy()
    return pl.scan_ipc(_polars_source(path), glob=False)


def _polars_source(path: str | Path) -> str | IO[bytes]:
    """What Polars reads a file from: its name, or the opened file if that is not UTF-8."""
    if is_encodable(str(path)):
        return _polars_name(path)
    return Path(path).open("rb")


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


def exactly(*names: str, are_required: bool = True) -> pl.Expr:
    """The columns of these names; `pl.col` takes * and ^…$ for patterns.

    Args:
        names: of columns.
        are_required: whether a table that lacks one of them is an error.
    """
    import polars.selectors as cs

    return cs.by_name(*names, require_all=are_required).as_expr()


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
        size = pl.sum_horizontal(_bytes(cells.struct.field(field.name), field.dtype) for field in dtype.fields)
    else:
        return pl.lit(CELL_BYTES, dtype=pl.UInt64)
    return size.fill_null(0)


def _polars_name(path: str | Path) -> str:
    """The path as Polars takes it: a folder that is called ~ is not the home folder."""
    name = str(path)
    if name.startswith("~"):
        return f"./{name}"
    return name


def count_rows(path: str | Path) -> int:
    """The number of rows of a Parquet file, as its footer says.

    Raises:
        InputError: if the file is damaged.
        OSError: if it can't be opened.
    """
    import polars as pl

    with _damage_as_input_error(path):
        return int(scan_parquet(path).select(pl.len()).collect().item())


def first_rows(path: str | Path, count: int) -> list[dict[str, Any]]:
    """The first rows of a Parquet file.

    Raises:
        InputError: if the file is damaged.
        OSError: if it can't be opened.
    """
    with _damage_as_input_error(path):
        return scan_parquet(path).head(count).collect().to_dicts()


@contextlib.contextmanager
def _damage_as_input_error(path: str | Path) -> Iterator[None]:
    """What damaged bytes do to Polars as an error of the file."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        found = shorten(str(error), 120)
        raise InputError(f"{path}: found {found}; expected a Parquet file. Write the file again.") from None


def read_columns(path: Path) -> list[str]:
    """The names of the columns; none if the file can't be read, which `read_parquet` reports."""
    try:
        with _one_kind_of_error():
            check_file(path)
            return scan_parquet(path).collect_schema().names()
    except _DamagedError:
        return []


def read_metadata(path: Path) -> str:
    """What a file of ours keeps in its metadata; nothing if it can't be read, which `read_parquet` reports."""
    import polars as pl

    try:
        with _one_kind_of_error():
            check_file(path)
            return pl.read_parquet_metadata(_polars_source(path)).get(METADATA, "")
    except _DamagedError:
        return ""


class _DamagedError(Exception):
    """The reader did not get through the bytes of a file."""


@contextlib.contextmanager
def _one_kind_of_error() -> Iterator[None]:
    """Whatever damaged bytes do to Polars, panics included, is a `_DamagedError`."""
    import polars as pl

    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise _DamagedError(str(error)) from None


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
        while not ended.wait(WAIT_SECONDS):
            pass
    except BaseException:
        stopped.set()
        ended.wait()
        raise
    finally:
        thread.join()
    if failed:
        raise failed[0]
