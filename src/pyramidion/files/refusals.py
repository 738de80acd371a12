"""Errors of the operating system in words: what was found instead of a file, why, and what to do."""

from __future__ import annotations

import errno
from typing import NamedTuple


class Refusal(NamedTuple):
    """An error of the system, as a colleague would say it."""

    found: str
    """In place of the file, after "found"."""
    reason: str
    """In a clause."""
    remedy: str


_CHECK = "Check the path and its permissions."
_ENDS_HERE = "Check the path: a relative one starts in the folder where the command runs."
_NOT_ALLOWED = Refusal(
    "a file that you have no permission to read",
    "permission denied",
    "Ask the owner for access. If it is yours: chmod u+rw FILE; folders on the path need chmod u+rx.",
)
_TOO_MANY = Refusal(
    "too many open files", "too many files are open", "Close other programs, or allow more files: ulimit -n 4096."
)
_FULL = Refusal("a full disk", "the disk is full", "Free some space, or choose another place.")
_REFUSALS = {
    errno.ENOENT: Refusal("no such file", "there is no such file or folder", _ENDS_HERE),
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EISDIR: Refusal("a folder", "it is a folder", "Give a file."),
    errno.ENOTDIR: Refusal(
        "no such file, because a part of the path is a file and not a folder",
        "a part of the path is a file and not a folder",
        _ENDS_HERE,
    ),
    errno.EEXIST: Refusal("a file in place of a folder", "a file is in the way", "Choose another place."),
    errno.EMFILE: _TOO_MANY,
    errno.ENFILE: _TOO_MANY,
    errno.ENAMETOOLONG: Refusal(
        "a name that is too long for a file",
        "the name is too long for a file",
        "Check that it is a path, and shorten its names.",
    ),
    errno.ELOOP: Refusal("links that lead in a circle", "its links lead in a circle", "Correct the links."),
    errno.EROFS: Refusal("a disk that is read-only", "the disk is read-only", "Choose another place."),
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL._replace(found="a used-up quota", reason="your disk quota is used up"),
    errno.EFBIG: Refusal(
        "a file that is too large for this disk or its limit",
        "the file is too large for this disk or its limit",
        "Raise the limit (ulimit -f), or choose another place.",
    ),
    errno.EIO: Refusal("a disk error", "the disk reported an error", "Copy the file from elsewhere."),
}


def refusal_of(error: OSError) -> Refusal:
    """The error in words; one of our own, or one that is rare, in its own."""
    words = error.strerror or str(error)
    in_its_own_words = Refusal(words, words, _CHECK)
    if type(error).__module__.startswith("pyramidion.files."):
        return in_its_own_words
    return _REFUSALS.get(error.errno or 0, in_its_own_words)
