"""What the files of a package are, by their content and their nearest folder, never by the folders above.

Users rename and repack; what stays are the names of summaries, the headers of tables and the tags of markup.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from pyramidion.campaign import Problems
from pyramidion.files import guards
from pyramidion.files.problems import Place
from pyramidion.formats.files import decode_tolerantly, head_of
from pyramidion.formats.nist.archives import GIGAWORD, PackageFile, all_files
from pyramidion.formats.nist.documents import is_document
from pyramidion.formats.nist.names import Spellings, is_topic, parse_set
from pyramidion.formats.nist.topics import has_topics
from pyramidion.formats.nist_names import NistName, parse_nist_name
from pyramidion.formats.rouge.out import detect_output
from pyramidion.tables import Column, Finding, Row, Table, table_of
from pyramidion.text.basic_elements.simple import is_simple

Role = Literal[
    "topics",
    "documents",
    "Gigaword",
    "texts",
    "pyramids",
    "annotations",
    "tables of judgments",
    "pyramid scores",
    "annotators",
    "AESOP scores",
    "ROUGE and BE outputs",
    "averages",
    "ROUGE configurations",
    "Basic Elements",
    "READMEs",
    "other files",
]
Use = Literal["import", "compare", "skip"]
ROLES: tuple[Role, ...] = get_args(Role)
JUDGMENTS: Role = "tables of judgments"
COMPARED = ("averages",)
NOT_IMPORTED = ("ROUGE configurations", "Basic Elements", "READMEs", "other files")
HEAD = 65_536
"""Looked at to find out whether a folder is a package."""

_SYSTEM_FILES = re.compile(r"_DS_Store|\.DS_Store|\._.*|Thumbs\.db")
_NEVER = re.compile(r".*\.(?:jar|pl|scu|pdf|doc|ps|html?)", re.I)
_XML_ROOT = re.compile(rb"<(pyramid|peerAnnotation)[\s>]")
_CONFIGURATION = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<(?:ROUGE[-_]EVAL|EVAL)[\s>]", re.I)
_AVERAGE_NAME = re.compile(r".*\.avg|avg_\w+(?:\.\w+)?", re.I)
_MANUAL = re.compile(r"manual\.(?:model|peer)(?:\.[a-z])?(?:\.txt)?")
_DELIVERED = re.compile(
    r"duc200[5-7]_(?:update)?topics\.sgml|(?:update|guided)summ[0-9]{2}_test_topics\.xml(?:\.txt)?"
    r"|(?:nisteval2?|duc2006pyramiddata|duc2005|mainpyramideval|maineval|updateeval|duc200[5-7]_(?:test)?docs"
    r"|(?:update|guided)summ(?:20)?[0-9]{2}_(?:eval|test_docs_files)|(?:duc|tac)20[01][0-9]_\w*documents)"
    r"\.(?:tgz|tar\.gz)",
    re.IGNORECASE,
)
_TABLE = re.compile(r"\s*Topic[ \t]*\r?\n\|")
_PEER = re.compile(
    r"(?:(?P<annotator>[A-Za-z0-9]+)\.)?(?P<name>[A-Za-z]+[0-9]+(?:-[A-Za-z]+)?\.[A-Z]\.[0-9]+\.[A-Z]\.(?:[A-Za-z]+|[0-9]+))"
    r"(?:\..*)?",
    re.ASCII,
)


@dataclass(frozen=True)
class FoundFile:
    """A file and what it is."""

    file: PackageFile
    role: Role
    name: NistName | None = None
    """What its name says, for texts and annotations."""
    annotator: str = ""
    """In front of the name of an annotation: 114.D0631.M.250.A.12.pan."""

    @property
    def path(self) -> Path:
        """As messages show it."""
        return self.file.path

    @property
    def folder(self) -> str:
        """The name of its nearest folder, in small letters."""
        return self.file.folders[-1].lower() if self.file.folders else ""

    @property
    def is_copy(self) -> bool:
        """Whether it is a table that pyramid annotators got along with their work."""
        return self.role == JUDGMENTS and self.folder == "scoring"

    def text(self, problems: Problems) -> str:
        """Its text, with line ends of LF."""
        return decode_tolerantly(self.file.read(problems), self.path, problems).replace("\r\n", "\n")

    def at(self, problems: Problems) -> Place:
        """Where its problems are noted."""
        return Place(problems, self.path)


class FoundRow(Row, record="nist-found"):
    """Files of one kind in one place."""

    what: Role
    files: int
    where: str
    use: Use
    names: tuple[str, ...] = ()
    """Of the files, where there are few."""


class Package(Finding):
    """All files of a package."""

    files: Sequence[FoundFile]
    read_first: dict[Role, list[FoundFile]] = field(default_factory=dict)

    def all(self, role: Role) -> list[FoundFile]:
        """The files of a kind, in order; one that is also there as an identical copy comes once."""
        if role not in self.read_first:
            seen: set[tuple[str, bytes]] = set()
            kept: list[FoundFile] = []
            for one in self.files:
                if one.role == role:
                    key = (str(one.file.inner), one.file.read(Problems()) if role != "Gigaword" else b"")
                    kept += [one] if key not in seen else []
                    seen.add(key)
            self.read_first[role] = kept
        return self.read_first[role]

    def sentences(self) -> list[str]:
        """What there is, in a sentence."""
        counts = [(role, sum(one.role == role for one in self.files)) for role in ROLES]
        there = ", ".join(f"{number} {role}" for role, number in counts if number and role not in NOT_IMPORTED)
        return [f"Found: {there or 'nothing that belongs to a DUC or TAC package'}."]

    def rows(self) -> Iterator[FoundRow]:
        """Kind by kind and place by place."""
        originals = any(one.role == JUDGMENTS and not one.is_copy for one in self.files)
        groups: dict[tuple[Role, str, Use], list[str]] = {}
        for one in self.files:
            use: Use = "compare" if one.role in COMPARED or (one.is_copy and originals) else "import"
            use = "skip" if one.role in NOT_IMPORTED else use
            groups.setdefault((one.role, _place(one), use), []).append(one.file.name)
        for (role, where, use), names in sorted(groups.items(), key=lambda item: ROLES.index(item[0][0])):
            few = len(names) <= (20 if role in ("READMEs", "other files") else 5)
            listed = tuple(names) if few else (names[0], "…")
            yield FoundRow(what=role, files=len(names), where=where, use=use, names=listed)

    def tables(self) -> list[Table]:
        """One table; none if there is no file."""
        if not self.files:
            return []
        columns = ("what", "files", "use", "where", Column("names", of=lambda row: ", ".join(row.names)))
        return [table_of(list(self.rows()), columns, title="Files found")]


@dataclass
class PackageReader:
    """What every reader of a package needs: where problems are noted, and how topics are spelled."""

    problems: Problems
    spell: Spellings


def is_package(folder: Path) -> bool:
    """Whether a folder holds what only NIST delivers: ROUGE/peers or ROUGE/models, a topic file, an archive."""
    for number, (place, folders, names) in enumerate(os.walk(folder)):
        if Path(place).name == "ROUGE" and {"peers", "models"} & set(folders):
            return True
        if any(_DELIVERED.fullmatch(name) for name in names):
            return True
        if number > guards.PACKAGE_FOLDERS:
            break
    return False


def is_archive_of_package(path: Path) -> bool:
    """Whether a file is one of NIST's archives."""
    return _DELIVERED.fullmatch(path.name) is not None and head_of(path).startswith(b"\x1f\x8b")


