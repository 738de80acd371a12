"""Programs that search a text in time linear in its length: all threads step through it side by side.

Thompson's and Pike's way: of threads that meet at one place only the first in order of preference goes on, so that no
text and no expression can make a search run for ever. `java_regex` makes the programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

LINE_ENDS = frozenset("\n\r\u0085\u2028\u2029")
ASCII_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
DIGITS = frozenset("0123456789")
WORD = ASCII_LETTERS | DIGITS | {"_"}

Test = Callable[[str], bool]
"""Whether a character is in a set."""


@dataclass(frozen=True)
class Take:
    """Go on if the next character is in the set."""

    test: Test


@dataclass(frozen=True)
class Fork:
    """Go on at the first place, and if that fails at the second."""

    first: int
    second: int


@dataclass(frozen=True)
class Check:
    """Go on if this is the place: start or end of the text or a line, or the edge of a word."""

    place: Literal["^", "$", "A", "z", "Z", "b", "B", "m^", "m$"]


@dataclass(frozen=True)
class Again:
    """From the end of a loop's body back to its start; past the loop if the body took nothing, as Java does."""

    start: int
    past: int


Instruction = Take | Fork | Again | Check | None
"""None is the end: a match."""


@dataclass(frozen=True)
class JavaPattern:
    """A compiled expression."""

    program: tuple[Instruction, ...]
    _known: dict[tuple[int, str], bool] = field(default_factory=dict, compare=False, repr=False)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of every match that is not empty, from left to right, as Java's `find` gives them."""
        at = 0
        while at <= len(text):
            found = self._search(text, at)
            if found is None:
                return
            start, end = found
            if end > start:
                yield found
            at = end if end > start else end + 1

    def _search(self, text: str, at: int) -> tuple[int, int] | None:
        found: tuple[int, int] | None = None
        threads: list[tuple[int, int]] = []
        seen: set[int] = set()
        while True:
            if found is None:
                self._enter(0, at, at, text, threads, seen)
            if not threads and found is not None:
                return found
            character = text[at] if at < len(text) else ""
            following: list[tuple[int, int]] = []
            entered: set[int] = set()
            for counter, start in threads:
                instruction = self.program[counter]
                if instruction is None:
                    found = (start, at)
                    break
                if character and isinstance(instruction, Take) and self._takes(counter, instruction, character):
                    self._enter(counter + 1, start, at + 1, text, following, entered)
            if at >= len(text):
                return found
            threads, seen = following, entered
            at += 1

    def _takes(self, counter: int, instruction: Take, character: str) -> bool:
        key = (counter, character)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = instruction.test(character)
        return known

    def _enter(
        self, counter: int, start: int, at: int, text: str, threads: list[tuple[int, int]], seen: set[int]
    ) -> None:
        """Add the thread, or those that it forks into, unless one that is preferred is there already."""
        waiting = [counter]
        while waiting:
            counter = waiting.pop()
            if counter in seen:
                continue
            seen.add(counter)
            instruction = self.program[counter]
            if isinstance(instruction, Fork):
                waiting += [instruction.second, instruction.first]
            elif isinstance(instruction, Again):
                waiting.append(instruction.past if instruction.start in seen else instruction.start)
            elif isinstance(instruction, Check):
                if _is_place(instruction.place, text, at):
                    waiting.append(counter + 1)
            else:
                threads.append((counter, start))


def _is_place(place: str, text: str, at: int) -> bool:
    before, after = text[at - 1 : at] if at else "", text[at : at + 1]
    if place in ("^", "A"):
        return at == 0
    if place == "m^":
        return not before or (before in LINE_ENDS and bool(after))
    if place == "m$":
        return not after or after in LINE_ENDS
    if place == "z":
        return not after
    if place in ("$", "Z"):
        return not after or (at == len(text) - 1 and after in LINE_ENDS)
    return ((before in WORD and bool(before)) != (after in WORD and bool(after))) == (place == "b")
