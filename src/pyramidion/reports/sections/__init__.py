"""The sections of a report in the order of the page: each is a function that makes it, or None without its data."""

from __future__ import annotations

from collections.abc import Callable

from pyramidion.reports.context import Context
from pyramidion.reports.section import Section
from pyramidion.reports.sections import (
    agreement,
    answer,
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

SECTIONS: tuple[Make, ...] = (
    answer.make,
    leaderboards.make,
    heat_map.make,
    pairs.make,
    judgments.make,
    correlations.make,
    how_many.make,
    heterogeneity.make,
    pyramids.make,
    agreement.make,
    assessors.make,
    look_inside.make,
    data.make,
    methods.make,
)
