"""Where the models of a DUCView pyramid start in its text, and what they are called.

The file's own regular expression finds their headers; if it is missing or finds nothing, the number of models, lines
between dashes and NIST's names are tried in turn, each a repair.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from pyramidion.files import guards
from pyramidion.formats.ducview.java_regex import UnsupportedError, compile_java
from pyramidion.formats.ducview.offsets import Repair
from pyramidion.formats.nist_file_names import parse_nist_name

_DASHED = re.compile(r"^[ \t]*-{2,}[ \t]*\n[ \t]*(?=\S)(?!-+[ \t]*\n)([^\n]+)\n[ \t]*-{2,}[ \t]*\n", re.MULTILINE)
_LINE = re.compile(r"^[ \t]*(\S+)[ \t]*\n", re.MULTILINE)
_ANNOUNCED = re.compile(r"\s*#([0-9]{1,4})[ \t]*\n")
_RULE_AFTER = re.compile(r"(?:[ \t]*\n)?[ \t]*-{2,}[ \t]*\n")
_RULE_BEFORE = re.compile(r"(?:\A|\n)([ \t]*-{2,}[ \t]*\n[ \t]*)\Z")
_BLANK = re.compile(r"\n(?:[ \t]*\n)+")


@dataclass(frozen=True, kw_only=True)
class Segment:
    """A model within the text: its header starts at `header`, its own words are text[start:end]."""

    id: str
    name: str
    """All of the name in the header, such as D0601.M.250.A.C."""
    header: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Segmentation:
    """All models of a text, and what was wrong with the way to find them."""

    segments: tuple[Segment, ...]
    repairs: tuple[Repair, ...] = ()

    def at(self, offset: int) -> Segment | None:
        """The model of a place: the last whose header starts at or before it; None in the text before the first."""
        following = bisect_right(self.segments, offset, key=lambda segment: segment.header)
        if following:
            return self.segments[following - 1]
        return None


def find_models(text: str, *, regex: str | None, number: int | None, other_regexes: Sequence[str] = ()) -> Segmentation:
    """The models of the text; none if there is no way to find where they start.

    Args:
        text: the whole text.
        regex: startDocumentRegEx, in Java's syntax.
        number: the attribute numModels.
        other_regexes: the expressions of other files of the topic, for a file without its own.
    """
    wrong = "no startDocumentRegEx"
    if regex is not None:
        try:
            spans = list(compile_java(regex).spans(text))
        except UnsupportedError as error:
            wrong = f"a startDocumentRegEx that can't be used ({error})"
        else:
            if spans:
                return _segmentation(text, spans, *_other_number(text, number, len(spans)))
            wrong = "a startDocumentRegEx that matches nothing in the text"
    for done, spans in (*_try_other_regexes(text, other_regexes), *_guess_headers(text, number)):
        if spans:
            return _segmentation(text, spans, Repair(wrong, done), *_other_number(text, number, len(spans)))
    return Segmentation(segments=(), repairs=(Repair(wrong, "The models can't be found."),))


def announced(text: str) -> int | None:
    """The number of models that a text announces before the first one, as in `#4`; None if it does not."""
    match = _ANNOUNCED.match(text)
    if match:
        return int(match[1])
    return None


def _other_number(text: str, number: int | None, count: int) -> list[Repair]:
    """A repair if numModels, or the number that the text announces, is not the number of models."""
    announcements = [(f"numModels={number}", number), (f"#{announced(text)} before the first model", announced(text))]
    models_were = "1 model was" if count == 1 else f"{count} models were"
    done = f"{models_were} found in the text."
    return [Repair(name, done) for name, value in announcements if value not in (None, count)]


def _try_other_regexes(text: str, other_regexes: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """What the expressions of other files find; those that find as many models as the text announces come first."""
    spans_found: list[list[tuple[int, int]]] = []
    for regex in dict.fromkeys(other_regexes):
        try:
            spans_found.append(list(compile_java(regex).spans(text)))
        except UnsupportedError:
            continue
    for spans in sorted(spans_found, key=lambda spans: len(spans) != announced(text)):
        yield "The expression of another file of the topic was used.", spans


def _guess_headers(text: str, number: int | None) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Ways to find the models, with the spans of their headers; those that find numModels of them come first."""
    dashed = [match.span() for match in _DASHED.finditer(text)]
    named = [match.span() for match in _LINE.finditer(text) if parse_nist_name(match[1])]
    if number is not None:
        for how, spans in (
            ("headers between dashes", dashed),
            ("lines with NIST's names", named),
            ("texts after empty lines", _blocks(text)),
            ("lines", [match.span() for match in re.finditer(r"^(?=.*\S)", text, re.MULTILINE)]),
        ):
            if len(spans) == number:
                yield f"Because of numModels={number}, models were found by {how}.", spans
    yield "Models were found by headers between dashes.", dashed
    yield "Models were found by lines with NIST's names.", named


