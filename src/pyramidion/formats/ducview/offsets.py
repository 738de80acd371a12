"""Offsets of a DUCView file as code points of its text, checked against the labels that come with them.

DUCView is a Java program and counts UTF-16 units; other programs wrote code points or bytes. If a label does not match
its offsets, the words of the label are searched nearby.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pyramidion.files.problems import shorten

ENTITY = re.compile(r"&(quot|amp|lt|gt|apos);")
_CHARACTERS = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}
_BLANKS = str.maketrans({"\t": " ", "\r": " ", "\n": None})


class Repair(NamedTuple):
    """Something that was wrong, and what was done about it."""

    found: str
    done: str


@dataclass(frozen=True, kw_only=True)
class FilePart:
    """A stretch of the text; without offsets where the file gives none that are numbers."""

    label: str | None
    start: int | None
    end: int | None
    line: int
    written: str = ""
    """The offsets as the file has them, for messages."""


@dataclass(frozen=True)
class Placed:
    """Where a part is, in code points of the whole text, and what had to be repaired."""

    span: tuple[int, int]
    repair: Repair | None = None


Keep = Callable[[str], bool]
"""Whether a character counts when labels are searched."""
Region = Callable[[int], tuple[int, int] | None]
"""From a place to the stretch of text in which a label is searched; None if there is none."""


def as_label(text: str) -> str:
    """A stretch of text as DUCView labels it: line breaks removed; attributes turn other breaks into blanks."""
    return text.translate(_BLANKS)


def decode_entities(text: str) -> str:
    """The five entities of XML as characters."""
    return ENTITY.sub(lambda match: _CHARACTERS[match[1]], text)


class Offsets:
    """The offsets into one text, in whatever unit they are counted."""

    def __init__(self, text: str, parts: Iterable[FilePart]) -> None:
        self.text = text
        self._kept: dict[tuple[tuple[int, int], Keep], tuple[list[int], str]] = {}
        self._units: dict[str, Sequence[int]] = {}
        """By unit: the code point of each unit, and at the end the number of code points."""
        # Without characters beyond the first plane, UTF-16 units are code points.
        if any(character > "\uffff" for character in text):
            # First, because it is what DUCView itself writes: of units that fit equally well, the first is taken.
            self._units["UTF-16 units"] = _code_points(1 + (character > "\uffff") for character in text)
        self._units["code points"] = range(len(text) + 1)
        if not text.isascii():
            # Pyramids of TAC 2010 and 2011 have offsets in bytes around characters that were lost.
            self._units["bytes"] = _code_points(len(character.encode(errors="replace")) for character in text)
        labelled_parts = list(parts)
        fits: dict[str, int] = {}
        for unit in self._units:
            fits[unit] = sum(self._fits(part, unit) for part in labelled_parts)
        self.unit: str = max(fits, key=fits.__getitem__)  # the first of equals

    def claimed(self, part: FilePart) -> int | None:
        """The code point where the file says that the part starts, or else ends; None if outside of the text."""
        offset = part.end if part.start is None else part.start
        units = self._units[self.unit]
        if offset is None or not 0 <= offset < len(units):
            return None
        return units[offset]

    def place(self, part: FilePart, region: Region) -> Placed | str:
        """Where the part is, or why that is unknown; its label is searched only in the region of its place."""
        span = self._span(part, self.unit)
        if not part.label:
            return self._place_without_label(part, span)
        for unit in (self.unit, *self._units):
            unit_span = self._span(part, unit)
            if unit_span is None or not self._reads(unit_span, part.label):
                continue
            if unit == self.unit:
                return Placed(unit_span)
            repair = Repair(f"offsets in {unit}, while others are in {self.unit}", "They were converted.")
            return Placed(unit_span, repair)
        # In D0740 of 2007, a third of the parts lies one character too far: the label says what was meant.
        return self._search(part, part.label, span, region)

    @staticmethod
    def _place_without_label(part: FilePart, span: tuple[int, int] | None) -> Placed | str:
        """The span of a part whose label is empty or missing, or why it is unknown."""
        if span is not None and part.label is not None:
            return Placed(span)
        if span is not None and span[0] < span[1]:
            return Placed(span, Repair("a part without label", "Its offsets were trusted."))
        return f"no label, and offsets {part.written} that are not in the text"

    def _search(self, part: FilePart, label: str, span: tuple[int, int] | None, region: Region) -> Placed | str:
        """Where the words of a label are near the place that the file claims, or why that is unknown."""
        near = self.claimed(part)
        place = near
        if place is None:
            place = min(len(self.text), max(0, part.start or 0))
        within = region(place)
        wrong = f"the label {shorten(label)}, which is not the text at {part.written}"
        if within is None:
            return f"{wrong}, and not in a model"
        if near is None:
            near = within[0]
        decoded = decode_entities(label)
        # From the strictest to the most tolerant: the first that finds the words is the least repair.
        for how, words, keep in (
            ("Its words", label, _no_breaks),
            ("Its words, ignoring white space,", label, _no_blanks),
            ("Its words after decoding entities", decoded, _no_breaks),
            ("Its words after decoding entities, ignoring white space,", decoded, _no_blanks),
        ):
            nearest = self._nearest(within, words, near, keep)
            if nearest is None:
                continue
            differs_in_blanks = keep is _no_blanks and words == label
            if nearest == span and differs_in_blanks:
                return Placed(nearest)
            return Placed(nearest, Repair(wrong, f"{how} were found at {nearest[0]} to {nearest[1]}."))
        return f"{wrong}, and was not found near it"

    def _nearest(self, within: tuple[int, int], label: str, near: int, keep: Keep) -> tuple[int, int] | None:
        """The occurrence of the label that starts nearest to a place, when only some characters count.

        Args:
            within: the stretch of text in which to look.
            label: the words to look for.
            near: the place.
            keep: which characters count.
        """
        letters = as_label("".join(filter(keep, label)))
        if not letters:
            return None
        indexes, text = self._kept_text(within, keep)
        place = bisect_left(indexes, near)
        # + len: an occurrence that begins at the very place counts as well.
        before = text.rfind(letters, 0, place + len(letters))
        behind = text.find(letters, place)
        places = [start for start in (before, behind) if start >= 0]
        if not places:
            return None
        start = min(places, key=lambda start: abs(indexes[start] - near))
        return indexes[start], indexes[start + len(letters) - 1] + 1

    def _kept_text(self, within: tuple[int, int], keep: Keep) -> tuple[list[int], str]:
        """The characters that count in a stretch of text, and where they are; worked out once."""
        if (within, keep) not in self._kept:
            indexes = [index for index in range(*within) if keep(self.text[index])]
            characters = "".join(self.text[index] for index in indexes)
            self._kept[within, keep] = indexes, as_label(characters)
        return self._kept[within, keep]

    def _reads(self, span: tuple[int, int], label: str) -> bool:
        """Whether the text of a span is that of the label, line breaks apart."""
        start, end = span
        return start < end and as_label(self.text[start:end]) == as_label(label)

    def _fits(self, part: FilePart, unit: str) -> bool:
        """Whether the offsets of a part, counted in this unit, lead to its label."""
        span = self._span(part, unit)
        if not part.label or span is None:
            return False
        return self._reads(span, part.label)

    def _span(self, part: FilePart, unit: str) -> tuple[int, int] | None:
        """The code points between the offsets of a part, counted in this unit; None if they are not in the text."""
        units = self._units[unit]
        if part.start is None or part.end is None:
            return None
        if not 0 <= part.start <= part.end < len(units):
            return None
        # Bytes and UTF-16 units may end inside a character, which then belongs to the part.
        is_inside_character = part.end > 0 and units[part.end] == units[part.end - 1]
        return units[part.start], units[part.end] + is_inside_character


def find_words(words: str, text: str, *, near: int = 0) -> tuple[int, int] | None:
    """Where the words are in a text, white space and entities apart; the occurrence nearest to a place."""
    part = FilePart(label=words, start=near, end=near + len(words), line=0)
    place = Offsets(text, ()).place(part, lambda _: (0, len(text)))
    if isinstance(place, Placed):
        return place.span
    return None


def _code_points(sizes: Iterable[int]) -> list[int]:
    """For each unit the code point that it belongs to, and at the end the number of code points."""
    code_points: list[int] = []
    count = 0
    for index, size in enumerate(sizes):
        code_points += [index] * size
        count = index + 1
    return [*code_points, count]


def _no_breaks(character: str) -> bool:
    """Whether a character is no line break."""
    return character != "\n"


def _no_blanks(character: str) -> bool:
    """Whether a character is no white space."""
    return not character.isspace()
