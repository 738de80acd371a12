"""Tokens with which programs use the HTTP API on behalf of a person. Only their hashes are stored."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from pyramidion.assess.store import schema
from pyramidion.assess.store.database import now, reading, writing
from pyramidion.assess.store.people import Person

PREFIX = "pyramidion_"
"""With which every token begins, so that it is recognised where it should not be, in a log or a repository."""
_DAY_LENGTH = len("2026-01-31")


@dataclass(frozen=True, kw_only=True)
class ApiToken:
    """What is known of a token: whose it is, what for, and the day on which it was last used."""

    id: str
    person: str
    purpose: str
    created: str
    used: str | None = None
    withdrawn: str | None = None


class ApiTokens:
    """The tokens of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def create(self, person: str, purpose: str) -> str:
        """A new token of a person; it is told once, here."""
        token = PREFIX + secrets.token_urlsafe(32)
        row = {"id": secrets.token_hex(6), "token": _hash(token), "person": person, "purpose": purpose}
        with writing(self.engine) as connection:
            connection.execute(sa.insert(schema.api_tokens), row | {"created": now()})
        return token

    def holder(self, token: str) -> Person | None:
        """Whose token it is; None if it is unknown or was withdrawn, or if the person was shut out."""
        columns = schema.api_tokens.c
        query = (
            sa.select(schema.people, columns.id.label("token_id"), columns.used)
            .join(schema.people, columns.person == schema.people.c.id)
            .where(columns.token == _hash(token), columns.withdrawn.is_(None), schema.people.c.active)
        )
        with reading(self.engine) as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        values = dict(row._mapping)
        token_id, last_day = values.pop("token_id"), values.pop("used")
        today = now()[:_DAY_LENGTH]
        if last_day != today:  # once a day: a note with every request would cost as much as the request
            with writing(self.engine) as connection:
                note = sa.update(schema.api_tokens).where(columns.id == token_id).values(used=today)
                connection.execute(note)
        return Person(**values)

    def all(self) -> list[ApiToken]:
        """All tokens that there ever were, the newest first."""
        columns = [column for column in schema.api_tokens.c if column.name != "token"]
        query = sa.select(*columns).order_by(schema.api_tokens.c.created.desc(), schema.api_tokens.c.id)
        with reading(self.engine) as connection:
            return [ApiToken(**row._mapping) for row in connection.execute(query)]

    def withdraw(self, id: str) -> ApiToken | None:
        """Let a token open nothing any more; None if there is no such token."""
        columns = schema.api_tokens.c
        with writing(self.engine) as connection:
            end = sa.update(schema.api_tokens).where(columns.id == id, columns.withdrawn.is_(None))
            connection.execute(end.values(withdrawn=now()))
        return next((token for token in self.all() if token.id == id), None)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
