"""How often 5 % tests reject equal systems, and how often the limits of σ²sa cover it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.assessors.designs import Design, Group
from benchmarks.tables import Table
from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.components import Components, fit_components
from pyramidion.statistics.simultaneous import adjusted_p
from pyramidion.statistics.variance import two_way_anova

LEVEL = 0.05


@dataclass(frozen=True)
class Rates:
    """Of the simulated campaigns of one design, in per cent."""

    f: float
    tukey: float
    fixed: float
    """The F test of summarizer + topic on means over assessors: assessors as given."""
    covered: float
    """How often the limits of σ²sa cover it; NaN where there is none to cover."""
    unfit: int
    """Campaigns without a fit: not counted."""


def rates(design: Design, runs: int, seed: int) -> Rates:
    """Simulate that many campaigns."""
    generator = np.random.default_rng(seed)
    counts = np.zeros(4)
    fitted = 0
    for run in range(runs):
        system, topic, assessor, values = design.judgments(generator)
        fit = fit_components(system, topic, assessor, values)
        if not isinstance(fit, Components):
            continue
        fitted += 1
        means = _means(design, system, topic, values)
        anova = two_way_anova(means)
        assert anova is not None
        counts += [fit.f_test().p < LEVEL, _largest(fit) < LEVEL, anova.row_table.p < LEVEL, _covers(design, fit, run)]
    f, tukey, fixed, covered = (100 * counts / fitted).tolist()
    return Rates(f, tukey, fixed, covered if design.interaction else np.nan, runs - fitted)


def _largest(fit: Components) -> float:
    """Tukey's p of the pair whose difference is the largest in units of its error."""
    differences, variances, freedom = fit.pairs()
    upper = np.triu_indices(len(fit.means), 1)
    t = differences[upper] / np.sqrt(variances[upper])
    most = int(np.argmax(np.abs(t)))
    one = slice(most, most + 1)
    return float(adjusted_p("tukey", len(fit.means), t[one], freedom[upper][one])[0])


def _means(design: Design, system: Integers, topic: Integers, values: Floats) -> Floats:
    shape = (design.systems, design.topics)
    cells = system * design.topics + topic
    size = design.systems * design.topics
    counts = np.bincount(cells, minlength=size)
    sums = np.bincount(cells, weights=values, minlength=size)
    means = np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)
    return np.asarray(means.reshape(shape))


def _covers(design: Design, fit: Components, seed: int) -> bool:
    if not design.interaction or "summarizer:assessor" not in fit.terms:
        return False
    place = fit.names.index("summarizer:assessor")
    lower, upper = fit.limits(confidence=95, seed=seed)
    return bool(lower[place] <= design.interaction <= upper[place])


def error_rates(groups: Sequence[Group], runs: int, say: Callable[[str], None]) -> Table:
    """A row for each group: the least and the largest rate of its designs, with the earlier range."""
    table = Table(
        "False positives when assessors are a sample",
        f"{runs:,} simulated campaigns of equal systems for each design, σ²sa from 0 to .1 next to .40 of the other "
        "interactions and error. Share of 5 % tests that reject, in per cent, from the design with the fewest to that "
        "with the most; after each, the earlier range. “Covered” is how often the 95 % limits of σ²sa contain it.",
        [
            "design",
            "designs",
            "F",
            "earlier",
            "Tukey",
            "earlier",
            "as given: F",
            "earlier",
            "covered",
            "earlier",
        ],
    )
    seed = 0
    for group in groups:
        found: list[Rates] = []
        for design in group.designs:
            say(f"{group.name}: {len(found) + 1} of {len(group.designs)}")
            found.append(rates(design, runs, seed))
            say(str(found[-1]))
            seed += 1
        covered = [one.covered for one in found if not np.isnan(one.covered)] if group.limits else []
        table.rows.append(
            [
                group.name,
                str(len(found)),
                _range([one.f for one in found]),
                group.f,
                _range([one.tukey for one in found]),
                group.tukey,
                _range([one.fixed for one in found]),
                group.fixed,
                _range(covered),
                group.limits,
            ]
        )
        if unfit := sum(one.unfit for one in found):
            table.notes.append(f"{group.name}: {unfit} campaigns had no fit and are not counted.")
    spread = 100 * np.sqrt(LEVEL * (1 - LEVEL) / runs)
    table.notes.append(
        f"With {runs:,} campaigns a true rate of 5 % is found as {5 - 2 * spread:.1f} to {5 + 2 * spread:.1f} % in 95 "
        f"of 100 designs: the range of many designs is wider by chance than the earlier one of up to 10,000 "
        "campaigns each."
    )
    return table


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.1f}–{max(values):.1f}" if values else ""
