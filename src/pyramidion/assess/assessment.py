"""The assessment of one campaign: its folder, its database, and the work that joins them."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Unpack

from sqlalchemy.engine import Engine

from pyramidion.assess.campaign_files import CampaignFiles
from pyramidion.assess.campaign_view import IMPORT, CampaignView, initial_states, stage_of
from pyramidion.assess.kinds.base import RefusedError, TaskContext, TaskType
from pyramidion.assess.kinds.registry import TASK_TYPES, WITH_PAGES
from pyramidion.assess.store.api_tokens import ApiTokens
from pyramidion.assess.store.database import open_database, sqlite_url
from pyramidion.assess.store.people import People, Person
from pyramidion.assess.store.settings_store import SettingsStore
from pyramidion.assess.store.work import Changes, Event, State, Task, TaskValues, Work
from pyramidion.campaign.campaign import Campaign
from pyramidion.pyramids.suggestions import Idf

DATABASE = "assessment.sqlite"
JUDGING_ORGANISERS = "judging-organisers"
"""The setting that holds the ids of organisers to whom plans give work."""


class Assessment:
    """What all routes share."""

    def __init__(self, folder: Path, *, database: str | None = None) -> None:
        self.folder = folder
        self.files: CampaignFiles = CampaignFiles(folder)
        self.files.read()
        self.engine: Engine = open_database(database or sqlite_url(folder / DATABASE))
        self.people: People = People(self.engine)
        self.api_tokens: ApiTokens = ApiTokens(self.engine)
        self.work: Work = Work(self.engine)
        self.settings: SettingsStore = SettingsStore(self.engine)
        self.giving: threading.Lock = threading.Lock()
        """Held from the look at what people have until new work is stored: a button that is pressed twice gives nothing
        twice."""
        self.name_of: Callable[[str], str] = cache(self._name_of)
        self.view: CampaignView = CampaignView(self.files, self.work, self.name_of)
        self._progress: dict[str, tuple[int, Campaign, tuple[int, int]]] = {}
        """By task, with the version of the task and the campaign that it was counted for."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when work was handed in: the files are to follow at once."""
        self.problem = ""
        """What keeps the server from writing the files, if anything does."""

    @property
    def campaign(self) -> Campaign:
        """The campaign with all work so far. What one task needs is `context(task).campaign`, which is quicker."""
        return self.view.campaign()

    @property
    def base(self) -> Campaign:
        """The campaign as its files are, without the work that is not written yet: name, questions, texts."""
        return self.files.latest().campaign

    @cached_property
    def idf(self) -> Idf:
        """How rare words are in the campaign, for suggestions; computed when the first is asked for."""
        return Idf.of(self.base)

    def assessors(self) -> list[Person]:
        """Those who can be given work: assessors, and organisers who judge, too."""
        judging = set(self.settings.get(JUDGING_ORGANISERS, []))
        people = self.people.all(active=True)
        return [person for person in people if person.role == "assessor" or self._judges(person, judging)]

    def is_assessor_too(self, organiser: Person) -> bool:
        """Whether plans give work to an organiser."""
        return self._judges(organiser, set(self.settings.get(JUDGING_ORGANISERS, [])))

    def let_judge(self, organiser: Person, judges: bool) -> None:
        """Let plans give work to an organiser, or no longer; work that was given out stays."""
        ids = [id for id in self.settings.get(JUDGING_ORGANISERS, []) if id != organiser.id]
        self.settings.set(JUDGING_ORGANISERS, [*ids, organiser.id] if judges else ids)

    @staticmethod
    def _judges(person: Person, judging: Collection[str]) -> bool:
        return person.role == "organiser" and person.id in judging

    def given_out(self, **where: Unpack[TaskValues]) -> list[Task]:
        """The work that people have: without what was taken back, and without topics to be described."""
        return [task for task in self.work.tasks(withdrawn=False, **where) if task.kind in WITH_PAGES]

    def context(self, task: Task) -> TaskContext:
        """A task with what it needs: its topic, with the work of earlier stages."""
        return TaskContext(task=task, campaign=self.view.for_task(task), person=self.name_of(task.person))

    def contexts(self, tasks: Iterable[Task]) -> list[TaskContext]:
        """Many tasks with what they need: those of one topic and stage share it, so it is looked up once."""
        campaigns: dict[tuple[str, int], Campaign] = {}
        contexts = []
        for task in tasks:
            key = (task.topic, stage_of(task))
            if key not in campaigns:
                campaigns[key] = self.view.for_task(task)
            contexts.append(TaskContext(task=task, campaign=campaigns[key], person=self.name_of(task.person)))
        return contexts

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
        return TASK_TYPES[task.kind]

    def heading(self, task: Task) -> str:
        """What people read above tasks of this sort."""
        return self.task_type(task).heading(self.base, task)

    def lock_reason(self, task: Task) -> str:
        """Why a task can't be opened now; empty if it can."""
        task_type = self.task_type(task)
        if not task_type.can_be_locked:
            return ""
        return task_type.lock_reason(task, self.work.tasks(person=task.person))

    def check(self, task: Task, state: State, changes: Changes) -> None:
        """Refuse what the kind of work does not admit."""
        self.task_type(task).check(self.context(task), state, changes)

    def give_out(self, tasks: Iterable[Task], *, instead_of: Iterable[str] = ()) -> None:
        """Give out new work, which goes on from what the campaign already has of it.

        Args:
            tasks: the new work.
            instead_of: the ids of tasks whose place it takes: they are taken back in the same moment.
        """
        tasks = list(tasks)
        self.work.exchange(add=tasks, withdraw=instead_of)
        people = {task.id: task.person for task in tasks}
        for id, state in initial_states(self.contexts(tasks)).items():
            event = Event(id=str(uuid.uuid4()), version=1, action=IMPORT, changes=state)
            self.work.append(id, people[id], [event], lambda *_: None)

    def append(self, task: Task, person: str, events: Sequence[Event], *, is_locked_ignored: bool = False) -> int:
        """Store events that the kind of work admits; what is handed in goes to the files at once.

        Args:
            task: what they change.
            person: who made them.
            events: in order.
            is_locked_ignored: whether they are taken although the task would open later.

        Raises:
            StaleError: if the work went on elsewhere.
            RefusedError: if the kind of work does not admit them, or the task is not open now.
        """
        # All this before the transaction, which must not wait for anything.
        lock_reason = "" if is_locked_ignored else self.lock_reason(task)
        task_type = self.task_type(task)
        context = self.context(task)

        def check(task: Task, state: State, changes: Changes) -> None:
            if lock_reason:  # events that are stored already are acknowledged before this
                raise RefusedError(lock_reason)
            task_type.check(replace(context, task=task), state, changes)

        version = self.work.append(task.id, person, events, check)
        if any("done" in event.changes for event in events):
            self.on_change()
        return version

    def close(self) -> None:
        """Close the database."""
        self.engine.dispose()

    def _name_of(self, person: str) -> str:
        record = self.people.find(id=person)
        assert record is not None  # a foreign key holds it
        return record.name
