"""Writing pyramids and annotations for DUCView: the layout of version 1.4, on request with the score block of 1.5.

Offsets become UTF-16 units, because DUCView is a Java program, and count in the joined text of all models.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

from pyramidion.campaign import Campaign, Match, PeerAnnotation, Problems, Pyramid, Scu, Topic, TopicData, plain
from pyramidion.campaign.nouns import Parts, pyramid_of
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.ducview.ducview_file import ALL_MATCH, UNMATCHED_LABEL, UNMATCHED_UID
from pyramidion.formats.ducview.java_regex import compile_java
from pyramidion.formats.ducview.model_texts import header_name
from pyramidion.formats.ducview.offsets import as_label
from pyramidion.formats.guarded_xml import NOT_XML, REPLACEMENT
from pyramidion.formats.text_files import checked_name, file_name_of, require_exportable, save
from pyramidion.show.wording import counted

_DASHES = "-" * 10
_NOT_WRITTEN = "The file was not written."
_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")
_NIST_SET = re.compile(r"[A-Za-z0-9-]+", re.ASCII)
_PYRAMID_DTD = """ <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>
"""
_ANNOTATION_DTD = """ <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED
                   label CDATA #REQUIRED
                   comment CDATA #IMPLIED>
"""
_SCORE_FIELDS = (
    *("totalscu", "uniquescu", "scusNotInPyr", "totalWeight", "maxScoreTotalscu", "qualityScore"),
    *("averagescu", "maxScoreAveragescu", "coverageScore", "comprehensiveScore"),
)
_SCORE_DTD = "".join(
    [
        f" <!ELEMENT score ({','.join(_SCORE_FIELDS)})>\n",
        *(f" <!ELEMENT {name} (#PCDATA)>\n" for name in _SCORE_FIELDS),
    ]
)


def write(campaign: Campaign, target: Path, problems: Problems, *, score: Literal["no", "yes"] = "no") -> None:
    """Write `TOPIC[.ANNOTATOR].pyr` and `TOPIC.SUMMARIZER[.ANNOTATOR].pan` into the folder `target`.

    A topic with models but without a pyramid gives a .pyr without SCUs, ready to be annotated.

    Args:
        campaign: what is written.
        target: a folder.
        problems: takes what the format can't hold.
        score: "yes" adds the score block of DUCView 1.5 to .pan files.
    """
    written = [
        _Writing(data, target, problems).write(scored=score == "yes") for data in campaign.each_topic(peers="all")
    ]
    require_exportable(any(written), "no topic has models that DUCView can hold")
    annotated = {(annotation.topic, annotation.summarizer) for annotation in campaign.annotations}
    left = sum(
        summary.kind == "peer" and (summary.topic, summary.summarizer) not in annotated
        for summary in campaign.summaries
    )
    if left:
        problems.at(target).warning(
            found=f"{counted(left, 'peer')} without an annotation",
            expected="annotated peers",
            remedy="They were left out.",
            count=left,
        )


@dataclass(frozen=True)
class _Writing:
    """The files of one topic."""

    data: TopicData
    target: Path
    problems: Problems

    def write(self, *, scored: bool) -> bool:
        """Write them; says whether there are any pyramids."""
        topic = self.data.topic.topic
        pyramids = self.data.pyramids
        if not pyramids and self.data.models:
            pyramids = (
                Pyramid(
                    topic=topic,
                    models=tuple(model.summarizer for model in self.data.models),
                    scus=(),
                ),
            )
        written = False
        for pyramid in pyramids:
            path = self.target / f"{_file_name(topic, pyramid.annotator)}.pyr"
            pieces = self._pyramid(pyramid, path)
            if pieces:
                save(path, f'<?xml version="1.0"?>\n<!DOCTYPE pyramid [\n{_PYRAMID_DTD}\n]>\n\n{"".join(pieces)}')
                written = True
        peers = {peer.summarizer: plain(peer.text) for peer in self.data.peers}
        for annotation in self.data.annotations:
            name = _file_name(topic, annotation.summarizer, annotation.annotator)
            self._write_annotation(annotation, peers, self.target / f"{name}.pan", scored=scored)
        return written

    def _write_annotation(
        self, annotation: PeerAnnotation, peers: Mapping[str, str], path: Path, *, scored: bool
    ) -> None:
        """Write a .pan; one whose pyramid or peer is missing is left out with a warning."""
        pyramid = pyramid_of(annotation, self.data.pyramids)
        peer = peers.get(annotation.summarizer)
        if pyramid is None or peer is None:
            missing = "its pyramid" if pyramid is None else "the peer's text"
            self._lost(path, f"an annotation without {missing}", _NOT_WRITTEN)
            return
        pieces = self._pyramid(pyramid, path)
        if not pieces:
            return
        content = "(pyramid,annotation,score?)" if scored else "(pyramid,annotation)"
        score_dtd = _SCORE_DTD if scored else ""
        prolog = (
            f'<?xml version="1.0"?>\n<!DOCTYPE peerAnnotation [\n <!ELEMENT peerAnnotation {content}>\n'
            f"{_ANNOTATION_DTD}{score_dtd}{_PYRAMID_DTD}\n]>\n\n<peerAnnotation>\n"
        )
        pieces = [prolog, *pieces, *_annotation(annotation, pyramid, self._clean(peer, path))]
        if scored:
            pieces += _score(annotation, pyramid)
        pieces.append("</peerAnnotation>\n")
        save(path, "".join(pieces))

    def _joined_text(self, pyramid: Pyramid, path: Path) -> _JoinedText | None:
        """The models of a pyramid as one text; None (and a warning) if DUCView could not find them in it."""
        texts = {model.summarizer: plain(model.text) for model in self.data.models}
        missing = [model for model in pyramid.models if model not in texts]
        if missing:
            self._lost(path, f"no text of model {missing[0]!r}", _NOT_WRITTEN)
            return None
        cleaned = {model: self._clean(texts[model], path) for model in pyramid.models}
        joined = _join_models(self.data.topic, cleaned)
        # DUCView finds models by this expression again: a text that looks like a header would be cut in two.
        if list(compile_java(joined.regex).spans(joined.text)) != joined.spans:
            self._lost(path, "a model whose text looks like the header of a model", _NOT_WRITTEN)
            return None
        return joined

    def _pyramid(self, pyramid: Pyramid, path: Path) -> list[str]:
        """The lines of a pyramid; none (and a warning) if it can't be written."""
        joined = self._joined_text(pyramid, path)
        if joined is None:
            return []
        units = Utf16(joined.text)
        pieces = [
            f"<pyramid>\n<startDocumentRegEx><![CDATA[{joined.regex}]]></startDocumentRegEx>\n",
            *_lines(joined.text),
        ]
        for scu in pyramid.scus:
            if not scu.contributors:
                self._lost(path, f"SCU {scu.uid} without contributors", "It was written, against DUCView's DTD.")
            label, comment = (self._clean(text, path) for text in (scu.label, scu.comment))
            pieces.append(f" <scu{_attributes(scu.uid, label, comment)}>\n")
            for contributor in scu.contributors:
                pieces += _contributor(
                    contributor.parts,
                    units,
                    start=joined.starts[contributor.model],
                    comment=contributor.comment,
                    label=contributor.label,
                )
            pieces.append(" </scu>\n")
        has_repeated_models = any(scu.weight != len(scu.contributors) for scu in pyramid.scus)
        if has_repeated_models and pyramid.weights != "contributors":
            remedy = "DUCView counts contributors: weights of these SCUs are higher there."
            self._lost(path, "SCUs with several contributors of one model", remedy)
        contributors = chain.from_iterable(scu.contributors for scu in pyramid.scus)
        without_parts = sum(not contributor.parts for contributor in contributors)
        if without_parts:
            remedy = "Each was written with an empty part at the start of its model."
            self._lost(path, f"{counted(without_parts, 'contributor')} without parts", remedy)
        return [*pieces, "</pyramid>\n"]

    def _clean(self, text: str, path: Path) -> str:
        """Without characters that XML can't hold; each becomes one other, so that offsets stay the same."""
        wrong = NOT_XML.search(text)
        if wrong:
            remedy = f"Characters that XML can't hold were written as U+{ord(REPLACEMENT):04X}."
            self._lost(path, f"U+{ord(wrong[0]):04X} in {shorten(text)}", remedy)
        return NOT_XML.sub(REPLACEMENT, text)

    def _lost(self, path: Path, found: str, remedy: str) -> None:
        """Warn about something that DUCView can't hold."""
        at = Place(self.problems, path, field=f"topic {shorten(self.data.topic.topic)}")
        at.warning(
            found=found,
            expected="what DUCView can hold",
            remedy=remedy,
        )


