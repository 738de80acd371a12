"""A DUCView file, .pyr or .pan: its pyramid with offsets in single models, and the annotation of a peer.

Everything that DUCView would write differently is reported with its line, and read nevertheless if it can be.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from pyramidion.campaign import Contributor, Match, Scu
from pyramidion.campaign.nouns import Part, Parts
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.ducview.model_texts import Segment, Segmentation, announced, find_models
from pyramidion.formats.ducview.offsets import ENTITY, FilePart, Offsets, Placed, Region, Repair, decode_entities
from pyramidion.formats.guarded_xml import Element, parse_xml
from pyramidion.formats.nist_file_names import parse_nist_name
from pyramidion.show.tables import grouped
from pyramidion.show.wording import counted

Across = Literal["first", "split", "drop"]
UNMATCHED_UID = 0
UNMATCHED_LABEL = "All non-matching SCUs go here"
ALL_MATCH = "Nothing is left over: all content matches"
"""Our comment on an empty uid 0 that was marked; without it, an empty one means that nobody marked anything."""

_WEIGHT = re.compile(r"\A\s*\([0-9]+(?:\.[0-9]+)?\)\s*")
_SUFFIX = re.compile(r"\s*\((?:[0-9]+(?:\.[0-9]+)*|NONE)\)\s*\Z")
# 19 digits: campaigns number their SCUs with 64 bits, and what is exported is read again.
_WHOLE = re.compile(r"\s*([+-]?[0-9]{1,19})\s*", re.ASCII)
_KNOWN = {
    "pyramid": {"startDocumentRegEx", "text", "scu"},
    "peerAnnotation": {"pyramid", "annotation", "score"},
    "annotation": {"text", "peerscu"},
    "text": {"line"},
    "scu": {"contributor"},
    "peerscu": {"contributor"},
    "contributor": {"part"},
}


@dataclass(frozen=True, kw_only=True)
class FilePyramid:
    """A pyramid whose offsets count in its single models."""

    segments: tuple[Segment, ...]
    models: Mapping[str, str]
    """Texts by id, in order."""
    scus: tuple[Scu, ...]
    line: int


@dataclass(frozen=True, kw_only=True)
class FileAnnotation:
    """A peer matched against the pyramid of its file; `unmatched` is None if nobody marked it."""

    text: str
    scus: tuple[Match, ...]
    unmatched: tuple[Parts, ...] | None
    line: int


class DucviewFile(NamedTuple):
    """A whole file; a .pyr has no annotation."""

    path: Path
    pyramid: FilePyramid
    annotation: FileAnnotation | None = None


class _Contributor(NamedTuple):
    """The parts that together express a unit."""

    comment: str
    label: str
    parts: tuple[FilePart, ...]
    at: Place


class _Unit(NamedTuple):
    """An SCU of a pyramid, or the peer's side of one (`peerscu`); offsets are those of the file."""

    uid: int
    label: str
    comment: str
    contributors: tuple[_Contributor, ...]
    at: Place


def bare_label(label: str) -> str:
    """A label without its weight in front and the suffixes that some files have, to compare labels of two files."""
    # Files of 2010 and 2011 have labels with " (2.1)" or " (NONE)" behind them, and the uids of .pan and .pyr differ:
    # labels are what can be compared.
    words = " ".join(decode_entities(label).split())  # first: runs of blanks would take the patterns very long
    return _SUFFIX.sub("", _WEIGHT.sub("", words)).strip()


@dataclass(frozen=True, kw_only=True)
class HowToRead:
    """What the user says about the files."""

    regex: str = ""
    """Where models start, instead of the files' own expressions."""
    across: Across = "first"
    """What becomes of a contributor with parts in two models: it is the first one's, split, or dropped."""
    marked: bool = False
    """Whether an empty uid 0 means that all content matches, rather than that nobody marked what does not."""


