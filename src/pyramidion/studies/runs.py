"""Several runs of a system or a judge on a topic: scores are their means, and this is how much runs still vary.

With K runs of each of n topics, the variance of a mean over topics is (variance between topics of their expected scores
+ mean variance within topics/K)/n (Miller, *Adding error bars to evals*, 2024). The variance of the topics' means holds
both parts, so that a paired test of the means needs no more; what is told here is the share of the second part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from pyramidion.campaign.nouns import Judgment
from pyramidion.errors import InputError, UsageError
from pyramidion.scores import ScoreTable
from pyramidion.scores.reading import IMPORTED

NoiseSource = Literal["judge", "generation", ""]
"""What varies from run to run: a judge's answers about the same outputs, or the outputs of a system; "": not known."""
Runs = pl.DataFrame
"""The score of each run of one measure: topic, summarizer, run, value."""


@dataclass(frozen=True, kw_only=True)
class RunSpread:
    """The runs of one rater about one summary of a system; of scores that nobody rated, the only "rater"."""

    rater: str
    runs: int
    variance: float | None
    """Between runs; None for a single one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RunNoise:
    """How much the runs of each summary vary."""

    spreads_of: Mapping[tuple[str, str], Sequence[RunSpread]]
    """By topic and summarizer, one for each rater."""
    source: NoiseSource = ""

    def of_pair(self, a: str, b: str, topics: Iterable[str]) -> PairNoise | None:
        """The part that runs have in the difference of two systems over these topics; None if neither has runs.

        A summary's score is the mean over its R raters, which varies by Σ s²/K over them, by R². Where a rater has a
        single run of a summary, s² is that of its other runs of the same system, else of the other system: those of
        further systems say nothing about these two. Whoever has single runs only adds nothing, because nothing is
        known about it.
        """
        cells = [(system, self.spreads_of.get((topic, system), ())) for topic in topics for system in (a, b)]
        counts = {spread.runs for _, spreads in cells for spread in spreads}
        most = max(counts, default=0)
        if most < 2:
            return None
        pooled = _pool_by_system(cells)
        variances = 0.0
        for system, spreads in cells:
            other = b if system == a else a
            of_raters = 0.0
            for spread in spreads:
                variance = spread.variance
                if variance is None:
                    own, others = pooled.get((system, spread.rater)), pooled.get((other, spread.rater), 0.0)
                    variance = others if own is None else own
                of_raters += variance / spread.runs
            variances += of_raters / max(len(spreads), 1) ** 2
        return PairNoise(
            runs=most,
            has_fewer=len(counts) > 1,
            variance=2 * variances / len(cells),
            topics=len(cells) // 2,
            source=self.source,
        )


def _pool_by_system(cells: Iterable[tuple[str, Sequence[RunSpread]]]) -> dict[tuple[str, str], float]:
    """By system and rater, the variance between runs, pooled over the summaries that have several."""
    squares: dict[tuple[str, str], float] = defaultdict(float)
    freedom: dict[tuple[str, str], int] = defaultdict(int)
    for system, spreads in cells:
        for spread in spreads:
            if spread.variance is not None:
                squares[system, spread.rater] += spread.variance * (spread.runs - 1)
                freedom[system, spread.rater] += spread.runs - 1
    return {key: square / freedom[key] for key, square in squares.items()}


@dataclass(frozen=True, kw_only=True)
class PairNoise:
    """What runs add to the variance of a topic's difference, on average over topics."""

    runs: int
    """Of a summary, at most."""
    variance: float
    topics: int
    source: NoiseSource = ""
    has_fewer: bool = False
    """Whether some summaries have fewer runs."""

    def share_of(self, error: float) -> float:
        """The share of the squared standard error of the mean difference that is due to runs, at most 1.

        >>> PairNoise(runs=4, variance=0.5, topics=10).share_of(0.5)  # (0.5/10)/0.5²
        0.2
        """
        return min(1.0, self.variance / self.topics / error**2)


def find_noise(runs: Runs | None, source: NoiseSource = "") -> RunNoise | None:
    """How much the runs of each summary vary; None if no summary has two.

    Args:
        runs: the score of each run.
        source: what varies from run to run, if that is known.
    """
    if runs is None or not runs.height:
        return None
    return _spread_of_runs(runs.with_columns(assessor=pl.lit("")), source)


