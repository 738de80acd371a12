"""XML from strangers as a tree of elements with their lines: no entities, no other files, no network.

An internal DTD of elements and attributes is read over, because DUCView writes one. A file may hold several documents
one after another. What can be mended (a bare &, control characters) is mended and noted.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml.common import DefusedXmlException, ExternalReferenceForbidden
from defusedxml.sax import make_parser

from pyramidion.campaign import Problems
from pyramidion.files.lines import UTF16_MARKS, note_unreadable
from pyramidion.formats.decoding import decode_tolerantly

DEEPEST = 64
"""No format of ours nests deeper; a file that does is not one of them."""

MOST_DOCUMENTS = 100
"""A program that appends instead of replacing leaves a few documents in a file, not thousands."""

REPLACEMENT = "\ufffd"
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML can't hold."""

_LOOSE = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)",
    re.DOTALL,
)
_DECLARATION = re.compile(r"<\?xml\s[^>]*\?>")
_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
# An entity, or a default that every element of the file would repeat.
_HOSTILE = re.compile(r"""<!ENTITY|<!ATTLIST[^<>"']*["']""")
_AFTER_ROOT = ("junk after document element", "XML or text declaration not at start of entity")


@dataclass
class Element:
    """An element: what it holds, and the line on which it starts."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> Iterator[Element]:
        """The children of that name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of that name."""
        return next(self.all(tag), None)


def read_xml(path: Path, problems: Problems, *, what: str) -> list[Element]:
    """The roots of all documents in the file, in order; none (and an error) if it can't be trusted or parsed.

    Args:
        path: the file.
        problems: takes one error when the file is refused, and a warning for all that was mended.
        what: the kind of file that was expected, as in "a DUCView file".
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        note_unreadable(path, error, problems)
        return []
    text = _decoded(content, path, problems)
    if not text.strip():
        _error(path, 1, "an empty file", what, "Take it out, or write it again.", problems)
        return []
    if hostile := _HOSTILE.search(text):
        found = "an entity" if hostile[0] == "<!ENTITY" else "a default of an attribute"
        remedy = "Nothing of it was read: such a file can grow without limit. Remove the declaration."
        line = _line(text, hostile.start())
        _error(path, line, f"{found} declared in the DTD", f"{what} without it", remedy, problems)
        return []
    return _documents(_mended(text, path, problems), path, problems, what)


def _decoded(content: bytes, path: Path, problems: Problems) -> str:
    """In the encoding that the file declares, else as any foreign text."""
    declared = _ENCODING.match(content)
    encoding = "utf-16" if content.startswith(UTF16_MARKS) else declared[1].decode() if declared else "utf-8"
    if encoding.lower() not in ("utf-8", "utf8", "ascii", "us-ascii"):
        with contextlib.suppress(LookupError, ValueError):
            return content.decode(encoding)
    return decode_tolerantly(content, path, problems)


