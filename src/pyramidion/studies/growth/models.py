"""How many references an evaluation needs (Owczarzak & Dang 2009, §3, Tables 1–5, Figures 1–3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.engines.gathering import TopicEvidence
from pyramidion.errors import InputError, UsageError
from pyramidion.measures import Derived, Selection
from pyramidion.measures.function import FunctionMeasure
from pyramidion.options import ITSELF, GrowthOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.correlation.growth import attenuation, resampled_correlations
from pyramidion.statistics.values import mean_of_defined, system_means
from pyramidion.studies.growth.draws import ModelDraws
from pyramidion.studies.growth.samples import Column, Estimate, Part, columns_of, defined_of, halves_of, middle
from pyramidion.studies.growth.study import GrowthStudy, studied_cube

BOOTSTRAPS = 200
DRAWS_FOR_BOOTSTRAP = 100
"""How many of the samples are used again for every bootstrap of the summarizers."""


def study_models(
    tables: Mapping[str, ScoreTable],
    evidence: Sequence[TopicEvidence],
    measures: Sequence[str],
    targets: Sequence[str],
    options: GrowthOptions | None = None,
    *,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> GrowthStudy:
    """Score every peer against k sampled models of each topic, and correlate system means with a full score.

    For each k, `resamples` times: each topic samples its own k models, the same for all measures; a topic with fewer
    is left out of that k. Evidence is gathered once and only masked. The last row has all models of every topic.

    Args:
        tables: by part of the campaign (the whole has an empty name), scores of the measures and targets.
        evidence: of the same measures, topic by topic.
        measures: columns that depend on models: ROUGE, BE, the pyramid.
        targets: columns on the full data, or "itself" for each measure with all models.
        options: what is sampled.
        seed: of the samples.
        progress: called with 1 for each k that is done.
    """
    study = GrowthStudy(
        study="models", measures=tuple(measures), targets=tuple(targets), options=options or GrowthOptions(), seed=seed
    )
    parts = []
    for name, table in tables.items():
        there = set(table.topics)  # what a seed draws must not depend on the order of a file
        found = sorted((one for one in evidence if one.topic in there), key=lambda one: one.topic)
        parts.append(_part(study, name, studied_cube(table, measures, targets), found, progress))
    return study.of_parts(parts)


def refuse_fixed(selections: Sequence[Selection]) -> None:
    """Refuse measures whose models can't be chosen, all at once."""
    if problems := [problem for selection in selections if (problem := why_fixed(selection))]:
        raise UsageError("\n".join(problems))


def refuse_unfollowed(names: Iterable[str]) -> None:
    """Refuse measures that say they need models, but whose evidence names none: it can't follow a choice of them."""
    if problems := [
        f"{name} says that it needs references, but its evidence names none, so it can't be scored against some of "
        "them; leave it out, or let its evidence name the models and follow their masks"
        for name in names
    ]:
        raise UsageError("\n".join(problems))


def why_fixed(selection: Selection) -> str:
    """What keeps the models of a measure from being chosen; empty if nothing does."""
    measure = selection.measure
    if isinstance(measure, Derived):
        return f"{selection.name} is derived from other scores; study these, or correlate with it (`with_=`)"
    if not {"models", "pyramid"} & measure.required:
        undeclared = ' (a function that does needs=["models"])' if isinstance(measure, FunctionMeasure) else ""
        return f"{selection.name} does not use references; correlate with it (`with_=`), or leave it out{undeclared}"
    if getattr(measure, "jackknife", False) or getattr(measure, "use", None):
        return f"{selection.name}: this study chooses the references itself; leave out jackknife= and use="
    return ""


