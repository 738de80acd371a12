"""Offsets of a DUCView file, tied to the code points of its text by the labels that stand beside them.

DUCView is a Java program and counts UTF-16 units; other programs wrote code points or bytes. Where a label does not fit
its offsets, the words of the label are looked for nearby.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pyramidion.files.problems import shorten
from pyramidion.formats.ducview_file import FilePart, Repair, decode_entities

_BLANKS = str.maketrans({"\t": " ", "\r": " ", "\n": None})


@dataclass(frozen=True, kw_only=True)
class Placed:
    """Where a part is, in code points of the whole text, and what had to be mended."""

    start: int
    end: int
    repair: Repair | None = None


Keep = Callable[[str], bool]
"""Whether a character counts when labels are looked for."""
Region = Callable[[int], tuple[int, int] | None]
"""From a place to the stretch of text in which a label is looked for; None where there is none."""


def as_label(text: str) -> str:
    """A stretch of text as DUCView labels it: line breaks removed; attributes turn other breaks into blanks."""
    return text.translate(_BLANKS)


class Offsets:
    """The offsets into one text, in whatever unit they are counted."""

    def __init__(self, text: str, parts: Iterable[FilePart]) -> None:
        self.text = text
        self._hays: dict[tuple[tuple[int, int], Keep], tuple[list[int], str]] = {}
        self._units: dict[str, Unit] = {"UTF-16 units": self._utf16, "code points": self._code_points}
        if not text.isascii():
            self._units["bytes"] = self._bytes
        if text.isascii() or not any(one > "\uffff" for one in text):
            del self._units["UTF-16 units"]
        self.unit = next(iter(self._units))
        if len(self._units) > 1:
            known = list(parts)
            fits = {name: sum(self._fits(part, unit) for part in known) for name, unit in self._units.items()}
            self.unit = max(fits, key=fits.__getitem__)  # the first of equals

    def claimed(self, part: FilePart) -> int | None:
        """The code point where the file says that the part starts, or else ends; None if outside of the text."""
        offset = part.end if part.start is None else part.start
        return None if offset is None or offset < 0 else self._units[self.unit](offset, False)

    def place(self, part: FilePart, region: Region) -> Placed | str:
        """Where the part is, or why it can't be said; its label is looked for in the region of its place only."""
        span = self._span(part, self._units[self.unit])
        if not part.label:
            if span is not None and part.label is not None:
                return Placed(start=span[0], end=span[1])
            if span is not None and span[0] < span[1]:
                return Placed(
                    start=span[0], end=span[1], repair=Repair("a part without label", "Its offsets were trusted.")
                )
            return f"no label, and offsets {part.given} that are not in the text"
        if span is not None and self._reads(span, part.label):
            return Placed(start=span[0], end=span[1])
        for name, unit in self._units.items():
            other = self._span(part, unit)
            if name != self.unit and other is not None and self._reads(other, part.label):
                repair = Repair(f"offsets that count {name}, when others count {self.unit}", "They were converted.")
                return Placed(start=other[0], end=other[1], repair=repair)
        return self._found(part, part.label, span, region)

    def _found(self, part: FilePart, label: str, span: tuple[int, int] | None, region: Region) -> Placed | str:
        near = self.claimed(part)
        within = region(min(len(self.text), max(0, part.start or 0)) if near is None else near)
        wrong = f"the label {shorten(label)}, which is not the text at {part.given}"
        if within is None:
            return f"{wrong}, in no model"
        decoded = decode_entities(label)
        for how, wanted, keep in (
            ("Its words", label, _no_breaks),
            ("Its words but for white space", label, _no_blanks),
            ("Its words after decoding entities", decoded, _no_breaks),
            ("Its words after decoding entities but for white space", decoded, _no_blanks),
        ):
            found = self._nearest(within, wanted, near if near is not None else within[0], keep)
            if found == span and keep is _no_blanks and wanted == label:
                return Placed(start=found[0], end=found[1]) if found else wrong
            if found is not None:
                repair = Repair(wrong, f"{how} were found at {found[0]} to {found[1]}.")
                return Placed(start=found[0], end=found[1], repair=repair)
        return f"{wrong}, nor found near it"

    def _nearest(self, within: tuple[int, int], label: str, near: int, keep: Keep) -> tuple[int, int] | None:
        """The occurrence of the label that starts nearest to a place, when only some characters count."""
        if (within, keep) not in self._hays:
            kept = [index for index in range(*within) if keep(self.text[index])]
            self._hays[within, keep] = kept, "".join(self.text[index] for index in kept).translate(_BLANKS)
        kept, hay = self._hays[within, keep]
        needle = "".join(one for one in label if keep(one)).translate(_BLANKS)
        place = bisect_left(kept, near)
        before, behind = hay.rfind(needle, 0, place + len(needle)), hay.find(needle, place)
        found = [at for at in (before, behind) if at >= 0 and needle]
        if not found:
            return None
        at = min(found, key=lambda at: abs(kept[at] - near))
        return kept[at], kept[at + len(needle) - 1] + 1

    def _reads(self, span: tuple[int, int], label: str) -> bool:
        return span[0] < span[1] and as_label(self.text[span[0] : span[1]]) == as_label(label)

    def _fits(self, part: FilePart, unit: Unit) -> bool:
        span = self._span(part, unit)
        return bool(part.label) and span is not None and self._reads(span, part.label or "")

    def _span(self, part: FilePart, unit: Unit) -> tuple[int, int] | None:
        if part.start is None or part.end is None or not 0 <= part.start <= part.end:
            return None
        start, end = unit(part.start, False), unit(part.end, True)
        return None if start is None or end is None else (start, end)

    def _code_points(self, offset: int, _: bool) -> int | None:
        return offset if offset <= len(self.text) else None

    def _utf16(self, offset: int, is_end: bool) -> int | None:
        return _look_up(self._utf16_starts, offset, is_end)

    def _bytes(self, offset: int, is_end: bool) -> int | None:
        return _look_up(self._byte_starts, offset, is_end)

    @cached_property
    def _utf16_starts(self) -> list[int]:
        return list(_starts(2 if one > "\uffff" else 1 for one in self.text))

    @cached_property
    def _byte_starts(self) -> list[int]:
        return list(_starts(len(one.encode(errors="replace")) for one in self.text))


Unit = Callable[[int, bool], int | None]
"""(offset, whether it is an end) → code point; None beyond the text."""


def _starts(sizes: Iterable[int]) -> Iterator[int]:
    """For each unit the code point that it belongs to, and at the end the number of code points."""
    index = -1
    for index, size in enumerate(sizes):
        for _ in range(size):
            yield index
    yield index + 1


def _look_up(starts: list[int], offset: int, is_end: bool) -> int | None:
    if offset >= len(starts):
        return None
    inside = offset > 0 and starts[offset] == starts[offset - 1]  # between the halves of a character
    return starts[offset] + (1 if is_end and inside else 0)


def _no_breaks(character: str) -> bool:
    return character != "\n"


def _no_blanks(character: str) -> bool:
    return not character.isspace()
