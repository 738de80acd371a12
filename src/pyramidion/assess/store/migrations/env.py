"""Alembic's entry: runs the migrations on the connection that `pyramidion.assess.store.migrate` holds."""

from __future__ import annotations

from alembic import context

from pyramidion.assess.store.schema import metadata

if hasattr(context, "config"):  # Alembic runs this file; anyone may import it
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    context.run_migrations()
