"""What the files of a package are, by their content and their nearest folder, never by the folders above.

Users rename and repack; what stays are the names of summaries, the headers of tables and the tags of markup.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Literal, get_args

from pyramidion.campaign import Problems
from pyramidion.files import guards
from pyramidion.files.problems import Place
from pyramidion.formats.glimpse import Glimpse
from pyramidion.formats.nist.archives import GIGAWORD, PackageFile, all_files
from pyramidion.formats.nist.documents import is_document
from pyramidion.formats.nist.nist_topics import has_topics
from pyramidion.formats.nist.set_names import Spellings, is_topic, parse_set
from pyramidion.formats.nist_file_names import NistName, parse_nist_name
from pyramidion.formats.rouge.rouge_out import detect_output
from pyramidion.formats.text_files import decode_tolerantly
from pyramidion.show.tables import Column, Finding, Row, Table, table_of
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
        if self.file.folders:
            return self.file.folders[-1].lower()
        return ""

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
            self.read_first[role] = self._without_copies(role)
        return self.read_first[role]

    def _without_copies(self, role: Role) -> list[FoundFile]:
        """The files of a kind, those with the same name and content once; Gigaword's are too large to compare."""
        files: dict[tuple[str, bytes], FoundFile] = {}
        for file in self.files:
            if file.role != role:
                continue
            content = b""
            if role != "Gigaword":
                content = file.file.read(Problems())
            files.setdefault((str(file.file.inner), content), file)
        return list(files.values())

    def sentences(self) -> list[str]:
        """What there is, in a sentence."""
        counts = Counter(file.role for file in self.files)
        parts = [f"{counts[role]} {role}" for role in ROLES if counts[role] and role not in NOT_IMPORTED]
        if not parts:
            return ["Found: nothing that belongs to a DUC or TAC package."]
        return [f"Found: {', '.join(parts)}."]

    def rows(self) -> Iterator[FoundRow]:
        """Kind by kind and place by place."""
        groups: dict[tuple[Role, str, Use], list[str]] = {}
        for file in self.files:
            key = (file.role, _place(file), self._use(file))
            groups.setdefault(key, []).append(file.file.name)
        for (role, where, use), names in sorted(groups.items(), key=lambda item: ROLES.index(item[0][0])):
            most_names = 20 if role in ("READMEs", "other files") else 5
            shown_names = tuple(names)
            if len(names) > most_names:
                shown_names = (names[0], "…")
            yield FoundRow(
                what=role,
                files=len(names),
                where=where,
                use=use,
                names=shown_names,
            )

    def _use(self, file: FoundFile) -> Use:
        """What is done with a file; a copy of a table is only compared if the original is there."""
        if file.role in NOT_IMPORTED:
            return "skip"
        if file.role in COMPARED:
            return "compare"
        if file.is_copy and self._has_originals:
            return "compare"
        return "import"

    @cached_property
    def _has_originals(self) -> bool:
        """Whether there are tables of judgments besides the annotators' copies."""
        return any(file.role == JUDGMENTS and not file.is_copy for file in self.files)

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
    walk = islice(os.walk(folder), guards.PACKAGE_FOLDERS + 2)
    for place, folders, names in walk:
        if Path(place).name == "ROUGE" and {"peers", "models"}.intersection(folders):
            return True
        if any(map(_DELIVERED.fullmatch, names)):
            return True
    return False


def is_archive_of_package(glimpse: Glimpse) -> bool:
    """Whether a file is one of NIST's archives."""
    if not _DELIVERED.fullmatch(glimpse.path.name):
        return False
    # The two bytes that every gzip file begins with.
    return glimpse.head.startswith(b"\x1f\x8b")


def find_package(sources: Iterable[Path], problems: Problems) -> Package:
    """Look at every file below the sources."""
    return Package(files=tuple(classify(file, problems) for file in all_files(sources, problems)))


