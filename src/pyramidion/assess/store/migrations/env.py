"""Alembic's entry: runs the migrations on the connection that `pyramidion.assess.store.database` holds."""

from __future__ import annotations

from alembic import context

from pyramidion.assess.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
context.run_migrations()
