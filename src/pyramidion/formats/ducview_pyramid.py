"""From a DUCView file to our pyramid and annotation: parts tied to models, units to SCUs; every repair is noted."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from pyramidion.campaign import Contributor, Match, Problems, Scu
from pyramidion.campaign.nouns import Part, Parts
from pyramidion.files.problems import Severity, shorten
from pyramidion.formats.ducview_file import (
    DucviewFile,
    FileAnnotation,
    FileContributor,
    FilePart,
    FileUnit,
    decode_entities,
)
from pyramidion.formats.ducview_models import Segment, Segmentation, find_models
from pyramidion.formats.ducview_offsets import Offsets, Placed, Region

UNMATCHED_UID = 0
UNMATCHED_LABEL = "All non-matching SCUs go here"
ALL_MATCH = "Nothing is left over: all content matches"
"""Our comment on an empty uid 0 that was marked; without it, an empty one means that nobody marked anything."""

Across = Literal["split", "drop"]
"""What becomes of a contributor with parts in two models."""

_WEIGHT = re.compile(r"\A\s*\([0-9]+(?:\.[0-9]+)?\)\s*")
_SUFFIX = re.compile(r"\s*\((?:[0-9]+(?:\.[0-9]+)*|NONE)\)\s*\Z")


@dataclass(frozen=True, kw_only=True)
class TiedPyramid:
    """A pyramid whose offsets count in its single models."""

    segments: tuple[Segment, ...]
    models: Mapping[str, str]
    """Texts by id, in order."""
    scus: tuple[Scu, ...]


@dataclass(frozen=True, kw_only=True)
class TiedAnnotation:
    """A peer matched against the pyramid of its file; `unmatched` is None where nobody marked it."""

    text: str
    scus: tuple[Match, ...]
    unmatched: tuple[Parts, ...] | None


def bare_label(label: str) -> str:
    """A label without its weight in front and the suffixes that some files have: what two files can agree on."""
    return " ".join(_SUFFIX.sub("", _WEIGHT.sub("", decode_entities(label))).split())


def tie_pyramid(file: DucviewFile, problems: Problems, *, regex: str | None, across: Across) -> TiedPyramid | None:
    """The file's pyramid; None (and an error) if its models can't be told apart."""
    pyramid = file.pyramid
    found = find_models(pyramid.text, regex=regex or pyramid.regex, number=pyramid.number)
    tying = _Tying(file, problems)
    if not found.segments:
        said = f" and numModels={pyramid.number}" if pyramid.number is not None else ""
        tying.note(
            "error",
            pyramid.line,
            "startDocumentRegEx",
            f"{found.repairs[0].found}{said}, and no headers in the text",
            "a way to tell where each model starts",
            "Give the expression with --option regex=…, such as regex='-+\\n.*\\n-+\\n'.",
        )
        return None
    for repair in found.repairs:
        tying.repair(pyramid.line, "startDocumentRegEx", *repair)
    before = pyramid.text[: found.segments[0].header]
    if before.strip():
        tying.repair(pyramid.line, "text", f"{shorten(before.strip())} before the first model", "It is no model.")
    models = {segment.id: pyramid.text[segment.start : segment.end] for segment in found.segments}
    offsets = tying.offsets(pyramid.text, pyramid.units, pyramid.line)
    scus = tuple(tying.scu(unit, offsets, found, across) for unit in pyramid.units)
    return TiedPyramid(segments=found.segments, models=models, scus=scus)


def tie_annotation(
    file: DucviewFile, scus: Iterable[Scu], problems: Problems, *, marked: bool
) -> TiedAnnotation | None:
    """The file's annotation against these SCUs; None for a .pyr.

    Args:
        file: a .pan.
        scus: those of the pyramid in it.
        problems: takes the repairs.
        marked: whether an empty uid 0 says that all content matches, rather than that nobody marked what does not.
    """
    if file.annotation is None:
        return None
    return _Tying(file, problems).annotation(file.annotation, list(scus), marked=marked)


@dataclass
class _Tying:
    file: DucviewFile
    problems: Problems

    def offsets(self, text: str, units: Iterable[FileUnit], line: int) -> Offsets:
        parts = (part for unit in units for contributor in unit.contributors for part in contributor.parts)
        offsets = Offsets(text, parts)
        if offsets.unit == "bytes":
            self.repair(line, "part", "offsets that count bytes", "They were turned into characters.")
        return offsets

    def scu(self, unit: FileUnit, offsets: Offsets, found: Segmentation, across: Across) -> Scu:
        contributors: list[Contributor] = []
        for contributor in unit.contributors:
            contributors += self._of_models(unit, contributor, offsets, found, across)
        first: dict[str, None] = {}
        for one in contributors:
            if one.model in first:
                self.repair(
                    unit.line,
                    _at(unit),
                    f"two contributors of model {one.model!r}",
                    "Both were kept; the weight counts the model once.",
                )
            first[one.model] = None
        return Scu(uid=unit.uid, label=unit.label, comment=unit.comment, contributors=tuple(contributors))

    def _of_models(
        self, unit: FileUnit, contributor: FileContributor, offsets: Offsets, found: Segmentation, across: Across
    ) -> Iterator[Contributor]:
        """The contributor, or one for each model in which it has parts."""

        def region(offset: int) -> tuple[int, int] | None:
            segment = found.at(offset)
            return (segment.start, segment.end) if segment else None

        parts: dict[str, list[Part]] = defaultdict(list)
        for part in contributor.parts:
            placed = self._placed(unit, part, offsets, region)
            segment = found.at(placed.start if placed else offsets.claimed(part) or 0)
            if segment is None:
                if placed:
                    self.repair(part.line, _at(unit), f"a part at {part.start}, before any model", "It was dropped.")
                continue
            inside = placed and self._inside(unit, part, placed, segment)
            # Even when its words are lost, the contributor says that its model has the SCU.
            if inside:
                parts[segment.id].append(inside)
            elif offsets.claimed(part) is not None:
                parts[segment.id] += []
        if len(parts) > 1:
            models = " and ".join(repr(model) for model in parts)
            done = "It was split, one for each." if across == "split" else "It was dropped."
            self.repair(contributor.line, _at(unit), f"a contributor with parts in the models {models}", done)
            if across == "drop":
                return
        for model, own in parts.items():
            yield Contributor(model=model, parts=tuple(own), comment=contributor.comment)

    def _placed(self, unit: FileUnit, part: FilePart, offsets: Offsets, region: Region) -> Placed | None:
        placed = offsets.place(part, region)
        if isinstance(placed, str):
            self.repair(part.line, _at(unit), placed, "The part was dropped.")
            return None
        if placed.repair:
            self.repair(part.line, _at(unit), *placed.repair)
        return placed

    def _inside(self, unit: FileUnit, part: FilePart, placed: Placed, segment: Segment) -> Part | None:
        """The part in the model's own offsets; what reaches out of the model is cut off."""
        start, end = max(placed.start, segment.start), min(placed.end, segment.end)
        lost = self.file.pyramid.text[placed.start : min(start, placed.end)] + self.file.pyramid.text[end : placed.end]
        if lost.strip():
            self.repair(part.line, _at(unit), f"a part that reaches out of model {segment.id!r}", "It was cut there.")
        return (start - segment.start, end - segment.start) if start < end else None

    def annotation(self, annotation: FileAnnotation, scus: list[Scu], *, marked: bool) -> TiedAnnotation:
        text = annotation.text.removesuffix("\n")
        offsets = self.offsets(annotation.text, annotation.units, annotation.line)
        uids = {scu.uid for scu in scus}
        matches: dict[int, Match] = {}
        unmatched: list[Parts] = []
        strangers: list[Parts] = []
        for unit in annotation.units:
            contributors = tuple(self._of_peer(unit, one, offsets, len(text)) for one in unit.contributors)
            if unit.uid == UNMATCHED_UID and UNMATCHED_UID not in uids:
                unmatched += contributors
                marked = marked or bool(contributors) or unit.comment == ALL_MATCH
                continue
            uid = unit.uid if unit.uid in uids else self._by_label(unit, scus, annotation.units)
            if uid is None or uid in matches:
                strangers += contributors
                self.repair(
                    unit.line,
                    _at(unit),
                    f"the uid {unit.uid} of no SCU in the pyramid",
                    "Its contributors were kept as non-matching." if contributors else "It was left out.",
                )
                continue
            comments = [unit.comment, *(one.comment for one in unit.contributors)]
            matches[uid] = Match(
                uid=uid,
                present=bool(contributors),
                contributors=() if contributors == ((),) else contributors,
                comment="; ".join(dict.fromkeys(comment for comment in comments if comment)),
            )
        if missing := [scu.uid for scu in scus if scu.uid not in matches]:
            self.repair(
                annotation.line,
                "annotation",
                f"{len(missing)} of {len(scus)} SCUs that are not listed, first uid {missing[0]}",
                "The peer was taken not to express them.",
            )
        if strangers and not marked:
            self.repair(
                annotation.line,
                'peerscu uid="0"',
                "an empty uid 0 beside contributors of unknown SCUs",
                "These were left out, because other content that matches nothing was not marked.",
            )
        return TiedAnnotation(
            text=text,
            scus=tuple(matches.values()),
            unmatched=(*unmatched, *strangers) if marked else None,
        )

    def _by_label(self, unit: FileUnit, scus: list[Scu], units: Iterable[FileUnit]) -> int | None:
        """The uid of the one SCU with the label of a peer's unit, if no other unit is about it."""
        listed = {one.uid for one in units}
        wanted = bare_label(unit.label)
        found = [scu.uid for scu in scus if scu.uid not in listed and bare_label(scu.label) == wanted]
        if len(found) != 1:
            return None
        at = _at(unit)
        self.repair(
            unit.line, at, f"the uid {unit.uid} of no SCU in the pyramid", f"By its label it is SCU {found[0]}."
        )
        return found[0]

    def _of_peer(self, unit: FileUnit, contributor: FileContributor, offsets: Offsets, length: int) -> Parts:
        parts: list[Part] = []
        for part in contributor.parts:
            placed = self._placed(unit, part, offsets, lambda _: (0, length))
            if placed and placed.start < min(placed.end, length):
                parts.append((placed.start, min(placed.end, length)))
        return tuple(parts)

    def repair(self, line: int, at: str, found: str, done: str) -> None:
        self.note("warning", line, at, found, "what DUCView writes", done)

    def note(self, severity: Severity, line: int, at: str, found: str, expected: str, remedy: str) -> None:
        self.problems.add(
            severity, file=self.file.path, line=line, field=at, found=found, expected=expected, remedy=remedy
        )


def _at(unit: FileUnit) -> str:
    return f'uid="{unit.uid}"'
