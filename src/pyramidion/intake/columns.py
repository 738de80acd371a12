"""The recogniser of columns: what kind of table a table is, by the names of its columns and its first rows.

It may hold summaries, scores, judgments or preferences. A table with a column of judges or annotators holds judgments,
with the texts or without. What its columns mean is found in the module of its kind: `summary_columns`, `score_columns`,
`judgment_columns`. The names by which columns are found are data, in `roles`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pyramidion.intake.cells import number_of
from pyramidion.intake.opened import FROM_TEXT, RowFormat
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import (
    JUDGMENT_ROLES,
    PREFERENCE_ROLES,
    RUN,
    SCORE_ROLES,
    SUMMARY_ROLES,
    TOGETHER,
    can_number_assessors,
    exclude,
    is_bookkeeping,
    name_or_match,
)
from pyramidion.intake.score_columns import find_score_columns
from pyramidion.intake.summary_columns import is_flat_form

TableKind = Literal["summaries", "scores", "judgments", "judged-summaries", "preferences"]
"""What the rows of a table are; `judged-summaries` has a summary and an assessor's answers in each row."""
_ONLY_IN_SUMMARIES = frozenset({"summary", "text", "references", "documents", "judgments"})
"""Fields that only rows of summaries have, in files with types."""
_FORMATS_OF_SCORES: frozenset[RowFormat] = FROM_TEXT | {"parquet"}
"""Formats in which we write score tables."""


def recognise(
    table: TableProfile, named: Mapping[str, str] | None = None, *, format: RowFormat | None = None
) -> TableKind:
    """Whether a table holds summaries, scores or judgments.

    It holds summaries if a column may hold them: texts, which are no comments, under a name that says nothing else. It
    holds judgments if a column says who judged.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
        format: of the file; None for rows in memory.
    """
    named = named or {}
    if find_preferences(table, named):
        return "preferences"
    assessors = find_assessors(table, named, format=format)
    if assessors and "summary" not in named and not _has_judged_texts(table, named):
        return "judgments"
    if "summary" in named or _has_summaries(table, format):
        return "judged-summaries" if assessors else "summaries"
    if assessors:
        return "judgments"
    score_columns = find_score_columns(table, named)
    if "scores" in named or score_columns.is_long or score_columns.systems:
        return "scores"
    if table.unknown_prose:
        return "summaries"  # nobody knows: then the user is asked which column is which
    if table.prose_columns and not table.score_columns:
        return "summaries"  # texts to score
    if _has_scores(table, format):
        return "scores"
    return "summaries"


def find_preferences(table: TableProfile, named: Mapping[str, str]) -> dict[str, str]:
    """By role, the columns of a table of preferences; nothing if two systems and a winner are not all there.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
    """
    own_roles = {role: column for role, column in named.items() if role in PREFERENCE_ROLES}
    roles = {role: column for role, column in own_roles.items() if column in table.columns}
    for role in PREFERENCE_ROLES.values():
        if role.name in roles:
            continue
        matches = role.match(exclude(table.columns, roles.values()))
        # Long texts under such a name are the summaries that were compared; only reasons and requests may be long.
        if role.name == "winner":
            matches = [name for name in matches if table.column(name).is_short or _are_graded_choices(table, name)]
        elif role.name not in ("topic", "reason"):
            matches = [name for name in matches if table.column(name).is_short]
        if matches:
            roles[role.name] = matches[0]
    required = {role.name for role in PREFERENCE_ROLES.values() if role.is_required}
    if not required <= roles.keys():
        return {}
    if not required.isdisjoint(named):
        return roles
    # A table of summaries, scores or judgments names the system of each row; one of preferences names two.
    sides = [table.column(roles[side]) for side in ("a", "b")]
    are_names = all(side.holds_texts for side in sides)
    # Systems may be numbered: then the winner is one of these numbers, or a position in words.
    systems = {*sides[0].texts, *sides[1].texts}
    is_numbered = bool(systems & {*table.column(roles["winner"]).texts}) and len(systems) < len(table.rows)
    return roles if are_names or is_numbered else {}


def _are_graded_choices(table: TableProfile, name: str) -> bool:
    """Whether a column holds choices between 1, the first, and 2, the second, as AlpacaEval writes them."""
    column = table.column(name)
    if not column.holds_numbers:
        return False
    numbers = [number_of(cell) for cell in column.values]
    return all(number is not None and 1 <= number <= 2 for number in numbers)