class OpenFile(NamedTuple):
    """A file whose XML has been parsed, and nothing else."""

    place: Place
    root: Element
    """<pyramid> or <peerAnnotation>."""

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.place.file)

    @property
    def is_annotation(self) -> bool:
        """Whether it is a .pan."""
        return self.root.tag == "peerAnnotation"

    @property
    def pyramid(self) -> Element | None:
        """The element <pyramid>: the root of a .pyr, within the root of a .pan."""
        if self.is_annotation:
            return self.root.first("pyramid")
        return self.root

    @property
    def regex(self) -> str | None:
        """Its own startDocumentRegEx, if it has one."""
        if self.pyramid is None:
            return None
        return _regex_of(self.pyramid)

    @property
    def set(self) -> str:
        """The topic in NIST's names of its models; nothing if they have other names."""
        text = self.pyramid.first("text") if self.pyramid else None
        if text is None:
            return ""
        names = (parse_nist_name(line.text.strip("- \t")) for line in text.children)
        return next((name.topic for name in names if name), "")

    def read(self, how: HowToRead, *, regexes: Sequence[str] = ()) -> DucviewFile | None:
        """The pyramid or peer annotation; None (and an error) if it can't be used.

        Args:
            how: what the user says.
            regexes: the expressions of other files of the topic, for a file without its own.
        """
        return _DucviewParser(self.place, how, regexes).file(self.path, self.root)


def _regex_of(pyramid: Element) -> str | None:
    """The startDocumentRegEx of a pyramid; None if it is missing or blank."""
    regex = pyramid.first("startDocumentRegEx")
    if regex is None or not regex.text.strip():
        return None
    return regex.text


def open_file(content: bytes, place: Place) -> OpenFile | None:
    """The last pyramid or peer annotation in the bytes of a file; None (and an error) if there is none."""
    roots = parse_xml(content, place, what="a DUCView .pyr or .pan file")
    if not roots:
        return None
    # Some files hold several documents: DUCView's older versions of the same work come first.
    root = roots[-1]
    if root.tag not in ("pyramid", "peerAnnotation"):
        place.at(root.line, root.tag).error(
            found=f"the root element <{root.tag[:40]}>",
            expected="<pyramid> (.pyr) or <peerAnnotation> (.pan)",
            remedy="Check that the file was written by DUCView.",
        )
        return None
    if len(roots) > 1:
        place.at(root.line).warning(
            found=f"{len(roots)} documents in one file",
            expected="one",
            remedy="The last was read; the others are older versions of the same work.",
        )
    return OpenFile(place, root)


def _whole_number(text: str) -> int | None:
    """The whole number that an attribute spells; None if it spells none."""
    match = _WHOLE.fullmatch(text)
    if match is None:
        return None
    return int(match[1])


def _repair(at: Place, found: str, remedy: str, *, count: int = 1) -> None:
    """Warn about something that DUCView would have written differently."""
    at.warning(
        found=found,
        expected="what DUCView writes",
        remedy=remedy,
        count=count,
    )


