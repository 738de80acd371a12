"""Assessors as a sample of many: how systems compare when other assessors might have judged them.

A question's judgments are fitted with topics, assessors and their interactions as random effects
(`statistics.components`), where the design allows it; otherwise the assessors are taken as given ("fixed").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign.nouns import Judgment, mean_of_runs
from pyramidion.errors import UsageError
from pyramidion.options import Assessors
from pyramidion.scores.table import require_moderate_values
from pyramidion.show.tables import ExplainedRow, grouped
from pyramidion.show.wording import defined
from pyramidion.statistics.components import Components, FitFailure, FTest, fit_components
from pyramidion.statistics.letters import TukeyTest
from pyramidion.statistics.simultaneous import critical_t
from pyramidion.statistics.values import SLACK, t_critical

FEWEST = 3
"""Two people can't show how others would judge."""
FEW_CONTRASTS = 4
"""Below (systems − 1)·(assessors − 1) = 4, a 5 % test may reject in 7 %."""


WhyFixed = Literal["", "one-topic-each", "not-fitted", "not-separable"]
"""Why assessors can't be treated as a random sample: each judged one topic, the model could not be fitted, or the
design does not show how much they differ in their ranking of systems."""


class ComponentRow(ExplainedRow, record="component"):
    """How much of the variance of single judgments comes from one source."""

    measure: str
    term: str
    """What varies: assessor, topic, an interaction, `run` (of one program's answers) or `error`."""
    value: float | None
    """Its variance."""
    lower: float | None
    upper: float | None
    levels: int | None
    """How many there are; None for the error."""
    zero: bool
    """Whether the estimate is 0: none was found, which is not to say that there is none."""
    confidence: float
    seed: int


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedSummaries:
    """The judgments behind a measure: who judged which summary, and how."""

    judgments: tuple[Judgment, ...]
    """Runs of one assessor already averaged."""
    run_variance: float | None = None
    """Pooled variance of the runs of one assessor about one summary; None if there are no runs."""
    runs: int = 0

    @cached_property
    def assessors(self) -> tuple[str, ...]:
        """Who judged."""
        return tuple(dict.fromkeys(judgment.assessor for judgment in self.judgments))

    @cached_property
    def _by_summarizer(self) -> dict[str, list[Judgment]]:
        """The judgments of each summarizer's summaries."""
        return grouped(self.judgments, lambda judgment: judgment.summarizer)

    def of(self, summarizers: Sequence[str]) -> JudgedSummaries:
        """The judgments of these summarizers alone."""
        judgments: list[Judgment] = []
        for summarizer in summarizers:
            judgments += self._by_summarizer.get(summarizer, ())
        return JudgedSummaries(judgments=tuple(judgments))

    def fit(self, summarizers: Sequence[str]) -> Components | FitFailure:
        """The variance components of the judgments of these summarizers, their means in this order."""
        summarizer_rows = {summarizer: row for row, summarizer in enumerate(summarizers)}
        judgments = [judgment for judgment in self.judgments if judgment.summarizer in summarizer_rows]
        if len({judgment.summarizer for judgment in judgments}) < max(len(summarizers), 2):
            return FitFailure(reason="not every system was judged")
        values = np.array([float(judgment.value) for judgment in judgments])
        # The means of summaries may be 0 where single judgments are too small to be squared.
        require_moderate_values(values, f"question.{judgments[0].question}")
        topic_rows = _number_in_order(judgment.topic for judgment in judgments)
        assessor_rows = _number_in_order(judgment.assessor for judgment in judgments)
        return fit_components(
            np.array([summarizer_rows[judgment.summarizer] for judgment in judgments]),
            np.array([topic_rows[judgment.topic] for judgment in judgments]),
            np.array([assessor_rows[judgment.assessor] for judgment in judgments]),
            values,
        )


def _number_in_order(names: Iterable[str]) -> dict[str, int]:
    """Each name once, in alphabetical order, with its place."""
    return {name: place for place, name in enumerate(sorted(set(names)))}


