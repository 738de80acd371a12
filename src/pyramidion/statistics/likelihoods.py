"""The restricted likelihood of variance components, and its derivatives.

`DesignMatrices` is for any judgments: products of the indicators of all terms' levels, and a Cholesky factor for each
vector of components. `Crossed` is for judgments in which everyone judged everything once: there the sums of squares of
the analysis of variance hold all that the data says, and nothing has to be factorised.
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


class MixedModel(Protocol):
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
class DesignMatrices:
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

    @cached_property
    def eliminated(self) -> Eliminated:
        """Its parts, with the term of the most levels apart."""
        sizes = [part.stop - part.start for part in self.slices]
        # The larger the block that is eliminated, the smaller the factor that is left.
        term = int(np.argmax(sizes)) if sizes else 0
        own_columns = np.arange(len(self.products))[self.slices[term]] if sizes else np.zeros(0, dtype=np.int64)
        rest = np.setdiff1d(np.arange(len(self.products)), own_columns)
        left = tuple(size for place, size in enumerate(sizes) if place != term)
        ends = np.cumsum([0, *left])
        return Eliminated(
            term=term,
            counts=np.diag(self.products)[own_columns],
            with_rest=self.products[np.ix_(own_columns, rest)],
            with_means=self.with_means[own_columns],
            with_values=self.with_values[own_columns],
            rest=self.products[np.ix_(rest, rest)],
            rest_with_means=self.with_means[rest],
            rest_with_values=self.with_values[rest],
            rest_slices=tuple(slice(int(start), int(end)) for start, end in pairwise(ends)),
            rest_sizes=left,
        )

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Eliminated:
    """The term with the most levels, apart from the others."""

    term: int
    counts: Floats
    """Judgments of each of its levels."""
    with_rest: Floats
    """Its levels × those of the other terms."""
    with_means: Floats
    with_values: Floats
    rest: Floats
    """Z′Z of the other terms."""
    rest_with_means: Floats
    rest_with_values: Floats
    rest_slices: tuple[slice, ...]
    rest_sizes: tuple[int, ...]


def design_of(summarizers: Integers, codes: Sequence[Integers], values: Floats, count: int) -> DesignMatrices:
    """The products of the indicators of all terms' levels; `codes` has the level of each judgment, for each term."""
    ends = np.cumsum([0, *(int(code.max()) + 1 for code in codes)])
    slices = tuple(slice(int(start), int(end)) for start, end in pairwise(ends))
    products = np.zeros((int(ends[-1]),) * 2)
    # Sums of squares of judgments far from 0 would lose the digits in which they differ.
    centre = float(values.mean())
    centred = values - centre
    for i, first in enumerate(slices):
        for j, second in enumerate(slices[: i + 1]):
            products[first, second] = level_counts(codes[i], codes[j])
            products[second, first] = products[first, second].T
    with_means = [level_counts(code, summarizers, count) for code in codes]
    with_values = [np.bincount(code, weights=centred) for code in codes]
    return DesignMatrices(
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
    """The likelihood of any design, by a Cholesky factor.

    The term with the most levels (d) is eliminated first, because its own block of Z′Z is diagonal: with
    s = 1/(1 + γn) for its levels of n judgments, Z_d′H_d⁻¹B = s·Z_d′B, H_d = I + γ·Z_d Z_d′. What is left of the other
    terms (r) is factorised: LL′ = I + √γ·Z_r′H_d⁻¹Z_r·√γ.
    """

    def __init__(self, design: DesignMatrices, values: Floats) -> None:
        from scipy.linalg import solve_triangular

        self.design, self.values = design, values
        self.error = float(values[-1])
        ratios = values[:-1] / self.error
        eliminated = design.eliminated
        self._shrunk = 1 / (1 + (ratios[eliminated.term] if len(ratios) else 0.0) * eliminated.counts)
        weights = (1 - self._shrunk) / eliminated.counts
        with_rest, with_means, with_values = eliminated.with_rest, eliminated.with_means, eliminated.with_values
        weighted = weights[:, None] * with_rest
        self._products = eliminated.rest - with_rest.T @ weighted
        self._means_left = eliminated.rest_with_means - weighted.T @ with_means
        self._values_left = eliminated.rest_with_values - weighted.T @ with_values
        roots = np.sqrt(np.repeat(np.delete(ratios, eliminated.term) if len(ratios) else ratios, eliminated.rest_sizes))
        inner = roots[:, None] * self._products * roots
        inner[np.diag_indices_from(inner)] += 1.0
        factor = np.linalg.cholesky(inner)

        def reduced(right: Floats) -> Floats:
            scaled = roots[:, None] * right if right.ndim > 1 else roots * right
            return solve_triangular(factor, scaled, lower=True, check_finite=False)

        self._reduced = reduced
        means, answers = reduced(self._means_left), reduced(self._values_left)
        self._reduced_means, self._reduced_answers = means, answers
        precision = np.diag(design.counts) - with_means.T @ (weights[:, None] * with_means) - means.T @ means
        precision_factor = np.linalg.cholesky(precision)
        inverse = np.linalg.inv(precision)
        # Rounding leaves an inverse slightly lopsided, and a Cholesky factor of it is taken below.
        self.inverse = (inverse + inverse.T) / 2
        sums = design.sums - with_means.T @ (weights * with_values) - means.T @ answers
        self.means = self.inverse @ sums
        square = design.square - float(weights @ with_values**2) - float(answers @ answers)
        self.remainder = (square - float(sums @ self.means)) / self.error
        """y′Py."""
        self.freedom = design.rows - len(design.counts)
        self.criterion = (
            2 * float(np.log(np.diag(factor)).sum())
            - float(np.log(self._shrunk).sum())
            + 2 * float(np.log(np.diag(precision_factor)).sum())
            + self.freedom * math.log(2 * math.pi * self.error)
            + self.remainder
        )

    @cached_property
    def _own_reduced(self) -> Floats:
        """L⁻¹√γ·Z_r′H_d⁻¹Z_d, transposed: levels of the eliminated term × levels of the others."""
        return self._reduced((self._shrunk[:, None] * self.design.eliminated.with_rest).T).T

    @cached_property
    def _across(self) -> tuple[Floats, Floats]:
        """Z′H⁻¹X, H = V/θ_e: of the eliminated term, and of the others."""
        own_part = self._shrunk[:, None] * self.design.eliminated.with_means - self._own_reduced @ self._reduced_means
        return own_part, self._means_left - self._reduced_products.T @ self._reduced_means

    @cached_property
    def _reduced_products(self) -> Floats:
        return self._reduced(self._products)

    def derivatives(self) -> tuple[Floats, Floats]:
        """The score and the expected information."""
        design, error, terms = self.design, self.error, self.values[:-1]
        eliminated, reduced, (own_part, rest) = design.eliminated, self._reduced_products, self._across
        count = len(terms)
        traces, squares, information = np.zeros(count), np.zeros(count), np.zeros((count + 1, count + 1))
        projected = (self._products - reduced.T @ reduced - rest @ self.inverse @ rest.T) / error
        answers = (self._values_left - reduced.T @ self._reduced_answers - rest @ self.means) / error
        other_terms = list(zip(np.delete(np.arange(count), eliminated.term), eliminated.rest_slices, strict=True))
        for place, part in other_terms:
            traces[place] = np.trace(projected[part, part])
            squares[place] = float(answers[part] @ answers[part])
            for other, second in other_terms:
                information[place, other] = 0.5 * float((projected[part, second] ** 2).sum())
        if count:
            here = eliminated.term
            with_rest = self._shrunk[:, None] * eliminated.with_rest - self._own_reduced @ reduced
            with_rest = (with_rest - own_part @ self.inverse @ rest.T) / error
            for place, part in other_terms:
                information[here, place] = information[place, here] = 0.5 * float((with_rest[:, part] ** 2).sum())
            # Z_d′PZ_d = (D − UU′)/θ_e, D diagonal: its trace and the sum of its squares need no matrix of that size.
            diagonal = self._shrunk * eliminated.counts
            columns = np.column_stack([self._own_reduced, own_part @ np.linalg.cholesky(self.inverse)])
            lengths = np.einsum("ij,ij->i", columns, columns)
            inside = columns.T @ columns
            traces[here] = float((diagonal - lengths).sum()) / error
            size = float((diagonal**2 - 2 * diagonal * lengths).sum()) + float((inside**2).sum())
            information[here, here] = 0.5 * size / error**2
            own_answers = self._shrunk * eliminated.with_values - self._own_reduced @ self._reduced_answers
            own_answers = (own_answers - own_part @ self.means) / error
            squares[here] = float(own_answers @ own_answers)
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
        own_part, rest = (part @ self.inverse for part in self._across)
        grams = [rest[part].T @ rest[part] for part in self.design.eliminated.rest_slices]
        if self.design.slices:
            grams.insert(self.design.eliminated.term, own_part.T @ own_part)
        return np.array(grams).reshape(len(grams), len(self.means), len(self.means))


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
        systems, topics, assessors = (count - 1.0 for count in self.shape)
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
        variance = error + topics * by_assessor + assessors * by_topic
        shared = systems * (assessors * topic + topics * assessor + between)
        return np.asarray((variance * np.eye(systems) + shared / systems) / (topics * assessors))

    @property
    def spread(self) -> Floats:
        """Z′V⁻¹XC is the average of each level's judgments of a summarizer, whatever the components."""
        systems, topics, assessors = self.data.shape
        alone, alike = np.eye(systems), np.ones((systems, systems))
        return np.array(
            [alike / topics, alike / assessors, alone / assessors, alone / topics, alike / (topics * assessors)]
        )
