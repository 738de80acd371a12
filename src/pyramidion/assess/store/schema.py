"""The tables. Alembic's migrations (migrations/) lead to exactly these; a test compares them."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

metadata: MetaData = MetaData()

Sequence: BigInteger = BigInteger().with_variant(Integer, "sqlite")
"""A number that the database counts up."""

people: Table = Table(
    "people",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("role", String, nullable=False),
    Column("password", String),
    Column("active", Boolean, nullable=False),
    Column("created", String, nullable=False),
)

invitations: Table = Table(
    "invitations",
    metadata,
    Column("token", String, primary_key=True),
    Column("person", String, ForeignKey("people.id"), nullable=False),
    Column("expires", String, nullable=False),
    Column("used", String),
)

sessions: Table = Table(
    "sessions",
    metadata,
    Column("token", String, primary_key=True),
    Column("person", String, ForeignKey("people.id"), nullable=False, index=True),
    Column("csrf", String, nullable=False),
    Column("created", String, nullable=False),
    Column("seen", String, nullable=False),
    Column("revoked", String),
)

api_tokens: Table = Table(
    "api_tokens",
    metadata,
    Column("id", String, primary_key=True),
    Column("token", String, nullable=False, unique=True),
    Column("person", String, ForeignKey("people.id"), nullable=False),
    Column("purpose", String, nullable=False),
    Column("created", String, nullable=False),
    Column("used", String),
    Column("withdrawn", String),
)

crowd_workers: Table = Table(
    "crowd_workers",
    metadata,
    Column("worker", String, primary_key=True),
    Column("visit", String, nullable=False),
    Column("person", String, ForeignKey("people.id"), unique=True),
    Column("attempts", Integer, nullable=False),
    Column("consented", String, nullable=False),
    Column("refused", String),
)

tasks: Table = Table(
    "tasks",
    metadata,
    Column("id", String, primary_key=True),
    Column("kind", String, nullable=False),
    Column("topic", String, nullable=False, index=True),
    Column("person", String, ForeignKey("people.id"), nullable=False, index=True),
    Column("spec", JSON, nullable=False),
    Column("practice", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("done", Boolean, nullable=False),
    Column("withdrawn", Boolean, nullable=False),
    Column("created", String, nullable=False),
    Column("updated", String, nullable=False),
)

events: Table = Table(
    "events",
    metadata,
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("id", String, nullable=False, unique=True),
    Column("task", String, ForeignKey("tasks.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("person", String, ForeignKey("people.id"), nullable=False),
    Column("time", String, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("action", String, nullable=False),
    Column("changes", JSON, nullable=False),
    UniqueConstraint("task", "version"),
)

audit: Table = Table(
    "audit",
    metadata,
    Column("sequence", Sequence, primary_key=True, autoincrement=True),
    Column("time", String, nullable=False),
    Column("person", String),
    Column("action", String, nullable=False),
    Column("detail", String, nullable=False),
)

settings: Table = Table(
    "settings",
    metadata,
    Column("key", String, primary_key=True),
    Column("value", JSON, nullable=False),
)
