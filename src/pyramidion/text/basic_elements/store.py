"""Where elements are kept, so that no text is parsed twice: a small SQLite file next to the campaign.

It is a cache: what can't be read, or was changed by anyone else, is forgotten, and where nothing can be written nothing
is kept. Neither is an error.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

from pyramidion.text.basic_elements.parser import Parser
from pyramidion.text.overlap import BasicElement

FILE = "basic-elements.sqlite"
SCHEMA_VERSION = 2
TIMEOUT = 5.0
"""Seconds to wait for another process that writes to the same file."""
# Versions of SQLite before 3.32 take at most 999 values in a query.
_ASKED_AT_ONCE = 500


def key_of(sentences: Sequence[str], parser: Parser) -> bytes:
    """What a text's elements are filed under: its content, the parser and the parser's version."""
    content = json.dumps([parser.name, parser.version, list(sentences)]).encode()
    return hashlib.blake2b(content, digest_size=20).digest()


def checksum_of(key: bytes, content: str) -> bytes:
    """What shows that an entry is as it was written, and under its own key."""
    return hashlib.blake2b(key + content.encode(errors="surrogatepass"), digest_size=16, person=b"elements").digest()


class ElementStore:
    """Elements by key. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / FILE
        self._connection = None if self._path is None else _open(self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, keys: Iterable[bytes]) -> dict[bytes, list[BasicElement]]:
        """What is kept under these keys; an entry that can't be read is as good as none."""
        all_keys = list(keys)
        elements_by_key: dict[bytes, list[BasicElement]] = {}
        for start in range(0, len(all_keys), _ASKED_AT_ONCE):
            for key, content, checksum in self._rows(all_keys[start : start + _ASKED_AT_ONCE]):
                elements = _decode_elements(key, content, checksum)
                if elements is not None:
                    elements_by_key[key] = elements
        return elements_by_key

    def put(self, elements: Mapping[bytes, Sequence[BasicElement]]) -> None:
        """Keep these, all or none of them."""
        if self._connection is None or not elements:
            return
        contents = {key: json.dumps(list(key_elements)) for key, key_elements in elements.items()}
        rows = [(key, content, checksum_of(key, content)) for key, content in contents.items()]
        try:
            with self._connection:
                self._connection.executemany("INSERT OR REPLACE INTO elements VALUES (?, ?, ?)", rows)
        except sqlite3.Error as error:
            self._give_up(error)

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _rows(self, keys: Sequence[bytes]) -> list[tuple[bytes, object, object]]:
        """The entries under these keys; none if the file can't be read."""
        if self._connection is None:
            return []
        marks = ",".join("?" * len(keys))
        try:
            query = f"SELECT key, elements, checksum FROM elements WHERE key IN ({marks})"
            return self._connection.execute(query, list(keys)).fetchall()
        except sqlite3.Error as error:
            self._give_up(error)
            return []

    def _give_up(self, error: sqlite3.Error) -> None:
        """A damaged file is made anew; one that is locked or can't be written is left alone."""
        if self._path is not None and not isinstance(error, sqlite3.OperationalError):
            self.close()
            self._connection = _make_anew(self._path)


def _open(path: Path) -> sqlite3.Connection | None:
    """A connection to the file, which is made if need be; None where that is impossible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        ignore = path.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text("# Made by pyramidion; safe to remove.\n*\n", encoding="utf-8")
    except OSError:
        pass  # what an earlier run kept in a read-only place may still be read
    try:
        return _connect(path)
    except sqlite3.OperationalError:
        return None
    except sqlite3.Error:
        return _make_anew(path)


def _make_anew(path: Path) -> sqlite3.Connection | None:
    """A connection to an empty file in place of a damaged one; None where that is impossible."""
    try:
        path.unlink(missing_ok=True)
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
        return _connect(path)
    except (OSError, sqlite3.Error):
        return None


def _connect(path: Path) -> sqlite3.Connection:
    """A connection with our table in it.

    Raises:
        sqlite3.OperationalError: if the file can't be opened, or is locked.
        sqlite3.Error: another one, if the file is damaged or something else.
    """
    connection = sqlite3.connect(path, timeout=TIMEOUT)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        if not tables:
            connection.execute(
                "CREATE TABLE IF NOT EXISTS elements "
                "(key BLOB PRIMARY KEY, elements TEXT NOT NULL, checksum BLOB NOT NULL)"
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            connection.commit()
        elif tables != ["elements"] or version != SCHEMA_VERSION:
            raise sqlite3.DatabaseError("not a store of elements, or of another version")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _decode_elements(key: bytes, content: object, checksum: object) -> list[BasicElement] | None:
    """The elements of an entry; None if it was changed by somebody else or can't be read."""
    if not isinstance(content, str) or checksum != checksum_of(key, content):
        return None
    try:
        rows = json.loads(content)
    except ValueError:
        return None
    if not isinstance(rows, list):
        return None
    elements: list[BasicElement] = []
    for row in rows:
        match row:
            case [str(head), str(modifier), str(relation)]:
                elements.append((head, modifier, relation))
            case _:
                return None
    return elements
