"""How often tests reject equal systems when assessors rank systems differently, and how long a fit takes.

`python -m benchmarks.assessors [--runs 300]` prints both; the published ranges stand beside ours.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.tables import Table, machine
from pyramidion.arrays import Floats, Integers
from pyramidion.statistics.components import Components, fit_components
from pyramidion.statistics.simultaneous import adjusted_p
from pyramidion.statistics.variance import two_way_anova

VARIANCES = {"topic": 0.1, "assessor": 0.2, "summarizer:topic": 0.05, "topic:assessor": 0.05, "error": 0.3}
"""Besides summarizer:assessor, which differs from design to design."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A design to simulate, and the published shares of 5 % tests that reject equal systems."""

    name: str
    systems: int
    topics: int
    assessors: int
    nested: bool
    interaction: float
    """The variance of summarizer × assessor."""
    f: str
    tukey: str
    fixed: str


CROSSED = {"f": "2.7–5.8", "tukey": "2.8–5.6", "fixed": "5–100"}
NESTED = {"f": "2.7–5.6", "tukey": "2.8–5.5", "fixed": "5–100"}
PLANS = (
    Plan(name="crossed", systems=5, topics=10, assessors=3, nested=False, interaction=0.03, **CROSSED),
    Plan(name="crossed", systems=5, topics=10, assessors=5, nested=False, interaction=0.1, **CROSSED),
    Plan(name="nested", systems=5, topics=20, assessors=5, nested=True, interaction=0.03, **NESTED),
    Plan(name="nested", systems=13, topics=20, assessors=10, nested=True, interaction=0.1, **NESTED),
)


def judged(plan: Plan, generator: np.random.Generator) -> tuple[Integers, Integers, Integers, Floats]:
    """Judgments of systems that are equal: codes of system, topic and assessor, and the answers."""
    cells = np.array(
        [
            (system, topic, assessor)
            for topic in range(plan.topics)
            for assessor in ([topic % plan.assessors] if plan.nested else range(plan.assessors))
            for system in range(plan.systems)
        ]
    )
    system, topic, assessor = cells.T

    def effect(variance: float, *codes: Integers) -> Floats:
        combined = np.unique(np.stack(codes), axis=1, return_inverse=True)[1].ravel()
        return np.asarray(generator.normal(0, np.sqrt(variance), int(combined.max()) + 1)[combined])

    values = (
        3
        + effect(VARIANCES["topic"], topic)
        + effect(VARIANCES["assessor"], assessor)
        + effect(plan.interaction, system, assessor)
        + effect(VARIANCES["summarizer:topic"], system, topic)
        + effect(VARIANCES["topic:assessor"], topic, assessor)
        + generator.normal(0, np.sqrt(VARIANCES["error"]), len(cells))
    )
    return system, topic, assessor, values


def rejections(plan: Plan, runs: int, seed: int) -> tuple[float, float, float]:
    """Shares of runs in which F, Tukey's test and the F with assessors as given reject equal systems, in per cent."""
    generator = np.random.default_rng(seed)
    counts = np.zeros(3)
    for _ in range(runs):
        system, topic, assessor, values = judged(plan, generator)
        fit = fit_components(system, topic, assessor, values)
        assert isinstance(fit, Components)
        differences, variances, freedom = fit.pairs()
        upper = np.triu_indices(plan.systems, 1)
        t = differences[upper] / np.sqrt(variances[upper])
        most = int(np.argmax(np.abs(t)))
        p = adjusted_p("tukey", plan.systems, t[most : most + 1], freedom[upper][most : most + 1])
        means = np.full((plan.systems, plan.topics), 0.0)
        np.add.at(means, (system, topic), values)
        anova = two_way_anova(means / (1 if plan.nested else plan.assessors))
        assert anova is not None
        counts += [fit.f_test().p < 0.05, p[0] < 0.05, anova.row_table.p < 0.05]
    f, tukey, fixed = 100 * counts / runs
    return float(f), float(tukey), float(fixed)


def times() -> list[Sequence[str]]:
    """CPU seconds of one fit: DUC 2006's size, and 4,800 crossed rows."""
    rows: list[Sequence[str]] = []
    for name, plan in (
        (
            "35 systems, 50 topics, 10 assessors, one for each topic",
            Plan(name="", systems=35, topics=50, assessors=10, nested=True, interaction=0.05, **NESTED),
        ),
        (
            "4,800 crossed rows: 12 systems, 50 topics, 8 assessors",
            Plan(name="", systems=12, topics=50, assessors=8, nested=False, interaction=0.05, **CROSSED),
        ),
    ):
        data = judged(plan, np.random.default_rng(0))
        started = time.process_time()
        fit_components(*data)
        rows.append([name, str(len(data[3])), f"{time.process_time() - started:.2f}"])
    return rows


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.assessors", description=__doc__)
    parser.add_argument("--runs", type=int, default=300, help="simulated campaigns of each design (300)")
    runs = parser.parse_args().runs
    print(machine())
    found: list[Sequence[str]] = []
    for number, plan in enumerate(PLANS):
        f, tukey, fixed = rejections(plan, runs, number)
        size = f"{plan.systems} systems, {plan.topics} topics, {plan.assessors} assessors, σ²sa {plan.interaction:g}"
        row = [f"{plan.name}: {size}", f"{f:.1f}", plan.f, f"{tukey:.1f}", plan.tukey, f"{fixed:.1f}", plan.fixed]
        found.append(row)
    head = ["design", "F", "published", "Tukey", "published", "assessors as given", "published"]
    title = f"Share of 5 % tests that reject equal systems, {runs} runs"
    print(Table(title, "", head, [*found]).markdown())
    print(Table("CPU seconds of one fit", "", ["campaign", "judgments", "seconds"], [*times()]).markdown())


if __name__ == "__main__":
    main()
