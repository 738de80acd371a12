"""What a campaign holds, for people."""

from __future__ import annotations

from pyramidion.present.presenter import Presenter
from pyramidion.show.tables import Table, table_of
from pyramidion.studies.description import Description


def tables(description: Description) -> list[Table]:
    """One table: what there is, and how many of it."""
    return [table_of(description.facts, ("what", "value"), title=description.name)]


DESCRIPTION = Presenter(tables=tables)
