"""Tokens with which programs use the HTTP API, and people who come from crowd platforms."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their tables."""
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("token", sa.String, nullable=False, unique=True),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("purpose", sa.String, nullable=False),
        sa.Column("created", sa.String, nullable=False),
        sa.Column("used", sa.String),
        sa.Column("withdrawn", sa.String),
    )
    op.create_table(
        "crowd_workers",
        sa.Column("worker", sa.String, primary_key=True),
        sa.Column("visit", sa.String, nullable=False),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), unique=True),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("consented", sa.String, nullable=False),
        sa.Column("refused", sa.String),
    )
