"""The assessment of one campaign: its folder, its database, and the work that joins them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from sqlalchemy.engine import Engine

from pyramidion.assess.kinds.base import Kind, Piece
from pyramidion.assess.kinds.forms import heading
from pyramidion.assess.kinds.registry import KINDS
from pyramidion.assess.passes import locked, pass_of
from pyramidion.assess.store.database import open_database, sqlite_url
from pyramidion.assess.store.people import People
from pyramidion.assess.store.settings import Settings
from pyramidion.assess.store.work import Changes, State, Task, Work
from pyramidion.campaign.campaign import Campaign
from pyramidion.reading import Reading

DATABASE = "assessment.sqlite"


class Assessment:
    """What all routes share."""

    def __init__(self, folder: Path, *, database: str | None = None) -> None:
        self.folder = folder
        self.engine: Engine = open_database(database or sqlite_url(folder / DATABASE))
        self.people = People(self.engine)
        self.work = Work(self.engine)
        self.settings = Settings(self.engine)

    @cached_property
    def campaign(self) -> Campaign:
        """The campaign as its files are."""
        return Reading(self.folder).campaign

    def piece(self, task: Task) -> Piece:
        """A task with what it needs."""
        person = self.people.find(id=task.person)
        assert person is not None  # a foreign key holds it
        return Piece(task=task, campaign=self.campaign, person=person.name)

    def kind(self, task: Task) -> Kind:
        """What kind of work a task is."""
        return KINDS[task.kind]

    def heading(self, task: Task) -> str:
        """What people read above tasks of this sort."""
        return heading(self.campaign, pass_of(task)) if task.kind == "form" else self.kind(task).title

    def locked(self, task: Task) -> str:
        """Why a task can't be opened now; empty if it can."""
        return locked(task, self.work.tasks(person=task.person)) if task.kind == "form" else ""

    def check(self, task: Task, state: State, changes: Changes) -> None:
        """Refuse what the kind of work does not admit."""
        self.kind(task).check(self.piece(task), state, changes)

    def close(self) -> None:
        """Close the database."""
        self.engine.dispose()
