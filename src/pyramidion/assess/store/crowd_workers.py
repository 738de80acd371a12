"""People who come from a crowd platform: the platform's id of each, how far they got, and whose place they took."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from pyramidion.assess.store import schema
from pyramidion.assess.store.database import now, reading, writing


@dataclass(frozen=True, kw_only=True)
class CrowdWorker:
    """Someone from a crowd platform: `worker` and `visit` are the platform's ids, `person` is whose place they took."""

    worker: str
    visit: str
    person: str | None = None
    attempts: int = 0
    consented: str = ""
    refused: str | None = None


class CrowdWorkers:
    """The crowd of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def all(self) -> list[CrowdWorker]:
        """Everybody who consented, in this order."""
        query = sa.select(schema.crowd_workers).order_by(schema.crowd_workers.c.consented)
        with reading(self.engine) as connection:
            return [CrowdWorker(**row._mapping) for row in connection.execute(query)]

    def find(self, worker: str) -> CrowdWorker | None:
        """Whom the platform calls so; None if they have not consented yet."""
        query = sa.select(schema.crowd_workers).where(schema.crowd_workers.c.worker == worker)
        with reading(self.engine) as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else CrowdWorker(**row._mapping)

    def consent(self, worker: str, visit: str) -> CrowdWorker:
        """Note that someone agreed to take part; who did so before stays as they are."""
        row = {"worker": worker, "visit": visit, "attempts": 0, "consented": now()}
        with contextlib.suppress(IntegrityError), writing(self.engine) as connection:  # a form that was sent twice
            connection.execute(sa.insert(schema.crowd_workers), row)
        stored = self.find(worker)
        assert stored is not None
        return stored

    def count_attempt(self, worker: str, most: int) -> bool:
        """Count an attempt at the comprehension check; False if there were as many as there may be."""
        columns = schema.crowd_workers.c
        # One statement: of two forms that come at once, each is counted.
        count = sa.update(schema.crowd_workers).where(
            columns.worker == worker, columns.attempts < most, columns.refused.is_(None)
        )
        with writing(self.engine) as connection:
            return bool(connection.execute(count.values(attempts=columns.attempts + 1)).rowcount)

    def refuse(self, worker: str) -> None:
        """Note that someone may not take part."""
        with writing(self.engine) as connection:
            end = sa.update(schema.crowd_workers).where(schema.crowd_workers.c.worker == worker)
            connection.execute(end.values(refused=now()))

    def take_place(self, worker: str, places: Sequence[str]) -> str | None:
        """The first place that is free, now of this worker; None if all are taken."""
        columns = schema.crowd_workers.c
        take = sa.update(schema.crowd_workers).where(columns.worker == worker, columns.person.is_(None))
        taken = {other.person for other in self.all()}
        for place in places:
            if place in taken:
                continue
            try:
                with writing(self.engine) as connection:
                    connection.execute(take.values(person=place))
            except IntegrityError:  # somebody else was quicker
                continue
            stored = self.find(worker)
            return None if stored is None else stored.person
        return None