def _annotation(annotation: PeerAnnotation, pyramid: Pyramid, text: str) -> Iterator[str]:
    """The element <annotation>: the peer's text, then each SCU with the peer's contributors."""
    yield "<annotation>\n"
    yield from _lines(f"{text}\n")
    units = Utf16(text)
    scus = {scu.uid: scu for scu in pyramid.scus}
    written: list[tuple[int, str, str, Sequence[Parts]]] = []
    for match in _every_scu(annotation, pyramid):
        scu = scus.get(match.uid, Scu(uid=match.uid, label=""))
        contributors: Sequence[Parts] = ()
        # Absent ones are written, too, without contributors: DUCView lists every SCU.
        if match.present:  # DUCView takes an SCU for present if it has a contributor, even one without parts
            contributors = match.contributors or ((),)
        written.append((match.uid, f"({pyramid.weight_of(scu)}) {scu.label}", match.comment, contributors))
    if UNMATCHED_UID not in scus:
        # An empty uid 0 alone would read as "nobody marked it".
        comment = ALL_MATCH if annotation.unmatched == () else ""
        written.append((UNMATCHED_UID, UNMATCHED_LABEL, comment, annotation.unmatched or ()))
    for uid, label, comment, contributors in written:
        yield f" <peerscu{_attributes(uid, label, comment)}>\n"
        for parts in contributors:
            yield from _contributor(parts, units)
        yield " </peerscu>\n"
    yield "</annotation>\n"


