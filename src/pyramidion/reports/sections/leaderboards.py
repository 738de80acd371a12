"""The leaderboards of a report."""

from __future__ import annotations

from pyramidion.present.comparison.sections import leaderboards_section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context


def make(context: Context) -> Section:
    """One part for each measure, below an overview."""
    return leaderboards_section(context.sections)
