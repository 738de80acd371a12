"""Comparison of score tables with millions of topics: sums over topics instead of a matrix of all cells.

Leaderboards, analysis of variance, letters and Friedman's test are those of `compare`, up to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.options import CompareOptions
from pyramidion.scores.stored import StoredScores
from pyramidion.show.wording import counted, together
from pyramidion.statistics.intervals import residual_limits
from pyramidion.statistics.moments import Moments
from pyramidion.statistics.variance import MOST_CELLS, PairSums
from pyramidion.studies.comparison.comparison import Comparison, Standing, rank
from pyramidion.studies.comparison.tests import DESCRIPTIVE, MOST_SUMMARIZERS, Analysis, choose_letters, concluded

LARGE = 2_000_000
"""Values of a measure from which on sums are compared."""


def is_large(stored: StoredScores, measures: Sequence[str], options: CompareOptions) -> bool:
    """Whether sums suffice for what is asked, and a matrix would be large."""
    single = not (options.pair or options.against or options.all_pairs or options.sequential)
    plain = options.interval in (None, "t") and len(stored.summarizers) > 2
    return single and plain and max(map(stored.rows_of, measures), default=0) >= LARGE


def compare_large(
    stored: StoredScores,
    measures: Sequence[str],
    options: CompareOptions,
    *,
    scales: Mapping[str, tuple[float, float]],
    seed: int,
) -> Comparison:
    """Rank the summarizers on every measure, and test whether they differ."""
    facts = stored.facts
    descriptive = frozenset(name for name in measures if facts.higher_is_better.get(name, True) is None)
    standings: list[Standing] = []
    analyses: list[Analysis] = []
    remarks: dict[str, tuple[str, ...]] = {}
    for measure in measures:
        moments, pair_sums, sample = sums_of(stored, measure)
        topics, higher = moments.columns, facts.higher_is_better.get(measure, True) is not False
        is_descriptive = measure in descriptive
        found = Analysis(
            measure=measure,
            confidence=options.confidence,
            summarizers=tuple(stored.means_of(measure)["summarizer"]),
            about=together(facts.notes.get(measure, ""), DESCRIPTIVE if is_descriptive else ""),
            is_descriptive=is_descriptive,
            anova=moments.anova(),
            friedman=moments.friedman(options.confidence),
        )
        paired = partial(pair_sums.tests, confidence=options.confidence)
        analysis = concluded(
            choose_letters(found, options.letters, sample=sample, paired=paired, seed=seed),
            higher_is_better=higher,
            topics=topics,
            scores=int(moments.counts.sum()),
        )
        places, cut = rank(
            analysis,
            moments.means,
            moments.counts,
            residual_limits(moments.means, moments.counts, analysis.anova, confidence=options.confidence),
            topics=max(facts.topic_count, topics),
            higher_is_better=higher,
            scale=scales.get(measure),
            options=options,
            seed=seed,
        )
        standings += places
        analyses.append(analysis)
        remarks[measure] = tuple(filter(None, (f"Computed from sums over {counted(topics, 'topic')}.", cut)))
    return Comparison(
        standings=tuple(standings),
        options=options,
        seed=seed,
        notes=facts.notes,
        names=facts.names,
        analyses=tuple(analyses),
        remarks=remarks,
        lower_is_better=frozenset(name for name in measures if facts.higher_is_better.get(name, True) is False),
        descriptive=descriptive,
        kind="system",
    )


def sums_of(stored: StoredScores, measure: str) -> tuple[Moments, PairSums, Floats]:
    """Sums of a measure over all topics, those of all pairs, and enough complete topics to see unequal variances."""
    means = stored.means_of(measure)
    size = means.height
    centre = float(np.average(means["value"].to_numpy(), weights=means["n"].to_numpy()))
    moments, pair_sums = Moments(size=size, centre=centre), PairSums(size=size)
    sample = np.zeros((size, 0))
    for block in stored.blocks(measure):
        moments.add(block)
        if size <= MOST_SUMMARIZERS:
            pair_sums.add(block)
        if sample.size < MOST_CELLS:
            sample = np.concatenate([sample, block[:, ~np.isnan(block).any(axis=0)]], axis=1)
    return moments, pair_sums, sample
