"""Tasks and their events: append, read, rebuild the state of any moment.

The state of a task is a flat dictionary. An event changes some of its keys (None removes a key) and carries the
version that it leads to: the task's version plus one. Anything else is stale and refused, never merged.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypedDict, Unpack

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from pyramidion.assess.store import schema
from pyramidion.assess.store.database import now, reading, writing
from pyramidion.errors import PyramidionError

State: TypeAlias = dict[str, Any]
Changes: TypeAlias = Mapping[str, Any]

MANY = 500
"""From this number of tasks on, a query reads all rows instead of naming them."""
KEPT_STATES = 5_000
"""States of tasks that a process keeps in memory."""

# Asked with nearly every request, so they are put together once.
_TASK = sa.select(schema.tasks).where(schema.tasks.c.id == sa.bindparam("id"))
_EVENTS = sa.select(schema.events).order_by(schema.events.c.sequence)
_HISTORY = _EVENTS.where(schema.events.c.task == sa.bindparam("task"), schema.events.c.version > sa.bindparam("after"))


@dataclass(frozen=True, kw_only=True)
class Task:
    """A piece of work given to one person: what to do (`kind`), on which topic, with what (`spec`)."""

    id: str
    kind: str
    topic: str
    person: str
    spec: Mapping[str, Any] = field(default_factory=dict)
    practice: bool = False
    version: int = 0
    done: bool = False
    withdrawn: bool = False
    created: str = ""
    updated: str = ""


@dataclass(frozen=True, kw_only=True)
class Event:
    """One change of a task: `id` is the browser's, so that sending it twice stores it once."""

    id: str
    version: int
    action: str
    changes: Changes
    seconds: float = 0.0
    task: str = ""
    person: str = ""
    time: str = ""


class StaleError(PyramidionError):
    """The task went on elsewhere (another tab): nothing was stored."""

    def __init__(self, task: Task) -> None:
        super().__init__(f"this work is at version {task.version} now")
        self.task = task


Check: TypeAlias = Callable[[Task, State, Changes], None]
"""Raises if a task can't change in this way."""


class TaskValues(TypedDict, total=False):
    """Columns to choose tasks by; of an id or a kind, any of several."""

    id: str | list[str]
    kind: str | list[str]
    topic: str
    person: str
    practice: bool


