"""Summaries side by side in a report."""

from __future__ import annotations

from pyramidion.present.section import Section
from pyramidion.present.side_by_side import side_by_side_section
from pyramidion.reports.context import Context


def make(context: Context) -> Section | None:
    """None without summaries of the summarizers that have scores."""
    return side_by_side_section(context.sections, peers=context.evaluation.choice.peers)