def classify(file: PackageFile, problems: Problems) -> FoundFile:
    """A file with its role, and what its name says."""
    if _SYSTEM_FILES.fullmatch(file.name) or _NEVER.fullmatch(file.name):
        return FoundFile(file, "other files")
    # By its name alone: these files are too large to be opened only to be looked at.
    if GIGAWORD.fullmatch(file.name):
        return FoundFile(file, "Gigaword")
    head = file.read(problems)[:HEAD]
    peer = _PEER.fullmatch(file.name)
    nist_name = parse_nist_name(peer["name"]) if peer else None
    role = _role_by_markup(file.name, head)
    if role == "annotations":
        annotator = peer["annotator"] if peer else ""
        return FoundFile(file, role, nist_name, annotator or "")
    if role is not None:
        return FoundFile(file, role)
    # An encoding in which any bytes are a text: only ASCII is looked for.
    text = head.decode("latin-1")
    if nist_name is not None and peer and peer["name"] == file.name:
        return FoundFile(file, _role_of_summary(file, text), nist_name)
    if b"<topic" in head.lower():
        content = decode_tolerantly(file.read(problems), file.path, Problems())
        if has_topics(content):
            return FoundFile(file, "topics")
    return FoundFile(file, _role_of_table(file.name, text))


def _role_by_markup(name: str, head: bytes) -> Role | None:
    """The role of a file with tags, or with lines of ROUGE-1.5.5; None if it has neither."""
    ending = Path(name).suffix.lower()
    # Before pyramids, because a .pan holds a copy of its pyramid.
    if ending == ".pan" or b"<peerAnnotation" in head:
        return "annotations"
    if ending == ".pyr" or _XML_ROOT.search(head):
        return "pyramids"
    if "readme" in name.lower():
        return "READMEs"
    if _CONFIGURATION.match(head):
        return "ROUGE configurations"
    if detect_output(head):
        return "ROUGE and BE outputs"
    if is_document(head.decode("latin-1")):
        return "documents"
    return None


def _role_of_summary(file: PackageFile, text: str) -> Role:
    """The role of a file with the name of a summary: its text, or its Basic Elements."""
    folder = file.folders[-1].lower() if file.folders else ""
    if folder.startswith("be"):
        return "Basic Elements"
    if text.strip() and is_simple([text]):
        return "Basic Elements"
    return "texts"


def _role_of_table(name: str, text: str) -> Role:
    """The role of a table, by its name, its header or its first row."""
    lower_name = name.lower()
    if _AVERAGE_NAME.fullmatch(lower_name):
        return "averages"
    if lower_name.endswith(".table") or _TABLE.match(text) or _MANUAL.fullmatch(lower_name):
        return JUDGMENTS
    if lower_name.startswith("aesop_"):
        return "AESOP scores"
    lines = [line for line in text.splitlines() if line.strip()]
    cells = lines[0].split() if lines else []
    if [cell.lower() for cell in cells[:2]] == ["topic", "pyramid-creator"]:
        return "annotators"
    if "processed_pans" in lower_name or "modified_scores" in lower_name:
        return "pyramid scores"
    if cells and is_topic(cells[0]):
        return _role_of_row(cells)
    return "other files"


def _role_of_row(cells: Sequence[str]) -> Role:
    """The role of a table without a header, by the cells of its first row, which starts with a topic."""
    if len(cells) < 7:
        return "other files"
    are_numbers = list(map(_is_number, cells))
    if len(cells) <= 8 and cells[1].isalpha() and are_numbers[2]:
        return JUDGMENTS
    has_scores = cells[1].isdecimal() and all(are_numbers[2:5])
    if len(cells) in (9, 10) and has_scores and not are_numbers[5]:
        return JUDGMENTS
    if len(cells) >= 8 and has_scores:
        return "pyramid scores"
    return "other files"


def _is_number(cell: str) -> bool:
    """Whether a cell spells a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _place(file: FoundFile) -> str:
    """The folder that files of a kind share; documents are a folder or two deeper, one for each set."""
    folder = file.path.parent
    while file.role in ("documents", "Gigaword") and parse_set(folder.name) and folder.parent != folder:
        folder = folder.parent
    return str(folder)