class Work:
    """The tasks and events of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._states: OrderedDict[str, tuple[int, State]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, tasks: Iterable[Task]) -> None:
        """Give out new work, all of it or none."""
        self.exchange(add=tasks)

    def tasks(self, *, withdrawn: bool | None = None, **where: Unpack[TaskValues]) -> list[Task]:
        """All tasks, or those with these values, in the order in which they were given."""
        query = sa.select(schema.tasks).order_by(schema.tasks.c.created, schema.tasks.c.id)
        if withdrawn is not None:
            query = query.where(schema.tasks.c.withdrawn == withdrawn)
        for name, value in where.items():
            column = schema.tasks.c[name]
            query = query.where(column.in_(value) if isinstance(value, list) else column == value)
        with reading(self.engine) as connection:
            return [_task(row) for row in connection.execute(query)]

    def stamp(self) -> tuple[Any, ...]:
        """Changes whenever anything about the tasks changes; the second number counts those that are done."""
        columns = schema.tasks.c
        # PostgreSQL does not add up truth values.
        numbers = [sa.func.sum(sa.cast(column, sa.Integer)) for column in (columns.done, columns.withdrawn)]
        query = sa.select(
            sa.func.sum(columns.version), *numbers, sa.func.count(), sa.func.max(columns.updated)
        ).select_from(schema.tasks)
        with reading(self.engine) as connection:
            return tuple(connection.execute(query).one())

    def changed(self, tasks: Mapping[str, Task]) -> list[Task]:
        """The tasks that are new or differ from these, which are by id; practice is none of them."""
        columns = schema.tasks.c
        query = sa.select(columns.id, columns.version, columns.person, columns.withdrawn)
        with reading(self.engine) as connection:
            rows = connection.execute(query.where(columns.practice.is_(False))).all()
        ids = set()
        for id, version, person, withdrawn in rows:
            task = tasks.get(id)
            if task is None or (task.version, task.person, task.withdrawn) != (version, person, withdrawn):
                ids.add(id)
        if len(ids) < MANY:
            return self.tasks(id=list(ids))
        return [task for task in self.tasks(practice=False) if task.id in ids]

    def task(self, id: str) -> Task | None:
        """One task."""
        with reading(self.engine) as connection:
            row = connection.execute(_TASK, {"id": id}).one_or_none()
        return None if row is None else _task(row)

    def append(self, task: str, person: str, new: Sequence[Event], check: Check) -> int:
        """Store events in order, all of them or none; those that are already stored are skipped.

        Returns:
            The version of the task after them: what has been acknowledged is on disk.

        Raises:
            StaleError: if an event does not follow the task's version.
        """
        with writing(self.engine) as connection:
            # The row is locked, so that two tabs that send at once are served one after the other.
            query = sa.select(schema.tasks).where(schema.tasks.c.id == task).with_for_update()
            current = _task(connection.execute(query).one())
            # Ids are the browser's: an event that was sent twice is found again whatever its version.
            ids = sa.select(schema.events.c.id).where(schema.events.c.id.in_([event.id for event in new]))
            stored = set(connection.scalars(ids))
            version, state, time, rows = current.version, self._state(connection, current), now(), []
            for event in new:
                # A browser sends again what it got no answer to, though it may have been stored.
                if event.id in stored:
                    continue
                if event.version != version + 1:
                    raise StaleError(current)
                check(current, state, event.changes)
                state = changed(state, event.changes)
                version += 1
                rows.append(_event_row(event, task, person, time))
                stored.add(event.id)
            if rows:
                connection.execute(sa.insert(schema.events), rows)
                values = {"version": version, "done": bool(state.get("done")), "updated": time}
                connection.execute(sa.update(schema.tasks).where(schema.tasks.c.id == task).values(**values))
        # After the transaction: memory never holds what the disk does not.
        self._keep(task, version, state)
        return version

    def state(self, task: Task) -> State:
        """What a task holds now (at the version that `task` has)."""
        kept_state = self._kept(task)
        if kept_state is not None:
            return kept_state
        with reading(self.engine) as connection:
            state = self._state(connection, task)
        self._keep(task.id, task.version, state)
        return state

    def states(self, tasks: Sequence[Task]) -> list[State]:
        """What many tasks hold, with one query for those that are not in memory."""
        states = {task.id: self._kept(task) for task in tasks}
        missing = {task.id: task for task in tasks if states[task.id] is None}
        for id, state in self._fold_events(missing).items():
            self._keep(id, missing[id].version, state)
            states[id] = state
        return [states[task.id] or {} for task in tasks]

    def _fold_events(self, tasks: Mapping[str, Task]) -> dict[str, State]:
        """The states of tasks from their events, with one query."""
        if not tasks:
            return {}
        states: dict[str, State] = {id: {} for id in tasks}
        columns = schema.events.c
        query = sa.select(columns.task, columns.version, columns.changes).order_by(columns.sequence)
        # Databases limit the number of values in a query (SQLite to 32,766, PostgreSQL to 65,535).
        if len(tasks) < MANY:
            query = query.where(columns.task.in_(list(tasks)))
        with reading(self.engine) as connection:
            for id, version, changes in connection.execute(query):
                if id in tasks and version <= tasks[id].version:
                    states[id] = changed(states[id], changes)
        return states

    def state_at(self, task: str, *, version: int | None = None, time: str | None = None) -> State:
        """What a task held at a version or at a moment."""
        state: State = {}
        for event in self.history(task):
            if version is not None and event.version > version:
                break
            if time is not None and event.time > time:
                break
            state = changed(state, event.changes)
        return state

    def history(self, task: str | None = None, *, after: int = 0) -> list[Event]:
        """The events of a task after a version, or all events there are, oldest first."""
        with reading(self.engine) as connection:
            if task is None:
                return [_event(row) for row in connection.execute(_EVENTS)]
            return [_event(row) for row in connection.execute(_HISTORY, {"task": task, "after": after})]

    def histories(self, tasks: Sequence[Task]) -> dict[str, list[Event]]:
        """The events of many tasks, with one query."""
        histories: dict[str, list[Event]] = {task.id: [] for task in tasks}
        if not histories:
            return {}
        query = sa.select(schema.events).order_by(schema.events.c.version)
        if len(histories) < MANY:
            query = query.where(schema.events.c.task.in_(list(histories)))
        with reading(self.engine) as connection:
            for row in connection.execute(query):
                if row.task in histories:
                    histories[row.task].append(_event(row))
        return histories

    def withdraw(self, task: str) -> None:
        """Take a task back: it is no longer shown nor exported; its events stay."""
        self.exchange(withdraw=[task])

    def exchange(
        self,
        *,
        add: Iterable[Task] = (),
        withdraw: Iterable[str] = (),
        restore: Iterable[str] = (),
        histories: Iterable[Event] = (),
        is_continued: bool = False,
    ) -> None:
        """Give out new tasks, take some back and give some again that were taken back: all of it or nothing.

        A task that was taken back is no longer shown nor exported; its events stay.

        Args:
            add: new tasks.
            withdraw: the ids of tasks to take back.
            restore: the ids of tasks to give again.
            histories: events that new tasks begin with, or that are added to tasks; in order.
            is_continued: whether the events are added to tasks, which then get their versions.
        """
        time = now()
        histories = list(histories)
        rows = [{**_row(task), "created": task.created or time, "updated": time} for task in add]
        events = [_event_row(event, event.task, event.person, time) for event in histories]
        with writing(self.engine) as connection:
            if rows:
                connection.execute(sa.insert(schema.tasks), rows)
            if events:
                connection.execute(sa.insert(schema.events), events)
            if is_continued:
                for event in histories:
                    values: dict[str, Any] = {"version": event.version, "updated": time}
                    if "done" in event.changes:
                        values["done"] = bool(event.changes["done"])
                    connection.execute(sa.update(schema.tasks).where(schema.tasks.c.id == event.task).values(**values))
            for ids, is_withdrawn in ((list(withdraw), True), (list(restore), False)):
                for id in ids:
                    change = sa.update(schema.tasks).where(schema.tasks.c.id == id)
                    connection.execute(change.values(withdrawn=is_withdrawn, updated=time))

    def _state(self, connection: Connection, task: Task) -> State:
        """The state at the task's version: from memory if it is there, with the events since."""
        with self._lock:
            version, state = self._states.get(task.id, (0, {}))
        # Memory may be ahead of an older record of the task, which asks for an older state.
        if version > task.version:
            version, state = 0, {}
        columns = schema.events.c
        query = sa.select(columns.changes).order_by(columns.version)
        query = query.where(columns.task == task.id, columns.version > version, columns.version <= task.version)
        if version < task.version:
            for changes in connection.scalars(query):
                state = changed(state, changes)
        return state

    def _kept(self, task: Task) -> State | None:
        with self._lock:
            version, state = self._states.get(task.id, (-1, {}))
            if version >= 0:
                self._states.move_to_end(task.id)
        return state if version == task.version else None

    def _keep(self, task: str, version: int, state: State) -> None:
        with self._lock:
            self._states[task] = (version, state)
            self._states.move_to_end(task)
            while len(self._states) > KEPT_STATES:
                self._states.popitem(last=False)


def number_tasks(tasks: Iterable[Task]) -> list[Task]:
    """The tasks with new ids: those of one batch are in the order in which the work is listed."""
    batch = secrets.token_hex(4)
    return [replace(task, id=f"{batch}-{number:05d}") for number, task in enumerate(tasks, start=1)]


def changed(state: State, changes: Changes) -> State:
    """The state after some changes; the one before stays as it is."""
    merged = {**state, **changes}
    return {key: value for key, value in merged.items() if value is not None}


def _row(task: Task) -> dict[str, Any]:
    return {column.name: getattr(task, column.name) for column in schema.tasks.c}


def _task(row: Any) -> Task:
    return Task(**row._mapping)


def _event_row(event: Event, task: str, person: str, time: str) -> dict[str, Any]:
    fields = {name: getattr(event, name) for name in ("id", "version", "action", "seconds")}
    return {**fields, "changes": dict(event.changes), "task": task, "person": person, "time": event.time or time}


def _event(row: Any) -> Event:
    values = dict(row._mapping)
    del values["sequence"]
    return Event(**values)