def _blocks(text: str) -> list[tuple[int, int]]:
    """The texts between empty lines, as empty headers in front of them."""
    starts = [0, *(match.end() for match in _BLANK.finditer(text))]
    return [(start, start) for start in starts if text[start:].strip()]


def _segmentation(text: str, spans: Sequence[tuple[int, int]], *repairs: Repair) -> Segmentation:
    """The models behind these headers, each with a name that no other has."""
    names = [_name(text[start:end]) or str(index) for index, (start, end) in enumerate(spans, start=1)]
    ids = [model_id(name) for name in names]
    if len(set(ids)) < len(ids):
        id, count = Counter(ids).most_common(1)[0]
        repeated = f"the model {id[:40]!r} {count} times"
        repairs = (*repairs, Repair(repeated, "Full names, or numbers after them, were used instead."))
        ids = _make_distinct(names)
    spans = [_extend_by_rules(text, *span) for span in spans]
    ends = [*(start for start, _ in spans[1:]), len(text)]
    segments: list[Segment] = []
    for id, name, (header, start), end in zip(ids, names, spans, ends, strict=True):
        # Without the empty line after the header, the last line's break, and the empty line before the next header.
        if text.startswith("\n", start) and end > start + 1:
            start += 1
        for _ in range(2):
            if end > start and text[end - 1] == "\n":
                end -= 1
        segments.append(Segment(id=id, name=name, header=header, start=start, end=end))
    return Segmentation(segments=tuple(segments), repairs=repairs)


def _extend_by_rules(text: str, start: int, end: int) -> tuple[int, int]:
    """A header with the rules of dashes around it, where the expression matches the name alone."""
    before = _RULE_BEFORE.search(text[max(0, start - guards.RULE_CHARACTERS) : start])
    has_rule_before = before is not None or text.startswith("-", start)
    has_rule_inside = text[start:end].strip().endswith("-")
    if has_rule_before and not has_rule_inside:
        after = _RULE_AFTER.match(text, end)
        if after:
            end = after.end()
    if before:
        start -= len(before[1])
    return start, end


def _name(header: str) -> str:
    """The name in a header: the line that is not all dashes, without dashes and blanks around it."""
    lines = [line.strip("- \t\r\n") for line in header.split("\n")]
    return next((line for line in lines if line), "")


def _make_distinct(names: Sequence[str]) -> list[str]:
    """The names, each once: repeated ones get a number."""
    taken = set(names)
    seen: Counter[str] = Counter()
    ids: list[str] = []
    for name in names:
        seen[name] += 1
        id = name if seen[name] == 1 else f"{name}.{seen[name]}"
        while seen[name] > 1 and id in taken:
            seen[name] += 1
            id = f"{name}.{seen[name]}"
        taken.add(id)
        ids.append(id)
    return ids


def model_id(name: str) -> str:
    """The model in a name: its last dot field, `C` in D0601.M.250.A.C; dots that belong to it are written as %2E."""
    return unquote(name.rpartition(".")[2]) or name


def header_name(id: str) -> str:
    """An id as a field of a name, so that `model_id` gives it back: dots, line breaks and edges as %XX."""
    last = len(id) - 1
    written: list[str] = []
    for index, character in enumerate(id):
        is_edge = index in (0, last)
        is_lost = character in ".%" or not character.isprintable()
        if is_lost or (is_edge and character in "- "):  # readers strip dashes and blanks around a name
            written += [f"%{byte:02X}" for byte in character.encode(errors="replace")]
        else:
            written.append(character)
    return "".join(written)
