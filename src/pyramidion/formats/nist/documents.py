"""Source documents of TREC, AQUAINT, AQUAINT-2 and Gigaword: id, date, headline and the text of TEXT."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyramidion.campaign import Document
from pyramidion.formats.nist.markup import attribute, content_of, plain_text
from pyramidion.formats.nist.set_names import date_in, iso_date

_DOC = re.compile(r"<DOC(?=[\s>])(?P<tag>[^>]*)>(?P<body>.*?)(?=</DOC\s*>|<DOC[\s>]|\Z)", re.I | re.S)
_START = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<DOC[\s>]", re.I)
_NOTE = re.compile(r"<ANNOTATION(?:\s[^>]*)?>.*?(?:</ANNOTATION\s*>|(?=</TEXT)|\Z)", re.I | re.S)
_PARAGRAPH = re.compile(r"</?P(?:\s[^>]*)?>", re.I)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATES = (
    re.compile(r"(?P<y>[0-9]{4})-?(?P<m>[0-9]{2})-?(?P<d>[0-9]{2})"),
    re.compile(r"(?P<m>[0-9]{1,2})/(?P<d>[0-9]{1,2})/(?P<y>[0-9]{4})"),
    re.compile(r"(?P<y>[0-9]{2})(?P<m>[0-9]{2})(?P<d>[0-9]{2})\b"),
    re.compile(r"(?P<m>[A-Za-z]{3})[a-z]*\.? (?P<d>[0-9]{1,2}), (?P<y>[0-9]{4})"),
)


def is_document(text: str) -> bool:
    """Whether a file starts with a DOC."""
    return _START.match(text) is not None


def read_documents(text: str, *, name: str) -> Iterator[Document]:
    """The documents of a file; `name` is the id of one that has none."""
    for match in _DOC.finditer(text):
        body = match["body"]
        id = plain_text(content_of(body, "DOCNO", "DOCTYPE", "DATE_TIME", "BODY") or "") or attribute(
            match["tag"], "id"
        )
        id = id or name
        yield Document(
            id=id,
            date=date_in(id) or _date(body),
            headline=plain_text(content_of(body, "HEADLINE", "TEXT", "DATELINE", "BODY") or ""),
            text=_text(body),
        )


def _text(body: str) -> str:
    """P by P, what stands beside them in its place; inner white space collapsed."""
    inside = content_of(body, "TEXT")
    if inside is None or not plain_text(inside):
        inside = content_of(body, "GRAPHIC") or inside or ""
    paragraphs = (plain_text(piece) for piece in _PARAGRAPH.split(_NOTE.sub(" ", inside)))
    return "\n".join(paragraph for paragraph in paragraphs if paragraph)


def _date(body: str) -> str:
    written = plain_text(content_of(body, "DATE_TIME") or content_of(body, "DATE") or "")
    for pattern in _DATES:
        if match := pattern.match(written):
            year, month = int(match["y"]), match["m"]
            number = int(month) if month.isdecimal() else _month(month)
            return iso_date(year if year > 99 else 1900 + year, number, int(match["d"]))
    return ""


def _month(name: str) -> int:
    return _MONTHS.index(name.lower()) + 1 if name.lower() in _MONTHS else 0
