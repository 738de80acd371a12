"""The restricted likelihood of variance components, and its derivatives.

`Design` is for any judgments: products of the indicators of all terms' levels, and a Cholesky factor for each vector of
components. `Crossed` is for judgments in which everyone judged everything once: there the sums of squares of the
analysis of variance hold all that the data says, and nothing has to be factorised.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol

import numpy as np

from pyramidion.arrays import Floats, Integers


class Likelihood(Protocol):
    """The likelihood at one vector of components, and what follows from it."""

    criterion: float
    """−2 log of the restricted likelihood."""
    means: Floats
    """Of the summarizers, less the mean of all judgments."""

    def derivatives(self) -> tuple[Floats, Floats]:
        """The score ½(q − tr) and the expected information of the components, the error's last."""

    @property
    def covariance(self) -> Floats:
        """Summarizers × summarizers: (X′V⁻¹X)⁻¹."""

    @property
    def spread(self) -> Floats:
        """Terms × summarizers × summarizers: the Gram matrices of Z′V⁻¹XC, one for each term."""


class Judged(Protocol):
    """Judgments, reduced to what the likelihood needs."""

    @property
    def centre(self) -> float:
        """The mean of all judgments."""

    @property
    def within(self) -> float:
        """The variance within summarizers."""

    @property
    def largest(self) -> float:
        """A square that the judgments' own size has."""

    def at(self, components: Floats) -> Likelihood:
        """The likelihood of these components, the error's last."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Design:
    """The judgments' rows as indicator matrices, reduced to what estimation needs: their products."""

    slices: tuple[slice, ...]
    """The columns of each term."""
    products: Floats
    """Z′Z."""
    with_means: Floats
    """Z′X."""
    with_values: Floats
    """Z′y."""
    counts: Floats
    """The diagonal of X′X: judgments of each summarizer."""
    sums: Floats
    """X′y."""
    square: float
    """y′y, of the centred values."""
    centre: float
    rows: int

    @property
    def within(self) -> float:
        """The variance within summarizers."""
        return (self.square - float((self.sums**2 / self.counts).sum())) / (self.rows - len(self.counts))

    @property
    def largest(self) -> float:
        """A square that the judgments' own size has."""
        return max(self.square / self.rows, self.centre**2)

    def at(self, components: Floats) -> Likelihood:
        """The likelihood of these components, the error's last."""
        return _Factorised(self, components)


def design_of(summarizers: Integers, codes: Sequence[Integers], values: Floats, count: int) -> Design:
    """The products of the indicators of all terms' levels; `codes` has the level of each judgment, for each term."""
    ends = np.cumsum([0, *(int(code.max()) + 1 for code in codes)])
    slices = tuple(slice(int(start), int(end)) for start, end in pairwise(ends))
    products = np.zeros((int(ends[-1]),) * 2)
    centre = float(values.mean())
    centred = values - centre
    for i, first in enumerate(slices):
        for j, second in enumerate(slices[: i + 1]):
            products[first, second] = level_counts(codes[i], codes[j])
            products[second, first] = products[first, second].T
    with_means = [level_counts(code, summarizers, count) for code in codes]
    with_values = [np.bincount(code, weights=centred) for code in codes]
    return Design(
        slices=slices,
        products=products,
        with_means=np.concatenate(with_means) if with_means else np.zeros((0, count)),
        with_values=np.concatenate(with_values) if with_values else np.zeros(0),
        counts=np.bincount(summarizers, minlength=count).astype(np.float64),
        sums=np.bincount(summarizers, weights=centred, minlength=count).astype(np.float64),
        square=float(centred @ centred),
        centre=centre,
        rows=len(values),
    )


def level_counts(first: Integers, second: Integers, columns: int | None = None) -> Floats:
    """How often levels occur together: Z_k′Z_l."""
    rows, columns = int(first.max()) + 1, columns or int(second.max()) + 1
    return np.bincount(first * columns + second, minlength=rows * columns).reshape(rows, columns).astype(np.float64)


