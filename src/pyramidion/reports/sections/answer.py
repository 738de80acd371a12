"""The first screen of a report."""

from __future__ import annotations

from pyramidion.present.comparison.sections import answer_section
from pyramidion.present.section import Section
from pyramidion.reports.context import Context


def make(context: Context) -> Section:
    """Who is best by the measure that decides."""
    return answer_section(context.sections, context.preference_options)
