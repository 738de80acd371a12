"""The ROUGE-EVAL configuration as its XML has it: which texts are compared, not yet the texts themselves.

Elements and attributes are found in any case, as ROUGE-1.5.5 does, and every entry keeps its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.campaign import Problems
from pyramidion.files.problems import Place
from pyramidion.formats.guarded_xml import Element, read_xml
from pyramidion.formats.rouge.rouge_texts import BLANKS


@dataclass(frozen=True, kw_only=True)
class RougeEntry:
    """A P or an M: whose text, in which file under which root."""

    id: str
    root: str
    file: str
    line: int

    @property
    def path(self) -> str:
        """The path as ROUGE-1.5.5 builds it: an absolute name under a root stays under it."""
        if self.root:
            return f"{self.root}/{self.file}"
        return self.file


@dataclass(frozen=True, kw_only=True)
class RougeEvaluation:
    """An EVAL element."""

    id: str
    line: int
    type: str
    peers: list[RougeEntry]
    models: list[RougeEntry]


def parse_configuration(path: Path, problems: Problems) -> list[RougeEvaluation]:
    """All EVAL elements in order; XML that can't be trusted or parsed is one error, and gives none."""
    roots = read_xml(path, problems, what="a ROUGE-EVAL configuration in XML", repair=False)
    at = Place(problems, path)
    elements: list[Element] = []
    for root in roots:
        elements += _below(root, "EVAL")
    if roots and not elements:
        at.at(1).error(
            found="no EVAL element",
            expected='<EVAL ID="…"> with PEERS and MODELS',
            remedy="Check that the file is a ROUGE configuration.",
        )
    evaluations: list[RougeEvaluation] = []
    for element in elements:
        id = _id(element, at)
        if not id:
            continue
        types = [_attribute(input_format, "TYPE") for input_format in _below(element, "INPUT-FORMAT")]
        type = types[0] if types else ""
        evaluation = RougeEvaluation(
            id=id,
            line=element.line,
            type=type.strip(BLANKS),
            peers=list(_entries(element, "PEER", "P", at)),
            models=list(_entries(element, "MODEL", "M", at)),
        )
        evaluations.append(evaluation)
    return evaluations


def _entries(evaluation: Element, role: str, tag: str, at: Place) -> Iterator[RougeEntry]:
    """The peers or the models of an EVAL."""
    roots = [element.text.strip(BLANKS) for element in _below(evaluation, f"{role}-ROOT")]
    root = roots[0] if roots else ""
    for parent in _below(evaluation, f"{role}S"):
        for element in parent.children:
            if element.tag.upper() != tag:
                continue
            id = _id(element, at)
            if id:
                yield RougeEntry(id=id, root=root, file=element.text.strip(BLANKS), line=element.line)


def _below(element: Element, tag: str) -> Iterator[Element]:
    """The element itself and those within it, if they have this tag in any case."""
    if element.tag.upper() == tag:
        yield element
    for child in element.children:
        yield from _below(child, tag)


def _id(element: Element, at: Place) -> str:
    """The ID of an element; empty (and an error) if it has none."""
    id, tag = _attribute(element, "ID"), element.tag.upper()
    if not id:
        at.at(element.line, tag).error(
            found=f"{tag} without an ID",
            expected=f'<{tag} ID="…">',
            remedy="Give it an ID.",
        )
    return id


def _attribute(element: Element, attribute: str) -> str:
    """The value of an attribute, in any case; empty if it is missing."""
    return next((value for name, value in element.attributes.items() if name.upper() == attribute), "")
