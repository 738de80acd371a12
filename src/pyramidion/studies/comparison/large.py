"""Comparison of score tables with millions of topics: sums over topics instead of a matrix of all cells.

Leaderboards, analysis of variance, Tukey's letters and Friedman's test are those of `compare`, up to rounding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pyramidion.options import CompareOptions
from pyramidion.scores.stored import StoredScores
from pyramidion.statistics import assign_letters, tukey_test
from pyramidion.statistics.distributions import t_critical
from pyramidion.statistics.moments import Moments
from pyramidion.statistics.ties import settled
from pyramidion.studies.comparison.comparison import Comparison, Standing, within_scale
from pyramidion.studies.comparison.tests import Analysis, best_first
from pyramidion.wording import counted

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
    standings: list[Standing] = []
    analyses: list[Analysis] = []
    remarks: dict[str, tuple[str, ...]] = {}
    for measure in measures:
        moments = moments_of(stored, measure)
        analysis = _analysis(stored, measure, moments, options)
        analyses.append(analysis)
        places, cut = _standings(stored, moments, analysis, options, scales.get(measure), seed)
        standings += places
        summed = f"Computed from sums over {counted(moments.columns, 'topic')}."
        remarks[measure] = tuple(filter(None, (summed, cut)))
    return Comparison(
        standings=tuple(standings),
        options=options,
        seed=seed,
        notes=facts.notes,
        names=facts.names,
        analyses=tuple(analyses),
        remarks=remarks,
        lower_is_better=frozenset(name for name in measures if not facts.higher_is_better.get(name, True)),
        kind="system",
    )


def moments_of(stored: StoredScores, measure: str) -> Moments:
    """The sums of a measure over all topics."""
    means = stored.means_of(measure)
    centre = float(np.average(means["value"].to_numpy(), weights=means["n"].to_numpy()))
    moments = Moments(size=means.height, centre=centre)
    for block in stored.blocks(measure):
        moments.add(block)
    return moments


def _analysis(stored: StoredScores, measure: str, moments: Moments, options: CompareOptions) -> Analysis:
    summarizers = tuple(stored.means_of(measure)["summarizer"])
    anova, friedman = moments.anova(), moments.friedman(options.confidence)
    tukey = tukey_test(anova, confidence=options.confidence) if anova else None
    connected = anova is not None and anova.pieces == 1
    higher = stored.facts.higher_is_better.get(measure, True)
    order = best_first(anova.row_means, summarizers, higher_is_better=higher) if anova and connected else []
    letters = assign_letters(tukey.differs, order) if tukey else None
    apart = "" if connected else "the design is in pieces, or no degree of freedom is left for error"
    return Analysis(
        measure=measure,
        confidence=options.confidence,
        summarizers=summarizers,
        about=stored.facts.notes.get(measure, ""),
        anova=anova,
        tukey=tukey,
        friedman=friedman,
        letters={summarizers[row]: letters[row] for row in order} if letters else {},
        adjusted={summarizers[row]: float(anova.row_means[row]) for row in order} if anova else {},
        no_anova="" if anova else apart,
        no_tukey="" if tukey else apart,
        no_friedman="" if friedman else "no topic has scores of every summarizer",
        no_letters="" if letters else apart or "there are more groups than letters can show",
    )


def _standings(
    stored: StoredScores,
    moments: Moments,
    analysis: Analysis,
    options: CompareOptions,
    scale: tuple[float, float] | None,
    seed: int,
) -> tuple[list[Standing], str]:
    """Everyone's place, best first, and what must be known of the intervals."""
    means, anova = moments.means, analysis.anova
    half = np.full(moments.size, np.nan)
    if anova is not None:
        critical = t_critical(options.confidence, anova.degrees_of_freedom)
        half = critical * np.sqrt(anova.mean_square / moments.counts)
    lower, upper, cut = within_scale((means - half, means + half), scale, means)
    ranked = means
    if analysis.missing and analysis.adjusted:
        ranked = np.array([analysis.adjusted[who] for who in analysis.summarizers])
    higher = stored.facts.higher_is_better.get(analysis.measure, True)
    goodness = settled(ranked if higher else -ranked)
    topics = max(stored.facts.topic_count, moments.columns)
    standings = [
        Standing.of(
            options,
            measure=analysis.measure,
            summarizer=who,
            value=float(means[row]),
            n=int(moments.counts[row]),
            missing=topics - int(moments.counts[row]),
            lower=float(lower[row]),
            upper=float(upper[row]),
            method="t",
            seed=seed,
            rank=int((goodness > goodness[row]).sum()) + 1,
            letters=analysis.letters.get(who),
            adjusted=analysis.adjusted.get(who),
            mean_rank=analysis.mean_ranks.get(who),
            note=analysis.about,
            reason=analysis.no_letters or analysis.no_friedman or analysis.no_anova,
        )
        for row, who in enumerate(analysis.summarizers)
    ]
    return sorted(standings, key=lambda one: (one.rank, one.summarizer)), cut
