"""What stands in a DUCView file, .pyr or .pan: its texts, units, contributors and parts, not yet tied to models.

Offsets are still those of the file, into the whole text. Everything that is not as DUCView writes it is noted here with
its line; what can be read nevertheless, is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from pyramidion.campaign import Problems
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.guarded_xml import Element, read_xml

_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,18})\s*", re.ASCII)
_ENTITY = re.compile(r"&(quot|amp|lt|gt|apos);")
_CHARACTERS = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}
_KNOWN = {
    "pyramid": {"startDocumentRegEx", "text", "scu"},
    "peerAnnotation": {"pyramid", "annotation", "score"},
    "annotation": {"text", "peerscu"},
    "text": {"line"},
    "scu": {"contributor"},
    "peerscu": {"contributor"},
    "contributor": {"part"},
}


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
    """The offsets as they stand, for messages."""


@dataclass(frozen=True, kw_only=True)
class FileContributor:
    """The parts that together express a unit."""

    comment: str
    parts: tuple[FilePart, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class FileUnit:
    """An SCU of a pyramid, or the peer's side of one (`peerscu`)."""

    uid: int
    label: str
    comment: str
    contributors: tuple[FileContributor, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class FilePyramid:
    """A pyramid: the text of all models, and how to tell where each starts."""

    regex: str | None
    number: int | None
    """The attribute numModels."""
    text: str
    units: tuple[FileUnit, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class FileAnnotation:
    """A peer's text and what of it matches."""

    text: str
    units: tuple[FileUnit, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class DucviewFile:
    """A whole file; a .pyr has no annotation."""

    path: Path
    pyramid: FilePyramid
    annotation: FileAnnotation | None = None


def read_file(path: Path, problems: Problems) -> DucviewFile | None:
    """The last pyramid or peer annotation in the file; None (and an error) if there is none."""
    roots = read_xml(path, problems, what="a DUCView .pyr or .pan file")
    return _Reading(path, problems).file(roots) if roots else None


@dataclass
class _Reading:
    path: Path
    problems: Problems
    _uids: dict[str, dict[int, int]] = field(default_factory=dict)
    """Uids met, by the kind of unit, with their first lines."""

    def file(self, roots: list[Element]) -> DucviewFile | None:
        root = roots[-1]
        if root.tag not in ("pyramid", "peerAnnotation"):
            self._note(
                "error",
                root.line,
                root.tag,
                f"the root element <{root.tag[:40]}>",
                "<pyramid> (.pyr) or <peerAnnotation> (.pan)",
                "Check that the file was written by DUCView.",
            )
            return None
        if len(roots) > 1:
            self._note(
                "warning",
                root.line,
                None,
                f"{len(roots)} documents in one file",
                "one",
                "The last was read; the others are older states of the same work.",
            )
        if root.tag == "pyramid":
            return DucviewFile(path=self.path, pyramid=self._pyramid(root))
        self._strangers(root)
        pyramid, annotation = root.first("pyramid"), root.first("annotation")
        for name, found in (("pyramid", pyramid), ("annotation", annotation)):
            if found is None:
                self._missing(root, name, "The file can't be used without it; write it again.")
        if pyramid is None or annotation is None:
            return None
        read_pyramid = self._pyramid(pyramid)
        self._strangers(annotation)
        read_annotation = FileAnnotation(
            text=self._text(annotation),
            units=tuple(self._units(annotation, "peerscu")),
            line=annotation.line,
        )
        if not read_annotation.text.strip():
            self._note(
                "warning",
                annotation.line,
                "text",
                "an empty peer",
                "the text of the peer",
                "The summary was read as empty.",
            )
        return DucviewFile(path=self.path, pyramid=read_pyramid, annotation=read_annotation)

    def _pyramid(self, element: Element) -> FilePyramid:
        self._strangers(element)
        regex = element.first("startDocumentRegEx")
        number = element.attributes.get("numModels")
        return FilePyramid(
            regex=regex.text if regex is not None and regex.text.strip() else None,
            number=self._number(element, "numModels") if number is not None else None,
            text=self._text(element),
            units=tuple(self._units(element, "scu")),
            line=element.line,
        )

    def _text(self, element: Element) -> str:
        """Every line and a line break, also after the last."""
        text = element.first("text")
        if text is None:
            self._missing(element, "text", "Offsets count in the text; write the file again.")
            return ""
        self._strangers(text)
        for again in list(element.all("text"))[1:]:
            self._note("error", again.line, element.tag, "a second <text>", "one", "Remove one of the two.")
        return "".join(f"{line.text}\n" for line in text.all("line"))

    def _units(self, element: Element, tag: Literal["scu", "peerscu"]) -> Iterator[FileUnit]:
        first = self._uids.setdefault(tag, {})
        for unit in element.all(tag):
            self._strangers(unit)
            uid = self._number(unit, "uid", required=True)
            label = unit.attributes.get("label")
            if label is None:
                self._note(
                    "warning", unit.line, self._at(unit), "no label", 'label="…"', "It was read with an empty label."
                )
            contributors = tuple(self._contributors(unit))
            if uid is None:
                continue
            if uid in first:
                self._note(
                    "error",
                    unit.line,
                    self._at(unit),
                    f"the uid {uid} again (first on line {first[uid]})",
                    f"each uid of a <{tag}> once",
                    "Give it a uid of its own.",
                )
                continue
            first[uid] = unit.line
            if not contributors and tag == "scu":
                self._note(
                    "warning",
                    unit.line,
                    self._at(unit),
                    "an SCU without contributors",
                    "at least one contributor",
                    "It was kept; its weight is 0.",
                )
            yield FileUnit(
                uid=uid,
                label=self._decoded(label or "", unit, "label"),
                comment=self._decoded(unit.attributes.get("comment", ""), unit, "comment"),
                contributors=contributors,
                line=unit.line,
            )

    def _contributors(self, unit: Element) -> Iterator[FileContributor]:
        for contributor in unit.all("contributor"):
            self._strangers(contributor)
            parts = tuple(self._parts(contributor))
            if not parts:
                self._note(
                    "warning",
                    contributor.line,
                    self._at(unit),
                    "a contributor without parts",
                    "at least one part",
                    "Nothing says where it is; it was left out."
                    if unit.tag == "scu"
                    else "It was kept, without its words.",
                )
            if parts or unit.tag == "peerscu":
                comment = self._decoded(contributor.attributes.get("comment", ""), contributor, "comment")
                yield FileContributor(comment=comment, parts=parts, line=contributor.line)

    def _parts(self, contributor: Element) -> Iterator[FilePart]:
        for part in contributor.all("part"):
            given = [part.attributes.get(name, "nothing") for name in ("start", "end")]
            start, end = (int(match[1]) if (match := _WHOLE.fullmatch(one)) else None for one in given)
            yield FilePart(
                label=part.attributes.get("label"),
                start=start,
                end=end,
                line=part.line,
                given=" to ".join(one[:20] for one in given),
            )

    def _number(self, element: Element, name: str, *, required: bool = False) -> int | None:
        given = element.attributes.get(name)
        match = _WHOLE.fullmatch(given) if given is not None else None
        if match is not None:
            return int(match[1])
        if given is not None or required:
            self._note(
                "error" if required else "warning",
                element.line,
                self._at(element),
                f"{name}={shorten(given)}" if given is not None else f"no {name}",
                f"{name} as a whole number",
                "Give the unit a number." if required else "It was not used.",
            )
        return None

    def _decoded(self, text: str, element: Element, name: str) -> str:
        """Without entities that were escaped twice."""
        if not _ENTITY.search(text):
            return text
        self._note(
            "warning",
            element.line,
            f"{self._at(element)} {name}",
            f"{_ENTITY.search(text)[0]} left in {shorten(text)}",  # type: ignore[index]
            "entities that are escaped once",
            "It was decoded once more.",
        )
        return decode_entities(text)

    def _strangers(self, element: Element) -> None:
        known = _KNOWN[element.tag]
        for child in element.children:
            if child.tag not in known:
                self._note(
                    "warning",
                    child.line,
                    self._at(element),
                    f"the element <{child.tag[:40]}>",
                    " or ".join(f"<{name}>" for name in sorted(known)),
                    "It was left out.",
                )

    def _missing(self, element: Element, name: str, remedy: str) -> None:
        self._note("error", element.line, element.tag, f"no <{name}>", f"<{name}> in <{element.tag}>", remedy)

    def _at(self, element: Element) -> str:
        uid = element.attributes.get("uid")
        return element.tag if uid is None else f'{element.tag} uid="{uid[:20]}"'

    def _note(self, severity: Severity, line: int, at: str | None, found: str, expected: str, remedy: str) -> None:
        self.problems.add(severity, file=self.path, line=line, field=at, found=found, expected=expected, remedy=remedy)


def decode_entities(text: str) -> str:
    """The five entities of XML as characters."""
    return _ENTITY.sub(lambda match: _CHARACTERS[match[1]], text)
