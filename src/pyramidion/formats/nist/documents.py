"""Source documents of TREC, AQUAINT, AQUAINT-2 and Gigaword: id, date, headline and the text of TEXT."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyramidion.campaign import Document
from pyramidion.formats.nist.markup import attribute, content_of, plain_text
from pyramidion.formats.nist.set_names import date_in, iso_date

# NIST's documents are SGML, with unclosed elements and bare ampersands: no parser of XML reads them.
_DOC = re.compile(r"<DOC(?=[\s>])(?P<tag>[^>]*)>(?P<body>.*?)(?=</DOC\s*>|<DOC[\s>]|\Z)", re.I | re.S)
_START = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<DOC[\s>]", re.I)
# AQUAINT has notes to editors inside TEXT; they are no part of the story.
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
        number = content_of(body, "DOCNO", "DOCTYPE", "DATE_TIME", "BODY") or ""
        headline = content_of(body, "HEADLINE", "TEXT", "DATELINE", "BODY") or ""
        id = plain_text(number) or attribute(match["tag"], "id") or name
        yield Document(
            id=id,
            # The id first: it has the date in all corpora, while DATE_TIME has several forms and may be missing.
            date=date_in(id) or _date(body),
            headline=plain_text(headline),
            text=_text(body),
        )


def _text(body: str) -> str:
    """P by P, what stands beside them in its place; inner white space collapsed."""
    inside = content_of(body, "TEXT")
    if inside is None or not plain_text(inside):
        # A few documents of DUC 2005 have no TEXT, but a GRAPHIC with the words.
        inside = content_of(body, "GRAPHIC") or inside or ""
    without_notes = _NOTE.sub(" ", inside)
    paragraphs = map(plain_text, _PARAGRAPH.split(without_notes))
    return "\n".join(filter(None, paragraphs))


def _date(body: str) -> str:
    """The date of a document in ISO's form; empty if none is written, or in no form that is known."""
    date = content_of(body, "DATE_TIME") or content_of(body, "DATE") or ""
    date = plain_text(date)
    for pattern in _DATES:
        match = pattern.match(date)
        if match is None:
            continue
        year = int(match["y"])
        # Years of two digits are those of newswire before 2000.
        if year <= 99:
            year += 1900
        return iso_date(year, _month(match["m"]), int(match["d"]))
    return ""


def _month(text: str) -> int:
    """The number of a month that is written as a number or by its first letters; 0 if there is none."""
    if text.isdecimal():
        return int(text)
    name = text.lower()
    if name in _MONTHS:
        return _MONTHS.index(name) + 1
    return 0
