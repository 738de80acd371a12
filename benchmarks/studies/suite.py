"""What is measured: the studies of models and topics at the size of TAC 2008, HBR at that of DUC 2006, and coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from benchmarks.studies.coverage import models_coverage, topics_coverage
from benchmarks.tables import Table, number
from benchmarks.timing import Seconds, best_of_rounds, stopwatch
from pyramidion import study
from pyramidion.campaign import Campaign
from pyramidion.simulate import CampaignDesign, simulate_campaign
from pyramidion.statistics.auc import area_under_curve, robustness
from pyramidion.statistics.heterogeneity import corroboration, estimate_heterogeneity, heterogeneity_ranking

BEGIN: Final = "<!-- results: written by python -m benchmarks studies -->"
MEASURES: Final = ("rouge-1.recall", "rouge-2.recall", "rouge-l.recall", "rouge-su4.recall")
QUALITY: Final = "question.simulated-responsiveness"
TAC_2008: Final = CampaignDesign(topics=48, summarizers=58, models=4, judgments=True)
DUC_2006: Final = (21, 35, 50)
"""Measures × summarizers × topics."""


def tables(rounds: int, say: Callable[[str], None]) -> Iterator[Table]:
    """Seconds with their goals, then coverage."""
    yield _speed(rounds, say)
    say("coverage")
    yield _coverage()


def _speed(rounds: int, say: Callable[[str], None]) -> Table:
    campaign = simulate_campaign(TAC_2008).campaign
    values, quality = _noisy(*DUC_2006)
    work: dict[str, Callable[[], object]] = {
        "study models": lambda: study.models(campaign, MEASURES, with_=QUALITY),
        "study topics": lambda: study.topics(campaign, MEASURES, with_=QUALITY),
        "both in sequence": lambda: _both(campaign),
        "HBR, AUC and robustness": lambda: _rank(values, quality),
    }
    goals = {"both in sequence": 5.0, "HBR, AUC and robustness": 1.0}
    large = "58 systems × 48 topics × 4 models, 4 measures, all k, 1,000 samples, with scoring"
    sizes = dict.fromkeys(work, large) | {"HBR, AUC and robustness": "21 measures on 35 systems × 50 topics, all pairs"}
    say("speed")
    best = best_of_rounds({name: _turn(run) for name, run in work.items()}, rounds=rounds)
    text = "CPU and wall seconds, starting from texts (models, topics) or from scores (HBR)."
    table = Table("Studies", text, ("work", "size", "CPU", "wall", "goal", "met"))
    for name, seconds in best.items():
        goal = goals.get(name)
        met = "" if goal is None else "yes" if seconds.wall <= goal else "no"
        shown = "" if goal is None else f"{goal:g} s"
        table.rows.append((name, sizes[name], number(seconds.cpu), number(seconds.wall), shown, met))
    return table


def _both(campaign: Campaign) -> None:
    study.models(campaign, MEASURES, with_=QUALITY)
    study.topics(campaign, MEASURES, with_=QUALITY)


def _rank(values: np.ndarray, quality: np.ndarray) -> np.ndarray:
    ranking = heterogeneity_ranking(corroboration(values, estimate_heterogeneity(values)))
    return robustness(area_under_curve(np.concatenate([values, ranking[None]]), quality).by_topic)


def _noisy(measures: int, summarizers: int, topics: int) -> tuple[np.ndarray, np.ndarray]:
    """Measures that agree about as well as variants of ROUGE do."""
    random = np.random.default_rng(0)
    quality = random.normal(size=(summarizers, topics))
    return quality + 0.7 * random.normal(size=(measures, summarizers, topics)), np.round(quality)


def _turn(run: Callable[[], object]) -> Callable[[], Seconds]:
    def turn() -> Seconds:
        with stopwatch() as watch:
            run()
        return watch.seconds

    return turn


def _coverage() -> Table:
    text = (
        "Share of 95 % intervals of extrapolated correlations that contain the true value, over 200 simulated "
        "evaluations each; ρ is the correlation without noise."
    )
    header = ("study", "summarizers", "topics", "models", "ρ", "at", "truth", "mean estimate", "coverage")
    table = Table("Extrapolation", text, header)
    for found in (*topics_coverage(), *models_coverage()):
        for size, truth, estimate, coverage in zip(found.at, found.truth, found.estimate, found.coverage, strict=True):
            table.rows.append(
                (
                    found.study,
                    str(found.summarizers),
                    str(found.topics),
                    str(found.models or ""),
                    f"{found.rho:g}",
                    "∞" if np.isinf(size) else f"{size:g}",
                    f"{truth:.3f}",
                    f"{estimate:.3f}",
                    f"{coverage:.1%}",
                )
            )
    return table
