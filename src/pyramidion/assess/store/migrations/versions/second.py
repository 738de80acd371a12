"""Tokens with which programs use the HTTP API."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make their table."""
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
