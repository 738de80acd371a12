"""Betting on the mean of bounded values: tests and limits that are exact at every number of values, whatever the shape.

A gambler bets at each value that the mean is not m. If it is m, no way of betting multiplies the stake by 1/α with a
probability above α, however long one plays (Ville's inequality). So a mean against which the wealth has reached 1/α is
excluded for good, and 1/wealth is a p value. This is the hedged capital process of I. Waudby-Smith and A. Ramdas,
*Estimating means of bounded random variables by betting*, J. R. Statist. Soc. B 86, 2024, section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats, Integers
from pyramidion.errors import UsageError

MEANS = 1000
"""Steps of the grid of means, from the lowest possible value to the highest."""
PRIOR_MEAN = 0.5
PRIOR_VARIANCE = 0.25
"""What counts as known, with the weight of one value, before the first is seen."""
LARGEST_SHARE = 0.5
"""Of the wealth that can be lost in one bet."""
BLOCK = 1 << 21
"""Cells (means × values) that are held at a time."""
NEVER = np.iinfo(np.int64).max
CLOSE = (1e-6, 1e-3, 0.1, 0.5)
"""Steps of the grid from the null value to further means on either side."""
ROUNDING = 1e-12
LARGEST_LOG = 700.0
"""Of a wealth that a number can hold."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BettingSequence:
    """What values show about their mean, one entry for each number of values, from 1 on."""

    e: Floats
    """The wealth of the gambler who bets against the null value: on average at most 1 if that is the mean."""
    p: Floats
    """min(1, 1/max e) up to here."""
    lower: Floats
    """Limits of the mean: what all limits up to here have in common, as p is the smallest up to here.

    The null value is outside exactly when p is at most the level. NaN where nothing is in common, which happens in at
    most a share α of sequences of independent values.
    """
    upper: Floats
    last_lower: float
    """Limits by the wealth after the last value alone, whatever was excluded before."""
    last_upper: float


def betting_sequence(
    values: Floats,
    *,
    bounds: tuple[float, float],
    confidence: float,
    null: float = 0.0,
    planned: int | None = None,
    weights: Floats | None = None,
) -> BettingSequence:
    """The hedged capital confidence sequence of the mean of bounded values, in the order given.

    With x the values scaled to 0…1, K⁺(m) = ∏(1 + λ⁺(x − m)) is the wealth of one who bets on a mean above m, K⁻(m) =
    ∏(1 − λ⁻(x − m)) below it, and max(K⁺, K⁻)/2 ≥ 1/α excludes m. Bets are predictable plug-ins:
    λ = √(2·log(2/α)/(σ̂²·t·log(t + 1))), where σ̂² is the variance of the values before (with 1/4, and a mean of 1/2, for
    one value more); λ⁺ = min(λ, ½/m), λ⁻ = min(λ, ½/(1 − m)). As K⁺ falls and K⁻ rises with m, what is not excluded is
    an interval. Its limits are the outermost excluded means of a grid of 1,000, to which the null value is added.

    Args:
        values: bounded by `bounds`.
        bounds: the lowest and the highest possible value, known beforehand.
        confidence: of the limits, in percent; bets are tuned to it.
        null: the mean that p is about.
        planned: if the number of values is known beforehand, bets are tuned to it: `planned` takes the place of
            t·log(t + 1) (section 4.2 there).
        weights: above 0, up to 1: how much of a bet a value counts for, such as the size of a cluster whose mean it is,
            as a share of the largest. Then limits are of E(weight·value)/E(weight).

    >>> sequence = betting_sequence(np.full(12, 0.4), bounds=(-1, 1), confidence=95)
    >>> [round(float(number), 3) for number in (sequence.p[-1], sequence.lower[-1], sequence.upper[-1])]
    [0.224, -0.186, 0.652]
    """
    low, high = bounds
    width = high - low
    e = betting_wealth(values, bounds=bounds, confidence=confidence, null=null, planned=planned, weights=weights)
    game = _Game.of(values, bounds=bounds, confidence=confidence, planned=planned, weights=weights)
    exclusion = game.exclude(_grid_of_means((null - low) / width))
    lower, upper = exclusion.running_limits(len(values))
    # Limits that exclude each other are no interval: the values were not independent, or this is one of the α.
    is_empty = lower >= upper
    last_lower, last_upper = exclusion.last_limits()
    return BettingSequence(
        e=e,
        p=1 / np.maximum.accumulate(np.maximum(e, 1.0)),
        lower=np.where(is_empty, np.nan, low + width * lower),
        upper=np.where(is_empty, np.nan, low + width * upper),
        last_lower=low + width * last_lower,
        last_upper=low + width * last_upper,
    )


