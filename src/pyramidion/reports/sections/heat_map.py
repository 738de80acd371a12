"""The heat map of a report."""

from __future__ import annotations

from pyramidion.present.comparison.sections import heat_map_section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context


def make(context: Context) -> Section | None:
    """None if there is a single topic."""
    return heat_map_section(context.sections)