def find_assessors(table: TableProfile, named: Mapping[str, str], *, format: RowFormat | None = None) -> str:
    """The column that says who judged, in a table of answers about the summaries of systems; nothing if it has none.

    The numbers of a column `judge` are scores, unless they tell the rows of a summary apart.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
        format: of the file; None for rows in memory.
    """
    column = named.get("assessor", "")
    if column in table.columns:
        return column
    keys = _find_keys(table, named)
    if len(keys) < 2 or not _may_have_answers(table, named, keys):
        return ""
    # Lines in our own form keep unknown keys as they are; that a summary comes again says that its rows are answers.
    is_own = format == "jsonl" and {"topic", "summarizer", "summary"} <= {*table.columns}
    if is_own and not table.has_repeats(keys):
        return ""
    for name in exclude(JUDGMENT_ROLES["assessor"].match(table.data_columns), keys):
        if name not in named.values() and _names_assessors(table, name, keys):
            return name
    return ""


def _names_assessors(table: TableProfile, name: str, keys: Sequence[str]) -> bool:
    """Whether a column that is called after judges or annotators names them.

    Args:
        table: its columns and first rows.
        name: the column.
        keys: the columns of topics and systems.
    """
    column = table.column(name)
    if not column.values or not column.is_short:
        return False
    if column.holds_texts or can_number_assessors(name):
        return True
    runs = RUN.match(exclude(table.data_columns, [*keys, name]))
    return any(name in table.distinguishing_columns([*keys, *more]) for more in ([], runs[:1]))


def _may_have_answers(table: TableProfile, named: Mapping[str, str], keys: Sequence[str]) -> bool:
    """Whether a table has a column of numbers, or one that is called after answers.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
        keys: the columns of topics and systems.
    """
    aside = {*keys, *JUDGMENT_ROLES["assessor"].match(table.data_columns)}
    columns = exclude(table.data_columns, aside)
    if named.get("value") in columns or JUDGMENT_ROLES["value"].match(columns):
        return True
    return any(table.column(name).holds_numbers for name in columns if not is_bookkeeping(name))


def _has_judged_texts(table: TableProfile, named: Mapping[str, str]) -> bool:
    """Whether a table with a column of assessors has a text that all of them judged: their answers differ.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names.
    """
    keys = _find_keys(table, named)
    answers = [name for role in ("value", "scores") for name in named.get(role, "").split(TOGETHER)]
    texts = exclude(SUMMARY_ROLES["summary"].match(table.columns), answers)
    aside = [*keys, *RUN.match(table.columns), *JUDGMENT_ROLES["assessor"].match(table.columns)]
    has_numbers = bool(exclude(table.score_columns, aside))
    if has_numbers or not table.has_repeats(keys):
        return bool(texts)
    return any(not table.varies_within(name, *keys) for name in texts)


def _find_keys(table: TableProfile, named: Mapping[str, str]) -> list[str]:
    """The columns of topics and of systems of a table of answers."""
    keys: list[str] = []
    for role in ("summarizer", "topic"):
        matches = name_or_match(JUDGMENT_ROLES[role], exclude(table.columns, keys), named)
        if role == "topic" and keys and role not in named:
            matches = table.match_topics(matches, keys[0], exclude(table.columns, keys))
        keys += matches[:1]
    return keys


def _has_summaries(table: TableProfile, format: RowFormat | None) -> bool:
    """Whether the name of a column says that it holds summaries, or that rows are ours.

    Args:
        table: its columns and first rows.
        format: of the file; None for rows in memory.
    """
    role = SUMMARY_ROLES["summary"]
    names = [*role.match(table.columns), *role.match_numbered(table.columns)]
    if any(table.column(name).holds_texts for name in names):
        return True
    if format in FROM_TEXT:
        return False
    return not _ONLY_IN_SUMMARIES.isdisjoint(table.columns)


def _has_scores(table: TableProfile, format: RowFormat | None) -> bool:
    """Whether a table without texts of unknown names holds scores.

    Args:
        table: its columns and first rows.
        format: of the file; None for rows in memory.
    """
    has_scores = bool(table.score_columns) or table.has_scores_with_slips
    if format in _FORMATS_OF_SCORES and is_flat_form(table.columns):
        # Only score tables have signatures; we write them.
        return "signature" in table.columns or not table.has_only_bookkeeping
    if format in FROM_TEXT:
        return has_scores or not table.rows
    if not SCORE_ROLES["topic"].match(table.columns):
        return False
    return has_scores or "value" in table.columns
