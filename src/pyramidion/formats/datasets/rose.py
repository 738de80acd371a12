"""rose: RoSE's atomic content units (ACUs) of one reference, and which of them each system expresses; import only.

`gold` is a system like the others. Human scores are read as they are, never computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.campaign import Campaign, Problems
from pyramidion.files.problems import Place, shorten
from pyramidion.formats.base import Format
from pyramidion.formats.datasets.content_units import ContentUnits
from pyramidion.formats.glimpse import has_columns
from pyramidion.formats.json_values import list_in, objects_in, table_in

_LABELS = "acu_labels"


def read(paths: Sequence[Path], problems: Problems) -> Campaign:
    """The campaign in the files (JSON lines, JSON or Parquet)."""
    found = ContentUnits("RoSE")
    for at, row in objects_in(paths, problems):
        number = row.get("count_id")
        attributes = {"count_id": number} if isinstance(number, int) else {}
        added = found.add_row(at, row, list_in(row, "reference_acus", at), **attributes)
        if added is None:
            continue
        topic, systems = added
        for system, given in table_in(row, "annotations", at).items():
            if system not in systems:
                at.error(
                    found=f"annotations of {system!r}",
                    expected="a system with an output",
                    remedy="Add its output.",
                )
            elif isinstance(given, dict):
                _add(found, at, topic, system, given)
    found.note_no_row(problems.at(paths[0] if paths else ""), "rows of RoSE")
    return found.build()


def _add(found: ContentUnits, at: Place, topic: str, system: str, given: dict[str, Any]) -> None:
    """Labels and human scores; several scores of one kind are those of annotators in order."""
    for name, value in given.items():
        if name == _LABELS:
            if value is not None:
                found.add_labels(at, topic, system, list_in(given, name, at))
            continue
        several = list(enumerate(value, start=1)) if isinstance(value, list | tuple) else [(0, value)]
        for position, one in several:
            assessor = f"a{position}" if position else ""
            if not found.add_judgment(topic, system, name, one, assessor) and one is not None:
                at.warning(
                    found=f"{name}: {shorten(one)}",
                    expected="a number",
                    remedy="The value was left out.",
                )


FORMAT = Format(
    name="rose",
    description="RoSE: content units (ACUs), labels and human scores (JSON lines, JSON or Parquet)",
    detector=has_columns("reference_acus", "system_outputs"),
    several=True,
    reader=read,
)
