"""XML from strangers as a tree of elements with their lines: no entities, no other files, no network.

An internal DTD of elements and attributes is skipped, because DUCView writes one. A file may contain several documents
one after another. What can be repaired (a bare &, control characters) is repaired with a warning.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml.common import DefusedXmlException, ExternalReferenceForbidden

from pyramidion.campaign import Problems
from pyramidion.files import guards
from pyramidion.files.opening import UTF16_MARKS
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.text_files import decode_tolerantly, read_content
from pyramidion.show.wording import counted

ENCODINGS = frozenset(
    {
        *("utf-16", "utf-16le", "utf-16be", "iso-8859-1", "iso-8859-2", "iso-8859-5", "iso-8859-7", "iso-8859-9"),
        *("iso-8859-15", "latin-1", "latin1", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "cp1252"),
        *("koi8-r", "big5", "gb2312", "gbk", "gb18030", "shift_jis", "euc-jp", "euc-kr"),
    }
)
"""What a file may declare besides UTF-8 and ASCII. Python knows codecs that are no encodings of texts, some of which
take for ever."""

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


def read_xml(path: Path, problems: Problems, *, what: str, repair: bool = True) -> list[Element]:
    """The roots of all documents in the file, in order; none (and an error) if it can't be trusted or parsed.

    Args:
        path: the file.
        problems: takes one error when the file is refused, and a warning for everything that was repaired.
        what: the kind of file that was expected, as in "a DUCView file".
        repair: whether bare &, control characters and several documents in a file are accepted.
    """
    content = read_content(path, problems)
    if content is None:
        return []
    return parse_xml(content, Place(problems, path), what=what, repair=repair)


def parse_xml(content: bytes, at: Place, *, what: str, repair: bool = True) -> list[Element]:
    """The roots of all documents in the bytes of a file; see `read_xml`."""
    # As XML demands of every parser; offsets in DUCView's files count one character for a line break.
    text = _decoded(content, at).replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        at.at(1).error(
            found="an empty file",
            expected=what,
            remedy="Remove it, or write it again.",
        )
        return []
    # Before parsing: a few lines of nested entities expand to gigabytes ("billion laughs").
    hostile = _HOSTILE.search(text)
    if hostile:
        found = "an entity" if hostile[0] == "<!ENTITY" else "a default of an attribute"
        at.at(_line(text, hostile.start())).error(
            found=f"{found} declared in the DTD",
            expected=f"{what} without it",
            remedy="Nothing was read, because such a file can grow without limit. Remove the declaration.",
        )
        return []
    if repair:
        text = _repair_text(text, at)
    return _parse_documents(text, at, what, several=repair)


def _decoded(content: bytes, at: Place) -> str:
    """In the encoding that the file declares, else like any foreign text."""
    declared = _ENCODING.match(content)
    encoding = "utf-8"
    if content.startswith(UTF16_MARKS):
        encoding = "utf-16"
    elif declared:
        encoding = declared[1].decode()
    # A list of what is allowed: bz2, idna and others are codecs to Python, too.
    if encoding.lower() in ENCODINGS:
        with contextlib.suppress(ValueError):
            return content.decode(encoding)
    elif encoding.lower() not in ("utf-8", "utf8", "ascii", "us-ascii"):
        at.at(1).warning(
            found=f"the encoding {shorten(encoding)}",
            expected="UTF-8",
            remedy="It was read as any text; convert it to UTF-8.",
        )
    return decode_tolerantly(content, Path(at.file), at.problems)


def _repair_text(text: str, at: Place) -> str:
    """The text without what no XML parser accepts; offsets in it stay the same."""
    wrong = NOT_XML.search(text)
    if wrong:
        count = counted(len(NOT_XML.findall(text)), "character")
        at.at(_line(text, wrong.start())).warning(
            found=f"{count} that XML can't hold, first U+{ord(wrong[0]):04X}",
            expected="characters that XML allows",
            remedy=f"Each was read as U+{ord(REPLACEMENT):04X}.",
        )
        # One for one, so that offsets in the text stay right.
        text = NOT_XML.sub(REPLACEMENT, text)
    pieces: list[str] = []
    done = 0
    by_line: Counter[int] = Counter()
    line = 1
    for match in _LOOSE.finditer(text):
        # The other alternatives only pass over CDATA and comments, where a bare & is fine.
        if match[0] == "&":
            # Counted on from the last one: counting from the start for each & would take the square of the length.
            line += text.count("\n", done, match.start())
            by_line[line] += 1
            pieces += [text[done : match.end()], "amp;"]
            done = match.end()
    for line, times in by_line.items():
        found, which = ("a bare &", "It") if times == 1 else (f"{times:,} bare &", "Each")
        at.at(line).warning(
            found=found,
            expected="&amp;",
            remedy=f"{which} was read as the character &.",
            count=times,
        )
    return "".join([*pieces, text[done:]])


def _parse_documents(text: str, at: Place, what: str, *, several: bool) -> list[Element]:
    """The roots of all XML documents in a text; none (and an error) if one can't be parsed."""
    roots: list[Element] = []
    start = 0
    while start_match := re.compile(r"\S").search(text, start):
        start = start_match.start()
        if len(roots) == guards.XML_DOCUMENTS:
            at.at(_line(text, start)).error(
                found=f"more than {guards.XML_DOCUMENTS} XML documents in one file",
                expected=what,
                remedy="Keep only the last one.",
            )
            return []
        declared = _DECLARATION.match(text, start)
        start = declared.end() if declared else start
        handler = _Handler(_line(text, start) - 1)
        wrong = _parse(text[start:], handler)
        if handler.root is not None and wrong is None:
            return [*roots, handler.root]
        next_start = wrong.start if wrong is not None and handler.closed else None
        if several and handler.root is not None and next_start is not None:
            roots.append(handler.root)
            start += next_start
            continue
        wrong = wrong or _Wrong(1, "no element", "Check that the file is complete.")
        at.at(handler.lines_before + wrong.line).error(
            found=wrong.found,
            expected=what,
            remedy=wrong.remedy,
        )
        return []
    return roots


