"""Tables of answers about SCUs, as people fill them in elsewhere: a row for each SCU and peer, and whether it is there.

Columns: topic, summarizer, scu (the number of the SCU), present (yes or no); optionally annotator and comment. An empty
cell is a question that nobody answered. What people answered in such a table says nothing about other SCUs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Match, PeerAnnotation
from pyramidion.errors import mention
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.cells import as_id, lacks_number
from pyramidion.intake.opened import FileTable
from pyramidion.show.wording import counted

COLUMNS: Mapping[str, Sequence[str]] = {
    "topic": ("topic",),
    "summarizer": ("summarizer", "system", "peer"),
    "scu": ("scu", "uid"),
    "present": ("present", "answer"),
    "annotator": ("annotator", "assessor", "rater"),
    "comment": ("comment",),
}
"""By role, the names of columns; the first one is what `plan -o` writes."""
REQUIRED = ("topic", "summarizer", "scu", "present")
YES = frozenset({"1", "1.0", "yes", "y", "true", "t", "present", "x", "✓"})
NO = frozenset({"0", "0.0", "no", "n", "false", "f", "absent", "-", "–"})

Key: TypeAlias = tuple[str, str, str, int]
"""Topic, summarizer, annotator, and the draw that asked."""


def answers_scus(columns: Collection[str]) -> bool:
    """Whether a table with these columns has answers about SCUs."""
    names = {name.strip().lower() for name in columns}
    return {"topic", "scu", "present"} <= names


@dataclass
class AnnotationTable:
    """What a file holds."""

    matches: dict[Key, dict[int, Match]] = field(default_factory=dict)
    missing: int = 0
    """Questions without an answer."""
    outside: int = 0
    """Answers about SCUs that the sample of the campaign did not draw."""


def read_annotations(
    paths: Sequence[Path], campaign: Campaign, problems: Problems, columns: Mapping[str, str] | None = None
) -> tuple[PeerAnnotation, ...]:
    """The answers in tables about SCUs, as annotations of the drawn part of peers.

    Args:
        paths: the files.
        campaign: the one that they are added to; its sample says in which draw each SCU was drawn.
        problems: takes errors, and remarks on what was read.
        columns: by role, the columns that the user names.
    """
    table = AnnotationTable()
    reader = _AnnotationReader(table, campaign, columns or {})
    for path in paths:
        reader.read(path, problems)
    if table.missing:
        problems.remark(f"{counted(table.missing, 'empty cell')}, read as questions that nobody answered")
    if table.outside:
        verb = "is" if table.outside == 1 else "are"
        problems.remark(
            f"{counted(table.outside, 'answer')} {verb} about SCUs that the campaign's sample did not draw: kept, but "
            "not used by estimates"
        )
    return tuple(_annotations(table, campaign))


def _annotations(table: AnnotationTable, campaign: Campaign) -> Iterator[PeerAnnotation]:
    pyramids = {(unit.topic, unit.scu): unit.pyramid for unit in campaign.sample}
    for (topic, summarizer, annotator, draw), matches in table.matches.items():
        yield PeerAnnotation(
            topic=topic,
            summarizer=summarizer,
            annotator=annotator,
            scus=tuple(matches[uid] for uid in sorted(matches)),
            pyramid=pyramids.get((topic, min(matches))),
            draw=draw,
        )


class _AnnotationReader:
    """Puts the rows of tables where they belong."""

    def __init__(self, table: AnnotationTable, campaign: Campaign, columns: Mapping[str, str]) -> None:
        self.table = table
        self.columns = columns
        self.draws = {(unit.topic, unit.scu, unit.summarizer): unit.draw for unit in campaign.sample if unit.drawn}
        self.has_sample = bool(campaign.sample)
        self._lines: dict[tuple[Key, int], int] = {}

    def read(self, path: Path, problems: Problems) -> None:
        """Add the rows of a file; what can't be read is noted."""
        opened = FileTable(path)
        at = problems.at(path)
        roles: dict[str, str] = {}
        for line, row in opened.objects(problems, "an object {…}", mark_is_fine=True):
            roles = roles or self._find_columns(row, at)
            if not roles:
                return
            self._add(row, roles, at.at(line))
        if not roles and not problems.errors:
            at.error("no rows", "a table with a row for each SCU and peer", "Check the file.")

    def _find_columns(self, row: Mapping[str, Any], at: Place) -> dict[str, str]:
        """The column of each role; empty if one is missing, which is noted."""
        by_name = {name.strip().lower(): name for name in row}
        roles: dict[str, str] = {}
        for role, names in COLUMNS.items():
            if role in self.columns:
                names = (self.columns[role].lower(),)
            column = next((by_name[name] for name in names if name in by_name), None)
            if column is not None:
                roles[role] = column
        lacking = [role for role in REQUIRED if role not in roles]
        if lacking:
            naming = mention("columns", {lacking[0]: "COLUMN"})
            at.error(
                f"no column {', '.join(lacking)} among {shorten(', '.join(row), 100)}",
                "columns topic, summarizer, scu and present",
                f"Name the column: {naming}; `pyramidion plan -o` writes such tables.",
            )
            return {}
        return roles

    def _add(self, row: Mapping[str, Any], roles: Mapping[str, str], at: Place) -> None:
        """Add an answer."""
        cells = {role: row.get(column) for role, column in roles.items()}
        if lacks_number(cells["present"]):
            self.table.missing += 1
            return
        present = _presence(cells["present"])
        if present is None:
            found = shorten(repr(cells["present"]))
            at.error(found, "yes or no (also 1 or 0, true or false)", "Correct the cell.", field=roles["present"])
            return
        names = {role: as_id(cells[role]) for role in ("topic", "summarizer", "scu")}
        for role, name in names.items():
            if not isinstance(name, str) or not name.strip():
                at.error(shorten(repr(cells[role])), f"the {role}", "Correct the cell.", field=roles[role])
                return
        uid_text = str(as_id(names["scu"], integral=True)).strip()
        if not uid_text.isdecimal():
            at.error(shorten(repr(uid_text)), "the number of an SCU", "Correct the cell.", field=roles["scu"])
            return
        topic, summarizer, uid = names["topic"], names["summarizer"], int(uid_text)
        annotator = str(as_id(cells.get("annotator")) or "")
        key = (topic, summarizer, annotator, self._draw_of(topic, uid, summarizer))
        match = Match(uid=uid, present=present, comment=str(cells.get("comment") or ""))
        matches = self.table.matches.setdefault(key, {})
        earlier = matches.setdefault(uid, match)
        first_line = self._lines.setdefault((key, uid), at.line or 0)
        if earlier.present != present:
            at.error(
                f"another answer about SCU {uid} of topic {topic} in {summarizer} than in line {first_line}",
                "one answer of each annotator",
                "Add a column annotator, or remove one of the two rows.",
                field=roles["present"],
            )

    def _draw_of(self, topic: str, uid: int, summarizer: str) -> int:
        """The draw of the campaign's sample in which a question was drawn; the first where it was not."""
        for key in ((topic, uid, None), (topic, uid, summarizer), (topic, None, None)):
            if key in self.draws:
                return self.draws[key]
        self.table.outside += self.has_sample
        return 1


def _presence(cell: Any) -> bool | None:
    """What an answer in a table says; None if it says neither yes nor no."""
    if isinstance(cell, bool):
        return cell
    text = str(cell).strip().lower()
    if text in YES:
        return True
    return False if text in NO else None
