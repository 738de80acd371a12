"""What a report is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyramidion.options.base import Options, confidence_level, draws, option
from pyramidion.options.comparison import Assessors, IntervalMethod

ReportSection = Literal[
    "look-inside",
    "leaderboards",
    "pairs",
    "heat-map",
    "judgments",
    "correlations",
    "how-many",
    "pyramids",
    "agreement",
    "assessors",
    "heterogeneity",
    "data",
    "methods",
]
"""The sections of a report, in its order."""


class ReportOptions(Options):
    """What a report is about, and how its numbers are computed."""

    title: str | None = option(None, "Title of the page. Default: the campaign's name.")
    date: str | None = option(None, "Date to print on the page, in any form. Default: today.")
    pair: Sequence[tuple[str, str]] = option(
        (), "Lead with the comparison of these two systems; repeatable.", metavar="A B"
    )
    sections: Sequence[ReportSection] = option((), "Only these sections below the answer; repeatable. Default: all.")
    interval: IntervalMethod | None = option(
        None,
        "Method for intervals. simultaneous: for pairs, consistent with the adjusted p values; t: variance pooled over "
        "all systems; own: t with each system's own variance; percentile, studentized: bootstrap. Default: "
        "simultaneous for pairs, t for means.",
        also="--intervals",
    )
    assessors: Assessors | None = option(
        None,
        "Treat the assessors as fixed (results hold for these people) or as a random sample (results hold for other "
        "assessors, too). Default: random if a question has at least 3 assessors and the design allows it.",
    )
    confidence: float = confidence_level()
    resamples: int = draws()
