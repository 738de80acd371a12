"""The limits are in one table, and the documentation has the same numbers."""

from __future__ import annotations

from pathlib import Path

from pyramidion.files import guards

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "reliability.md"
MEGABYTE = 2**20
HARMLESS = f"{guards.HARMLESS_BYTES // MEGABYTE} MB"
DOCUMENTED = {
    "a compressed file (`.gz`, `.zst`), unpacked": f"{guards.MOST_TIMES} times its size, or {HARMLESS}",
    "an archive, unpacked": f"{guards.ARCHIVE_MOST_TIMES} times its size, or {HARMLESS}",
    "all archives of a package, unpacked": f"{guards.ARCHIVE_BYTES // MEGABYTE:,} MB",
    "files in them": f"{guards.ARCHIVE_FILES:,}",
    "archives inside archives": f"{guards.ARCHIVE_DEPTH}",
    "a sample in a log of inspect_ai": f"{guards.LOG_MEMBER_BYTES // MEGABYTE} MB",
    "blank lines of a table or a file of JSON lines": f"{guards.BLANK_LINES:,}",
    "files and folders looked at to find those of a format": f"{guards.FOLDER_ENTRIES:,}",
    "folders looked at to find a package of NIST": f"{guards.PACKAGE_FOLDERS:,}",
    "XML: elements inside elements": f"{guards.XML_DEPTH}",
    "XML: documents in one file": f"{guards.XML_DOCUMENTS}",
    "pickles: lists inside lists": f"{guards.PICKLE_DEPTH}",
    "JSON, TOML: objects and lists inside each other": f"{guards.JSON_DEPTH}",
    "characters of an id": f"{guards.ID_CHARACTERS:,}",
    "characters of a repeat in an expression of DUCView": f"{guards.RULE_CHARACTERS}",
    "problems kept in full, of each severity": f"{guards.PROBLEMS_KEPT:,}",
    "characters of what a message says was found": f"{guards.FOUND_CHARACTERS:,}",
    "hours until an unfinished file is removed": f"{guards.ABANDONED_SECONDS // 3600}",
}


def test_the_page_on_reliability_has_the_limits_of_the_code() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("| what a file may take | at most |\n|---|---:|\n")[2]
    lines = table.partition("\n\n")[0].splitlines()
    assert lines == [f"| {what} | {most} |" for what, most in DOCUMENTED.items()]


def test_what_is_small_may_grow_and_what_is_large_may_grow_five_hundred_times() -> None:
    assert not guards.grows_too_far(guards.HARMLESS_BYTES, 1)
    assert guards.grows_too_far(guards.HARMLESS_BYTES + 1, 1)
    assert not guards.grows_too_far(500 * MEGABYTE, MEGABYTE)
    assert guards.grows_too_far(500 * MEGABYTE + 1, MEGABYTE)
    assert guards.largest_archive(1) == guards.HARMLESS_BYTES
    assert guards.largest_archive(MEGABYTE) == 200 * MEGABYTE
