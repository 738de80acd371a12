"""Moves: what organisers gave out and took back, so that each act can be looked up and undone.

A task is never deleted: it is taken back (`withdrawn`), and its events stay. So every act that moves work is a list of
tasks that were taken back and a list of those that were given, and undoing it swaps the two.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store.database import now
from pyramidion.assess.store.people import Person
from pyramidion.assess.store.work import Task
from pyramidion.errors import UsageError

MOVES = "moves"
MOST_MOVES = 200
"""How many acts can be looked up and undone; the audit has all of them."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """One act of an organiser: tasks that were taken back, and tasks that were given."""

    id: str
    time: str
    organiser: str
    description: str
    """What was done, as the list of moves tells it."""
    withdrawn: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    undoes: str = ""
    """The id of the move that it takes back, if it does."""


def read_moves(assessment: Assessment) -> list[Move]:
    """All moves that are kept, oldest first."""
    moves = []
    for fields in assessment.settings.get(MOVES, []):
        lists = {name: tuple(fields[name]) for name in ("withdrawn", "given")}
        moves.append(Move(**{**fields, **lists}))
    return moves


def find_move(assessment: Assessment, id: str) -> Move | None:
    """The move of an id."""
    return next((move for move in read_moves(assessment) if move.id == id), None)


def record_move(
    assessment: Assessment,
    organiser: Person,
    description: str,
    *,
    withdrawn: Iterable[str] = (),
    given: Iterable[str] = (),
    undoes: str = "",
) -> Move:
    """Keep what was done, so that it can be undone."""
    move = Move(
        id=secrets.token_hex(6),
        time=now(),
        organiser=organiser.name,
        description=description,
        withdrawn=tuple(withdrawn),
        given=tuple(given),
        undoes=undoes,
    )
    moves = [*read_moves(assessment), move][-MOST_MOVES:]
    assessment.settings.set(MOVES, [asdict(kept) for kept in moves])
    return move


def undoable_moves(assessment: Assessment) -> list[Move]:
    """The moves that can be undone now, newest first: no later one concerns their tasks."""
    tasks = {task.id: task for task in assessment.work.tasks(practice=False)}
    return [move for move in reversed(read_moves(assessment)) if _can_be_undone(move, tasks)]


def _can_be_undone(move: Move, tasks: dict[str, Task]) -> bool:
    """Whether all that a move took back is still taken back, and all that it gave still given."""
    if not move.withdrawn and not move.given:
        return False
    if not all(id in tasks for id in (*move.withdrawn, *move.given)):
        return False
    are_withdrawn = all(tasks[id].withdrawn for id in move.withdrawn)
    are_given = not any(tasks[id].withdrawn for id in move.given)
    return are_withdrawn and are_given


def undo_move(assessment: Assessment, organiser: Person, move: Move) -> Move:
    """Give again what a move took back, with all that was done on it, and take back what it gave.

    Raises:
        UsageError: if a later move concerns the same tasks.
    """
    if move not in undoable_moves(assessment):
        raise UsageError("this can't be undone now: a later act concerns the same work. Undo that one first.")
    assessment.work.exchange(withdraw=move.given, restore=move.withdrawn)
    description = f"Undone: {move.description}"
    if move.undoes:
        # The undoing of an undoing is the act itself, done again.
        description = f"Done again: {move.description.removeprefix('Undone: ')}"
    assessment.on_change()
    return record_move(assessment, organiser, description, withdrawn=move.given, given=move.withdrawn, undoes=move.id)


def started_tasks(tasks: Sequence[Task]) -> list[Task]:
    """The tasks that someone has worked on."""
    return [task for task in tasks if task.version]
