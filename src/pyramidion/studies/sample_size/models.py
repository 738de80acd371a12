"""How many references an evaluation needs (Owczarzak & Dang 2009, §3, Tables 1–5, Figures 1–3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats
from pyramidion.engines.evidence_store import TopicEvidence
from pyramidion.errors import InputError, UsageError
from pyramidion.measures import Derived, Selection
from pyramidion.measures.function import FunctionMeasure
from pyramidion.options import ITSELF, SampleSizeOptions
from pyramidion.scores import ScoreTable
from pyramidion.scores.cube import ScoreCube
from pyramidion.statistics.correlation.attenuation import attenuation, resampled_correlations
from pyramidion.statistics.correlation.coefficients import row_correlations
from pyramidion.statistics.values import mean_of_defined, snap_ties, system_means
from pyramidion.studies.sample_size.samples import (
    Curve,
    ExtrapolatedCorrelation,
    PartSamples,
    defined_values,
    make_curves,
    make_halves,
    middle_interval,
)
from pyramidion.studies.sample_size.study import SampleSizeStudy, make_study, studied_cube

BOOTSTRAPS = 200
DRAWS_FOR_BOOTSTRAP = 100
"""How many of the samples are used again for every bootstrap of the summarizers."""
MOST_BITS = 62
"""Up to this many models, a set of them is encoded in one number."""
CELLS_AT_ONCE = 100_000
"""Values that are held before they are added up: so few that they stay in the processor's cache."""


