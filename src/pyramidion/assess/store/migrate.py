"""Bringing a database up to date, whichever version made it."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection, Engine

from pyramidion.errors import InputError

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK_NUMBER = 0x70797262
"""PostgreSQL's advisory lock of a server that migrates: of several that start together, one does it."""


def migrate(engine: Engine) -> None:
    """Run the migrations that the database lacks, all of them or none.

    Raises:
        InputError: if a later version of pyramidion made the database.
    """
    config = Config()
    # Alembic reads % as the beginning of a variable.
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    scripts = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK_NUMBER})
        current = version_of(connection)
        if current == scripts.get_current_head():
            return
        if current is not None and current not in {script.revision for script in scripts.walk_revisions()}:
            raise InputError(f"the database has version {current}, made by a later pyramidion: update pyramidion")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def version_of(connection: Connection) -> str | None:
    """The last migration that the database had."""
    return MigrationContext.configure(connection).get_current_revision()
