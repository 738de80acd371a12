"""The content of a DUCView file, .pyr or .pan: its texts, units, contributors and parts, not yet assigned to models.

Offsets are still those of the file, into the whole text. Everything that DUCView would write differently is reported
with its line, and read nevertheless if it can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from pyramidion.campaign import Problems
from pyramidion.files.problems import Place, shorten
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
    """The offsets as the file has them, for messages."""


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
class FileAnnotation:
    """A text and its units: a peer and what of it matches."""

    text: str
    units: tuple[FileUnit, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class FilePyramid(FileAnnotation):
    """A pyramid: the text of all models, and how to find where each starts."""

    regex: str | None
    number: int | None
    """The attribute numModels."""


@dataclass(frozen=True, kw_only=True)
class DucviewFile:
    """A whole file; a .pyr has no annotation."""

    path: Path
    pyramid: FilePyramid
    annotation: FileAnnotation | None = None


def read_file(path: Path, problems: Problems) -> DucviewFile | None:
    """The last pyramid or peer annotation in the file; None (and an error) if there is none."""
    roots = read_xml(path, problems, what="a DUCView .pyr or .pan file")
    return _Reading(Place(problems, path)).file(path, roots) if roots else None


@dataclass(frozen=True)
class _Reading:
    place: Place
    _uids: dict[tuple[str, int], int] = field(default_factory=dict)
    """The lines of uids, by the kind of unit."""

    def at(self, element: Element, name: str = "") -> Place:
        uid = element.attributes.get("uid")
        tag = element.tag if uid is None else f'{element.tag} uid="{uid[:20]}"'
        return self.place.at(element.line, f"{tag} {name}".rstrip())

    def file(self, path: Path, roots: list[Element]) -> DucviewFile | None:
        root = roots[-1]
        if root.tag not in ("pyramid", "peerAnnotation"):
            found, expected = f"the root element <{root.tag[:40]}>", "<pyramid> (.pyr) or <peerAnnotation> (.pan)"
            self.at(root).error(found, expected, "Check that the file was written by DUCView.")
            return None
        if len(roots) > 1:
            remedy = "The last was read; the others are older versions of the same work."
            self.place.at(root.line).warning(f"{len(roots)} documents in one file", "one", remedy)
        if root.tag == "pyramid":
            return DucviewFile(path=path, pyramid=self._pyramid(root))
        self._note_unknown(root)
        remedy = "The file can't be used without it; write it again."
        pyramid, annotation = (self._child(root, name, remedy) for name in ("pyramid", "annotation"))
        if pyramid is None or annotation is None:
            return None
        own = self._pyramid(pyramid)
        self._note_unknown(annotation)
        text = self._text(annotation)
        if not text.strip():
            self.at(annotation, "text").warning(
                "an empty peer", "the text of the peer", "The summary was read as empty."
            )
        units = tuple(self._units(annotation, "peerscu"))
        return DucviewFile(
            path=path, pyramid=own, annotation=FileAnnotation(text=text, units=units, line=annotation.line)
        )

    def _pyramid(self, element: Element) -> FilePyramid:
        self._note_unknown(element)
        regex = element.first("startDocumentRegEx")
        return FilePyramid(
            regex=regex.text if regex is not None and regex.text.strip() else None,
            number=self._number(element, "numModels"),
            text=self._text(element),
            units=tuple(self._units(element, "scu")),
            line=element.line,
        )

    def _text(self, element: Element) -> str:
        """Every line and a line break, also after the last."""
        text = self._child(element, "text", "Offsets count in the text; write the file again.")
        if text is None:
            return ""
        self._note_unknown(text)
        for again in list(element.all("text"))[1:]:
            self.place.at(again.line, element.tag).error("a second <text>", "one", "Remove one of the two.")
        return "".join(f"{line.text}\n" for line in text.all("line"))

    def _units(self, element: Element, tag: Literal["scu", "peerscu"]) -> Iterator[FileUnit]:
        for unit in element.all(tag):
            self._note_unknown(unit)
            at = self.at(unit)
            uid = self._number(unit, "uid", required=True)
            label = unit.attributes.get("label")
            if label is None:
                at.warning("no label", 'label="…"', "It was read with an empty label.")
            contributors = tuple(self._contributors(unit))
            if uid is None:
                continue
            expected, remedy = f"each uid of a <{tag}> once", "Give it its own uid."
            if not at.is_first(self._uids, (tag, uid), f"the uid {uid}", expected=expected, remedy=remedy):
                continue
            if not contributors and tag == "scu":
                at.warning("an SCU without contributors", "at least one contributor", "It was kept; its weight is 0.")
            yield FileUnit(
                uid=uid,
                label=self._decoded(unit, "label"),
                comment=self._decoded(unit, "comment"),
                contributors=contributors,
                line=unit.line,
            )

    def _contributors(self, unit: Element) -> Iterator[FileContributor]:
        for contributor in unit.all("contributor"):
            self._note_unknown(contributor)
            parts = tuple(self._parts(contributor))
            in_peer = unit.tag == "peerscu"
            if not parts:
                remedy = "It was kept, without its words." if in_peer else "Its model is unknown; it was left out."
                at = self.place.at(contributor.line, self.at(unit).field)
                at.warning("a contributor without parts", "at least one part", remedy)
            if parts or in_peer:
                comment = self._decoded(contributor, "comment")
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
        match = _WHOLE.fullmatch(given or "")
        if match is not None:
            return int(match[1])
        found = f"no {name}" if given is None else f"{name}={shorten(given)}"
        if required:
            self.at(element).error(found, f"{name} as a whole number", "Give the unit a number.")
        elif given is not None:
            self.at(element).warning(found, f"{name} as a whole number", "It was not used.")
        return None

    def _decoded(self, element: Element, name: str) -> str:
        """An attribute without entities that were escaped twice."""
        text = element.attributes.get(name, "")
        if entity := _ENTITY.search(text):
            found = f"{entity[0]} left in {shorten(text)}"
            self.at(element, name).warning(found, "entities that are escaped once", "It was decoded once more.")
        return decode_entities(text)

    def _note_unknown(self, element: Element) -> None:
        known = _KNOWN[element.tag]
        for child in element.children:
            if child.tag not in known:
                expected = " or ".join(f"<{name}>" for name in sorted(known))
                at = self.place.at(child.line, self.at(element).field)
                at.warning(f"the element <{child.tag[:40]}>", expected, "It was left out.")

    def _child(self, element: Element, name: str, remedy: str) -> Element | None:
        found = element.first(name)
        if found is None:
            self.place.at(element.line, element.tag).error(f"no <{name}>", f"<{name}> in <{element.tag}>", remedy)
        return found


def decode_entities(text: str) -> str:
    """The five entities of XML as characters."""
    return _ENTITY.sub(lambda match: _CHARACTERS[match[1]], text)
