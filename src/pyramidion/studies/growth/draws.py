"""Models drawn at random for every topic, and the means of summarizers that they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pyramidion.arrays import Bools, Floats
from pyramidion.engines.evidence_store import TopicEvidence
from pyramidion.measures.registry import Selection
from pyramidion.statistics.values import settled

MOST_BITS = 62
"""Up to this many models, a set of them is encoded in one number."""
CELLS_AT_ONCE = 100_000
"""Values that are held before they are added up: so few that they stay in the processor's cache."""


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
        found = (topic.evidence[measure] for topic in self.evidence for measure in measures & topic.evidence.keys())
        return max((len(one.models) for one in found), default=0)

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
            by_models: dict[tuple[str, ...], list[_Subsets]] = {}
            for name, selection in self.studied.items():
                one = topic.evidence.get(selection.measure)
                if one is None or len(one.models) < size:
                    continue
                known = tuple(sorted(one.models))  # the same draw for all measures that have the same models
                if known not in by_models:
                    by_models[known] = self._drawn(len(known), size)
                columns = [known.index(model) for model in one.models]
                kept = [number for number, peer in enumerate(one.peers) if peer in place]
                peers = np.array([place[one.peers[number]] for number in kept], dtype=np.intp)
                statistic = one.statistics.index(selection.statistic or "")
                first, *second = by_models[known]
                values = one.values(first.masks[:, columns])[:, kept, statistic]
                drawn[name].add(values, peers, first.which)
                for subsets in second:
                    half, other = halves[name]
                    if half is not drawn[name]:
                        half.add(values, peers, first.which)
                    other.add(one.values(subsets.masks[:, columns])[:, kept, statistic], peers, subsets.which)
        return (
            {name: mean.value for name, mean in drawn.items()},
            {name: (one.value, other.value) for name, (one, other) in halves.items() if other.topics},
        )

    def _first_half(self, name: str, size: int, drawn: _Mean) -> _Mean:
        """The two sets must come from the same topics, which often are all topics of the first draw."""
        same = self.topics_with(name, size) == self.topics_with(name, 2 * size)
        return drawn if same else _Mean(drawn.shape)

    def _drawn(self, models: int, size: int) -> list[_Subsets]:
        """Subsets of `size` models for every resample, and disjoint ones where there are enough models."""
        order = self.random.random((self.resamples, models)).argsort(axis=1)
        return [_Subsets.of(order[:, start : start + size], models) for start in (0, size) if start + size <= models]


@dataclass(frozen=True, eq=False)
class _Subsets:
    """Sets of models, each once, and which of them every resample has."""

    masks: Bools
    which: NDArray[np.intp]

    @classmethod
    def of(cls, drawn: NDArray[np.intp], models: int) -> _Subsets:
        masks = np.zeros((len(drawn), models), dtype=np.bool_)
        np.put_along_axis(masks, drawn, True, axis=1)
        if models > MOST_BITS:
            return cls(masks, np.arange(len(masks)))
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
        return settled(np.divide(sums, counts, out=np.full(self.shape, np.nan), where=counts > 0))

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
        self._counts = self._counts + (taken.shape[1] if present.all() else matrix @ present.astype(np.float64))
        self._rows, self._taken, self._height = [], [], 0
