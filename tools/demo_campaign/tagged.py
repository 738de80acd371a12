"""The tagged text in which the demo campaign is written: one file per topic, each sentence with its units.

This module has the format (parse and render) and its values; what a good topic must look like is in `rules`. Both
use only the standard library, so that a writer can check a file with plain Python::

    python3.11 -m tools.demo_campaign.rules tools/demo_campaign/source/D02.txt

A file has a header, the units, the documents and the models::

    topic: D02
    title: Collapse of the Kessel rail bridge
    narrative: Describe the collapse …
    attributes: category=accident

    == units
    u1: The Kessel rail bridge collapsed on 3 March 2031.

    == document kb-1 | 2031-03-03 | Rail bridge falls at Kessel
    {u1|The old rail bridge at Kessel gave way on Monday morning}, witnesses said.

    == model A
    {u1|The railway bridge at Kessel collapsed on 3 March 2031}.

A line of a document or model is one sentence. ``{u1,u5|words}`` says that the words express the units u1
and u5; a unit that is tagged twice in a sentence has two parts there. Offsets are code points into the
untagged sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

HEADER_KEYS = ("topic", "parent", "part", "background", "title", "narrative", "attributes")
REQUIRED_KEYS = ("topic", "title", "narrative")

_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_UNIT_ID = re.compile(r"u[1-9][0-9]*")
_TAG = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong in a source file: where it is, what was found and what to do.

    An ``error`` makes the file unfit to be built; a ``note`` says that a topic misses something to aim for.
    """

    file: str
    line: int
    found: str
    remedy: str
    severity: Literal["error", "note"] = "error"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.severity}: {self.found}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Span:
    """Words [start, end) of a sentence that express some units."""

    start: int
    end: int
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """An untagged sentence with its spans, in order and without overlap."""

    text: str
    spans: tuple[Span, ...] = ()
    line: int = field(default=0, compare=False)

    @property
    def units(self) -> tuple[str, ...]:
        """The units that the sentence expresses, in the order in which they first occur."""
        return tuple(dict.fromkeys(unit for span in self.spans for unit in span.units))

    def parts(self, unit: str) -> tuple[tuple[int, int], ...]:
        """The spans of one unit: the parts of its contributor in this sentence."""
        return tuple((span.start, span.end) for span in self.spans if unit in span.units)


@dataclass(frozen=True, slots=True)
class Unit:
    """A content unit of the topic: an SCU when some model expresses it."""

    id: str
    label: str
    line: int = field(default=0, compare=False)

    @property
    def uid(self) -> int:
        """The SCU's number in the pyramid: 5 for u5."""
        return int(self.id[1:])


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A dated news text."""

    id: str
    date: date
    headline: str
    sentences: tuple[Sentence, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class SourceModel:
    """A human summary."""

    id: str
    sentences: tuple[Sentence, ...]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class SourceTopic:
    """One file: the topic's header, units, dated documents and models."""

    id: str
    title: str
    narrative: str
    units: tuple[Unit, ...]
    documents: tuple[SourceDocument, ...]
    models: tuple[SourceModel, ...]
    parent: str | None = None
    part: str | None = None
    background: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    file: str = field(default="", compare=False)

    @property
    def texts(self) -> tuple[SourceDocument | SourceModel, ...]:
        """All documents, then all models."""
        return (*self.documents, *self.models)

    def weights(self) -> dict[str, int]:
        """Unit → number of models that express it (spec of the pyramid: its weight)."""
        used = [{unit for sentence in model.sentences for unit in sentence.units} for model in self.models]
        return {unit.id: sum(unit.id in one for one in used) for unit in self.units}


@dataclass(frozen=True, slots=True)
class Parsed:
    """What came out of a file: a topic when its form is right, else only problems."""

    topic: SourceTopic | None
    problems: tuple[Problem, ...]


def parse_file(path: Path) -> Parsed:
    """Read and parse one file; an unreadable file is a problem like any other."""
    name = path.name
    try:
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return Parsed(None, (Problem(name, 0, f"cannot be read ({error.strerror})", "give an existing file"),))
    except UnicodeDecodeError as error:
        return Parsed(None, (Problem(name, 0, f"byte {error.start} is not UTF-8", "save the file as UTF-8"),))
    return parse(text, file=name)


