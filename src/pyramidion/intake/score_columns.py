"""What the columns of a table of scores mean: `ScoreColumns`, or a `ColumnQuestion` to be answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pyramidion.errors import UsageError, mention
from pyramidion.intake.column_questions import (
    ColumnQuestion,
    ask_for_raters,
    ask_for_systems,
    ask_for_topics_of_scores,
)
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import (
    JUDGMENT_ROLES,
    ONLY_IN_SCORES,
    RUN,
    SCORE_ROLES,
    TOGETHER,
    are_raters,
    exclude,
    is_bookkeeping,
    is_index,
    is_numbering,
    match_reasons,
    may_be_systems,
    name_or_match,
    name_rater,
    names_systems,
    split_grid,
)
from pyramidion.show.wording import listed

LONG_FIELDS = ("measure", "value")
"""The columns by which a score table is long: a row for each score."""
SCORE_FIELDS_ASIDE = ("signature", "note", "record", "run", "reason")
"""Columns of a score table of ours that are no measures."""
_SHOWN_MEASURES = 8
"""Measures that a line about a file names."""


@dataclass(frozen=True, kw_only=True)
class ScoreColumns:
    """Which column of a score table is what; columns without a role are measures, unless they are unused."""

    roles: Mapping[str, str] = field(default_factory=dict)
    """By column, its role: topic, summarizer, measure, value, run or reason."""
    systems: tuple[str, ...] = ()
    """Columns that each hold the scores of the system that they are called after, if the user says so."""
    grid: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By system and measure, its column, if each column is a measure of one system."""
    unused: tuple[str, ...] = ()

    @property
    def columns(self) -> Mapping[str, str]:
        """By role, its column."""
        return {role: column for column, role in self.roles.items()}

    @property
    def is_long(self) -> bool:
        """Whether each row is one score, with its measure and its value."""
        return {*LONG_FIELDS} <= {*self.roles.values()}

    @property
    def names_systems(self) -> bool:
        """Whether the table says whose scores these are."""
        return bool(self.systems) or bool(self.grid) or "summarizer" in self.columns

    def our_name(self, column: str) -> str:
        """What we call a column: its role, else its own name."""
        return self.roles.get(column, column)

    def is_unnamed(self, columns: Sequence[str]) -> bool:
        """Whether all scores belong to one system, because no column says whose they are.

        Args:
            columns: all columns of the table.
        """
        if self.names_systems or "topic" not in self.columns:
            return False
        used = exclude(columns, self.unused)
        return len(used) > 1

    def measure_columns(self, columns: Iterable[str]) -> list[str]:
        """The columns that can be measures of a wide table.

        Args:
            columns: all columns of the table.
        """
        return exclude(columns, (*self.roles, *self.unused, *SCORE_FIELDS_ASIDE))

    def describe(self, measures: Sequence[str], notes: Iterable[str]) -> str:
        """Which column is what, and the measures; nothing if the columns have our own names and all are used.

        Args:
            measures: those that were read.
            notes: what is to be known of their values, such as the number of runs.
        """
        unused = [column for column in self.unused if not is_index(column)]
        column_by_role = self.columns
        is_renamed = any(column != role for role, column in column_by_role.items())
        has_runs = "run" in column_by_role
        # A long table with our names of columns is ours most often, or easily read as what it is.
        is_as_ours = not (unused or is_renamed or (has_runs and not self.is_long))
        if is_as_ours or not measures:
            return ""
        parts = ["a table of scores"]
        for role, column in column_by_role.items():
            parts.append(f"{role} = {column}")
        if has_runs:
            notes_on_runs = {note for note in notes if "runs" in note}
            parts += sorted(notes_on_runs)
        parts.append(f"measures: {listed(measures, most=_SHOWN_MEASURES)}")
        if unused:
            parts.append(f"not used: {listed(unused, most=_SHOWN_MEASURES)}")
        return "; ".join(parts)


def recognise_scores(
    table: TableProfile, named: Mapping[str, str], *, uses_bookkeeping: bool = True
) -> ScoreColumns | ColumnQuestion:
    """Which column of a score table is what; a question if the columns of numbers may be systems or measures.

    Without a column of systems, `gpt4, llama, bart` are probably systems, and `rouge1, fluency` are measures of one.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names; those that the table does not have belong to another one.
        uses_bookkeeping: whether latencies, lengths and the like are scores even next to other columns.

    Raises:
        UsageError: if `named` names a column both as a system and as something else.
    """
    columns = find_score_columns(table, named, uses_bookkeeping=uses_bookkeeping)
    measures = columns.measure_columns(table.number_columns)
    if "scores" not in named and not columns.systems and not columns.is_long and are_raters(measures):
        return ask_for_raters(measures)
    if "topic" not in columns.columns and table.rows:
        return ask_for_topics_of_scores(table, columns.columns.get("summarizer"), columns.systems or measures)
    is_clear = "scores" in named or columns.names_systems or columns.is_long
    if is_clear or "topic" not in columns.columns:
        return columns
    numbers = columns.measure_columns(table.number_columns)
    if len(numbers) < 2 or not may_be_systems(numbers):
        return columns
    if table.has_repeats([columns.columns["topic"]]):
        return columns  # a sheet with a column per system has each topic once
    grid = split_grid(numbers)
    if all(map(name_rater, numbers)) or any(map(name_rater, grid)):
        return ask_for_raters(numbers)
    if grid:
        return replace(columns, grid=grid)
    return ask_for_systems(table, numbers)