def betting_wealth(
    values: Floats,
    *,
    bounds: tuple[float, float],
    confidence: float,
    null: float | Floats = 0.0,
    planned: int | None = None,
    weights: Floats | None = None,
) -> Floats:
    """The wealth max(K⁺, K⁻)/2 against the null value after each value, as in `betting_sequence`, which explains all.

    Args:
        values: in the order of the last axis; others have sequences of their own.
        bounds: the lowest and the highest possible value.
        confidence: that bets are tuned to, in percent.
        null: the mean that is bet against; of several sequences one each, along the last axis but one.
        planned: the number of values, if it is known beforehand.
        weights: of the values, up to 1.
    """
    game = _Game.of(values, bounds=bounds, confidence=confidence, planned=planned, weights=weights)
    low, high = bounds
    rises, falls = game.log_wealth(np.array((null - low) / (high - low)))
    # Half of the stake is on either side, which is where the 2 of 2/α comes from.
    log_wealth = np.maximum(rises, falls) - np.log(2)
    return np.asarray(np.exp(np.minimum(log_wealth, LARGEST_LOG)))


def _grid_of_means(null: float) -> Floats:
    """Means from 0 to 1; the null value is among them, with some close to it, so that limits lie on its right side."""
    means = np.linspace(0, 1, MEANS + 1)
    if not 0 < null < 1:
        return means
    # p and the limits must agree about the null value, whatever step of the grid it would fall between.
    means = means[np.abs(means - null) > CLOSE[0] / MEANS]
    close = null + np.array([*(-np.array(CLOSE)), 0.0, *CLOSE]) / MEANS
    means = np.concatenate([means, close[(close > 0) & (close < 1)]])
    return np.unique(means)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Exclusion:
    """When each mean of a grid was excluded, as too low or as too high."""

    means: Floats
    too_low_from: Integers
    """After how many values the wealth of bets on a larger mean sufficed; NEVER if it did not."""
    too_high_from: Integers
    is_too_low: Bools
    """Whether it suffices after the last value."""
    is_too_high: Bools

    def running_limits(self, count: int) -> tuple[Floats, Floats]:
        """The largest mean that was too low, and the least that was too high, after each number of values."""
        lower, upper = np.zeros(count), np.ones(count)
        # Excluded once, excluded for good: the limits can only get closer.
        for mean, place in zip(self.means.tolist(), self.too_low_from.tolist(), strict=True):
            if place < count:
                lower[place] = max(lower[place], mean)
        for mean, place in zip(self.means.tolist(), self.too_high_from.tolist(), strict=True):
            if place < count:
                upper[place] = min(upper[place], mean)
        return np.maximum.accumulate(lower), np.minimum.accumulate(upper)

    def last_limits(self) -> tuple[float, float]:
        """The limits by the wealth after the last value alone."""
        lower = self.means[self.is_too_low].max(initial=0.0)
        upper = self.means[self.is_too_high].min(initial=1.0)
        return float(lower), float(upper)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Game:
    """Values between 0 and 1, the bets on them, and what it takes to exclude a mean."""

    values: Floats
    bets: Floats
    """λ before it is limited by the mean."""
    enough: float
    """log(2/α)."""
    weights: Floats

    @classmethod
    def of(
        cls,
        values: Floats,
        *,
        bounds: tuple[float, float],
        confidence: float,
        planned: int | None,
        weights: Floats | None,
    ) -> _Game:
        low, high = bounds
        scaled = (np.asarray(values, dtype=np.float64) - low) / (high - low)
        if scaled.size and not (scaled.min() >= -ROUNDING and scaled.max() <= 1 + ROUNDING):
            raise UsageError(
                f"found values from {np.min(values):g} to {np.max(values):g}; expected them from {low:g} to {high:g}"
            )
        scaled = np.clip(scaled, 0.0, 1.0)
        enough = float(np.log(2 / (1 - confidence / 100)))
        bets = _predictable_bets(scaled, enough, planned)
        return cls(values=scaled, bets=bets, enough=enough, weights=np.ones(1) if weights is None else weights)

    def log_wealth(self, means: Floats) -> tuple[Floats, Floats]:
        """Log K⁺ and log K⁻ against means, which are broadcast against the values; the last axis is that of values."""
        with np.errstate(divide="ignore"):
            # Limited so that the worst value costs half of the wealth at most: nobody who is ruined can bet again.
            on_larger = np.minimum(self.bets, LARGEST_SHARE / means)
            on_smaller = np.minimum(self.bets, LARGEST_SHARE / (1 - means))
        apart = self.weights * (self.values - means)
        return np.cumsum(np.log1p(on_larger * apart), axis=-1), np.cumsum(np.log1p(-on_smaller * apart), axis=-1)

    def exclude(self, means: Floats) -> _Exclusion:
        """When the wealth sufficed to exclude each mean."""
        parts = [
            [_first(wealth, self.enough) for wealth in self.log_wealth(block[:, None])] for block in self._blocks(means)
        ]
        too_low, too_high = (np.concatenate([part[side][0] for part in parts]) for side in (0, 1))
        low_now, high_now = (np.concatenate([part[side][1] for part in parts]) for side in (0, 1))
        return _Exclusion(
            means=means, too_low_from=too_low, too_high_from=too_high, is_too_low=low_now, is_too_high=high_now
        )

    def _blocks(self, means: Floats) -> Iterator[Floats]:
        # All means against all values at once would be gigabytes for a long sequence.
        size = max(BLOCK // max(len(self.values), 1), 1)
        for start in range(0, len(means), size):
            yield means[start : start + size]


def _first(log_wealth: Floats, enough: float) -> tuple[Integers, Bools]:
    """For each mean, the place of the first value after which the wealth suffices; and whether it does at the end."""
    suffices = log_wealth >= enough - ROUNDING
    if not suffices.shape[1]:
        return np.full(len(suffices), NEVER), np.zeros(len(suffices), dtype=np.bool_)
    return np.where(suffices.any(axis=1), suffices.argmax(axis=1), NEVER), suffices[:, -1]


def _predictable_bets(values: Floats, enough: float, planned: int | None) -> Floats:
    """λ before each value, by the variance of those before it: √(2·log(2/α)/(σ̂²·t·log(t + 1)))."""
    count = values.shape[-1]
    number = np.arange(1, count + 1)
    means = (PRIOR_MEAN + np.cumsum(values, axis=-1)) / (number + 1)
    variances = (PRIOR_VARIANCE + np.cumsum((values - means) ** 2, axis=-1)) / (number + 1)
    # A bet must not know the value that it is about: each is made with the variance of those before it.
    variances_before = np.full(values.shape, PRIOR_VARIANCE)
    variances_before[..., 1:] = variances[..., :-1]
    duration = number * np.log(number + 1) if planned is None else np.full(count, float(planned))
    bets: Floats = np.sqrt(2 * enough / (variances_before * duration))
    return bets
