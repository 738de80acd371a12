"""Tables of preferences, as people have them: a row for each choice between two systems, and who won.

The winner is said by position (A, model_a, 1, left; B, model_b, 2, right), by the name of a system, or is a tie. The
first of the two systems is taken as the one that was shown first, unless a column says otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from pyramidion.campaign.campaign import Campaign
from pyramidion.campaign.nouns import Assessor, Preference
from pyramidion.files.problems import Place, Problems, shorten
from pyramidion.intake.cells import as_id, is_blank, is_missing, number_of
from pyramidion.intake.choices import SIDES, TIES
from pyramidion.intake.columns import find_preferences
from pyramidion.intake.opened import OpenedTable
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import names_judges, plain_name
from pyramidion.show.wording import counted

Choice = Literal["a", "b", "tie"]

_FIRST = frozenset({*(f"{noun}{side}" for noun in SIDES for side in ("a", "1")), "left", "first", "links"})
_SECOND = frozenset({*(f"{noun}{side}" for noun in SIDES for side in ("b", "2")), "right", "second", "rechts"})
_COMPARED = re.compile(r"\W*(?P<left>[abAB])\s*(?P<sign>>{1,3}|<{1,3}|={1,2})\s*(?!(?P=left))[abAB]\W*")
"""A choice as some judges write it: `A>B`, `[[B>>A]]`, `A=B`."""
_LAST = 2
_MIDDLE = 1.5
"""The tie between 1, the first, and 2, the second, where choices have grades, as in AlpacaEval."""
_BOTH_BAD = frozenset({"bothbad", "tiebothbad", "bothbadtie"})
"""What a winner may be called, as names are compared. That both are bad is a tie, and counted."""


@dataclass(frozen=True)
class _PreferenceRow:
    """A row of a table of preferences, with its ids as texts."""

    at: Place
    topic: str
    a: str
    b: str
    winner: str
    assessor: str
    first: str
    reason: str


def read_preferences(opened: OpenedTable, problems: Problems, columns: Mapping[str, str]) -> Campaign:
    """The preferences of a table, as a campaign without texts; problems are noted, and a remark says what is what.

    Args:
        opened: the table.
        problems: takes errors and remarks.
        columns: by role, the columns that the user names.
    """
    problems.files.note_read(opened.path)
    roles = find_preferences(TableProfile(opened.columns, opened.sample), columns)
    at = problems.at(opened.path)
    rows = list(_read_rows(opened, roles, problems))
    preferences: list[Preference] = []
    both_bad = 0
    is_by_name = _names_winners(rows)
    if _is_ambiguous(rows, is_by_name=is_by_name):
        at.error(
            f"winners {_examples(rows)}, which are the names of systems and positions, too",
            "winners that say one thing",
            "Write model_a, model_b or tie into the column, or give the systems other names.",
            field=roles["winner"],
        )
        return Campaign()
    for row in rows:
        choice = _read_choice(row, is_by_name=is_by_name)
        if choice is None:
            row.at.error(
                shorten(row.winner),
                f"{row.a}, {row.b}, or tie; or A, B, model_a, model_b, 1, 2, left, right, both_bad",
                "Write one of these; leave the cell empty if nobody chose.",
                field=roles["winner"],
            )
            continue
        both_bad += plain_name(row.winner) in _BOTH_BAD
        preference = _order(row, choice)
        if preference is None:
            remedy = "Name the system that was shown first, or A or B."
            row.at.error(shorten(row.first), f"{row.a} or {row.b}", remedy, field=roles["first"])
            continue
        preferences.append(preference)
    if preferences:
        problems.remark(_describe(opened, roles, preferences, both_bad))
    assessors: dict[str, Assessor] = {}
    if names_judges(roles.get("assessor", "")):
        names = {preference.assessor for preference in preferences if preference.assessor}
        assessors = {name: Assessor(kind="judge") for name in sorted(names)}
    return Campaign(preferences=tuple(preferences), assessors=assessors)


def _read_rows(opened: OpenedTable, roles: Mapping[str, str], problems: Problems) -> Iterator[_PreferenceRow]:
    """The rows that name two systems and a winner; others are errors. Without a column of topics, rows are numbered."""
    at = problems.at(opened.path)
    for number, (line, cells) in enumerate(opened.objects(problems, "an object {…}", mark_is_fine=True), start=1):
        texts = {role: _text_of(cells.get(column)) for role, column in roles.items()}
        missing = [role for role in ("a", "b") if not texts[role]]
        for role in missing:
            at.at(line).error("nothing", "a system", "Fill in the cell or remove the row.", field=roles[role])
        if not missing and not texts["winner"]:
            at.at(line).warning("nothing", "the winner", "The row was left out.", field=roles["winner"])
            continue
        if missing:
            continue
        if texts["a"] == texts["b"]:
            remedy = "Name two systems or remove the row."
            at.at(line).error(shorten(texts["a"]), "another system", remedy, field=roles["b"])
            continue
        yield _PreferenceRow(
            at=at.at(line),
            topic=texts.get("topic") or str(number),
            a=texts["a"],
            b=texts["b"],
            winner=texts["winner"],
            assessor=texts.get("assessor", ""),
            first=texts.get("first", ""),
            reason=texts.get("reason", ""),
        )


def _text_of(cell: Any) -> str:
    if is_missing(cell) or is_blank(cell):
        return ""
    return str(as_id(cell)).strip()


def _names_winners(rows: Sequence[_PreferenceRow]) -> bool:
    """Whether winners are called by the names of systems: some are, and none that is no tie is a position alone."""
    is_named = [row.winner in (row.a, row.b) for row in rows]
    is_position = [not named and _tie_of(row.winner) is None for row, named in zip(rows, is_named, strict=True)]
    return any(is_named) and not any(is_position)


def _is_ambiguous(rows: Sequence[_PreferenceRow], *, is_by_name: bool) -> bool:
    """Whether a winner such as A is the name of one system and the position of the other."""
    if not is_by_name:
        return False
    positions = {"a": _FIRST, "b": _SECOND}
    for row in rows:
        sides = [side for side, names in positions.items() if plain_name(row.winner) in names]
        if sides and getattr(row, sides[0]) != row.winner:
            return True
    return False


def _examples(rows: Sequence[_PreferenceRow]) -> str:
    return ", ".join(dict.fromkeys(row.winner for row in rows if _tie_of(row.winner) is None))


def _tie_of(winner: str) -> Choice | None:
    equal = _COMPARED.fullmatch(winner)
    if equal is not None and "=" in equal["sign"]:
        return "tie"
    return "tie" if plain_name(winner) in TIES | _BOTH_BAD else None


def _read_choice(row: _PreferenceRow, *, is_by_name: bool) -> Choice | None:
    """Who won: the first system of the row, the second, or neither; None if the winner says none of these."""
    if row.winner in (row.a, row.b):
        return "a" if row.winner == row.a else "b"
    tie = _tie_of(row.winner)
    if tie or is_by_name:
        return tie
    compared = _COMPARED.fullmatch(row.winner)
    if compared is not None:
        is_first = (compared["left"].lower() == "a") == (">" in compared["sign"])
        return "a" if is_first else "b"
    grade = number_of(row.winner)
    if grade is not None:  # -1 is no position, although names are compared without signs
        return _read_grade(grade)
    if plain_name(row.winner) in _FIRST:
        return "a"
    return "b" if plain_name(row.winner) in _SECOND else None


def _read_grade(grade: float) -> Choice | None:
    """Who won by a number from 1, the first, to 2, the second; None of other numbers, which may mean anything."""
    if not 1 <= grade <= _LAST:
        return None
    if grade == _MIDDLE:
        return "tie"
    return "a" if grade < _MIDDLE else "b"


def _order(row: _PreferenceRow, choice: Choice) -> Preference | None:
    """The preference with the system first that was shown first; None if the row does not say which one that is."""
    preference = Preference(topic=row.topic, a=row.a, b=row.b, choice=choice, assessor=row.assessor, reason=row.reason)
    first = plain_name(row.first)
    if not row.first or row.first == row.a:
        return preference
    is_second = row.first == row.b or first in _SECOND
    if not is_second:
        return preference if first in _FIRST else None
    turned: Mapping[Choice, Choice] = {"a": "b", "b": "a", "tie": "tie"}
    return msgspec.structs.replace(preference, a=row.b, b=row.a, choice=turned[choice])


def _describe(opened: OpenedTable, roles: Mapping[str, str], preferences: Sequence[Preference], both_bad: int) -> str:
    """Which column is what, and how many ties there are."""
    parts = [f"{role} = {column}" for role, column in roles.items()]
    counts = Counter(preference.choice for preference in preferences)
    parts.append(counted(len(preferences), "choice"))
    if counts["tie"]:
        bad = f", {both_bad} of them because both are bad" if both_bad else ""
        parts.append(f"{counted(counts['tie'], 'tie')}{bad}")
    return f"{opened.path.name}: preferences; {', '.join(parts)}"