def parse(text: str, *, file: str = "<text>") -> Parsed:
    """Parse tagged text and report everything that is wrong with its form at once."""
    reader = _Reader(file)
    topic = reader.read(text)
    return Parsed(None if reader.problems else topic, tuple(sorted(reader.problems)))


def parse_sentence(line: str) -> tuple[Sentence, tuple[tuple[str, str], ...]]:
    """One tagged line → the untagged sentence, and (found, remedy) for each fault of its tags."""
    faults: list[tuple[str, str]] = []
    plain: list[str] = []
    spans: list[Span] = []
    length = position = 0
    for match in _TAG.finditer(line):
        gap, ids, words = line[position : match.start()], match[1], match[2]
        faults += _stray(gap)
        units = tuple(one.strip() for one in ids.split(","))
        if bad := [one for one in units if not _UNIT_ID.fullmatch(one)]:
            faults.append((f"{', '.join(map(repr, bad))} is not a unit id", "write {u1|words} or {u1,u5|words}"))
        elif len(set(units)) < len(units):
            faults.append((f"a unit is named twice in {{{ids}|", "name each unit once"))
        if not words.strip():
            faults.append((f"tag {{{ids}|}} has no words", "put the unit's words after the |"))
        elif words != words.strip():
            faults.append((f"tag {{{ids}|…}} begins or ends with a blank", "move the blank out"))
        start = length + len(gap)
        spans.append(Span(start, start + len(words), units))
        plain += [gap, words]
        length = start + len(words)
        position = match.end()
    faults += _stray(line[position:])
    plain.append(line[position:])
    text = "".join(plain)
    faults += [
        (f"a tag cuts a word at {text[max(0, edge - 8) : edge + 8]!r}", "begin and end tags between words")
        for span in spans
        for edge in (span.start, span.end)
        if 0 < edge < len(text) and text[edge - 1].isalnum() and text[edge].isalnum()
    ]
    return Sentence(text, tuple(spans)), tuple(faults)


def _stray(text: str) -> list[tuple[str, str]]:
    found = sorted(set(text) & set("{}|"))
    if not found:
        return []
    return [(f"stray {' '.join(found)} outside a tag", "write tags as {u1|words}, without nesting")]


def render(topic: SourceTopic) -> str:
    """The tagged text of a topic; `parse` gives the topic back."""
    return "\n".join(_lines(topic)) + "\n"


def _lines(topic: SourceTopic) -> Iterator[str]:
    header: Mapping[str, str | None] = {
        "topic": topic.id,
        "parent": topic.parent,
        "part": topic.part,
        "background": topic.background,
        "title": topic.title,
        "narrative": topic.narrative,
        "attributes": ", ".join(f"{key}={value}" for key, value in topic.attributes) or None,
    }
    yield from (f"{key}: {value}" for key, value in header.items() if value is not None)
    yield from ("", "== units")
    yield from (f"{unit.id}: {unit.label}" for unit in topic.units)
    for document in topic.documents:
        yield from ("", f"== document {document.id} | {document.date.isoformat()} | {document.headline}")
        yield from map(render_sentence, document.sentences)
    for model in topic.models:
        yield from ("", f"== model {model.id}")
        yield from map(render_sentence, model.sentences)


def render_sentence(sentence: Sentence) -> str:
    """The tagged line of a sentence."""
    pieces: list[str] = []
    position = 0
    for span in sentence.spans:
        pieces += [sentence.text[position : span.start], "{", ",".join(span.units), "|"]
        pieces += [sentence.text[span.start : span.end], "}"]
        position = span.end
    return "".join([*pieces, sentence.text[position:]])


