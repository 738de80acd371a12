"""What the organiser chose, by name, as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from pyramidion.assess.store import schema
from pyramidion.assess.store.database import reading, writing

_SEVERAL = sa.select(schema.settings.c.key, schema.settings.c.value).where(
    schema.settings.c.key.in_(sa.bindparam("keys", expanding=True))
)


class SettingsStore:
    """The settings of one database: the last value counts; the audit tells who changed them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def get(self, key: str, default: Any = None) -> Any:
        """A setting, or its default."""
        return self.several({key: default})[key]

    def several(self, defaults: Mapping[str, Any]) -> dict[str, Any]:
        """Some settings, or their defaults."""
        with reading(self.engine) as connection:
            rows = connection.execute(_SEVERAL, {"keys": list(defaults)}).all()
        return {**defaults, **{row.key: row.value for row in rows}}

    def set(self, key: str, value: Any) -> None:
        """Change a setting."""
        with writing(self.engine) as connection:
            connection.execute(sa.delete(schema.settings).where(schema.settings.c.key == key))
            connection.execute(sa.insert(schema.settings), {"key": key, "value": value})