def _every_scu(annotation: PeerAnnotation, pyramid: Pyramid) -> list[Match]:
    """A match for every SCU: in the annotation's order if it lists all of them, else in the pyramid's."""
    listed = {match.uid: match for match in annotation.scus}
    uids = [scu.uid for scu in pyramid.scus]
    if listed.keys() >= set(uids):
        return list(annotation.scus)
    strangers = [match for match in annotation.scus if match.uid not in uids]
    return [*(listed.get(uid) or Match(uid=uid, present=False) for uid in uids), *strangers]


@dataclass(frozen=True)
class _JoinedText:
    """The texts of all models with a header before each, and the expression that finds the headers."""

    text: str
    starts: Mapping[str, int]
    """Where each model's own words start, in code points."""
    regex: str
    spans: list[tuple[int, int]]
    """Where the expression must find the headers."""


def _join_models(topic: Topic, texts: Mapping[str, str]) -> _JoinedText:
    """All models as one text, with a header before each, and an expression that finds the headers."""
    prefix = _prefix(topic)
    whole = ""
    starts: dict[str, int] = {}
    spans: list[tuple[int, int]] = []
    for model, text in texts.items():
        header = f"{_DASHES}\n{prefix}{header_name(model)}\n{_DASHES}\n"
        spans.append((len(whole), len(whole) + len(header)))
        starts[model] = len(whole) + len(header) + 1
        whole += f"{header}\n{text}\n\n"
    if all(re.fullmatch("[A-Z]", model) for model in texts):
        names = "[A-Z]"
    else:
        names = f"(?:{'|'.join(_escaped(header_name(model)) for model in texts)})"
    return _JoinedText(whole, starts, rf"[-]+\n{_escaped(prefix)}{names}\n[-]+\n", spans)


def _prefix(topic: Topic) -> str:
    """What comes before the model in a header: NIST's fields if they are known, else the topic."""
    length, selector = topic.attributes.get("length"), topic.attributes.get("selector")
    if isinstance(length, int) and re.fullmatch("[A-Z]", str(selector)) and _NIST_SET.fullmatch(topic.topic):
        return f"{topic.topic}.M.{length}.{selector}."
    return f"{header_name(topic.topic)}."