@dataclass(frozen=True)
class _Wrong:
    line: int
    found: str
    remedy: str
    start: int | None = None
    """Where in the text another document starts."""


def _parse(text: str, handler: _Handler) -> _Wrong | None:
    """Feed a text to the handler; what is wrong with it, or None."""
    from defusedxml.sax import make_parser  # loads urllib, which every command would wait for

    parser = make_parser()
    parser.setContentHandler(handler)
    handler.setDocumentLocator(parser)
    try:
        parser.feed(text)
        parser.close()
    except ExternalReferenceForbidden as error:
        found = f"a reference to another file ({error.sysid or error.pubid})"
        remedy = "Nothing was read. Remove the <!DOCTYPE …> line; the format does not need it."
    except DefusedXmlException as error:
        found = f"entities of its own ({type(error).__name__})"
        remedy = "Nothing was read. Remove the <!ENTITY …> declarations; the format does not need them."
    except _TooDeepError:
        found = f"elements nested more than {guards.XML_DEPTH} deep"
        remedy = "Check that this is the right file."
    except SAXParseException as error:
        line, column = error.getLineNumber() or 1, error.getColumnNumber() or 0
        start = None
        if error.getMessage() in _AFTER_ROOT:
            # The parser counts lines and columns; the next document is found by its place in the text.
            start = sum(len(previous_line) + 1 for previous_line in text.split("\n", line - 1)[: line - 1]) + column
        found = f"XML that is not well-formed: {error.getMessage()} (column {column + 1})"
        remedy = "Correct the tags there, or write the file again if it is incomplete; & is written as &amp;."
        return _Wrong(line, found, remedy, start)
    else:
        return None
    return _Wrong(parser.getLineNumber() or 1, found, remedy)


class _TooDeepError(Exception):
    pass


class _Handler(ContentHandler):
    def __init__(self, lines_before: int) -> None:
        super().__init__()
        self.root: Element | None = None
        self.closed = False
        self.lines_before = lines_before
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._place: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        """Keep what knows the line that is being parsed."""
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        """Open an element; too deep a nesting is refused."""
        line = ((self._place.getLineNumber() if self._place else None) or 1) + self.lines_before
        element = Element(name, dict(attrs.items()), line)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        if len(self._open) == guards.XML_DEPTH:
            raise _TooDeepError
        self._open.append(element)
        # expat hands texts over in pieces; joined once at the end, not added one by one.
        self._texts.append([])

    def characters(self, content: str) -> None:
        """Add text to the innermost element."""
        if self._texts:
            self._texts[-1].append(content)

    def endElement(self, name: str) -> None:  # noqa: N802, ARG002
        """Close the innermost element with all of its text."""
        self._open.pop().text = "".join(self._texts.pop())
        self.closed = not self._open


def _line(text: str, at: int) -> int:
    """The number of the line of a place in the text."""
    return text.count("\n", 0, at) + 1