@dataclass(frozen=True)
class _DucviewParser:
    place: Place
    how: HowToRead
    regexes: Sequence[str]
    _uids: dict[tuple[str, int], int] = field(default_factory=dict)
    """The lines of uids, by the kind of unit."""

    def at(self, element: Element, name: str = "") -> Place:
        """The place of an element: its line, its tag and its uid."""
        uid = element.attributes.get("uid")
        tag = element.tag if uid is None else f'{element.tag} uid="{uid[:20]}"'
        return self.place.at(element.line, f"{tag} {name}".rstrip())

    def file(self, path: Path, root: Element) -> DucviewFile | None:
        """The file with its pyramid and annotation; None (and an error) if it can't be used."""
        remedy = "The file can't be used without it; write it again."
        root_element: Element | None = root
        peer = None
        if root.tag == "peerAnnotation":
            self._note_unknown(root)
            root_element, peer = (self._child(root, name, remedy) for name in ("pyramid", "annotation"))
            root_element = root_element if peer else None
        pyramid = self._pyramid(root_element) if root_element else None
        if pyramid is None:
            return None
        if peer is None:
            return DucviewFile(path, pyramid)
        return DucviewFile(path, pyramid, self._annotation(peer, pyramid.scus))

    def _pyramid(self, element: Element) -> FilePyramid | None:
        """The pyramid; None (and an error) if its models can't be found."""
        self._note_unknown(element)
        # Pyramids of 2006 and 2007 may lack it, where other files of the topic have it: those come next, as
        # `regexes`.
        regex = self.how.regex or _regex_of(element)
        number = self._number(element, "numModels")
        text = self._text(element)
        units = list(self._units(element, "scu"))
        segmentation = find_models(text, regex=regex, number=number, other_regexes=self.regexes)
        at = self.place.at(element.line, "startDocumentRegEx")
        if not segmentation.segments:
            announcement = f" and numModels={number}" if number is not None else ""
            at.error(
                found=f"{segmentation.repairs[0].found}{announcement}, and no headers in the text",
                expected="a way to find where each model starts",
                remedy='Give an expression with `option={"regex": "…"}`, such as regex=\'-+\\n.*\\n-+\\n\'.',
            )
            return None
        for repair in segmentation.repairs:
            _repair(at, *repair)
        before = text[: segmentation.segments[0].header].strip()
        if before and announced(f"{before}\n") is None:
            here = self.place.at(element.line, "text")
            _repair(here, f"{shorten(before)} before the first model", "It was left out.")
        offsets = self._offsets(text, units, element.line)
        moved: list[_Moved] = []
        scus = tuple(self._scu(unit, offsets, segmentation, moved) for unit in units)
        _note_moved(moved)
        return FilePyramid(
            segments=segmentation.segments,
            models={segment.id: text[segment.start : segment.end] for segment in segmentation.segments},
            scus=scus,
            line=element.line,
        )

    def _text(self, element: Element) -> str:
        """Every line and a line break, also after the last."""
        text = self._child(element, "text", "Offsets count in the text; write the file again.")
        if text is None:
            return ""
        self._note_unknown(text)
        for again in list(element.all("text"))[1:]:
            self.place.at(again.line, element.tag).error(
                found="a second <text>",
                expected="one",
                remedy="Remove one of the two.",
            )
        # DUCView counts offsets in this text, with one character for a line break whatever the file's own are.
        return "".join(f"{line.text}\n" for line in text.all("line"))

    def _units(self, element: Element, tag: Literal["scu", "peerscu"]) -> Iterator[_Unit]:
        """The SCUs of a pyramid or an annotation; one without a uid, or with that of another, is an error."""
        for unit in element.all(tag):
            self._note_unknown(unit)
            at = self.at(unit)
            uid = self._number(unit, "uid", required=True)
            label = unit.attributes.get("label")
            if label is None:
                at.warning(
                    found="no label",
                    expected='label="…"',
                    remedy="It was read with an empty label.",
                )
            contributors = tuple(self._contributors(unit))
            if uid is None:
                continue
            expected, remedy = f"each uid of a <{tag}> once", "Give it its own uid."
            if not at.is_first(self._uids, (tag, uid), f"the uid {uid}", expected=expected, remedy=remedy):
                continue
            if not contributors and tag == "scu":
                at.warning(
                    found="an SCU without contributors",
                    expected="at least one contributor",
                    remedy="It was kept; its weight is 0.",
                )
            yield _Unit(
                uid, self._read_attribute(unit, "label"), self._read_attribute(unit, "comment"), contributors, at
            )

    def _contributors(self, unit: Element) -> Iterator[_Contributor]:
        """The contributors of a unit; of a pyramid's unit, those with parts."""
        for contributor in unit.all("contributor"):
            self._note_unknown(contributor)
            parts = tuple(self._parts(contributor))
            in_peer = unit.tag == "peerscu"
            at = self.place.at(contributor.line, self.at(unit).field)
            if not parts:
                remedy = "It was kept, without its words." if in_peer else "Its model is unknown; it was left out."
                at.warning(
                    found="a contributor without parts",
                    expected="at least one part",
                    remedy=remedy,
                )
            if parts or in_peer:
                comment, label = (self._read_attribute(contributor, name) for name in ("comment", "label"))
                yield _Contributor(comment, label, parts, at)

    def _parts(self, contributor: Element) -> Iterator[FilePart]:
        """The parts of a contributor with their offsets as the file gives them."""
        for part in contributor.all("part"):
            bounds = [part.attributes.get(name, "nothing") for name in ("start", "end")]
            start, end = map(_whole_number, bounds)
            yield FilePart(
                label=part.attributes.get("label"),
                start=start,
                end=end,
                line=part.line,
                written=" to ".join(bound[:20] for bound in bounds),
            )

    def _number(self, element: Element, name: str, *, required: bool = False) -> int | None:
        """An attribute that is a whole number; None (and an error, if it is required) if it is none."""
        value = element.attributes.get(name)
        number = _whole_number(value or "")
        if number is not None:
            return number
        found = f"no {name}" if value is None else f"{name}={shorten(value)}"
        if required:
            self.at(element).error(
                found=found,
                expected=f"{name} as a whole number",
                remedy="Give the unit a number.",
            )
        elif value is not None:
            self.at(element).warning(
                found=found,
                expected=f"{name} as a whole number",
                remedy="It was not used.",
            )
        return None

    def _read_attribute(self, element: Element, name: str) -> str:
        """An attribute without entities that were escaped twice."""
        text = element.attributes.get(name, "")
        entity = ENTITY.search(text)
        if entity:
            self.at(element, name).warning(
                found=f"{entity[0]} left in {shorten(text)}",
                expected="entities that are escaped once",
                remedy="It was decoded once more.",
            )
        return decode_entities(text)

    def _note_unknown(self, element: Element) -> None:
        """Warn about elements that DUCView does not write here."""
        known_names = _KNOWN[element.tag]
        for child in element.children:
            if child.tag not in known_names:
                expected = " or ".join(f"<{name}>" for name in sorted(known_names))
                at = self.place.at(child.line, self.at(element).field)
                at.warning(
                    found=f"the element <{child.tag[:40]}>",
                    expected=expected,
                    remedy="It was left out.",
                )

    def _child(self, element: Element, name: str, remedy: str) -> Element | None:
        """The child of this name; None (and an error) if it is missing."""
        child = element.first(name)
        if child is None:
            self.place.at(element.line, element.tag).error(
                found=f"no <{name}>",
                expected=f"<{name}> in <{element.tag}>",
                remedy=remedy,
            )
        return child

    def _offsets(self, text: str, units: Iterable[_Unit], line: int) -> Offsets:
        """The offsets of all parts in a text; a repair if they do not count UTF-16 units."""
        contributors = chain.from_iterable(unit.contributors for unit in units)
        parts = chain.from_iterable(contributor.parts for contributor in contributors)
        offsets = Offsets(text, parts)
        if offsets.unit == "bytes":
            _repair(self.place.at(line, "part"), "offsets in bytes", "They were converted to characters.")
        return offsets

    def _scu(self, unit: _Unit, offsets: Offsets, segmentation: Segmentation, moved: list[_Moved]) -> Scu:
        """A unit of the pyramid as an SCU, with offsets in single models."""
        contributors: list[Contributor] = []
        for contributor in unit.contributors:
            contributors += self._split_by_model(contributor, offsets, segmentation, moved)
        return Scu(
            uid=unit.uid,
            label=unit.label,
            comment=unit.comment,
            contributors=tuple(contributors),
        )

    def _split_by_model(
        self, contributor: _Contributor, offsets: Offsets, segmentation: Segmentation, moved: list[_Moved]
    ) -> Iterator[Contributor]:
        """The contributor, of the model of its earliest part, or one for each model in which it has parts."""

        def region(offset: int) -> tuple[int, int] | None:
            segment = segmentation.at(offset)
            if segment:
                return (segment.start, segment.end)
            return None

        parts: dict[str, list[Part]] = defaultdict(list)
        earliest: dict[str, int] = {}
        for part in contributor.parts:
            at = contributor.at._replace(line=part.line)
            placed = _place_part(at, part, offsets, region)
            span = placed.span if placed else None
            claimed = offsets.claimed(part)
            start = span[0] if span else claimed or 0
            segment = segmentation.at(start)
            if segment is None:
                if span:
                    _repair(at, f"a part at {part.start}, before any model", "It was dropped.")
                continue
            if placed and placed.repair:
                moved.append(_Moved(at, segment.id, placed.span[0] - (claimed or 0), placed.repair))
            model_part = _within(at, offsets.text, span, segment) if span else None
            if model_part:
                parts[segment.id].append(model_part)
            elif claimed is not None:
                # Even when its words are lost, the contributor shows that its model has the SCU.
                parts.setdefault(segment.id, [])
            else:
                continue
            earliest[segment.id] = min(start, earliest.get(segment.id, start))
        kept, label = list(parts), ""
        if len(parts) > 1:
            models = " and ".join(repr(model) for model in parts)
            remedy = "It was split, one for each."
            if self.how.across == "first":
                first = min(earliest, key=earliest.__getitem__)
                kept, remedy = [first], f"It counts once, for model {first!r}; its other words stay in its label."
                part_labels = [part.label or "" for part in contributor.parts]
                label = contributor.label or "...".join(part_labels)
            elif self.how.across == "drop":
                kept, remedy = [], "It was dropped."
            _repair(contributor.at, f"a contributor with parts in the models {models}", remedy)
        for model in kept:
            yield Contributor(
                model=model,
                parts=tuple(parts[model]),
                comment=contributor.comment,
                label=label,
            )

    def _annotation(self, element: Element, scus: Sequence[Scu]) -> FileAnnotation:
        """The peer's text and what it expresses, by uid of the pyramid's SCUs."""
        self._note_unknown(element)
        whole = self._text(element)
        if not whole.strip():
            at = self.at(element, "text")
            at.warning(
                found="an empty peer",
                expected="the text of the peer",
                remedy="The summary was read as empty.",
            )
        units = list(self._units(element, "peerscu"))
        offsets = self._offsets(whole, units, element.line)
        text = whole.removesuffix("\n")
        marked = self.how.marked
        uids = {scu.uid for scu in scus}
        matches: dict[int, Match] = {}
        unmatched: list[Parts] = []
        unknown: list[Parts] = []
        for unit in units:
            contributors = tuple(_place_in_peer(contributor, offsets, len(text)) for contributor in unit.contributors)
            if unit.uid == UNMATCHED_UID and UNMATCHED_UID not in uids:
                unmatched += contributors
                marked = marked or bool(contributors) or unit.comment == ALL_MATCH
                continue
            uid = unit.uid if unit.uid in uids else _find_uid_by_label(unit, scus, units)
            if uid != unit.uid:
                remedy = "Its contributors were kept as non-matching." if contributors else "It was left out."
                if uid is not None and uid not in matches:
                    remedy = f"Its label identifies it as SCU {uid}."
                _repair(unit.at, f"the uid {unit.uid}, which no SCU of the pyramid has", remedy)
            if uid is None or uid in matches:
                unknown += contributors
                continue
            is_present = bool(contributors)
            if contributors == ((),):  # a contributor without parts only says that the SCU is there
                contributors = ()
            comments = [unit.comment, *(contributor.comment for contributor in unit.contributors)]
            matches[uid] = Match(
                uid=uid,
                present=is_present,
                contributors=contributors,
                comment="; ".join(dict.fromkeys(filter(None, comments))),
            )
        missing = [scu.uid for scu in scus if scu.uid not in matches]
        if missing:
            found = f"{len(missing)} of {len(scus)} SCUs that are not listed, first uid {missing[0]}"
            _repair(self.place.at(element.line, "annotation"), found, "They were read as absent from the peer.")
        if unknown and not marked:
            found = "an empty uid 0, but contributors of unknown SCUs"
            remedy = "These were left out, because other non-matching content was not marked."
            _repair(self.place.at(element.line, 'peerscu uid="0"'), found, remedy)
        unmatched_content = (*unmatched, *unknown) if marked else None
        return FileAnnotation(
            text=text,
            scus=tuple(matches.values()),
            unmatched=unmatched_content,
            line=element.line,
        )


