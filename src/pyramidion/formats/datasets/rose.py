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
    builder = ContentUnits("RoSE")
    for at, row in objects_in(paths, problems):
        number = row.get("count_id")
        attributes = {"count_id": number} if isinstance(number, int) else {}
        added = builder.add_row(at, row, list_in(row, "reference_acus", at), attributes)
        if added is None:
            continue
        topic, systems = added
        for system, annotation in table_in(row, "annotations", at).items():
            if system not in systems:
                at.error(
                    found=f"annotations of {system!r}",
                    expected="a system with an output",
                    remedy="Add its output.",
                )
            elif isinstance(annotation, dict):
                _add(builder, at, topic, system, annotation)
    builder.note_no_row_in(paths, problems, "rows of RoSE")
    return builder.build()


def _add(builder: ContentUnits, at: Place, topic: str, system: str, annotation: dict[str, Any]) -> None:
    """Labels and human scores; several scores of one kind are those of annotators in order."""
    for name, value in annotation.items():
        if name == _LABELS:
            if value is not None:
                builder.add_labels(at, topic, system, list_in(annotation, name, at))
            continue
        several = list(enumerate(value, start=1)) if isinstance(value, list | tuple) else [(0, value)]
        for position, score in several:
            assessor = f"a{position}" if position else ""
            if not builder.add_judgment(topic, system, name, score, assessor) and score is not None:
                at.warning(
                    found=f"{name}: {shorten(score)}",
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
