"""The sections of a report in the order of the page: each is a function that makes it, or None without its data."""

from __future__ import annotations

from collections.abc import Callable

from pyramidion.options import ReportSection
from pyramidion.reports.context import Context
from pyramidion.reports.section import Section
from pyramidion.reports.sections import (
    agreement,
    assessors,
    correlations,
    data,
    heat_map,
    heterogeneity,
    how_many,
    judgments,
    leaderboards,
    look_inside,
    methods,
    pairs,
    pyramids,
)

Make = Callable[[Context], Section | None]

SECTIONS: dict[ReportSection, Make] = {
    "look-inside": look_inside.make,
    "leaderboards": leaderboards.make,
    "pairs": pairs.make,
    "heat-map": heat_map.make,
    "judgments": judgments.make,
    "correlations": correlations.make,
    "how-many": how_many.make,
    "pyramids": pyramids.make,
    "agreement": agreement.make,
    "assessors": assessors.make,
    "heterogeneity": heterogeneity.make,
    "data": data.make,
    "methods": methods.make,
}
"""Below the answer, which is always there; the last ones are the appendix."""
