"""How far the work has come: by topic, by assessor and by task, with rates and the time that is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from pyramidion.assess.assessment import Assessment
from pyramidion.assess.store import schema
from pyramidion.assess.store.database import reading
from pyramidion.assess.store.work import Task
from pyramidion.show.tables import grouped


@dataclass(frozen=True, kw_only=True)
class TaskProgress:
    """How far one task is."""

    task: Task
    heading: str
    person: str
    finished: int
    total: int
    seconds: float
    last: str
    """When it was last worked on."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far some tasks are together."""

    name: str
    tasks: int
    handed_in: int
    finished: int
    total: int
    share: float
    """How much of the work is finished: the mean over tasks, whose items differ in size."""
    hours: float
    rate: float | None
    """Items an hour; None while nothing has been timed."""
    hours_left: float | None
    """Of the kinds of work that have a rate; None if none has."""
    more: bool
    """Whether there is work whose time can't be told yet."""
    last: str

    @property
    def left(self) -> int:
        """Items that are not finished."""
        return self.total - self.finished


def task_progress(the: Assessment) -> list[TaskProgress]:
    """All work that was given out, without practice."""
    tasks = the.work.given_out(practice=False)
    times = _times(the)
    names = {one.id: one.name for one in the.people.all()}
    found = []
    for piece, state in zip(the.pieces(tasks), the.work.states(tasks), strict=True):
        task = piece.task
        finished, total = the.progress(piece, state)
        seconds, last = times.get(task.id, (0.0, ""))
        found.append(
            TaskProgress(
                task=task,
                heading=the.heading(task),
                person=names[task.person],
                finished=finished,
                total=total,
                seconds=seconds,
                last=last,
            )
        )
    return found


def by(rows: Sequence[TaskProgress], key: Callable[[TaskProgress], str]) -> list[Progress]:
    """The progress of each group, in the order in which groups come."""
    speeds = _speeds(rows)
    return [_together(name, group, speeds) for name, group in grouped(rows, key).items()]


def _together(name: str, rows: Sequence[TaskProgress], speeds: Mapping[str, float]) -> Progress:
    finished, seconds = sum(row.finished for row in rows), sum(row.seconds for row in rows)
    open_ = [row for row in rows if not row.task.done and row.total > row.finished]
    known = [row for row in open_ if row.heading in speeds]
    own = _speeds(rows)
    left = sum((row.total - row.finished) * own.get(row.heading, speeds[row.heading]) for row in known)
    shares = [1.0 if row.task.done else row.finished / max(row.total, 1) for row in rows]
    return Progress(
        name=name,
        tasks=len(rows),
        handed_in=sum(row.task.done for row in rows),
        finished=finished,
        total=sum(row.total for row in rows),
        share=sum(shares) / len(shares),
        hours=seconds / 3600,
        rate=finished / (seconds / 3600) if seconds and finished else None,
        hours_left=left / 3600 if known or not open_ else None,
        more=len(known) < len(open_),
        last=max((row.last for row in rows), default=""),
    )


def _speeds(rows: Sequence[TaskProgress]) -> dict[str, float]:
    """Seconds for an item, by kind of work."""
    found = {}
    for name, group in grouped(rows, lambda row: row.heading).items():
        seconds, finished = sum(row.seconds for row in group), sum(row.finished for row in group)
        if seconds and finished:
            found[name] = seconds / finished
    return found


def _times(the: Assessment) -> dict[str, tuple[float, str]]:
    """Seconds and the last moment of each task."""
    columns = schema.events.c
    query = sa.select(columns.task, sa.func.sum(columns.seconds), sa.func.max(columns.time)).group_by(columns.task)
    with reading(the.engine) as connection:
        return {task: (float(seconds), last) for task, seconds, last in connection.execute(query)}
