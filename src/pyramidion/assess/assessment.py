"""The assessment of one campaign: its folder, its database, and the work that joins them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from sqlalchemy.engine import Engine

from pyramidion.assess.campaign_files import CampaignFiles
from pyramidion.assess.campaign_view import IMPORT, CampaignView, initial_states, stage_of
from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.form.passes import locked, pass_of
from pyramidion.assess.kinds.form.task_type import heading
from pyramidion.assess.kinds.registry import KINDS
from pyramidion.assess.store.database import open_database, sqlite_url
from pyramidion.assess.store.people import People
from pyramidion.assess.store.settings import Settings
from pyramidion.assess.store.work import Changes, Event, State, Task, Work
from pyramidion.campaign.campaign import Campaign
from pyramidion.pyramids.suggestions import Idf

DATABASE = "assessment.sqlite"


class Assessment:
    """What all routes share."""

    def __init__(self, folder: Path, *, database: str | None = None) -> None:
        self.folder = folder
        self.files: CampaignFiles = CampaignFiles(folder)
        self.files.read()
        self.engine: Engine = open_database(database or sqlite_url(folder / DATABASE))
        self.people: People = People(self.engine)
        self.work: Work = Work(self.engine)
        self.settings: Settings = Settings(self.engine)
        self.name_of: Callable[[str], str] = cache(self._name_of)
        self.view: CampaignView = CampaignView(self.files, self.work, self.name_of)
        self._progress: dict[str, tuple[int, Campaign, tuple[int, int]]] = {}
        self.on_change: Callable[[], None] = lambda: None
        """Called when work was handed in: the files are to follow at once."""
        self.problem = ""
        """What keeps the server from writing the files, if anything does."""

    @property
    def campaign(self) -> Campaign:
        """The campaign with all work so far. What one task needs is `piece(task).campaign`, which is quicker."""
        return self.view.campaign()

    @property
    def base(self) -> Campaign:
        """The campaign as its files are, without the work that is not written yet: name, questions, texts."""
        return self.files.latest().campaign

    @cached_property
    def idf(self) -> Idf:
        """How rare words are in the campaign, for suggestions; found when the first is asked for."""
        return Idf.of(self.base)

    def context(self, task: Task) -> TaskContext:
        """A task with what it needs: its topic, with the work of earlier stages."""
        return TaskContext(task=task, campaign=self.view.for_task(task), person=self.name_of(task.person))

    def contexts(self, tasks: Iterable[Task]) -> list[TaskContext]:
        """Many tasks with what they need: those of one topic and stage share it, so it is looked up once."""
        campaigns: dict[tuple[str, int], Campaign] = {}
        found = []
        for task in tasks:
            key = (task.topic, stage_of(task))
            if key not in campaigns:
                campaigns[key] = self.view.for_task(task)
            found.append(TaskContext(task=task, campaign=campaigns[key], person=self.name_of(task.person)))
        return found

    def progress(self, context: TaskContext, state: State) -> tuple[int, int]:
        """How many items of a task are finished, of how many; counted again only when something changed."""
        task = context.task
        kept = self._progress.get(task.id)
        if kept is None or kept[0] != task.version or kept[1] is not context.campaign:
            kept = (task.version, context.campaign, self.task_type(task).progress(context, state))
            self._progress[task.id] = kept
        return kept[2]

    def task_type(self, task: Task) -> TaskType[Any]:
        """What kind of work a task is."""
        return KINDS[task.kind]

    def heading(self, task: Task) -> str:
        """What people read above tasks of this sort."""
        return heading(self.base, pass_of(task)) if task.kind == "form" else self.task_type(task).title

    def locked(self, task: Task) -> str:
        """Why a task can't be opened now; empty if it can."""
        return locked(task, self.work.tasks(person=task.person)) if task.kind == "form" else ""

    def check(self, task: Task, state: State, changes: Changes) -> None:
        """Refuse what the kind of work does not admit."""
        self.task_type(task).check(self.context(task), state, changes)

    def give_out(self, tasks: Iterable[Task]) -> None:
        """Give out new work, which goes on from what the campaign already has of it."""
        new = list(tasks)
        self.work.add(new)
        people = {task.id: task.person for task in new}
        for id, state in initial_states(self.contexts(new)).items():
            event = Event(id=str(uuid.uuid4()), version=1, action=IMPORT, changes=state)
            self.work.append(id, people[id], [event], lambda *_: None)

    def append(self, task: Task, person: str, events: Sequence[Event]) -> int:
        """Store events that the kind of work admits; what is handed in goes to the files at once.

        Raises:
            StaleError: if the work went on elsewhere.
            RefusedError: if the kind of work does not admit them, or the task is not open now.
        """
        locked = self.locked(task)
        kind, context = (
            self.task_type(task),
            self.context(task),
        )  # before the transaction: it must not wait for anything

        def check(task: Task, state: State, changes: Changes) -> None:
            if locked:  # events that are stored already are acknowledged before this
                raise RefusedError(locked)
            kind.check(replace(context, task=task), state, changes)

        version = self.work.append(task.id, person, events, check)
        if any("done" in event.changes for event in events):
            self.on_change()
        return version

    def close(self) -> None:
        """Close the database."""
        self.engine.dispose()

    def _name_of(self, person: str) -> str:
        found = self.people.find(id=person)
        assert found is not None  # a foreign key holds it
        return found.name