def find_score_columns(table: TableProfile, named: Mapping[str, str], *, uses_bookkeeping: bool = True) -> ScoreColumns:
    """Which column of a score table is what.

    Not used are columns that only number the rows; without `uses_bookkeeping`, latencies, lengths and the like, if a
    wide table of another program has anything else; and all others if the user says which ones are scores.

    Args:
        table: its columns and first rows.
        named: by role, the columns that the user names; those that the table does not have belong to another one.
        uses_bookkeeping: whether latencies, lengths and the like are scores even next to other columns.

    Raises:
        UsageError: if `named` names a column both as a system and as something else.
    """
    systems = _columns_of_systems(table.columns, named)
    free = exclude(table.columns, systems)
    roles = _match_score_roles(table, free, named, has_systems=bool(systems))
    _add_run(roles, table, free, named)
    if "topic" not in roles.values():  # better than nothing, if it is not a mere number of the row
        numbering = [name for name in free if is_numbering(name)]
        roles |= dict.fromkeys(numbering[:1], "topic")
    roles = {column: role for column, role in roles.items() if role not in systems}  # a system may be called `run`
    _add_reason(roles, table, free)
    unused = _unused_score_columns(table, named, roles, uses_bookkeeping=uses_bookkeeping)
    return ScoreColumns(roles=roles, systems=tuple(systems), unused=tuple(name for name in free if name in unused))


def _columns_of_systems(columns: Collection[str], named: Mapping[str, str]) -> list[str]:
    """The columns that the user names as systems, if these are several: each holds the scores of one system.

    Args:
        columns: of the score table.
        named: by role, the columns that the user names.

    Raises:
        UsageError: if such a column is named as something else, too.
    """
    text = named.get("score", "")
    systems = [name for name in text.split(TOGETHER) if name in columns]
    if text in columns or len(systems) < 2:
        return []
    for role in ("topic", *exclude(ONLY_IN_SCORES, ["score"])):
        if named.get(role) in systems:
            raise UsageError(
                f"{mention('columns', {'score': text, role: named[role]})}: the column "
                f"{named[role]!r} is either a system or the {role}; name it once"
            )
    return systems


def _match_score_roles(
    table: TableProfile, free: Sequence[str], named: Mapping[str, str], *, has_systems: bool
) -> dict[str, str]:
    """By column, its role: topic, summarizer, and in a long table measure and value.

    Args:
        table: its columns and first rows.
        free: the columns that are no systems.
        named: by role, the columns that the user names.
        has_systems: whether columns are systems: then none names them.
    """
    roles: dict[str, str] = {}
    # Systems first: topics are what several of them share.
    for role in ("summarizer", "topic", *LONG_FIELDS):
        if role == "summarizer" and has_systems:
            continue
        matches = exclude(name_or_match(SCORE_ROLES[role], free, named), roles)
        if role == "topic" and roles and role not in named:
            matches = table.match_topics(matches, next(iter(roles)), free)
        roles |= dict.fromkeys(matches[:1], role)
    shown_order = ("topic", "summarizer", *LONG_FIELDS)
    roles = dict(sorted(roles.items(), key=lambda item: shown_order.index(item[1])))
    if _is_long(roles, table):
        return roles
    for column, role in list(roles.items()):
        if role in LONG_FIELDS and column != role:  # in a wide table, `score` is a measure
            del roles[column]
    return roles


def _is_long(roles: Mapping[str, str], table: TableProfile) -> bool:
    """Whether a score table has a row for each score, with the measure in words.

    Args:
        roles: by column, its role.
        table: its columns and first rows.
    """
    column_by_role = {role: column for column, role in roles.items()}
    if not {*LONG_FIELDS} <= column_by_role.keys():
        return False
    if not table.rows:
        return True
    return table.column(column_by_role["measure"]).holds_texts


def _add_run(roles: dict[str, str], table: TableProfile, free: Sequence[str], named: Mapping[str, str]) -> None:
    """Add the column of runs, which are systems if they have names and no other column has systems, as in TREC."""
    runs = name_or_match(RUN, free, named)
    if named.get("run") not in runs:
        runs = exclude(runs, roles)
    if not runs:
        return
    run = runs[0]
    has_names = names_systems(run) and table.column(run).holds_texts
    if has_names and "summarizer" not in roles.values():
        roles[run] = "summarizer"
    else:
        roles[run] = "run"


def _add_reason(roles: dict[str, str], table: TableProfile, free: Sequence[str]) -> None:
    """Add the column of reasons for the scores, if there is just one: of words, and called after reasons."""
    names = exclude(free, roles)
    texts = [name for name in names if all(isinstance(cell, str) for cell in table.column(name).values)]
    words = [name for name in texts if table.column(name).holds_texts]
    reasons = JUDGMENT_ROLES["comment"].match(words)
    if not reasons:
        numbers = exclude(table.number_columns, roles)
        reasons = [*match_reasons(numbers, words).values()]
    if len(reasons) == 1:
        roles[reasons[0]] = "reason"


def _unused_score_columns(
    table: TableProfile, named: Mapping[str, str], roles: Mapping[str, str], *, uses_bookkeeping: bool
) -> set[str]:
    """The columns of a score table that nothing uses."""
    free = exclude(table.columns, (*roles, *SCORE_FIELDS_ASIDE))
    scores = {*named.get("scores", "").split(TOGETHER)}.intersection(table.columns) - {""}
    unused = {*filter(is_index, free)}
    unused |= {*roles.values()} - roles.keys()  # another column plays the role of this name
    if scores:
        return unused | {*exclude(free, scores)}
    is_ours = "signature" in table.columns or {*LONG_FIELDS} <= {*roles.values()}
    if uses_bookkeeping or is_ours:
        return unused
    bookkeeping = {*filter(is_bookkeeping, free)}
    measures = exclude(free, unused | bookkeeping)
    has_only_texts = all(table.column(name).holds_texts for name in measures)
    if has_only_texts:
        return unused
    return unused | bookkeeping
