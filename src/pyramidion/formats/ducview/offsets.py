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
    given: str = ""
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
        if any(character > "\uffff" for character in text):
            self._units["UTF-16 units"] = _code_points(2 if character > "\uffff" else 1 for character in text)
        self._units["code points"] = range(len(text) + 1)
        if not text.isascii():
            self._units["bytes"] = _code_points(len(character.encode(errors="replace")) for character in text)
        placed_parts = list(parts)
        fits = {name: sum(self._fits(part, name) for part in placed_parts) for name in self._units}
        self.unit: str = max(fits, key=fits.__getitem__)  # the first of equals

    def claimed(self, part: FilePart) -> int | None:
        """The code point where the file says that the part starts, or else ends; None if outside of the text."""
        offset = part.end if part.start is None else part.start
        units = self._units[self.unit]
        return units[offset] if offset is not None and 0 <= offset < len(units) else None

    def place(self, part: FilePart, region: Region) -> Placed | str:
        """Where the part is, or why that is unknown; its label is searched only in the region of its place."""
        span = self._span(part, self.unit)
        if not part.label:
            if span is not None and part.label is not None:
                return Placed(span)
            if span is not None and span[0] < span[1]:
                return Placed(span, Repair("a part without label", "Its offsets were trusted."))
            return f"no label, and offsets {part.given} that are not in the text"
        for name in (self.unit, *self._units):
            other = self._span(part, name)
            if other is not None and self._reads(other, part.label):
                found = f"offsets in {name}, while others are in {self.unit}"
                return Placed(other, None if name == self.unit else Repair(found, "They were converted."))
        return self._found(part, part.label, span, region)

    def _found(self, part: FilePart, label: str, span: tuple[int, int] | None, region: Region) -> Placed | str:
        near = self.claimed(part)
        within = region(min(len(self.text), max(0, part.start or 0)) if near is None else near)
        wrong = f"the label {shorten(label)}, which is not the text at {part.given}"
        if within is None:
            return f"{wrong}, and not in a model"
        decoded = decode_entities(label)
        for how, words, keep in (
            ("Its words", label, _no_breaks),
            ("Its words, ignoring white space,", label, _no_blanks),
            ("Its words after decoding entities", decoded, _no_breaks),
            ("Its words after decoding entities, ignoring white space,", decoded, _no_blanks),
        ):
            place = self._nearest(within, words, near if near is not None else within[0], keep)
            if place is not None:
                exact = place == span and keep is _no_blanks and words == label
                repair = Repair(wrong, f"{how} were found at {place[0]} to {place[1]}.")
                return Placed(place, None if exact else repair)
        return f"{wrong}, and was not found near it"

    def _nearest(self, within: tuple[int, int], label: str, near: int, keep: Keep) -> tuple[int, int] | None:
        """The occurrence of the label that starts nearest to a place, when only some characters count."""
        if (within, keep) not in self._kept:
            indexes = [index for index in range(*within) if keep(self.text[index])]
            self._kept[within, keep] = indexes, "".join(self.text[index] for index in indexes).translate(_BLANKS)
        kept, text = self._kept[within, keep]
        letters = "".join(character for character in label if keep(character)).translate(_BLANKS)
        place = bisect_left(kept, near)
        before, behind = text.rfind(letters, 0, place + len(letters)), text.find(letters, place)
        places = [at for at in (before, behind) if at >= 0 and letters]
        if not places:
            return None
        at = min(places, key=lambda at: abs(kept[at] - near))
        return kept[at], kept[at + len(letters) - 1] + 1

    def _reads(self, span: tuple[int, int], label: str) -> bool:
        return span[0] < span[1] and as_label(self.text[span[0] : span[1]]) == as_label(label)

    def _fits(self, part: FilePart, unit: str) -> bool:
        span = self._span(part, unit)
        return bool(part.label) and span is not None and self._reads(span, part.label or "")

    def _span(self, part: FilePart, unit: str) -> tuple[int, int] | None:
        units = self._units[unit]
        if part.start is None or part.end is None or not 0 <= part.start <= part.end < len(units):
            return None
        within = part.end > 0 and units[part.end] == units[part.end - 1]  # between the halves of a character
        return units[part.start], units[part.end] + within


def find_words(words: str, text: str, *, near: int = 0) -> tuple[int, int] | None:
    """Where the words are in a text, white space and entities apart; the occurrence nearest to a place."""
    part = FilePart(label=words, start=near, end=near + len(words), line=0)
    place = Offsets(text, ()).place(part, lambda _: (0, len(text)))
    return place.span if isinstance(place, Placed) else None


def _code_points(sizes: Iterable[int]) -> list[int]:
    """For each unit the code point that it belongs to, and at the end the number of code points."""
    numbered = [index for index, size in enumerate(sizes) for _ in range(size)]
    return [*numbered, numbered[-1] + 1 if numbered else 0]


def _no_breaks(character: str) -> bool:
    return character != "\n"


def _no_blanks(character: str) -> bool:
    return not character.isspace()