class _Moved(NamedTuple):
    """A part of a model that was found elsewhere than its offsets say."""

    at: Place
    model: str
    by: int
    repair: Repair


def _note_moved(moved: Sequence[_Moved]) -> None:
    """List the repairs of parts; if all those of a model are off by the same number, once for the model."""
    for model, several in grouped(moved, lambda moved_part: moved_part.model).items():
        distances = {moved_part.by for moved_part in several}
        if len(several) == 1 or len(distances) > 1 or distances == {0}:
            for moved_part in several:
                _repair(moved_part.at, *moved_part.repair)
            continue
        by = distances.pop()
        direction = "far" if by < 0 else "early"
        where = f"{counted(abs(by), 'character')} too {direction}"
        found = f"{len(several)} parts of model {model!r} that are {where}, the first: {several[0].repair.found}"
        _repair(several[0].at, found, "Their words were found again.", count=len(several))


def _place_part(at: Place, part: FilePart, offsets: Offsets, region: Region) -> Placed | None:
    """Where a part is; None (and a repair) if that is unknown."""
    placed = offsets.place(part, region)
    if isinstance(placed, str):
        _repair(at, placed, "The part was dropped.")
        return None
    return placed


def _span(at: Place, part: FilePart, offsets: Offsets, region: Region) -> Part | None:
    """Where a part of a peer is; None (and a repair) if that is unknown."""
    placed = _place_part(at, part, offsets, region)
    if placed and placed.repair:
        _repair(at, *placed.repair)
    if placed:
        return placed.span
    return None