class _Reader:
    """Goes through the lines once; collects values and problems."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.header: dict[str, str] = {}
        self.units: dict[str, Unit] = {}
        self.documents: list[SourceDocument] = []
        self.models: list[SourceModel] = []

    def problem(self, line: int, found: str, remedy: str) -> None:
        self.problems.append(Problem(self.file, line, found, remedy))

    def read(self, text: str) -> SourceTopic | None:
        for line, title, body in self.sections(text.removeprefix("\ufeff")):
            kind, _, rest = title.partition(" ")
            if title == "":
                self.read_header(body)
            elif title == "units":
                self.read_units(body)
            elif kind == "document":
                self.read_document(line, rest, body)
            elif kind == "model":
                self.read_model(line, rest.strip(), body)
            else:
                remedy = "use == units, == document ID | DATE | HEADLINE, or == model ID"
                self.problem(line, f"unknown section {title!r}", remedy)
        for key in REQUIRED_KEYS:
            if not self.header.get(key):
                self.problem(1, f"the header has no {key}", f"begin the file with lines like '{key}: …'")
        if self.problems:
            return None
        return SourceTopic(
            id=self.header["topic"],
            title=self.header["title"],
            narrative=self.header["narrative"],
            units=tuple(self.units.values()),
            documents=tuple(self.documents),
            models=tuple(self.models),
            parent=self.header.get("parent"),
            part=self.header.get("part"),
            background=self.header.get("background"),
            attributes=self.attributes(),
            file=self.file,
        )

    @staticmethod
    def sections(text: str) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
        """(line, title, numbered non-blank lines) for the header (title "") and each ``==`` section."""
        start, title, body = 1, "", list[tuple[int, str]]()
        for number, raw in enumerate(text.split("\n"), 1):
            line = raw.strip()
            if line.startswith("=="):
                yield start, title, body
                start, title, body = number, line.strip("= \t") or "(no name)", []
            elif line:
                body.append((number, line))
        yield start, title, body

    def read_header(self, body: list[tuple[int, str]]) -> None:
        for number, line in body:
            key, colon, value = (piece.strip() for piece in line.partition(":"))
            if not colon or key not in HEADER_KEYS:
                self.problem(
                    number,
                    f"{line[:40]!r} is not a header line",
                    f"write 'KEY: value' with one of {', '.join(HEADER_KEYS)}",
                )
            elif key in self.header:
                self.problem(number, f"{key} is given twice", "keep one of the two lines")
            elif not value:
                self.problem(number, f"{key} has no value", "write it after the colon, or drop the line")
            else:
                self.header[key] = value
                if key in ("topic", "parent", "part", "background") and not _IDENTIFIER.fullmatch(value):
                    self.problem(number, f"{value!r} is not an id", "use letters, digits, '-', '.' and '_'")
                if key == "attributes" and not all("=" in pair for pair in value.split(",")):
                    self.problem(number, f"attributes {value!r}", "write key=value, key=value")

    def attributes(self) -> tuple[tuple[str, str], ...]:
        pairs = [pair.partition("=") for pair in self.header.get("attributes", "").split(",") if pair]
        return tuple((key.strip(), value.strip()) for key, _, value in pairs)

    def read_units(self, body: list[tuple[int, str]]) -> None:
        for number, line in body:
            name, colon, label = (piece.strip() for piece in line.partition(":"))
            if not colon or not _UNIT_ID.fullmatch(name) or not label:
                self.problem(number, f"{line[:40]!r} is not a unit", "write 'u1: A full sentence.'")
            elif name in self.units:
                self.problem(number, f"unit {name} is given twice", "give each unit its own number")
            else:
                self.units[name] = Unit(name, label, number)

    def read_document(self, line: int, title: str, body: list[tuple[int, str]]) -> None:
        fields = [piece.strip() for piece in title.split("|")]
        if len(fields) != 3 or not all(fields) or not _IDENTIFIER.fullmatch(fields[0]):
            self.problem(line, f"document line {title!r}", "write == document ID | YYYY-MM-DD | HEADLINE")
            return
        sentences = self.sentences(body)
        try:
            day = date.fromisoformat(fields[1])
        except ValueError:
            self.problem(line, f"{fields[1]!r} is not a date", "write the date as YYYY-MM-DD")
            return
        if any(fields[0] == document.id for document in self.documents):
            self.problem(line, f"document {fields[0]} is there twice", "give each document its own id")
        self.documents.append(SourceDocument(fields[0], day, fields[2], sentences, line))

    def read_model(self, line: int, name: str, body: list[tuple[int, str]]) -> None:
        if not _IDENTIFIER.fullmatch(name):
            self.problem(line, f"model id {name!r}", "write == model A")
        if any(name == model.id for model in self.models):
            self.problem(line, f"model {name} is there twice", "give each model its own letter")
        self.models.append(SourceModel(name, self.sentences(body), line))

    def sentences(self, body: list[tuple[int, str]]) -> tuple[Sentence, ...]:
        found = []
        for number, line in body:
            sentence, faults = parse_sentence(" ".join(line.split()))
            for what, remedy in faults:
                self.problem(number, what, remedy)
            found.append(Sentence(sentence.text, sentence.spans, number))
        return tuple(found)