def _mended(text: str, path: Path, problems: Problems) -> str:
    """The text with line ends of LF, and without what no XML parser takes; offsets in it stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    wrong = NOT_XML.search(text)
    if wrong:
        number = len(NOT_XML.findall(text))
        _repair(
            path,
            _line(text, wrong.start()),
            f"{number} {'character' if number == 1 else 'characters'} that XML can't hold, first U+{ord(wrong[0]):04X}",
            "characters that XML allows",
            f"Each was read as U+{ord(REPLACEMENT):04X}.",
            problems,
        )
        text = NOT_XML.sub(REPLACEMENT, text)
    pieces: list[str] = []
    done = line = 0
    for match in _LOOSE.finditer(text):
        if match[0] == "&":
            line += text.count("\n", done, match.start())
            _repair(path, line + 1, "a bare &", "&amp;", "It was read as the character.", problems)
            pieces += [text[done : match.end()], "amp;"]
            done = match.end()
    return "".join([*pieces, text[done:]])


def _documents(text: str, path: Path, problems: Problems, what: str) -> list[Element]:
    roots: list[Element] = []
    at: int | None = 0
    while (at := _next_character(text, at)) is not None:
        line = _line(text, at)
        if len(roots) == MOST_DOCUMENTS:
            found = f"more than {MOST_DOCUMENTS} XML documents in one file"
            _error(path, line, found, what, "Keep the last one.", problems)
            return []
        handler = _Handler(line - 1)
        wrong = _parse(_DECLARATION.sub("", text[at:], count=1) if text.startswith("<?xml", at) else text[at:], handler)
        if wrong is None and handler.root is not None:
            return [*roots, handler.root]
        if wrong is not None and wrong.start is not None and handler.closed and handler.root is not None:
            # Where the next document starts, as the parser saw it: after the declaration that it was not given.
            declared = _DECLARATION.match(text, at)
            roots.append(handler.root)
            at += wrong.start + (len(declared[0]) if declared else 0)
            continue
        found, remedy = (wrong.found, wrong.remedy) if wrong else ("no element", "Check that the file is whole.")
        _error(path, (wrong.line if wrong else 1) + line - 1, found, what, remedy, problems)
        return []
    return roots


def _next_character(text: str, at: int | None) -> int | None:
    found = re.compile(r"\S").search(text, at or 0)
    return found.start() if found else None


@dataclass(frozen=True, kw_only=True)
class _Wrong:
    line: int
    found: str
    remedy: str
    start: int | None = None
    """Where in the text a further document starts."""


def _parse(text: str, handler: _Handler) -> _Wrong | None:
    parser = make_parser()
    parser.setContentHandler(handler)
    handler.setDocumentLocator(parser)
    try:
        parser.feed(text)
        parser.close()
    except ExternalReferenceForbidden as error:
        return _Wrong(
            line=parser.getLineNumber() or 1,
            found=f"a reference to another file ({error.sysid or error.pubid})",
            remedy="Nothing of it was read. Remove the <!DOCTYPE …> line; the format needs none.",
        )
    except DefusedXmlException as error:
        return _Wrong(
            line=parser.getLineNumber() or 1,
            found=f"entities of its own ({type(error).__name__})",
            remedy="Nothing of it was read. Remove the <!ENTITY …> declarations; the format needs none.",
        )
    except _TooDeepError:
        return _Wrong(
            line=parser.getLineNumber() or 1,
            found=f"elements nested more than {DEEPEST} deep",
            remedy="Check that the file is what it should be.",
        )
    except SAXParseException as error:
        line, column = error.getLineNumber() or 1, error.getColumnNumber() or 0
        start = None
        if error.getMessage() in _AFTER_ROOT:
            start = sum(len(one) + 1 for one in text.split("\n", line - 1)[: line - 1]) + column
        return _Wrong(
            line=line,
            found=f"XML that is not well-formed: {error.getMessage()} (column {column + 1})",
            remedy="Mend the tags there, or write the file again if it was cut off.",
            start=start,
        )
    return None


class _TooDeepError(Exception):
    pass


class _Handler(ContentHandler):
    def __init__(self, lines_before: int) -> None:
        super().__init__()
        self.root: Element | None = None
        self.closed = False
        self._before = lines_before
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._place: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        line = ((self._place.getLineNumber() if self._place else None) or 1) + self._before
        element = Element(name, dict(attrs.items()), line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        if len(self._open) == DEEPEST:
            raise _TooDeepError
        self._open.append(element)
        self._texts.append([])

    def characters(self, content: str) -> None:
        if self._texts:
            self._texts[-1].append(content)

    def endElement(self, name: str) -> None:  # noqa: N802, ARG002
        self._open.pop().text = "".join(self._texts.pop())
        self.closed = not self._open


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _error(path: Path, line: int, found: str, what: str, remedy: str, problems: Problems) -> None:
    problems.add("error", file=path, line=line, found=found, expected=what, remedy=remedy)


def _repair(path: Path, line: int, found: str, expected: str, remedy: str, problems: Problems) -> None:
    problems.add("warning", file=path, line=line, found=found, expected=expected, remedy=remedy)