def _part(
    study: GrowthStudy,
    name: str,
    cube: ScoreCube,
    evidence: Sequence[TopicEvidence],
    progress: Callable[[int], None] | None,
) -> Part:
    options = study.options
    known = {
        measure.name(statistic): Selection(measure, statistic)
        for topic in evidence
        for measure, found in topic.evidence.items()
        for statistic in found.statistics
    }
    chosen = {
        measure for topic in evidence for measure, found in topic.evidence.items() if found.models or not found.peers
    }
    refuse_unfollowed(column for column in study.measures if column in known and known[column].measure not in chosen)
    # The stability of a target that depends on models is worth knowing, too (Figure 1).
    studied = {
        column: known[column]
        for column in cube.measures
        if column in known and known[column].measure in chosen and not why_fixed(known[column])
    }
    draws = ModelDraws(studied, evidence, cube.summarizers, options.resamples, np.random.default_rng(study.seed))
    most = draws.most_models
    if most < 2:
        raise InputError("no topic has two references; studying the number of references needs at least two")
    means = {column: system_means(cube[column]) for column in cube.measures}
    drawn: dict[str, dict[int, Floats]] = {column: {} for column in studied}
    halves: dict[str, dict[int, Floats]] = {column: {} for column in studied}
    for size in range(1, most):
        found, disjoint = draws.means(size)
        for column in studied:
            drawn[column][size] = found[column]
        for column, (first, second) in disjoint.items():
            halves[column][size] = row_correlations(first, second, coefficient=options.coefficient)
        if progress:
            progress(1)

    def topics(column: str) -> dict[int, int]:
        counts = {size: draws.topics_with(column, size) for size in range(1, most)}
        return {**counts, most: counts[1]}

    columns = columns_of(
        means,
        {column: drawn[column] for column in study.measures if column in drawn},
        study.targets,
        options,
        full=most,
        random=np.random.default_rng([study.seed, most]),
        topics=topics,
    )
    if options.coefficient == "pearson" and most > 2:
        wanted = (2.0 * most, np.inf) if options.beyond is None else tuple(options.beyond)
        columns = [
            replace(one, beyond=_beyond(one, drawn[one.measure], means, wanted, options.confidence, study.seed))
            for one in columns
        ]
    return Part(
        name=name,
        columns=columns,
        halves=halves_of(
            means, halves, lambda column: {size: draws.topics_with(column, 2 * size) for size in halves[column]}
        ),
        topics=len(cube.topics),
        notes=dict(zip(cube.measures, cube.notes, strict=True)),
    )


def _beyond(
    column: Column,
    drawn: Mapping[int, Floats],
    means: Mapping[str, Floats],
    wanted: Sequence[float],
    confidence: float,
    seed: int,
) -> list[Estimate]:
    """What more models would bring: 1/r² is linear in 1/k; intervals by resampling summarizers.

    Not where topics differ in their numbers of models: correlations at different k then rest on different topics.
    """
    if column.with_ == ITSELF:
        return []
    target = means[column.with_]
    values = {size: found[:DRAWS_FOR_BOOTSTRAP] for size, found in drawn.items()}
    values[column.full] = means[column.measure][None, :]
    complete = ~np.isnan(target) & np.all([~np.isnan(found).any(axis=0) for found in values.values()], axis=0)
    found = np.array([[*(mean_of_defined(sample) for sample in column.drawn.values()), column.actual]])
    if complete.sum() < 3 or np.isnan(found).any() or len(set(column.topics.values())) > 1:
        return [Estimate(k=size) for size in wanted]
    sizes = np.array(list(values), dtype=np.float64)
    asked = np.array(wanted, dtype=np.float64)
    expected = attenuation(sizes, found, asked)[0]
    count = int(complete.sum())
    random = np.random.default_rng(seed)
    weights = random.multinomial(count, np.full(count, 1 / count), size=BOOTSTRAPS).astype(np.float64)
    curves = [
        mean_of_defined(resampled_correlations(one[:, complete], target[complete], weights).T)
        for one in values.values()
    ]
    resampled = np.stack(curves, axis=1)
    defined = ~np.isnan(resampled).any(axis=1)
    beyond = np.full((BOOTSTRAPS, len(wanted)), np.nan)
    beyond[defined] = attenuation(sizes, resampled[defined], asked)
    return [_resampled(size, expected[number], beyond[:, number], confidence) for number, size in enumerate(wanted)]


def _resampled(size: float, value: float, sample: Floats, confidence: float) -> Estimate:
    """An estimate with the percentile interval of a sample, where at least half of that is defined."""
    defined = defined_of(sample)
    found = Estimate(k=size, value=value, n=len(defined), undefined=len(sample) - len(defined))
    if 2 * len(defined) < len(sample):
        return found
    return replace(found, error=float(defined.std(ddof=1)), limits=middle(defined, confidence))
