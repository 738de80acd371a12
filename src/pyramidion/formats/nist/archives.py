"""The files of a package: in folders, in archives, in archives inside archives, all read in place.

An archive is refused as a whole if a member could do harm: a path that leads elsewhere, a link, a size beyond all
reason. Nothing is ever written.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from pyramidion.campaign import Problems
from pyramidion.errors import InputError
from pyramidion.files import guards
from pyramidion.files.opening import note_unreadable, open_file
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.text_files import read_content

_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How members of a zip may be packed; Python unpacks those of all other methods at once, however large they are."""
GIGAWORD = re.compile(r"[a-z]{3}_[a-z]{3}_[0-9]{6}\.gz")
"""A month of Gigaword: opened only if a topic asks for a document in it."""
_NO_ARCHIVES = (".jar", ".docx", ".xlsx", ".pptx", ".odt")
"""Zip files that hold no data of a package."""


@dataclass(frozen=True)
class PackageFile:
    """A file of a package, wherever it is."""

    path: Path
    """As messages show it: that of the archive, then that of the member."""
    inner: PurePosixPath
    """Its path inside the innermost archive, or else below the folder that was given."""
    content: bytes | None = field(default=None, repr=False)
    """None: it is read from disk."""

    @property
    def name(self) -> str:
        """Its name."""
        return self.inner.name

    @property
    def folders(self) -> tuple[str, ...]:
        """The names of the folders above it, the nearest last."""
        return self.inner.parts[:-1]

    def read(self, problems: Problems) -> bytes:
        """Its bytes; none (and an error) if it can't be read."""
        if self.content is not None:
            return self.content
        return read_content(self.path, problems) or b""


def gunzipped(content: bytes) -> bytes:
    """What a compressed file holds.

    Raises:
        OSError: if it is damaged, or holds more than any text would.
    """
    most = guards.largest_archive(len(content))
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        # One byte more than is allowed tells a file that is too large from one that just fits.
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(f"more than {most // 2**20} MB of data in {len(content) // 2**10} kB")
    return data


class _ArchiveError(InputError):
    """Why an archive is not read."""


def all_files(sources: Iterable[Path], problems: Problems) -> list[PackageFile]:
    """Every file of folders and archives, those inside archives included, in order."""
    opening = _Opening(problems)
    files: list[PackageFile] = []
    for source in sources:
        if source.is_dir():
            for path in _below(source):
                files += opening.files(path, PurePosixPath(path.relative_to(source).as_posix()))
        else:
            files += opening.files(source, PurePosixPath(source.name))
    return files