def _spread_of_runs(runs: pl.DataFrame, source: NoiseSource) -> RunNoise | None:
    """How much the runs of each rater about each summary vary; None if nobody has two of a summary."""
    cells = runs.group_by("topic", "summarizer", "assessor", maintain_order=True).agg(
        n=pl.len(), variance=pl.col("value").var(ddof=1)
    )
    if not (cells["n"] > 1).any():
        return None
    spreads_of: dict[tuple[str, str], list[RunSpread]] = defaultdict(list)
    for topic, summarizer, rater, count, variance in cells.iter_rows():
        spread = RunSpread(rater=str(rater), runs=count, variance=None if count < 2 else float(variance))
        spreads_of[str(topic), str(summarizer)].append(spread)
    return RunNoise(spreads_of=spreads_of, source=source)


def runs_of_scores(table: ScoreTable, measure: str) -> Runs | None:
    """The runs behind a measure of a score table; None if it has none."""
    if table.run_scores is None:
        return None
    runs = table.run_scores.filter(pl.col("measure") == measure).drop("measure")
    return runs if runs.height else None


def noise_of_scores(table: ScoreTable, measure: str) -> RunNoise | None:
    """The variance of the means of runs behind a measure of a score table; None if it has no runs."""
    # What we scored was read from the texts of a system; other scores do not say whether a judge or a system varies.
    is_ours = any(table.signatures(measure)) and not measure.startswith(IMPORTED)
    return find_noise(runs_of_scores(table, measure), "generation" if is_ours else "")


def noise_of_judgments(judgments: Sequence[Judgment]) -> RunNoise | None:
    """How much the answers of the same assessors vary from run to run; None if nobody answered twice."""
    answers = _answers(judgments)
    return None if answers is None else _spread_of_runs(answers, "judge")


def runs_of_judgments(judgments: Sequence[Judgment]) -> Runs | None:
    """The mean answer in each run, over the assessors who answered in the most runs; None if nobody answered twice."""
    answers = _answers(judgments)
    if answers is None:
        return None
    cell = ("topic", "summarizer")
    answers = answers.with_columns(n=pl.len().over(*cell, "assessor"))
    answers = answers.filter(pl.col("n") == pl.col("n").max().over(*cell))
    return answers.group_by(*cell, "run", maintain_order=True).agg(pl.col("value").mean())


def _answers(judgments: Sequence[Judgment]) -> pl.DataFrame | None:
    """The judgments as a frame; None if each assessor judged each summary once."""
    if all(judgment.run == 1 for judgment in judgments):
        return None
    rows = [
        (judgment.topic, judgment.summarizer, judgment.assessor, str(judgment.run), float(judgment.value))
        for judgment in judgments
    ]
    names = ("topic", "summarizer", "assessor", "run")
    return pl.DataFrame(rows, schema={**dict.fromkeys(names, pl.String), "value": pl.Float64}, orient="row")


def first_two_runs(runs: Runs | None, system: str) -> tuple[tuple[str, str], Mapping[str, tuple[float, float]]]:
    """The names of the first two runs of a system, and by topic its scores in both.

    Raises:
        UsageError: if it has fewer than two runs.
        InputError: if no topic has both.
    """
    by_run: dict[str, dict[str, float]] = {}
    if runs is not None:
        own = runs.filter(pl.col("summarizer") == system)
        for topic, run, value in own.select("topic", "run", "value").iter_rows():
            by_run.setdefault(str(run), {})[str(topic)] = float(value)
    names = sorted(by_run, key=lambda name: (len(name), name))
    if len(names) < 2:
        raise UsageError(
            f'`self_test="runs"`: found {"one run" if names else "no runs"} of {system}; expected at least two: a '
            "column `run` in a table of scores, or `run` in judgments. Otherwise give each run a name of its own "
            f"({system}-1 and {system}-2) and gate one against the other: it must not fail"
        )
    first, second = names[:2]
    shared = [topic for topic in by_run[first] if topic in by_run[second]]
    if not shared:
        raise InputError(f'`self_test="runs"`: runs {first} and {second} of {system} have no topic in common')
    return (first, second), {topic: (by_run[first][topic], by_run[second][topic]) for topic in shared}
