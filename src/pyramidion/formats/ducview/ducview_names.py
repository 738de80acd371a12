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
    return path.name[: -len(path.suffix)] if path.suffix.lower() in ENDINGS else path.name


def read_name(path: Path, segments: Sequence[Segment], *, peer: bool) -> Named:
    """Topic, summarizer and annotator of a file.

    NIST: `D0601.M.250.A.12.pan`, `114.D0631.M.250.A.12.pan` (annotator 114). Otherwise dot fields: `ferry.ann2.pyr`,
    `ferry.sys1.ann2.pan`. The topic is the set in the headers of the models, if these are NIST's names.
    """
    in_headers = set_of(segments)
    name = stem(path)
    by_nist = _PEER.fullmatch(name) if peer else _PYRAMID.fullmatch(name)
    if peer and by_nist and (nist := parse_nist_name(by_nist["name"])):
        return Named(
            topic=in_headers.topic if in_headers else nist.topic,
            summarizer=nist.summarizer,
            annotator=by_nist["annotator"] or unquote(by_nist["rest"] or ""),
            human=nist.human,
        )
    if not peer and by_nist:
        topic = in_headers.topic if in_headers else by_nist["set"]
        return Named(topic=topic, summarizer="", annotator=unquote(by_nist["rest"] or ""))
    fields = [unquote(field) for field in name.split(".") if field] or ["1"]
    topic = in_headers.topic if in_headers else fields[0]
    if len(fields) > 1 or not peer or fields[0].casefold() == topic.casefold():
        fields = fields[1:]
    if not peer:
        return Named(topic=topic, summarizer="", annotator=".".join(fields))
    return Named(topic=topic, summarizer=fields[0] if fields else "peer", annotator=".".join(fields[1:]))


def set_of(segments: Sequence[Segment]) -> NistName | None:
    """The name in the first header, if all headers are NIST's names of one set."""
    names = [parse_nist_name(segment.name) for segment in segments]
    if not names or None in names or len({name.topic for name in names if name}) > 1:
        return None
    return names[0]
