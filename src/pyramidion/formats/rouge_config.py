"""The ROUGE-EVAL configuration as it stands in its XML: which texts are compared, not yet the texts themselves.

Parsed by a guarded SAX parser (defusedxml): no DTD, no entities of its own, no network. Elements are found in any
case and every entry keeps its line.
"""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.sax import make_parser

from pyramidion.campaign import Problems
from pyramidion.files.lines import note_unreadable
from pyramidion.files.problems import shorten
from pyramidion.formats.decoding import decode_tolerantly
from pyramidion.formats.rouge_texts import BLANKS

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A P or an M: whose text, in which file."""

    id: str
    file: str
    line: int


@dataclass(kw_only=True)
class Evaluation:
    """An EVAL element."""

    id: str
    line: int
    peer_root: str = ""
    model_root: str = ""
    type: str = ""
    peers: list[Entry] = field(default_factory=list)
    models: list[Entry] = field(default_factory=list)


def parse_configuration(path: Path, problems: Problems) -> list[Evaluation]:
    """All EVAL elements in order; XML that can't be trusted or parsed is one error, and nothing is given back."""
    try:
        content = path.read_bytes()
    except OSError as error:
        note_unreadable(path, error, problems)
        return []
    handler = _Handler(path, problems)
    parser = make_parser()
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    try:
        parser.parse(io.BytesIO(_recoded(content, path, problems)))
    except DefusedXmlException as error:
        problems.add(
            "error",
            file=path,
            line=parser.getLineNumber(),
            found=f"a document type or entity declaration ({type(error).__name__})",
            expected="XML without DTD, entities and references to other files",
            remedy="Remove the <!DOCTYPE …> part; a ROUGE configuration needs none.",
        )
        return []
    except SAXParseException as error:
        problems.add(
            "error",
            file=path,
            line=error.getLineNumber(),
            found=f"XML that is not well-formed: {error.getMessage()} (column {error.getColumnNumber()})",
            expected="a ROUGE-EVAL configuration in XML",
            remedy="Mend the tags there; & is written &amp; and < is written &lt;.",
        )
        return []
    except (SAXException, LookupError, ValueError) as error:
        problems.add(
            "error",
            file=path,
            line=1,
            found=shorten(str(error), 120),
            expected="a ROUGE-EVAL configuration in XML",
            remedy="Save the file as UTF-8.",
        )
        return []
    if not handler.evaluations and not handler.skipped:
        problems.add(
            "error",
            file=path,
            line=1,
            found="no EVAL element",
            expected='<EVAL ID="…"> with PEERS and MODELS',
            remedy="Check that the file is a ROUGE configuration.",
        )
    return handler.evaluations


def _recoded(content: bytes, path: Path, problems: Problems) -> bytes:
    """UTF-8 for the parser, unless the file says what else it is in."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content
    declared = _DECLARED.match(content)
    if declared and declared[1].lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii"):
        return content
    return decode_tolerantly(content, path, problems).encode()


class _Handler(ContentHandler):
    def __init__(self, path: Path, problems: Problems) -> None:
        super().__init__()
        self.path = path
        self.problems = problems
        self.evaluations: list[Evaluation] = []
        self.skipped = 0
        self._open: list[str] = []
        self._evaluation: Evaluation | None = None
        self._id = ""
        self._line = 1
        self._text: list[str] = []
        self._place: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        tag = name.upper()
        parent = self._open[-1] if self._open else ""
        self._open.append(tag)
        self._text = []
        if tag == "EVAL":
            self._start_evaluation(_attribute(attrs, "ID"))
        elif self._evaluation is not None and tag == "INPUT-FORMAT":
            self._evaluation.type = _attribute(attrs, "TYPE").strip(BLANKS)
        elif (parent, tag) in (("PEERS", "P"), ("MODELS", "M")):
            self._id = _attribute(attrs, "ID")
            self._line = self._at()
            if not self._id:
                self._note_no_id(tag)

    def characters(self, content: str) -> None:
        self._text.append(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        tag = name.upper()
        self._open.pop()
        parent = self._open[-1] if self._open else ""
        text = "".join(self._text).strip(BLANKS)
        self._text = []
        if tag == "EVAL":
            self._evaluation = None
        elif self._evaluation is not None:
            if tag == "PEER-ROOT":
                self._evaluation.peer_root = text
            elif tag == "MODEL-ROOT":
                self._evaluation.model_root = text
            elif (parent, tag) == ("PEERS", "P") and self._id:
                self._evaluation.peers.append(Entry(id=self._id, file=text, line=self._line))
            elif (parent, tag) == ("MODELS", "M") and self._id:
                self._evaluation.models.append(Entry(id=self._id, file=text, line=self._line))

    def _start_evaluation(self, id: str) -> None:
        if id:
            self._evaluation = Evaluation(id=id, line=self._at())
            self.evaluations.append(self._evaluation)
        else:
            self._evaluation = None
            self.skipped += 1
            self._note_no_id("EVAL")

    def _note_no_id(self, tag: str) -> None:
        self.problems.add(
            "error",
            file=self.path,
            line=self._at(),
            field=tag,
            found=f"{tag} without an ID",
            expected=f'<{tag} ID="…">',
            remedy="Give it an ID.",
        )

    def _at(self) -> int:
        return (self._place.getLineNumber() if self._place else None) or 1


def _attribute(attributes: AttributesImpl, wanted: str) -> str:
    return next((str(value) for name, value in attributes.items() if name.upper() == wanted), "")