def _below(folder: Path) -> Iterator[Path]:
    """The files in a folder and below, in the order of their names."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file():
                yield path


@dataclass
class _Opening:
    problems: Problems
    left: int = guards.ARCHIVE_BYTES
    """Bytes that archives may still hold."""
    count: int = 0
    size: int = 0
    """Bytes of the archive that is being read, those inside it not counted."""

    def files(self, path: Path, inner: PurePosixPath) -> Iterator[PackageFile]:
        """A file on disk, or the files inside if it is an archive."""
        try:
            with open_file(path, self.problems.files) as file:
                head = file.read(512)
        except OSError as error:
            note_unreadable(path, error, self.problems)
            return
        # A month of Gigaword is large, and only unpacked if a topic lists documents of it.
        if GIGAWORD.fullmatch(path.name) or not _is_archive(path.name, head):
            yield PackageFile(path, inner)
            return
        content = read_content(path, self.problems)
        if content is not None:
            yield from self.archive(path, content)

    def archive(self, path: Path, content: bytes) -> list[PackageFile]:
        """The files inside; none (and an error) if the archive is refused or broken."""
        before = (self.left, self.count)
        self.size = len(content)
        self.left = most = min(self.left, guards.largest_archive(self.size))
        try:
            files = list(self._members(path, PurePosixPath(path.name), content, depth=1))
            # What this archive held counts towards what all archives together may hold.
            self.left = before[0] - (most - self.left)
            return files
        except _ArchiveError as error:
            self._refuse(path, str(error), "Nothing was read from it; unpack it by hand if you trust it.")
        except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error, OSError, ValueError, RuntimeError) as error:
            found = f"an archive that can't be read ({shorten(str(error) or type(error).__name__)})"
            self._refuse(path, found, "Download or copy it again.")
        self.left, self.count = before
        return []

    def _refuse(self, path: Path, found: str, remedy: str) -> None:
        """Note an archive that is not read as an error."""
        Place(self.problems, path).error(
            found=found,
            expected="an archive of plain files",
            remedy=remedy,
        )

    def _members(self, path: Path, inner: PurePosixPath, content: bytes, *, depth: int) -> Iterator[PackageFile]:
        """The file, or all that is inside it."""
        if not _is_archive(inner.name, content[:512]):
            yield PackageFile(path, inner, content)
            return
        if depth > guards.ARCHIVE_DEPTH:
            raise _ArchiveError(f"more than {guards.ARCHIVE_DEPTH} archives inside each other")
        if content.startswith(b"\x1f\x8b"):
            unpacked = self._gunzipped(content)
            name = re.sub(r"\.tgz\Z", ".tar", inner.name, flags=re.I)
            name = re.sub(r"\.gz\Z", "", name, flags=re.I)
            if not _is_tar(unpacked[:512]):
                yield from self._members(path.with_name(name), inner.with_name(name), unpacked, depth=depth + 1)
                return
            content = unpacked
        members = self._tar(content) if _is_tar(content[:512]) else self._zip(content)
        for member, data in members:
            yield from self._members(path / member, PurePosixPath(member), data, depth=depth + 1)

    def _gunzipped(self, content: bytes) -> bytes:
        """The content of a gzip file, if its size is within reason."""
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            return self._bounded(file)

    def _tar(self, content: bytes) -> Iterator[tuple[str, bytes]]:
        """The files of a tar archive; links and devices are refused."""
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            for member in archive:
                name = _check_member_path(member.name)
                if member.isdir():
                    continue
                if not member.isreg() or member.issparse():
                    raise _ArchiveError(f"the member {shorten(member.name)}, which is a link or a device")
                self._count()
                file = archive.extractfile(member)
                yield name, file.read() if file else b""

    def _zip(self, content: bytes) -> Iterator[tuple[str, bytes]]:
        """The files of a zip archive; links, passwords and unknown methods are refused."""
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist():
                name = _check_member_path(member.filename)
                if member.is_dir():
                    continue
                # The upper bits are the file type of Unix: a symbolic link.
                if (member.external_attr >> 28) == 0xA:
                    raise _ArchiveError(f"the member {shorten(member.filename)}, which is a link")
                # Bit 0 of the flags: the member is encrypted.
                if member.flag_bits & 1:
                    raise _ArchiveError("a member that needs a password")
                if member.compress_type not in _BOUNDED:
                    raise _ArchiveError(f"the member {shorten(member.filename)}, compressed with an unsupported method")
                self._count()
                with archive.open(member) as file:
                    yield name, self._bounded(file)

    def _bounded(self, file: gzip.GzipFile | IO[bytes]) -> bytes:
        """What a compressed file holds, if all that is in the archive is within reason."""
        data = file.read(self.left + 1)
        if len(data) > self.left:
            most = min(guards.ARCHIVE_BYTES, guards.largest_archive(self.size))
            raise _ArchiveError(f"more than {most // 2**20} MB of data in {self.size // 2**10} kB of archive")
        self.left -= len(data)
        return data

    def _count(self) -> None:
        """Count a file; too many are refused."""
        self.count += 1
        if self.count > guards.ARCHIVE_FILES:
            raise _ArchiveError(f"more than {guards.ARCHIVE_FILES:,} files")


def _check_member_path(name: str) -> str:
    """A member's path, if it stays below the archive."""
    path = PurePosixPath(name.replace("\\", "/"))
    has_drive = re.match(r"[A-Za-z]:", name) is not None
    leads_out = path.is_absolute() or ".." in path.parts or has_drive
    if leads_out or "\0" in name:
        raise _ArchiveError(f"the member {shorten(name)}, a path that leads out of the archive")
    return str(path)


def _is_archive(name: str, head: bytes) -> bool:
    """Whether a file is a gzip, zip or tar archive that is opened."""
    if name.lower().endswith(_NO_ARCHIVES):
        return False
    # gzip, zip, and a zip without members.
    return head.startswith((b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06")) or _is_tar(head)


def _is_tar(head: bytes) -> bool:
    """Whether a file starts with the header of a tar archive, new or old."""
    return head[257:262] == b"ustar" or _is_old_tar(head)


def _is_old_tar(head: bytes) -> bool:
    """A tar of before 1988 has no mark, but a checksum that fits its header."""
    if len(head) < 512 or not head[:1].strip(b"\0"):
        return False
    try:
        checksum = int(head[148:156].strip(b" \0") or b"x", 8)
    except ValueError:
        return False
    return checksum == sum(head[:148]) + 8 * ord(" ") + sum(head[156:512])
