"""Arrow tables, converted to Parquet by a process of their own.

The reader of Arrow files trusts their bytes: those of a damaged file make it ask for any amount of memory, and end the
process. Here it ends one that nobody waits for, and the damage is an error like any other.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

from pyramidion.files.messages import bytes_of_messages
from pyramidion.files.packed import grows_too_far
from pyramidion.files.parquet import GROWING
from pyramidion.files.paths import open_file
from pyramidion.files.scratch import NO_ROOM, no_scratch, scratch_file, utf8_path

_CONVERT = """
import sys
import polars as pl
source, target = sys.argv[1:]
try:
    with open(source, "rb") as file:
        is_file = file.read(6) == b"ARROW1"
    (pl.scan_ipc(source, glob=False) if is_file else pl.read_ipc_stream(source).lazy()).sink_parquet(target)
except BaseException as error:
    print(str(error).partition("\\n")[0], file=sys.stderr)
    sys.exit(1)
"""


class ArrowError(ValueError):
    """The file is no Arrow table, a damaged one, or one made to fill the memory of whoever reads it."""


def as_parquet(path: Path) -> Path:
    """A Parquet file with the table of an Arrow file or stream, as Hugging Face `datasets` writes it.

    Raises:
        ArrowError: if the table can't be read.
        InputError: if there is no room for the Parquet file.
    """
    facts = path.stat()
    with open_file(path) as file:
        if grows_too_far(bytes_of_messages(file), facts.st_size):
            raise ArrowError(GROWING)
    converted = _convert(path.absolute(), facts.st_mtime_ns, facts.st_size)
    if isinstance(converted, str):
        raise ArrowError(converted)
    return converted


@functools.lru_cache(maxsize=256)  # a table is looked at several times: its columns, its first rows, all of them
def _convert(path: Path, *_: int) -> Path | str:
    """The Parquet file, or why there is none: a damaged table, too, is converted once."""
    target = scratch_file("table.parquet")
    words = [sys.executable, "-c", _CONVERT, utf8_path(path), str(target)]
    ended = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    said = ended.stderr.decode(errors="replace").strip()
    if (full := re.search(r"\(os error (\d+)\)", said)) and int(full[1]) in NO_ROOM:
        raise no_scratch(OSError(int(full[1]), os.strerror(int(full[1]))))
    if ended.returncode == 1:
        return said.rpartition("\n")[2] or "no Arrow table"
    if ended.returncode:
        return "bytes that no Arrow table has"
    return target
