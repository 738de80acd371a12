"""Whether two files hold the same text, and where a part of the one is in the other.

Texts of one summary in several files may differ in white space and line breaks, and in single characters that one of
the files could not hold: `?` or U+FFFD stands for them.
"""

from __future__ import annotations

from bisect import bisect_left

from pyramidion.campaign.nouns import Part

LOST = "?\ufffd"
"""What programs write in place of a character that they can't hold."""


def same_text(first: str, second: str) -> bool:
    """Whether the texts are equal but for white space and characters that one of them lost."""
    return _agree(_solid(first), _solid(second))


def same_beginning(first: str, second: str) -> bool:
    """Whether the second text begins with the first one, in the same sense."""
    start, whole = _solid(first), _solid(second)
    return _agree(start, whole[: len(start)])


def lost_characters(text: str, original: str) -> int:
    """How many characters of the original the text lost; both are the same text."""
    return sum(character != other for character, other in zip(_solid(text), _solid(original), strict=False))


class Aligned:
    """Parts of a text as parts of another one that begins with the same words."""

    def __init__(self, source: str, target: str) -> None:
        self._source = _places(source)
        self._target = _places(target)

    def __call__(self, part: Part) -> Part | None:
        """The part in the other text, without white space at its edges; None if it is white space alone."""
        first, last = bisect_left(self._source, part[0]), bisect_left(self._source, part[1]) - 1
        if first > last or last >= len(self._target):
            return None
        return self._target[first], self._target[last] + 1


def _agree(first: str, second: str) -> bool:
    """Whether texts without blanks are equal, apart from characters that one of them lost."""
    if first == second:
        return True
    if len(first) != len(second):
        return False
    for character, counterpart in zip(first, second, strict=True):
        # A lost character fits whatever stands in its place.
        if character != counterpart and character not in LOST and counterpart not in LOST:
            return False
    return True


def _solid(text: str) -> str:
    """The text without white space."""
    # Without any white space: files of one summary break lines in different places.
    return "".join(text.split())


def _places(text: str) -> list[int]:
    """The places of all characters that are no white space."""
    return [index for index, character in enumerate(text) if not character.isspace()]
