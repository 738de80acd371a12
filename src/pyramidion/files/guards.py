"""All limits on what a file may do to whoever reads it, in one table; docs/reference/reliability.md says against what.

Each is far beyond what honest files need. Readers use them as `guards.NAME`.
"""

from __future__ import annotations

_MB = 2**20

# Compressed files (.gz, .zst, members of .eval logs) and texts that a pickle repeats
MOST_TIMES = 500
"""How often its own size a compressed file may grow to: text shrinks to a tenth, repeated documents to a hundredth."""
HARMLESS_BYTES = 64 * _MB
"""What any compressed file may grow to, however small it is."""

# Files of lines
BLANK_LINES = 1_000_000
"""Blank lines of a table or a file of JSON lines: a small compressed file can hold as many as its limit has bytes."""

# Archives (.zip, .tar, .tgz)
ARCHIVE_MOST_TIMES = 200
"""How often its own size an archive may grow to, above `HARMLESS_BYTES`; text is some five times larger."""
ARCHIVE_BYTES = 2048 * _MB
"""Bytes of all archives of a package together, unpacked: the largest real one has a fifth of it."""
ARCHIVE_FILES = 500_000
"""Files in all archives of a package together."""
ARCHIVE_DEPTH = 5
"""Archives inside archives; NIST's have two."""
LOG_MEMBER_BYTES = 256 * _MB
"""Bytes of a sample in a log of inspect_ai: no log of texts has a larger one."""

# Folders that a user gives
FOLDER_ENTRIES = 20_000
"""Files and folders that are looked at to find those of a format."""
PACKAGE_FOLDERS = 2_000
"""Folders that are looked at to find out whether one of them is a package of NIST."""

# XML
XML_DEPTH = 64
"""Elements inside elements: no format of ours nests deeper."""
XML_DOCUMENTS = 100
"""Documents in one file: a program that appends instead of replacing leaves a few, not thousands."""

# Pickles
PICKLE_DEPTH = 32
"""Lists inside lists: no dictionary of scores nests deeper."""
PICKLE_ARGUMENT = 16
"""Characters or bytes: a call makes one number of NumPy, or its type; with a long text, many calls fill the memory."""
PICKLE_KEY = 2**61 - 1
"""Python's hash of a whole number is the rest of a division by this: larger ones can be made to collide."""
PICKLE_BITS = 1024
"""Bits of a whole number: no float holds a larger one."""

# Values
JSON_DEPTH = 64
"""Objects and lists inside each other, in JSON and in TOML."""
ID_CHARACTERS = 10_000
"""Characters of an id: a longer one is a text in the wrong column."""
CELL_CHARACTERS = 2**31 - 1
"""Characters of a cell of CSV; the library's own limit is shorter than an article."""
RULE_CHARACTERS = 400
"""Characters of a rule of dashes, and of any other repeat, in the header of a model in DUCView's files."""

# What is told about a file
PROBLEMS_KEPT = 10_000
"""Problems of each severity kept in full; the rest are only counted, so that a million bad rows fit in memory."""
FOUND_CHARACTERS = 4_000
"""Characters of what a message says was found: a header may have a million columns."""

# What a killed process leaves behind
ABANDONED_SECONDS = 24 * 3600
"""Age of a temporary file after which the next process removes it."""


def grows_too_far(size_bytes: int, packed_bytes: int) -> bool:
    """Whether something that takes so many bytes in a file may not have so many bytes when it is unpacked."""
    return size_bytes > max(MOST_TIMES * packed_bytes, HARMLESS_BYTES)


def largest_archive(packed_bytes: int) -> int:
    """How many bytes the content of an archive of this size may have."""
    return max(HARMLESS_BYTES, ARCHIVE_MOST_TIMES * packed_bytes)
