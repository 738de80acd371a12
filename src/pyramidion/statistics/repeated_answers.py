"""How reproducible a judge is: how much its answers vary between runs, between prompts, and between summaries."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.statistics.power import variance_limits

MOST_RUNS = 1000
"""Beyond this number nobody would repeat a judgment, and none is given."""


@dataclass(frozen=True, kw_only=True)
class RunVariance:
    """Variance of single answers, in parts; None where undefined."""

    runs: int
    """Answers about a summary, at most."""
    items: int
    """Summaries with two runs or more."""
    within: float | None = None
    """Between runs about one summary."""
    lower: float | None = None
    upper: float | None = None
    between: float | None = None
    """Between summaries, without what runs add; 0 if none is left."""
    equal: float | None = None
    """Share of summaries whose runs all gave the same answer."""
    reason: str = ""

    @property
    def reliability(self) -> float | None:
        """Of one run: the share of the variance of answers that is due to the summaries."""
        if self.within is None or self.between is None or self.within + self.between <= 0:
            return None
        return self.between / (self.within + self.between)

    def runs_for(self, reliability: float) -> int | None:
        """Runs whose mean has this reliability, r/(1 − r)·within/between; None if even a thousand would not do.

        >>> RunVariance(runs=2, items=9, within=1.0, between=3.0).runs_for(0.9)
        3
        """
        if self.within is None or self.between is None or self.between <= 0:
            return None
        # Room for rounding, so that 3.0000000001 runs are not four.
        runs = max(1, math.ceil(reliability / (1 - reliability) * self.within / self.between - 1e-9))
        return runs if runs <= MOST_RUNS else None


def run_variance(answers: Floats, *, confidence: float = 95.0) -> RunVariance:
    """Split the variance of answers (summaries × runs, NaN where there is none) into runs and summaries.

    One-way analysis of variance with unequal numbers: within = Σ(y − ȳ_i)²/Σ(k_i − 1), between = (MS_between −
    within)/k₀ with k₀ = (N − Σk_i²/N)/(I − 1); limits of `within` by χ².
    """
    is_given = ~np.isnan(answers)
    counts = is_given.sum(axis=1)
    runs, items = int(counts.max(initial=0)), int((counts >= 2).sum())
    freedom = int((counts[counts > 0] - 1).sum())
    if not items or freedom < 1:
        return RunVariance(runs=runs, items=items, reason="no summary was judged twice")
    answered = answers[counts > 0]
    numbers = counts[counts > 0].astype(np.float64)
    means = np.nanmean(answered, axis=1)
    within = float(np.nansum((answered - means[:, None]) ** 2)) / freedom
    total = float(numbers.sum())
    between = None
    if len(means) > 1:
        grand = float(numbers @ means) / total
        mean_square = float(numbers @ (means - grand) ** 2) / (len(means) - 1)
        size = (total - float((numbers**2).sum()) / total) / (len(means) - 1)
        between = max(0.0, (mean_square - within) / size)
    lower, upper = variance_limits(within, freedom, confidence=confidence)
    repeated = answers[counts >= 2]
    equal = float((np.nanmax(repeated, axis=1) == np.nanmin(repeated, axis=1)).mean())
    return RunVariance(runs=runs, items=items, within=within, lower=lower, upper=upper, between=between, equal=equal)


@dataclass(frozen=True, kw_only=True)
class PromptVariance:
    """Variance of the answers of one model to several prompts about the same summaries."""

    prompts: int
    items: int
    level: float
    """Between the mean answers to each prompt: it shifts all summaries, and no ranking."""
    interaction: float
    """What prompts do to single summaries, with the noise of runs in it."""
    between: float
    """Between summaries."""


def prompt_variance(answers: Floats) -> PromptVariance | None:
    """Split the variance of answers (summaries × prompts) by a two-way analysis; None with fewer than 2 of either.

    Mean squares of summaries, prompts and their interaction: between = (MS_s − MS_sp)/p, level = (MS_p − MS_sp)/s, both
    at least 0, interaction = MS_sp. Only summaries with an answer to every prompt count.
    """
    complete = answers[~np.isnan(answers).any(axis=1)]
    items, prompts = complete.shape
    if items < 2 or prompts < 2:
        return None
    grand = float(complete.mean())
    rows, columns = complete.mean(axis=1), complete.mean(axis=0)
    of_items = prompts * float(((rows - grand) ** 2).sum()) / (items - 1)
    of_prompts = items * float(((columns - grand) ** 2).sum()) / (prompts - 1)
    rest = complete - rows[:, None] - columns + grand
    interaction = float((rest**2).sum()) / ((items - 1) * (prompts - 1))
    return PromptVariance(
        prompts=prompts,
        items=items,
        level=max(0.0, (of_prompts - interaction) / items),
        interaction=interaction,
        between=max(0.0, (of_items - interaction) / prompts),
    )