class _Factorised:
    """The likelihood at one vector of components, and what follows from it."""

    def __init__(self, design: Design, values: Floats) -> None:
        from scipy.linalg import solve_triangular

        self.design, self.values = design, values
        self.error = float(values[-1])
        roots = np.zeros(len(design.products))
        for part, value in zip(design.slices, values, strict=False):
            roots[part] = math.sqrt(value / self.error)
        inner = roots[:, None] * design.products * roots
        inner[np.diag_indices_from(inner)] += 1.0
        factor = np.linalg.cholesky(inner)

        def reduced(right: Floats) -> Floats:
            scaled = roots[:, None] * right if right.ndim > 1 else roots * right
            return solve_triangular(factor, scaled, lower=True, check_finite=False)

        means, answers = reduced(design.with_means), reduced(design.with_values)
        self._reduced_products = reduced(design.products)
        self._reduced_means, self._reduced_answers = means, answers
        precision = np.diag(design.counts) - means.T @ means
        self._precision_factor = np.linalg.cholesky(precision)
        inverse = np.linalg.inv(precision)
        self.inverse = (inverse + inverse.T) / 2
        weighted = design.sums - means.T @ answers
        self.means = self.inverse @ weighted
        self.remainder = (design.square - float(answers @ answers) - float(weighted @ self.means)) / self.error
        """y′Py."""
        self.freedom = design.rows - len(design.counts)
        self.criterion = (
            2 * float(np.log(np.diag(factor)).sum())
            + 2 * float(np.log(np.diag(self._precision_factor)).sum())
            + self.freedom * math.log(2 * math.pi * self.error)
            + self.remainder
        )

    @cached_property
    def with_means(self) -> Floats:
        """Z′H⁻¹X, H = V/θ_e."""
        return self.design.with_means - self._reduced_products.T @ self._reduced_means

    def derivatives(self) -> tuple[Floats, Floats]:
        """The score ½(q − tr) and the expected information of the components, the error's last."""
        design, error, terms = self.design, self.error, self.values[:-1]
        reduced, across = self._reduced_products, self.with_means
        projected = (design.products - reduced.T @ reduced - across @ self.inverse @ across.T) / error
        answers = (design.with_values - reduced.T @ self._reduced_answers - across @ self.means) / error
        parts = design.slices
        traces = np.array([np.trace(projected[part, part]) for part in parts])
        squares = np.array([float(answers[part] @ answers[part]) for part in parts])
        information = np.zeros((len(parts) + 1,) * 2)
        for i, first in enumerate(parts):
            for j, second in enumerate(parts[: i + 1]):
                information[i, j] = information[j, i] = 0.5 * float((projected[first, second] ** 2).sum())
        trace = (self.freedom - float(terms @ traces)) / error
        square = (self.remainder - float(terms @ squares)) / error
        with_error = (0.5 * traces - information[:-1, :-1] @ terms) / error
        information[-1, :-1] = information[:-1, -1] = with_error
        information[-1, -1] = (0.5 * trace - float(with_error @ terms)) / error
        return 0.5 * (np.append(squares, square) - np.append(traces, trace)), information

    @property
    def covariance(self) -> Floats:
        """(X′V⁻¹X)⁻¹."""
        return self.error * self.inverse

    @property
    def spread(self) -> Floats:
        """The Gram matrices of Z′V⁻¹XC, one for each term."""
        across, count = self.with_means @ self.inverse, len(self.means)
        found = [across[part].T @ across[part] for part in self.design.slices]
        return np.array(found).reshape(len(found), count, count)


