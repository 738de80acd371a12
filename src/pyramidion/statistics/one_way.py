"""One-way analysis of variance with Tukey's comparison of all groups, and the marks that tables show it with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion.arrays import Bools, Floats
from pyramidion.statistics.studentized import studentized_range
from pyramidion.statistics.values import SLACK, f_p

SYMBOLS = "*†‡§¶‖#"
"""Marks in the order in which they are given out; then each doubled, and so on."""


@dataclass(frozen=True, kw_only=True, eq=False)
class OneWay:
    """Whether groups of values have the same mean, and which two differ."""

    f: float
    between: int
    """Degrees of freedom between groups."""
    within: int
    p: float
    """NaN if no group varies: F is then infinite, or undefined."""
    differs: Bools
    """Groups × groups."""


def one_way(groups: Sequence[Floats], *, confidence: float = 95.0) -> OneWay | None:
    """F = MS between / MS within; two groups differ by Tukey–Kramer, |difference| ≥ q·√(MSE/2·(1/nᵢ + 1/nⱼ)).

    Where no group varies, any difference of means counts (F is infinite then, or NaN if all are equal). None if
    there are fewer than two groups, an empty one, or no degree of freedom within.
    """
    sizes = np.array([len(group) for group in groups])
    within = int(sizes.sum()) - len(groups)
    if len(groups) < 2 or not sizes.all() or within < 1:
        return None
    means = np.array([group.mean() for group in groups])
    residual = sum(float(((group - mean) ** 2).sum()) for group, mean in zip(groups, means, strict=True))
    scale = max(float(np.abs(group).max()) for group in groups)
    error = residual / within if residual > (scale * SLACK) ** 2 * sizes.sum() else 0.0
    grand = float((means * sizes).sum() / sizes.sum())
    spread = float((sizes * (means - grand) ** 2).sum()) / (len(groups) - 1)
    differences = np.abs(means[:, None] - means[None, :])
    differences[differences < scale * SLACK] = 0.0
    if error:
        f = spread / error
        p = f_p(f, len(groups) - 1, within)
        critical = studentized_range(confidence, len(groups), within) * np.sqrt(
            error / 2 * (1 / sizes[:, None] + 1 / sizes[None, :])
        )
        differs = (differences >= critical) & (differences > 0)
    else:
        differs = differences > 0
        f, p = np.inf if differs.any() else np.nan, np.nan
    return OneWay(f=float(f), between=len(groups) - 1, within=within, p=p, differs=differs)


def significance_marks(differs: Bools) -> list[str]:
    """Marks of the rows of a column (Owczarzak & Dang 2009, Tables 1–11): not letters.

    Going down, a row gets a fresh symbol if some later row does not differ from it, and those rows get it, too.
    """
    marks = [""] * len(differs)
    mark_count = 0
    for row in range(len(differs)):
        alike = [later for later in range(row + 1, len(differs)) if not differs[row, later]]
        if alike:
            symbol = SYMBOLS[mark_count % len(SYMBOLS)] * (mark_count // len(SYMBOLS) + 1)
            mark_count += 1
            for marked in (row, *alike):
                marks[marked] += symbol
    return marks
