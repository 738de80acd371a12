"""What a campaign holds and who is in it, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Column, Table, table_of
from pyramidion.show.wording import counted
from pyramidion.studies.description import Description
from pyramidion.studies.roster import KIND_ORDER, Roster


def tables(description: Description) -> list[Table]:
    """One table: what there is, and how many of it."""
    return [table_of(description.facts, ("what", "value"), title=description.name)]


DESCRIPTION = Presenter(tables=tables)


def roster_tables(roster: Roster) -> list[Table]:
    """One table of all summarizers; columns that say nothing are left out."""
    columns: list[Column | str] = [
        "id",
        Column("name", of=lambda member: member.name or None),
        Column("organisation", of=lambda member: member.organisation or None),
        "kind",
        "topics",
        "judged",
    ]
    if any(member.annotated for member in roster.members):
        columns.append("annotated")
    return [
        table_of(
            roster.members,
            columns,
            record="roster",
            title=f"Roster of {roster.campaign}" if roster.campaign else "Roster",
            sentences=roster_sentences(roster),
        )
    ]


def roster_sentences(roster: Roster) -> Iterator[str]:
    """How many summarizers there are of each kind, and who has no summary."""
    if not roster.members:
        yield "No summarizers."
        return
    counts = Counter(member.kind for member in roster.members)
    kinds = ", ".join(counted(counts[kind], kind) for kind in KIND_ORDER if counts[kind])
    yield f"{counted(len(roster.members), 'summarizer')}: {kinds}."
    without_summary = [member.id for member in roster.members if not member.topics]
    if without_summary:
        yield f"Without any summary: {', '.join(without_summary)}."


ROSTER = Presenter(tables=roster_tables)
