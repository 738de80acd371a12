"""SGML that is no XML: tags in any case, elements that are not closed, bare ampersands, codes of typesetters."""

from __future__ import annotations

import re
from html.entities import html5

_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TYPESETTING = re.compile(r"QL|QC|QR|UR|LR|HT|Cx[0-9A-Fa-f]{2}")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def without_comments(text: str) -> str:
    """The text without comments."""
    return _COMMENT.sub(" ", text)


def plain_text(markup: str) -> str:
    """Characters alone: tags and typesetting codes are blanks, entities decoded, white space collapsed."""
    return " ".join(_ENTITY.sub(_decode_entity, _TAG.sub(" ", markup)).split())


def _decode_entity(entity: re.Match[str]) -> str:
    """The character that an entity stands for; codes of typesetters become blanks, unknown names stay."""
    name = entity[1]
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
        # Halves of surrogate pairs are no characters.
        if code < 0x110000 and not 0xD800 <= code < 0xE000:
            return chr(code)
        return " "
    if _TYPESETTING.fullmatch(name):
        return " "
    # Old newswire also has entities in capitals, such as &AMP;.
    return html5.get(f"{name};") or html5.get(f"{name.lower()};") or entity[0]


def content_of(text: str, tag: str, *next_tags: str) -> str | None:
    """What is in the first element of that name, up to its end or the start of one of the next; None without one."""
    opening = re.search(rf"<{tag}(?:\s[^>]*)?>", text, re.IGNORECASE)
    if opening is None:
        return None
    start = opening.end()
    # Elements that nobody closed end where the next one starts.
    ends = [rf"</{tag}\s*>", *(rf"</?{next_tag}[\s>]" for next_tag in next_tags)]
    end = re.compile("|".join(ends), re.IGNORECASE).search(text, start)
    if end is None:
        return text[start:]
    return text[start : end.start()]


def attribute(tag: str, name: str) -> str:
    """An attribute of a tag, quoted or not, with or without blanks around the equals sign; nothing if it has none."""
    match = re.search(rf"""\b{name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", tag, re.IGNORECASE)
    if match is None:
        return ""
    values = [group for group in match.groups() if group is not None]
    return values[0].strip()
