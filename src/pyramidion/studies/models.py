"""How many models an evaluation needs (Owczarzak & Dang 2009, §3, Tables 1–5, Figures 1–3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign import Campaign, PeerChoice
from pyramidion.engines import TopicEvidence, keep_evidence, score_shards
from pyramidion.errors import InputError, UsageError
from pyramidion.measures.base import Measure
from pyramidion.measures.derived import Derived
from pyramidion.measures.registry import Selection, column, known_measures, select, select_all
from pyramidion.scores import cube_of
from pyramidion.statistics.correlation.coefficients import Coefficient, row_correlations
from pyramidion.statistics.correlation.growth import attenuation, resampled_correlations
from pyramidion.statistics.means import mean_of_defined, system_means
from pyramidion.studies.drawn_models import ModelDraws
from pyramidion.studies.growth import (
    GrowthStudy,
    Point,
    bootstrapped,
    check_study,
    extrapolated,
    gains_of,
    halves_points,
    middle,
    tabulate,
)
from pyramidion.studies.growth_tests import ITSELF, Column

BOOTSTRAPS = 200
DRAWS_FOR_BOOTSTRAP = 100
"""Of the repetitions, so many are looked at again for every bootstrap of the summarizers."""


def study_models(
    campaign: Campaign,
    measures: Sequence[str | Measure | Selection],
    references: Sequence[str],
    *,
    peers: PeerChoice = "systems",
    beyond: Sequence[float] | None = None,
    coefficient: Coefficient = "pearson",
    repetitions: int = 1000,
    tolerance: float = 0.01,
    confidence: float = 95.0,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> GrowthStudy:
    """Score every peer against k drawn models of each topic, and correlate system means with a full reference.

    For each k, `repetitions` times: each topic draws its own k models, the same for all measures; a topic with fewer
    is left out of that k. Evidence is gathered once and only masked. The last row has all models of every topic.

    Args:
        campaign: with models.
        measures: that depend on models: ROUGE, BE, the pyramid.
        references: columns on the full data, or "itself" for each measure with all models.
        peers: whose summaries are scored.
        beyond: numbers of models to extrapolate to (infinite: the limit); by default twice as many, and the limit.
        coefficient: of correlation.
        repetitions: draws for each k.
        tolerance: how far from the full correlation is still near, for the least number of models.
        confidence: of tests and of the intervals of what is extrapolated, in per cent.
        seed: of the draws.
        progress: called with 1 for each k that is done.
    """
    if not campaign.pyramids and not any(summary.kind == "model" for summary in campaign.summaries):
        raise InputError("there are no models to draw from; give a campaign with models (`study topics` needs none)")
    selections = _that_draw(select_all(measures))
    known = known_measures(selections)
    references = [name if name == ITSELF else column(name, known=known) for name in references]
    asked = [selection.name for selection in selections]
    check_study(asked, references, repetitions=repetitions, tolerance=tolerance, confidence=confidence)
    against = [select(name, known=known) for name in references if name != ITSELF]
    evidence: list[TopicEvidence] = []
    full = score_shards(
        [campaign], [*selections, *against], peers=peers, seed=seed, when_gathered=keep_evidence(evidence)
    )
    names = [name for name in full.measures if any(one.among([name]) for one in selections)]
    missing = [name for name in references if name not in (ITSELF, *full.measures)]
    if missing or not names:
        raise InputError(f"there is no score of {', '.join(missing or map(str, measures))} to study")
    further = [name for name in references if name != ITSELF and name not in names]
    cube = cube_of(full, [*names, *further]).sorted_by_name()
    evidence.sort(key=lambda one: one.topic)  # what a seed draws must not depend on the order of a file
    # Of a reference that depends on models, too, it is good to know how stable it is (Figure 1).
    studied = {name: found for name in cube.measures if not _problem(found := select(name, known=known))}
    draws = ModelDraws(studied, evidence, cube.summarizers, repetitions, np.random.default_rng(seed))
    most = draws.most_models
    if most < 2:
        raise InputError("no topic has two models; how many models are needed can't be seen from one")
    by_size: dict[int, dict[str, Floats]] = {}
    halves: dict[str, dict[int, Floats]] = {name: {} for name in studied}
    for size in range(1, most):
        by_size[size], disjoint = draws.means(size)
        for name, (first, second) in disjoint.items():
            halves[name][size] = row_correlations(first, second, coefficient=coefficient)
        if progress:
            progress(1)
    means = {name: system_means(cube[name]) for name in cube.measures}
    random = np.random.default_rng([seed, most])
    columns = [
        Column(
            measure=name,
            reference=reference,
            drawn={
                size: row_correlations(found[name], target[None, :], coefficient=coefficient)
                for size, found in by_size.items()
            },
            full=most,
            actual=float(row_correlations(means[name][None], target[None], coefficient=coefficient)[0]),
            bootstrapped=bootstrapped(
                means[name], target, repetitions=repetitions, coefficient=coefficient, random=random
            ),
            topics={**{size: draws.topics_with(name, size) for size in by_size}, most: draws.topics_with(name, 1)},
        )
        for reference in references
        for name in names
        if name != reference
        for target in [means[name if reference == ITSELF else reference]]
    ]
    if not columns:
        raise UsageError(f"the only measure is its own reference; `{ITSELF}` stands for a measure's own full version")
    points, tests = tabulate(columns, confidence=confidence)
    paired = {(name, size): draws.topics_with(name, 2 * size) for name in studied for size in by_size}
    if coefficient == "pearson" and most > 2:
        wanted = (2.0 * most, np.inf) if beyond is None else tuple(beyond)
        for one in columns:
            if one.reference != ITSELF:
                points += _beyond(one, by_size, means, wanted, confidence, np.random.default_rng(seed))
    return GrowthStudy(
        study="models",
        measures=tuple(names),
        references=tuple(references),
        coefficient=coefficient,
        repetitions=repetitions,
        confidence=confidence,
        seed=seed,
        points=(*points, *halves_points(halves, confidence=confidence, topics=paired)),
        tests=tuple(tests),
        gains=tuple(gains_of(columns, tolerance)),
        columns=tuple(columns),
        halves=halves,
        summarizers=len(cube.summarizers),
        topics=len(cube.topics),
        notes={name: note for name, note in zip(cube.measures, cube.notes, strict=True) if note},
    )


def _that_draw(selections: Sequence[Selection]) -> list[Selection]:
    """Refuse measures whose models can't be chosen, all at once."""
    problems = [problem for selection in selections if (problem := _problem(selection))]
    if problems:
        raise UsageError("\n".join(problems))
    return list(selections)


