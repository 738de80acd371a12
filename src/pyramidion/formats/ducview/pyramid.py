"""From a DUCView file to our pyramid and annotation: parts assigned to models, units to SCUs, with every repair."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pyramidion.campaign import Contributor, Match, Problems, Scu
from pyramidion.campaign.nouns import Part, Parts
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.ducview.file import (
    DucviewFile,
    FileAnnotation,
    FileContributor,
    FilePart,
    FileUnit,
    decode_entities,
)
from pyramidion.formats.ducview.models import Segment, Segmentation, find_models
from pyramidion.formats.ducview.offsets import Offsets, Region
from pyramidion.wording import in_words

UNMATCHED_UID = 0
UNMATCHED_LABEL = "All non-matching SCUs go here"
ALL_MATCH = "Nothing is left over: all content matches"
"""Our comment on an empty uid 0 that was marked; without it, an empty one means that nobody marked anything."""

_WEIGHT = re.compile(r"\A\s*\([0-9]+(?:\.[0-9]+)?\)\s*")
_SUFFIX = re.compile(r"\s*\((?:[0-9]+(?:\.[0-9]+)*|NONE)\)\s*\Z")


@dataclass(frozen=True, kw_only=True)
class PlacedPyramid:
    """A pyramid whose offsets count in its single models."""

    segments: tuple[Segment, ...]
    models: Mapping[str, str]
    """Texts by id, in order."""
    scus: tuple[Scu, ...]


@dataclass(frozen=True, kw_only=True)
class PlacedAnnotation:
    """A peer matched against the pyramid of its file; `unmatched` is None if nobody marked it."""

    text: str
    scus: tuple[Match, ...]
    unmatched: tuple[Parts, ...] | None


def bare_label(label: str) -> str:
    """A label without its weight in front and the suffixes that some files have, to compare labels of two files."""
    return " ".join(_SUFFIX.sub("", _WEIGHT.sub("", decode_entities(label))).split())


def place_pyramid(file: DucviewFile, problems: Problems, *, regex: str | None, split: bool) -> PlacedPyramid | None:
    """The file's pyramid; None (and an error) if its models can't be found.

    Args:
        file: a .pyr or .pan.
        problems: takes the error and the repairs.
        regex: where models start, instead of the file's own expression.
        split: whether a contributor with parts in two models becomes one for each; otherwise it is dropped.
    """
    pyramid = file.pyramid
    found = find_models(pyramid.text, regex=regex or pyramid.regex, number=pyramid.number)
    reading = _Reading(Place(problems, file.path), pyramid.text)
    at = reading.place.at(pyramid.line, "startDocumentRegEx")
    if not found.segments:
        number = f" and numModels={pyramid.number}" if pyramid.number is not None else ""
        at.error(
            f"{found.repairs[0].found}{number}, and no headers in the text",
            "a way to find where each model starts",
            "Give an expression with --option regex=…, such as regex='-+\\n.*\\n-+\\n'.",
        )
        return None
    for repair in found.repairs:
        _repair(at, *repair)
    if before := pyramid.text[: found.segments[0].header].strip():
        here = reading.place.at(pyramid.line, "text")
        _repair(here, f"{shorten(before)} before the first model", "It was left out.")
    models = {segment.id: pyramid.text[segment.start : segment.end] for segment in found.segments}
    offsets = reading.offsets(pyramid)
    scus = tuple(reading.scu(unit, offsets, found, split=split) for unit in pyramid.units)
    return PlacedPyramid(segments=found.segments, models=models, scus=scus)


def place_annotation(
    file: DucviewFile, scus: Sequence[Scu], problems: Problems, *, marked: bool
) -> PlacedAnnotation | None:
    """The file's annotation against these SCUs; None for a .pyr.

    Args:
        file: a .pan.
        scus: those of the pyramid in it.
        problems: takes the repairs.
        marked: whether an empty uid 0 means that all content matches, rather than that nobody marked what does not.
    """
    if file.annotation is None:
        return None
    return _Reading(Place(problems, file.path), file.annotation.text).annotation(file.annotation, scus, marked=marked)


def _repair(at: Place, found: str, remedy: str) -> None:
    at.warning(found, "what DUCView writes", remedy)


@dataclass(frozen=True)
class _Reading:
    place: Place
    text: str

    def at(self, line: int, unit: FileUnit) -> Place:
        return self.place.at(line, f'uid="{unit.uid}"')

    def offsets(self, annotation: FileAnnotation) -> Offsets:
        parts = (part for unit in annotation.units for contributor in unit.contributors for part in contributor.parts)
        offsets = Offsets(self.text, parts)
        if offsets.unit == "bytes":
            _repair(self.place.at(annotation.line, "part"), "offsets in bytes", "They were converted to characters.")
        return offsets

    def scu(self, unit: FileUnit, offsets: Offsets, found: Segmentation, *, split: bool) -> Scu:
        contributors: list[Contributor] = []
        for contributor in unit.contributors:
            contributors += self._by_model(unit, contributor, offsets, found, split=split)
        for model, count in Counter(one.model for one in contributors).items():
            if count > 1:
                remedy = "They were kept; the weight counts the model once."
                _repair(self.at(unit.line, unit), f"{in_words(count)} contributors of model {model!r}", remedy)
        return Scu(uid=unit.uid, label=unit.label, comment=unit.comment, contributors=tuple(contributors))

    def _by_model(
        self, unit: FileUnit, contributor: FileContributor, offsets: Offsets, found: Segmentation, *, split: bool
    ) -> Iterator[Contributor]:
        """The contributor, or one for each model in which it has parts."""

        def region(offset: int) -> tuple[int, int] | None:
            segment = found.at(offset)
            return (segment.start, segment.end) if segment else None

        parts: dict[str, list[Part]] = defaultdict(list)
        for part in contributor.parts:
            span = self._span(unit, part, offsets, region)
            claimed = offsets.claimed(part)
            segment = found.at(span[0] if span else claimed or 0)
            if segment is None:
                if span:
                    _repair(self.at(part.line, unit), f"a part at {part.start}, before any model", "It was dropped.")
                continue
            own = self._within(self.at(part.line, unit), span, segment) if span else None
            # Even when its words are lost, the contributor shows that its model has the SCU.
            if own or claimed is not None:
                parts[segment.id] += [own] if own else []
        if len(parts) > 1:
            models = " and ".join(repr(model) for model in parts)
            remedy = "It was split, one for each." if split else "It was dropped."
            _repair(self.at(contributor.line, unit), f"a contributor with parts in the models {models}", remedy)
        if len(parts) == 1 or split:
            for model, placed in parts.items():
                yield Contributor(model=model, parts=tuple(placed), comment=contributor.comment)

    def _span(self, unit: FileUnit, part: FilePart, offsets: Offsets, region: Region) -> Part | None:
        placed = offsets.place(part, region)
        at = self.at(part.line, unit)
        if isinstance(placed, str):
            _repair(at, placed, "The part was dropped.")
            return None
        if placed.repair:
            _repair(at, *placed.repair)
        return placed.span

    def _within(self, at: Place, span: Part, segment: Segment) -> Part | None:
        """The part in the model's own offsets; what lies outside of the model is cut off."""
        start, end = max(span[0], segment.start), min(span[1], segment.end)
        if (self.text[span[0] : min(start, span[1])] + self.text[end : span[1]]).strip():
            _repair(at, f"a part that extends beyond model {segment.id!r}", "It was cut there.")
        return (start - segment.start, end - segment.start) if start < end else None

    def annotation(self, annotation: FileAnnotation, scus: Sequence[Scu], *, marked: bool) -> PlacedAnnotation:
        text = self.text.removesuffix("\n")
        offsets = self.offsets(annotation)
        uids = {scu.uid for scu in scus}
        matches: dict[int, Match] = {}
        unmatched: list[Parts] = []
        unknown: list[Parts] = []
        for unit in annotation.units:
            contributors = tuple(self._in_peer(unit, one, offsets, len(text)) for one in unit.contributors)
            if unit.uid == UNMATCHED_UID and UNMATCHED_UID not in uids:
                unmatched += contributors
                marked = marked or bool(contributors) or unit.comment == ALL_MATCH
                continue
            uid = unit.uid if unit.uid in uids else _by_label(unit, scus, annotation.units)
            if uid != unit.uid:
                remedy = "Its contributors were kept as non-matching." if contributors else "It was left out."
                if uid is not None and uid not in matches:
                    remedy = f"Its label identifies it as SCU {uid}."
                _repair(self.at(unit.line, unit), f"the uid {unit.uid}, which no SCU of the pyramid has", remedy)
            if uid is None or uid in matches:
                unknown += contributors
                continue
            comments = [unit.comment, *(one.comment for one in unit.contributors)]
            matches[uid] = Match(
                uid=uid,
                present=bool(contributors),
                contributors=() if contributors == ((),) else contributors,
                comment="; ".join(dict.fromkeys(comment for comment in comments if comment)),
            )
        if missing := [scu.uid for scu in scus if scu.uid not in matches]:
            found = f"{len(missing)} of {len(scus)} SCUs that are not listed, first uid {missing[0]}"
            _repair(self.place.at(annotation.line, "annotation"), found, "They were read as absent from the peer.")
        if unknown and not marked:
            found = "an empty uid 0, but contributors of unknown SCUs"
            remedy = "These were left out, because other non-matching content was not marked."
            _repair(self.place.at(annotation.line, 'peerscu uid="0"'), found, remedy)
        return PlacedAnnotation(
            text=text,
            scus=tuple(matches.values()),
            unmatched=(*unmatched, *unknown) if marked else None,
        )

    def _in_peer(self, unit: FileUnit, contributor: FileContributor, offsets: Offsets, length: int) -> Parts:
        spans = (self._span(unit, part, offsets, lambda _: (0, length)) for part in contributor.parts)
        return tuple((span[0], min(span[1], length)) for span in spans if span and span[0] < min(span[1], length))


def _by_label(unit: FileUnit, scus: Iterable[Scu], units: Iterable[FileUnit]) -> int | None:
    """The uid of the one SCU with the label of a peer's unit, if no other unit is about it."""
    listed = {one.uid for one in units}
    wanted = bare_label(unit.label)
    found = [scu.uid for scu in scus if scu.uid not in listed and bare_label(scu.label) == wanted]
    return found[0] if len(found) == 1 else None
