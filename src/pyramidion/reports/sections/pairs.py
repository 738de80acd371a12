"""The matrix of pairs of a report."""

from __future__ import annotations

from pyramidion.present.comparison.sections import pairs_section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context


def make(context: Context) -> Section | None:
    """None for a single pair, or if none could be tested."""
    return pairs_section(context.sections)
