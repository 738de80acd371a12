"""Correlations of score tables that are larger than memory: at system level the means of the summarizers are enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from pyramidion.options import CorrelateOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.stored import StoredScores
from pyramidion.studies.correlations.correlations import Correlations, correlate

LARGE = 2_000_000
"""Values of a measure from which on means are correlated without reading them into memory."""


def is_large(stored: StoredScores, measures: Sequence[str], options: CorrelateOptions) -> bool:
    """Whether means suffice for what is asked, and a matrix would be large."""
    plain = options.level == ("system",) and options.interval != "bootstrap"
    single = not (options.test or options.micro or options.accuracy or options.by)
    return plain and single and max(map(stored.rows_of, measures), default=0) >= LARGE


def correlate_large(
    stored: StoredScores, measures: Sequence[str], with_: Sequence[str], options: CorrelateOptions, *, seed: int
) -> Correlations:
    """Correlate measures as `correlate` does at system level, where each summarizer is its means."""
    wanted = list(dict.fromkeys((*with_, *measures)))
    means = stored.means.filter(pl.col("measure").is_in(wanted))
    facts = stored.facts
    table = replace(
        ScoreTable.from_columns(
            measure=means["measure"].cast(pl.String).to_list(),
            topic=["all"] * means.height,
            summarizer=means["summarizer"].cast(pl.String).to_list(),
            value=means["value"].to_list(),
            higher_is_better=facts.higher_is_better,
        ),
        notes=facts.notes,
        names=facts.names,
        kinds=facts.kinds,
    )
    counts = {(measure, who): n for measure, who, n in means.select("measure", "summarizer", "n").iter_rows()}
    found = correlate(table.in_order(wanted), measures, with_, options, seed=seed)
    points = tuple(replace(one, n=counts[one.measure, one.summarizer]) for one in found.points)
    return replace(found, points=points)
