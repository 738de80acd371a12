"""How many topics an evaluation needs (Owczarzak & Dang 2009, §4, Tables 6–11, Figures 4–7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Floats
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import ScoreCube, ScoreTable, cube_of
from pyramidion.statistics.correlation.coefficients import Coefficient, row_correlations
from pyramidion.statistics.correlation.growth import (
    correlation_by_components,
    jackknife_variance,
    jackknifed_components,
)
from pyramidion.statistics.means import system_means
from pyramidion.statistics.ties import settled
from pyramidion.studies.growth import (
    GrowthStudy,
    Point,
    bootstrapped,
    check_study,
    extrapolated,
    gains_of,
    halves_points,
    tabulate,
)
from pyramidion.studies.growth_tests import ITSELF, Column

SIZES = (1, 3, 6, 12, 24, 36, 39, 42, 45)
"""The paper's numbers of topics."""


def study_topics(
    table: ScoreTable,
    measures: Sequence[str],
    references: Sequence[str],
    *,
    sizes: Sequence[int] = SIZES,
    beyond: Sequence[float] | None = None,
    coefficient: Coefficient = "pearson",
    repetitions: int = 1000,
    tolerance: float = 0.01,
    confidence: float = 95.0,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> GrowthStudy:
    """Correlate means over k drawn topics, the same for all summarizers, with a reference on all topics.

    Args:
        table: scores of the measures and references.
        measures: columns of the table.
        references: columns, or "itself" for each measure's own mean over all topics.
        sizes: numbers of topics; those that are not below the number of all topics are dropped.
        beyond: numbers of topics to extrapolate to (infinite: the limit); by default twice as many, and the limit.
        coefficient: of correlation.
        repetitions: draws for each k.
        tolerance: how far from the full correlation is still near, for the least number of topics.
        confidence: of tests and of the intervals of what is extrapolated, in per cent.
        seed: of the draws.
        progress: called with 1 for each k that is done.
    """
    check_study(measures, references, repetitions=repetitions, tolerance=tolerance, confidence=confidence)
    if any(size < 1 for size in sizes):
        raise UsageError(f"--sizes {', '.join(map(str, sizes))}: expected numbers from 1 up")
    known = [name for name in references if name != ITSELF]
    cube = cube_of(table, [*measures, *known]).sorted_by_name()
    total = len(cube.topics)
    if total < 2:
        raise InputError("the scores are of one topic; how many topics are needed can't be seen from one")
    chosen = sorted({size for size in sizes if size < total})
    random = np.random.default_rng(seed)
    full = {name: system_means(cube[name]) for name in cube.measures}
    drawn: dict[str, dict[int, Floats]] = {name: {} for name in measures}
    halves: dict[str, dict[int, Floats]] = {name: {} for name in cube.measures}
    for size in chosen:
        order = random.random((repetitions, total)).argsort(axis=1)
        for name in cube.measures:  # of a reference, too, it is good to know how stable it is (Table 6)
            means = _means(cube[name], order[:, :size])
            if name in drawn:
                drawn[name][size] = means
            if 2 * size <= total:
                other = _means(cube[name], order[:, size : 2 * size])
                halves[name][size] = row_correlations(means, other, coefficient=coefficient)
        if progress:
            progress(1)
    columns = [
        Column(
            measure=name,
            reference=reference,
            drawn={
                size: row_correlations(means, against[None, :], coefficient=coefficient)
                for size, means in drawn[name].items()
            },
            full=total,
            actual=float(row_correlations(full[name][None], against[None], coefficient=coefficient)[0]),
            bootstrapped=bootstrapped(
                full[name], against, repetitions=repetitions, coefficient=coefficient, random=random
            ),
        )
        for reference in references
        for name in measures
        if name != reference
        for against in [full[name if reference == ITSELF else reference]]
    ]
    if not columns:
        raise UsageError("the only measure is its own reference; `itself` stands for a measure's own full version")
    points, tests = tabulate(columns, confidence=confidence)
    if coefficient == "pearson":
        wanted = (2.0 * total, np.inf) if beyond is None else tuple(beyond)
        points += [
            point
            for column in columns
            if column.reference != ITSELF
            for point in _beyond(cube, column, wanted, confidence)
        ]
    return GrowthStudy(
        study="topics",
        measures=tuple(measures),
        references=tuple(references),
        coefficient=coefficient,
        repetitions=repetitions,
        confidence=confidence,
        seed=seed,
        points=(*points, *halves_points(halves, confidence=confidence)),
        tests=tuple(tests),
        gains=tuple(gains_of(columns, tolerance)),
        columns=tuple(columns),
        halves=halves,
        summarizers=len(cube.summarizers),
        topics=total,
        notes={name: note for name, note in zip(cube.measures, cube.notes, strict=True) if note},
    )


def _means(values: Floats, topics: NDArray[np.intp]) -> Floats:
    """Draws × summarizers: means over the drawn topics that a summarizer has; NaN if it has none of them."""
    from scipy.sparse import csr_array

    count, size = topics.shape
    taken = (np.ones(topics.size), topics.ravel(), np.arange(count + 1) * size)
    draws = csr_array(taken, shape=(count, values.shape[1]))
    present = ~np.isnan(values)
    if present.all():
        return settled(draws @ np.ascontiguousarray(values.T) / size)
    sums = draws @ np.where(present, values, 0.0).T
    counts = draws @ present.T.astype(np.float64)
    return settled(np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0))


def _beyond(cube: ScoreCube, column: Column, wanted: Sequence[float], confidence: float) -> list[Point]:
    """What more topics would bring to both, from variance components of topics where all have both scores."""
    x, z = cube[column.measure], cube[column.reference]
    complete = ~np.isnan(x) & ~np.isnan(z)
    summarizers = complete.any(axis=1)
    topics = complete[summarizers].all(axis=0)
    x, z = x[summarizers][:, topics], z[summarizers][:, topics]
    sizes = np.array(wanted, dtype=np.float64)
    if x.shape[0] < 3 or x.shape[1] < 3:
        return [extrapolated(column, size, np.nan, confidence) for size in wanted]
    (values,) = correlation_by_components(x, z, sizes)
    replicates = jackknifed_components(x, z, sizes)
    errors = np.sqrt(sum(map(jackknife_variance, replicates)))
    return [
        extrapolated(
            column,
            size,
            value,
            confidence,
            error=error,
            n=sum(int((~np.isnan(some[:, number])).sum()) for some in replicates),
            undefined=sum(int(np.isnan(some[:, number]).sum()) for some in replicates),
        )
        for number, (size, value, error) in enumerate(zip(wanted, values, errors, strict=True))
    ]
