"""The first tables: people, invitations, sessions, tasks, events, audit, settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None

Sequence: sa.BigInteger = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "people",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False, unique=True),
        sa.Column("role", sa.String, nullable=False),
        sa.Column("password", sa.String),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("created", sa.String, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("token", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("expires", sa.String, nullable=False),
        sa.Column("used", sa.String),
    )
    op.create_table(
        "sessions",
        sa.Column("token", sa.String, primary_key=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("csrf", sa.String, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("seen", sa.String, nullable=False),
        sa.Column("revoked", sa.String),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("topic", sa.String, nullable=False, index=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False, index=True),
        sa.Column("spec", sa.JSON, nullable=False),
        sa.Column("practice", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.Column("withdrawn", sa.Boolean, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("updated", sa.String, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("sequence", Sequence, primary_key=True, autoincrement=True),
        sa.Column("id", sa.String, nullable=False, unique=True),
        sa.Column("task", sa.String, sa.ForeignKey("tasks.id"), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("time", sa.String, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("changes", sa.JSON, nullable=False),
        sa.UniqueConstraint("task", "version"),
    )
    op.create_table(
        "audit",
        sa.Column("sequence", Sequence, primary_key=True, autoincrement=True),
        sa.Column("time", sa.String, nullable=False),
        sa.Column("person", sa.String),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("detail", sa.String, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
