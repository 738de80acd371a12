"""People, their sessions and invitations, and the audit of what organisers want to look up later.

Only hashes of tokens and passwords are stored: who reads the database can't sign in with what it holds.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

import sqlalchemy as sa
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from sqlalchemy.engine import Connection, Engine

from pyramidion.assess.store import schema
from pyramidion.assess.store.database import now, reading, writing

Role: TypeAlias = Literal["organiser", "assessor", "guest"]

INVITATION_DAYS = 14
SESSION_DAYS = 30
_SESSION = (
    sa.select(schema.sessions.c.csrf, schema.people)
    .join(schema.people, schema.sessions.c.person == schema.people.c.id)
    .where(
        schema.sessions.c.token == sa.bindparam("token"),
        schema.sessions.c.revoked.is_(None),
        schema.sessions.c.created > sa.bindparam("since"),
    )
)
"""Asked with every request, so it is put together once."""

_hasher = PasswordHasher()


@dataclass(frozen=True, kw_only=True)
class Person:
    """Someone who works on the campaign; `name` is what files hold as assessor, annotator or writer."""

    id: str
    name: str
    role: Role
    active: bool = True
    password: str | None = None
    created: str = ""


@dataclass(frozen=True, kw_only=True)
class Session:
    """Someone who is signed in, and the token that their forms must carry."""

    person: Person
    csrf: str
    token: str


class PersonValues(TypedDict, total=False):
    """Columns of a person, to choose people by or to change."""

    id: str
    name: str
    role: Role
    active: bool
    password: str


class People:
    """The people of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def add(self, name: str, role: Role) -> Person:
        """A new person; the name must be new."""
        person = Person(id=secrets.token_hex(6), name=name, role=role, created=now())
        with writing(self.engine) as connection:
            row = {column.name: getattr(person, column.name) for column in schema.people.c}
            connection.execute(sa.insert(schema.people), row)
        return person

    def all(self, **where: Unpack[PersonValues]) -> list[Person]:
        """All people, or those with these values, by name."""
        query = sa.select(schema.people).order_by(schema.people.c.name)
        for column, value in where.items():
            query = query.where(schema.people.c[column] == value)
        with reading(self.engine) as connection:
            return [Person(**row._mapping) for row in connection.execute(query)]

    def find(self, **where: Unpack[PersonValues]) -> Person | None:
        """The one with these values."""
        return next(iter(self.all(**where)), None)

    def change(self, person: str, **values: Unpack[PersonValues]) -> None:
        """Change role, activity or password; links that were sent before end when someone is shut out."""
        with writing(self.engine) as connection:
            connection.execute(sa.update(schema.people).where(schema.people.c.id == person).values(**values))
            if values.get("active") is False or "password" in values:
                _end_invitations(connection, person)

    def replace(self, person: Person, name: str) -> Person:
        """Someone under a new name, who has the role, the password and the work of the old one, who is shut out."""
        successor = replace(person, id=secrets.token_hex(6), name=name, created=now())
        with writing(self.engine) as connection:
            row = {column.name: getattr(successor, column.name) for column in schema.people.c}
            connection.execute(sa.insert(schema.people), row)
            tasks = schema.tasks
            connection.execute(sa.update(tasks).where(tasks.c.person == person.id).values(person=successor.id))
        self.change(person.id, active=False)
        self.sign_out(person=person.id)
        return successor

    def set_password(self, person: str, password: str) -> None:
        """Set a password and end all sessions and invitations that there are."""
        # Whoever had the old password or a link is out: this is how a stolen one is made useless.
        self.change(person, password=_hasher.hash(password))
        self.sign_out(person=person)

    def forget_password(self, person: str) -> None:
        """Let nobody sign in with the password that someone had, and end all sessions and invitations."""
        with writing(self.engine) as connection:
            connection.execute(sa.update(schema.people).where(schema.people.c.id == person).values(password=None))
            _end_invitations(connection, person)
        self.sign_out(person=person)

    def check_password(self, name: str, password: str) -> Person | None:
        """Who signs in with this name and password; takes as long for a name that is unknown."""
        person = self.find(name=name)
        if person is None or not person.password:
            _hasher.hash(password)  # as much work as to verify one
            return None
        try:
            _hasher.verify(person.password, password)
        except VerificationError:
            return None
        return person if person.active else None

    def invite(self, person: str) -> str:
        """A token that lets a person in once, to set a password; it supersedes those that were not used."""
        token = secrets.token_urlsafe(24)
        expires = _in_days(INVITATION_DAYS)
        with writing(self.engine) as connection:
            _end_invitations(connection, person)
            row = {"token": _hash(token), "person": person, "expires": expires, "used": None}
            connection.execute(sa.insert(schema.invitations), row)
        return token

    def invited(self, token: str) -> Person | None:
        """Whom an invitation that can still be used is for."""
        table = schema.invitations.c
        query = sa.select(table.person).where(table.token == _hash(token), table.used.is_(None), table.expires > now())
        with reading(self.engine) as connection:
            person = connection.scalar(query)
        if person is None:
            return None
        return self.find(id=person, active=True)

    def accept(self, token: str) -> Person | None:
        """Use an invitation up; None if it was used already or has expired."""
        table = schema.invitations.c
        use = sa.update(schema.invitations).values(used=now())
        # One statement uses the link up: of two that come at once, one finds it used.
        use = use.where(table.token == _hash(token), table.used.is_(None), table.expires > now())
        person = self.invited(token)
        with writing(self.engine) as connection:
            used = connection.execute(use).rowcount
        return person if used else None

    def sign_in(self, person: Person) -> Session:
        """A new session."""
        session = Session(person=person, csrf=secrets.token_urlsafe(16), token=secrets.token_urlsafe(24))
        time = now()
        row = {"token": _hash(session.token), "person": person.id, "csrf": session.csrf, "created": time, "seen": time}
        with writing(self.engine) as connection:
            connection.execute(sa.insert(schema.sessions), row)
        return session

    def session(self, token: str) -> Session | None:
        """Who holds this cookie, unless it was revoked or is too old."""
        # Sessions end by their age, not by being idle: an assessor may pause for days.
        asked = {"token": _hash(token), "since": _in_days(-SESSION_DAYS)}
        with reading(self.engine) as connection:
            row = connection.execute(_SESSION, asked).one_or_none()
        if row is None:
            return None
        values = dict(row._mapping)
        csrf = values.pop("csrf")
        person = Person(**values)
        if not person.active:
            return None
        return Session(person=person, csrf=csrf, token=token)

    def sign_out(self, *, token: str | None = None, person: str | None = None) -> None:
        """End one session, or all of a person."""
        table = schema.sessions.c
        which = table.token == _hash(token) if token is not None else table.person == person
        with writing(self.engine) as connection:
            connection.execute(sa.update(schema.sessions).where(which, table.revoked.is_(None)).values(revoked=now()))

    def record(self, action: str, detail: str = "", *, person: str | None = None) -> None:
        """Note in the audit."""
        with writing(self.engine) as connection:
            row = {"time": now(), "person": person, "action": action, "detail": detail}
            connection.execute(sa.insert(schema.audit), row)

    def audit(self, limit: int = 1000) -> list[dict[str, Any]]:
        """The latest notes of the audit, newest first."""
        query = sa.select(schema.audit).order_by(schema.audit.c.sequence.desc()).limit(limit)
        with reading(self.engine) as connection:
            return [dict(row._mapping) for row in connection.execute(query)]


def _end_invitations(connection: Connection, person: str) -> None:
    """Let the links of a person that were not used yet open nothing any more."""
    table = schema.invitations.c
    unused = sa.update(schema.invitations).where(table.person == person, table.used.is_(None))
    connection.execute(unused.values(used=now()))


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _in_days(days: float) -> str:
    moment = datetime.now(UTC) + timedelta(days=days)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