def _escaped(name: str) -> str:
    """A name in which no character has a meaning in regular expressions."""
    return _SPECIAL.sub(r"\\\g<0>", name)


class Utf16:
    """Offsets in code points, turned into UTF-16 units."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._wide = [index for index, character in enumerate(text) if character > "\uffff"]

    def __call__(self, offset: int) -> int:
        """The number of units before a code point."""
        return offset + bisect_left(self._wide, offset)


def _contributor(parts: Parts, units: Utf16, *, start: int = 0, comment: str = "", label: str = "") -> Iterator[str]:
    """The element <contributor> with its parts; offsets count UTF-16 units of the whole text."""
    labels = [as_label(units.text[start + first : start + last]) for first, last in sorted(parts)]
    yield f"  <contributor label={_quoted(label or '...'.join(labels))}{_comment(comment)}>\n"
    for first, last in parts or ((0, 0),):
        words = _quoted(as_label(units.text[start + first : start + last]))
        yield f'   <part label={words} start="{units(start + first)}" end="{units(start + last)}"/>\n'
    yield "  </contributor>\n"


def _attributes(uid: int, label: str, comment: str) -> str:
    """The attributes that SCUs of both kinds have."""
    return f' uid="{uid}" label={_quoted(label)}{_comment(comment)}'


def _comment(text: str) -> str:
    """The attribute `comment`, where there is one."""
    if text:
        return f" comment={_quoted(text)}"
    return ""


def _score(annotation: PeerAnnotation, pyramid: Pyramid) -> Iterator[str]:
    """The block that DUCView 1.5 adds: X, D, Max and the scores.

    quality = D / Max(X), coverage = D / Max(X′), X′ = ⌊total weight / models⌋, comprehensive = their harmonic mean
    (Nenkova & Passonneau 2004, §2.3). Without marked non-matching content X is not known and nothing is written.
    """
    if annotation.unmatched is None or not pyramid.models:
        return
    weights = {scu.uid: pyramid.weight_of(scu) for scu in pyramid.scus}
    ordered = sorted(weights.values(), reverse=True)
    matched = [match for match in annotation.scus if match.present]
    total = sum(max(1, len(match.contributors)) for match in matched) + len(annotation.unmatched)
    weight = sum(weights.get(match.uid, 0) for match in matched)
    mean = sum(ordered) // len(pyramid.models)
    best, best_mean = sum(ordered[:total]), sum(ordered[:mean])
    quality = weight / best if best else 0.0
    coverage = weight / best_mean if best_mean else 0.0
    both = 2 * quality * coverage / (quality + coverage) if quality + coverage else 0.0
    values: Sequence[float] = (
        *(total, len(matched), len(annotation.unmatched), weight, best, quality),
        *(mean, best_mean, coverage, both),
    )
    yield "<score>\n"
    for name, value in zip(_SCORE_FIELDS, values, strict=True):
        yield f" <{name}>{value}</{name}>\n"
    yield "</score>\n"


def _lines(text: str) -> Iterator[str]:
    """The text line by line; it ends in a line break."""
    yield " <text>\n"
    for line in text.removesuffix("\n").split("\n"):
        yield f"  <line>{_escape(line)}</line>\n"
    yield " </text>\n"


def _escape(text: str) -> str:
    """As DUCView escapes; a carriage return would be read as a line break."""
    for character, escape in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("\r", "&#13;")):
        text = text.replace(character, escape)
    return text


def _quoted(text: str) -> str:
    """An attribute's value; breaks and tabs as references, because readers turn them into blanks."""
    escaped = _escape(NOT_XML.sub(REPLACEMENT, text)).replace("\n", "&#10;").replace("\t", "&#9;")
    return f'"{escaped}"'


def _file_name(*fields: str) -> str:
    """Dot fields; what a field can't contain is written as %XX."""
    name = ".".join(file_name_of(field).replace(".", "%2E") for field in fields if field)
    return checked_name(name, *filter(None, fields))
