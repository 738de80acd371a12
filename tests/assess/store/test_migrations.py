"""Migrations lead to the tables that the program uses, on both databases."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from pyramidion.assess.store.database import open_database
from pyramidion.assess.store.migrate import version_of
from pyramidion.assess.store.schema import metadata
from pyramidion.errors import InputError


@pytest.mark.slow
def test_migrations_lead_to_the_tables_of_the_schema(database: str) -> None:
    engine = open_database(database)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        assert version_of(connection) is not None
        tables = set(sa.inspect(connection).get_table_names())
        assert tables == {*metadata.tables, "alembic_version"}
    engine.dispose()
    open_database(database).dispose()  # once more: nothing to do


@pytest.mark.slow
def test_a_database_of_a_later_version_is_refused(database: str) -> None:
    engine = open_database(database)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '999'"))
    engine.dispose()
    with pytest.raises(InputError, match="later pyramidion"):
        open_database(database)
