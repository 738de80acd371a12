"""Choices between two systems in other shapes: winner and loser, a column per outcome, systems that are columns.

Each becomes a table with the columns `model_a`, `model_b` and `winner`, which is then read as any table of preferences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from pyramidion.intake.cells import is_blank, is_missing, number_of
from pyramidion.intake.opened import ConvertedTable, OpenedTable
from pyramidion.intake.profile import TableProfile
from pyramidion.intake.roles import PREFERENCE_ROLES, SUMMARY_ROLES, exclude, plain_name

FIRST, SECOND, WINNER = "model_a", "model_b", "winner"
SIDES = ("model", "system", "assistant", "summary", "response", "output", "option", "prompt", "")
"""What stands before A and B, or 1 and 2, in the name of a position."""
TIES = frozenset(
    {
        *("tie", "tied", "draw", "equal", "same", "both", "neither", "c", "none", "nopreference", "bothgood"),
        *("unentschieden", "gleich", "gleichgut", "beide", "keine", "keines"),
    }
)
"""What a winner is called if neither is better, as names are compared."""
_LOSERS = ("loser", "rejected", "loser model", "rejected model", "losing model", "worse", "verlierer")
_WINNERS = ("winner", "chosen", "winner model", "chosen model", "winning model", "better", "preferred", "gewinner")
_OUTCOMES: Mapping[str, tuple[str, ...]] = {
    FIRST: ("winner model a", "winner a", "a wins", "model a wins", "win a"),
    SECOND: ("winner model b", "winner b", "b wins", "model b wins", "win b"),
    "tie": ("winner tie", "tie", "ties", "draw"),
}
"""By outcome, what columns of 0 and 1 are called that say whether it came."""
Cells = dict[str, Any]


def read_choices(opened: OpenedTable, named: Mapping[str, str]) -> OpenedTable:
    """The table, with columns of two systems and a winner if its rows are choices in another shape.

    Args:
        opened: the table.
        named: by role, the columns that the user names: then the shape is known.
    """
    has_roles = not {*named}.isdisjoint(("a", "b", WINNER, "summary", "score", "scores"))
    if has_roles or not opened.sample:
        return opened
    table = TableProfile(opened.columns, opened.sample)
    convert = _from_outcomes(table) or _from_winner_and_loser(table) or _from_columns_of_systems(table)
    return opened if convert is None else ChoicesTable(opened, convert)


class ChoicesTable(ConvertedTable):
    """A table whose rows have two systems and a winner.

    Args:
        table: as it is.
        convert: adds these columns to a row.
    """

    def __init__(self, table: OpenedTable, convert: Callable[[Cells], Cells]) -> None:
        super().__init__(table)
        self._convert = convert

    @cached_property
    def columns(self) -> list[str]:  # type: ignore[override]
        """The names of the columns, and those of the systems and the winner."""
        rows = self.sample
        return list(dict.fromkeys(name for row in rows for name in row))

    def convert_row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with its systems and its winner."""
        return self._convert(dict(row))


def _find(names: Iterable[str], aliases: Sequence[str]) -> str | None:
    """The first column that has one of some names."""
    by_plain_name = {plain_name(name): name for name in names}
    found = [by_plain_name[plain_name(alias)] for alias in aliases if plain_name(alias) in by_plain_name]
    return found[0] if found else None


def _from_outcomes(table: TableProfile) -> Callable[[Cells], Cells] | None:
    """Rows with two systems and a column of 0 and 1 for each outcome."""
    systems = [PREFERENCE_ROLES[side].match(table.columns) for side in ("a", "b")]
    column_by_outcome = {outcome: _find(table.number_columns, names) for outcome, names in _OUTCOMES.items()}
    if not all(systems) or column_by_outcome[FIRST] is None or column_by_outcome[SECOND] is None:
        return None
    columns = {outcome: column for outcome, column in column_by_outcome.items() if column is not None}
    if any(number_of(cell) not in (0, 1) for column in columns.values() for cell in table.column(column).values):
        return None
    first, second = systems[0][0], systems[1][0]

    def convert(row: Cells) -> Cells:
        outcomes = [outcome for outcome, column in columns.items() if number_of(row.get(column)) == 1]
        rest = {name: cell for name, cell in row.items() if name not in (*columns.values(), first, second)}
        winner = outcomes[0] if len(outcomes) == 1 else ""
        return rest | {FIRST: row.get(first), SECOND: row.get(second), WINNER: winner}

    return convert


def _from_winner_and_loser(table: TableProfile) -> Callable[[Cells], Cells] | None:
    """Rows that name the winner and the loser."""
    names = [name for name in table.short_columns if table.column(name).holds_texts]
    winner, loser = _find(names, _WINNERS), _find(names, _LOSERS)
    if winner is None or loser is None or PREFERENCE_ROLES["a"].match(names):
        return None
    if {*table.column(winner).texts}.isdisjoint(table.column(loser).texts) and len(table.rows) > 1:
        return None  # no system is in both: perhaps these are no systems

    def convert(row: Cells) -> Cells:
        rest = {name: cell for name, cell in row.items() if name not in (winner, loser)}
        # In the order of their names: who was shown first is not known, and must not follow from who won.
        first, second = sorted([str(row.get(winner) or ""), str(row.get(loser) or "")])
        return rest | {FIRST: first, SECOND: second, WINNER: row.get(winner)}

    return convert


def _from_columns_of_systems(table: TableProfile) -> Callable[[Cells], Cells] | None:
    """Rows with the texts of two systems in two columns, and a winner; not where there are references or scores."""
    names = table.data_columns
    names_systems = bool(PREFERENCE_ROLES["a"].match(table.short_columns) or SUMMARY_ROLES["summarizer"].match(names))
    # With references or scores, it is a table of summaries to score.
    if names_systems or table.match("references") or table.score_columns:
        return None
    winners = [name for name in PREFERENCE_ROLES[WINNER].match(names) if table.column(name).is_short]
    prose = [name for name in table.prose_columns if name in names]
    texts = exclude(prose, table.match("documents"))
    if len(winners) != 1 or len(texts) != 2:
        return None
    winner = winners[0]
    values = {plain_name(text) for text in table.column(winner).texts if text}
    positions = {f"{noun}{side}" for noun in SIDES for side in ("a", "b", "1", "2")}
    if not values <= positions | TIES | {plain_name(name) for name in texts}:
        return None
    first, second = texts

    def convert(row: Cells) -> Cells:
        rest = {name: cell for name, cell in row.items() if name not in (first, second, winner)}
        cell = row.get(winner)
        said = "" if is_missing(cell) or is_blank(cell) else str(cell)
        by_name = {plain_name(name): name for name in texts}
        return rest | {FIRST: first, SECOND: second, WINNER: by_name.get(plain_name(said), said)}

    return convert