def find_package(sources: Iterable[Path], problems: Problems) -> Package:
    """Look at every file below the sources."""
    return Package(files=tuple(classify(file, problems) for file in all_files(sources, problems)))


def classify(file: PackageFile, problems: Problems) -> FoundFile:
    """What a file is."""
    name = file.name
    if _SYSTEM_FILES.fullmatch(name) or _NEVER.fullmatch(name):
        return FoundFile(file, "other files")
    if GIGAWORD.fullmatch(name):
        return FoundFile(file, "Gigaword")
    head = file.read(problems)[:HEAD]
    peer = _PEER.fullmatch(name)
    nist = parse_nist_name(peer["name"]) if peer else None
    root = _XML_ROOT.search(head)
    suffix = Path(name).suffix.lower()
    if (root and root[1] == b"peerAnnotation") or suffix == ".pan" or b"<peerAnnotation" in head:
        return FoundFile(file, "annotations", nist, peer["annotator"] or "" if peer else "")
    if root or suffix == ".pyr":
        return FoundFile(file, "pyramids")
    if "readme" in name.lower():
        return FoundFile(file, "READMEs")
    if _CONFIGURATION.match(head):
        return FoundFile(file, "ROUGE configurations")
    if detect_output(head):
        return FoundFile(file, "ROUGE and BE outputs")
    text = head.decode("latin-1")
    if is_document(text):
        return FoundFile(file, "documents")
    if nist is not None and peer and peer["name"] == name:
        folder = file.folders[-1].lower() if file.folders else ""
        simple = folder.startswith("be") or (bool(text.strip()) and is_simple([text]))
        return FoundFile(file, "Basic Elements" if simple else "texts", nist)
    if b"<topic" in head.lower() and has_topics(decode_tolerantly(file.read(problems), file.path, Problems())):
        return FoundFile(file, "topics")
    return FoundFile(file, _table(name, text))


def _table(name: str, text: str) -> Role:
    """What a table is, by its header or its first row."""
    lower = name.lower()
    if _AVERAGE_NAME.fullmatch(lower):
        return "averages"
    if _TABLE.match(text) or lower.endswith(".table") or _MANUAL.fullmatch(lower):
        return "tables of judgments"
    if lower.startswith("aesop_"):
        return "AESOP scores"
    lines = [line for line in text.splitlines() if line.strip()]
    first = lines[0].split() if lines else []
    if [cell.lower() for cell in first[:2]] == ["topic", "pyramid-creator"]:
        return "annotators"
    if "processed_pans" in lower or "modified_scores" in lower:
        return "pyramid scores"
    if not first or not is_topic(first[0]):
        return "other files"
    numbers = [_is_number(cell) for cell in first]
    if len(first) in (7, 8) and first[1].isalpha() and numbers[2]:
        return "tables of judgments"
    if len(first) in (9, 10) and first[1].isdecimal() and all(numbers[2:5]) and not numbers[5]:
        return "tables of judgments"
    if len(first) >= 8 and first[1].isdecimal() and all(numbers[2:5]):
        return "pyramid scores"
    return "other files"


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _place(one: FoundFile) -> str:
    """The folder that files of a kind share; documents are a folder or two deeper, one for each set."""
    folder = one.path.parent
    while one.role in ("documents", "Gigaword") and parse_set(folder.name) and folder.parent != folder:
        folder = folder.parent
    return str(folder)
