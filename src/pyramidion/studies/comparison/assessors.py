"""Assessors as a sample of many: how systems compare when other assessors might have judged them.

A question's judgments are fitted with topics, assessors and their interactions as random effects
(`statistics.components`), where the design allows it; otherwise the assessors are taken as given ("fixed").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pyramidion.arrays import Floats
from pyramidion.campaign.nouns import Judgment, mean_of_runs
from pyramidion.errors import UsageError
from pyramidion.options import Assessors
from pyramidion.show.tables import NotedRow, grouped
from pyramidion.show.wording import defined, listed
from pyramidion.statistics.components import Components, FTest, Unfit, fit_components
from pyramidion.statistics.letters import TukeyTest
from pyramidion.statistics.simultaneous import critical_t
from pyramidion.statistics.values import SLACK, t_critical

FEWEST = 3
"""Two people can't show how others would judge."""
FEW_CONTRASTS = 4
"""Below (systems − 1)·(assessors − 1) = 4, a 5 % test may reject in 7 %."""


class ComponentRow(NotedRow, record="component"):
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
        judgments = [one for who in summarizers for one in self._by_summarizer.get(who, ())]
        return JudgedSummaries(judgments=tuple(judgments))

    def fit(self, summarizers: Sequence[str]) -> Components | Unfit:
        """The variance components of the judgments of these summarizers, their means in this order."""
        place = {who: row for row, who in enumerate(summarizers)}
        kept = [one for one in self.judgments if one.summarizer in place]
        if len({one.summarizer for one in kept}) < max(len(summarizers), 2):
            return Unfit(reason="not every system was judged")
        topics = {one: row for row, one in enumerate(sorted({one.topic for one in kept}))}
        people = {one: row for row, one in enumerate(sorted({one.assessor for one in kept}))}
        return fit_components(
            np.array([place[one.summarizer] for one in kept]),
            np.array([topics[one.topic] for one in kept]),
            np.array([people[one.assessor] for one in kept]),
            np.array([float(one.value) for one in kept]),
        )


def judged_summaries(judgments: Iterable[Judgment]) -> JudgedSummaries:
    """The judgments of one question, ready to be fitted."""
    given = list(judgments)
    cells: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for one in given:
        cells[one.topic, one.summarizer, one.assessor].append(float(one.value))
    repeated = [values for values in cells.values() if len(values) > 1]
    freedom = sum(len(values) - 1 for values in repeated)
    squares = sum(float(((np.array(values) - np.mean(values)) ** 2).sum()) for values in repeated)
    return JudgedSummaries(
        judgments=tuple(mean_of_runs(given)),
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
        critical = np.zeros_like(differences)
        found = critical_t("tukey", count, freedom[upper], confidence=self.confidence) * np.sqrt(variances[upper])
        critical[upper] = found
        critical += critical.T
        sizes = np.abs(differences)
        same = np.ptp(freedom[upper]) <= 1e-6 * freedom[upper].max()
        least, largest = float(found.min()), float(found.max())
        return TukeyTest(
            q=float(critical_t("tukey", count, freedom[upper][:1], confidence=self.confidence)[0] * np.sqrt(2))
            if same
            else np.nan,
            mean_square=np.nan,
            degrees_of_freedom=float(freedom[upper][0]) if same else np.nan,
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
            found = self.components.contrasts(np.eye(len(means)))
            squares, freedom = found.variances, found.degrees_of_freedom
        else:
            _, variances, pair_freedom = self.pairs
            count = len(means)
            if count == 2:
                squares = variances.sum(axis=1) / 2
            else:
                squares = (variances.sum(axis=1) - np.triu(variances).sum() / (count - 1)) / (count - 2)
            freedom = np.nanmin(pair_freedom, axis=1)
        half = t_critical(self.confidence, freedom) * np.sqrt(np.where(squares > 0, squares, np.nan))
        return means - half, means + half

    def rows(self, note: str = "") -> list[ComponentRow]:
        """Where the variance comes from; `note` is what one must know about the judgments."""
        found = self.components
        lower, upper = found.limits(confidence=self.confidence, seed=self.seed)
        parts = list(zip(found.names, found.values, lower, upper, (*found.levels, None), strict=True))
        if self.judged.run_variance is not None:
            parts.append(("run", self.judged.run_variance, np.nan, np.nan, self.judged.runs))
        no_limits = {"run": "no interval is computed for runs"}
        return [
            ComponentRow(
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
                reason=no_limits.get(term, "the judgments hardly determine it")
                if np.isnan(low)
                else "the error term has no levels",
            )
            for term, value, low, high, levels in parts
        ]

    def sentences(self) -> list[str]:
        """What the systems' differences hold for, and where the model has its limits."""
        sentences = [
            "Assessors and topics are treated as random samples, so the tests generalize to similar assessors and "
            "topics."
        ]
        if (len(self.components.means) - 1) * (self.assessors - 1) < FEW_CONTRASTS:
            sentences.append("With so few, the error rate of a test at the 5 % level may be 7 %.")
        if self.components.left_out:
            kept = listed([*self.components.terms, "error"])
            sentences.append(f"This design can't separate {listed(list(self.components.left_out))} from {kept}.")
        if self.components.zero:
            terms = listed(list(self.components.zero))
            sentences.append(f"Estimated variance of {terms}: 0 (it may be too small to detect).")
        if not self.components.converged:
            sentences.append("The estimates had not converged after 200 iterations; treat them with caution.")
        return sentences


def fixed(judged: JudgedSummaries, why: str = "") -> str:
    """What a comparison with these assessors as given holds for, in words; nothing if there is only one."""
    count = len(judged.assessors)
    if count < 2:
        return ""
    holds = f"Differences hold for these {count} assessors; other assessors may rank the systems differently."
    return f"{holds} {why}".rstrip()


def treat_assessors(
    judged: JudgedSummaries,
    summarizers: Sequence[str],
    asked: Assessors | None,
    *,
    measure: str,
    confidence: float,
    seed: int,
) -> RandomAssessors | str:
    """Assessors as random if asked for, or by default where the judgments can show how others would judge.

    Where they are fixed: what the comparison holds for, and why, in words.

    Raises:
        UsageError: if random assessors were asked for and there are fewer than three.
    """
    count = len(judged.assessors)
    if asked == "random" and count < FEWEST:
        how = f"{count}: two people can't show" if count == 2 else f"{count}: one person can't show"
        raise UsageError(
            f'`assessors="random"` needs {FEWEST} assessors or more, {measure} has {how} how others would judge; '
            f'`assessors="fixed"` compares the systems for {"these two" if count == 2 else "this one"}'
        )
    if asked == "fixed" or count < FEWEST or len(summarizers) < 2:
        return fixed(judged)
    if _one_topic_each(judged):
        return fixed(
            judged, "Each assessor judged one topic only, so the error between topics contains that between assessors."
        )
    found = judged.fit(summarizers)
    if isinstance(found, Unfit):
        return fixed(judged, f"Assessors could not be treated as random: {found.reason}.")
    if "summarizer:assessor" not in found.terms:
        return fixed(judged, "This design can't show how much assessors differ in their ranking of systems.")
    return RandomAssessors(
        measure=measure, components=found, assessors=count, judged=judged, confidence=confidence, seed=seed
    )


def _one_topic_each(judged: JudgedSummaries) -> bool:
    topics: dict[str, set[str]] = defaultdict(set)
    for judgment in judged.judgments:
        topics[judgment.assessor].add(judgment.topic)
    return all(len(one) == 1 for one in topics.values())
