"""How many topics an evaluation needs (Owczarzak & Dang 2009, §4, Tables 6–11, Figures 4–7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Floats
from pyramidion.errors import InputError
from pyramidion.options import ITSELF, TopicsOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube
from pyramidion.statistics.correlation.attenuation import (
    correlation_by_components,
    jackknife_variance,
    jackknifed_components,
)
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.values import snap_ties, system_means
from pyramidion.studies.sample_size.samples import (
    Curve,
    ExtrapolatedCorrelation,
    PartSamples,
    make_curves,
    make_halves,
)
from pyramidion.studies.sample_size.study import SampleSizeStudy, make_study, studied_cube

NUMBERS_AT_ONCE = 100_000
"""Random numbers that are held at once, so that they stay in the processor's cache."""


def study_topics(
    tables: Mapping[str, ScoreTable],
    measures: Sequence[str],
    targets: Sequence[str],
    options: TopicsOptions | None = None,
    *,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> SampleSizeStudy:
    """Correlate means over k sampled topics, the same for all summarizers, with a score on all topics.

    Args:
        tables: by part of the campaign (the whole has an empty name), scores of the measures and targets.
        measures: columns of the tables.
        targets: columns, or "itself" for each measure's own mean over all topics.
        options: what is sampled; numbers of topics that are not below that of all topics are dropped.
        seed: of the samples.
        progress: called with 1 for each k that is done.
    """
    options = options or TopicsOptions()
    parts = []
    for name, table in tables.items():
        cube = studied_cube(table, measures, targets)
        parts.append(_sample_part(name, cube, measures, targets, options, seed=seed, progress=progress))
    return make_study("topics", measures, targets, options, seed=seed, parts=parts)


def _sample_part(
    name: str,
    cube: ScoreCube,
    measures: Sequence[str],
    targets: Sequence[str],
    options: TopicsOptions,
    *,
    seed: int,
    progress: Callable[[int], None] | None,
) -> PartSamples:
    """Draw topics in one part of the campaign, for every number of them that was asked for."""
    total = len(cube.topics)
    if total < 2:
        raise InputError("the scores are on one topic; studying the number of topics needs at least two")
    random = np.random.default_rng(seed)
    means = {column: system_means(cube[column]) for column in cube.measures}
    drawn: dict[str, dict[int, Floats]] = {column: {} for column in measures if column in cube.measures}
    halves: dict[str, dict[int, Floats]] = {column: {} for column in cube.measures}
    # In rising order, so that the draws do not depend on how the sizes were listed.
    for size in sorted({size for size in options.sizes if size < total}):
        first, second = _draw_topics(options.resamples, total, size, random)
        for column in cube.measures:  # the stability of a target is worth knowing, too (Table 6)
            drawn_means = _mean_over_topics(cube[column], first)
            if column in drawn:
                drawn[column][size] = drawn_means
            if second is not None:
                disjoint_means = _mean_over_topics(cube[column], second)
                halves[column][size] = row_correlations(drawn_means, disjoint_means, coefficient=options.coefficient)
        if progress:
            progress(1)
    curves = make_curves(means, drawn, targets, options, full=total, random=random)
    if options.coefficient == "pearson":
        sizes = (2.0 * total, np.inf) if options.beyond is None else tuple(options.beyond)
        curves = [replace(curve, beyond=_extrapolate(cube, curve, sizes, options.confidence)) for curve in curves]
    return PartSamples(
        name=name,
        curves=curves,
        halves=make_halves(means, halves),
        topics=total,
        notes=dict(zip(cube.measures, cube.notes, strict=True)),
    )


def _draw_topics(
    resamples: int, total: int, size: int, random: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp] | None]:
    """Resamples × `size` topics, drawn without replacement, and as many others where there are enough.

    Each topic gets a random number, and those with the least are drawn: no need to sort the rest.
    """
    ends = [end for end in (size, 2 * size) if end <= total]
    drawn = np.empty((resamples, ends[-1]), dtype=np.intp)
    block = max(NUMBERS_AT_ONCE // total, 1)
    for start in range(0, resamples, block):
        numbers = random.random((min(block, resamples - start), total))
        # Partitioned at both ends: the first k and the next k are two disjoint random sets.
        drawn[start : start + block] = numbers.argpartition([end - 1 for end in ends], axis=1)[:, : ends[-1]]
    return drawn[:, :size], drawn[:, size:] if len(ends) > 1 else None


def _mean_over_topics(values: Floats, topics: NDArray[np.intp]) -> Floats:
    """Draws × summarizers: means over the drawn topics that a summarizer has; NaN if it has none of them."""
    from scipy.sparse import csr_array

    count, size = topics.shape
    # A sparse matrix of which topics each draw takes: its product with the scores sums all draws at once.
    taken = (np.ones(topics.size), topics.ravel(), np.arange(count + 1) * size)
    draws = csr_array(taken, shape=(count, values.shape[1]))
    present = ~np.isnan(values)
    if present.all():
        return snap_ties(draws @ np.ascontiguousarray(values.T) / size)
    sums = draws @ np.where(present, values, 0.0).T
    counts = draws @ present.T.astype(np.float64)
    return snap_ties(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))


def _extrapolate(
    cube: ScoreCube, curve: Curve, sizes_beyond: Sequence[float], confidence: float
) -> list[ExtrapolatedCorrelation]:
    """What more topics would bring to both scores, from variance components of topics where all have both."""
    if curve.with_ == ITSELF:
        return []
    x, z = cube[curve.measure], cube[curve.with_]
    has_both = ~np.isnan(x) & ~np.isnan(z)
    summarizers = has_both.any(axis=1)
    # Variance components need a complete design; topics that some system lacks are left out.
    topics = has_both[summarizers].all(axis=0)
    x, z = x[summarizers][:, topics], z[summarizers][:, topics]
    sizes = np.array(sizes_beyond, dtype=np.float64)
    if x.shape[0] < 3 or x.shape[1] < 3:
        return [ExtrapolatedCorrelation(k=size) for size in sizes_beyond]
    (values,) = correlation_by_components(x, z, sizes)
    replicates = jackknifed_components(x, z, sizes)
    # Summarizers and topics are both samples: their variances add up.
    errors = np.sqrt(sum(map(jackknife_variance, replicates)))
    widths = NormalDist().inv_cdf(0.5 + confidence / 200) * errors
    total = sum(len(estimates) for estimates in replicates)
    undefined = sum(np.isnan(estimates).sum(axis=0) for estimates in replicates)
    return [
        ExtrapolatedCorrelation(
            k=size,
            value=values[number],
            error=errors[number],
            limits=(values[number] - widths[number], values[number] + widths[number]),
            n=total - int(undefined[number]),
            undefined=int(undefined[number]),
        )
        for number, size in enumerate(sizes_beyond)
    ]
