"""Topic, summarizer and annotator from the name of a DUCView file, by NIST's names or by dot fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from pyramidion.formats.ducview.model_texts import Segment
from pyramidion.formats.nist_file_names import NistName, parse_nist_name

ENDINGS = (".pyr", ".pan", ".xml", ".txt")
_PEER = re.compile(
    r"(?:(?P<annotator>[A-Za-z0-9]+)\.)?"
    r"(?P<name>[A-Za-z]*[0-9][A-Za-z0-9-]*\.[A-Z]\.[0-9]+\.[A-Z]\.(?:[A-Za-z]+|[0-9]+))(?:\.(?P<rest>.+))?",
    re.ASCII,
)
_PYRAMID = re.compile(
    r"(?P<set>[A-Za-z]*[0-9][A-Za-z0-9-]*)\.[A-Z]\.[0-9]+\.[A-Z](?:\.[A-Z])?(?:\.(?P<rest>.+))?", re.ASCII
)


@dataclass(frozen=True, kw_only=True)
class Named:
    """What is known about a file from its name and the headers in it."""

    topic: str
    summarizer: str
    """The author of the peer; empty for a .pyr."""
    annotator: str
    human: bool = False
    """Whether a human wrote the peer, according to the name."""


def stem(path: Path) -> str:
    """The name without an ending of DUCView's or of plain files; a peer's number after a dot is no ending."""
    if path.suffix.lower() in ENDINGS:
        return path.name[: -len(path.suffix)]
    return path.name


def read_name(path: Path, segments: Sequence[Segment], *, peer: bool) -> Named:
    """Topic, summarizer and annotator of a file.

    NIST: `D0601.M.250.A.12.pan`, `114.D0631.M.250.A.12.pan` (annotator 114). Otherwise dot fields: `ferry.ann2.pyr`,
    `ferry.sys1.ann2.pan`. The topic is the set in the headers of the models, if these are NIST's names.

    Args:
        path: the file.
        segments: the models in it, with their headers.
        peer: whether it is the annotation of a peer.
    """
    header = set_of(segments)
    header_topic = header.topic if header else ""
    if peer:
        return _peer_by_nist(path, header_topic) or _peer_by_fields(path, header_topic)
    match = _PYRAMID.fullmatch(stem(path))
    if match:
        topic = match["set"]
        annotator = unquote(match["rest"] or "")
    else:
        topic, *rest = _fields(path)
        annotator = ".".join(rest)
    return Named(topic=header_topic or topic, summarizer="", annotator=annotator)


def _peer_by_nist(path: Path, header_topic: str) -> Named | None:
    """What NIST's name of an annotation says; None if it has another name."""
    match = _PEER.fullmatch(stem(path))
    if match is None:
        return None
    name = parse_nist_name(match["name"])
    if name is None:
        return None
    return Named(
        topic=header_topic or name.topic,
        summarizer=name.summarizer,
        annotator=match["annotator"] or unquote(match["rest"] or ""),
        human=name.human,
    )


def _peer_by_fields(path: Path, header_topic: str) -> Named:
    """What the dot fields of an annotation's name say: topic (unless it is in the headers), summarizer, annotator."""
    fields = _fields(path)
    topic = header_topic or fields[0]
    if len(fields) > 1 or fields[0].casefold() == topic.casefold():
        del fields[0]
    summarizer = fields[0] if fields else "peer"
    return Named(topic=topic, summarizer=summarizer, annotator=".".join(fields[1:]))


def _fields(path: Path) -> list[str]:
    """The fields of a name between its dots; at least one."""
    fields = [unquote(field) for field in stem(path).split(".") if field]
    return fields or ["1"]


def set_of(segments: Sequence[Segment]) -> NistName | None:
    """The name in the first header, if all headers are NIST's names of one set."""
    names = [parse_nist_name(segment.name) for segment in segments]
    if not names or None in names:
        return None
    topics = {name.topic for name in names if name}
    if len(topics) == 1:
        return names[0]
    return None
