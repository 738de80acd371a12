"""Topic files: DUC's SGML and TAC's XML, both read tolerantly."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest

from pyramidion.formats.nist.markup import attribute, content_of, plain_text, without_comments
from pyramidion.formats.nist.set_names import SetName, parse_set

_TOPIC = re.compile(r"<topic(?=[\s>])(?P<tag>[^>]*)>(?P<body>.*?)(?=</topic\s*>|<topic[\s>]|\Z)", re.I | re.S)
_LISTED = re.compile(r"<(?:docs(?:-(?P<duc>[A-Z]))?|docset(?P<tac>[A-Z]))(?=[\s>])[^>]*>", re.I)
_DOC = re.compile(r"<doc(?=\s)([^>]*)>", re.I)
_LDC = re.compile(r"\.LDC[0-9]{4}[A-Z][0-9]{2}\Z", re.I)
_TAGS = ("num", "title", "narr", "narrative", "granularity", "docs", r"docs-[A-Z]", r"docset[A-Z]", "topic")


@dataclass(frozen=True, kw_only=True)
class FileTopic:
    """A topic as its file has it; `documents` are ids by part, `""` where there are no parts."""

    name: SetName
    written: str
    """The set as it is written there, D0601A."""
    title: str
    narrative: str
    granularity: str = ""
    category: str = ""
    documents: dict[str, list[str]] = field(default_factory=dict)


def has_topics(text: str) -> bool:
    """Whether a text holds topics."""
    match = _TOPIC.search(without_comments(text))
    if match is None:
        return False
    has_number = content_of(match["body"], "num") is not None
    return has_number or bool(attribute(match["tag"], "id"))


def read_topics(text: str) -> list[FileTopic]:
    """The topics of a file; what comes before the first, a DTD for instance, is skipped."""
    topics: list[FileTopic] = []
    for match in _TOPIC.finditer(without_comments(text)):
        body = match["body"]
        number = content_of(body, "num", *_TAGS[1:]) or ""  # DUC's; TAC has an attribute instead
        written = plain_text(number) or attribute(match["tag"], "id")
        name = parse_set(written)
        if name is None:
            continue
        narrative = content_of(body, "narr", *_TAGS) or content_of(body, "narrative", *_TAGS)
        topics.append(
            FileTopic(
                name=name,
                written=written,
                title=_text_in(body, "title"),
                narrative=plain_text(narrative or ""),
                granularity=_text_in(body, "granularity"),
                category=attribute(match["tag"], "category"),
                documents=_documents(body),
            )
        )
    return topics


def _text_in(body: str, tag: str) -> str:
    """The text of an element of a topic; empty if it has none."""
    return plain_text(content_of(body, tag, *_TAGS) or "")


def _documents(body: str) -> dict[str, list[str]]:
    """Ids by part; an LDC number after the id is not part of it."""
    listed: dict[str, list[str]] = {}
    openings = list(_LISTED.finditer(body))
    for opening, following in zip_longest(openings, openings[1:]):
        end = following.start() if following else len(body)
        inside = re.split(r"</docs", body[opening.end() : end], flags=re.I)[0]
        ids = [attribute(tag, "id") for tag in _DOC.findall(inside)]
        if not ids:  # DUC lists bare ids, TAC elements <doc id="…">
            ids = plain_text(inside).split()
        part = (opening["duc"] or opening["tac"] or "").upper()
        listed.setdefault(part, []).extend(_LDC.sub("", id) for id in ids if id)
    return listed
