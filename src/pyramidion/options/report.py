"""What a report is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pyramidion.options.base import Options, confidence_level, draws, option
from pyramidion.options.comparison import (
    Assessors,
    MeanInterval,
    cluster_field,
    interval_method,
    largest_loss,
    sampled_assessors,
)

ReportSection = Literal[
    "look-inside",
    "leaderboards",
    "pairs",
    "heat-map",
    "judgments",
    "preferences",
    "correlations",
    "how-many",
    "pyramids",
    "estimates",
    "agreement",
    "assessors",
    "judges",
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
    decide: str | None = option(
        None,
        "The measure that the answer goes by, such as question.coherence, or `preferences`. Default: by kind: human "
        "scores (overall quality first), preferences, pyramids, a judge, automatic measures.",
        metavar="MEASURE",
    )
    margin: Sequence[str | float] = largest_loss()
    sections: Sequence[ReportSection] = option((), "Only these sections below the answer; repeatable. Default: all.")
    interval: MeanInterval | None = interval_method()
    assessors: Assessors | None = sampled_assessors()
    cluster: str | None = cluster_field("whole clusters are the unit of comparisons and of resampled correlations")
    confidence: float = confidence_level()
    resamples: int = draws()