def judged_summaries(judgments: Iterable[Judgment]) -> JudgedSummaries:
    """The judgments of one question, ready to be fitted."""
    judgments = list(judgments)
    cells: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for judgment in judgments:
        cells[judgment.topic, judgment.summarizer, judgment.assessor].append(float(judgment.value))
    repeated = [values for values in cells.values() if len(values) > 1]
    # Pooled within summaries, so that what differs between summaries does not count as noise of runs.
    freedom = sum(len(values) - 1 for values in repeated)
    squares = sum(float(((np.array(values) - np.mean(values)) ** 2).sum()) for values in repeated)
    return JudgedSummaries(
        judgments=tuple(mean_of_runs(judgments)),
        run_variance=squares / freedom if freedom else None,
        runs=max(map(len, cells.values()), default=0),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class RandomAssessors:
    """The fit of one measure with assessors as random, and what follows for its summarizers."""

    measure: str
    components: Components
    assessors: int
    judged: JudgedSummaries
    confidence: float
    seed: int

    @cached_property
    def f_test(self) -> FTest:
        """Whether the systems differ at all."""
        return self.components.f_test()

    @cached_property
    def pairs(self) -> tuple[Floats, Floats, Floats]:
        """Systems × systems: differences, their variances, their degrees of freedom."""
        return self.components.pairs()

    def tukey(self) -> TukeyTest:
        """All pairs: they differ if |d| ≥ q(confidence; a, df)·√(v/2), each pair with its own v and df."""
        differences, variances, freedom = self.pairs
        count = len(differences)
        upper = np.triu_indices(count, 1)
        quantiles = critical_t("tukey", count, freedom[upper], confidence=self.confidence)
        critical_of_pairs = quantiles * np.sqrt(variances[upper])
        critical = np.zeros_like(differences)
        critical[upper] = critical_of_pairs
        critical += critical.T
        sizes = np.abs(differences)
        least, largest = float(critical_of_pairs.min()), float(critical_of_pairs.max())
        q = degrees_of_freedom = np.nan
        if np.ptp(freedom[upper]) <= 1e-6 * freedom[upper].max():  # one test for all pairs
            degrees_of_freedom = float(freedom[upper][0])
            q = float(critical_t("tukey", count, freedom[upper][:1], confidence=self.confidence)[0] * np.sqrt(2))
        return TukeyTest(
            q=q,
            mean_square=np.nan,
            degrees_of_freedom=degrees_of_freedom,
            critical_difference=largest if largest - least <= 1e-9 * largest else np.nan,
            least_difference=least,
            largest_difference=largest,
            differs=(sizes >= critical * (1 - SLACK)) & (sizes > 0),
        )

    def mean_limits(self, *, own: bool) -> tuple[Floats, Floats]:
        """Limits of each system's mean.

        For comparing (topics and the assessors' severity as given): u_i = [Σ_j v_ij − Σ_{j<k} v_jk/(a − 1)]/(a − 2)
        with the fewest degrees of freedom of i's pairs; NaN if u_i ≤ 0. `own`: for other topics and other assessors.
        """
        means = self.components.means
        if own:
            contrasts = self.components.contrasts(np.eye(len(means)))
            squares, freedom = contrasts.variances, contrasts.degrees_of_freedom
        else:
            _, variances, pair_freedom = self.pairs
            count = len(means)
            # With two systems the formula divides by 0; each has half of the variance of their difference.
            if count == 2:
                squares = variances.sum(axis=1) / 2
            else:
                squares = (variances.sum(axis=1) - np.triu(variances).sum() / (count - 1)) / (count - 2)
            freedom = np.nanmin(pair_freedom, axis=1)
        half = t_critical(self.confidence, freedom) * np.sqrt(np.where(squares > 0, squares, np.nan))
        return means - half, means + half

    def rows(self, note: str = "") -> list[ComponentRow]:
        """Where the variance comes from; `note` is what one must know about the judgments."""
        fit = self.components
        lower, upper = fit.limits(confidence=self.confidence, seed=self.seed)
        parts = list(zip(fit.names, fit.values, lower, upper, (*fit.levels, None), strict=True))
        if self.judged.run_variance is not None:
            parts.append(("run", self.judged.run_variance, np.nan, np.nan, self.judged.runs))
        rows = []
        for term, value, low, high, levels in parts:
            row = ComponentRow(
                measure=self.measure,
                term=term,
                value=defined(value),
                lower=defined(low),
                upper=defined(high),
                levels=levels,
                zero=bool(value == 0),
                confidence=self.confidence,
                seed=self.seed,
                note=note,
            )
            rows.append(row)
        return rows

    @property
    def has_few_contrasts(self) -> bool:
        """Whether systems and assessors are so few that a 5 % test may reject in 7 %."""
        return (len(self.components.means) - 1) * (self.assessors - 1) < FEW_CONTRASTS


@dataclass(frozen=True, kw_only=True)
class FixedAssessors:
    """Assessors who are taken as given: what is found holds for them."""

    count: int
    why: WhyFixed = ""
    """Why they could not be treated as a random sample; empty if nobody asked for that."""
    problem: str = ""
    """Why the model could not be fitted."""


def treat_assessors(
    judged: JudgedSummaries,
    summarizers: Sequence[str],
    asked: Assessors | None,
    *,
    measure: str,
    confidence: float,
    seed: int,
) -> RandomAssessors | FixedAssessors:
    """Assessors as random if asked for, or by default where the judgments can show how others would judge.

    Args:
        judged: the judgments of one question.
        summarizers: whose summaries are compared.
        asked: how the user wants assessors to be treated; None: as the judgments allow.
        measure: the question's name, for messages.
        confidence: of intervals and tests, in per cent.
        seed: of the limits of components.

    Raises:
        UsageError: if random assessors were asked for and there are fewer than three.
    """
    count = len(judged.assessors)
    if asked == "random" and count < FEWEST:
        people, these = ("two people", "these two") if count == 2 else ("one person", "this one")
        raise UsageError(
            f'`assessors="random"` needs {FEWEST} assessors or more, {measure} has {count}: {people} can\'t show how '
            f'others would judge; `assessors="fixed"` compares the systems for {these}'
        )
    if asked == "fixed" or count < FEWEST or len(summarizers) < 2:
        return FixedAssessors(count=count)
    if _each_has_one_topic(judged):
        return FixedAssessors(count=count, why="one-topic-each")
    fit = judged.fit(summarizers)
    if isinstance(fit, FitFailure):
        return FixedAssessors(count=count, why="not-fitted", problem=fit.reason)
    if "summarizer:assessor" not in fit.terms:
        return FixedAssessors(count=count, why="not-separable")
    return RandomAssessors(
        measure=measure, components=fit, assessors=count, judged=judged, confidence=confidence, seed=seed
    )


def _each_has_one_topic(judged: JudgedSummaries) -> bool:
    topics_by_assessor: dict[str, set[str]] = defaultdict(set)
    for judgment in judged.judgments:
        topics_by_assessor[judgment.assessor].add(judgment.topic)
    return all(len(topics) == 1 for topics in topics_by_assessor.values())
