"""Names of sets, parts, summarizers and documents in NIST's packages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

_SET = re.compile(r"(?P<set>[A-Za-z]*[0-9]{2,})(?P<selector>[A-Za-z])?(?:-(?P<part>[A-Za-z]{1,3}))?", re.ASCII)
# Three digits in 2005 (d301), four later (D0601); a bare number is a summarizer.
_TOPIC = re.compile(r"(?P<set>[A-Za-z]+[0-9]{3,})(?:-(?P<part>[A-Za-z]{1,3}))?", re.ASCII)
_DIGITS = re.compile(r"[A-Za-z]*([0-9]+)")
_DATE_IN_ID = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})\.")

_RANGE = re.compile(r"(\d{1,4})\.\.(\d{1,4})")
_LONGEST_RANGE = 200
"""Summarizers that a range may have, so that a slip of the pen does not become thousands of them."""

BASELINES = {(2005, ""): "1", (2006, ""): "1", (2007, ""): "1,2", (2007, "A"): "35,58", (2008, "A"): "0"}
"""By year and task (with parts or without), as NIST numbered them; the headers of tables say it as well."""
# TAC 2009 only: the other years have five points under the same names of questions.
TEN_POINTS = (2009,)
"""Years in which assessors used ten points instead of five."""
CATEGORIES = (
    "Accidents and Natural Disasters",
    "Attacks",
    "Health and Safety",
    "Endangered Resources",
    "Investigations and Trials",
)
"""Of guided topics (TAC 2010 and 2011), numbered from 1."""


class SetName(NamedTuple):
    """A set as topic files and folders of documents name it: D0601A, D0703A-B."""

    set: str
    selector: str
    part: str

    @property
    def topic(self) -> str:
        """The topic, as file names of summaries have it: D0601, D0703-B."""
        if self.part:
            return f"{self.set}-{self.part}"
        return self.set


def parse_set(name: str) -> SetName | None:
    """A set with its selector, `D0601A` or `D0703A-B`; None if it is no such name."""
    match = _SET.fullmatch(name.strip())
    if match is None:
        return None
    return SetName(match["set"], match["selector"] or "", match["part"] or "")


def is_topic(name: str) -> bool:
    """Whether a cell of a table names a topic, `D0601` or `D0703-B`."""
    return _TOPIC.fullmatch(name) is not None


def parts_of(topic: str) -> tuple[str, str]:
    """The set and the part of a topic; the part is empty where there is none."""
    set, _, part = topic.partition("-")
    return set, part


def year_of(topic: str) -> int | None:
    """The year of a topic: D0601 is of 2006, D301 (three digits) of 2005."""
    digits = _DIGITS.match(topic)
    if digits is None:
        return None
    if len(digits[1]) == 3:
        return 2005
    if len(digits[1]) == 4:
        # The first two of four digits are the year: D0601 is the first topic of 2006.
        return 2000 + int(digits[1][:2])
    return None


def plain_number(summarizer: str) -> str:
    """A summarizer without zeros in front: 01 is 1."""
    if summarizer.isdecimal():
        return summarizer.lstrip("0") or "0"
    return summarizer


def date_in(id: str) -> str:
    """The date in a document's id, APW19990102.0011 → 1999-01-02; nothing if there is none."""
    match = _DATE_IN_ID.search(id)
    if match:
        return iso_date(*map(int, match.groups()))
    return ""


def iso_date(year: int, month: int, day: int) -> str:
    """A date as in ISO 8601; nothing if there is no such day."""
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def numbers_in(text: str) -> list[str]:
    """Summarizers as headers of tables name them: `1..2`, `35,58`, `A..J`."""
    numbers: list[str] = []
    for piece in re.split(r"[,\s]+|\band\b", text.strip()):
        ends = _RANGE.fullmatch(piece)
        if ends:
            first, last = int(ends[1]), int(ends[2])
            numbers += map(str, range(first, min(last, first + _LONGEST_RANGE) + 1))
        elif piece:
            numbers.append(piece)
    return numbers


def natural(id: str) -> tuple[int, int, str]:
    """Numbers as numbers, then letters."""
    # Python refuses to read numbers of more than 4,300 digits; no id needs as many.
    if id.isdecimal():
        return (0, int(id[:18]), id)
    return (1, 0, id)


@dataclass
class Spellings:
    """One spelling for each topic: D0601 in one file is d0601 in another. The first one that is given stays."""

    _known: dict[str, str] = field(default_factory=dict)

    def __call__(self, topic: str) -> str:
        """The topic as it was spelled first."""
        return self._known.setdefault(topic.casefold(), topic)

    def know(self, topics: Iterable[str]) -> None:
        """Take spellings in this order."""
        for topic in topics:
            self(topic)