def _within(at: Place, text: str, span: Part, segment: Segment) -> Part | None:
    """The part in the model's own offsets; what lies outside of the model is cut off."""
    start, end = max(span[0], segment.start), min(span[1], segment.end)
    if (text[span[0] : min(start, span[1])] + text[end : span[1]]).strip():
        _repair(at, f"a part that extends beyond model {segment.id!r}", "It was cut there.")
    if start < end:
        return (start - segment.start, end - segment.start)
    return None


def _place_in_peer(contributor: _Contributor, offsets: Offsets, length: int) -> Parts:
    """The parts of a contributor in the text of a peer; what lies behind its end is cut off."""
    spans: list[Part] = []
    for part in contributor.parts:
        at = contributor.at._replace(line=part.line)
        span = _span(at, part, offsets, lambda _: (0, length))
        if span is None:
            continue
        start, end = span[0], min(span[1], length)
        if start < end:
            spans.append((start, end))
    return tuple(spans)


def _find_uid_by_label(unit: _Unit, scus: Iterable[Scu], units: Iterable[_Unit]) -> int | None:
    """The uid of the one SCU with the label of a peer's unit, if no other unit is about it."""
    listed = {unit.uid for unit in units}
    label = bare_label(unit.label)
    unlisted = [scu for scu in scus if scu.uid not in listed]
    uids = [scu.uid for scu in unlisted if bare_label(scu.label) == label]
    if len(uids) == 1:
        return uids[0]
    return None