def study_models(
    tables: Mapping[str, ScoreTable],
    evidence: Sequence[TopicEvidence],
    measures: Sequence[str],
    targets: Sequence[str],
    options: SampleSizeOptions | None = None,
    *,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> SampleSizeStudy:
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
    options = options or SampleSizeOptions()
    parts = []
    for name, table in tables.items():
        topics = set(table.topics)
        of_part = [topic_evidence for topic_evidence in evidence if topic_evidence.topic in topics]
        of_part.sort(key=lambda topic: topic.topic)  # what a seed draws must not depend on the order of a file
        cube = studied_cube(table, measures, targets)
        parts.append(_sample_part(name, cube, of_part, measures, targets, options, seed=seed, progress=progress))
    return make_study("models", measures, targets, options, seed=seed, parts=parts)


def require_choosable_references(selections: Sequence[Selection]) -> None:
    """Refuse measures whose references can't be chosen, all at once."""
    problems = [explain_fixed_references(selection) for selection in selections]
    if any(problems):
        raise UsageError("\n".join(filter(None, problems)))


def _require_named_references(names: Iterable[str]) -> None:
    """Refuse measures that say they need models, but whose evidence names none: it can't follow a choice of them."""
    problems = [
        f"{name} says that it needs references, but its evidence names none, so it can't be scored against some of "
        "them; leave it out, or let its evidence name the models and follow their masks"
        for name in names
    ]
    if problems:
        raise UsageError("\n".join(problems))


def explain_fixed_references(selection: Selection) -> str:
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


def _sample_part(
    name: str,
    cube: ScoreCube,
    evidence: Sequence[TopicEvidence],
    measures: Sequence[str],
    targets: Sequence[str],
    options: SampleSizeOptions,
    *,
    seed: int,
    progress: Callable[[int], None] | None,
) -> PartSamples:
    """Draw references in one part of the campaign, for every number of them below the largest."""
    studied = _studied_selections(cube, evidence, measures)
    # One stream for all k and topics, so that all measures are scored against the same models.
    draws = ModelDraws(studied, evidence, cube.summarizers, options.resamples, np.random.default_rng(seed))
    most = draws.most_models
    if most < 2:
        raise InputError("no topic has two references; studying the number of references needs at least two")
    means = {column: system_means(cube[column]) for column in cube.measures}
    drawn: dict[str, dict[int, Floats]] = {column: {} for column in studied}
    halves: dict[str, dict[int, Floats]] = {column: {} for column in studied}
    for size in range(1, most):
        drawn_means, disjoint_means = draws.means(size)
        for column in studied:
            drawn[column][size] = drawn_means[column]
        for column, (first, second) in disjoint_means.items():
            halves[column][size] = row_correlations(first, second, coefficient=options.coefficient)
        if progress:
            progress(1)

    def count_topics(column: str) -> dict[int, int]:
        counts = {size: draws.topics_with(column, size) for size in range(1, most)}
        return {**counts, most: counts[1]}

    def count_topics_of_halves(column: str) -> dict[int, int]:
        return {size: draws.topics_with(column, 2 * size) for size in halves[column]}

    curves = make_curves(
        means,
        {column: drawn[column] for column in measures if column in drawn},
        targets,
        options,
        full=most,
        # A stream of its own: the bootstrap at k = M does not depend on how many draws came before it.
        random=np.random.default_rng([seed, most]),
        topics=count_topics,
    )
    # That 1/r² is linear in 1/k holds for Pearson's r (attenuation, Spearman 1904), not for ranks.
    if options.coefficient == "pearson" and most > 2:
        sizes = (2.0 * most, np.inf) if options.beyond is None else tuple(options.beyond)
        curves = [
            replace(curve, beyond=_extrapolate(curve, drawn[curve.measure], means, sizes, options.confidence, seed))
            for curve in curves
        ]
    return PartSamples(
        name=name,
        curves=curves,
        halves=make_halves(means, halves, count_topics_of_halves),
        topics=len(cube.topics),
        notes=dict(zip(cube.measures, cube.notes, strict=True)),
    )


def _studied_selections(
    cube: ScoreCube, evidence: Sequence[TopicEvidence], measures: Sequence[str]
) -> dict[str, Selection]:
    """By column, the measures whose references can be chosen, in the order of the columns.

    Targets are among them: the stability of a target that depends on models is worth knowing, too (Figure 1).
    """
    selections: dict[str, Selection] = {}
    measures_with_models = set()
    for topic in evidence:
        for measure, measure_evidence in topic.evidence.items():
            for statistic in measure_evidence.statistics:
                selections[measure.name(statistic)] = Selection(measure, statistic)
            if measure_evidence.models or not measure_evidence.peers:
                measures_with_models.add(measure)
    scored = [column for column in measures if column in selections]
    _require_named_references(column for column in scored if selections[column].measure not in measures_with_models)
    studied: dict[str, Selection] = {}
    for column in cube.measures:
        selection = selections.get(column)
        if selection is None or selection.measure not in measures_with_models:
            continue
        if not explain_fixed_references(selection):
            studied[column] = selection
    return studied


def _extrapolate(
    curve: Curve,
    drawn: Mapping[int, Floats],
    means: Mapping[str, Floats],
    sizes_beyond: Sequence[float],
    confidence: float,
    seed: int,
) -> list[ExtrapolatedCorrelation]:
    """What more models would bring: 1/r² is linear in 1/k; intervals by resampling summarizers.

    Not where topics differ in their numbers of models: correlations at different k then rest on different topics.
    """
    if curve.with_ == ITSELF:
        return []
    target = means[curve.with_]
    # 200 bootstraps of a thousand draws each would take longer than the study itself.
    values = {size: rows[:DRAWS_FOR_BOOTSTRAP] for size, rows in drawn.items()}
    values[curve.full] = means[curve.measure][None, :]
    has_all_means = [~np.isnan(rows).any(axis=0) for rows in values.values()]
    is_complete = ~np.isnan(target) & np.all(has_all_means, axis=0)
    correlations = np.array([[*(mean_of_defined(sample) for sample in curve.drawn.values()), curve.actual]])
    if is_complete.sum() < 3 or np.isnan(correlations).any() or len(set(curve.topics.values())) > 1:
        return [ExtrapolatedCorrelation(k=size) for size in sizes_beyond]
    sizes = np.array(list(values), dtype=np.float64)
    beyond = np.array(sizes_beyond, dtype=np.float64)
    expected = attenuation(sizes, correlations, beyond)[0]
    count = int(is_complete.sum())
    random = np.random.default_rng(seed)
    # Summarizers are resampled, not topics: that is what reproduces the paper's bootstrapped rows.
    weights = random.multinomial(count, np.full(count, 1 / count), size=BOOTSTRAPS).astype(np.float64)
    curves = [
        mean_of_defined(resampled_correlations(rows[:, is_complete], target[is_complete], weights).T)
        for rows in values.values()
    ]
    resampled = np.stack(curves, axis=1)
    is_defined = ~np.isnan(resampled).any(axis=1)
    estimates = np.full((BOOTSTRAPS, len(sizes_beyond)), np.nan)
    estimates[is_defined] = attenuation(sizes, resampled[is_defined], beyond)
    return [
        _estimate_with_interval(size, expected[number], estimates[:, number], confidence)
        for number, size in enumerate(sizes_beyond)
    ]


def _estimate_with_interval(size: float, value: float, sample: Floats, confidence: float) -> ExtrapolatedCorrelation:
    """An estimate with the percentile interval of a sample, where at least half of that is defined."""
    values = defined_values(sample)
    estimate = ExtrapolatedCorrelation(k=size, value=value, n=len(values), undefined=len(sample) - len(values))
    if 2 * len(values) < len(sample):
        return estimate
    return replace(estimate, error=float(values.std(ddof=1)), limits=middle_interval(values, confidence))


@dataclass(frozen=True, eq=False)
class ModelDraws:
    """Evidence of all topics, and random sets of their models."""

    studied: Mapping[str, Selection]
    evidence: Sequence[TopicEvidence]
    summarizers: tuple[str, ...]
    resamples: int
    random: np.random.Generator

    @property
    def most_models(self) -> int:
        """The largest number of models that a topic has."""
        measures = {selection.measure for selection in self.studied.values()}
        counts = [
            len(topic.evidence[measure].models)
            for topic in self.evidence
            for measure in measures & topic.evidence.keys()
        ]
        return max(counts, default=0)

    def topics_with(self, name: str, size: int) -> int:
        """The number of topics with at least this many models."""
        measure = self.studied[name].measure
        return sum(len(topic.evidence[measure].models) >= size for topic in self.evidence if measure in topic.evidence)

    def means(self, size: int) -> tuple[dict[str, Floats], dict[str, tuple[Floats, Floats]]]:
        """By measure: resamples × summarizers with `size` models a topic, and the same for two disjoint sets.

        Only topics that have twice as many models give two sets; where none has, there are none.
        """
        shape = (self.resamples, len(self.summarizers))
        drawn = {name: _Mean(shape) for name in self.studied}
        halves = {name: (self._first_half(name, size, drawn[name]), _Mean(shape)) for name in self.studied}
        place = {summarizer: number for number, summarizer in enumerate(self.summarizers)}
        for topic in self.evidence:
            subsets_by_models: dict[tuple[str, ...], list[_ModelSets]] = {}
            for name, selection in self.studied.items():
                evidence = topic.evidence.get(selection.measure)
                if evidence is None or len(evidence.models) < size:
                    continue
                models = tuple(sorted(evidence.models))  # the same draw for all measures that have the same models
                if models not in subsets_by_models:
                    subsets_by_models[models] = self._draw_subsets(len(models), size)
                columns = [models.index(model) for model in evidence.models]
                kept = [number for number, peer in enumerate(evidence.peers) if peer in place]
                peers = np.array([place[evidence.peers[number]] for number in kept], dtype=np.intp)
                statistic = evidence.statistics.index(selection.statistic or "")
                first, *second = subsets_by_models[models]
                values = evidence.values(first.masks[:, columns])[:, kept, statistic]
                drawn[name].add(values, peers, first.which)
                for subsets in second:
                    first_half, second_half = halves[name]
                    if first_half is not drawn[name]:
                        first_half.add(values, peers, first.which)
                    values_of_second = evidence.values(subsets.masks[:, columns])[:, kept, statistic]
                    second_half.add(values_of_second, peers, subsets.which)
        return (
            {name: mean.value for name, mean in drawn.items()},
            {name: (first.value, second.value) for name, (first, second) in halves.items() if second.topics},
        )

    def _first_half(self, name: str, size: int, drawn: _Mean) -> _Mean:
        """The two sets must come from the same topics, which often are all topics of the first draw."""
        has_same_topics = self.topics_with(name, size) == self.topics_with(name, 2 * size)
        return drawn if has_same_topics else _Mean(drawn.shape)

    def _draw_subsets(self, models: int, size: int) -> list[_ModelSets]:
        """Subsets of `size` models for every resample, and disjoint ones where there are enough models."""
        order = self.random.random((self.resamples, models)).argsort(axis=1)
        return [_ModelSets.of(order[:, start : start + size], models) for start in (0, size) if start + size <= models]


@dataclass(frozen=True, eq=False)
class _ModelSets:
    """Sets of models, each once, and which of them every resample has."""

    masks: Bools
    which: NDArray[np.intp]

    @classmethod
    def of(cls, drawn: NDArray[np.intp], models: int) -> _ModelSets:
        """The distinct subsets among draws of models, each given by the numbers of its models."""
        masks = np.zeros((len(drawn), models), dtype=np.bool_)
        np.put_along_axis(masks, drawn, True, axis=1)
        if models > MOST_BITS:
            return cls(masks, np.arange(len(masks)))
        # Of four models there are at most fifteen subsets: a thousand draws are scored as these few.
        _, first, which = np.unique(masks @ (1 << np.arange(models)), return_index=True, return_inverse=True)
        return cls(masks[first], which)


@dataclass(eq=False)
class _Mean:
    """A mean over topics, of each of which every resample takes one row of values.

    Rows of many topics are put below each other and added by a product with the sparse matrix of what was taken.
    """

    shape: tuple[int, int]
    """Resamples × summarizers."""
    topics: int = 0
    _rows: list[Floats] = field(default_factory=list)
    _taken: list[NDArray[np.intp]] = field(default_factory=list)
    _height: int = 0
    _sums: Floats | float = 0.0
    _counts: Floats | float = 0.0

    def add(self, values: Floats, columns: NDArray[np.intp], which: NDArray[np.intp]) -> None:
        """Take a topic: sets of models × peers, the peers' columns, and the set that each resample has."""
        rows = np.full((len(values), self.shape[1]), np.nan)
        rows[:, columns] = values
        self._rows.append(rows)
        self._taken.append(which + self._height)
        self._height += len(rows)
        self.topics += 1
        if self._height * self.shape[1] > CELLS_AT_ONCE:
            self._sum_up()

    @property
    def value(self) -> Floats:
        """Resamples × summarizers; NaN where a summarizer had no value in any topic."""
        self._sum_up()
        counts = np.broadcast_to(self._counts, self.shape)
        sums = np.broadcast_to(self._sums, self.shape)
        return snap_ties(np.divide(sums, counts, out=np.full(self.shape, np.nan), where=counts > 0))

    def _sum_up(self) -> None:
        from scipy.sparse import csr_array

        if not self._rows:
            return
        taken = np.stack(self._taken, axis=1)
        starts = np.arange(len(taken) + 1) * taken.shape[1]
        matrix = csr_array((np.ones(taken.size), taken.ravel(), starts), shape=(len(taken), self._height))
        rows = np.concatenate(self._rows)
        present = ~np.isnan(rows)
        self._sums = self._sums + matrix @ np.where(present, rows, 0.0)
        # Usually everybody has a score on every topic, and then a number stands for a matrix.
        self._counts = self._counts + (taken.shape[1] if present.all() else matrix @ present.astype(np.float64))
        self._rows, self._taken, self._height = [], [], 0
