"""The texts that ROUGE-1.5.5 reads, SPL, SEE, ISI and SIMPLE, split into the sentences that it sees.

A sentence is kept raw: leading blanks, blank-only lines, carriage returns and entities stay, because length limits
count them. A "sentence" of SIMPLE is a Basic Element, `head|modifier|relation`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pyramidion.campaign import Problems
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.text_files import is_file, note_windows_ends, read_raw
from pyramidion.text.basic_elements.simple import is_simple, read_simple

TextType = Literal["SPL", "SEE", "ISI", "SIMPLE"]
TEXT_TYPES: tuple[TextType, ...] = get_args(TextType)
BLANKS = " \t\n\r\f\v"
"""White space as the original, which works on bytes, sees it."""

_SENTENCE: dict[TextType, re.Pattern[str]] = {
    "SPL": re.compile(r"([^\n]+)"),
    "SEE": re.compile(
        r'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)', re.ASCII
    ),
    "ISI": re.compile(r'<S SNTNO="[0-9a-z,]+">([^<]+)</S>'),
    "SIMPLE": re.compile(r"([^\r\n]+)"),
}
_ALMOST: dict[TextType, re.Pattern[str]] = {
    "SEE": re.compile(r"\s*<a\s[^>]*name=", re.ASCII | re.IGNORECASE),
    "ISI": re.compile(r"\s*<S[\s>]", re.ASCII | re.IGNORECASE),
}


def text_type(name: str) -> TextType | None:
    """The type of that name in any case; None if texts of it are not read."""
    return next((type for type in TEXT_TYPES if type == name.upper()), None)


def split_text(text: str, type: TextType) -> tuple[str, ...]:
    """The sentences of a file as ROUGE-1.5.5 reads it.

    Lines end at LF alone. SPL: a line, however blank, unless it is empty. SEE: what follows the pair of anchors up
    to the next `<` or past the line end. ISI: what is between the tags. SIMPLE: a line.
    """
    pattern = _SENTENCE[type]
    return tuple(match[1] for line in _lines(text) if (match := pattern.match(line)))


def guess_type(text: str) -> TextType:
    """SIMPLE if most lines are Basic Elements, ISI or SEE if some line is a sentence of that type, else SPL."""
    if is_simple([text]):
        return "SIMPLE"
    for line in _lines(text):
        for type in ("ISI", "SEE"):
            if _SENTENCE[type].match(line):
                return type
    return "SPL"


def _lines(text: str) -> Iterator[str]:
    """Lines with their ends; other breaks than LF are part of a line."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


@dataclass
class TextFiles:
    """Reads text files, each only once, and reports what is odd about it."""

    problems: Problems
    _known: dict[tuple[Path, TextType], tuple[str, ...]] = field(default_factory=dict)

    def read(self, path: Path, type: TextType) -> tuple[str, ...] | None:
        """The sentences of the file; None when there is no regular file or it can't be read."""
        key = (path, type)
        if key not in self._known:
            text = read_raw(path, self.problems) if is_file(path) else None
            if text is None:
                return None
            self._known[key] = split_text(text, type)
            self._note_oddities(path, text, type)
        return self._known[key]

    def _note_oddities(self, path: Path, text: str, type: TextType) -> None:
        """Warn about line ends, tags and empty texts that may be mistakes."""
        at = Place(self.problems, path)
        note_windows_ends(
            text, at, remedy="The CR stays in the text: ROUGE-1.5.5 counts it under a byte limit, and nowhere else."
        )
        if type == "SIMPLE":
            for problem in read_simple(text)[1]:
                at.at(problem.line).error(
                    found=shorten(problem.found),
                    expected="a Basic Element, head|modifier|relation",
                    remedy="Correct the line; write NIL if there is no modifier or relation.",
                )
        if type in _ALMOST:
            for number, line in enumerate(_lines(text), start=1):
                if _ALMOST[type].match(line) and not _SENTENCE[type].match(line):
                    remedy = "The line was left out, as ROUGE-1.5.5 does; correct its tags if it is a sentence."
                    at.at(number).warning(
                        found=shorten(line.rstrip()),
                        expected=f"a sentence of type {type}",
                        remedy=remedy,
                    )
        if not text.strip():
            remedy = "It is scored as it is; remove it from the list if the summary is missing."
            at.at(1).warning(
                found="an empty text",
                expected="some words",
                remedy=remedy,
            )
        elif not any(sentence.strip() for sentence in self._known[path, type]):
            remedy = "It is scored as an empty text; check the INPUT-FORMAT (-z)."
            at.at(1).warning(
                found="no sentence",
                expected=f"sentences of type {type}",
                remedy=remedy,
            )