@dataclass(frozen=True, kw_only=True, eq=False)
class Crossed:
    """One judgment for each summarizer, topic and assessor: a mean square for each stratum holds all that is known.

    The strata without the fixed effects are topic, assessor, summarizer:assessor, summarizer:topic, topic:assessor and
    the error; the expected mean square of a stratum is λ = Σ cₖ·θₖ over the terms, in the order of the model.
    """

    shape: tuple[int, int, int]
    """Summarizers, topics, assessors."""
    means: Floats
    """Of the summarizers, of the centred values."""
    squares: Floats
    """Of each stratum."""
    centre: float
    square: float

    @property
    def within(self) -> float:
        """The variance within summarizers."""
        return float(self.squares.sum() / self.freedom.sum())

    @property
    def largest(self) -> float:
        """A square that the judgments' own size has."""
        return max(self.square / math.prod(self.shape), self.centre**2)

    @cached_property
    def freedom(self) -> Floats:
        """Degrees of freedom of each stratum."""
        systems, topics, assessors = (one - 1.0 for one in self.shape)
        crossed = (systems * assessors, systems * topics, topics * assessors, systems * topics * assessors)
        return np.array([topics, assessors, *crossed])

    @cached_property
    def coefficients(self) -> Floats:
        """Strata × terms, the error last."""
        systems, topics, assessors = self.shape
        return np.array(
            [
                [systems * assessors, 0, 0, assessors, systems, 1],
                [0, systems * topics, topics, 0, systems, 1],
                [0, 0, topics, 0, 0, 1],
                [0, 0, 0, assessors, 0, 1],
                [0, 0, 0, 0, systems, 1],
                [0, 0, 0, 0, 0, 1],
            ],
            dtype=np.float64,
        )

    def at(self, components: Floats) -> Likelihood:
        """The likelihood of these components, the error's last."""
        return _Strata(self, components)


def crossed(summarizers: Integers, topics: Integers, assessors: Integers, values: Floats) -> Crossed | None:
    """The strata of judgments in which everyone judged everything once; None if they are not like that."""
    systems, count, people = (int(codes.max()) + 1 for codes in (summarizers, topics, assessors))
    if min(systems, count, people) < 2 or len(values) != systems * count * people:
        return None
    places = (summarizers * count + topics) * people + assessors
    if np.bincount(places, minlength=len(values)).max() > 1:
        return None
    centre = float(values.mean())
    centred = np.empty(len(values))
    centred[places] = values - centre
    table: Floats = centred.reshape(systems, count, people)
    left, squares = table - table.mean(), []
    means = left.mean(axis=(1, 2))
    left = left - means[:, None, None]
    # Each stratum's effects are means of what the strata before it left.
    for over in ((0, 2), (0, 1), (1,), (2,), (0,), ()):
        effect = left.mean(axis=over, keepdims=True)
        squares.append(float((effect**2).sum()) * (len(values) / effect.size))
        left = left - effect
    return Crossed(
        shape=(systems, count, people),
        means=means,
        squares=np.array(squares),
        centre=centre,
        square=float((table**2).sum()),
    )


class _Strata:
    """The likelihood of a crossed design: Σ df·log λ + SS/λ over its strata, up to a constant."""

    def __init__(self, data: Crossed, components: Floats) -> None:
        self.data, self.components = data, components
        self.means = data.means
        self._expected = data.coefficients @ components
        systems, topics, assessors = data.shape
        self.criterion = float(
            data.freedom @ np.log(2 * math.pi * self._expected) + (data.squares / self._expected).sum()
        ) + systems * math.log(topics * assessors)

    def derivatives(self) -> tuple[Floats, Floats]:
        """The score and the expected information."""
        expected, freedom, coefficients = self._expected, self.data.freedom, self.data.coefficients
        score = 0.5 * ((self.data.squares / expected**2 - freedom / expected) @ coefficients)
        return score, 0.5 * (coefficients.T * (freedom / expected**2)) @ coefficients

    @property
    def covariance(self) -> Floats:
        """(X′V⁻¹X)⁻¹: means differ by what their own stratum varies, and share what all have in common."""
        systems, topics, assessors = self.data.shape
        topic, assessor, by_assessor, by_topic, between, error = self.components
        own = error + topics * by_assessor + assessors * by_topic
        shared = systems * (assessors * topic + topics * assessor + between)
        return np.asarray((own * np.eye(systems) + shared / systems) / (topics * assessors))

    @property
    def spread(self) -> Floats:
        """Z′V⁻¹XC is the average of each level's judgments of a summarizer, whatever the components."""
        systems, topics, assessors = self.data.shape
        alone, alike = np.eye(systems), np.ones((systems, systems))
        return np.array(
            [alike / topics, alike / assessors, alone / assessors, alone / topics, alike / (topics * assessors)]
        )