def _problem(selection: Selection) -> str:
    """What keeps the models of a measure from being drawn; empty if nothing does."""
    measure = selection.measure
    if isinstance(measure, Derived) or not {"models", "pyramid"} & measure.required:
        return f"{selection.name} does not depend on models; take it as a reference (--with), or leave it out"
    if getattr(measure, "jackknife", False) or getattr(measure, "use", None):
        return f"{selection.name}: this study draws the models itself; leave out jackknife= and use="
    return ""


def _beyond(
    column: Column,
    by_size: Mapping[int, Mapping[str, Floats]],
    means: Mapping[str, Floats],
    wanted: Sequence[float],
    confidence: float,
    random: np.random.Generator,
) -> list[Point]:
    """What more models would bring: 1/r² is linear in 1/k; intervals by resampling summarizers.

    Not where topics differ in their numbers of models: correlations at different k then rest on different topics.
    """
    target = means[column.reference]
    values = {size: found[column.measure][:DRAWS_FOR_BOOTSTRAP] for size, found in by_size.items()}
    values[column.full] = means[column.measure][None, :]
    complete = ~np.isnan(target) & np.all([~np.isnan(found).any(axis=0) for found in values.values()], axis=0)
    found = np.array([[*(mean_of_defined(sample) for sample in column.drawn.values()), column.actual]])
    if complete.sum() < 3 or np.isnan(found).any() or len(set(column.topics.values())) > 1:
        return [extrapolated(column, size, np.nan, confidence) for size in wanted]
    sizes = np.array(list(values), dtype=np.float64)
    asked = np.array(wanted, dtype=np.float64)
    expected = attenuation(sizes, found, asked)[0]
    count = int(complete.sum())
    weights = random.multinomial(count, np.full(count, 1 / count), size=BOOTSTRAPS).astype(np.float64)
    curves = [
        mean_of_defined(resampled_correlations(one[:, complete], target[complete], weights).T)
        for one in values.values()
    ]
    resampled = np.stack(curves, axis=1)
    defined = ~np.isnan(resampled).any(axis=1)
    beyond = np.full((BOOTSTRAPS, len(wanted)), np.nan)
    beyond[defined] = attenuation(sizes, resampled[defined], asked)
    return [
        _resampled(column, size, value, beyond[:, number], confidence)
        for number, (size, value) in enumerate(zip(wanted, expected, strict=True))
    ]


def _resampled(column: Column, size: float, value: float, sample: Floats, confidence: float) -> Point:
    """A point with the percentile interval of a sample, where at least half of that is defined."""
    defined = sample[~np.isnan(sample)]
    enough = 2 * len(defined) >= len(sample)
    return extrapolated(
        column,
        size,
        value,
        confidence,
        error=float(defined.std(ddof=1)) if enough else np.nan,
        limits=middle(defined, confidence) if enough else (np.nan, np.nan),
        n=len(defined),
        undefined=len(sample) - len(defined),
    )
