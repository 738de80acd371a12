"""Where a run in shards reads and writes: a folder on this computer, or an object store (s3://, gs://, az://).

A file appears whole or not at all. On disk it is written under a temporary name, synced and renamed; in an object store
an upload is not there before it is complete.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from pyramidion.errors import InputError, MissingExtraError, UsageError
from pyramidion.files.opening import is_encodable, open_file
from pyramidion.files.writing import atomic_writer

SCHEMES = ("s3", "gs", "az")
CHUNK_BYTES = 8 * 2**20
NO_SUCH_FILE = "there is no such file; check the path"


class Storage(Protocol):
    """Files in one place, each called by its name there."""

    place: str

    def read(self, name: str) -> bytes:
        """A whole file."""

    def read_range(self, name: str, start: int, end: int) -> bytes:
        """Some bytes of a file."""

    def chunks(self, name: str) -> Iterator[bytes]:
        """A file from its beginning to its end, in pieces."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all; afterwards it is safe."""

    def sizes(self, folder: str = "") -> dict[str, int]:
        """The files in a folder, those of folders in it included, with their sizes in bytes."""

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    def full_name(self, name: str) -> str:
        """What others open the file by."""


def is_url(path: object) -> bool:
    """Whether a path leads to an object store."""
    return "://" in str(path)


def open_storage(place: str | Path) -> Storage:
    """The folder, or the bucket with a prefix, of this name."""
    if not is_url(place):
        return Folder(Path(place))
    scheme = str(place).partition("://")[0]
    if scheme not in SCHEMES:
        schemes = ", ".join(f"{name}://" for name in SCHEMES)
        raise UsageError(f"{place}: paths start with {schemes} or are on this computer")
    if not str(place).partition("://")[2].strip("/"):
        raise UsageError(f"{place}: expected a bucket, such as {scheme}://bucket/folder")
    if not is_encodable(str(place)):
        raise UsageError(f"{place}: found bytes that are not UTF-8; expected an address in UTF-8")
    return ObjectStore(str(place).rstrip("/"))


def split(path: str) -> tuple[Storage, str]:
    """Where a file is, and its name there."""
    if is_url(path):
        scheme, _, rest = path.partition("://")
        folder, _, name = rest.rpartition("/")
        return open_storage(f"{scheme}://{folder}"), name
    return Folder(Path(path).parent), Path(path).name


class Folder:
    """A folder on this computer, or on a file system that several computers share."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.place: str = str(path)

    def read(self, name: str) -> bytes:
        """A whole file."""
        with open_file(self.path / name) as file:
            return file.read()

    def read_range(self, name: str, start: int, end: int) -> bytes:
        """Some bytes of a file."""
        with open_file(self.path / name) as file:
            file.seek(start)
            return file.read(end - start)

    def chunks(self, name: str) -> Iterator[bytes]:
        """A file from its beginning to its end, in pieces."""
        with open_file(self.path / name) as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole or not at all."""
        with atomic_writer(self.path / name) as file:
            file.write(content)

    def sizes(self, folder: str = "") -> dict[str, int]:
        """The files in a folder; those that were being written are not there yet."""
        sizes = {}
        for path in sorted((self.path / folder).rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                sizes[path.relative_to(self.path).as_posix()] = path.stat().st_size
        return sizes

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        (self.path / name).unlink(missing_ok=True)

    def full_name(self, name: str) -> str:
        """The path."""
        return str(self.path / name)


class ObjectStore:
    """A bucket with a prefix. Credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_ENDPOINT_URL, …)."""

    def __init__(self, place: str) -> None:
        try:
            import obstore
            from obstore.store import from_url
        except ImportError:
            raise MissingExtraError(f"reading and writing {place}", "s3") from None
        self.place = place
        self._obstore: Any = obstore
        # A store on one's own computer or network seldom has a certificate.
        is_unencrypted = os.environ.get("AWS_ENDPOINT_URL", "").startswith("http://")
        self._store: Any = from_url(place, client_options={"allow_http": is_unencrypted})

    def read(self, name: str) -> bytes:
        """A whole object."""
        with self._clear_errors(name):
            return bytes(self._obstore.get(self._store, name).bytes())

    def read_range(self, name: str, start: int, end: int) -> bytes:
        """Some bytes of an object."""
        with self._clear_errors(name):
            return bytes(self._obstore.get_range(self._store, name, start=start, end=end)) if end > start else b""

    def chunks(self, name: str) -> Iterator[bytes]:
        """An object from its beginning to its end, in pieces."""
        with self._clear_errors(name):
            yield from map(bytes, self._obstore.get(self._store, name).stream(min_chunk_size=CHUNK_BYTES))

    def write(self, name: str, content: bytes) -> None:
        """Write an object; it is not there before all of it is."""
        with self._clear_errors(name):
            self._obstore.put(self._store, name, content)

    def sizes(self, folder: str = "") -> dict[str, int]:
        """The objects whose names start with the folder's."""
        with self._clear_errors(folder):
            pages = self._obstore.list(self._store, prefix=folder or None)
            sizes = {entry["path"]: entry["size"] for page in pages for entry in page}
            return dict(sorted(sizes.items()))

    def remove(self, name: str) -> None:
        """Remove an object, if it is there."""
        with self._clear_errors(name), contextlib.suppress(FileNotFoundError):
            self._obstore.delete(self._store, name)

    def full_name(self, name: str) -> str:
        """The address."""
        return f"{self.place}/{name}"

    @contextlib.contextmanager
    def _clear_errors(self, name: str) -> Iterator[None]:
        """Errors of the store in the words of the package."""
        try:
            yield
        except FileNotFoundError:
            raise InputError(f"{self.full_name(name)}: {NO_SUCH_FILE}") from None
        except self._obstore.exceptions.BaseError as error:
            first = str(error).partition("\n")[0][:200]
            raise InputError(
                f"{self.full_name(name)}: {first}; check the address, the credentials and the network"
            ) from None
